"""A JSON Schema and all schemas inside it, as a list."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...errors import escape, quick
from ...model.base import Json
from .keywords import DEEPEST, HOLDS, LISTED, NAMED, ONE, types


class SchemaNode(NamedTuple):
    """A schema inside the schema of a tool or an answer, at `steps` inside the schema `within`, or at the root's pointer.

    Its types are in lower case, and empty if it names none.
    """

    schema: dict[str, Any]
    types: tuple[str, ...]
    strict: bool
    within: SchemaNode | str
    steps: tuple[str, ...]
    depth: int = 0

    @property
    def root(self) -> bool:
        """Whether this is the root schema."""
        return self.depth == 0

    @property
    def at(self) -> str:
        """Its pointer."""
        steps: list[str] = []
        node: SchemaNode | str = self
        while isinstance(node, SchemaNode):
            steps += reversed(node.steps)
            node = node.within
        return "/".join((node, *(escape(str(step)) for step in reversed(steps))))


new_node = quick(SchemaNode)


def nodes(schema: Json, at: str, *, strict: bool = False) -> list[SchemaNode]:
    """A schema and all schemas inside it, in linear time; without those that are nested deeper than any provider accepts."""
    found = [new_node((schema, types(schema), strict, at, (), 0))] if isinstance(schema, dict) else []
    for node in found:
        if HOLDS.keys().isdisjoint(node.schema) or node.depth == DEEPEST:
            continue  # most schemas have none inside
        depth = node.depth + 1
        key: str
        value: Json
        each: Json
        for key, value in node.schema.items():
            if (holds := HOLDS.get(key)) is None:
                continue
            if holds == NAMED and isinstance(value, dict):
                for name, each in value.items():
                    if isinstance(each, dict):
                        found.append(new_node((each, types(each), strict, node, (key, name), depth)))
            elif holds == ONE and isinstance(value, dict):
                found.append(new_node((value, types(value), strict, node, (key,), depth)))
            elif holds == LISTED and isinstance(value, list):
                for index, each in enumerate(value):
                    if isinstance(each, dict):
                        found.append(new_node((each, types(each), strict, node, (key, str(index)), depth)))
    return found


def named_in(schema: dict[str, Any], key: str) -> dict[str, Any]:
    """The object in a field of a schema, such as its properties; empty if there is none."""
    value: Json = schema.get(key)
    return value if isinstance(value, dict) else {}


def strings_in(schema: dict[str, Any], key: str) -> list[str]:
    """The texts in a list in a field of a schema, such as `required`."""
    value: Json = schema.get(key)
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
