"""Read streams of ConverseStream: turn the wire's events into canonical events.

A stream is `messageStart`, the blocks, `messageStop` and `metadata`. A block begins with `contentBlockStart` only if it is a
tool call, a result or an image; a text with citations begins with its citations (botocore 1.44.5: `ConverseStreamOutput`). On
HTTP a header has the event's name, and boto3 makes it the key around the event; without either, the fields tell which it is.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any, ClassVar

from ...codec.error_bodies import is_error
from ...codec.fields import FieldReader, Wire, value_at
from ...codec.streams.part_events import PartEvents, StreamedPart, field_of
from ...codec.usage import UsageTable
from ...errors import StreamError
from ...model.base import Json, copy_json, exact_object
from ...model.events import ErrorEvent, Event, MessageStart, OpaqueEvent, Stop, Update, UsageUpdate
from ...model.parts import to_json
from .base import FAMILY, adapter, keep_whole
from .blocks import load_block
from .citations import BEHIND, load_citation
from .responses import load_envelope

_EVENTS = {
    "messageStart": {"role"},
    "contentBlockStart": {"start"},
    "contentBlockDelta": {"delta"},
    "contentBlockStop": {"contentBlockIndex"},
    "messageStop": {"stopReason", "additionalModelResponseFields"},
    "metadata": {"usage", "metrics", "trace", "performanceConfig", "serviceTier"},
}
"""The names of events, and the fields that identify an event without a name."""
_EMPTY: dict[str, Wire] = {"toolUse": {"input": {}}, "toolResult": {"content": []}}
"""The fields of a block that later events bring."""
_GROWTH = {"text": ("", "text"), "thinking": ("reasoningContent", "text"), "tool_use": ("toolUse", "input")}
"""For each kind of part that grows: the object of a delta that has its text, if there is one, and the field."""
_FRAMING = frozenset({"p"})
"""The padding of events on HTTP, which hides their lengths."""


def event_of(chunk: Wire) -> tuple[str | None, Wire]:
    """The name of the event in a chunk, or None if it is not one of these, and the event itself."""
    name = next((key for key, body in chunk.items() if key in _EVENTS and type(body) is dict), None)
    if name is not None:
        return name, chunk[name]
    return next((key for key, fields in _EVENTS.items() if not fields.isdisjoint(chunk)), None), chunk


class _Block:
    """A block that is still arriving: its part, and what arrived before the type of the part was known."""

    def __init__(self) -> None:
        self.part: StreamedPart | None = None
        self.citations: list[Wire] = []
        self.was_cited = False
        self.blobs: list[str] = []
        self.image: Wire = {}

    def take_waiting(self, *, citations: bool) -> list[Wire]:
        """What has not been sent, as blocks of their own; a text that follows takes the citations that came before it."""
        waiting: list[Wire] = []
        if self.blobs:
            waiting.append({"reasoningContent": {"redactedContent": _joined(self.blobs)}})
            self.blobs = []
        if self.image:
            waiting.append({"image": self.image})
            self.image = {}
        if citations and self.citations:
            waiting.append({"citationsContent": {"citations": self.citations}})
            self.citations = []
        return waiting


class ConverseReading:
    """Reads one stream."""

    def __init__(self, name: str, counts: UsageTable) -> None:
        self._name = name
        self._counts = counts
        self._parts = PartEvents()
        self._blocks: dict[int, _Block] = {}
        self._open: dict[int, _Block] = {}
        self._started = False
        self._text: StreamedPart | None = None
        """The last part, if it is a text whose block has ended; citations may follow in blocks of their own."""
        self._is_cited = False
        """Whether such a block has followed it."""

    def grow(self, chunk: Wire) -> list[Event] | None:
        """Return the delta of a chunk that only adds text to an open block."""
        try:
            event = chunk["contentBlockDelta"]
            delta = event["delta"]
            at = event["contentBlockIndex"]
            part: Any = self._open[at].part
            holder, field = _GROWTH[part.kind]
            one = delta[holder] if holder else delta
            text = one[field]
            if len(chunk) + len(delta) + len(one) != 3 or type(text) is not str or type(at) is not int:
                return None  # nearly all chunks have no other fields than these
            if text:
                grown = part.maker.more(text)
                part.pieces.append(text)
                return [grown]
        except (AttributeError, KeyError, TypeError, ValueError):
            pass  # the first delta of a block, any other chunk, or not a chunk
        return None

    def read(self, chunk: Wire) -> list[Event]:
        """Return the events of a chunk."""
        name, event = event_of(chunk)
        if name is None:
            return [ErrorEvent(error=chunk) if is_error(chunk) else OpaqueEvent(format=FAMILY, value=chunk)]
        events: list[Event] = [] if self._started else [MessageStart(origin=self._name, spelling="blocks")]
        self._started = True
        self._HANDLERS[name](self, {key: value for key, value in event.items() if key not in _FRAMING}, events)
        if event is not chunk:
            beside = {key: value for key, value in chunk.items() if key != name and key not in _FRAMING}
            if beside:
                events.append(Update(of="response", data={"provider_data": {FAMILY: beside}}))
        return events

    def end(self) -> list[Event]:
        """The last events, if no chunk follows."""
        events: list[Event] = []
        for number in sorted(self._open):
            self._close(number, events)
        self._end_text(events)
        return events

    # The envelope

    def _message_start(self, event: Wire, events: list[Event]) -> None:
        if fields := FieldReader(event, *(("role",) if event.get("role") == "assistant" else ())).keep({}, FAMILY):
            events.append(Update(of="message", data=fields))

    def _envelope(self, event: Wire, events: list[Event]) -> None:
        reader = FieldReader(adapter("Envelope").validate_python(event))
        out, choice = load_envelope(reader, self._counts)
        if choice:
            events += self.end()
        if fields := reader.keep({}, FAMILY):
            events.append(Update(of="response", data=fields))
        if "usage" in out:
            events.append(UsageUpdate(usage=out["usage"]))
        if choice:
            events.append(Stop(**choice))

    # Blocks

    def _block(self, event: Wire) -> _Block:
        number: int = field_of(event, "contentBlockIndex", int) or 0
        return self._open.setdefault(number, self._blocks.setdefault(number, _Block()))

    def _block_start(self, event: Wire, events: list[Event]) -> None:
        number: int = field_of(event, "contentBlockIndex", int) or 0
        if number in self._open:
            self._close(number, events)  # the one before has no end
        block = self._block(event)
        start = _object(event, "start")
        key = next(iter(start), "")
        value: Json = start.get(key)
        if key == "image" and type(value) is dict:
            block.image = copy_json(value)
            return
        wire: Wire = copy_json({**start, key: _EMPTY.get(key, {}) | value} if type(value) is dict else start)
        data = load_block(adapter("Block").validate_python(wire))
        block.part = self._begin(keep_whole(wire) if key == "toolResult" else data, events)

    def _block_delta(self, event: Wire, events: list[Event]) -> None:
        block = self._block(event)
        delta = _object(event, "delta")
        key = next(iter(delta), "")
        value: Json = delta.get(key)
        if key == "text" and type(value) is str:
            cited = [load_citation(citation) for citation in block.citations]
            part = self._part(block, {"type": "text", "text": ""} | ({"citations": cited} if cited else {}), events)
            self._parts.grow(part, value, events)
            block.citations = []
        elif key == "reasoningContent" and type(value) is dict:
            self._reasoning(block, value, events)
        elif not self._takes(block, key, copy_json(value), events):
            events.append(OpaqueEvent(format=FAMILY, value=event))

    def _arguments(self, part: StreamedPart | None, text: str, events: list[Event]) -> None:
        """Add to the arguments of a tool call, which may be kept whole."""
        if part is not None and part.kind == "tool_use":
            self._parts.grow(part, text, events)
        elif part is not None and type(value_at(part.value, ("toolUse",))) is dict:
            part.pieces.append(text)
        else:
            raise StreamError(
                "/contentBlockIndex: the arguments of a tool call must follow the start of its block, which has its name"
            )

    def _takes(self, block: _Block, key: str, value: Json, events: list[Event]) -> bool:
        """Read a delta that is neither text nor reasoning; return whether its kind is known."""
        part = block.part
        begun: Wire = {} if part is None else part.value
        if part is not None and part.kind == "opaque" and not part.open and key in begun:
            return False  # its event was sent
        if key == "toolUse" and type(value) is dict:
            self._arguments(part, _piece_of(value.get("input")), events)
        elif key == "citation" and type(value) is dict:
            self._cite(block, value, events)
        elif key == "image" and type(value) is dict:
            block.image |= value
        elif key == "toolResult" and type(value) is list:
            content: Json = value_at(begun, (key, "content"))
            if type(content) is not list:
                return False
            content += value
        else:
            return False
        return True

    def _cite(self, block: _Block, citation: Wire, events: list[Event]) -> None:
        """Add a citation to the text that it follows, or keep it for the text that follows it."""
        block.was_cited = True
        if block.part is not None and block.part.kind == "text":
            self._parts.update(block.part, {"citations": [load_citation(citation)]}, events)
        else:
            block.citations.append(citation)

    def _part(self, block: _Block, data: dict[str, Any], events: list[Event]) -> StreamedPart:
        """The part of a block if this data is of its type; otherwise a new part."""
        waiting = block.take_waiting(citations=False)
        if block.part is not None and (waiting or block.part.kind != data["type"]):
            self._end(block.part, events)
            block.part = None
        self._send(waiting, events)
        if block.part is None:
            block.part = self._begin(data, events)
        return block.part

    def _begin(self, data: dict[str, Any], events: list[Event]) -> StreamedPart:
        self._end_text(events)
        if (waiting := self._parts.waiting) is not None:
            self._end(waiting, events)
        return self._parts.begin(data, events)

    def _send(self, blocks: list[Wire], events: list[Event]) -> None:
        for wire in blocks:
            self._parts.end(self._begin(load_block(wire), events), events)

    def _end(self, part: StreamedPart, events: list[Event]) -> None:
        """End a part that has not ended."""
        if not part.open:
            return
        if part.kind == "opaque" and part.pieces:
            text = "".join(part.pieces)
            value = exact_object(text)
            part.value["toolUse"]["input"] = text if value is None else value
        self._parts.end(part, events)

    def _reasoning(self, block: _Block, value: Wire, events: list[Event]) -> None:
        text, signature, blob = (value.get(key) for key in ("text", "signature", "redactedContent"))
        if type(blob) is str:
            block.blobs.append(blob)
            return
        part = self._part(block, {"type": "thinking", "thinking": ""}, events)
        self._parts.grow(part, text if type(text) is str else "", events)
        if type(signature) is str:
            self._parts.sign(part, signature, FAMILY, events)

    def _block_stop(self, event: Wire, events: list[Event]) -> None:
        self._block(event)
        self._close(event.get("contentBlockIndex") or 0, events)

    def _close(self, number: int, events: list[Event]) -> None:
        block = self._open.pop(number)
        part = block.part
        if self._text is not None and part is None and not block.blobs and not block.image and block.citations:
            self._cite_behind(self._text, block, events)
            return
        if part is not None and part.open and part.kind == "text" and part is self._parts.parts[-1] and not block.was_cited:
            self._end_text(events)
            self._text = part
        elif part is not None:
            self._end(part, events)
        self._send(block.take_waiting(citations=True), events)

    def _cite_behind(self, text: StreamedPart, block: _Block, events: list[Event]) -> None:
        """Add the citations of a block that has nothing else to the text before it."""
        cited = [load_citation(citation) for citation in block.citations]
        size = str(len(cited))
        # The sizes are joined, so that the work for a block does not depend on how many came before.
        data: Wire = {"citations": cited, "wire": {"spelling": {BEHIND: f" {size}" if self._is_cited else size}}}
        block.citations = []
        text.begun = True
        self._is_cited = True
        events.append(Update(**text.where, of="part", data=data, join=True))

    def _end_text(self, events: list[Event]) -> None:
        """End the text that citations might have followed."""
        if self._text is not None:
            self._end(self._text, events)
            self._text = None
            self._is_cited = False

    _HANDLERS: ClassVar[dict[str, Callable[[Any, Wire, list[Event]], None]]] = {
        "messageStart": _message_start,
        "contentBlockStart": _block_start,
        "contentBlockDelta": _block_delta,
        "contentBlockStop": _block_stop,
        "messageStop": _envelope,
        "metadata": _envelope,
    }


def _piece_of(value: Json) -> str:
    """A piece of the arguments. If the piece alone is JSON, boto3 may give its value (haystack-core-integrations#3333)."""
    if type(value) is str:
        return value
    return "" if value is None else to_json(value)


def _joined(blobs: list[str]) -> str:
    try:
        return blobs[0] if len(blobs) == 1 else b64encode(b"".join(b64decode(blob, validate=True) for blob in blobs)).decode()
    except ValueError:
        raise StreamError("/delta/reasoningContent/redactedContent: Input should be base64") from None


def _object(event: Wire, key: str) -> Wire:
    value: Json = event.get(key)
    if type(value) is not dict:
        raise StreamError(f"/{key}: Input should be an object")
    return value
