"""Web search in requests, carried between the providers that have it: what each target gets, and what is reported."""

from typing import Any, NamedTuple

import pytest

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
    """The tool of the target, or the field of the request that turns search on; None where it gets none."""
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
    # LiteLLM takes it for every provider.
    Case(
        "openai_responses",
        {"tools": [{"type": "web_search", "search_context_size": "low", "user_location": PLACE}]},
        "litellm",
        {
            "search_context_size": "low",
            "user_location": {"type": "approximate", "approximate": {"city": "Bern", "country": "CH"}},
        },
        {"changed /tools/0"},
    ),
    Case(
        "anthropic",
        {"tools": [{"type": "web_search_20250305", "name": "web_search", "max_uses": 3, "allowed_domains": ["a.org"]}]},
        "litellm",
        {},
        {"changed /tools/0", "dropped /tools/0/max_uses", "dropped /tools/0/allowed_domains"},
    ),
    Case("gemini", {"tools": [{"googleSearch": {}}]}, "litellm", {}, {"changed /tools/0"}),
    # Gemini's models before Gemini 3 refuse it beside functions, and Anthropic refuses two tools of one name.
    Case("openai_responses", {"tools": [RESPONSES_FUNCTION, {"type": "web_search"}]}, "gemini", None, {"dropped /tools/1"}),
    Case("openai_responses", {"tools": [RESPONSES_FUNCTION, {"type": "web_search"}]}, "anthropic", None, {"dropped /tools/1"}),
    Case("anthropic", {"tools": [{"type": "web_search_20250305", "name": "web_search"}]}, "cohere", None, {"dropped /tools/0"}),
]

NAMES = [f"{number}-{case.source}-{case.target}" for number, case in enumerate(CASES)]


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_web_search_becomes_that_of_the_target(case: Case) -> None:
    made: il.Conversion[Any] = il.convert({**ASKED[case.source], **case.given}, source=case.source, target=case.target)
    payload = made.payload
    found = [tool for tool in payload.get("tools", ()) if "web_search" in str(tool.get("type")) or "googleSearch" in tool]
    found += [payload["web_search_options"]] if "web_search_options" in payload else []
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


def test_a_profile_says_that_a_model_searches() -> None:
    """OpenAI's search models take the field, which has no tool beside it."""
    host = il.format_for(il.ChatProfile(web_search=True), "searching")
    body: dict[str, Any] = {**ASKED["gemini"], "tools": [{"googleSearch": {}}, {"functionDeclarations": [{"name": "f"}]}]}
    made: il.Conversion[Any] = il.convert(body, source="gemini", target=host)
    assert made.payload["web_search_options"] == {}
    assert [tool["function"]["name"] for tool in made.payload["tools"]] == ["f"]
    (loss,) = [loss for loss in made.losses if loss.path == "/tools/0"]
    assert (loss.kind, loss.at) == ("changed", "/web_search_options")


def test_the_field_and_the_tool_are_one_place() -> None:
    body: dict[str, Any] = {**ASKED["anthropic"], "tools": [{"type": "web_search_20250305", "name": "web_search"}]}
    there = il.convert(body, source="anthropic", target="litellm")
    assert there.places["/web_search_options"] == "/tools/0"
    back = il.convert(there.payload, source="litellm", target="anthropic")
    assert back.places["/tools/0"] == "/web_search_options"
