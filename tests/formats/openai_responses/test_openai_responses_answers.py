"""Responses of OpenAI Responses: what of one has which place, how each ends, and how their streams are read and written."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from formats.openai_responses.events import CALL, FORMAT, SAID, SEARCH, TEXT, THOUGHT, added, body, delta, done, stream
from interlingua import testing
from interlingua.codec.strategies.cutting import Hosts
from interlingua.testing.lawbook import documents, share
from interlingua.testing.splitting import split, streamable
from laws import recorded, sdks
from laws.streaming import difference, judged, read as read_stream

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


def load(*output: Any, **more: Any) -> il.Response:
    return il.load_response(body(*output, **more), FORMAT)


def parts(*output: Any) -> list[dict[str, Any]]:
    return [part.to_dict() for part in load(*output).message.parts]


# Responses


def test_items_are_parts_in_their_order() -> None:
    kinds = [(part["type"], part.get("thinking", part.get("data"))) for part in parts(THOUGHT, SEARCH, SAID, CALL)]
    reasoning = [("thinking", "One."), ("thinking", "Two."), ("thinking", "Three."), ("redacted_thinking", "eA==")]
    assert kinds == [*reasoning, ("opaque", None), ("text", None), ("tool_use", None)]
    assert [part.get("summary") for part in parts(THOUGHT)] == [True, True, None, None]


@pytest.mark.parametrize(
    ("output", "status", "details", "reason"),
    [
        ([SAID], "completed", None, ("stop", "completed")),
        ([SAID, CALL], "completed", None, ("tool_calls", "completed")),
        ([SAID], "incomplete", {"reason": "max_output_tokens"}, ("length", "max_output_tokens")),
        ([SAID], "incomplete", {"reason": "max_tokens"}, ("length", "max_tokens")),
        ([SAID], "incomplete", {"reason": "content_filter"}, ("content_filter", "content_filter")),
        ([SAID], "incomplete", {"reason": "steered"}, ("steered", "steered")),
        ([SAID], "incomplete", None, ("length", "incomplete")),
        ([], "queued", None, ("queued", "queued")),
        ([SAID], "cancelled", None, ("cancelled", "cancelled")),
        ([SAID], "failed", None, ("error", "failed")),
        ([SAID], "x_unknown", None, (None, None)),
    ],
)
def test_a_status_and_a_reason_say_how_a_response_ended(output: Any, status: str, details: Any, reason: Any) -> None:
    response = load(*output, status=status, incomplete_details=details)
    assert (response.stop_reason, response.native_stop_reason) == reason
    assert il.dump_response(response, FORMAT) == body(*output, status=status, incomplete_details=details)


@pytest.mark.parametrize(
    ("reason", "status", "details"),
    [
        ("length", "incomplete", {"reason": "max_output_tokens"}),
        ("stop", "completed", None),
        ("error", "failed", None),
        ("stop_sequence", "completed", None),
    ],
)
def test_an_edited_reason_is_written(reason: str, status: str, details: Any) -> None:
    response = load(SAID, incomplete_details=None)
    choice = response.choices[0].replace(stop_reason=reason)
    losses: list[il.Loss] = []
    out = il.dump_response(response.replace(choices=(choice,)), FORMAT, on_loss=losses.append)
    assert (out["status"], out.get("incomplete_details")) == (status, details)
    assert [loss.kind for loss in losses] == (["changed"] if reason == "stop_sequence" else [])


def test_calls_say_by_themselves_that_they_end_a_response() -> None:
    called = il.AssistantMessage(tool_calls=[il.ToolCall(id="a", name="f", arguments="{}")])
    for message, reason, lost in (
        (called, "tool_calls", False),
        (called, "stop", True),
        (il.AssistantMessage(content="Hi."), "tool_calls", True),
    ):
        losses: list[il.Loss] = []
        response = il.Response(choices=[il.Choice(message=message, stop_reason=reason)])
        assert il.dump_response(response, FORMAT, on_loss=losses.append)["status"] == "completed"
        assert [loss.path for loss in losses] == (["/choices/0/stop_reason"] if lost else [])


def test_items_from_elsewhere_get_what_items_of_responses_have() -> None:
    message = il.AssistantMessage(
        content="Hi.", reasoning_content="Hm.", tool_calls=[il.ToolCall(id="call_0", name="f", arguments="{}")]
    )
    response = il.Response(id="x", choices=[il.Choice(message=message, stop_reason="tool_calls")])
    out = il.dump_response(response, FORMAT, on_loss="raise")
    assert out["output"] == [
        {"type": "reasoning", "id": "rs_x_0", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm."}]},
        SAID | {"id": "msg_x_1"},
        {"type": "function_call", "id": "fc_x_2", "call_id": "call_0", "name": "f", "arguments": "{}", "status": "completed"},
    ]


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ({"type": "function", "function": {"name": "f", "arguments": "{}"}}, "function_call"),
        ({"type": "custom", "custom": {"name": "f", "input": "{}"}}, "custom_tool_call"),
    ],
)
def test_calls_from_elsewhere_say_whether_they_are_complete(call: dict[str, Any], kind: str) -> None:
    """As the server's do; the AI SDK passes over the end of a function call without `status`, and so the call."""
    calls = {"role": "assistant", "tool_calls": [{"index": 0, "id": "call_0", **call}]}
    choice = {"index": 0, "delta": calls, "finish_reason": "tool_calls"}
    chunk = {"id": "x", "object": "chat.completion.chunk", "choices": [choice]}
    sent = list(il.restream([chunk], source="openai_chat", target=FORMAT, on_loss="ignore"))
    items = [(event["type"], event["item"]["type"], event["item"].get("status")) for event in sent if "item" in event]
    assert items == [
        ("response.output_item.added", kind, "in_progress"),
        ("response.output_item.done", kind, "completed"),
    ]
    assert [item.get("status") for item in sent[-1]["response"]["output"]] == ["completed"]


PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
DRAWN = {"type": "image_generation_call", "id": "ig_x_1", "status": "completed", "result": PNG}


def of_gemini(*parts: dict[str, Any], stop: str | None = None) -> dict[str, Any]:
    return {"responseId": "x", "candidates": [{"content": {"role": "model", "parts": list(parts)}, "finishReason": stop}]}


def test_an_image_from_elsewhere_is_the_item_of_a_tool_that_made_it() -> None:
    parts: list[dict[str, Any]] = [{"text": "Hi."}, {"inlineData": {"mimeType": "image/png", "data": PNG}}, {"text": "Hi."}]
    items = [SAID | {"id": "msg_x_0"}, DRAWN, SAID | {"id": "msg_x_2"}]
    losses: list[il.Loss] = []
    response = il.load_response(of_gemini(*parts, stop="STOP"), "gemini")
    assert il.dump_response(response, FORMAT, on_loss=losses.append)["output"] == items
    assert [(loss.kind, loss.path) for loss in losses] == [("changed", "/choices/0/message/content/1")]
    stream = il.restream(
        [*(of_gemini(part) for part in parts), of_gemini(stop="STOP")], source="gemini", target=FORMAT, on_loss="ignore"
    )
    sent = list(stream)
    assert sent[-1]["response"]["output"] == items
    assert [(loss.kind, loss.path) for loss in stream.losses] == [("changed", "/choices/0/message/content/1")]
    begun = [event["item"] for event in sent if event["type"] == "response.output_item.added"]
    assert begun[1] == DRAWN | {"status": "in_progress", "result": None}
    assert [event["item"] for event in sent if event["type"] == "response.output_item.done"] == items
    back = il.dump_response(il.load_response(sent[-1]["response"], FORMAT), "gemini", on_loss="ignore")
    assert back["candidates"][0]["content"]["parts"] == parts


@pytest.mark.parametrize("data", ["AAAA", ""])
def test_an_image_whose_bytes_do_not_tell_its_type_has_no_place(data: str) -> None:
    wire = of_gemini({"text": "Hi."}, {"inlineData": {"mimeType": "image/png", "data": data}}, stop="STOP")
    losses: list[il.Loss] = []
    out = il.dump_response(il.load_response(wire, "gemini"), FORMAT, on_loss=losses.append)
    assert out["output"] == [SAID | {"id": "msg_x_0"}]
    assert [(loss.kind, loss.path) for loss in losses] == [("dropped", "/choices/0/message/content/1")]


ANNOTATION = {"type": "url_citation", "url": "https://a.example", "title": "A", "start_index": 0, "end_index": 3}


@pytest.mark.parametrize("repeated", [0, 1, 2], ids=["no end", "an end without it", "an end with it"])
def test_a_citation_that_came_on_its_own_stays(repeated: int) -> None:
    """Servers repeat it at the end of the part; hosts that build the stream from another one may not."""
    where = {"output_index": 0, "item_id": "m", "content_index": 0}
    text = {"type": "output_text", "text": "Hi.", "annotations": [ANNOTATION] if repeated == 2 else []}
    item = SAID | {"id": "m", "content": [text]}
    chunks: list[dict[str, Any]] = [
        {"type": "response.created", "response": {"id": "x", "object": "response", "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": item | {"content": []}},
        {"type": "response.output_text.delta", **where, "delta": "Hi."},
        {"type": "response.output_text.annotation.added", **where, "annotation_index": 0, "annotation": ANNOTATION},
        *([{"type": "response.content_part.done", **where, "part": text}] if repeated else []),
        *([{"type": "response.output_item.done", "output_index": 0, "item": item}] if repeated else []),
        {
            "type": "response.completed",
            "response": {"id": "x", "object": "response", "status": "completed", "output": [item] if repeated else []},
        },
    ]
    reader = il.reader(FORMAT)
    for chunk in chunks:
        reader.feed(chunk)
    (part,) = reader.response.message.parts
    assert part.to_dict()["citations"] == [{"type": "url", "url": "https://a.example", "title": "A", "start": 0, "end": 3}]
    sent = list(il.restream(chunks, source=FORMAT, target="openai_chat", on_loss="ignore"))
    cited = [chunk["choices"][0]["delta"]["annotations"] for chunk in sent if "annotations" in chunk["choices"][0]["delta"]]
    assert [[each["url_citation"]["url"] for each in found] for found in cited] == [["https://a.example"]]


def test_only_one_answer_has_a_place() -> None:
    choice = il.Choice(message=il.AssistantMessage(content="Hi."), incomplete=True, stop_sequence="x")
    losses: list[il.Loss] = []
    il.dump_response(il.Response(choices=[choice, choice]), FORMAT, on_loss=losses.append)
    lost = {("dropped", "/choices/1"), ("dropped", "/choices/0/incomplete"), ("dropped", "/choices/0/stop_sequence")}
    assert {(loss.kind, loss.path) for loss in losses} == lost


def test_what_repeats_the_request_is_no_reason_to_warn() -> None:
    losses: list[il.Loss] = []
    response = load(SAID, tools=[], instructions="x", temperature=1.0, service_tier="default", x_unknown=1)
    il.dump_response(response, "anthropic", on_loss=losses.append)
    lost = {loss.path for loss in losses if loss.kind != "response_only" and loss.path.startswith("/provider_data")}
    assert lost == {"/provider_data/openai_responses/x_unknown"}


def test_unknown_fields_and_items_come_back() -> None:
    odd = body(SAID | {"x": 1}, {"type": "x", "y": [None]}, CALL | {"z": None}, THOUGHT | {"w": {}}, v={"u": 1})
    del odd["object"]
    assert il.dump_response(il.load_response(odd, FORMAT), FORMAT, on_loss="raise") == odd


# Failures

ERROR = {"code": "server_error", "message": "sorry"}


def test_a_response_that_failed_and_says_nothing_is_an_error() -> None:
    failed = body(status="failed", error=ERROR)
    with pytest.raises(il.ProviderError) as raised:
        il.load_response(failed, FORMAT)
    assert (raised.value.message, raised.value.code) == ("sorry", "server_error")
    assert il.dump_error(raised.value, FORMAT) == failed


def test_a_response_that_failed_after_it_said_something_is_one() -> None:
    failed = body(SAID, status="failed", error=ERROR)
    response = il.load_response(failed, FORMAT)
    assert (response.stop_reason, response.message.text) == ("error", "Hi.")
    assert il.dump_response(response, FORMAT, on_loss="raise") == failed


def test_a_stream_that_fails_raises_after_its_events() -> None:
    failed = body(SAID, status="failed", error=ERROR)
    reader = il.reader(FORMAT)
    events: list[il.Event] = []
    with pytest.raises(il.ProviderError, match="sorry"):
        events.extend(reader.read(split(failed, FORMAT, Random(0))))
    assert reader.response == il.load_response(failed, FORMAT)
    written = chunks_of(events)
    assert [chunk["type"] for chunk in written if chunk["type"] in ("error", "response.failed")] == ["response.failed"]
    assert written[-1]["response"] == failed


@pytest.mark.parametrize("error", [{"code": "a", "message": "no", "param": None}, {"error": {"message": "no", "code": "a"}}])
def test_an_error_event_is_read_in_either_shape_and_written_flat(error: dict[str, Any]) -> None:
    reader = il.reader(FORMAT)
    events = reader.feed({"type": "error", "sequence_number": 0, **error})
    assert reader.error is not None
    assert (reader.error.message, reader.error.code) == ("no", "a")
    chunk, failed = chunks_of(events)
    assert (failed["type"], failed["response"]["error"]) == ("response.failed", {"code": "server_error", "message": "no"})
    assert sdks.chunk_faults(chunk, FORMAT) == []
    assert (chunk["message"], chunk["code"]) == ("no", "a")


def test_an_error_ends_the_bytes_of_a_stream_once() -> None:
    said = list(il.sse([{"type": "error", "message": "no", "code": None, "param": None, "sequence_number": 0}], FORMAT))
    assert [line.split(b"\n")[0] for line in said] == [b"event: error"]


# Reading streams


def chunks_of(events: Iterable[il.Event], target: il.FormatName = FORMAT) -> list[dict[str, Any]]:
    writer = il.writer(target)
    return [chunk for event in events for chunk in writer.feed(event)]


EMPTY: dict[str, Any] = SAID | {"content": [], "status": "in_progress"}


def test_text_comes_as_it_is_said_and_the_end_of_its_item_says_the_rest() -> None:
    whole: dict[str, Any] = SAID | {"content": [TEXT | {"logprobs": [{"token": "Hi."}]}]}
    chunks = stream(
        added(EMPTY), *(delta("output_text", each, content_index=0) for each in ("H", "i.")), done(whole), end=body(whole)
    )
    reader, events = read_stream(chunks, FORMAT)
    assert [event.text for event in events if isinstance(event, il.TextDelta)] == ["H", "i."]
    assert reader.response == load(whole)


@pytest.mark.parametrize("item", [SAID, CALL, THOUGHT, SEARCH])
@pytest.mark.parametrize("says", ["added", "done", "deltas", "nothing", "another"])
def test_whatever_else_says_it_the_last_snapshot_counts(item: dict[str, Any], says: str) -> None:
    between = {
        "added": [added(item, status="in_progress")],
        "done": [done(item)],
        "deltas": [delta("output_text", "Hi", content_index=0), delta("output_text", "!", content_index=0)],
        "nothing": [],
        "another": [added(item, id="other"), done(item | {"id": "another", "x": 1})],
    }
    reader, _ = read_stream(stream(*between[says], end=body(item)), FORMAT)
    if says == "another":
        reader.response.to_dict()  # the field `x` stays
    elif says == "deltas" and item is not SAID:
        assert reader.response.message.parts[0].type == load(item).message.parts[0].type
    else:
        assert reader.response == load(item)


def test_a_response_that_is_done_is_complete() -> None:
    chunks = stream(added(SAID, status="in_progress"), done(SAID), end=body(SAID))
    reader, events = read_stream([*chunks[:-1], chunks[-1] | {"type": "response.done"}], FORMAT)
    assert reader.response == load(SAID)
    assert [event.type for event in events[-2:]] == ["stop", "end"]


def test_a_last_snapshot_without_the_items_that_came_means_what_the_whole_does() -> None:
    reader, _ = read_stream(stream(added(CALL, status="in_progress"), done(CALL), end=body()), FORMAT)
    assert reader.response == load(CALL)


@pytest.mark.parametrize("item", [SAID, THOUGHT, CALL], ids=lambda item: str(item["type"]))
@pytest.mark.parametrize("last", [True, False], ids=["in the last snapshot", "not in the last snapshot"])
def test_an_end_that_leaves_out_what_came_takes_nothing_back(item: dict[str, Any], last: bool) -> None:
    """As a gateway ends the items of other providers' models (agentgateway)."""
    name, index = {
        "message": ("output_text", {"content_index": 0}),
        "reasoning": ("reasoning_summary_text", {"summary_index": 0}),
        "function_call": ("function_call_arguments", {}),
    }[str(item["type"])]
    left_out: dict[str, Any] = {"content": [], "summary": [], "arguments": ""}
    bare = {key: left_out.get(key, value) for key, value in item.items() if key != "encrypted_content"}
    part = {"type": "response.content_part.done", "output_index": 0, "content_index": 0, "part": TEXT | {"text": ""}}
    events = [added(bare), delta(name, '{"a":', **index), delta(name, "1}", **index), *([part] if item is SAID else [])]
    chunks = stream(*events, done(bare), end=body(*([bare] if last else [])))
    reader, _ = read_stream(chunks, FORMAT)
    (said,) = reader.response.message.parts
    assert next(said.get(field) for field in ("text", "thinking", "input") if said.get(field)) == '{"a":1}'
    for target in ("anthropic", "openai_chat"):
        again = il.reader(target)
        for chunk in il.restream(chunks, source=FORMAT, target=target):
            again.feed(chunk)
        assert again.response.message.text == reader.response.message.text


def test_an_unknown_field_beside_any_piece_of_text_is_passed_on() -> None:
    item = SAID | {"content": [TEXT | {"text": "Hi, you."}]}
    pieces = [delta("output_text", text, content_index=0, **more) for text, more in (("Hi", {}), (", you.", {"emphasis": 1}))]
    events = list(il.reader(FORMAT).read(stream(added(item, content=[]), *pieces, done(item), end=body(item))))
    assert [event.value for event in events if event.type == "opaque"] == [{"type": pieces[1]["type"], "emphasis": 1}]
    assert [event.text for event in events if event.type == "text"] == ["Hi", ", you."]


def test_events_of_an_item_wait_until_the_parts_of_the_one_before_it_are_known() -> None:
    chunks = stream(
        added(EMPTY),
        delta("output_text", "H", content_index=0),
        added(CALL, 1, arguments=""),
        delta("function_call_arguments", '{"a"', 1),
        delta("output_text", "i.", content_index=0),
        done(SAID),
        delta("function_call_arguments", ":1}", 1),
        done(CALL, 1),
        end=body(SAID, CALL),
    )
    reader, events = read_stream(chunks, FORMAT)
    said = [event.arguments for event in events if isinstance(event, il.ArgumentsDelta)]
    assert (said, reader.response) == (['{"a"', ":1}"], load(SAID, CALL))
    started = next(place for place, event in enumerate(events) if isinstance(event, il.ToolUseStart))
    assert max(place for place, event in enumerate(events) if isinstance(event, il.TextDelta)) < started


def test_progress_of_built_in_tools_is_passed_on() -> None:
    progress = {"type": "response.web_search_call.searching", "output_index": 0, "item_id": "ws_0", "sequence_number": 9}
    chunks = stream(added(SEARCH, status="in_progress"), progress, done(SEARCH), end=body(SEARCH))
    _, events = read_stream(chunks, FORMAT)
    written = chunks_of(events)
    assert [chunk["type"] for chunk in written] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.web_search_call.searching",
        "response.output_item.done",
        "response.completed",
    ]
    assert [chunk["sequence_number"] for chunk in written] == list(range(6))
    assert not any("searching" in str(chunk) for chunk in chunks_of(events, "anthropic"))


def test_a_host_may_leave_out_indices_and_the_items_that_deltas_belong_to() -> None:
    bare = [{"type": "response.created", "response": {"id": "x"}}, {"type": "response.output_text.delta", "delta": "Hi."}]
    reader, events = read_stream([*bare, "[DONE]"], FORMAT)
    assert (reader.response.message.text, reader.complete, reader.response.id) == ("Hi.", True, "x")
    assert any(isinstance(event, il.StreamEnd) for event in events)


@given(chunks=testing.chunks(FORMAT), ends=st.booleans())
def test_items_that_a_host_gives_one_index_stay_apart(chunks: list[Any], ends: bool) -> None:
    """As some compatible hosts do; the last snapshot may be missing."""
    sent = [chunk for chunk in chunks if ends or chunk.get("type") not in ("response.completed", "response.incomplete")]
    same = [{**chunk, "output_index": 0} if "output_index" in chunk else chunk for chunk in sent]
    share.judged(len({chunk["output_index"] for chunk in sent if "output_index" in chunk}) > 1, least=0.3)
    one, other = il.reader(FORMAT), il.reader(FORMAT)
    for mine, theirs in zip(sent, same, strict=True):
        one.feed(mine)
        other.feed(theirs)
    assert other.response.message == one.response.message


def test_a_whole_response_in_place_of_a_stream_is_read() -> None:
    reader, _ = read_stream([body(SAID, CALL)], FORMAT)
    assert reader.response == load(SAID, CALL)


@pytest.mark.parametrize(
    "chunk",
    [
        {"type": 5},
        {"type": "response.output_text.delta", "delta": 5},
        {"type": "response.output_text.delta", "delta": "x", "content_index": []},
        {"type": "response.output_item.added", "output_index": "0", "item": {}},
        {"type": "response.output_item.added", "output_index": 0, "item": []},
        {"type": "response.output_item.done", "output_index": 0, "item": CALL | {"name": 5}},
        {"type": "response.content_part.added", "output_index": 0, "part": {"type": []}},
        {"type": "response.completed", "response": {"output": 5}},
    ],
)
def test_a_malformed_event_is_a_stream_error(chunk: Any) -> None:
    with pytest.raises(il.StreamError, match="/"):
        list(il.reader(FORMAT).read([{"type": "response.created", "response": body()}, chunk]))


def test_a_malformed_event_that_waits_is_a_stream_error_at_the_end() -> None:
    waiting = {"type": "response.output_item.done", "output_index": 1, "item": {"type": "function_call"}}
    reader = il.reader(FORMAT)
    chunks: list[Any] = [{"type": "response.created", "response": {}}, delta("output_text", "one ", content_index=0), waiting]
    for chunk in chunks:
        reader.feed(chunk)
    with pytest.raises(il.StreamError, match="/name"):
        reader.feed("[DONE]")


_FIRST: dict[str, dict[str, Any]] = {
    "function_call": {"type": "function_call", "id": "i", "call_id": "c", "name": "f", "arguments": ""},
    "custom_tool_call": {"type": "custom_tool_call", "id": "i", "call_id": "c", "name": "f", "input": ""},
    "web_search_call": {"type": "web_search_call", "id": "i", "status": "in_progress"},
    "message": {"type": "message", "id": "i", "role": "assistant", "status": "in_progress", "content": []},
    "reasoning": {"type": "reasoning", "id": "i", "summary": []},
}
_THEN: dict[str, dict[str, Any]] = {
    "function_call": {**_FIRST["function_call"], "arguments": '{"a": 1}'},
    "custom_tool_call": {**_FIRST["custom_tool_call"], "input": "x"},
    "web_search_call": {**_FIRST["web_search_call"], "status": "completed", "action": {"type": "search", "query": "q"}},
    "message": {
        **_FIRST["message"],
        "status": "completed",
        "content": [{"type": "output_text", "text": "Hi", "annotations": []}],
    },
    "reasoning": {**_FIRST["reasoning"], "summary": [{"type": "summary_text", "text": "hm"}]},
}


@pytest.mark.parametrize("begins", _FIRST)
@pytest.mark.parametrize("becomes", _THEN)
def test_an_item_is_what_its_end_says(begins: str, becomes: str) -> None:
    item = _THEN[becomes]
    whole = {"id": "r", "object": "response", "status": "completed", "output": [item]}
    chunks: list[Any] = [
        {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": _FIRST[begins]},
    ]
    done = {"type": "response.output_item.done", "output_index": 0, "item": item}
    completed = {"type": "response.completed", "response": whole}
    for ends in ([done, completed], [completed]):
        events = list(il.reader(FORMAT).read([*chunks, *ends]))
        said = il.load_response(whole, FORMAT).message.parts
        assert [each.to_dict() for each in il.accumulate(events).message.parts] == [each.to_dict() for each in said]
        for target in il.FORMATS.values():
            if target.writing is not None:
                writer = il.writer(target)
                for event in events:
                    writer.feed(event)


def test_the_work_for_an_event_does_not_depend_on_how_many_items_wait() -> None:
    from laws.steps import steps

    def waiting(count: int) -> list[dict[str, Any]]:
        items = [CALL | {"id": f"fc_{n}", "call_id": f"call_{n}"} for n in range(1, count)]
        later = [event for n, item in enumerate(items, 1) for event in (added(item, n, arguments=""), done(item, n))]
        return stream(added(EMPTY), *later, done(SAID), end=body(SAID, *items))

    def work(count: int) -> int:
        chunks = waiting(count)
        return steps(lambda: list(il.restream(iter(chunks), source=FORMAT, target=FORMAT)))

    work(2)
    assert work(80) < 2.2 * work(40)


# Writing streams


def _folded(chunks: list[dict[str, Any]]) -> dict[str, Any]:
    """The response that the official SDK makes of a stream."""
    fold = sdks.SDKS[FORMAT].fold
    assert fold is not None
    return fold(chunks)


@given(testing.responses(FORMAT, odd=False), st.integers(0, 2**32).map(Hosts))
def test_the_official_sdk_puts_together_what_is_written(whole: dict[str, Any], random: Random) -> None:
    written = chunks_of(read_stream(split(whole, FORMAT, random), FORMAT)[1])
    assert [fault for chunk in written for fault in sdks.chunk_faults(chunk, FORMAT)] == []
    folded = _folded(written)
    again, expected = il.load_response(_without_parsed(folded), FORMAT), il.load_response(whole, FORMAT)
    assert difference(expected, again) == ""


def _without_parsed(value: Any) -> Any:
    """A response without what the SDK adds of its own: the parsed text and arguments."""
    if documents.is_array(value):
        return [_without_parsed(item) for item in value]
    if not documents.is_object(value):
        return value
    return {key: _without_parsed(item) for key, item in value.items() if key not in ("parsed", "parsed_arguments")}


@given(testing.responses(FORMAT), st.integers(0, 2**32).map(Hosts))
def test_a_stream_written_again_ends_in_the_same_response(whole: dict[str, Any], random: Random) -> None:
    sent = streamable(whole, FORMAT)
    assert sent is not None
    written = chunks_of(read_stream(split(sent, FORMAT, random), FORMAT)[1])
    assert documents.canonical(written[-1]["response"]) == documents.canonical(sent)
    items = [chunk["item"] for chunk in written if chunk["type"] == "response.output_item.done"]
    assert documents.canonical(items) == documents.canonical(sent["output"])


def test_custom_calls_come_in_deltas_too() -> None:
    custom = {"type": "custom_tool_call", "id": "ctc_0", "call_id": "call_0", "name": "f", "input": "print(1)"}
    reader, events = read_stream(split(body(custom), FORMAT, Random(1)), FORMAT)
    assert reader.response == load(custom)
    deltas = [chunk["delta"] for chunk in chunks_of(events) if chunk["type"] == "response.custom_tool_call_input.delta"]
    assert "".join(deltas) == "print(1)"


# Recorded


@pytest.mark.traffic
@pytest.mark.parametrize("api", ["openai_responses", "openai_responses_compat", "azure_openai_responses"])
def test_recorded_streams_fold_to_their_last_snapshot(traffic: Path, api: str) -> None:
    def judge(record: recorded.Record) -> Iterator[str]:
        last = next(chunk["response"] for chunk in reversed(record.body) if "response" in chunk and chunk != "[DONE]")
        reader, events = read_stream(record.body, FORMAT)
        if not share.judged(record.id not in recorded.JOINED, least=0.95):
            return
        yield from filter(None, [difference(il.load_response(last, FORMAT), reader.response)])
        written = chunks_of(events)
        if documents.canonical(written[-1]["response"]) != documents.canonical(last):
            yield f"written: {documents.difference(last, written[-1]['response'])}"
        if json.loads(json.dumps(written)) != written:
            yield "the chunks are not JSON"
        if record.id not in recorded.RENAMED and written[-1]["type"] == "response.completed":
            _folded(written)

    judged(recorded.streams(traffic, api), judge)
