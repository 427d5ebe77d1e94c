"""The sizes of schemas, which providers limit: of each strict schema, and of all strict schemas of a request together."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from ...model.base import Json
from ..limits import SchemaLimits, Totals
from .nodes import SchemaNode, named_in, nodes, strings_in


def sizes(found: Iterable[SchemaNode]) -> SchemaLimits:
    """The size of the schemas in each respect that has a limit."""
    levels: dict[int, int] = {}
    properties = 0
    values = 0
    characters = 0
    optionals = 0
    unions = 0
    for node in found:
        schema = node.schema
        named = named_in(schema, "properties")
        listed: Any = schema.get("enum")
        above = levels.get(id(node.within), 0) if isinstance(node.within, SchemaNode) else 0
        levels[id(node)] = above + ("object" in node.types or "properties" in schema)
        properties += len(named)
        optionals += len(optional(schema))
        unions += len(node.types) > 1 or "anyOf" in schema
        values += len(listed) if listed.__class__ is list else 0
        words: list[Any] = [*named, *named_in(schema, "$defs"), *strings_in(schema, "enum")]
        characters += sum([len(word) for word in words if isinstance(word, str)])
        characters += len(schema["const"]) if isinstance(schema.get("const"), str) else 0
    return SchemaLimits(properties, max(levels.values(), default=0), values, characters, optionals, unions)


_SIZES = {
    "properties": "properties",
    "levels": "levels of objects",
    "values": "values in `enum`s",
    "characters": "characters in names and values",
    "optional": "properties that are not required",
    "unions": "schemas of several types",
}
"""The words for each size in a message."""


def too_large(found: Iterable[SchemaNode], limits: SchemaLimits) -> str | None:
    """A message about a limit that the schemas together exceed; None if they exceed none."""
    for name, count in sizes(found)._asdict().items():
        most = getattr(limits, name)
        if most is not None and count > most:
            return f"a strict schema must have at most {most} {_SIZES[name]}; it has {count}"
    return None


def total_of(schema: Json, *, tools: int = 0) -> Totals:
    """What a strict schema adds to the totals of a request."""
    found = nodes(schema, "")
    unions = sum([len(node.types) > 1 or "anyOf" in node.schema for node in found])
    return Totals(tools, sum([len(optional(node.schema)) for node in found]), unions)


def optional(schema: dict[str, Any]) -> Collection[str]:
    """The names of the properties of an object that are not required."""
    named = named_in(schema, "properties")
    return named.keys() - strings_in(schema, "required") if named else ()


def over(used: Totals, most: Totals) -> str | None:
    """A message about a total that the strict schemas of a request exceed; None if they exceed none."""
    if used.tools > most.tools:
        return f"a request must have at most {most.tools} strict tools"
    for name in ("optional", "unions"):
        if getattr(used, name) > getattr(most, name):
            return f"the strict schemas of a request must have at most {getattr(most, name)} {_SIZES[name]} together"
    return None
