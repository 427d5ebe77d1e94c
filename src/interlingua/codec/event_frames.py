"""Events of AWS event streams, and chunks that stand in them as bytes (botocore 1.44.8, `ResponseStream`).

A message of such a stream is an event or an exception: its name is in a header, and its payload is JSON. Where the service
passes on what a model sends, each event is a `chunk`, whose `bytes` are base64 of the model's own event.
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
    """The type of its event or exception."""
    payload: Wire
    is_exception: bool = False


def unframe(chunk: Wire, event: str | None) -> Wire:
    """The event in a chunk: in bytes as boto3 gives it, or in base64 as the event stream's JSON has it.

    An exception stays as it is, under its name.
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
    """The message that carries a model's own event as bytes; an exception is a message of its own."""
    named = frame_named(chunk)
    return named if named.is_exception else Frame("chunk", {"bytes": b64encode(to_json(chunk)).decode()})


def frame_named(chunk: Wire) -> Frame:
    """The message for a chunk whose one field is named after its event."""
    name = next(iter(chunk), "")
    payload: Json = chunk.get(name)
    if len(chunk) != 1 or type(payload) is not dict:
        return Frame("chunk", chunk)
    return Frame(name, payload, name.endswith(_EXCEPTION))
