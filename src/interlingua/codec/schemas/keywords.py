"""The keywords of JSON Schema: which of them contain schemas, and which values they may have.

Types are read in upper or lower case, because some providers write them in capitals.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...model.base import Json

ONE = "one"
LISTED = "listed"
NAMED = "named"
HOLDS = {
    **dict.fromkeys(
        (
            *("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"),
            *("unevaluatedItems", "unevaluatedProperties"),
        ),
        ONE,
    ),
    **dict.fromkeys(("anyOf", "oneOf", "allOf", "prefixItems"), LISTED),
    **dict.fromkeys(("properties", "$defs", "definitions", "patternProperties", "dependentSchemas"), NAMED),
}
"""The keywords that contain schemas: one schema, a list, or an object of schemas."""

SWITCHES = frozenset({"additionalProperties", "unevaluatedItems", "unevaluatedProperties"})
"""The keywords that contain one schema, which is usually `true` or `false`."""
ANNOTATIONS = frozenset(
    {
        *("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"),
        *("$comment", "$schema", "$id", "$defs", "definitions"),
    }
)
"""The keywords that refuse no value."""

DEEPEST = 100
"""The deepest nesting of schemas that any provider accepts."""
_NUMBERED = ("", "string", "number", "integer", "boolean", "array", "object", "null")
"""Types by the numbers that protobuf gives them."""


def types(schema: dict[str, Any]) -> tuple[str, ...]:
    """The types that a schema allows, in lower case; empty if the schema names none."""
    value: Json = schema.get("type")
    if isinstance(value, str):
        return (value.lower(),)
    if isinstance(value, list):
        return tuple(each.lower() for each in value if isinstance(each, str))
    if type(value) is int and 0 < value < len(_NUMBERED):
        return (_NUMBERED[value],)
    return ()


_SCHEMA = (dict, bool)


def _is_schema(value: Json) -> bool:
    return isinstance(value, _SCHEMA)


def _are_schemas(value: Json) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(map(_is_schema, value))


def _is_schema_or_list(value: Json) -> bool:
    return _is_schema(value) or _are_schemas(value)


def _are_named_schemas(value: Json) -> bool:
    return isinstance(value, dict) and all(map(_is_schema, value.values()))


def _are_strings(value: Json) -> bool:
    return isinstance(value, list) and all(map(str.__instancecheck__, value))


def _are_different_strings(value: Json) -> bool:
    return isinstance(value, list) and all(map(str.__instancecheck__, value)) and len(set(value)) == len(value)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Json) -> bool:
    if isinstance(value, float):
        return value >= 0 and value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})


def _is_type(value: Json) -> bool:
    if isinstance(value, str):
        return value.lower() in TYPES
    return isinstance(value, list) and len(value) > 0 and all(isinstance(each, str) and each.lower() in TYPES for each in value)


def _is_positive(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _is_bound(value: Json) -> bool:
    return _is_number(value) or isinstance(value, bool)


CHECKS: dict[str, Callable[[Json], bool]] = {
    **dict.fromkeys((key for key, holds in HOLDS.items() if holds == ONE), _is_schema),
    **dict.fromkeys((key for key, holds in HOLDS.items() if holds == LISTED), _are_schemas),
    **dict.fromkeys((key for key, holds in HOLDS.items() if holds == NAMED), _are_named_schemas),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _is_count),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(("title", "description", "pattern", "format", "$ref"), str.__instancecheck__),
    "enum": list.__instancecheck__,
    "multipleOf": _is_positive,
    "required": _are_different_strings,
    "type": _is_type,
    "uniqueItems": bool.__instancecheck__,
}
"""Checks of the values that JSON Schema 2020-12 allows for its keywords."""

_NUMBERS = frozenset({int, float})
_CLASSES_HOLDING: dict[str, frozenset[type]] = {
    ONE: frozenset({dict, bool}),
    LISTED: frozenset({list}),
    NAMED: frozenset({dict}),
}
CLASSES: dict[str, frozenset[type]] = {
    **{key: _CLASSES_HOLDING[holds] for key, holds in HOLDS.items()},
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _NUMBERS),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), _NUMBERS),
    **dict.fromkeys(("title", "description", "pattern", "format", "$ref", "type"), frozenset({str})),
    **dict.fromkeys(("enum", "required"), frozenset({list})),
    "uniqueItems": frozenset({bool}),
}
"""The classes of values that these keywords have in most schemas."""

OLDER = {
    **CHECKS,
    "items": _is_schema_or_list,
    "exclusiveMinimum": _is_bound,
    "exclusiveMaximum": _is_bound,
    "required": _are_strings,
}
"""The same checks, which also allow the spellings of older drafts."""
