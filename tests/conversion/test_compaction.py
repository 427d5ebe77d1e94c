"""The setting that makes a provider's server sum up a long conversation, between the two that have it."""

import json
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


# Summaries in histories

SAID = [{"type": "compaction", "content": "so far"}, {"type": "text", "text": "!"}]
SUMMED = [
    {"role": "user", "content": "?"},
    {"role": "assistant", "content": SAID},
    {"role": "user", "content": "??"},
]
OTHERS = [each for each in il.FORMATS.values() if each.family != "anthropic"]


def _of_block(made: Any) -> list[tuple[str, str]]:
    return [(loss.kind, loss.path) for loss in made.losses if loss.path.startswith("/messages/1/content")]


@pytest.mark.parametrize("target", OTHERS, ids=lambda each: each.name)
def test_a_summary_becomes_text(target: il.Format) -> None:
    made = il.convert(CLAUDE | {"messages": SUMMED}, source="anthropic", target=target)
    written = json.dumps(made.payload)
    assert written.index("so far") < written.index("!")
    assert ("dropped", "/messages/1/content/0") not in _of_block(made)
    if target.listed != "prompt":  # which reports the message as a whole
        assert ("changed", "/messages/1/content/0") in _of_block(made)


@pytest.mark.parametrize("target", OTHERS, ids=lambda each: each.name)
def test_a_message_of_a_summary_alone_is_sent(target: il.Format) -> None:
    for role in ("user", "assistant"):
        alone = {"role": role, "content": SAID[:1]}
        made = il.convert(CLAUDE | {"messages": [SUMMED[0], alone, SUMMED[2]]}, source="anthropic", target=target)
        assert "so far" in json.dumps(made.payload)


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "gemini", "bedrock_converse", "cohere"])
def test_what_a_summary_does_not_say_is_reported(target: il.FormatName) -> None:
    block = {"type": "compaction", "content": "so far", "encrypted_content": "x", "signature": None, "cache_control": None}
    made = il.convert(
        CLAUDE | {"messages": [{"role": "assistant", "content": [block]}, *SUMMED[2:]]}, source="anthropic", target=target
    )
    lost = [(loss.kind, loss.path) for loss in made.losses if loss.path.startswith("/messages/0")]
    assert lost == [("changed", "/messages/0/content/0"), ("dropped", "/messages/0/content/0/encrypted_content")]


@pytest.mark.parametrize("content", [None, "", " "])
def test_a_summary_that_failed_is_dropped(content: str | None) -> None:
    said = [{"type": "compaction", "content": content}, {"type": "text", "text": "!"}]
    messages = [SUMMED[0], {"role": "assistant", "content": said}, SUMMED[2]]
    made = il.convert(CLAUDE | {"messages": messages}, source="anthropic", target="openai_chat")
    assert _of_block(made) == [("dropped", "/messages/1/content/0")]


def test_an_answer_does_not_say_its_summary() -> None:
    """It would look like a part of the answer to the user."""
    body: dict[str, Any] = {"type": "message", "id": "m", "role": "assistant", "model": "m", "content": SAID}
    body |= {"stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    losses: list[il.Loss] = []
    made = il.dump_response(il.load_response(body, "anthropic"), "openai_chat", on_loss=losses.append)
    assert made["choices"][0]["message"]["content"] == "!"
    assert [(loss.kind, loss.path) for loss in losses] == [("dropped", "/choices/0/message/content/0")]
