"""MCP calls that a provider's server made, between Anthropic and Responses: in requests, in answers and in streams."""

import re
from functools import partial
from typing import Any

import pytest
from anthropic.types.beta import BetaMessage
from openai.types.responses import Response as OpenAIResponse

import interlingua as il
from conversion.server_answers import (
    blocks,
    chunks_of_blocks,
    content_of,
    converted,
    items,
    of_content,
    said,
)
from interlingua.formats import anthropic
from interlingua.testing.lawbook.documents import canonical
from laws import sdks
from laws.steps import steps

CALL: dict[str, Any] = {"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "ask", "server_name": "wiki", "input": {"q": "x"}}
RESULT: dict[str, Any] = {
    "type": "mcp_tool_result",
    "tool_use_id": "mcptoolu_1",
    "is_error": False,
    "content": [{"type": "text", "text": "A fox."}],
}
SAYS = {"type": "text", "text": "It is a fox."}
ITEM: dict[str, Any] = {
    "type": "mcp_call",
    "id": "mcp_1",
    "server_label": "wiki",
    "name": "ask",
    "arguments": '{"q": "x"}',
    "output": "A fox.",
    "status": "completed",
}
FAILED: dict[str, Any] = {
    **{key: value for key, value in ITEM.items() if key != "output"},
    "error": {"type": "mcp_tool_execution_error", "content": [{"type": "text", "text": "A fox."}]},
    "status": "failed",
}
SAID = said("It is a fox.")
QUESTION: dict[str, Any] = {"role": "user", "content": "Who?"}
WITH_MCP = anthropic.format_for(anthropic.AnthropicProfile(mcp=True))


def to_items(*content: Any) -> tuple[Any, list[tuple[str, str]]]:
    """The items of an answer with these blocks, and the losses."""
    payload, losses = converted(blocks(*content), "anthropic", "openai_responses")
    OpenAIResponse.model_validate(payload, strict=True)
    return payload["output"], losses


def to_blocks(*output: Any) -> tuple[Any, list[tuple[str, str]]]:
    """The blocks of an answer with these items, and the losses."""
    payload, losses = converted(items(*output), "openai_responses", "anthropic")
    BetaMessage.model_validate(payload, strict=True)
    return payload["content"], losses


# Answers


def test_a_call_and_its_result_become_one_item_in_the_place_of_the_result() -> None:
    output, losses = to_items({"type": "text", "text": "I ask."}, CALL, RESULT, SAYS)
    assert [item["type"] for item in output] == ["message", "mcp_call", "message"]
    assert output[1] == ITEM
    assert losses == [("changed", "/1"), ("changed", "/2")]


def test_an_item_becomes_a_call_and_its_result() -> None:
    content, losses = to_blocks(ITEM, SAID)
    assert content == [CALL, RESULT, SAYS]
    assert [loss for loss in losses if loss[1] == "/0"] == [("changed", "/0"), ("added", "/0")]


@pytest.mark.parametrize("item", [ITEM, FAILED, {**ITEM, "output": ""}, {**ITEM, "arguments": "{}"}])
def test_an_item_comes_back_as_it_was(item: dict[str, Any]) -> None:
    content, _ = to_blocks(item, SAID)
    assert to_items(*content)[0][0] == item


def test_a_call_that_failed_stays_one_that_failed() -> None:
    output, _ = to_items(CALL, {**RESULT, "is_error": True}, SAYS)
    assert output[0] == FAILED
    content, _ = to_blocks(output[0], SAID)
    assert content[1]["is_error"] is True


@pytest.mark.parametrize(
    ("error", "text", "lost"),
    [
        ({"type": "http_error", "code": 502, "message": "Gone."}, "Gone.", ["/error/type", "/error/code"]),
        ("Gone.", "Gone.", []),
        ({"type": "mcp_tool_execution_error", "content": "Gone."}, "Gone.", []),
        ({"type": "mcp_tool_execution_error", "content": [{"type": "image"}]}, None, ["/error/content/0"]),
        ({"type": "mcp_tool_execution_error", "content": {"a": 1}}, None, ["/error/content"]),
    ],
)
def test_an_error_is_read_for_its_text(error: Any, text: str | None, lost: list[str]) -> None:
    body = items({**FAILED, "error": error}, SAID)
    payload, losses = converted(body, "openai_responses", "anthropic")
    made = payload["content"][1]
    assert (made["is_error"], made["content"]) == (True, [] if text is None else [{"type": "text", "text": text}])
    assert [path.removeprefix("/0/value") for kind, path in losses if kind == "dropped" and "/value" in path] == lost


@pytest.mark.parametrize("error", [None, "", {}])
def test_an_empty_error_is_none(error: Any) -> None:
    content, losses = to_blocks({**ITEM, "error": error}, SAID)
    assert content == [CALL, RESULT, SAYS]
    assert [kind for kind, path in losses if path.startswith("/0")] == ["changed", "added"]


@pytest.mark.parametrize("status", ["completed", "failed", "incomplete", None])
def test_a_call_that_ended_may_have_an_empty_result(status: str | None) -> None:
    content, _ = to_blocks({**ITEM, "output": None, "status": status}, SAID)
    assert content[1] == {**RESULT, "content": [], "is_error": status in ("failed", "incomplete")}


@pytest.mark.parametrize(
    ("content", "output"), [("A fox.", "A fox."), ("", ""), ([], ""), ([*RESULT["content"]] * 2, "A fox.\nA fox.")]
)
def test_a_result_is_one_text(content: Any, output: str) -> None:
    made, losses = to_items(CALL, {**RESULT, "content": content}, SAYS)
    assert made[0]["output"] == output
    assert [kind for kind, _ in losses] == ["changed", "changed"]


def test_calls_at_once_are_in_the_order_of_their_results() -> None:
    other = [{**CALL, "id": "mcptoolu_2"}, {**RESULT, "tool_use_id": "mcptoolu_2"}]
    assert [item.get("id") for item in to_items(CALL, *other, RESULT, SAYS)[0]][:2] == ["mcp_2", "mcp_1"]


def test_what_the_other_has_no_field_for_is_reported() -> None:
    cited = [{"type": "text", "text": "A fox.", "citations": [{"type": "x"}]}, {"type": "x"}]
    _, losses = to_items({**CALL, "more": 1}, {**RESULT, "content": cited}, SAYS)
    dropped = [path for kind, path in losses if kind == "dropped"]
    assert dropped == ["/0/value/more", "/1/value/content/0/citations", "/1/value/content/1"]
    _, losses = to_blocks({**ITEM, "approval_request_id": "mcpr_1", "status": "calling"}, SAID)
    assert {"/0/value/approval_request_id", "/0/value/status"} <= {path for kind, path in losses if kind == "dropped"}


@pytest.mark.parametrize(("text", "made"), [("", {}), ("{", {"INVALID_JSON": "{"}), ('{"a": 1, "a": 2}', {"a": 2})])
def test_arguments_that_are_no_object_are_reported(text: str, made: Any) -> None:
    content, losses = to_blocks({**ITEM, "arguments": text}, SAID)
    assert content[0]["input"] == made
    assert [loss for loss in losses if loss[1] == "/0"] == [("changed", "/0"), ("changed", "/0"), ("added", "/0")]


@pytest.mark.parametrize("id", ["call.1", "", "x" * 99])
def test_an_id_is_one_that_the_target_accepts(id: str) -> None:
    content, _ = to_blocks({**ITEM, "id": id}, SAID)
    assert content[0]["id"] == content[1]["tool_use_id"]
    assert re.fullmatch("[A-Za-z0-9_-]+", content[0]["id"])
    assert (content[0]["id"] == id) == id.isalnum()
    output, _ = to_items({**CALL, "id": id}, {**RESULT, "tool_use_id": id}, SAYS)
    assert output[0]["id"].startswith("mcp_")
    assert len(output[0]["id"]) <= 64


@pytest.mark.parametrize("ids", [("a.b", "a_b"), ("a.b", "a:b"), ("", "", "_")])
def test_calls_with_different_ids_or_none_never_share_one(ids: tuple[str, ...]) -> None:
    content, _ = to_blocks(*({**ITEM, "id": id} for id in ids), SAID)
    calls = [block["id"] for block in content if block["type"] == "mcp_tool_use"]
    assert len(set(calls)) == len(ids)
    assert calls == [block["tool_use_id"] for block in content if block["type"] == "mcp_tool_result"]


@pytest.mark.parametrize(
    ("body", "source", "target"),
    [
        (blocks(SAYS, CALL), "anthropic", "openai_responses"),  # the result is still to come
        (blocks(RESULT, SAYS), "anthropic", "openai_responses"),
        (blocks(RESULT, CALL, SAYS), "anthropic", "openai_responses"),
        (blocks({**CALL, "server_name": None}, RESULT, SAYS), "anthropic", "openai_responses"),
        (items({**ITEM, "arguments": None}, SAID), "openai_responses", "anthropic"),
        (items({**ITEM, "output": None, "status": "in_progress"}, SAID), "openai_responses", "anthropic"),
        (items({**ITEM, "output": "", "error": "", "status": "calling"}, SAID), "openai_responses", "anthropic"),
        (blocks(CALL, RESULT, SAYS), "anthropic", "openai_chat"),
        (items(ITEM, SAID), "openai_responses", "gemini"),
    ],
)
def test_what_is_no_whole_call_is_reported(body: dict[str, Any], source: il.FormatName, target: il.FormatName) -> None:
    payload, losses = converted(body, source, target)
    assert "mcp" not in str(payload.get("output", payload.get("content")))
    lost = [path for kind, path in losses if kind == "dropped"]
    parts = il.load_response(body, source).message.parts
    assert sorted(lost) == [f"/{i}" for i, part in enumerate(parts) if part.type == "opaque"]


def test_a_second_call_with_the_same_id_is_reported() -> None:
    output, losses = to_items(CALL, RESULT, CALL, RESULT)
    assert [item["id"] for item in output] == ["mcp_1"]
    assert losses == [("changed", "/0"), ("changed", "/1"), ("dropped", "/2"), ("dropped", "/3")]


def test_a_result_does_not_belong_to_a_search() -> None:
    search = {"type": "server_tool_use", "id": "mcptoolu_1", "name": "web_search", "input": {"query": "x"}}
    output, losses = to_items(search, RESULT, SAYS)
    assert [item["type"] for item in output] == ["message"]
    assert losses == [("dropped", "/1"), ("dropped", "/0")]


# Streams

STREAMED: dict[str, tuple[dict[str, Any], il.FormatName, il.FormatName]] = {
    "blocks": (blocks({"type": "text", "text": "I ask."}, CALL, RESULT, SAYS), "anthropic", "openai_responses"),
    "failed": (blocks(CALL, {**RESULT, "is_error": True}, SAYS), "anthropic", "openai_responses"),
    "no result": (blocks(SAYS, CALL), "anthropic", "openai_responses"),
    "no call": (blocks(RESULT, SAYS), "anthropic", "openai_responses"),
    "items": (items(SAID, ITEM, {**FAILED, "id": "mcp_2"}, {**SAID, "id": "msg_2"}), "openai_responses", "anthropic"),
    "unfinished": (items({**ITEM, "output": None, "status": "in_progress"}, SAID), "openai_responses", "anthropic"),
    "no ids": (items({**ITEM, "id": ""}, {**ITEM, "id": ""}, {**ITEM, "id": "a.b"}, SAID), "openai_responses", "anthropic"),
    "no arguments": (items({**ITEM, "arguments": "{}"}, SAID), "openai_responses", "anthropic"),
}


@pytest.mark.parametrize(("body", "source", "target"), STREAMED.values(), ids=STREAMED)
def test_a_stream_has_the_same_as_the_whole_answer(body: dict[str, Any], source: il.FormatName, target: il.FormatName) -> None:
    """As our reader and the official client fold it."""
    losses: list[il.Loss] = []
    written = list(il.restream(_chunks_of(body), source=source, target=target, on_loss=losses.append, fill=True))
    fold = sdks.SDKS[target].fold
    assert fold is not None
    assert [fault for chunk in written for fault in sdks.chunk_faults(chunk, target)] == []
    reader = il.reader(target)
    list(reader.read(written))
    payload, expected = converted(body, source, target)
    whole = content_of(payload)
    assert canonical(content_of(il.dump_response(reader.response, target))) == canonical(whole)
    assert canonical(_calls_in(content_of(fold(written)))) == canonical(_calls_in(whole))
    assert sorted(of_content(losses)) == sorted(expected)


def test_a_stream_to_responses_has_the_events_of_a_call() -> None:
    written = _streamed(blocks(CALL, RESULT, SAYS), "anthropic", "openai_responses")
    about = [chunk for chunk in written if chunk.get("item_id") == "mcp_1"]
    assert [chunk["type"].removeprefix("response.") for chunk in about] == [
        "mcp_call.in_progress",
        "mcp_call_arguments.delta",
        "mcp_call_arguments.done",
        "mcp_call.completed",
    ]
    assert about[1]["delta"] == about[2]["arguments"] == ITEM["arguments"]
    added = next(chunk["item"] for chunk in written if chunk["type"] == "response.output_item.added")
    assert added == {**ITEM, "arguments": "", "output": None, "status": "in_progress"}


def test_a_stream_to_anthropic_has_the_arguments_in_deltas() -> None:
    written = _streamed(items(ITEM, SAID), "openai_responses", "anthropic")
    start, delta = written[1:3]
    assert start["content_block"] == {**CALL, "input": {}}
    assert delta["delta"] == {"type": "input_json_delta", "partial_json": '{"q": "x"}'}


def test_a_stream_to_the_same_format_has_each_event_once() -> None:
    written = _streamed(items(ITEM, SAID), "openai_responses", "openai_responses")
    assert [chunk["type"] for chunk in written].count("response.mcp_call.completed") == 1


def _streamed(body: dict[str, Any], source: il.FormatName, target: il.FormatName) -> list[Any]:
    return list(il.restream(_chunks_of(body), source=source, target=target, on_loss="ignore"))


def _calls_in(content: Any) -> Any:
    """The MCP calls among the parts, and the types of the others; the client's objects have null for missing fields."""
    said = [{key: value for key, value in part.items() if value is not None} for part in content]
    return [_bare(part) if "mcp" in str(part["type"]) else part["type"] for part in said]


def _bare(part: dict[str, Any]) -> dict[str, Any]:
    """A part without the null citations of the client's texts."""
    content: list[dict[str, Any]] | str | None = part.get("content")
    texts: Any = [{"type": "text", "text": text["text"]} for text in content] if isinstance(content, list) else content
    return {**part, "content": texts} if "content" in part else part


def _chunks_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    return chunks_of_blocks(body) if "content" in body else _chunks_of_items(body)


def _chunks_of_items(body: dict[str, Any]) -> list[dict[str, Any]]:
    """As OpenAI's server sends them."""
    chunks: list[dict[str, Any]] = [{"type": "response.created", "response": {**body, "status": "in_progress", "output": []}}]
    for i, item in enumerate(body["output"]):
        is_call = item["type"] == "mcp_call"
        empty: dict[str, Any] = {"arguments": "", "output": None, "error": None} if is_call else {"content": []}
        added = {**item, **empty, "status": "in_progress"}
        chunks.append({"type": "response.output_item.added", "output_index": i, "item": added})
        if is_call:
            which = {"output_index": i, "item_id": item["id"]}
            chunks += [
                {"type": "response.mcp_call.in_progress", **which},
                {"type": "response.mcp_call_arguments.delta", **which, "delta": item["arguments"]},
                {"type": "response.mcp_call_arguments.done", **which, "arguments": item["arguments"]},
                {"type": f"response.mcp_call.{item['status']}", **which},
            ]
        chunks.append({"type": "response.output_item.done", "output_index": i, "item": item})
    return [*chunks, {"type": "response.completed", "response": body}]


# Requests


def test_a_request_to_responses_has_the_calls_of_its_history() -> None:
    asked = [QUESTION, {"role": "assistant", "content": [CALL, RESULT, SAYS]}, QUESTION]
    made = il.convert({"model": "m", "max_tokens": 99, "messages": asked}, source="anthropic", target="openai_responses")
    payload: Any = made.payload
    assert payload["input"][1] == ITEM
    assert [(loss.kind, loss.path) for loss in made.losses] == [
        ("changed", "/messages/1/content/0"),
        ("changed", "/messages/1/content/1"),
    ]
    assert made.places["/input/1"] == "/messages/1/content/1"
    home = il.convert(payload, source="openai_responses", target=WITH_MCP)
    assert home.payload["messages"] == asked


def test_a_request_to_anthropic_has_them_if_its_beta_is_named() -> None:
    history = {"model": "m", "max_output_tokens": 99, "input": [QUESTION, ITEM, SAID, QUESTION]}
    made: Any = il.convert(history, source="openai_responses", target=WITH_MCP)
    assert made.payload["messages"][1]["content"] == [CALL, RESULT, SAYS]
    assert (made.places["/messages/1/content/0"], made.places["/messages/1/content/1"]) == ("/input/1", "/input/1")
    assert [(loss.kind, loss.path) for loss in made.losses if loss.path == "/input/1"] == [
        ("changed", "/input/1"),
        ("added", "/input/1"),
    ]
    assert il.check(made.payload, "anthropic") == []


@pytest.mark.parametrize("target", ["anthropic", "anthropic_vertex", "anthropic_bedrock"])
def test_a_request_to_anthropic_does_not_have_them_otherwise(target: il.FormatName) -> None:
    history = {"model": "m", "input": [QUESTION, ITEM, SAID, QUESTION]}
    made = il.convert(history, source="openai_responses", target=target)
    assert "mcp" not in str(made.payload["messages"])
    assert "It is a fox." in str(made.payload["messages"])
    (loss,) = [loss for loss in made.losses if loss.path == "/input/1"]
    assert loss.kind == "dropped"
    assert ("mcp-client-2025-11-20" in loss.detail) == (target == "anthropic")


def test_an_answer_that_comes_back_is_the_item_that_it_was() -> None:
    answer, _ = converted(items(ITEM, SAID), "openai_responses", "anthropic")
    asked = [QUESTION, {"role": "assistant", "content": answer["content"]}, QUESTION]
    body: dict[str, Any] = {"model": "m", "max_tokens": 99, "messages": asked}
    home: Any = il.convert(body, source="anthropic", target="openai_responses").payload
    assert home["input"][1] == ITEM
    assert il.convert(body, source="anthropic", target="anthropic").payload == body


def _long_history(count: int) -> dict[str, Any]:
    messages: list[Any] = [QUESTION]
    for i in range(count):
        content = [{**CALL, "id": f"mcptoolu_{i}"}, {**RESULT, "tool_use_id": f"mcptoolu_{i}"}, SAYS]
        messages += [{"role": "assistant", "content": content}, QUESTION]
    return {"model": "m", "max_tokens": 99, "messages": messages}


def test_many_answers_with_calls_take_linear_time() -> None:
    bodies = [_long_history(count) for count in (2, 50, 100, 200)]
    _, few, more, most = (steps(partial(il.convert, body, source="anthropic", target="openai_responses")) for body in bodies)
    assert most - more < 2.15 * (more - few)


# From the Interactions API

STEPS: list[dict[str, Any]] = [
    {"type": "mcp_server_tool_call", "id": "1", "name": "ask", "server_name": "wiki", "arguments": {"q": "x"}},
    {"type": "mcp_server_tool_result", "call_id": "1", "name": "ask", "server_name": "wiki", "result": "A fox."},
    {"type": "model_output", "content": [{"type": "text", "text": "It is a fox."}]},
]


@pytest.mark.parametrize("result", ["A fox.", [{"type": "text", "text": "A fox."}], {"fox": 1}])
def test_steps_become_the_items_and_the_blocks_of_others(result: Any) -> None:
    text = '{"fox": 1}' if isinstance(result, dict) else "A fox."
    body: dict[str, Any] = {
        "id": "i",
        "model": "m",
        "status": "completed",
        "steps": [STEPS[0], {**STEPS[1], "result": result}, STEPS[2]],
    }
    payload, losses = converted(body, "gemini_interactions", "openai_responses")
    assert payload["output"][0] == {**ITEM, "output": text}
    assert losses == [("changed", "/0"), ("changed", "/1")]
    payload, losses = converted(body, "gemini_interactions", "anthropic")
    content = [{"type": "text", "text": text}]
    assert payload["content"][:2] == [{**CALL, "id": "1"}, {**RESULT, "tool_use_id": "1", "content": content}]
    assert losses == [("changed", "/0"), ("changed", "/1")]


@pytest.mark.parametrize("step", [{**STEPS[0], "name": None}, {**STEPS[0], "arguments": "x"}, {**STEPS[1], "call_id": None}])
def test_a_step_that_is_no_call_is_reported(step: dict[str, Any]) -> None:
    body = {"id": "i", "model": "m", "status": "completed", "steps": [step, STEPS[2]]}
    assert converted(body, "gemini_interactions", "openai_responses")[1] == [("dropped", "/0")]
