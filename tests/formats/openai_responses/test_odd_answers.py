"""Odd responses of OpenAI Responses: items that change their type, have none, or come as few hosts send them."""

from typing import Any

import pytest

import interlingua as il
from formats.openai_responses.events import CALL, FORMAT, SAID, TEXT, THOUGHT, added, body, delta, done, stream
from laws.streaming import read as read_stream

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


@pytest.mark.parametrize("named", ["response.compaction", None, []])
def test_a_response_says_again_what_object_it_is(named: Any) -> None:
    wire: dict[str, Any] = {"id": "resp_0", "object": named, "output": []}
    assert il.dump_response(il.load_response(wire, FORMAT), FORMAT, on_loss="raise") == wire


@pytest.mark.parametrize("content", [None, 5, ["x"]])
def test_an_item_built_by_hand_that_is_no_message_is_written_as_it_is(content: Any) -> None:
    value = {"type": "message", "id": "msg_0", "role": "assistant", "status": "completed", "content": content}
    message = il.AssistantMessage(content=[il.OpaquePart(format="openai_responses", value=value)])
    assert il.dump_response(il.Response(choices=[il.Choice(message=message)]), FORMAT)["output"] == [value]


@pytest.mark.parametrize("output", [None, []])
def test_an_answer_without_items_has_the_text_that_sdks_put_beside_them(output: Any) -> None:
    wire: dict[str, Any] = {**body(), "output": output, "output_text": "Hello."}
    response = il.load_response(wire, FORMAT)
    assert il.dump_response(response, FORMAT, on_loss="raise") == wire
    message: Any = il.dump_response(response, "openai_chat")["choices"][0]["message"]
    assert message["content"] == "Hello."
    edited = response.replace(choices=[il.Choice(message=response.message.replace(content="Bye."))])
    assert il.dump_response(edited, FORMAT)["output_text"] == "Bye."


@pytest.mark.parametrize("text", ["", None, 5])
def test_an_output_text_that_says_nothing_is_kept(text: Any) -> None:
    wire: dict[str, Any] = {**body(), "output": [], "output_text": text}
    assert il.dump_response(il.load_response(wire, FORMAT), FORMAT, on_loss="raise") == wire


def test_a_part_of_an_item_of_an_unknown_type_that_is_done_breaks_no_stream() -> None:
    item = {"type": "novel", "id": "n_0", "content": [{"type": "novel_text", "text": "x"}]}
    at = {"item_id": "n_0", "output_index": 0, "content_index": 0, "part": item["content"][0]}
    chunks: list[dict[str, Any]] = [
        {"type": "response.created", "response": {"id": "resp_0", "object": "response", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": []}},
        {"type": "response.content_part.added", **at},
        {"type": "response.content_part.done", **at},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": body(item)},
    ]
    reader = il.reader(FORMAT)
    for chunk in chunks:
        reader.feed(chunk)
    assert il.dump_response(reader.response, FORMAT) == body(item)


def test_a_part_that_becomes_one_of_another_kind_before_it_said_anything_breaks_no_stream() -> None:
    image = {"type": "input_image", "image_url": "https://e.org/a.png", "detail": "low"}
    begun = {"type": "output_text", "text": ""}
    chunks: list[dict[str, Any]] = [
        {"type": "response.created", "response": {"id": "resp_0", "object": "response", "output": []}},
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {"type": "message", "role": "assistant", "content": []},
        },
        {"type": "response.content_part.added", "output_index": 0, "content_index": 0, "part": begun},
        {
            "type": "response.output_item.done",
            "output_index": 0,
            "item": {"type": "message", "role": "assistant", "content": [image]},
        },
        {"type": "response.completed", "response": body({"type": "message", "role": "assistant", "content": [image]})},
    ]
    reader = il.reader(FORMAT)
    for chunk in chunks:
        reader.feed(chunk)
    assert [part.type for part in reader.response.message.parts] == ["image"]


def test_a_call_that_turns_out_to_be_something_else_breaks_no_stream_that_is_written() -> None:
    novel = {"type": "novel", "id": "fc_0"}
    chunks: list[dict[str, Any]] = [
        {"type": "response.created", "response": {"id": "resp_0", "object": "response", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": {**CALL, "arguments": ""}},
        {"type": "response.output_item.done", "output_index": 0, "item": novel},
        {"type": "response.completed", "response": body(novel)},
    ]
    for target in il.FORMATS.values():
        if target.writing is not None:
            list(il.restream(chunks, source=FORMAT, target=target, on_loss="ignore"))


def test_arguments_of_a_call_that_the_last_snapshot_made_a_text_are_a_stream_error() -> None:
    reader = il.reader(FORMAT)
    for chunk in stream(done(CALL), end=body(SAID)):
        reader.feed(chunk)
    with pytest.raises(il.StreamError, match="has become text"):
        reader.feed(delta("function_call_arguments", "{}"))


@pytest.mark.parametrize("target", [target for target in il.FORMATS.values() if target.writing is not None])
@pytest.mark.parametrize(("before", "after"), [(SAID, CALL), (CALL, SAID), (THOUGHT, CALL), (CALL, THOUGHT)])
def test_an_item_that_becomes_one_of_another_kind_twice_breaks_no_stream_that_is_written(
    before: Any, after: Any, target: il.Format
) -> None:
    chunks = stream(added(before), done(before), done(after), end=body(after))
    list(il.restream([*chunks, *chunks[-1:]], source=FORMAT, target=target, on_loss="ignore"))


def test_a_text_without_its_text_is_written_as_it_was() -> None:
    bare = {"type": "message", "content": [{"type": "output_text"}]}
    chunks = list(il.restream(stream(done(bare), end=body(bare)), source=FORMAT, target=FORMAT, on_loss="ignore"))
    assert [chunk["item"] for chunk in chunks if chunk["type"] == "response.output_item.done"] == [bare]


BEGUN: list[list[Any]] = [
    [{"type": "response.output_item.added", "output_index": 0, "item": CALL | {"arguments": "", "status": "in_progress"}}],
    [
        {"type": "response.output_item.added", "output_index": 0, "item": SAID | {"content": [], "status": "in_progress"}},
        {"type": "response.content_part.added", "output_index": 0, "content_index": 0, "part": TEXT | {"text": ""}},
    ],
]


@pytest.mark.parametrize(("begun", "item"), [(BEGUN[0], CALL), (BEGUN[1], SAID)], ids=["a call", "a text"])
@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse", "gemini", "openai_chat"])
def test_what_only_the_last_snapshot_has_goes_out_before_the_item_ends(
    begun: list[Any], item: dict[str, Any], target: il.FormatName
) -> None:
    response: Any = {"id": "r", "object": "response", "created_at": 1, "model": "m", "status": "in_progress", "output": []}
    final: Any = {"type": "response.completed", "response": response | {"status": "completed", "output": [item]}}
    losses: list[il.Loss] = []
    chunks: list[Any] = [{"type": "response.created", "response": response}, *begun, final]
    sent = [*il.restream(chunks, source=FORMAT, target=target, on_loss=losses.append)]
    said = il.load_response(final["response"], FORMAT).message
    reader, _ = read_stream(sent, target)
    assert reader.response is not None
    back = reader.response.message
    assert (back.text, [call.parsed for call in back.tool_uses]) == (said.text, [call.parsed for call in said.tool_uses])
    assert [loss for loss in losses if loss.kind != "response_only"] == []


@pytest.mark.parametrize(
    "fault",
    [
        {"error": {"type": "server_error", "code": "server_error", "message": "boom"}},
        {"message": "boom", "code": "server_error"},
        {"error": "boom"},
        {"response": {"id": "r", "status": "failed", "output": [], "error": {"code": "server_error", "message": "boom"}}},
    ],
    ids=["nested", "flat", "a text", "in a snapshot"],
)
def test_some_gateways_call_the_event_of_an_error_response_error(fault: dict[str, Any]) -> None:
    """Clients of such gateways read it: `{"type": "response.error", "error": {...}}`, or with the fields beside the type."""
    begun: dict[str, Any] = {"type": "response.created", "response": {"id": "r", "status": "in_progress", "output": []}}
    reader = il.reader("openai_responses")
    for chunk in (begun, {"type": "response.error", "sequence_number": 1, **fault}):
        reader.feed(chunk)
    error = reader.error
    assert error is not None
    assert (error.message, error.code) == ("boom", None if fault == {"error": "boom"} else "server_error")
    with pytest.raises(il.ProviderError):
        list(il.restream([begun, {"type": "response.error", **fault}], source="openai_responses", target="anthropic"))


@pytest.mark.parametrize("kind", [[], ["function_call"], {}])
def test_the_type_of_an_item_may_be_anything(kind: Any) -> None:
    stages = ("response.output_item.added", "response.output_item.done")
    chunks = [{"type": stage, "output_index": 0, "item": {"type": kind, "name": "f"}} for stage in stages]
    with pytest.raises(il.InterlinguaError):
        il.accumulate(il.reader("openai_responses").read(chunks))


# Codex's server, behind some gateways, gives one index to a call, its reasoning and its text, and adds only the call
# (router-for-me/CLIProxyAPI#539).
@pytest.mark.parametrize("ended", [True, False])
def test_items_that_share_an_index_without_being_added_keep_their_texts(ended: bool) -> None:
    summary = {"item_id": "rs_0", "summary_index": 0, "part": {"type": "summary_text", "text": ""}}
    chunks: list[dict[str, Any]] = [
        {"type": "response.created", "response": {"id": "resp_0", "object": "response", "output": []}},
        added(CALL | {"arguments": ""}),
        delta("function_call_arguments", "{}", item_id=CALL["id"]),
        *([done(CALL | {"arguments": "{}"})] if ended else []),
        {"type": "response.reasoning_summary_part.added", "output_index": 0, **summary},
        delta("reasoning_summary_text", "Hm", item_id="rs_0", summary_index=0),
        delta("reasoning_summary_text", ".", item_id="rs_0", summary_index=0),
        delta("output_text", "Hi", item_id="msg_0", content_index=0),
        delta("output_text", "!", item_id="msg_0", content_index=0),
        {"type": "response.completed", "response": {"id": "resp_0", "status": "completed", "output": []}},
    ]
    reader, _ = read_stream(chunks, FORMAT)
    message = reader.response.message
    assert [part.type for part in message.parts] == ["tool_use", "thinking", "text"]
    assert (message.thinking, message.text) == ("Hm.", "Hi!")
    assert reader.response.stop_reason == "tool_calls"


CUSTOM = {"type": "custom_tool_call", "id": "ctc_0", "call_id": "call_1", "name": "f", "input": "a"}
ENDS: dict[str, tuple[dict[str, Any], str, str]] = {
    "output_text": (SAID, "text", "Hi."),
    "refusal": (SAID, "refusal", "No."),
    "function_call_arguments": (CALL, "arguments", '{"a":1}'),
    "custom_tool_call_input": (CUSTOM, "input", "a"),
    "reasoning_text": (THOUGHT, "text", "Three."),
    "reasoning_summary_text": (THOUGHT, "text", "One."),
}
"""For each kind of text, the item that has it, the field of the event that ends it, and the text."""


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("name", ENDS)
def test_a_text_that_comes_only_in_the_event_that_ends_it_is_read(name: str, begun: bool) -> None:
    item, field, whole = ENDS[name]
    start = {key: value for key, value in item.items() if key not in ("content", "summary", "arguments", "input")}
    deltas = [delta(name, part) for part in (whole[:1], whole[1:])] if begun else []
    end = {"type": f"response.{name}.done", "output_index": 0, field: whole}
    chunks = stream(added(start), *deltas, end, end, end=body())
    sent = list(il.restream(chunks, source=FORMAT, target="anthropic"))
    pieces = [chunk["delta"] for chunk in sent if chunk["type"] == "content_block_delta"]
    grown = [piece.get("text") or piece.get("thinking") or piece.get("partial_json") or "" for piece in pieces]
    assert "".join(grown) == (whole if item is not CUSTOM else '{"input": "a"}')


@pytest.mark.parametrize(
    "odd", [{"content_index": "x"}, {"text": None}, {"text": 5}, {"output_index": None}, {"output_index": 7}]
)
def test_an_odd_event_that_ends_a_text_says_nothing(odd: dict[str, Any]) -> None:
    end = {"type": "response.output_text.done", "output_index": 0, "content_index": 0, "text": "Hi.", **odd}
    chunks = stream(added(SAID, content=[]), delta("output_text", "H"), end, done(SAID), end=body(SAID))
    reader, _ = read_stream(chunks, FORMAT)
    assert reader.response == il.load_response(body(SAID), FORMAT)


def told(chunks: list[dict[str, Any]]) -> tuple[str, list[str]]:
    """What a client of Chat Completions reads in a stream: the reasoning, and the arguments of each call."""
    thought, calls = "", dict[int, str]()
    for chunk in il.restream(chunks, source=FORMAT, target="vllm"):
        message = chunk["choices"][0]["delta"]
        thought += message.get("reasoning", "")
        for call in message.get("tool_calls", ()):
            calls[call["index"]] = calls.get(call["index"], "") + call["function"].get("arguments", "")
    return thought, list(calls.values())


# What vLLM sends: `_process_simple_streaming_events` in its `responses/serving.py`. Its last snapshot has ids of its own.
REASON = {"type": "reasoning", "id": "u_0", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm."}]}
OTHER = CALL | {"id": "u_2", "call_id": "call_2", "arguments": '{"a":2}'}
VOID = {"type": "message", "role": "assistant", "status": "completed", "content": list[Any]()}


def called(call: dict[str, Any], index: int) -> list[dict[str, Any]]:
    text = call["arguments"]
    pieces = [delta("function_call_arguments", piece, index, item_id=call["id"]) for piece in (text[:3], text[3:])]
    return [added(call, index, arguments=""), *pieces]


def voided(id: str, index: int) -> list[dict[str, Any]]:
    """The end of the item that is open before a call, which vLLM takes for a message."""
    at = {"item_id": id, "output_index": index, "content_index": 0}
    part = {"type": "output_text", "text": "", "annotations": list[Any]()}
    return [
        {"type": "response.output_text.done", **at, "text": ""},
        {"type": "response.content_part.done", **at, "part": part},
        done(VOID | {"id": id}, index),
    ]


def test_an_item_that_ends_as_a_message_without_content_keeps_what_it_said() -> None:
    thinks = [added(REASON, content=[]), delta("reasoning_text", "Hm.", item_id="u_0", content_index=0)]
    events = [*thinks, *voided("u_0", 0), *called(CALL, 1), *voided("fc_0", 1), *called(OTHER, 2), done(OTHER, 2)]
    end = body(REASON, CALL, OTHER)
    chunks = stream(*events, end=end)
    assert told(chunks) == ("Hm.", ['{"a":1}', '{"a":2}'])
    assert read_stream(chunks, FORMAT)[0].response == il.load_response(end, FORMAT)


def test_a_call_that_ends_as_a_message_before_its_arguments_is_not_read_twice() -> None:
    chunks = stream(added(CALL, id="u_0", arguments=""), *voided("u_0", 0), *called(CALL, 1), done(CALL, 1), end=body(CALL))
    assert told(chunks) == ("", ["", '{"a":1}'])
    message = read_stream(chunks, FORMAT)[0].response.message
    assert [(call.id, call.parsed) for call in message.tool_uses] == [("call_0", {"a": 1})]


def test_a_call_without_arguments_that_ends_as_a_message_is_not_taken_for_the_next_one() -> None:
    bare = CALL | {"arguments": ""}
    end = body(bare, OTHER)
    chunks = stream(added(bare, id="u_0"), *voided("u_0", 0), *called(OTHER, 1), done(OTHER, 1), end=end)
    assert told(chunks) == ("", ["{}", '{"a":2}'])
    message = read_stream(chunks, FORMAT)[0].response.message
    assert [(call.id, call.parsed) for call in message.tool_uses] == [("call_0", None), ("call_2", {"a": 2})]


@pytest.mark.parametrize("with_end", [True, False])
@pytest.mark.parametrize("given", ['{"a"', '{"a":1}'])
def test_a_call_that_ends_as_a_message_after_its_arguments_and_begins_again_is_one(given: str, with_end: bool) -> None:
    first = [added(CALL, id="u_0", arguments=given), delta("function_call_arguments", given, item_id="u_0")]
    again = [*called(CALL, 1), *voided("fc_0", 1), *called(OTHER, 2), done(OTHER, 2)]
    chunks = stream(*first, *voided("u_0", 0), *again, end=body(CALL, OTHER))
    reader = il.reader(FORMAT)
    for chunk in chunks if with_end else chunks[:-1]:
        reader.feed(chunk)
    calls = reader.response.message.tool_uses
    assert [(call.id, call.parsed) for call in calls] == [("call_0", {"a": 1}), ("call_2", {"a": 2})]


def test_a_call_that_ends_as_a_message_which_the_last_snapshot_has_keeps_its_place() -> None:
    given = '{"a":'
    first = [added(CALL, id="u_0", arguments=""), delta("function_call_arguments", given, item_id="u_0")]
    void = VOID | {"id": "u_0"}
    chunks = stream(*first, *voided("u_0", 0), *called(CALL, 1), done(CALL, 1), end=body(void, CALL))
    message = read_stream(chunks, FORMAT)[0].response.message
    assert isinstance(message.content, tuple)
    assert [part.type for part in message.content] == ["opaque", "tool_use"]


@pytest.mark.parametrize("end", [{"call_id": None, "name": None, "arguments": None}, {"arguments": None}, {}])
def test_a_call_whose_end_says_less_than_its_beginning_has_what_that_said(end: dict[str, Any]) -> None:
    ended = {"type": "function_call", "id": CALL.get("id"), "status": "completed", **end}
    chunks = stream(added(CALL, arguments=""), delta("function_call_arguments", CALL["arguments"]), done(ended), end=body(CALL))
    calls = read_stream(chunks, FORMAT)[0].response.message.tool_uses
    assert [(call.id, call.name) for call in calls] == [(CALL["call_id"], CALL["name"])]


@pytest.mark.parametrize("given", ['{"a"', '{"a":1}'])
def test_a_first_delta_that_repeats_the_arguments_of_the_call_adds_nothing(given: str) -> None:
    rest = [delta("function_call_arguments", piece) for piece in (given, CALL["arguments"][len(given) :])]
    assert told(stream(added(CALL, arguments=given), *rest, done(CALL), end=body(CALL))) == ("", ['{"a":1}'])


def test_a_first_delta_that_goes_on_from_the_arguments_of_the_call_is_read() -> None:
    rest = [delta("function_call_arguments", piece) for piece in ("1", "1}")]
    call = CALL | {"arguments": '{"a":11}'}
    assert told(stream(added(call, arguments='{"a":'), *rest, done(call), end=body(call))) == ("", ['{"a":11}'])


def test_arguments_that_come_while_another_item_is_open_are_read_once() -> None:
    text = CALL["arguments"]
    events = [
        added(CALL, arguments=""),
        added(THOUGHT, 1, summary=[], content=[]),
        delta("function_call_arguments", text, item_id="fc_0"),
        {"type": "response.function_call_arguments.done", "output_index": 0, "item_id": "fc_0", "arguments": text},
        done(CALL),
        done(THOUGHT, 1),
    ]
    reader, found = read_stream(stream(*events, end=body(CALL, THOUGHT)), FORMAT)
    assert [event.arguments for event in found if event.type == "arguments"] == [text]
    assert reader.response == il.load_response(body(CALL, THOUGHT), FORMAT)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("content_part", "text"), ("text", "text"), ("reasoning", "thinking"), ("reasoning_summary", "thinking")],
)
def test_deltas_by_other_names_are_read(name: str, kind: str) -> None:
    end = body()
    chunks = stream(delta(name, "One "), delta(name, "two."), end=end)
    reader, _ = read_stream(chunks, FORMAT)
    [part] = reader.response.message.parts
    assert (part.type, getattr(part, kind)) == (kind, "One two.")


@pytest.mark.parametrize(("name", "summary"), [("reasoning", None), ("reasoning_summary", True)])
def test_a_thought_that_comes_only_at_its_end_may_have_another_name(name: str, summary: bool | None) -> None:
    late = {"type": f"response.{name}.done", "output_index": 0, "text": "Hm."}
    chunks = stream(added({"type": "reasoning", "id": "rs_0", "summary": []}), late, end=body())
    reader, _ = read_stream(chunks, FORMAT)
    [part] = reader.response.message.parts
    assert isinstance(part, il.ThinkingPart)
    assert (part.thinking, part.summary) == ("Hm.", summary)


@pytest.mark.parametrize(
    "chunk",
    [
        delta("output_item", "x"),
        delta("reasoning_part", "x"),
        {**delta("content_part", ""), "delta": {"text": "x"}},
        {**delta("reasoning", ""), "delta": {"text": "x"}},
    ],
)
def test_a_delta_of_an_unknown_kind_breaks_no_stream(chunk: dict[str, Any]) -> None:
    begun = added({**SAID, "content": []})
    chunks = stream(begun, delta("output_text", "Hi."), chunk, end=body(SAID))
    reader, _ = read_stream(chunks, FORMAT)
    assert reader.response.message.text == "Hi."


def test_the_text_of_reasoning_may_be_called_text() -> None:
    item = {"type": "reasoning", "id": "rs_0", "summary": [], "content": [{"type": "text", "text": "Hm."}]}
    response = il.load_response(body(item, SAID), FORMAT)
    assert il.dump_response(response, FORMAT) == body(item, SAID)
    assert il.dump_response(response, "deepseek")["choices"][0]["message"]["reasoning_content"] == "Hm."
    begun = {"type": "response.content_part.added", "output_index": 0, "content_index": 0, "part": {"type": "text", "text": ""}}
    chunks = stream(added(item | {"content": []}), begun, delta("reasoning_text", "Hm."), done(item), end=body(item))
    reader, _ = read_stream(chunks, FORMAT)
    assert il.dump_response(reader.response, FORMAT) == body(item)
