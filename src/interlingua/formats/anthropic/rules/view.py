"""The view of a body of Anthropic Messages."""

from __future__ import annotations

from typing import Any

from ....codec.rules.view import (
    Block,
    Call,
    Mark,
    Media,
    OutputSchema,
    Result,
    Text,
    Thought,
    ToolDefinition,
    Turn,
    View,
    object_of,
    objects,
)
from ....model.base import Json

_USUAL_ROLES = frozenset({"user", "assistant"})
REASONING = ("thinking", "redacted_thinking")
"""The kinds of blocks that are reasoning."""


def view(body: dict[str, Any]) -> View:
    """The view of a request's body."""
    seen = View(body, tools(body), outputs(body))
    for tool in seen.tools:
        _see_mark(tool.value, tool.at, "tool", seen)
    _see_content(body.get("system"), "/system", -1, seen)
    for at, message in objects(body.get("messages"), "/messages"):
        role = message.get("role")
        content = message.get("content")
        turn = Turn(at, role if isinstance(role, str) else None, message)
        seen.turns.append(turn)
        if not (isinstance(content, str) and content and turn.role in _USUAL_ROLES):
            seen.special.append(turn)
        elif content.isascii() and not content.isspace():
            continue
        _see_content(content, f"{at}/content", len(seen.turns) - 1, seen)
    return seen


def tools(body: dict[str, Any]) -> list[ToolDefinition]:
    """The tools of a body."""
    return [
        ToolDefinition(
            at,
            tool.get("name"),
            f"{at}/name",
            tool.get("input_schema"),
            f"{at}/input_schema",
            tool.get("strict") is True,
            tool,
        )
        for at, tool in objects(body.get("tools"), "/tools")
    ]


def outputs(body: dict[str, Any]) -> list[OutputSchema]:
    """The schemas of structured answers in a body."""
    holders = (("/output_config/format", object_of(body, "output_config")), ("/output_format", body))
    found: list[OutputSchema] = []
    for at, holder in holders:
        output = object_of(holder, at.rpartition("/")[2])
        if "schema" in output:
            found.append(OutputSchema(output["schema"], f"{at}/schema", True))
    return found


def _see_content(content: Json, at: str, turn: int, seen: View) -> None:
    if isinstance(content, str):
        _see_text(content, at, turn, seen)
    for at_block, block in objects(content, at):
        _see_block(block, at_block, turn, seen)


def _see_text(text: Json, at: str, turn: int, seen: View, *, in_result: bool = False) -> None:
    if isinstance(text, str):
        if not text or text.isspace():
            seen.blank.append(Text(at, text, turn, in_result))
        elif not text.isascii():
            seen.wide.append(Text(at, text, turn, in_result))


def _see_block(block: dict[str, Any], at: str, turn: int, seen: View) -> None:
    kind = block.get("type")
    if kind == "text":
        _see_text(block.get("text"), f"{at}/text", turn, seen)
    elif kind == "tool_use":
        seen.calls.append(
            Call(
                at,
                turn,
                block.get("id"),
                f"{at}/id",
                block.get("name"),
                f"{at}/name",
                block.get("input"),
                f"{at}/input",
            )
        )
    elif kind == "tool_result":
        content = block.get("content")
        failed = block.get("is_error") is True
        seen.results.append(Result(at, turn, block.get("tool_use_id"), f"{at}/tool_use_id", content=content, failed=failed))
        _see_result(content, f"{at}/content", turn, seen)
    elif kind == "thinking":
        seen.thoughts.append(Thought(at, turn, block.get("signature"), block))
    elif kind in ("image", "document"):
        _see_media(block, at, turn, seen)
    else:
        seen.others.append(Block(at, turn, kind if isinstance(kind, str) else "", block))
    if "cache_control" in block:
        _see_mark(block, at, kind if isinstance(kind, str) else "", seen)


def _see_result(content: Json, at: str, turn: int, seen: View) -> None:
    if isinstance(content, str):
        _see_text(content, at, turn, seen, in_result=True)
    for at_block, block in objects(content, at):
        kind = block.get("type")
        if kind == "text":
            _see_text(block.get("text"), f"{at_block}/text", turn, seen, in_result=True)
        elif kind in ("image", "document"):
            _see_media(block, at_block, turn, seen, in_result=True)
        else:
            seen.others.append(Block(at_block, turn, kind if isinstance(kind, str) else "", block))
        _see_mark(block, at_block, kind if isinstance(kind, str) else "", seen)


def _see_media(block: dict[str, Any], at: str, turn: int, seen: View, *, in_result: bool = False) -> None:
    source = object_of(block, "source")
    kept = source.get("type")
    media_type = source.get("media_type")
    data = source.get("data")
    url = source.get("url")
    seen.media.append(
        Media(
            at,
            turn,
            block["type"],
            media_type if isinstance(media_type, str) else None,
            data if kept == "base64" and isinstance(data, str) else None,
            url if kept == "url" and isinstance(url, str) else None,
            in_result,
            value=block,
        )
    )


def _see_mark(holder: dict[str, Any], at: str, kind: str, seen: View) -> None:
    if isinstance(holder.get("cache_control"), dict):
        ttl = object_of(holder, "cache_control").get("ttl")
        seen.marks.append(Mark(f"{at}/cache_control", ttl if isinstance(ttl, str) else "5m", kind, holder))


def blocks(turn: Turn) -> list[dict[str, Any]]:
    """The blocks of a message; empty if its content is text."""
    return [block for _, block in objects(turn.value.get("content"), "")]


def kinds_of(turn: Turn) -> list[str]:
    """The types of the blocks of a message; an empty text for a block without a type."""
    kinds: list[Json] = [block.get("type") for block in blocks(turn)]
    return [kind if isinstance(kind, str) else "" for kind in kinds]


def is_question(turn: Turn) -> bool:
    """Whether a turn is the user's, and has more than tool results."""
    return turn.role == "user" and set(kinds_of(turn)) != {"tool_result"}


def has_text(turn: Turn) -> bool:
    """Whether a turn has any text."""
    content = turn.value.get("content")
    return content != "" if isinstance(content, str) else "text" in kinds_of(turn)
