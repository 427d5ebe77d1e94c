"""Schemas of what comes over the wire besides requests, of which `formats/<name>/schemas.py` has each format's."""

from typing import Any, NamedTuple

from pydantic import TypeAdapter


class Schemas(NamedTuple):
    """The JSON Schemas of what a provider sends."""

    response: Any
    chunk: Any
    shared: dict[str, Any]
    """The definitions that they refer to."""


def of_types(*adapters: TypeAdapter[Any]) -> tuple[list[Any], dict[str, Any]]:
    """The schemas of wire types, and the definitions that they refer to."""
    found, shared = TypeAdapter.json_schemas([(number, "validation", each) for number, each in enumerate(adapters)])
    return [found[number, "validation"] for number in range(len(adapters))], shared["$defs"]


def fields(**known: Any) -> dict[str, Any]:
    """The schema of an open object that has all of these fields."""
    return {"type": "object", "properties": known, "required": [*known], "additionalProperties": True}
