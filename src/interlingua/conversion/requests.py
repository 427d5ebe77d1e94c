"""The functions that users call to validate, load, dump and convert requests.

Each finds the format, calls the format's functions, and translates pydantic's errors and the losses of the dump into values
whose pointers lead into what the caller passed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, overload

from pydantic import ConfigDict, TypeAdapter, ValidationError

from ..codec.carrying import unpack_messages
from ..codec.dump import Dump
from ..codec.fields import Wire
from ..codec.format import Format
from ..codec.ordering import dump_request
from ..errors import (
    Fault,
    InvalidPayload,
    Loss,
    LossKind,
    LossyConversion,
    Problem,
    RefusedRequest,
    UnknownFormat,
    faults_of,
    new_loss,
    quick,
)
from ..errors.late import late
from ..formats import FORMATS, FormatName, format_of, format_to_read, format_to_write, new_dump
from ..model.base import Json, Model, ModelT, known
from ..model.exchange import Conversation, Request, Response
from ..model.messages import Message, MessageBase
from .carry import move_back
from .context import context_of
from .converted import Conversion, Endpoint, Places
from .json_text import parse
from .losses import OnLoss, distinct, report, unexpected, warn
from .sdk_objects import unwrap

if TYPE_CHECKING:
    from .._signatures import type_of_convert, type_of_dump  # pyright: ignore[reportMissingModuleSource] -- for checkers alone
    from ..codec.as_text import ForeignReasoning, LostMedia
    from ..codec.marks import Kind
else:

    def as_is(function: T) -> T:  # type checkers give the function a type that depends on the format's name
        return function

    type_of_dump = as_is
    type_of_convert = as_is

T = TypeVar("T")
PayloadT_co = TypeVar("PayloadT_co", covariant=True)

SourceFormat: TypeAlias = "FormatName | Format | Literal['auto']"
"""The format of a payload, or that it is to be found out."""


_new_endpoint = quick(Endpoint)
JSON_TEXT = (str, bytes, bytearray)
"""What holds JSON text."""


@cache
def _messages() -> TypeAdapter[list[Message]]:
    return TypeAdapter(list[Message], config=ConfigDict(strict=True))


@overload
def validate(data: Any) -> list[Message]: ...
@overload
def validate(data: Any, model: type[ModelT]) -> ModelT: ...
def validate(data: Any, model: Any = None) -> Any:
    """Validate canonical messages: dicts, models, or JSON text or bytes of a list of them; or one value of a `model`.

    Nothing is coerced and nothing is ignored. Raises `InvalidPayload` with one fault for each thing that is wrong.
    """
    if not (model is None or (isinstance(model, type) and issubclass(model, Model))):
        raise TypeError("model must be a class of this package; for a union, use pydantic's TypeAdapter")
    whole: Any = _messages().validator if model is None else model.__pydantic_validator__
    if isinstance(data, JSON_TEXT):
        try:
            return whole.validate_json(data)
        except ValidationError:
            # JSON text gets the same faults as Python data.
            data = parse(data)
    try:
        return whole.validate_python(data)
    except ValidationError as error:
        unwrapped = unwrap(data)
        if unwrapped is not data:
            return validate(unwrapped) if model is None else validate(unwrapped, model)
        expected = _EXPECTED.get(model)
        raise InvalidPayload(faults_of(error), expected and hint(data, expected)) from None


_EXPECTED: dict[type[Model] | None, Kind] = {
    None: "messages",
    Request: "request",
    Conversation: "request",
    Response: "response",
}
"""What `validate` expects for a model."""


def hint(data: Any, kind: Kind, format: Format | None = None) -> str | None:
    """What refused data looks like and what reads it, if that is not what was expected."""
    from . import detection  # noqa: PLC0415 -- imported when there is an error

    return detection.hint(data, kind, format)


def load(
    payload: Any,
    source: SourceFormat,
    *,
    prefer: Iterable[FormatName | Format] = (),
    model: str | None = None,
    stream: bool | None = None,
    carry: bool = False,
) -> Request:
    """Load a wire request: a dict, JSON text, an SDK's objects, or a bare list of messages. Nothing is lost.

    With `source="auto"`, the format is detected, and becomes the request's `origin`. If the payload may be of several formats,
    the first of them in `prefer` is used. If none is in `prefer`, all of them must give the same request; otherwise
    `InvalidPayload` names them.
    `model` and `stream` are for providers that read them from the URL: they replace what the body says.
    With `carry`, the signatures and encrypted reasoning of other providers are unpacked from the opaque fields into which an
    answer was written with `carry`; each gets its issuer again.
    Raises `InvalidPayload` with pointers into the payload, and `UnknownFormat`.
    """
    return _load(payload, _source(payload, source, prefer, model), _in_url(model, stream), {} if carry else None)[0]


def _source(payload: Any, source: SourceFormat, prefer: Iterable[FormatName | Format], model: str | None) -> Format:
    """The format of a request. Raises `InvalidPayload` if it is to be found out and is not certain."""
    if source != "auto":
        format = format_of(source)
        return format if format.choice is None else format_to_read(format, body_of(payload), model)
    found: Format = late("request_format")(payload, prefer)
    return found


def body_of(payload: Any) -> Any:
    """A body as data; a bare list of messages in an object. Raises `InvalidPayload` for text that is not JSON."""
    body: Any = unwrap(parse(payload) if isinstance(payload, JSON_TEXT) else payload)
    listed: Any = {"messages": body}
    return listed if isinstance(body, list | tuple) else body


@type_of_dump
def dump(
    messages: Request | Conversation | Iterable[MessageBase | dict[str, Any]],
    target: FormatName | Format,
    *,
    on_loss: OnLoss = "warn",
    settings: bool = True,
    check: Literal["raise"] | None = None,
    foreign_reasoning: ForeignReasoning = "drop",
    media: LostMedia = "drop",
) -> Any:
    """Write a request body for the target: exactly, if the request was loaded from that format, else by the target's rules.

    `on_loss` says how to report what the target cannot carry: with one `LossWarning` a call (`"warn"`), by raising
    `LossyConversion` (`"raise"`), not at all (`"ignore"`), or by calling a function with each `Loss`. The paths of losses point
    into `request.to_dict()`, or into the list of the messages' dicts. Of a conversation, only the messages and tools are
    written; its id and metadata belong to the application. With `settings=False`, also of a request only the messages and tools
    are written and reported. What the target reads from the URL is in `endpoint(request, target)`.
    Reasoning that the target does not accept, such as another provider's, is left out; with `foreign_reasoning="text"` it is
    sent as text in `<thinking>` tags. Media that the target does not accept are left out; with `media="placeholder"`, a text
    such as `[image omitted: image/png]` replaces them. Such text is a loss of kind `changed`.
    Raises `UnknownFormat`, and with `check="raise"` `RefusedRequest` if `check(messages, target)` finds an error.
    """
    format = format_of(target)
    is_request = isinstance(messages, Request)
    request = exactly(Request, messages) if is_request else request_of(messages)
    if format.choice is not None:
        format = written_for(request, format)
    if not settings:
        request = _without_settings(request)
    collects = on_loss != "ignore"
    if foreign_reasoning == media == "drop":
        d = new_dump(format, request.origin, collect_losses=collects, settings=settings)
        payload = dump_request(format, request, d)
    else:
        begin = partial(new_dump, format, request.origin, collect_losses=collects, settings=settings)
        payload, d = _with_texts(format, request, begin, foreign_reasoning, media)
    cut = 0 if is_request or isinstance(messages, Conversation) else len("/messages")
    if check == "raise":
        _refuse(_problems(payload, format, request, d, lambda path: path[cut:], bare=not is_request))
    elif check is not None:
        raise ValueError('check must be "raise" or None')
    if d.collect_losses:
        report(distinct(d.losses, cut), on_loss, format.name)
    return payload


def _with_texts(
    format: Format, request: Any, begin: Callable[[], Dump], reasoning: ForeignReasoning, media: LostMedia
) -> tuple[Any, Dump]:
    """The body of a request with text in place of reasoning or media that would be lost, and the dump that wrote it."""
    if reasoning not in ("drop", "text") or media not in ("drop", "placeholder"):
        raise ValueError('foreign_reasoning must be "drop" or "text", and media must be "drop" or "placeholder"')
    from ..codec.as_text import dump_with_texts  # noqa: PLC0415 -- imported on first use

    return dump_with_texts(format, request, begin, reasoning, media)


def _problems(
    payload: Any, format: Format, request: Any, d: Dump, locate: Callable[[str], str], *, bare: bool
) -> tuple[Problem, ...]:
    """What the target would refuse in what a dump wrote, with paths in the caller's document."""
    from ..codec import problems as checking  # noqa: PLC0415 -- imported on first use

    found = checking.of_dump(payload, format, request, d.places, bare=bare)
    return tuple(problem._replace(path=locate(problem.path)) for problem in found)


def _refuse(problems: Iterable[Problem]) -> None:
    if errors := [problem for problem in problems if problem.severity == "error"]:
        raise RefusedRequest(errors)


def written_for(value: Any, format: Format) -> Format:
    """The format that a dump of a canonical value to this format writes. Raises `InvalidPayload` if there is none."""
    model, origin = (value.model, value.origin) if isinstance(value, Request) else (None, None)
    return format_to_write(format, model, origin)


def endpoint(request: Request, target: FormatName | Format) -> Endpoint:
    """Where to send the dump of a request, and what the target reads from the URL.

    Raises `InvalidPayload` for anything that is not a request, and `UnknownFormat`.
    """
    request = exactly(Request, request)
    return _endpoint(request, written_for(request, format_of(target)))


def _endpoint(request: Request, format: Format) -> Endpoint:
    model = request.model
    stream = request.stream
    lacks_model = model is None and "model" in format.in_url
    path = None if format.path is None or lacks_model else format.path(model or "", bool(stream))
    return _new_endpoint((path, model, stream))


@type_of_convert
def convert(
    payload: Any,
    *,
    source: SourceFormat,
    target: FormatName | Format,
    strict: bool = False,
    model: str | None = None,
    stream: bool | None = None,
    check: bool = False,
    prefer: Iterable[FormatName | Format] = (),
    carry: bool = False,
    foreign_reasoning: ForeignReasoning = "drop",
    media: LostMedia = "drop",
) -> Conversion[Any]:
    """Convert a wire request of `source` into one of `target`; `model` and `stream` are what its URL says, as for `load`.

    With `source="auto"`, the format is detected as by `load`, and the conversion's `source` names it.
    With `check`, the conversion has `problems`: what the target would refuse, with pointers into the payload that was passed.
    `prefer` and `carry` are as for `load`, `foreign_reasoning` and `media` as for `dump`.
    Raises `InvalidPayload` with pointers into the payload, and `UnknownFormat`. With `strict`, raises `LossyConversion` for any
    loss that is not of kind `response_only`.
    """
    origin = _source(payload, source, prefer, model)
    format = format_of(target)
    if isinstance(payload, JSON_TEXT):
        payload = parse(payload)
    url = _in_url(model, stream)
    if format.choice is not None:
        format = format_to_write(format, _load(payload, origin, url)[0].model, origin.name)
    same_format = origin.name == format.name
    moved: dict[str, str] | None = {} if carry else None
    light = None if same_format else _load_light(payload, origin, url, moved)
    request, wire, bare = light or _load(payload, origin, url, moved)
    if foreign_reasoning == media == "drop":
        d: Dump = format.new_dump(format, origin, same_format=same_format, formats=FORMATS)
        body = dump_request(format, request, d)
    else:
        begin = partial(format.new_dump, format, origin, same_format=same_format, formats=FORMATS)
        body, d = _with_texts(format, request, begin, foreign_reasoning, media)
    if moved:
        move_back(d, moved)
    cut = len(f"/{origin.listed}") if bare else 0
    losses = _located(d, origin, wire, cut) if d.losses else ()
    if strict and unexpected(losses):
        raise LossyConversion(losses)
    shape = origin.shape(wire)
    places = d.places if shape is None and not cut else Places(d.places, origin, shape, cut)
    problems: tuple[Problem, ...] = ()
    if check:
        locate = origin.locating(wire)
        problems = _problems(body, format, request, d, lambda path: locate(path)[0][cut:], bare=bare)
    return Conversion(body, losses, places, _endpoint(request, format), problems, origin.name, context_of(d, origin, wire))


def _located(d: Dump, origin: Format, wire: Wire, cut: int) -> tuple[Loss, ...]:
    """The losses of a dump, with the places of the wire request that their pointers mean."""
    locate = origin.locating(wire)
    found = distinct(d.losses)
    lost = [loss if path == loss.path else new_loss((path, *loss[1:])) for loss in found for path in locate(loss.path)]
    if origin.in_text:
        lost = [loss._replace(kind="changed") if loss.path in origin.in_text else loss for loss in lost]
    if origin.beside is not None:
        fields_beside = origin.beside(wire, locate)
        for loss in found:
            if loss.kind != "dropped":
                continue
            for path in fields_beside(loss.path):
                kind: LossKind = "response_only" if path.rpartition("/")[2] in origin.item_fields else "dropped"
                lost.append(new_loss((path, None, kind, loss.detail)))
    return found if not cut and tuple(lost) == found else distinct(lost, cut)


def supported(format: Format, function: T | None, what: str) -> T:
    """A function of the format; raises `UnknownFormat` if it has none."""
    if function is None:
        raise UnknownFormat(format.name, lacks=what)
    return function


@cache
def _light_request() -> Callable[[dict[str, Any]], Any]:
    from ..model.light import light_request  # noqa: PLC0415 -- its classes are made on first use

    return light_request


def _in_url(model: str | None, stream: bool | None) -> dict[str, Any]:
    """What the URL of a request says, as data of a `Request`. Raises `InvalidPayload`."""
    if model is None and stream is None:
        return {}
    given = {name: value for name, value in (("model", model), ("stream", stream)) if value is not None}
    validate({"messages": (), **given}, Request)
    return given


def _load_light(
    payload: Json, origin: Format, url: dict[str, Any], moved: dict[str, str] | None
) -> tuple[Any, Wire, bool] | None:
    """What `_load` returns, with a request that is no model; None where `_load` has to read it or find its faults."""
    bare = type(payload) is list
    wire: Any = {origin.listed: payload} if bare else payload
    try:
        data = origin.load(wire)
        data["origin"] = origin.name
        data.update(url)
        if moved is not None:
            moved.update(unpack_messages(data["messages"]))
        return _light_request()(data), wire, bare
    except ValueError:
        return None


def is_canonical(value: Json) -> bool:
    """Whether a caller passed models, and not a body."""
    if isinstance(value, Model):
        return True
    return isinstance(value, list | tuple) and any(isinstance(each, MessageBase) for each in value)


def request_of(messages: Any) -> Request:
    """A request with these messages; a conversation's also has its tools. Raises `InvalidPayload`."""
    if isinstance(messages, Conversation):
        conversation = exactly(Conversation, messages)
        return Request(**{name: getattr(conversation, name) for name in ("messages", "tools") if name in conversation})
    listed = tuple(_canonical_messages(messages))
    try:
        return Request(messages=listed)
    except ValidationError as error:
        cut = len("/messages")
        raise InvalidPayload([fault._replace(path=fault.path[cut:]) for fault in faults_of(error)]) from None


def exactly(kind: type[ModelT], value: Any) -> ModelT:
    """A value of this class, and of no class with more fields, which would be lost. Raises `InvalidPayload`."""
    return value if type(value) is kind else validate(value, kind)


_NO_SETTINGS = frozenset({"messages", "tools", "caching", "origin", "wire"})
"""The fields of a request that say what its messages and tools are, and how they are written."""


def _without_settings(request: Request) -> Request:
    kept = {name: getattr(request, name) for name in request.model_fields_set & _NO_SETTINGS}
    return known(Request, dict.fromkeys(Request.model_fields) | kept, set(kept))


def _canonical_messages(messages: Any) -> list[Any]:
    """The messages of any iterable, validated unless they are models. Raises `InvalidPayload`."""
    try:
        listed = None if isinstance(messages, Model | Mapping | str | bytes) else list(messages)
    except TypeError:
        listed = None
    if listed is None:
        raise InvalidPayload(
            [Fault("", "Input should be a Request, a Conversation or a list of messages")], hint(messages, "messages")
        )
    return listed if all(isinstance(message, Model) for message in listed) else list(validate(listed))


def _load(payload: Any, format: Format, url: dict[str, Any], moved: dict[str, str] | None = None) -> tuple[Request, Wire, bool]:
    """A request, the wire request, and whether that was a bare list. Raises `InvalidPayload`.

    With `moved`, packed values are unpacked, and it gets the places of what this moves.
    """
    if isinstance(payload, JSON_TEXT):
        payload = parse(payload)
    bare = isinstance(payload, list | tuple)
    wire: Wire = {format.listed: payload} if bare else payload
    cut = len(f"/{format.listed}") if bare else 0
    try:
        data = format.load(wire)
    except ValidationError:
        unwrapped = unwrap(payload)
        if unwrapped is not payload:
            return _load(unwrapped, format, url, moved)
        faults = [fault._replace(path=fault.path[cut:]) for fault in _wire_faults(wire, format)]
        raise InvalidPayload(faults, hint(payload, "request", format)) from None
    data |= {"origin": format.name, **url}
    if moved is not None:
        moved.update(unpack_messages(data["messages"]))
    try:
        return Request.model_validate(data), wire, bare
    except ValidationError as error:
        locate = format.locating(wire)
        raise InvalidPayload([Fault(locate(path)[0][cut:], reason) for path, reason in faults_of(error)]) from None


def _wire_faults(wire: Any, format: Format) -> list[Fault]:
    try:
        format.adapter().validate_python(wire)
    except ValidationError as error:
        return faults_of(error, wire=True)
    raise AssertionError("the validator of the whole accepts what the validators of the pieces refuse")


def dump_as(
    message: Message,
    target: FormatName | Format,
    *,
    on_loss: OnLoss = "warn",
    content: Literal["keep", "string", "list"] | None = None,
) -> dict[str, Any]:
    """One message in the target's form. Raises `ValueError` if it is not exactly one message there."""
    format = format_of(target)
    if content is not None:
        if format.with_content is None or content not in ("keep", "string", "list"):
            raise ValueError(
                f"content must be keep, string or list; {format.name} has only one form of content, so it takes only keep"
            )
        format = format.with_content(content)
    try:
        request = request_of([message])
    except InvalidPayload as error:
        raise InvalidPayload([fault._replace(path=fault.path.removeprefix("/0")) for fault in error.faults]) from None
    d = new_dump(format, None)
    body = format.dump(Request(messages=()), request.messages, d)
    written: list[Wire] = [] if format.history is None else body.get(format.listed, [])
    lifted = message.role in ("system", "developer") and format.system is not None
    if len(written) != 1 or lifted:
        raise ValueError(f"the message does not become exactly one message in {format.name}: use dump")
    if d.losses:
        report([loss._replace(path=loss.path[len("/messages/0") :]) for loss in d.losses], on_loss, format.name)
    return written[0]


def dump_in_context(message: Message, context: Mapping[str, Any]) -> dict[str, Any]:
    """The result of `model_dump(context={"format": ...})`: the message in the format's form, or itself and a warning."""
    try:
        return dump_as(message, context["format"], content=context.get("content"))
    except (ValueError, UnknownFormat) as error:
        warn(str(error))
        return message.to_dict()
