"""What the events of a stream have in common: their fields, and the error that any of them may be."""

from __future__ import annotations

from ...codec.fields import Wire
from ...model import events as ev
from ...model.base import Json
from .base import FAMILY

FRAMING = frozenset(
    "type sequence_number response output_index item_id item content_index summary_index annotation_index part delta text"
    " refusal arguments input name logprobs obfuscation annotation".split()
)
"""The known fields of all events."""


def error_in(chunk: Wire) -> ev.ErrorEvent:
    """The error in a chunk: the object `error`, or the fields of the chunk itself."""
    error: Json = chunk.get("error")
    return ev.ErrorEvent(error=error if type(error) is dict else {key: chunk[key] for key in chunk if key != "type"})


def rest_of(chunk: Wire) -> list[ev.Event]:
    """An event for the unknown fields of a chunk."""
    more = {key: value for key, value in chunk.items() if key not in FRAMING}
    return [ev.OpaqueEvent(format=FAMILY, value={"type": chunk["type"], **more})] if more else []


def list_of(chunk: Wire) -> str:
    """The field of an item that has the part of an event."""
    return "summary" if "summary_index" in chunk or chunk["type"].startswith("response.reasoning_summary") else "content"
