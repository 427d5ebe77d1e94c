"""Web search in requests, carried between the providers that have it: what each target gets, and what is reported."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from anthropic.types import Message
from openai.types.responses import Response as OpenAIResponse

import interlingua as il

PLACE = {"type": "approximate", "city": "Bern", "country": "CH"}
ASKED: dict[str, Any] = {
    "openai_responses": {"input": [{"role": "user", "content": "News?"}]},
    "anthropic": {"max_tokens": 99, "messages": [{"role": "user", "content": "News?"}]},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "News?"}]}]},
    "openai_chat": {"messages": [{"role": "user", "content": "News?"}]},
}
RESPONSES_FUNCTION: dict[str, Any] = {
    "type": "function",
    "name": "web_search",
    "parameters": {"type": "object", "properties": {}},
    "strict": False,
}


class Case(NamedTuple):
    source: il.FormatName
    given: dict[str, Any]
    target: il.FormatName
    search: Any
    """The tool of the target; None where it gets none."""
    losses: set[str]
    """The kind and the path of each."""


CASES = [
    # What it is limited to and where the user is, both have; the size of the context becomes a number of searches.
    Case(
        "openai_responses",
        {"tools": [{"type": "web_search", "filters": {"allowed_domains": ["a.org"]}, "user_location": PLACE}]},
        "anthropic",
        {"type": "web_search_20250305", "name": "web_search", "allowed_domains": ["a.org"], "user_location": PLACE},
        {"changed /tools/0"},
    ),
    Case(
        "openai_responses",
        {"tools": [{"type": "web_search_preview", "search_context_size": "medium"}]},
        "anthropic",
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 5},
        {"changed /tools/0", "changed /tools/0/search_context_size"},
    ),
    Case(
        "anthropic",
        {"tools": [{"type": "web_search_20260318", "name": "web_search", "allowed_domains": ["a.org"], "max_uses": 3}]},
        "openai_responses",
        {"type": "web_search", "filters": {"allowed_domains": ["a.org"]}},
        {"changed /tools/0", "dropped /tools/0/max_uses"},
    ),
    Case(
        "anthropic",
        {"tools": [{"type": "web_search_20250305", "name": "web_search", "blocked_domains": ["b.org"]}]},
        "gemini",
        {"googleSearch": {}},
        {"changed /tools/0", "dropped /tools/0/blocked_domains"},
    ),
    Case(
        "gemini",
        {"tools": [{"google_search": {}}]},
        "openai_responses",
        {"type": "web_search"},
        {"changed /tools/0"},
    ),
    Case(
        "gemini",
        {"tools": [{"googleSearch": {"excludeDomains": ["b.org"]}}]},
        "anthropic",
        {"type": "web_search_20250305", "name": "web_search", "blocked_domains": ["b.org"]},
        {"changed /tools/0"},
    ),
    # A field of the request becomes a tool.
    Case(
        "openai_chat",
        {
            "web_search_options": {
                "search_context_size": "low",
                "user_location": {"type": "approximate", "approximate": {"city": "Bern"}},
            }
        },
        "openai_responses",
        {"type": "web_search", "search_context_size": "low", "user_location": {"type": "approximate", "city": "Bern"}},
        {"changed /web_search_options"},
    ),
    Case(
        "openai_chat",
        {"web_search_options": {}},
        "anthropic",
        {"type": "web_search_20250305", "name": "web_search"},
        {"changed /web_search_options"},
    ),
    # OpenAI's server takes the field for its search models alone.
    Case("openai_responses", {"tools": [{"type": "web_search"}]}, "openai_chat", None, {"dropped /tools/0"}),
    # Gemini's models before Gemini 3 refuse it beside functions, and Anthropic refuses two tools of one name.
    Case("openai_responses", {"tools": [RESPONSES_FUNCTION, {"type": "web_search"}]}, "gemini", None, {"dropped /tools/1"}),
    Case("openai_responses", {"tools": [RESPONSES_FUNCTION, {"type": "web_search"}]}, "anthropic", None, {"dropped /tools/1"}),
    Case("anthropic", {"tools": [{"type": "web_search_20250305", "name": "web_search"}]}, "cohere", None, {"dropped /tools/0"}),
]

NAMES = [f"{number}-{case.source}-{case.target}" for number, case in enumerate(CASES)]


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_web_search_becomes_that_of_the_target(case: Case) -> None:
    made: il.Conversion[Any] = il.convert({**ASKED[case.source], **case.given}, source=case.source, target=case.target)
    found = [tool for tool in made.payload.get("tools", ()) if "web_search" in str(tool.get("type")) or "googleSearch" in tool]
    assert found == ([] if case.search is None else [case.search])
    assert {f"{loss.kind} {loss.path}" for loss in made.losses} - {"dropped /max_tokens"} == case.losses


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_what_was_carried_is_read_in_turn(case: Case) -> None:
    """A tool that a dump wrote is web search to the next one, too."""
    if case.search is None:
        return
    made: il.Conversion[Any] = il.convert({**ASKED[case.source], **case.given}, source=case.source, target=case.target)
    others: tuple[il.FormatName, ...] = ("openai_responses", "anthropic", "gemini")
    for other in others:
        again: il.Conversion[Any] = il.convert(made.payload, source=case.target, target=other)
        assert "web_search" in str(again.payload.get("tools")) or "googleSearch" in str(again.payload.get("tools"))


def test_hosts_of_one_family_keep_the_tool_as_it_is() -> None:
    tool = {"type": "web_search_20260318", "name": "web_search", "max_uses": 3}
    body = {**ASKED["anthropic"], "model": "m", "tools": [tool]}
    assert il.convert(body, source="anthropic", target="anthropic_vertex").payload.get("tools") == [tool]


def test_a_search_that_is_asked_for_twice_is_sent_once() -> None:
    """Two tools of one name are refused."""
    body: dict[str, Any] = {
        "contents": [{"role": "user", "parts": [{"text": "?"}]}],
        "tools": [{"googleSearch": {}}, {"googleSearch": {}}],
    }
    made = il.convert(body, source="gemini", target="anthropic")
    tools: Any = made.payload.get("tools")
    assert [tool["name"] for tool in tools] == ["web_search"]
    assert [(loss.kind, loss.path) for loss in made.losses] == [("changed", "/tools/1"), ("changed", "/tools/0")]


# Searches in answers

FOUND = {"type": "web_search_result", "url": "https://a.org", "title": "A", "encrypted_content": "eA==", "page_age": "1 day"}
BY_BLOCKS: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [
        {"type": "text", "text": "I search."},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "news"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [FOUND]},
        {"type": "text", "text": "Nothing new."},
    ],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}
CALL: dict[str, Any] = {
    "type": "web_search_call",
    "id": "ws_1",
    "status": "completed",
    "action": {"type": "search", "query": "a", "queries": ["a", "b"], "sources": [{"type": "url", "url": "https://a.org"}]},
}
SAID: dict[str, Any] = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "Nothing new.", "annotations": []}],
}
BY_ITEMS: dict[str, Any] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1,
    "model": "m",
    "status": "completed",
    "output": [CALL, SAID],
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
}


SAYS = "/choices/0/message/content"


class Converted(NamedTuple):
    payload: Any
    losses: Sequence[tuple[str, str]]
    """The kind and the path of each in the content."""


def converted(body: dict[str, Any], source: il.FormatName, target: il.FormatName) -> Converted:
    losses: list[il.Loss] = []
    payload = il.dump_response(il.load_response(body, source), target, on_loss=losses.append, fill=True)
    found = [(loss.kind, loss.path.removeprefix(SAYS)) for loss in losses if loss.path.startswith(SAYS)]
    return Converted(payload, found)


def blocks(content: list[Any]) -> dict[str, Any]:
    return {**BY_BLOCKS, "content": content}


def test_blocks_of_a_search_become_one_item() -> None:
    made = converted(BY_BLOCKS, "anthropic", "openai_responses")
    OpenAIResponse.model_validate(made.payload, strict=True)
    action = {"type": "search", "query": "news", "queries": ["news"], "sources": [{"type": "url", "url": "https://a.org"}]}
    assert made.payload["output"][1] == {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": action}
    assert [item["type"] for item in made.payload["output"]] == ["message", "web_search_call", "message"]
    assert made.losses == [("changed", "/1"), ("changed", "/2")]


def test_an_item_of_a_search_becomes_two_blocks() -> None:
    made = converted(BY_ITEMS, "openai_responses", "anthropic")
    Message.model_validate(made.payload, strict=True)
    result = {"type": "web_search_result", "url": "https://a.org", "title": "https://a.org", "encrypted_content": ""}
    assert made.payload["content"] == [
        {"type": "server_tool_use", "id": "srvtoolu_ws_1", "name": "web_search", "input": {"query": "a b"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_ws_1", "content": [{**result, "page_age": None}]},
        {"type": "text", "text": "Nothing new."},
    ]
    assert [loss for loss in made.losses if loss[1] == "/0"] == [("changed", "/0"), ("added", "/0")]
    again = converted(made.payload, "anthropic", "openai_responses").payload["output"][0]
    assert again == {**CALL, "action": {**CALL["action"], "query": "a b", "queries": ["a b"]}}


def test_a_search_that_failed_stays_one_that_failed() -> None:
    error = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    failed = [*BY_BLOCKS["content"][:2], {**BY_BLOCKS["content"][2], "content": error}]
    made = converted(blocks(failed), "anthropic", "openai_responses")
    assert made.payload["output"][1]["status"] == "failed"
    again = converted(made.payload, "openai_responses", "anthropic").payload
    Message.model_validate(again, strict=True)
    assert again["content"][2]["content"] == {"type": "web_search_tool_result_error", "error_code": "unavailable"}


@pytest.mark.parametrize(
    ("body", "source", "target"),
    [
        (blocks(BY_BLOCKS["content"][:2]), "anthropic", "openai_responses"),  # its results are to come
        (blocks([BY_BLOCKS["content"][2]]), "anthropic", "openai_responses"),
        ({**BY_ITEMS, "output": [{**CALL, "status": "in_progress"}]}, "openai_responses", "anthropic"),
        ({**BY_ITEMS, "output": [{**CALL, "action": {"type": "open_page", "url": "x"}}]}, "openai_responses", "anthropic"),
        (BY_BLOCKS, "anthropic", "openai_chat"),
        (BY_ITEMS, "openai_responses", "gemini"),
    ],
)
def test_what_is_no_whole_search_is_reported(body: dict[str, Any], source: il.FormatName, target: il.FormatName) -> None:
    made = converted(body, source, target)
    assert "web_search" not in str(made.payload.get("output", made.payload.get("content")))
    assert "dropped" in [kind for kind, _ in made.losses]


def test_what_has_no_word_in_a_search_is_reported() -> None:
    sources = [*CALL["action"]["sources"], {"type": "api", "name": "oai-weather"}]
    body = {**BY_ITEMS, "output": [{**CALL, "action": {**CALL["action"], "sources": sources}}]}
    assert ("dropped", "/0/value/action/sources/1") in converted(body, "openai_responses", "anthropic").losses
    called = [{**BY_BLOCKS["content"][1], "caller": {"type": "code_execution_20260120", "tool_id": "t"}}]
    body = blocks([*called, BY_BLOCKS["content"][2]])
    assert ("dropped", "/0/value/caller") in converted(body, "anthropic", "openai_responses").losses


def test_requests_have_no_results_that_their_server_did_not_find() -> None:
    """Anthropic's server refuses encrypted content that it did not make."""
    question = {"role": "user", "content": "News?"}
    history = {"model": "m", "input": [question, CALL, SAID, question]}
    made = il.convert(history, source="openai_responses", target="anthropic")
    assert "search" not in str(made.payload["messages"])
    assert ("dropped", "/input/1") in [(loss.kind, loss.path) for loss in made.losses]
