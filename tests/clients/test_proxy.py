"""The example's proxy, with Anthropic's own client in front of it and a host of Chat Completions on the loopback behind."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anthropic
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

import blocks
import interlingua as il
import proxy
from clients.streaming_app import Door, served
from interlingua.fastapi import Proxy

ASKED: dict[str, Any] = {"model": "gpt-x", "max_tokens": 99, "messages": [{"role": "user", "content": "Is it warm in Rome?"}]}
TOOL: dict[str, Any] = {"name": "temperature", "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}}}
FRAME: dict[str, Any] = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1763000000, "model": "gpt-x"}
USAGE: dict[str, Any] = {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}


def whole(finish: str, **message: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    return {**FRAME, "choices": [choice], "usage": USAGE}


def chunk(finish: str | None = None, **delta: Any) -> bytes:
    body = {**FRAME, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
    return f"data: {json.dumps(body)}\n\n".encode()


COUNTS = f"data: {json.dumps({**FRAME, 'object': 'chat.completion.chunk', 'choices': [], 'usage': USAGE})}\n\n".encode()
CALL: dict[str, Any] = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "temperature", "arguments": '{"city": "Rome"}'},
}


class Host:
    """A host of Chat Completions, which gives one answer: a status with a body, or the pieces of a stream."""

    def __init__(self) -> None:
        self.status = 200
        self.body: dict[str, Any] = {}
        self.pieces: list[bytes] | None = None
        self.waits = False
        """Whether it goes on with its stream until the client hangs up."""
        self.breaks = False
        """Whether the connection breaks at the end of the pieces."""
        self.left = threading.Event()
        self.asked: list[Any] = []

    async def __call__(
        self, scope: Mapping[str, Any], receive: Callable[[], Any], send: Callable[[dict[str, Any]], Any]
    ) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        assert scope["path"] == "/v1/chat/completions"
        self.asked.append(json.loads(body))
        kind = b"application/json" if self.pieces is None else b"text/event-stream"
        await send(
            {"type": "http.response.start", "status": self.status, "headers": [(b"content-type", kind), (b"retry-after", b"7")]}
        )
        if self.pieces is None:
            await send({"type": "http.response.body", "body": json.dumps(self.body).encode()})
            return
        async for piece in self.stream(receive):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        if self.breaks:
            raise ConnectionAbortedError
        await send({"type": "http.response.body", "body": b""})

    async def stream(self, receive: Callable[[], Any]) -> AsyncIterator[bytes]:
        for piece in self.pieces or ():
            yield piece
        if self.waits:
            assert (await asyncio.wait_for(receive(), 20))["type"] == "http.disconnect"
            self.left.set()


@pytest.fixture
def host(door: Door) -> Host:
    door.app = host = Host()
    return host


@pytest.fixture(scope="module")
def front(door: Door) -> Iterator[Any]:
    """Anthropic's client, with the proxy behind it."""
    with pytest.MonkeyPatch.context() as patch, asking(f"{door.url}/v1", patch) as client:
        yield client


@pytest.fixture
def client(front: Any, caplog: pytest.LogCaptureFixture) -> Any:
    caplog.set_level(logging.WARNING, "interlingua")
    return front


@contextmanager
def asking(upstream: str, monkeypatch: pytest.MonkeyPatch) -> Generator[Any]:
    """Anthropic's client, with the proxy to this host behind it."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("OPENAI_BASE_URL", upstream)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with (
        served(proxy.for_anthropic_clients(), lifespan="on") as url,
        anthropic.DefaultHttpxClient(trust_env=False) as http,
    ):
        yield anthropic.Anthropic(base_url=url, api_key="none", max_retries=0, http_client=http)


def test_a_whole_answer(client: Any, host: Host, caplog: pytest.LogCaptureFixture) -> None:
    host.body = whole("stop", content="13 °C.")
    answer = client.messages.create(**ASKED, system="Be brief.", extra_body={"top_k": 5})
    assert [block.to_dict() for block in answer.content] == [{"type": "text", "text": "13 °C."}]
    assert (answer.stop_reason, answer.usage.input_tokens, answer.usage.output_tokens) == ("end_turn", 9, 4)
    assert [message["role"] for message in host.asked[0]["messages"]] == ["system", "user"]
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["dropped /top_k"]


def test_tools_go_both_ways(client: Any, host: Host) -> None:
    host.body = whole("tool_calls", content=None, tool_calls=[CALL])
    answer = client.messages.create(**ASKED, tools=[TOOL])
    [call] = answer.content
    assert (answer.stop_reason, call.type, call.id, call.input) == ("tool_use", "tool_use", "call_1", {"city": "Rome"})
    assert host.asked[0]["tools"][0]["function"]["name"] == "temperature"
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call.id, "content": "13 °C"}]}
    host.body = whole("stop", content="It is.")
    said = [*ASKED["messages"], {"role": "assistant", "content": answer.content}, result]
    client.messages.create(**ASKED | {"messages": said}, tools=[TOOL])
    assert [message["role"] for message in host.asked[1]["messages"]] == ["user", "assistant", "tool"]
    assert host.asked[1]["messages"][1]["tool_calls"] == [CALL]


def test_a_streamed_answer(client: Any, host: Host) -> None:
    arguments = [{"index": 0, "function": {"arguments": piece}} for piece in ('{"city": ', '"Rome"}')]
    start = {**CALL, "index": 0, "function": {"name": "temperature", "arguments": ""}}
    host.pieces = [
        chunk(role="assistant", content="Let me "),
        chunk(content="see."),
        chunk(tool_calls=[start]),
        *(chunk(tool_calls=[piece]) for piece in arguments),
        chunk("tool_calls"),
        COUNTS,
        b"data: [DONE]\n\n",
    ]
    with client.messages.stream(**ASKED, tools=[TOOL]) as stream:
        assert list(stream.text_stream) == ["Let me ", "see."]
        answer = stream.get_final_message()
    assert [block.type for block in answer.content] == ["text", "tool_use"]
    assert (answer.stop_reason, answer.usage.output_tokens) == ("tool_use", 4)
    assert (host.asked[0]["stream"], host.asked[0]["stream_options"]) == (True, {"include_usage": True})


@pytest.mark.parametrize(
    ("status", "error", "type"),
    [
        (429, anthropic.RateLimitError, "rate_limit_error"),
        (500, anthropic.InternalServerError, "api_error"),
        (403, anthropic.InternalServerError, "api_error"),  # which is about the key of the proxy
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_errors_of_the_host(
    client: Any, host: Host, status: int, error: type[anthropic.APIStatusError], type: str, *, stream: bool
) -> None:
    host.status = status
    host.body = {"error": {"message": "Not now", "type": "requests", "param": None, "code": "rate_limit_exceeded"}}
    with pytest.raises(error) as caught:
        client.messages.create(**ASKED, stream=stream)
    message = "the host refuses the proxy" if status == 403 else "Not now"
    assert caught.value.body == {"type": "error", "error": {"type": type, "message": message}}
    assert caught.value.response.headers["retry-after"] == "7"


def test_a_request_that_would_lose_a_message_is_the_clients_fault(client: Any, host: Host) -> None:
    image = {"type": "document", "source": {"type": "url", "url": "https://example.com/a.pdf"}}
    with pytest.raises(anthropic.BadRequestError, match="/messages/0"):
        client.messages.create(**ASKED | {"messages": [{"role": "user", "content": [image]}]})
    assert host.asked == []


def test_the_client_gets_calls_of_its_own_tools(client: Any, host: Host) -> None:
    tool = {"name": "srv.temperature", "input_schema": {"type": "object"}}
    host.body = whole("stop", content="Yes?")
    client.messages.create(**ASKED, tools=[tool])
    sent = host.asked[0]["tools"][0]["function"]["name"]
    assert sent != tool["name"]
    host.body = whole("tool_calls", content=None, tool_calls=[CALL | {"function": {"name": sent, "arguments": "{}"}}])
    answer = client.messages.create(**ASKED, tools=[tool])
    assert [block.name for block in answer.content] == ["srv.temperature"]


def test_a_bad_request_is_the_clients_fault(client: Any, host: Host) -> None:
    with pytest.raises(anthropic.BadRequestError) as caught:
        client.messages.create(**ASKED | {"messages": [{"role": "user", "content": 7}]})
    assert "/messages/0/content" in str(caught.value)
    assert host.asked == []


@pytest.mark.parametrize("body", [{"choices": 5}, {"nothing": True}])
def test_a_broken_answer_is_the_hosts_fault(client: Any, host: Host, body: dict[str, Any]) -> None:
    host.body = body
    with pytest.raises(anthropic.InternalServerError) as caught:
        client.messages.create(**ASKED)
    assert caught.value.status_code == 502


def test_a_host_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with asking("http://127.0.0.1:9", monkeypatch) as client, pytest.raises(anthropic.InternalServerError) as caught:
        client.messages.create(**ASKED)
    assert caught.value.body == {"type": "error", "error": {"type": "api_error", "message": "the host cannot be reached"}}


@pytest.mark.parametrize("breaks", [False, True])
def test_a_stream_that_breaks_off_is_an_error(client: Any, host: Host, *, breaks: bool) -> None:
    host.pieces, host.breaks = [chunk(role="assistant", content="Let me")], breaks
    with client.messages.stream(**ASKED) as stream, pytest.raises(anthropic.APIStatusError) as caught:
        list(stream.text_stream)
    assert "stream ended" in str(caught.value) or "connection" in str(caught.value)


def test_an_error_in_a_stream_is_passed_on(client: Any, host: Host) -> None:
    failed = {"error": {"message": "Overloaded", "type": "server_error"}}
    host.pieces = [chunk(role="assistant", content="Let me"), f"data: {json.dumps(failed)}\n\n".encode()]
    with client.messages.stream(**ASKED) as stream, pytest.raises(anthropic.APIStatusError, match="Overloaded"):
        list(stream.text_stream)


def test_a_client_that_hangs_up_ends_the_request_to_the_host(client: Any, host: Host) -> None:
    host.pieces, host.waits = [chunk(role="assistant", content="Let me")], True
    with client.messages.stream(**ASKED) as stream:
        assert next(iter(stream.text_stream)) == "Let me"
        assert not host.left.is_set()
    assert host.left.wait(10)


class Unread:
    """An answer of the host of which nothing has been read."""

    status_code = 200
    headers: Mapping[str, str] = {}
    closed = False

    async def aiter_bytes(self) -> AsyncIterator[bytes]:
        yield chunk(role="assistant", content="Hi")

    async def aclose(self) -> None:
        self.closed = True


def unread(format: il.FormatName, call: str) -> tuple[Any, Unread, il.Conversion[Any]]:
    """What the proxy answers to a call in the URL, the host's answer, and what was sent to the host."""
    answer, sent = Unread(), list[il.Conversion[Any]]()

    async def send(asked: il.Conversion[Any]) -> Unread:
        sent.append(asked)
        return answer

    app = FastAPI()
    app.post("/model/{model}/{call}")(Proxy(format, "openai_chat", send).answer)
    body = {"messages": [{"role": "user", "content": [{"text": "Hi"}]}]}
    return TestClient(app).post(f"/model/claude-x/{call}", json=body), answer, sent[0]


@pytest.mark.parametrize(("call", "status"), [("converse", 502), ("converse-stream", 200)])
def test_the_url_says_whether_to_stream(call: str, status: int) -> None:
    """The host streams: that is an answer to one of the calls alone, and is binary there."""
    answered, answer, asked = unread("bedrock_converse", call)
    assert (answered.status_code, answer.closed) == (status, True)
    assert (asked.endpoint.model, bool(asked.endpoint.stream)) == ("claude-x", status == 200)
    if status == 200:
        assert answered.headers["content-type"] == "application/vnd.amazon.eventstream"
        reader = il.reader("bedrock_converse")
        reader.feed_bytes(answered.content)
        assert reader.response.message.text == "Hi"
        assert reader.error is not None  # as the host's stream has no end


def test_an_answer_is_closed_where_its_stream_cannot_be_written() -> None:
    answered, answer, asked = unread("bedrock_boto3", "converse-stream")
    assert (answered.status_code, answer.closed, bool(asked.endpoint.stream)) == (502, True, True)
    assert "server-sent events" in answered.json()["message"]


def test_the_guide_builds_the_example() -> None:
    code = [block.code for block in blocks.blocks(blocks.ROOT / "docs" / "guides" / "proxy.md") if block.title == "The proxy"]
    assert Path(proxy.__file__).read_text("utf-8") == f'"""{proxy.__doc__}"""\n\n' + "\n\n".join(code)
