"""Tracks what is written in place of references: which schemas are open, where keywords come from, how much may be repeated."""

from __future__ import annotations

from typing import Protocol

from ...errors import LossKind
from ...model.base import Json
from ..fields import Wire
from .dialects import Dialect
from .nodes import SchemaNode

_REPEATED = 5_000
"""How many values may be written again, in addition to four times the size of the schema."""

Origin = tuple[SchemaNode, str]
"""A schema of the input, and one of its keywords."""


class Inlining:
    """Tracks the schemas that an adaptation writes in another place than they had."""

    def __init__(self, root: Wire) -> None:
        self.open: set[int] = set()
        """The schemas that are being written, by identity; a reference to one of them is circular."""
        self.entered: set[int] = set()
        """The identities that the current schema adds to `open`."""
        self.or_null = False
        """Whether null is allowed where the current schema is, whatever the schema itself says."""
        self.left = 4 * _weight(root, 10**9) + _REPEATED
        """How many values may still be written again; negative once too many were."""
        self._made: dict[int, tuple[Wire, dict[str, Origin], bool]] = {}

    def made(self, schema: Wire, origins: dict[str, Origin], *, or_null: bool = False) -> Wire:
        """Record where the keywords of a new schema come from, and whether null satisfies it, too; returns the schema."""
        self._made[id(schema)] = schema, origins, or_null
        return schema

    def origins_of(self, schema: Wire) -> dict[str, Origin]:
        """Where the keywords of a schema come from, if `made` recorded it."""
        found = self._made.get(id(schema))
        return {} if found is None else found[1]

    def takes_null(self, schema: Wire) -> bool:
        """Whether `made` recorded that null satisfies a schema, too."""
        found = self._made.get(id(schema))
        return found is not None and found[2]

    def spend(self, value: Json, times: int = 1) -> bool:
        """Count a value that is written `times` more times; returns whether the limit allows it."""
        self.left = self.left - times * _weight(value, self.left // times) if self.left >= times else -1
        return self.left >= 0


def _weight(value: Json, most: int) -> int:
    """The number of values in a value; long texts count as several. Stops counting beyond `most`."""
    waiting: list[Json] = [value]
    weight = 0
    while waiting and weight <= most:
        one = waiting.pop()
        weight += 1
        if isinstance(one, dict):
            waiting += one.values()
            weight += sum(map(len, one)) // 64
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, str):
            weight += len(one) // 64
    return weight


class Adapting(Protocol):
    """What the steps need of the adaptation under way."""

    root: Wire
    dialect: Dialect
    inlining: Inlining
    moved: dict[int, SchemaNode]
    origins: dict[str, Origin]

    def report(self, kind: LossKind, node: SchemaNode, keyword: str, why: str, /) -> None:
        """Report what became of a keyword of a schema, or of the schema itself if the keyword is empty."""

    def give_up(self, node: SchemaNode, keyword: str, why: str, /) -> None:
        """Give up `strict`, if the target also accepts schemas that are not strict."""

    def mend(self, out: Wire, node: SchemaNode, /) -> None:
        """Repair or leave out keywords whose values JSON Schema does not allow."""

    def put_in_words(self, out: Wire, key: str, node: SchemaNode, value: Json = None, /) -> None:
        """Add the meaning of a keyword to the description, and leave the keyword out."""
