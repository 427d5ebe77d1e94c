"""Tool search, which two providers have, and the tools that it finds, which are deferred."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
from interlingua.formats import FORMATS
from laws.families import MAIN
from laws.recorded import requests
from laws.steps import steps

SCHEMA: dict[str, Any] = {"type": "object", "properties": {}}
CLAUDE: dict[str, Any] = {
    "model": "m",
    "max_tokens": 9,
    "messages": [{"role": "user", "content": "?"}],
    "tools": [
        {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"},
        {"name": "now", "description": "d", "input_schema": SCHEMA},
        {"name": "later", "description": "d", "input_schema": SCHEMA, "defer_loading": True},
    ],
}
RESPONSES: dict[str, Any] = {
    "model": "m",
    "max_output_tokens": 16,
    "input": [{"role": "user", "content": "?"}],
    "tools": [
        {"type": "tool_search"},
        {"type": "function", "name": "now", "description": "d", "parameters": SCHEMA, "strict": False},
        {"type": "function", "name": "later", "description": "d", "parameters": SCHEMA, "strict": False, "defer_loading": True},
    ],
}
HAVE: dict[il.FormatName, dict[str, Any]] = {"anthropic": CLAUDE, "openai_responses": RESPONSES}
LACK = [
    name
    for name, format in FORMATS.items()
    if format.family not in ("alpaca", "anthropic", "openai_responses") and format.listed != "prompt"
]


def _deferred(body: dict[str, Any]) -> list[str]:
    return [tool["name"] for tool in body["tools"] if tool.get("defer_loading")]


def _told(losses: Any) -> Iterator[tuple[str, str]]:
    yield from ((loss.kind, loss.path) for loss in losses if loss.path.startswith("/tools"))


@pytest.mark.parametrize("source", HAVE)
def test_each_provider_has_the_others(source: il.FormatName) -> None:
    target: il.FormatName = "anthropic" if source == "openai_responses" else "openai_responses"
    made = il.convert(HAVE[source], source=source, target=target)
    tools: list[Any] = made.payload["tools"]
    assert [{"strict": False, **tool} for tool in tools] == [{"strict": False, **tool} for tool in HAVE[target]["tools"]]
    assert [*_told(made.losses)] == [("changed", "/tools/0")]


def test_the_search_by_regular_expressions_becomes_that_by_words() -> None:
    search = {
        "type": "tool_search_tool_regex_20251119",
        "name": "tool_search_tool_regex",
        "cache_control": {"type": "ephemeral"},
    }
    body = CLAUDE | {"tools": [search, *CLAUDE["tools"][1:]]}
    made = il.convert(body, source="anthropic", target="openai_responses")
    assert made.payload.get("tools") == RESPONSES["tools"]
    assert [*_told(made.losses)] == [("dropped", "/tools/0/cache_control"), ("changed", "/tools/0")]


@pytest.mark.parametrize("target", LACK)
@pytest.mark.parametrize("source", HAVE)
def test_elsewhere_the_tools_are_sent_with_the_others(source: il.FormatName, target: il.FormatName) -> None:
    made = il.convert(HAVE[source], source=source, target=target)
    back = il.load(made.payload, target)
    assert [tool.to_dict().get("name") for tool in back.tools or ()] == ["now", "later"]
    told = [*_told(made.losses)]
    assert ("dropped", "/tools/0") in told
    assert ("changed", "/tools/2/defer_loading") in told


@pytest.mark.parametrize("target", ["anthropic_bedrock", "anthropic_vertex"])
def test_a_host_that_may_lack_the_search_gets_no_deferred_tool(target: il.FormatName) -> None:
    body: Any = il.convert(RESPONSES, source="openai_responses", target=target).payload
    assert [tool["name"] for tool in body["tools"]] == ["now", "later"]
    assert _deferred(body) == []


def test_without_a_search_that_the_server_runs_no_tool_is_deferred() -> None:
    """A tool that nothing finds could never be called."""
    of_client: dict[str, Any] = {"type": "tool_search", "execution": "client", "parameters": {}}
    for searches in ([of_client], list[dict[str, Any]]()):
        tools = [*searches, *RESPONSES["tools"][1:]]
        made = il.convert(RESPONSES | {"tools": tools}, source="openai_responses", target="anthropic")
        body: Any = made.payload
        assert [tool["name"] for tool in body["tools"]] == ["now", "later"]
        assert _deferred(body) == []
        assert ("changed", f"/tools/{len(tools) - 1}/defer_loading") in [*_told(made.losses)]


def test_a_tool_that_is_not_deferred_says_nothing() -> None:
    tools = [tool | {"defer_loading": False} for tool in CLAUDE["tools"][1:]]
    made = il.convert(CLAUDE | {"tools": tools}, source="anthropic", target="openai_chat")
    assert [*_told(made.losses)] == []


def test_the_members_of_a_group_are_deferred_too() -> None:
    members = [{key: value for key, value in tool.items() if key != "strict"} for tool in RESPONSES["tools"][1:]]
    group = {"type": "namespace", "name": "g", "description": "", "tools": members}
    tools = [{"type": "tool_search"}, group]
    body: Any = il.convert(RESPONSES | {"tools": tools}, source="openai_responses", target="anthropic").payload
    assert [tool["name"] for tool in body["tools"]] == ["tool_search_tool_bm25", "g__now", "g__later"]
    assert _deferred(body) == ["g__later"]
    made = il.convert(RESPONSES | {"tools": tools}, source="openai_responses", target="openai_chat")
    assert ("changed", "/tools/1/tools/1/defer_loading") in [*_told(made.losses)]


def test_the_search_stays_where_only_some_tools_are_allowed() -> None:
    """It finds tools among those that are sent alone."""
    among = {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "later"}]}
    body: Any = il.convert(RESPONSES | {"tool_choice": among}, source="openai_responses", target="anthropic").payload
    assert [tool["name"] for tool in body["tools"]] == ["tool_search_tool_bm25", "later"]


def test_a_cache_mark_is_never_on_a_deferred_tool() -> None:
    """Anthropic's server refuses it."""
    request = il.load(RESPONSES, "openai_responses").replace(caching=il.Caching(system=False, messages=0))
    body: Any = il.dump(request, "anthropic", on_loss="ignore")
    assert [tool["name"] for tool in body["tools"] if "cache_control" in tool] == ["now"]


def test_two_searches_become_one() -> None:
    regex = {"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"}
    made = il.convert(CLAUDE | {"tools": [regex, *CLAUDE["tools"]]}, source="anthropic", target="openai_responses")
    assert made.payload.get("tools") == RESPONSES["tools"]
    assert [*_told(made.losses)] == [("changed", "/tools/0"), ("dropped", "/tools/1")]


# Histories

FOUND = {"type": "function", "name": "later", "description": "d", "parameters": SCHEMA, "strict": False, "defer_loading": True}
ITEMS: list[dict[str, Any]] = [
    {
        "type": "tool_search_call",
        "call_id": "s_1",
        "execution": "server",
        "status": "completed",
        "arguments": {"queries": ["a b"]},
    },
    {"type": "tool_search_output", "call_id": "s_1", "execution": "server", "status": "completed", "tools": [FOUND]},
]
CALL: list[dict[str, Any]] = [
    {"type": "function_call", "call_id": "c1", "name": "later", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c1", "output": "done"},
]
REFERENCES = [{"type": "tool_reference", "tool_name": "later"}]
BLOCKS: list[dict[str, Any]] = [
    {"type": "server_tool_use", "id": "srvtoolu_s_1", "name": "tool_search_tool_bm25", "input": {"query": "a b"}},
    {
        "type": "tool_search_tool_result",
        "tool_use_id": "srvtoolu_s_1",
        "content": {"type": "tool_search_tool_search_result", "tool_references": REFERENCES},
    },
]


def _said(items: list[dict[str, Any]], tools: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    body = RESPONSES | {"input": [*RESPONSES["input"], *items, *CALL]}
    return body if tools is None else body | {"tools": tools}


def test_a_search_in_the_history_becomes_that_of_the_other() -> None:
    made = il.convert(_said(ITEMS), source="openai_responses", target="anthropic")
    body: Any = made.payload
    assert body["messages"][1]["content"][:2] == BLOCKS
    assert [(loss.kind, loss.path) for loss in made.losses if "/input" in loss.path] == [
        ("changed", "/input/1"),
        ("changed", "/input/2"),
    ]
    back: Any = il.convert(body, source="anthropic", target="openai_responses").payload
    assert back["input"][1:3] == [item | {"call_id": "srvtoolu_s_1"} for item in ITEMS]
    assert il.check(made.payload, "anthropic") == il.check(back, "openai_responses") == []


def test_the_parts_of_a_search_without_ids_belong_together() -> None:
    items = [item | {"call_id": None, "id": f"x_{i}"} for i, item in enumerate(ITEMS)]
    items[0]["arguments"] = {"paths": ["a", "b"]}
    body: Any = il.convert(_said([*items, *items]), source="openai_responses", target="anthropic").payload
    use, result, second, last = body["messages"][1]["content"][:4]
    assert use["input"] == {"query": "a b"}
    assert use["id"] == result["tool_use_id"]
    assert second["id"] == last["tool_use_id"]
    assert use["id"] != second["id"]


@pytest.mark.parametrize(
    ("items", "tools"),
    [
        (ITEMS[:1], None),
        (ITEMS[1:], None),
        (ITEMS, RESPONSES["tools"][1:]),
        ([item | {"execution": "client"} for item in ITEMS[:1]], None),
    ],
)
def test_half_a_search_and_one_without_the_tool_is_left_out(items: Any, tools: Any) -> None:
    made = il.convert(_said(items, tools), source="openai_responses", target="anthropic")
    body: Any = made.payload
    assert "srvtoolu" not in str(body["messages"])
    assert {loss.kind for loss in made.losses if loss.path.startswith("/input/1")} <= {"dropped", "moved"}


@pytest.mark.parametrize("output", ["function_call_output", "custom_tool_call_output"])
@pytest.mark.parametrize("target", ["openai_chat", "anthropic", "gemini", "bedrock_converse", "cohere", "ollama"])
def test_a_search_that_the_client_ran_is_left_out_with_its_output(target: il.FormatName, output: str) -> None:
    search = {"type": "tool_search_call", "call_id": "c1", "execution": "client", "arguments": {"q": "x"}}
    items = [
        *({"role": "user", "content": "?"}, search, {"type": output, "call_id": "c1", "output": "[]"}),
        *({"type": "function_call", "call_id": "c2", "name": "now", "arguments": "{}"}, {"role": "user", "content": "!"}),
        {"type": output, "call_id": "c2", "output": "ok"},
    ]
    request = RESPONSES | {"input": items}
    made = il.convert(request, source="openai_responses", target=target)
    results = [message for message in il.load(made.payload, target).messages if message.role == "tool"]
    lost = {(loss.path, loss.kind) for loss in made.losses}
    assert "c1" not in str(made.payload)
    assert {("/input/1", "dropped"), ("/input/2", "dropped")} <= lost
    assert len(results) == 1 or "ok" in str(made.payload)
    assert il.dump(il.load(request, "openai_responses"), "openai_responses") == request


def test_a_search_that_failed_is_left_out() -> None:
    error = {"type": "tool_search_tool_result_error", "error_code": "unavailable"}
    blocks = [BLOCKS[0], BLOCKS[1] | {"content": error}, {"type": "text", "text": "No."}]
    body = CLAUDE | {"messages": [*CLAUDE["messages"], {"role": "assistant", "content": blocks}]}
    made = il.convert(body, source="anthropic", target="openai_responses")
    assert "tool_search_" not in str(made.payload.get("input"))
    assert [loss.kind for loss in made.losses if "/content/" in loss.path] == ["dropped", "dropped"]


def test_a_group_that_was_found_is_its_tools() -> None:
    member = {"type": "function", "name": "later", "parameters": SCHEMA, "defer_loading": True}
    group = {"type": "namespace", "name": "g", "description": "", "tools": [member]}
    tools: list[Any] = [{"type": "tool_search"}, group]
    items = [ITEMS[0], ITEMS[1] | {"tools": [group]}]
    body: Any = il.convert(_said(items, tools), source="openai_responses", target="anthropic").payload
    result = body["messages"][1]["content"][1]
    assert result["content"]["tool_references"] == [{"type": "tool_reference", "tool_name": "g__later"}]


@pytest.mark.traffic
def test_recorded_searches_become_valid_ones(traffic: Path) -> None:
    """As the provider took them in the source's form; Anthropic's rules find nothing in what they become."""
    judged = 0
    for source, target in (("openai_responses", "anthropic"), ("anthropic", "openai_responses")):
        for record in requests(traffic, source):
            if "tool_search" in str(record.body):
                sent: Any = il.convert(record.body, source=il.format_of(source), target=il.format_of(target)).payload
                sent |= {"max_tokens": 9} if target == "anthropic" else {}
                judged += "srvtoolu_" in str(sent) or "tool_search_output" in str(sent)
                assert [fault for fault in il.check(sent, il.format_of(target)) if fault.severity == "error"] == []
    assert judged


def _searched(count: int, answered: str) -> dict[str, Any]:
    """A request with as many deferred tools, searches and results, whose ids begin with `answered`."""
    references = [{"type": "tool_reference", "tool_name": "t0"}]
    found = {"type": "tool_search_tool_search_result", "tool_references": references}
    name = "tool_search_tool_bm25"
    asked = [{"type": "server_tool_use", "id": f"a{i}", "name": name, "input": {"query": "q"}} for i in range(count)]
    results = [{"type": "tool_search_tool_result", "tool_use_id": f"{answered}{i}", "content": found} for i in range(count)]
    tools = [{"name": f"t{i}", "input_schema": SCHEMA, "defer_loading": True} for i in range(count)]
    messages = [*CLAUDE["messages"], {"role": "assistant", "content": [*asked, *results]}, *CLAUDE["messages"]]
    return CLAUDE | {"tools": [CLAUDE["tools"][0], *tools], "messages": messages}


@pytest.mark.parametrize("answered", ["a", "another"])
def test_many_searches_among_many_tools_take_linear_time(answered: str) -> None:
    bodies = {count: _searched(count, answered) for count in (2, 50, 100, 200)}
    _, few, more, most = (
        steps(partial(il.convert, body, source="anthropic", target="openai_responses")) for body in bodies.values()
    )
    assert most - more < 2.15 * (more - few)


OF_CLIENT: dict[str, Any] = {
    "model": "m",
    "max_tokens": 9,
    "messages": [
        {"role": "user", "content": "?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "now", "input": {}}]},
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "tool_reference", "tool_name": "later"}]}
            ],
        },
    ],
    "tools": CLAUDE["tools"][1:],
}
"""A request whose client searches the tools itself: the result of its search refers to the tool that it found."""


@pytest.mark.parametrize("target", ["vllm", "sglang"])
def test_what_a_client_found_is_named_to_servers_that_have_references(target: il.FormatName) -> None:
    made = il.convert(OF_CLIENT, source="anthropic", target=target)
    body: Any = made.payload
    assert body["messages"][2]["content"] == [{"type": "tool_reference", "name": "later"}]
    assert _deferred(body | {"tools": [tool | tool["function"] for tool in body["tools"]]}) == ["later"]
    assert [(loss.kind, loss.path) for loss in made.losses] == [("changed", "/messages/2/content/0/content/0")]
    back: Any = il.convert(body, source=target, target="anthropic").payload
    assert (back["messages"][2], back["tools"]) == (OF_CLIENT["messages"][2], OF_CLIENT["tools"])


@pytest.mark.parametrize("target", [name for name in MAIN if name != "anthropic"])
def test_what_a_client_found_is_a_text_for_other_providers(target: il.FormatName) -> None:
    made = il.convert(OF_CLIENT, source="anthropic", target=target)
    back: Any = il.convert(made.payload, source=target, target="anthropic").payload
    [result] = [block for block in back["messages"][2]["content"] if block["type"] == "tool_result"]
    assert result["content"] in ("later", [{"type": "text", "text": "later"}])
    assert ("changed", "/messages/2/content/0/content/0") in [(loss.kind, loss.path) for loss in made.losses]


def test_what_a_client_of_vllm_found_is_a_text_for_gemini() -> None:
    there = il.convert(OF_CLIENT, source="anthropic", target="vllm")
    made: Any = il.convert(there.payload, source="vllm", target="gemini").payload
    assert made["contents"][2]["parts"][0]["functionResponse"]["response"] == {"output": "later"}


def test_a_reference_has_the_name_that_the_tool_is_sent_with() -> None:
    long = "l" * 70
    messages: list[Any] = [*OF_CLIENT["messages"]]
    messages[2] = {
        "role": "user",
        "content": [
            {
                "type": "tool_result",
                "tool_use_id": "a",
                "content": [{"type": "tool_reference", "tool_name": long, "cache_control": {"type": "ephemeral"}}],
            }
        ],
    }
    tools = [OF_CLIENT["tools"][0], {"name": long, "input_schema": SCHEMA, "defer_loading": True}]
    strict = il.format_for(replace(il.FORMATS["vllm"].profile, any_tool_name=False))
    made = il.convert(OF_CLIENT | {"messages": messages, "tools": tools}, source="anthropic", target=strict)
    body: Any = made.payload
    (reference,) = body["messages"][2]["content"]
    assert reference == {"type": "tool_reference", "name": body["tools"][1]["function"]["name"]}
    at = "/messages/2/content/0/content/0"
    told = {(loss.kind, loss.path) for loss in made.losses}
    assert told >= {("changed", at), ("changed", f"{at}/tool_name"), ("dropped", f"{at}/cache_control")}


def test_without_a_reference_no_tool_is_deferred_for_a_client_that_may_not_search() -> None:
    made = il.convert(OF_CLIENT | {"messages": OF_CLIENT["messages"][:1]}, source="anthropic", target="vllm")
    body: Any = made.payload
    assert "defer_loading" not in body["tools"][1]
    assert [*_told(made.losses)] == [("changed", "/tools/1/defer_loading")]


@pytest.mark.parametrize(
    "target", ["openai_chat", "openai_responses", "gemini", "bedrock_converse", "mistral", "cohere", "ollama"]
)
def test_a_reference_as_text_has_the_name_that_the_tool_is_sent_with(target: il.FormatName) -> None:
    name = "mcp__plugin__a.server__" + "long" * 30
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "tool_reference", "tool_name": name}]}
    body: dict[str, Any] = {
        "model": "m",
        "max_tokens": 99,
        "tools": [{"name": "find", "input_schema": {"type": "object"}}, {"name": name, "input_schema": {"type": "object"}}],
        "messages": [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "find", "input": {}}]},
            {"role": "user", "content": [result]},
        ],
    }
    converted = il.convert(body, source="anthropic", target=target)
    request = il.load(converted.payload, target)
    assert request.tools is not None
    [_, tool] = request.tools
    assert isinstance(tool, il.Tool)
    assert tool.name in str(request.messages[-1].to_dict())
    assert tool.name == name or name not in str(converted.payload)
    assert ("/tools/1/name" in [loss.path for loss in converted.losses]) == (tool.name != name)
