"""Read streams of Anthropic Messages: turn the wire's events into canonical events.

A stream is the envelope of a message (`message_start`, `message_delta`, `message_stop`) around its content blocks. Each block
starts, grows by deltas, and stops before the next one starts (anthropic 2.11.0, `types/raw_message_stream_event.py`). Each
piece of the envelope is merged into the earlier pieces, and null replaces nothing, so that the events fold into the
response that `load_response` returns for the whole message. Some hosts leave out the start, the stop or the index of a block.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal, TypeAlias

from ...codec.error_bodies import is_error
from ...codec.fields import Wire
from ...codec.streams.part_events import PartEvents, StreamedPart, field_of
from ...errors import StreamError
from ...model.base import Json, copy_json, exact_object
from ...model.events import ErrorEvent, Event, MessageStart, OpaqueEvent, Stop, StreamEnd, Update, UsageUpdate
from . import responses
from .base import FAMILY, adapter
from .blocks import keep_whole, load_known
from .citations import load_citation

Events: TypeAlias = list[Event]

_DELTAS: dict[str, tuple[str, str, type]] = {
    "text_delta": ("text", "text", str),
    "thinking_delta": ("thinking", "thinking", str),
    "signature_delta": ("signature", "thinking", str),
    "input_json_delta": ("partial_json", "tool_use", str),
    "citations_delta": ("citation", "text", dict),
    "compaction_delta": ("", "opaque", dict),
}
"""For each delta: its field, or "" for all its fields; the kind of part that it adds to; the type of the field."""

_GROWTH = {kind: (name, field) for name, (field, kind, _) in _DELTAS.items() if field in ("text", "thinking", "partial_json")}
"""For each kind of part that grows by text: the type of its deltas, and their field."""

_REPEATED = frozenset({"ping", "text", "thinking", "citation", "signature", "input_json", "compaction"})
"""Events without new information: pings, and events that the official SDK's message stream adds to those of the API."""

_INPUT = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
"""The counts of the input, which is never empty."""

_EMPTY: dict[str, Wire] = {"text": {"text": ""}, "thinking": {"thinking": ""}, "tool_use": {"input": {}}}
"""Fields that may be missing from the start of a block."""


class MessagesReading:
    """Reads one stream."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._parts = PartEvents()
        self._blocks: dict[int, StreamedPart] = {}
        """The last block with each index."""
        self._open: dict[int, StreamedPart] = {}
        """The open blocks, by the index of the part."""
        self._current: StreamedPart | None = None
        self._next = 0
        self._grown: dict[int, dict[str, list[str]]] = {}
        """The growing texts of blocks that are kept whole, by the index of the part and the field of the delta."""
        self._envelope: Wire = {}
        self._ids: set[str | None] = set()
        self._started = False
        self._stop_due = False
        self._stopped = False

    def grow(self, chunk: Wire) -> list[Event] | None:
        """Return the delta of a chunk that only adds text to an open block."""
        try:
            delta = chunk["delta"]
            number = chunk["index"]
            part: Any = self._blocks[number]
            kind, field = _GROWTH[part.kind]
            text = delta[field]
            if delta["type"] != kind or chunk["type"] != "content_block_delta" or len(chunk) + len(delta) != 5:
                return None
            if type(text) is not str or type(number) is not int:
                return None
            if text and part.open:
                grown = part.maker.more(text)
                part.pieces.append(text)
                return [grown]
        except (AttributeError, KeyError, TypeError, ValueError):
            pass  # the first delta of a block, any other chunk, or not a chunk
        return None

    def read(self, chunk: Wire) -> Events:
        """Return the events of a chunk."""
        kind = chunk.get("type")
        if kind is None:
            return self._error(chunk) if is_error(chunk) else [_opaque(chunk)]
        if type(kind) is not str:
            raise StreamError("/type: Input should be a valid string")
        if (handler := self._HANDLERS.get(kind)) is not None:
            return handler(self, chunk)
        return [] if kind in _REPEATED else [_opaque(chunk)]

    def end(self) -> Events:
        """The last events, if no chunk follows."""
        events = self._close_all()
        return events + self._stop() if self._started and not self._stopped else events

    # The envelope

    def _start(self, message: Wire) -> Events:
        if self._started:
            return []
        self._started = True
        known: Wire = {key: message[key] for key in ("id", "model") if key in message}
        self._envelope |= known
        return [MessageStart(**known, origin=self._name, spelling="blocks")]

    def _message_start(self, chunk: Wire) -> Events:
        message: Wire = field_of(chunk, "message", dict) or {}
        content = field_of(message, "content", list, "/message")
        id = field_of(message, "id", str, "/message")
        # A second start repeats the first, or begins another message, whose blocks follow the blocks of the first.
        repeated = self._started and id in self._ids
        self._ids.add(id)
        absent = None if self._started else responses.absent_constants(message)
        events = self._start(message)
        if absent:
            events.append(Update(of="response", data={"wire": {"spelling": absent}}))
        known = ("content", "id") if self._envelope.get("id") is not None else ("content",)
        events += self._merge(_without(message, known))
        wire: Json
        for wire in content if content and not repeated else ():
            if type(wire) is not dict:
                raise StreamError("/message/content: a block must be an object")
            self._close(self._begin(None, wire, events), events)
        return events + _rest(chunk, ("message",))

    def _message_delta(self, chunk: Wire) -> Events:
        delta: Wire = field_of(chunk, "delta", dict) or {}
        envelope = _without(chunk, ("type", "delta")) | _without(delta, ("type", "content"))
        events = self._start({})
        if envelope.get("stop_reason") is not None:
            events += self._close_all()
        events += self._merge(envelope)
        if "content" in delta:
            events.append(_opaque({"type": "message_delta", "delta": {"content": delta["content"]}}))
        return events + self._stop() if self._stop_due else events

    def _message_stop(self, chunk: Wire) -> Events:
        events = [*self._start({}), *self._close_all(), *self._merge(_without(chunk, ("type", "message")))]
        if self._stop_due or not self._stopped:
            events += self._stop()
        return [*events, StreamEnd()]

    def _message(self, chunk: Wire) -> Events:
        """Read a whole message that a host sent instead of a stream."""
        if self._started:
            return [_opaque(chunk)]
        return [*self._message_start({"message": chunk}), *self._stop(), StreamEnd()]

    def _merge(self, envelope: Wire) -> Events:
        """Merge more of the envelope into what is known, and return the events of what is new."""
        adapter("Envelope").validate_python(envelope)
        known = self._envelope
        new = {key: value for key, value in envelope.items() if key not in known or (value is not None and value != known[key])}
        if not new:
            return []
        old = {key: known[key] for key in new if key in known}
        if (usage := new.get("usage")) is not None:
            counted: Wire = old.get("usage") or {}
            unsaid = () if any(map(usage.get, _INPUT)) else _INPUT  # some hosts write zeros for what only the start counts
            new["usage"] = counted | {
                key: value
                for key, value in usage.items()
                if key not in counted or not (value is None or (value == 0 and key in unsaid))
            }
        known |= new
        response, choice = responses.load_envelope(new)
        if self._envelope.get("stop_reason") is not None and ("stop_reason" in new or "stop_sequence" in new):
            self._stop_due = True
            choice = _without(choice, ("stop_reason", "native_stop_reason", "stop_sequence"))
        events: Events = []
        if response.get("usage") is not None:
            events.append(UsageUpdate(usage=response.pop("usage")))
        return events + _updates("response", response, old) + _updates("choice", choice, old)

    def _stop(self) -> Events:
        self._stop_due = False
        self._stopped = True
        return [Stop(**responses.load_stop(self._envelope))]

    def _error(self, chunk: Wire) -> Events:
        error = chunk.get("error")
        return [ErrorEvent(error=_without(chunk, ("type", "error")) | error if type(error) is dict else chunk)]

    # Blocks

    def _block_at(self, number: int | None) -> StreamedPart | None:
        """The block with an index; without an index, the block that started last."""
        return self._current if number is None else self._blocks.get(number)

    def _block_start(self, chunk: Wire) -> Events:
        number = field_of(chunk, "index", int)
        block = field_of(chunk, "content_block", dict)
        if block is None:
            raise StreamError("/content_block: Input should be an object")
        events = self._start({})
        self._begin(number, block, events)
        return events + _rest(chunk, ("index", "content_block"))

    def _begin(self, number: int | None, block: Wire, events: Events) -> StreamedPart:
        wire = _copy(block)
        kind: Json = wire.get("type")
        empty = _EMPTY.get(kind) if type(kind) is str else None
        if empty is not None:
            wire = empty | {key: value for key, value in wire.items() if value is not None or key not in empty}
        if kind == "redacted_thinking" and type(wire.get("data")) is not str:
            data = keep_whole(wire)  # one odd block must not end the answer
        else:
            data = load_known(adapter("SaidBlock").validate_python(wire), responses.ANSWER_TYPES)
        return self._place(number, data, events)

    def _place(self, number: int | None, data: dict[str, Any], events: Events) -> StreamedPart:
        if number is None:
            number = self._next
        before = self._blocks.get(number)
        if before is not None and before.open:
            self._close(before, events)
        if (waiting := self._parts.waiting) is not None:
            self._close(waiting, events)
        part = self._parts.begin(data, events)
        self._blocks[number] = part
        self._current = part
        self._open[part.index] = part
        self._next = max(self._next, number + 1)
        return part

    def _block_delta(self, chunk: Wire) -> Events:
        number = field_of(chunk, "index", int)
        delta: Wire = field_of(chunk, "delta", dict) or {}
        kind = field_of(delta, "type", str, "/delta")
        if kind is None:
            raise StreamError("/delta/type: Input should be a valid string")
        if kind not in _DELTAS:
            return [*self._start({}), _opaque(chunk)]
        field, wanted, expected = _DELTAS[kind]
        value = field_of(delta, field, expected, "/delta") if field else _without(delta, ("type",))
        events = self._start({})
        part = self._block_at(number)
        if part is None or part.kind not in (wanted, "opaque"):
            part = self._begin_late(number, wanted, events)
        part.open = True
        self._open[part.index] = part
        if value or (value is not None and kind == "signature_delta"):
            self._grow(part, kind, value, events)
        if field and (more := _without(delta, ("type", field))):
            return [*events, _opaque({**chunk, "delta": {"type": kind, **more}})]
        return events + _rest(chunk, ("index", "delta"))

    def _begin_late(self, number: int | None, kind: str, events: Events) -> StreamedPart:
        """Begin a block whose first delta comes before its start."""
        if kind == "tool_use":
            raise StreamError("/index: the arguments of a tool call must follow the start of its block, which has its name")
        return self._begin(number, {"type": "compaction" if kind == "opaque" else kind}, events)

    def _grow(self, part: StreamedPart, kind: str, value: Any, events: Events) -> None:
        if part.kind == "opaque":
            self._grow_opaque(part, kind, value)
        elif kind == "signature_delta":
            self._parts.sign(part, value, FAMILY, events)
        elif kind == "citations_delta":
            self._parts.update(part, {"citations": [load_citation(_copy(value))]}, events)
        else:
            self._parts.grow(part, value, events)

    def _grow_opaque(self, part: StreamedPart, kind: str, value: Any) -> None:
        wire = part.value
        if kind == "compaction_delta":
            wire |= _copy(value)
        elif kind == "citations_delta":
            citations: Json = wire.get("citations")
            if type(citations) is not list:
                citations = wire["citations"] = []
            citations.append(_copy(value))
        elif kind == "signature_delta":
            wire["signature"] = value
        elif kind == "input_json_delta":
            part.pieces.append(value)
        else:
            self._grown.setdefault(part.index, {}).setdefault(_DELTAS[kind][0], []).append(value)

    def _block_stop(self, chunk: Wire) -> Events:
        part = self._block_at(field_of(chunk, "index", int))
        events = self._start({})
        if part is not None and part.open:
            self._close(part, events)
        return events + _rest(chunk, ("index", "content_block"))

    def _close_all(self) -> Events:
        events: Events = []
        for _, part in sorted(self._open.items()):
            self._close(part, events)
        return events

    def _close(self, part: StreamedPart, events: Events) -> None:
        self._open.pop(part.index, None)
        for field, pieces in self._grown.pop(part.index, {}).items():
            begun = part.value.get(field)
            part.value[field] = "".join([begun, *pieces] if type(begun) is str else pieces)
        if part.kind == "opaque" and part.pieces:
            text = "".join(part.pieces)
            value = exact_object(text)
            part.value["input"] = text if value is None else value
        self._parts.end(part, events)

    _HANDLERS: ClassVar[dict[str, Callable[[Any, Wire], Events]]] = {
        "message_start": _message_start,
        "content_block_start": _block_start,
        "content_block_delta": _block_delta,
        "content_block_stop": _block_stop,
        "message_delta": _message_delta,
        "message_stop": _message_stop,
        "message": _message,
        "error": _error,
    }


def _rest(chunk: Wire, known: tuple[str, ...]) -> Events:
    """An event for the unknown fields of a chunk."""
    more = _without(chunk, known)
    return [_opaque(more)] if more.keys() - {"type"} else []


def _without(wire: Wire, known: tuple[str, ...]) -> Wire:
    return {key: value for key, value in wire.items() if key not in known}


def _updates(of: Literal["response", "choice"], data: Wire, old: Wire) -> Events:
    """The events that set these fields; provider data replaces the `old` provider data."""
    events: Events = []
    overlay: Wire = data.get("provider_data", {}).get(FAMILY, {})
    if replaced := [key for key in overlay if type(old.get(key)) in (dict, list)]:
        # Updates are merged, so the old value must be set to null first.
        events.append(Update(of=of, data={"provider_data": {FAMILY: dict.fromkeys(replaced)}}))
    return [*events, Update(of=of, data=data)] if data else events


def _opaque(value: Wire) -> OpaqueEvent:
    return OpaqueEvent(format=FAMILY, value=value)


def _copy(value: Wire) -> Wire:
    try:
        copied: Wire = copy_json(value)
    except ValueError as error:
        raise StreamError(str(error)) from None
    return copied
