"""Streams of answers that are one text: how formats with prompts read and write them.

Each chunk of such a stream is a partial answer, so a format reads it with the loader of whole responses, and writes the last
one with the dump of whole responses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ...model import events as ev
from ...model.base import copy_json
from ...model.exchange import Response, Usage
from ..answers import take_probabilities
from ..dump import Dump
from ..error_bodies import is_error
from ..fields import Wire, copy_wire
from ..one_text import following
from ..text_answers import JOINED, MOVED, kind_of, text_or_reasoning
from .block_shape import MESSAGE, Block, BlockShape, late_citations
from .part_events import PartEvents, StreamedPart

# Reading

_IDENTITY = ("id", "model", "created")


class TextReading:
    """Reads one stream; `load` makes the data of a response of each chunk.

    Its choices may have two more keys: `index`, which of the answers it is, and `done`, whether it has ended.
    """

    def __init__(self, name: str, family: str, load: Callable[[Wire], dict[str, Any]]) -> None:
        self._name = name
        self._family = family
        self._load = load
        self._known: Wire = {}
        """What is known of the response besides the answers."""
        self._frame: Wire = {}
        """The provider's own fields of the response so far."""
        self._answers: dict[int, _Answer] = {}

    def grow(self, _chunk: Wire) -> list[ev.Event] | None:
        """Return None: each chunk is read as a whole."""
        return None

    def read(self, chunk: Wire) -> list[ev.Event]:
        """Return the events of a chunk."""
        if is_error(chunk):
            return [ev.ErrorEvent(error=chunk)]
        data = self._load(copy_json(chunk))
        choices: list[dict[str, Any]] = data["choices"]
        events: list[ev.Event] = []
        numbers = [choice.pop("index", 0) for choice in choices]
        if not numbers and not self._answers:
            self._begin(0, data, events)
        for number in numbers:
            self._begin(number, data, events)
        self._envelope(data, events)
        for number, choice in zip(numbers, choices, strict=True):
            self._answers[number].read(choice, events)
        return events

    def _begin(self, number: int, data: dict[str, Any], events: list[ev.Event]) -> None:
        if number in self._answers:
            return
        answer = self._answers[number] = _Answer(number)
        known = self._news(data)
        self._known |= known
        events.append(ev.MessageStart(**answer.where, **known, origin=self._name, spelling="blocks"))

    def _news(self, data: dict[str, Any]) -> Wire:
        """What a chunk is the first to say of who answers, and when."""
        return {key: value for key, value in data.items() if key in _IDENTITY and key not in self._known}

    def _envelope(self, data: dict[str, Any], events: list[ev.Event]) -> None:
        """Read what a chunk says besides the answers."""
        news = self._news(data)
        if "wire" in data and data["wire"] != self._known.get("wire"):
            news["wire"] = data["wire"]
        self._known |= news
        if news:
            events.append(ev.Update(of="response", data=news))
        self._rest(data.get("provider_data", {}).get(self._family, {}), events)
        usage: Wire | None = data.get("usage")
        if usage is not None:
            before = self._known.get("usage", {"native": {self._family: {}}})
            native = before["native"][self._family] | usage["native"][self._family]
            self._known["usage"] = before | usage | {"native": {self._family: native}}
            events.append(ev.UsageUpdate(usage=Usage(**self._known["usage"])))

    def _rest(self, rest: Wire, events: list[ev.Event]) -> None:
        """Read the provider's own fields: a list or an object replaces the earlier value."""
        news = {key: value for key, value in rest.items() if key not in self._frame or self._frame[key] != value}
        replaced = [key for key in news if type(self._frame.get(key)) in (dict, list)]
        if replaced:  # updates are merged, so the old value must be set to null first
            events.append(ev.Update(of="response", data={"provider_data": {self._family: dict.fromkeys(replaced)}}))
        if news:
            self._frame |= news
            events.append(ev.Update(of="response", data={"provider_data": {self._family: news}}))

    def end(self) -> list[ev.Event]:
        """The last events, if no chunk follows."""
        events: list[ev.Event] = []
        for answer in self._answers.values():
            answer.close(events)
        return events


class _Answer:
    """One answer of a stream."""

    def __init__(self, number: int) -> None:
        self._parts = PartEvents(number)
        self.where: dict[str, Any] = self._parts.where
        self._growing: dict[str, StreamedPart] = {}
        """The reasoning and the text, by their kind."""

    def read(self, choice: dict[str, Any], events: list[ev.Event]) -> None:
        """Read more of the answer, and its end."""
        for part in choice["message"]["content"]:
            self._add(part["type"], part[part["type"]], events)
        if "provider_data" in choice:
            data = {"provider_data": choice["provider_data"]}
            events.append(ev.Update(**self.where, of="choice", data=data))
        if choice.get("done"):
            self.close(events)
            ended = {key: choice[key] for key in ("stop_reason", "native_stop_reason", "stop_sequence") if key in choice}
            events.append(ev.Stop(**self.where, **ended))

    def _add(self, kind: str, text: str, events: list[ev.Event]) -> None:
        """Add reasoning or text: each is one part, and continues even if the other came in between."""
        part = self._growing.get(kind)
        if part is None:
            self.close(events)
            part = self._growing[kind] = self._parts.begin({"type": kind, kind: ""}, events)
        part.open = True
        self._parts.grow(part, text, events)

    def close(self, events: list[ev.Event]) -> None:
        """End the parts that are open."""
        for part in self._growing.values():
            if part.open:
                self._parts.end(part, events)


# Writing


def take_tokens(block: Block, data: Wire, tokens: list[Wire], d: Dump) -> Wire:
    """Append the log probabilities of another provider's text to `tokens`, and return the data of the event without them."""
    taken = take_probabilities(data, block.path, d, in_texts=True)
    if taken is None:
        return data
    tokens += taken[0]
    return taken[1]


def take_late(block: Block, data: Wire, tokens: list[Wire], d: Dump) -> None:
    """Take what became known of a part when it had been sent: its log probabilities; reports its citations and the rest."""
    if block.kind == "text":
        data = take_tokens(block, data, tokens, d)
    if data.get("citations") and not block.cited:
        block.cited = len(data["citations"])
        d.drop(block.path + "/citations", f"{d.target.name} has no field for the citations of this text part")
    late_citations(block, {key: value for key, value in data.items() if key != "citations"}, d)


def _without_tokens(_chunks: list[Wire], _tokens: list[Wire]) -> None:
    """Leave the last chunks as they are, where a format has no log probabilities."""


class TextStream(NamedTuple):
    """How a format writes the chunks of a stream; functions of a module, so that a writer can be copied."""

    begin: Callable[[Response, Any], tuple[Wire, Mapping[str, str]]]
    """What every chunk says, and where a whole response has the text, and the reasoning if it has a field for that."""
    piece: Callable[[Wire, str, str], Wire]
    """A chunk with more of a part of this kind, given what every chunk says."""
    last: Callable[[Response, Any], list[Wire]]
    """The chunks with everything else, given the response without its parts."""
    error: Callable[[Wire], Wire]
    """The chunk for the value of an error event."""
    lay_tokens: Callable[[list[Wire], list[Wire]], None] = _without_tokens
    """Adds the log probabilities of another provider's texts to the last chunks, if the format has a place for them."""


class TextShape(BlockShape):
    """Writes the chunks of one stream."""

    amends = True
    whole_calls = True
    signed = ()

    def __init__(self, stream: TextStream) -> None:
        self._stream = stream
        self._frame: Wire = {}
        self._places: Mapping[str, str] = {}
        self._begun: dict[str, list[Block]] = {}
        """The parts that were sent in each field."""
        self._tokens: list[Wire] = []
        """The log probabilities that texts of another provider have."""
        self._ended: list[Wire] = []
        """The last chunks that were sent."""

    def ready(self, block: Block, _d: Dump, /) -> bool:
        return block.has_content

    def pass_on(self, event: ev.ErrorEvent | ev.OpaqueEvent) -> list[Wire]:
        return [self._stream.error(event.error)] if isinstance(event, ev.ErrorEvent) else []

    def message_start(self, response: Response, d: Dump) -> list[Wire]:
        self._frame, self._places = self._stream.begin(response, d)
        return []

    def message_stop(self, _response: Response, _d: Dump) -> list[Wire]:
        return []  # the usage may become known later

    def end(self, response: Response, d: Dump) -> list[Wire]:
        d.drop_named(response.message, MESSAGE, "name", "cache_control")
        d.drop_fields(response.message, MESSAGE)
        out = self._stream.last(response, d)
        if self._tokens:
            self._stream.lay_tokens(out, self._tokens)
        if out == self._ended:
            return []
        self._ended = out
        return [copy_wire(chunk) for chunk in out]

    def block_start(self, block: Block, part: Any, _at: str, d: Dump, /) -> list[Wire] | None:
        d.of_response = True
        kind = kind_of(block.kind, self._places)
        block.at = at = self._places[kind]
        if block.kind == "text" and part.provider_data:
            part = part.replace(**take_tokens(block, {"provider_data": part.provider_data}, self._tokens, d))
        text = text_or_reasoning(part, block.path, at, d, kind)
        if text is None:
            return None
        if kind == "thinking" and "text" in self._begun and not d.same_family:
            d.report("moved", block.path, None, MOVED)
        before = self._begun.setdefault(kind, [])
        if not before:
            d.places[at] = block.path
        else:
            if block.path not in [each.path for each in before]:  # else it goes on, as another part interrupted it
                d.report("changed", MESSAGE, at, JOINED)
            if block.path != before[-1].path:
                text = following(text, block.kind, before[-1].kind)
        before.append(block)
        return [self._stream.piece(self._frame, kind, text)]

    def grow(self, block: Block, event: Any, d: Dump, /) -> list[Wire]:
        if event.type in ("text", "thinking", "refusal"):
            kind = kind_of(event.type, self._places)
            text: str = getattr(event, event.type)
            return [self._stream.piece(self._frame, kind, text)] if text else []
        if event.type == "signature":
            d.sent_signature(event, block.path)
        elif type(event) is ev.Update:
            take_late(block, event.data, self._tokens, d)
        return []

    def block_stop(self, _block: Block, _d: Dump, /) -> list[Wire]:
        return []


def with_reason(response: Response, at: str, d: Dump) -> Response:
    """The response with a reason why its answer ended; one that is added, to be written at `at`, is reported.

    Without it, readers take a stream for one that was cut off.
    """
    if d.same_format or not response.choices or response.choices[0].stop_reason is not None:
        return response
    d.report("added", "/choices/0/stop_reason", at, "a stream must say why it ended: the reason of a complete answer is added")
    first, *others = response.choices
    return response.replace(choices=[first.replace(stop_reason="stop"), *others])
