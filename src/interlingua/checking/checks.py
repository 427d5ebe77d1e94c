"""`check`: finds what a provider would refuse in a request, without sending it."""

from __future__ import annotations

from typing import Any

from ..codec import problems as checking
from ..codec.format import Format
from ..codec.ordering import dump_request
from ..conversion.json_text import parse
from ..conversion.requests import JSON_TEXT, exactly, request_of
from ..conversion.sdk_objects import unwrap
from ..errors import Problem
from ..formats import FormatName, format_of, new_dump
from ..model.base import Json, Model
from ..model.exchange import Conversation, Request
from ..model.messages import MessageBase


def check(value: Any, format: FormatName | Format) -> list[Problem]:
    """The reasons why the provider of a format would refuse a request; an empty list if none is known.

    `value` is either canonical or a body of the format. A `Request`, a `Conversation` or a list of messages is checked as the
    body that `dump` would write; the paths of its problems point into `request.to_dict()`, or into the list of the messages'
    dicts. A dict, JSON text or an SDK's object is checked as a body, or as a bare list of the format's messages; the paths
    point into it. Nothing is sent, and the rules do not depend on the name of the model. Raises `InvalidPayload` for text that
    is not JSON, and `UnknownFormat`.
    """
    format = format_of(format)
    if _is_canonical(value):
        return _check_canonical(value, format)
    body = parse(value) if isinstance(value, JSON_TEXT) else value
    found = _check_wire(body, format)
    # Looking for an SDK's objects takes longer than the rules, and the wire types refuse them.
    if checking.has_wrong_shape(found, format):
        unwrapped = unwrap(body)
        if unwrapped is not body:
            return _check_wire(unwrapped, format)
    return found


def _check_wire(body: Json, format: Format) -> list[Problem]:
    """What is found in a body, or in a bare list of its messages."""
    if not isinstance(body, list):
        return checking.problems(body, format)
    field = f"/{format.listed}"
    found = checking.problems({format.listed: body}, format)
    return [each._replace(path=each.path.removeprefix(field)) for each in found if each.path.startswith(field)]


def _is_canonical(value: Json) -> bool:
    if isinstance(value, Model):
        return True
    return isinstance(value, list | tuple) and any(isinstance(each, MessageBase) for each in value)


def _check_canonical(value: Any, format: Format) -> list[Problem]:
    whole = isinstance(value, Request)
    request = exactly(Request, value) if whole else request_of(value)
    d = new_dump(format, request.origin)
    body = dump_request(format, request, d)
    found = checking.of_dump(body, format, request, d.places, bare=not whole)
    cut = 0 if isinstance(value, Request | Conversation) else len("/messages")
    return [each._replace(path=each.path[cut:]) for each in found]
