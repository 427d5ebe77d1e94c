"""What the fields of a canonical request are called in a Responses request, and which items its messages stand in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...codec.fields import Wire, is_empty, join
from ...codec.pointers import Kind, Locate, Walk, locator
from ...errors import escape
from ...model.base import Json
from .items import Turn, load_turns

_DATA = ("image_url", "file_data")
_PARTS = frozenset({"type", "role", "content", "summary", "encrypted_content"})
"""The fields of items that are parts or say what the item is."""
_KINDS = {
    "request": Kind(
        names={
            "max_tokens": "max_output_tokens",
            "reasoning_effort": "reasoning/effort",
            "response_format": "text/format",
            "response_format/json_schema": "text/format/schema",
        },
        owners={"tools": "tool"},
    ),
    "message": Kind(names={"content": ("content", "output"), "tool_call_id": "call_id"}, owners={"content": "part"}),
    "part": Kind(
        names={
            "id": "call_id",
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
    """Where the wire has what pointers point at; its items are grouped once, when the first pointer asks for it."""
    turns: list[Turn] = []
    locate = _locating(wire)
    given: Json = wire.get("input")
    lifted = wire.get("instructions") is not None

    def located(pointer: str) -> Sequence[str]:
        tokens = pointer.split("/")[1:]
        if tokens[:1] != ["messages"]:
            return locate(pointer)
        if lifted and tokens[1:2] == ["0"]:
            return ("/instructions",)
        if type(given) is not list or len(tokens) == 1:
            return ("/input",)
        if not turns:
            turns.extend(load_turns(given))
        return _in_turn(turns[int(tokens[1]) - lifted], given, tokens[2:])

    return located


def beside(wire: Wire, locate: Locate) -> Locate:
    """The fields of an assistant's item, such as its id, which belong to the first of the parts inside it."""
    given: Json = wire.get("input")

    def fields(pointer: str) -> Sequence[str]:
        if pointer.count("/") != 4:
            return ()
        tokens = pointer.split("/")[1:]
        if tokens[0] != "messages" or tokens[2] != "content" or type(given) is not list:
            return ()
        at, number = locate(pointer)[0], int(tokens[3])
        item = "/".join(at.split("/")[:3])
        is_first = number == 0 or not locate(f"/messages/{tokens[1]}/content/{number - 1}")[0].startswith(item + "/")
        held: Wire = given[int(item.rpartition("/")[2])] if at != item and is_first else {}
        if held.get("type") != "reasoning" and held.get("role") != "assistant":
            return ()  # they belong to the message or the result as a whole
        return [f"{item}/{escape(key)}" for key, value in held.items() if key not in _PARTS and not is_empty(value)]

    return fields


def _in_turn(turn: Turn, items: list[Any], tokens: list[str]) -> Sequence[str]:
    """A pointer into a message."""
    if not turn.parts:
        return (_WALK.follow("message", items[turn.at], tokens, f"/input/{turn.at}", {}),)
    if tokens[:1] != ["content"] or len(tokens) == 1:
        return tuple(dict.fromkeys("/".join(at.split("/")[:3]) for at in turn.parts))
    at, inside = turn.parts[int(tokens[1])], tokens[2:]
    item, *keys = at.split("/")[2:]
    held: Json = items[int(item)]
    for key in keys:
        held = held[int(key)] if isinstance(held, list) else held[key] if isinstance(held, dict) else held
    if inside[:1] == ["provider_data"] and not (isinstance(held, dict) and inside[2] in map(escape, held)):
        return (f"/input/{item}" + join(inside[2:]),)
    return (at if type(held) is str else _WALK.follow("part", held, inside, at, {}),)
