"""What is odd about streams that are written as Anthropic Messages."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from anthropic.lib.streaming._messages import accumulate_event

import interlingua as il
from formats.anthropic.events import BODY, CALL, CITATION, END, SEARCH, START, TEXT, arguments, block, text

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


# Writing streams


def written(
    events: Iterable[il.Event], target: il.FormatName = "anthropic"
) -> tuple[list[dict[str, Any]], set[tuple[str, str]]]:
    writer = il.writer(target)
    chunks = [chunk for event in events for chunk in writer.feed(event)]
    reported: set[tuple[str, str]] = {(loss.kind, loss.path) for loss in writer.losses}
    assert len({(loss.kind, loss.path, loss.detail) for loss in writer.losses}) == len(writer.losses)
    return chunks, reported


def snapshot(chunks: list[dict[str, Any]]) -> dict[str, Any]:
    """The message that the official SDK makes of a stream."""
    made: Any = None
    buffers: dict[int, bytes] = {}
    for chunk in json.loads(json.dumps(chunks)):
        made = accumulate_event(event=chunk, current_snapshot=made, json_bufs=buffers)
    whole: dict[str, Any] = made.to_dict(mode="json")
    return whole


def flat(*events: il.Event, stop: str | None = None) -> list[il.Event]:
    start = il.MessageStart(id="c", model="m", created=1, origin="openai_chat")
    kinds = {event.type for event in events}
    usual = "tool_calls" if "tool_use_start" in kinds else "refusal" if kinds == {"refusal"} else "stop"
    return [start, *events, il.Stop(stop_reason=stop or usual), il.StreamEnd()]


def test_calls_whose_arguments_alternate_are_written_one_after_the_other() -> None:
    events = flat(
        il.TextDelta(index=0, text="Hi"),
        il.ToolUseStart(index=1, id="f:0", name="f"),
        il.ToolUseStart(index=2, id="g", name="g"),
        il.ArgumentsDelta(index=2, arguments='{"b": '),
        il.ArgumentsDelta(index=1, arguments='{"a": '),
        il.ArgumentsDelta(index=2, arguments="2}"),
        il.ArgumentsDelta(index=1, arguments="1}"),
        *(il.PartStop(index=index) for index in (0, 1, 2)),
        il.UsageUpdate(usage=il.Usage(input_tokens=3, output_tokens=4)),
        stop="tool_calls",
    )
    chunks, losses = written(events)
    frame = [(chunk["type"], chunk["index"]) for chunk in chunks if "index" in chunk]
    kinds = ("content_block_start", "content_block_delta", "content_block_stop")
    expected = [(kind, index) for index in (0, 1, 2) for kind in kinds]
    expected.insert(4, (kinds[1], 1))  # the pieces of the first call come at once, those of the second wait for its end
    assert frame == expected
    message = snapshot(chunks)
    assert message["content"] == [
        {"type": "text", "text": "Hi"},
        {"type": "tool_use", "id": "il_f_3a_0", "name": "f", "input": {"a": 1}},
        {"type": "tool_use", "id": "g", "name": "g", "input": {"b": 2}},
    ]
    assert (message["stop_reason"], message["usage"]) == ("tool_use", {"input_tokens": 3, "output_tokens": 4})
    assert losses == {("response_only", "/created")}


def test_text_goes_on_at_once_and_the_start_has_what_is_known() -> None:
    writer = il.writer("anthropic")
    assert writer.feed(flat()[0]) == []
    assert [chunk["type"] for chunk in writer.feed(il.TextDelta(index=0, text=" "))] == []
    start, opened, delta = writer.feed(il.TextDelta(index=0, text="Hi"))
    assert start == {
        "type": "message_start",
        "message": {
            "id": "c",
            "model": "m",
            "type": "message",
            "role": "assistant",
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 0, "output_tokens": 0},
        },
    }
    assert (opened["content_block"], delta["delta"]) == (TEXT, {"type": "text_delta", "text": " Hi"})
    assert writer.feed(il.TextDelta(index=0, text="!")) == [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "!"}}
    ]
    assert writer.feed(il.TextDelta(index=0, text="")) == []


THOUGHT = il.ThinkingDelta(index=0, thinking="hm")


def test_usage_that_comes_after_the_end_is_written_again() -> None:
    start, text, stop, end = flat(il.TextDelta(index=0, text="Hi"))
    used = il.UsageUpdate(usage=il.Usage(input_tokens=3, cache_read_tokens=2, output_tokens=4))
    chunks, _ = written([start, text, stop, used, end])
    deltas = [chunk for chunk in chunks if chunk["type"] == "message_delta"]
    assert [delta["delta"] for delta in deltas] == [{"stop_reason": "end_turn", "stop_sequence": None}] * 2
    assert deltas[1]["usage"] == {"input_tokens": 3, "cache_read_input_tokens": 2, "output_tokens": 4}
    assert chunks[-1] == {"type": "message_stop"}
    chunks, _ = written([start, used, text, end])
    assert [chunk["usage"] for chunk in chunks if "usage" in chunk] == [deltas[1]["usage"]]


def test_reasoning_goes_on_at_once_and_its_signature_follows() -> None:
    writer = il.writer("anthropic")
    events = [*flat(THOUGHT)[:2], il.SignatureDelta(index=0, signature="c2ln")]
    assert [[chunk["type"] for chunk in writer.feed(event)] for event in events] == [
        [],
        ["message_start", "content_block_start", "content_block_delta"],
        ["content_block_delta"],
    ]


UNSIGNED: dict[str, Any] = {"type": "thinking", "thinking": "hm", "signature": ""}
FLAT: list[Any] = [
    (
        [THOUGHT, il.SignatureDelta(index=0, signature="c2ln", issuer="anthropic"), il.TextDelta(index=1, text="Hi")],
        [{"type": "thinking", "thinking": "hm", "signature": "c2ln"}, {"type": "text", "text": "Hi"}],
        set[tuple[str, str]](),
    ),
    (
        [THOUGHT, il.SignatureDelta(index=0, signature="c2ln", issuer="gemini")],
        [{"type": "thinking", "thinking": "hm", "signature": ""}],
        {("dropped", "/thinking_blocks/0/signature"), ("changed", "/thinking_blocks/0")},
    ),
    (
        [THOUGHT, il.TextDelta(index=1, text="Hi"), THOUGHT],
        [UNSIGNED, TEXT | {"text": "Hi"}, UNSIGNED],
        {("changed", "/thinking_blocks/0"), ("moved", "/thinking_blocks/0")},
    ),
    (
        [il.ThinkingDelta(index=0, thinking="hm", field="text"), il.TextDelta(index=1, text="Hi")],
        [UNSIGNED, TEXT | {"text": "Hi"}],
        {("changed", "/reasoning_content")},
    ),
    (
        [il.RedactedThinking(index=0, data="eA==", issuer="xai"), il.RedactedThinking(index=1, data="eQ==")],
        [{"type": "redacted_thinking", "data": "eQ=="}],
        {("dropped", "/thinking_blocks/0")},
    ),
    ([il.RefusalDelta(index=0, refusal="No")], [{"type": "text", "text": "No"}], {("changed", "/refusal")}),
    ([il.TextDelta(index=0, text=" \n")], [], {("dropped", "/content")}),
    (
        [il.ToolUseStart(index=0, name="f"), il.ArgumentsDelta(index=0, arguments="{")],
        [{"type": "tool_use", "id": "call-1", "name": "f", "input": {}}],  # as Anthropic's client reads an object that is cut
        {("changed", "/tool_calls/0"), ("changed", "/tool_calls/0/arguments")},
    ),
    (
        [
            il.ToolUseStart(index=0, id="a", name="f"),
            *(il.ArgumentsDelta(index=0, arguments=piece) for piece in (" ", "[1", ', "é')),
        ],
        [{"type": "tool_use", "id": "a", "name": "f", "input": {"INVALID_JSON": ' [1, "é'}}],
        {("changed", "/tool_calls/0/arguments")},
    ),
    (
        [
            il.ToolUseStart(index=0, id="a", name="f"),
            il.ArgumentsDelta(index=0, arguments="{}"),
            il.ToolUseStart(index=1, id="b", name="g"),
            il.ArgumentsDelta(index=1, arguments='{"b": 1}'),
            il.ArgumentsDelta(index=0, arguments="\n"),
            il.ArgumentsDelta(index=0, arguments="{}"),
        ],
        [
            {"type": "tool_use", "id": "a", "name": "f", "input": {}},
            {"type": "tool_use", "id": "b", "name": "g", "input": {"b": 1}},
        ],
        {("dropped", "/tool_calls/0/arguments")},
    ),
    (
        [
            il.TextDelta(index=0, text="\n"),
            il.ToolUseStart(index=1, id="a", name="f"),
            il.ArgumentsDelta(index=1, arguments="{}"),
            il.TextDelta(index=0, text="Hi"),
        ],
        [{"type": "tool_use", "id": "a", "name": "f", "input": {}}, {"type": "text", "text": "Hi"}],
        {("dropped", "/content"), ("changed", "/content"), ("moved", "/content")},
    ),
    (
        [il.ToolUseStart(index=0, id="a", name="f", custom=True), il.ArgumentsDelta(index=0, arguments="x")],
        [{"type": "tool_use", "id": "a", "name": "f", "input": {"input": "x"}}],
        {("changed", "/tool_calls/0")},
    ),
    (
        [il.OpaqueEvent(index=0, format="openai", value={"type": "x"}), il.TextDelta(index=1, text="Hi")],
        [{"type": "text", "text": "Hi"}],
        {("dropped", "/content/0")},
    ),
    (
        [
            il.Update(of="message", data={"provider_data": {"openai": {"annotations": [1]}}}),
            il.TextDelta(index=0, text="Hi"),
        ],
        [{"type": "text", "text": "Hi"}],
        {("dropped", "/provider_data/openai/annotations")},
    ),
]


@pytest.mark.parametrize(("events", "content", "losses"), FLAT)
def test_what_has_no_place_is_reported(events: list[il.Event], content: list[Any], losses: set[tuple[str, str]]) -> None:
    chunks, reported = written(flat(*events))
    assert snapshot(chunks)["content"] == content
    assert reported == {("response_only", "/created"), *((kind, "/choices/0/message" + path) for kind, path in losses)}


def test_a_flat_message_never_came_from_here() -> None:
    _, reported = written([il.MessageStart(origin="anthropic"), THOUGHT, il.Stop(stop_reason="stop")])
    assert reported == {("changed", "/choices/0/message/thinking_blocks/0")}


def test_reasoning_may_go_unsigned_where_the_profile_says_so() -> None:
    plain = il.ThinkingDelta(index=0, thinking="hm", field="text")
    chunks, reported = written(flat(plain, plain, il.TextDelta(index=1, text="Hi")), "asktable")
    assert snapshot(chunks)["content"] == [{"type": "thinking", "thinking": "hmhm"}, {"type": "text", "text": "Hi"}]
    assert reported == {("response_only", "/created")}
    late = il.SignatureDelta(index=0, signature="c2ln", issuer="gemini")
    _, reported = written(flat(THOUGHT, late), "asktable")
    assert ("dropped", "/choices/0/message/thinking_blocks/0/signature") in reported


def test_text_that_goes_on_behind_its_end_is_a_further_block() -> None:
    chunks, reported = written(flat(il.TextDelta(index=0, text="a"), il.PartStop(index=0), il.TextDelta(index=0, text="b")))
    assert [part["text"] for part in snapshot(chunks)["content"]] == ["a", "b"]
    assert ("changed", "/choices/0/message/content") in reported


def test_other_choices_are_reported_once() -> None:
    others: list[il.Event] = [il.TextDelta(choice=1, index=0, text="a"), il.Stop(choice=1, stop_reason="stop")]
    start = il.MessageStart(choice=1, id="c", model="m", origin="openai_chat")
    chunks, reported = written([start, *others, il.TextDelta(index=0, text="b"), il.Stop(stop_reason="stop")])
    assert (snapshot(chunks)["id"], reported) == ("c", {("dropped", "/choices/1")})


def test_errors_and_unknown_events_go_on() -> None:
    chunks, _ = written(
        [
            il.ErrorEvent(error={"message": "busy"}),
            il.ErrorEvent(error={"type": "overloaded_error", "message": "busy"}),
            il.OpaqueEvent(format="anthropic", value={"type": "message_pause"}),
            il.OpaqueEvent(format="anthropic", value={"type": "content_block_delta", "delta": {"type": "new_delta"}}),
            il.OpaqueEvent(format="openai", value={"type": "x"}),
            il.StreamEnd(),
        ]
    )
    assert chunks == [
        {"type": "error", "error": {"type": "api_error", "message": "busy"}},
        {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}},
        {"type": "message_pause"},
    ]


def test_events_that_make_no_message_are_a_stream_error() -> None:
    with pytest.raises(il.StreamError, match="part 0 has not begun"):
        il.writer("anthropic").feed(il.ArgumentsDelta(index=0, arguments="{}"))


@pytest.mark.parametrize("target", ["anthropic", "asktable"])
def test_a_stream_that_holds_everything_comes_back(target: il.FormatName) -> None:
    chunks: list[dict[str, Any]] = [
        {"type": "message_start", "message": BODY | {"content": [], "stop_reason": None, "container": None}},
        *block(0, {"type": "thinking", "thinking": "", "signature": ""}, {"type": "signature_delta", "signature": "c2ln"}),
        *block(1, {"type": "thinking", "thinking": ""}, {"type": "thinking_delta", "thinking": "hm"}),
        *block(2, {"type": "redacted_thinking", "data": "ZGF0YQ=="}),
        *block(3, TEXT | {"citations": []}, *text("Hi", "!"), {"type": "citations_delta", "citation": CITATION}),
        *block(4, SEARCH | {"input": {}}, *arguments('{"query": "x"}')),
        *block(5, BODY["content"][5]),
        *block(6, CALL | {"caller": {"type": "direct"}}, *arguments('{"a": ', "1.50}")),
        *block(7, TEXT),
        {**END[0], "delta": END[0]["delta"] | {"container": {"id": "c"}}, "context_management": {"applied_edits": []}},
        {"type": "message_stop", "amazon-bedrock-invocationMetrics": {"inputTokenCount": 1}},
    ]
    reader = il.reader(target)
    out, reported = written(reader.read(chunks), target)
    again = il.reader(target)
    list(again.read(out))
    assert again.response == reader.response
    assert reported == set()
    before, after = snapshot(chunks), snapshot(out)
    assert after == before


def test_input_spelled_as_text_comes_back_as_text() -> None:
    reader, again = il.reader("asktable"), il.reader("asktable")
    out, _ = written(reader.read([START, *block(0, CALL | {"input": "{ }"}), *END]), "asktable")
    list(again.read(out))
    assert again.response == reader.response
    assert again.response.message.tool_uses[0].input == "{ }"


@pytest.mark.traffic
def test_recorded_streams_come_back(traffic: Path) -> None:
    for file in sorted(traffic.glob("anthropic*.streams.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            chunks = [event["data"] for event in json.loads(line)["events"]]
            reader, again = il.reader("anthropic"), il.reader("anthropic")
            out, reported = written(reader.read(chunks))
            list(again.read(out))
            assert again.response == reader.response
            assert (reported, reader.complete) == (set(), True)


def test_a_results_name_has_no_place_in_either_spelling() -> None:
    message = il.ToolMessage(tool_call_id="c", name="f", content="x")
    for spelled, path in ((message, "/0/name"), (message.to_blocks(), "/0/content/0/name")):
        reported: list[il.Loss] = []
        il.dump([spelled], "anthropic", on_loss=reported.append)
        assert [(loss.kind, loss.path) for loss in reported] == [("dropped", path)]


def test_the_result_of_a_toolsets_call_names_the_toolset() -> None:
    call: dict[str, Any] = {"type": "tool_use", "id": "a", "name": "screenshot", "input": {}, "toolset_name": "computer"}
    result = {"type": "tool_result", "tool_use_id": "a", "content": "1"}
    answer = il.load_response(dict(BODY, content=[call]), "anthropic").message
    builder = il.ChatMessageBuilder()
    builder.append({"role": "user", "content": "Look."})
    builder.append(answer)
    [message] = il.tool_results(answer, [{"id": "a", "content": "1"}])
    builder.dump("anthropic")
    builder.append(message)
    body = builder.dump("anthropic")
    assert body["messages"][-1] == {"role": "user", "content": [dict(result, toolset_name="computer")]}
    loaded = {"messages": [*body["messages"][:-1], {"role": "user", "content": [result]}]}
    assert il.dump(il.load(loaded, "anthropic"), "anthropic") == loaded


def test_input_that_is_text_stays_the_text_that_it_is_in_a_stream() -> None:
    text = '{"a": 1, "a": 2}'
    call = il.ToolUseStart(index=0, id="a", name="f")
    events = flat(call, il.ArgumentsDelta(index=0, arguments=text), il.ToolUse(index=0, id="a", name="f", arguments=text))
    chunks, _ = written(events, "asktable")
    assert [use.arguments for use in il.accumulate(il.reader("asktable").read(chunks)).message.tool_uses] == [text]
