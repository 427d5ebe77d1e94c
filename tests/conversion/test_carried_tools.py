"""Tools that other providers have in other shapes: members of groups, free-form tools, tools that items add."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
from formats.cases import cases
from interlingua.codec.members import SentTool
from interlingua.formats import FORMATS, new_dump
from interlingua.testing.lawbook.documents import resolves
from laws.judging import ALONE, PAIRED, SPOKE, violations
from laws.recorded import requests

WITH_TOOLS = [name for name, format in FORMATS.items() if format.family != "alpaca" and format.listed != "prompt"]
HELD = ("openai_chat/custom_tools", "openai_responses/custom_tools", "openai_responses/namespaces")
CASES = [case for case in cases("request") if str(case) in HELD]


def _named(tool: Any) -> str | None:
    """The name of a tool that can be called."""
    if tool["type"] == "function":
        return str(tool["name"])
    value = tool["value"]
    found = value.get("name") or value.get("custom", {}).get("name")
    return None if found is None else str(found)


def _calls(request: il.Request) -> Iterator[str]:
    for message in request.messages:
        if isinstance(message, il.AssistantMessage):
            yield from (call.name for call in message.tool_uses)


def _strays(request: il.Request) -> set[str]:
    """The calls of tools that the request lacks."""
    return {*_calls(request)} - {_named(tool.to_dict()) for tool in request.tools or ()}


@pytest.mark.parametrize("target", WITH_TOOLS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_call_names_a_tool_of_the_request(case: Any, target: Any) -> None:
    source = il.load(case.read("request"), case.format)
    sent = il.load(il.dump(source, target, on_loss="ignore"), target)
    if target == case.format:
        return
    assert [*_calls(sent)]
    assert not _strays(sent)


NAMESPACES = next(case for case in CASES if case.name == "namespaces")


def test_the_names_lead_back() -> None:
    """A dump says what each name that it wrote stands for; two tools never get one name."""
    source = il.load(NAMESPACES.read("request"), "openai_responses")
    for target, format in FORMATS.items():
        d = new_dump(format, "openai_responses")
        format.dump(source, source.messages, d)
        if target not in WITH_TOOLS or target == "openai_responses":
            continue
        found = d.sent_tools
        assert sorted(found.values(), key=str) == sorted(
            (
                SentTool(None, "find", "function"),
                SentTool(None, "mcp__mail__find", "function"),
                SentTool("mcp__mail", "find", "function"),
                SentTool("files", "patch", "custom"),
                SentTool(None, "exec", "custom"),
                SentTool("team", "spawn", "function"),
            ),
            key=str,
        )
        assert found["find"] == SentTool(None, "find", "function")
        assert found["mcp__mail__find"] == SentTool(None, "mcp__mail__find", "function")
        assert found["files__patch"] == SentTool("files", "patch", "custom")


def _group(description: Any, *members: dict[str, Any]) -> list[dict[str, Any]]:
    tools: list[dict[str, Any]] = [
        {"type": "function", "parameters": {"type": "object", "properties": {}}, **member} for member in members
    ]
    return [{"type": "namespace", "name": "harbour", "description": description, "tools": tools}]


@pytest.mark.parametrize("target", ["openai_chat", "anthropic", "gemini"])
def test_the_description_of_a_group_stands_before_that_of_each_of_its_tools(target: il.FormatName) -> None:
    tools = _group("All about ports.", {"name": "find", "description": "Finds a port."}, {"name": "list"})
    done = il.convert({"model": "m", "input": "Go.", "tools": tools}, source="openai_responses", target=target)
    request = il.load(done.payload, target)
    descriptions = [tool.description for tool in request.tools or () if isinstance(tool, il.Tool)]
    assert descriptions == ["All about ports.\n\nFinds a port.", "All about ports."]
    found = [(loss.path, loss.kind) for loss in done.losses if loss.path.endswith("description")]
    assert found == [("/tools/0/description", "changed")]


@pytest.mark.parametrize(
    ("description", "members"), [("x" * 1025, [{"name": "find"}]), ("All about ports.", []), (7, [{"name": "f"}])]
)
def test_a_description_that_has_no_place_is_left_out(description: Any, members: list[dict[str, Any]]) -> None:
    payload = {"model": "m", "input": "Go.", "tools": _group(description, *members)}
    done = il.convert(payload, source="openai_responses", target="anthropic")
    assert [loss.kind for loss in done.losses if loss.path == "/tools/0/description"] == ["dropped"]
    assert "description" not in str(done.payload)


def test_a_free_form_tool_becomes_a_function_with_one_text() -> None:
    body = il.dump(il.load(NAMESPACES.read("request"), "openai_responses"), "anthropic", on_loss="ignore")
    tools = {tool["name"]: tool for tool in body.get("tools", ())}
    assert tools["exec"] == {
        "name": "exec",
        "description": "Runs a script.",
        "input_schema": {
            "type": "object",
            "properties": {
                "input": {"type": "string", "description": "The text must follow this grammar (lark):\nstart: /.+/"}
            },
            "required": ["input"],
            "additionalProperties": False,
        },
    }
    calls = [block for message in body["messages"][1::2] for block in message["content"]]
    assert [(call["name"], call["input"]) for call in calls][1:3] == [
        ("files__patch", {"input": '*** "Begin"\n'}),
        ("exec", {"input": "ls"}),
    ]


OLDER_GEMINI = il.format_for(il.GeminiProfile(openapi_schemas=True), "gemini_older")
GRAMMAR = {"syntax": "regex", "definition": "<|end|> a*/"}
FREE_FORM = {"name": "c", "description": "Writes <|end|>."}
WITH_FREE_FORM: list[tuple[il.FormatName, dict[str, Any]]] = [
    (
        "openai_responses",
        {"input": "Hi.", "tools": [{"type": "custom", "format": {"type": "grammar", **GRAMMAR}, **FREE_FORM}]},
    ),
    (
        "openai_chat",
        {
            "messages": [{"role": "user", "content": "Hi."}],
            "tools": [{"type": "custom", "custom": {"format": {"type": "grammar", "grammar": GRAMMAR}, **FREE_FORM}}],
        },
    ),
]


@pytest.mark.parametrize("target", [*FORMATS, OLDER_GEMINI], ids=str)
@pytest.mark.parametrize(("source", "payload"), WITH_FREE_FORM)
def test_the_schema_that_a_free_form_tool_gets_loses_nothing(source: il.FormatName, payload: Any, target: Any) -> None:
    """The schema is the target's alone: a loss in it would point at what the request does not have."""
    losses = il.convert(payload, source=source, target=target).losses
    assert [loss for loss in losses if not resolves(payload, loss.path)] == []


@pytest.mark.traffic
def test_recorded_calls_name_a_tool_of_the_request(traffic: Path) -> None:
    judged = 0
    for record in requests(traffic, "openai_responses"):
        for target in WITH_TOOLS:
            if target == "openai_responses":
                continue
            before = il.load(record.body, "openai_responses")
            d = new_dump(FORMATS[target], "openai_responses")
            body = FORMATS[target].dump(before, before.messages, d)
            sent = il.load(body, FORMATS[target])
            known = {*d.sent_tools}
            undeclared = {call for call in _calls(sent) if call not in known} - {*_calls(before)}
            assert not undeclared, record.id
            judged += bool(known & {*_calls(sent)})
    assert judged


ODD_NAMES: dict[str, Any] = {
    "contents": [
        {"role": "user", "parts": [{"text": "Hi."}]},
        {"role": "model", "parts": [{"functionCall": {"name": "srv.tool", "args": {}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "srv.tool", "response": {"output": "ok"}}}]},
    ],
    "tools": [{"functionDeclarations": [{"name": "srv.tool", "description": "d"}]}],
}


@pytest.mark.parametrize("target", WITH_TOOLS)
def test_a_result_has_the_name_of_its_call(target: Any) -> None:
    """A target that refuses the name of a tool gets a new one in the call, in the tool and in the result."""
    sent = il.load(il.convert(ODD_NAMES, source="gemini", target=target).payload, target)
    results = [message for message in sent.messages if isinstance(message, il.ToolMessage)]
    parts = [part for message in sent.messages if isinstance(message, il.UserMessage) for part in message.parts]
    held = [part for part in parts if isinstance(part, il.ToolResultPart)]
    names = [result.name for result in results] + [result.name for result in held]
    assert len(names) == 1
    assert {*names} <= {None, *_calls(sent)}


def _added(*tools: Any) -> Any:
    return {"type": "additional_tools", "role": "developer", "tools": [*tools]}


def _function(name: str) -> Any:
    return {"type": "function", "name": name, "parameters": {"type": "object", "properties": {}}, "strict": False}


GROUP = {"type": "namespace", "name": "n", "description": "d", "tools": [_function("x")]}
ALIKE = _function("n__x")
"""A tool without a group, whose name is what the tool of the group would get."""


def test_a_function_without_strict_that_an_item_adds_is_reported_once() -> None:
    without = {key: value for key, value in _function("x").items() if key != "strict"}
    body = {"model": "m", "input": [{"role": "user", "content": "Go."}, _added(without)]}
    losses = il.convert(body, source="openai_responses", target="openai_chat").losses
    assert [loss.path for loss in losses] == ["/input/1", "/input/1/tools/0"]
    assert "strict" in losses[1].detail


def _change(kind: str, tool: Any) -> Any:
    return {"type": f"tool_{kind}", "tool": tool}


DEFINED: dict[str, Any] = {
    "name": "get_time",
    "description": "Tell the time.",
    "input_schema": {"type": "object", "properties": {}},
}
SERVERS = {"type": "web_search_20250305", "name": "web_search"}
CHANGES: list[Any] = [
    _change("addition", {"type": "tool_definition", "definition": DEFINED | {"cache_control": {"type": "ephemeral"}}}),
    _change("addition", {"type": "tool_definition", "definition": SERVERS}),
    _change("removal", {"type": "tool_reference", "name": "look_up"}),
]
CHANGING: dict[str, Any] = {
    "model": "m",
    "max_tokens": 9,
    "messages": [
        {"role": "user", "content": "What time is it?"},
        {"role": "system", "content": CHANGES},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_time", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "12:30"}]},
        {"role": "system", "content": [_change("removal", {"type": "tool_reference", "name": "get_time"})]},
        {"role": "user", "content": "Thanks."},
    ],
    "tools": [{"name": "look_up", "input_schema": {"type": "object", "properties": {}}}],
}


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "gemini", "bedrock_converse", "cohere"])
def test_a_tool_that_a_system_message_of_anthropic_defines_is_sent(target: Any) -> None:
    made = il.convert(CHANGING, source="anthropic", target=target, check=True)
    sent = il.load(made.payload, target)
    assert [_named(tool.to_dict()) for tool in sent.tools or ()] == ["look_up", "get_time"]
    assert made.problems == ()
    assert {f"{loss.kind} {loss.path}" for loss in made.losses} >= {
        "moved /messages/1",
        "changed /messages/1/content/0/tool/definition",
        "dropped /messages/1/content/0/tool/definition/cache_control",
        "dropped /messages/1/content/1",
        "dropped /messages/1/content/2",
        "dropped /messages/4",
    }


@pytest.mark.parametrize("law", [*ALONE, *PAIRED, *SPOKE])
def test_changes_of_tools_keep_the_laws(law: str) -> None:
    assert violations(law, CHANGING, "anthropic") == []


@pytest.mark.parametrize(
    ("tools", "added"),
    [
        ([GROUP], [[ALIKE]]),
        ([ALIKE], [[GROUP]]),
        ([], [[GROUP, ALIKE]]),
        ([], [[GROUP], [ALIKE]]),
        ([GROUP, ALIKE], []),
    ],
)
def test_two_tools_never_get_one_name_wherever_they_are_offered(tools: list[Any], added: list[list[Any]]) -> None:
    items = [{"type": "message", "role": "user", "content": "Go."}, *(_added(*each) for each in added)]
    body = {"model": "m", "max_output_tokens": 9, "tools": tools, "input": items}
    made = il.convert(body, source="openai_responses", target="anthropic", check=True)
    assert made.problems == ()
    sent: Any = made.payload
    assert len({tool["name"] for tool in sent["tools"]}) == 2
    assert {fields["name"] for fields in made.context.tools.values()} == {"x", "n__x"}


@pytest.mark.parametrize("target", ["bedrock_boto3", "openai_chat", "gemini", "mistral", "cohere"])
def test_a_call_whose_name_gets_its_group_and_fewer_characters_is_reported_once(target: il.FormatName) -> None:
    call = {"type": "function_call", "name": "fs.read", "arguments": "{}", "namespace": "f", "call_id": "call_1"}
    result = {"type": "function_call_output", "call_id": "call_1", "output": "x"}
    items = [{"role": "user", "content": "q"}, call, result]
    converted = il.convert({"model": "m", "input": items}, source="openai_responses", target=target)
    names = [loss for loss in converted.losses if loss.path == "/input/1/name"]
    assert [loss.kind for loss in names] == ["changed"]
    assert names[0].detail.rsplit(maxsplit=1)[-1] in str(converted.payload)


@pytest.mark.parametrize("target", ["bedrock_boto3", "openai_chat", "gemini", "mistral", "cohere"])
def test_a_tool_whose_name_gets_its_group_and_fewer_characters_is_reported_once(target: il.FormatName) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    function = {"type": "function", "name": "fs.read", "parameters": schema, "strict": False}
    group = {"type": "namespace", "name": "group", "description": "d", "tools": [function]}
    body = {"model": "m", "input": "q", "tools": [group]}
    converted = il.convert(body, source="openai_responses", target=target)
    names = [loss for loss in converted.losses if loss.path == "/tools/0/tools/0/name"]
    assert [loss.kind for loss in names] == ["changed"]
    assert names[0].detail.rsplit(maxsplit=1)[-1] in str(converted.payload)
