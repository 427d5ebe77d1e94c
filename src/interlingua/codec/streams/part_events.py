"""Reading streams: the events of a part, which a loader gives as a whole or in pieces."""

from typing import Any

from ...errors import StreamError
from ...model import events as ev
from ...model.base import exact_object
from ...model.deltas import DeltaMaker
from ...model.parts import to_json
from ..carrying import issuer_of
from ..fields import Wire

PIECES: dict[str, tuple[type[Any], str]] = {
    "text": (ev.TextDelta, "text"),
    "refusal": (ev.RefusalDelta, "refusal"),
    "thinking": (ev.ThinkingDelta, "thinking"),
    "tool_use": (ev.ArgumentsDelta, "arguments"),
}
"""The class of the delta for each kind of part that is sent in pieces, and its field with the text."""


def field_of(chunk: Wire, key: str, expected: type, at: str = "") -> Any:
    """A field of the expected type, or None; `at` is the pointer of the object. Raises `StreamError` for another type."""
    value = chunk.get(key)
    if value is not None and type(value) is not expected:
        raise StreamError(f"{at}/{key}: Input should be {_EXPECTED[expected]}")
    return value


_EXPECTED = {dict: "an object", list: "a valid list", str: "a valid string", int: "a valid integer"}


class StreamedPart:
    """A part that is being read, and what its events so far contain."""

    def __init__(self, where: dict[str, Any], kind: str) -> None:
        self.where = where
        """The fields that identify the part in each of its events."""
        self.kind = kind
        self.index: int = where["index"]
        self.open = True
        self.begun = False
        """Whether an event has begun the part."""
        self.maker: DeltaMaker | None = None
        """Makes the deltas with more of the part."""
        self.empty_signature: str | None = None
        """The issuer of an empty signature, until another signature replaces it."""
        self.call: dict[str, Any] = {}
        """The id and the name of a call."""
        self.input: Any = None
        """The input of a call, if it came as a whole."""
        self.given = 0
        """How many of `pieces` are an input that came as a whole; arguments that come later replace it."""
        self.pieces: list[str] = []
        """The pieces of the part's text so far."""
        self.format = ""
        self.value: Wire = {}
        """The value of an opaque part."""
        self.rest: Wire = {}
        """The other fields of an opaque part."""

    def more(self, text: str) -> Any:
        """The delta with more text, reasoning or arguments."""
        maker = self.maker
        if maker is None:
            kind, field = PIECES[self.kind]
            maker = DeltaMaker(kind(**self.where, **{field: ""}))
        made = maker.more(text)  # refuses text that is not valid Unicode, before anything changes
        self.begun = True
        self.maker = maker
        self.pieces.append(text)
        return made


class PartEvents:
    """Makes the events of one answer's parts: numbers the parts, begins and ends them, repeats what must be repeated."""

    def __init__(self, choice: int = 0, first: int = 0) -> None:
        self.where: dict[str, Any] = {"choice": choice} if choice else {}
        self.first = first
        """The index of the first part."""
        self.parts: list[StreamedPart] = []

    @property
    def waiting(self) -> StreamedPart | None:
        """The last part, if it is opaque and still open: its event comes at its end, and must precede those of later parts."""
        last = self.parts[-1] if self.parts else None
        return last if last is not None and last.kind == "opaque" and last.open else None

    def begin(self, data: dict[str, Any], events: list[ev.Event]) -> StreamedPart:
        """Begin a part with the data that a loader has of it so far; an opaque part gets its event when it ends.

        If pydantic refuses one of its events, the part is removed again.
        """
        part = self.new(data["type"])
        try:
            self._begin(part, data, events)
        except ValueError:
            self.parts.pop()
            raise
        return part

    def _begin(self, part: StreamedPart, data: dict[str, Any], events: list[ev.Event]) -> None:
        kind = part.kind
        at = part.where
        if kind not in PIECES and kind not in ("redacted_thinking", "opaque"):
            self._add(part, ev.WholePart(**at, part=data), events)
            return
        del data["type"]
        signature = data.pop("signature", None) if kind != "opaque" else None
        issuer = None
        if signature is not None:  # redacted thinking has its issuer in its own event, too
            issuer = data.get("issuer") if kind == "redacted_thinking" else data.pop("issuer", None)
        if kind == "opaque":
            part.format = data.pop("format")
            part.value = data.pop("value")
            part.rest = data.copy()
            data.clear()
        elif kind == "redacted_thinking":
            self._add(part, ev.RedactedThinking(**at, **_split_off(data, "data", "issuer")), events)
        elif kind == "tool_use":
            part.call = _split_off(data, "id", "name", "custom")
            part.input = data.pop("input", None)
            self._add(part, ev.ToolUseStart(**at, **part.call), events)
        else:
            text = data.pop(kind)
            if data and kind != "text":  # an update before anything else would begin a text
                events.append(part.more(""))
            self.update(part, data.copy(), events)
            self.grow(part, text, events)
            data.clear()
        self.sign(part, signature, issuer, events)
        self.update(part, data, events)

    def new(self, kind: str) -> StreamedPart:
        """Add the next part."""
        part = StreamedPart({**self.where, "index": self.first + len(self.parts)}, kind)
        self.parts.append(part)
        return part

    def grow(self, part: StreamedPart, text: str, events: list[ev.Event]) -> None:
        """Add text to a part; empty text is ignored."""
        if text:
            events.append(part.more(text))

    def sign(self, part: StreamedPart, signature: str | None, issuer: str | None, events: list[ev.Event]) -> None:
        """Sign a part; an empty signature waits until the part ends, because another may follow."""
        if signature is not None:
            part.empty_signature = issuer if signature == "" else None
        if signature:
            if not part.begun and part.kind != "thinking":
                events.append(part.more(""))
            signer = issuer and issuer_of(signature, issuer)
            self._add(part, ev.SignatureDelta(**part.where, signature=signature, issuer=signer), events)

    def update(self, part: StreamedPart, data: Wire, events: list[ev.Event]) -> None:
        """Add other fields to a part."""
        if data:
            self._add(part, ev.Update(**part.where, of="part", data=data), events)

    def end(self, part: StreamedPart, events: list[ev.Event]) -> None:
        """End a part."""
        part.open = False
        if part.kind == "tool_use":
            self._end_call(part, events)
        elif part.kind == "opaque":
            events.append(ev.OpaqueEvent(**part.where, format=part.format, value=part.value))
            self.update(part, part.rest, events)
        elif not part.begun:
            events.append(part.more(""))
        if part.empty_signature is not None:
            events.append(ev.SignatureDelta(**part.where, signature="", issuer=part.empty_signature))
        events.append(ev.PartStop(**part.where))

    def _end_call(self, part: StreamedPart, events: list[ev.Event]) -> None:
        if not part.pieces:
            # The input came as a whole (an object or a text), or is the `{}` of a call without deltas.
            is_text = type(part.input) is str
            if is_text or part.call.get("custom"):  # the fold would take this text for JSON, or leave this object a text
                events.append(ev.Update(**part.where, of="part", data={"input": part.input}))
            self.grow(part, part.input if is_text else to_json(part.input), events)
            part.given = len(part.pieces)
        elif 0 < part.given < len(part.pieces):
            text = "".join(part.pieces[part.given :])
            value = exact_object(text)
            data: Wire = {"input": text if value is None else value}
            events.append(ev.Update(**part.where, of="part", data=data, overwrite=True))
            events.append(ev.ToolUse(**part.where, **part.call, arguments=text))
            return
        events.append(ev.ToolUse(**part.where, **part.call, arguments="".join(part.pieces)))

    def _add(self, part: StreamedPart, event: ev.Event, events: list[ev.Event]) -> None:
        part.begun = True
        events.append(event)


def _split_off(data: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: data.pop(name) for name in names if name in data}


def in_pieces(event: ev.WholePart) -> list[ev.Event]:
    """The events of a part that came as a whole, as if it had come in pieces; one event for kinds that have no pieces."""
    parts = PartEvents(event.choice, event.index)
    events = list[ev.Event]()
    parts.end(parts.begin(event.part.to_dict(), events), events)
    return events[:-1]  # without the stop, which follows
