"""JSON Schema 2020-12 of the canonical models and of every format's request, for other languages.

The schema accepts a document exactly when this package accepts it, except for the rules in `UNCHECKED`, which it does not
express. Each schema is self-contained: what it refers to is in its `$defs`, under the names that the classes have in Python.
The TypeScript types are made of the canonical schemas.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from ..errors import UnknownFormat
from ..formats import FORMATS
from ..model import events, exchange, messages, parts
from ..model.base import MAX_DEPTH, Json
from ..model.exchange import VERSION
from .typescript import declarations

_DEFS = "#/$defs/"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

UNCHECKED: Mapping[str, str] = {
    "valid-text": "texts and keys have no lone surrogates",
    "depth": f"free JSON nests at most {MAX_DEPTH} levels deep; on the wire, up to two of them are the objects around it",
    "whole-number": "an integer is written without a fraction and without an exponent: 2.0 is not one",
    "finite": "a number is within the range of a double",
    "digits": "an integer is at most 4300 characters long",
    "one-spelling": "an assistant's tool calls are in tool_calls, or among the parts of content, and not in both",
}
"""The rules that no schema here expresses, by name: JSON Schema cannot, but for the last, which would need the keyword `not`.

Generators of clients do not take that keyword; pydantic's own schema of an `AssistantMessage` has it.
"""

_KINDS: Mapping[str, Any] = {
    "message": messages.Message,
    "part": parts.Part,
    "tool": exchange.AnyTool,
    "request": exchange.Request,
    "response": exchange.Response,
    "event": events.Event,
    "conversation": exchange.Conversation,
}

OWNERS = {name: next(each for each in FORMATS if FORMATS[each].dump is FORMATS[name].dump) for name in FORMATS}
"""For each format, the format that its schema is named after: dialects accept the same requests."""

KINDS = (*_KINDS, *dict.fromkeys(OWNERS.values()))
"""The names of all schemas: the canonical kinds, and one format of each wire shape, whose schema its dialects share."""


def json_schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of a kind in `KINDS`; a dialect has its format's schema. Raises `UnknownFormat` for any other name."""
    if type(kind) is not str or (kind not in _KINDS and kind not in FORMATS):
        raise UnknownFormat(kind, (*_KINDS, *FORMATS))
    if kind in _KINDS:
        name = canonical(kind).__name__
        definitions = _canonical()
        description = definitions[name].get("description")
    else:
        kind = OWNERS.get(kind, kind)
        name = "Request"
        definitions = _of_format(kind)
        dialects = [each for each, owner in OWNERS.items() if owner == kind != each]
        shared = f", and in its dialects ({', '.join(dialects)}), which take the same" if dialects else ""
        description = f"The body of a request in the format {kind}{shared}. A bare list, which `load` accepts too, is not one."
    schema = {
        "$schema": DIALECT,
        "$id": f"urn:interlingua:v{VERSION}:{kind}",
        "$comment": "Rules beyond this schema: " + "; ".join(f"{name}: {rule}" for name, rule in UNCHECKED.items()) + ".",
        "title": name if kind in _KINDS else kind,
        "description": description,
        "$ref": _DEFS + name,
        "$defs": {each: definitions[each] for each in sorted(_reached(name, definitions))},
    }
    copied: dict[str, Any] = json.loads(json.dumps(schema))
    return copied


def canonical(kind: str) -> Any:
    """The Python type of a canonical kind: a class, or a union with its discriminator."""
    return _KINDS[kind]


class _Generator(GenerateJsonSchema):
    """Leaves out what adds nothing to a schema: titles of fields, nulls as defaults, mappings of local names."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 -- pydantic's own signature
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        found = super().default_schema(schema)
        # Absent and null differ, so null is no default.
        return {key: value for key, value in found.items() if key != "default" or value is not None}

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        found = super().tagged_union_schema(schema)
        if "discriminator" in found:
            found["discriminator"] = {"propertyName": found["discriminator"]["propertyName"]}
            found["type"] = "object"
        return found


def _generate(kinds: Iterator[tuple[str, TypeAdapter[Any]]]) -> tuple[dict[str, Any], dict[str, Any]]:
    found, shared = TypeAdapter.json_schemas(
        [(name, "validation", adapter) for name, adapter in kinds], schema_generator=_Generator
    )
    return {name: schema for (name, _), schema in found.items()}, shared["$defs"]


@cache
def _canonical() -> dict[str, Any]:
    definitions = _generate((kind, TypeAdapter(of)) for kind, of in _KINDS.items())[1]
    del definitions["AssistantMessage"]["not"]  # the rule `one-spelling`
    return definitions


def _of_format(name: str) -> dict[str, Any]:
    found, definitions = _generate(iter([(name, FORMATS[name].adapter())]))
    request = definitions.pop(found[name]["$ref"].removeprefix(_DEFS))
    made = {"Request": {**request, "title": "Request"}, **definitions}
    open_objects(made)
    return made


def open_objects(schema: Json) -> None:
    """Say of each object that is known by what it is not that it may have any fields.

    Generators of clients do not take the keyword `not`, and read such a schema as that of an object without fields.
    """
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "not" in schema:
            schema.setdefault("additionalProperties", True)
        for value in schema.values():
            open_objects(value)
    elif isinstance(schema, list):
        for item in schema:
            open_objects(item)


def _reached(name: str, definitions: Mapping[str, Any]) -> set[str]:
    """The names that a definition needs, including its own."""
    seen: set[str] = set()
    ahead = [name]
    while ahead:
        name = ahead.pop()
        if name not in seen:
            seen.add(name)
            ahead += _references(definitions[name])
    return seen


def _references(schema: Json) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].removeprefix(_DEFS)
        for value in schema.values():
            yield from _references(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _references(item)


# Files

_TYPESCRIPT = "typescript/interlingua.d.ts"


def files(kinds: tuple[str, ...] = KINDS) -> dict[str, str]:
    """The text of each schema by the name of its file, and of the TypeScript types where all kinds are asked for."""
    names = {kind: f"{kind}.json" if kind in _KINDS else f"formats/{OWNERS.get(kind, kind)}.json" for kind in kinds}
    texts = {name: json.dumps(json_schema(kind), indent=2, ensure_ascii=False) + "\n" for kind, name in names.items()}
    if kinds == KINDS:
        texts[_TYPESCRIPT] = declarations(_canonical())
    return texts


def write(folder: Path, kinds: tuple[str, ...] = KINDS) -> None:
    """Write the schemas, and the TypeScript types with all of them. Raises `OSError`."""
    for name, text in files(kinds).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:  # which names no file where the disk is full
            raise OSError(error.errno, error.strerror, str(path)) from None


def stale(folder: Path, kinds: tuple[str, ...] = KINDS) -> list[str]:
    """The names of the files that are missing, outdated, or of no kind. Raises `OSError`."""
    expected = files(kinds)
    known = (*folder.glob("*.json"), *folder.glob("formats/*.json"), *folder.glob(_TYPESCRIPT))
    there = {path.relative_to(folder).as_posix() for path in known}
    surplus = there - expected.keys() if kinds == KINDS else set[str]()
    changed = {
        name
        for name in there & expected.keys()
        if (folder / name).read_text(encoding="utf-8", errors="replace") != expected[name]
    }
    return sorted(expected.keys() - there | changed | surplus)
