"""Reading streams: the events of a part, from what a loader makes of it at once or piece by piece."""

import json
from typing import Any

from ..model import events as ev
from .fields import Wire


class StreamedPart:
    """A part under way, and what events have said of it."""

    def __init__(self, index: int, kind: str) -> None:
        self.index = index
        self.kind = kind
        self.open = True
        self.begun = False
        """Whether an event has made the part."""
        self.empty_signature: str | None = None
        """The issuer of an empty signature, as long as no other signature has replaced it."""
        self.call: dict[str, Any] = {}
        """The id and the name of a call."""
        self.input: Any = None
        """A call's input, where it came whole."""
        self.pieces: list[str] = []
        """The argument text so far."""
        self.format = ""
        self.value: Wire = {}
        """A part that is kept verbatim."""


class PartEvents:
    """The parts of one answer as they come: numbers them, begins and ends them, repeats what must be repeated."""

    def __init__(self, choice: int = 0) -> None:
        self.where: dict[str, Any] = {"choice": choice} if choice else {}
        self.parts: list[StreamedPart] = []

    def begin(self, data: dict[str, Any], events: list[ev.Event]) -> StreamedPart:
        """Begin a part with what a loader made of it so far; a part that is kept verbatim gets its event when it ends."""
        kind = data.pop("type")
        part = StreamedPart(len(self.parts), kind)
        self.parts.append(part)
        if kind == "text":
            text = data.pop("text")
            self.update(part, data, events)
            self.grow(part, text, events)
        elif kind == "thinking":
            self._begin_thinking(part, data, events)
        elif kind == "redacted_thinking":
            given = {key: data.pop(key) for key in ("data", "issuer") if key in data}
            self._add(part, ev.RedactedThinking(**self._at(part), **given), events)
            self.update(part, data, events)
        elif kind == "tool_use":
            part.call = {key: data.pop(key) for key in ("id", "name", "custom") if key in data}
            part.input = data.pop("input", None)
            self._add(part, ev.ToolUseStart(**self._at(part), **part.call), events)
            self.update(part, data, events)
        elif kind == "opaque":
            part.format, part.value = data["format"], data["value"]
        else:
            self.update(part, {"type": kind, **data}, events)
        return part

    def _begin_thinking(self, part: StreamedPart, data: dict[str, Any], events: list[ev.Event]) -> None:
        text, signature, issuer = data.pop("thinking"), data.pop("signature", None), data.pop("issuer", None)
        if text or data:
            self._add(part, ev.ThinkingDelta(**self._at(part), thinking=text), events)
        self.sign(part, signature, issuer, events)
        self.update(part, data, events)

    def grow(self, part: StreamedPart, text: str, events: list[ev.Event]) -> None:
        """More text of a part: what it says, reasoning, or arguments."""
        if not text:
            return
        if part.kind == "tool_use":
            part.pieces.append(text)
            events.append(ev.ArgumentsDelta(**self._at(part), arguments=text))
        elif part.kind == "text":
            self._add(part, ev.TextDelta(**self._at(part), text=text), events)
        else:
            self._add(part, ev.ThinkingDelta(**self._at(part), thinking=text), events)

    def sign(self, part: StreamedPart, signature: str | None, issuer: str | None, events: list[ev.Event]) -> None:
        """The signature of a thinking part; an empty one waits until the part ends, for another may follow."""
        if signature is not None:
            part.empty_signature = issuer if signature == "" else None
        if signature:
            self._add(part, ev.SignatureDelta(**self._at(part), signature=signature, issuer=issuer), events)

    def update(self, part: StreamedPart, data: Wire, events: list[ev.Event]) -> None:
        """Other fields of a part."""
        if data:
            self._add(part, ev.Update(**self._at(part), of="part", data=data), events)

    def end(self, part: StreamedPart, events: list[ev.Event]) -> None:
        """A part is complete."""
        part.open = False
        at = self._at(part)
        if part.kind == "tool_use":
            self._end_call(part, at, events)
        elif part.kind == "opaque":
            events.append(ev.OpaqueEvent(**at, format=part.format, value=part.value))
        elif part.kind == "text" and not part.begun:
            events.append(ev.TextDelta(**at, text=""))
        elif part.kind == "thinking" and not part.begun:
            events.append(ev.ThinkingDelta(**at, thinking=""))
        if part.empty_signature is not None:
            events.append(ev.SignatureDelta(**at, signature="", issuer=part.empty_signature))
        events.append(ev.PartStop(**at))

    def _end_call(self, part: StreamedPart, at: dict[str, Any], events: list[ev.Event]) -> None:
        if not part.pieces:
            # The input came whole, as an object or as text, or is the `{}` of a call without any delta.
            spelled = type(part.input) is str
            text = part.input if spelled else json.dumps(part.input, ensure_ascii=False)
            if spelled:
                events.append(ev.Update(**at, of="part", data={"input": text}))
            part.pieces = [text]
            if text:
                events.append(ev.ArgumentsDelta(**at, arguments=text))
        events.append(ev.ToolUse(**at, **part.call, arguments="".join(part.pieces)))

    def _at(self, part: StreamedPart) -> dict[str, Any]:
        return {**self.where, "index": part.index}

    def _add(self, part: StreamedPart, event: ev.Event, events: list[ev.Event]) -> None:
        part.begun = True
        events.append(event)
