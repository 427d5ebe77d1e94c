"""Read streams of Gemini, in which each chunk is a response with new parts.

The first text of a chunk continues the text before it, unless either has a signature or another field: Google asks clients to
send such parts back unchanged. A call is sent whole, or its arguments arrive as values at JSON Paths (`partialArgs`, Vertex AI
alone). A chunk's values for a candidate or the response replace the earlier ones; empty objects and null replace nothing.
(google-genai 3.4.0, `types.PartialArg`; recorded streams.)
"""

import re
from itertools import pairwise
from typing import Any, Literal

from pydantic import ValidationError

from ...codec.error_bodies import is_error
from ...codec.fields import Wire, copy_wire
from ...codec.streams.part_events import PartEvents
from ...errors import StreamError, excerpt
from ...model.base import Json
from ...model.events import ErrorEvent, Event, MessageStart, Stop, Update, UsageUpdate
from ...model.exchange import Usage
from ...model.folding import merge
from ...model.parts import to_json
from .base import FAMILY, adapter, list_in, object_in, value_of
from .citations import FIELDS, read_citations
from .parts import load_part
from .responses import BLOCKED, candidate_numbers, load_refusal, load_stop, load_usage
from .spellings import spellings

_OF_RESPONSE = spellings("candidates", "usageMetadata", "responseId", "modelVersion")
_CONTENT = frozenset({"content"})
_OF_CANDIDATE = spellings("content", "finishReason")
_CITED = spellings(*FIELDS)
_GROUNDED = spellings(FIELDS[0])
_PROBABILITIES = spellings("logprobsResult")
_NEVER_REPEATED = spellings("finishReason", "citationMetadata") | _PROBABILITIES
"""The fields of a candidate that are new even if their value is that of the last chunk."""
_FEEDBACK = spellings("promptFeedback")
"""The field of a response that may end its answers."""
_GROWS = spellings("citationMetadata") | _PROBABILITIES
"""The fields of a candidate to which each chunk adds."""
_PARTIAL = spellings("partialArgs", "willContinue", "args")


class Answer(PartEvents):
    """One candidate that is still arriving."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.frame: Wire = {}
        """The candidate's other fields so far."""
        self.spelled: dict[str, str] | None = None
        """How its content is spelled; None before any content."""
        self.goes_on = False
        """Whether the last part is a text that the next text may continue."""
        self.call: PartialCall | None = None
        self.stopped = self.uncited = False
        """Whether it has ended, and whether citations have arrived that its texts lack so far."""
        self.blocked = False
        """Whether Gemini blocked it, and no chunk has given its own stop reason."""
        self.cited: list[Json] = []
        """The values whose citations its texts have."""


class GeminiReading:
    """Reads one stream."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._answers: dict[int, Answer] = {}
        self._known: Wire = {}
        """The id and the model."""
        self._frame: Wire = {}
        """The other fields of the response so far."""
        self._usage: Wire | None = None
        self._last: tuple[Wire, ...] = ()
        """Copies of the last chunk, its candidate, its content and its part, if it had one text."""
        self._answer = Answer(0)
        """The candidate that it added to."""
        self._validate = adapter("Response").validator.validate_python

    def grow(self, chunk: Wire) -> list[Event] | None:
        """The events of a chunk that repeats the last one except for its text and its usage."""
        text = self._more(chunk)
        usage = chunk.get("usageMetadata")
        if text is None:
            return None
        events: list[Event] = []
        try:
            counted: Wire = {} if usage is None or usage == self._usage else self._validate({"usageMetadata": usage})
            self._answer.grow(self._answer.parts[-1], text, events)
        except ValidationError:
            return None
        self._count(counted, events)
        return events

    def read(self, chunk: Wire) -> list[Event]:
        """Return the events of a chunk."""
        if chunk.get("error") is not None and is_error(chunk):
            error: Json = chunk["error"]
            return [ErrorEvent(error=error if type(error) is dict else chunk)]
        events: list[Event] = []
        wire = self._validate(chunk)
        self._last = ()
        self._read(wire, events)
        self._last = _copies(chunk)
        self._count(wire, events)
        return events

    def _count(self, wire: Wire, events: list[Event]) -> None:
        usage = value_of(wire, "usageMetadata")
        if usage is not None and usage != self._usage:
            if self._usage is None and wire.get("usageMetadata") is None:
                events.append(Update(of="response", data={"wire": {"spelling": {"usageMetadata": "snake"}}}))
            self._usage = usage
            events.append(UsageUpdate(usage=Usage(**load_usage(usage))))

    def _more(self, chunk: Wire) -> str | None:
        """The text of a chunk that repeats the last one except for text and usage; the copies take over what differs."""
        try:
            frame, like, content, part = self._last
            (candidate,) = frame["candidates"] = chunk["candidates"]
            (one,) = content["parts"] = candidate["content"]["parts"]
            text = one["text"]
            like["content"] = candidate["content"]
            part["text"] = text
            if (usage := chunk.get("usageMetadata")) is not None and "usageMetadata" in frame:
                frame["usageMetadata"] = usage
            alike = type(text) is str and part == one and content == like["content"] and like == candidate and frame == chunk
        except (KeyError, TypeError, ValueError):
            return None
        return text if alike and self._answer.goes_on else None

    def _read(self, wire: Wire, events: list[Event]) -> None:
        current = {"id": value_of(wire, "responseId"), "model": value_of(wire, "modelVersion")}
        news = {key: value for key, value in current.items() if value is not None and self._known.get(key) != value}
        self._known |= news
        candidates: list[Wire] = wire.get("candidates") or []
        for number, candidate in zip(candidate_numbers(candidates), candidates, strict=True):
            self._read_candidate(candidate, number, news, events)
        is_there = not _FEEDBACK.isdisjoint(wire)
        if is_there and (refused := load_refusal(object_in(wire, "promptFeedback"))) is not None:
            self._refuse(refused, news, events)
        if news:
            events.append(Update(of="response", data=news))
        _update("response", {}, _rest(wire, _OF_RESPONSE), self._frame, events)

    def end(self) -> list[Event]:
        """The last events, if nothing follows."""
        events: list[Event] = []
        for answer in self._answers.values():
            _cite(answer, events)
            _close(answer, events)
        return events

    def _begin(self, number: int, news: Wire, events: list[Event]) -> Answer:
        answer = self._answers[number] = Answer(number)
        events.append(MessageStart(**answer.where, **news, origin=self._name, spelling="blocks"))
        news.clear()
        return answer

    def _refuse(self, refused: Wire, news: Wire, events: list[Event]) -> None:
        """End the answers, or the one that never began."""
        halfway = bool(self._answers)
        if not halfway:
            self._begin(0, news, events)
            events.append(Update(of="response", data={"wire": {"spelling": {"candidates": "absent"}}}))
        stop = {"stop_reason": refused["stop_reason"], "native_stop_reason": refused["native_stop_reason"]}
        for answer in self._answers.values():
            if not answer.stopped:
                _cite(answer, events)
                _close(answer, events)
                if halfway:
                    _spell_content(answer, events)
                answer.stopped = answer.blocked = True
                wire = {"spelling": {**BLOCKED}} if halfway else refused["wire"]
                events.append(Update(of="choice", **answer.where, data={"wire": wire}))
                events.append(Stop(**answer.where, **stop))

    def _read_candidate(self, wire: Wire, number: int, news: Wire, events: list[Event]) -> None:
        answer = self._answer = self._answers.get(number) or self._begin(number, news, events)
        content: Wire | None = wire.get("content")
        if content is not None:
            parts: list[Wire] | Wire | None = content.get("parts")
            if not _GROUNDED.isdisjoint(wire) and isinstance(parts, list):
                _cite_before(answer, parts, {key: wire[key] for key in _CITED & wire.keys()}, events)
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
        answer.uncited |= any(key in _CITED and value not in answer.cited for key, value in rest.items())
        _update("choice", answer.where, rest, answer.frame, events)
        if ends:
            spelled = {"finishReason": "snake"} if wire.get("finishReason") is None else {}
            _stop(answer, reason, spelled, events)


def _copies(chunk: Wire) -> tuple[Wire, ...]:
    """Copies of a chunk with a single text, of its candidate, its content and its part; none for any other chunk."""
    try:
        (candidate,) = chunk["candidates"]
        (part,) = candidate["content"]["parts"]
        may_go_on = type(part["text"]) is str and _NEVER_REPEATED.isdisjoint(candidate) and _FEEDBACK.isdisjoint(chunk)
        return ({**chunk}, {**candidate}, {**candidate["content"]}, {**part}) if may_go_on else ()
    except (KeyError, TypeError, ValueError):
        return ()


def _stop(answer: Answer, reason: Any, spelled: dict[str, str], events: list[Event]) -> None:
    if not answer.stopped:
        _cite(answer, events)  # while the last text is open, for writers that put its citations inside its block
    _close(answer, events)
    if not answer.stopped:
        _spell_content(answer, events)
    if type(reason) is int:
        spelled["finish"] = "number"
    if answer.blocked:  # its own reason, which is also written, replaces that of the block
        spelled |= {"content": "absent"} if answer.spelled is None else {}
        data: Wire = {"wire": {"spelling": spelled} if spelled else None}
        events.append(Update(of="choice", **answer.where, data=data, overwrite=True))
    elif spelled:
        events.append(Update(of="choice", **answer.where, data={"wire": {"spelling": spelled}}))
    answer.stopped = True
    answer.blocked = False
    calls = any(part.kind == "tool_use" for part in answer.parts)
    events.append(Stop(**answer.where, **load_stop(reason, calls=calls)))


def _spell_content(answer: Answer, events: list[Event]) -> None:
    """Record how the content of an answer is spelled, when it ends for the first time."""
    if answer.spelled is None:
        events.append(Update(of="choice", **answer.where, data={"wire": {"spelling": {"content": "absent"}}}))
    elif answer.spelled:
        events.append(Update(of="message", **answer.where, data={"wire": {"spelling": answer.spelled}}))


def _rest(wire: Wire, known: frozenset[str]) -> Wire:
    return {key: value for key, value in wire.items() if value is None or key not in known}


def _update(of: Literal["response", "choice"], where: Wire, rest: Wire, frame: Wire, events: list[Event]) -> None:
    """The events for the provider's own fields: they replace the earlier values, unless they are empty."""
    news: Wire = {}
    for key, value in rest.items():
        is_other = key not in frame or value != frame[key] or key in _PROBABILITIES
        if key not in frame or (is_other and value not in (None, [], {})):
            news[key] = value
    if not news:
        return
    replaced = [key for key in news if type(frame.get(key)) in (dict, list) and key not in _GROWS]
    if replaced:  # updates are merged, so the old value must be set to null first
        events.append(Update(of=of, **where, data={"provider_data": {FAMILY: dict.fromkeys(replaced)}}))
    events.append(Update(of=of, **where, data={"provider_data": {FAMILY: news}}))
    merge(frame, {key: value for key, value in news.items() if key in _GROWS})
    frame.update({key: value for key, value in news.items() if key not in _GROWS})


def _is_partial(call: Wire) -> bool:
    return bool(value_of(call, "partialArgs") or value_of(call, "willContinue"))


def _read_part(answer: Answer, wire: Wire, events: list[Event]) -> None:
    """Add a part to an answer; a text continues the one before it, unless either has another field."""
    call: Json = value_of(wire, "functionCall")
    if type(call) is dict and (answer.call or _is_partial(call)):
        _read_partial(answer, wire, call, events)
        return
    data = load_part(wire)
    kind = data["type"]
    has_text_alone = len(data) == 2 and kind in ("text", "thinking")
    part = answer.parts[-1] if answer.goes_on and answer.parts else None
    if has_text_alone and part is not None and part.kind == kind:
        part.open = True
        answer.grow(part, data[kind], events)
    else:
        _close(answer, events)
        _begin(answer, data, events, whole=not has_text_alone)
    answer.goes_on = has_text_alone


def _begin(answer: Answer, data: Wire, events: list[Event], *, whole: bool) -> None:
    """Begin a part, and end it if it is whole; a text with other fields is never joined with the part before or after it."""
    if not (whole and data["type"] in ("text", "thinking")):
        part = answer.begin(data, events)
    else:
        part = answer.new(data["type"])
        # Its other fields go first, so that writers have them when they write the text.
        answer.update(part, {key: value for key, value in data.items() if key != part.kind}, events)
        answer.grow(part, data[part.kind], events)
    if whole:
        answer.end(part, events)


def _read_partial(answer: Answer, wire: Wire, call: Wire, events: list[Event]) -> None:
    if answer.call is None or value_of(call, "name"):
        _close(answer, events)
        whole: Wire = {key: value for key, value in call.items() if key not in _PARTIAL} | {"args": {}}
        begun = load_part({key: whole if value is call else value for key, value in wire.items()})
        answer.begin(begun, events)
        answer.call = PartialCall()
        answer.goes_on = False
    answer.call.add(call)
    if not value_of(call, "willContinue"):
        _close(answer, events)


def _close(answer: Answer, events: list[Event]) -> None:
    """End the part that is open."""
    part = answer.parts[-1] if answer.parts else None
    if part is not None and part.open:
        if answer.call is not None:
            answer.grow(part, answer.call.text() if part.kind == "tool_use" else "", events)  # a call must have a name
            answer.call = None
        answer.end(part, events)


def _cite(answer: Answer, events: list[Event]) -> None:
    """Report the citations of the answer's texts."""
    if not answer.uncited:
        return
    answer.uncited = False
    texts = [(part.index, "".join(part.pieces)) for part in answer.parts if part.kind == "text"]
    for index, citations in read_citations(answer.frame, texts).items():
        events.append(Update(of="part", **answer.where, index=index, data={"citations": citations}, overwrite=True))


def _cite_before(answer: Answer, parts: list[Wire], grounding: Wire, events: list[Event]) -> None:
    """Report the citations of an open text before empty texts end it.

    The last chunk of a grounded answer has an empty text with a signature, and the grounding (Gemini 3, recorded streams).
    """
    is_open = bool(answer.parts) and answer.parts[-1].open and answer.parts[-1].kind == "text"
    if not is_open or not all(part.get("text") == "" for part in parts):
        return
    texts = [(part.index, "".join(part.pieces)) for part in answer.parts if part.kind == "text"]
    found = read_citations(grounding, [*texts, *((len(answer.parts) + i, "") for i in range(len(parts)))])
    if found and found.keys() <= {index for index, _ in texts}:
        _update("choice", answer.where, grounding, answer.frame, events)
        answer.cited = [*grounding.values()]
        answer.uncited = True
        _cite(answer, events)


# Calls whose arguments arrive in pieces: values at JSON Paths, and texts that grow

_TOKEN = r"""\.([^.\[\]]+)|\[(\d{1,9})\]|\['([^']*)'\]|\["([^"]*)"\]"""
_PATH = re.compile(rf"\$(?:{_TOKEN})+")
_DEEPEST = 100
_VALUES = ("stringValue", "numberValue", "boolValue")


class PartialCall:
    """The arguments of one call, as far as they have arrived."""

    def __init__(self) -> None:
        self.args: Wire = {}
        self._texts: dict[str, tuple[Any, Any, list[str]]] = {}
        """The texts that have arrived: where each is, and its pieces."""

    def add(self, call: Wire) -> None:
        """Add more arguments; raises `StreamError` if they have no place in the earlier ones."""
        self.args |= copy_wire(object_in(call, "args"))
        piece: Json
        for piece in list_in(call, "partialArgs"):
            path: Json = value_of(piece, "jsonPath") if type(piece) is dict else None
            if type(piece) is not dict or type(path) is not str:
                raise StreamError("partialArgs: an argument must have a `jsonPath`")
            value: Json = next((found for key in _VALUES if (found := value_of(piece, key)) is not None), None)
            if type(value) is not str:
                self._put(path, value)
            elif path in self._texts:
                self._texts[path][2].append(value)
            else:
                self._texts[path] = (*self._put(path, value), [value])

    def _put(self, path: str, value: Json) -> tuple[Any, Any]:
        """Set the value at a path; return the object or list that has it, and its key there."""
        tokens = _tokens(path)
        holder: Any = self.args
        for key, following in pairwise(tokens):
            holder = _child(holder, key, [] if isinstance(following, int) else {}, path)
        _child(holder, tokens[-1], value, path)
        holder[tokens[-1]] = value
        return holder, tokens[-1]

    def text(self) -> str:
        """All arguments, as JSON text."""
        for holder, key, pieces in self._texts.values():
            holder[key] = "".join(pieces)
        return to_json(self.args)


def _child(holder: Json, key: str | int, new: Json, path: str) -> Any:
    """The value of an object or list at a key; if there is none, `new` is put there."""
    if type(holder) is dict and isinstance(key, str):
        return holder.setdefault(key, new)
    if type(holder) is not list or not isinstance(key, int) or key > len(holder):
        raise StreamError(f"partialArgs: the `jsonPath` {excerpt(path)} must lead to a place in the arguments so far")
    if key == len(holder):
        holder.append(new)
    return holder[key]


def _tokens(path: str) -> list[str | int]:
    """Split a JSON Path into its keys and indices."""
    found: list[tuple[str, ...]] = re.findall(_TOKEN, path) if _PATH.fullmatch(path) else []
    tokens = [int(index) if index else name or single or double for name, index, single, double in found]
    if not 0 < len(tokens) <= _DEEPEST or type(tokens[0]) is int:
        raise StreamError(f"partialArgs: the `jsonPath` {excerpt(path)} must be a path to an argument, such as `$.city`")
    return tokens
