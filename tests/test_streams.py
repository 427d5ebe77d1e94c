"""Streams: however a response is cut, the events make the whole again; and what is written, others read."""

import asyncio
import contextlib
import copy
import functools
import json
import operator
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from anthropic._models import construct_type_unchecked
from anthropic.lib.streaming._messages import accumulate_event
from anthropic.types import RawMessageStreamEvent
from hypothesis import assume, given, strategies as st
from openai._models import construct_type
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk
from pydantic import BaseModel, TypeAdapter

import answers
import interlingua as il
import over
import owners
import recorded
import sse
from interlingua import testing
from interlingua.testing.splitting import Hosts, split, streamable
from test_responses import WRONG, places, read_as, spoil

FORMATS = answers.FORMATS
SDK = ("openai_chat", "anthropic")
SHAPED = ("openai_chat", "openrouter", "anthropic")
"""The formats whose streams differ in more than a profile."""

RANDOMS = st.integers(0, 2**32).map(Hosts)

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


@st.composite
def _streamed(draw: st.DrawFn, format: str, *, odd: bool) -> tuple[dict[str, Any], list[Any]]:
    body = streamable(draw(testing.responses(format, odd=odd)), format)
    assert body is not None
    return body, split(body, format, draw(RANDOMS))


def streamed(format: str, *, odd: bool = True) -> st.SearchStrategy[tuple[dict[str, Any], list[Any]]]:
    """A whole response, and the chunks of a stream of it."""
    return _streamed(format, odd=odd)


def read(chunks: Iterable[Any], format: str) -> tuple[il.Reader, list[il.Event]]:
    reader = il.reader(format)
    return reader, list(reader.read(chunks))


def as_dicts(events: Iterable[il.Event]) -> list[dict[str, Any]]:
    return [event.to_dict() for event in events]


def difference(whole: il.Response, folded: il.Response) -> str:
    return "" if whole == folded else owners.difference(whole.to_dict(), folded.to_dict())


# The fold is the whole


def not_the_whole(body: dict[str, Any], chunks: list[Any], format: str) -> list[str]:
    """Law 6: where the fold of a stream differs from the whole response."""
    before = owners.canonical(chunks)
    whole = il.load_response(body, format)
    reader, events = read(chunks, format)
    faults = [difference(whole, reader.response), difference(whole, il.accumulate(events))]
    if not reader.complete:
        faults.append("not complete")
    if owners.canonical(chunks) != before:
        faults.append("the chunks were changed")
    dumped = il.dump_response(reader.response, format, on_loss="raise")
    if owners.canonical(dumped) != owners.canonical(body):
        faults.append(f"dumped: {owners.difference(body, dumped)}")
    return [fault for fault in faults if fault]


@over.formats(FORMATS)
@given(data=st.data())
def test_however_it_is_cut_the_fold_is_the_whole(format: str, data: st.DataObject) -> None:
    body, chunks = data.draw(streamed(format))
    assert not_the_whole(body, chunks, format) == []


def judged(records: Iterator[recorded.Record], judge: Callable[[recorded.Record], Iterable[str]]) -> None:
    """Fail with all that a judge finds in recorded traffic."""
    count = 0
    faults: list[str] = []
    for record in records:
        count += 1
        try:
            faults += [f"{record.id}: {fault}" for fault in judge(record)]
        except Exception as error:  # noqa: BLE001 - any error is reported together with its record
            faults.append(f"{record.id}: {type(error).__name__}: {str(error)[:300]}")
    assert count
    assert not faults, f"{len(faults)} faults\n" + "\n".join(faults)


@pytest.mark.traffic
@read_as
def test_recorded_responses_cut_into_streams_are_whole_again(traffic: Path, api: str, format: str) -> None:
    def judge(record: recorded.Record) -> Iterator[str]:
        body = streamable(record.body, format)
        for seed in range(10 if body else 0):
            assert body is not None
            chunks = split(body, format, Hosts(seed))
            yield from (f"seed {seed}: {fault}" for fault in not_the_whole(body, chunks, format))

    judged(recorded.responses(traffic, api), judge)


# Before its end


def unfinished(chunks: list[Any], format: str) -> Iterator[str]:
    """What is wrong with the responses of a stream's beginnings: each is one, and is marked incomplete until its end."""
    reader = il.reader(format)
    if reader.complete or reader.response.choices:
        yield "complete before the first chunk"
    begun: set[int] = set()
    stopped: set[int] = set()
    ended = False
    for place, chunk in enumerate(chunks):
        events = reader.feed(copy.deepcopy(chunk))
        for event in events:
            ended = ended or isinstance(event, il.StreamEnd)
            if isinstance(event, il.MessageStart):
                begun.add(event.choice)
            if isinstance(event, il.Stop):
                stopped.add(event.choice)
        response = reader.response
        for number, choice in zip(sorted(begun), response.choices, strict=True):  # the second may be the first to begin
            if (choice.incomplete is None) != (ended or number in stopped):
                yield f"after chunk {place}: choice {number} is {choice.incomplete}"
        if il.Response.model_validate(response.to_dict()) != response:
            yield f"after chunk {place}: the response is not one"
    reader.close()
    alone, _ = read(copy.deepcopy(chunks), format)
    if alone.response != reader.response:
        yield "looking at the response changes it"


@over.formats(SHAPED)
@given(data=st.data())
def test_a_stream_cut_off_anywhere_gives_a_message_marked_incomplete(format: str, data: st.DataObject) -> None:
    body, chunks = data.draw(streamed(format))
    assert list(unfinished(chunks, format)) == []
    if len(body.get("choices", [0])) > 1:
        return  # what has not begun cannot be missed
    last = max(place for place, chunk in enumerate(chunks) if _ends(chunk))
    reader, _ = read(chunks[:last], format)
    assert not reader.complete
    assert not reader.response.choices or any(choice.incomplete for choice in reader.response.choices)


def _ends(chunk: Any) -> bool:
    if not owners.is_object(chunk):
        return False
    choices: list[dict[str, Any]] = chunk.get("choices", [])
    return chunk.get("type") == "message_delta" or any(choice.get("finish_reason") for choice in choices)


@over.formats(SDK)
@given(data=st.data())
def test_partial_arguments_stay_text(format: str, data: st.DataObject) -> None:
    body = streamable(data.draw(testing.responses(format, odd=False)), format)
    assert body is not None
    if "choices" in body:
        del body["choices"][1:]
    assume(answers.answer(body, format).calls)
    chunks = split(body, format, Random(data.draw(st.integers(0, 99))))
    reader = il.reader(format)
    arrived: dict[Any, str] = {}
    for chunk in chunks:
        reader.feed(chunk)
        for key, piece in _argument_pieces(chunk):
            arrived[key] = arrived.get(key, "") + piece
        for use in reader.response.message.tool_uses:
            whole = next(call for call in _calls(body) if call["id"] == use.id)
            assert use.input == whole["input"] or use.input in arrived.values()


def _argument_pieces(chunk: Any) -> Iterator[tuple[Any, str]]:
    """The pieces of arguments in a chunk, and whose they are."""
    if owners.is_object(chunk) and chunk.get("type") == "content_block_start":
        yield chunk["index"], ""
    elif owners.is_object(chunk) and chunk.get("type") == "content_block_delta":
        yield chunk["index"], chunk["delta"].get("partial_json", "")
    choices: list[dict[str, Any]] = chunk.get("choices", []) if owners.is_object(chunk) else []
    for choice in choices:
        if choice["index"] == 0:
            calls: list[dict[str, Any]] = choice["delta"].get("tool_calls") or []
            legacy: dict[str, Any] | None = choice["delta"].get("function_call")
            for call in calls or ([{"index": 0, "function": legacy}] if legacy else []):
                yield call["index"], call["function"].get("arguments", "")


def _calls(body: dict[str, Any]) -> list[dict[str, Any]]:
    """A response's calls, the arguments as they are spelled."""
    if "content" in body:
        return [block for block in body["content"] if block["type"] == "tool_use"]
    message = body["choices"][0]["message"]
    made: list[dict[str, Any]] = message.get("tool_calls") or []
    nested: list[dict[str, Any]] = [{"id": call["id"], **call["function"]} for call in made]
    legacy: dict[str, Any] | None = message.get("function_call")
    calls = [*nested, *([{"id": None, **legacy}] if legacy else [])]
    return [{"id": call["id"], "input": call["arguments"]} for call in calls]


# Chunks in other shapes


@over.formats(SHAPED)
@given(data=st.data())
def test_a_body_of_bytes_cut_anywhere_gives_the_same_events(format: str, data: st.DataObject) -> None:
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
def test_chunks_as_text_give_the_same_events(format: str, data: st.DataObject) -> None:
    _, chunks = data.draw(streamed(format))
    texts = [chunk if isinstance(chunk, str) else json.dumps(chunk) for chunk in chunks]
    assert as_dicts(read(texts, format)[1]) == as_dicts(read(chunks, format)[1])


@over.formats(SHAPED)
@given(data=st.data())
def test_chunks_from_an_async_iterator_give_the_same_events(format: str, data: st.DataObject) -> None:
    _, chunks = data.draw(streamed(format))

    async def arriving() -> AsyncIterator[Any]:
        for chunk in chunks:
            await asyncio.sleep(0)
            yield chunk

    async def reading() -> list[il.Event]:
        return [event async for event in il.reader(format).aread(arriving())]

    assert as_dicts(asyncio.run(reading())) == as_dicts(read(chunks, format)[1])


EVENTS: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)


def sdk_object(chunk: dict[str, Any], format: str) -> BaseModel:
    """The official SDK's object of a chunk; raises pydantic's error where its types do not take it."""
    if format == "openai_chat":
        return ChatCompletionChunk.model_validate(chunk)
    return EVENTS.validate_python(chunk)  # type: ignore[no-any-return]


def as_sent(chunk: dict[str, Any], format: str) -> BaseModel:
    """The object that the official client makes of a chunk, whatever is in it."""
    kind: Any = ChatCompletionChunk if format == "openai_chat" else RawMessageStreamEvent
    construct: Any = construct_type if format == "openai_chat" else construct_type_unchecked
    made: Any = construct(type_=kind, value=copy.deepcopy(chunk))
    return made  # type: ignore[no-any-return]


def sdk_differs(chunks: list[Any], objects: list[BaseModel], format: str) -> str:
    """Where the SDK's objects give something else than their dicts.

    The SDK's types make some whole numbers into floats, and they order the fields of an object.
    """
    one, other = il.reader(format), il.reader(format)
    for chunk, made in zip(chunks, objects, strict=True):
        expected, found = _unordered(one.feed(chunk)), _unordered(other.feed(made))
        if found != expected:
            return f"the events of {chunk!r:.200} are {found!r:.300}, not {expected!r:.300}"
    whole, folded = one.response.to_dict(), other.response.to_dict()
    return "" if folded == whole else owners.difference(whole, folded)


def _unordered(events: list[il.Event]) -> list[str]:
    return sorted(owners.canonical(_rounded(event.to_dict() | {"index": None})) for event in events)


def _rounded(value: Any) -> Any:
    if owners.is_object(value):
        return {key: _rounded(item) for key, item in value.items()}
    if owners.is_array(value):
        return [_rounded(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


@over.formats(SDK)
@given(data=st.data())
def test_an_sdks_objects_give_the_same_events(format: str, data: st.DataObject) -> None:
    body = streamable(with_usage(data.draw(testing.responses(format, odd=False)), format), format)
    assert body is not None
    chunks = [chunk for chunk in split(body, format, Random(data.draw(st.integers(0, 99)))) if chunk != "[DONE]"]
    typed = [chunk for chunk in chunks if chunk.get("type") != "ping"]  # which is not among the SDK's types
    assert sdk_differs(typed, [sdk_object(chunk, format) for chunk in typed], format) == ""
    chunks = [chunk for chunk in split(body, format, data.draw(RANDOMS)) if chunk != "[DONE]"]
    assert sdk_differs(chunks, [as_sent(chunk, format) for chunk in chunks], format) == ""


@pytest.mark.traffic
@read_as
def test_recorded_chunks_as_the_sdks_objects_give_the_same_events(traffic: Path, api: str, format: str) -> None:
    own = "anthropic" if format == "anthropic" else "openai_chat"

    def judge(record: recorded.Record) -> list[str]:
        chunks = [chunk for chunk in record.body if owners.is_object(chunk) and ("choices" in chunk or own == "anthropic")]
        differs = sdk_differs(chunks, [as_sent(chunk, own) for chunk in chunks], format)
        return [differs] if differs else []

    judged(recorded.streams(traffic, api), judge)


# Recorded streams


class Accumulated:
    """What a recorded stream says, added up without a look at how it is read."""

    def __init__(self) -> None:
        self.text: dict[int, str] = {}
        self.refusal: dict[int, str] = {}
        self.thinking: dict[int, str] = {}
        self.signatures: list[str] = []
        self.arguments: dict[Any, str] = {}
        self.names: dict[Any, str] = {}
        self.whole: list[str] = []
        """Texts of messages that came whole in a chunk."""

    def add(self, chunk: dict[str, Any]) -> None:
        choices: list[dict[str, Any]] = chunk.get("choices") or []
        for choice in choices:
            self._delta(choice.get("index") or 0, choice.get("delta") or {})
        kind = chunk.get("type")
        if kind == "content_block_start":
            self._block(chunk["index"], chunk["content_block"])
        elif kind == "content_block_delta":
            self._block_delta(chunk["index"], chunk["delta"])
        elif kind == "message":
            self.whole += [str(block.get("text", block.get("thinking", ""))) for block in chunk["content"]]

    def _grow(self, into: dict[Any, str], key: Any, text: Any) -> None:
        if isinstance(text, str):
            into[key] = into.get(key, "") + text

    def _delta(self, choice: int, delta: dict[str, Any]) -> None:
        content = delta.get("content")
        self._grow(self.text, choice, content)
        parts: list[dict[str, Any]] = content if owners.is_array(content) else []
        for part in parts:
            self._grow(self.text, choice, part.get("text"))
            inner: list[dict[str, Any]] = part.get("thinking") or []
            for item in inner:
                self._grow(self.thinking, choice, item["text"])
        self._grow(self.refusal, choice, delta.get("refusal"))
        plain = [delta[key] for key in ("reasoning_content", "reasoning") if isinstance(delta.get(key), str)]
        details: list[dict[str, Any]] = delta.get("reasoning_details") or []
        if plain:
            self._grow(self.thinking, choice, plain[0])
        else:
            for detail in details:
                self._grow(self.thinking, choice, detail.get("text", detail.get("summary")))
        self.signatures += [detail["signature"] for detail in details if detail.get("signature")]
        calls: list[dict[str, Any]] = delta.get("tool_calls") or []
        for place, call in enumerate(calls):
            # No recorded stream leaves out the index of a call that comes in pieces.
            key = (choice, call["index"] if call.get("index") is not None else place)
            function: dict[str, Any] = call.get("function") or {}
            self.names.setdefault(key, function["name"]) if function.get("name") else None
            self._grow(self.arguments, key, function.get("arguments"))

    def _block(self, index: int, block: dict[str, Any]) -> None:
        self._grow(self.text, 0, block["text"] if block["type"] == "text" else "")
        self._grow(self.thinking, 0, block["thinking"] if block["type"] == "thinking" else "")
        if block["type"] == "tool_use":
            self.names[index] = block["name"]
            self.arguments[index] = json.dumps(block["input"]) if block["input"] else ""

    def _block_delta(self, index: int, delta: dict[str, Any]) -> None:
        kind = delta["type"]
        if kind == "text_delta":
            self._grow(self.text, 0, delta["text"])
        elif kind == "thinking_delta":
            self._grow(self.thinking, 0, delta["thinking"])
        elif kind == "signature_delta":
            self.signatures.append(delta["signature"])
        elif kind == "input_json_delta" and index in self.names:
            self._grow(self.arguments, index, delta["partial_json"])


def not_accounted_for(record: recorded.Record, format: str) -> Iterator[str]:
    """What a recorded stream says that is not in its events, or not in their fold."""
    chunks = record.body
    said = Accumulated()
    for chunk in chunks:
        if owners.is_object(chunk):
            said.add(chunk)
    reader, events = read(chunks, format)
    for number, text in said.text.items():
        reported = "".join(event.text for event in events if isinstance(event, il.TextDelta) and event.choice == number)
        if reported != text:
            yield f"text events of choice {number} are {reported!r:.100}, not {text!r:.100}"
    for text in said.whole:
        if not _is_kept(text, events):
            yield f"the text of a whole message is lost: {text!r:.100}"
    started = [chunk for chunk in chunks if owners.is_object(chunk) and chunk.get("type") == "message_start"]
    if len(started) < 2 and not said.whole:
        yield from _folded(said, reader)
    failed = any(isinstance(chunk, dict) and "error" in chunk and "choices" not in chunk for chunk in chunks)
    if failed != any(isinstance(event, il.ErrorEvent) for event in events):
        yield "an error is not reported as one"
    if not reader.complete and not failed and not said.whole:
        yield "not complete at its end"
    if any(choice.incomplete for choice in reader.response.choices) != failed:
        yield "marked incomplete, or not"


def _is_kept(text: str, events: list[Any]) -> bool:
    return any(text in leaf for event in events for leaf in _leaves(event.to_dict()))


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    items: Iterable[Any] = value.values() if owners.is_object(value) else value if owners.is_array(value) else ()
    for item in items:
        yield from _leaves(item)


def _folded(said: Accumulated, reader: il.Reader) -> Iterator[str]:
    response = reader.response
    for number, choice in enumerate(response.choices):
        message = choice.message
        # Mistral's reasoning stays a part of its own.
        kept = "".join(
            leaf
            for part in message.parts
            if isinstance(part, il.OpaquePart) and part.value.get("type") == "thinking"
            for leaf in (item["text"] for item in part.value["thinking"])
        )
        refusal = "".join(part.refusal for part in message.parts if isinstance(part, il.RefusalPart))
        for what, mine, others in (
            ("text", said.text.get(number, ""), message.text),
            ("refusal", said.refusal.get(number, ""), refusal),
            ("reasoning", said.thinking.get(number, ""), kept + message.thinking),
        ):
            if mine != others:
                yield f"the {what} of choice {number} is {others!r:.100}, not {mine!r:.100}"
    uses = [use for choice in response.choices for use in choice.message.tool_uses]
    if [use.name for use in uses] != list(said.names.values()):
        yield f"tools called are {[use.name for use in uses]}, not {list(said.names.values())}"
    for use, text in zip(uses, said.arguments.values(), strict=False):
        mine = use.input if isinstance(use.input, str) else owners.canonical(use.input)
        expected = text if isinstance(use.input, str) else owners.canonical(owners.arguments(text or "{}"))
        if mine != expected:
            yield f"arguments are {mine!r:.100}, not {expected!r:.100}"
    signatures = [
        part.signature for choice in response.choices for part in choice.message.parts if isinstance(part, il.ThinkingPart)
    ]
    if [signature for signature in signatures if signature] != said.signatures:
        yield f"signatures are {signatures!r:.100}"


@pytest.mark.traffic
@read_as
def test_recorded_streams_are_accounted_for(traffic: Path, api: str, format: str) -> None:
    judged(recorded.streams(traffic, api), lambda record: not_accounted_for(record, format))


@pytest.mark.traffic
@read_as
def test_recorded_streams_can_be_cut_off_after_any_chunk(traffic: Path, api: str, format: str) -> None:
    judged(recorded.streams(traffic, api), lambda record: unfinished(record.body, format))


@pytest.mark.traffic
@read_as
def test_recorded_streams_as_bytes_give_the_same_events(traffic: Path, api: str, format: str) -> None:
    def judge(record: recorded.Record) -> Iterator[str]:
        reader, random = il.reader(format), Hosts(record.id)
        body = sse.body_of(record.body, random)
        events = [event for piece in sse.cuts(body, random) for event in reader.feed_bytes(piece)]
        events += reader.close()
        if as_dicts(events) != as_dicts(read(record.body, format)[1]):
            yield "the bytes give other events"

    judged(recorded.streams(traffic, api), judge)


@pytest.mark.traffic
def test_every_recorded_stream_of_these_formats_is_read(traffic: Path) -> None:
    here = {file.name.removesuffix(".streams.jsonl") for file in traffic.glob("anthropic*.streams.jsonl")}
    assert here <= set(recorded.ANTHROPIC)
    assert any((traffic / f"{api}.streams.jsonl").is_file() for api in recorded.CHAT)


# Broken streams


def survives(chunks: list[Any], format: str, look_at: int | None = None) -> None:
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
    assert all(reason and "\n" not in reason for reason in reasons)


@over.formats(SHAPED)
@given(data=st.data())
def test_a_chunk_with_one_thing_wrong_raises_nothing_else(format: str, data: st.DataObject) -> None:
    _, chunks = data.draw(streamed(format))
    number = data.draw(st.sampled_from([at for at, chunk in enumerate(chunks) if isinstance(chunk, dict)]))
    place = data.draw(st.sampled_from(list(places(chunks[number]))))
    survives(
        [*chunks[:number], spoil(copy.deepcopy(chunks[number]), place, data.draw(st.sampled_from(WRONG))), *chunks[number:]],
        format,
    )


@pytest.mark.parametrize("format", ["openai_chat", "anthropic"])
def test_a_stream_with_one_thing_wrong_anywhere_raises_nothing_else(format: str) -> None:
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
def test_anything_at_all_raises_nothing_else(format: str, chunks: list[Any], data: st.DataObject) -> None:
    _, sound = data.draw(streamed(format))
    survives([*chunks, *sound[:2], *chunks], format)
    survives(["[" * 100_000, '{"a":' * 100_000, "{", "", b"{}", object(), '{"choices": [NaN]}', '{"a": "\\ud800"}'], format)


@over.formats(SDK)
@given(data=st.binary(max_size=60), more=st.data())
def test_any_bytes_raise_nothing_else(format: str, data: bytes, more: st.DataObject) -> None:
    reader, random = il.reader(format), more.draw(RANDOMS)
    body = sse.body_of(more.draw(streamed(format))[1], random)
    place = random.randint(0, len(body))
    with contextlib.suppress(il.StreamError):
        for piece in sse.cuts(body[:place] + data + body[place:], random):
            reader.feed_bytes(piece)
        reader.close()


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


# Writing


def written(events: Iterable[il.Event], target: str) -> tuple[list[Any], il.Writer]:
    writer = il.writer(target)
    return [chunk for event in events for chunk in writer.feed(event)], writer


def sdk_fold(chunks: list[Any], format: str) -> dict[str, Any]:
    """The whole response that the official SDK makes of a stream."""
    if format in answers.ANTHROPIC:
        snapshot: Any = None
        buffers: dict[int, bytes] = {}
        for chunk in chunks:
            if chunk["type"] not in ("ping", "error"):
                event = copy.deepcopy(chunk)  # made into the SDK's object there
                snapshot = accumulate_event(event=event, current_snapshot=snapshot, json_bufs=buffers)
        return snapshot.to_dict(mode="json")  # type: ignore[no-any-return]
    state: ChatCompletionStreamState[Any] = ChatCompletionStreamState()
    for chunk in chunks:
        if chunk != "[DONE]":
            made: Any = as_sent(chunk, "openai_chat")
            state.handle_chunk(made)
    return state.current_completion_snapshot.to_dict(mode="json")


def miswritten(body: dict[str, Any], chunks: list[Any], source: str, target: str, *, by_sdk: bool) -> Iterator[str]:
    """What a stream says that its conversion, folded by the target's SDK or by ours, does not, though no loss names it."""
    reader, events = read(chunks, source)
    out, writer = written(events, target)
    yield from in_order(out, target)
    if owners.canonical(json.loads(json.dumps(out))) != owners.canonical(out):
        yield "the chunks are not JSON"
    if by_sdk:
        folded = sdk_fold(out, target)
    else:
        again, _ = read(out, target)
        if not again.complete:
            yield "no end is found"
        folded = il.dump_response(again.response, target, on_loss="raise")
    yield from answers.untold((body, source), (folded, target), reader.response, writer.losses)


def with_usage(body: dict[str, Any], format: str) -> dict[str, Any]:
    """A response with what the SDK's accumulators cannot do without."""
    used = {"prompt_tokens": 2, "completion_tokens": 1, "total_tokens": 3}
    if format in answers.ANTHROPIC:
        used = {"input_tokens": 2, "output_tokens": 1}
    return {"usage": used} | body


@over.formats(SDK, "target")
@given(data=st.data(), source=st.sampled_from(SDK))
def test_a_stream_written_anew_says_the_same_to_the_official_sdk(source: str, target: str, data: st.DataObject) -> None:
    body = streamable(with_usage(data.draw(testing.responses(source, odd=False)), source), source)
    assert body is not None
    chunks = split(body, source, data.draw(RANDOMS))
    assert list(miswritten(body, chunks, source, target, by_sdk=True)) == []


@over.pairs(FORMATS)
@given(data=st.data())
def test_a_stream_written_elsewhere_loses_nothing_in_silence(target: str, sources: list[str], data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(sources))
    body, chunks = data.draw(streamed(source))
    assert list(miswritten(body, chunks, source, target, by_sdk=False)) == []


@over.formats(FORMATS)
@given(data=st.data())
def test_a_stream_written_in_its_format_is_read_as_the_same_response(format: str, data: st.DataObject) -> None:
    body = data.draw(testing.responses(format))
    if format in answers.ANTHROPIC:
        body = with_usage(body, format)  # there a stream begins with what was used so far, be it nought
    streamed_body = streamable(body, format)
    assert streamed_body is not None
    reader, events = read(split(streamed_body, format, data.draw(RANDOMS)), format)
    out, writer = written(events, format)
    assert writer.losses == ()
    again, _ = read(out, format)
    assert difference(reader.response, again.response) == ""


@over.formats(SDK, "target")
@given(data=st.data(), source=st.sampled_from(SDK))
def test_written_chunks_are_of_the_sdks_types(source: str, target: str, data: st.DataObject) -> None:
    body = streamable(with_usage(data.draw(testing.responses(source, odd=False)), source), source)
    assert body is not None
    out, _ = written(read(split(body, source, data.draw(RANDOMS)), source)[1], target)
    for chunk in out:
        if owners.is_object(chunk) and chunk.get("type") != "ping":
            # What the source does not tell, or not yet, is not invented.
            if chunk.get("type") == "content_block_start" and chunk["content_block"]["type"] == "thinking":
                chunk["content_block"].setdefault("signature", "")
            sdk_object(({"created": 0} if target == "openai_chat" else {}) | chunk, target)


def in_order(chunks: list[Any], format: str) -> list[str]:
    """What breaks the order in which a provider sends the chunks of a stream."""
    if format in answers.CHAT:
        done = [place for place, chunk in enumerate(chunks) if chunk == "[DONE]"]
        return [] if done in ([], [len(chunks) - 1]) else [f"[DONE] at {done} of {len(chunks)}"]
    faults: list[str] = []
    kinds = [chunk["type"] for chunk in chunks if chunk["type"] != "ping"]
    if (kinds[0], *kinds[-2:]) != ("message_start", "message_delta", "message_stop") or kinds.count("message_start") != 1:
        faults.append(f"frame: {kinds}")
    opened: int | None = None
    following = 0
    for chunk in chunks:
        if chunk["type"] == "content_block_start":
            if opened is not None or chunk["index"] != following:
                faults.append(f"block {chunk['index']} starts while {opened} is open, {following} should")
            opened, following = chunk["index"], following + 1
        elif chunk["type"] == "content_block_delta" and chunk["index"] != opened:
            faults.append(f"a delta of block {chunk['index']} while {opened} is open")
        elif chunk["type"] == "content_block_stop":
            if chunk["index"] != opened:
                faults.append(f"block {chunk['index']} stops while {opened} is open")
            opened = None
    return faults if opened is None else [*faults, f"block {opened} is left open"]


def a_chunk(finish: str | None = None, /, beside: dict[str, Any] | None = None, **delta: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish} | (beside or {})
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def test_unknown_fields_may_have_any_name() -> None:
    block = {"type": "thinking", "thinking": "hm", "text": "x", "part": 1, "more": None}
    chunks = [
        a_chunk(role="assistant", thinking_blocks=[block]),
        a_chunk(content="Hi."),
        a_chunk("stop", {"finish": {"a": 1}, "choice": "x"}),
    ]
    reader, events = read(chunks, "openai_chat")
    out, writer = written(events, "openai_chat")
    assert writer.losses == ()
    assert difference(reader.response, read(out, "openai_chat")[0].response) == ""


@pytest.mark.parametrize("target", ["openai_chat", "openrouter", "deepseek"])
def test_the_work_for_a_chunk_does_not_depend_on_how_many_calls_are_open(target: str) -> None:
    def interleaved(count: int) -> list[dict[str, Any]]:
        starts: list[dict[str, Any]] = [
            {"id": f"c{i}", "type": "function", "function": {"name": "f", "arguments": ""}} for i in range(count)
        ]
        pieces: list[dict[str, Any]] = [
            {"function": {"arguments": piece}} for piece in ("{", '"a": 1', "}") for _ in range(count)
        ]
        calls = [{"index": i % count, **call} for i, call in enumerate(starts + pieces)]
        return [a_chunk(role="assistant"), *(a_chunk(tool_calls=[call]) for call in calls), a_chunk("tool_calls")]

    def steps(chunks: list[dict[str, Any]]) -> int:
        taken = 0

        def count(*_: Any) -> Any:
            nonlocal taken
            taken += 1
            return count

        before = sys.gettrace()
        sys.settrace(count)
        try:
            list(il.restream(iter(chunks), source="openai_chat", target=target))
        finally:
            sys.settrace(before)
        return taken

    steps(interleaved(1))  # what is done once
    assert steps(interleaved(80)) < 2.1 * steps(interleaved(40))


def test_two_calls_whose_arguments_alternate_arrive_intact() -> None:
    def chunk(**delta: Any) -> dict[str, Any]:
        finish = "tool_calls" if not delta else None
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}

    def call(index: int, arguments: str, **more: Any) -> dict[str, Any]:
        function = {"arguments": arguments} | ({"name": more.pop("name")} if more else {})
        return {"index": index, "function": function, **more}

    chunks = [
        chunk(role="assistant", content=None),
        chunk(tool_calls=[call(0, "", id="call_a", type="function", name="weather")]),
        chunk(tool_calls=[call(0, '{"city":')]),
        chunk(tool_calls=[call(1, '{"zone"', id="call_b", type="function", name="time")]),
        chunk(tool_calls=[call(0, '"Par'), call(1, ': "Eu')]),
        chunk(tool_calls=[call(1, 'rope"')]),
        chunk(tool_calls=[call(0, 'is"}')]),
        chunk(tool_calls=[call(1, "}")]),
        chunk() | {"usage": {"prompt_tokens": 2, "completion_tokens": 1, "total_tokens": 3}},
        "[DONE]",
    ]
    reader, events = read(chunks, "openai_chat")
    expected = [("call_a", "weather", {"city": "Paris"}), ("call_b", "time", {"zone": "Europe"})]
    assert [(use.id, use.name, use.parsed) for use in reader.response.message.tool_uses] == expected
    complete = [event for event in events if isinstance(event, il.ToolUse)]
    assert [(event.id, event.name, json.loads(event.arguments)) for event in complete] == expected
    for target in FORMATS:
        out, writer = written(events, target)
        assert in_order(out, target) == []
        again, _ = read(out, target)
        assert [(use.id, use.name, use.parsed) for use in again.response.message.tool_uses] == expected
        if target in ("openai_chat", "anthropic"):
            said = answers.answer(sdk_fold(out, target), target)
            assert said.ids == ["call_a", "call_b"]
            assert said.calls == [(name, owners.canonical(given)) for _, name, given in expected]
        assert not [loss for loss in writer.losses if "tool_calls" in loss.path]


@pytest.mark.traffic
@read_as
def test_recorded_streams_written_in_their_format_are_read_as_the_same_response(traffic: Path, api: str, format: str) -> None:
    def judge(record: recorded.Record) -> Iterator[str]:
        if sum(owners.is_object(chunk) and chunk.get("type") == "message_start" for chunk in record.body) > 1:
            return
        reader, events = read(record.body, format)
        out, writer = written(events, format)
        yield from (str(loss) for loss in writer.losses)
        again, _ = read(out, format)
        yield from filter(None, [difference(reader.response, again.response)])

    judged(recorded.streams(traffic, api), judge)


@pytest.mark.traffic
@read_as
def test_recorded_streams_written_elsewhere_lose_nothing_in_silence(traffic: Path, api: str, format: str) -> None:
    target = "openai_chat" if format == "anthropic" else "anthropic"

    def judge(record: recorded.Record) -> Iterator[str]:
        reader, events = read(record.body, format)
        if not reader.response.choices or any(choice.incomplete for choice in reader.response.choices):
            return
        body = il.dump_response(reader.response, format, on_loss="ignore")
        out, writer = written(events, target)
        yield from in_order(out, target)
        again, _ = read(out, target)
        folded = il.dump_response(again.response, target, on_loss="raise")
        yield from answers.untold((body, format), (folded, target), reader.response, writer.losses)

    judged(recorded.streams(traffic, api), judge)


# An end that never came


@pytest.mark.parametrize("format", ["anthropic"])
@given(data=st.data())
def test_reasoning_whose_signature_never_came_is_not_sent_back(format: str, data: st.DataObject) -> None:
    _, chunks = data.draw(streamed(format, odd=False))
    at = [n for n, chunk in enumerate(chunks) if owners.is_object(chunk) and chunk.get("delta", {}).get("thinking")]
    assume(at)
    reader, _ = read(chunks[: data.draw(st.sampled_from(at)) + 1], format)
    message = reader.response.message
    cut_off = message.parts[-1]
    assert isinstance(cut_off, il.ThinkingPart)
    payload = il.dump([il.UserMessage(content="Hi."), message, il.UserMessage(content="Go on.")], format, on_loss="ignore")
    sent = [block for each in payload["messages"] for block in each["content"] if owners.is_object(block)]
    assert all(block.get("signature") for block in sent if block["type"] == "thinking")


@over.formats(SDK)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_the_official_sdk_puts_together_what_the_splitter_cuts(format: str, data: st.DataObject, seed: int) -> None:
    body = streamable(with_usage(data.draw(testing.responses(format, odd=False)), format), format)
    assert body is not None
    if "choices" in body:
        del body["choices"][1:]  # the SDK asks for the first chunk of each in their order
    folded = sdk_fold(split(body, format, Random(seed)), format)
    assert answers.answer(folded, format) == answers.answer(body, format)
    assert answers.usage(folded, format) == answers.usage(body, format)


@over.pairs(FORMATS, targets=SDK)
@given(data=st.data())
def test_a_stream_is_turned_into_the_targets_as_it_comes_from_iterators_of_either_kind(
    target: str, sources: list[str], data: st.DataObject
) -> None:
    source = data.draw(st.sampled_from(sources))
    _, chunks = data.draw(streamed(source))
    writer = il.writer(target)
    expected = [written for event in il.reader(source).read(chunks) for written in writer.feed(event)]

    async def arriving() -> AsyncIterator[Any]:
        for chunk in chunks:
            await asyncio.sleep(0)
            yield chunk

    async def turned() -> list[Any]:
        return [written async for written in il.restream(arriving(), source=source, target=target)]

    assert list(il.restream(iter(chunks), source=source, target=target)) == expected
    assert asyncio.run(turned()) == expected
