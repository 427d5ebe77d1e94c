"""How much a model reasons: words that a provider lacks become the nearest, budgets become words and words budgets."""

from typing import Any

import pytest

import interlingua as il

USER = {"role": "user", "content": "a"}
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
LEVELS = ("MINIMAL", "MINIMAL", "LOW", "MEDIUM", "HIGH", "HIGH", "HIGH")
CLAUDE = (None, "low", "low", "medium", "high", "xhigh", "max")
TOKENS = (None, 128, 1024, 2048, 4096, 8192, 16384)


def written(effort: str, target: il.FormatName) -> tuple[dict[str, Any], list[tuple[str, str, str | None]]]:
    body = {"messages": [USER], "reasoning_effort": effort, "max_tokens": 20000}
    result = il.convert(body, source="openai_chat", target=target, check=True)
    assert [problem.code for problem in result.problems if problem.severity == "error"] == []
    return result.payload, [(loss.kind, loss.path, loss.at) for loss in result.losses if loss.kind != "added"]


@pytest.mark.parametrize(("effort", "level"), [*zip(EFFORTS, LEVELS, strict=True)])
def test_an_effort_is_the_nearest_level_of_gemini(effort: str, level: str) -> None:
    payload, losses = written(effort, "gemini")
    assert payload["generationConfig"]["thinkingConfig"] == {"thinkingLevel": level}
    at = "/generationConfig/thinkingConfig/thinkingLevel"
    assert losses == ([] if effort.upper() == level else [("changed", "/reasoning_effort", at)])
    call, losses = written(effort, "google_genai")
    assert call["config"]["thinking_config"] == {"thinking_level": level}
    assert losses == (
        [] if effort.upper() == level else [("changed", "/reasoning_effort", "/config/thinking_config/thinking_level")]
    )


@pytest.mark.parametrize(("effort", "word"), [*zip(EFFORTS, CLAUDE, strict=True)])
def test_an_effort_is_the_nearest_of_claude(effort: str, word: str | None) -> None:
    payload, losses = written(effort, "anthropic")
    assert payload.get("output_config") == (None if word is None else {"effort": word})
    assert payload["thinking"] == {"type": "disabled" if word is None else "adaptive"}
    assert losses == ([] if word in (effort, None) else [("changed", "/reasoning_effort", "/output_config/effort")])


def test_an_effort_goes_to_claude_without_thinking_where_the_profile_says_so() -> None:
    body = {"messages": [USER], "reasoning_effort": "low", "max_tokens": 9}
    alone = il.format_for(il.AnthropicProfile(effort_alone=True), "alone")
    result = il.convert(body, source="openai_chat", target=alone, strict=True)
    assert (result.payload["output_config"], "thinking" in result.payload) == ({"effort": "low"}, False)
    off = il.convert(body | {"reasoning_effort": "none"}, source="openai_chat", target=alone)
    assert off.payload["thinking"] == {"type": "disabled"}


@pytest.mark.parametrize(("effort", "tokens"), [*zip(EFFORTS, TOKENS, strict=True)])
def test_an_effort_is_a_budget_of_cohere(effort: str, tokens: int | None) -> None:
    payload, losses = written(effort, "cohere")
    assert payload["thinking"] == ({"type": "disabled"} if tokens is None else {"type": "enabled", "token_budget": tokens})
    assert losses == ([] if tokens is None else [("changed", "/reasoning_effort", "/thinking")])
    back = il.convert(payload, source="cohere", target="openai_chat").payload.get("reasoning_effort")
    assert back == (None if tokens is None else "high" if effort in ("xhigh", "max") else effort)


@pytest.mark.parametrize(
    ("budget", "effort"),
    [(-1, None), (0, None), (1, "minimal"), (1024, "low"), (2047, "low"), (2048, "medium"), (4096, "high"), (99999, "high")],
)
@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "litellm"])
def test_a_budget_is_an_effort_where_there_are_no_budgets(target: il.FormatName, budget: int, effort: str | None) -> None:
    request = il.Request(messages=[il.UserMessage(content="a")], reasoning_budget=budget)
    losses: list[il.Loss] = []
    body: Any = il.dump(request, target, on_loss=losses.append)
    assert body.get("reasoning", {"effort": body.get("reasoning_effort")}) == {"effort": effort}
    kinds = [(loss.kind, loss.path) for loss in losses]
    assert kinds == [("changed" if effort else "dropped", "/reasoning_budget")]
    both: list[il.Loss] = []
    il.dump(request.replace(reasoning_effort="low"), target, on_loss=both.append)
    assert [loss.path for loss in both if loss.kind == "changed"] == ([] if budget else ["/reasoning_budget"])


OFF_TWICE: dict[il.FormatName, dict[str, Any]] = {
    "vllm": {"reasoning_effort": "none", "chat_template_kwargs": {"enable_thinking": False}},
    "deepseek": {"thinking": {"type": "disabled"}, "reasoning_effort": "none"},
    "openrouter": {"reasoning": {"effort": "none", "enabled": False}},
}
OFF_ONCE: dict[il.FormatName, dict[str, Any]] = {
    "anthropic": {"thinking": {"type": "disabled"}},
    "cohere": {"thinking": {"type": "disabled"}},
    "gemini": {"generationConfig": {"thinkingConfig": {"thinkingBudget": 0}}},
    "mistral": {"reasoning_effort": "none"},
    "openai_chat": {"reasoning_effort": "none"},
    "openai_responses": {"reasoning": {"effort": "none"}},
}


@pytest.mark.parametrize("target", OFF_ONCE)
@pytest.mark.parametrize("source", OFF_TWICE)
def test_disabled_reasoning_that_is_said_twice_is_said_once(source: il.FormatName, target: il.FormatName) -> None:
    asked = {"model": "m", "messages": [USER]}
    result: Any = il.convert(asked | OFF_TWICE[source], source=source, target=target, strict=True)
    assert {key: result.payload.get(key) for key in OFF_ONCE[target]} == OFF_ONCE[target]


def test_openrouter_gets_disabled_reasoning_in_one_field() -> None:
    request = il.Request(messages=[il.UserMessage(content="a")], reasoning_effort="none", reasoning_budget=0)
    body: Any = il.dump(request, "openrouter", on_loss="raise")
    assert body == {"messages": [USER], "reasoning": {"enabled": False}}


@pytest.mark.parametrize("budget", [-1, 4000])
def test_a_budget_beside_the_effort_none_is_a_loss_for_a_template(budget: int) -> None:
    request = il.Request(messages=[il.UserMessage(content="a")], reasoning_effort="none", reasoning_budget=budget)
    losses: list[il.Loss] = []
    body: Any = il.dump(request, "hf_chat_template", on_loss=losses.append)
    assert body["enable_thinking"] is False
    assert [(loss.kind, loss.path) for loss in losses] == [("dropped", "/reasoning_budget")]


def test_converse_has_no_minimal_effort() -> None:
    payload, losses = written("minimal", "bedrock_converse")
    assert payload["outputConfig"] == {"effort": "low"}
    assert losses == [("changed", "/reasoning_effort", "/outputConfig/effort")]


def test_the_effort_none_disables_thinking_on_converse() -> None:
    payload, losses = written("none", "bedrock_converse")
    assert payload["additionalModelRequestFields"] == {"thinking": {"type": "disabled"}}
    assert "outputConfig" not in payload
    assert losses == []


@pytest.mark.parametrize(("effort", "sent"), [*zip(EFFORTS, ("none", *["high"] * 6), strict=True)])
def test_mistral_has_two_efforts(effort: str, sent: str) -> None:
    payload, losses = written(effort, "mistral")
    assert payload["reasoning_effort"] == sent
    assert losses == ([] if effort == sent else [("changed", "/reasoning_effort", "/reasoning_effort")])
    home = {"model": "m", "messages": [USER], "reasoning_effort": effort}
    assert il.dump(il.load(home, "mistral"), "mistral", on_loss="raise") == home


@pytest.mark.parametrize(("budget", "effort"), [(-1, None), (0, "none"), (1, "high"), (1024, "high"), (99999, "high")])
def test_a_budget_is_one_of_the_efforts_that_the_host_takes(budget: int, effort: str | None) -> None:
    request = il.Request(messages=[il.UserMessage(content="a")], reasoning_budget=budget)
    losses: list[il.Loss] = []
    body: Any = il.dump(request, "mistral", on_loss=losses.append)
    assert body.get("reasoning_effort") == effort
    assert [loss.kind for loss in losses] == ["changed"] * (budget > 0) + ["dropped"] * (budget < 0)


def test_a_profile_says_which_efforts_a_host_takes() -> None:
    glm = il.format_for(il.MistralProfile(efforts=frozenset({"low", "high", "max"})), "glm")
    for effort, sent in (("minimal", "low"), ("low", "low"), ("medium", "high"), ("xhigh", "max"), ("none", None), ("x", None)):
        result = il.convert({"messages": [USER], "reasoning_effort": effort}, source="openai_chat", target=glm)
        kinds = [] if effort == sent else ["dropped" if sent is None else "changed"]
        assert (result.payload.get("reasoning_effort"), [loss.kind for loss in result.losses]) == (sent, kinds)


OFF: dict[il.FormatName, dict[str, Any]] = {
    "vllm": {"reasoning_effort": "none"},
    "sglang": {"reasoning_effort": "none"},
    "mistral": {"reasoning_effort": "none"},
    "gemini_openai": {"reasoning_effort": "none"},
    "gemini_interactions": {"generation_config": {"max_output_tokens": 9, "thinking_level": "minimal"}},
    "bedrock_nova": {"inferenceConfig": {"maxTokens": 9, "reasoningConfig": {"type": "disabled"}}},
}
"""How each format disables reasoning, or what is nearest, if it has no budget of 0."""


@pytest.mark.parametrize("target", OFF)
def test_disabled_reasoning_goes_before_an_effort(target: il.FormatName) -> None:
    body = {"model": "m", "max_tokens": 9, "messages": [USER], "thinking": {"type": "disabled"}}
    both = body | {"output_config": {"effort": "high"}}
    result = il.convert(both, source="anthropic", target=target)
    assert result.payload == il.convert(body, source="anthropic", target=target).payload
    assert {key: result.payload[key] for key in OFF[target]} == OFF[target]
    kind = "changed" if target == "gemini_interactions" else "dropped"  # the level is in the place of the effort
    assert (kind, "/output_config/effort") in [(loss.kind, loss.path) for loss in result.losses]


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "vllm", "mistral"])
def test_an_effort_of_none_beside_disabled_reasoning_is_not_left_out(target: il.FormatName) -> None:
    body = {"model": "m", "messages": [USER], "reasoning": {"effort": "none", "enabled": False}}
    result = il.convert(body, source="openrouter", target=target)
    assert result.payload.get("reasoning_effort", result.payload.get("reasoning")) in ("none", {"effort": "none"})
    assert result.losses == ()


# `ChatCompletionRequest` in vLLM's `protocol.py`, where -1 means that there is no limit.
@pytest.mark.parametrize("budget", [-1, 0, 2048])
def test_a_budget_of_vllm_is_a_budget_elsewhere(budget: int) -> None:
    body = {"model": "m", "messages": [USER], "max_completion_tokens": 9000, "thinking_token_budget": budget}
    assert il.convert(body, source="vllm", target="vllm", strict=True).payload == body
    there = il.convert(body, source="vllm", target="anthropic")
    thinking = {"type": "enabled", "budget_tokens": budget} if budget else {"type": "disabled"}
    assert there.payload.get("thinking") == (thinking if budget >= 0 else None)
    assert [loss.path for loss in there.losses] == ([] if budget >= 0 else ["/thinking_token_budget"])
    back = il.convert(there.payload, source="anthropic", target="vllm").payload
    assert "thinking_token_budget" not in back, "a server may refuse it"


def test_a_template_that_does_not_think_goes_before_a_budget_of_vllm() -> None:
    off = {"chat_template_kwargs": {"enable_thinking": False}, "thinking_token_budget": 2048}
    body = {"model": "m", "messages": [USER], "max_completion_tokens": 9000, **off}
    assert il.convert(body, source="vllm", target="vllm", strict=True).payload == body
    there = il.convert(body, source="vllm", target="anthropic")
    assert there.payload.get("thinking") == {"type": "disabled"}
    assert [loss.path for loss in there.losses] == ["/thinking_token_budget"]
