"""Reading and writing wire objects: which fields are known, how they were spelled, and what is left over.

Loading an object sorts its fields. A known field becomes a canonical field. If the wire has several spellings of one fact, the
`wire.spelling` of its owner (the message, part, call or tool) records which one was used. All other fields go into
`provider_data[family]`, nested as they were. If only some fields of a nested object are known, the others go there too, and
`wire.partial` has the pointer of the object. A dump to the same format adds the provider data to what it has written, so that
nothing is lost and nothing that was written is replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import pairwise
from types import MappingProxyType
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
    """The JSON Pointer of escaped tokens."""
    return "/".join(["", *tokens])


def value_at(wire: Json, path: Iterable[str]) -> Any:
    """The value at a path in nested objects; None if a key on the path is missing."""
    for key in path:
        wire = wire.get(key) if type(wire) is dict else None
    return wire


copy_wire: Callable[[Any], Any] = SchemaSerializer(core_schema.any_schema()).to_python
"""Copies validated JSON data, so that the caller may change it; faster than a loop in Python."""

COMPILED = not __file__.endswith((".py", ".pyc"))
"""Whether the conversions are those of a compiled wheel, and not of the one in pure Python."""


# Spellings


def spelling(owner: Any, field: str) -> str | None:
    """How the wire spelled a field of this owner, if that was recorded."""
    record: WireRecord | None = owner.wire
    return None if record is None or record.spelling is None else record.spelling.get(field)


# What is left over


def lay_over(out: Wire, key: str, value: Json) -> None:
    """Add a recorded field to what was written: objects are merged, and nothing that was written is replaced."""
    if key not in out:
        out[key] = copy_wire(value)
    elif isinstance(value, dict) and isinstance(out[key], dict):
        for inner, item in value.items():
            lay_over(out[key], inner, item)


def read_in_part(record: WireRecord | None) -> tuple[Collection[str], Collection[str]]:
    """The pointers to the objects that were read in part, and to the standalone ones among them, as sets."""
    if record is None:
        return (), ()
    partial = record.partial
    standalone = record.standalone
    return frozenset(partial) if partial else (), frozenset(standalone) if standalone else ()


def has_place(key: str, out: Wire, partial: Collection[str], standalone: Collection[str]) -> bool:
    """Whether a recorded field still has its place in what was written.

    The rest of an object that was read in part needs the part that was read, unless it is standalone. A field that could not
    be read at all gives way to a value that an edit has written there since.
    """
    pointer = "/" + escape(key)
    return pointer in standalone or (key in out) == (pointer in partial)


def is_empty(value: Any) -> bool:
    """Whether a value is empty: null, an empty list or an empty object."""
    return value is None or (type(value) in (list, tuple, dict) and not value)


def unknown_fields(value: Json, known: Collection[str], pointer: str = "") -> list[str]:
    """Pointers to the fields of an object at this pointer that are not empty and not `known`."""
    fields = value.items() if type(value) is dict else ()
    return [f"{pointer}/{escape(key)}" for key, item in fields if key not in known and not is_empty(item)]


def says_nothing(field: str, value: Any) -> bool:
    """Whether a field is empty, or only asks for what every provider does anyway: several calls in one answer, or text."""
    if field == "response_format":
        return value is None or asks_for_text(value)
    return is_empty(value) or (field == "parallel_tool_calls" and value is True)


def asks_for_text(form: Any) -> bool:
    """Whether a response format is text, as that of a request without one."""
    return bool(form.type == "text" and form.json_schema is None)


def displaced(value: Json, written: Json, pointer: str) -> list[str]:
    """Pointers to the values of a recorded field that are not in what was written there; null, `[]` and `{}` do not count."""
    if value == written:
        return []
    if type(value) is not dict or type(written) is not dict:
        return leaves(value, pointer)
    return [lost for key, item in value.items() for lost in displaced(item, written.get(key), f"{pointer}/{escape(key)}")]


def leaves(value: Json, pointer: str) -> list[str]:
    """Pointers to the values in an object, however deep; null, `[]` and `{}` do not count."""
    if type(value) is not dict:
        return [] if is_empty(value) else [pointer]
    return [found for key, item in value.items() for found in leaves(item, f"{pointer}/{escape(key)}")]


def unread(value: Json, pointer: str, partial: Collection[str]) -> list[str]:
    """Pointers to the values in a recorded field that were not read: the field itself, or values in an object read in part.

    `pointer` is the field's pointer in the record; null, `[]` and `{}` do not count.
    """
    if type(value) is not dict or pointer not in partial:
        return [] if is_empty(value) else [pointer]
    return [lost for key, item in value.items() for lost in unread(item, f"{pointer}/{escape(key)}", partial)]


class FieldReader:
    """Reads one wire object: `take` returns a field and marks it as known, and `keep` stores the fields that are not known."""

    partial: Mapping[str, Wire] = MappingProxyType({})
    """What is left of objects that were read in part, by their path (`response_format/json_schema`)."""
    standalone: tuple[str, ...] = ()
    """The paths of the objects among them that have a meaning without the part that was read."""
    _inside: Mapping[str, FieldReader] = MappingProxyType({})
    """The readers of nested objects, by their fields."""

    def __init__(self, wire: Wire, *known: str) -> None:
        self.wire = wire
        self.rest = wire.copy()
        """The fields that are not known."""
        for key in known:
            self.rest.pop(key, None)
        self.spelling: dict[str, str] = {}

    def know(self, *keys: str) -> None:
        """Mark fields as known, so that they are not kept."""
        for key in keys:
            self.rest.pop(key, None)

    def take(self, key: str, *kinds: type) -> Any:
        """The value of a field, which is known from now on; None if its type is not one of these, and then it stays unread."""
        value = self.wire.get(key)
        if value is None or (kinds and type(value) not in kinds):
            return None
        self.rest.pop(key, None)
        return value

    def move(self, out: dict[str, Any], *keys: str, **names: str) -> None:
        """Take fields that have the same name in canonical form, or the canonical name given in `names`."""
        wire = self.wire
        rest = self.rest
        for key in (*keys, *names):
            if key in wire and (value := wire[key]) is not None:
                rest.pop(key, None)
                out[names.get(key, key)] = value

    def move_typed(self, out: dict[str, Any], of: type, *keys: str, **names: str) -> None:
        """Take fields whose value is of this type, as `move` does; the others stay unread."""
        for key in (*keys, *names):
            if (value := self.take(key, of)) is not None:
                out[names.get(key, key)] = value

    def inside(self, key: str, *, standalone: bool = False) -> Self:
        """A reader of the object in a field, or of an empty object if the field has none.

        What this inner reader leaves is kept with what the outer one leaves. If it reads nothing, and the object is not
        `standalone`, the whole field stays unread.
        """
        value: Json = self.wire.get(key)
        inner = type(self)(value if type(value) is dict else {})
        inner.spelling = self.spelling
        self._inside = {**self._inside, key: inner}
        if standalone and inner.wire is value:
            self.left(key, {}, standalone=True)
        return inner

    def forget(self) -> None:
        """Mark all fields as unread again."""
        self.rest = self.wire.copy()
        self._inside = {}

    def close_inner(self) -> None:
        """Record the unread fields of the nested objects."""
        for key, inner in self._inside.items():
            inner.close_inner()
            if len(inner.rest) < len(inner.wire) or (key in self.wire and key not in self.rest):
                self.rest.pop(key, None)
                if inner.rest:
                    self.partial = {**self.partial, key: inner.rest}
                for path, rest in inner.partial.items():
                    self.partial = {**self.partial, f"{key}/{path}": rest}

    def left(self, key: str, rest: Wire, *, standalone: bool = False) -> None:
        """Record the unread fields of an object that was read in part."""
        self.know(key)
        self.partial = {**self.partial, key: rest}
        if standalone:
            self.standalone = (*self.standalone, key)

    def know_inside(self, *path: str, standalone: bool) -> None:
        """Record that the value at a path in nested objects was read, and which fields of these objects were not."""
        value = self.wire
        at = ""
        for key, inner in pairwise(path):
            value = value[key]
            at = f"{at}/{key}" if at else key
            left: Wire = self.partial.get(at) or value
            self.left(at, {name: item for name, item in left.items() if name != inner}, standalone=standalone and at == key)

    def keep(self, out: dict[str, Any], family: str) -> dict[str, Any]:
        """The canonical data, with the unread fields as provider data and with a record of the spellings."""
        if self._inside:
            self.close_inner()
        rest = self.rest
        if not (rest or self.spelling or self.partial):
            return out
        record: dict[str, Any] = {"spelling": self.spelling} if self.spelling else {}
        pointers = _keep_partial(rest, self.partial) if self.partial else None
        if pointers:
            record["partial"] = pointers
            standalone = ["/" + key for key in self.standalone if "/" + key in pointers]
            if standalone:
                record["standalone"] = standalone
        if rest:
            out["provider_data"] = {family: rest}
        if record:
            out["wire"] = record
        return out


def _keep_partial(rest: Wire, partial: Mapping[str, Wire]) -> list[str]:
    """Put the unread fields of each object into `rest`; returns the pointers of the objects that have any."""
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
