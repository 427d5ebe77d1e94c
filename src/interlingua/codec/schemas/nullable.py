"""Optional properties of a schema that must require all: `null` means that a property is absent, and is removed from arguments.

`takes_null` and `or_null` make such a schema. `nulls_of` records where its nulls are, as plain data, and `without_nulls`
removes them from the arguments of a call.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from ...model.base import Json, exact_number
from ...model.parts import to_json
from ..fields import Wire, copy_wire
from .cycles import resolve
from .keywords import HOLDS, types

_NULL = {"type": "null"}
_SCALARS = frozenset({"string", "number", "integer", "boolean"})
_COMMON = frozenset({"title", "description", "default", "$defs", "definitions"})
"""Keywords that apply to every alternative in a list beside them."""


def takes_null(schema: Json, root: Wire) -> bool:
    """Whether null is known to satisfy a schema."""
    waiting: list[Json] = [schema]
    seen: set[int] = set()
    while waiting:
        one = waiting.pop()
        if not isinstance(one, dict):
            if one is not True:
                return False
            continue
        if id(one) in seen:
            continue
        seen.add(id(one))
        if not _allows_null(one):
            return False
        waiting += _all_of(one, root)
        for key in ("anyOf", "oneOf"):
            listed: Json = one.get(key)
            if isinstance(listed, list) and not any(map(_is_null, listed)):
                return False
    return True


def _allows_null(schema: Wire) -> bool:
    """Whether null is allowed by the keywords of a schema that need no other schema."""
    is_other_constant = schema.get("const") is not None
    if "not" in schema or "if" in schema or is_other_constant:
        return False
    listed: Json = schema.get("enum")
    if isinstance(listed, list) and None not in listed:
        return False
    return "type" not in schema or "null" in types(schema)


def _all_of(schema: Wire, root: Wire) -> list[Json]:
    """The other schemas that must be satisfied, too, because a schema refers to them."""
    schemas: list[Json] = []
    ref: Json = schema.get("$ref")
    if "$ref" in schema:
        schemas.append(resolve(root, ref) if isinstance(ref, str) else None)
    listed: Json = schema.get("allOf")
    return schemas + (listed if isinstance(listed, list) else [])


def _is_null(schema: Json) -> bool:
    """Whether an alternative allows only null, or anything."""
    if not isinstance(schema, dict):
        return schema is True
    return not schema or ("null" in types(schema) and _allows_null(schema) and HOLDS.keys().isdisjoint(schema))


def _is_scalar(schema: Wire) -> bool:
    """Whether a schema has a single type, with simple values, and does not mention null."""
    kind: Json = schema.get("type")
    has_more = "const" in schema or "$ref" in schema or not HOLDS.keys().isdisjoint(schema)
    return isinstance(kind, str) and kind in _SCALARS and not has_more


def or_null(schema: Json, *, whole: bool) -> tuple[Wire, bool]:
    """A schema that also allows null, and whether it contains the given one unchanged; `whole` requires that."""
    if isinstance(schema, dict) and not whole:
        if _is_scalar(schema):
            listed: Json = schema.get("enum")
            more: Wire = {"enum": [*listed, None]} if isinstance(listed, list) else {}
            return {**schema, "type": [schema["type"], "null"], **more}, False
        for key in ("anyOf", "oneOf"):
            if isinstance(schema.get(key), list) and schema.keys() - _COMMON == {key}:
                return {**schema, key: [*schema[key], dict(_NULL)]}, False
        if "$ref" in schema and schema.keys() - _COMMON == {"$ref"}:
            rest = {key: value for key, value in schema.items() if key != "$ref"}
            return {**rest, "anyOf": [{"$ref": schema["$ref"]}, dict(_NULL)]}, False
    return {"anyOf": [schema, dict(_NULL)]}, True


# Removing the nulls

Nulls: TypeAlias = list[dict[str, Any]]
"""Where a schema has such nulls: a record for each relevant schema in it, the root first. Records refer to others by index.

`any` has the alternatives, `each` the schemas of a list's items, and `in` those of properties. `keys` has the names of all
properties, `is` the values of properties with only one, and `drop` the names of properties whose null means that they are
absent.
"""


def are_nulls(value: Any) -> bool:
    """Whether a value, perhaps from storage, has the form that `nulls_of` writes."""
    if value.__class__ is not list or not value:
        return False
    return all(_is_record(record, range(len(value))) for record in value)


def _is_record(record: Any, numbers: range) -> bool:
    if record.__class__ is not dict:
        return False
    lists: list[Any] = [record.get(key, []) for key in ("any", "each", "keys", "drop")]
    objects: list[Any] = [record.get(key, {}) for key in ("in", "is")]
    if not (all(isinstance(each, list) for each in lists) and all(isinstance(each, dict) for each in objects)):
        return False
    alternatives, items, keys, dropped = lists
    inside, fixed = objects
    if not all(isinstance(name, str) for name in (*keys, *dropped, *inside, *fixed)) or not fixed.keys() <= {*keys}:
        return False
    return all(type(number) is int and number in numbers for number in (*alternatives, *items, *inside.values()))


def nulls_of(made: Wire, forced: Mapping[int, Sequence[str]]) -> Nulls | None:
    """The nulls of an adapted schema; `forced` has the names of the properties with such nulls, by identity of the object."""
    return _Table(made, forced).records if forced else None


class _Table:
    """Numbers the relevant schemas inside a schema, and makes their records."""

    def __init__(self, root: Wire, forced: Mapping[int, Sequence[str]]) -> None:
        self._root = root
        self._forced = forced
        self._numbers: dict[int, int] = {}
        self._waiting: list[Wire] = []
        self.records: Nulls = []
        self._number(root)
        for number, schema in enumerate(self._waiting):  # grows while it is read
            self.records.append(self._record(schema) if number or schema else {})

    def _number(self, schema: Json) -> int | None:
        if not isinstance(schema, dict) or (self._waiting and not schema.keys() & _LEADING):
            return None
        found = self._numbers.get(id(schema))
        if found is None:
            found = self._numbers[id(schema)] = len(self._waiting)
            self._waiting.append(schema)
        return found

    def _numbered(self, schemas: Iterable[Json]) -> list[int]:
        return [number for each in schemas if (number := self._number(each)) is not None]

    def _record(self, schema: Wire) -> dict[str, Any]:
        ref: Json = schema.get("$ref")
        alternatives = [resolve(self._root, ref)] if isinstance(ref, str) else []
        record: dict[str, Any] = {
            "any": self._numbered([*alternatives, *_listed(schema, "anyOf")]),
            "each": self._numbered([schema.get("items"), schema.get("contains"), *_listed(schema, "prefixItems")]),
            "drop": [*self._forced.get(id(schema), ())],
        }
        properties: Json = schema.get("properties")
        if isinstance(properties, dict):
            record["keys"] = [*properties]
            numbers = {name: self._number(each) for name, each in properties.items()}
            record["in"] = {name: number for name, number in numbers.items() if number is not None}
            fixed = {name: _only_value(each) for name, each in properties.items()}
            record["is"] = {name: only[0] for name, only in fixed.items() if only}
        return {key: value for key, value in record.items() if value or key == "keys"}


_LEADING = frozenset({"$ref", "anyOf", "items", "contains", "prefixItems", "properties"})
"""Keywords of relevant schemas: those that can lead to an object."""


def _listed(schema: Wire, key: str) -> list[Json]:
    value: Json = schema.get(key)
    return value if isinstance(value, list) else []


def _only_value(schema: Json) -> list[Json]:
    """A list of the only text that a schema allows; empty if it allows others."""
    if not isinstance(schema, dict):
        return []
    values: list[Json] = [schema["const"]] if "const" in schema else _listed(schema, "enum")
    return values if len(values) == 1 and isinstance(values[0], str) else []


def without_nulls(arguments: Any, nulls: Nulls) -> Any:
    """The arguments of a call, as an object or as text, without the nulls that mean an absent property.

    Arguments that are not an object are returned unchanged.
    """
    if isinstance(arguments, str):
        if "null" not in arguments:
            return arguments
        try:
            value: Json = json.loads(arguments, parse_float=exact_number)
        except (ValueError, RecursionError):
            return arguments
        return to_json(value) if _drop(value, nulls) else arguments
    copied = copy_wire(arguments)
    return copied if _drop(copied, nulls) else arguments


def _drop(arguments: Json, nulls: Nulls) -> bool:
    """Remove the nulls inside a value; returns whether there were any."""
    known: dict[tuple[int, ...], list[dict[str, Any]]] = {}
    waiting: list[tuple[Json, tuple[int, ...]]] = [(arguments, (0,))]
    dropped = False
    while waiting:
        value, numbers = waiting.pop()
        if not numbers or not isinstance(value, dict | list):
            continue
        if numbers not in known:
            known[numbers] = _alternatives(nulls, numbers)
        records = known[numbers]
        if isinstance(value, list):
            each = tuple(dict.fromkeys(number for record in records for number in record.get("each", ())))
            waiting += [(item, each) for item in value]
            continue
        matching = _matching(records, value)
        for name in [name for name, item in value.items() if item is None]:
            if matching and all(name in record.get("drop", ()) for record in matching):
                del value[name]
                dropped = True
        for name, item in value.items():
            inside = [record["in"][name] for record in matching if name in record.get("in", ())]
            waiting.append((item, tuple(dict.fromkeys(inside))))
    return dropped


def _alternatives(nulls: Nulls, numbers: Iterable[int]) -> list[dict[str, Any]]:
    """The records with these numbers, and those of their alternatives."""
    found = dict.fromkeys(numbers)
    waiting = [*found]
    for number in waiting:  # grows while it is read
        new = [each for each in nulls[number].get("any", ()) if each not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return [nulls[number] for number in found]


def _matching(records: list[dict[str, Any]], value: Wire) -> list[dict[str, Any]]:
    """The records of the objects that a value can be; these require all of their properties and allow no others."""
    objects = [record for record in records if "keys" in record]
    if len(objects) < 2:
        return objects
    return [
        record
        for record in objects
        if value.keys() == set(record["keys"]) and all(value[name] == only for name, only in record.get("is", {}).items())
    ]
