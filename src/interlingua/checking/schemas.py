"""What providers refuse in the JSON Schemas of tools and structured answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import escape
from ..model.base import Json

_IN_ONE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")
_IN_LIST = ("anyOf", "oneOf", "allOf", "prefixItems")
_IN_OBJECT = ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas")


def nodes(schema: Json, at: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema in a schema, itself first, each with its pointer; in linear time, however deep."""
    waiting: list[tuple[str, Json]] = [(at, schema)]
    while waiting:
        pointer, node = waiting.pop()
        if not isinstance(node, dict):
            continue
        yield pointer, node
        key: str
        value: Json
        for key, value in node.items():
            waiting += _within(key, value, f"{pointer}/{escape(key)}")


def _within(key: str, value: Json, at: str) -> list[tuple[str, Json]]:
    """The schemas that a schema's keyword holds."""
    if key in _IN_ONE:
        return [(at, value)]
    listed: list[Json] = value if key in _IN_LIST and isinstance(value, list) else []
    named: dict[str, Json] = value if key in _IN_OBJECT and isinstance(value, dict) else {}
    return [
        *((f"{at}/{index}", each) for index, each in enumerate(listed)),
        *((f"{at}/{escape(name)}", each) for name, each in named.items()),
    ]
