"""Read streams of text completions: each chunk has more of the text of its choices.

The chunks have the shape of whole responses. The last one of a choice has its `finish_reason`; a further chunk without choices
may have the usage.
"""

from __future__ import annotations

from typing import Any

from ...codec.error_bodies import is_error
from ...codec.fields import FieldReader, Wire
from ...codec.streams.part_events import PartEvents, StreamedPart
from ...errors import StreamError
from ...model.base import Json, copy_json
from ...model.events import ErrorEvent, Event, MessageStart, Stop, Update, UsageUpdate
from ...model.exchange import Usage
from ..openai_completions.answers import OBJECT, STOPS, adapter
from .base import FAMILY
from .messages import AnswerPart, load_part
from .reading import Step, TextReader
from .responses import COUNTS, write_text

_IDENTITY = ("id", "model", "created")


class _OpenChoice:
    """One choice, whose text is being read."""

    def __init__(self, number: int) -> None:
        self.where: dict[str, Any] = {"choice": number} if number else {}
        self.closed = False
        self._reader = TextReader()
        self._parts = PartEvents(number)
        self._open: StreamedPart | None = None
        self._read: list[AnswerPart] = []
        """The parts so far; the text of the last is in the pieces of the open one."""
        self._texts: list[str] = []
        self._rest: list[str] = []
        """The text of an open part that stays as it is."""
        self._frame: Wire = {}

    def add(self, text: str, events: list[Event]) -> None:
        """Read more text."""
        self._texts.append(text)
        for step in self._reader.feed(text):
            self._take(step, events)

    def more(self, text: str) -> list[Event] | None:
        """The delta of text that is certainly content of the open part; None for any other text."""
        part = self._open
        if part is None or not self._reader.is_within_content:
            return None
        if not text or "<" in text:
            return None
        made = part.more(text)  # refuses text that is not valid Unicode, before anything changes
        self._texts.append(text)
        return [made]

    def close(self, events: list[Event]) -> None:
        """End the parts, and record the text if the parts would be written otherwise."""
        if self.closed:
            return
        self.closed = True
        for step in self._reader.end():
            self._take(step, events)
        text = "".join(self._texts)
        if text != write_text(self._read):
            events.append(Update(**self.where, of="message", data={"wire": {"spelling": {"text": text}}}))

    def update(self, fields: Wire, events: list[Event]) -> None:
        """Report the fields of the choice that are new."""
        news = {key: value for key, value in fields.items() if key not in self._frame or self._frame[key] != value}
        self._frame |= news
        if news:
            events.append(Update(**self.where, of="choice", data={"provider_data": {FAMILY: news}}))

    def _take(self, step: Step, events: list[Event]) -> None:
        if step.kind == "begin":
            self._read.append(step.part)
            if step.part.kind != "opaque":
                self._open = self._parts.begin(load_part(step.part), events)
        elif step.kind == "more" and self._open is not None:
            self._parts.grow(self._open, step.part.text, events)
        elif step.kind == "more":
            self._rest.append(step.part.text)
        else:
            self._end(events)

    def _end(self, events: list[Event]) -> None:
        part = self._open
        if part is None:
            whole = self._read[-1]._replace(text="".join(self._rest))
            self._rest.clear()
            part = self._parts.begin(load_part(whole), events)
        else:
            whole = self._read[-1]._replace(text="".join(part.pieces))
        self._read[-1] = whole
        self._open = None
        if whole.kind == "tool_use" and part.pieces:
            part.pieces = [whole.text]
            self._parts.update(part, {"input": whole.text}, events)  # which the fold would make an object
        self._parts.end(part, events)


class HarmonyReading:
    """Reads one stream."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._choices: dict[int, _OpenChoice] = {}
        self._known: Wire = {}
        """The id, the model and the time of the response."""
        self._frame: Wire = {}
        """The other fields so far."""
        self._latest: tuple[_OpenChoice | None, Wire, Wire] = None, {}, {}
        """The choice of the latest chunk, if it goes on; what the next chunk must repeat, and its choice, without the text."""
        self._validate = adapter().validator.validate_python

    def grow(self, chunk: Wire) -> list[Event] | None:
        """Return the delta of a chunk that only adds text to an open part."""
        choice, frame, beside = self._latest
        try:
            (wire,) = chunk["choices"]
            is_alike = len(chunk) == len(frame) and wire.keys() == beside.keys()
            if choice is None or not is_alike:
                return None
            if chunk | {"choices": ()} == frame and wire | {"text": ""} == beside:
                return choice.more(wire["text"])
        except (AttributeError, KeyError, TypeError, ValueError):
            pass  # any other chunk, or not a chunk
        return None

    def read(self, chunk: Wire) -> list[Event]:
        """The events of a chunk."""
        error: Json = chunk.get("error")
        if error is not None and is_error(chunk):
            return [ErrorEvent(error=error if type(error) is dict else {"message": error} if type(error) is str else chunk)]
        self._latest = None, {}, {}
        fields = FieldReader(self._validate(copy_json(chunk)))
        events: list[Event] = []
        news = {key: fields.wire[key] for key in _IDENTITY if key in fields.wire and key not in self._known}
        self._known |= news
        is_first = not self._choices
        choices: list[Wire] = fields.take("choices") or []
        for position, choice in enumerate(choices):
            self._read_choice(choice, position, events)
        if news and self._choices and not is_first:
            events.append(Update(of="response", data=news))
        self._read_frame(fields, events)
        latest, _, beside = self._latest
        if latest is not None and len(choices) == 1 and beside.get("finish_reason") is None:
            self._latest = latest, fields.wire | {"choices": ()}, beside
        return events

    def _read_frame(self, fields: FieldReader, events: list[Event]) -> None:
        """Read the usage, and the other fields of the response that are new."""
        usage = fields.take("usage")
        if usage is not None:
            events.append(UsageUpdate(usage=Usage(**COUNTS.load(usage))))
        fields.know(*_IDENTITY, "usage")
        if fields.wire.get("object") == OBJECT:
            fields.know("object")
        rest = {key: value for key, value in fields.rest.items() if key not in self._frame or self._frame[key] != value}
        self._frame |= rest
        if rest:
            events.append(Update(of="response", data={"provider_data": {FAMILY: rest}}))

    def _read_choice(self, wire: Wire, position: int, events: list[Event]) -> None:
        fields = FieldReader(wire)
        number = fields.take("index")
        number = position if number is None else number
        if number < 0:
            raise StreamError("the index of a choice must be a whole number from 0")
        choice = self._choices.get(number)
        if choice is None:
            choice = _OpenChoice(number)
            frame: dict[str, Any] = {} if self._choices else {**self._known, "origin": self._name}
            events.append(MessageStart(**choice.where, **frame, spelling="blocks"))
            self._choices[number] = choice
        text = fields.take("text")
        word = fields.take("finish_reason")
        fields.know("text", "finish_reason", "index")
        if text:
            if choice.closed:
                raise StreamError("a choice must not have more text after its finish_reason")
            choice.add(text, events)
            self._latest = choice, {}, wire | {"text": ""}
        choice.update(fields.rest, events)
        if word is not None and not choice.closed:
            choice.close(events)
            events.append(Stop(**choice.where, **STOPS.load(word)))

    def end(self) -> list[Event]:
        """The last events, if no chunk follows."""
        events: list[Event] = []
        if not self._choices:
            events.append(Update(of="response", data={**self._known, "origin": self._name}))
        for choice in self._choices.values():
            choice.close(events)
        return events
