"""Makes the body that a template gets of a caller's request, and translates pointers into the body back to the request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from ...codec.format import Format
from ...codec.ordering import dump_request
from ...codec.problems import placing
from ...conversion.json_text import parse
from ...conversion.requests import JSON_TEXT, exactly, is_canonical, request_of
from ...conversion.sdk_objects import unwrap
from ...errors import Fault, InvalidPayload, faults_of
from ...formats import new_dump
from ...model.base import Json, copy_json
from ...model.exchange import Conversation, Request
from .rendering import Body

Place: TypeAlias = Callable[[str], str]
"""Translates a pointer into the body to a pointer into what the caller passed."""


def body_of(value: Any, format: Format) -> tuple[Body, Place]:
    """The body for a template (the value itself may be one), and the translation of pointers. Raises `InvalidPayload`."""
    if is_canonical(value):
        return _dumped(value, format)
    body: Json = parse(value) if isinstance(value, JSON_TEXT) else unwrap(value)
    listed = isinstance(body, list)
    wire: Json = {format.listed: body} if listed else body
    cut = len(f"/{format.listed}") if listed else 0
    try:
        format.adapter().validate_python(wire)
    except ValidationError as error:
        faults = faults_of(error, wire=True)
        raise InvalidPayload([fault._replace(path=fault.path[cut:]) for fault in faults]) from None
    return json_body(wire), lambda pointer: pointer[cut:]


def _dumped(value: Any, format: Format) -> tuple[Body, Place]:
    request = exactly(Request, value) if isinstance(value, Request) else request_of(value)
    d = new_dump(format, request.origin)
    body: Any = dump_request(format, request, d)
    origin = placing(body, format, request, d.places)
    cut = 0 if isinstance(value, Request | Conversation) else len("/messages")
    return body, lambda pointer: origin(pointer)[cut:]


def json_body(body: Any) -> Body:
    """A copy of a body as plain JSON, as templates get it. Raises `InvalidPayload` for other values and for deep nesting."""
    try:
        return dict(copy_json(body))
    except PydanticCustomError as error:
        raise InvalidPayload([Fault((error.context or {})["at"], error.message())]) from None
