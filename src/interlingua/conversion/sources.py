"""`source="auto"`: decides which format a payload is read as.

A payload that may be of several formats is read as the one that the caller prefers. Without a preference, it is read as each of
them: if all readings are the same, the likeliest format is used; otherwise the payload is ambiguous. The module is imported on
first use.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NoReturn, TypeAlias, TypeVar

from pydantic import ValidationError

from ..codec.format import Format
from ..codec.marks import Kind
from ..errors import Fault, InterlinguaError, InvalidPayload, ProviderError
from ..formats import FORMATS, FormatName, format_of
from ..model.base import Json
from ..model.exchange import Response
from ..model.messages import AssistantMessage, Message, OpaqueMessage, TextMessage
from .canonical import OWN, messages_of, read_any
from .detection import Detected, detect, likeness
from .json_text import parse
from .layouts import layout_of, name_of
from .requests import JSON_TEXT, validate
from .responses import load_response

_REQUESTS: tuple[Kind, ...] = ("request", "messages")
Form: TypeAlias = Format | Literal["interlingua"]
FormT = TypeVar("FormT", bound=Form)


def request_format(payload: Any, prefer: Iterable[FormatName | Format]) -> Format:
    """The format that a request or a list of messages is of. Raises `InvalidPayload`, and `UnknownFormat` for a preference."""
    found = [form for form in _forms(detect(payload), _REQUESTS) if isinstance(form, Format)]
    return _only(payload, _different(payload, found, prefer, _request))


def request_form(payload: Any, prefer: Iterable[FormatName | Format]) -> Form:
    """The same, or the package's own form."""
    return _only(payload, request_forms(payload, prefer))


def response_format(body: Any, prefer: Iterable[FormatName | Format]) -> Format:
    """The format that a response or an error body is of. Raises as `request_format` does."""
    found = detect(body)
    forms = _forms(found, ["response"]) or _forms(found, ["error"])
    return _only(body, _different(body, [form for form in forms if isinstance(form, Format)], prefer, _response))


def request_forms(payload: Any, prefer: Iterable[FormatName | Format] = ()) -> list[Form]:
    """What a request may be read as, the package's own form among them: none, one that is certain, or more that differ."""
    return _different(payload, _forms(detect(payload), _REQUESTS), prefer, _request)


def response_forms(body: Any, prefer: Iterable[FormatName | Format] = ()) -> list[Form]:
    """The same of a response."""
    return _different(body, _forms(detect(body), ["response"]), prefer, _response)


def _forms(found: Iterable[Detected], kinds: Sequence[Kind]) -> list[Form]:
    """The formats that payloads of these kinds may be of, the likeliest first, and the package's own form."""
    names = dict.fromkeys(one.format for one in found if one.kind in kinds and (one.supported or one.format == OWN))
    return ["interlingua" if name == OWN else FORMATS[name] for name in names]


def _different(
    payload: Any, forms: list[FormT], prefer: Iterable[FormatName | Format], read: Callable[[Any, FormT], Json]
) -> list[FormT | Format]:
    """The form that is preferred; else the likeliest of each of the things that a payload may mean."""
    if isinstance(prefer, str):
        raise TypeError("prefer must be a list of the names of formats")
    for wanted in map(format_of, prefer):
        if any(isinstance(form, Format) and form.dump is wanted.dump for form in forms):
            return [wanted]
    if len(forms) < 2:
        return [*forms]
    readings: dict[str, FormT | Format] = {}
    for form in forms:
        try:
            reading = json.dumps(without_origin(read(payload, form)), sort_keys=True)
        except (InterlinguaError, ValidationError):
            continue
        readings.setdefault(reading, form)
    return [*readings.values()] or [*forms[:1]]


def _only(payload: Any, found: Sequence[FormT]) -> FormT:
    if len(found) == 1:
        return found[0]
    if not found:
        _refuse(payload)
    raise InvalidPayload([Fault("", may_be(found))], "name one as the source, or list one in `prefer`")


def may_be(forms: Iterable[Form]) -> str:
    """The reason why a payload that may be of several formats is refused."""
    return f"the payload fits {' and '.join(map(name_of, forms))}, which read it differently"


def _refuse(payload: Any) -> NoReturn:
    """Refuse what looks like no format's."""
    if isinstance(payload, JSON_TEXT):
        payload = parse(payload)
    layout = layout_of(payload)
    row_hint = f"it is a row of the layout {layout}: use convert_batch, or the command"
    hint = likeness(payload) if layout is None else row_hint
    raise InvalidPayload([Fault("", "it does not look like a payload of a known format: name its format as the source")], hint)


# Readings


def _request(payload: Any, form: Form) -> Json:
    """A request as data; what messages say is in parts, so that both forms of them compare equal.

    `stream` is left out: without it, some formats stream and others do not, which is how an answer is sent and not what a body
    means.
    """
    found = read_any(payload, form)
    data = {} if isinstance(found, list) else found.to_dict()
    data.pop("stream", None)
    return {**data, "messages": [_in_parts(message).to_dict() for message in messages_of(found)]}


def _in_parts(message: Message) -> Message:
    if isinstance(message, TextMessage | OpaqueMessage):
        return message
    if isinstance(message, AssistantMessage):
        return message.to_blocks()
    return message.replace(content=message.parts)


def read_response(body: Any, form: str | Format) -> Response:
    """A response of a format, or of the package's own form."""
    return validate(body, Response) if form == OWN else load_response(body, format_of(form))


def _response(body: Any, form: Form) -> Json:
    try:
        return read_response(body, form).to_dict()
    except ProviderError as error:
        return {"type": error.type, "code": error.code, "message": error.message}


def without_origin(value: Json) -> Json:
    """A reading without nulls, and without what depends on the format it was read as."""
    if isinstance(value, list):
        return [without_origin(item) for item in value]
    if not isinstance(value, dict):
        return value
    out: dict[str, Json] = {}
    for key, item in value.items():
        if item is not None and key not in ("origin", "wire"):
            out[key] = without_origin(item)
    by_format: Json = out.pop("provider_data", None)
    if isinstance(by_format, dict):
        unknown = [fields for fields in by_format.values() if fields]
        if unknown:
            out["provider_data"] = unknown
    return out
