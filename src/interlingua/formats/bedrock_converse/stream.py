"""Reading streams of ConverseStream: what their events mean.

A stream is `messageStart`, the blocks, `messageStop` and `metadata`. A block begins with `contentBlockStart` only if it is a
tool call, a result or an image; a text that cites begins with its citations (botocore 1.44.5: `ConverseStreamOutput`). On HTTP
an event's name is in its header, and boto3 has it as the key around the event; without either, its fields say which it is.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable

from ...codec.fields import FieldReader, Wire
from ...codec.part_events import PartEvents, StreamedPart
from ...error_bodies import is_error
from ...errors import StreamError
from ...model.base import Json, copy_json, exact_object
from ...model.events import ErrorEvent, Event, MessageStart, OpaqueEvent, Stop, Update, UsageUpdate
from .base import FAMILY, adapter, keep_whole
from .blocks import load_block
from .citations import load_citation
from .responses import load_envelope

_EVENTS = {
    "messageStart": {"role"},
    "contentBlockStart": {"start"},
    "contentBlockDelta": {"delta"},
    "contentBlockStop": {"contentBlockIndex"},
    "messageStop": {"stopReason", "additionalModelResponseFields"},
    "metadata": {"usage", "metrics", "trace", "performanceConfig", "serviceTier"},
}
"""The names of events, and the fields of which one says what an event without a name is."""
_EMPTY: dict[str, Wire] = {"toolUse": {"input": {}}, "toolResult": {"content": []}}
"""What comes of a block later."""
_FRAMING = frozenset({"p"})
"""The padding of events on HTTP, which hides their lengths."""


class _Held:
    """What has come of a block before it is known what it is: citations, and a blob in pieces."""

    def __init__(self) -> None:
        self.part: StreamedPart | None = None
        self.citations: list[Wire] = []
        self.blobs: list[str] = []
        self.image: Wire = {}


class ConverseReading:
    """Reads one stream."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._parts = PartEvents()
        self._blocks: dict[int, _Held] = {}
        self._open: dict[int, _Held] = {}
        self._started = False
        self._handlers: dict[str, Callable[[Wire, list[Event]], None]] = {
            "messageStart": self._message_start,
            "contentBlockStart": self._block_start,
            "contentBlockDelta": self._block_delta,
            "contentBlockStop": self._block_stop,
            "messageStop": self._envelope,
            "metadata": self._envelope,
        }

    def read(self, chunk: Wire) -> list[Event]:
        """The events of a chunk."""
        name = next((key for key, held in chunk.items() if key in _EVENTS and type(held) is dict), None)
        event: Wire = chunk if name is None else chunk[name]
        if name is None:
            name = next((key for key, fields in _EVENTS.items() if not fields.isdisjoint(chunk)), None)
        if name is None:
            return [ErrorEvent(error=chunk) if is_error(chunk) else OpaqueEvent(format=FAMILY, value=chunk)]
        events: list[Event] = []
        if not self._started:
            self._started = True
            events.append(MessageStart(origin=self._name, spelling="blocks"))
        self._handlers[name]({key: value for key, value in event.items() if key not in _FRAMING}, events)
        return events

    def end(self) -> list[Event]:
        """The events that are due if no chunk follows."""
        events: list[Event] = []
        self._close_all(events)
        return events

    # The envelope

    def _message_start(self, event: Wire, events: list[Event]) -> None:
        reader = FieldReader(event)
        if event.get("role") == "assistant":
            reader.known.add("role")
        if fields := reader.keep({}, FAMILY):
            events.append(Update(of="message", data=fields))

    def _envelope(self, event: Wire, events: list[Event]) -> None:
        reader = FieldReader(adapter("Envelope").validate_python(event))
        out, choice = load_envelope(reader)
        if choice:
            self._close_all(events)
        if fields := reader.keep({}, FAMILY):
            events.append(Update(of="response", data=fields))
        if "usage" in out:
            events.append(UsageUpdate(usage=out["usage"]))
        if choice:
            events.append(Stop(**choice))

    # Blocks

    def _held(self, event: Wire) -> tuple[int, _Held]:
        number: Json = event.get("contentBlockIndex", 0)
        if type(number) is not int:
            raise StreamError("/contentBlockIndex: Input should be a valid integer")
        held = self._blocks.get(number)
        if held is None:
            held = self._blocks[number] = _Held()
        self._open[number] = held
        return number, held

    def _block_start(self, event: Wire, events: list[Event]) -> None:
        _, held = self._held(event)
        start = _object(event, "start")
        key = next(iter(start), "")
        value: Json = start.get(key)
        if key == "image" and type(value) is dict:
            held.image = copy_json(value)
            return
        wire: Wire = copy_json({**start, key: _EMPTY.get(key, {}) | value} if type(value) is dict else start)
        data = load_block(adapter("Block").validate_python(wire))
        if key == "toolResult":
            data = keep_whole(wire)
        held.part = self._parts.begin(data, events)

    def _block_delta(self, event: Wire, events: list[Event]) -> None:
        _, held = self._held(event)
        delta = _object(event, "delta")
        key = next(iter(delta), "")
        value: Json = delta.get(key)
        if key == "text" and type(value) is str:
            self._text(held, value, events)
        elif key == "toolUse" and type(value) is dict and held.part is not None:
            self._input(held.part, value.get("input"), events)
        elif key == "reasoningContent" and type(value) is dict:
            self._reasoning(held, value, events)
        elif not self._whole(held, key, copy_json(value), events):
            events.append(OpaqueEvent(format=FAMILY, value=event))

    def _whole(self, held: _Held, key: str, value: Json, events: list[Event]) -> bool:
        """Take a delta that is no text; whether it is of a known kind."""
        part = held.part
        if key == "citation" and type(value) is dict:
            if part is None:
                held.citations.append(value)
            else:
                self._parts.update(part, {"citations": [load_citation(value)]}, events)
        elif key == "image" and type(value) is dict:
            held.image |= value
        elif key == "toolResult" and type(value) is list and part is not None and key in part.value:
            part.value[key]["content"] += value
        else:
            return False
        return True

    def _input(self, part: StreamedPart, text: Json, events: list[Event]) -> None:
        if type(text or "") is not str:
            raise StreamError("/delta/toolUse/input: Input should be a valid string")
        if part.kind == "tool_use":
            self._parts.grow(part, str(text or ""), events)
        elif "toolUse" in part.value:
            part.pieces.append(str(text or ""))

    def _text(self, held: _Held, text: str, events: list[Event]) -> None:
        if held.part is not None and held.part.kind != "text":
            self._parts.end(held.part, events)
            held.part = None
        if held.part is None:
            cited = {"citations": [load_citation(citation) for citation in held.citations]} if held.citations else {}
            held.citations = []
            held.part = self._parts.begin({"type": "text", "text": "", **cited}, events)
        self._parts.grow(held.part, text, events)

    def _reasoning(self, held: _Held, value: Wire, events: list[Event]) -> None:
        if type(blob := value.get("redactedContent")) is str:
            held.blobs.append(blob)
            return
        text, signature = value.get("text"), value.get("signature")
        if held.part is not None and held.part.kind != "thinking":
            self._parts.end(held.part, events)
            held.part = None
        if held.part is None:
            held.part = self._parts.begin({"type": "thinking", "thinking": ""}, events)
        if type(text) is str:
            self._parts.grow(held.part, text, events)
        if type(signature) is str:
            self._parts.sign(held.part, signature, FAMILY, events)

    def _block_stop(self, event: Wire, events: list[Event]) -> None:
        number, held = self._held(event)
        self._close(number, held, events)

    def _close_all(self, events: list[Event]) -> None:
        for number, held in sorted(self._open.items()):
            self._close(number, held, events)

    def _close(self, number: int, held: _Held, events: list[Event]) -> None:
        self._open.pop(number, None)
        if held.part is None:
            wire: Wire | None = None
            if held.blobs:
                wire = {"reasoningContent": {"redactedContent": _joined(held.blobs)}}
            elif held.image:
                wire = {"image": held.image}
            elif held.citations:
                wire = {"citationsContent": {"citations": held.citations}}
            if wire is None:
                return
            held.part = self._parts.begin(load_block(wire), events)
        part = held.part
        if not part.open:
            return
        if part.kind == "opaque" and part.pieces:
            text = "".join(part.pieces)
            value = exact_object(text)
            part.value["toolUse"]["input"] = text if value is None else value
        self._parts.end(part, events)


def _joined(blobs: list[str]) -> str:
    return blobs[0] if len(blobs) == 1 else b64encode(b"".join(map(b64decode, blobs))).decode()


def _object(event: Wire, key: str) -> Wire:
    value: Json = event.get(key)
    if type(value) is not dict:
        raise StreamError(f"/{key}: Input should be an object")
    return value
