"""The chunks of streams: of other types, as bytes, and broken."""

import asyncio
import contextlib
import copy
import functools
import json
import operator
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import event, given, strategies as st
from pydantic import BaseModel

import interlingua as il
from conversion.test_responses import read_as
from interlingua import testing
from interlingua.codec.strategies.cutting import Hosts
from interlingua.model.base import Json
from interlingua.testing.lawbook import documents, share
from interlingua.testing.lawbook.drawn import WRONG, places, spoil
from interlingua.testing.splitting import split, streamable
from laws import over, recorded, sse
from laws.streaming import RANDOMS, SDK, SHAPED, as_dicts, as_sent, judged, read, sdk_object, streamed, with_usage

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


# Chunks in other shapes


@over.formats(SHAPED)
@given(data=st.data())
def test_a_body_of_bytes_cut_anywhere_gives_the_same_events(format: il.FormatName, data: st.DataObject) -> None:
    _, chunks = data.draw(streamed(format))
    random = data.draw(RANDOMS)
    body = sse.body_of(chunks, random, ends=random.random() < 0.8)
    reader = il.reader(format)
    events = [event for piece in sse.cuts(body, random) for event in reader.feed_bytes(piece)]
    events += reader.close()
    other, expected = read(chunks, format)
    assert as_dicts(events) == as_dicts(expected)
    assert (reader.response, reader.complete) == (other.response, other.complete)


@over.formats(SHAPED)
@given(data=st.data())
def test_chunks_as_text_give_the_same_events(format: il.FormatName, data: st.DataObject) -> None:
    _, chunks = data.draw(streamed(format))
    texts = [chunk if isinstance(chunk, str) else json.dumps(chunk) for chunk in chunks]
    assert as_dicts(read(texts, format)[1]) == as_dicts(read(chunks, format)[1])


@over.formats(SHAPED)
@given(data=st.data())
def test_chunks_from_an_async_iterator_give_the_same_events(format: il.FormatName, data: st.DataObject) -> None:
    _, chunks = data.draw(streamed(format))

    async def arriving() -> AsyncIterator[Any]:
        for chunk in chunks:
            await asyncio.sleep(0)
            yield chunk

    async def reading() -> list[il.Event]:
        return [event async for event in il.reader(format).aread(arriving())]

    assert as_dicts(asyncio.run(reading())) == as_dicts(read(chunks, format)[1])


FIRST, SECOND = "\ue000", "\ue001"
"""What stands for the halves of a character while a response is cut into chunks: each is a character that can be cut off."""


def in_halves(text: str) -> str:
    """Text in which each stand-in is a half; two in a row are the character that they make."""
    return text.replace(FIRST + SECOND, "🙂").replace(FIRST, "\ud83d").replace(SECOND, "\ude42")


def mapped(value: Json, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: mapped(item, change) for key, item in value.items()}
    return [mapped(item, change) for item in value] if isinstance(value, list) else value


def has_lone_half(value: Any) -> bool:
    return '\\ud83d"' in json.dumps(value) or '"\\ude42' in json.dumps(value)


@over.formats(SHAPED)
@given(data=st.data())
def test_a_character_that_is_cut_between_two_deltas_arrives_whole(format: il.FormatName, data: st.DataObject) -> None:
    drawn = streamable(data.draw(testing.responses(format, odd=False)), format)
    assert drawn is not None
    seen = {"text", "content", "thinking", "reasoning_content", "refusal", "arguments", "partial_json"}
    body = with_characters(drawn, seen)
    random = data.draw(RANDOMS)
    tried = [as_cut(body, format, random) for _ in range(20)]
    cut, whole = next((pair for pair in tried if has_lone_half(pair[0])), tried[0])
    event(f"cut: {has_lone_half(cut)}")
    expected = read(whole, format)[0].response
    reader, events = read(cut, format)
    assert reader.response.to_dict() == expected.to_dict()
    assert il.accumulate(events).to_dict() == expected.to_dict()
    as_text, _ = read([json.dumps(chunk) for chunk in cut], format)
    assert as_text.response.to_dict() == expected.to_dict()
    json.dumps(list(il.restream(cut, source=format, target=format, on_loss="ignore")), ensure_ascii=False).encode()


def as_cut(body: dict[str, Any], format: il.FormatName, random: Random) -> tuple[list[Any], list[Any]]:
    """The chunks of a stream with characters that are cut, and the same ones with whole characters."""
    chunks = [chunk for chunk in split(body, format, random) if not isinstance(chunk, str)]
    whole = [mapped(chunk, lambda text: text.replace(FIRST, "🙂").replace(SECOND, "")) for chunk in chunks]
    return [mapped(chunk, in_halves) for chunk in chunks], whole


HALVES: dict[il.FormatName, tuple[dict[str, Any], dict[str, Any]]] = {
    "openai_chat": (
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "a\ud83d"}}]},
        {"choices": [{"index": 0, "delta": {"content": "b"}}]},
    ),
    "anthropic": (
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "a\ud83d"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "b"}},
    ),
    "gemini": (
        {"candidates": [{"content": {"role": "model", "parts": [{"text": "a\ud83d"}]}}]},
        {"candidates": [{"content": {"role": "model", "parts": [{"text": "b"}]}}]},
    ),
    "bedrock_converse": (
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "a\ud83d"}}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "b"}}},
    ),
}


@pytest.mark.parametrize("format", HALVES)
def test_half_a_character_that_stays_alone_is_a_stream_error(format: il.FormatName) -> None:
    first, other = HALVES[format]
    followed = il.reader(format)
    followed.feed(first)
    with pytest.raises(il.StreamError):
        followed.feed(other)
    ended = il.reader(format)
    ended.feed(first)
    assert ended.response.message.text == "a"
    with pytest.raises(il.StreamError, match="half a character"):
        ended.close()
    with pytest.raises(il.StreamError, match="half a character"):
        list(il.restream([first], source=format, target=format))


def choice(delta: dict[str, Any], **index: int) -> dict[str, Any]:
    return {"choices": [{"delta": delta, **index}]}


def called(arguments: str, **more: Any) -> dict[str, Any]:
    return {"tool_calls": [{"function": {"arguments": arguments} | more.pop("function", {}), **more}]}


def candidate(text: str, thought: dict[str, bool], **index: int) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": [{"text": text, **thought}]}, **index}]}


ABSENT: dict[str, tuple[il.FormatName, dict[str, Any], dict[str, Any]]] = {
    "the index of a choice": ("openai_chat", choice({"content": "a\ud83d"}, index=0), choice({"content": "\ude42"})),
    "the index of a call": (
        "openai_chat",
        choice(called('{"a": "\ud83d', id="c", index=0, function={"name": "f"})),
        choice(called('\ude42"}')),
    ),
    "the index of a candidate": ("gemini", candidate("a\ud83d", {}, index=0), candidate("\ude42", {})),
    "the index of the first candidate": ("gemini", candidate("a\ud83d", {}), candidate("\ude42", {}, index=0)),
    "thought": ("gemini", candidate("a\ud83d", {"thought": False}), candidate("\ude42", {})),
    "the index of a block": (
        "anthropic",
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "a\ud83d"}},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "\ude42"}},
    ),
}


@pytest.mark.parametrize("case", ABSENT)
def test_halves_join_where_only_one_says_what_is_usual(case: str) -> None:
    format, first, second = ABSENT[case]
    reader = il.reader(format)
    reader.feed(first)
    reader.feed(second)
    assert "🙂" in str(reader.response.to_dict())


def holding_itself(text: str) -> dict[str, Any]:
    chunk: dict[str, Any] = {"choices": [{"delta": {"content": text}}]}
    chunk["x"] = chunk
    chunk["choices"] += [chunk, chunk]
    return chunk


@pytest.mark.parametrize("text", ["a", "a\ud83d"])
def test_a_chunk_that_holds_itself_is_a_stream_error(text: str) -> None:
    with pytest.raises(il.StreamError):
        il.reader("openai_chat").feed(holding_itself(text))


@pytest.mark.parametrize("text", ["a", "a\ud83d"])
def test_a_chunk_that_is_nested_deeply_is_read_or_refused(text: str) -> None:
    value: Any = text
    for _ in range(100_000):
        value = [value]
    with pytest.raises(il.StreamError):
        il.reader("openai_chat").feed({"choices": [{"delta": {"content": text}}], "x": value})


def with_characters(value: Json, fields: set[str]) -> Any:
    """A response with characters that can be cut at both ends of its texts."""
    if isinstance(value, dict):
        return {
            key: FIRST + SECOND + item + FIRST + SECOND
            if key in fields and isinstance(item, str) and item and not item.startswith(("{", "["))
            else with_characters(item, fields)
            for key, item in value.items()
            if key not in ("groundingMetadata", "citationMetadata")  # whose offsets point into the texts
        }
    return [with_characters(item, fields) for item in value] if isinstance(value, list) else value


def sdk_differs(chunks: list[Any], objects: list[BaseModel], format: il.FormatName) -> str:
    """Where the SDK's objects give something else than their dicts.

    The SDK's types make some whole numbers into floats, and they order the fields of an object.
    """
    one, other = il.reader(format), il.reader(format)
    for chunk, made in zip(chunks, objects, strict=True):
        expected, found = _unordered(one.feed(chunk)), _unordered(other.feed(made))
        if found != expected:
            return f"the events of {chunk!r:.200} are {found!r:.300}, not {expected!r:.300}"
    whole, folded = one.response.to_dict(), other.response.to_dict()
    return "" if folded == whole else documents.difference(whole, folded)


def _unordered(events: list[il.Event]) -> list[str]:
    return sorted(documents.canonical(_rounded(event.to_dict() | {"index": None})) for event in events)


def _rounded(value: Any) -> Any:
    if documents.is_object(value):
        return {key: _rounded(item) for key, item in value.items()}
    if documents.is_array(value):
        return [_rounded(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


@over.formats(SDK)
@given(data=st.data())
def test_an_sdks_objects_give_the_same_events(format: il.FormatName, data: st.DataObject) -> None:
    body = streamable(with_usage(data.draw(testing.responses(format, odd=False)), format), format)
    assert body is not None
    chunks = [chunk for chunk in split(body, format, Random(data.draw(st.integers(0, 99)))) if chunk != "[DONE]"]
    typed = [chunk for chunk in chunks if chunk.get("type") != "ping"]  # which is not among the SDK's types
    assert sdk_differs(typed, [sdk_object(chunk, format) for chunk in typed], format) == ""
    chunks = [chunk for chunk in split(body, format, data.draw(RANDOMS)) if chunk != "[DONE]"]
    assert sdk_differs(chunks, [as_sent(chunk, format) for chunk in chunks], format) == ""


@pytest.mark.traffic
@read_as
def test_recorded_chunks_as_the_sdks_objects_give_the_same_events(traffic: Path, api: str, format: il.FormatName) -> None:
    own: il.FormatName = "anthropic" if format == "anthropic" else "openai_chat"

    def judge(record: recorded.Record) -> list[str]:
        chunks = [chunk for chunk in record.body if documents.is_object(chunk) and ("choices" in chunk or own == "anthropic")]
        differs = sdk_differs(chunks, [as_sent(chunk, own) for chunk in chunks], format)
        return [differs] if differs else []

    judged(recorded.streams(traffic, api), judge)


# Broken streams


def survives(chunks: list[Any], format: il.FormatName, look_at: int | None = None) -> None:
    """Read to the end whatever comes: a chunk is taken, or refused with our error, and the response stays one.

    It is looked at after each chunk, or after one and at the end.
    """
    reader = il.reader(format)
    reasons: list[str] = []
    for place, chunk in enumerate(chunks):
        try:
            for event in reader.feed(chunk):
                event.to_dict()
        except il.StreamError as error:
            reasons.append(str(error))
        if look_at is None or place in (look_at, len(chunks) - 1):
            with contextlib.suppress(il.StreamError):
                json.dumps(reader.response.to_dict())
    share.judged(len(reasons) < len(chunks) / 2, least=0.15)
    assert all(reason and "\n" not in reason for reason in reasons)


@over.formats(SHAPED)
@given(data=st.data())
def test_a_chunk_with_one_thing_wrong_raises_nothing_else(format: il.FormatName, data: st.DataObject) -> None:
    _, chunks = data.draw(streamed(format))
    number = data.draw(st.sampled_from([at for at, chunk in enumerate(chunks) if isinstance(chunk, dict)]))
    place = data.draw(st.sampled_from(list(places(chunks[number]))))
    survives(
        [*chunks[:number], spoil(copy.deepcopy(chunks[number]), place, data.draw(st.sampled_from(WRONG))), *chunks[number:]],
        format,
    )


@pytest.mark.parametrize("format", ["openai_chat", "anthropic"])
def test_a_stream_with_one_thing_wrong_anywhere_raises_nothing_else(format: il.FormatName) -> None:
    judged: set[Any] = set()
    for chunks in FULL[format](Hosts(0)):
        for number, chunk in enumerate(chunks):
            for place in places(chunk):
                found: Any = functools.reduce(operator.getitem, place, chunk)
                kind: type[object] = found.__class__
                if (place, kind) in judged:
                    continue  # one of a kind
                judged.add((place, kind))
                for wrong in WRONG:
                    wronged = spoil(copy.deepcopy(chunk), place, wrong)
                    survives([*chunks[:number], wronged, *chunks[number + 1 : number + 4], *chunks[-2:]], format, number)


JSON = testing.json_values(max_leaves=20)


@over.formats(SHAPED)
@given(chunks=st.lists(JSON | st.text(max_size=20), max_size=4), data=st.data())
def test_anything_at_all_raises_nothing_else(format: il.FormatName, chunks: list[Any], data: st.DataObject) -> None:
    _, sound = data.draw(streamed(format))
    survives([*chunks, *sound[:2], *chunks], format)
    survives(["[" * 100_000, '{"a":' * 100_000, "{", "", b"{}", object(), '{"choices": [NaN]}', '{"a": "\\ud800"}'], format)


@over.formats(SDK)
@given(data=st.binary(max_size=60), more=st.data())
def test_any_bytes_raise_nothing_else(format: il.FormatName, data: bytes, more: st.DataObject) -> None:
    reader, random = il.reader(format), more.draw(RANDOMS)
    body = sse.body_of(more.draw(streamed(format))[1], random)
    place = random.randint(0, len(body))
    with contextlib.suppress(il.StreamError):
        for piece in sse.cuts(body[:place] + data + body[place:], random):
            reader.feed_bytes(piece)
        reader.close()
    share.judged(reader.response.choices != (), least=0.55)


def _full_chat(random: Random) -> Iterator[list[Any]]:
    calls = [
        {"id": "call_0", "type": "function", "function": {"name": "f", "arguments": '{"a":"é"}'}},
        {"id": "call_1", "type": "custom", "custom": {"name": "g", "input": "x y"}},
    ]
    details = [
        {"type": "reasoning.text", "text": "hm", "signature": "c2ln", "format": "anthropic-claude-v1", "index": 0},
        {"type": "reasoning.encrypted", "data": "ZGF0YQ==", "format": "openai-responses-v1", "index": 1},
    ]
    logprobs = {"content": [{"token": "x", "logprob": -0.5, "bytes": [1], "top_logprobs": []}], "refusal": None}
    message = {
        "role": "assistant",
        "content": "Hi.",
        "refusal": None,
        "annotations": [{"type": "url_citation"}],
        "tool_calls": calls,
    }
    audio = {"id": "a", "data": "ZGF0YQ==", "transcript": "Hi", "expires_at": 9}
    legacy = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
    listed = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}], "closed": True},
        {"type": "text", "text": "Hi"},
    ]
    usage = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5, "prompt_tokens_details": {"cached_tokens": 1}}
    for each in (
        message | {"reasoning": "hm", "reasoning_details": details},
        message | {"audio": audio, "reasoning_content": "hm", "refusal": "No."},
        message | {"content": listed, "thinking_blocks": [{"type": "thinking", "thinking": "hm", "signature": "c2ln"}]},
        legacy,
    ):
        choice = {"index": 0, "message": each, "finish_reason": "stop", "logprobs": logprobs}
        body = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
        yield split(body | {"system_fingerprint": None, "citations": ["x"]}, "openai_chat", random)


def _full_anthropic(random: Random) -> Iterator[list[Any]]:
    content: list[dict[str, Any]] = [
        {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "ZGF0YQ=="},
        {"type": "text", "text": "Hi", "citations": [{"type": "char_location", "cited_text": "x", "document_index": 0}]},
        {"type": "tool_use", "id": "toolu_0", "name": "f", "input": {"a": "é"}, "caller": {"type": "direct"}},
        {"type": "server_tool_use", "id": "srvtoolu_0", "name": "web_search", "input": {"query": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_0", "content": []},
        {"type": "compaction", "content": "x"},
    ]
    usage = {"input_tokens": 3, "output_tokens": 2, "cache_read_input_tokens": 1, "server_tool_use": {"web_search_requests": 1}}
    body: dict[str, Any] = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": content, "usage": usage}
    body |= {"stop_reason": "tool_use", "stop_sequence": None, "stop_details": None, "container": {"id": "c"}}
    yield split(body | {"context_management": {"applied_edits": []}}, "anthropic", random)


FULL = {"openai_chat": _full_chat, "anthropic": _full_anthropic}
