"""OpenRouter's object `reasoning`, with the effort or the budget of a request."""

from typing import Any

import pytest

import interlingua as il

ASK: dict[str, Any] = {"role": "user", "content": "a"}
SETTINGS: list[Any] = [
    {"effort": "high", "exclude": True},
    {"effort": "low", "max_tokens": 5},
    {"effort": "high", "enabled": False},
    {"effort": None, "max_tokens": 0},
    {"reasoning_effort": "high", "enabled": True},
    {"effort": None, "reasoning_effort": "high"},
    {"effort": "low", "reasoning_effort": "high"},
    {"max_tokens": 2000, "enabled": True},
    {"enabled": False},
    {"enabled": True},
    {},
    None,
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("beside", [{}, {"reasoning_effort": "high"}, {"thinking": {"type": "disabled"}}], ids=str)
def test_the_object_comes_back(settings: Any, beside: dict[str, Any]) -> None:
    body: Any = {"messages": [ASK], "reasoning": settings, **beside}
    assert il.dump(il.load(body, "openrouter"), "openrouter", on_loss="raise") == body


@pytest.mark.parametrize(
    ("settings", "target", "sent"),
    [
        ({"effort": "high"}, "openai_chat", {"reasoning_effort": "high"}),
        ({"effort": "high"}, "litellm", {"reasoning_effort": "high"}),
        ({"max_tokens": 2000}, "anthropic", {"thinking": {"type": "enabled", "budget_tokens": 2000}}),
        ({"enabled": False}, "anthropic", {"thinking": {"type": "disabled"}}),
        ({"enabled": False}, "deepseek", {"thinking": {"type": "disabled"}}),
        ({"max_tokens": 2000}, "gemini", {"generationConfig": {"thinkingConfig": {"thinkingBudget": 2000}}}),
    ],
    ids=str,
)
def test_its_settings_go_to_others(settings: Any, target: il.FormatName, sent: dict[str, Any]) -> None:
    result = il.convert({"messages": [ASK], "reasoning": settings}, source="openrouter", target=target)
    written: dict[str, Any] = {**result.payload}
    assert {key: value for key, value in written.items() if key not in ("messages", "contents")} == sent
    assert result.losses == ()


def test_what_others_do_not_have_is_reported_there() -> None:
    body = {"messages": [ASK], "reasoning": {"effort": "high", "exclude": True}}
    result = il.convert(body, source="openrouter", target="deepseek")
    assert [(loss.kind, loss.path) for loss in result.losses] == [("dropped", "/reasoning/exclude")]


@pytest.mark.parametrize(
    ("budget", "settings", "kinds"),
    [(2000, {"max_tokens": 2000}, []), (0, {"enabled": False}, []), (-1, {"enabled": True}, ["changed"])],
)
def test_a_budget_goes_into_the_object(budget: int, settings: dict[str, Any], kinds: list[str]) -> None:
    request = il.Request(messages=[il.UserMessage(content="a")], reasoning_budget=budget)
    losses: list[il.Loss] = []
    body: Any = il.dump(request, "openrouter", on_loss=losses.append)
    assert (body["reasoning"], [loss.kind for loss in losses]) == (settings, kinds)


@pytest.mark.parametrize(
    ("budget", "limit", "sent", "kind"),
    [(24576, 8192, 8191, "changed"), (512, 8192, 1024, "changed"), (2000, 1000, None, "dropped"), (2000, 8192, 2000, None)],
)
def test_the_budget_of_claude_is_less_than_the_limit(budget: int, limit: int, sent: int | None, kind: str | None) -> None:
    settings = {"maxOutputTokens": limit, "thinkingConfig": {"thinkingBudget": budget}}
    asked = {"contents": [{"parts": [{"text": "a"}]}], "generationConfig": settings}
    made = il.convert(asked, source="gemini", target="openrouter", model="anthropic/claude-sonnet-4.5", check=True)
    assert made.payload.get("reasoning") == (None if sent is None else {"max_tokens": sent})
    assert [loss.kind for loss in made.losses] == ([] if kind is None else [kind])
    assert made.problems == ()
    other = il.convert(asked, source="gemini", target="openrouter", model="google/gemini-3-pro", check=True)
    assert (other.payload.get("reasoning"), other.losses, other.problems) == ({"max_tokens": budget}, (), ())
    own = {"messages": [{"role": "user", "content": "a"}], "max_tokens": limit, "reasoning": {"max_tokens": budget}}
    assert il.dump(il.load(own, "openrouter"), "openrouter", on_loss="raise") == own


def test_an_effort_and_a_budget_never_go_together() -> None:
    both = il.Request(messages=[il.UserMessage(content="a")], reasoning_budget=2000, reasoning_effort="low")
    assert il.dump(both, "openrouter", on_loss="ignore") == {"messages": [ASK], "reasoning_effort": "low"}
    none = both.replace(reasoning_budget=0)
    assert il.dump(none, "openrouter", on_loss="ignore") == {"messages": [ASK], "reasoning": {"enabled": False}}
    switched = {"messages": [ASK], "thinking": {"type": "disabled"}, "reasoning_effort": "high"}
    sent = il.convert(switched, source="deepseek", target="openrouter").payload
    assert sent == {"messages": [ASK], "reasoning": {"enabled": False}}


def test_other_hosts_of_chat_take_the_object_too() -> None:
    body: Any = {"messages": [{"role": "user", "content": "a"}], "reasoning": {"effort": "low", "exclude": True}}
    loaded = il.load(body, "openai_chat")
    assert loaded.reasoning_effort == "low"
    assert il.dump(loaded, "openai_chat", on_loss="raise") == body
    result = il.convert(body, source="openai_chat", target="openai_responses")
    payload: Any = result.payload
    assert payload["reasoning"] == {"effort": "low"}
    assert [(loss.kind, loss.path) for loss in result.losses] == [("dropped", "/reasoning/exclude")]


def test_what_stands_beside_the_effort_comes_along() -> None:
    body: Any = {"messages": [{"role": "user", "content": "a"}], "reasoning": {"effort": "high", "exclude": True}}
    result = il.convert(body, source="vllm", target="openrouter")
    payload: Any = result.payload
    assert (payload["reasoning"], result.losses) == (body["reasoning"], ())


def test_an_effort_and_a_budget_are_not_sent_both() -> None:
    thinking = {"thinking": {"type": "enabled", "budget_tokens": 2000}, "output_config": {"effort": "high"}}
    body = {"max_tokens": 9000, "messages": [{"role": "user", "content": "a"}], **thinking}
    (loss,) = il.convert(body, source="anthropic", target="openrouter").losses
    assert (loss.path, loss.detail) == ("/thinking", "openrouter takes an effort or a budget, and not both")


@pytest.mark.parametrize(
    ("target", "sent"),
    [
        ("sglang", {"reasoning": {"reasoning_effort": "high"}}),
        ("openrouter", {"reasoning": {"effort": "high"}}),
        ("openai_chat", {"reasoning_effort": "high"}),
    ],
)
def test_sglang_may_spell_the_effort_out_in_the_object(target: il.FormatName, sent: dict[str, Any]) -> None:
    body = {"messages": [ASK], "reasoning": {"reasoning_effort": "high"}}
    result = il.convert(body, source="sglang", target=target)
    assert {**result.payload} == {"messages": [ASK], **sent}
    assert result.losses == ()
