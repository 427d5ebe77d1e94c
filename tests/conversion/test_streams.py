"""Streams: however a response is cut, the events make the whole again."""

import gc
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from conversion.test_responses import read_as
from interlingua import testing
from interlingua.codec.strategies.cutting import Hosts
from interlingua.testing.lawbook import documents, share
from interlingua.testing.splitting import split, streamable
from laws import answers, over, recorded
from laws.families import STREAMING
from laws.streaming import SDK, SHAPED, cut_off, difference, judged, read, streamed, unfinished

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


# The fold is the whole


def not_the_whole(body: dict[str, Any], chunks: list[Any], format: il.FormatName) -> list[str]:
    """Law 6: where the fold of a stream differs from the whole response."""
    before = documents.canonical(chunks)
    whole = il.load_response(body, format)
    reader, events = read(chunks, format)
    faults = [difference(whole, reader.response), difference(whole, il.accumulate(events))]
    if not reader.complete:
        faults.append("not complete")
    if documents.canonical(chunks) != before:
        faults.append("the chunks were changed")
    dumped = il.dump_response(reader.response, format, on_loss="raise")
    if documents.canonical(dumped) != documents.canonical(body):
        faults.append(f"dumped: {documents.difference(body, dumped)}")
    return [fault for fault in faults if fault]


@pytest.mark.traffic
@read_as
def test_recorded_responses_cut_into_streams_are_whole_again(traffic: Path, api: str, format: il.FormatName) -> None:
    def judge(record: recorded.Record) -> Iterator[str]:
        body = streamable(record.body, format)
        for seed in range(10 if body else 0):
            assert body is not None
            chunks = split(body, format, Hosts(seed))
            yield from (f"seed {seed}: {fault}" for fault in not_the_whole(body, chunks, format))

    judged(recorded.responses(traffic, api), judge)


@over.formats(SHAPED)
@given(data=st.data())
def test_a_stream_cut_off_anywhere_gives_a_message_marked_incomplete(format: il.FormatName, data: st.DataObject) -> None:
    body, chunks = data.draw(streamed(format))
    assert list(unfinished(chunks, format)) == []
    whole = il.reader(format)
    ends = [place for place, chunk in enumerate(chunks) if any(event.type == "stop" for event in whole.feed(chunk))]
    if not share.judged(ends != [] and len(il.load_response(body, format).choices) == 1, least=0.4, of=format):
        return  # what has not begun cannot be missed
    reader = cut_off(chunks[: ends[-1]], format)
    assert not reader.complete
    assert not reader.response.choices or any(choice.incomplete for choice in reader.response.choices)


@over.formats(SDK)
@given(data=st.data())
def test_partial_arguments_stay_text(format: il.FormatName, data: st.DataObject) -> None:
    calling = share.such(testing.responses(format, odd=False), lambda body: answers.answer(body, format).calls != [])
    body = streamable(data.draw(calling), format)
    assert body is not None
    if "choices" in body:
        del body["choices"][1:]
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


def test_a_call_of_blocks_without_arguments_has_an_empty_object_and_a_flat_one_no_text() -> None:
    call: list[il.Event] = [
        il.ToolUseStart(index=0, id="c", name="f"),
        il.PartStop(index=0),
        il.Stop(stop_reason="tool_use"),
        il.StreamEnd(),
    ]
    block, flat = (il.accumulate([il.MessageStart(spelling=spelling), *call]).message for spelling in ("blocks", "flat"))
    assert [use.input for use in block.tool_uses] == [{}]
    assert [use.arguments for use in flat.tool_calls or ()] == [""]


def _argument_pieces(chunk: Any) -> Iterator[tuple[Any, str]]:
    """The pieces of arguments in a chunk, and whose they are."""
    if documents.is_object(chunk) and chunk.get("type") == "content_block_start":
        yield chunk["index"], ""
    elif documents.is_object(chunk) and chunk.get("type") == "content_block_delta":
        yield chunk["index"], chunk["delta"].get("partial_json", "")
    choices: list[dict[str, Any]] = chunk.get("choices", []) if documents.is_object(chunk) else []
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


@pytest.mark.parametrize(
    ("format", "chunk", "note"),
    [
        ("openai_chat", {"type": "message_stop"}, 'use il.reader("anthropic")'),
        ("anthropic", {"choices": [{"delta": {"content": "Hi."}}]}, 'use il.reader("openai_chat")'),
        ("anthropic", {"candidates": [{"content": {"parts": [{"text": "Hi."}]}}]}, "of Gemini"),
    ],
)
def test_a_stream_of_another_format_is_named_as_what_it_looks_like(format: il.FormatName, chunk: Any, note: str) -> None:
    with pytest.raises(il.StreamError) as caught:
        list(il.reader(format).read([chunk]))
    assert note in "".join(caught.value.__notes__)
    with pytest.raises(il.StreamError) as caught:
        list(il.reader(format).read([]))
    assert not hasattr(caught.value, "__notes__")


@over.formats(SHAPED)
@given(data=st.data())
def test_a_reader_leaves_nothing_for_the_garbage_collector(format: il.FormatName, data: st.DataObject) -> None:
    _, chunks = data.draw(streamed(format))
    cut_off(chunks, format)  # builds what is built on first use
    gc.freeze()  # what is there need not be looked through
    gc.disable()
    try:
        cut_off(chunks, format)
        assert gc.collect() == 0
    finally:
        gc.enable()


SENSELESS: dict[str, list[il.Event]] = {
    "arguments before their call": [il.ArgumentsDelta(index=0, arguments="{}")],
    "arguments of a text": [il.TextDelta(index=0, text="a"), il.ArgumentsDelta(index=0, arguments="{}")],
    "text of a call": [il.ToolUseStart(index=0, name="f"), il.TextDelta(index=0, text="a")],
    "a call's arguments after a whole text": [
        il.ToolUseStart(index=0, name="f"),
        il.WholePart(index=0, part=il.TextPart(text="a")),
        il.ArgumentsDelta(index=0, arguments="{}"),
    ],
    "an update of no part": [il.Update(of="part", data={"signature": "a"})],
    "an update of an unknown type": [il.Update(of="part", index=0, data={"type": []})],
    "an update of another type": [il.TextDelta(index=0, text="a"), il.Update(of="part", index=0, data={"type": "thinking"})],
    "provider data that are not objects": [il.Update(of="message", data={"provider_data": {"openai": "a"}})],
    "an unknown field": [il.Update(of="response", data={"<x>": 1})],
    "choices in an update": [il.Update(of="response", data={"choices": []})],
    "a broken citation": [il.Update(of="part", index=0, data={"citations": [{"type": "url", "url": 5}]})],
}


@pytest.mark.parametrize("name", SENSELESS)
def test_valid_events_in_a_senseless_order_are_a_stream_error(name: str) -> None:
    events = [il.MessageStart(), *SENSELESS[name]]
    with pytest.raises(il.StreamError):
        il.accumulate(events)
    for target in STREAMING:
        writer = il.writer(target)
        for event in events[:-1]:
            writer.feed(event)
        with pytest.raises(il.StreamError):
            writer.feed(events[-1])


@pytest.mark.parametrize("before", [il.TextDelta(index=0, text="a"), il.ToolUseStart(index=0, name="f")])
@pytest.mark.parametrize(
    "part", [il.ToolUsePart(name="f", input="{}"), il.RedactedThinkingPart(data="x"), il.TextPart(text="b")]
)
def test_a_whole_part_takes_the_place_of_what_came_of_it(before: il.Event, part: il.Part) -> None:
    events = [il.MessageStart(spelling="blocks"), before, il.WholePart(index=0, part=part), il.Stop(), il.StreamEnd()]
    assert il.accumulate(events).message.parts == (part,)
    for target in STREAMING:
        writer = il.writer(target)
        for event in events:
            writer.feed(event)


@pytest.mark.parametrize("format", STREAMING)
def test_the_name_of_an_event_must_be_text(format: il.FormatName) -> None:
    name: Any = []
    with pytest.raises(il.StreamError, match="name of an event"):
        il.reader(format).feed({"type": "x"}, name)
