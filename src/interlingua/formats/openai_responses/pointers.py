"""Where the fields of a canonical request are in a Responses request, and which items each message is in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...codec.fields import Wire, copy_wire, is_empty, join
from ...codec.pointers import Kind, Locate, Walk, locator
from ...errors import escape
from ...model.base import Json
from .items import grouped, load_run

_DATA = ("image_url", "file_data")
_PARTS = frozenset({"type", "role", "content", "summary", "encrypted_content"})
"""The fields of an item that are parts, or that identify the item."""
_KINDS = {
    "request": Kind(
        names={
            "max_tokens": "max_output_tokens",
            "reasoning_effort": "reasoning/effort",
            "response_format": "text/format",
            "tool_choice/allowed": "tool_choice/tools",
            "response_format/json_schema": "text/format/schema",
        },
        owners={"tools": "tool"},
    ),
    "message": Kind(names={"content": ("content", "output"), "tool_call_id": "call_id"}, owners={"content": "part"}),
    "part": Kind(
        names={
            "id": ("call_id", "id"),
            "input": ("input", "arguments"),
            "thinking": "text",
            "source": (*_DATA, "file_url", "file_id"),
            "source/url": ("image_url", "file_url"),
            "source/data": _DATA,
            "source/media_type": _DATA,
            "source/file_id": "file_id",
            "cache_control": "prompt_cache_breakpoint",
            "citations": "annotations",
        },
        owners={"citations": "citation"},
    ),
    "citation": Kind(names={"start": "start_index", "end": "end_index", "title": ("title", "filename")}),
}
_locating = locator(_KINDS)
_WALK = Walk(_KINDS, str)


def locating(wire: Wire) -> Locate:
    """Translate canonical pointers into pointers to the request; its items are grouped only when a pointer first needs it."""
    turns: list[tuple[int, list[Wire]]] = []
    parts: dict[int, Sequence[str]] = {}
    locate = _locating(wire)
    given: Json = wire.get("input")
    lifted = wire.get("instructions") is not None

    def located(pointer: str) -> Sequence[str]:
        tokens = pointer.split("/")
        if len(tokens) < 2 or tokens[1] != "messages":
            return locate(pointer)
        if lifted and len(tokens) > 2 and tokens[2] == "0":
            return ("/instructions",)
        if type(given) is not list or len(tokens) == 2:
            return ("/input",)
        if not turns:
            turns.extend(grouped(given))
        start, run = turns[int(tokens[2]) - lifted]
        if start not in parts:
            parts[start] = load_run(run, start)[1] if run else ()
        return _in_turn(start, parts[start], given, tokens[3:])

    return located


def shape(wire: Wire) -> Wire:
    """A copy of what messages are made from; tools are in the same place in canonical form."""
    return {key: copy_wire(wire[key]) for key in ("input", "instructions") if key in wire}


def beside(wire: Wire, locate: Locate) -> Locate:
    """The fields of an assistant's item, such as its id, which belong to the first part inside it."""
    given: Json = wire.get("input")

    def fields(pointer: str) -> Sequence[str]:
        if pointer.count("/") != 4 or not pointer.startswith("/messages/") or type(given) is not list:
            return ()
        _, _, message, field, part = pointer.split("/")
        if field != "content":
            return ()
        at = locate(pointer)[0]
        number = int(part)
        item = "/".join(at.split("/", 3)[:3])
        is_first = number == 0 or not locate(f"/messages/{message}/content/{number - 1}")[0].startswith(item + "/")
        first: Wire = given[int(item.rpartition("/")[2])] if at != item and is_first else {}
        if first.get("type") != "reasoning" and first.get("role") != "assistant":
            return ()  # they belong to the message or the result as a whole
        return [f"{item}/{escape(key)}" for key, value in first.items() if key not in _PARTS and not is_empty(value)]

    return fields


def _in_turn(start: int, parts: Sequence[str], items: list[Any], tokens: list[str]) -> Sequence[str]:
    """A pointer into the message that begins at an item and has these parts, if it has several items."""
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
    own = inside[2:] if inside[:1] == ["provider_data"] else []
    if own and not (isinstance(value, dict) and own[0] in map(escape, value)):
        return (f"/input/{item}" + join(own),)
    pointer = at if type(value) is str else _WALK.follow("part", value, inside, at, {})
    return (pointer,)
