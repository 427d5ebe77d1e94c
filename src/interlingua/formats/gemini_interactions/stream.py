"""Read streams of the Interactions API: turn the wire's events into canonical events.

A stream is `interaction.created`, steps (`step.start`, `step.delta`, `step.stop`), and `interaction.completed`, which repeats
the fields of the response without its steps (google-genai 3.6.1, `interactionsseevent.py`, and recorded streams). The start of
a step has what is known of it; deltas add text, arguments, media, annotations, or the fields of a tool that Google runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from ...codec.error_bodies import is_error
from ...codec.fields import FieldReader, Wire
from ...codec.streams.part_events import PartEvents, StreamedPart, field_of
from ...errors import StreamError
from ...model import events as ev
from ...model.base import Json, copy_json
from .base import FAMILY, adapter
from .parts import is_annotations, load_citations, load_part
from .responses import load_envelope, load_stop
from .steps import is_bare_text, is_model_step, load_step
from .wire import CONTENT_TYPES

_FRAMING = frozenset({"event_type", "event_id", "index", "step", "delta", "interaction", "interaction_id", "status", "error"})
_GROWING = {"text": "text", "thinking": "thinking", "tool_use": "arguments"}
_TEXT: Wire = {"type": "text", "text": ""}


class _Step:
    """A step that is still arriving."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.kind: Json = wire.get("type")
        self.parts: list[StreamedPart] = []
        self.annotations: list[Wire] = []
        """The annotations of the last text; their positions are known only when it is complete."""
        self.done = False


class InteractionsReading:
    """Reads one stream."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._parts = PartEvents()
        self._steps: dict[int, _Step] = {}
        self._last: dict[str, Any] | None = None
        """The last part, as far as it affects how the next part is read."""
        self._calls = False
        self._started = self._ended = False

    def grow(self, chunk: Wire) -> list[ev.Event] | None:
        """Return the delta of an event that only adds text to an open part."""
        try:
            delta = chunk["delta"]
            if chunk["event_type"] != "step.delta" or len(delta) != 2 or not _FRAMING.issuperset(chunk):
                return None
            step = self._steps[chunk["index"]]
            part: Any = step.parts[-1]
            if delta["type"] == "text" and part.kind == "text":
                text = delta["text"]
            elif delta["type"] == "arguments_delta" and part.kind == "tool_use":
                text = delta["arguments"]
            else:
                return None
            is_open = part.open and not step.done
            is_text = type(text) is str and text != ""
            if is_open and is_text and type(chunk["index"]) is int:
                return [part.more(text)]
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            pass  # any other event, or not an event
        return None

    def read(self, chunk: Wire) -> list[ev.Event]:
        """Return the events of a chunk."""
        kind = field_of(chunk, "event_type", str)
        if kind == "error" or (kind is None and is_error(chunk)):
            error: Json = chunk.get("error")
            return [
                ev.ErrorEvent(error=error if type(error) is dict else {k: v for k, v in chunk.items() if k != "event_type"})
            ]
        handler = self._HANDLERS.get(kind or "")
        if handler is None:
            return [ev.OpaqueEvent(format=FAMILY, value=chunk)]
        events: list[ev.Event] = []
        handler(self, chunk, events)
        rest = {key: value for key, value in chunk.items() if key not in _FRAMING}
        if rest:
            events.append(ev.OpaqueEvent(format=FAMILY, value={"event_type": kind, **rest}))
        return events

    def end(self) -> list[ev.Event]:
        """The last events, if no chunk follows."""
        events: list[ev.Event] = []
        self._close_all(events)
        return [*events, ev.Stop()] if self._started and not self._ended else events

    # The envelope

    def _start(self, known: dict[str, Any], events: list[ev.Event]) -> None:
        if not self._started:
            self._started = True
            events.append(ev.MessageStart(**known, origin=self._name, spelling="blocks"))

    def _created(self, chunk: Wire, events: list[ev.Event]) -> None:
        fields = _envelope_of(chunk)
        known = load_envelope(fields)
        fields.know("status", "steps")
        usage = known.pop("usage", None)
        self._start(known, events)
        self._update(fields, events)
        if usage is not None:
            events.append(ev.UsageUpdate(usage=usage))

    def _completed(self, chunk: Wire, events: list[ev.Event]) -> None:
        fields = _envelope_of(chunk)
        known = load_envelope(fields)
        self._start({}, events)
        steps: list[Wire] = fields.take("steps") or []
        for i, step in enumerate(steps if not self._steps else ()):
            self._begin_step(i, copy_json(step), events)
        self._close_all(events)
        stop = load_stop(fields, calls=self._calls)
        usage = known.pop("usage", None)
        if known:
            events.append(ev.Update(of="response", data=known, overwrite=True))
        self._update(fields, events)
        if usage is not None:
            events.append(ev.UsageUpdate(usage=usage))
        self._ended = True
        events.append(ev.Stop(**stop))

    def _update(self, fields: FieldReader, events: list[ev.Event]) -> None:
        data = fields.keep({}, FAMILY)
        if data:
            events.append(ev.Update(of="response", data=data, overwrite=True))

    def _status(self, _chunk: Wire, events: list[ev.Event]) -> None:
        """Note the current status, which the end reports."""
        self._start({}, events)

    # Steps

    def _step_start(self, chunk: Wire, events: list[ev.Event]) -> None:
        step = field_of(chunk, "step", dict)
        if step is None or type(step.get("type")) is not str:
            raise StreamError("/step: Input should be an object with a type")
        self._begin_step(_index_of(chunk), copy_json(step), events)

    def _begin_step(self, index: int, wire: Wire, events: list[ev.Event]) -> None:
        self._start({}, events)
        if index in self._steps:
            self._close(self._steps[index], events)
        kind: Json = wire.get("type")
        if kind == "function_call":
            wire = {"name": ""} | wire
        checked: Wire = adapter("Step").validate_python(wire)
        step = self._steps[index] = _Step(checked)
        if kind == "model_output" and not checked.get("content"):
            return
        if kind == "thought" and not all(is_bare_text(part) for part in checked.get("summary") or ()):
            step.kind = "x"  # the step is kept whole
        loaded = load_step(checked, self._last) if is_model_step(checked) else [("", _whole(checked))]
        for _, data in loaded:
            self._begin(step, data, events)

    def _begin(self, step: _Step, data: dict[str, Any], events: list[ev.Event]) -> StreamedPart:
        if step.parts and step.kind == "model_output":
            self._end_part(step, events)
        self._last = {key: data[key] for key in ("type", "wire") if key in data}
        self._calls |= data["type"] == "tool_use"
        if (waiting := self._parts.waiting) is not None:
            self._parts.end(waiting, events)
        part = self._parts.begin({**data}, events)
        step.parts.append(part)
        return part

    def _step_delta(self, chunk: Wire, events: list[ev.Event]) -> None:
        index = _index_of(chunk)
        delta: Wire = field_of(chunk, "delta", dict) or {}
        kind = field_of(delta, "type", str, "/delta")
        step = self._steps.get(index)
        if step is None:
            begun = _STEPS.get(kind or "", kind)
            if begun in ("function_call", None):
                raise StreamError("/index: the delta must follow the start of its step")
            self._begin_step(index, {"type": begun}, events)
            step = self._steps[index]
        if step.done:
            raise StreamError("/index: the step of this delta has ended")
        if step.kind == "model_output":
            self._of_output(step, kind, delta, events)
        elif step.kind == "thought":
            self._of_thought(step, kind, delta, events)
        elif step.kind == "function_call" and kind == "arguments_delta":
            self._parts.grow(step.parts[0], field_of(delta, "arguments", str, "/delta") or "", events)
        elif step.parts and step.parts[0].kind == "opaque" and step.parts[0].open:
            _merge(step.parts[0].value, copy_json(delta))
        else:
            events.append(ev.OpaqueEvent(format=FAMILY, value=chunk))

    def _of_output(self, step: _Step, kind: str | None, delta: Wire, events: list[ev.Event]) -> None:
        """Add to a model output: to its last text, or as further content."""
        last = step.parts[-1] if step.parts else None
        is_text = last is not None and last.kind == "text" and last.open
        if kind == "text" and delta.keys() <= {"type", "text"}:
            text: str = field_of(delta, "text", str, "/delta") or ""
            part = last if is_text and last is not None else self._begin_content(step, dict(_TEXT), events)
            self._parts.grow(part, text, events)
        elif kind == "text_annotation_delta":
            found: Json = delta.get("annotations")
            if is_text and is_annotations(found):
                step.annotations += copy_json(found)
            elif found:
                events.append(ev.OpaqueEvent(format=FAMILY, value={"event_type": "step.delta", "delta": delta}))
        elif kind is not None:
            self._begin_content(step, copy_json(delta), events)

    def _begin_content(self, step: _Step, wire: Wire, events: list[ev.Event]) -> StreamedPart:
        if step.parts:
            content = adapter("Content").validate_python(wire)
            data = load_part(content, "assistant")
            if data["type"] == "opaque":
                data["wire"] = {"spelling": {"opaque": "content"}}
        else:
            whole = {**step.wire, "content": [wire]}
            [(_, data)] = load_step(adapter("Step").validate_python(whole), self._last)
        return self._begin(step, data, events)

    def _of_thought(self, step: _Step, kind: str | None, delta: Wire, events: list[ev.Event]) -> None:
        """Add to a thought: to its summary, or to its signature."""
        part = step.parts[0]
        if kind == "thought_signature":
            signature: str | None = field_of(delta, "signature", str, "/delta")
            if signature is not None:
                data = load_step({"type": "thought", "signature": signature}, None)[0][1]
                self._parts.sign(part, signature, data["issuer"], events)
        elif kind == "thought_summary":
            content: Wire = field_of(delta, "content", dict, "/delta") or {}
            if not is_bare_text(content):
                events.append(ev.OpaqueEvent(format=FAMILY, value={"event_type": "step.delta", "delta": delta}))
                return
            self._parts.grow(part, content["text"], events)
        else:
            events.append(ev.OpaqueEvent(format=FAMILY, value={"event_type": "step.delta", "delta": delta}))

    def _step_stop(self, chunk: Wire, events: list[ev.Event]) -> None:
        step = self._steps.get(_index_of(chunk))
        if step is not None:
            self._close(step, events)

    def _end_part(self, step: _Step, events: list[ev.Event]) -> None:
        """End the last part of a step."""
        part = step.parts[-1]
        if not part.open:
            return
        if part.kind == "text" and step.annotations:
            citations = load_citations(step.annotations, "".join(part.pieces))
            self._parts.update(part, {"citations": citations}, events)
            step.annotations = []
        self._parts.end(part, events)

    def _close(self, step: _Step, events: list[ev.Event]) -> None:
        if step.done:
            return
        if not step.parts:  # a model output without content
            for _, data in load_step(step.wire, None):
                self._begin(step, data, events)
        step.done = True
        self._end_part(step, events)

    def _close_all(self, events: list[ev.Event]) -> None:
        for step in self._steps.values():
            self._close(step, events)

    _HANDLERS: ClassVar[dict[str, Callable[[InteractionsReading, Wire, list[ev.Event]], None]]] = {
        "interaction.created": _created,
        "interaction.status_update": _status,
        "interaction.completed": _completed,
        "step.start": _step_start,
        "step.delta": _step_delta,
        "step.stop": _step_stop,
    }


_STEPS: dict[str, str] = {
    **dict.fromkeys((*CONTENT_TYPES, "text_annotation_delta"), "model_output"),
    "thought_summary": "thought",
    "thought_signature": "thought",
    "arguments_delta": "function_call",
}
"""The type of the step that a delta belongs to, if that is not the type of the delta."""


def _index_of(chunk: Wire) -> int:
    return field_of(chunk, "index", int) or 0


def _envelope_of(chunk: Wire) -> FieldReader:
    wire = copy_json(field_of(chunk, "interaction", dict) or {})
    return FieldReader(adapter("Response").validate_python(wire))


def _whole(wire: Wire) -> dict[str, Any]:
    return {"type": "opaque", "format": FAMILY, "value": wire}


def _merge(value: Wire, delta: Wire) -> None:
    """Add the fields of a delta to a step that is kept whole: lists grow, all other values are replaced."""
    for key, item in delta.items():
        before: Json = value.get(key)
        if key == "type":
            continue
        if type(before) is list and type(item) is list:
            before += item
        else:
            value[key] = item
