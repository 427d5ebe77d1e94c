"""What the events of a stream have in common: their fields, and the error that any of them may be."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire
from ...codec.streams.part_events import StreamedPart
from ...model import events as ev
from ...model.base import Json
from .base import FAMILY, GROWTHS, adapter

FRAMING = frozenset(
    "type sequence_number response output_index item_id item content_index summary_index annotation_index part delta text"
    " refusal arguments input name logprobs obfuscation annotation".split()
)
"""The known fields of all events."""
DELTAS = {name: kind for kind, (_, name) in GROWTHS.items()}
"""The type of the part or call that deltas add to, by the name of their events."""
OWNERS: dict[str, str] = {
    "output_text": "message",
    "refusal": "message",
    "reasoning_text": "reasoning",
    "summary_text": "reasoning",
}
"""The type of item that has parts of a type; a call is an item itself."""
GROWN = {f"response.{name}.delta": OWNERS.get(kind, kind) for name, kind in DELTAS.items()}
"""The type of item that an event adds text to, by the type of the event."""

_OTHER_NAMES = {
    "response.content_part.delta": "response.output_text.delta",
    "response.text.delta": "response.output_text.delta",
    "response.reasoning.delta": "response.reasoning_text.delta",
    "response.reasoning.done": "response.reasoning_text.done",
    "response.reasoning_summary.delta": "response.reasoning_summary_text.delta",
    "response.reasoning_summary.done": "response.reasoning_summary_text.done",
}
"""Other names of events: those of OpenAI's clients until 1.99 for reasoning, and those in OpenRouter's guides for texts."""


def renamed(chunk: Wire) -> Wire | None:
    """The event under its usual name; None if it already has it, or if its delta is not text."""
    usual = _OTHER_NAMES.get(chunk.get("type", ""))
    has_text = type(chunk.get("delta", "")) is str
    return chunk | {"type": usual} if usual is not None and has_text else None


def error_in(chunk: Wire) -> ev.ErrorEvent:
    """The error in a chunk: the object `error`, or the fields of the chunk itself."""
    error: Json = chunk.get("error")
    return ev.ErrorEvent(error=error if type(error) is dict else {key: chunk[key] for key in chunk if key != "type"})


def rest_of(chunk: Wire) -> list[ev.Event]:
    """An event for the unknown fields of a chunk."""
    more = {key: value for key, value in chunk.items() if key not in FRAMING}
    return [ev.OpaqueEvent(format=FAMILY, value={"type": chunk["type"], **more})] if more else []


_WHOLE = {
    "response.function_call_arguments": "arguments",
    "response.custom_tool_call_input": "input",
    "response.refusal": "refusal",
}
"""The field with the whole text in the event that ends it; `text` in all others."""


def late_delta(chunk: Wire) -> Wire | None:
    """The event that ends a text, turned into one that adds this text; None for any other event, or if the text is empty."""
    name, _, stage = str(chunk["type"]).rpartition(".")
    text: Json = chunk.get(_WHOLE.get(name, "text"))
    is_end = stage == "done" and f"{name}.delta" in GROWN
    return chunk | {"type": f"{name}.delta", "delta": text} if is_end and text and type(text) is str else None


def list_of(chunk: Wire) -> str:
    """The field of an item that has the part of an event."""
    return "summary" if "summary_index" in chunk or chunk["type"].startswith("response.reasoning_summary") else "content"


def owner_of(chunk: Wire) -> str | None:
    """The type of the item that an event belongs to."""
    wire: Json = chunk.get("item")
    part: Json = wire if type(wire) is dict else chunk.get("part")
    kind: Json = part.get("type") if type(part) is dict else GROWN.get(chunk["type"])
    return OWNERS.get(kind, kind) if type(kind) is str else None


def become(part: StreamedPart, data: dict[str, Any], text: str) -> None:
    """Replace a part by another one, which has a text."""
    part.kind = data["type"]
    part.maker = None
    part.pieces = [text]
    part.begun = True
    part.call = {key: data[key] for key in ("id", "name", "custom") if key in data}
    part.format = data.get("format", "")
    part.value = data.get("value", {})
    part.rest = {key: value for key, value in data.items() if key not in ("type", "format", "value")}


def checked(item: Wire | None) -> Wire:
    """Validate an item by the types of the wire; raises pydantic's `ValidationError`."""
    wire: Wire = adapter("Item").validate_python(item)
    return wire
