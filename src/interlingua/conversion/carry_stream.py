"""Other providers' signatures and encrypted reasoning in the events of a stream (`carry=True`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..codec.carrying import EMPTY_TEXT, Carried, OpaqueFields
from ..codec.format import Format
from ..model import events as ev


@dataclass
class _Part:
    """A part of a stream: where it is written, and its signature, which follows it."""

    kind: str
    index: int
    number: int | None = None
    """Which of its kind it is; None for a text that says nothing by now."""
    text: list[str] = field(default_factory=list[str])
    value: str = ""
    issuer: str = ""
    is_due: bool = False
    is_sent_call: bool = False


class _Answer:
    """The parts of one choice; an inserted part moves those that begin after it."""

    def __init__(self, opaque: OpaqueFields, choice: int) -> None:
        self._opaque = opaque
        self._choice = choice
        self._needs_text = "thinking" not in opaque.kinds or not opaque.signs_late
        self._parts: dict[int, _Part] = {}
        self._due: list[_Part] = []
        self._count = 0
        self._numbers: dict[str, int] = {}

    def event(self, event: Any) -> Iterator[ev.Event]:
        """The events in place of one about a part; what signs the parts before is written before a new one."""
        if event.index not in self._parts:
            yield from self.end()
        part = self._part(event)
        if isinstance(event, ev.ThinkingDelta) and event.thinking and self._needs_text:
            part.text.append(event.thinking)
        if part.kind == "redacted_thinking":
            yield from self._encrypted(event, part)
        else:
            yield from self._written(event, part)
            if isinstance(event, ev.PartStop) and part.is_due:
                yield from self.end()

    def end(self) -> Iterator[ev.Event]:
        """The signatures of the parts so far."""
        due = self._due
        self._due = []
        for part in due:
            part.is_due = False
            yield from self._behind(part)

    def _part(self, event: Any) -> _Part:
        part = self._parts.get(event.index)
        if part is None:
            kind: str = _KINDS.get(event.__class__) or _signed_fields(event).get("type", "text")
            part = self._parts[event.index] = _Part(kind, self._next())
        if part.number is None and (part.kind != "text" or _has_text(event)):
            part.number = self._numbers[part.kind] = self._numbers.get(part.kind, -1) + 1
        return part

    def _next(self) -> int:
        self._count += 1
        return self._count - 1

    def _hold(self, part: _Part, value: str, issuer: str) -> None:
        part.value = value
        part.issuer = issuer
        if not part.is_due:
            part.is_due = True
            self._due.append(part)

    # Encrypted reasoning, which the source may replace at its end

    def _encrypted(self, event: Any, part: _Part) -> Iterator[ev.Event]:
        data = _signed_fields(event)
        value: Any = data.get("data")
        issuer: Any = data.get("issuer", part.issuer)
        block = self._opaque.block(Carried(part.kind, issuer, value)) if self._opaque.packs(part.kind, value, issuer) else None
        if block is None:
            yield event if event.index == part.index else event.replace(index=part.index)
        elif isinstance(event, ev.Update):
            field = "data" if "data" in block else "signature"
            rest = {name: item for name, item in data.items() if name not in ("data", "issuer")}
            yield event.replace(index=part.index, data=rest | {field: block[field]})
        else:
            part.issuer = issuer
            yield self._block(block, part.index)

    # Signatures

    def _written(self, event: Any, part: _Part) -> Iterator[ev.Event]:
        data = _signed_fields(event)
        value: Any = data.get("signature")
        issuer: Any = data.get("issuer")
        is_late = isinstance(event, ev.SignatureDelta) and not self._opaque.signs_late
        is_lost = is_late and part.is_sent_call and issuer == self._opaque.issuer
        if not is_lost and not self._opaque.packs(part.kind, value, issuer):
            part.is_sent_call = part.is_sent_call or isinstance(event, ev.ArgumentsDelta | ev.ToolUse)
            yield event if event.index == part.index else event.replace(index=part.index)
            if part.kind == "thinking" and data.get("summary") and not value:
                yield from self._summary(part)
            return
        if self._opaque.block(Carried(part.kind, issuer, value)) is None:  # it is too long, which the writer reports
            yield event if event.index == part.index else event.replace(index=part.index)
            return
        rest = {name: item for name, item in data.items() if name not in ("signature", "issuer")}
        is_sent = bool(part.text) or part.is_sent_call
        signature = None if is_late and is_sent else self._opaque.signature(part.kind, issuer, value)
        if signature is None:
            self._hold(part, value, issuer)
        else:
            rest["signature"] = signature
        yield from self._rest(event, rest, part.index)

    def _summary(self, part: _Part) -> Iterator[ev.Event]:
        """The signature that marks thinking as a summary, where the carrier has one."""
        summary = self._opaque.summary()
        if summary is not None:
            yield ev.SignatureDelta(choice=self._choice, index=part.index, signature=summary)

    def _rest(self, event: Any, data: dict[str, Any], index: int) -> Iterator[ev.Event]:
        """An event with other data of its part."""
        if isinstance(event, ev.WholePart):
            yield ev.WholePart(choice=self._choice, index=index, part=data)
        elif isinstance(event, ev.Update):
            yield event.replace(index=index, data=data)
        elif data:
            yield ev.SignatureDelta(choice=self._choice, index=index, signature=data["signature"])

    def _behind(self, part: _Part) -> Iterator[ev.Event]:
        """The part behind one that has no field for its signature."""
        kind = EMPTY_TEXT if part.number is None else part.kind
        block = self._opaque.block(Carried(kind, part.issuer, part.value, "".join(part.text), part.number or 0))
        if block is None:
            yield ev.SignatureDelta(choice=self._choice, index=part.index, signature=part.value, issuer=part.issuer)
            return
        index = self._next()
        yield self._block(block, index)
        yield ev.PartStop(choice=self._choice, index=index)

    def _block(self, block: dict[str, Any], index: int) -> ev.Event:
        if "data" in block:
            return ev.RedactedThinking(choice=self._choice, index=index, data=block["data"])
        return ev.SignatureDelta(choice=self._choice, index=index, signature=block["signature"])


_KINDS: dict[Any, str] = {
    ev.TextDelta: "text",
    ev.ThinkingDelta: "thinking",
    ev.SignatureDelta: "thinking",
    ev.RedactedThinking: "redacted_thinking",
    ev.RefusalDelta: "refusal",
    ev.ToolUseStart: "tool_use",
    ev.ToolUse: "tool_use",
}


def _has_text(event: Any) -> bool:
    """Whether an event has text of its part."""
    return bool(getattr(event, "text", None) or _signed_fields(event).get("text"))


def _signed_fields(event: Any) -> dict[str, Any]:
    """The fields of its part that an event has, if it may have a signature or encrypted reasoning."""
    if isinstance(event, ev.SignatureDelta):
        return {"signature": event.signature, "issuer": event.issuer}
    if isinstance(event, ev.RedactedThinking):
        return {"data": event.data, "issuer": event.issuer}
    if isinstance(event, ev.WholePart):
        return event.part.to_dict()
    return event.data if isinstance(event, ev.Update) else {}


class Carrying:
    """Packs what another provider issued in the events of one stream; nothing is held back but signatures without a field."""

    def __init__(self, target: Format) -> None:
        self._target = target
        self._home = False
        self._answers: dict[int, _Answer] = {}

    def events(self, events: list[ev.Event]) -> list[ev.Event]:
        """The events with what is packed."""
        return [made for event in events for made in self._event(event)]

    def _event(self, event: Any) -> Iterator[ev.Event]:
        if isinstance(event, ev.MessageStart):
            self._home = event.origin == self._target.name
        opaque = self._target.opaque
        if opaque is None or self._home:
            yield event
        elif getattr(event, "index", None) is not None:
            yield from self._answer(opaque, event.choice).event(event)
        else:
            if isinstance(event, ev.Stop):
                yield from self._answer(opaque, event.choice).end()
            yield event

    def _answer(self, opaque: OpaqueFields, choice: int) -> _Answer:
        if choice not in self._answers:
            self._answers[choice] = _Answer(opaque, choice)
        return self._answers[choice]
