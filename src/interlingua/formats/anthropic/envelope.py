"""Events of a stream, each as bytes in a chunk of another stream (botocore 1.44.5, `InvokeModelWithResponseStream`)."""

from __future__ import annotations

from base64 import b64decode

from ...codec.fields import Wire
from ...errors import StreamError
from ...model.base import Json, parse_json


def unframe(chunk: Wire, _event: str | None) -> Wire:
    """The event in a chunk: in bytes as boto3 gives it, or in base64 as the event stream's JSON has it."""
    outer: Json = chunk.get("chunk", chunk)
    encoded: Json | bytes = outer.get("bytes") if type(outer) is dict else None
    if encoded is None:
        return chunk
    try:
        event: Json = parse_json(encoded if isinstance(encoded, bytes) else b64decode(str(encoded), validate=True))
    except (ValueError, RecursionError):
        event = None
    if type(event) is not dict:
        raise StreamError("the bytes of a chunk must be a JSON object")
    return event
