"""Where the fields of a canonical request are in an Interactions request, and which steps each message is in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...codec.fields import Wire, copy_wire, is_empty, join
from ...codec.pointers import Kind, Locate, Walk, locator
from ...errors import escape
from ...model.base import Json
from .steps import grouped, load_run
from .wire import CONTENT_TYPES

_CONFIG = "generation_config"
_SOURCE = ("data", "uri")
_KINDS = {
    "request": Kind(
        names={
            "max_tokens": f"{_CONFIG}/max_output_tokens",
            "temperature": f"{_CONFIG}/temperature",
            "top_p": f"{_CONFIG}/top_p",
            "stop": f"{_CONFIG}/stop_sequences",
            "reasoning_effort": f"{_CONFIG}/thinking_level",
            "tool_choice": f"{_CONFIG}/tool_choice",
            "tool_choice/name": f"{_CONFIG}/tool_choice/allowed_tools/tools",
            "tool_choice/allowed": f"{_CONFIG}/tool_choice/allowed_tools/tools",
            "metadata": "labels",
            "response_format/json_schema": ("response_format/schema", "response_format"),
        },
        owners={"tools": "tool"},
    ),
    "message": Kind(names={"content": ("content", "result"), "tool_call_id": "call_id"}, owners={"content": "part"}),
    "part": Kind(
        names={
            "input": "arguments",
            "thinking": "summary",
            "source": _SOURCE,
            "source/url": "uri",
            "source/data": "data",
            "source/media_type": "mime_type",
            "source/file_id": "uri",
            "detail": "resolution",
            "citations": "annotations",
            "tool_use_id": "call_id",
            "content": "result",
        },
        owners={"citations": "citation", "content": "part"},
    ),
    "citation": Kind(names={"start": "start_index", "end": "end_index"}),
}
_locating = locator(_KINDS)
_WALK = Walk(_KINDS, str)


def locating(wire: Wire) -> Locate:
    """Translate canonical pointers into pointers to the request; its steps are grouped only when a pointer first needs it."""
    turns: list[tuple[int, list[Wire]]] = []
    parts: dict[int, Sequence[str]] = {}
    locate = _locating(wire)
    given: Json = wire.get("input")
    lifted = wire.get("system_instruction") is not None
    is_any_json = not wire.get("response_format") and "response_mime_type" in wire

    def located(pointer: str) -> Sequence[str]:
        tokens = pointer.split("/")
        if is_any_json and pointer.startswith("/response_format"):
            return ("/response_mime_type",)
        if len(tokens) < 2 or tokens[1] != "messages":
            return locate(pointer)
        if lifted and len(tokens) > 2 and tokens[2] == "0":
            return ("/system_instruction",)
        if type(given) is not list or len(tokens) == 2:
            return (_in_input(given, tokens[3:]),)
        if given and all(type(item) is dict and item.get("type") in CONTENT_TYPES for item in given):
            return (
                _WALK.follow("message", {"content": given}, tokens[3:], "", {}).replace("/content", "/input", 1) or "/input",
            )
        if not turns:
            turns.extend(grouped(given))
        start, run = turns[int(tokens[2]) - lifted]
        if start not in parts:
            parts[start] = load_run(run, start)[1] if run else ()
        return _in_turn(start, parts[start], given, tokens[3:])

    return located


def _in_input(given: Json, tokens: Sequence[str]) -> str:
    """A pointer into the only message of an input that is a text or content."""
    if type(given) is not dict or len(tokens) < 3 or tokens[0] != "content":
        return "/input"
    return _WALK.follow("part", given, tokens[2:], "/input", {})


def shape(wire: Wire) -> Wire:
    """A copy of what messages are made from; tools are in the same place in canonical form."""
    kept = ("input", "system_instruction", _CONFIG, "response_format", "labels")
    return {key: copy_wire(wire[key]) for key in kept if key in wire}


def beside(wire: Wire, locate: Locate) -> Locate:
    """The fields of a model output, which belong to the first part in it."""
    given: Json = wire.get("input")

    def fields(pointer: str) -> Sequence[str]:
        if pointer.count("/") != 4 or not pointer.startswith("/messages/") or type(given) is not list:
            return ()
        at = locate(pointer)[0]
        step, _, place = at.partition("/content/")
        if place != "0" or not step.startswith("/input/"):
            return ()
        first: Wire = given[int(step.rpartition("/")[2])]
        if first.get("type") != "model_output":
            return ()
        return [f"{step}/{escape(key)}" for key, value in first.items() if key not in _OUTPUT and not is_empty(value)]

    return fields


_OUTPUT = frozenset({"type", "content"})


def _in_turn(start: int, parts: Sequence[str], items: list[Any], tokens: list[str]) -> Sequence[str]:
    """A pointer into the message that begins at a step and has these parts, if it has several steps."""
    if not parts:
        return (_WALK.follow("message", items[start], tokens, f"/input/{start}", {}),)
    if tokens[:1] != ["content"] or len(tokens) == 1:
        return tuple(dict.fromkeys("/".join(at.split("/")[:3]) for at in parts))
    at = parts[int(tokens[1])]
    inside = tokens[2:]
    item, *keys = at.split("/")[2:]
    value: Json = items[int(item)]
    for key in keys:
        value = value[int(key)] if isinstance(value, list) else value[key] if isinstance(value, dict) else value
    if inside[:1] == ["provider_data"] and not (isinstance(value, dict) and inside[2] in map(escape, value)):
        return (f"/input/{item}" + join(inside[2:]),)
    return (_WALK.follow("part", value, inside, at, {}),)
