"""The front door: validate, load, dump, convert."""

from __future__ import annotations

import json
import warnings
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar, overload

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError, from_json

from .codec.fields import Wire
from .codec.format import Dump, Format, LightMessage
from .codec.losses import distinct, summary
from .errors import Fault, InvalidPayload, Loss, LossWarning, LossyConversion, UnknownFormat, faults_of
from .formats import FORMATS, format_of, new_dump
from .model.base import Json, Model, ModelT, copy_json
from .model.exchange import Request, Response
from .model.messages import Message, TaggedMessage

if TYPE_CHECKING:
    from ._signatures import convert_by_name, dump_by_name  # pyright: ignore[reportMissingModuleSource] -- for checkers alone
    from .codec.streams import Chunk, Reader, Writer
else:

    def dump_by_name(function: T) -> T:
        return function

    convert_by_name = dump_by_name

OnLoss: TypeAlias = Literal["warn", "raise", "ignore"] | Callable[[Loss], object]


T = TypeVar("T")
PayloadT_co = TypeVar("PayloadT_co", covariant=True)


@dataclass(frozen=True)
class Conversion(Generic[PayloadT_co]):
    """A payload in the target's shape, what it could not carry, and where each of its owners came from.

    `losses` point into the source payload (`at`: into the target's); `places` maps a pointer of the target's payload to
    the pointer of its owner in the source's.
    """

    payload: PayloadT_co
    losses: tuple[Loss, ...]
    places: Mapping[str, str]


_OBJECT_DEPTH = 12
"""How deep SDK objects and tuples are looked for; free JSON beneath takes tuples as they are."""


@cache
def _messages() -> TypeAdapter[list[Message]]:
    return TypeAdapter(list[TaggedMessage], config=ConfigDict(strict=True))


@overload
def validate(data: Any) -> list[Message]: ...
@overload
def validate(data: Any, model: type[ModelT]) -> ModelT: ...
def validate(data: Any, model: Any = None) -> Any:
    """Canonical messages from dicts, models, or JSON text or bytes of a list of them; or one value of a `model`.

    Raises `InvalidPayload` with one fault for each thing that is wrong; nothing is coerced, nothing is ignored.
    """
    if not (model is None or (isinstance(model, type) and issubclass(model, Model))):
        raise TypeError("model is a class of this package; for a union, use pydantic's TypeAdapter")
    whole: Any = _messages().validator if model is None else model.__pydantic_validator__
    if isinstance(data, str | bytes | bytearray):
        try:
            return whole.validate_json(data)
        except ValidationError:
            # What is wrong is told alike for JSON text and for Python data.
            data = parse(data)
    try:
        return whole.validate_python(data)
    except ValidationError as error:
        plain = _plain(data)
        if plain is not data:
            return validate(plain) if model is None else validate(plain, model)
        raise InvalidPayload(faults_of(error)) from None


def load(payload: Any, source: str | Format) -> Request:
    """A wire request (a dict, JSON text, an SDK's objects, or a bare list of messages) as a `Request`; loses nothing.

    Raises `InvalidPayload` with pointers into the payload, `UnknownFormat`.
    """
    return _load(payload, format_of(source))[0]


@dump_by_name
def dump(messages: Request | Iterable[Message], target: str | Format, *, on_loss: OnLoss = "warn") -> Any:
    """A request body for the target: exact if the request came from there, else by the target's rules.

    What it cannot carry goes to `on_loss`: one `LossWarning` a call, `LossyConversion`, nothing, or a call for each `Loss`,
    whose path points into `request.to_dict()` or the list of the messages' dicts. Raises `UnknownFormat`.
    """
    format = format_of(target)
    bare = not isinstance(messages, Request)
    request = messages if isinstance(messages, Request) else Request(messages=tuple(_given(messages)))
    d = new_dump(format, request.origin)
    payload = format.dump(request, request.messages, d)
    tell(distinct(d.losses, len("/messages") if bare else 0), on_loss)
    return payload


@convert_by_name
def convert(payload: Any, *, source: str | Format, target: str | Format, strict: bool = False) -> Conversion[Any]:
    """A wire request of `source` as one of `target`, with the losses and places; `strict` raises `LossyConversion`."""
    origin, format = format_of(source), format_of(target)
    read = _read_light(payload, origin) if format.accepts_light and origin is not format else None
    if read is not None:
        (request, messages), wire, bare = read, payload, False
    else:
        request, wire, bare = _load(payload, origin)
        messages = list(request.messages)
    d: Dump = format.new_dump(format, origin, same_format=origin.name == format.name, formats=FORMATS)
    body = format.dump(request, messages, d)
    locate = origin.locate
    cut = len(f"/{origin.listed}") if bare else 0
    if bare or not origin.owners_stay(wire):
        places = {at: locate(wire, path)[cut:] for at, path in d.places.items()}
    else:
        places = d.places
    losses = distinct([loss._replace(path=locate(wire, loss.path)) for loss in d.losses], cut)
    if strict and losses:
        raise LossyConversion(losses)
    return Conversion(body, losses, places)


def load_response(body: Any, source: str | Format) -> Response:
    """A provider's whole response (a dict, JSON text, an SDK's object) as a `Response`; loses nothing.

    Raises `InvalidPayload` with pointers into the body, `UnknownFormat`.
    """
    format = format_of(source)
    given = parse(body) if isinstance(body, str | bytes | bytearray) else body
    read = _able(format, format.load_response, "responses")
    try:
        data = read(given)
    except ValidationError as error:
        plain = _plain(given)
        if plain is not given:
            return load_response(plain, format)
        raise InvalidPayload(faults_of(error, wire=True)) from None
    try:
        return Response.model_validate(_mark_answers(data, format.name))
    except ValidationError as error:
        raise InvalidPayload(_unwritable(given) or faults_of(error)) from None


def _mark_answers(data: dict[str, Any], origin: str) -> dict[str, Any]:
    """Say of a response and its messages where they come from."""
    for choice in data["choices"]:
        message = choice["message"]
        message["wire"] = {"origin": origin, "response": True, **message.get("wire", {})}
    return data | {"origin": origin}


def _unwritable(body: Any) -> list[Fault]:
    """What cannot be written as JSON, which is what can be wrong with a body that has the right shape."""
    try:
        copy_json(body)
    except PydanticCustomError as error:
        return [Fault((error.context or {})["at"], error.message())]
    return []


def dump_response(response: Response, target: str | Format, *, on_loss: OnLoss = "warn") -> dict[str, Any]:
    """A response body of the target: exact if the response came from there, else by the target's rules.

    What it cannot carry goes to `on_loss`, as with `dump`; paths point into `response.to_dict()`. Raises `UnknownFormat`.
    """
    format = format_of(target)
    write = _able(format, format.dump_response, "responses")
    d = new_dump(format, response.origin)
    body = write(response, d)
    tell(distinct(d.losses), on_loss)
    return body


def reader(source: str | Format) -> Reader:
    """A reader of one stream of the source."""
    from .codec.streams import Reader  # noqa: PLC0415 -- who reads no stream need not import what events are

    format = format_of(source)
    return Reader(_able(format, format.reading, "streams")())


def writer(target: str | Format) -> Writer:
    """A writer of one stream of the target."""
    from .codec.streams import Writer  # noqa: PLC0415 -- likewise

    format = format_of(target)
    return Writer(_able(format, format.writing, "streams")(FORMATS))


@overload
def restream(chunks: Iterable[Any], *, source: str | Format, target: str | Format) -> Iterator[Chunk]: ...
@overload
def restream(chunks: AsyncIterable[Any], *, source: str | Format, target: str | Format) -> AsyncIterator[Chunk]: ...
def restream(chunks: Iterable[Any] | AsyncIterable[Any], *, source: str | Format, target: str | Format) -> Any:
    """A stream of the source as one of the target, chunk by chunk as it comes; an async one if `chunks` is.

    Chunks are dicts, an SDK's objects, or the data of server-sent events; what comes out are dicts. Raises `StreamError`,
    `UnknownFormat`. Who wants to know of losses uses a `reader` and a `writer`.
    """
    reading, writing = reader(source), writer(target)
    if isinstance(chunks, AsyncIterable):
        return _restream_async(chunks, reading, writing)
    return (written for event in reading.read(chunks) for written in writing.feed(event))


async def _restream_async(chunks: AsyncIterable[Any], reading: Reader, writing: Writer) -> AsyncIterator[Chunk]:
    async for event in reading.aread(chunks):
        for written in writing.feed(event):
            yield written


def _able(format: Format, function: T | None, what: str) -> T:
    if function is None:
        raise UnknownFormat(f"{format.name} (of {what})", FORMATS)
    return function


def _read_light(payload: Json, origin: Format) -> tuple[Request, list[Any]] | None:
    """A request and its messages, the plain ones without models; None where `_load` has to read, or to tell what is wrong."""
    if type(payload) is not dict or origin.load_light is None:
        return None
    try:
        data = origin.load_light(payload)
        messages = data.pop("messages", [])
        others = [i for i, message in enumerate(messages) if type(message) is not LightMessage]
        models = _messages().validate_python([messages[i] for i in others])
        request = Request.model_validate(data | {"messages": (), "origin": origin.name})
    except ValidationError:
        return None
    for i, model in zip(others, models, strict=True):
        messages[i] = model
    return request, messages


def _given(messages: Any) -> list[Any]:
    if isinstance(messages, Model | Mapping | str | bytes):
        raise InvalidPayload([Fault("", "Input should be a Request or a list of messages")])
    try:
        given = list(messages)
    except TypeError:
        raise InvalidPayload([Fault("", "Input should be a Request or a list of messages")]) from None
    return given if all(isinstance(message, Model) for message in given) else list(validate(given))


def tell(losses: Sequence[Loss], on_loss: OnLoss) -> None:
    """Tell the losses the way that the caller of the function asked for."""
    if not losses:
        return
    # What only a response can hold is left out of the next request as a matter of course.
    grave = [loss for loss in losses if loss.kind != "response_only"]
    if on_loss == "warn":
        if grave:
            warnings.warn(summary(grave), LossWarning, stacklevel=3)
    elif on_loss == "raise":
        if grave:
            raise LossyConversion(losses)
    elif callable(on_loss):
        for loss in losses:
            on_loss(loss)
    elif on_loss != "ignore":
        raise ValueError('on_loss is "warn", "raise", "ignore" or a callable')


def parse(text: str | bytes | bytearray) -> Any:
    """JSON text as data; raises `InvalidPayload`."""
    try:
        return from_json(text)
    except ValueError as error:
        reason = str(error)
    if "recursion limit" in reason:
        # As deep as free JSON may be, and then the levels of the document around it; validation judges the depth.
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            pass
    raise InvalidPayload([Fault("", f"not JSON: {reason}")])


def _load(payload: Any, format: Format) -> tuple[Request, Wire, bool]:
    if isinstance(payload, str | bytes | bytearray):
        payload = parse(payload)
    bare = isinstance(payload, list | tuple)
    given: Wire = {format.listed: payload} if bare else payload
    cut = len(f"/{format.listed}") if bare else 0
    try:
        data = format.load(given)
    except ValidationError:
        plain = _plain(payload)
        if plain is not payload:
            return _load(plain, format)
        raise InvalidPayload([fault._replace(path=fault.path[cut:]) for fault in _wire_faults(given, format)]) from None
    data["origin"] = format.name
    try:
        return Request.model_validate(data), given, bare
    except ValidationError as error:
        faults = [Fault(format.locate(given, path)[cut:], reason) for path, reason in faults_of(error)]
        raise InvalidPayload(faults) from None


def _wire_faults(wire: Any, format: Format) -> list[Fault]:
    try:
        format.adapter().validate_python(wire)
    except ValidationError as error:
        return faults_of(error, wire=True)
    raise AssertionError("the validator of the whole takes what the validators of the pieces refuse")


def _plain(value: BaseModel | dict[str, Any] | list[Any] | tuple[Any, ...] | None, depth: int = 0) -> Any:
    """The same data with models, tuples and mappings as dicts and lists; the value itself where nothing differs."""
    if depth > _OBJECT_DEPTH:
        return value
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_unset=True, by_alias=True)
    if isinstance(value, list | tuple):
        items = [_plain(item, depth + 1) for item in value]
        return value if type(value) is list and all(a is b for a, b in zip(items, value, strict=True)) else items
    if isinstance(value, Mapping):
        made = {key: _plain(item, depth + 1) for key, item in value.items()}
        return value if type(value) is dict and all(made[key] is value[key] for key in made) else made
    return value


def dump_as(
    message: Message,
    target: str | Format,
    *,
    on_loss: OnLoss = "warn",
    content: Literal["keep", "string", "list"] | None = None,
) -> dict[str, Any]:
    """One message in the target's form; `ValueError` where it is not exactly one message there."""
    format = format_of(target)
    if content is not None:
        if format.with_content is None or content not in ("keep", "string", "list"):
            raise ValueError(f"content is keep, string or list, and {format.name} has no choice of it")
        format = format.with_content(content)
    d = new_dump(format, None)
    body = format.dump(Request(messages=()), (message,), d)
    written: list[Wire] = body.get("messages", [])
    lifted = message.role in ("system", "developer") and format.system is not None
    if len(written) != 1 or lifted:
        raise ValueError(f"this is not exactly one message in {format.name}: use dump")
    if d.losses:
        tell([loss._replace(path=loss.path[len("/messages/0") :]) for loss in d.losses], on_loss)
    return written[0]


def dump_in_context(message: Message, context: Mapping[str, Any]) -> dict[str, Any]:
    """What `model_dump(context={"format": ...})` gives: one message in the format's form, or itself and a warning."""
    try:
        return dump_as(message, context["format"], content=context.get("content"))
    except (ValueError, UnknownFormat) as error:
        warnings.warn(str(error), LossWarning, stacklevel=2)
        return message.to_dict()
