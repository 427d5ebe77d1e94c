"""Web search, web fetch and code execution in requests, carried between the providers that have them, with what is reported."""

from typing import Any, NamedTuple

import pytest

import interlingua as il

PLACE = {"type": "approximate", "city": "Bern", "country": "CH"}
ASKED: dict[str, Any] = {
    "openai_responses": {"input": [{"role": "user", "content": "News?"}]},
    "anthropic": {"max_tokens": 99, "messages": [{"role": "user", "content": "News?"}]},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "News?"}]}]},
    "openai_chat": {"messages": [{"role": "user", "content": "News?"}]},
    "openrouter": {"messages": [{"role": "user", "content": "News?"}]},
    "gemini_interactions": {"input": "News?"},
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
    # OpenRouter has a tool of its own, with the settings of all others; it also accepts OpenAI's field.
    Case(
        "openrouter",
        {"tools": [{"type": "openrouter:web_search", "parameters": {"max_uses": 1, "search_context_size": "low"}}]},
        "anthropic",
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 1},
        {"changed /tools/0", "dropped /tools/0/parameters/search_context_size"},
    ),
    Case(
        "openrouter",
        {"tools": [{"type": "openrouter:web_search", "parameters": {"engine": "exa", "user_location": PLACE}}]},
        "openai_responses",
        {"type": "web_search", "user_location": PLACE},
        {"changed /tools/0", "dropped /tools/0/parameters/engine"},
    ),
    Case(
        "openrouter",
        {"tools": [{"type": "openrouter:web_search"}]},
        "gemini",
        {"googleSearch": {}},
        {"changed /tools/0"},
    ),
    Case(
        "openrouter",
        {"web_search_options": {"search_context_size": "high"}},
        "openai_responses",
        {"type": "web_search", "search_context_size": "high"},
        {"changed /web_search_options"},
    ),
    Case(
        "anthropic",
        {"tools": [{"type": "web_search_20250305", "name": "web_search", "blocked_domains": ["b.org"], "max_uses": 2}]},
        "openrouter",
        {"type": "openrouter:web_search", "parameters": {"excluded_domains": ["b.org"], "max_uses": 2}},
        {"changed /tools/0"},
    ),
    Case(
        "openai_responses",
        {"tools": [{"type": "web_search", "search_context_size": "low", "user_location": PLACE}]},
        "openrouter",
        {"type": "openrouter:web_search", "parameters": {"search_context_size": "low", "user_location": PLACE}},
        {"changed /tools/0"},
    ),
    Case("gemini", {"tools": [{"googleSearch": {}}]}, "openrouter", {"type": "openrouter:web_search"}, {"changed /tools/0"}),
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


MIXING = il.format_for(il.GeminiProfile(mixed_tools=True), "mixing_gemini")
MIXED: list[tuple[il.FormatName, dict[str, Any], str]] = [
    ("anthropic", {"tools": [{"type": "web_search_20250305", "name": "web_search"}]}, "/tools/0"),
    ("openai_responses", {"tools": [{"type": "web_search"}]}, "/tools/0"),
    ("openai_chat", {"tools": [], "web_search_options": {}}, "/web_search_options"),
    ("gemini_interactions", {"tools": [{"type": "google_search"}]}, "/tools/0"),
    ("gemini_interactions", {"tools": [{"type": "url_context"}]}, "/tools/0"),
]
FUNCTIONS: dict[str, dict[str, Any]] = {
    "anthropic": {"name": "f", "input_schema": {"type": "object", "properties": {}}},
    "openai_responses": RESPONSES_FUNCTION | {"name": "f", "strict": False},
    "openai_chat": {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}},
    "gemini_interactions": {"type": "function", "name": "f", "parameters": {"type": "object", "properties": {}}},
}


@pytest.mark.parametrize(("source", "given", "path"), MIXED)
def test_a_loss_says_that_gemini_refuses_its_own_tools_beside_functions(
    source: il.FormatName, given: dict[str, Any], path: str
) -> None:
    body = {**ASKED[source], **given, "tools": [*given["tools"], FUNCTIONS[source]]}
    made = il.convert(body, source=source, target="gemini")
    assert [list(tool) for tool in made.payload.get("tools", ())] == [["functionDeclarations"]]
    (detail,) = [loss.detail for loss in made.losses if loss.path == path]
    assert "beside functions" in detail
    assert "GeminiProfile(mixed_tools=True)" in detail


@pytest.mark.parametrize(("source", "given", "path"), MIXED)
def test_a_profile_sends_google_s_own_tools_beside_functions(source: il.FormatName, given: dict[str, Any], path: str) -> None:
    body = {**ASKED[source], **given, "tools": [*given["tools"], FUNCTIONS[source]]}
    made = il.convert(body, source=source, target=MIXING)
    kinds = [next(iter(tool)) for tool in made.payload.get("tools", ())]
    assert sorted(kinds) == sorted(["functionDeclarations", "urlContext" if "url_context" in str(given) else "googleSearch"])
    assert made.payload.get("toolConfig") == {"includeServerSideToolInvocations": True}
    losses = {(loss.kind, loss.path, loss.at) for loss in made.losses}
    assert ("added", "", "/toolConfig/includeServerSideToolInvocations") in losses
    assert [kind for kind, where, _ in losses if where == path] == ["changed"]
    assert not il.check(made.payload, MIXING)


def test_the_field_for_mixed_tools_is_beside_a_tool_choice_and_needs_both_kinds() -> None:
    body: dict[str, Any] = {**ASKED["anthropic"], "tool_choice": {"type": "any"}, "tools": [FUNCTIONS["anthropic"]]}
    assert il.convert(body, source="anthropic", target=MIXING).payload.get("toolConfig") == {
        "functionCallingConfig": {"mode": "ANY"}
    }
    body["tools"] = [*body["tools"], {"type": "web_search_20250305", "name": "web_search"}]
    assert il.convert(body, source="anthropic", target=MIXING).payload.get("toolConfig") == {
        "functionCallingConfig": {"mode": "ANY"},
        "includeServerSideToolInvocations": True,
    }
    called = il.format_for(il.GeminiProfile(as_call=True, mixed_tools=True), "mixing_google_genai")
    config: Any = il.convert(body, source="anthropic", target=called).payload.get("config")
    assert config["tool_config"]["include_server_side_tool_invocations"] is True


def test_a_loss_names_the_function_that_has_the_name_of_the_search() -> None:
    body = {**ASKED["openai_responses"], "tools": [RESPONSES_FUNCTION | {"name": "web_search"}, {"type": "web_search"}]}
    made = il.convert(body, source="openai_responses", target="anthropic")
    (detail,) = [loss.detail for loss in made.losses if loss.path == "/tools/1"]
    assert detail == "a function has this tool's name at anthropic, web_search: rename the function"


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


class Served(NamedTuple):
    source: il.FormatName
    given: list[dict[str, Any]]
    target: il.FormatName
    made: list[dict[str, Any]]
    losses: set[str]
    """The kind and the path of each."""


FETCH = {"type": "web_fetch_20250910", "name": "web_fetch"}
CODE = {"type": "code_execution_20250825", "name": "code_execution"}
CODE_OF_RESPONSES = {"type": "code_interpreter", "container": {"type": "auto"}}
SERVED = [
    Served("openai_responses", [CODE_OF_RESPONSES], "anthropic", [CODE], {"changed /tools/0"}),
    Served("openai_responses", [CODE_OF_RESPONSES], "gemini", [{"codeExecution": {}}], {"changed /tools/0"}),
    Served("openai_responses", [CODE_OF_RESPONSES], "gemini_interactions", [{"type": "code_execution"}], {"changed /tools/0"}),
    # Files and containers are known only to the provider that has them.
    Served(
        "openai_responses",
        [{"type": "code_interpreter", "container": {"type": "auto", "file_ids": ["file_1"]}}],
        "anthropic",
        [CODE],
        {"changed /tools/0", "dropped /tools/0/container/file_ids"},
    ),
    Served(
        "openai_responses",
        [{"type": "code_interpreter", "container": "cntr_1"}],
        "gemini",
        [{"codeExecution": {}}],
        {"changed /tools/0", "dropped /tools/0/container"},
    ),
    Served(
        "anthropic", [CODE | {"type": "code_execution_20260120"}], "openai_responses", [CODE_OF_RESPONSES], {"changed /tools/0"}
    ),
    Served(
        "anthropic",
        [CODE, FETCH],
        "gemini",
        [{"codeExecution": {}}, {"urlContext": {}}],
        {"changed /tools/0", "changed /tools/1"},
    ),
    Served(
        "anthropic",
        [FETCH | {"max_uses": 2, "citations": {"enabled": True}, "allowed_domains": None}],
        "openrouter",
        [{"type": "openrouter:web_fetch", "parameters": {"max_uses": 2}}],
        {"changed /tools/0", "dropped /tools/0/citations"},
    ),
    Served(
        "openrouter",
        [{"type": "openrouter:web_fetch", "parameters": {"blocked_domains": ["b.org"], "max_content_tokens": 99}}],
        "anthropic",
        [FETCH | {"blocked_domains": ["b.org"], "max_content_tokens": 99}],
        {"changed /tools/0"},
    ),
    Served("openrouter", [{"type": "openrouter:web_fetch"}], "openai_responses", [], {"dropped /tools/0"}),
    Served("gemini", [{"codeExecution": {}}], "anthropic", [CODE], {"changed /tools/0"}),
    # One object of Gemini may have several tools, and the target only some of them.
    Served(
        "gemini",
        [{"google_search": {}, "url_context": {}, "google_maps": {}}],
        "anthropic",
        [{"type": "web_search_20250305", "name": "web_search"}, FETCH],
        {"changed /tools/0/google_search", "changed /tools/0/url_context", "dropped /tools/0/google_maps"},
    ),
    Served(
        "gemini",
        [{"codeExecution": {}, "urlContext": {}}],
        "openai_responses",
        [CODE_OF_RESPONSES],
        {"changed /tools/0/codeExecution", "dropped /tools/0/urlContext"},
    ),
    Served(
        "gemini",
        [{"codeExecution": {}, "code_execution": {}}],
        "openai_responses",
        [CODE_OF_RESPONSES],
        {"changed /tools/0", "dropped /tools/0/code_execution"},
    ),
    Served(
        "gemini",
        [{"urlContext": {}, "googleMaps": {"enableWidget": True}, "googleSearch": {}, "codeExecution": None}],
        "openai_responses",
        [{"type": "web_search"}],
        {"dropped /tools/0/urlContext", "dropped /tools/0/googleMaps", "changed /tools/0/googleSearch"},
    ),
    Served(
        "openrouter",
        [{"type": "openrouter:web_search", "cache/control": 1, "parameters": "all"}],
        "anthropic",
        [{"type": "web_search_20250305", "name": "web_search"}],
        {"changed /tools/0", "dropped /tools/0/cache~1control", "dropped /tools/0/parameters"},
    ),
    Served(
        "openai_responses",
        [{"type": "web_search", "user_location": {"type": "approximate", "city": "Bern", "street": "x", "region": 5}}],
        "anthropic",
        [{"type": "web_search_20250305", "name": "web_search", "user_location": {"type": "approximate", "city": "Bern"}}],
        {"changed /tools/0", "dropped /tools/0/user_location/street", "dropped /tools/0/user_location/region"},
    ),
    Served("openai_responses", [{"type": "code_interpreter"}], "anthropic", [CODE], {"changed /tools/0"}),
    Served("gemini", [{"urlContext": {}}], "openai_responses", [], {"dropped /tools/0"}),
    Served("gemini_interactions", [{"type": "url_context"}], "anthropic", [FETCH], {"changed /tools/0"}),
    Served("gemini_interactions", [{"type": "code_execution"}], "openai_responses", [CODE_OF_RESPONSES], {"changed /tools/0"}),
    # Hosts of Claude may lack these tools; Chat has none of them.
    Served(
        "gemini", [{"codeExecution": {}}, {"urlContext": {}}], "anthropic_bedrock", [], {"dropped /tools/0", "dropped /tools/1"}
    ),
    Served("anthropic", [CODE, FETCH], "openai_chat", [], {"dropped /tools/0", "dropped /tools/1"}),
]


@pytest.mark.parametrize("case", SERVED, ids=[f"{number}-{case.source}-{case.target}" for number, case in enumerate(SERVED)])
def test_a_tool_of_the_server_becomes_that_of_the_target(case: Served) -> None:
    body = {**ASKED[case.source], "tools": case.given}
    made: il.Conversion[Any] = il.convert(body, source=case.source, target=case.target)
    assert made.payload.get("tools", []) == case.made
    found = [f"{loss.kind} {loss.path}" for loss in made.losses if loss.path.startswith("/tools")]
    assert sorted(found) == sorted(case.losses)
    if case.made:
        assert not [problem for problem in il.check(made.payload, case.target) if problem.severity == "error"]


def test_a_nested_location_is_read_with_what_is_beside_it() -> None:
    options = {"user_location": {"type": "approximate", "approximate": {"city": "Bern", "zip": "1"}, "near": True}}
    made: Any = il.convert({**ASKED["openai_chat"], "web_search_options": options}, source="openai_chat", target="anthropic")
    assert made.payload["tools"][0]["user_location"] == {"type": "approximate", "city": "Bern"}
    lost = {loss.path for loss in made.losses if loss.kind == "dropped"}
    assert lost == {"/web_search_options/user_location/near", "/web_search_options/user_location/approximate/zip"}


GROUP = {"type": "namespace", "name": "crm", "description": "CRM.", "tools": [RESPONSES_FUNCTION]}
FREE_FORM = {"type": "custom", "name": "web_search"}


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize(
    ("tool", "target", "sent"),
    [(GROUP, "gemini", 1), (FREE_FORM, "gemini", 1), (FREE_FORM, "anthropic", 1), (GROUP, "anthropic", 2)],
)
def test_every_tool_that_becomes_a_function_counts_wherever_it_is(
    tool: dict[str, Any], target: il.FormatName, sent: int, last: bool
) -> None:
    """Gemini refuses its search beside functions, and Anthropic another tool of the same name; a group is part of the name."""
    tools = [tool, {"type": "web_search"}]
    body = {**ASKED["openai_responses"], "tools": tools[::-1] if last else tools}
    made: Any = il.convert(body, source="openai_responses", target=target)
    assert len(made.payload["tools"]) == sent
    dropped = [loss.path for loss in made.losses if loss.kind == "dropped" and loss.path in ("/tools/0", "/tools/1")]
    assert dropped == ([f"/tools/{0 if last else 1}"] if sent == 1 else [])


def test_a_function_keeps_its_name_and_the_tool_of_the_server_is_left_out() -> None:
    body: dict[str, Any] = {
        **ASKED["openai_responses"],
        "tools": [RESPONSES_FUNCTION | {"name": "code_execution"}, CODE_OF_RESPONSES],
    }
    made = il.convert(body, source="openai_responses", target="anthropic")
    assert [tool["name"] for tool in made.payload.get("tools", ())] == ["code_execution"]
    assert [(loss.kind, loss.path) for loss in made.losses if loss.path.startswith("/tools")] == [("dropped", "/tools/1")]
