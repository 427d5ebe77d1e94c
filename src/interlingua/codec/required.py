"""The fields that the models of a provider's official client require of a response, as one table for each format.

Responses of other providers may lack them. No value is invented: only `fill=` adds them (`conversion/filling.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from ..model.base import Json
from .fields import Wire, copy_wire

Path: TypeAlias = tuple[str, ...]
"""The keys that lead to a field. `*` stands for each item of a list; `=text` goes on only in an object whose type is `text`."""
Table: TypeAlias = tuple[tuple[Path, Any], ...]
"""Paths, each with its value, or with a function that makes it of the object that holds the field and that object's pointer."""


class RequiredFields:
    """The fields of a format's responses that may be filled.

    `fields` has those of the canonical `id`, `model`, `created` and `usage` that the format has: the field on the wire, and a
    neutral value; None where the client's models do not require it, so that only a value of the caller is written. `body` is
    what else a body must have, and `chunks` what each chunk of a stream must have; their paths lead only through what is
    there. `frame` is the pointer of what has fields of the body in a chunk.
    """

    __slots__ = ("body", "chunks", "fields", "frame")

    def __init__(self, fields: Mapping[str, tuple[str, Any]], body: Table = (), chunks: Table = (), frame: str = "") -> None:
        self.fields = fields
        self.body = body
        self.chunks = chunks
        self.frame = frame


def fill_in(wire: Wire, table: Table) -> Iterator[str]:
    """Set each field that is missing or null; yields the pointers of what was set."""
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
    """The values that a key leads to, each with its pointer."""
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
    """The same fields in the object that another one has under a key."""
    return tuple(((key, *path), value) for path, value in table)


def total_of(*names: str) -> Callable[[Wire, str], int]:
    """A function that adds the counts of these names in an object."""

    def add(usage: Wire, _at: str) -> int:
        counts: list[Json] = [usage.get(name) for name in names]
        return sum(count for count in counts if type(count) is int)

    return add


def place_of(_item: Wire, at: str) -> int:
    """The position of an object in its list."""
    return int(at.rpartition("/")[2])
