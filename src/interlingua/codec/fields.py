"""Reading and writing wire objects: which fields are known, how they were spelled, and what is left over.

Loading an object sorts its fields. A known field becomes a canonical one. Where the wire has several spellings of one fact, the
spelling is recorded in the owner's `wire.spelling`. Everything else goes into `provider_data[family]`, nested as it stood. An
object of which only a part is known leaves the rest there, and its pointer in `wire.partial`. Dumping to the same format lays
the provider data over what was written, so that nothing is lost and nothing that was written is replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import pairwise
from typing import Any, Self, TypeAlias

from pydantic_core import SchemaSerializer, core_schema

from ..errors import escape
from ..model.base import Json
from ..model.parts import WireRecord

Wire: TypeAlias = dict[str, Any]
"""A JSON object of a provider's API."""
Content: TypeAlias = str | tuple[Any, ...] | None
"""The content of a message, for type checkers."""


def join(tokens: Iterable[str]) -> str:
    """A JSON Pointer of escaped tokens."""
    return "/".join(["", *tokens])


def value_at(wire: Json, path: Iterable[str]) -> Any:
    """The value at a path of nested objects; None if a key on the path is missing."""
    for key in path:
        wire = wire.get(key) if type(wire) is dict else None
    return wire


copy_wire: Callable[[Any], Any] = SchemaSerializer(core_schema.any_schema()).to_python
"""A copy of validated JSON data, for the caller to keep; faster than a loop in Python."""


# Spellings


def spelling(owner: Any, field: str) -> str | None:
    """How the wire spelled a field of this owner, where that is recorded."""
    record: WireRecord | None = owner.wire
    return None if record is None or record.spelling is None else record.spelling.get(field)


# What is left over


def lay_over(out: Wire, key: str, value: Json) -> None:
    """Add a recorded field to what was written: objects merge, nothing written is replaced."""
    if key not in out:
        out[key] = copy_wire(value)
    elif isinstance(value, dict) and isinstance(out[key], dict):
        for inner, item in value.items():
            lay_over(out[key], inner, item)


def read_in_part(record: WireRecord | None) -> tuple[Collection[str], Collection[str]]:
    """Pointers to the objects that were read in part, and to those of them that are standalone, to look many up."""
    if record is None:
        return (), ()
    return frozenset(record.partial or ()), frozenset(record.standalone or ())


def has_place(key: str, out: Wire, partial: Collection[str], standalone: Collection[str]) -> bool:
    """Whether a recorded field still has its place in what was written.

    The rest of an object that was read in part needs the part that was read, unless it is standalone. A field that could not
    be read at all is replaced by whatever an edit has written there since.
    """
    pointer = "/" + escape(key)
    return pointer in standalone or (key in out) == (pointer in partial)


def is_empty(value: Any) -> bool:
    """Whether a value says nothing: null, an empty list or an empty object."""
    return value is None or (type(value) in (list, tuple, dict) and not value)


def leaves(value: Json, pointer: str) -> list[str]:
    """Pointers to what an object says, however deep; null, `[]` and `{}` say nothing."""
    if type(value) is not dict:
        return [] if is_empty(value) else [pointer]
    return [found for key, item in value.items() for found in leaves(item, f"{pointer}/{escape(key)}")]


def unread(value: Json, pointer: str, partial: Collection[str]) -> list[str]:
    """Pointers to what a recorded field says: of an object that was read in part, to each thing that was not read.

    `pointer` is the one that the record has for the field; null, `[]` and `{}` say nothing.
    """
    if type(value) is not dict or pointer not in partial:
        return [] if is_empty(value) else [pointer]
    return [lost for key, item in value.items() for lost in unread(item, f"{pointer}/{escape(key)}", partial)]


class FieldReader:
    """One wire object being read: `take` returns a field, which is known from then on, and `keep` keeps the rest."""

    def __init__(self, wire: Wire, *known: str) -> None:
        self.wire = wire
        self.rest = wire.copy()
        """The fields that are not known."""
        for key in known:
            self.rest.pop(key, None)
        self.spelling: dict[str, str] = {}
        self.partial: dict[str, Wire] = {}
        """What is left of objects that were read in part, by path (`response_format/json_schema`)."""
        self.standalone: list[str] = []
        """Those of them that mean something without the part that was read."""
        self._inside: dict[str, FieldReader] = {}
        """The readers of the objects in fields."""

    def know(self, *keys: str) -> None:
        """Note that fields are known, and not to be kept."""
        for key in keys:
            self.rest.pop(key, None)

    def take(self, key: str, *kinds: type) -> Any:
        """A field of one of these types, which is known from now on; None for any other, which stays unread."""
        value = self.wire.get(key)
        if value is None or (kinds and type(value) not in kinds):
            return None
        self.rest.pop(key, None)
        return value

    def move(self, out: dict[str, Any], *keys: str, **names: str) -> None:
        """Take fields that have the same name in canonical form, or the name given in `names`."""
        wire = self.wire
        rest = self.rest
        for key in (*keys, *names):
            if key in wire and (value := wire[key]) is not None:
                rest.pop(key, None)
                out[names.get(key, key)] = value

    def move_typed(self, out: dict[str, Any], of: type, *keys: str, **names: str) -> None:
        """Take fields that are of a type, as `move` does; those of another type stay unread."""
        for key in (*keys, *names):
            if (value := self.take(key, of)) is not None:
                out[names.get(key, key)] = value

    def inside(self, key: str, *, standalone: bool = False) -> Self:
        """A reader of the object in a field, or of an empty object if the field has none.

        What it leaves is kept with what this reader leaves; if it reads nothing, and the object is not `standalone`, the field
        stays unread.
        """
        value: Json = self.wire.get(key)
        inner = self._inside[key] = type(self)(value if type(value) is dict else {})
        inner.spelling = self.spelling
        if standalone and inner.wire is value:
            self.left(key, {}, standalone=True)
        return inner

    def forget(self) -> None:
        """Leave all fields unread."""
        self.rest = self.wire.copy()
        self._inside.clear()

    def close_inner(self) -> None:
        """Note what is left of the objects in fields."""
        for key, inner in self._inside.items():
            inner.close_inner()
            if len(inner.rest) < len(inner.wire) or (key in self.wire and key not in self.rest):
                self.know(key)
                if inner.rest:
                    self.partial[key] = inner.rest
                self.partial.update((f"{key}/{path}", rest) for path, rest in inner.partial.items())

    def left(self, key: str, rest: Wire, *, standalone: bool = False) -> None:
        """Note what is left of an object that was read in part."""
        self.know(key)
        self.partial[key] = rest
        if standalone:
            self.standalone.append(key)

    def know_inside(self, *path: str, standalone: bool) -> None:
        """Note that the value at a path of nested objects was read, and what is left of them."""
        value = self.wire
        at = ""
        for key, inner in pairwise(path):
            value = value[key]
            at = f"{at}/{key}" if at else key
            left: Wire = self.partial.get(at) or value
            self.left(at, {name: item for name, item in left.items() if name != inner}, standalone=standalone and at == key)

    def keep(self, out: dict[str, Any], family: str) -> dict[str, Any]:
        """The canonical data with what is left over as provider data, and with a record of how the rest was spelled."""
        if self._inside:
            self.close_inner()
        rest = self.rest
        if not (rest or self.spelling or self.partial):
            return out
        record: dict[str, Any] = {"spelling": self.spelling} if self.spelling else {}
        if self.partial and (pointers := _keep_partial(rest, self.partial)):
            record["partial"] = pointers
            if alone := [pointer for key in self.standalone if (pointer := "/" + key) in pointers]:
                record["standalone"] = alone
        if rest:
            out["provider_data"] = {family: rest}
        if record:
            out["wire"] = record
        return out


def _keep_partial(rest: Wire, partial: Mapping[str, Wire]) -> list[str]:
    """Lay what is left of each object into `rest`; the pointers of the objects that leave something."""
    pointers: dict[str, None] = {}
    for path, left in partial.items():
        holder = rest
        at = ""
        for key in path.split("/") if left else ():
            holder = holder.setdefault(key, {})
            at = f"{at}/{key}"
            pointers[at] = None
        holder.update(left)
    return list(pointers)
