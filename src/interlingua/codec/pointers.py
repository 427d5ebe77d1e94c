"""Finds what a pointer into the canonical form of a request points at in the wire request.

One walk follows the pointer through the wire. A table for each format has the wire's names of canonical fields. If a field has
several spellings, the table has them all, and the walk takes the one that the wire has. The objects that fields belong to
(messages, parts, calls, tools) are called owners. If the owners of a canonical field are not one list on the wire, a function
in the table lists them. A pointer to something inside a text or a number points at this text or number.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from ..model.base import Json
from .fields import Wire, join

Names = Mapping[str, str | tuple[str, ...]]
"""The wire's names of canonical fields: `path/to/field`, or one for each spelling."""
Locate = Callable[[str], Sequence[str]]
"""Translates a pointer into the canonical form of one request to all pointers that it means in the wire request."""
Items = Sequence[tuple[str, Json]]
"""Owners on the wire: for each, the pointer within the object that contains them, and the value."""

_ALONE = frozenset({str, list, int, float, bool})
"""The types of an owner that is a single value, without fields of its own."""
_SAME: Mapping[str, Any] = MappingProxyType({})


class Kind(NamedTuple):
    """One kind of owner: its fields with another name on the wire, and the owners inside it."""

    names: Names = _SAME
    owners: Mapping[str, str] = _SAME
    """The kind of the owners (or the one owner) in a canonical field."""
    items: Mapping[str, Callable[[Any], Items]] = _SAME
    """Lists the owners of a canonical field, given the object that contains them, if they are not the items of one list."""
    lifted: Mapping[str, str] = _SAME
    """The field for the first owner of a list, if the wire has it; by the canonical field of the list."""


_UNKNOWN: tuple[Mapping[str, Any], ...] = (_SAME, _SAME, _SAME, _SAME)
Spellings = tuple[tuple[str, ...], ...]
"""The paths to a field on the wire, one for each spelling."""


def _spellings(names: Names) -> dict[str, Spellings]:
    paths = {field: (wire,) if isinstance(wire, str) else wire for field, wire in names.items()}
    return {field: tuple([tuple(path.split("/")) for path in each]) for field, each in paths.items()}


class Walk:
    """Follows pointers through the requests of one format; `respell` gives the other spelling of a field's name."""

    def __init__(self, kinds: Mapping[str, Kind], respell: Callable[[str], str]) -> None:
        self._kinds = {
            kind: (_spellings(known.names), known.owners, known.items, known.lifted) for kind, known in kinds.items()
        }
        self._respell = respell

    def follow(self, kind: str, owner: Json, tokens: Sequence[str], out: str, listed: dict[str, Items]) -> str:
        """The pointer of what `tokens`, the rest of a pointer, points at in an owner of this kind, which is at `out`.

        `listed` keeps what the functions of `items` have listed, by pointer.
        """
        while tokens:
            names, owners, items, lifted = self._kinds.get(kind, _UNKNOWN)
            field = tokens[0]
            if field not in owners:
                return self._field(owner, tokens, names, out)
            kind = owners[field]
            index = int(tokens[1]) if len(tokens) > 1 and tokens[1].isdigit() else -1
            rest = tokens[1:] if index < 0 else tokens[2:]
            if field in lifted and type(owner) is dict and owner.get(lifted[field]) is not None:
                if index == 0:
                    out = f"{out}/{lifted[field]}"
                    owner = owner[lifted[field]]
                    tokens = rest
                    continue
                if index > 0:
                    index -= 1  # the list has the others
            value: Json = owner
            if field in items and index >= 0:
                at = f"{out}/{field}"
                if at not in listed:
                    listed[at] = items[field](owner)
                out, value = _item(listed[at], index, out)
            else:
                if type(owner) not in _ALONE:
                    out, value = self._find(owner, field, names, out)
                if type(value) is list and index >= 0:
                    out = f"{out}/{index}"
                    value = value[index] if index < len(value) else None
                elif type(value) is not dict:
                    return _inside(value, tokens[1:], out)
            owner = value
            tokens = rest
        return out

    def _field(self, owner: Json, tokens: Sequence[str], names: Mapping[str, Spellings], out: str) -> str:
        """The pointer of a field of an owner, or of something inside the field."""
        if type(owner) in _ALONE:
            return out
        field = tokens[0]
        if field == "provider_data":
            return out + join(tokens[2:])
        if field == "value":  # of an opaque value, which is kept as it was
            return out + join(tokens[1:])
        length = 1
        if len(tokens) > 1 and f"{field}/{tokens[1]}" in names:
            field = f"{field}/{tokens[1]}"
            length = 2
        out, value = self._find(owner, field, names, out)
        return _inside(value, tokens[length:], out)

    def _find(self, owner: Json, field: str, names: Mapping[str, Spellings], out: str) -> tuple[str, Json]:
        """The first spelling that the owner has, and its value; without any, the one of which it has the longest beginning."""
        spellings = names.get(field)
        if spellings is None:
            found: Json = owner.get(field) if type(owner) is dict else None
            if found is not None:
                return f"{out}/{field}", found
            spellings = ((field,),)
        deepest = -1
        nearest = out
        for keys in spellings:
            value: Json = owner
            at = out
            depth = 0
            for key in keys:
                name = key
                inner: Json = None
                if type(value) is dict:
                    inner = value.get(key)
                    if inner is None and value.get(self._respell(key)) is not None:
                        name = self._respell(key)
                        inner = value[name]
                value = inner
                at = f"{at}/{name}"
                if value is not None:
                    depth += 1
            if value is not None:
                return at, value
            if depth >= deepest:
                deepest = depth
                nearest = at
        return nearest, None


def locator(kinds: Mapping[str, Kind], respell: Callable[[str], str] = str) -> Callable[[Wire], Locate]:
    """The `locating` of a format; `kinds` has an entry for `request` and one for each kind of owner in it."""
    walk = Walk(kinds, respell)
    moved = kinds["request"].names.keys() | kinds["request"].owners

    def located(wire: Wire, listed: dict[str, Items], pointer: str) -> Sequence[str]:
        tokens = pointer.split("/")
        if len(tokens) == 2 and wire.get(tokens[1]) is not None and tokens[1] not in moved:
            return (pointer,)  # most settings
        if len(tokens) == 4 and tokens[1] == "provider_data":
            return ("/" + tokens[3],)
        return (walk.follow("request", wire, tokens[1:], "", listed),)

    return lambda wire: partial(located, wire, {})


def _item(items: Items, index: int, out: str) -> tuple[str, Json]:
    """The pointer of the owner with this index, and the owner; `out` and None if there are fewer owners."""
    if index >= len(items):
        return out, None
    place, value = items[index]
    pointer = f"{out}/{place}" if place else out
    return pointer, value


def _inside(value: Json, tokens: Sequence[str], out: str) -> str:
    """The pointer extended by the rest of the tokens; a text, a number or a truth value has nothing inside."""
    return out if type(value) in (str, int, float, bool) else out + join(tokens)


def system_in(wire: Wire) -> Items:
    """The system text in the field `system` of a request, which is a message if it is not empty."""
    return [("system", wire["system"])] if wire.get("system") else []
