"""JSON Schema 2020-12 of the canonical models and of every format's request, for other languages.

The schema accepts a document exactly when this package accepts it, except for the rules in `UNSAID`, which JSON Schema cannot
express. Each schema is self-contained: what it refers to is in its `$defs`, under the names that the classes have in Python.
"""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from .errors import UnknownFormat
from .formats import FORMATS
from .model import events, exchange, messages, parts
from .model.base import MAX_DEPTH, Json, Model
from .model.exchange import VERSION

_DEFS = "#/$defs/"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

UNSAID: Mapping[str, str] = {
    "valid-text": "texts and keys have no lone surrogates",
    "depth": f"free JSON nests at most {MAX_DEPTH} levels deep; on the wire, up to two of them are the objects around it",
    "whole-number": "an integer is written without a fraction and without an exponent: 2.0 is not one",
    "finite": "a number is within the range of a double",
    "digits": "an integer is at most 4300 characters long",
}
"""The rules that JSON Schema cannot express, by name."""


class _Kind(NamedTuple):
    title: str
    of: Any
    description: str | None = None


_UNIONS = (
    _Kind("Message", messages.Message, "Any message; its role says which."),
    _Kind("Part", parts.Part, "Any part; its type says which."),
    _Kind("ResultContentPart", parts.ResultContentPart, "A part of a tool's result."),
    _Kind("ThinkingBlock", parts.ThinkingBlock, "Reasoning, readable or not."),
    _Kind("Source", parts.Source, "Where media are."),
    _Kind("AnyTool", exchange.AnyTool, "Any tool."),
    _Kind("Event", events.Event, "Any event of a stream; its type says which."),
)
"""The unions that have a name in `$defs`."""

_KINDS = {
    "message": "Message",
    "part": "Part",
    "tool": "AnyTool",
    "request": "Request",
    "response": "Response",
    "event": "Event",
    "conversation": "Conversation",
}
_MODELS = tuple(_Kind(model.__name__, model) for model in (exchange.Request, exchange.Response, exchange.Conversation))

KINDS = (*_KINDS, *FORMATS)
"""What has a schema: the canonical kinds, and each format's request under the name of the format."""


def json_schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of one of `KINDS`. Raises `UnknownFormat` for any other."""
    if kind not in KINDS:
        raise UnknownFormat(kind, KINDS)
    if kind in _KINDS:
        name, definitions = _KINDS[kind], _canonical()
        description = definitions[name].get("description")
    else:
        name, definitions = "Request", _of_format(kind)
        description = f"The body of a request in the format {kind}. A bare list, which `load` accepts too, is not one."
    schema = {
        "$schema": DIALECT,
        "$id": f"urn:interlingua:v{VERSION}:{kind}",
        "$comment": "Rules beyond this schema: " + "; ".join(f"{name}: {rule}" for name, rule in UNSAID.items()) + ".",
        "title": name if kind in _KINDS else kind,
        "description": description,
        "$ref": _DEFS + name,
        "$defs": {each: definitions[each] for each in sorted(_reached(name, definitions))},
    }
    copied: dict[str, Any] = json.loads(json.dumps(schema))
    return copied


def canonical(kind: str) -> Any:
    """The Python type of a canonical kind: a class, or a union with its discriminator."""
    name = _KINDS[kind]
    return next(each.of for each in (*_UNIONS, *_MODELS) if each.title == name)


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
    _, definitions = _generate((kind.title, TypeAdapter(kind.of)) for kind in (*_UNIONS, *_MODELS))
    for name, fields in _field_docs().items():
        properties = definitions.get(name, {}).get("properties", {})
        for field in fields.keys() & properties.keys():
            properties[field] = {**properties[field], "description": fields[field]}
    for kind in _UNIONS:
        definitions[kind.title] = {"title": kind.title, "description": kind.description, **definitions[kind.title]}
    return definitions


def _of_format(name: str) -> dict[str, Any]:
    found, definitions = _generate(iter([(name, FORMATS[name].adapter())]))
    request = definitions.pop(found[name]["$ref"].removeprefix(_DEFS))
    return {"Request": {**request, "title": "Request"}, **definitions}


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


def _field_docs() -> dict[str, dict[str, str]]:
    """The docstrings under the fields of each model; read on request, where pydantic would read them at every import."""
    written: dict[str, dict[str, str]] = {}
    for module in (parts, messages, exchange, events):
        try:
            source = inspect.getsource(module)
        except OSError:  # installed without its source: the fields go without
            continue
        classes = (node for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
        written |= {node.name: dict(_docs_in(node)) for node in classes}
    found: dict[str, dict[str, str]] = {}
    for model in _models(Model):
        found[model.__name__] = {}
        for base in reversed(model.__mro__):
            found[model.__name__] |= written.get(base.__name__, {})
    return found


def _docs_in(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """The fields of a class that have a docstring under them, and its text on one line."""
    for field, doc in pairwise(node.body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(doc, ast.Expr):
            text = doc.value.value if isinstance(doc.value, ast.Constant) else None
            if isinstance(text, str):
                yield field.target.id, " ".join(text.split())


def _models(base: type[Model]) -> Iterator[type[Model]]:
    for model in base.__subclasses__():
        if model.__module__.partition(".")[0] == __package__:
            yield model
            yield from _models(model)


# Files


def files(kinds: tuple[str, ...] = KINDS) -> dict[str, str]:
    """The text of each schema by the name of its file."""
    names = {kind: f"{kind}.json" if kind in _KINDS else f"formats/{kind}.json" for kind in kinds}
    return {name: json.dumps(json_schema(kind), indent=2, ensure_ascii=False) + "\n" for kind, name in names.items()}


def write(folder: Path, kinds: tuple[str, ...] = KINDS) -> None:
    """Write the schemas. Raises `OSError`."""
    for name, text in files(kinds).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def stale(folder: Path, kinds: tuple[str, ...] = KINDS) -> list[str]:
    """The names of the files that are missing, outdated, or of no kind. Raises `OSError`."""
    expected = files(kinds)
    there = {path.relative_to(folder).as_posix() for path in (*folder.glob("*.json"), *folder.glob("formats/*.json"))}
    surplus = there - expected.keys() if kinds == KINDS else set[str]()
    changed = {
        name
        for name in there & expected.keys()
        if (folder / name).read_text(encoding="utf-8", errors="replace") != expected[name]
    }
    return sorted(expected.keys() - there | changed | surplus)
