"""Finds out in one pass whether a schema fits a dialect as it is, as most do, without the steps that adapt one."""

from __future__ import annotations

from typing import Any

from ...model.base import Json
from ..fields import Wire
from .dialects import Dialect
from .keywords import ANNOTATIONS, DEEPEST, HOLDS, LISTED, NAMED, ONE, TYPES
from .nodes import nodes
from .sizes import too_large


def fits(schema: Wire, dialect: Dialect) -> bool:
    """Whether the dialect accepts a schema as it is; may be False without need, and then the schema is adapted."""
    if dialect.object_root and schema.get("type") != "object":
        return False
    if dialect.root_properties and "properties" not in schema:
        return False
    if not schema.keys().isdisjoint(dialect.not_at_root):
        return False
    count = _fits(schema, dialect, 0)
    if count is None or dialect.limits is None:
        return count is not None
    return count <= dialect.few or too_large(nodes(schema, ""), dialect.limits) is None


def _fits(schema: Wire, dialect: Dialect, depth: int) -> int | None:
    """The number of schemas in a schema, itself included; None if one of them does not fit."""
    if depth > DEEPEST or (dialect.demanding and not _is_finished(schema, dialect)):
        return None
    count = 1
    classes = dialect.classes
    checks = dialect.checks
    for key, value in schema.items():
        allowed = classes.get(key)
        if allowed is None:
            continue
        kind = value.__class__
        if kind not in allowed:
            return None
        if kind is str:
            if key == "type" and (value not in TYPES or (value == "array" and _lacks_items(schema, dialect))):
                return None
        elif key in HOLDS:
            if kind is bool:
                continue
            inside = _fit_inside(HOLDS[key], value, dialect, depth + 1)
            if inside is None:
                return None
            count += inside
        elif key in checks and not checks[key](value):
            return None
    return count


def _fit_inside(holds: str, value: Any, dialect: Dialect, depth: int) -> int | None:
    """The number of schemas in a keyword's value; None if one of them does not fit."""
    if holds == ONE:
        return _fits(value, dialect, depth)
    if holds == LISTED and not value:
        return None
    count = 0
    for each in value.values() if holds == NAMED else value:
        inside = _fits(each, dialect, depth) if each.__class__ is dict else None
        if inside is None:
            return None
        count += inside
    return count


def _is_finished(schema: Wire, dialect: Dialect) -> bool:
    """Whether an object or a reference has what the dialect requires, and nothing else."""
    if dialect.openapi:
        return False  # most schemas must be rewritten
    if dialect.allowed is not None and not schema.keys() <= dialect.allowed:
        return False
    if dialect.typed and schema.keys() <= ANNOTATIONS:
        return False
    if "$ref" in schema and (dialect.acyclic or (dialect.beside_refs is not None and len(schema) > 1)):
        return False
    if dialect.lone_refs and (("$ref" in schema and len(schema) > 1) or schema.get("items").__class__ is list):
        return False
    kind: Json = schema.get("type")
    if kind == "object":
        if dialect.closed and schema.get("additionalProperties") is not False:
            return False
        if dialect.all_required or dialect.defined:
            return _requires_all(schema, dialect)
    return not (dialect.defined and "required" in schema)


def _lacks_items(array: Wire, dialect: Dialect) -> bool:
    return dialect.items and array.get("items") is None


def _requires_all(schema: Wire, dialect: Dialect) -> bool:
    """Whether `required` and `properties` agree as the dialect requires."""
    properties: Any = schema.get("properties", {})
    required: Any = schema.get("required", [])
    if properties.__class__ is not dict or required.__class__ is not list:
        return False
    if dialect.defined and any(isinstance(name, str) and name not in properties for name in required):
        return False
    return not dialect.all_required or all(name in required for name in properties)
