"""Events of AWS event streams, and chunks inside them as bytes (botocore 1.44.8, `ResponseStream`).

A message of such a stream is an event or an exception: a header has its name, and its payload is JSON. If the service passes
on the events of a model, each message is a `chunk`, whose `bytes` are the model's own event in base64.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import NamedTuple

from pydantic_core import to_json

from ..errors import StreamError
from ..model.base import Json, parse_json
from .fields import Wire

_EXCEPTION = "Exception"
"""How the names of exceptions end."""


class Frame(NamedTuple):
    """A message of an AWS event stream."""

    name: str
    """The name of its event or exception."""
    payload: Wire
    is_exception: bool = False


def unframe(chunk: Wire, event: str | None) -> Wire:
    """The model's event in a chunk, whose bytes are raw from boto3, or base64 in the JSON of the event stream.

    An exception is returned as a field with its name.
    """
    if event is not None and event.endswith(_EXCEPTION) and event not in chunk:
        return {event: chunk}
    outer: Json = chunk.get("chunk", chunk)
    encoded: Json | bytes = outer.get("bytes") if type(outer) is dict else None
    if encoded is None:
        return chunk
    try:
        inner: Json = parse_json(encoded if isinstance(encoded, bytes) else b64decode(str(encoded), validate=True))
    except (ValueError, RecursionError):
        inner = None
    if type(inner) is not dict:
        raise StreamError("the bytes of a chunk must be a JSON object")
    return inner


def frame_bytes(chunk: Wire) -> Frame:
    """The message for a model's own event, as bytes in a `chunk`; an exception becomes a message of its own."""
    named = frame_named(chunk)
    return named if named.is_exception else Frame("chunk", {"bytes": b64encode(to_json(chunk)).decode()})


def frame_named(chunk: Wire) -> Frame:
    """The message for a chunk with a single field, which has the name of the event."""
    name = next(iter(chunk), "")
    payload: Json = chunk.get(name)
    if len(chunk) != 1 or type(payload) is not dict:
        return Frame("chunk", chunk)
    return Frame(name, payload, name.endswith(_EXCEPTION))
