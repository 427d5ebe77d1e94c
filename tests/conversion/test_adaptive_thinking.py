"""Adaptive thinking of Claude: at its other hosts, and as a budget that Gemini's model chooses."""

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
