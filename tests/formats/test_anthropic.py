"""What is odd about Anthropic's responses and streams, and about what others' become there."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from anthropic.lib.streaming._messages import accumulate_event

import interlingua as il

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

CITATION = {"type": "char_location", "cited_text": "x", "document_index": 0, "file_id": None}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_0", "name": "web_search", "input": {"query": "x"}}
RAN: dict[str, Any] = {
    "type": "code_execution_result",
    "stdout": "1",
    "stderr": "",
    "return_code": 0,
    "content": [],
    "abort_reason": None,
}
BODY: dict[str, Any] = {
    "id": "msg_0",
    "type": "message",
    "role": "assistant",
    "model": "claude",
    "content": [
        {"type": "thinking", "thinking": "", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "ZGF0YQ=="},
        {"type": "text", "text": "Hi.", "citations": [CITATION]},
        SEARCH,
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_0", "content": []},
        {"type": "code_execution_tool_result", "tool_use_id": "srvtoolu_1", "content": RAN},
        {"type": "tool_use", "id": "toolu_0", "name": "f", "input": {"a": 1}, "caller": {"type": "direct"}},
    ],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "stop_details": None,
    "container": {"id": "container_0"},
    "context_management": {"applied_edits": []},
    "usage": {
        "input_tokens": 3,
        "cache_read_input_tokens": 20,
        "cache_creation_input_tokens": 100,
        "cache_creation": {"ephemeral_5m_input_tokens": 100, "ephemeral_1h_input_tokens": 0},
        "output_tokens": 7,
        "output_tokens_details": {"thinking_tokens": 5},
        "server_tool_use": {"web_search_requests": 1},
        "service_tier": "standard",
        "iterations": [{"type": "message"}],
    },
}
REQUEST = [il.UserMessage(content="Hi.")]


def home(body: Any) -> Any:
    return il.dump_response(il.load_response(body, "anthropic"), "anthropic", on_loss="raise")


def losses_of(response: il.Response, target: str = "anthropic") -> tuple[dict[str, Any], set[tuple[str, str]]]:
    told: list[il.Loss] = []
    body = il.dump_response(response, target, on_loss=told.append)
    return body, {(loss.kind, loss.path) for loss in told}


# Whole responses


def test_a_response_is_blocks_in_their_order() -> None:
    response = il.load_response(BODY, "anthropic")
    kinds = [part.type for part in response.message.parts]
    assert kinds == ["thinking", "redacted_thinking", "text", "opaque", "opaque", "opaque", "tool_use"]
    assert (response.stop_reason, response.native_stop_reason) == ("tool_calls", "tool_use")
    assert home(BODY) == BODY


BODIES: list[dict[str, Any]] = [
    BODY | {"content": []},
    BODY | {"content": None},
    BODY | {"type": "other", "role": None, "x": None},
    BODY | {"stop_reason": "stop_sequence", "stop_sequence": "###"},
    BODY | {"stop_details": {"type": "refusal", "category": "cyber"}},
    BODY | {"usage": None, "id": None, "model": None, "stop_reason": None},
    BODY | {"usage": {"input_tokens": None, "output_tokens": 1.5, "cache_read_input_tokens": True}},
    {"content": [{"type": "text", "text": "Hi.", "citations": None}]},
    {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}},
    {"input_tokens": 9},
    {},
]


@pytest.mark.parametrize("body", BODIES)
def test_whatever_came_is_exact_at_home(body: dict[str, Any]) -> None:
    assert home(body) == body
    assert home(json.dumps(body)) == body


@pytest.mark.parametrize("body", [[], {"content": "Hi."}, {"content": [{"text": "Hi."}]}, {"usage": 1}, {"stop_reason": 1}])
def test_what_is_no_response_is_told_by_its_place(body: Any) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.load_response(body, "anthropic")
    assert len(caught.value.faults) == 1


def test_input_is_counted_in_kinds_that_do_not_overlap() -> None:
    usage = il.load_response(BODY, "anthropic").usage
    assert usage is not None
    assert (usage.input_tokens, usage.cache_read_tokens, usage.cache_write_tokens) == (3, 20, 100)
    assert (usage.output_tokens, usage.reasoning_tokens) == (7, 5)
    assert usage.native == {"anthropic": BODY["usage"]}


def test_edited_numbers_win_over_what_was_recorded() -> None:
    response = il.load_response(BODY, "anthropic")
    assert response.usage is not None
    fewer = response.usage.replace(input_tokens=1, cache_read_tokens=None, reasoning_tokens=None)
    expected = BODY["usage"] | {"input_tokens": 1}
    del expected["cache_read_input_tokens"], expected["output_tokens_details"]
    assert il.dump_response(response.replace(usage=fewer), "anthropic")["usage"] == expected


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop_sequence"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "context_window"),
        ("tool_use", "tool_calls"),
        ("refusal", "refusal"),
        ("pause_turn", "pause"),
        ("compaction", "compaction"),
        ("word_of_tomorrow", "word_of_tomorrow"),
    ],
)
def test_a_stop_reason_keeps_its_word(word: str, reason: str) -> None:
    response = il.load_response(BODY | {"stop_reason": word}, "anthropic")
    assert (response.stop_reason, response.native_stop_reason) == (reason, word)
    assert il.dump_response(response, "asktable")["stop_reason"] == word
    edited = response.replace(choices=(response.choices[0].replace(stop_reason="length"),))
    assert il.dump_response(edited, "anthropic")["stop_reason"] == "max_tokens"


@pytest.mark.parametrize(
    ("reason", "word", "told"),
    [("stop", "end_turn", False), ("content_filter", "refusal", True), ("eos", "end_turn", True), (None, None, False)],
)
def test_another_providers_stop_reason_becomes_the_nearest(reason: str | None, word: str | None, told: bool) -> None:
    choice = il.Choice(message=il.AssistantMessage(content="Hi."), stop_reason=reason)
    body, losses = losses_of(il.Response(choices=(choice,), origin="openai_chat"))
    assert body["stop_reason"] == word
    assert (("changed", "/choices/0/stop_reason") in losses) is told


def test_clackys_rules_follow_from_the_canonical_response() -> None:
    response = il.load_response(BODY | {"stop_reason": "max_tokens"}, "anthropic")
    usage, message = response.usage, response.message
    assert usage is not None
    prompt = (usage.input_tokens or 0) + (usage.cache_read_tokens or 0)
    this_turn = (usage.input_tokens or 0) + (usage.cache_write_tokens or 0) + (usage.output_tokens or 0)
    assert (prompt, usage.output_tokens, this_turn) == (23, 7, 110)
    words = {word: il.load_response({"stop_reason": word}, "anthropic").stop_reason for word in ("end_turn", "tool_use")}
    assert (words, response.stop_reason) == ({"end_turn": "stop", "tool_use": "tool_calls"}, "length")
    assert message.text == "Hi."
    assert [(use.id, use.name, json.loads(use.arguments)) for use in message.tool_uses] == [("toolu_0", "f", {"a": 1})]


def test_a_flat_answer_becomes_blocks() -> None:
    message = il.AssistantMessage(
        content=" ",
        reasoning_content="hm",
        thinking_blocks=(il.ThinkingPart(thinking="hm", signature="c2ln", issuer="anthropic"),),
        refusal="No.",
        tool_calls=(il.ToolCall(id="f:0", name="f.g", arguments="{"),),
    )
    usage = il.Usage(input_tokens=3, output_tokens=4, reasoning_tokens=2, input_audio_tokens=1)
    choices = (il.Choice(message=message, stop_reason="tool_calls"), il.Choice(message=message))
    body, losses = losses_of(il.Response(id="c", created=1, choices=choices, usage=usage, origin="openai_chat"))
    name = body["content"][2].pop("name")
    assert name.startswith("f_g-")
    assert body == {
        "id": "c",
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
            {"type": "text", "text": "No."},
            {"type": "tool_use", "id": "il_f_3a_0", "input": {"INVALID_JSON": "{"}},
        ],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 3, "output_tokens": 4, "output_tokens_details": {"thinking_tokens": 2}},
    }
    assert losses == {
        ("dropped", "/created"),
        ("dropped", "/usage/input_audio_tokens"),
        ("dropped", "/choices/0/message/content"),
        ("changed", "/choices/0/message/refusal"),
        ("changed", "/choices/0/message/tool_calls/0/name"),
        ("changed", "/choices/0/message/tool_calls/0/arguments"),
        ("dropped", "/choices/1"),
    }


def test_text_alone_becomes_a_block() -> None:
    said = il.Choice(message=il.AssistantMessage(content="Hi."))
    assert losses_of(il.Response(choices=(said,)))[0]["content"] == [{"type": "text", "text": "Hi."}]
    nothing = il.Response(choices=(il.Choice(message=il.AssistantMessage(content=" ")),))
    assert losses_of(nothing) == (
        {"type": "message", "role": "assistant", "content": [], "stop_reason": None, "stop_sequence": None},
        {("dropped", "/choices/0/message/content")},
    )


def test_the_next_request_leaves_out_what_only_responses_have() -> None:
    odd: dict[str, Any] = {"type": "text", "text": "Hi.", "parsed_output": {}, "x": 1}
    message = il.load_response(BODY | {"content": [*BODY["content"], odd]}, "anthropic").message
    told: list[il.Loss] = []
    sent = il.dump([*REQUEST, message], "anthropic", on_loss=told.append)["messages"][1]["content"]
    assert sent[2]["citations"] == [{key: value for key, value in CITATION.items() if key != "file_id"}]
    assert "abort_reason" not in sent[5]["content"]
    assert sent[6] == BODY["content"][6]
    assert sent[7] == {"type": "text", "text": "Hi."}
    assert {loss.kind for loss in told} == {"response_only"}
    assert {loss.path for loss in told} == {
        "/1/content/2/provider_data/anthropic/citations/0/file_id",
        "/1/content/5/value/content/abort_reason",
        "/1/content/7/provider_data/anthropic/parsed_output",
        "/1/content/7/provider_data/anthropic/x",
    }


def test_a_message_without_content_has_no_block_for_its_cache_mark() -> None:
    message = il.AssistantMessage(cache_control=il.CacheControl(type="ephemeral"))
    body, losses = losses_of(il.Response(choices=(il.Choice(message=message),), origin="anthropic"))
    assert "content" not in body
    assert losses == {("dropped", "/choices/0/message/cache_control")}


def test_a_tool_input_that_names_cache_marks_takes_none_of_them_away() -> None:
    marks = [{"cache_control": {"type": "ephemeral"}} for _ in range(5)]
    call = il.ToolUsePart(id="c", name="f", input={"marks": marks})
    messages: list[il.Message] = [il.UserMessage(content="x"), il.AssistantMessage(content=[call])]
    messages.append(il.ToolMessage(tool_call_id="c", content="x"))
    body = il.dump(il.Request(messages=messages, caching=il.Caching(messages=1)), "anthropic", on_loss="raise")
    assert body["messages"][-1]["content"][-1]["cache_control"] == {"type": "ephemeral"}


# Parts that are kept whole

RESULT: dict[str, Any] = {"type": "search_result", "source": "https://example.com", "title": "x", "content": []}
MARK: dict[str, Any] = {"type": "ephemeral", "ttl": "1h"}


WHOLE: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any], set[str]]] = [
    (RESULT, {"cache_control": MARK}, RESULT | {"cache_control": MARK}, set[str]()),
    (
        RESULT,
        {"provider_data": {"anthropic": {"citations": {"enabled": True}}}},
        RESULT | {"citations": {"enabled": True}},
        set(),
    ),
    (RESULT, {"provider_data": {"openai": {"x": 1}}}, RESULT, {"/0/content/0/provider_data/openai/x"}),
    (
        RESULT | {"cache_control": {"type": "ephemeral"}},
        {"cache_control": MARK},
        RESULT | {"cache_control": MARK},
        {"/0/content/0/value/cache_control"},
    ),
]


@pytest.mark.parametrize(("value", "fields", "block", "lost"), WHOLE)
def test_an_opaque_part_is_sent_with_its_cache_mark_and_provider_data(
    value: dict[str, Any], fields: dict[str, Any], block: dict[str, Any], lost: set[str]
) -> None:
    part = il.validate({"type": "opaque", "format": "anthropic", "value": value, **fields}, il.OpaquePart)
    losses: list[il.Loss] = []
    body = il.dump([il.UserMessage(content=(part,))], "anthropic", on_loss=losses.append)
    assert body["messages"][0]["content"] == [block]
    assert {loss.path for loss in losses} == lost


# Reading streams

START: dict[str, Any] = {"type": "message_start", "message": BODY | {"content": [], "stop_reason": None, "stop_details": None}}
END: list[dict[str, Any]] = [
    {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 9}},
    {"type": "message_stop"},
]


def block(index: Any, start: dict[str, Any], *deltas: dict[str, Any]) -> list[dict[str, Any]]:
    at = {} if index is ... else {"index": index}
    return [
        {"type": "content_block_start", "content_block": start} | at,
        *({"type": "content_block_delta", "delta": delta} | at for delta in deltas),
        {"type": "content_block_stop"} | at,
    ]


def text(*pieces: str) -> list[dict[str, Any]]:
    return [{"type": "text_delta", "text": piece} for piece in pieces]


def arguments(*pieces: str) -> list[dict[str, Any]]:
    return [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]


def read(chunks: Iterable[Any]) -> tuple[il.Response, list[il.Event]]:
    reader = il.reader("anthropic")
    events = list(reader.read(chunks))
    assert il.accumulate(events) == reader.response
    return reader.response, events


def content_of(*blocks: list[dict[str, Any]]) -> Any:
    response, _ = read([START, *(chunk for each in blocks for chunk in each), *END])
    return response.to_dict()["choices"][0]["message"]["content"]


TEXT: dict[str, Any] = {"type": "text", "text": ""}
CALL: dict[str, Any] = {"type": "tool_use", "id": "toolu_0", "name": "f", "input": {}}


@pytest.mark.parametrize(
    ("chunks", "whole"),
    [
        (block(0, TEXT), {"type": "text", "text": ""}),
        (block(0, {"type": "text", "text": "H"}, *text("", "i")), {"type": "text", "text": "Hi"}),
        (
            block(0, TEXT | {"citations": []}, {"type": "citations_delta", "citation": CITATION}, *text("Hi")),
            {"type": "text", "text": "Hi", "citations": [CITATION]},
        ),
        (block(0, TEXT | {"citations": None}), {"type": "text", "text": "", "citations": None}),
        (block(0, CALL, *arguments("", '{"a"', ": 1}")), CALL | {"input": {"a": 1}}),
        (block(0, CALL), CALL),
        (block(0, CALL, *arguments("")), CALL),
        (block(0, CALL | {"input": {"a": 1}}), CALL | {"input": {"a": 1}}),
        (block(0, CALL | {"input": {"b": 2}}, *arguments('{"a": 1}')), CALL | {"input": {"a": 1}}),
        (block(0, CALL | {"input": "{ }"}), CALL | {"input": "{ }"}),
        (block(0, CALL, *arguments('{"a": ')), CALL | {"input": '{"a": '}),
        (block(0, CALL | {"caller": {"type": "direct"}}), CALL | {"caller": {"type": "direct"}}),
        (
            block(0, {"type": "thinking", "thinking": "", "signature": ""}, {"type": "signature_delta", "signature": "c2ln"}),
            {"type": "thinking", "thinking": "", "signature": "c2ln"},
        ),
        (
            block(0, {"type": "thinking", "thinking": "", "signature": ""}, {"type": "thinking_delta", "thinking": "hm"}),
            {"type": "thinking", "thinking": "hm", "signature": ""},
        ),
        (block(0, {"type": "thinking", "thinking": ""}), {"type": "thinking", "thinking": ""}),
        (
            block(
                0,
                {"type": "thinking", "thinking": "h", "signature": "b2xk"},
                *({"type": "signature_delta", "signature": each} for each in ("b2xkZXI=", "bmV3")),
            ),
            {"type": "thinking", "thinking": "h", "signature": "bmV3"},
        ),
        (block(0, {"type": "redacted_thinking", "data": "ZGF0YQ=="}), {"type": "redacted_thinking", "data": "ZGF0YQ=="}),
        (block(0, SEARCH | {"input": {}}, *arguments('{"query":', '"x"}')), SEARCH),
        (block(0, SEARCH), SEARCH),
        (block(0, SEARCH | {"input": {}}, *arguments("{")), SEARCH | {"input": "{"}),
        (
            block(0, {"type": "compaction", "content": None}, {"type": "compaction_delta", "content": "x", "signature": "y"}),
            {"type": "compaction", "content": "x", "signature": "y"},
        ),
        (
            block(0, {"type": "new", "text": "H"}, *text("i", "!"), {"type": "citations_delta", "citation": CITATION}),
            {"type": "new", "text": "Hi!", "citations": [CITATION]},
        ),
        (block(0, {"type": "image", "source": 1}), {"type": "image", "source": 1}),
    ],
)
def test_a_block_is_what_its_pieces_make(chunks: list[dict[str, Any]], whole: dict[str, Any]) -> None:
    expected = il.load_response({"content": [whole]}, "anthropic").to_dict()["choices"][0]["message"]["content"]
    assert content_of(chunks) == expected


def test_the_envelope_is_laid_over_what_was_told_and_null_replaces_nothing() -> None:
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


def test_a_call_is_told_when_it_is_complete() -> None:
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
        {"type": "content_block_delta", "index": 8, "delta": {"type": "input_json_delta", "partial_json": "{}"}},
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
            {"type": "tool_use", "name": "", "input": {}},
        ]
        assert response.stop_reason == "stop"


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
def test_an_error_inside_the_stream_is_told(chunk: dict[str, Any]) -> None:
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
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "\ud800"}},
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


# Writing streams


def written(events: Iterable[il.Event], target: str = "anthropic") -> tuple[list[dict[str, Any]], set[tuple[str, str]]]:
    writer = il.writer(target)
    chunks = [chunk for event in events for chunk in writer.feed(event)]
    told: set[tuple[str, str]] = {(loss.kind, loss.path) for loss in writer.losses}
    assert len(told) == len(writer.losses)
    return chunks, told


def snapshot(chunks: list[dict[str, Any]]) -> dict[str, Any]:
    """The message that the official SDK makes of a stream."""
    made: Any = None
    buffers: dict[int, bytes] = {}
    for chunk in json.loads(json.dumps(chunks)):
        made = accumulate_event(event=chunk, current_snapshot=made, json_bufs=buffers)
    return made.to_dict(mode="json")  # type: ignore[no-any-return]


def flat(*events: il.Event, stop: str = "stop") -> list[il.Event]:
    start = il.MessageStart(id="c", model="m", created=1, origin="openai_chat")
    return [start, *events, il.Stop(stop_reason=stop), il.StreamEnd()]


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
    assert frame == [(kind, index) for index in (0, 1, 2) for kind in kinds]
    message = snapshot(chunks)
    assert message["content"] == [
        {"type": "text", "text": "Hi"},
        {"type": "tool_use", "id": "il_f_3a_0", "name": "f", "input": {"a": 1}},
        {"type": "tool_use", "id": "g", "name": "g", "input": {"b": 2}},
    ]
    assert (message["stop_reason"], message["usage"]) == ("tool_use", {"input_tokens": 3, "output_tokens": 4})
    assert losses == {("dropped", "/created")}


def test_text_goes_on_at_once_and_the_start_tells_what_is_known() -> None:
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


def test_usage_that_comes_after_the_end_is_told_again() -> None:
    start, text, stop, end = flat(il.TextDelta(index=0, text="Hi"))
    used = il.UsageUpdate(usage=il.Usage(input_tokens=3, cache_read_tokens=2, output_tokens=4))
    chunks, _ = written([start, text, stop, used, end])
    deltas = [chunk for chunk in chunks if chunk["type"] == "message_delta"]
    assert [delta["delta"] for delta in deltas] == [{"stop_reason": "end_turn", "stop_sequence": None}] * 2
    assert deltas[1]["usage"] == {"input_tokens": 3, "cache_read_input_tokens": 2, "output_tokens": 4}
    assert chunks[-1] == {"type": "message_stop"}
    chunks, _ = written([start, used, text, end])
    assert [chunk["usage"] for chunk in chunks if "usage" in chunk] == [deltas[1]["usage"]]


def test_signed_reasoning_goes_on_with_its_signature() -> None:
    writer = il.writer("anthropic")
    assert [writer.feed(event) for event in flat(THOUGHT)[:2]] == [[], []]
    kinds = [chunk["type"] for chunk in writer.feed(il.SignatureDelta(index=0, signature="c2ln"))]
    assert kinds == ["message_start", "content_block_start", "content_block_delta", "content_block_delta"]


@pytest.mark.parametrize(
    ("events", "content", "losses"),
    [
        (
            [THOUGHT, il.SignatureDelta(index=0, signature="c2ln", issuer="anthropic"), il.TextDelta(index=1, text="Hi")],
            [{"type": "thinking", "thinking": "hm", "signature": "c2ln"}, {"type": "text", "text": "Hi"}],
            set[tuple[str, str]](),
        ),
        (
            [THOUGHT, il.SignatureDelta(index=0, signature="c2ln", issuer="gemini")],
            [],
            {("dropped", "/thinking_blocks/0")},
        ),
        (
            [THOUGHT, il.TextDelta(index=1, text="Hi"), THOUGHT],
            [TEXT | {"text": "Hi"}],
            {("dropped", "/thinking_blocks/0")},
        ),
        (
            [il.ThinkingDelta(index=0, thinking="hm", field="text"), il.TextDelta(index=1, text="Hi")],
            [TEXT | {"text": "Hi"}],
            {("dropped", "/reasoning_content")},
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
            [{"type": "tool_use", "id": "call-1", "name": "f", "input": {"INVALID_JSON": "{"}}],
            {("changed", "/tool_calls/0"), ("changed", "/tool_calls/0/arguments")},
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
    ],
)
def test_what_has_no_place_is_told(events: list[il.Event], content: list[Any], losses: set[tuple[str, str]]) -> None:
    chunks, told = written(flat(*events))
    assert snapshot(chunks)["content"] == content
    assert told == {("dropped", "/created"), *((kind, "/choices/0/message" + path) for kind, path in losses)}


def test_a_flat_message_never_came_from_here() -> None:
    _, told = written([il.MessageStart(origin="anthropic"), THOUGHT, il.Stop(stop_reason="stop")])
    assert told == {("dropped", "/choices/0/message/thinking_blocks/0")}


def test_reasoning_may_go_unsigned_where_the_profile_says_so() -> None:
    plain = il.ThinkingDelta(index=0, thinking="hm", field="text")
    chunks, told = written(flat(plain, plain, il.TextDelta(index=1, text="Hi")), "asktable")
    assert snapshot(chunks)["content"] == [{"type": "thinking", "thinking": "hmhm"}, {"type": "text", "text": "Hi"}]
    assert told == {("dropped", "/created")}
    late = il.SignatureDelta(index=0, signature="c2ln", issuer="gemini")
    _, told = written(flat(THOUGHT, late), "asktable")
    assert ("dropped", "/choices/0/message/thinking_blocks/0/signature") in told


def test_text_that_goes_on_behind_its_end_is_a_further_block() -> None:
    chunks, told = written(flat(il.TextDelta(index=0, text="a"), il.PartStop(index=0), il.TextDelta(index=0, text="b")))
    assert [part["text"] for part in snapshot(chunks)["content"]] == ["a", "b"]
    assert ("changed", "/choices/0/message/content") in told


def test_other_choices_are_told_once() -> None:
    others: list[il.Event] = [il.TextDelta(choice=1, index=0, text="a"), il.Stop(choice=1, stop_reason="stop")]
    start = il.MessageStart(choice=1, id="c", model="m", origin="openai_chat")
    chunks, told = written([start, *others, il.TextDelta(index=0, text="b"), il.Stop(stop_reason="stop")])
    assert (snapshot(chunks)["id"], told) == ("c", {("dropped", "/choices/1")})


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
    writer = il.writer("anthropic")
    writer.feed(il.ArgumentsDelta(index=0, arguments="{}"))
    with pytest.raises(il.StreamError):
        writer.feed(il.PartStop(index=0))


@pytest.mark.parametrize("target", ["anthropic", "asktable"])
def test_a_stream_that_holds_everything_comes_home(target: str) -> None:
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
    out, told = written(reader.read(chunks), target)
    again = il.reader(target)
    list(again.read(out))
    assert again.response == reader.response
    assert told == set()
    before, after = snapshot(chunks), snapshot(out)
    assert after == before


def test_input_spelled_as_text_comes_home_as_text() -> None:
    reader, again = il.reader("asktable"), il.reader("asktable")
    out, _ = written(reader.read([START, *block(0, CALL | {"input": "{ }"}), *END]), "asktable")
    list(again.read(out))
    assert again.response == reader.response
    assert again.response.message.tool_uses[0].input == "{ }"


@pytest.mark.traffic
def test_recorded_streams_come_home(traffic: Path) -> None:
    for file in sorted(traffic.glob("anthropic*.streams.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            chunks = [event["data"] for event in json.loads(line)["events"]]
            reader, again = il.reader("anthropic"), il.reader("anthropic")
            out, told = written(reader.read(chunks))
            list(again.read(out))
            assert again.response == reader.response
            assert (told, reader.complete) == (set(), True)


def test_a_results_name_has_no_place_in_either_spelling() -> None:
    message = il.ToolMessage(tool_call_id="c", name="f", content="x")
    for spelled, path in ((message, "/0/name"), (message.to_blocks(), "/0/content/0/name")):
        told: list[il.Loss] = []
        il.dump([spelled], "anthropic", on_loss=told.append)
        assert [(loss.kind, loss.path) for loss in told] == [("dropped", path)]
