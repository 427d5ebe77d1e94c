"""The clients of Responses, Gemini, Bedrock and Anthropic's other hosts, over HTTP on the loopback.

What a dump gives is taken by the client and arrives as the body and the path that a conversion says; what the server answers
is read by the client, and its objects by us. Chat's and Anthropic's own are in `test_live_clients.py`.
"""

import asyncio
import base64
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import interlingua as il
from clients.official import PROVIDERS, Client, Payload, Provider, Replay, json_answer, stream_answer
from clients.streaming_app import Door
from clients.test_live_clients import CALLING
from conversion.test_responses import answered
from formats.cases import Case, cases
from interlingua.testing.lawbook import documents
from interlingua.testing.splitting import split
from laws.families import main_of

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

PIXEL = base64.b64encode(
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
    b"\x00\x00\x00\rIDATx\x9cc\xf8\xff\xff?\x00\x05\xfe\x02\xfe\xa75\x81\x84\x00\x00\x00\x00IEND\xaeB`\x82"
).decode()
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": False}
ASKED: dict[str, il.Request] = {
    "a word": il.Request(
        model="m-1.0", max_tokens=99, messages=[il.SystemMessage(content="Be brief."), il.UserMessage(content="Grüezi 🙂")]
    ),
    "tools in parallel": il.Request(
        model="m-1.0",
        max_tokens=99,
        tools=[
            il.Tool(name="weather", description="The weather in a city.", parameters=CITY),
            il.Tool(name="time", description="The time.", parameters={"type": "object", "properties": {}}),
        ],
        tool_choice=il.ToolChoice(type="auto"),
        messages=[
            il.UserMessage(content="Weather and time in Zürich?"),
            il.AssistantMessage(
                content="Let me see.",
                tool_calls=[
                    il.ToolCall(id="call_a", name="weather", arguments='{"city":"Zürich"}'),
                    il.ToolCall(id="call_b", name="time", arguments="{}"),
                ],
            ),
            il.ToolMessage(tool_call_id="call_a", content="Sunny."),
            il.ToolMessage(tool_call_id="call_b", content="Noon."),
        ],
    ),
    "an image": il.Request(
        model="m-1.0",
        max_tokens=99,
        messages=[
            il.UserMessage(
                content=[
                    il.TextPart(text="What is it?"),
                    il.ImagePart(source=il.Base64Source(media_type="image/png", data=PIXEL)),
                ]
            )
        ],
    ),
    "structured output": il.Request(
        model="m-1.0",
        max_tokens=99,
        response_format=il.ResponseFormat(type="json_schema", name="city", json_schema=CITY, strict=True),
        messages=[il.UserMessage(content="Where?")],
    ),
}
ANSWERS = [
    il.load_response(case.read("response"), "openai_chat")
    for case in (Case("openai_chat", "answer_text"), CALLING["openai_chat"])
]
ERROR = il.ProviderError("slow down", type="rate_limit_error", status=429)
VERSION = "anthropic_version"


@pytest.fixture
def server(door: Door) -> tuple[Replay, str]:
    door.app = app = Replay()
    return app, door.url


def arrived(provider: Provider, request: il.Request, app: Replay, *, stream: bool) -> None:
    """Judge the last request that the server was sent: it is the dump to the body's format, at its endpoint."""
    path, body = app.requests.pop()
    sent = request.replace(stream=stream or None)
    endpoint = il.endpoint(sent, il.format_of(provider.wire))
    expected = il.dump(sent, il.format_of(provider.wire), on_loss="ignore")
    assert path.replace("%3A", ":") == provider.base + (endpoint.path or "")
    for each in (body, expected):
        each.pop(VERSION, None)  # for which each client has its own
    assert (as_documented(body) if provider.wire == "gemini" else body) == expected


STAND_IN = "skip_thought_signature_validator"
"""What stands for the signature of another provider's call, which is no base64."""


def as_documented(value: Any) -> Any:
    """A body that google-genai sends, in the spelling of the API's documents.

    The client writes some fields in snake case, and bytes in the alphabet of base64 that is meant for URLs; the API takes both.
    """
    if documents.is_array(value):
        return [as_documented(item) for item in value]
    if not documents.is_object(value):
        return value
    named = {re.sub("_([a-z])", lambda found: found[1].upper(), key): as_documented(item) for key, item in value.items()}
    for key in named.keys() & {"data", "thoughtSignature"}:
        if named[key] != STAND_IN:
            named[key] = named[key].translate(str.maketrans("-_", "+/"))
    return named


def keywords(provider: Provider, request: il.Request) -> dict[str, Any]:
    return il.dump(request, il.format_of(provider.keywords), on_loss="ignore")


def same(response: il.Response, expected: il.Response) -> None:
    assert response.message.text == expected.message.text
    assert [(use.name, use.parsed) for use in response.message.tool_uses] == [
        (use.name, use.parsed) for use in expected.message.tool_uses
    ]
    assert response.usage is not None
    assert expected.usage is not None
    assert response.usage.total_tokens == expected.usage.total_tokens


def converse(
    provider: Provider, asked: il.Request, ask: Callable[[Payload], Any], stream: Callable[[Payload], Any], app: Replay
) -> None:
    """Ask, be answered whole and in a stream, and send the answer back with what follows it."""
    format = il.format_of(provider.wire)
    for answer in ANSWERS:
        body = il.dump_response(answer, format, on_loss="ignore")
        app.answers.append(json_answer(body))
        response = il.load_response(ask(keywords(provider, asked)), format)
        arrived(provider, asked, app, stream=False)
        same(response, answer)
        whole = il.load_response(body, format)
        beside: dict[str, Any] = {
            "provider_data": None,
            "created": None,
            "usage": None,
        }  # what a client notes of its HTTP, and times that it makes floats
        assert counts(response) == counts(whole)
        assert response.replace(**beside) == whole.replace(**beside)
        assert reported(response) == reported(whole)
        app.answers.append(stream_answer(streamed(answer, format), provider.wire))
        reader = il.reader(format)
        list(reader.read(stream(keywords(provider, asked))))
        arrived(provider, asked, app, stream=True)
        same(reader.response, answer)
        for said in (response.message, reader.response.message):
            followed = answered(said)
            assert followed is not None
            following = asked.replace(messages=(*asked.messages, said, *followed))
            app.answers.append(json_answer(body))
            ask(keywords(provider, following))
            arrived(provider, following, app, stream=False)


_NOTED = {"initial_input_tokens"}
"""Counts that google-genai adds to those of an interaction."""


def counts(response: il.Response) -> dict[str, Any]:
    """The usage, without what a client notes of its own."""
    assert response.usage is not None
    usage = response.usage.to_dict()
    for native in usage["native"].values():
        for key in _NOTED & native.keys():
            del native[key]
    return usage


def reported(response: il.Response) -> list[il.Loss]:
    """What is lost of a response at another provider; a client's notes on its HTTP are none that count."""
    losses: list[il.Loss] = []
    il.dump_response(response, "openai_chat", on_loss=losses.append)
    return [loss for loss in losses if loss.kind != "response_only"]


def streamed(answer: il.Response, format: il.Format) -> Iterator[Any]:
    """The chunks of a stream that says what the answer does."""
    chat = il.dump_response(answer, "openai_chat")
    return iter(il.restream(split(chat, "openai_chat", Random(1)), source="openai_chat", target=format))


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("name", PROVIDERS)
def test_the_client(name: str, asked: str, server: tuple[Replay, str]) -> None:
    app, url = server
    provider = PROVIDERS[name]
    client = provider.client(url)
    converse(provider, ASKED[asked], client.ask, client.stream, app)
    client.shut()


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("name", [name for name, provider in PROVIDERS.items() if provider.asynchronous is not None])
def test_the_async_client(name: str, asked: str, server: tuple[Replay, str]) -> None:
    app, url = server
    provider = PROVIDERS[name]
    assert provider.asynchronous is not None
    client = provider.asynchronous(url)
    with asyncio.Runner() as loop:

        async def all_of(chunks: Any) -> list[Any]:
            return [chunk async for chunk in await chunks]

        converse(
            provider,
            ASKED[asked],
            lambda payload: loop.run(client.ask(payload)),
            lambda payload: loop.run(all_of(client.stream(payload))),
            app,
        )
        loop.run(client.shut())


@pytest.mark.parametrize("name", PROVIDERS)
def test_the_client_gives_what_each_case_says(name: str, server: tuple[Replay, str]) -> None:
    """The response, and the stream of it, through the provider's client: its objects are read as the JSON is."""
    app, url = server
    provider = PROVIDERS[name]
    client = provider.client(url)
    read = [case for case in cases("stream") if case.format == main_of(provider.wire) and not case.has("faults")]
    assert read
    for case in read:
        gives(provider, client, app, case)
    client.shut()


def gives(provider: Provider, client: Client, app: Replay, case: Case) -> None:
    """Judge what the client gives of a case's response and of its stream."""
    format = il.format_of(provider.wire)
    expected = il.load_response(case.read("response"), format)
    app.answers += [json_answer(case.read("response")), stream_answer(case.read("stream"), provider.wire)]
    of_client = il.format_of(provider.keywords)
    response = il.load_response(client.ask(keywords(provider, ASKED["a word"])), of_client)
    reader = il.reader(of_client)
    list(reader.read(client.stream(keywords(provider, ASKED["a word"]))))
    for read in (response, reader.response):
        assert [part.to_dict() for part in read.message.parts] == [part.to_dict() for part in expected.message.parts]
        assert (read.stop_reason, read.native_stop_reason) == (expected.stop_reason, expected.native_stop_reason)
        assert (read.usage is None) == (expected.usage is None)
        if read.usage is not None and expected.usage is not None:
            assert read.usage.total_tokens == expected.usage.total_tokens


@pytest.mark.parametrize("name", PROVIDERS)
def test_an_error_is_the_clients_and_ours(name: str, server: tuple[Replay, str]) -> None:
    app, url = server
    provider = PROVIDERS[name]
    client, format = provider.client(url), il.format_of(provider.wire)
    sent = il.dump_error(ERROR, format)
    app.answers.append(json_answer(sent, ERROR.status or 0))
    with pytest.raises(client.error, match="slow down") as caught:
        client.ask(keywords(provider, ASKED["a word"]))
    client.shut()
    status, body = client.said(caught.value)
    with pytest.raises(il.ProviderError) as raised:
        il.load_response(body, format, status=status)
    assert (raised.value.message, raised.value.status) == (ERROR.message, ERROR.status)
    with pytest.raises(il.ProviderError) as expected:
        il.load_response(sent, format, status=ERROR.status)
    assert (raised.value.type, raised.value.code) == (expected.value.type, expected.value.code)
