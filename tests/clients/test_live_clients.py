"""The official clients, over HTTP on the loopback: what they give goes in, and what we dump is their next request."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any, NamedTuple

import anthropic
import openai
import pytest

import interlingua as il
from clients.streaming_app import Door, Provider
from conversion.test_responses import answered
from formats.cases import Case, cases
from interlingua.testing.lawbook import share
from laws import sse

HUBS = ("openai_chat", "anthropic")
CASES = [case for case in cases("stream") if case.format in HUBS and not case.has("faults")]
"""What the clients' own types take."""
CALLING: dict[il.FormatName, Case] = {
    "openai_chat": Case("openai_chat", "answer_text_and_calls"),
    "anthropic": Case("anthropic", "answer_turn"),
}


class Exchange(NamedTuple):
    """One turn with a client: the chunks' events with their fold, or a whole response."""

    stream: Callable[[dict[str, Any]], Awaitable[tuple[list[il.Event], il.Reader]]]
    ask: Callable[[dict[str, Any]], Awaitable[il.Response]]
    raw: Callable[[dict[str, Any]], Awaitable[il.Reader]]
    """The same, from the bytes of the body."""


def opened(format: il.FormatName, url: str) -> tuple[Any, Any]:
    """A synchronous client, and its method that asks."""
    if format == "openai_chat":
        client: Any = openai.OpenAI(
            base_url=url + "/v1", api_key="none", max_retries=0, http_client=openai.DefaultHttpxClient(trust_env=False)
        )
        return client, client.chat.completions
    client = anthropic.Anthropic(
        base_url=url, api_key="none", max_retries=0, http_client=anthropic.DefaultHttpxClient(trust_env=False)
    )
    return client, client.messages


def _asynchronous(format: il.FormatName, url: str) -> tuple[Any, Any]:
    if format == "openai_chat":
        client: Any = openai.AsyncOpenAI(
            base_url=url + "/v1", api_key="none", max_retries=0, http_client=openai.DefaultAsyncHttpxClient(trust_env=False)
        )
        return client, client.chat.completions
    client = anthropic.AsyncAnthropic(
        base_url=url, api_key="none", max_retries=0, http_client=anthropic.DefaultAsyncHttpxClient(trust_env=False)
    )
    return client, client.messages


def _plainly(format: il.FormatName, endpoint: Any) -> Exchange:
    async def stream(payload: dict[str, Any]) -> tuple[list[il.Event], il.Reader]:
        reader = il.reader(format)
        with endpoint.create(**payload, stream=True) as chunks:
            return list(reader.read(chunks)), reader

    async def ask(payload: dict[str, Any]) -> il.Response:
        return il.load_response(endpoint.create(**payload), format)

    async def raw(payload: dict[str, Any]) -> il.Reader:
        reader = il.reader(format)
        with endpoint.with_streaming_response.create(**payload, stream=True) as response:
            for piece in response.iter_bytes():
                reader.feed_bytes(piece)
        reader.close()
        return reader

    return Exchange(stream, ask, raw)


def _async(format: il.FormatName, endpoint: Any) -> Exchange:
    async def stream(payload: dict[str, Any]) -> tuple[list[il.Event], il.Reader]:
        reader = il.reader(format)
        async with await endpoint.create(**payload, stream=True) as chunks:
            return [event async for event in reader.aread(chunks)], reader

    async def ask(payload: dict[str, Any]) -> il.Response:
        return il.load_response(await endpoint.create(**payload), format)

    async def raw(payload: dict[str, Any]) -> il.Reader:
        reader = il.reader(format)
        async with endpoint.with_streaming_response.create(**payload, stream=True) as response:
            async for piece in response.iter_bytes():
                reader.feed_bytes(piece)
        reader.close()
        return reader

    return Exchange(stream, ask, raw)


async def converse(case: Case, provider: Provider, exchange: Exchange) -> None:
    """Ask for a stream, send its message back with what follows it, be given a whole response, and send that back too."""
    format, random = case.format, Random(str(case))
    body, chunks = case.read("response"), case.read("stream")
    whole = il.load_response(body, format)
    sent = sse.cuts(sse.body_of([*(chunk for chunk in chunks if chunk != "[DONE]"), *_done(format)], random), random)
    asked = {"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": "Hi."}]}

    provider.answers += [sent, sent]
    events, reader = await exchange.stream(asked)
    assert reader.complete
    assert reader.response == il.accumulate(events) == whole
    assert (await exchange.raw(asked)).response == whole

    request, losses = il.load(asked, format), list[il.Loss]()
    il.dump([*request.messages, whole.message], format, on_loss=losses.append)
    if not share.judged(all(loss.kind == "response_only" for loss in losses), least=0.8):
        provider.requests.clear()  # nothing that it says could be sent
        return
    for response in (reader.response, whole):
        followed = answered(response.message)
        assert followed is not None
        request = request.replace(messages=(*request.messages, response.message, *followed))
        provider.answers.append(body)
        assert await exchange.ask(il.dump(request, format, on_loss="raise")) == whole
        # And as messages alone.
        provider.answers.append(body)
        again = il.dump([*request.messages], format, on_loss="raise")
        assert await exchange.ask({"model": "m", "max_tokens": 99} | again) == whole
    assert provider.faults == []
    assert len(provider.requests) == 6
    provider.requests.clear()


def _done(format: il.FormatName) -> list[str]:
    return ["[DONE]"] if format == "openai_chat" else []


@pytest.fixture
def provider(door: Door) -> tuple[Provider, str]:
    door.app = app = Provider()
    return app, door.url


@pytest.mark.parametrize("format", HUBS)
def test_the_official_client(format: il.FormatName, provider: tuple[Provider, str]) -> None:
    app, url = provider
    client, endpoint = opened(format, url)
    with client:
        for case in CASES:
            if case.format == format:
                asyncio.run(converse(case, app, _plainly(format, endpoint)))


@pytest.mark.parametrize("case", CALLING.values(), ids=str)
def test_the_official_async_client(case: Case, provider: tuple[Provider, str]) -> None:
    app, url = provider

    async def talk() -> None:
        client, endpoint = _asynchronous(case.format, url)
        async with client:
            await converse(case, app, _async(case.format, endpoint))

    asyncio.run(talk())


async def _streamed(exchange: Exchange, asked: dict[str, Any]) -> tuple[list[il.Event], il.Reader]:
    return await exchange.stream(asked)


@pytest.mark.parametrize("target", HUBS)
def test_a_stream_converted_live_is_read_by_the_other_client(target: il.FormatName, provider: tuple[Provider, str]) -> None:
    app, url = provider
    source: il.FormatName = "anthropic" if target == "openai_chat" else "openai_chat"
    random = Random(1)
    reader, writer = il.reader(source), il.writer(target)
    chunks: list[Any] = []
    for event in reader.read(CALLING[source].read("stream")):
        chunks += writer.feed(event)
    app.answers.append(sse.cuts(sse.body_of([*chunks, *_done(target)], random), random))
    client, endpoint = opened(target, url)
    with client:
        asked = {"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": "Hi."}]}
        _, again = asyncio.run(_streamed(_plainly(target, endpoint), asked))
    expected = [(use.id, use.name, use.parsed) for use in reader.response.message.tool_uses]
    assert [(use.id, use.name, use.parsed) for use in again.response.message.tool_uses] == expected
    assert again.response.message.text == reader.response.message.text


@pytest.mark.parametrize("format", HUBS)
def test_a_request_is_sent_with_other_settings_than_its_own(format: il.FormatName, provider: tuple[Provider, str]) -> None:
    app, url = provider
    tool = il.Tool(name="f", parameters={"type": "object"})
    said: list[il.MessageBase] = [il.SystemMessage(content="Be brief."), il.UserMessage(content="Hi.")]
    request = il.Request(messages=said, tools=[tool], model="own", max_tokens=5, top_k=3, stop=["x"], stream=False, user="u")
    random = Random(1)
    app.answers.append(sse.cuts(sse.body_of(CALLING[format].read("stream"), random), random))
    client, endpoint = opened(format, url)
    with client:
        payload = il.dump(request, format, on_loss="raise", settings=False)
        events = endpoint.create(model="m", max_tokens=99, stream=True, **payload)
        list(il.reader(format).read(events))
    [sent] = app.requests
    own = {"model": "m", "max_tokens": 99, "stream": True}
    assert sent == {**own, **payload}
    assert payload.keys() == {"messages", "tools", *(["system"] if format == "anthropic" else [])}
    assert app.faults == []


def test_the_provider_refuses_what_the_sdks_types_refuse(provider: tuple[Provider, str]) -> None:
    app, url = provider
    client, endpoint = opened("openai_chat", url)
    with client, pytest.raises(openai.UnprocessableEntityError):
        endpoint.create(model="m", messages=[{"role": "assistant", "content": "Hi.", "annotations": []}])
    client, endpoint = opened("anthropic", url)
    with client, pytest.raises(anthropic.UnprocessableEntityError):
        endpoint.create(
            model="m", max_tokens=9, messages=[{"role": "user", "content": [{"type": "text", "text": "x", "y": 1}]}]
        )
    assert len(app.faults) == 2
