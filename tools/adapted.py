"""Prints, for each target, what becomes of schemas: how many are tried, refused as they stand, and adapted, and what is lost.

`python tools/adapted.py [PATH ...]` tries models of pydantic with many kinds of fields, odd schemas in the style of Zod and MCP
servers, those of the tools and answers in recorded traffic (`*.requests.jsonl` in a folder), and those in a file with a schema
a line: what `z.toJSONSchema` gives, or the tools of MCP servers. Beside ours stands what the transformation of the provider's
official client makes of the same schemas.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import IPv4Address
from pathlib import Path
from types import GenericAlias
from typing import Annotated, Any, Literal
from uuid import UUID

from anthropic import transform_schema
from google.genai import _transformers as google, types
from openai.lib import _pydantic as openai
from pydantic import AnyUrl, Base64Bytes, BaseModel, Field, RootModel, ValidationError, create_model

import interlingua as il
from interlingua.codec.rules.view import SchemaView, ToolDefinition
from interlingua.codec.schemas.nodes import nodes

OLDER = il.format_for(il.GeminiProfile(openapi_schemas=True), "gemini_older")
"""Gemini with schemas in Google's subset of OpenAPI."""
TARGETS: tuple[il.Format, ...] = (
    *map(il.format_of, ("openai_chat", "anthropic", "gemini", "bedrock_converse", "cohere")),
    OLDER,
)


class Tree(BaseModel):
    value: Annotated[int, Field(ge=0, lt=10, multiple_of=2)]
    left: Tree | None = None
    rest: list[Tree] = []


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: Annotated[int, Field(le=9)] = 9


class Dog(BaseModel):
    kind: Literal["dog"]
    tags: Annotated[set[str], Field(max_length=3)] = set()


class Pets(RootModel[Annotated[Cat | Dog, Field(discriminator="kind")]]):
    pass


class Odd(BaseModel):
    pair: tuple[int, str]
    counts: dict[str, int] = {}
    pets: list[Annotated[Cat | Dog, Field(discriminator="kind")]]
    anything: Any = None
    mail: Annotated[str, Field(pattern="^.+@.+$", min_length=3)]


FIELDS: tuple[Any, ...] = (
    *(str, int, float, bool, bytes, Any, object, Decimal, UUID, AnyUrl, Base64Bytes, IPv4Address),
    *(date, datetime, time, timedelta, list[str], set[int], frozenset[str], dict[str, int], dict[str, Any], dict[int, str]),
    *(
        tuple[int, str],
        tuple[int, ...],
        tuple[()],
        str | int,
        int | None,
        list[int | None],
        Literal["a"],
        Literal["a", 2],
    ),
    *(Cat, list[Cat], dict[str, Cat], Cat | Dog, Cat | None, Tree, list[Tree], Odd, Pets),
    *(Annotated[str, Field(min_length=1, max_length=9)], Annotated[str, Field(pattern="^a+$")]),
    *(Annotated[int, Field(ge=0, le=9)], Annotated[float, Field(gt=0, lt=1)], Annotated[int, Field(multiple_of=5)]),
    *(Annotated[list[str], Field(min_length=1, max_length=3)], Annotated[list[Cat], Field(min_length=2)]),
    *(
        Annotated[Cat | Dog, Field(discriminator="kind")],
        Annotated[Cat, Field(description="The cat.", examples=[{"kind": "cat"}])],
    ),
)
"""Types of fields, each of which is tried required, with a default, and in a list of objects."""


def of_fields() -> Iterator[dict[str, Any]]:
    """Schemas of models that have such a field."""
    for number, field in enumerate(FIELDS):
        required = create_model(f"Required{number}", value=(field, ...), other=(int, 3))
        yield required.model_json_schema()
        optional: Any = field | None
        yield create_model(f"Optional{number}", value=(optional, None), name=(str, ...)).model_json_schema()
        many: Any = GenericAlias(list, (required,))
        yield create_model(f"Listed{number}", items=(many, Field(description="All."))).model_json_schema()


OWN: list[dict[str, Any]] = [
    *of_fields(),
    *(each.model_json_schema() for each in (Tree, Cat, Dog, Pets, Odd)),
    {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "additionalProperties": False},
    {"type": "object", "properties": {"at": {"type": "number", "exclusiveMinimum": True, "minimum": 0}}},
    {"type": "object", "properties": {"a": {"$ref": "#/properties/b"}, "b": {"type": ["string", "null"], "enum": ["x", None]}}},
    {"type": "object", "properties": {"all": {"allOf": [{"type": "string"}, {"minLength": 1}]}, "list": {"type": "array"}}},
    {"anyOf": [{"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}, {"type": "object"}]},
    {"type": "object", "properties": {"id": {}}, "oneOf": [{"required": ["id"]}, {"not": {"required": ["id"]}}]},
    {"type": "object", "patternProperties": {"^x-": {"type": "string"}}, "properties": {"u": {"uniqueItems": True}}},
]


def recorded(folder: Path) -> Iterator[dict[str, Any]]:
    """The schemas of functions and answers in recorded requests."""
    for path in sorted(folder.glob("*.requests.jsonl")):
        name: Any = path.name.removesuffix(".requests.jsonl")
        if name not in il.FORMATS:
            continue
        for line in path.read_text().splitlines():
            try:
                request = il.load(json.loads(line)["body"], name)
            except (il.InterlinguaError, KeyError):
                continue
            yield from (tool.parameters for tool in request.tools or () if isinstance(tool, il.Tool) and tool.parameters)
            if request.response_format is not None and request.response_format.json_schema:
                yield request.response_format.json_schema


def listed(file: Path) -> Iterator[dict[str, Any]]:
    """The schemas in a file, one a line."""
    yield from map(json.loads, file.read_text().splitlines())


def _of_openai(schema: dict[str, Any]) -> dict[str, Any]:
    make: Any = vars(openai)["_ensure_strict_json_schema"]  # which `to_strict_json_schema` calls with the schema of a model
    made: dict[str, Any] = make(schema, path=(), root=schema)
    return made


def _of_google(schema: dict[str, Any]) -> dict[str, Any]:
    google.process_schema(schema, None)
    return schema


CLIENTS: dict[tuple[str, bool], Callable[[dict[str, Any]], dict[str, Any]]] = {
    ("openai_chat", True): _of_openai,
    ("anthropic", True): transform_schema,
    (OLDER.name, False): _of_google,
}
"""What the official clients make of schemas."""


def by_client(schema: dict[str, Any], target: il.Format, *, strict: bool) -> bool | None:
    """Whether what the client makes of a schema is refused, or the client fails; None where it has no transformation."""
    transform = CLIENTS.get((target.name, strict))
    if transform is None:
        return None
    try:
        made = transform(deepcopy(schema))
    except (ValueError, TypeError, KeyError, AttributeError, AssertionError, RecursionError):
        return True
    return refused(made, target, strict=strict)


def refused(schema: dict[str, Any], target: il.Format, *, strict: bool) -> bool:
    """Whether a rule about schemas finds something in the schema of a tool; Gemini's rules are about Google's subset."""
    if target.rules is None or target.name == "gemini":
        return False
    seen = SchemaView({}, [ToolDefinition("", "f", "", schema, "", strict or target is OLDER, {})])
    return any(True for _, find in target.rules(target).about_schemas for _ in find(seen))


def kinds(target: il.Format) -> tuple[bool, ...]:
    """Whether schemas are strict, where the target tells such apart."""
    return (False,) if target.name in ("gemini", OLDER.name, "cohere") else (False, True)


def table(schemas: list[dict[str, Any]]) -> Iterator[str]:
    """The table, a line at a time."""
    yield f"{len(schemas)} schemas, {sum(len(nodes(each, '')) for each in schemas)} with those inside them"
    yield "| target | strict | refused before | adapted | refused after | refused after the client's | strict given up | lost |"
    yield "|---|---|---|---|---|---|---|---|"
    for target in TARGETS:
        for strict in kinds(target):
            made = [il.adapt_schema(each, target, strict=strict) for each in schemas]
            before = sum(refused(each, target, strict=strict) for each in schemas)
            after = sum(refused(each.schema, target, strict=each.strict) for each in made)
            changed = sum(new.schema != old for new, old in zip(made, schemas, strict=True))
            lost = Counter(loss.path.rpartition("/")[2] for each in made for loss in each.losses if loss.kind == "changed")
            words = ", ".join(f"{name} {count}" for name, count in lost.most_common() if name in _KEYWORDS)
            given_up = sum(each.strict != strict for each in made)
            clients = [by_client(each, target, strict=strict) for each in schemas]
            theirs = "–" if None in clients else clients.count(True)
            yield f"| {target.name} | {strict} | {before} | {changed} | {after} | {theirs} | {given_up} | {words} |"


def subset(schemas: list[dict[str, Any]]) -> Iterator[str]:
    """How many schemas google-genai's `Schema` takes, and what is lost for Google's subset of OpenAPI."""
    made = [il.adapt_schema(each, OLDER) for each in schemas]
    before, after = sum(map(is_schema, schemas)), sum(is_schema(each.schema) for each in made)
    yield f"google-genai's `Schema` takes {before} as they stand, {after} adapted"
    for kind in ("changed", "dropped"):
        lost = Counter(loss.path.rpartition("/")[2] for each in made for loss in each.losses if loss.kind == kind)
        yield f"{kind}: " + ", ".join(f"{name} {count}" for name, count in lost.most_common() if name in _KEYWORDS)
    yield f"without loss: {sum(not each.losses for each in made)}"


def is_schema(schema: dict[str, Any]) -> bool:
    """Whether google-genai takes a schema of its own kind."""
    try:
        types.Schema.model_validate(schema)
    except (ValidationError, AttributeError):  # its type may be a list, of which the client asks what a text has
        return False
    return True


_KEYWORDS = frozenset(
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf maxItems minItems uniqueItems oneOf anyOf allOf not format"
    " prefixItems additionalProperties propertyNames items type required patternProperties $ref const minProperties enum"
    " if then else $schema $id contains discriminator dependentRequired examples title default contentMediaType".split()
)

if __name__ == "__main__":
    paths = [Path(each) for each in sys.argv[1:]]
    found = [*OWN, *(each for path in paths for each in (recorded if path.is_dir() else listed)(path))]
    tried = [*{json.dumps(each): each for each in found}.values()]
    print(*table(tried), *subset(tried), sep="\n")
