"""The steps of an adaptation for schemas that accept any value: `true`, `{}`, and those with annotations alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.base import Json
from ..fields import Wire
from .keywords import ANNOTATIONS, HOLDS, LISTED, NAMED, ONE, SWITCHES
from .nodes import SchemaNode, new_node

if TYPE_CHECKING:
    from .inlining import Adapting

_SIMPLE = ("string", "number", "boolean", "null")
"""The types that need no further schemas: an object would have to be closed."""


def spell_out(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Write the schemas `true` and `false` as objects, where the target accepts only objects."""
    if not a.dialect.objects:
        return
    for key in [key for key in out if key in HOLDS and key not in SWITCHES]:
        holds = HOLDS[key]
        value: Json = out[key]
        if holds == ONE:
            out[key] = _object(value, node, a, key)
        elif holds == LISTED and isinstance(value, list):
            out[key] = [_object(each, node, a, key, str(i)) for i, each in enumerate(value)]
        elif holds == NAMED and isinstance(value, dict):
            out[key] = {name: _object(each, node, a, key, name) for name, each in value.items()}


def _object(schema: Json, node: SchemaNode, a: Adapting, *steps: str) -> Json:
    """An object that means the same as `true` or `false`; any other schema is returned as it is."""
    if not isinstance(schema, bool):
        return schema
    if not a.dialect.typed:
        return {} if schema else {"not": {}}
    is_its_own = steps[0] in node.schema  # not merged from another schema
    made: Wire = {}
    _say_types(made, new_node((made, (), False, node, steps, 0)) if is_its_own else node, a)
    return made


def say_types(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Restrict the types of a schema that accepts any value."""
    if a.dialect.typed and out.keys() <= ANNOTATIONS:
        _say_types(out, node, a)


def _say_types(out: Wire, place: SchemaNode, a: Adapting) -> None:
    a.give_up(place, "", "a schema that says nothing about a value's type cannot be strict")
    a.report("changed", place, "", "the schema must say which types a value may have; sent with those of simple values")
    out["type"] = [*_SIMPLE]
