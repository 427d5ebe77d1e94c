"""Error bodies: what a provider, or a proxy before it, sends instead of a response.

Their shapes differ more between hosts than between formats, so all are read here: an object `error`, text in its place, a list
of errors, an object named after an exception, the error's fields at the top, and any of these inside one another.
"""

from __future__ import annotations

from typing import Any

from ..errors import ProviderError
from ..model.base import Json
from ..model.parts import to_json

_HOLDERS = ("error", "Error", "errors", "detail", "fault")
_EXCEPTION = "Exception"
"""How the names of exceptions end (AWS event streams: `throttlingException`)."""
_MESSAGE = ("message", "Message", "error", "detail", "msg", "error_message", "errorMessage", "faultstring", "title")
_SIGNS = ("message", "Message", "error_message", "errorMessage", "error_code", "errorCode", "__type")
_TYPE = ("type", "status", "error_type", "errorType", "__type", "Code")
_CODE = ("code", "error_code", "errorCode")
_STATUS = ("status", "status_code", "statusCode", "code", "HTTPStatusCode")
_LEVELS = 4
"""How many objects inside one another are searched."""
_NO_ERROR = frozenset({"model", "messages", "role", "content", "choices", "chat_history"})
"""Fields of requests, messages and responses that may have a text `message` too."""


def is_error(body: Any) -> bool:
    """Whether a body that is not a response reports an error."""
    wire: Json = body
    if type(wire) is list:
        first: Json = wire[0] if wire else None
        return type(first) is dict and type(first.get("error")) is dict
    if type(wire) is not dict:
        return False
    if wire.get("error") not in (None, False) or "error" in (wire.get("type"), wire.get("object")):
        return True
    delta: Json = wire.get("delta")
    if type(delta) is dict and type(delta.get("error")) is str:
        return True
    if not wire.keys().isdisjoint(_NO_ERROR):
        return False
    if _exception(wire) is not None or any(type(wire.get(key)) is str for key in _SIGNS):
        return True
    return any(_says_something(wire.get(key)) for key in _HOLDERS)


def _says_something(held: Json) -> bool:
    """Whether the value of a field that may hold an error is text, or holds a message, a type or a code."""
    if type(held) is list and held:
        held = held[0]
    if type(held) is str:
        return held != ""
    if type(held) is not dict:
        return False
    error = read_error(held)
    return (error.message, error.type, error.code) != ("", None, None)


def read_error(body: Any, *, status: int | None = None, origin: str | None = None) -> ProviderError:
    """The error that a body reports, as far as it can be read; `status` is the HTTP status, if it is known."""
    owners = _owners(body)
    named = next(filter(None, map(_exception, owners)), None)
    message = _first(owners, _MESSAGE, str) or (body if type(body) is str else "")
    kind = _first([owner for owner in owners if owner is not body or owner.get("type") != "error"], _TYPE, str) or named
    code = _first(owners, _CODE, str, int)
    found: list[Json] = [owner[key] for owner in owners for key in _STATUS if key in owner]
    statuses = [number for value in found if (number := _http_status(value)) is not None]
    return ProviderError(
        _unread(owners) if not message and kind is None and code is None else message,
        type=kind,
        code=code,
        status=next(iter(statuses), None) if status is None or 200 <= status < 300 else status,
        body=body,
        origin=origin,
    )


def _unread(owners: list[dict[str, Any]]) -> str:
    """The value of the innermost field that holds an error, as text; empty where it is empty, or only says that it is one."""
    for owner in owners:
        for key in _HOLDERS:
            held: Json = owner.get(key)
            if type(held) is list and len(held) == 1:
                [held] = held
            if type(held) is str:
                return held
            if _has_value(held):
                return to_json(held)
    return ""


def _has_value(held: Json) -> bool:
    """Whether a value is a number, or holds anything that is not empty."""
    if type(held) is dict:
        return any(value not in (None, "", [], {}) for value in held.values())
    return bool(held) and type(held) is not bool


def _owners(body: Any, levels: int = _LEVELS) -> list[dict[str, Any]]:
    """The objects that the fields of an error may be in, the innermost first."""
    owners: list[dict[str, Any]] = []
    value: Json = body
    for level in range(levels):
        if type(value) is list:
            first: Json = value[0] if value else None
            value = first
        if type(value) is not dict:
            break
        owners.insert(0, value)
        answer: Json = value.get("ResponseMetadata")  # of botocore's `ClientError.response`
        if type(answer) is dict:
            owners.append(answer)
        held = _held(value)
        if held is None and type(value.get("message")) is dict:
            # What is said in detail; the type of the error is beside it.
            return owners + _owners(value["message"], levels - level - 1)
        value = held
    return owners


def _held(owner: dict[str, Any]) -> Json:
    # A stream says what failed in a snapshot of its response, or in its last delta.
    keys = (*_HOLDERS, "response", "delta", _exception(owner) or "")
    return next((owner[key] for key in keys if type(owner.get(key)) in (dict, list)), None)


def _exception(owner: dict[str, Any]) -> str | None:
    """The key of an object that is named after an exception."""
    return next((key for key, held in owner.items() if type(held) is dict and str(key).endswith(_EXCEPTION)), None)


def _first(owners: list[dict[str, Any]], keys: tuple[str, ...], *types: type) -> Any:
    return next((owner[key] for owner in owners for key in keys if type(owner.get(key)) in types), None)


def _http_status(value: Json) -> int | None:
    number = int(value) if isinstance(value, str) and len(value) == 3 and value.isascii() and value.isdecimal() else value
    return number if type(number) is int and 400 <= number < 600 else None


def error_object(error: ProviderError, *, fields: tuple[str, ...]) -> dict[str, Any]:
    """The body of formats that have an object `error`: with these fields, null where the error does not say."""
    return {"error": error_fields(error, fields=fields)}


def error_fields(error: ProviderError, *, fields: tuple[str, ...]) -> dict[str, Any]:
    """An object with these fields of an error, null where it does not say."""
    return {name: getattr(error, name, None) for name in fields}


def exception_object(error: ProviderError) -> dict[str, Any]:
    """The body of formats whose errors are exceptions (AWS restJson1; the type is in a header, too)."""
    return ({} if error.type is None else {"__type": error.type}) | {"message": error.message}
