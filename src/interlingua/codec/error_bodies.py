"""Error bodies: what a provider, or a proxy in front of it, sends instead of a response.

Their shapes differ more between hosts than between formats, so one reader accepts all shapes: an object `error`, a text
`error`, a list of errors, an object named after an exception, the fields of an error at the top level, and any nesting of
these.
"""

from __future__ import annotations

from typing import Any

from ..errors import ProviderError
from ..model.base import Json, exact_object
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
"""How many levels of nested objects are searched."""
_NO_ERROR = frozenset({"model", "messages", "role", "content", "choices", "chat_history"})
"""Fields of requests, messages and responses, which may also have a text `message`."""


def is_error(body: Any) -> bool:
    """Whether a body reports an error; the body must not be a valid response."""
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
        return not wire.get("choices") and _of_service(wire) is not None
    if _exception(wire) is not None or _of_service(wire) is not None or any(type(wire.get(key)) is str for key in _SIGNS):
        return True
    return any(_says_something(wire.get(key)) for key in _HOLDERS)


def is_error_alone(body: Any, choices: list[dict[str, Any]]) -> bool:
    """Whether an answer, which was loaded as these choices, reports an error and says nothing else."""
    wire: Json = body
    reports = type(wire) is dict and bool(wire.get("error") or _of_choice(wire))
    return reports and not any(_has_output(choice["message"]) for choice in choices)


def _has_output(message: dict[str, Any]) -> bool:
    overlays = message.get("provider_data", {}).values()
    return any(value for key, value in message.items() if key not in _NO_OUTPUT) or any(
        _has_value(overlay) for overlay in overlays
    )


_NO_OUTPUT = frozenset({"role", "wire", "provider_data"})


def _says_something(value: Json) -> bool:
    """Whether the value of an error field is text, or contains a message, a type or a code."""
    if type(value) is list and value:
        value = value[0]
    if type(value) is str:
        return value != ""
    if type(value) is not dict:
        return False
    error = read_error(value)
    return (error.message, error.type, error.code) != ("", None, None)


def read_error(body: Any, *, status: int | None = None, origin: str | None = None) -> ProviderError:
    """The error that a body reports, as far as it can be read; `status` is the HTTP status, if known."""
    owners = _owners(body)
    named = next(filter(None, map(_exception, owners)), None)
    message = _first(owners, _MESSAGE, str) or (body if type(body) is str else "")
    kind = _first([owner for owner in owners if owner is not body or owner.get("type") != "error"], _TYPE, str) or named
    code = _first(owners, _CODE, str, int)
    if not message and kind is None and code is None:
        message = _unread(owners)
    quoted = _quoted(owners)
    if quoted not in message:
        message = f"{message}: {quoted}" if message else quoted
    if status is None or 200 <= status < 300:
        status = _status_in(owners)
    return ProviderError(message, type=kind, code=code, status=status, body=body, origin=origin)


def _quoted(owners: list[dict[str, Any]]) -> str:
    """The message of the error behind this one, which gateways quote as text, JSON text or an object."""
    for owner in owners:
        for key, inner in _QUOTES:
            raw: Json = owner.get(key)
            if inner is not None:
                raw = raw.get(inner) if type(raw) is dict else None
            quoted = exact_object(raw) if type(raw) is str else None
            message: str | None = _first(_owners(raw if quoted is None else quoted), _MESSAGE, str)
            if not message and type(raw) is str:
                message = raw.strip()
            if message:
                return message
    return ""


_QUOTES = (("metadata", "raw"), ("value", "error_message"), ("responseBody", None))
"""Where gateways quote an error: OpenRouter in `metadata.raw`, Vercel's AI Gateway in the others (cline/cline, `format.ts`)."""


def _status_in(owners: list[dict[str, Any]]) -> int | None:
    """The first HTTP status of an error in these objects."""
    for owner in owners:
        for key in _STATUS:
            status = _http_status(owner.get(key))
            if status is not None:
                return status
    return None


def _unread(owners: list[dict[str, Any]]) -> str:
    """The value of the innermost error field as text; empty if the value is empty or true."""
    for owner in owners:
        for key in _HOLDERS:
            value: Json = owner.get(key)
            if type(value) is list and len(value) == 1:
                [value] = value
            if type(value) is str:
                return value
            if _has_value(value):
                return to_json(value)
    return ""


def _has_value(value: Json) -> bool:
    """Whether a value is a number other than 0, or contains anything that is not empty."""
    if type(value) is dict:
        return any(item not in (None, "", [], {}) for item in value.values())
    return bool(value) and type(value) is not bool


def _owners(body: Any, levels: int = _LEVELS) -> list[dict[str, Any]]:
    """The objects that may contain the fields of an error, mostly the innermost first."""
    owners: list[dict[str, Any]] = []
    value: Json = body
    for level in range(levels):
        if type(value) is list:
            first: Json = value[0] if value else None
            value = first
        if type(value) is not dict:
            break
        owners.insert(0, value)
        answer: Json = value.get("ResponseMetadata")  # in the `response` of botocore's `ClientError`
        if type(answer) is dict:
            owners.append(answer)
        inner = _inner(value)
        if inner is None and type(value.get("message")) is dict:
            # `message` has the details; the type of the error is beside it.
            return owners + _owners(value["message"], levels - level - 1)
        value = inner
    return owners


def _inner(owner: dict[str, Any]) -> Json:
    """The object or list in the first field that may contain an error."""
    # A stream reports an error in a snapshot of its response, or in its last delta.
    keys = (*_HOLDERS, "response", "delta", _exception(owner) or "")
    return (
        next((owner[key] for key in keys if type(owner.get(key)) in (dict, list)), None)
        or _of_choice(owner)
        or _of_service(owner)
    )


def _of_service(owner: dict[str, Any]) -> Json:
    """The error in `base_resp`, which each answer of some hosts has; a code of 0 means success."""
    base: Json = owner.get("base_resp")
    code: Json = base.get("status_code") if type(base) is dict else None
    return {"message": base.get("status_msg"), "code": code} if type(base) is dict and type(code) is int and code else None


def _of_choice(owner: dict[str, Any]) -> Json:
    """The error of the last choice of an answer."""
    choices: Json = owner.get("choices")
    last: Json = choices[-1] if type(choices) is list and choices else None
    error: Json = last.get("error") if type(last) is dict else None
    return {"message": error} if type(error) is str else error


def _exception(owner: dict[str, Any]) -> str | None:
    """The key of the first object that is named after an exception."""
    return next((key for key, value in owner.items() if type(value) is dict and str(key).endswith(_EXCEPTION)), None)


def _first(owners: list[dict[str, Any]], keys: tuple[str, ...], *types: type) -> Any:
    """The first value of one of these types, in the order of the owners, and in each of them in that of the keys."""
    for owner in owners:
        for key in keys:
            if type(owner.get(key)) in types:
                return owner[key]
    return None


def _http_status(value: Json) -> int | None:
    """The HTTP status of an error as a number (some bodies have it as text); None for any other value."""
    if isinstance(value, str):
        is_number = len(value) == 3 and value.isascii() and value.isdecimal()
        value = int(value) if is_number else None
    return value if type(value) is int and 400 <= value < 600 else None


def error_object(error: ProviderError, *, fields: tuple[str, ...]) -> dict[str, Any]:
    """An error body with an object `error` that has these fields; a field that is not known is null."""
    return {"error": error_fields(error, fields=fields)}


def error_fields(error: ProviderError, *, fields: tuple[str, ...]) -> dict[str, Any]:
    """An object with these fields of an error; a field that is not known is null."""
    return {name: getattr(error, name, None) for name in fields}


def error_text(error: ProviderError) -> dict[str, Any]:
    """An error body whose `error` is a text; with a `code` beside it if the error has one."""
    return ({} if error.code is None else {"code": error.code}) | {"error": error.message}


def exception_object(error: ProviderError) -> dict[str, Any]:
    """An error body for formats whose errors are exceptions (AWS restJson1; the type is in a header, too)."""
    if error.type is None:
        return {"message": error.message}
    return {"__type": error.type, "message": error.message}
