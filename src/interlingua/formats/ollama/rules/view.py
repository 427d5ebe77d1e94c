"""The view of a body of Ollama's chat."""

from __future__ import annotations

from typing import Any

from ....codec.rules.view import (
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
    strings,
)
from ....model.base import Json


def view(body: dict[str, Any]) -> View:
    """The view of a request's body."""
    seen = View(body, tools(body), outputs(body))
    for at, message in objects(body.get("messages"), "/messages"):
        role: Json = message.get("role")
        turn = len(seen.turns)
        role = role.lower() if isinstance(role, str) else None
        seen.turns.append(Turn(at, role, message))
        content: Json = message.get("content")
        if not isinstance(content, str) or len(message) > 2:
            seen.special.append(seen.turns[-1])
        if isinstance(content, str) and not content.isascii():
            seen.wide.append(Text(f"{at}/content", content, turn))
        for at_image, image in strings(message.get("images"), f"{at}/images"):
            seen.media.append(Media(at_image, turn, "image", None, image, None, role == "tool"))
        if role == "tool":
            id: Json = message.get("tool_call_id")
            seen.results.append(Result(at, turn, id, f"{at}/tool_call_id", message.get("tool_name"), content))
        elif role == "assistant":
            _see_answer(message, at, turn, seen)
    return seen


def _see_answer(message: dict[str, Any], at: str, turn: int, seen: View) -> None:
    if message.get("thinking"):
        seen.thoughts.append(Thought(at, turn, None, message))
    for at_call, call in objects(message.get("tool_calls"), f"{at}/tool_calls"):
        function = object_of(call, "function")
        inside = f"{at_call}/function"
        name = function.get("name")
        arguments = function.get("arguments")
        seen.calls.append(
            Call(at_call, turn, call.get("id"), f"{at_call}/id", name, f"{inside}/name", arguments, f"{inside}/arguments")
        )


def tools(body: dict[str, Any]) -> list[ToolDefinition]:
    """The tools of a body."""
    found: list[ToolDefinition] = []
    for at, tool in objects(body.get("tools"), "/tools"):
        function = object_of(tool, "function")
        schema_at = f"{at}/function/parameters"
        name_at = f"{at}/function/name"
        found.append(ToolDefinition(at, function.get("name"), name_at, function.get("parameters"), schema_at, False, tool))
    return found


def outputs(body: dict[str, Any]) -> list[OutputSchema]:
    """The schema of a structured answer in a body."""
    form: Json = body.get("format")
    return [OutputSchema(form, "/format", False)] if isinstance(form, dict) else []
