"""Reading streams of Anthropic Messages: what their events mean.

A stream is the envelope of a message (`message_start`, `message_delta`, `message_stop`) around its content blocks, each
started, grown by deltas and stopped before the next begins. Reading lays each piece of the envelope over what was told
before and null never replaces a value, so that the fold is what the whole message would be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic_core import PydanticCustomError, from_json

from ...codec.fields import Wire
from ...codec.part_events import PartEvents, StreamedPart
from ...errors import StreamError
from ...model.base import Json, copy_json
from ...model.events import (
    ErrorEvent,
    Event,
    MessageStart,
    OpaqueEvent,
    Stop,
    StreamEnd,
    TextDelta,
    Update,
    UsageUpdate,
)
from .base import FAMILY
from .responses import (
    absent_constants,
    block_adapter,
    envelope_adapter,
    load_envelope,
    load_said,
    load_stop,
)

_DELTAS = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "signature_delta": ("signature", "thinking"),
    "input_json_delta": ("partial_json", "tool_use"),
    "citations_delta": ("citation", "text"),
    "compaction_delta": ("", "opaque"),
}
"""Each delta's field, and the kind of part that it adds to."""

_NARRATED = frozenset({"ping", "text", "thinking", "citation", "signature", "input_json", "compaction"})
"""What tells nothing: pings, and what the official SDK's message stream says over again beside the wire's events."""

_EMPTY: dict[str, Wire] = {"text": {"text": ""}, "thinking": {"thinking": ""}, "tool_use": {"input": {}}}
"""What a block that starts may leave out."""


class _Block:
    """A content block under way: its part, and the texts so far that grow in one that is kept whole."""

    def __init__(self, part: StreamedPart) -> None:
        self.part = part
        self.grown: dict[str, list[str]] = {}


class MessagesReading:
    """What the events of one stream mean."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._blocks: dict[int, _Block] = {}
        self._current: _Block | None = None
        self._parts = PartEvents()
        self._next = 0
        self._envelope: Wire = {}
        self._ids: set[str | None] = set()
        self._started = self._stop_due = self._stopped = False
        self._text: Callable[[Wire], TextDelta] = TextDelta.__pydantic_validator__.validate_python
        self._handlers: dict[str, Callable[[Wire], list[Event]]] = {
            "message_start": self._message_start,
            "content_block_start": self._block_start,
            "content_block_delta": self._block_delta,
            "content_block_stop": self._block_stop,
            "message_delta": self._message_delta,
            "message_stop": self._message_stop,
            "message": self._message,
            "error": self._error,
        }

    def read(self, chunk: Wire) -> list[Event]:
        """The events of a chunk."""
        kind = chunk.get("type")
        if kind == "content_block_delta" and len(chunk) == 3:
            # Nearly all chunks are of this kind.
            delta: Json
            delta, number = chunk.get("delta"), chunk.get("index")
            if type(delta) is dict and len(delta) == 2 and type(number) is int and delta.get("type") == "text_delta":
                block, text = self._blocks.get(number), delta.get("text")
                if block is not None and block.part.kind == "text" and block.part.open and text:
                    block.part.begun = True
                    return [self._text({"type": "text", "index": block.part.index, "text": text})]
        if kind is not None and type(kind) is not str:
            raise StreamError("/type: Input should be a valid string")
        handler = self._handlers.get(kind) if kind is not None else self._error if "error" in chunk else None
        if handler is not None:
            return handler(chunk)
        return [] if kind in _NARRATED else [_opaque(chunk)]

    def end(self) -> list[Event]:
        """What is due when nothing follows."""
        events = self._close_all()
        return events + self._stop() if self._started and not self._stopped else events

    # The envelope

    def _start(self, message: Wire) -> list[Event]:
        if self._started:
            return []
        self._started = True
        given: Wire = {key: message[key] for key in ("id", "model") if key in message}
        start = MessageStart(**given, origin=self._name, spelling="blocks")
        self._envelope |= given
        return [start]

    def _message_start(self, chunk: Wire) -> list[Event]:
        message = _object(chunk, "message")
        content: Json = message.get("content")
        if content is not None and type(content) is not list:
            raise StreamError("/message/content: Input should be a valid list")
        # A second start says the same again, or begins another message behind the first: what that holds is not lost.
        first, id = not self._started, message.get("id")
        if id is not None and type(id) is not str:
            raise StreamError("/message/id: Input should be a valid string")
        again = not first and id in self._ids
        self._ids.add(id)
        events = self._start(message)
        if first and (absent := absent_constants(message)):
            events.append(_update("response", {"wire": {"spelling": absent}}))
        known = ("content", "id") if self._envelope.get("id") is not None else ("content",)
        events += self._lay({key: value for key, value in message.items() if key not in known})
        wire: Json
        for wire in content if content and not again else ():
            if type(wire) is not dict:
                raise StreamError("/message/content: a block should be an object")
            events += self._close(self._begin(None, wire, events))
        return events + self._rest(chunk, ("message",))

    def _message_delta(self, chunk: Wire) -> list[Event]:
        delta = _object(chunk, "delta")
        told = {key: value for key, value in chunk.items() if key not in ("type", "delta")}
        told |= {key: value for key, value in delta.items() if key not in ("type", "content")}
        events = self._start({})
        if told.get("stop_reason") is not None:
            events += self._close_all()
        events += self._lay(told)
        if "content" in delta:
            events.append(_opaque({"type": "message_delta", "delta": {"content": delta["content"]}}))
        return events + self._stop() if self._stop_due else events

    def _message_stop(self, chunk: Wire) -> list[Event]:
        events = [*self._start({}), *self._close_all()]
        events += self._lay({key: value for key, value in chunk.items() if key not in ("type", "message")})
        if self._stop_due or not self._stopped:
            events += self._stop()
        return [*events, StreamEnd()]

    def _message(self, chunk: Wire) -> list[Event]:
        """A whole message in place of a stream."""
        if self._started:
            return [_opaque(chunk)]
        return [*self._message_start({"message": chunk}), *self._stop(), StreamEnd()]

    def _lay(self, told: Wire) -> list[Event]:
        """Lay more of the envelope over what was told; gives what is new of it."""
        envelope_adapter().validate_python(told)
        old = self._envelope
        new = {key: value for key, value in told.items() if key not in old or (value is not None and value != old[key])}
        usage = new.get("usage")
        if usage is not None:
            before: Wire = old.get("usage") or {}
            new["usage"] = before | {key: value for key, value in usage.items() if value is not None or key not in before}
        if not new:
            return []
        response, choice = load_envelope(new)
        if (old | new).get("stop_reason") is not None and ("stop_reason" in new or "stop_sequence" in new):
            self._stop_due = True
            choice.pop("stop_reason", None)
            choice.pop("native_stop_reason", None)
            choice.pop("stop_sequence", None)
        events: list[Event] = []
        if response.get("usage") is not None:
            events.append(UsageUpdate(usage=response.pop("usage")))
        for of, data in (("response", response), ("choice", choice)):
            replaced = [key for key in data.get("provider_data", {}).get(FAMILY, ()) if type(old.get(key)) in (dict, list)]
            if replaced:
                # An update would be merged into what was there.
                events.append(_update(of, {"provider_data": {FAMILY: dict.fromkeys(replaced)}}))
            if data:
                events.append(_update(of, data))
        self._envelope = old | new
        return events

    def _stop(self) -> list[Event]:
        self._stop_due, self._stopped = False, True
        return [Stop(**load_stop(self._envelope))]

    def _error(self, chunk: Wire) -> list[Event]:
        error = chunk.get("error")
        more = {key: value for key, value in chunk.items() if key not in ("type", "error")}
        return [ErrorEvent(error=more | error if type(error) is dict else chunk)]

    # Blocks

    def _block_start(self, chunk: Wire) -> list[Event]:
        number = _number(chunk)
        events = self._start({})
        self._begin(number, _object(chunk, "content_block"), events)
        return events + self._rest(chunk, ("index", "content_block"))

    def _begin(self, number: int | None, given: Wire, events: list[Event]) -> _Block:
        wire = _free(given)
        empty = _EMPTY.get(wire["type"]) if type(wire.get("type")) is str else None
        if empty is not None:
            wire = empty | {key: value for key, value in wire.items() if value is not None or key not in empty}
        return self._place(number, load_said(block_adapter().validate_python(wire)), events)

    def _place(self, number: int | None, data: dict[str, Any], events: list[Event]) -> _Block:
        if number is None:
            number = self._next
        before = self._blocks.get(number)
        if before is not None and before.part.open:
            events += self._close(before)
        block = self._blocks[number] = self._current = _Block(self._parts.begin(data, events))
        self._next = max(self._next, number + 1)
        return block

    def _block_delta(self, chunk: Wire) -> list[Event]:
        number, delta = _number(chunk), _object(chunk, "delta")
        kind = delta.get("type")
        if type(kind) is not str:
            raise StreamError("/delta/type: Input should be a valid string")
        if kind not in _DELTAS:
            return [*self._start({}), _opaque(chunk)]
        field, wanted = _DELTAS[kind]
        value = delta.get(field) if field else {key: value for key, value in delta.items() if key != "type"}
        if value is not None and type(value) is not (dict if kind in ("citations_delta", "compaction_delta") else str):
            raise StreamError(f"/delta/{field}: Input should be {'an object' if field == 'citation' else 'a valid string'}")
        events = self._start({})
        block = self._current if number is None else self._blocks.get(number)
        if block is None or block.part.kind not in (wanted, "opaque"):
            block = self._begin_at(number, wanted, events)
        block.part.open = True
        if value or (value is not None and kind == "signature_delta"):
            self._grow(block, kind, value, events)
        if field:
            more = {key: value for key, value in delta.items() if key not in ("type", field)}
            if more:
                events.append(_opaque({**chunk, "delta": {"type": kind, **more}}))
                return events
        return events + self._rest(chunk, ("index", "delta"))

    def _begin_at(self, number: int | None, kind: str, events: list[Event]) -> _Block:
        """A block that was not announced begins with its first delta."""
        if kind == "tool_use":
            return self._place(number, {"type": kind, "name": "", "input": {}}, events)
        return self._begin(number, {"type": "compaction" if kind == "opaque" else kind}, events)

    def _grow(self, block: _Block, kind: str, value: Any, events: list[Event]) -> None:
        part, wire = block.part, block.part.value
        if part.kind != "opaque":
            if kind == "signature_delta":
                self._parts.sign(part, value, FAMILY, events)
            elif kind == "citations_delta":
                self._parts.update(part, {"provider_data": {FAMILY: {"citations": [value]}}}, events)
            else:
                self._parts.grow(part, value, events)
        elif kind == "input_json_delta":
            part.pieces.append(value)
        elif kind == "compaction_delta":
            wire |= _free(value)
        elif kind == "citations_delta":
            held: Json = wire.get("citations")
            if type(held) is not list:
                held = wire["citations"] = []
            held.append(_free(value))
        elif kind == "signature_delta":
            wire["signature"] = value
        else:
            block.grown.setdefault(_DELTAS[kind][0], []).append(value)

    def _block_stop(self, chunk: Wire) -> list[Event]:
        number = _number(chunk)
        block = self._current if number is None else self._blocks.get(number)
        events = self._start({})
        if block is not None and block.part.open:
            events += self._close(block)
        return events + self._rest(chunk, ("index", "content_block"))

    def _close_all(self) -> list[Event]:
        waiting = sorted((block for block in self._blocks.values() if block.part.open), key=lambda block: block.part.index)
        return [event for block in waiting for event in self._close(block)]

    def _close(self, block: _Block) -> list[Event]:
        part, events = block.part, list[Event]()
        for key, pieces in block.grown.items():
            held = part.value.get(key)
            part.value[key] = "".join([held, *pieces] if type(held) is str else pieces)
        block.grown = {}
        if part.kind == "opaque" and part.pieces:
            part.value["input"] = _parsed("".join(part.pieces))
        self._parts.end(part, events)
        return events

    def _rest(self, chunk: Wire, known: tuple[str, ...]) -> list[Event]:
        """What else an event holds."""
        if len(chunk) <= len(known) + 1 and all(key == "type" or key in known for key in chunk):
            return []
        more = {key: value for key, value in chunk.items() if key not in known}
        return [_opaque(more)] if more.keys() != {"type"} else []


def _update(of: Any, data: Wire) -> Update:
    return Update(of=of, data=data)


def _opaque(value: Wire) -> OpaqueEvent:
    return OpaqueEvent(format=FAMILY, value=value)


def _object(chunk: Wire, key: str) -> Wire:
    value: Json = chunk.get(key)
    if type(value) is dict:
        return value
    if value is None and key != "content_block":
        return {}
    raise StreamError(f"/{key}: Input should be an object")


def _number(chunk: Wire) -> int | None:
    value = chunk.get("index")
    if value is None or type(value) is int:
        return value
    raise StreamError("/index: Input should be a valid integer")


def _free(value: Wire) -> Wire:
    try:
        copied: Wire = copy_json(value)
    except PydanticCustomError as error:
        raise StreamError(str(error)) from None
    return copied


def _parsed(text: str) -> Any:
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError:
        return text
