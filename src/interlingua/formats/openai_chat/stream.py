"""Reading streams of Chat Completions: chunks into events, as OpenAI and the hosts that follow it send them.

What the events fold into is what `load_response` makes of the whole response: the same loaders read what a stream has told of
a part when that part is complete. A delta adds to what was there: texts and lists grow, objects merge, labels and numbers
replace. Beside the deltas, chunks repeat what holds for the whole; there the last value counts, and of ids the first.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from pydantic import ValidationError

from ...codec.fields import Wire
from ...errors import StreamError
from ...model.base import Json
from ...model.events import (
    ErrorEvent,
    Event,
    MessageStart,
    Stop,
    Update,
    UsageUpdate,
)
from ...model.exchange import Usage
from .base import FAMILY
from .deltas import read_delta
from .fragments import MISSING, OpenChoice, keep_last
from .profiles import ChatProfile
from .responses import CHUNK_OBJECT, COUNTS, OBJECT, STOPS

_VARYING = frozenset({"choices", "obfuscation", "p"})
"""What differs from chunk to chunk and, but for the choices, says nothing: padding against guesses by length."""
_FRAMING = frozenset({"choices", "usage", "object", "obfuscation"})
_CHOICE_FRAMING = frozenset({"index", "delta", "message", "finish_reason", "obfuscation", "p"})
_CHOICES = 2**31
_USED = ("prompt_tokens", "completion_tokens", "total_tokens", "prompt_tokens_details", "completion_tokens_details")


_Expected = tuple[int, Any, Any, str, int, Any, Any, OpenChoice]
"""A chunk and a choice in it by their number of fields, how to take those that must be the same, and what those are."""


class Reading:
    """Reads one stream of a Chat Completions host."""

    def __init__(self, profile: ChatProfile, name: str) -> None:
        self._profile = profile
        self._name = name
        self._choices: dict[int, OpenChoice] = {}
        self._frame: dict[str, Any] = {}
        self._top: Wire = {}
        self._usage: Wire | None = None
        self._usage_is_null = False
        self._begun = False
        self._framed = False
        # What a chunk looks like that has nothing to tell but its delta.
        self._expected: _Expected | None = None

    def read(self, chunk: Wire) -> list[Event]:
        """The events of a chunk; raises `StreamError`."""
        if self._expected is not None:
            length, of_chunk, as_chunk, padding, wire_length, of_wire, as_wire, choice = self._expected
            try:
                (wire,) = chunk["choices"]
                if (
                    len(wire) == wire_length
                    and len(chunk) == length
                    and of_wire(wire) == as_wire
                    and of_chunk(chunk) == as_chunk
                    and padding in chunk
                    and (event := choice.more(wire["delta"])) is not None
                ):
                    return [event]
            except (KeyError, TypeError, ValueError):
                pass  # something else, or nothing that is a chunk
        return self._read(chunk)

    def end(self) -> list[Event]:
        """What is still due when nothing follows; raises `StreamError`."""
        try:
            return self._rest()
        except ValidationError as error:
            raise StreamError(str(error.errors(include_input=False, include_url=False)[0]["msg"])) from None

    def _rest(self) -> list[Event]:
        self._expected = None
        events: list[Event] = []
        if not self._begun and not self._framed:
            self._framed = True
            events.append(Update(of="response", data={**self._frame, "origin": self._name}))
        for _, choice in sorted(self._choices.items()):
            events += self._close(choice)
            if choice.finish is None and choice.finish_is_null:
                events.append(Update(of="choice", **choice.where, data={"stop_reason": None}))
        return events

    # Chunks

    def _read(self, chunk: Wire) -> list[Event]:
        self._expected = None
        choices: Json = chunk.get("choices")
        if choices is None:
            choices = []
        elif type(choices) is not list:
            raise StreamError("the choices of a chunk are no list")
        events: list[Event] = []
        waiting = self._tell_frame(chunk, first=not self._begun and bool(choices))
        choice: OpenChoice | None = None
        wire: Json
        for position, wire in enumerate(choices):
            if type(wire) is not dict:
                raise StreamError("a choice is no object")
            choice = self._choice(wire, position, events)
            events += waiting
            waiting = []
            self._read_choice(choice, wire, events)
        events += waiting
        usage = self._tell_usage(chunk)
        if usage is not None:
            events.append(usage)
        error: Json = chunk.get("error")
        if error is not None:
            body: Wire = error if type(error) is dict else {"message": error} if type(error) is str else {"error": error}
            events.append(ErrorEvent(error=body))
        elif choice is not None and len(choices) == 1:
            self._expect(chunk, choices[0], choice)
        return events

    def _expect(self, chunk: Wire, wire: Wire, choice: OpenChoice) -> None:
        """Note what a chunk with more of what is growing would look like."""
        if choice.closed or "message" in wire or type(wire.get("delta")) is not dict:
            return
        for key, value in wire.items():
            # These add to what was there, even where they are the same again.
            if key != "delta" and (type(value) is list or (key in ("logprobs", "finish_reason") and value is not None)):
                return
        keys = [key for key in chunk if key not in _VARYING]
        choice_keys = [key for key in wire if key != "delta"]
        padding = [key for key in ("obfuscation", "p") if key in chunk]
        if not keys or not choice_keys or len(padding) > 1 or type(chunk.get("object", "")) is not str:
            return
        of_chunk, of_choice = itemgetter(*keys), itemgetter(*choice_keys)
        self._expected = (
            *(len(chunk), of_chunk, of_chunk(chunk), padding[0] if padding else "choices"),
            *(len(wire), of_choice, of_choice(wire)),
            choice,
        )

    def _choice(self, wire: Wire, position: int, events: list[Event]) -> OpenChoice:
        number = wire.get("index")
        if number is None:
            number = position
        elif type(number) is not int or not 0 <= number < _CHOICES:
            raise StreamError("the index of a choice is no number of a choice")
        choice = self._choices.get(number)
        if choice is None:
            choice = OpenChoice(number, self._profile)
            frame: dict[str, Any] = {} if self._begun else {**self._frame, "origin": self._name}
            events.append(MessageStart(**choice.where, **frame))
            self._begun = True
            self._choices[number] = choice
            delta: Json = wire.get("delta")
            if type(delta) is dict and delta.get("role") == "assistant":
                choice.role = "assistant"
                events.append(choice.message({"role": "assistant"}))
        return choice

    def _tell_frame(self, chunk: Wire, *, first: bool) -> list[Event]:
        """The news of what holds for the response as a whole."""
        canonical: Wire = {}
        own: Wire = {}
        gone: Wire = {}
        old: Json
        value: Json
        for key, value in chunk.items():
            if key in _FRAMING or (key == "p" and type(value) is str) or (key == "error" and value is not None):
                continue
            if key in ("id", "model", "created"):
                number = type(value) in (int, float)
                if value is None or (number if key == "created" else type(value) is str):
                    old = self._frame.get(key, MISSING)
                    # Hosts begin with an empty one, or change it under way: the first real one counts.
                    if old is MISSING or (not old and value) or (old is None and value is not None):
                        self._frame[key] = value
                        if self._begun:
                            canonical[key] = value
                    continue
                if key != "created":
                    raise StreamError(f"the {key} is no text")
            old = self._top.get(key, MISSING)
            if old is MISSING or type(old) is not type(value) or old != value:
                if type(old) is dict and type(value) is dict:
                    value = {name: item for name, item in value.items() if old.get(name, MISSING) != item}  # noqa: PLW2901
                elif type(old) is list:
                    gone[key] = None  # without this, the new list would be added to the old one
                own[key] = value
        if first:
            found = chunk.get("object", MISSING)
            if found is MISSING:
                canonical["wire"] = {"spelling": {"object": "absent"}}
            elif found not in (CHUNK_OBJECT, OBJECT):
                own["object"] = found
        if chunk.get("usage", MISSING) is None and not self._usage_is_null:
            # What is told later takes its place.
            self._usage_is_null = True
            canonical["usage"] = None
        events: list[Event] = []
        if gone:
            events.append(Update(of="response", data={"provider_data": {FAMILY: gone}}))
        if own:
            canonical["provider_data"] = {FAMILY: own}
        if canonical:
            events.append(Update(of="response", data=canonical))
        for key, value in own.items():
            keep_last(self._top, key, value)
        return events

    def _tell_usage(self, chunk: Wire) -> UsageUpdate | None:
        found: Json = chunk.get("usage", MISSING)
        if found is None or found is MISSING:
            groq: Json = chunk.get("x_groq")
            if self._usage is not None or type(groq) is not dict or type(groq.get("usage")) is not dict:
                return None
            usage: Wire = groq["usage"]  # where some of Groq's streams have it, and nowhere else
        elif type(found) is not dict:
            raise StreamError("the usage is no object")
        else:
            usage = found
        if usage == self._usage:
            return None
        if self._usage is not None:
            # What is told piece by piece is told of once.
            usage = {key: self._usage[key] for key in _USED if key in self._usage and usage.get(key) is None} | usage
        event = UsageUpdate(usage=Usage(**COUNTS.load(usage)))
        self._usage = usage
        return event

    # Choices

    def _read_choice(self, choice: OpenChoice, wire: Wire, events: list[Event]) -> None:
        delta: Json = wire.get("delta")
        if delta is None:
            message: Json = wire.get("message")
            # A whole message instead of a delta; beside deltas, it repeats them.
            delta = message if type(message) is dict and not choice.count else {}
        elif type(delta) is not dict:
            raise StreamError("a delta is no object")
        if delta:
            read_delta(choice, delta, events)
        for key, value in wire.items():
            if key not in _CHOICE_FRAMING:
                self._read_field(choice, key, value, events)
        finish = wire.get("finish_reason")
        if finish is None:
            choice.finish_is_null = choice.finish_is_null or "finish_reason" in wire
            choice.goes_on = True
        elif type(finish) is not str:
            raise StreamError("the finish_reason is no text")
        elif finish or choice.goes_on:
            # Where every chunk has an empty one, that is how the host spells null.
            events += self._close(choice)
            if finish != choice.finish:
                events.append(Stop(**choice.where, **STOPS.load(finish)))
                choice.finish = finish

    def _read_field(self, choice: OpenChoice, key: str, value: Json, events: list[Event]) -> None:
        """A field beside the delta."""
        if value is None:
            choice.choice_nulls.setdefault(key)
            if choice.closed and key not in choice.choice_said:
                choice.choice_said.add(key)
                events.append(_own_choice(choice, {key: None}))
            return
        choice.choice_said.add(key)
        if key == "logprobs" and type(value) is dict:
            held = choice.logprobs
            told = {name: item for name, item in value.items() if item is not None or name not in held}
            if told or not held:
                events.append(_own_choice(choice, {key: told}))
            held.update(value)
            return
        if type(value) is not list:
            old: Json = choice.beside.get(key, MISSING)
            if old is not MISSING and type(old) is type(value) and old == value:
                return
            if type(old) is dict and type(value) is dict:
                value = {name: item for name, item in value.items() if old.get(name, MISSING) != item}
        events.append(_own_choice(choice, {key: value}))
        if type(value) is not list:
            keep_last(choice.beside, key, value)

    def _close(self, choice: OpenChoice) -> list[Event]:
        """Complete the parts, and tell what only the end can tell."""
        events: list[Event] = []
        for _, part in sorted(choice.open.items()):
            events += part.complete()
        choice.open.clear()
        if choice.closed:
            return events
        choice.closed = True
        own: Wire = {key: None for key in choice.nulls if key not in choice.said}
        spelled: Wire = {}
        if choice.role is None and "role" not in choice.said and "role" not in own:
            spelled["role"] = "absent"
        if choice.legacy is not None and choice.legacy.kind == "legacy" and "tool_calls" in choice.said:
            spelled["also"] = "tool_calls"
        if spelled:
            events.append(choice.message({"wire": {"spelling": spelled}}))
        if own:
            events.append(choice.own_message(own))
        nulls: Wire = {key: None for key in choice.choice_nulls if key not in choice.choice_said}
        if nulls:
            choice.choice_said.update(nulls)
            events.append(_own_choice(choice, nulls))
        return events


def _own_choice(choice: OpenChoice, data: Wire) -> Update:
    return Update(of="choice", **choice.where, data={"provider_data": {FAMILY: data}})
