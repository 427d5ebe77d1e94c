"""A choice that allows only some of the tools, between the providers that have it, and at those that do not."""

from typing import Any

import pytest

import interlingua as il
from interlingua.formats import FORMATS

NAMES = ("read", "write", "run")
HAVE = [name for name, format in FORMATS.items() if format.allowed_tools]
WITHOUT_CHOICE = {"ollama"}
"""Formats in which the model always chooses."""
LACK = [
    name
    for name, format in FORMATS.items()
    if format.allowed_tools is None and format.family != "alpaca" and format.listed != "prompt"
]


def _request(kind: Any, *allowed: str) -> il.Request:
    tools = [il.Tool(name=name, parameters={"type": "object", "properties": {}}) for name in NAMES]
    said = [il.UserMessage(content="Go."), il.AssistantMessage(content=[il.ToolUsePart(id="c1", name="run", input={})])]
    result = il.ToolMessage(tool_call_id="c1", content="done")
    return il.Request(messages=[*said, result], tools=tools, tool_choice={"type": kind, "allowed": allowed})


def _sent(request: il.Request, target: il.FormatName) -> tuple[il.Request, dict[str, list[str]]]:
    """The request as the target has it, and the losses under the tools and the choice, by kind."""
    losses: list[il.Loss] = []
    body = il.dump(request, target, on_loss=losses.append)
    kinds: dict[str, list[str]] = {}
    for loss in losses:
        if loss.path.startswith("/tool"):
            kinds.setdefault(loss.kind, []).append(loss.path)
    return il.load(body, target), kinds


BODIES: dict[str, Any] = {
    "openai_chat": {
        "type": "allowed_tools",
        "allowed_tools": {
            "mode": "required",
            "tools": [
                {"type": "function", "function": {"name": "read"}},
                {"type": "function", "function": {"name": "write"}},
            ],
        },
    },
    "openai_responses": {
        "type": "allowed_tools",
        "mode": "required",
        "tools": [{"type": "function", "name": "read"}, {"type": "function", "name": "write"}],
    },
    "gemini": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["read", "write"]}},
}


@pytest.mark.parametrize("target", BODIES)
def test_it_is_written_as_each_provider_has_it(target: il.FormatName) -> None:
    body: Any = il.dump(_request("required", "read", "write"), target, on_loss="ignore")
    assert BODIES[target] in (body.get("tool_choice"), body.get("toolConfig"))
    back = il.load(body, target)
    assert back.tool_choice == il.ToolChoice(type="required", allowed=["read", "write"])
    assert il.dump(back, target, on_loss="raise") == body


def test_the_spelling_of_responses_is_read_in_chat_and_comes_back() -> None:
    body: Any = il.dump(_request("auto", "read", "write"), "openai_chat", on_loss="ignore")
    flat = {"mode": "auto", "tools": [{"type": "function", "name": "read"}, {"type": "function", "name": "write"}]}
    body["tool_choice"]["allowed_tools"] = flat
    request = il.load(body, "openai_chat")
    assert request.tool_choice == il.ToolChoice(type="auto", allowed=["read", "write"])
    assert il.dump(request, "openai_chat", on_loss="raise") == body
    sent: Any = il.dump(request, "openai_responses", on_loss="ignore")
    assert sent["tool_choice"] == {"type": "allowed_tools", **flat}
    body["tool_choice"] = {"type": "function", "name": "read"}
    request = il.load(body, "openai_chat")
    assert request.tool_choice == il.ToolChoice(type="tool", name="read")
    assert il.dump(request, "openai_chat", on_loss="raise") == body
    sent = il.dump(request, "anthropic", on_loss="ignore")
    assert sent["tool_choice"] == {"type": "tool", "name": "read"}


@pytest.mark.parametrize("target", HAVE)
@pytest.mark.parametrize("source", HAVE)
def test_it_arrives_and_all_tools_stay(source: il.FormatName, target: il.FormatName) -> None:
    given = il.load(il.dump(_request("required", "read", "write"), source, on_loss="ignore"), source)
    back, losses = _sent(given, target)
    assert back.tool_choice == il.ToolChoice(type="required", allowed=["read", "write"])
    assert [tool.to_dict()["name"] for tool in back.tools or ()] == [*NAMES]
    assert losses == {}


@pytest.mark.parametrize("target", LACK)
def test_elsewhere_only_the_allowed_tools_are_sent(target: il.FormatName) -> None:
    """So no other can be called. A call to one in the history stays: no provider wants it to name a tool of the request."""
    back, losses = _sent(_request("required", "read", "write"), target)
    assert [tool.to_dict()["name"] for tool in back.tools or ()] == ["read", "write"]
    if target in WITHOUT_CHOICE:
        # The choice still counts: it decides which tools are sent.
        assert back.tool_choice is None
        assert losses == {"dropped": ["/tools/2"], "changed": ["/tool_choice/allowed", "/tool_choice"]}
    else:
        assert back.tool_choice == il.ToolChoice(type="required")
        assert losses == {"dropped": ["/tools/2"], "changed": ["/tool_choice/allowed"]}
    assert "run" in str(back.messages)


@pytest.mark.parametrize("target", [*LACK, "gemini"])
def test_one_demanded_tool_is_a_choice_of_that_tool(target: il.FormatName) -> None:
    back, losses = _sent(_request("required", "write"), target)
    assert len(back.tools or ()) == 3
    named = target not in ("cohere", *WITHOUT_CHOICE)  # Cohere has no named choice
    assert back.tool_choice == il.ToolChoice(type="tool", name="write") or not named
    assert {*losses} <= {"changed", "dropped"}
    assert {path for paths in losses.values() for path in paths} == {"/tool_choice"}


def test_gemini_lets_the_model_choose_among_some_in_its_validated_mode() -> None:
    body: Any = il.dump(_request("auto", "read", "write"), "gemini", on_loss="ignore")
    calling = {"mode": "VALIDATED", "allowedFunctionNames": ["read", "write"]}
    assert body["toolConfig"] == {"functionCallingConfig": calling}
    back, losses = _sent(il.load(body, "gemini"), "openai_responses")
    assert back.tool_choice == il.ToolChoice(type="auto", allowed=["read", "write"])
    assert losses == {}
    converted = il.convert(body, source="gemini", target="openai_responses")
    assert [loss.path for loss in converted.losses if "Config" in loss.path] == ["/toolConfig/functionCallingConfig/mode"]


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "anthropic", "mistral", "bedrock_converse"])
@pytest.mark.parametrize("allowed", [[], ["read", "write"]])
@pytest.mark.parametrize("source", ["gemini", "google_genai", "gemini_interactions"])
def test_validated_calls_are_chosen_by_the_model(source: il.FormatName, allowed: list[str], target: il.FormatName) -> None:
    body: Any = il.dump(_request("auto", "read", "write"), source, on_loss="ignore")
    if source == "gemini_interactions":
        path = "/generation_config/tool_choice"
        body["generation_config"]["tool_choice"] = "validated"
        if allowed:
            body["generation_config"]["tool_choice"] = {"allowed_tools": {"mode": "validated", "tools": allowed}}
            path += "/allowed_tools/mode"
    else:
        path = "/toolConfig/functionCallingConfig/mode"
        config = {"mode": "VALIDATED"} | ({"allowedFunctionNames": allowed} if allowed else {})
        holder = body
        if source == "google_genai":
            path = "/config" + path
            holder = body["config"]
        holder["toolConfig"] = {"functionCallingConfig": config}
    assert il.dump(il.load(body, source), source, on_loss="raise") == body
    expected = il.ToolChoice(type="auto", allowed=allowed) if allowed else il.ToolChoice(type="auto")
    assert il.load(body, source).tool_choice == expected
    converted = il.convert(body, source=source, target=target)
    choice = il.load(converted.payload, target).tool_choice
    assert choice is not None
    assert choice.type == "auto"
    [loss] = [loss for loss in converted.losses if loss.path == path]
    assert (loss.kind, loss.detail.split(":")[0]) == ("changed", "the target does not make calls follow their schemas")


def _validated(source: il.FormatName, allowed: list[str]) -> Any:
    body: Any = il.dump(_request("auto", "read", "write"), source, on_loss="ignore")
    if source == "gemini":
        named = {"allowedFunctionNames": allowed} if allowed else {}
        body["toolConfig"] = {"functionCallingConfig": {"mode": "VALIDATED", **named}}
    else:
        among = {"allowed_tools": {"mode": "validated", "tools": allowed}}
        body["generation_config"]["tool_choice"] = among if allowed else "validated"
    return body


@pytest.mark.parametrize("allowed", [[], ["read", "write"]])
@pytest.mark.parametrize(("source", "target"), [("gemini", "gemini_interactions"), ("gemini_interactions", "gemini")])
def test_validated_calls_are_carried_between_the_apis_that_have_them(
    source: il.FormatName, target: il.FormatName, allowed: list[str]
) -> None:
    body = _validated(source, allowed)
    there = il.convert(body, source=source, target=target)
    expected = _validated(target, allowed)
    for key in ("toolConfig", "generation_config"):
        assert there.payload.get(key) == expected.get(key)
    back = il.convert(there.payload, source=target, target=source)
    for key in ("toolConfig", "generation_config"):
        assert back.payload.get(key) == body.get(key)
    paths = [loss.path for loss in (*there.losses, *back.losses)]
    assert [path for path in paths if "oolConfig" in path or "tool_choice" in path] == []


@pytest.mark.parametrize("source", ["gemini", "gemini_interactions"])
def test_without_tools_the_mode_of_calls_is_no_loss(source: il.FormatName) -> None:
    body = _validated(source, [])
    del body["tools"]
    converted = il.convert(body, source=source, target="anthropic")
    assert [loss.path for loss in converted.losses if "Config" in loss.path or "tool_choice" in loss.path] == []


@pytest.mark.parametrize("allowed", [[], ["read", "write"]])
@pytest.mark.parametrize("source", ["gemini", "gemini_interactions"])
@pytest.mark.parametrize("choice", [None, il.ToolChoice(type="required"), il.ToolChoice(type="none")])
def test_an_edit_of_the_choice_removes_the_validated_mode(
    source: il.FormatName, choice: il.ToolChoice | None, allowed: list[str]
) -> None:
    request = il.load(_validated(source, allowed), source).replace(tool_choice=choice)
    written = il.dump(request, source, on_loss="raise")
    assert "validated" not in str(written).lower()
    assert il.load(written, source).tool_choice == choice


@pytest.mark.parametrize(
    "calling",
    [
        {"mode": "VALIDATED"},
        {"mode": "validated", "allowed_function_names": ["read"]},
        {"mode": "AUTO", "allowedFunctionNames": ["read"]},
        {"mode": 2, "allowedFunctionNames": ["read", "run"]},
        {"mode": "ANY", "allowedFunctionNames": []},
        {"mode": "NONE", "allowedFunctionNames": ["read"]},
    ],
)
def test_gemini_has_back_what_it_said(calling: Any) -> None:
    body = {"contents": [{"role": "user", "parts": [{"text": "?"}]}], "toolConfig": {"functionCallingConfig": calling}}
    assert il.dump(il.load(body, "gemini"), "gemini", on_loss="raise") == body


@pytest.mark.parametrize(
    "choice",
    [
        {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "mcp", "server_label": "s"}]},
        {
            "type": "allowed_tools",
            "mode": "auto",
            "tools": [{"type": "custom", "name": "a"}, {"type": "function", "name": "a"}],
        },
        {"type": "allowed_tools", "mode": "auto", "tools": []},
        {"type": "allowed_tools", "mode": "odd", "tools": [{"type": "function", "name": "a"}]},
        {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "a", "x": 1}]},
    ],
)
def test_responses_has_back_what_it_said(choice: Any) -> None:
    body = {"model": "m", "input": "?", "tool_choice": choice}
    assert il.dump(il.load(body, "openai_responses"), "openai_responses", on_loss="raise") == body


def test_what_is_not_sent_cannot_be_allowed() -> None:
    back, losses = _sent(_request("auto", "read", "gone"), "openai_chat")
    assert back.tool_choice == il.ToolChoice(type="auto", allowed=["read"])
    assert losses == {"dropped": ["/tool_choice/allowed/1"]}
    back, losses = _sent(_request("auto", "gone"), "anthropic")
    assert back.tool_choice is None
    assert len(back.tools or ()) == 3
    assert losses == {"dropped": ["/tool_choice"]}


def test_a_free_form_tool_may_be_allowed() -> None:
    read: Any = {"type": "function", "name": "read", "parameters": {}, "strict": False}
    tools: list[Any] = [{"type": "custom", "name": "exec"}, read]
    allowed = [{"type": "custom", "name": "exec"}, {"type": "function", "name": "read"}]
    choice: Any = {"type": "allowed_tools", "mode": "required", "tools": allowed}
    body = {"model": "m", "input": "?", "tools": tools, "tool_choice": choice}
    chat: Any = il.convert(body, source="openai_responses", target="openai_chat").payload
    assert chat["tool_choice"]["allowed_tools"]["tools"] == [
        {"type": "custom", "custom": {"name": "exec"}},
        {"type": "function", "function": {"name": "read"}},
    ]
    back: Any = il.convert(chat, source="openai_chat", target="openai_responses").payload
    assert back["tool_choice"] == choice
    choice["tools"] = [{"type": "custom", "name": "exec"}]
    choice["mode"] = "auto"
    claude: Any = il.convert(body, source="openai_responses", target="anthropic").payload
    assert [tool["name"] for tool in claude["tools"]] == ["exec"]


def test_a_repaired_name_is_the_same_in_the_choice() -> None:
    tools: list[Any] = [{"type": "function", "name": name, "parameters": {}, "strict": False} for name in ("a b", "c")]
    allowed = {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "a b"}]}
    body = {"model": "m", "input": "?", "tools": tools, "tool_choice": allowed}
    fixed, _ = il.repair(il.load(body, "openai_responses"), "openai_responses")
    assert fixed.tool_choice is not None
    name = next(tool.to_dict()["name"] for tool in fixed.tools or ())
    assert name != "a b"
    assert fixed.tool_choice.allowed == (name,)


def test_a_flat_choice_of_a_custom_tool_comes_back_as_it_was() -> None:
    body: dict[str, Any] = {
        "messages": [{"role": "user", "content": "Hi."}],
        "tools": [{"type": "custom", "custom": {"name": "f"}}],
        "tool_choice": {"type": "function", "name": "f"},
    }
    assert il.convert(body, source="openai_chat", target="openai_chat").payload == body


OWN = [{"type": "web_search"}, {"type": "mcp", "server_label": "s"}]
AMONG_OWN: dict[str, Any] = {
    "model": "m",
    "input": "When?",
    "max_output_tokens": 99,
    "tools": [
        *({"type": "function", "name": name, "parameters": {"type": "object"}, "strict": False} for name in ("f", "g")),
        {"type": "web_search"},
    ],
    "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [OWN[0], {"type": "function", "name": "f"}, OWN[1]]},
}


@pytest.mark.parametrize("load", [False, True])
def test_own_tools_among_the_allowed_ones_come_back(load: bool) -> None:
    if load:
        assert il.dump(il.load(AMONG_OWN, "openai_responses"), "openai_responses", on_loss="raise") == AMONG_OWN
    result = il.convert(AMONG_OWN, source="openai_responses", target="openai_responses")
    assert result.payload == AMONG_OWN
    assert result.losses == ()


@pytest.mark.parametrize("load", [False, True])
@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse", "openai_chat", "gemini"])
def test_functions_among_own_tools_are_the_only_ones(target: il.FormatName, load: bool) -> None:
    lost: list[il.Loss] = []
    if load:
        payload = il.dump(il.load(AMONG_OWN, "openai_responses"), target, on_loss=lost.append)
    else:
        result = il.convert(AMONG_OWN, source="openai_responses", target=target)
        payload, lost = result.payload, [*result.losses]
    there = il.load(payload, target)
    choice = there.tool_choice
    functions = [tool.name for tool in there.tools or () if tool.type == "function"]
    assert functions == ["f"] or (choice is not None and choice.allowed == ("f",))
    assert ("web_search" in str(payload)) == (target == "anthropic")
    paths = [loss.path for loss in lost]
    assert any(path.endswith("/tools") and "tool_choice" in path for path in paths)


def test_an_edited_choice_has_its_own_tools_no_more() -> None:
    request = il.load(AMONG_OWN, "openai_responses")
    edited = request.replace(tool_choice=il.ToolChoice(type="required", allowed=["f", "g"]))
    sent = il.dump(edited, "openai_responses", on_loss="ignore")
    named = [{"type": "function", "name": name} for name in ("f", "g")]
    assert sent.get("tool_choice") == {"type": "allowed_tools", "mode": "required", "tools": named}
