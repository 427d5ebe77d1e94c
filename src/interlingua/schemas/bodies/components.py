"""The schemas of typed bodies: a component for each body and for each object in it, whose names begin with the format's.

Pydantic derives the name of a component from a reference in the core schema. The wire types of all formats have the same plain
names (`Request`, `Message`), so the references get the format's name here. A dialect has a component of its own for its bodies,
and those of its format for what is in them.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

from pydantic import GetJsonSchemaHandler, TypeAdapter
from pydantic_core import core_schema

from ...codec.format import Format
from ..json_schema import OWNERS, open_objects
from .strict import closed, component_name


def title(name: str) -> str:
    """The name of a format as the beginning of the names of classes: `openai_chat` is `OpenaiChat`."""
    return "".join(word.capitalize() for word in name.split("_"))


def names(format: str) -> tuple[str, str]:
    """The names of the types, and so of the components, of a format's requests and responses."""
    return f"{title(format)}Body", f"{title(format)}ResponseBody"


def describe(format: Format, handler: GetJsonSchemaHandler, *, response: bool) -> dict[str, Any]:
    """The JSON Schema of a body, whose parts are references to components that `handler` collects."""
    adapter = format.response_adapter if response else format.adapter
    if adapter is None:
        raise TypeError(f"{format.name} has no responses")
    body = dict(handler(_named(adapter(), title(OWNERS.get(format.name, format.name)))))
    kind = "response" if response else "request"
    of_request, of_response = names(format.name)
    name = of_response if response else of_request
    body |= {"title": name, "description": f"The body of a {kind} in the format {format.name}."}
    if not response and format.roles:
        _close_roles(body["properties"][format.listed], format)
    open_objects(body)
    return body


@cache
def _named(adapter: TypeAdapter[Any], prefix: str) -> core_schema.CoreSchema:
    """The core schema of a wire type, in which the names of all components but its own begin with the prefix."""

    def rename(reference: str) -> str:
        name = component_name(reference)
        module, _, id = reference.rpartition(f"{name}:")
        return f"{module}{prefix}{name.lstrip('_')}:{id}"

    named: Any = closed(cast("dict[str, Any]", adapter.core_schema), rename)
    whole = named["schema"] if named["type"] == "definitions" else named
    del whole["ref"]  # the body is a component of its class
    return cast("core_schema.CoreSchema", named)


def _close_roles(schema: dict[str, Any], format: Format) -> bool:
    """Let the messages of a schema have the format's roles alone; returns whether any message is left."""
    if "items" in schema:
        _close_roles(schema["items"], format)
    for key in schema.keys() & {"anyOf", "oneOf"}:
        schema[key] = [each for each in schema[key] if _close_roles(each, format)]
    fields = schema.get("properties", {})
    field = format.role_field
    roles = sorted(format.roles)
    role = fields.get(field)
    if role is None:
        others = schema.get("not", {}).get("anyOf", [])
        if any(field in each["properties"] for each in others):
            schema["not"] = {"anyOf": [*others, _other_role(field, roles)]}
    elif "not" in role:  # what is known by another role than the usual ones
        left = [each for each in roles if each not in role["not"]["enum"]]
        schema["properties"] = {**fields, field: {"type": "string", "enum": left}}
        return bool(left)
    return True


def _other_role(field: str, roles: list[str]) -> dict[str, Any]:
    """The schema of a message whose role is none of these, among items that need not be messages."""
    kind = {"enum": ["message", None]}
    return {"properties": {"type": kind, field: {"type": "string", "not": {"enum": roles}}}, "required": [field]}
