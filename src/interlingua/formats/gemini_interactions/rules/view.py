"""The view of a body of the Interactions API; every step is a turn, and only those of the first version have a role."""

from __future__ import annotations

from typing import Any

from ....codec.rules.view import (
    Block,
    Call,
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

_MEDIA = {"image": "image", "audio": "audio", "video": "video", "document": "file"}


def view(body: dict[str, Any]) -> View:
    """The view of a request's body."""
    seen = View(body, tools(body), outputs(body))
    given: Json = body.get("input")
    _see_text(body.get("system_instruction"), "/system_instruction", -1, seen)
    if isinstance(given, dict):
        seen.turns.append(Turn("/input", "user", given))
        _see_part(given, "/input", 0, seen)
    elif isinstance(given, str):
        _see_text(given, "/input", 0, seen)
    for at, item in objects(given, "/input"):
        _see_item(item, at, seen)
    return seen


def tools(body: dict[str, Any]) -> list[ToolDefinition]:
    """The functions of a body."""
    found: list[ToolDefinition] = []
    for at, tool in objects(body.get("tools"), "/tools"):
        if tool.get("type") == "function":
            schema = tool.get("parameters")
            found.append(ToolDefinition(at, tool.get("name"), f"{at}/name", schema, f"{at}/parameters", False, tool))
    return found


def outputs(body: dict[str, Any]) -> list[OutputSchema]:
    """The schema of a structured answer in a body."""
    form = object_of(body, "response_format")
    return [OutputSchema(form["schema"], "/response_format/schema", False)] if "schema" in form else []


def _see_text(text: Json, at: str, turn: int, seen: View) -> None:
    if isinstance(text, str) and not text.isascii():
        seen.wide.append(Text(at, text, turn))


def _see_item(item: dict[str, Any], at: str, seen: View) -> None:
    role: Json = item.get("role")
    seen.turns.append(Turn(at, role if isinstance(role, str) else None, item))
    seen.special.append(seen.turns[-1])
    turn = len(seen.turns) - 1
    kind: Json = item.get("type")
    if kind in ("user_input", "model_output") or kind is None:
        _see_text(item.get("content"), f"{at}/content", turn, seen)
        for at_part, part in objects(item.get("content"), f"{at}/content"):
            _see_part(part, at_part, turn, seen)
    else:
        _see_part(item, at, turn, seen)


def _see_part(part: dict[str, Any], at: str, turn: int, seen: View) -> None:
    kind: Json = part.get("type")
    seen.parts.append(Block(at, turn, kind if isinstance(kind, str) else "", part))
    if kind == "text":
        _see_text(part.get("text"), f"{at}/text", turn, seen)
    elif kind == "thought":
        seen.thoughts.append(Thought(at, turn, part.get("signature"), part))
    elif kind == "function_call":
        arguments = part.get("arguments")
        name = part.get("name")
        seen.calls.append(Call(at, turn, part.get("id"), f"{at}/id", name, f"{at}/name", arguments, f"{at}/arguments"))
    elif kind == "function_result":
        failed = part.get("is_error") is True
        result = part.get("result")
        seen.results.append(Result(at, turn, part.get("call_id"), f"{at}/call_id", part.get("name"), result, failed))
        _see_text(result, f"{at}/result", turn, seen)
        for at_part, inner in objects(result, f"{at}/result"):
            if inner.get("type") in ("text", *_MEDIA):
                _see_part(inner, at_part, turn, seen)
    elif isinstance(kind, str) and kind in _MEDIA:
        data = part.get("data")
        uri = part.get("uri")
        media_type = part.get("mime_type")
        seen.media.append(
            Media(
                at,
                turn,
                _MEDIA[kind],
                media_type if isinstance(media_type, str) else None,
                data if isinstance(data, str) else None,
                uri if isinstance(uri, str) else None,
                value=part,
            )
        )
