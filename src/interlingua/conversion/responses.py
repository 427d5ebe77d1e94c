"""Reading and writing whole responses and error bodies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from ..codec.error_bodies import is_error, is_error_alone, read_error
from ..codec.fields import Wire
from ..codec.format import Format
from ..errors import Fault, InterlinguaError, InvalidPayload, ProviderError, faults_of
from ..errors.late import late
from ..formats import FORMATS, FormatName, format_of, format_to_read, format_to_write, new_dump
from ..model.base import copy_json, parse_json
from ..model.exchange import Response
from .carry import carried
from .context import RequestContext, context_in
from .converted import Conversion
from .json_text import parse
from .losses import OnLoss, distinct, of_response, report
from .requests import JSON_TEXT, SourceFormat, body_of, exactly, hint, supported
from .restoring import Restoring, restored
from .sdk_objects import unwrap
from .split_answers import joined_answer

if TYPE_CHECKING:
    from .filling import Fill, Filling


def load_response(
    body: Any,
    source: SourceFormat,
    *,
    prefer: Iterable[FormatName | Format] = (),
    status: int | None = None,
    request: Conversion[Any] | RequestContext | None = None,
) -> Response:
    """Load a provider's whole response: a dict, JSON text, or an SDK's object. Nothing is lost.

    With `source="auto"`, the format is detected, and becomes the response's `origin`; `prefer` is as for `load`. Pass the
    conversion of the request as `request`: the calls then name the tools as the request did before the conversion.
    An answer that failed after a part of it was made is loaded, with the `stop_reason` `error`. Raises `ProviderError` for
    an error body, and for any body if `status`, the HTTP status, is not one of success. Raises `InvalidPayload` with
    pointers into the body, also for a body without any field of this format's responses, and `UnknownFormat`.
    """
    context = context_in(request)
    format: Format = format_of(source) if source != "auto" else late("response_format")(body, prefer)
    if format.choice is not None:
        format = format_to_read(format, body_of(body), is_response=True)
    read = supported(format, format.load_response, "responses")
    _check_status(status)
    if status is not None and not 200 <= status < 300:
        raise _provider_error(_parsed(body), format, status)
    wire = parse(body) if isinstance(body, JSON_TEXT) else body
    try:
        data = read(wire)
    except ValidationError as error:
        unwrapped = unwrap(wire)
        if unwrapped is not wire:
            return load_response(unwrapped, format, status=status, request=context)
        if is_error(wire):
            raise _provider_error(wire, format, status) from None
        raise InvalidPayload(faults_of(error, wire=True), hint(wire, "response", format)) from None
    if not any(map(wire.get, format.response_fields)):
        _check_response(wire, format, status)
    elif any(choice.get("stop_reason") == "error" for choice in data["choices"]) and is_error_alone(wire, data["choices"]):
        raise _provider_error(wire, format, status)
    if context is not None:
        Restoring(context).whole(data["choices"])
    try:
        response: Response = Response.__pydantic_validator__.validate_python(_with_origin(data, format.name))
    except ValidationError as error:
        raise InvalidPayload(_unwritable(wire) or faults_of(error)) from None
    return response


def _check_status(status: Any) -> None:
    if status is not None and (not isinstance(status, int) or isinstance(status, bool)):
        raise TypeError("status must be the number of an HTTP status, or None")
    if status is not None and not 0 <= status <= 999:
        raise ValueError("status must be an HTTP status: a number of three digits")


def _check_response(wire: Wire, format: Format, status: int | None) -> None:
    """Refuse a body that says nothing, unless it has one of the fields that say it in this format."""
    if is_error(wire):
        raise _provider_error(wire, format, status)
    if format.response_fields and wire.keys().isdisjoint(format.response_fields):
        reason = f"a response of {format.name} has {' or '.join(format.response_fields)}"
        raise InvalidPayload([Fault("", reason)], hint(wire, "response", format))


def _provider_error(body: Any, format: Format, status: int | None) -> InterlinguaError:
    """The error that a body reports, or that of a body which JSON cannot hold."""
    faults = _unwritable(body)
    return InvalidPayload(faults) if faults else read_error(copy_json(body), status=status, origin=format.name)


def _parsed(body: Any) -> Any:
    """The data of an error body, which may be any text."""
    if not isinstance(body, JSON_TEXT):
        return unwrap(body)
    try:
        return parse_json(body)
    except (ValueError, RecursionError):
        return body if isinstance(body, str) else body.decode(errors="replace")


def dump_error(error: ProviderError, target: FormatName | Format) -> Any:
    """Write an error body of the target: the original body if it is of that format, else the message in a body of the target.

    The type and code are the target's words for the error. Most bodies do not have the HTTP status. Raises
    `UnknownFormat`, and `TypeError` for anything that is not a `ProviderError`.
    """
    if not isinstance(error, ProviderError):  # pyright: ignore[reportUnnecessaryIsInstance] -- for callers who do not check types
        raise TypeError("dump_error must get a ProviderError")
    format = format_of(target)
    write = supported(format, format.dump_error, "errors")
    is_own = error.origin == format.name and error.body is not None
    return copy_json(error.body) if is_own else write(format.own_error(error, FORMATS.get(error.origin or "")))


def _with_origin(data: dict[str, Any], origin: str) -> dict[str, Any]:
    """The data of a response that names the format it comes from, in itself and in its messages."""
    for choice in data["choices"]:
        message = choice["message"]
        message["wire"] = {"origin": origin, "response": True, **message.get("wire", {})}
    data["origin"] = origin
    return data


def _unwritable(body: Any) -> list[Fault]:
    """The value in a body that JSON cannot hold: the only fault that a body of the right shape can have."""
    try:
        copy_json(body)
    except PydanticCustomError as error:
        return [Fault((error.context or {})["at"], error.message())]
    return []


def dump_response(
    response: Response,
    target: FormatName | Format,
    *,
    on_loss: OnLoss = "warn",
    request: Conversion[Any] | RequestContext | None = None,
    fill: bool | Fill = False,
    carry: bool = False,
) -> dict[str, Any]:
    """Write a response body of the target: exactly, if the response was loaded from that format, else by the target's rules.

    Losses are reported as by `dump`; their paths point into `response.to_dict()`. Facts about how a response was made (hosts,
    times, fingerprints) are losses of kind `response_only`, which neither warn nor raise. Pass the conversion of the client's
    request as `request`: the calls then name the client's own tools. With `carry`, other providers' signatures and encrypted
    reasoning are packed into the target's opaque fields; `load` and `convert` with `carry` unpack them from the client's next
    request.

    With `fill`, the body gets the fields that the models of the target's official client require and the response lacks, such
    as an id and a time: with neutral values, or with those of a `Fill`. Each is a loss of kind `added`, which neither warns nor
    raises.
    Raises `InvalidPayload` for anything that is not a response, and `UnknownFormat`.
    """
    format = format_of(target)
    response = exactly(Response, response)
    format = format_to_write(format, response.model, response.origin)
    write = supported(format, format.dump_response, "responses")
    context = context_in(request)
    filling = None if fill is False else _filling(format, fill)
    if context is not None:
        response = restored(response, context)
    d = new_dump(format, response.origin)
    d.of_response = True
    if carry:
        response = carried(response, format)
    if context is not None:
        d.names = context.names
    d.collect_losses = on_loss != "ignore"
    joined = None if len(response.choices) < 2 or d.same_format else joined_answer(response)
    if joined is not None:
        response = joined.response
    body = write(response, d) if filling is None else filling.whole(response, write, d)
    if d.collect_losses:
        losses = d.losses if joined is None else joined.losses(d.losses)
        report(distinct(of_response(losses)), on_loss, format.name)
    return body


def _filling(format: Format, fill: bool | Fill) -> Filling:
    from .filling import filling_of  # noqa: PLC0415 -- imported on first use

    return filling_of(format, fill)
