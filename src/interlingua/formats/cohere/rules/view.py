"""The view of a body of Cohere's Chat."""

from __future__ import annotations

from typing import Any

from ....codec.rules.media import see_uri
from ....codec.rules.view import (
    Block,
    Call,
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


def view(body: dict[str, Any]) -> View:
    """The view of a request's body."""
    seen = View(body, tools(body), outputs(body))
    for at, message in objects(body.get("messages"), "/messages"):
        role: Json = message.get("role")
        turn = len(seen.turns)
        seen.turns.append(Turn(at, role if isinstance(role, str) else None, message))
        content: Json = message.get("content")
        if not content or not isinstance(content, str) or role not in ("user", "assistant", "system"):
            seen.special.append(seen.turns[-1])
        elif not content.isascii():
            seen.wide.append(Text(f"{at}/content", content, turn))
        for at_part, part in objects(content, f"{at}/content"):
            _see_part(part, at_part, turn, seen)
        if role == "tool":
            seen.results.append(Result(at, turn, message.get("tool_call_id"), f"{at}/tool_call_id", content=content))
        elif role == "assistant":
            for at_call, call in objects(message.get("tool_calls"), f"{at}/tool_calls"):
                _see_call(call, at_call, turn, seen)
    return seen


def tools(body: dict[str, Any]) -> list[ToolDefinition]:
    """The tools of a body."""
    return [_tool(tool, at, body.get("strict_tools") is True) for at, tool in objects(body.get("tools"), "/tools")]


def _tool(tool: dict[str, Any], at: str, strict: bool) -> ToolDefinition:
    function = object_of(tool, "function")
    at_function = f"{at}/function"
    schema = function.get("parameters")
    return ToolDefinition(at, function.get("name"), f"{at_function}/name", schema, f"{at_function}/parameters", strict, tool)


def outputs(body: dict[str, Any]) -> list[OutputSchema]:
    """The schema of a structured answer in a body."""
    form = object_of(body, "response_format")
    if "json_schema" not in form:
        return []
    return [OutputSchema(form["json_schema"], "/response_format/json_schema", True)]


def _see_part(part: dict[str, Any], at: str, turn: int, seen: View) -> None:
    kind: Json = part.get("type")
    seen.parts.append(Block(at, turn, kind if isinstance(kind, str) else "", part))
    text: Json = part.get("text")
    if kind == "text" and isinstance(text, str) and not text.isascii():
        seen.wide.append(Text(f"{at}/text", text, turn))
    elif kind == "image_url":
        see_uri(object_of(part, "image_url").get("url"), "image", f"{at}/image_url/url", turn, seen)
    elif kind == "thinking":
        seen.thoughts.append(Thought(at, turn, None, part))


def _see_call(call: dict[str, Any], at: str, turn: int, seen: View) -> None:
    function = object_of(call, "function")
    at_function = f"{at}/function"
    name = function.get("name")
    arguments = function.get("arguments")
    seen.calls.append(
        Call(at, turn, call.get("id"), f"{at}/id", name, f"{at_function}/name", arguments, f"{at_function}/arguments")
    )
