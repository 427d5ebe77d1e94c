"""Settings that contradict or disclose something: what a target gets of them, and what is reported."""

from typing import Any

import pytest

import interlingua as il
from laws.families import MAIN

USER = {"role": "user", "content": "a"}
DISABLED: dict[str, Any] = {
    "messages": [USER],
    "max_tokens": 99,
    "thinking": {"type": "disabled"},
    "output_config": {"effort": "high"},
}


@pytest.mark.parametrize("target", [name for name in MAIN if name != "anthropic"])
def test_disabled_thinking_is_disabled_everywhere_whatever_its_effort(target: il.FormatName) -> None:
    result = il.convert(DISABLED, source="anthropic", target=target, check=True)
    assert "high" not in str(result.payload)
    assert "/output_config/effort" in {loss.path for loss in result.losses}
    assert not result.problems
    assert il.dump(il.load(DISABLED, "anthropic"), "anthropic", on_loss="raise") == DISABLED


@pytest.mark.parametrize(
    ("source", "fields"),
    [
        ("anthropic", {"thinking": {"type": "disabled", "budget_tokens": 0}, "output_config": {"effort": "high"}}),
        ("anthropic", {"thinking": {"type": "disabled", "budget_tokens": None}, "output_config": {"effort": "high"}}),
        ("litellm", {"thinking": {"type": "disabled", "budget_tokens": 0}, "reasoning_effort": "high"}),
        ("deepseek", {"thinking": {"type": "disabled", "clear_thinking": False}, "reasoning_effort": "high"}),
        ("huggingface", {"chat_template_kwargs": {"enable_thinking": False, "x": 1}, "reasoning_effort": "high"}),
    ],
)
@pytest.mark.parametrize("target", MAIN)
def test_thinking_is_disabled_whatever_stands_beside_that_word(
    source: il.FormatName, fields: dict[str, Any], target: il.FormatName
) -> None:
    body = {"messages": [USER], "max_tokens": 99, **fields}
    assert il.dump(il.load(body, source), source, on_loss="raise") == body
    payload = str(il.convert(body, source=source, target=target).payload)
    assert target == source or ("adaptive" not in payload and "high" not in payload)


@pytest.mark.parametrize("source", ["deepseek", "litellm", "openai_chat"])
@pytest.mark.parametrize("target", MAIN)
def test_thinking_that_a_chat_host_disables_is_disabled_everywhere(source: il.FormatName, target: il.FormatName) -> None:
    body = {"messages": [USER], "max_tokens": 99, "thinking": {"type": "disabled"}, "reasoning_effort": "high"}
    if target != source:
        result = il.convert(body, source=source, target=target, check=True)
        payload = str(result.payload)
        assert "adaptive" not in payload
        assert "high" not in payload
        assert "/reasoning_effort" in {loss.path for loss in result.losses}
        assert not result.problems
    names: tuple[il.FormatName, ...] = (source, "litellm")
    for same in names:
        assert il.dump(il.load(body, source), same, on_loss="raise") == body


@pytest.mark.parametrize("target", ["deepseek", "mistral", "vllm", "openai_chat", "anthropic"])
@pytest.mark.parametrize("source", ["openrouter", "litellm"])
def test_an_effort_beside_disabled_reasoning_is_reported(source: il.FormatName, target: il.FormatName) -> None:
    off: dict[str, Any] = {"reasoning": {"enabled": False, "effort": "high"}}
    if source == "litellm":
        off = {"thinking": {"type": "disabled"}, "reasoning_effort": "high"}
    result = il.convert({"messages": [USER], "max_tokens": 99, **off}, source=source, target=target, check=True)
    assert "high" not in str(result.payload)
    assert {"/reasoning/effort", "/reasoning_effort"} & {loss.path for loss in result.losses}
    if target in ("deepseek", "anthropic"):
        assert result.payload["thinking"] == {"type": "disabled"}
    assert not result.problems


@pytest.mark.parametrize("budget", [{"type": "enabled", "budget_tokens": 0}, {"type": "disabled", "budget_tokens": 5}])
def test_odd_thinking_comes_back_as_it_was(budget: dict[str, Any]) -> None:
    body = {"messages": [USER], "thinking": budget}
    assert il.dump(il.load(body, "anthropic"), "anthropic", on_loss="raise") == body
    fields: dict[str, Any] = {"messages": [], "additionalModelRequestFields": {"thinking": budget}}
    assert il.dump(il.load(fields, "bedrock_converse"), "bedrock_converse", on_loss="raise") == fields


@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse"])
def test_a_budget_of_nothing_disables_thinking(target: il.FormatName) -> None:
    body = {
        "contents": [{"role": "user", "parts": [{"text": "a"}]}],
        "generationConfig": {"thinkingConfig": {"thinkingBudget": 0}},
    }
    result = il.convert(body, source="gemini", target=target)
    assert result.losses == ()
    assert "'thinking': {'type': 'disabled'}" in str(result.payload)
    assert il.convert(result.payload, source=target, target="gemini").payload == body


@pytest.mark.parametrize("target", ["anthropic", "anthropic_bedrock", "bedrock_converse"])
def test_a_budget_that_the_model_chooses_is_adaptive_thinking(target: il.FormatName) -> None:
    config = {"thinkingConfig": {"thinkingBudget": -1}, "maxOutputTokens": 4000}
    body = {"contents": [{"role": "user", "parts": [{"text": "a"}]}], "generationConfig": config}
    result = il.convert(body, source="gemini", target=target, check=True)
    assert "'thinking': {'type': 'adaptive'}" in str(result.payload)
    assert [(loss.kind, loss.path) for loss in result.losses] == [
        ("changed", "/generationConfig/thinkingConfig/thinkingBudget")
    ]
    assert [problem for problem in result.problems if problem.severity == "error"] == []


@pytest.mark.parametrize("target", ["bedrock_converse", "asktable"])
def test_sampling_that_is_refused_beside_thinking_is_left_out(target: il.FormatName) -> None:
    sampling = {"temperature": 0.5, "topK": 3, "thinkingConfig": {"thinkingBudget": 2048}, "maxOutputTokens": 4000}
    body = {"contents": [{"role": "user", "parts": [{"text": "a"}]}], "generationConfig": sampling}
    result = il.convert(body, source="gemini", target=target, check=True)
    assert [problem.code for problem in result.problems] == []
    assert {loss.path for loss in result.losses} >= {"/generationConfig/temperature", "/generationConfig/topK"}
    kept = il.convert(body | {"generationConfig": sampling | {"temperature": 1}}, source="gemini", target=target)
    assert "/generationConfig/temperature" not in {loss.path for loss in kept.losses}


PERSONAL = ["a@b.example", "user a.b@mail.example (2)", "+15551234567", "555 123 4567", "(0151) 123-456/78"]
IDS = ["15551234567", "u-1", "a@b", "@", "a@b@c", "user_5551234567", "+1", "00000000-0000-4000-8000-00000000000a"]


@pytest.mark.parametrize("user", [*PERSONAL, *IDS])
def test_a_user_who_can_be_recognized_does_not_reach_anthropic(user: str) -> None:
    result = il.convert({"messages": [USER], "user": user, "max_tokens": 9}, source="openai_chat", target="anthropic")
    assert result.payload.get("metadata") == (None if user in PERSONAL else {"user_id": user})
    assert [loss.path for loss in result.losses] == (["/user"] if user in PERSONAL else [])
    native = {"messages": [USER], "max_tokens": 9, "metadata": {"user_id": user}}
    assert il.dump(il.load(native, "anthropic"), "anthropic", on_loss="raise") == native
    assert bool(il.check(native, "anthropic")) == (user in PERSONAL)


SIGNED = {"text": "hm", "signature": "c2ln"}


@pytest.mark.parametrize("source", ["openai_chat", "gemini"])
def test_foreign_reasoning_without_a_signature_does_not_reach_converse(source: il.FormatName) -> None:
    bodies: dict[str, Any] = {
        "openai_chat": [USER, {"role": "assistant", "reasoning_content": "hm", "content": "b"}, USER],
        "gemini": [
            {"role": "user", "parts": [{"text": "a"}]},
            {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": "b"}]},
            {"role": "user", "parts": [{"text": "a"}]},
        ],
    }
    result = il.convert(bodies[source], source=source, target="bedrock_converse")
    assert result.payload["messages"][1]["content"] == [{"text": "b"}]
    assert [loss.kind for loss in result.losses] == ["dropped"]
    open_target = il.format_for(il.ConverseProfile(unsigned_thinking=True))
    taken = il.convert(bodies[source], source=source, target=open_target)
    assert taken.payload["messages"][1]["content"][0] == {"reasoningContent": {"reasoningText": {"text": "hm"}}}
    assert taken.losses == ()


def test_native_reasoning_of_converse_stays_and_an_empty_signature_is_never_written() -> None:
    thought = {"reasoningContent": {"reasoningText": {"text": "hm"}}}
    body = {
        "messages": [
            {"role": "user", "content": [{"text": "a"}]},
            {"role": "assistant", "content": [thought, {"text": "b"}]},
            {"role": "user", "content": [{"text": "a"}]},
        ]
    }
    assert il.dump(il.load(body, "bedrock_converse"), "bedrock_converse", on_loss="raise") == body
    empty = il.AssistantMessage(content=[il.ThinkingPart(thinking="hm", signature=""), il.TextPart(text="b")])
    for target in ("bedrock_converse", il.format_for(il.ConverseProfile(unsigned_thinking=True))):
        assert '"signature"' not in str(il.dump([empty], target, on_loss="ignore")).replace("'", '"')


def test_a_last_assistant_text_has_no_white_space_at_its_end_at_converse() -> None:
    result = il.convert(
        {"messages": [USER, {"role": "assistant", "content": "b \n"}]}, source="openai_chat", target="bedrock_converse"
    )
    assert result.payload["messages"][-1]["content"] == [{"text": "b"}]
    assert [(loss.path, loss.kind) for loss in result.losses] == [("/messages/1/content", "changed")]
