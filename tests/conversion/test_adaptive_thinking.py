"""Adaptive thinking of Claude: at its other hosts, as a budget that Gemini's model chooses, and as the switch of Chat hosts."""

from typing import Any

import pytest

import interlingua as il

ADAPTIVE = {"type": "adaptive"}


def asked(**more: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": "Where is the harbour?"}]
    return {"model": "m", "max_tokens": 9000, "messages": messages, "thinking": ADAPTIVE, **more}


def losses_of(done: il.Conversion[Any]) -> list[tuple[str, str]]:
    return [(loss.kind, loss.path) for loss in done.losses]


@pytest.mark.parametrize(("target", "at"), [("gemini", "thinkingBudget"), ("google_genai", "thinking_budget")])
def test_gemini_gets_a_budget_that_the_model_chooses(target: il.FormatName, at: str) -> None:
    done = il.convert(asked(), source="anthropic", target=target)
    config: Any = done.payload.get("generationConfig") or done.payload["config"]
    assert (config.get("thinkingConfig") or config["thinking_config"]) == {at: -1}
    assert losses_of(done) == [("changed", "/thinking/type")]
    back: Any = il.convert(done.payload, source=target, target="anthropic")
    assert back.payload["thinking"] == ADAPTIVE


@pytest.mark.parametrize("target", ["gemini", "google_genai"])
def test_gemini_has_a_level_in_place_of_a_budget_where_there_is_an_effort(target: il.FormatName) -> None:
    done = il.convert(asked(output_config={"effort": "high"}), source="anthropic", target=target)
    assert "budget" not in str(done.payload).lower()
    assert losses_of(done) == [("dropped", "/thinking")]


@pytest.mark.parametrize("target", ["bedrock_converse", "bedrock_boto3"])
def test_claude_on_bedrock_has_it_among_its_own_fields(target: il.FormatName) -> None:
    done: Any = il.convert(asked(), source="anthropic", target=target)
    assert done.payload["additionalModelRequestFields"] == {"thinking": ADAPTIVE}
    assert done.losses == ()
    back: Any = il.convert(done.payload, source=target, target="anthropic")
    assert (back.payload["thinking"], back.losses) == (ADAPTIVE, ())


def test_what_is_said_beside_it_is_reported() -> None:
    done = il.convert(asked(thinking=ADAPTIVE | {"display": "updates"}), source="anthropic", target="gemini")
    assert losses_of(done) == [("changed", "/thinking/type"), ("dropped", "/thinking/display")]


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "cohere"])
def test_others_have_no_place_for_it(target: il.FormatName) -> None:
    assert losses_of(il.convert(asked(), source="anthropic", target=target)) == [("dropped", "/thinking")]


SWITCHES: dict[str, dict[str, Any]] = {
    "openrouter": {"reasoning": {"enabled": True}},
    "deepseek": {"thinking": {"type": "enabled"}},
    "zai": {"thinking": {"type": "enabled"}},
    "moonshot": {"thinking": {"type": "enabled"}},
    "dashscope": {"enable_thinking": True},
}
"""The field with which each host enables reasoning, without saying how much."""


def host(name: str) -> il.Format:
    return il.format_for(il.HOSTS[name], name) if name in il.HOSTS else il.format_of(name)


@pytest.mark.parametrize("name", SWITCHES)
def test_hosts_that_enable_reasoning_get_their_switch(name: str) -> None:
    done = il.convert(asked(), source="anthropic", target=host(name))
    key, value = next(iter(SWITCHES[name].items()))
    assert done.payload[key] == value
    assert losses_of(done) == []
    back: Any = il.convert(done.payload, source=host(name), target="anthropic")
    assert (back.payload["thinking"], losses_of(back)) == (ADAPTIVE, [])


@pytest.mark.parametrize("name", SWITCHES)
def test_the_switch_is_left_out_beside_an_effort(name: str) -> None:
    """OpenRouter and Moonshot refuse both; the effort asks for reasoning, too, so nothing is lost."""
    done = il.convert(asked(output_config={"effort": "high"}), source="anthropic", target=host(name))
    assert done.payload["reasoning_effort"] == "high"
    assert not SWITCHES[name].keys() & done.payload.keys()
    assert losses_of(done) == []


CLAUDE = "anthropic/claude-opus-4-6"


@pytest.mark.parametrize(
    "thinking", [ADAPTIVE, {"type": "disabled"}, {"type": "enabled", "budget_tokens": 2048}], ids=lambda each: each["type"]
)
def test_claude_at_litellm_has_the_same_field(thinking: dict[str, Any]) -> None:
    done: Any = il.convert(asked(model=CLAUDE, thinking=thinking), source="anthropic", target="litellm")
    assert (done.payload["thinking"], "reasoning_effort" in done.payload, losses_of(done)) == (thinking, False, [])
    back: Any = il.convert(done.payload, source="litellm", target="anthropic")
    assert (back.payload["thinking"], losses_of(back)) == (thinking, [])
    other: Any = il.convert(asked(model="gemini/m", thinking=thinking), source="anthropic", target="litellm")
    assert "thinking" not in other.payload


@pytest.mark.parametrize(
    ("kind", "kept"), [("disabled", "thinking"), ("enabled", "reasoning_effort"), ("adaptive", "reasoning_effort")]
)
def test_claude_at_litellm_has_either_this_field_or_an_effort(kind: str, kept: str) -> None:
    """LiteLLM makes the same field of an effort, so one of them would be lost."""
    thinking = {"type": kind, "budget_tokens": 2048} if kind == "enabled" else {"type": kind}
    body = asked(model=CLAUDE, thinking=thinking, output_config={"effort": "high"})
    done: Any = il.convert(body, source="anthropic", target="litellm")
    assert {"thinking", "reasoning_effort"} & done.payload.keys() == {kept}
    lost = {"adaptive": [], "enabled": ["/thinking"], "disabled": ["/output_config/effort"]}[kind]
    assert losses_of(done) == [("dropped", path) for path in lost]
    assert kind != "enabled" or "an effort or a budget" in done.losses[0].detail


def test_a_budget_that_moves_to_this_field_keeps_its_rules() -> None:
    body = {**CHAT, "model": CLAUDE, "max_tokens": 1500, "reasoning": {"max_tokens": 2000}}
    done: Any = il.convert(body, source="openrouter", target="litellm")
    assert done.payload["thinking"] == {"type": "enabled", "budget_tokens": 1499}
    assert losses_of(done) == [("changed", "/reasoning/max_tokens")]


@pytest.mark.parametrize(
    ("budget", "max_tokens", "thinking", "kind"),
    [
        (0, 9000, {"type": "disabled"}, None),
        (-1, 9000, ADAPTIVE, "changed"),
        (128, 9000, {"type": "enabled", "budget_tokens": 1024}, "changed"),
        (128, 900, None, "dropped"),
    ],
)
def test_claude_at_litellm_gets_the_budget_of_gemini_as_it_accepts_it(
    budget: int, max_tokens: int, thinking: dict[str, Any] | None, kind: str | None
) -> None:
    config = {"thinkingConfig": {"thinkingBudget": budget}, "maxOutputTokens": max_tokens}
    body = {"model": CLAUDE, "contents": [{"role": "user", "parts": [{"text": "q"}]}], "generationConfig": config}
    done: Any = il.convert(body, source="gemini", target="litellm")
    assert done.payload.get("thinking") == thinking
    assert [loss.kind for loss in done.losses if loss.path.endswith("Budget")] == ([] if kind is None else [kind])


@pytest.mark.parametrize("name", SWITCHES)
def test_a_budget_that_the_model_chooses_becomes_the_switch(name: str) -> None:
    config = {"thinkingConfig": {"thinkingBudget": -1}}
    body = {"model": "m", "contents": [{"role": "user", "parts": [{"text": "q"}]}], "generationConfig": config}
    done: Any = il.convert(body, source="gemini", target=host(name))
    key, value = next(iter(SWITCHES[name].items()))
    assert done.payload[key] == value
    assert [(loss.kind, loss.at) for loss in done.losses] == [("changed", f"/{key}")]


CHAT: dict[str, Any] = {"model": "m", "max_tokens": 900, "messages": [{"role": "user", "content": "Where is the harbour?"}]}


@pytest.mark.parametrize(
    ("source", "field"),
    [
        ("openai_chat", {"thinking": {"type": "enabled"}}),
        ("litellm", {"thinking": {"type": "adaptive"}}),
        ("openrouter", {"reasoning": {"enabled": True}}),
    ],
)
def test_reasoning_that_a_request_of_chat_enables_reaches_others(source: il.FormatName, field: dict[str, Any]) -> None:
    claude: Any = il.convert(CHAT | field, source=source, target="anthropic")
    assert (claude.payload["thinking"], losses_of(claude)) == (ADAPTIVE, [])
    gemini: Any = il.convert(CHAT | field, source=source, target="gemini")
    assert gemini.payload["generationConfig"]["thinkingConfig"] == {"thinkingBudget": -1}
    ollama: Any = il.convert(CHAT | field, source=source, target="ollama")
    assert ollama.payload["think"] is True


@pytest.mark.parametrize("field", [{"thinking": {"type": "auto"}}, {"reasoning": {"enabled": 1}}, {"thinking": {}}])
def test_what_does_not_enable_reasoning_is_no_switch(field: dict[str, Any]) -> None:
    assert "thinking" not in il.convert(CHAT | field, source="openrouter", target="anthropic").payload


@pytest.mark.parametrize("name", ["deepseek", "zai", "moonshot", "dashscope"])
def test_a_host_that_is_told_to_think_is_not_forced_to_call(name: str) -> None:
    tools: list[Any] = [{"name": "look", "input_schema": {"type": "object", "properties": {}}}]
    done = il.convert(asked(tools=tools, tool_choice={"type": "any"}), source="anthropic", target=host(name))
    key, value = next(iter(SWITCHES[name].items()))
    assert (done.payload[key], done.payload["tool_choice"]) == (value, "auto")
    assert losses_of(done) == [("changed", "/tool_choice")]


@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse"])
@pytest.mark.parametrize("more", ["a forced call", "a begun answer"])
def test_claude_does_not_think_where_it_refuses_to(target: il.FormatName, more: str) -> None:
    tool: dict[str, Any] = {
        "type": "function",
        "function": {"name": "look", "parameters": {"type": "object", "properties": {}}},
    }
    begun = [*CHAT["messages"], {"role": "assistant", "content": "{"}]
    fields: dict[str, Any] = {"tools": [tool], "tool_choice": "required"} if more == "a forced call" else {"messages": begun}
    done: Any = il.convert(CHAT | {"thinking": {"type": "enabled"}} | fields, source="deepseek", target=target)
    assert "thinking" not in str(done.payload)
    assert losses_of(done) == [("dropped", "/thinking/type")]
    assert done.losses[0].detail.startswith("thinking is refused where")
