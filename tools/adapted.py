"""Prints, for each target, what becomes of schemas: how many are tried, refused as they stand, and adapted, and what is lost.

`python tools/adapted.py [FOLDER]` tries odd models of pydantic, schemas in the style of Zod and MCP servers, and those of the
tools in recorded traffic (`*.requests.jsonl` in the folder).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, RootModel

import interlingua as il
from interlingua.codec.rules.schemas import nodes
from interlingua.codec.rules.view import SchemaView, ToolDefinition

TARGETS: tuple[il.FormatName, ...] = ("openai_chat", "anthropic", "gemini", "bedrock_converse", "cohere")


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


OWN: list[dict[str, Any]] = [
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
    """The schemas of functions in recorded requests, each once."""
    seen: set[str] = set()
    for path in sorted(folder.glob("*.requests.jsonl")):
        name: Any = path.name.removesuffix(".requests.jsonl")
        if name not in il.FORMATS:
            continue
        for line in path.read_text().splitlines():
            try:
                request = il.load(json.loads(line)["body"], name)
            except (il.InterlinguaError, KeyError):
                continue
            for tool in request.tools or ():
                if isinstance(tool, il.Tool) and tool.parameters and (text := json.dumps(tool.parameters)) not in seen:
                    seen.add(text)
                    yield tool.parameters


def refused(schema: dict[str, Any], target: il.FormatName, *, strict: bool) -> bool:
    """Whether a rule about schemas finds something in the schema of a tool."""
    format = il.format_of(target)
    if format.rules is None or target == "gemini":
        return False
    seen = SchemaView({}, [ToolDefinition("", "f", "", schema, "", strict, {})])
    return any(True for _, find in format.rules(format).about_schemas for _ in find(seen))


def table(schemas: list[dict[str, Any]]) -> Iterator[str]:
    """The table, a line at a time."""
    yield f"{len(schemas)} schemas, {sum(len(nodes(each, '')) for each in schemas)} with those inside them"
    yield "| target | strict | refused before | adapted | refused after | strict given up | lost |"
    yield "|---|---|---|---|---|---|---|"
    for target in TARGETS:
        for strict in (False, True):
            made = [il.adapt_schema(each, target, strict=strict) for each in schemas]
            before = sum(refused(each, target, strict=strict) for each in schemas)
            after = sum(refused(each.schema, target, strict=each.strict) for each in made)
            changed = sum(new.schema != old for new, old in zip(made, schemas, strict=True))
            lost = Counter(loss.path.rpartition("/")[2] for each in made for loss in each.losses if loss.kind == "changed")
            words = ", ".join(f"{name} {count}" for name, count in lost.most_common() if name in _KEYWORDS)
            given_up = sum(each.strict != strict for each in made)
            yield f"| {target} | {strict} | {before} | {changed} | {after} | {given_up} | {words} |"


_KEYWORDS = frozenset(
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf maxItems minItems uniqueItems oneOf anyOf allOf not format"
    " prefixItems additionalProperties propertyNames items type".split()
)

if __name__ == "__main__":
    found = [*OWN, *(each for folder in sys.argv[1:] for each in recorded(Path(folder)))]
    print(*table(found), sep="\n")
