"""`openapi`: an OpenAPI document with a format's bodies, for frameworks that do not get it from pydantic."""

from __future__ import annotations

import copy
from importlib.metadata import version as version_of
from typing import Any, Literal

from pydantic import TypeAdapter

from ...codec.format import Format
from ...errors import UnknownFormat
from ...formats import FormatName, format_of
from ...model.base import Json
from .typed import request_body, response_body

VERSIONS = {"3.0": "3.0.3", "3.1": "3.1.0"}
"""The versions of OpenAPI, as a document names them."""

_FAULT = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "reason": {"type": "string"}},
    "required": ["path", "reason"],
    "additionalProperties": False,
}
ERROR = {
    "title": "ErrorBody",
    "description": "What is wrong with a request, as `error_body` says it: `more` counts the faults that are not listed.",
    "type": "object",
    "properties": {"errors": {"type": "array", "items": _FAULT}, "more": {"type": "integer", "minimum": 0}},
    "required": ["errors"],
    "additionalProperties": False,
}


def openapi(format: FormatName | Format, version: Literal["3.0", "3.1"] = "3.1") -> dict[str, Any]:
    """An OpenAPI document with the components of a format: its requests, its responses if it has any, and `ErrorBody`.

    The names are those of the typed bodies, the format's and `Body`. `ErrorBody` is what `error_body` makes of faults. Raises
    `UnknownFormat`, also for a format with bytes, and `ValueError` for another version.
    """
    if type(version) is not str or version not in VERSIONS:
        raise ValueError(f"version must be one of {', '.join(VERSIONS)}")
    format = format_of(format)
    if format.json_form is not None:
        raise UnknownFormat(format.name, lacks="JSON bodies")
    bodies = [request_body(format)] if format.load_response is None else [request_body(format), response_body(format)]
    adapters: Any = [(body.__name__, "validation", TypeAdapter(body)) for body in bodies]
    _, shared = TypeAdapter.json_schemas(adapters, ref_template="#/components/schemas/{model}")
    schemas = {**shared["$defs"], "ErrorBody": ERROR}
    schemas = {name: schemas[name] if version == "3.1" else older(schemas[name]) for name in sorted(schemas)}
    return {
        "openapi": VERSIONS[version],
        "info": {"title": f"Bodies in the format {format.name}", "version": version_of("interlingua")},
        "paths": {},
        "components": {"schemas": copy.deepcopy(schemas)},
    }


NULL = {"type": "object", "nullable": True, "enum": [None]}
"""The schema of null in OpenAPI 3.0, which has no such type."""


def older(schema: Json) -> Any:
    """A JSON Schema as OpenAPI 3.0 has it: without a type of null, constants, and schemas that are true or false."""
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "null":
        return NULL
    made: dict[str, Any] = {"enum" if key == "const" else key: _older_part(key, value) for key, value in schema.items()}
    for key in ("anyOf", "oneOf"):
        if NULL in made.get(key, ()):
            made = _nullable(made, key)
    return made


def _older_part(key: str, value: Json) -> Any:
    if key == "const":
        return [value]
    if key == "properties" and isinstance(value, dict):
        return {name: older(each) for name, each in value.items()}
    if key in ("anyOf", "oneOf") and isinstance(value, list):
        return [older(each) for each in value]
    is_schema = key in ("items", "not") or (key == "additionalProperties" and isinstance(value, dict))
    return older(value) if is_schema else value


def _nullable(union: dict[str, Any], key: str) -> dict[str, Any]:
    """A union whose null is a mark of a member that has a type; where none has, null stays a member."""
    members = [each for each in union[key] if each != NULL]
    typed = next((i for i, each in enumerate(members) if "type" in each), None)
    if typed is None:
        return union
    marked: dict[str, Any] = {**members[typed], "nullable": True}
    if "enum" in marked:
        values: list[Any] = marked["enum"]
        marked["enum"] = [*values, None]
    members[typed] = marked
    if len(members) > 1:
        return {**union, key: members}
    return {**marked, **{name: value for name, value in union.items() if name != key}}
