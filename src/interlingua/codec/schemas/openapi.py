"""Adapts a schema to the subset of OpenAPI 3.0 that some models accept: the steps for dialects with `openapi`.

Each schema gets a single type, in capitals, or becomes a list of alternatives with nothing beside it. A referenced schema is
written in place of the reference, and the schemas in `allOf` are merged. Null is an alternative like any other until the last
step, which writes `nullable`. The amount that is written more than once is limited.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...errors.texts import unescape
from ...model.base import Json
from ...model.parts import to_json
from ..fields import Wire
from .cycles import resolve
from .inlining import Adapting, Origin
from .keywords import HOLDS, LISTED, NAMED, ONE, types
from .nodes import SchemaNode, new_node

_SHARED = ("title", "description", "default", "example")
"""Keywords of schemas of any type."""
_SHARED_KEYS = frozenset(_SHARED)
_OF_TYPE = {
    "object": ("properties", "required", "minProperties", "maxProperties", "propertyOrdering"),
    "array": ("items", "minItems", "maxItems"),
    "string": ("enum", "format", "minLength", "maxLength", "pattern"),
    "number": ("format", "minimum", "maximum"),
    "integer": ("format", "minimum", "maximum"),
    "boolean": (),
    "null": (),
}
"""Keywords that apply only to values of one type, so that a schema of another type can leave them out."""
_IN_WORDS = frozenset(
    "exclusiveMinimum exclusiveMaximum multipleOf uniqueItems minContains maxContains dependentRequired format examples"
    " contentEncoding contentMediaType".split()
)
"""Refused keywords that are short, and that help a model when they are put in words."""


# Merging


def gather(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Merge a schema with what it refers to and with what its `allOf` lists, into `out`."""
    inlining = a.inlining
    inlining.or_null = inlining.takes_null(node.schema)
    inlining.entered = {id(node.schema)} - inlining.open
    out.clear()
    origins: dict[str, Origin] = {}
    seen = {id(node.schema)}
    waiting: list[tuple[Wire, SchemaNode]] = [(node.schema, node)]
    while waiting:
        schema, place = waiting.pop()
        part = dict(schema)
        a.origins = dict(inlining.origins_of(schema))
        a.mend(part, place)
        more = list(_inner_nodes(part, place, seen, a))
        _as_json_schema(part, place, a)
        _absorb(out, part, place, origins, a)
        waiting += reversed(more)
        if not waiting and "anyOf" in out:
            a.origins = origins
            waiting += _simpler(out, node, a)
    inlining.entered |= seen - inlining.open
    a.origins = origins
    if node.root and inlining.or_null and a.dialect.object_root:
        a.report("changed", node, "", "the schema must be of type object; sent without null")
        inlining.or_null = False


def _inner_nodes(part: Wire, place: SchemaNode, seen: set[int], a: Adapting) -> Iterator[tuple[Wire, SchemaNode]]:
    """Remove `$ref` and `allOf` from a schema; yields the schemas in them, which must be satisfied, too."""
    if isinstance(ref := part.pop("$ref", None), str):
        found = resolve(a.root, ref)
        named = new_node(({}, (), False, "", tuple(map(unescape, ref.split("/")[1:])), 0))
        if found is None:
            a.report("dropped", place, "$ref", "the schema that this reference names must be inside this one")
        elif id(found) in seen:
            pass  # it is merged already
        elif id(found) in a.inlining.open:
            a.report("dropped", place, "$ref", "a reference is replaced by the schema that it names, except inside that schema")
            yield _outline(found, place, a), named
        elif not a.inlining.spend(found):
            a.report("dropped", place, "$ref", "a reference is replaced by the schema that it names, unless that is too large")
            yield _outline(found, place, a), named
        else:
            seen.add(id(found))
            yield found, named
    listed: list[Json] = part.pop("allOf", [])
    for i, each in enumerate(listed):
        if isinstance(each, dict):
            yield each, a.moved.get(id(each)) or new_node((each, (), False, place, ("allOf", str(i)), 0))
        elif each is False:
            a.report("dropped", place, "allOf", "a schema must not forbid every value")


def _outline(schema: Wire, place: SchemaNode, a: Adapting) -> Wire:
    """The title, description and type of a schema that `place` refers to, without the schemas inside it."""
    out: Wire = {key: schema[key] for key in ("title", "description") if key in schema}
    if not a.inlining.spend(out):
        out = {}
    kind: Json = schema.get("type", "object" if "properties" in schema else None)
    if kind is not None:
        out["type"] = kind
    return a.inlining.made(out, {"type": (place, "$ref")})


def _as_json_schema(part: Wire, place: SchemaNode, a: Adapting) -> None:
    """Write a schema in JSON Schema's usual form: `type` as a list, null as a type, `enum` for `const`, `anyOf` for `oneOf`."""
    kinds = types(part)
    if part.pop("nullable", None) is True:
        if kinds:
            kinds = (*kinds, "null")
        if "enum" in part:
            part["enum"] = [*part["enum"], None]
        if "anyOf" in part:
            part["anyOf"] = [*part["anyOf"], {"type": "null"}]
    if kinds:
        part["type"] = list(dict.fromkeys(kinds))
    if "const" in part:
        value: Json = part.pop("const")
        wanted = to_json(value)
        if "enum" not in part or wanted in map(to_json, part["enum"]):
            part["enum"] = [value]
            a.origins.setdefault("enum", (place, "const"))
    if "oneOf" in part:
        alternatives: list[Json] = part.pop("oneOf")
        if "anyOf" in part:
            a.report("dropped", place, "oneOf", "`oneOf` must have no `anyOf` beside it")
            return
        if len(alternatives) > 1:
            a.report("changed", place, "oneOf", "`oneOf` is refused; sent as `anyOf`, which allows more than one to match")
        part["anyOf"] = alternatives
        a.origins.setdefault("anyOf", (place, "oneOf"))


def _absorb(out: Wire, part: Wire, place: SchemaNode, origins: dict[str, Origin], a: Adapting) -> None:
    """Merge another schema that must be satisfied; what one schema cannot express of both is left out."""
    key: str
    value: Json
    for key, value in part.items():
        origin = a.origins.get(key, (place, key))
        _note_places(key, value, origin, a)
        if key not in out:
            out[key] = value
            origins[key] = origin
        elif (both := _both(key, out[key], value, a)) is not None:
            out[key] = both
        else:
            a.report("dropped", place, key, "two schemas that must both hold are merged, and the other has this keyword too")


def _note_places(key: str, value: Json, origin: Origin, a: Adapting) -> None:
    """Record where the schemas in a keyword were."""
    place, keyword = origin
    holds = HOLDS.get(key)
    name: str
    each: Json
    if holds == NAMED and isinstance(value, dict):
        for name, each in value.items():
            if isinstance(each, dict):
                a.moved.setdefault(id(each), new_node((each, (), False, place, (keyword, name), 0)))
    elif holds == LISTED and isinstance(value, list):
        for i, each in enumerate(value):
            if isinstance(each, dict):
                a.moved.setdefault(id(each), new_node((each, (), False, place, (keyword, str(i)), 0)))
    elif holds == ONE and isinstance(value, dict):
        a.moved.setdefault(id(value), new_node((value, (), False, place, (keyword,), 0)))


_LEAST = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_MOST = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})


def _both(key: str, one: Any, other: Any, a: Adapting) -> Any:
    """The value of a keyword that means the same as two values together; None if no value does."""
    if key == "type":
        return _both_types(one, other) or None
    if key in _LEAST:
        return max(one, other)
    if key in _MOST:
        return min(one, other)
    if key == "required":
        return list(dict.fromkeys([*one, *other]))
    if key == "properties":
        return one | {name: _both_schemas(one[name], each, a) if name in one else each for name, each in other.items()}
    if key == "items":
        return _both_schemas(one, other, a)
    if key == "description" and one != other:
        return f"{one}\n\n{other}"
    if key == "enum":
        known = {*map(to_json, other)}
        return [value for value in one if to_json(value) in known] or None
    return one if to_json(one) == to_json(other) else None


def _both_types(one: Iterable[str], other: Iterable[str]) -> list[str]:
    """The types that both lists allow: an integer is a number, too."""
    first, second = ({*kinds, "integer"} if "number" in kinds else {*kinds} for kinds in (one, other))
    both = [kind for kind in (*one, *other) if kind in first and kind in second]
    return list(dict.fromkeys(both))


def _both_schemas(one: Json, other: Json, a: Adapting) -> Json:
    if not isinstance(one, dict) or not isinstance(other, dict):
        return other if one is True else one
    made = {"allOf": [one, other]}
    a.moved[id(made)] = a.moved[id(one)]._replace(schema=made)
    return made


def _simpler(out: Wire, node: SchemaNode, a: Adapting) -> list[tuple[Wire, SchemaNode]]:
    """Remove null and the impossible ones from the alternatives; if only one is left, it is returned, to be merged."""
    listed: list[Json] = out["anyOf"]
    kinds: list[str] | None = out.get("type")
    values: list[Json] | None = out.get("enum")
    left: list[Wire] = []
    for each in listed:
        if each is True or each == {}:
            del out["anyOf"]  # any value satisfies it
            return []
        if not isinstance(each, dict):
            continue
        if _is_null(each):
            a.inlining.or_null |= (kinds is None or "null" in kinds) and (values is None or None in values)
            _report_null(each, a.moved[id(each)], a)
        elif kinds is None or not types(each) or _both_types(kinds, types(each)):
            left.append(each)
    out["anyOf"] = left
    if len(left) > 1:
        return []
    del out["anyOf"]
    if not left:
        if not a.inlining.or_null:
            a.report("dropped", node, "anyOf", "at least one of the alternatives must be possible")
        else:
            out["type"] = ["null"]
            a.origins.setdefault("type", a.origins["anyOf"])
    return [(each, a.moved[id(each)]) for each in left]


def _is_null(schema: Wire) -> bool:
    """Whether null alone satisfies a schema."""
    return types(schema) == ("null",) or ("const" in schema and schema["const"] is None) or schema.get("enum") == [None]


def _report_null(schema: Wire, place: SchemaNode, a: Adapting) -> None:
    """Report the title, description and the like of an alternative that is null."""
    if not _SHARED_KEYS.isdisjoint(schema):
        a.report("dropped", place, "", "null is sent as `nullable`, without the rest of its schema")


def tidy(made: Wire, node: SchemaNode, a: Adapting) -> Wire:
    """A schema whose alternatives are adapted; alternatives that turn out to be only null become `nullable` in the others."""
    listed: list[Wire] = made.get("anyOf", [])
    others = [each for each in listed if each.get("type") != "NULL"]
    if len(others) == len(listed):
        return made
    for each in listed:
        if each.get("type") == "NULL":
            _report_null(each, node, a)
    if not others:
        return {"type": "NULL"}
    for each in others:
        _make_nullable(each)
    return others[0] if len(others) == 1 else {"anyOf": others}


def _make_nullable(made: Wire) -> None:
    for each in made.get("anyOf", ()):
        _make_nullable(each)
    if "anyOf" not in made:
        made["nullable"] = True


# What is refused


def reduce(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Leave out refused keywords, or put them in words."""
    for key in [key for key in out if not a.dialect.takes(key, out[key])]:
        value: Json = out[key]
        if key in ("$defs", "definitions") or _says_nothing(key, value):
            del out[key]
        elif key == "prefixItems":
            _reduce_tuple(out, node, a)
        elif key in _IN_WORDS:
            a.put_in_words(out, key, node)
        else:
            a.report("dropped", node, key, "this schema must not have this keyword")
            del out[key]
    if "enum" in out and "anyOf" not in out:  # otherwise each alternative gets it, and reduces it
        _reduce_enum(out, node, a)


def _says_nothing(key: str, value: Json) -> bool:
    if key in ("additionalProperties", "unevaluatedProperties", "unevaluatedItems", "patternProperties"):
        return value is True or value == {}
    return key == "uniqueItems" and value is False


def _reduce_tuple(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Let each item of an array be what any of the listed items may be."""
    listed: list[Json] = out.pop("prefixItems")
    a.report("changed", node, "prefixItems", "`prefixItems` is refused; sent as `items` that accept any of its schemas")
    rest: Json = out.get("items")
    if isinstance(rest, dict) and rest:
        listed = [*listed, rest]
    distinct = [*{to_json(each): each for each in listed}.values()]
    made = distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
    if isinstance(made, dict) and id(made) not in a.moved:
        a.moved[id(made)] = node._replace(schema=made)
    out["items"] = made
    a.origins["items"] = a.origins.get("prefixItems", (node, "prefixItems"))


_CLASSES: dict[type, tuple[str, ...]] = {
    str: ("string",),
    bool: ("boolean",),
    int: ("integer", "number"),
    dict: ("object",),
    list: ("array",),
}


def _types_of(value: Json) -> tuple[str, ...]:
    if value is None:
        return ("null",)
    if isinstance(value, float):
        return ("integer", "number") if value.is_integer() else ("number",)
    return _CLASSES[type(value)]


def _reduce_enum(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Keep the allowed values that are texts; put the others in words."""
    values: list[Json] = out["enum"]
    kinds: list[str] | None = out.get("type")
    kept = [value for value in values if kinds is None or not {*kinds}.isdisjoint(_types_of(value))]
    if not kept:
        a.report("dropped", node, "enum", "a value in `enum` must be of the type of the schema")
        del out["enum"]
        return
    found = [_types_of(value) for value in kept]
    if kinds is None:
        out["type"] = list(dict.fromkeys(each[-1] for each in found))
    else:
        out["type"] = [kind for kind in kinds if any(kind in each for each in found)]
    texts = [value for value in kept if isinstance(value, str)]
    del out["enum"]
    if len(texts) + kept.count(None) < len(kept):
        a.put_in_words(out, "enum", node, kept)
    if texts:
        out["enum"] = texts


# Types


def shape(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Give a schema a single type, or nothing but alternatives."""
    if "anyOf" in out:
        _share_out(out, node, a)
        return
    kinds = _kinds(out, node, a)
    may_be_null = "null" in kinds or a.inlining.or_null
    implied = {"null", "integer"} if "number" in kinds else {"null"}  # every integer is a number
    kinds = [kind for kind in kinds if kind not in implied] or ["null"]
    if len(kinds) > 1:
        branches = [_of_kind(out, kind) for kind in kinds]
        for branch in branches:
            if may_be_null:
                branch["type"] = [branch["type"], "null"]
            a.moved[id(branch)] = node._replace(schema=a.inlining.made(branch, a.origins))
        out.clear()
        out["anyOf"] = branches
        return
    made = _of_kind(out, kinds[0])
    out.clear()
    out.update(made)
    out["type"] = kinds[0].upper()
    if may_be_null and kinds != ["null"]:
        out["nullable"] = True
    _complete(out, node, a)


def _of_kind(schema: Wire, kind: str) -> Wire:
    """The keywords of a schema that apply to values of one type."""
    return {"type": kind} | {key: schema[key] for key in (*_SHARED, *_OF_TYPE[kind]) if key in schema}


def _kinds(out: Wire, node: SchemaNode, a: Adapting) -> list[str]:
    """The types of a schema; without any, the first type that one of its keywords applies to."""
    found: list[str] | str = out.get("type", [])
    if found:
        return [found] if isinstance(found, str) else found
    kind = next((kind for kind in _OF_TYPE if not out.keys().isdisjoint(_OF_TYPE[kind])), "string")
    a.report("changed", node, "", f"each schema must have a type; sent as one of type {kind}")
    return [kind]


def _share_out(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Move the keywords beside alternatives into each alternative."""
    branches: list[Wire] = out.pop("anyOf")
    rest = dict(out)
    out.clear()
    inlining = a.inlining
    if rest and not inlining.spend(rest, len(branches)):
        for key in rest:
            a.report("dropped", node, key, "keywords beside alternatives are moved into them, unless that becomes too large")
        rest = {}
    if rest or inlining.or_null:
        inlining.made(rest, a.origins)
        a.moved[id(rest)] = node._replace(schema=rest)
        for i, branch in enumerate(branches):
            made: Wire = {"allOf": [branch, rest] if rest else [branch]}
            a.moved[id(made)] = a.moved[id(branch)]._replace(schema=made)
            branches[i] = inlining.made(made, {}, or_null=inlining.or_null)
    out["anyOf"] = branches


def _complete(out: Wire, node: SchemaNode, a: Adapting) -> None:
    """Give an array its `items`, and remove names without a property from `required`."""
    if out["type"] == "ARRAY" and not isinstance(out.get("items"), dict):
        if out.get("items") is False:
            a.report("dropped", node, "items", "a schema must not forbid every value")
        made: Wire = {}
        out["items"] = made
        a.moved[id(made)] = node._replace(schema=made)
    if out["type"] != "OBJECT":
        return
    properties: Wire = out.get("properties", {})
    if not all(isinstance(each, dict) for each in properties.values()):
        out["properties"] = properties = {
            name: each if isinstance(each, dict) else _of_any(name, each, node, a) for name, each in properties.items()
        }
    if "required" in out:
        kept = [name for name in dict.fromkeys(out["required"]) if name in properties]
        if len(kept) < len({*out["required"]}):
            a.report("changed", node, "required", "a property in `required` must be defined in `properties`: sent without it")
        out["required"] = kept


def _of_any(name: str, value: Json, node: SchemaNode, a: Adapting) -> Wire:
    """A schema in place of `true` or `false`."""
    made: Wire = {}
    place, keyword = a.origins.get("properties", (node, "properties"))
    a.moved[id(made)] = here = new_node((made, (), False, place, (keyword, name), 0))
    if value is False:
        a.report("dropped", here, "", "a schema must not forbid every value")
    return made
