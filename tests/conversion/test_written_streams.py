"""Streams that are written: others read what was said."""

import asyncio
import functools
import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from conversion.test_responses import read_as
from interlingua import testing
from interlingua.testing.lawbook import documents, share, spoke_responses
from interlingua.testing.splitting import split, streamable
from laws import answers, over, recorded, sdks
from laws.families import CALLING, CHAT, CHAT_ANSWERING, KNOWN, KNOWN_ANSWERING, MAIN, STREAMING, main_of
from laws.steps import steps
from laws.streaming import (
    RANDOMS,
    SDK,
    a_chunk,
    cut_off,
    difference,
    judged,
    read,
    streamed,
    with_usage,
)

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


# Writing


def written(events: Iterable[il.Event], target: il.FormatName) -> tuple[list[Any], il.Writer]:
    writer = il.writer(target)
    return [chunk for event in events for chunk in writer.feed(event)], writer


def sdk_fold(chunks: list[Any], format: il.FormatName) -> dict[str, Any]:
    """The whole response that the official SDK makes of a stream."""
    fold = sdks.SDKS[format].fold
    assert fold is not None
    return fold(chunks)


def miswritten(
    body: dict[str, Any], chunks: list[Any], source: il.FormatName, target: il.FormatName, *, by_sdk: bool
) -> Iterator[str]:
    """What a stream says that its conversion, folded by the target's SDK or by ours, does not, though no loss names it."""
    reader, events = read(chunks, source)
    out, writer = written(events, target)
    yield from in_order(out, target)
    if documents.canonical(json.loads(json.dumps(out))) != documents.canonical(out):
        yield "the chunks are not JSON"
    if by_sdk:
        folded = sdk_fold(out, target)
    else:
        again, _ = read(out, target)
        if not again.complete:
            yield "no end is found"
        folded = il.dump_response(again.response, target, on_loss="raise")
    yield from answers.untold((body, source), (folded, target), reader.response, writer.losses)


@over.formats(SDK, "target")
@given(data=st.data(), source=st.sampled_from(SDK))
def test_a_stream_written_anew_says_the_same_to_the_official_sdk(
    source: il.FormatName, target: il.FormatName, data: st.DataObject
) -> None:
    body = streamable(with_usage(data.draw(testing.responses(source, odd=False)), source), source)
    assert body is not None
    chunks = split(body, source, data.draw(RANDOMS))
    assert list(miswritten(body, chunks, source, target, by_sdk=True)) == []


@over.pairs(KNOWN_ANSWERING)
@given(data=st.data())
def test_a_stream_written_elsewhere_loses_nothing_in_silence(
    target: il.FormatName, sources: list[il.FormatName], data: st.DataObject
) -> None:
    source = data.draw(st.sampled_from(sources))
    body, chunks = data.draw(streamed(source))
    assert list(miswritten(body, chunks, source, target, by_sdk=False)) == []


@pytest.mark.parametrize("target", ["anthropic", "openai_responses", "bedrock_converse"])
def test_reasoning_that_goes_on_after_text_is_written_although_blocks_repeat_it(target: il.FormatName) -> None:
    empty: dict[str, Any] = {"type": "reasoning.text", "text": "", "index": 0}
    block: dict[str, Any] = {"type": "reasoning.text", "text": "a\t", "signature": "c2ln", "index": 1}
    begun: list[dict[str, Any]] = [{"reasoning": "a"}, {"reasoning_details": [empty]}, {"content": "x"}]
    deltas: list[dict[str, Any]] = [*begun, {"reasoning": "\t"}, {"reasoning_details": [block]}]
    _, events = read([*(a_chunk(**delta) for delta in deltas), a_chunk("stop"), "[DONE]"], "openai_chat")
    again, _ = read(written(events, target)[0], target)
    parts = again.response.message.content
    assert isinstance(parts, tuple)
    assert "".join(part.thinking for part in parts if part.type == "thinking") == "a\t"


def misplaced(losses: Iterable[il.Loss], body: Any) -> list[il.Loss]:
    """The losses of a stream that point at what the whole response does not have."""
    return [loss for loss in losses if loss.at is not None and not documents.resolves(body, loss.at)]


@pytest.mark.parametrize("target", STREAMING)
@pytest.mark.parametrize("later", ["content", "refusal"])
def test_reasoning_that_goes_on_after_a_later_part_is_lost_nowhere_in_silence(target: il.FormatName, later: str) -> None:
    deltas: list[dict[str, Any]] = [{"reasoning": "a"}, {later: "b"}, {"reasoning": "c"}, {later: "d"}, {"reasoning": "e"}]
    reader, events = read([*(a_chunk(**delta) for delta in deltas), a_chunk("stop"), "[DONE]"], "openhands")
    out, writer = written(events, target)
    again, _ = read(out, target)
    assert spoke_responses.unreported(reader.response, again.response, writer.losses) == []
    assert misplaced(writer.losses, il.dump_response(again.response, target)) == []


PLACES: dict[il.FormatName, str] = {
    "asktable": "/content/1",
    "bedrock_converse": "/output/message/content/1",
    "gemini": "/candidates/0/content/parts/1",
    "openai_responses": "/output/1/content/0",
}


@pytest.mark.parametrize("target", PLACES)
def test_reasoning_that_moves_in_a_stream_is_reported_where_the_whole_response_has_it(target: il.FormatName) -> None:
    _, events = read([a_chunk(content="a"), a_chunk(reasoning="b"), a_chunk("stop"), "[DONE]"], "openhands")
    _, writer = written(events, target)
    assert [loss.at for loss in writer.losses if loss.kind == "moved"] == [PLACES[target]]


def test_a_time_that_is_known_when_the_stream_has_begun_is_reported_to_chat() -> None:
    """OpenAI's client reads it in the first chunk."""
    begun, text = il.MessageStart(id="r", origin="gemini_interactions"), il.TextDelta(index=0, text="a")
    late = il.Update(of="response", data={"id": "r", "created": 1}, overwrite=True)
    _, writer = written([begun, text, late, il.Stop(stop_reason="stop")], "openai_chat")
    assert [(loss.path, loss.kind) for loss in writer.losses] == [("/created", "response_only")]


@over.pairs(MAIN)
@given(data=st.data())
def test_the_official_sdk_takes_a_stream_of_any_format_and_reads_what_it_says(
    target: il.FormatName, sources: list[il.FormatName], data: st.DataObject
) -> None:
    source = data.draw(st.sampled_from(sources))
    body = streamable(with_usage(data.draw(testing.responses(source, odd=False)), source), source)
    assert body is not None
    reader, events = read(split(body, source, data.draw(RANDOMS)), source)
    out, writer = written(events, target)
    assert [fault for chunk in out for fault in sdks.chunk_faults(sdks.complete(chunk, target), target)] == []
    fold = sdks.SDKS[target].fold
    if fold is not None:
        folded = il.load_response(fold(out), target)
        assert spoke_responses.unreported(reader.response, folded, writer.losses) == []


@over.formats(CHAT_ANSWERING)
@given(data=st.data())
def test_a_stream_that_gives_no_reason_for_its_end_is_written_as_it_was(format: il.FormatName, data: st.DataObject) -> None:
    _, chunks = data.draw(streamed(format))
    for chunk in chunks[:-1]:
        for choice in chunk["choices"]:
            choice["finish_reason"] = None
    reader, events = read([*chunks[:-1], "[DONE]"], format)
    out, writer = written(events, format)
    assert writer.losses == ()
    again, _ = read([*out, "[DONE]"], format)
    assert difference(reader.response, again.response) == ""


@over.pairs(KNOWN_ANSWERING)
@given(data=st.data())
def test_counts_that_a_stream_does_not_give_are_not_read_from_what_it_becomes(
    target: il.FormatName, sources: list[il.FormatName], data: st.DataObject
) -> None:
    source = data.draw(st.sampled_from(sources))
    body = streamable(data.draw(testing.responses(source)), source)
    assert body is not None
    body.pop("usage", None)
    _, events = read(split(body, source, data.draw(RANDOMS)), source)
    again, _ = read(written(events, target)[0], target)
    assert again.response.usage is None or again.response.usage.to_dict().keys() <= {"native"}


TWICE = {
    "in one chunk": [("ab", "ab")],
    "text first": [("ab", None), (None, "ab")],
    "text last": [(None, "ab"), ("ab", None)],
    "in turns": [("a", "ab"), ("b", None)],
    "text lags": [(None, "a"), ("a", None), (None, "b"), ("b", None)],
}


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("said", TWICE.values(), ids=TWICE)
def test_reasoning_that_is_said_in_two_fields_is_written_once(said: list[tuple[str | None, str | None]], after: bool) -> None:
    thoughts: list[Any] = []
    for text, detail in said:
        delta: dict[str, Any] = {} if text is None else {"reasoning": text}
        delta |= {} if detail is None else {"reasoning_details": [{"type": "reasoning.text", "text": detail, "index": 0}]}
        thoughts.append(a_chunk(**delta))
    chunks = [a_chunk(content="x"), *thoughts] if after else [*thoughts, a_chunk(content="x")]
    _, events = read([*chunks, a_chunk("stop"), "[DONE]"], "openrouter")
    again, _ = read(written(events, "asktable")[0], "asktable")
    assert again.response.message.thinking == "ab"
    assert again.response.message.text == "x"


@pytest.mark.parametrize("target", STREAMING)
def test_blocks_of_reasoning_behind_their_text_are_lost_nowhere_in_silence(target: il.FormatName) -> None:
    summary, text = {"type": "reasoning.summary", "summary": "a"}, {"type": "reasoning.text", "text": "b"}
    call = {"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    deltas: list[dict[str, Any]] = [{"reasoning": "ab"}, {"tool_calls": [call]}, {"reasoning_details": [summary, text]}]
    reader, events = read([*(a_chunk(**delta) for delta in deltas), a_chunk("stop"), "[DONE]"], "openhands")
    out, writer = written(events, target)
    assert spoke_responses.unreported(reader.response, read(out, target)[0].response, writer.losses) == []


def in_order(chunks: list[Any], format: il.FormatName) -> list[str]:
    """What breaks the order in which a provider sends the chunks of a stream."""
    if format in CHAT:
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


def test_an_empty_id_that_comes_late_is_no_loss() -> None:
    calls = [{"index": i, "id": "", "function": {"name": "f", "arguments": "{}"}} for i in range(2)]
    deltas: list[dict[str, Any]] = [{"delta": {"tool_calls": [call]}} for call in calls]
    choices = [*deltas, {"delta": dict[str, Any](), "finish_reason": "tool_calls"}]
    chunks = [{"object": "chat.completion.chunk", "choices": [{"index": 0, **choice}]} for choice in choices]
    losses: list[il.Loss] = []
    for _ in il.restream(chunks, source="openai_chat", target="gemini", on_loss=losses.append):
        pass
    assert losses == []


def test_an_item_that_the_target_cannot_have_is_reported_once_as_what_it_is() -> None:
    item = {"type": "image_generation_call", "id": "i", "status": "completed", "result": "aGk="}
    events = [
        {"type": "response.output_item.added", "output_index": 0, "item": item | {"status": "in_progress", "result": None}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"object": "response", "status": "completed", "output": [item]}},
    ]
    losses: list[il.Loss] = []
    for _ in il.restream(events, source="openai_responses", target="gemini", on_loss=losses.append):
        pass
    assert ["image_generation_call" in loss.detail for loss in losses] == [True]


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
def test_the_work_for_a_chunk_does_not_depend_on_how_many_calls_are_open(target: il.FormatName) -> None:
    def interleaved(count: int) -> list[dict[str, Any]]:
        starts: list[dict[str, Any]] = [
            {"id": f"c{i}", "type": "function", "function": {"name": "f", "arguments": ""}} for i in range(count)
        ]
        pieces: list[dict[str, Any]] = [
            {"function": {"arguments": piece}} for piece in ("{", '"a": 1', "}") for _ in range(count)
        ]
        calls = [{"index": i % count, **call} for i, call in enumerate(starts + pieces)]
        return [a_chunk(role="assistant"), *(a_chunk(tool_calls=[call]) for call in calls), a_chunk("tool_calls")]

    def work(chunks: list[dict[str, Any]]) -> int:
        return steps(lambda: list(il.restream(iter(chunks), source="openai_chat", target=target)))

    work(interleaved(1))  # what is done once
    assert work(interleaved(80)) < 2.1 * work(interleaved(40))


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
        chunk(tool_calls=[call(0, "", id="lookupone", type="function", name="weather")]),
        chunk(tool_calls=[call(0, '{"city":')]),
        chunk(tool_calls=[call(1, '{"zone"', id="lookuptwo", type="function", name="time")]),
        chunk(tool_calls=[call(0, '"Par'), call(1, ': "Eu')]),
        chunk(tool_calls=[call(1, 'rope"')]),
        chunk(tool_calls=[call(0, 'is"}')]),
        chunk(tool_calls=[call(1, "}")]),
        chunk() | {"usage": {"prompt_tokens": 2, "completion_tokens": 1, "total_tokens": 3}},
        "[DONE]",
    ]
    reader, events = read(chunks, "openai_chat")
    expected = [("lookupone", "weather", {"city": "Paris"}), ("lookuptwo", "time", {"zone": "Europe"})]
    assert [(use.id, use.name, use.parsed) for use in reader.response.message.tool_uses] == expected
    complete = [event for event in events if isinstance(event, il.ToolUse)]
    assert [(event.id, event.name, json.loads(event.arguments)) for event in complete] == expected
    for target in CALLING:
        out, writer = written(events, target)
        assert target not in KNOWN or in_order(out, target) == []
        again, _ = read(out, target)
        assert [(use.id, use.name, use.parsed) for use in again.response.message.tool_uses] == expected
        if target in ("openai_chat", "anthropic"):
            said = answers.answer(sdk_fold(out, target), target)
            assert said.ids == ["lookupone", "lookuptwo"]
            assert said.calls == [(name, documents.canonical(given)) for _, name, given in expected]
        assert not [loss for loss in writer.losses if "tool_calls" in loss.path]


@pytest.mark.traffic
@read_as
def test_recorded_streams_written_in_their_format_are_read_as_the_same_response(
    traffic: Path, api: str, format: il.FormatName, record_property: Callable[[str, int], None]
) -> None:
    def judge(record: recorded.Record) -> Iterator[str]:
        starts = sum(documents.is_object(chunk) and chunk.get("type") == "message_start" for chunk in record.body)
        if not share.judged(starts <= 1 and record.id not in recorded.GO_ON, least=0.95):
            return
        reader, events = read(record.body, format)
        out, writer = written(events, format)
        yield from (str(loss) for loss in writer.losses)
        again, _ = read(out, format)
        yield from filter(None, [difference(reader.response, again.response)])

    judged(recorded.streams(traffic, api), judge, functools.partial(record_property, f"{format} streams restreamed the same"))


@pytest.mark.traffic
@read_as
def test_recorded_streams_written_elsewhere_lose_nothing_in_silence(traffic: Path, api: str, format: il.FormatName) -> None:
    def judge(record: recorded.Record) -> Iterator[str]:
        reader, events = read(record.body, format)
        broken_off = not reader.response.choices or any(choice.incomplete for choice in reader.response.choices)
        if not share.judged(not broken_off and record.id not in {*recorded.GO_ON, *recorded.RENAMED}, least=0.95):
            return
        body = il.dump_response(reader.response, format, on_loss="ignore")
        several = sum(documents.is_object(chunk) and chunk.get("type") == "message_start" for chunk in record.body) > 1
        for target in MAIN:
            if target == main_of(format):
                continue
            out, writer = written(events, target)
            again, _ = read(out, target)
            if share.judged(not several, least=0.95, of="answers that are one"):  # which no other provider's stream can be
                yield from spoke_responses.unreported(reader.response, again.response, writer.losses)
            if {format, target} <= set(KNOWN):
                yield from in_order(out, target)
                folded = il.dump_response(again.response, target, on_loss="raise")
                yield from answers.untold((body, format), (folded, target), reader.response, writer.losses)

    judged(recorded.streams(traffic, api), judge)


# An end that never came


def thinking(chunks: list[Any]) -> list[int]:
    """Where reasoning of Anthropic's is said."""
    return [n for n, chunk in enumerate(chunks) if documents.is_object(chunk) and chunk.get("delta", {}).get("thinking")]


@pytest.mark.parametrize("format", ["anthropic"])
@given(data=st.data())
def test_reasoning_whose_signature_never_came_is_not_sent_back(format: il.FormatName, data: st.DataObject) -> None:
    _, chunks = data.draw(share.such(streamed(format, odd=False), lambda drawn: thinking(drawn[1]) != []))
    reader = cut_off(chunks[: data.draw(st.sampled_from(thinking(chunks))) + 1], format)
    message = reader.response.message
    last = message.parts[-1]
    assert isinstance(last, il.ThinkingPart)
    payload = il.dump([il.UserMessage(content="Hi."), message, il.UserMessage(content="Go on.")], format, on_loss="ignore")
    sent = [block for each in payload["messages"] for block in each["content"] if documents.is_object(block)]
    assert all(block.get("signature") for block in sent if block["type"] == "thinking")


@over.formats(SDK)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_the_official_sdk_puts_together_what_the_splitter_cuts(format: il.FormatName, data: st.DataObject, seed: int) -> None:
    body = streamable(with_usage(data.draw(testing.responses(format, odd=False)), format), format)
    assert body is not None
    if "choices" in body:
        del body["choices"][1:]  # the SDK asks for the first chunk of each in their order
    folded = sdk_fold(split(body, format, Random(seed)), format)
    assert answers.answer(folded, format) == answers.answer(body, format)
    assert answers.usage(folded, format) == answers.usage(body, format)


@over.pairs(STREAMING, targets=SDK)
@given(data=st.data())
def test_a_stream_is_turned_into_the_targets_as_it_comes_from_iterators_of_either_kind(
    target: il.FormatName, sources: list[il.FormatName], data: st.DataObject
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
        return [written async for written in il.restream(arriving(), source=source, target=target, usage=True)]

    assert list(il.restream(iter(chunks), source=source, target=target, usage=True)) == expected
    assert asyncio.run(turned()) == expected


@pytest.mark.parametrize(
    "target", ["ollama", "ollama_generate", "openai_completions", "deepseek", "groq", "huggingface", "mistral", "sglang", "xai"]
)
def test_a_refusal_is_in_lines_of_its_own_wherever_a_text_is_one(target: il.FormatName) -> None:
    frame = {"id": "r", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    deltas: list[tuple[dict[str, Any], str | None]] = [
        ({"role": "assistant", "content": "a"}, None),
        *[({key: text}, None) for key, text in (("content", "b"), ("refusal", "c"), ("content", "d"), ("refusal", "e"))],
        ({}, "stop"),
    ]
    chunks: list[Any] = [
        frame | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]} for delta, finish in deltas
    ]
    reader = il.reader(target)
    list(reader.read(il.restream([*chunks, "[DONE]"], source="openai_chat", target=target, on_loss="ignore")))
    assert reader.response.message.text == "ab\nc\nd\ne"  # what is sent stays where it is

    parts: list[il.Part] = [il.TextPart(text="a"), il.TextPart(text="b"), il.RefusalPart(refusal="c"), il.TextPart(text="d")]
    choice = il.Choice(message=il.AssistantMessage(content=parts), stop_reason="stop")
    whole = il.dump_response(il.Response(id="r", created=1, model="m", choices=[choice]), target, on_loss="ignore")
    assert il.load_response(whole, target).message.text == "ab\nc\nd"


@pytest.mark.parametrize("target", ["openai_chat", "anthropic", "gemini", "ollama", "bedrock_converse"])
def test_a_writer_has_each_loss_once(target: il.FormatName) -> None:
    said = {"type": "output_text", "text": "Hi.", "annotations": list[Any]()}
    item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [said]}
    answer: Any = {"object": "response", "id": "r", "model": "m", "status": "completed", "output": [item]}
    chunks = split(answer, "openai_responses", Random(0))
    writer = il.writer(target)
    for event in il.reader("openai_responses").read(chunks):
        list(writer.feed(event))
    passed_on = il.restream(chunks, source="openai_responses", target=target, on_loss="ignore")
    assert list(passed_on)
    assert set(writer.losses) >= set(passed_on.losses)
    assert len(set(writer.losses)) == len(writer.losses) > 0
