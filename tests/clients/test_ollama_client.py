"""Ollama's official client, over HTTP on the loopback: it takes what a dump gives, and reads what a server would answer.

The client's types drop the ids of calls and results, and what is empty. So it sends what is left of a dump.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

import ollama
import pytest

import interlingua as il
from clients.official import Answer, Replay, json_answer
from clients.streaming_app import Door
from clients.test_official_clients import ANSWERS, ASKED, ERROR
from conversion.test_responses import answered
from interlingua.testing.splitting import split

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


@pytest.fixture
def server(door: Door) -> Iterator[tuple[Replay, Any]]:
    """A server, and a client of it, whose overloads have no place for a `stream` that is either."""
    door.app = app = Replay()
    client: Any = ollama.Client(door.url, trust_env=False)
    yield app, client
    client.close()


def kept(body: dict[str, Any]) -> dict[str, Any]:
    """What the client sends of a body: its messages without ids and empty fields, its tools with the keywords that it knows."""
    messages: list[dict[str, Any]] = []
    for message in body["messages"]:
        left = {key: value for key, value in message.items() if value and key != "tool_call_id"}
        if "tool_calls" in left:
            left["tool_calls"] = [{"function": call["function"]} for call in left["tool_calls"]]
        messages.append(left)
    tools = [
        tool | {"function": tool["function"] | {"parameters": _known(tool["function"]["parameters"])}}
        for tool in body.get("tools", ())
    ]
    return body | {"messages": messages, "tools": tools}


def _known(schema: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key in ("type", "properties", "required")}


def streamed(answer: il.Response) -> Answer:
    chat = split(il.dump_response(answer, "openai_chat"), "openai_chat", Random(1))
    lines = il.restream(iter(chat), source="openai_chat", target="ollama")
    return Answer(list(il.sse(lines, "ollama")), "application/x-ndjson")


def said(response: il.Response) -> tuple[Any, ...]:
    calls = [(use.name, use.parsed) for use in response.message.tool_uses]
    return response.message.text, calls, response.usage and response.usage.total_tokens


@pytest.mark.parametrize("asked", ASKED)
def test_the_client_is_asked_and_answered(asked: str, server: tuple[Replay, Any]) -> None:
    app, client = server
    request = ASKED[asked]
    for answer in ANSWERS:
        app.answers += [json_answer(il.dump_response(answer, "ollama")), streamed(answer)]
        payload: Any = il.dump(request, "ollama")
        whole = il.load_response(client.chat(**payload), "ollama")
        reader = il.reader("ollama")
        list(reader.read(client.chat(**payload | {"stream": True})))
        assert app.requests == [("/api/chat", kept(payload)), ("/api/chat", kept(payload | {"stream": True}))]
        app.requests.clear()
        for response in (whole, reader.response):
            assert said(response) == said(answer)
            app.answers.append(json_answer(il.dump_response(answer, "ollama")))
            following = request.replace(messages=(*request.messages, response.message, *(answered(response.message) or ())))
            sent: Any = il.dump(following, "ollama")
            client.chat(**sent)
            assert app.requests.pop()[1] == kept(sent)


def test_a_prompt_is_answered(server: tuple[Replay, Any]) -> None:
    app, client = server
    prompt = {"model": "m", "prompt": "Hi.", "stream": False}
    answer = {"model": "m", "created_at": "2026-08-07T06:08:14Z", "response": "Hello.", "done": True, "done_reason": "stop"}
    response = il.load_response(answer, "ollama_generate")
    lines = il.restream(iter(split(answer, "ollama_generate", Random(1))), source="ollama_generate", target="ollama_generate")
    app.answers += [json_answer(answer), Answer(list(il.sse(lines, "ollama_generate")), "application/x-ndjson")]
    request: Any = il.dump(il.load(prompt, "ollama_generate"), "ollama_generate")
    assert il.load_response(client.generate(**request), "ollama_generate") == response
    reader = il.reader("ollama_generate")
    list(reader.read(client.generate(**request | {"stream": True})))
    assert reader.response == response
    assert app.requests == [("/api/generate", prompt), ("/api/generate", prompt | {"stream": True})]


def test_an_error_is_the_clients_and_ours(server: tuple[Replay, Any]) -> None:
    app, client = server
    app.answers.append(json_answer(il.dump_error(ERROR, "ollama"), ERROR.status or 0))
    with pytest.raises(ollama.ResponseError, match="slow down") as caught:
        client.chat(**il.dump(ASKED["a word"], "ollama"))
    with pytest.raises(il.ProviderError, match="slow down") as raised:
        il.load_response({"error": caught.value.error}, "ollama", status=caught.value.status_code)
    assert raised.value.status == ERROR.status
    app.answers.append(Answer([b'{"error":"slow down"}\n'], "application/x-ndjson"))
    with pytest.raises(ollama.ResponseError, match="slow down"):
        list(client.chat("m", [], stream=True))
