"""Faults: from pydantic's locations to JSON Pointers.

A location of pydantic's has the keys and indices that lead to an error, and between them the tags of the unions on the way,
which are not in the input. `pointer` leaves the tags out by the rules of this package's models and wire types; `pointer_in`
does so for any models, by following the location through the input.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from types import NoneType
from typing import Any, NamedTuple, TypeAlias

from pydantic import ValidationError

from .late import late
from .meant import meant_tag, own_tool
from .texts import bounded, escape


class Fault(NamedTuple):
    """One thing that is wrong with an input: a JSON Pointer into what the caller passed, and a reason."""

    path: str
    reason: str


# From pydantic's locations to JSON Pointers

TAGS = frozenset(
    "system developer user assistant tool text opaque"  # messages
    " image audio video file thinking redacted_thinking refusal tool_use tool_result json image_url input_audio"  # parts
    " document search_result"  # citations
    " function"  # tools
    " url base64 file_id"  # sources of media
    " message_start signature tool_use_start arguments part part_stop update usage stop end error".split()  # events
)
"""The tags of the canonical unions. All other tags, those of wire types among them, are spelled `<...>`."""

_NO_TAGS = frozenset[str]()
_TAGGED = ("source", "part")
"""The fields that hold a member of a union."""


def pointer(loc: Sequence[str | int], tags: Container[str] = TAGS) -> str:
    """A pydantic error location as a JSON Pointer, without the tags of unions.

    An element of `tags` is a tag where it follows an index or a field of `_TAGGED`, which are the places that hold canonical
    unions. Flat tool calls have no tag, but a field with the name of one.
    """
    out: list[str] = []
    previous: str | int = ""
    field = ""
    for element in loc:
        if isinstance(element, int):
            out.append(str(element))
        elif element in tags and _holds_union(field, previous):
            field = ""
        elif not _is_bracketed_tag(element, tags):
            field = element
            out.append(escape(element))
        previous = element
    return "".join("/" + element for element in out)


def _holds_union(field: str, previous: str | int) -> bool:
    """Whether what follows an element of a location, in this field, is a member of a canonical union."""
    if isinstance(previous, int):
        return field != "tool_calls"
    return previous == field and field in _TAGGED


def _is_bracketed_tag(element: str, tags: Container[str]) -> bool:
    """Whether an element is a tag in angle brackets: of a wire type, or of a choice by type."""
    if not (element.startswith("<") and element.endswith(">")):
        return False
    return tags is _NO_TAGS or element.startswith("<class '") or element in ("<integer>", "<number>")


Detail: TypeAlias = Mapping[str, Any]
"""One of the dicts that pydantic's `errors()` returns."""

_READINGS = 64
"""How many readings of a location are compared: enough for any model, and a bound for hostile input."""


def pointer_in(data: Any, detail: Detail) -> str:
    """The place of an error in the data that was validated, for any models: an element that leads nowhere in it is a tag.

    Where a location has several readings (`{"type": "text", "text": ...}`), the place is the one that leads to the input.
    """
    given = detail.get("input")
    owners: tuple[type, ...] = ()
    if str(detail["type"]).startswith("missing"):
        owners = (Mapping, NoneType)
    elif given is None:
        owners = (Mapping,)
    readings = islice(_readings(detail["loc"], data, owners), _READINGS)
    first = next(readings)
    if given is None:  # it says nothing, as in the errors of typed bodies, whose locations have one reading
        given = _NOTHING
    place, _ = next((reading for reading in chain([first], readings) if reading[1] is given), first)
    return "".join("/" + escape(str(element)) for element in place)


def _readings(loc: Sequence[str | int], value: Any, owners: tuple[type, ...]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """The readings of a location, each with the value at its end, or with its owner if the field is absent.

    Only `owners` may lack a field.
    """
    if not loc:
        yield (), value
        return
    first = loc[0]
    rest = loc[1:]
    item = _item(value, first)
    if item is not _NOTHING:
        for place, end in _readings(rest, item, owners):
            yield (first, *place), end
    elif not rest and isinstance(value, owners):
        yield (first,), value
    yield from _readings(rest, value, owners)


_NOTHING = object()


def _item(owner: Mapping[Any, Any] | list[Any] | None, key: str | int) -> Any:
    if isinstance(owner, Mapping):
        return owner.get(key, _NOTHING)
    return owner[key] if isinstance(owner, list) and isinstance(key, int) and key < len(owner) else _NOTHING


def faults_of(error: ValidationError, *, wire: bool = False) -> list[Fault]:
    """A pydantic error as faults: one path and one reason each, nothing of the input.

    `wire` says that it is an error of wire types, whose unions have other tags than the canonical ones.
    """
    tags = _NO_TAGS if wire else TAGS
    details = error.errors(include_url=False, include_context=True, include_input=not wire)
    return faults_in(details, lambda detail: _locate(detail, tags))


def _is_about_key(detail: Detail) -> bool:
    """Whether a key is wrong, so that the place is the object that has it."""
    loc: tuple[str | int, ...] = detail["loc"]
    return detail["type"] == "invalid_key" or loc[-1:] == ("[key]",)


def _locate(detail: Detail, tags: Container[str]) -> str:
    loc: tuple[str | int, ...] = detail["loc"]
    if _is_about_key(detail):
        end = -1 if detail["type"] == "invalid_key" else -2
        return pointer(loc[:end], tags)
    if detail["type"] == "extra_forbidden":  # the last element is a key of the input, even where it looks like a tag
        return pointer(loc[:-1], tags) + "/" + escape(str(loc[-1]))
    return pointer(loc, tags)


def faults_in(details: Iterable[Detail], locate: Callable[[Detail], str]) -> list[Fault]:
    """The dicts of pydantic's `errors()` as faults; `locate` returns the place of each."""
    details = list(details)
    nested = {tuple(detail["loc"][:-1]) for detail in details if _is_nested_call(detail)}
    found: list[Fault] = []
    for detail in details:
        if tuple(detail["loc"][:-1]) not in nested:
            found.append(_fault(detail, locate(detail), suggest=len(found) < _SUGGESTIONS))
        elif _is_nested_call(detail):  # one fault for the call, not one for each field that it has or lacks
            found.append(Fault(locate(detail).rpartition("/")[0], late("nested_call")()))
    return found


def _is_nested_call(detail: Detail) -> bool:
    loc: tuple[str | int, ...] = detail["loc"]
    return detail["type"] == "extra_forbidden" and loc[-1] == "function" and "tool_calls" in loc


_OF_TAGS = ("union_tag_not_found", "union_tag_invalid")
_TOOL = re.compile(r"/tools/\d+$")
_SUGGESTIONS = 20
"""How many faults of one error say what was meant: finding a similar word costs more than reporting an unknown one."""


def _fault(detail: Detail, path: str, *, suggest: bool) -> Fault:
    kind = detail["type"]
    reason = detail["msg"]
    context = detail.get("ctx", {})  # a typed body's error has none: its location and its reason say all
    if kind in ("free_json", "unknown_version"):
        path += context.get("at", "")
    elif _is_about_key(detail):
        reason = "the keys of an object must be strings"
    elif kind == "wrong_shape":
        loc = detail["loc"]
        reason = "Input should be " + _EXPECTED.get(loc[-1] if loc else "", "text or a list of parts")
    elif kind == "provider_tool" or (kind in _OF_TAGS and _TOOL.search(path)):
        meant = own_tool(detail.get("input"))
        if meant is not None:
            return Fault(path, bounded(meant))
    if kind in _OF_TAGS and context:
        field, reason = _union_fault(detail, path, suggest=suggest)
        path += field
    return Fault(path, bounded(reason))


def _union_fault(detail: Detail, path: str, *, suggest: bool) -> tuple[str, str]:
    """Where in the object at `path` a union's tag is wrong, and why; nowhere if it is a function that finds the tag."""
    context = detail["ctx"]
    name = str(context["discriminator"]).strip("'")
    expected = context.get("expected_tags")
    if name.endswith("()"):
        return "", f"Input should be one of {expected or 'several kinds'}"
    if expected:
        meant = meant_tag(str(context.get("tag", "")), name, expected) if suggest else ""
        return "/" + name, f"unknown {name}{meant}; must be one of {expected}"
    holder = next((token for token in reversed(path.split("/")) if not token.isdecimal()), "")
    kind = "message" if name == "role" else _KINDS.get(holder, "object")
    return "/" + name, f"Field required: it says which kind of {kind} this is"


_KINDS = {
    "content": "part",
    "part": "part",
    "thinking_blocks": "part",
    "source": "source",
    "citations": "citation",
    "tools": "tool",
}
"""What is in the fields that hold members of unions with a `type`."""

_EXPECTED: dict[str | int, str] = {
    "tool_calls": "a list of tool calls",
    "thinking_blocks": "a list of thinking blocks",
    "input": "JSON text or an object",
    "arguments": "JSON text or an object",
    "image_url": "an object with a url",
    "tools": "a list of tools",
    "stop": "a list of texts",
    "messages": "a list of messages",
    "partial": "a list of pointers",
    "standalone": "a list of pointers",
}
