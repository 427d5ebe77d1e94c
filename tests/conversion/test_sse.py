"""Server-sent events that are written: the official clients read them as those of the provider's own server."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Generator, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import anthropic
import httpx2
import openai
import pytest
from anthropic._streaming import SSEDecoder
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from hypothesis import given, strategies as st

import interlingua as il
from clients.streaming_app import served
from clients.test_live_clients import CALLING, CASES
from interlingua.fastapi import EventStream
from laws import over
from laws.families import STREAMING, is_sse
from laws.passing import Source, errors_in, is_error
from laws.streaming import SHAPED, as_dicts, as_sent, cut_off, streamed

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

SSE = [name for name in STREAMING if is_sse(name)]

Sent: TypeAlias = list[tuple[str | None, Any]]


def decoded(body: bytes) -> Sent:
    """The names and the data of server-sent events, as Anthropic's SDK reads them."""
    return [(event.event, _data(event.data)) for event in SSEDecoder().iter_bytes(iter([body]))]


def _data(text: str) -> Any:
    return text if text == "[DONE]" else json.loads(text)


def expected(chunks: list[Any], format: il.FormatName) -> Sent:
    known = il.FORMATS[format]
    named = [(chunk.get(known.event_field) if known.event_field is not None else None, chunk) for chunk in chunks]
    return [*named, *([] if known.end_mark is None else [(None, known.end_mark)])]


async def _all(pieces: AsyncIterator[bytes]) -> bytes:
    return b"".join([piece async for piece in pieces])


# The bytes


@over.pairs(SSE)
@given(data=st.data())
def test_the_bytes_are_the_chunks_with_the_names_and_the_end_of_the_format(
    target: il.FormatName, sources: list[il.FormatName], data: st.DataObject
) -> None:
    source = data.draw(st.sampled_from(sources))
    _, chunks = data.draw(streamed(source))
    made = list(il.restream(chunks, source=source, target=target, usage=True))
    body = b"".join(il.sse(il.restream(chunks, source=source, target=target, usage=True), target))
    assert decoded(body) == expected(made, target)
    assert b"".join(il.sse(made, target)) == body
    assert b"".join(il.sse(il.reader(source).read(chunks), target)) == body
    others = il.restream(Source(chunks).asynchronous(), source=source, target=target, usage=True)
    assert asyncio.run(_all(il.sse(others, target))) == body
    assert asyncio.run(_all(il.sse(il.reader(source).aread(Source(chunks).asynchronous()), target))) == body
    reader = il.reader(target)
    assert as_dicts([*reader.feed_bytes(body), *reader.close()]) == as_dicts(il.reader(target).read(made))


@over.formats([name for name in SHAPED if is_sse(name)])
@given(data=st.data(), sync=st.booleans())
def test_a_body_of_a_stream_that_was_cut_off_ends_with_an_error(format: il.FormatName, data: st.DataObject, sync: bool) -> None:
    _, chunks = data.draw(streamed(format))
    chunks = [chunk for chunk in chunks if chunk != "[DONE]"]
    beginnings = [n for n in range(len(chunks)) if not cut_off(chunks[:n], format).complete]
    chunks = chunks[: data.draw(st.sampled_from(beginnings))]
    reader = il.reader(format)
    events = [event for chunk in chunks for event in reader.feed(chunk)]
    for pieces, again in ((chunks, False), (chunks, True), (events, False)):
        source = Source(pieces)
        sent, error = outcome(source, format, sync=sync, again=again)
        assert isinstance(error, il.StreamError)
        assert is_error(sent[-1][1], format)
        assert errors_in([chunk for _, chunk in sent], format) == 1
        assert source.closed


def outcome(source: Source, format: il.FormatName, *, sync: bool, again: bool = False) -> tuple[Sent, Exception | None]:
    """What is sent of a source, itself or converted to its own format, and the error."""
    sent: list[bytes] = []
    chunks: Iterable[Any] = source.sync()
    others: AsyncIterable[Any] = source.asynchronous()
    if again:
        chunks = il.restream(chunks, source=format, target=format)
        others = il.restream(others, source=format, target=format)

    async def run() -> None:
        async for piece in il.sse(others, format):
            sent.append(piece)  # noqa: PERF401 -- an error is to leave what was sent

    try:
        if sync:
            sent.extend(il.sse(chunks, format))
        else:
            asyncio.run(run())
    except il.StreamError as error:
        return decoded(b"".join(sent)), error
    return decoded(b"".join(sent)), None


def test_a_format_whose_streams_are_no_server_sent_events_has_none() -> None:
    binary = replace(il.FORMATS["anthropic"], stream_type="application/vnd.amazon.eventstream")
    with pytest.raises(il.UnknownFormat, match="'anthropic' does not have server-sent events"):
        il.sse([], binary)


def test_a_server_that_sends_lines_gets_a_line_for_each_chunk() -> None:
    in_lines = replace(il.FORMATS["gemini"], stream_type="application/x-ndjson")
    ended = {"candidates": [{"content": {"role": "model", "parts": [{"text": "\n"}]}, "finishReason": "STOP"}]}
    body = b"".join(il.sse([ended, {}], in_lines))
    assert EventStream([], in_lines).headers["content-type"] == "application/x-ndjson"
    assert [json.loads(line) for line in body.splitlines()] == [ended, {}]
    assert body.endswith(b"\n")
    reader = il.reader("gemini")
    assert [event for at in range(len(body)) for event in reader.feed_bytes(body[at : at + 1])]
    assert reader.response.message.text == "\n"


def test_a_name_that_would_be_several_lines_is_left_out() -> None:
    chunks: list[dict[str, Any]] = [
        {"type": "x\ndata: {}\n\nevent: error", "y": "\r\n"},
        {"type": "message_start", "message": {"content": []}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
    ]
    assert [chunk for _, chunk in decoded(b"".join(il.sse(chunks, "anthropic")))] == chunks


@given(data=st.data())
def test_chunks_are_written_as_the_sdks_objects_say(data: st.DataObject) -> None:
    _, chunks = data.draw(streamed("openai_chat", odd=False))
    objects = [as_sent(chunk, "openai_chat") for chunk in chunks if chunk != "[DONE]"]
    assert decoded(b"".join(il.sse(objects, "openai_chat"))) == decoded(b"".join(il.sse(chunks, "openai_chat")))


@pytest.mark.parametrize("chunk", [7, "x", None, {"choices": 5}, {"x": object()}, {"x": "\ud800"}])
def test_what_is_no_chunk_is_an_error(chunk: Any) -> None:
    sent, error = outcome(Source([chunk]), "openai_chat", sync=True)
    assert isinstance(error, il.StreamError)
    assert is_error(sent[-1][1], "openai_chat")


def test_an_error_that_is_given_ends_the_stream_without_a_mark_of_success() -> None:
    chunks = [{"choices": [{"index": 0, "delta": {"content": "a"}}]}, {"error": {"message": "busy"}}]
    assert decoded(b"".join(il.sse(chunks, "openai_chat"))) == [(None, chunk) for chunk in chunks]
    events = [event for reader in [il.reader("openai_chat")] for chunk in chunks for event in reader.feed(chunk)]
    assert decoded(b"".join(il.sse(events, "openai_chat")))[-1] == (None, chunks[-1])


def test_events_that_lose_something_report_it() -> None:
    events = [il.MessageStart(), il.MessageStart(choice=1), il.Stop(), il.Stop(choice=1)]
    with pytest.raises(il.LossyConversion):
        list(il.sse(events, "anthropic", on_loss="raise"))
    losses: list[il.Loss] = []
    list(il.sse(events, "anthropic", on_loss=losses.append))
    assert [(loss.kind, loss.path) for loss in losses] == [("dropped", "/choices/1"), ("added", "/choices/0/stop_reason")]


# Over HTTP


class Proxy:
    """A service that answers in one format with the streams of another."""

    def __init__(self) -> None:
        self.source = Source([])
        self.format: il.FormatName = "anthropic"
        self.sync = True
        self.app = FastAPI()
        self.app.post("/v1/chat/completions", response_model=None)(self.chat)
        self.app.post("/v1/messages", response_model=None)(self.messages)
        self.app.post("/plain", response_model=None)(self.plain)

    def chat(self) -> EventStream:
        return self._stream("openai_chat")

    def messages(self) -> EventStream:
        return self._stream("anthropic")

    def plain(self) -> StreamingResponse:
        chunks = il.restream(self.source.sync(), source=self.format, target="openai_chat", on_loss="ignore")
        return StreamingResponse(il.sse(chunks, "openai_chat"), media_type="text/event-stream")

    def _stream(self, target: il.FormatName) -> EventStream:
        if self.sync:
            chunks = il.restream(self.source.sync(), source=self.format, target=target, on_loss="ignore")
            return EventStream(chunks, target)
        other = il.restream(self.source.asynchronous(), source=self.format, target=target, on_loss="ignore")
        return EventStream(other, target)


@pytest.fixture(name="proxy")
def _proxy() -> Iterator[tuple[Proxy, str]]:
    proxy = Proxy()
    with served(proxy.app) as url:
        yield proxy, url


def asked_of_openai(url: str) -> il.Reader:
    client = openai.OpenAI(
        base_url=url + "/v1", api_key="none", max_retries=0, http_client=openai.DefaultHttpxClient(trust_env=False)
    )
    reader = il.reader("openai_chat")
    with client, client.chat.completions.create(model="m", messages=[], stream=True) as chunks:
        for chunk in chunks:
            reader.feed(chunk)
    return reader


def asked_of_anthropic(url: str) -> il.Reader:
    client = anthropic.Anthropic(
        base_url=url, api_key="none", max_retries=0, http_client=anthropic.DefaultHttpxClient(trust_env=False)
    )
    reader = il.reader("anthropic")
    with client, client.messages.create(model="m", max_tokens=9, messages=[], stream=True) as chunks:
        for chunk in chunks:
            reader.feed(chunk)
    return reader


ASKED = {"openai_chat": asked_of_openai, "anthropic": asked_of_anthropic}


@pytest.mark.parametrize("sync", [True, False])
@pytest.mark.parametrize("target", ["openai_chat", "anthropic"])
@pytest.mark.parametrize("origin", ["openai_chat", "anthropic"])
def test_the_official_clients_read_a_stream_that_is_passed_on(
    origin: il.FormatName, target: il.FormatName, sync: bool, proxy: tuple[Proxy, str]
) -> None:
    app, url = proxy
    app.format, app.sync = origin, sync
    for case in (case for case in CASES if case.format == origin and case.name.startswith("answer_")):
        chunks: list[Any] = case.read("stream")
        app.source = Source(chunks)
        reader = ASKED[target](url)
        expected = il.reader(target)
        for chunk in il.restream(chunks, source=origin, target=target, on_loss="ignore"):
            expected.feed(chunk)
        assert reader.complete
        assert reader.response.message == expected.response.message
        assert reader.response.stop_reason == expected.response.stop_reason
        assert soon(lambda: app.source.closed)


@pytest.mark.parametrize("sync", [True, False])
@pytest.mark.parametrize(("target", "error"), [("openai_chat", openai.APIError), ("anthropic", anthropic.APIError)])
def test_the_official_clients_learn_that_a_stream_was_cut_off(
    target: il.FormatName, error: type[Exception], sync: bool, proxy: tuple[Proxy, str], caplog: pytest.LogCaptureFixture
) -> None:
    app, url = proxy
    app.sync = sync
    app.source = Source(CALLING["anthropic"].read("stream")[:-2])
    caplog.set_level(logging.WARNING, "interlingua")
    with pytest.raises(error, match="ended before its message did"):
        ASKED[target](url)
    assert soon(lambda: app.source.closed)
    assert soon(lambda: "ended before its message did" in caplog.text)


def soon(holds: Callable[[], bool]) -> bool:
    """Whether something holds within a few seconds: the server finishes after the client."""
    until = time.monotonic() + 10
    while not holds() and time.monotonic() < until:
        time.sleep(0.01)
    return holds()


@pytest.mark.parametrize("sync", [True, False])
def test_the_body_of_a_broken_stream_is_complete_http(sync: bool, proxy: tuple[Proxy, str]) -> None:
    app, url = proxy
    app.sync = sync
    app.source = Source([{"type": "message_start", "message": {"content": []}}])
    with httpx2.Client(base_url=url, trust_env=False) as client:
        answer = client.post("/v1/messages")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    [(name, chunk)] = decoded(answer.content)
    assert name == "error"
    assert is_error(chunk, "anthropic")


@pytest.mark.parametrize("sync", [True, False])
def test_the_source_is_closed_when_the_client_goes(sync: bool, proxy: tuple[Proxy, str]) -> None:
    app, url = proxy
    app.sync = sync
    begin: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    ]
    delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x" * 10_000}}
    app.source = Source([*begin, *[delta] * 20_000])
    with httpx2.Client(base_url=url, trust_env=False) as client, client.stream("POST", "/v1/messages") as answer:
        next(answer.iter_bytes())
    assert soon(lambda: app.source.closed)
    assert app.source.taken < 20_000


def test_starlettes_own_response_carries_the_bytes(proxy: tuple[Proxy, str]) -> None:
    app, url = proxy
    app.source = Source(CALLING["anthropic"].read("stream"))
    with httpx2.Client(base_url=url, trust_env=False) as client:
        answer = client.post("/plain")
    assert decoded(answer.content)[-1] == (None, "[DONE]")
    assert soon(lambda: app.source.closed)


class Watched:
    """A source that counts how often it was closed."""

    def __init__(self) -> None:
        self.closed = 0

    def __iter__(self) -> Iterator[Any]:
        return iter([{"choices": [{"index": 0, "delta": {"content": "Hi."}}]}])

    def close(self) -> None:
        self.closed += 1


class AsyncWatched:
    def __init__(self) -> None:
        self.closed = 0

    async def __aiter__(self) -> AsyncIterator[Any]:
        yield {"choices": [{"index": 0, "delta": {"content": "Hi."}}]}

    async def aclose(self) -> None:
        self.closed += 1


def passed_twice(source: Any) -> Any:
    inner: Callable[..., Any] = il.restream
    outer: Callable[..., Any] = il.sse
    return outer(inner(source, source="openai_chat", target="anthropic", on_loss="ignore"), "anthropic")


PASSING: dict[str, Callable[[Any], Any]] = {
    "sse": partial(il.sse, target="openai_chat"),
    "restream": partial(il.restream, source="openai_chat", target="anthropic", on_loss="ignore"),
    "both": passed_twice,
}


@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize("name", PASSING)
def test_closing_before_the_first_item_closes_the_source(name: str, *, begun: bool) -> None:
    source = Watched()
    passed = PASSING[name](source)
    if begun:
        next(passed)
    assert source.closed == 0
    passed.close()
    assert source.closed > 0
    assert list(passed) == []


@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize("name", PASSING)
def test_closing_an_async_one_before_the_first_item_closes_the_source(name: str, *, begun: bool) -> None:
    async def closed_after() -> int:
        source = AsyncWatched()
        passed = PASSING[name](source)
        if begun:
            await anext(passed)
        assert source.closed == 0
        await passed.aclose()
        assert [piece async for piece in passed] == []
        return source.closed

    assert asyncio.run(closed_after()) > 0


def test_what_is_thrown_in_before_the_first_item_closes_the_source() -> None:
    source = Watched()
    passed: Any = il.sse(source, "openai_chat")
    assert isinstance(passed, Generator)
    with pytest.raises(KeyError):
        passed.throw(KeyError("x"))
    assert source.closed > 0

    async def closed_after() -> int:
        other = AsyncWatched()
        thrown: Any = il.sse(other, "openai_chat")
        assert isinstance(thrown, AsyncGenerator)
        with pytest.raises(KeyError):
            await thrown.athrow(KeyError("x"))
        return other.closed

    assert asyncio.run(closed_after()) > 0
