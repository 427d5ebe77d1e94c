"""What a typed body refuses: everything that `load` refuses, and two probable mistakes that `load` keeps.

`load` keeps what it does not know, so that nothing is lost that a provider accepted. A typed body also checks:

- the roles of messages: a role must be one of the format's `roles`;
- the spelling of fields: in an object that the wire types know, an unknown field must not be one slip away from a known field
  that the object lacks.

Everything else that is unknown passes: new types of parts and of tools, and new fields, also in known parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, NamedTuple, TypeAlias, cast

from pydantic import TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel
from pydantic_core import InitErrorDetails, PydanticCustomError, SchemaValidator, core_schema

from ...codec import problems as checking
from ...codec.format import Format
from ...conversion.requests import load
from ...errors import InvalidPayload, faults_of
from ...errors.meant import misspelled
from ...model.base import Json
from ...model.exchange import Request


class Refusal(NamedTuple):
    """One reason to refuse a body: its kind, a JSON Pointer into the body, and what is wrong there."""

    code: str
    path: str
    reason: str


def read(body: Json, format: Format, *, checked: bool) -> Request | list[Refusal]:
    """The request that a body is, or why it is refused: with `checked`, also for what `check` calls an error."""
    found = [*_wire_faults(body, format), *_unknown_roles(body, format)]
    if found:
        return found
    try:
        request = load(body, format)
    except InvalidPayload as error:
        return [Refusal("invalid", path, reason) for path, reason in error.faults]
    problems = checking.problems(body, format) if checked else []
    refused = [Refusal(each.code, each.path, each.message) for each in problems if each.severity == "error"]
    return refused or request


def _wire_faults(body: Json, format: Format) -> list[Refusal]:
    try:
        _validator(format.adapter()).validate_python(body)
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False, include_input=False)
        return [Refusal(detail["type"], *fault) for detail, fault in zip(details, faults_of(error, wire=True), strict=True)]
    return []


def _unknown_roles(body: Json, format: Format) -> Iterator[Refusal]:
    messages: Json = body.get(format.listed) if isinstance(body, dict) else None
    if not isinstance(messages, list) or not format.roles:
        return
    for i, each in enumerate(messages):
        message: Json = each
        if not isinstance(message, dict) or message.get("type") not in (None, "message"):
            continue
        role = message.get(format.role_field)
        if role is not None and role not in format.roles:
            known = ", ".join(sorted(format.roles))
            yield Refusal("unknown_role", f"/{format.listed}/{i}/{format.role_field}", f"unknown role; must be one of {known}")


Schema: TypeAlias = dict[str, Any]


@cache
def _validator(adapter: TypeAdapter[Any]) -> SchemaValidator:
    return SchemaValidator(closed(cast("Schema", adapter.core_schema)))


def closed(schema: Schema, rename: Callable[[str], str] | None = None) -> Any:
    """The core schema of a wire type, in which misspelled fields are faults.

    For a document, `rename` gives the references other names. Of a field that Google takes in two spellings, a document has the
    one of Google's reference: generators of clients make one name of both.
    """
    made: Any = {key: _closed_part(key, value, rename) for key, value in schema.items()}
    if made["type"] != "typed-dict":
        return made
    fields = made["fields"]
    reference = made.pop("ref", None)
    metadata: dict[str, Any] = {}
    if rename is not None:
        made["fields"] = {
            name: field for name, field in fields.items() if to_camel(name) == name or to_camel(name) not in fields
        }
        # The title of a component is its name: some generators name classes after the one, and some after the other.
        metadata = {"pydantic_js_updates": {"title": component_name(reference)}} if reference is not None else {}
    spelled = partial(_spelled, frozenset(fields))
    return core_schema.no_info_after_validator_function(spelled, made, ref=reference, metadata=metadata)


def component_name(reference: str) -> str:
    """The name of the component that pydantic makes of a reference: `module.Name:id`."""
    return reference.rpartition(":")[0].rpartition(".")[2]


def _closed_part(key: str, value: Json, rename: Callable[[str], str] | None) -> Any:
    """What a core schema has under one of its keys, which may be other core schemas."""
    if key in ("ref", "schema_ref") and isinstance(value, str):
        return value if rename is None else rename(value)
    if key in ("fields", "choices") and isinstance(value, dict):
        return {name: closed(each, rename) for name, each in value.items()}
    if key in ("definitions", "choices", "items_schema") and isinstance(value, list):
        return [closed(each, rename) for each in value]
    return closed(value, rename) if key.endswith("schema") and isinstance(value, dict) else value


def _spelled(known: frozenset[str], value: dict[str, Any]) -> dict[str, Any]:
    """The object itself; raises pydantic's `ValidationError` where a field is misspelled."""
    if value.keys() <= known:
        return value
    absent = known.difference(value)
    found = [(key, misspelled(key, absent)) for key in sorted(value.keys() - known)]
    lines = [line("misspelled", (key,), f"unknown field: did you mean {meant}?") for key, meant in found if meant is not None]
    if lines:
        raise ValidationError.from_exception_data("object", lines)
    return value


def line(code: str, place: tuple[str | int, ...], reason: str) -> InitErrorDetails:
    """One error of pydantic's. Its `input` is empty, because a body may hold secrets and images."""
    arguments: Any = (code, reason)  # pydantic's types demand literals, because it fills values in; these have none
    return {"type": PydanticCustomError(*arguments), "loc": place, "input": None}
