"""Reading streams: the events that tell a part, from what a loader makes of it or piece by piece."""

from __future__ import annotations

import json
from typing import Any

from ..model.events import (
    ArgumentsDelta,
    Event,
    OpaqueEvent,
    PartStop,
    RedactedThinking,
    SignatureDelta,
    TextDelta,
    ThinkingDelta,
    ToolUse,
    ToolUseStart,
    Update,
)
from .fields import Wire


class Told:
    """A part under way, and what has been told of it."""

    def __init__(self, index: int, kind: str) -> None:
        self.index = index
        self.kind = kind
        self.open = True
        self.begun = False
        """Whether an event has made the part."""
        self.unsigned: str | None = None
        """Whose empty signature it has, as long as no other has replaced it."""
        self.named: dict[str, Any] = {}
        """The id and the name of a call."""
        self.given: Any = None
        """A call's input, where it came whole."""
        self.pieces: list[str] = []
        """The argument text so far."""
        self.value: Wire = {}
        """What is kept whole."""


class Telling:
    """The parts of one answer as they come: numbers them, begins and ends them, repeats what has to be repeated."""

    def __init__(self, choice: int = 0) -> None:
        self.where: dict[str, Any] = {"choice": choice} if choice else {}
        self.parts: list[Told] = []

    def begin(self, data: dict[str, Any], events: list[Event]) -> Told:
        """Begin a part with what a loader made of it so far; what is not canonical is told when it ends."""
        kind = data.pop("type")
        part = Told(len(self.parts), kind)
        self.parts.append(part)
        if kind == "text":
            text = data.pop("text")
            self.update(part, data, events)
            self.grow(part, text, events)
        elif kind == "thinking":
            text, signature, issuer = data.pop("thinking"), data.pop("signature", None), data.pop("issuer", None)
            if text or data:
                self._add(part, ThinkingDelta(**self.where, index=part.index, thinking=text), events)
            self.sign(part, signature, issuer, events)
            self.update(part, data, events)
        elif kind == "redacted_thinking":
            given: Any = {key: data.pop(key) for key in ("data", "issuer") if key in data}
            self._add(part, RedactedThinking(**self.where, index=part.index, **given), events)
            self.update(part, data, events)
        elif kind == "tool_use":
            part.named = {key: data.pop(key) for key in ("id", "name", "custom") if key in data}
            part.given = data.pop("input", None)
            self._add(part, ToolUseStart(**self.where, index=part.index, **part.named), events)
            self.update(part, data, events)
        elif kind == "opaque":
            part.value, part.named = data["value"], {"format": data["format"]}
        else:
            self.update(part, {"type": kind, **data}, events)
        return part

    def grow(self, part: Told, text: str, events: list[Event]) -> None:
        """More text of a part: readable reasoning, arguments, or what it says."""
        if not text:
            return
        at = {**self.where, "index": part.index}
        if part.kind == "tool_use":
            part.pieces.append(text)
            events.append(ArgumentsDelta(**at, arguments=text))
        else:
            event = TextDelta(**at, text=text) if part.kind == "text" else ThinkingDelta(**at, thinking=text)
            self._add(part, event, events)

    def sign(self, part: Told, signature: str | None, issuer: str | None, events: list[Event]) -> None:
        """The signature of a thinking part; an empty one is told when no other has come."""
        if signature is not None:
            part.unsigned = issuer if signature == "" else None
        if signature:
            self._add(part, SignatureDelta(**self.where, index=part.index, signature=signature, issuer=issuer), events)

    def update(self, part: Told, data: Wire, events: list[Event]) -> None:
        """Other fields of a part."""
        if data:
            self._add(part, Update(**self.where, of="part", index=part.index, data=data), events)

    def end(self, part: Told, events: list[Event]) -> None:
        """A part is complete."""
        part.open = False
        at = {**self.where, "index": part.index}
        if part.kind == "text" and not part.begun:
            self._add(part, TextDelta(**at, text=""), events)
        elif part.kind == "thinking":
            if not part.begun:
                self._add(part, ThinkingDelta(**at, thinking=""), events)
            if part.unsigned is not None:
                events.append(SignatureDelta(**at, signature="", issuer=part.unsigned))
        elif part.kind == "tool_use":
            self._end_call(part, at, events)
        elif part.kind == "opaque":
            events.append(OpaqueEvent(**at, format=part.named["format"], value=part.value))
        events.append(PartStop(**at))

    def end_all(self, events: list[Event]) -> None:
        """All parts are complete."""
        for part in self.parts:
            if part.open:
                self.end(part, events)

    def _end_call(self, part: Told, at: dict[str, Any], events: list[Event]) -> None:
        if not part.pieces:
            # The input may be whole at the start, as an object or as text; `{}` is what it is without any delta.
            spelled = type(part.given) is str
            text = part.given if spelled else json.dumps(part.given, ensure_ascii=False)
            if spelled:
                events.append(Update(**self.where, of="part", index=part.index, data={"input": text}))
            part.pieces = [text]
            if text:
                events.append(ArgumentsDelta(**at, arguments=text))
        events.append(ToolUse(**at, **part.named, arguments="".join(part.pieces)))

    def _add(self, part: Told, event: Event, events: list[Event]) -> None:
        part.begun = True
        events.append(event)
