"""Read streams of Cohere's Chat: turn the wire's events into canonical events.

A stream is `message-start`, the plan in `tool-plan-delta`s, parts of the content (`content-start`, `-delta`, `-end`), calls
(`tool-call-start`, `-delta`, `-end`), citations, and `message-end` (cohere 7.3.1, `v2/types/v2chat_stream_response.py`). A
citation arrives whole while its text grows, and no later event repeats it. If a generation fails, `message-end` has the error.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any, ClassVar

from ...codec.error_bodies import is_error
from ...codec.fields import FieldReader, Wire
from ...codec.streams.part_events import PartEvents, StreamedPart, field_of
from ...errors import StreamError
from ...model.base import Json, copy_json
from ...model.events import ErrorEvent, Event, MessageStart, OpaqueEvent, Stop, Update, UsageUpdate
from .base import FAMILY, PLAN, adapter
from .citations import cited_part, load_citation
from .messages import load_call, load_plan
from .parts import load_part
from .responses import load_envelope

_REPEATED = frozenset({"citation-end"})
"""Events without new information."""
_BEGUN: Wire = {"role": "assistant", "content": [], PLAN: "", "tool_calls": [], "citations": []}
"""The message as it begins, without any information."""
_EMPTY: dict[str, Wire] = {"text": {"text": ""}, "thinking": {"thinking": ""}}


class CohereReading:
    """Reads one stream."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._parts = PartEvents()
        self._plan: StreamedPart | None = None
        self._content: dict[int, StreamedPart] = {}
        """The parts of the content, by their index."""
        self._numbers: list[int] = []
        """The indices of the parts of the content, in order."""
        self._kinds: list[str] = []
        """The types of the parts of the content, in order."""
        self._first_text: int | None = None
        """The index of the first part that is a text."""
        self._calls: dict[int, StreamedPart] = {}
        self._cited = 0
        """The index of the text that the last citation belongs to; -1 once citations stay with the message."""
        self._started = False

    def grow(self, chunk: Wire) -> list[Event] | None:
        """Return the delta of a chunk that only adds text to an open part."""
        try:
            kind = chunk["type"]
            message = chunk["delta"]["message"]
            if kind == "content-delta" and len(chunk) == 3:
                part: Any = self._content[chunk["index"]]
                holder = message["content"]
                text = holder[part.kind]
            elif kind == "tool-plan-delta" and len(chunk) == 2:
                part = self._plan
                holder = message
                text = message[PLAN]
            elif kind == "tool-call-delta" and len(chunk) == 3:
                part = self._calls[chunk["index"]]
                holder = message["tool_calls"]["function"]
                text = holder["arguments"]
            else:
                return None
            has_text_alone = type(text) is str and len(holder) + len(message) + len(chunk["delta"]) == 3
            if has_text_alone and text and part.open:
                return [part.more(text)]
        except (AttributeError, KeyError, TypeError, ValueError):
            pass  # any other chunk, or not a chunk
        return None

    def read(self, chunk: Wire) -> list[Event]:
        """Return the events of a chunk."""
        kind = chunk.get("type")
        if kind is None:
            return [ErrorEvent(error=chunk) if is_error(chunk) else OpaqueEvent(format=FAMILY, value=chunk)]
        if type(kind) is not str:
            raise StreamError("/type: Input should be a valid string")
        handler = self._HANDLERS.get(kind)
        if handler is None:
            return [] if kind in _REPEATED else [OpaqueEvent(format=FAMILY, value=chunk)]
        events: list[Event] = []
        if not self._started:
            self._started = True
            id: str | None = field_of(chunk, "id", str) if kind == "message-start" else None
            known: dict[str, Any] = {} if id is None else {"id": id}
            events.append(MessageStart(**known, origin=self._name, spelling="blocks"))
        handler(self, chunk, events)
        return events

    def end(self) -> list[Event]:
        """The last events, if no chunk follows."""
        events: list[Event] = []
        for part in self._parts.parts:
            self._close(part, events)
        return events

    # The envelope

    def _message_start(self, chunk: Wire, events: list[Event]) -> None:
        message = _message_of(chunk)
        news = {key: value for key, value in message.items() if value != _BEGUN.get(key, ...)}
        if news:
            events.append(OpaqueEvent(format=FAMILY, value={**chunk, "delta": {"message": news}}))

    def _message_end(self, chunk: Wire, events: list[Event]) -> None:
        fields = FieldReader(adapter("Response").validate_python(field_of(chunk, "delta", dict) or {}))
        error = fields.take("error", str)
        kind = fields.take("error_type", str)
        out, choice = load_envelope(fields)
        events += self.end()
        id = field_of(chunk, "id", str)
        if id is not None:
            events.append(Update(of="response", data={"id": id}))
        more = fields.keep({}, FAMILY)
        if more:
            events.append(Update(of="response", data=more))
        if "usage" in out:
            events.append(UsageUpdate(usage=out["usage"]))
        if error is not None:
            body = {"message": error} if kind is None else {"message": error, "type": kind}
            events.append(ErrorEvent(error=body))
        events.append(Stop(**choice))

    # The plan and the content

    def _end_plan(self, events: list[Event]) -> None:
        """End the plan when something else begins, as no event ends it."""
        if self._plan is not None:
            self._close(self._plan, events)

    def _plan_delta(self, chunk: Wire, events: list[Event]) -> None:
        text: str = field_of(_message_of(chunk), PLAN, str, "/delta/message") or ""
        if self._plan is None and text:
            self._plan = self._parts.begin(load_plan(""), events)
        if self._plan is not None:
            self._parts.grow(self._plan, text, events)

    def _content_start(self, chunk: Wire, events: list[Event]) -> None:
        number = _index_of(chunk)
        wire = _object_in(chunk, "content")
        self._end_plan(events)
        if number in self._content:
            self._close(self._content[number], events)
        kind: Json = wire.get("type")
        if type(kind) is str and kind in _EMPTY:
            wire = _EMPTY[kind] | wire
        part = load_part(adapter("Part").validate_python(copy_json(wire)), "assistant")
        self._begin_content(number, {**part}, events)

    def _begin_content(self, number: int, data: dict[str, Any], events: list[Event]) -> StreamedPart:
        part = self._parts.begin(data, events)
        place = bisect_left(self._numbers, number)
        if number in self._content:
            self._kinds[place] = part.kind
        else:
            self._numbers.insert(place, number)
            self._kinds.insert(place, part.kind)
        self._content[number] = part
        if part.kind == "text" and (self._first_text is None or number < self._first_text):
            self._first_text = number
        return part

    def _content_delta(self, chunk: Wire, events: list[Event]) -> None:
        number = _index_of(chunk)
        content = _object_in(chunk, "content")
        part = self._content.get(number)
        kind = next((kind for kind in _EMPTY if content.get(kind)), None)
        if part is None and kind is not None:
            self._end_plan(events)
            part = self._begin_content(number, {"type": kind, **_EMPTY[kind]}, events)
        if part is not None and part.kind in _EMPTY:
            self._parts.grow(part, field_of(content, part.kind, str, "/delta/message/content") or "", events)
        known = ("type",) if part is None else ("type", part.kind)
        more = {key: value for key, value in content.items() if key not in known and value != ""}
        if more:
            events.append(OpaqueEvent(format=FAMILY, value={**chunk, "delta": {"message": {"content": more}}}))
        item = field_of(chunk, "logprobs", dict)
        if item is not None:
            events.append(Update(of="response", data={"provider_data": {FAMILY: {"logprobs": [copy_json(item)]}}}))

    def _content_end(self, chunk: Wire, events: list[Event]) -> None:
        part = self._content.get(_index_of(chunk))
        if part is not None:
            self._close(part, events)

    # Calls

    def _call_start(self, chunk: Wire, events: list[Event]) -> None:
        self._end_plan(events)
        data = load_call(adapter("Call").validate_python(copy_json(_object_in(chunk, "tool_calls"))))
        begun: str = data["input"]
        part = self._calls[_index_of(chunk)] = self._parts.begin(data | {"input": ""}, events)
        self._parts.grow(part, begun, events)

    def _call_delta(self, chunk: Wire, events: list[Event]) -> None:
        function: Wire = field_of(_object_in(chunk, "tool_calls"), "function", dict, "/delta/message/tool_calls") or {}
        text: str = field_of(function, "arguments", str, "/delta/message/tool_calls/function") or ""
        part = self._calls.get(_index_of(chunk))
        if part is None:
            raise StreamError("/index: the arguments of a tool call must follow its start, which has its name")
        self._parts.grow(part, text, events)

    def _call_end(self, chunk: Wire, events: list[Event]) -> None:
        part = self._calls.get(_index_of(chunk))
        if part is not None:
            self._close(part, events)

    def _close(self, part: StreamedPart, events: list[Event]) -> None:
        if not part.open:
            return
        if part.kind == "tool_use" and part.pieces:
            part.pieces = ["".join(part.pieces)]
            self._parts.update(part, {"input": part.pieces[0]}, events)  # which the fold would make an object
        self._parts.end(part, events)

    # Citations

    def _citation(self, chunk: Wire, events: list[Event]) -> None:
        found: Json = copy_json(_message_of(chunk).get("citations"))
        citations: list[Any] = found if type(found) is list else [found]
        if not all(type(wire) is dict for wire in citations):
            raise StreamError("/delta/message/citations: Input should be an object")
        first = None if self._first_text is None else bisect_left(self._numbers, self._first_text)
        for wire in citations:
            place = cited_part(wire, self._kinds, first, self._cited) if self._cited >= 0 else None
            self._cited = -1 if place is None else place
            if place is None:
                data = {"provider_data": {FAMILY: {"citations": [wire]}}}
                events.append(Update(of="message", data=data))
            else:
                part = self._content[self._numbers[place]]
                self._parts.update(part, {"citations": [load_citation(wire)]}, events)

    _HANDLERS: ClassVar[dict[str, Callable[[Any, Wire, list[Event]], None]]] = {
        "message-start": _message_start,
        "tool-plan-delta": _plan_delta,
        "content-start": _content_start,
        "content-delta": _content_delta,
        "content-end": _content_end,
        "tool-call-start": _call_start,
        "tool-call-delta": _call_delta,
        "tool-call-end": _call_end,
        "citation-start": _citation,
        "message-end": _message_end,
    }


def _message_of(chunk: Wire) -> Wire:
    delta: Wire = field_of(chunk, "delta", dict) or {}
    return field_of(delta, "message", dict, "/delta") or {}


def _object_in(chunk: Wire, key: str) -> Wire:
    """The object in a field of a chunk's message."""
    value: Wire = field_of(_message_of(chunk), key, dict, "/delta/message") or {}
    return value


def _index_of(chunk: Wire) -> int:
    index: Json = field_of(chunk, "index", int)
    return index if type(index) is int else 0
