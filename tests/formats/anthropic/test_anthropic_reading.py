"""What is odd about the streams of Anthropic Messages."""

from typing import Any

import pytest

import interlingua as il
from formats.anthropic.events import (
    BODY,
    CALL,
    END,
    REQUEST,
    START,
    TEXT,
    arguments,
    block,
    read,
    text,
)

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


def test_the_envelope_is_laid_over_what_was_sent_and_null_replaces_nothing() -> None:
    late = {"container": {"id": "new", "skills": [1]}, "stop_details": {"type": "refusal"}}
    used = {"output_tokens": 9, "input_tokens": None, "server_tool_use": {"web_fetch_requests": 2}, "speed": None}
    edits = {"applied_edits": [{"type": "x"}]}
    end = {"type": "message_delta", "delta": END[0]["delta"] | late, "usage": used, "context_management": edits}
    metrics = {"type": "message_stop", "amazon-bedrock-invocationMetrics": {"inputTokenCount": 1}, "container": None}
    given = {**BODY, "container": {"id": "old", "expires_at": 1}, "context_management": {"applied_edits": [{"type": "y"}]}}
    response, events = read([{"type": "message_start", "message": given | {"content": [], "stop_reason": None}}, end, metrics])
    assert response == il.load_response(
        given
        | {"content": [], "stop_reason": "end_turn", "context_management": edits, **late}
        | {"amazon-bedrock-invocationMetrics": {"inputTokenCount": 1}}
        | {"usage": BODY["usage"] | {"output_tokens": 9, "server_tool_use": {"web_fetch_requests": 2}, "speed": None}},
        "anthropic",
    )
    assert isinstance(events[-1], il.StreamEnd)


def test_a_call_is_reported_when_it_is_complete() -> None:
    _, events = read([START, *block(0, CALL, *arguments("{}")), *block(1, TEXT, *text("Hi")), *END])
    kinds = [event.type for event in events]
    assert kinds[kinds.index("tool_use_start") :] == [
        *("tool_use_start", "arguments", "tool_use", "part_stop", "text", "part_stop", "usage", "stop", "end"),
    ]
    assert il.ToolUse(index=0, id="toolu_0", name="f", arguments="{}") in events


def test_blocks_without_index_start_or_stop_are_read_as_they_come() -> None:
    chunks = [
        *block(..., TEXT, *text("a")),
        *block(None, TEXT, *text("b")),
        {"type": "content_block_delta", "index": 7, "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_delta", "index": 7, "delta": {"type": "text_delta", "text": "c"}},
        {"type": "content_block_stop", "index": 99},
    ]
    starts: list[list[dict[str, Any]]] = [[], [START], [START, START]]
    for start in starts:
        response, _ = read([*start, *chunks, *END])
        assert [part.to_dict() for part in response.message.parts] == [
            {"type": "text", "text": "a"},
            {"type": "text", "text": "b"},
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "c"},
        ]
        assert response.stop_reason == "stop"


@pytest.mark.parametrize("before", [[], block(0, TEXT, *text("a"))])
def test_arguments_before_the_start_of_their_call_are_a_stream_error(before: list[dict[str, Any]]) -> None:
    delta = {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{}"}}
    reader = il.reader("anthropic")
    for chunk in (START, *before):
        reader.feed(chunk)
    with pytest.raises(il.StreamError, match="the start of its block"):
        reader.feed(delta)


@pytest.mark.parametrize("target", [None, "openai_chat", "anthropic", "openai_responses", "gemini", "bedrock_converse"])
def test_arguments_after_the_stop_replace_an_input_that_came_whole(target: il.FormatName | None) -> None:
    late = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": piece}}
        for piece in ('{"a":', '"LATE"}')
    ]
    chunks = [START, *block(0, CALL), *late, *END]
    if target is None:
        response, events = read(chunks)
        assert [call.parsed for call in response.message.tool_uses] == [{"a": "LATE"}]
        assert [event.arguments for event in events if isinstance(event, il.ToolUse)] == ["{}", '{"a":"LATE"}']
        assert il.accumulate(events) == response
    else:
        losses: list[il.Loss] = []
        list(il.restream(chunks, source="anthropic", target=target, on_loss=losses.append))
        kind = "changed" if target == "openai_chat" else "dropped"  # where what was said stays, and the rest is added to it
        assert kind in {loss.kind for loss in losses}


def test_a_block_without_an_index_leaves_the_one_before_it_open() -> None:
    reader = il.reader("anthropic")
    for chunk in (
        START,
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "a"}},
        {"type": "content_block_start", "content_block": {"type": "text", "text": "b"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "!"}},
    ):
        reader.feed(chunk)
    assert [part.text for part in reader.response.message.parts if isinstance(part, il.TextPart)] == ["a!", "b"]


def test_what_is_not_stopped_stops_with_what_follows() -> None:
    chunks = [*block(0, TEXT, *text("a"))[:-1], *block(0, TEXT, *text("", "b"))[:-1], {"type": "message_stop"}]
    response, events = read([START, *chunks])
    assert [part["text"] for part in response.to_dict()["choices"][0]["message"]["content"]] == ["a", "b"]
    assert [event.type for event in events[-6:]] == ["text", "part_stop", "text", "part_stop", "stop", "end"]
    _, events = read([START, *chunks[:2], *END])
    assert [event.type for event in events[-5:]] == ["text", "part_stop", "usage", "stop", "end"]


def test_what_the_sdk_adds_to_the_end_is_no_part_of_the_response() -> None:
    assert read([START, *END])[0] == read([START, END[0], END[1] | {"message": BODY}])[0]


def test_blocks_that_the_start_holds_are_part_of_the_message() -> None:
    first: dict[str, Any] = {"type": "message_start", "message": BODY | {"content": [CALL]}}
    second: dict[str, Any] = {"type": "message_start", "message": BODY | {"id": "msg_1", "content": [CALL | {"id": "toolu_1"}]}}
    response, _ = read([first, first, *END, second, *block(0, TEXT, *text("Hi")), *END])
    assert [part.type for part in response.message.parts] == ["tool_use", "tool_use", "text"]
    assert response.id == "msg_0"


def test_a_whole_message_in_place_of_a_stream_is_read() -> None:
    response, events = read([BODY])
    assert response == il.load_response(BODY, "anthropic")
    assert [event.arguments for event in events if isinstance(event, il.ToolUse)] == ['{"a": 1}']


def test_what_is_not_known_is_kept_and_what_says_nothing_is_not() -> None:
    unknown: list[dict[str, Any]] = [
        {"type": "message_pause", "x": 1},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "new_delta", "x": 1}},
        {"bytes": 1},
    ]
    quiet = [{"type": "ping"}, {"type": "text", "text": "H", "snapshot": "H"}, {"type": "content_block_stop", "index": 5}]
    _, events = read([START, *unknown, *quiet])
    assert [event.value for event in events if isinstance(event, il.OpaqueEvent)] == unknown
    more = {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm", "tokens": 5}}
    _, events = read([START, more])
    left = {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "tokens": 5}}
    assert events[-1] == il.OpaqueEvent(format="anthropic", value=left)


@pytest.mark.parametrize("chunk", [{"type": "error"}, {"error": {"message": "busy"}}, {"type": "error", "error": "busy"}])
def test_an_error_inside_the_stream_is_reported(chunk: dict[str, Any]) -> None:
    reader = il.reader("anthropic")
    reader.feed(START)
    (event,) = reader.feed(chunk)
    assert isinstance(event, il.ErrorEvent)
    assert event.error == (chunk["error"] if isinstance(chunk.get("error"), dict) else chunk)
    assert not reader.complete


def test_reasoning_that_breaks_off_has_no_signature() -> None:
    start = {"type": "thinking", "thinking": "", "signature": ""}
    reader = il.reader("anthropic")
    for chunk in [START, *block(0, start, {"type": "thinking_delta", "thinking": "hm"})[:-1]]:
        reader.feed(chunk)
    response = reader.response
    assert response.choices[0].incomplete
    assert response.message.to_dict()["content"] == [{"type": "thinking", "thinking": "hm"}]
    assert len(il.dump([*REQUEST, response.message], "anthropic", on_loss="ignore")["messages"]) == 1


@pytest.mark.parametrize(
    "chunk",
    [
        {"type": 1},
        {"type": "message_start", "message": []},
        {"type": "message_start", "message": {"id": 1}},
        {"type": "message_start", "message": {"content": {}}},
        {"type": "message_start", "message": {"content": [1]}},
        {"type": "message_start", "message": {"usage": []}},
        {"type": "content_block_start", "index": 0},
        {"type": "content_block_start", "index": "0", "content_block": TEXT},
        {"type": "content_block_start", "index": 0, "content_block": {"text": "Hi"}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": 1, "name": "f"}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "new", "x": float("nan")}},
        {"type": "content_block_delta", "index": [0], "delta": text("Hi")[0]},
        {"type": "content_block_delta", "index": 0, "delta": "Hi"},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": 1}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "\udc00"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "citations_delta", "citation": "x"}},
        {"type": "content_block_delta", "index": 0, "delta": {}},
        {"type": "message_delta", "delta": {"stop_reason": 1}},
        {"type": "message_delta", "delta": {}, "usage": "x"},
    ],
)
def test_a_chunk_that_is_none_is_a_stream_error(chunk: dict[str, Any]) -> None:
    reader = il.reader("anthropic")
    with pytest.raises(il.StreamError):
        reader.feed(chunk)
    reader = il.reader("anthropic")
    for each in [START, *block(0, TEXT, *text("Hi"))[:-1]]:
        reader.feed(each)
    with pytest.raises(il.StreamError):
        reader.feed(chunk)
    assert reader.response.message.text == "Hi"


def test_half_a_character_in_the_input_of_a_server_tool_is_an_error() -> None:
    reader = il.reader("anthropic")
    reader.feed({"type": "message_start", "message": BODY | {"content": []}})
    block: dict[str, Any] = {"type": "server_tool_use", "id": "a", "name": "web_search", "input": {}}
    reader.feed({"type": "content_block_start", "index": 0, "content_block": block})
    delta = {"type": "input_json_delta", "partial_json": "\ude00"}
    reader.feed({"type": "content_block_delta", "index": 0, "delta": delta})
    with pytest.raises(il.StreamError, match="/value/input: text must not have a lone surrogate"):
        reader.feed({"type": "content_block_stop", "index": 0})


@pytest.mark.parametrize("streamed", [False, True])
def test_the_tokens_of_a_compaction_are_used_and_those_of_an_advisor_are_not(streamed: bool) -> None:
    steps: list[dict[str, Any]] = [
        {"type": "compaction", "input_tokens": 100, "cache_read_input_tokens": 55096, "output_tokens": 83},
        {"type": "advisor_message", "model": "a", "input_tokens": 2543, "output_tokens": 18},
        {"type": "message", "input_tokens": 181, "cache_read_input_tokens": 0, "output_tokens": 8},
    ]
    usage = {"input_tokens": 181, "cache_read_input_tokens": 0, "output_tokens": 8, "iterations": steps}
    body: dict[str, Any] = {"type": "message", "id": "m", "role": "assistant", "model": "m", "content": []}
    body |= {"stop_reason": "end_turn", "stop_sequence": None, "usage": usage}
    if streamed:
        begun = body | {"stop_reason": None, "usage": {"input_tokens": 181, "output_tokens": 1}}
        delta = {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": usage}
        chunks = [{"type": "message_start", "message": begun}, delta, {"type": "message_stop"}]
        response = il.accumulate(il.reader("anthropic").read(chunks))
    else:
        response = il.load_response(body, "anthropic")
    assert response.usage is not None
    counts = response.usage.input_tokens, response.usage.cache_read_tokens, response.usage.output_tokens
    assert counts == (281, 55096, 91)
    assert il.dump_response(response, "anthropic", on_loss="raise")["usage"] == usage
    sent = il.dump_response(response, "openai_chat", on_loss="ignore")["usage"]
    assert (sent["prompt_tokens"], sent["completion_tokens"]) == (55377, 91)
    edited = response.replace(usage=response.usage.replace(output_tokens=90))
    assert il.dump_response(edited, "anthropic", on_loss="raise")["usage"] == {
        "input_tokens": 281,
        "cache_read_input_tokens": 55096,
        "output_tokens": 90,
    }


def test_a_count_that_a_compaction_adds_to_is_not_reported() -> None:
    """The reasoning is more than the output, so each count is compared with what is read."""
    step = {"type": "compaction", "input_tokens": 0, "cache_read_input_tokens": 1, "output_tokens": 0}
    usage = {"input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 0, "iterations": [step]}
    usage |= {"output_tokens_details": {"thinking_tokens": 1}}
    body: dict[str, Any] = {"type": "message", "id": "m", "role": "assistant", "model": "m", "content": []}
    body |= {"stop_reason": "end_turn", "stop_sequence": None, "usage": usage}
    losses: list[il.Loss] = []
    il.dump_response(il.load_response(body, "anthropic"), "deepseek", on_loss=losses.append)
    assert not [loss for loss in losses if loss.path.endswith("cache_read_input_tokens")]


@pytest.mark.parametrize(
    ("late", "counted"),
    [
        ({"input_tokens": 0, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}, (100, 30, 50)),
        ({"input_tokens": 0}, (100, 30, 50)),
        ({"input_tokens": 0, "cache_read_input_tokens": 130}, (0, 130, 50)),
        ({"input_tokens": 9, "cache_read_input_tokens": 0}, (9, 0, 50)),
    ],
)
def test_an_end_without_any_input_leaves_the_input_of_the_start(late: dict[str, int], counted: tuple[int, int, int]) -> None:
    begun = {"input_tokens": 100, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 50, "output_tokens": 1}
    start = {"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "usage": begun}}
    end = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {**late, "output_tokens": 7}}
    usage = read([start, end, {"type": "message_stop"}])[0].usage
    assert usage is not None
    assert (usage.input_tokens, usage.cache_read_tokens, usage.cache_write_tokens, usage.output_tokens) == (*counted, 7)


@pytest.mark.parametrize("data", [{}, {"data": None}, {"data": 3}])
def test_redacted_thinking_without_data_does_not_end_the_answer(data: dict[str, Any]) -> None:
    block = {"type": "redacted_thinking", **data}
    chunks: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "model": "c", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "hi"}},
        {"type": "content_block_stop", "index": 1},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}},
        {"type": "message_stop"},
    ]
    losses: list[il.Loss] = []
    written = list(il.restream(chunks, source="anthropic", target="openai_chat", on_loss=losses.append))
    assert [chunk["choices"][0]["delta"].get("content") for chunk in written if chunk["choices"]].count("hi") == 1
    assert [(loss.kind, loss.path) for loss in losses if loss.kind != "response_only"] == [
        ("dropped", "/choices/0/message/content/0")
    ]
    home = list(il.restream(chunks, source="anthropic", target="anthropic", on_loss="raise"))
    assert block in [chunk.get("content_block") for chunk in home]
