"""What providers refuse in the JSON Schemas of tools and structured answers.

`tool_nodes` and `output_nodes` list all schemas inside the schemas of a view, once for all rules. Each of the other functions
finds one kind of fault in such a list. Types are compared in lower case, because some providers write them in capitals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from ...errors import escape
from ...model.base import Json
from ..limits import Totals
from ..schemas.cycles import Cycles
from ..schemas.dialects import Dialect
from ..schemas.keywords import ANNOTATIONS, CHECKS, HOLDS, LISTED, NAMED, OLDER, ONE, SWITCHES
from ..schemas.nodes import SchemaNode, named_in, nodes, strings_in
from ..schemas.sizes import over, too_large, total_of

if TYPE_CHECKING:
    from .view import Found, SchemaView


def tool_nodes(view: SchemaView) -> list[SchemaNode]:
    """All schemas in the schemas of the tools."""
    if view.tool_nodes is None:
        view.tool_nodes = [node for tool in view.tools for node in nodes(tool.schema, tool.schema_at, strict=tool.strict)]
    return view.tool_nodes


def output_nodes(view: SchemaView) -> list[SchemaNode]:
    """All schemas in the schemas of structured answers."""
    if view.output_nodes is None:
        view.output_nodes = [node for each in view.outputs for node in nodes(each.schema, each.at, strict=each.strict)]
    return view.output_nodes


def all_nodes(view: SchemaView) -> list[SchemaNode]:
    """All schemas in the view."""
    return [*tool_nodes(view), *output_nodes(view)]


def strict_nodes(view: SchemaView) -> list[SchemaNode]:
    """All schemas that are strict, so that the model's output must follow them."""
    if view.strict_nodes is None:
        view.strict_nodes = [node for node in all_nodes(view) if node.strict]
    return view.strict_nodes


# Roots


def other_roots(found: Iterable[SchemaNode], *, untyped: bool = True) -> Found:
    """The root schemas that are not of type object; with `untyped`, also those without a type."""
    for node in found:
        is_allowed = node.types == ("object",) if node.types else not untyped
        if node.root and not is_allowed:
            yield node.at, "the schema must be of type object"


def combined_roots(found: Iterable[SchemaNode], keywords: Collection[str]) -> Found:
    """The keywords that must not be at the root of a schema."""
    for node in found:
        if node.root:
            for keyword in keywords:
                if keyword in node.schema:
                    yield f"{node.at}/{keyword}", f"`{keyword}` must not be at the root of the schema: put it into a property"


# Objects and arrays


def arrays_without_items(found: Iterable[SchemaNode]) -> Found:
    """The arrays without `items`."""
    for node in found:
        if "array" in node.types and node.schema.get("items") is None:
            yield node.at, "the schema of an array must have `items`"


def objects_without_properties(found: Iterable[SchemaNode], *, empty: bool = True) -> Found:
    """The objects without `properties`, or with `empty` ones."""
    for node in found:
        schema = node.schema
        if "object" in node.types and (not schema.get("properties") if empty else "properties" not in schema):
            yield node.at, "the schema of an object must have `properties`"


def undefined_required(found: Iterable[SchemaNode]) -> Found:
    """The required properties that are not defined."""
    for node in found:
        if "required" not in node.schema:
            continue
        defined = named_in(node.schema, "properties")
        for index, name in enumerate(strings_in(node.schema, "required")):
            if name not in defined:
                yield f"{node.at}/required/{index}", "a property in `required` must be defined in `properties`"


# Strict schemas


def open_objects(found: Iterable[SchemaNode]) -> Found:
    """The objects that do not forbid additional properties."""
    for node in found:
        if "object" in node.types and node.schema.get("additionalProperties") is not False:
            yield node.at, "each object in a strict schema must have `additionalProperties: false`"


def optional_properties(found: Iterable[SchemaNode]) -> Found:
    """The objects with properties that are not required."""
    for node in found:
        if "properties" in node.schema and "object" in node.types:
            missing = len(named_in(node.schema, "properties").keys() - strings_in(node.schema, "required"))
            if missing:
                yield node.at, f"a strict schema must require every property; missing from `required`: {missing}"


def not_taken(found: Iterable[SchemaNode], dialect: Dialect) -> Found:
    """The keywords that a dialect refuses, always or with this value."""
    looked_at = dialect.refused | dialect.values.keys()
    for node in found:
        if looked_at.isdisjoint(node.schema):
            continue
        for key, value in node.schema.items():
            if key in dialect.refused:
                yield f"{node.at}/{key}", f"this schema must not have `{key}`: leave it out"
            elif not dialect.takes(key, value):
                yield f"{node.at}/{key}", f"this schema must not have this value of `{key}`: leave it out"


def accepting_anything(found: Iterable[SchemaNode]) -> Found:
    """The schemas that say nothing of a value: `{}`, annotations alone, and `true` and `false` inside a schema."""
    why = "a schema inside a strict schema must be an object with a `type`, not `true` or `false`"
    for node in found:
        if node.schema.keys() <= ANNOTATIONS:
            yield node.at, "a strict schema must say which types a value may have: give a `type`"
        for key in [key for key in node.schema if key in HOLDS]:
            yield from ((f"{node.at}/{at}", why) for at in _booleans(node.schema[key], key))


def _booleans(value: Json, key: str) -> list[str]:
    """The pointers of `true` and `false` among the schemas of a keyword, in the schema that has it."""
    if isinstance(value, bool):
        return [key] if HOLDS[key] == ONE and key not in SWITCHES else []
    if HOLDS[key] == LISTED and isinstance(value, list):
        return [f"{key}/{i}" for i, each in enumerate(value) if isinstance(each, bool)]
    if HOLDS[key] == NAMED and isinstance(value, dict):
        return [f"{key}/{escape(str(name))}" for name, each in value.items() if isinstance(each, bool)]
    return []


def references_with_siblings(found: Iterable[SchemaNode]) -> Found:
    """The references that have other keywords beside them."""
    for node in found:
        if "$ref" in node.schema and len(node.schema) > 1 and not node.root:
            yield node.at, "`$ref` in a strict schema must have no other keyword beside it"


def over_total(view: SchemaView, most: Totals) -> Found:
    """The first strict schema with which those of the request exceed a total; answers count first, as in conversions."""
    used = Totals()
    answers = [(each.schema, each.at) for each in view.outputs if each.strict]
    for schema, at in (*answers, *((tool.schema, tool.schema_at) for tool in view.tools if tool.strict)):
        used = used.plus(total_of(schema))
        found = over(used, most)
        if found is not None:
            yield at, found
            return


def strict_schemas(view: SchemaView) -> list[tuple[Any, str]]:
    """The strict schemas of tools and answers, each with its pointer."""
    whole = [(tool.schema, tool.schema_at) for tool in view.tools if tool.strict]
    return [*whole, *((each.schema, each.at) for each in view.outputs if each.strict)]


def recursive(view: SchemaView) -> Found:
    """The references by which strict schemas refer to themselves."""
    for schema, at in strict_schemas(view):
        found = [node for node in nodes(schema, at) if isinstance(node.schema.get("$ref"), str)]
        cycles = Cycles(schema) if found else None
        for node in found:
            if cycles is not None and cycles.leads_back(node.schema["$ref"], node.at[len(at) :]):
                yield f"{node.at}/$ref", "a strict schema must not refer to itself: send it without `strict`, or make it flat"


def oversized(view: SchemaView, dialect: Dialect) -> Found:
    """The strict schemas that exceed a limit of the dialect."""
    for schema, at in strict_schemas(view):
        found = None if dialect.limits is None else too_large(nodes(schema, at), dialect.limits)
        if found is not None:
            yield at, found


# Malformed schemas


def malformed(found: Iterable[SchemaNode], *, older: bool) -> Found:
    """The keywords whose values JSON Schema does not allow; with `older`, the spellings of older drafts are allowed."""
    checks = OLDER if older else CHECKS
    for node in found:
        key: str
        value: Json
        for key, value in node.schema.items():
            check = checks.get(key)
            if check is not None and not check(value):
                yield f"{node.at}/{key}", f"JSON Schema does not allow this value of `{key}`"
