"""TypeScript types of JSON Schemas, for the keywords that the schemas of this package use."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]

_NAMES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def declarations(definitions: Mapping[str, Schema]) -> str:
    """The text of a module that exports a type for each definition, under its name."""
    return "\n".join(["// Made of the JSON Schemas; do not edit.", *_lines(definitions), ""])


def _lines(definitions: Mapping[str, Schema]) -> Iterator[str]:
    for name, schema in definitions.items():
        yield ""
        yield from _comment(schema, "")
        if "properties" in schema or (schema.get("type") == "object" and "oneOf" not in schema):
            yield f"export interface {name} {_type(schema, '')}"
        else:
            yield f"export type {name} = {_type(schema, '')};"


def _comment(schema: Schema, indent: str) -> Iterator[str]:
    text = schema.get("description")
    if text:
        lines = text.replace("*/", "* /").splitlines()
        if len(lines) == 1:
            yield f"{indent}/** {lines[0]} */"
        else:
            yield f"{indent}/**"
            yield from (f"{indent} * {line}".rstrip() for line in lines)
            yield f"{indent} */"


def _type(schema: Schema, indent: str) -> str:
    """The type of the values of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        return " | ".join(_type(choice, indent) for choice in choices)
    if schema.get("type") == "array":
        item = _type(schema["items"], indent)
        return f"({item})[]" if " | " in item else f"{item}[]"
    if schema.get("type") == "object":
        return _object(schema, indent)
    return _NAMES[schema["type"]] if "type" in schema else "unknown"


def _object(schema: Schema, indent: str) -> str:
    inner = indent + "  "
    lines = ["{"]
    for name, field in schema.get("properties", {}).items():
        lines += _comment(field, inner)
        lines.append(f"{inner}{name}{'' if name in schema.get('required', ()) else '?'}: {_type(field, inner)};")
    match schema.get("additionalProperties", True):
        case False:
            pass
        case True:
            lines.append(f"{inner}[key: string]: unknown;")
        case values:
            lines.append(f"{inner}[key: string]: {_type(values, inner)};")
    return "\n".join([*lines, indent + "}"])
