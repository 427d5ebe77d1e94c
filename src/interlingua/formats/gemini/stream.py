"""Reading streams of Gemini: each chunk is a response with new parts.

The first text of a chunk goes on with the text before it, unless one of them has a signature or another field: Google asks to
send such parts back as they came. A call comes whole, or its arguments come as values at JSON Paths (`partialArgs`, Vertex AI
alone). What a chunk says of a candidate or of the response replaces what was said before; empty objects and null replace
nothing. (google-genai 3.4.0, `types.PartialArg`; recorded streams.)
"""

from typing import Any, Literal

from ...codec.fields import Wire
from ...codec.part_events import PartEvents, StreamedPart
from ...error_bodies import is_error
from ...model.base import Json
from ...model.events import ErrorEvent, Event, MessageStart, Stop, Update, UsageUpdate, merge
from ...model.exchange import Usage
from .base import FAMILY, WireReader, adapter, spellings, value_of
from .citations import FIELDS, read_citations
from .partial_args import PartialCall
from .parts import load_part
from .responses import load_refusal, load_stop, load_usage

_OF_RESPONSE = spellings("candidates", "usageMetadata", "responseId", "modelVersion")
_CONTENT = frozenset({"content"})
_OF_CANDIDATE = spellings("content", "finishReason")
_CITED = spellings(*FIELDS)
_GROWS = spellings("citationMetadata")
"""The field of a candidate to which each chunk adds."""
_PARTIAL = spellings("partialArgs", "willContinue", "args")


class Answer(PartEvents):
    """One candidate under way."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.frame: Wire = {}
        """The candidate's other fields so far."""
        self.spelled: dict[str, str] | None = None
        """How its content is spelled; None where there is none by now."""
        self.texts: dict[int, list[str]] = {}
        """The texts of the answer, by the number of the part."""
        self.goes_on = False
        """Whether the last part is a text that the next one may continue."""
        self.call: PartialCall | None = None
        self.stopped = self.uncited = False
        """Whether it has ended, and whether citations have come that its texts do not have yet."""

    @property
    def last(self) -> StreamedPart | None:
        """The last part."""
        return self.parts[-1] if self.parts else None


class GeminiReading:
    """Reads one stream."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._answers: dict[int, Answer] = {}
        self._known: Wire = {}
        """The id and the model."""
        self._frame: Wire = {}
        """The other fields of the response so far."""

    def read(self, chunk: Wire) -> list[Event]:
        """The events of a chunk."""
        if chunk.get("error") is not None and is_error(chunk):
            error: Json = chunk["error"]
            return [ErrorEvent(error=error if type(error) is dict else chunk)]
        wire: Wire = adapter("Response").validate_python(chunk)
        events: list[Event] = []
        said = {"id": value_of(wire, "responseId"), "model": value_of(wire, "modelVersion")}
        news = {key: value for key, value in said.items() if value is not None and self._known.get(key) != value}
        self._known |= news
        candidates: list[Wire] = wire.get("candidates") or []
        for position, candidate in enumerate(candidates):
            index = candidate.get("index")
            self._read_candidate(candidate, index if type(index) is int and index >= 0 else position, news, events)
        if not (candidates or self._answers):
            self._refuse(load_refusal(WireReader(wire).inner("promptFeedback")), news, events)
        if news:
            events.append(Update(of="response", data=news))
        _update("response", {}, _rest(wire, _OF_RESPONSE), self._frame, events)
        if (usage := value_of(wire, "usageMetadata")) is not None:
            events.append(UsageUpdate(usage=Usage(**load_usage(usage))))
        return events

    def end(self) -> list[Event]:
        """What is due when nothing follows."""
        events: list[Event] = []
        for answer in self._answers.values():
            _close(answer, events)
            _cite(answer, events)
        return events

    def _begin(self, number: int, news: Wire, events: list[Event]) -> Answer:
        answer = self._answers[number] = Answer(number)
        events.append(MessageStart(**answer.where, **news, origin=self._name, spelling="blocks"))
        news.clear()
        return answer

    def _refuse(self, refused: Wire | None, news: Wire, events: list[Event]) -> None:
        if refused is not None:
            self._begin(0, news, events).stopped = True
            events.append(Update(of="response", data={"wire": {"spelling": {"candidates": "absent"}}}))
            events.append(Update(of="choice", data={"wire": refused["wire"]}))
            events.append(Stop(stop_reason=refused["stop_reason"], native_stop_reason=refused["native_stop_reason"]))

    def _read_candidate(self, wire: Wire, number: int, news: Wire, events: list[Event]) -> None:
        answer = self._answers.get(number) or self._begin(number, news, events)
        content: Wire | None = wire.get("content")
        if content is not None:
            parts: list[Wire] | Wire | None = content.get("parts")
            if parts is not None:
                answer.spelled = {}
            elif answer.spelled is None:
                answer.spelled = {"parts": "absent"}
            for position, part in enumerate(parts if isinstance(parts, list) else [] if parts is None else [parts]):
                answer.goes_on &= not position  # two texts in one chunk are two parts
                _read_part(answer, part, events)
        reason: Json = value_of(wire, "finishReason")
        ends = type(reason) in (str, int)
        rest = _rest(wire, _OF_CANDIDATE if ends else _CONTENT)
        answer.uncited |= not _CITED.isdisjoint(rest)
        _update("choice", answer.where, rest, answer.frame, events)
        if ends:
            _stop(answer, reason, events)


def _stop(answer: Answer, reason: Any, events: list[Event]) -> None:
    _close(answer, events)
    if not answer.stopped:
        _cite(answer, events)
        if answer.spelled is None:
            events.append(Update(of="choice", **answer.where, data={"wire": {"spelling": {"content": "absent"}}}))
        elif answer.spelled:
            events.append(Update(of="message", **answer.where, data={"wire": {"spelling": answer.spelled}}))
    if type(reason) is int:
        events.append(Update(of="choice", **answer.where, data={"wire": {"spelling": {"finish": "number"}}}))
    answer.stopped = True
    calls = any(part.kind == "tool_use" for part in answer.parts)
    events.append(Stop(**answer.where, **load_stop(reason, calls=calls)))


def _rest(wire: Wire, known: frozenset[str]) -> Wire:
    return {key: value for key, value in wire.items() if value is None or key not in known}


def _update(of: Literal["response", "choice"], where: Wire, rest: Wire, frame: Wire, events: list[Event]) -> None:
    """The events for fields of the provider's own: they replace what was there, unless they say nothing."""
    news = {
        key: value for key, value in rest.items() if key not in frame or (value not in (None, [], {}) and value != frame[key])
    }
    if not news:
        return
    replaced = [key for key in news if type(frame.get(key)) in (dict, list) and key not in _GROWS]
    if replaced:  # updates are merged, so the old value is set to null first
        events.append(Update(of=of, **where, data={"provider_data": {FAMILY: dict.fromkeys(replaced)}}))
    events.append(Update(of=of, **where, data={"provider_data": {FAMILY: news}}))
    for key, value in news.items():
        if key in _GROWS:
            merge(frame, {key: value})
        else:
            frame[key] = value


def _read_part(answer: Answer, wire: Wire, events: list[Event]) -> None:
    """More of an answer; a text goes on with the one before it, unless either has another field."""
    call: Json = value_of(wire, "functionCall")
    if type(call) is dict and (answer.call or value_of(call, "partialArgs") or value_of(call, "willContinue")):
        _read_partial(answer, wire, call, events)
        return
    data = load_part(wire)
    kind, plain = data["type"], len(data) == 2 and data["type"] in ("text", "thinking")
    text, part = data.get(kind), answer.last
    if plain and answer.goes_on and part is not None and part.kind == kind:
        part.open = True
        answer.grow(part, data[kind], events)
    else:
        _close(answer, events)
        part = _begin(answer, {**data}, events, whole=not plain)
    answer.goes_on = plain
    if kind == "text":
        answer.texts.setdefault(part.index, []).append(str(text))


def _begin(answer: Answer, data: Wire, events: list[Event], *, whole: bool) -> StreamedPart:
    """A part that begins, and ends if it is whole; a text with other fields is never joined to its neighbours."""
    if not (whole and data["type"] in ("text", "thinking")):
        part = answer.begin(data, events)
    else:
        part = StreamedPart(len(answer.parts), data["type"])
        answer.parts.append(part)
        # Its other fields come first, so that writers have them when they send the text.
        answer.update(part, {key: value for key, value in data.items() if key != part.kind}, events)
        answer.grow(part, data[part.kind], events)
    if whole:
        answer.end(part, events)
    return part


def _read_partial(answer: Answer, wire: Wire, call: Wire, events: list[Event]) -> None:
    if answer.call is None or value_of(call, "name") is not None:
        _close(answer, events)
        whole: Wire = {key: value for key, value in call.items() if key not in _PARTIAL} | {"args": {}}
        begun = load_part({key: whole if value is call else value for key, value in wire.items()})
        answer.begin(begun, events)
        answer.call, answer.goes_on = PartialCall(), False
    answer.call.add(call)
    if not value_of(call, "willContinue"):
        _close(answer, events)


def _close(answer: Answer, events: list[Event]) -> None:
    """End the part that is open."""
    part = answer.last
    if part is not None and part.open:
        if answer.call is not None:
            answer.grow(part, answer.call.text(), events)
            answer.call = None
        answer.end(part, events)


def _cite(answer: Answer, events: list[Event]) -> None:
    """The citations of the answer's texts."""
    if not answer.uncited:
        return
    answer.uncited = False
    texts = [(index, "".join(pieces)) for index, pieces in sorted(answer.texts.items())]
    for index, citations in read_citations(answer.frame, texts).items():
        events.append(Update(of="part", **answer.where, index=index, data={"citations": citations}, overwrite=True))
