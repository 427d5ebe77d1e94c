"""Searches of the web in answers: what Anthropic's and Responses' clients see of those that the other's server ran."""

from functools import partial
from typing import Any

import pytest
from anthropic.types import Message
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
from interlingua.testing.lawbook.documents import canonical
from laws import sdks
from laws.steps import steps

FOUND = {"type": "web_search_result", "url": "https://a.org", "title": "A", "encrypted_content": "eA==", "page_age": "1 day"}
ASKED = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "news"}}
RESULTS: dict[str, Any] = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [FOUND]}
SAYS = {"type": "text", "text": "Nothing new."}
CALL: dict[str, Any] = {
    "type": "web_search_call",
    "id": "ws_1",
    "status": "completed",
    "action": {"type": "search", "query": "a", "queries": ["a", "b"], "sources": [{"type": "url", "url": "https://a.org"}]},
}
SAID = said("Nothing new.")


def test_blocks_of_a_search_become_one_item_in_the_place_of_the_results() -> None:
    made = converted(blocks({"type": "text", "text": "I search."}, ASKED, RESULTS, SAYS), "anthropic", "openai_responses")
    OpenAIResponse.model_validate(made.payload, strict=True)
    action = {"type": "search", "query": "news", "queries": ["news"], "sources": [{"type": "url", "url": "https://a.org"}]}
    assert made.payload["output"][1] == {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": action}
    assert [item["type"] for item in made.payload["output"]] == ["message", "web_search_call", "message"]
    assert made.losses == [("changed", "/1"), ("changed", "/2")]


def test_an_item_of_a_search_becomes_two_blocks() -> None:
    made = converted(items(CALL, SAID), "openai_responses", "anthropic")
    Message.model_validate(made.payload, strict=True)
    result = {"type": "web_search_result", "url": "https://a.org", "title": "https://a.org", "encrypted_content": ""}
    assert made.payload["content"] == [
        {"type": "server_tool_use", "id": "srvtoolu_ws_1", "name": "web_search", "input": {"query": "a b"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_ws_1", "content": [{**result, "page_age": None}]},
        SAYS,
    ]
    assert [loss for loss in made.losses if loss[1] == "/0"] == [("changed", "/0"), ("added", "/0")]
    again = converted(made.payload, "anthropic", "openai_responses").payload["output"][0]
    assert again == {**CALL, "action": {**CALL["action"], "query": "a b", "queries": ["a b"]}}


def test_a_search_that_failed_stays_one_that_failed() -> None:
    error = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    made = converted(blocks(ASKED, {**RESULTS, "content": error}), "anthropic", "openai_responses")
    assert made.payload["output"][0]["status"] == "failed"
    again = converted(made.payload, "openai_responses", "anthropic").payload
    Message.model_validate(again, strict=True)
    assert again["content"][1]["content"] == {"type": "web_search_tool_result_error", "error_code": "unavailable"}


def test_a_search_that_still_runs_is_none_that_failed() -> None:
    """Azure's server ends an answer with such a search."""
    content = converted(items({**CALL, "status": "searching"}, SAID), "openai_responses", "anthropic").payload["content"]
    assert [result["url"] for result in content[1]["content"]] == ["https://a.org"]


BY_TWO = [{**ASKED, "id": "srvtoolu_2", "input": {"query": "more"}}, {**RESULTS, "tool_use_id": "srvtoolu_2"}]


def test_searches_that_run_at_once_are_in_the_order_of_their_results() -> None:
    body = blocks(ASKED, BY_TWO[0], BY_TWO[1], RESULTS, SAYS)
    output = converted(body, "anthropic", "openai_responses").payload["output"]
    assert [item["action"]["query"] for item in output[:2]] == ["more", "news"]


@pytest.mark.parametrize(
    ("body", "source", "target"),
    [
        (blocks(SAYS, ASKED), "anthropic", "openai_responses"),  # its results are to come
        (blocks(RESULTS, SAYS), "anthropic", "openai_responses"),
        (blocks(RESULTS, ASKED, SAYS), "anthropic", "openai_responses"),
        (items({**CALL, "action": {"type": "open_page", "url": "x"}}, SAID), "openai_responses", "anthropic"),
        (blocks(ASKED, RESULTS, SAYS), "anthropic", "openai_chat"),
        (items(CALL, SAID), "openai_responses", "gemini"),
    ],
)
def test_what_is_no_whole_search_is_reported(body: dict[str, Any], source: il.FormatName, target: il.FormatName) -> None:
    made = converted(body, source, target)
    assert "web_search" not in str(made.payload.get("output", made.payload.get("content")))
    lost = [path for kind, path in made.losses if kind == "dropped"]
    parts = il.load_response(body, source).message.parts
    assert sorted(lost) == [f"/{i}" for i, part in enumerate(parts) if part.type == "opaque"]


def test_a_second_search_of_one_id_is_reported() -> None:
    made = converted(blocks(ASKED, RESULTS, ASKED, RESULTS), "anthropic", "openai_responses")
    assert [item["id"] for item in made.payload["output"]] == ["ws_1"]
    assert made.losses == [("changed", "/0"), ("changed", "/1"), ("dropped", "/2"), ("dropped", "/3")]


def test_what_has_no_word_in_a_search_is_reported() -> None:
    sources = [*CALL["action"]["sources"], {"type": "api", "name": "oai-weather"}]
    action = {**CALL["action"], "sources": sources, "more": 1}
    losses = converted(items({**CALL, "action": action}, SAID), "openai_responses", "anthropic").losses
    assert ("dropped", "/0/value/action/sources/1") in losses
    assert ("dropped", "/0/value/action/more") in losses
    called = {**ASKED, "caller": {"type": "code_execution_20260120", "tool_id": "t"}}
    assert ("dropped", "/0/value/caller") in converted(blocks(called, RESULTS), "anthropic", "openai_responses").losses


GOOGLED: list[dict[str, Any]] = [
    {"toolCall": {"id": "x", "toolType": "GOOGLE_SEARCH_WEB", "args": {"queries": ["a", "b"]}}, "thoughtSignature": "c2ln"},
    {"toolResponse": {"id": "x", "toolType": "GOOGLE_SEARCH_WEB", "response": {"search_suggestions": "<p>"}}},
    {"text": "Nothing new."},
]


def candidates(*parts: Any) -> dict[str, Any]:
    return {"candidates": [{"index": 0, "content": {"role": "model", "parts": [*parts]}, "finishReason": "STOP"}]}


def test_a_search_of_gemini_is_one_of_both() -> None:
    made = converted(candidates(*GOOGLED), "gemini", "openai_responses")
    OpenAIResponse.model_validate(made.payload, strict=True)
    action = {"type": "search", "query": "a", "queries": ["a", "b"]}
    assert made.payload["output"][0] == {"type": "web_search_call", "id": "ws_x", "status": "completed", "action": action}
    assert made.losses == [
        ("changed", "/0"),
        ("dropped", "/0/value/thoughtSignature"),
        ("changed", "/1"),
        ("dropped", "/1/value/toolResponse/response"),
    ]
    made = converted(candidates(*GOOGLED), "gemini", "anthropic")
    Message.model_validate(made.payload, strict=True)
    assert made.payload["content"] == [
        {"type": "server_tool_use", "id": "srvtoolu_ws_x", "name": "web_search", "input": {"query": "a b"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_ws_x", "content": []},
        SAYS,
    ]


def test_another_tool_of_gemini_is_no_search() -> None:
    maps = [{key: {**value, "toolType": "GOOGLE_MAPS"} for key, value in part.items()} for part in GOOGLED[1:2]]
    made = converted(candidates(*maps, GOOGLED[2]), "gemini", "openai_responses")
    assert [item["type"] for item in made.payload["output"]] == ["message"]
    assert made.losses == [("dropped", "/0")]


# Streams

STREAMED = {
    "of Gemini": (candidates(*GOOGLED), "gemini", "openai_responses"),
    "of Gemini for Claude": (candidates(*GOOGLED), "gemini", "anthropic"),
    "blocks": (blocks({"type": "text", "text": "I search."}, ASKED, RESULTS, SAYS), "anthropic", "openai_responses"),
    "two searches": (blocks(ASKED, BY_TWO[0], BY_TWO[1], RESULTS, SAYS), "anthropic", "openai_responses"),
    "no results": (blocks(SAYS, ASKED), "anthropic", "openai_responses"),
    "no question": (blocks(RESULTS, SAYS, SAYS), "anthropic", "openai_responses"),
    "a search twice": (blocks(ASKED, RESULTS, ASKED, RESULTS, SAYS), "anthropic", "openai_responses"),
    "items": (items(SAID, CALL, {**CALL, "id": "ws_2"}, {**SAID, "id": "msg_2"}), "openai_responses", "anthropic"),
    "a page": (items({**CALL, "action": {"type": "open_page", "url": "x"}}, CALL, SAID), "openai_responses", "anthropic"),
    "running": (items({**CALL, "status": "searching"}, SAID), "openai_responses", "anthropic"),
}


@pytest.mark.parametrize(("body", "source", "target"), STREAMED.values(), ids=STREAMED)
def test_a_stream_has_what_the_whole_answer_has(body: dict[str, Any], source: il.FormatName, target: il.FormatName) -> None:
    """As our reader and the official client fold it."""
    losses: list[il.Loss] = []
    chunks = _chunks_of(body)
    written = list(il.restream(chunks, source=source, target=target, on_loss=losses.append, fill=True))
    fold = sdks.SDKS[target].fold
    assert fold is not None
    reader = il.reader(target)
    list(reader.read(written))
    made = converted(body, source, target)
    whole = content_of(made.payload)
    assert canonical(content_of(il.dump_response(reader.response, target))) == canonical(whole)
    assert canonical(_searches_in(content_of(fold(written)))) == canonical(_searches_in(whole))
    assert sorted(of_content(losses)) == sorted(made.losses)


def _searches_in(content: Any) -> Any:
    """Those of its parts that are of a search, by their places; the client's objects have null for what they lack."""
    said = [{key: value for key, value in part.items() if value is not None} for part in content]
    return [part if "search" in str(part.get("name", part["type"])) else part["type"] for part in said]


def _chunks_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    if "candidates" in body:
        *parts, last = body["candidates"][0]["content"]["parts"]
        said = [{"candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}}]} for part in parts]
        return [*said, candidates(last)]
    return chunks_of_blocks(body) if "content" in body else _chunks_of_items(body)


def _chunks_of_items(body: dict[str, Any]) -> list[dict[str, Any]]:
    """As OpenAI's server sends them: an item that begins has no action."""
    begun: dict[str, Any] = {**body, "status": "in_progress", "output": []}
    chunks: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
    for i, item in enumerate(body["output"]):
        start = {key: value for key, value in item.items() if key != "action"} | {"status": "in_progress"}
        start |= {"content": []} if item["type"] == "message" else {}
        chunks.append({"type": "response.output_item.added", "output_index": i, "item": start})
        if item["type"] == "web_search_call":
            said = {"output_index": i, "item_id": item["id"]}
            chunks += [{"type": f"response.web_search_call.{stage}", **said} for stage in ("in_progress", "completed")]
        chunks.append({"type": "response.output_item.done", "output_index": i, "item": item})
    return [*chunks, {"type": "response.completed", "response": body}]


# Requests

QUESTION: dict[str, Any] = {"role": "user", "content": "News?"}


def test_a_history_with_a_search_has_it_at_responses() -> None:
    asked = [QUESTION, {"role": "assistant", "content": [ASKED, RESULTS, SAYS]}, QUESTION]
    made = il.convert({"model": "m", "max_tokens": 9, "messages": asked}, source="anthropic", target="openai_responses")
    payload: Any = made.payload
    action = {"type": "search", "query": "news", "queries": ["news"], "sources": [{"type": "url", "url": "https://a.org"}]}
    assert payload["input"][1] == {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": action}
    assert [(loss.kind, loss.path) for loss in made.losses if "search" in loss.detail] == [
        ("changed", "/messages/1/content/0"),
        ("changed", "/messages/1/content/1"),
    ]
    assert made.places["/input/1"] == "/messages/1/content/1"


@pytest.mark.parametrize("target", ["anthropic", "anthropic_vertex", "anthropic_bedrock"])
def test_requests_have_no_results_that_their_server_did_not_find(target: il.FormatName) -> None:
    """Anthropic's server refuses encrypted content that it did not make."""
    history = {"model": "m", "input": [QUESTION, CALL, SAID, QUESTION]}
    made = il.convert(history, source="openai_responses", target=target)
    assert "search" not in str(made.payload["messages"])
    assert "Nothing new." in str(made.payload["messages"])
    assert ("dropped", "/input/1") in [(loss.kind, loss.path) for loss in made.losses]


def test_a_search_that_comes_back_is_known_again() -> None:
    """An answer of Responses that Anthropic's client got goes home as it was, and is not sent to Claude."""
    answer = converted(items(CALL, SAID), "openai_responses", "anthropic").payload
    asked = [QUESTION, {"role": "assistant", "content": answer["content"]}, QUESTION]
    body: dict[str, Any] = {"model": "m", "max_tokens": 9, "messages": asked}
    home: Any = il.convert(body, source="anthropic", target="openai_responses").payload
    assert home["input"][1]["id"] == "ws_1"
    made = il.convert(body, source="anthropic", target="anthropic_vertex")
    assert "search" not in str(made.payload["messages"])
    dropped = [loss.path for loss in made.losses if loss.kind == "dropped"]
    assert dropped == ["/messages/1/content/0", "/messages/1/content/1"]
    assert il.convert(body, source="anthropic", target="anthropic").payload == body
    found = [(each.code, each.path) for each in il.check(body, "anthropic") if each.code == "search-result-unreadable"]
    assert [path for _, path in found] == dropped
    mended, _ = il.repair(il.load(body, "anthropic"), "anthropic")
    assert "search" not in str(il.dump(mended, "anthropic")["messages"])


def _long_history(count: int, answered: str) -> dict[str, Any]:
    """A history of as many answers with a search, whose results have ids that begin with `answered`."""
    messages: list[Any] = [QUESTION]
    for i in range(count):
        asked, results = {**ASKED, "id": f"srvtoolu_{i}"}, {**RESULTS, "tool_use_id": f"{answered}_{i}"}
        messages += [{"role": "assistant", "content": [asked, results, SAYS]}, QUESTION]
    return {"model": "m", "max_tokens": 9, "messages": messages}


@pytest.mark.parametrize("answered", ["srvtoolu", "another"])
def test_many_answers_with_searches_take_linear_time(answered: str) -> None:
    bodies = [_long_history(count, answered) for count in (2, 50, 100, 200)]
    _, few, more, most = (steps(partial(il.convert, body, source="anthropic", target="openai_responses")) for body in bodies)
    assert most - more < 2.15 * (more - few)
