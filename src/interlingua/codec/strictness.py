"""Functions without `strict`: some providers make them strict, others do not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..model.base import Json
from .fields import Wire
from .schemas.dialects import Dialect
from .schemas.nodes import SchemaNode, nodes


def may_be_strict(schema: Wire, dialect: Dialect) -> bool:
    """Whether a provider can make a schema strict, because it has nothing that strict schemas must not have."""
    return not any(_is_open(node) or _is_loose(node.schema, dialect) for node in nodes(schema, ""))


def _is_open(node: SchemaNode) -> bool:
    """Whether a schema expressly allows properties that it does not name; an inner object without `properties` does, too."""
    others = node.schema.get("additionalProperties")
    names_none = node.depth > 0 and "object" in node.types and "properties" not in node.schema
    return isinstance(others, dict) or (names_none and others is not False)


def _is_loose(schema: Wire, dialect: Dialect) -> bool:
    """Whether a schema has a keyword that no strict schema has; an `allOf` of one schema does not count, as it is merged."""
    loose = [key for key in schema if key in dialect.loosened_by]
    parts: Json = schema["allOf"] if loose == ["allOf"] else None
    is_merged = type(parts) is list and len(parts) == 1
    return bool(loose) and not is_merged


def no_longer_strict(tool: Any, path: str, d: Any) -> Iterator[tuple[str, str]]:
    """What to report of a function that only its own provider makes strict: the pointer and the detail.

    `d` is the `Dump`, which this module cannot import.
    """
    if tool.type != "function" or tool.strict is not None or not tool.parameters:
        return
    if not loses_strict(d):
        return
    dialects = d.source.known_dialects
    if dialects is None or may_be_strict(tool.parameters, dialects.of("tool", strict=True)):
        yield path, f"{d.source.name} treats a function without `strict` as strict, and {d.target.name} does not: set `strict`"


def loses_strict(d: Any) -> bool:
    """Whether the functions come from a provider that makes them strict, and the caller collects losses."""
    return d.source is not None and d.source.makes_strict and not d.same_family and d.collect_losses


def reporting(tools: Sequence[Any], d: Any) -> Iterable[tuple[str, Any]]:
    """The tools with their pointers. A tool that loses `strict` is reported after the caller has written it."""
    placed = [(f"/tools/{i}", tool) for i, tool in enumerate(tools)]
    return _reporting(placed, d) if loses_strict(d) else placed


def _reporting(tools: Iterable[tuple[str, Any]], d: Any) -> Iterator[tuple[str, Any]]:
    for path, tool in tools:
        yield path, tool
        for _, detail in no_longer_strict(tool, path, d):
            at = next(reversed(d.places), None)
            d.report("changed", path, at if at is not None and d.places[at] == path else None, detail)
