"""DeepSeek's thinking mode, which is on by default: how it is disabled, and what it does to a forced tool choice."""

from typing import Any

import pytest

import interlingua as il

ASK: dict[str, Any] = {"role": "user", "content": "a"}
TOOL: dict[str, Any] = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
NAMED = {"type": "function", "function": {"name": "f"}}
DISABLED = {"type": "disabled"}


def converted(body: dict[str, Any], source: il.FormatName = "openai_chat") -> tuple[Any, list[tuple[str, str]]]:
    result = il.convert({"messages": [ASK], **body}, source=source, target="deepseek", check=True)
    assert result.problems == ()
    return result.payload, [(loss.kind, loss.path) for loss in result.losses]


@pytest.mark.parametrize("source", ["anthropic", "cohere"])
def test_disabled_reasoning_is_disabled_thinking(source: il.FormatName) -> None:
    payload, losses = converted({"thinking": DISABLED}, source)
    assert (payload["thinking"], losses) == (DISABLED, [])


def test_the_effort_none_is_disabled_thinking() -> None:
    payload, losses = converted({"reasoning_effort": "none"})
    assert payload == {"messages": [ASK], "thinking": DISABLED}
    assert losses == []
    own: Any = {"messages": [ASK], "reasoning_effort": "none"}
    assert il.dump(il.load(own, "deepseek"), "deepseek", on_loss="raise") == own


@pytest.mark.parametrize("budget", [0, -1, 2048])
def test_the_effort_none_disables_thinking_beside_any_budget(budget: int) -> None:
    request = il.Request(messages=[il.UserMessage(content="a")], reasoning_effort="none", reasoning_budget=budget)
    losses: list[il.Loss] = []
    assert il.dump(request, "deepseek", on_loss=losses.append) == {"messages": [ASK], "thinking": DISABLED}
    assert [loss.path for loss in losses] == (["/reasoning_budget"] if budget else [])


@pytest.mark.parametrize("choice", ["required", NAMED])
def test_a_forced_call_disables_thinking(choice: Any) -> None:
    payload, losses = converted({"tools": [TOOL], "tool_choice": choice})
    assert (payload["tool_choice"], payload["thinking"]) == (choice, DISABLED)
    assert losses == [("added", "")]


@pytest.mark.parametrize("more", [{"reasoning_effort": "high"}, {"thinking": {"type": "enabled"}}])
def test_a_forced_call_is_not_demanded_of_a_model_that_is_to_think(more: dict[str, Any]) -> None:
    payload, losses = converted({"tools": [TOOL], "tool_choice": "required", **more}, "vllm")
    assert payload["tool_choice"] == "auto"
    assert {key: payload[key] for key in more} == more
    assert losses == [("changed", "/tool_choice")]


@pytest.mark.parametrize(("choice", "more"), [("auto", {}), ("none", {}), ("required", {"thinking": DISABLED})])
def test_other_choices_stay(choice: str, more: dict[str, Any]) -> None:
    body: dict[str, Any] = {"tools": [TOOL], "tool_choice": choice, **more}
    assert converted(body, "vllm") == ({"messages": [ASK], **body}, [])
    own: Any = {"messages": [ASK], "tools": [TOOL], "tool_choice": "required"}
    assert il.dump(il.load(own, "deepseek"), "deepseek", on_loss="raise") == own


def test_a_host_that_asks_for_reasoning_gets_no_forced_call() -> None:
    tools = [{"type": "function", "function": {"name": "f"}}]
    asked: dict[str, Any] = {"messages": [{"role": "user", "content": "a"}], "tools": tools, "tool_choice": "required"}
    enabled: Any = il.convert({**asked, "reasoning": {"enabled": True}}, source="openrouter", target="deepseek").payload
    assert enabled["tool_choice"] == "auto"
    unsaid: Any = il.convert({**asked, "thinking": None}, source="openai_chat", target="deepseek").payload
    assert (unsaid["tool_choice"], unsaid["thinking"]) == ("required", {"type": "disabled"})
