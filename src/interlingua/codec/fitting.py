"""Whether a schema is taken as it stands, as most are: found in one pass, without the steps that adapt one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..model.base import Json
from .dialects import Dialect
from .fields import Wire
from .keywords import DEEPEST, HOLDS, NAMED, ONE, TYPES

_CLASSES: dict[str, frozenset[type]] = {
    **dict.fromkeys(("title", "description", "pattern", "format"), frozenset({str})),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), frozenset({int, float})),
    "enum": frozenset({list}),
    "uniqueItems": frozenset({bool}),
}
"""The classes of values that JSON Schema allows, where no more has to be known of the value."""


def fits(schema: Wire, dialect: Dialect) -> bool:
    """Whether the dialect takes a schema as it stands. False also where a closer look is needed."""
    if dialect.object_root and schema.get("type") != "object":
        return False
    if dialect.root_properties and "properties" not in schema:
        return False
    return schema.keys().isdisjoint(dialect.not_at_root) and _fits(schema, dialect, 0)


def _fits(schema: Any, dialect: Dialect, depth: int) -> bool:
    if schema.__class__ is not dict or depth > DEEPEST or (dialect.demanding and not _is_finished(schema, dialect)):
        return False
    treated = dialect.treated
    for key, value in schema.items():
        if key in treated:
            return False
        if key == "type":
            if value.__class__ is not str or value not in TYPES:
                return False
        elif key in _CLASSES:
            if value.__class__ not in _CLASSES[key]:
                return False
        elif key in HOLDS:
            if not _fits_inside(HOLDS[key], value, dialect, depth + 1):
                return False
        elif key in dialect.checks and not dialect.checks[key](value):
            return False
    return True


def _fits_inside(holds: str, value: Any, dialect: Dialect, depth: int) -> bool:
    if holds == ONE:
        return value.__class__ is bool or _fits(value, dialect, depth)
    held: Iterable[Json]
    if holds == NAMED:
        if value.__class__ is not dict:
            return False
        held = value.values()
    else:
        if value.__class__ is not list or not value:
            return False
        held = value
    return all(_fits(each, dialect, depth) for each in held)


def _is_finished(schema: Wire, dialect: Dialect) -> bool:
    """Whether a schema has what the dialect demands of an object, an array or a reference."""
    if "$ref" in schema and dialect.beside_refs is not None and len(schema) > 1:
        return False
    kind: Json = schema.get("type")
    if kind == "object":
        if dialect.closed and schema.get("additionalProperties") is not False:
            return False
        if dialect.all_required or dialect.defined:
            return _requires_all(schema, dialect)
    if dialect.items and kind == "array" and schema.get("items") is None:
        return False
    return not (dialect.defined and "required" in schema)


def _requires_all(schema: Wire, dialect: Dialect) -> bool:
    """Whether what is required agrees with the properties."""
    properties: Any = schema.get("properties", {})
    required: Any = schema.get("required", [])
    if properties.__class__ is not dict or required.__class__ is not list:
        return False
    if dialect.defined and any(isinstance(name, str) and name not in properties for name in required):
        return False
    return not dialect.all_required or all(name in required for name in properties)
