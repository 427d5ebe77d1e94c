"""The setting that makes a provider's server sum up a long conversation, between the two that have it."""

from dataclasses import replace
from typing import Any

import pytest

import interlingua as il

CLAUDE = {"model": "m", "max_tokens": 16, "messages": [{"role": "user", "content": "?"}]}
RESPONSES = {"model": "m", "max_output_tokens": 16, "input": [{"role": "user", "content": "?"}]}
BETA = il.format_for(il.AnthropicProfile(compaction=True), "anthropic_compacting")


def _edit(**more: Any) -> dict[str, Any]:
    return {"type": "compact_20260112", **more}


def _from(tokens: int) -> dict[str, Any]:
    return {"trigger": {"type": "input_tokens", "value": tokens}}


def _losses(made: Any) -> list[tuple[str, str]]:
    return [(loss.kind, loss.path) for loss in made.losses if "context_management" in loss.path or "beta" in (loss.at or "")]


@pytest.mark.parametrize(
    ("asked", "edit", "losses"),
    [
        ({"compact_threshold": 60_000}, _edit(**_from(60_000)), []),
        ({}, _edit(), []),
        ({"compact_threshold": None}, _edit(), []),
        ({"compact_threshold": 1000}, _edit(**_from(50_000)), [("changed", "/context_management")]),
    ],
)
def test_responses_to_claude(asked: Any, edit: Any, losses: Any) -> None:
    body = RESPONSES | {"context_management": [{"type": "compaction", **asked}]}
    made = il.convert(body, source="openai_responses", target=BETA)
    assert made.payload["context_management"] == {"edits": [edit]}
    assert _losses(made) == losses


@pytest.mark.parametrize(
    ("edits", "asked", "losses"),
    [
        ([_edit(**_from(60_000))], {"compact_threshold": 60_000}, []),
        ([_edit(trigger=None, instructions=None, pause_after_compaction=False)], {}, []),
        ([_edit(instructions="Be brief.")], {}, [("dropped", "/context_management/edits/0/instructions")]),
        (
            [{"type": "clear_tool_uses_20250919"}, _edit(pause_after_compaction=True)],
            {},
            [("dropped", "/context_management/edits/1/pause_after_compaction"), ("dropped", "/context_management/edits/0")],
        ),
    ],
)
def test_claude_to_responses(edits: Any, asked: Any, losses: Any) -> None:
    body = CLAUDE | {"context_management": {"edits": edits}}
    made = il.convert(body, source="anthropic", target="openai_responses")
    payload: Any = made.payload
    assert payload["context_management"] == [{"type": "compaction", **asked}]
    assert _losses(made) == losses


def test_claude_is_not_asked_without_the_beta() -> None:
    """Its server refuses the field without the header."""
    body = RESPONSES | {"context_management": [{"type": "compaction"}]}
    made = il.convert(body, source="openai_responses", target="anthropic")
    assert "context_management" not in made.payload
    assert _losses(made) == [("dropped", "/context_management")]
    assert "AnthropicProfile(compaction=True)" in made.losses[0].detail


def test_a_body_that_has_betas_names_it() -> None:
    profile: il.AnthropicProfile = il.FORMATS["anthropic_bedrock"].profile
    bedrock = il.format_for(replace(profile, compaction=True), "bedrock_compacting")
    body = RESPONSES | {"context_management": [{"type": "compaction"}]}
    made = il.convert(body, source="openai_responses", target=bedrock)
    assert made.payload["anthropic_beta"] == ["compact-2026-01-12"]
    assert _losses(made) == [("added", "")]


@pytest.mark.parametrize(
    ("said", "source"),
    [
        (CLAUDE | {"context_management": {"edits": [{"type": "clear_thinking_20251015"}]}}, "anthropic"),
        (CLAUDE | {"context_management": {"edits": [_edit(trigger={"type": "tool_uses", "value": 3})]}}, "anthropic"),
        (RESPONSES | {"context_management": [{"type": "compaction", "novel": 1}]}, "openai_responses"),
        (RESPONSES | {"context_management": []}, "openai_responses"),
    ],
)
def test_what_the_other_cannot_say_is_left_out(said: Any, source: il.FormatName) -> None:
    target = BETA if source == "openai_responses" else il.FORMATS["openai_responses"]
    made = il.convert(said, source=source, target=target)
    assert "context_management" not in made.payload
    assert _losses(made) == ([("dropped", "/context_management")] if said["context_management"] else [])
    assert il.dump(il.load(said, source), source, on_loss="raise") == said
