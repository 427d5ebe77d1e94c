"""Bare Chat messages and chunks, as `ChatMessageBuilder` takes and returns them."""

from __future__ import annotations

from typing import Any

from ...model.base import Json


def unlist_single_texts(messages: list[Any]) -> dict[str, str]:
    """Write content of a single text part as a string; return the new pointer of each such part by its old pointer."""
    moved: dict[str, str] = {}
    for i, message in enumerate(messages):
        content: Json = message.get("content")
        if type(content) is list and len(content) == 1 and content[0].keys() == {"type", "text"}:
            message["content"] = content[0]["text"]
            moved[f"/messages/{i}/content/0"] = f"/messages/{i}/content"
    return moved


def mark_end(message: dict[str, Any]) -> None:
    """Set a cache mark at the end of a user message."""
    content: Any = message["content"]
    if isinstance(content, str):
        content = message["content"] = [{"type": "text", "text": content}]
    if content:
        content[-1]["cache_control"] = {"type": "ephemeral"}


def typed_chunk(chunk: Json) -> Json:
    """Return a chunk with types on its reasoning details, where some hosts send the short form without types."""
    if not isinstance(chunk, dict):
        return chunk
    choices: Json = chunk.get("choices")
    if type(choices) is not list or not any(_untyped(_delta(choice)) for choice in choices):
        return chunk
    return chunk | {
        "choices": [choice | {"delta": typed(choice["delta"])} if _untyped(_delta(choice)) else choice for choice in choices]
    }


def _delta(choice: Json) -> Any:
    return choice.get("delta") if isinstance(choice, dict) else None


def _untyped(message: Json) -> bool:
    """Whether a message has reasoning details without a type, the short form of some hosts."""
    details: Json = message.get("reasoning_details") if isinstance(message, dict) else None
    return type(details) is list and any(_is_untyped(detail) for detail in details)


def _is_untyped(detail: Json) -> bool:
    return isinstance(detail, dict) and "type" not in detail and isinstance(detail.get("text"), str)


def typed(message: Any) -> Any:
    """Return a message with types on its reasoning details."""
    if not _untyped(message):
        return message
    details = [
        {"type": "reasoning.text"} | detail if _is_untyped(detail) else detail for detail in message["reasoning_details"]
    ]
    return message | {"reasoning_details": details}
