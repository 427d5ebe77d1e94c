"""What is written in place of references: which schemas are open, where keywords come from, and how much may be repeated."""

from __future__ import annotations

from typing import Protocol

from ..errors import LossKind
from ..model.base import Json
from .dialects import Dialect
from .fields import Wire
from .rules.view import SchemaNode

_REPEATED = 5_000
"""How many values may be written more than once, besides four times as many as the schema has."""

Origin = tuple[SchemaNode, str]
"""A schema of the input, and a keyword in it."""


class Inlining:
    """What an adaptation knows of the schemas that it writes in another place."""

    def __init__(self, root: Wire) -> None:
        self.open: set[int] = set()
        """The schemas that are being written, by identity: a reference to one of them leads back to itself."""
        self.entered: set[int] = set()
        """Those that the schema at hand adds."""
        self.or_null = False
        """Whether null satisfies the schema at hand, whatever it says."""
        self.left = 4 * _weight(root, 10**9) + _REPEATED
        """How many values may still be written again."""
        self._made: dict[int, tuple[Wire, dict[str, Origin], bool]] = {}

    def made(self, schema: Wire, origins: dict[str, Origin], *, or_null: bool = False) -> Wire:
        """Note of a schema that was made where its keywords come from, and whether null satisfies it too."""
        self._made[id(schema)] = schema, origins, or_null
        return schema

    def origins_of(self, schema: Wire) -> dict[str, Origin]:
        """Where the keywords of a schema come from, if it was made."""
        found = self._made.get(id(schema))
        return {} if found is None else found[1]

    def takes_null(self, schema: Wire) -> bool:
        """Whether a schema was made to take null too."""
        found = self._made.get(id(schema))
        return found is not None and found[2]

    def spend(self, value: Json, times: int = 1) -> bool:
        """Whether a value may be written again."""
        self.left = self.left - times * _weight(value, self.left // times) if self.left >= times else -1
        return self.left >= 0


def _weight(value: Json, most: int) -> int:
    """How many values a value has, long texts counting more; not counted much further than `most`."""
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
    """What the steps need of an adaptation under way."""

    root: Wire
    dialect: Dialect
    inlining: Inlining
    moved: dict[int, SchemaNode]
    origins: dict[str, Origin]

    def report(self, kind: LossKind, node: SchemaNode, keyword: str, why: str, /) -> None:
        """Report what became of a keyword of a schema, or of the schema itself where it is empty."""

    def mend(self, out: Wire, node: SchemaNode, /) -> None:
        """Repair or leave out keywords with values that JSON Schema does not allow."""

    def put_in_words(self, out: Wire, key: str, node: SchemaNode, value: Json = None, /) -> None:
        """Say in the description what a keyword says, and leave it out."""
