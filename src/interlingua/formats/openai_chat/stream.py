"""Read streams of Chat Completions: turn chunks, as OpenAI and the hosts of its shape send them, into events.

The events fold into what `load_response` returns for the whole response: the loaders of whole messages read each part when
it is complete. A delta adds to what was there: texts and lists grow, objects merge, labels and numbers replace. Chunks also
repeat fields of the response and of the choice; the last value of a field counts, but the first id.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from types import NoneType
from typing import Any

from pydantic import ValidationError

from ...codec.error_bodies import is_error
from ...codec.fields import Wire, value_at
from ...errors import StreamError
from ...model import events as e
from ...model.base import Json
from ...model.exchange import Usage
from .base import FAMILY
from .closing import read_beside
from .counts import counts_for
from .deltas import message_after, read_delta, read_role
from .open_choice import MISSING, OpenChoice, SeenFields, expect
from .profiles import REASONING_TEXTS, ChatProfile
from .responses import CHUNK_OBJECT, MATCHED, OBJECT, is_sequence, stops_of, with_sequence

_PADDING = ("obfuscation", "p")
"""Random text that hides lengths from observers; it differs from chunk to chunk."""
_FRAMING = frozenset({"choices", "usage", "object", "obfuscation"})
_IDENTITY: dict[str, tuple[type, ...]] = {"id": (str, NoneType), "model": (str, NoneType), "created": (int, float, NoneType)}
"""The types of the fields that identify the response."""
_HANDLED: dict[str, tuple[type, ...]] = _IDENTITY | {"p": (str,), "error": (str, dict, list, int, float, bool)}
"""The types of the values that are read separately from the other fields of the response."""
_CHOICE_FRAMING = frozenset({"index", "delta", "message", "finish_reason", *_PADDING})
_GROWING = {("content", str), *((field, str) for field in REASONING_TEXTS), ("tool_calls", list)}
"""The fields of a delta that grow, and the type of what adds to them."""
_SAYS_NOTHING = {"role": "assistant"} | {key: "" for key, kind in _GROWING if kind is str}
"""Values of a delta's fields that add nothing when they are repeated, besides null."""
_NO_REASON = ("", "null")
"""What some hosts send as the finish reason of every chunk, in place of null. Only a chunk that adds nothing ends with it."""
_LARGEST_INDEX = 2**31 - 1
_COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens", "prompt_tokens_details", "completion_tokens_details")


def _repeated(wire: Wire, *varying: str) -> tuple[int, Callable[[Wire], Any], Any]:
    """The number of an object's fields, a getter of those that do not vary, and their values."""
    keys = [key for key in wire if key not in varying]
    get = itemgetter(*keys) if keys else len
    return len(wire), get, get(wire)


class Reading:
    """Reads one stream of a Chat Completions host."""

    def __init__(self, profile: ChatProfile, name: str) -> None:
        self._profile = profile
        self._name = name
        self._choices: dict[int, OpenChoice] = {}
        self._identity: dict[str, Any] = {}
        """The id, the model and the time of the response."""
        self._fields = SeenFields()
        """The other fields of the chunks."""
        self._usage: Wire | None = None
        self._usage_is_null = False
        self._is_elsewhere = False
        """Whether the usage was in another field than `usage`; one in `usage` is then sent, too, even if it is equal."""
        self._ended = False
        self._frame: tuple[str, Wire] = "", {}
        """The field of the last chunk that has the padding, and the chunk's fields besides that and its choice."""
        self._repeated: Any = None
        """What the next chunk must repeat; None if none may go on."""
        self._matched: tuple[OpenChoice | None, Wire] = None, {}
        """A chunk that repeats the last one except for what its delta adds, and its choice."""
        self._growing: dict[Any, tuple[OpenChoice, str, Any, Any]] = {}
        """The choices that may go on with the same frame, by number; what grows, and what choice and delta must repeat."""

    def grow(self, chunk: Wire) -> list[e.Event] | None:
        """Return the delta of a chunk that only adds text to what grows."""
        try:
            (wire,) = chunk["choices"]
            size, get, frame = self._repeated
            choice, key, (fields, get_beside, beside), (texts, get_rest, rest) = self._growing[wire.get("index") or 0]
            delta = wire["delta"]
            has_same_keys = len(chunk) == size and len(wire) == fields and len(delta) == texts and self._frame[0] in chunk
            is_alike = has_same_keys and get(chunk) == frame and get_beside(wire) == beside
            if is_alike and (texts == 1 or get_rest(delta) == rest):
                if (grown := choice.more(key, delta[key])) is not None:
                    return [grown]
                self._matched = choice, chunk
        except (AttributeError, KeyError, TypeError, ValueError):
            pass  # any other chunk, or not a chunk
        return None

    def read(self, chunk: Wire) -> list[e.Event]:
        """The events of a chunk; raises `StreamError`."""
        choice, matched = self._matched
        if choice is None or matched is not chunk:
            return self._read(chunk)
        events: list[e.Event] = []
        self._read_choice(choice, chunk["choices"][0], events)  # all else is unchanged
        return events

    def end(self) -> list[e.Event]:
        """The last events, after the last chunk; raises `StreamError`."""
        self._repeated = None
        self._ended = True
        events: list[e.Event] = []
        try:
            if not self._choices:
                events.append(e.Update(of="response", data={**self._identity, "origin": self._name}))
            for _, choice in sorted(self._choices.items()):
                _close(choice, events)
                if choice.finish is None and choice.last_word is not None:
                    choice.finish = choice.last_word
                    events.append(_stop(choice, choice.finish))
                if choice.finish is None and choice.matched is not None:
                    events.append(choice.update_frame({MATCHED: choice.matched}))
                if choice.finish is None and choice.finish_was_null:
                    events.append(e.Update(of="choice", **choice.where, data={"stop_reason": None}))
        except ValidationError as error:
            raise StreamError(str(error.errors(include_input=False, include_url=False)[0]["msg"])) from None
        return events

    def _read(self, chunk: Wire) -> list[e.Event]:
        growing = self._growing
        self._growing = {}
        self._repeated = None
        found = chunk.get("choices")
        choices: list[Any] = [] if found is None else expect(found, list, "the choices of a chunk")
        events: list[e.Event] = []
        # The events of the response itself follow the start of the first message.
        frame = self._read_frame(chunk, first=bool(choices) and not self._choices)
        error = _error_in(chunk, choices)
        choice: OpenChoice | None = None
        for position, item in enumerate(choices):
            wire: Wire = expect(item, dict, "a choice")
            choice = self._choice(wire, position, events)
            events += frame
            frame = []
            self._read_choice(choice, wire if error is None or not _has_failed(wire) else _without_error(wire), events)
        events += frame
        if counted := self._read_usage(chunk):
            # Before the stop, so that formats whose last event has both have the counts in it.
            stop = next((at for at, event in enumerate(events) if type(event) is e.Stop), len(events))
            events[stop:stop] = counted
        if error is not None:
            body: Wire = error if type(error) is dict else {"message" if type(error) is str else "error": error}
            events.append(e.ErrorEvent(error=body))
        elif choice is not None and len(choices) == 1:
            self._expect(chunk, choices[0], choice, growing)
        return events

    def _expect(self, chunk: Wire, wire: Wire, choice: OpenChoice, growing: dict[Any, Any]) -> None:
        """Note what the next chunk of a choice looks like if it goes on; `growing` is what was noted of all choices."""
        number = wire.get("index") or 0
        padding = next((key for key in _PADDING if key in chunk), "choices")
        frame = padding, {key: value for key, value in chunk.items() if key not in ("choices", padding)}
        if frame == self._frame:
            self._growing = growing
            growing.pop(number, None)
        self._frame = frame
        self._repeated = _repeated(chunk, "choices", padding)
        if not choice.closed and (key := _growing_field(wire)) is not None:
            self._growing[number] = choice, key, _repeated(wire, "delta"), _repeated(wire["delta"], key)

    def _choice(self, wire: Wire, position: int, events: list[e.Event]) -> OpenChoice:
        number = wire.get("index")
        if number is None:
            number = position
        elif type(number) is not int or not 0 <= number <= _LARGEST_INDEX:
            raise StreamError("the index of a choice must be a whole number from 0")
        choice = self._choices.get(number)
        if choice is None:
            choice = OpenChoice(number, self._profile, self._fields)
            frame: dict[str, Any] = {} if self._choices else {**self._identity, "origin": self._name}
            events.append(e.MessageStart(**choice.where, **frame))
            self._choices[number] = choice
            if value_at(wire, ("delta", "role")) == "assistant":
                read_role(choice, "assistant", events)
        return choice

    def _read_choice(self, choice: OpenChoice, wire: Wire, events: list[e.Event]) -> None:
        _read_choice(choice, wire, events)
        if self._ended:
            read_beside(choice, events)  # otherwise these would wait for an end that is already past

    # What describes the response as a whole

    def _read_frame(self, chunk: Wire, *, first: bool) -> list[e.Event]:
        """The new fields of the response."""
        canonical = self._read_identity(chunk)
        own, cleared = self._read_fields(chunk)
        found = chunk.get("object", MISSING) if first else OBJECT
        if found is MISSING:
            canonical["wire"] = {"spelling": {"object": "absent"}}
        elif found not in (CHUNK_OBJECT, OBJECT):
            own["object"] = found
        if not self._usage_is_null and chunk.get("usage", MISSING) is None:
            # A later usage replaces it.
            self._usage_is_null = True
            canonical["usage"] = None
        if own:
            canonical["provider_data"] = {FAMILY: own}
        cleared_data: Wire = {"provider_data": {FAMILY: cleared}} if cleared else {}
        updates = (cleared_data, canonical)
        return [e.Update(of="response", data=data) for data in updates if data]

    def _read_fields(self, chunk: Wire) -> tuple[Wire, Wire]:
        """What is new about the fields of this family alone; a list that is replaced is first set to null."""
        own = Wire()
        cleared = Wire()
        for key, value in chunk.items():
            if key not in _FRAMING and type(value) not in _HANDLED.get(key, ()):
                old: Json = self._fields.latest.get(key)
                news = self._fields.changed(key, value)
                if news is not MISSING:
                    own[key] = news
                    if type(old) is list:
                        cleared[key] = None
        return own, cleared

    def _read_identity(self, chunk: Wire) -> Wire:
        """What is new about the id, the model and the time; the first real value of each counts."""
        news: Wire = {}
        for key, types in _IDENTITY.items():
            value = chunk.get(key, MISSING)
            if type(value) in types:
                known = self._identity.get(key, MISSING)
                # Hosts begin with an empty value, or change it later.
                replaces_empty = not known and value is not None and value != known
                if known is MISSING or replaces_empty:
                    self._identity[key] = news[key] = value
            elif key != "created" and value is not MISSING:
                raise StreamError(f"the {key} must be text")
        return news if self._choices else {}

    def _read_usage(self, chunk: Wire) -> list[e.UsageUpdate]:
        usage = chunk.get("usage")
        found: list[e.UsageUpdate] = []
        may_be_elsewhere = self._usage is None or self._is_elsewhere
        if may_be_elsewhere and (elsewhere := self._usage_elsewhere(chunk)) not in (None, self._usage):
            found.append(self._use(elsewhere))
            self._is_elsewhere = True
        if usage is not None and (usage != self._usage or self._is_elsewhere):
            self._is_elsewhere = False
            found.append(self._use(usage))
        return found

    def _use(self, usage: Json) -> e.UsageUpdate:
        reported: Wire = expect(usage, dict, "the usage")
        # Merge partial usage reports: a missing count, or null, does not remove an earlier count.
        old = self._usage or {}
        usage = reported | {key: old[key] for key in _COUNTS if key in old and reported.get(key) is None}
        self._usage = usage
        return e.UsageUpdate(usage=Usage(**counts_for(self._profile).load(usage)))

    def _usage_elsewhere(self, chunk: Wire) -> Wire | None:
        """The usage in another field of a chunk: the host's, or that of the last choice (Moonshot: northes/go-moonshot#17)."""
        choices: Json = chunk.get("choices")
        last: Json = choices[-1] if type(choices) is list and choices else None
        found: list[Json] = [value_at(chunk, self._profile.held_usage), value_at(last, ("usage",))]
        return next((usage for usage in found if type(usage) is dict), None)


def _error_in(chunk: Wire, choices: list[Any]) -> Json:
    """The error that a chunk reports, itself or in a choice (openrouter.ai/docs, `ErrorResponse` of a choice)."""
    error: Json = chunk.get("error")
    if error is None:
        error = next((wire["error"] for wire in choices if _has_failed(wire)), None)
    return chunk if error is None and not choices and is_error(chunk) else error


def _has_failed(wire: Json) -> bool:
    return type(wire) is dict and wire.get("finish_reason") == "error" and bool(wire.get("error"))


def _without_error(wire: Wire) -> Wire:
    """A choice without its error, which the stream reports."""
    return {key: value for key, value in wire.items() if key != "error"}


def _growing_field(wire: Wire) -> str | None:
    """The growing field of a choice's delta, if all its other fields repeat values that add nothing."""
    delta: Json = wire.get("delta")
    adding = (wire.get("logprobs"), wire.get("finish_reason"), wire.get("message", MISSING)) != (None, None, MISSING)
    if adding or type(delta) is not dict or list in map(type, wire.values()):
        return None
    stated = [key for key, value in delta.items() if value != _SAYS_NOTHING.get(key) and value is not None]
    return stated[0] if len(stated) == 1 and (stated[0], type(delta[stated[0]])) in _GROWING else None


# Choices


def _read_choice(choice: OpenChoice, wire: Wire, events: list[e.Event]) -> None:
    delta: Json = wire.get("delta")
    if delta is None:
        message: Json = wire.get("message")
        delta = message_after(choice, message) if type(message) is dict else {}
    news: Wire = expect(delta, dict, "a delta")
    read_delta(choice, news, events)
    for key, value in wire.items():
        if key not in _CHOICE_FRAMING:
            _read_field(choice, key, value, events)
    finish = wire.get("finish_reason")
    if finish is None:
        choice.finish_was_null |= "finish_reason" in wire
        choice.was_open = True
    elif expect(finish, str, "the finish_reason").lower() in _NO_REASON and (_says_something(news) or not choice.was_open):
        choice.last_word = finish if choice.was_open else None
    else:
        _close(choice, events)
        if finish != choice.finish:
            choice.finish = finish
            events.append(_stop(choice, finish))


def _says_something(delta: Wire) -> bool:
    return any(value and key != "role" for key, value in delta.items())


def _stop(choice: OpenChoice, finish: str) -> e.Stop:
    """The stop reason of a choice, with the stop sequence that ended it."""
    stop = stops_of(choice.profile).load(finish)
    if choice.matched is not None:
        stop |= with_sequence(stop["stop_reason"], choice.matched)
    return e.Stop(**choice.where, **stop)


def _read_field(choice: OpenChoice, key: str, value: Json, events: list[e.Event]) -> None:
    """Read a field next to the delta."""
    if value is None:
        seen = choice.fields.valued
        if choice.closed and key not in seen:  # at the end of the choice, fields that were only null are reported
            events.append(choice.update_frame({key: None}))
        seen.setdefault(key, choice.closed)
        return
    choice.fields.valued[key] = True
    if key == MATCHED and is_sequence(value):
        if choice.finish is not None and value != choice.matched:
            choice.matched = value
            events.append(_stop(choice, choice.finish))
        choice.matched = value
        return
    news: Any = value
    if key == "logprobs" and type(value) is dict:
        news = {name: item for name, item in value.items() if item is not None or name not in choice.logprobs}
        news = news if news or not choice.logprobs else MISSING
        choice.logprobs.update(value)
    elif type(value) is not list:  # lists grow even if the items are the same again
        news = choice.fields.changed(key, value)
    if news is not MISSING:
        events.append(choice.update_frame({key: news}))


def _close(choice: OpenChoice, events: list[e.Event]) -> None:
    """Complete the parts, and report what is known only at the end."""
    read_beside(choice, events)
    events += choice.complete_parts()
    if choice.closed:
        return
    choice.closed = True
    valued = choice.message.valued
    spelling: Wire = {} if "role" in valued else {"role": "absent"}
    if choice.legacy_call is not None and valued.get("tool_calls"):
        spelling["also"] = "tool_calls"
    if choice.spoken is not None:
        spelling["content"] = _content_beside_audio(choice)
    elif choice.has_empty_transcript:
        events.append(choice.update_own({"audio": {"transcript": ""}}, join=True))
    if spelling:
        events.append(choice.update({"wire": {"spelling": spelling}}))
    if nulls := choice.message.only_null():
        events.append(choice.update_own(nulls))
    if nulls := choice.fields.only_null():
        choice.fields.valued.update(dict.fromkeys(nulls, True))
        events.append(choice.update_frame(nulls))


def _content_beside_audio(choice: OpenChoice) -> str:
    """How a message spelled its content, if the transcript of its audio is its text."""
    if choice.text is not None:
        return "list" if choice.text.listed else "text"
    return "empty" if choice.has_content else "null" if "content" in choice.message.valued else "absent"
