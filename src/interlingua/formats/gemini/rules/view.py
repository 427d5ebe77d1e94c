"""The view of a body of Gemini, whose fields have two spellings."""

from __future__ import annotations

from collections.abc import Iterator
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
    objects,
)
from ....model.base import Json
from ..lone_parts import TEXT, Group, groups, part_of
from ..parts import PARTS
from ..spellings import snake


def spelled(holder: dict[str, Any], name: str) -> tuple[str, Json]:
    """The name of a field as the object spells it, and its value; None if the field is absent."""
    if name in holder:
        return name, holder[name]
    other = snake(name)
    return (other, holder[other]) if other in holder else (name, None)


def object_in(holder: dict[str, Any], name: str, at: str) -> tuple[str, dict[str, Any]]:
    """The object in a field, with its pointer; an empty object if the field is absent."""
    key, value = spelled(holder, name)
    found = value if isinstance(value, dict) else {}
    return f"{at}/{key}", found


# The view


def view(body: dict[str, Any]) -> View:
    """The view of a request's body."""
    contents: Json = body.get("contents")
    items = [("/contents", contents)] if isinstance(contents, dict) else objects(contents, "/contents")
    return _view(body, [Group(at, item, None, [(at, item)]) for at, item in items])


def view_of_call(call: dict[str, Any]) -> View:
    """The view of the arguments of google-genai's `generate_content`."""
    contents: Json = call.get("contents")
    items = (
        [(f"/contents/{i}", item) for i, item in enumerate(contents)]
        if isinstance(contents, list)
        else [("/contents", contents)]
    )
    return _view(call, groups([each for each in items if isinstance(each[1], str | dict | list)], PARTS))


def _view(body: dict[str, Any], found: list[Group]) -> View:
    seen = View(body, declared(body), outputs(body))
    for group in found:
        _see_group(group, seen)
    at, settings = settings_of(body)
    key, system = spelled(settings, "systemInstruction")
    if isinstance(system, str):
        seen.texts.append(Text(f"{at}/{key}", system, -1))
    elif isinstance(system, dict):
        _see_parts(parts_in(system, f"{at}/{key}"), -1, seen)
    return seen


def declared(body: dict[str, Any]) -> list[ToolDefinition]:
    """The functions of a body."""
    at, settings = settings_of(body)
    return [_function(function, at_function) for at_function, function in _functions(settings, at)]


def outputs(body: dict[str, Any]) -> list[OutputSchema]:
    """The schemas of structured answers in a body."""
    at, generation = generation_of(body)
    found: list[OutputSchema] = []
    for name in ("responseSchema", "responseJsonSchema"):
        key, schema = spelled(generation, name)
        if schema is not None:
            found.append(OutputSchema(schema, f"{at}/{key}", name == "responseSchema"))
    return found


def settings_of(body: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The object that has the tools and the system text: the body, or the `config` of a call."""
    return object_in(body, "config", "") if isinstance(body.get("config"), dict) else ("", body)


def generation_of(body: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The object that has the settings of the answer."""
    return object_in(body, "config", "") if isinstance(body.get("config"), dict) else object_in(body, "generationConfig", "")


def tools_in(settings: dict[str, Any], at: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The tools in these settings, each with its pointer."""
    key, tools = spelled(settings, "tools")
    return iter([(f"{at}/{key}", tools)]) if isinstance(tools, dict) else objects(tools, f"{at}/{key}")


def _functions(settings: dict[str, Any], at: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for at_tool, tool in tools_in(settings, at):
        key, functions = spelled(tool, "functionDeclarations")
        yield from objects(functions, f"{at_tool}/{key}")


class _Grouped(dict[str, Any]):
    """A message of parts that do not stand inside a message, and so have pointers of their own."""

    def __init__(self, items: list[tuple[str, Any]]) -> None:
        super().__init__(parts=[part_of(item) for _, item in items])
        self.parts: list[tuple[str, dict[str, Any]]] = [each for each in items if isinstance(each[1], dict)]


def _see_group(group: Group, seen: View) -> None:
    if group.form is None:
        _see_content(group.content, group.at, seen)
        return
    turn = len(seen.turns)
    seen.texts.extend(Text(place, part, turn) for place, part in group.items if isinstance(part, str))
    role = "user" if group.form == TEXT else group.content["role"]
    value = _Grouped(group.items)
    seen.turns.append(Turn(group.at, role, value))
    _see_parts(iter(value.parts), turn, seen)


def _see_content(content: dict[str, Any], at: str, seen: View) -> None:
    role: Json = content.get("role")
    turn = len(seen.turns)
    if role in ("USER", "MODEL"):  # samples of Vertex AI have the roles in capitals
        role = role.lower()
    seen.turns.append(Turn(at, role if isinstance(role, str) else None, content))
    _see_parts(parts_in(content, at), turn, seen)


def parts_in(content: dict[str, Any], at: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The parts of a content, each with its pointer."""
    if isinstance(content, _Grouped):
        return iter(content.parts)
    parts: Json = content.get("parts")
    return iter([(f"{at}/parts", parts)]) if isinstance(parts, dict) else objects(parts, f"{at}/parts")


def _see_parts(parts: Iterator[tuple[str, dict[str, Any]]], turn: int, seen: View) -> None:
    for at_part, part in parts:
        if isinstance(part.get("text"), str):
            if part.get("thought") is True:
                seen.thoughts.append(Thought(at_part, turn, spelled(part, "thoughtSignature")[1], part))
            else:
                seen.texts.append(Text(f"{at_part}/text", part["text"], turn))
            continue
        at_call, call = object_in(part, "functionCall", at_part)
        if call:
            _see_call(call, at_call, turn, spelled(part, "thoughtSignature")[1], seen)
        at_result, result = object_in(part, "functionResponse", at_part)
        if result:
            seen.results.append(Result(at_result, turn, result.get("id"), f"{at_result}/id", result.get("name")))
            for at_media, media_part in parts_in(result, at_result):
                _see_media(media_part, at_media, turn, seen, in_result=True)
        _see_media(part, at_part, turn, seen)


def _see_call(call: dict[str, Any], at: str, turn: int, signature: Json, seen: View) -> None:
    name: Json = call.get("name")
    args = call.get("args")
    seen.calls.append(Call(at, turn, call.get("id"), f"{at}/id", name, f"{at}/name", args, f"{at}/args", signature))


def _see_media(part: dict[str, Any], at: str, turn: int, seen: View, *, in_result: bool = False) -> None:
    for name, place in (("inlineData", "data"), ("fileData", "fileUri")):
        at_media, media = object_in(part, name, at)
        if media:
            _, kind = spelled(media, "mimeType")
            _, value = spelled(media, place)
            text = value if isinstance(value, str) else None
            data, url = (text, None) if place == "data" else (None, text)
            media_type = kind if isinstance(kind, str) else None
            seen.media.append(Media(at_media, turn, (media_type or "file").partition("/")[0], media_type, data, url, in_result))


def _function(function: dict[str, Any], at: str) -> ToolDefinition:
    key, schema = spelled(function, "parameters")
    if schema is None:
        key, schema = spelled(function, "parametersJsonSchema")
    # Only `parameters` is of Google's own dialect of schemas.
    strict = key == "parameters"
    return ToolDefinition(at, function.get("name"), f"{at}/name", schema, f"{at}/{key}", strict, function)
