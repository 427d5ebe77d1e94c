"""A judge of `native`: whether a message is said to be native where the format's own dump and load give it back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from pydantic import BaseModel

from ...codec.format import Format
from ...codec.native import is_native, round_trips
from ...codec.strategies.primitives import json_values
from ...conversion.requests import load, validate
from ...errors import InvalidPayload
from ...formats import new_dump
from ...model.base import Model
from ...model.exchange import Request
from ...model.messages import Message
from ...model.parts import WireRecord
from ..wire import payloads
from . import share
from .documents import is_array, is_json, is_object


def without_record(value: Any) -> Any:
    """An owner's data without our own record of how it stood on the wire; free JSON stays as it is."""
    if isinstance(value, Model):
        data = {name: getattr(value, name) for name in value.model_fields_set if name not in ("wire", "extra")}
        return {"": type(value).__name__} | {name: without_record(field) for name, field in data.items()}
    items: Any = value
    return [without_record(item) for item in items] if isinstance(value, tuple) else value


def _as_of_request(message: Message) -> Message:
    """The message without its origin, as one of the request's own."""
    fields = {name: getattr(message, name) for name in message.model_fields_set - {"extra"}}
    record = fields.get("wire")
    if isinstance(record, BaseModel):
        kept = {name: getattr(record, name) for name in record.model_fields_set - {"origin", "response"}}
        fields["wire"] = WireRecord(**kept)
    return type(message)(**fields)


def _everything(_: Any) -> bool:
    return True


def comes_back(message: Message, format: Format) -> bool:
    """Whether the message, written exactly whatever it is, is loaded as it was."""
    exact = replace(format, native=_everything)
    message = _as_of_request(message)
    request = Request(messages=[message], origin=format.name)
    try:
        back = load(exact.dump(request, request.messages, new_dump(exact, format.name)), format)
    except (InvalidPayload, TypeError, AttributeError):  # a message of another format may have no exact form
        return False
    loaded = json.dumps([without_record(each) for each in back.messages], sort_keys=True)
    return loaded == json.dumps([without_record(message)], sort_keys=True)


def disagreements(message: Message, formats: Sequence[Format], least: float = 0.1) -> list[str]:
    """The formats whose check of the message does not say what its dump does."""
    found: list[str] = []
    is_answer = message.wire is not None and bool(message.wire.response)
    for format in formats:
        native = share.judged(is_native(message, format), least=least)
        # An answer may be written exactly in a response alone.
        back = comes_back(message, format) or (native and is_answer and round_trips(message, format))
        if native != back:
            wrong = "native, but does not come back" if native else "comes back, but is not native"
            found.append(f"{format.name}: {wrong}")
    return found


@st.composite
def edited(draw: st.DrawFn, source: Format) -> Message:
    """A loaded message, one of whose owners has a field of the wire's in its provider data."""
    payload = draw(payloads(source))
    data = draw(st.sampled_from(load(payload, source).messages)).to_dict()
    owner = draw(st.sampled_from([each for each in _objects(data) if each.keys() & {"role", "type", "arguments"}]))
    keys = sorted({key for each in _objects(payload) for key in each})
    key = draw(st.sampled_from([*keys, *["x_unknown"] * (len(keys) // 3 + 1)]))  # a quarter are fields that nobody knows
    given = [each[key] for each in _objects(payload) if key in each and is_json(each[key])]
    values = (st.sampled_from(given) if given else st.nothing()) | json_values(max_leaves=2)
    if "value" not in owner:
        owner["provider_data"] = {source.family: {key: draw(values)}}
    return validate([data])[0]


def _objects(value: Any) -> list[dict[str, Any]]:
    """All objects in the data that may be owners, the data itself first."""
    if is_array(value):
        return [found for item in value for found in _objects(item)]
    if not is_object(value):
        return []
    beside = ("input", "value", "provider_data", "arguments", "source", "cache_control", "wire")  # free JSON, or no owners
    return [value, *[found for key, item in value.items() if key not in beside for found in _objects(item)]]
