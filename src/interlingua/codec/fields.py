"""Reading and writing wire objects: which fields are known, how they were spelled, and what is left over.

Loading an object sorts its fields. A known field becomes a canonical one. Where the wire has several spellings of one fact, the
spelling is recorded in the owner's `wire.spelling`. Everything else goes into `provider_data[family]`, nested as it stood. An
object of which only a part is known leaves the rest there, and its pointer in `wire.partial`. Dumping to the same format lays
the provider data over what was written, so that nothing is lost and nothing that was written is replaced.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

from pydantic_core import SchemaSerializer, core_schema

from ..errors import escape
from ..model.base import Json
from ..model.parts import WireRecord

T = TypeVar("T")
Wire: TypeAlias = dict[str, Any]
"""A JSON object of a provider's API."""
Content: TypeAlias = str | tuple[Any, ...] | None
"""The content of a message, for type checkers."""


def join(tokens: Iterable[str]) -> str:
    """A JSON Pointer of escaped tokens."""
    return "".join("/" + token for token in tokens)


def copy_wire(value: T) -> T:
    """A copy of validated JSON data, for the caller to keep."""
    copied: T = _COPY(value)
    return copied


_COPY = SchemaSerializer(core_schema.any_schema()).to_python  # faster than a loop in Python


# Spellings


def spelling(owner: Any, field: str) -> str | None:
    """How the wire spelled a field of this owner, where that is recorded."""
    record: WireRecord | None = owner.wire
    return None if record is None or record.spelling is None else record.spelling.get(field)


def spelled(owner: Any, field: str, *words: str) -> str | None:
    """The recorded spelling of a field, if it is one of `words`; a record that users store and edit may say anything."""
    word = spelling(owner, field)
    return word if word in words else None


# What is left over


def keep_unknown(
    out: dict[str, Any],
    wire: Wire,
    known: Container[str],
    family: str,
    spelling: Mapping[str, str] | None = None,
    partial: Mapping[str, Wire] | None = None,
    standalone: Iterable[str] = (),
) -> dict[str, Any]:
    """Put the fields of `wire` that are not `known` into `out`'s provider data, and the spelling of the others into its record.

    `partial` has what is left of objects that were read in part, by path (`response_format/json_schema`). Those in `standalone`
    mean something without the part that was read.
    """
    rest = {key: value for key, value in wire.items() if key not in known}
    record: dict[str, Any] = {}
    if spelling:
        record["spelling"] = spelling
    if partial:
        pointers = _keep_partial(rest, partial)
        if pointers:
            record["partial"] = pointers
        if alone := [f"/{key}" for key in standalone if f"/{key}" in pointers]:
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
        if not left:
            continue
        holder, at = rest, ""
        for key in path.split("/"):
            holder, at = holder.setdefault(key, {}), f"{at}/{key}"
            pointers[at] = None
        holder.update(left)
    return list(pointers)


def lay_over(out: Wire, key: str, value: Json) -> None:
    """Add a recorded field to what was written: objects merge, nothing written is replaced."""
    if key not in out:
        out[key] = copy_wire(value)
    elif isinstance(value, dict) and isinstance(out[key], dict):
        for inner, item in value.items():
            lay_over(out[key], inner, item)


def has_place(record: WireRecord | None, key: str, out: Wire) -> bool:
    """Whether a recorded field still has its place in what was written.

    The rest of an object that was read in part needs the part that was read, unless it is standalone. A field that could not
    be read at all is replaced by whatever an edit has written there since.
    """
    if record is None:
        return key not in out
    pointer = "/" + escape(key)
    return pointer in (record.standalone or ()) or (key in out) == (pointer in (record.partial or ()))


def unread(record: WireRecord | None, key: str, value: Json, path: str) -> Iterator[str]:
    """Pointers to what a recorded field says: of an object that was read in part, to each thing that was not read.

    `path` is the pointer of the field; null and `[]` say nothing.
    """
    partial = frozenset((record.partial or ()) if record is not None else ())
    return _unread(value, path, "/" + escape(key), partial)


def _unread(value: Json, path: str, pointer: str, partial: frozenset[str]) -> Iterator[str]:
    if isinstance(value, dict) and pointer in partial:
        for key, item in value.items():
            token = "/" + escape(key)
            yield from _unread(item, path + token, pointer + token, partial)
    elif value is not None and value != []:
        yield path


class FieldReader:
    """One wire object being read: `take` returns a field, which is known from then on, and `keep` keeps the rest."""

    def __init__(self, wire: Wire, *known: str) -> None:
        self.wire = wire
        self.known = set(known)
        self.spelling: dict[str, str] = {}
        self.partial: dict[str, Wire] = {}
        self.standalone: list[str] = []

    def take(self, key: str, *kinds: type) -> Any:
        """A field of one of these types, which is known from now on; None for any other, which stays unread."""
        value = self.wire.get(key)
        if value is None or (kinds and type(value) not in kinds):
            return None
        self.known.add(key)
        return value

    def move(self, out: dict[str, Any], *keys: str) -> None:
        """Take fields that have the same name in canonical form."""
        for key in keys:
            if (value := self.take(key)) is not None:
                out[key] = value

    def rename(self, out: dict[str, Any], names: Mapping[str, str]) -> None:
        """Take fields that have another name in canonical form."""
        for key, name in names.items():
            if (value := self.take(key)) is not None:
                out[name] = value

    def left(self, key: str, rest: Wire, *, standalone: bool = False) -> None:
        """Note what is left of an object that was read in part."""
        self.known.add(key)
        self.partial[key] = rest
        if standalone:
            self.standalone.append(key)

    def keep(self, out: dict[str, Any], family: str) -> dict[str, Any]:
        """The canonical data, with what is left over as provider data."""
        if len(self.known) == len(self.wire) and not self.spelling and not self.partial:
            return out
        return keep_unknown(out, self.wire, self.known, family, self.spelling, self.partial, self.standalone)
