"""The fields that the models of a provider's official client require in a response: one table for each format.

Responses of other providers may lack these fields. Values are never invented, unless the caller asks with `fill=`
(`conversion/filling.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from ..model.base import Json
from .fields import Wire, copy_wire

Path: TypeAlias = tuple[str, ...]
"""The keys that lead to a field. `*` means each item of a list; `=text` continues only in an object of type `text`."""
Table: TypeAlias = tuple[tuple[Path, Any], ...]
"""Paths, each with a value, or with a function that makes it from the object with the field and the object's pointer."""


class RequiredFields:
    """The fields of a format's responses that may be filled in.

    `fields` has those of the canonical `id`, `model`, `created` and `usage` that the format has: the wire field and a neutral
    value; None if the client's models do not require the field, so that only the caller's value is written. `body` has the
    other fields that a body must have, and `chunks` those that each chunk of a stream must have; a path is followed only as far
    as its objects exist. `frame` is the pointer of the object in a chunk that has fields of the body.
    """

    __slots__ = ("body", "chunks", "fields", "frame")

    def __init__(self, fields: Mapping[str, tuple[str, Any]], body: Table = (), chunks: Table = (), frame: str = "") -> None:
        self.fields = fields
        self.body = body
        self.chunks = chunks
        self.frame = frame


def fill_in(wire: Wire, table: Table) -> Iterator[str]:
    """Set the fields that are missing or null; yields the pointer of each."""
    for path, value in table:
        *keys, field = path
        owners: list[tuple[str, Json]] = [("", wire)]
        for key in keys:
            owners = [child for at, owner in owners for child in _inside(at, owner, key)]
        for at, owner in owners:
            if type(owner) is dict and owner.get(field) is None:
                owner[field] = value(owner, at) if callable(value) else copy_wire(value)
                yield f"{at}/{field}"


def _inside(at: str, value: Json, key: str) -> Iterator[tuple[str, Json]]:
    """The values that a key leads to, with their pointers."""
    if key == "*":
        if type(value) is list:
            for i, item in enumerate(value):
                yield f"{at}/{i}", item
    elif type(value) is dict and key[0] == "=":
        if value.get("type") == key[1:]:
            yield at, value
    elif type(value) is dict and key in value:
        yield f"{at}/{key}", value[key]


def within(key: str, table: Table) -> Table:
    """The same table for an object under this key of another object."""
    return tuple(((key, *path), value) for path, value in table)


def total_of(*names: str) -> Callable[[Wire, str], int]:
    """A function that adds up the counts of these names in an object."""

    def add(usage: Wire, _at: str) -> int:
        counts: list[Json] = [usage.get(name) for name in names]
        return sum(count for count in counts if type(count) is int)

    return add


def place_of(_item: Wire, at: str) -> int:
    """The index of an object in its list, from its pointer."""
    return int(at.rpartition("/")[2])
