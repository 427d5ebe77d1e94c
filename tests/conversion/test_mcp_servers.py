"""MCP servers that requests declare, between Anthropic and Responses."""

from typing import Any

import pytest
from anthropic.types.beta import message_create_params as params

import interlingua as il
from interlingua.formats import anthropic
from laws.closed import typed_faults
from laws.judge import closed

WITH_MCP = anthropic.format_for(anthropic.AnthropicProfile(mcp=True))
TOOL: dict[str, Any] = {
    "type": "mcp",
    "server_label": "wiki",
    "server_url": "https://wiki.example/mcp",
    "require_approval": "never",
    "authorization": "s3cret",
    "allowed_tools": ["ask"],
}
OPEN_TOOL: dict[str, Any] = {key: value for key, value in TOOL.items() if key not in ("authorization", "allowed_tools")}
WITHOUT_TOOLS: dict[str, Any] = OPEN_TOOL | {"allowed_tools": []}
SERVER = {"type": "url", "name": "wiki", "url": "https://wiki.example/mcp", "authorization_token": "s3cret"}
TOOLSET: dict[str, Any] = {
    "type": "mcp_toolset",
    "mcp_server_name": "wiki",
    "default_config": {"enabled": False},
    "configs": {"ask": {"enabled": True}},
}
OPEN_TOOLSET = {"type": "mcp_toolset", "mcp_server_name": "wiki"}
FUNCTION: dict[str, Any] = {"name": "find", "input_schema": {"type": "object", "properties": {}}}


def to_anthropic(*tools: dict[str, Any], target: Any = WITH_MCP) -> tuple[Any, list[tuple[str, str, str | None]]]:
    body: dict[str, Any] = {"model": "m", "max_output_tokens": 99, "input": "hi", "tools": [*tools]}
    made = il.convert(body, source="openai_responses", target=target)
    assert "s3cret" not in str(made.losses)
    return made.payload, [(loss.kind, loss.path, loss.at) for loss in made.losses]


def to_responses(servers: Any, *tools: dict[str, Any]) -> tuple[Any, list[tuple[str, str]]]:
    body: dict[str, Any] = {"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": "hi"}]}
    body |= {"mcp_servers": servers} | ({"tools": [*tools]} if tools else {})
    assert il.dump(il.load(body, "anthropic"), "anthropic") == body
    made: Any = il.convert(body, source="anthropic", target="openai_responses")
    assert "s3cret" not in str(made.losses)
    return made.payload.get("tools"), [(loss.kind, loss.path) for loss in made.losses if "strict" not in loss.detail]


def test_a_tool_with_a_server_becomes_a_server_and_its_toolset() -> None:
    payload, losses = to_anthropic(TOOL)
    assert (payload["mcp_servers"], payload["tools"]) == ([SERVER], [TOOLSET])
    assert losses == [("changed", "/tools/0", "/tools/0"), ("added", "/tools/0", "/mcp_servers/0")]
    assert typed_faults(closed(params.MessageCreateParamsNonStreaming), payload) == []
    assert il.check(payload, "anthropic") == []


@pytest.mark.parametrize(
    ("tool", "toolset"),
    [
        (OPEN_TOOL, OPEN_TOOLSET),
        (OPEN_TOOL | {"allowed_tools": None}, OPEN_TOOLSET),
        (WITHOUT_TOOLS, {**OPEN_TOOLSET, "default_config": {"enabled": False}}),
        (TOOL | {"allowed_tools": {"tool_names": ["ask"]}}, TOOLSET),
        (OPEN_TOOL | {"defer_loading": True}, {**OPEN_TOOLSET, "default_config": {"defer_loading": True}}),
    ],
)
def test_a_toolset_says_which_tools_may_be_called(tool: dict[str, Any], toolset: dict[str, Any]) -> None:
    assert to_anthropic(tool)[0]["tools"] == [toolset]


@pytest.mark.parametrize("tool", [TOOL, OPEN_TOOL, WITHOUT_TOOLS, OPEN_TOOL | {"defer_loading": True}])
def test_a_tool_comes_back_as_it_was(tool: dict[str, Any]) -> None:
    payload, _ = to_anthropic(tool)
    assert to_responses(payload["mcp_servers"], *payload["tools"])[0] == [tool]


def test_several_servers_and_functions_keep_their_order() -> None:
    other = {**OPEN_TOOL, "server_label": "shop", "server_url": "https://shop.example"}
    payload, _ = to_anthropic(TOOL, {"type": "function", "name": "find", "parameters": None, "strict": False}, other)
    assert [tool.get("name", tool.get("mcp_server_name")) for tool in payload["tools"]] == ["wiki", "find", "shop"]
    assert [server["name"] for server in payload["mcp_servers"]] == ["wiki", "shop"]


def test_what_a_server_of_anthropic_lacks_is_reported() -> None:
    payload, losses = to_anthropic({**TOOL, "headers": {"x": "s3cret"}, "server_description": "All about foxes."})
    assert payload["mcp_servers"] == [SERVER]
    assert [path for kind, path, _ in losses if kind == "dropped"] == ["/tools/0/headers", "/tools/0/server_description"]


def test_another_field_beside_the_names_of_the_tools_is_reported() -> None:
    payload, losses = to_anthropic(TOOL | {"allowed_tools": {"tool_names": ["ask"], "more": 1}})
    assert payload["tools"] == [TOOLSET]
    assert [path for kind, path, _ in losses if kind == "dropped"] == ["/tools/0/allowed_tools/more"]


@pytest.mark.parametrize(
    "tool",
    [
        TOOL | {"require_approval": "always"},
        TOOL | {"require_approval": {"never": {"tool_names": ["ask"]}}},
        {key: value for key, value in TOOL.items() if key != "require_approval"},  # the default is that all calls need it
        TOOL | {"allowed_tools": {"read_only": True}},
        TOOL | {"allowed_tools": {"more": 1}},
        TOOL | {"server_url": None, "connector_id": "connector_gmail"},
        TOOL | {"allowed_tools": [1]},
        TOOL | {"authorization": 1},
    ],
)
def test_a_server_that_means_something_else_there_is_not_sent(tool: dict[str, Any]) -> None:
    """Above all, no call is made without the approval that it needs."""
    payload, losses = to_anthropic(tool)
    assert "mcp" not in str(payload)
    assert losses == [("dropped", "/tools/0", None)]


@pytest.mark.parametrize("target", ["anthropic", "anthropic_vertex", "anthropic_bedrock", "openai_chat", "gemini"])
def test_a_server_is_only_sent_to_who_takes_it(target: il.FormatName) -> None:
    payload, losses = to_anthropic(TOOL, target=target)
    assert "mcp" not in str(payload)
    assert losses == [("dropped", "/tools/0", None)]


# From Anthropic


def test_a_server_and_its_toolset_become_a_tool() -> None:
    tools, losses = to_responses([SERVER], FUNCTION, TOOLSET)
    assert tools[1] == TOOL
    assert losses == [("changed", "/tools/1"), ("changed", "/mcp_servers/0")]


def test_a_server_without_a_toolset_becomes_a_tool() -> None:
    """As in the first version of the beta."""
    options = {"enabled": True, "allowed_tools": ["ask"]}
    tools, losses = to_responses([{**SERVER, "tool_configuration": options}])
    assert tools == [TOOL]
    assert losses == [("changed", "/mcp_servers/0")]


@pytest.mark.parametrize(
    ("servers", "toolsets", "dropped"),
    [
        ([SERVER], [{**TOOLSET, "configs": {"ask": {"enabled": False}}, "default_config": {}}], ["/mcp_servers/0", "/tools/0"]),
        ([{**SERVER, "tool_configuration": {"enabled": False}}], [], ["/mcp_servers/0"]),
        ([{**SERVER, "tool_configuration": {"enabled": 0}}], [], ["/mcp_servers/0"]),
        ([{**SERVER, "tool_configuration": {"allowed_tools": ["ask", 5]}}], [], ["/mcp_servers/0"]),
        ([{**SERVER, "tool_configuration": {"allowed_tools": "ask"}}], [], ["/mcp_servers/0"]),
        ([{**SERVER, "type": "x"}], [], ["/mcp_servers/0"]),
        ([{**SERVER, "url": None}], [TOOLSET], ["/mcp_servers/0", "/tools/0"]),
        ([1], [], ["/mcp_servers/0"]),
        ([], [TOOLSET], ["/tools/0"]),
        ([], [], []),
        ("x", [], ["/mcp_servers"]),
    ],
)
def test_what_is_no_server_for_others_is_reported(servers: Any, toolsets: list[Any], dropped: list[str]) -> None:
    tools, losses = to_responses(servers, *toolsets)
    assert tools is None
    assert losses == [("dropped", path) for path in dropped]


@pytest.mark.parametrize("options", [{"enabled": True, "allowed_tools": ["ask"]}, {"allowed_tools": []}, {"enabled": False}])
@pytest.mark.parametrize("toolset", [TOOLSET, OPEN_TOOLSET])
def test_a_server_whose_tools_are_chosen_twice_is_not_sent(options: dict[str, Any], toolset: dict[str, Any]) -> None:
    """Above all, no tool may be called that either choice leaves out."""
    tools, losses = to_responses([{**SERVER, "tool_configuration": options}], toolset)
    assert tools is None
    assert losses == [("dropped", "/mcp_servers/0"), ("dropped", "/tools/0")]


@pytest.mark.parametrize(
    ("options", "dropped"),
    [
        (None, []),
        ({}, []),
        ({"enabled": True}, []),
        ({"enabled": True, "allowed_tools": None}, []),
        ({"more": 1}, ["/mcp_servers/0/tool_configuration/more"]),
        (1, ["/mcp_servers/0/tool_configuration"]),
    ],
)
def test_a_configuration_that_chooses_no_tools_leaves_that_to_the_toolset(options: Any, dropped: list[str]) -> None:
    tools, losses = to_responses([{**SERVER, "tool_configuration": options}], TOOLSET)
    assert tools == [TOOL]
    assert [path for kind, path in losses if kind == "dropped"] == dropped


@pytest.mark.parametrize(
    ("toolset", "dropped"),
    [
        ({"configs": {"ask": {"enabled": True, "more": 1}, "tell": 7}}, ["/configs/ask/more", "/configs/tell"]),
        ({"configs": {"ask": {"enabled": True}, "tell": {"defer_loading": True}}}, []),
        ({"configs": {"ask": {"enabled": True}, "tell": {"enabled": None}}}, []),
        ({"configs": {"ask": {"enabled": True}, "tell": {"enabled": 1}}}, []),
        ({"configs": {"ask": {"enabled": True, "defer_loading": None}}}, []),
    ],
)
def test_only_tools_that_are_switched_on_may_be_called(toolset: dict[str, Any], dropped: list[str]) -> None:
    tools, losses = to_responses([SERVER], {**TOOLSET, **toolset})
    assert tools == [TOOL]
    assert [path for kind, path in losses if kind == "dropped"] == [f"/tools/0{pointer}" for pointer in dropped]


@pytest.mark.parametrize("field", ["configs", "default_config"])
def test_settings_of_a_toolset_that_are_no_object_are_reported(field: str) -> None:
    _, losses = to_responses([SERVER], {**OPEN_TOOLSET, field: 1})
    assert ("dropped", f"/tools/0/{field}") in losses


def test_what_a_tool_of_responses_lacks_is_reported() -> None:
    configs = {"ask": {"enabled": True, "defer_loading": True}}
    tools, losses = to_responses(
        [{**SERVER, "more": 1}], {**TOOLSET, "configs": configs, "cache_control": {"type": "ephemeral"}}
    )
    assert tools == [TOOL]
    assert [path for kind, path in losses if kind == "dropped"] == [
        "/tools/0/cache_control",
        "/tools/0/configs/ask/defer_loading",
        "/mcp_servers/0/more",
    ]


def test_the_second_toolset_of_a_server_is_reported() -> None:
    tools, losses = to_responses([SERVER], TOOLSET, OPEN_TOOLSET)
    assert tools == [TOOL]
    assert ("dropped", "/tools/1") in losses


@pytest.mark.parametrize("target", ["openai_chat", "gemini", "anthropic_vertex"])
def test_the_field_is_only_read_for_who_has_servers(target: il.FormatName) -> None:
    body = {"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": "hi"}], "mcp_servers": [SERVER]}
    made = il.convert(body, source="anthropic", target=target)
    assert "mcp" not in str(made.payload)
    assert ("dropped", "/mcp_servers") in [(loss.kind, loss.path) for loss in made.losses]
