"""The ready-made profiles of hosts: a hard conversation goes there, and what each host refuses is found."""

import json
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
from interlingua.formats.openai_chat.rules.by_code import BY_CODE

REFUSED: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "hosts.json").read_text("utf-8"))
"""By the code of each rule that a profile may name: a body that it catches, where, and a near miss."""
ROOT = Path(__file__).parents[3]

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
HARD: dict[str, Any] = {
    "model": "m",
    "max_tokens": 500,
    "temperature": 0.5,
    "top_k": 5,
    "stop_sequences": ["a", "b", "c", "d"],
    "thinking": {"type": "enabled", "budget_tokens": 2048},
    "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
    "tools": [{"name": "look_up", "input_schema": {"type": "object", "properties": {"q": {"type": "string"}}}}],
    "tool_choice": {"type": "auto"},
    "metadata": {"user_id": "ann"},
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "What is this?"}, IMAGE]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "I look it up.", "signature": "c2ln"},
                {"type": "redacted_thinking", "data": "ZGF0YQ=="},
                {"type": "text", "text": "Let me see."},
                {"type": "tool_use", "id": "toolu_1", "name": "look_up", "input": {"q": "rain"}},
                {"type": "tool_use", "id": "toolu_2", "name": "look_up", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "wet"}, IMAGE]},
                {"type": "tool_result", "tool_use_id": "toolu_2", "is_error": True, "content": "no"},
                {"type": "text", "text": "And now?"},
            ],
        },
    ],
}


def host(name: str) -> il.Format:
    return il.format_for(il.HOSTS[name], name)


@pytest.mark.parametrize("name", il.HOSTS)
def test_a_hard_conversation_goes_there_and_comes_back(name: str) -> None:
    format = host(name)
    made = il.convert(HARD, source="anthropic", target=format)
    assert il.check(made.payload, format) == []
    assert all(loss.path or loss.at for loss in made.losses)
    assert il.dump(il.load(made.payload, format), format, on_loss="raise") == made.payload
    reasoned = made.payload["messages"][2 if made.payload["messages"][0]["role"] == "system" else 1]
    field = il.HOSTS[name].reasoning
    assert (field in reasoned) == (field is not None)


@pytest.mark.parametrize("name", [name for name, profile in il.HOSTS.items() if not profile.open])
def test_a_closed_host_gets_no_field_that_it_does_not_know(name: str) -> None:
    body = {"messages": [{"role": "user", "content": "Hi."}], "chat_template_kwargs": {"a": 1}, "verbosity": "low", "top_k": 5}
    profile = il.HOSTS[name]
    made = il.convert(body, source="vllm", target=host(name))
    known = {"messages", *profile.request_fields, *(["top_k"] if profile.top_k else [])}
    assert made.payload.keys() <= known
    assert {loss.path for loss in made.losses} == {f"/{key}" for key in body.keys() - known}


def test_a_call_without_reasoning_gets_a_stand_in_where_it_is_demanded() -> None:
    made = il.convert(
        HARD | {"messages": [HARD["messages"][0], _without_thinking(), *HARD["messages"][2:]]},
        source="anthropic",
        target=host("moonshot"),
    )
    assert made.payload["messages"][2]["reasoning_content"] == " "


def _without_thinking() -> dict[str, Any]:
    said = HARD["messages"][1]
    return {**said, "content": [part for part in said["content"] if "thinking" not in part["type"]]}


def test_every_rule_that_a_profile_names_has_a_case() -> None:
    assert set(REFUSED) == set(BY_CODE)
    assert {code for profile in il.HOSTS.values() for code in profile.rules} == set(BY_CODE)


@pytest.mark.parametrize(
    ("name", "code"), [(name, code) for name, profile in il.HOSTS.items() for code in sorted(profile.rules)]
)
def test_what_a_host_refuses_is_found(name: str, code: str) -> None:
    case, format = REFUSED[code], host(name)
    assert (code, case["path"]) in [(each.code, each.path) for each in il.check(case["refused"], format)]
    assert [each for each in il.check(case["accepted"], format) if each.severity == "error" or each.code == code] == []
    assert code not in {each.code for each in il.check(case["refused"], "openai_chat")}


def test_results_without_an_id_are_only_a_warning_where_the_host_answered_them() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    asked = {"role": "user", "content": "Go."}
    body = {"model": "m", "messages": [asked, {"role": "assistant", "tool_calls": [call]}, {"role": "tool", "content": "r"}]}
    found = {name: {(each.code, each.severity) for each in il.check(body, host(name))} for name in ("zai", "moonshot")}
    assert {("tool-call-id-missing", "warning"), ("call-without-result", "warning")} <= found["zai"]
    assert {("tool-call-id-missing", "error"), ("call-without-result", "error")} <= found["moonshot"]


def test_the_page_of_hosts_names_each() -> None:
    page = (ROOT / "docs" / "hosts.md").read_text("utf-8")
    assert [name for name in il.HOSTS if f'HOSTS["{name}"]' not in page] == []


def test_the_table_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        il.HOSTS["mine"] = il.ChatProfile()  # type: ignore[index] # pyright: ignore[reportIndexIssue] -- which is the point


@pytest.mark.parametrize("document", [{"title": "a", "text": "b"}, {"source": {"type": "text", "text": "b"}}])
def test_the_documents_of_a_chat_template_are_not_those_of_groq(document: dict[str, Any]) -> None:
    body = {"messages": [{"role": "user", "content": "a"}], "add_generation_prompt": True, "documents": [document]}
    made = il.convert(body, source="hf_chat_template", target="groq")
    is_taken = "source" in document
    assert ("documents" in made.payload) == is_taken
    assert ("/documents" in [loss.path for loss in made.losses]) != is_taken


@pytest.mark.parametrize("source", ["openai_chat", "vllm"])
@pytest.mark.parametrize(
    ("text", "form", "kind"), [("Answer in JSON.", {"type": "json_object"}, "changed"), ("Where is it?", None, "dropped")]
)
def test_deepseek_is_asked_for_an_object_in_place_of_a_schema(
    source: il.FormatName, text: str, form: dict[str, Any] | None, kind: str
) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
    asked = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema, "strict": True}}
    body = {"model": "m", "messages": [{"role": "user", "content": text}], "response_format": asked}
    found = il.convert(body, source=source, target="deepseek", check=True)
    assert found.payload.get("response_format") == form
    assert [(loss.kind, loss.path) for loss in found.losses] == [(kind, "/response_format")]
    assert found.problems == ()
    assert il.dump(il.load(body, "deepseek"), "deepseek", on_loss="raise") == body


def test_moonshot_gets_no_named_tool_while_it_thinks_and_no_sampling() -> None:
    tools: list[Any] = [{"name": "f", "input_schema": {"type": "object", "properties": {}}}]
    asked: dict[str, Any] = {"max_tokens": 9000, "messages": [{"role": "user", "content": "a"}], "tools": tools}
    named: dict[str, Any] = asked | {"tool_choice": {"type": "tool", "name": "f"}}
    format = host("moonshot")
    made = il.convert(named, source="anthropic", target=format, check=True)
    assert made.payload["tool_choice"] == {"type": "function", "function": {"name": "f"}}
    assert made.payload["thinking"] == {"type": "disabled"}
    assert [(loss.kind, loss.path, loss.at) for loss in made.losses] == [("added", "", "/thinking")]
    assert made.problems == ()
    thinks = il.convert(named | {"output_config": {"effort": "medium"}}, source="anthropic", target=format, check=True)
    assert (thinks.payload["tool_choice"], thinks.payload["reasoning_effort"]) == ("auto", "high")
    assert "thinking" not in thinks.payload
    assert thinks.problems == ()
    demanded = il.convert(asked | {"tool_choice": {"type": "any"}}, source="anthropic", target=format, check=True)
    assert demanded.payload["tool_choice"] == "required"
    assert (demanded.losses, demanded.problems) == ((), ())
    sampled: Any = {
        "messages": asked["messages"],
        "temperature": 0.3,
        "top_p": 0.5,
        "presence_penalty": 1,
        "frequency_penalty": 0,
    }
    made = il.convert(sampled, source="openai_chat", target=format, check=True)
    assert made.payload == {"messages": asked["messages"]}
    assert [loss.path for loss in made.losses] == ["/presence_penalty", "/temperature", "/top_p"]
    assert il.dump(il.load(sampled, format), format, on_loss="raise") == sampled


@pytest.mark.parametrize(
    ("name", "minimal", "medium"),
    [("deepseek", "low", "medium"), ("dashscope", "low", "medium"), ("zai", "low", "high"), ("moonshot", "low", "high")],
)
def test_an_effort_is_one_that_the_host_has(name: str, minimal: str, medium: str) -> None:
    format = host(name) if name in il.HOSTS else il.format_of(name)
    for asked, sent in {"minimal": minimal, "medium": medium, "max": "max"}.items():
        body: Any = {"messages": [{"role": "user", "content": "a"}], "reasoning_effort": asked}
        made = il.convert(body, source="openai_chat", target=format)
        assert made.payload["reasoning_effort"] == sent
        assert [(loss.kind, loss.path) for loss in made.losses] == [("changed", "/reasoning_effort")] * (asked != sent)
    spent: Any = {"contents": [{"parts": [{"text": "a"}]}], "generationConfig": {"thinkingConfig": {"thinkingBudget": 512}}}
    assert il.convert(spent, source="gemini", target=format).payload["reasoning_effort"] == minimal


@pytest.mark.parametrize("source", ["openai_chat", "anthropic"])
def test_cerebras_gets_tools_of_one_strictness_and_no_json_format_beside_them(source: il.FormatName) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    tools = [il.Tool(name=name, parameters=schema, strict=name != "g" or None) for name in "fgh"]
    form = il.ResponseFormat(type="json_schema", name="x", json_schema=schema)
    request = il.Request(messages=[il.UserMessage(content="a")], tools=tools, response_format=form, max_tokens=9)
    format = host("cerebras")
    made = il.convert(il.dump(request, source, on_loss="ignore"), source=source, target=format, check=True)
    assert "response_format" not in made.payload
    assert all("strict" not in tool["function"] for tool in made.payload["tools"])
    dropped = [loss.path for loss in made.losses if loss.kind == "dropped"]
    beside = {"openai_chat": ["/response_format", "/tools/0/function/strict", "/tools/2/function/strict"]}
    assert dropped == beside.get(source, ["/output_config/format", "/tools/0/strict", "/tools/2/strict"])
    assert made.problems == ()
    strict = il.convert(il.dump(request.replace(tools=tools[:1]), "openai_chat"), source="openai_chat", target=format)
    assert strict.payload["tools"][0]["function"]["strict"] is True
    alone = il.convert(il.dump(request.replace(tools=None), "openai_chat"), source="openai_chat", target=format)
    assert alone.payload["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize("is_list", [False, True])
def test_minimax_gets_one_system_message_and_the_parameters_of_each_tool(is_list: bool) -> None:
    second: Any = [{"type": "text", "text": "b"}] if is_list else "b"
    sent: Any = [{"type": "text", "text": text} for text in "abc"] if is_list else "a\n\nb\n\nc"
    messages = [
        {"role": "system", "content": "a"},
        {"role": "developer", "content": second, "name": "n"},
        {"role": "system", "content": "c"},
        {"role": "user", "content": "d"},
        {"role": "system", "content": "e"},
    ]
    body: Any = {"messages": messages, "tools": [{"type": "function", "function": {"name": "f"}}]}
    format = host("minimax")
    made = il.convert(body, source="openai_chat", target=format, check=True)
    assert made.payload["messages"] == [
        {"role": "system", "content": sent},
        {"role": "user", "content": "d"},
        {"role": "user", "content": "e"},
    ]
    assert made.payload["tools"] == [{"type": "function", "function": {"name": "f", "parameters": _NO_PARAMETERS}}]
    assert [(loss.kind, loss.path, loss.at) for loss in made.losses] == [
        ("dropped", "/messages/1/name", None),
        ("changed", "/messages/1", "/messages/0"),
        ("changed", "/messages/2", "/messages/0"),
        ("changed", "/messages/4", "/messages/2"),
        ("added", "/tools/0", "/tools/0/function/parameters"),
    ]
    assert made.problems == ()
    assert il.dump(il.load(body, format), format, on_loss="raise") == body


_NO_PARAMETERS: dict[str, Any] = {"type": "object", "properties": {}}

OFF: dict[str, dict[str, Any]] = {
    "dashscope": {"enable_thinking": False},
    "moonshot": {"thinking": {"type": "disabled"}},
    "zai": {"thinking": {"type": "disabled"}},
}


@pytest.mark.parametrize("name", OFF)
def test_disabled_reasoning_is_disabled_in_the_field_of_the_host(name: str) -> None:
    ask = {"messages": [{"role": "user", "content": "a"}]}
    disabled: Any = {**ask, "thinking": {"type": "disabled"}}
    assert il.convert(disabled, source="anthropic", target=host(name), strict=True).payload == ask | OFF[name]
    effort: Any = {**ask, "reasoning_effort": "none"}
    assert il.convert(effort, source="openai_chat", target=host(name), strict=True).payload == ask | OFF[name]
    both = il.convert({**disabled, "output_config": {"effort": "low"}}, source="anthropic", target=host(name))
    assert both.payload == ask | OFF[name]
    assert [(loss.kind, loss.path) for loss in both.losses] == [("dropped", "/output_config/effort")]
    own: Any = ask | OFF[name]
    assert il.dump(il.load(own, host(name)), host(name), on_loss="raise") == own
    assert il.convert(own, source=host(name), target="anthropic", strict=True).payload == disabled


ON: dict[str, dict[str, Any]] = {"dashscope": {"enable_thinking": True}, "moonshot": {"thinking": {"type": "enabled"}}}


@pytest.mark.parametrize("choice", ["required", {"type": "function", "function": {"name": "f"}}])
@pytest.mark.parametrize("name", ON)
def test_a_host_that_is_to_think_is_not_forced_to_call_a_tool(name: str, choice: Any) -> None:
    tools: list[Any] = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}]
    body: Any = {"messages": [{"role": "user", "content": "a"}], "stream": True, "tools": tools, "tool_choice": choice}
    made = il.convert({**body, **ON[name]}, source="vllm", target=host(name), check=True)
    assert (made.payload["tool_choice"], made.problems) == ("auto", ())
    assert [(loss.kind, loss.path) for loss in made.losses] == [("changed", "/tool_choice")]
    assert il.convert({**body, **OFF[name]}, source="vllm", target=host(name), strict=True).payload["tool_choice"] == choice
    own: Any = {**body, **ON[name]}
    assert il.dump(il.load(own, host(name)), host(name), on_loss="raise") == own


def test_reasoning_alone_goes_to_xai_with_an_empty_text() -> None:
    asked = {"role": "user", "content": "Why?"}
    answer = {"role": "assistant", "content": None, "reasoning_content": "Hm."}
    found = il.convert({"model": "m", "messages": [asked, answer, asked]}, source="litellm", target="xai", check=True)
    assert found.payload["messages"][1] == {"role": "assistant", "reasoning_content": "Hm.", "content": ""}
    assert [(loss.kind, loss.path, loss.at) for loss in found.losses] == [("added", "/messages/1", "/messages/1/content")]
    assert found.problems == ()


FUNCTION: dict[str, Any] = {"name": "f", "parameters": {"type": "object", "properties": {}}}


@pytest.mark.parametrize(
    ("model", "target", "effort", "lost"),
    [
        ("gpt-5.4", "openai_chat", "none", [("changed", "/reasoning/effort", "/reasoning_effort")]),
        ("gpt-5.6-sol-2026-08-01", "openai_chat", "none", [("changed", "/reasoning/effort", "/reasoning_effort")]),
        ("gpt-6", "openai_chat", "none", [("changed", "/reasoning/effort", "/reasoning_effort")]),
        ("gpt-5.2", "openai_chat", "high", []),
        ("o4-mini", "openai_chat", "high", []),
        ("gpt-5.6", "openrouter", "high", []),
    ],
)
def test_a_model_that_takes_functions_only_without_reasoning_does_not_reason(
    model: str, target: il.FormatName, effort: str, lost: list[tuple[str, ...]]
) -> None:
    asked = {"model": model, "input": "hi", "reasoning": {"effort": "high"}}
    made = il.convert(
        {**asked, "tools": [{"type": "function", "strict": False, **FUNCTION}]},
        source="openai_responses",
        target=target,
        check=True,
    )
    assert made.payload["reasoning_effort"] == effort
    assert [(loss.kind, loss.path, loss.at) for loss in made.losses] == lost
    assert made.problems == ()
    assert il.convert(asked, source="openai_responses", target=target).payload["reasoning_effort"] == "high"


@pytest.mark.parametrize(
    ("model", "target", "effort"),
    [
        ("gpt-5.6-terra", "openai_chat", "none"),
        ("gpt-5.5", "openai_chat", "none"),
        ("gpt-6", "openai_chat", "none"),
        ("gpt-5.4", "openai_chat", None),
        ("claude-x", "openai_chat", None),
        ("gpt-5.6", "openrouter", None),
    ],
)
def test_a_model_that_reasons_by_default_does_not_beside_functions(
    model: str, target: il.FormatName, effort: str | None
) -> None:
    tools: Any = [{"name": "f", "input_schema": {"type": "object", "properties": {}}}]
    asked: dict[str, Any] = {"model": model, "max_tokens": 20, "messages": [{"role": "user", "content": "hi"}]}
    made = il.convert({**asked, "tools": tools}, source="anthropic", target=target, check=True)
    assert made.payload.get("reasoning_effort") == effort
    assert [(loss.kind, loss.path, loss.at) for loss in made.losses] == [("added", "", "/reasoning_effort")] * (
        effort == "none"
    )
    assert made.problems == ()
    assert "reasoning_effort" not in il.convert(asked, source="anthropic", target=target).payload
    own = {"model": model, "messages": asked["messages"], "tools": [{"type": "function", "function": FUNCTION}]}
    assert il.dump(il.load(own, target), target) == own


SAMPLED: dict[str, Any] = {"temperature": 0.5, "topP": 0.9, "presencePenalty": 1, "responseLogprobs": True, "logprobs": 3}


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "azure"])
def test_a_model_of_openai_is_not_sampled_while_it_reasons(target: str) -> None:
    format = host(target) if target in il.HOSTS else il.format_of(target)
    asked = {"contents": [{"role": "user", "parts": [{"text": "a"}]}], "generationConfig": SAMPLED}
    thinks = asked | {"generationConfig": SAMPLED | {"thinkingConfig": {"thinkingBudget": 2048}}}
    made = il.convert(thinks, source="gemini", target=format, check=True)
    assert not made.payload.keys() & {"temperature", "top_p", "presence_penalty", "logprobs", "top_logprobs", "include"}
    assert {f"/generationConfig/{key}" for key in SAMPLED} <= {loss.path for loss in made.losses if loss.kind == "dropped"}
    assert made.problems == ()
    assert il.convert(asked, source="gemini", target=format).payload["temperature"] == 0.5
    assert il.convert(thinks, source="gemini", target="vllm").payload.get("temperature") == 0.5


@pytest.mark.parametrize(
    ("model", "effort", "is_sampled"),
    [
        ("gpt-5-mini", None, False),
        ("o4-mini", None, False),
        ("gpt-5.5", None, False),
        ("gpt-5.2", "high", False),
        ("gpt-5.2", "none", True),
        ("gpt-5.2", None, True),
        ("gpt-5-chat-latest", None, True),
        ("gpt-4.1", None, True),
        ("o", None, True),
    ],
)
def test_whether_a_model_reasons_says_its_name_or_the_effort(model: str, effort: str | None, is_sampled: bool) -> None:
    asked: dict[str, Any] = {"model": model, "messages": [{"role": "user", "content": "a"}], "temperature": 0.5}
    asked |= {"top_p": 0.9, "frequency_penalty": 1, "presence_penalty": 0, "logit_bias": {"1": 2}}
    asked |= {} if effort is None else {"reasoning_effort": effort}
    made = il.convert(asked, source="openrouter", target="openai_chat", check=True)
    refused = ["frequency_penalty", "logit_bias", "temperature", "top_p"]
    assert [key for key in refused if key in made.payload] == (refused if is_sampled else [])
    assert [loss.path for loss in made.losses] == ([] if is_sampled else [f"/{key}" for key in refused])
    assert made.problems == ()
    assert [each.path for each in il.check(asked, "openai_chat")] == ([] if is_sampled else [f"/{key}" for key in refused])
    assert il.dump(il.load(asked, "openai_chat"), "openai_chat", on_loss="raise") == asked
    usual = il.convert(asked | {"temperature": 1}, source="openrouter", target="openai_chat").payload
    assert usual.get("temperature") == 1


def test_a_budget_that_the_model_cannot_have_beside_functions_is_one_loss() -> None:
    request = il.Request(
        messages=[il.UserMessage(content="hi")],
        model="gpt-5.4",
        tools=[il.Tool(**FUNCTION)],
        reasoning_budget=2000,
        origin="anthropic",
    )
    losses: list[il.Loss] = []
    assert il.dump(request, "openai_chat", on_loss=losses.append).get("reasoning_effort") == "none"
    assert [(loss.kind, loss.path, loss.at) for loss in losses] == [("changed", "/reasoning_budget", "/reasoning_effort")]


DOTTED: dict[str, Any] = {
    "model": "m",
    "messages": [{"role": "user", "content": "hi"}],
    "tools": [{"type": "function", "function": {**FUNCTION, "name": "fs.read"}}],
}


@pytest.mark.parametrize("target", ["openai_chat", "groq", "openrouter"])
def test_a_name_that_only_servers_take_is_changed(target: il.FormatName) -> None:
    made = il.convert(DOTTED, source="vllm", target=target, check=True)
    assert [(loss.kind, loss.path) for loss in made.losses] == [("changed", "/tools/0/function/name")]
    assert made.problems == ()
    assert il.convert(made.payload, source=target, target="vllm", strict=True).payload == made.payload


@pytest.mark.parametrize("target", ["vllm", "sglang"])
def test_servers_take_any_name_of_a_tool(target: il.FormatName) -> None:
    asked = {"role": "user", "parts": [{"text": "hi"}]}
    payload = {"contents": [asked], "tools": [{"functionDeclarations": [{"name": "fs.read"}]}]}
    made = il.convert(payload, source="gemini", target=target)
    assert made.payload["tools"][0]["function"]["name"] == "fs.read"


def test_an_answer_keeps_the_name_that_another_host_takes() -> None:
    called = {"id": "c", "type": "function", "function": {"name": "fs.read", "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "tool_calls": [called]}
    response = {"id": "r", "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
    written = il.dump_response(il.load_response(response, "vllm"), "openai_chat", on_loss="raise")
    assert written["choices"][0]["message"]["tool_calls"] == [called]
    delta = {"role": "assistant", "tool_calls": [{"index": 0, **called}]}
    chunks = [{"id": "r", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}]
    first = next(iter(il.restream(chunks, source="vllm", target="openai_chat")))
    assert first["choices"][0]["delta"]["tool_calls"][0]["function"]["name"] == "fs.read"


def test_no_more_alternatives_are_asked_for_than_the_host_gives() -> None:
    asked = {"messages": [{"role": "user", "content": "hi"}], "logprobs": True, "top_logprobs": 50}
    made = il.convert(asked, source="vllm", target="openai_chat", check=True)
    assert made.payload == {**asked, "top_logprobs": 20}
    assert [(loss.kind, loss.path, loss.at) for loss in made.losses] == [("changed", "/top_logprobs", "/top_logprobs")]
    assert made.problems == ()


@pytest.mark.parametrize(
    ("target", "thinks"),
    [
        ("dashscope", {"enable_thinking": True}),
        ("dashscope", {"enable_thinking": True, "thinking_budget": 2048}),
        ("moonshot", {"thinking": {"type": "enabled"}}),
        ("moonshot", {"thinking": {"type": "enabled", "budget_tokens": 2048}}),
    ],
)
def test_no_call_is_forced_while_a_request_enables_thinking(target: str, thinks: dict[str, Any]) -> None:
    tool: Any = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
    asked: dict[str, Any] = {
        "messages": [{"role": "user", "content": "a"}],
        "tools": [tool],
        "tool_choice": "required",
        **thinks,
    }
    made = il.convert(asked, source="openai_chat", target=host(target), check=True)
    assert made.payload.get("tool_choice") == "auto"
    assert ("changed", "/tool_choice") in [(loss.kind, loss.path) for loss in made.losses]


def test_system_messages_are_joined_with_what_they_have() -> None:
    others = [{"role": "system", "content": "b", "name": "n", "own": 1}, {"role": "system", "content": ""}]
    asked = {"messages": [{"role": "system", "content": "a"}, *others, {"role": "user", "content": "c"}]}
    made = il.convert(asked, source="openai_chat", target=host("minimax"))
    assert made.payload["messages"][0] == {"role": "system", "content": "a\n\nb"}
    dropped = {loss.path for loss in made.losses if loss.kind == "dropped"}
    assert dropped == {"/messages/1/name", "/messages/1/own"}


@pytest.mark.parametrize(
    ("model", "sent"),
    [
        *[(model, None) for model in ("o4-mini", "gpt-5-mini", "ft:gpt-5-mini:x", "gpt-5.1-codex", "gpt-5.2-pro", "gpt-5.5")],
        *[(model, 0.3) for model in ("gpt-5.1", "gpt-5-chat-latest", "gpt-4o")],
    ],
)
def test_the_name_of_a_model_says_whether_it_takes_a_temperature(model: str, sent: float | None) -> None:
    asked = {"model": model, "max_tokens": 9, "temperature": 0.3, "messages": [{"role": "user", "content": "a"}]}
    assert il.convert(asked, source="anthropic", target="openai_chat").payload.get("temperature") == sent


TEXTS = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
LISTED: dict[str, Any] = {
    "max_tokens": 500,
    "system": TEXTS,
    "tools": HARD["tools"],
    "messages": [
        {"role": "user", "content": TEXTS},
        {"role": "assistant", "content": [*TEXTS, {"type": "tool_use", "id": "toolu_1", "name": "look_up", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": TEXTS}]},
    ],
}


@pytest.mark.parametrize(
    ("name", "strings"),
    [("deepseek", {"system", "assistant", "tool"}), ("groq", {"tool"}), ("cerebras", {"system"}), ("openai_chat", set[str]())],
)
@pytest.mark.parametrize("source", ["anthropic", "openai_chat"])
def test_content_is_a_string_where_the_host_refuses_a_list(name: str, strings: set[str], source: il.FormatName) -> None:
    body: dict[str, Any] = LISTED
    if source == "openai_chat":
        body = {**il.convert(LISTED, source="anthropic", target="openai_chat").payload}
    target = host(name) if name in il.HOSTS else il.format_of(name)
    made = il.convert(body, source=source, target=target)
    assert [each["role"] for each in made.payload["messages"] if each["content"] == "a\nb"] == [
        role for role in ("system", "assistant", "tool") if role in strings
    ]
    assert [each["content"] for each in made.payload["messages"] if each["role"] == "user"] == [TEXTS]
    assert not [loss for loss in made.losses if loss.kind == "dropped"]


def test_system_messages_in_parts_are_joined_where_content_is_a_string() -> None:
    target = il.format_for(il.ChatProfile(content="string", one_system=True), "one")
    messages = [{"role": "system", "content": [{"type": "text", "text": text}]} for text in ("ab", "cd")]
    body: dict[str, Any] = {"messages": [*messages, {"role": "user", "content": "x"}]}
    made = il.convert(body, source="openai_chat", target=target)
    assert made.payload["messages"][0] == {"role": "system", "content": "ab\n\ncd"}


def test_the_name_of_an_author_is_one_that_openai_accepts() -> None:
    messages = [il.UserMessage(content="Hi.", name="Mira <Port/Oslo>"), il.AssistantMessage(content="Hello.", name="My Agent")]
    losses: list[il.Loss] = []
    body = il.dump(il.Conversation(messages=messages), "openai_chat", on_loss=losses.append)
    assert [message.get("name") for message in body["messages"]] == ["Mira__Port_Oslo_", "My_Agent"]
    assert [(loss.kind, loss.path) for loss in losses] == [("changed", f"/messages/{i}/name") for i in (0, 1)]
    assert il.check(body, "openai_chat") == []
    there = il.dump(il.Conversation(messages=messages), "xai", on_loss="raise")
    assert there["messages"][1].get("name") == "My Agent"
    own = {"model": "m", "messages": [{"role": "user", "content": "Hi.", "name": "Mira Port"}]}
    assert il.dump(il.load(own, "openai_chat"), "openai_chat") == own


def test_the_endpoint_of_google_gets_no_field_that_it_refuses() -> None:
    refused: dict[str, Any] = {"store": True, "metadata": {"a": "b"}, "web_search_options": {}, "prompt_cache_key": "k"}
    asked = {"model": "m", "messages": [{"role": "user", "content": "a"}], **refused}
    made = il.convert(asked, source="openai_chat", target="gemini_openai")
    assert refused.keys().isdisjoint(made.payload)
    assert {loss.path for loss in made.losses} == {f"/{key}" for key in refused}
    found = {problem.path for problem in il.check(asked, "gemini_openai") if problem.code == "openai-field-unknown"}
    assert found == {f"/{key}" for key in refused}


@pytest.mark.parametrize("target", ["deepseek", "gemini_openai"])
def test_hosts_without_free_form_tools_get_functions(target: il.FormatName) -> None:
    custom = {"type": "custom", "custom": {"name": "patch"}}
    asked: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "a"}], "tools": [custom]}
    made = il.convert(asked, source="openai_chat", target=target)
    assert [tool["type"] for tool in made.payload["tools"]] == ["function"]
    assert [(loss.kind, loss.path) for loss in made.losses] == [("changed", "/tools/0")]


def test_an_author_without_a_name_has_none_at_openai() -> None:
    losses: list[il.Loss] = []
    message = il.UserMessage(content="Hi.", name="")
    body = il.dump(il.Conversation(messages=[message]), "openai_chat", on_loss=losses.append)
    assert body["messages"] == [{"role": "user", "content": "Hi."}]
    assert [(loss.kind, loss.path) for loss in losses] == [("dropped", "/messages/0/name")]
    own = {"model": "m", "messages": [{"role": "user", "content": "Hi.", "name": ""}]}
    assert il.dump(il.load(own, "openai_chat"), "openai_chat") == own


@pytest.mark.parametrize("field", ["reasoning_text", "reasoning_content"])
def test_a_history_of_github_copilot_has_reasoning_like_others(field: str) -> None:
    """A case of its own would change the corpus of the comparison with other libraries, whose figures are on a page."""
    turn = {"role": "assistant", "content": "By the sea.", field: "Hulls lie low."}
    payload = {"model": "m", "messages": [{"role": "user", "content": "Where?"}, turn, {"role": "user", "content": "How?"}]}
    assert il.convert(payload, source="openai_chat", target="openai_chat").payload == payload
    made: Any = il.convert(payload, source="openai_chat", target="gemini").payload
    assert made["contents"][1]["parts"] == [{"text": "Hulls lie low.", "thought": True}, {"text": "By the sea."}]
