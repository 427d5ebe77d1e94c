"""Whether a schema is taken as it stands, as most are: found in one pass, without the steps that adapt one."""

from __future__ import annotations

from typing import Any

from ..model.base import Json
from .dialects import Dialect
from .fields import Wire
from .keywords import DEEPEST, HOLDS, LISTED, NAMED, ONE, TYPES
from .rules.schemas import nodes, too_large


def fits(schema: Wire, dialect: Dialect) -> bool:
    """Whether the dialect takes a schema as it stands. False also where a closer look is needed."""
    if dialect.object_root and schema.get("type") != "object":
        return False
    if dialect.root_properties and "properties" not in schema:
        return False
    if not (schema.keys().isdisjoint(dialect.not_at_root) and _fits(schema, dialect, 0)):
        return False
    return dialect.limits is None or too_large(nodes(schema, ""), dialect.limits) is None


def _fits(schema: Wire, dialect: Dialect, depth: int) -> bool:
    if depth > DEEPEST or (dialect.demanding and not _is_finished(schema, dialect)):
        return False
    classes, checks = dialect.classes, dialect.checks
    for key, value in schema.items():
        allowed = classes.get(key)
        if allowed is None:
            continue
        kind = value.__class__
        if kind not in allowed:
            return False
        if kind is str:
            if key == "type" and value not in TYPES:
                return False
        elif key in HOLDS:
            if kind is not bool and not _fit_inside(HOLDS[key], value, dialect, depth + 1):
                return False
        elif key in checks and not checks[key](value):
            return False
    return True


def _fit_inside(holds: str, value: Any, dialect: Dialect, depth: int) -> bool:
    """Whether the schemas in a keyword fit."""
    if holds == ONE:
        return _fits(value, dialect, depth)
    if holds == LISTED and not value:
        return False
    for each in value.values() if holds == NAMED else value:
        if each.__class__ is not dict or not _fits(each, dialect, depth):
            return False
    return True


def _is_finished(schema: Wire, dialect: Dialect) -> bool:
    """Whether a schema has what the dialect demands of an object, an array or a reference."""
    if dialect.beside_refs is not None and "$ref" in schema and len(schema) > 1:
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
