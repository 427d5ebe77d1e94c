"""`check`: finds what a provider would refuse in a request, without sending it."""

from __future__ import annotations

from typing import Any

from ..codec import problems as checking
from ..codec.format import Format
from ..codec.ordering import dump_request
from ..conversion.json_text import parse
from ..conversion.requests import JSON_TEXT, body_of, exactly, is_canonical, request_of, written_for
from ..conversion.sdk_objects import unwrap
from ..errors import Problem
from ..formats import TEMPLATED, FormatName, format_of, format_to_read, new_dump
from ..model.base import Json
from ..model.exchange import Conversation, Request


def check(value: Any, format: FormatName | Format, *, template: str | None = None) -> list[Problem]:
    """The reasons why the provider of a format would refuse a request; an empty list if none is known.

    `value` is either canonical or a body of the format. A `Request`, a `Conversation` or a list of messages is checked as the
    body that `dump` would write; the paths of its problems point into `request.to_dict()`, or into the list of the messages'
    dicts. A dict, JSON text or an SDK's object is checked as a body, or as a bare list of the format's messages; the paths
    point into it. Nothing is sent, and the rules do not depend on the name of the model.

    `template` is the chat template of a model, for the format that chat templates take. The request is rendered with it, which
    needs the extra `templates`, and what the template refuses, drops or prints wrongly is reported as well.

    Raises `InvalidPayload` for text that is not JSON, `UnknownFormat`, and `BrokenTemplate` for a template that is not Jinja or
    exceeds a limit.
    """
    format = format_of(format)
    if template is not None and not format.rendered:
        raise ValueError(f"template must be None for {format.name}: only {TEMPLATED} is rendered by chat templates")
    if is_canonical(value):
        return _check_canonical(value, written_for(value, format), template)
    body = parse(value) if isinstance(value, JSON_TEXT) else value
    if format.choice is not None:
        format = format_to_read(format, body_of(body))
    found = _check_wire(body, format, template)
    # Looking for an SDK's objects takes longer than the rules, and the wire types refuse them.
    if checking.has_wrong_shape(found, format):
        unwrapped = unwrap(body)
        if unwrapped is not body:
            return _check_wire(unwrapped, format, template)
    return found


def _check_wire(body: Json, format: Format, template: str | None) -> list[Problem]:
    """What is found in a body, or in a bare list of its messages."""
    if not isinstance(body, list):
        return _check_body(body, format, template)
    field = f"/{format.listed}"
    found = _check_body({format.listed: body}, format, template)
    return [each._replace(path=each.path.removeprefix(field)) for each in found if each.path.startswith(field)]


def _check_body(body: Json, format: Format, template: str | None) -> list[Problem]:
    found = checking.problems(body, format)
    if template is None or checking.has_wrong_shape(found, format):
        return found
    return [*found, *_of_template(body, template)]


def _of_template(body: Any, template: str) -> list[Problem]:
    from .templates.bodies import json_body  # noqa: PLC0415 -- imported when a template is given
    from .templates.found import template_problems  # noqa: PLC0415 -- likewise

    return template_problems(json_body(body), template)


def _check_canonical(value: Any, format: Format, template: str | None) -> list[Problem]:
    whole = isinstance(value, Request)
    request = exactly(Request, value) if whole else request_of(value)
    d = new_dump(format, request.origin)
    body = dump_request(format, request, d)
    also = [] if template is None else _of_template(body, template)
    found = checking.of_dump(body, format, request, d.places, bare=not whole, also=also)
    cut = 0 if isinstance(value, Request | Conversation) else len("/messages")
    return [each._replace(path=each.path[cut:]) for each in found]
