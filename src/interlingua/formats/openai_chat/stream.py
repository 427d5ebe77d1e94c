"""Reading streams of Chat Completions: chunks into events, as OpenAI and the hosts that follow it send them.

What the events fold into is what `load_response` makes of the whole response: the same loaders read what a stream has told of
a part when that part is complete. A delta adds to what was there: texts and lists grow, objects merge, labels and numbers
replace. Beside the deltas, chunks repeat what holds for the whole; there the last value counts, and of ids the first.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from pydantic import ValidationError

from ..._model import Json
from ...errors import StreamError
from ...events import (
    ErrorEvent,
    Event,
    MessageStart,
    OpaqueEvent,
    RedactedThinking,
    RefusalDelta,
    Stop,
    TextDelta,
    ThinkingDelta,
    Update,
    UsageUpdate,
)
from ...exchange import Usage
from ...format import SPELLING, Wire
from .assistant import DETAIL_FIELDS, load_block, load_detail
from .base import FAMILY
from .fragments import MISSING, Block, Call, Listed, OpenChoice, Part
from .parts import load_part
from .profiles import ChatProfile
from .responses import CHUNK_OBJECT, OBJECT, load_stop, load_usage

_VARYING = frozenset({"choices", "obfuscation", "p"})
"""What differs from chunk to chunk and, but for the choices, says nothing: padding against guesses by length."""
_FRAMING = frozenset({"choices", "usage", "object", "obfuscation"})
_CHOICE_FRAMING = frozenset({"index", "delta", "message", "finish_reason", "obfuscation", "p"})
_CHOICES = 2**31
_LABELS = frozenset({"channel"})
"""Texts of a delta that tell what kind it is; they are repeated and do not grow."""
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
                choices = chunk["choices"]
                wire = choices[0]
                if (
                    len(choices) == 1
                    and len(wire) == wire_length
                    and len(chunk) == length
                    and of_wire(wire) == as_wire
                    and of_chunk(chunk) == as_chunk
                    and padding in chunk
                    and (event := choice.more(wire["delta"])) is not None
                ):
                    return [event]
            except (KeyError, IndexError, TypeError):
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
        # One key twice: of one alone, there would be no tuple.
        of_chunk, of_choice = itemgetter(keys[0], *keys), itemgetter(choice_keys[0], *choice_keys)
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
            came: Wire = {"provider_data": {FAMILY: {SPELLING: {"came": "response"}}}}
            if type(delta) is dict and delta.get("role") == "assistant":
                came["role"] = choice.role = "assistant"
            events.append(choice.message(came))
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
                own[SPELLING] = {"object": "absent"}
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
            _keep_last(self._top, key, value)
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
        event = UsageUpdate(usage=Usage(**load_usage(usage)))
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
            self._read_delta(choice, delta, events)
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
                events.append(Stop(**choice.where, **load_stop(finish)))
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
            _keep_last(choice.beside, key, value)

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
            own[SPELLING] = spelled
        if own:
            events.append(choice.own_message(own))
        nulls: Wire = {key: None for key in choice.choice_nulls if key not in choice.choice_said}
        if nulls:
            choice.choice_said.update(nulls)
            events.append(_own_choice(choice, nulls))
        return events

    # Deltas

    def _read_delta(self, choice: OpenChoice, delta: Wire, events: list[Event]) -> None:
        # Reasoning comes first where a chunk has several: it stands first in the message.
        self._reasoning(choice, delta, events)
        for key, value in delta.items():
            if key in _REASONING:
                continue
            if value is None and key != "content":
                choice.nulls.setdefault(key)
                continue
            reader = _READERS.get(key)
            if reader is not None:
                reader(choice, value, events)
            else:
                _unknown(choice, key, value, events)
            choice.said.add(key)

    def _reasoning(self, choice: OpenChoice, delta: Wire, events: list[Event]) -> None:
        found = _REASONING & delta.keys()
        if not found:
            return
        for key in found:
            if delta[key] is None:
                choice.nulls.setdefault(key)
            else:
                choice.said.add(key)
        text, fragments = self._plain_reasoning(choice, delta, events), self._fragments(choice, delta, events)
        both = bool(text) and "".join(raw.get(_text_field(raw)) or "" for raw in fragments if _is_readable(raw)) == text
        for raw in fragments:
            events += _fragment(choice, raw, "both" if both else "block")
        if text and not both:
            if choice.plain is None:
                choice.plain = Part(choice)
            choice.reopen(choice.plain)
            events.append(ThinkingDelta(**choice.plain.where, thinking=text, field="text"))

    def _plain_reasoning(self, choice: OpenChoice, delta: Wire, events: list[Event]) -> str | None:
        """The reasoning that is text, and the record of the field that it is in."""
        one, other = delta.get("reasoning_content"), delta.get("reasoning")
        for key, value in (("reasoning_content", one), ("reasoning", other)):
            if value is not None and type(value) is not str:
                _unknown(choice, key, value, events)
        if type(one) is str and one == other:
            field = "both"
        elif type(one) is str and (one or not (type(other) is str and other)):
            field = "reasoning_content"
            if type(other) is str and other:
                _unknown(choice, "reasoning", other, events)
        elif type(other) is str:
            field = "reasoning"
        else:
            return None
        text: str = (other if field == "reasoning" else one) or ""
        if field != choice.reasoning_field:
            usual = "reasoning" if self._profile.reasoning == "reasoning" else "reasoning_content"
            if choice.reasoning_field is not None or field != usual:
                events.append(choice.spelled("reasoning", field))
            if choice.reasoning_field is None and not text:
                events.append(choice.message({"reasoning_content": ""}))
            choice.reasoning_field = field
        return text

    def _fragments(self, choice: OpenChoice, delta: Wire, events: list[Event]) -> list[Wire]:
        """The fragments of blocks that can be read; others are kept as they are."""
        readable: list[Wire] = []
        for key in ("thinking_blocks", "reasoning_details"):
            value: Json = delta.get(key)
            if value is None:
                continue
            if type(value) is not list or choice.block_field not in (None, key):
                _unknown(choice, key, value, events)
                continue
            if choice.block_field is None:
                choice.block_field = key
                details = self._profile.reasoning == "reasoning_details"
                if details is not (key == "reasoning_details"):
                    events.append(choice.spelled("thinking", key))
                if not value:
                    events.append(choice.message({"thinking_blocks": []}))
            for raw in value:
                if _is_fragment(raw, key):
                    readable.append(raw)
                else:
                    _unknown(choice, key, [raw], events)
        return readable


_REASONING = frozenset({"reasoning_content", "reasoning", "thinking_blocks", "reasoning_details"})


def _text_field(raw: Wire) -> str:
    return DETAIL_FIELDS.get(raw["type"], "thinking")


def _is_readable(raw: Wire) -> bool:
    return raw["type"] not in ("redacted_thinking", "reasoning.encrypted")


def _is_fragment(raw: Json, key: str) -> bool:
    if type(raw) is not dict or type(raw.get("type")) is not str:
        return False
    kind = raw["type"]
    if kind not in (("thinking", "redacted_thinking") if key == "thinking_blocks" else DETAIL_FIELDS):
        return False
    if not _is_readable(raw):
        return type(raw.get("data")) is str
    return type(raw.get(_text_field(raw))) in (str, type(None))


def _fragment(choice: OpenChoice, raw: Wire, told: str) -> list[Event]:
    """The events of a fragment of reasoning, which goes on with the block of its index, or with its neighbour."""
    kind, number = raw["type"], raw.get("index")
    key = (kind, number) if type(number) is int else None
    if not _is_readable(raw):
        if key is not None and choice.redacted.get(key) == raw["data"]:
            return []  # told again
        if key is not None:
            choice.redacted[key] = raw["data"]
        choice.last_block = None
        part = Part(choice)
        loaded = (load_block if kind == "redacted_thinking" else load_detail)(raw) or {}
        events: list[Event] = [RedactedThinking(**part.where, data=loaded["data"], issuer=loaded["issuer"])]
        if "provider_data" in loaded:
            events.append(part.update({"provider_data": loaded["provider_data"]}))
        return events
    last = choice.last_block
    if key is not None:
        block = choice.blocks.get(key)
    else:
        block = last if last is not None and last.kind == kind and _same(last.known.get("id"), raw.get("id")) else None
    if block is None:
        block = Block(choice, kind)
        if key is not None:
            choice.blocks[key] = block
    choice.last_block = block
    choice.reopen(block)
    return block.add(raw, told)


def _same(one: Any, other: Any) -> bool:
    return one is None or other is None or one == other


def _own_choice(choice: OpenChoice, data: Wire) -> Update:
    return Update(of="choice", **choice.where, data={"provider_data": {FAMILY: data}})


def _keep_last(into: Wire, key: str, value: Json) -> None:
    old: Json = into.get(key)
    if type(old) is dict and type(value) is dict:
        old.update(value)
    else:
        into[key] = dict(value) if type(value) is dict else value


def _unknown(choice: OpenChoice, key: str, value: Any, events: list[Event]) -> None:
    """A field of the message without canonical meaning."""
    if type(value) is str and key not in _LABELS:
        events.append(choice.own_message({key: value}, join=True))
    elif type(value) in (list, dict) or choice.own.get(key, MISSING) != value:
        events.append(choice.own_message({key: value}))
        if type(value) not in (list, dict):
            choice.own[key] = value


def _role(choice: OpenChoice, value: Any, events: list[Event]) -> None:
    if choice.role == value:
        return
    if value == "assistant":
        if choice.role is None:
            events.append(choice.message({"role": value}))
            choice.role = value
    elif "role" not in choice.said:
        events.append(choice.own_message({"role": value}))


def _content(choice: OpenChoice, value: Json, events: list[Event]) -> None:
    if type(value) is str:
        _text(choice, value, events)
    elif value is None or value == []:
        if "content" not in choice.said:
            events.append(choice.message({"content": value}))
    elif type(value) is list:
        for item in value:
            _content_part(choice, item, events)
    else:
        raise StreamError("the content of a delta is neither text nor a list")


def _text(choice: OpenChoice, text: str, events: list[Event]) -> None:
    if not text:
        if not choice.has_content:
            choice.has_content = True
            events.append(choice.message({"content": ""}))
        return
    if choice.text is None:
        choice.text = Part(choice)
        choice.last_listed = None
    choice.has_content = True
    choice.reopen(choice.text)
    events.append(TextDelta(**choice.text.where, text=text))


def _content_part(choice: OpenChoice, raw: Json, events: list[Event]) -> None:
    """A fragment of a part of list content, which goes on with a neighbour of its kind."""
    if type(raw) is not dict or type(kind := raw.get("type")) is not str:
        raise StreamError("a part of the content is no object with a type")
    inner: Json = raw.get("thinking")
    choice.has_content = True
    if kind == "text" and type(raw.get("text")) is str:
        if choice.text is None:
            choice.text = Part(choice)
            choice.last_listed = None
        if not choice.text.listed:
            choice.text.listed = True
            # A field of its own keeps the part a part, where texts alone would become one text.
            events.append(choice.text.update({"type": "text"}))
        choice.reopen(choice.text)
        events.append(TextDelta(**choice.text.where, text=raw["text"]))
        if len(raw) > 2:
            events.append(choice.text.update({key: value for key, value in load_part(raw, _ANY).items() if key != "text"}))
    elif kind == "thinking" and type(inner) is list:
        last = choice.last_listed
        if last is None:
            choice.last_listed = last = Listed(choice, raw)
            choice.text = None
            events.append(OpaqueEvent(**last.where, format=FAMILY, value=raw))
        else:
            choice.reopen(last)
            events += last.add(raw)
    elif kind == "thinking" and type(inner) is str:
        choice.text = choice.last_listed = None
        events += _fragment(choice, raw, "block")
    else:
        choice.text = choice.last_listed = None
        events.append(OpaqueEvent(**Part(choice, listed=True).where, format=FAMILY, value=raw))


_ANY = ChatProfile()


def _refusal(choice: OpenChoice, value: Any, events: list[Event]) -> None:
    if type(value) is not str:
        raise StreamError("the refusal of a delta is no text")
    if value:
        if choice.refusal is None:
            choice.refusal = Part(choice)
        choice.reopen(choice.refusal)
        events.append(RefusalDelta(**choice.refusal.where, refusal=value))
    elif choice.refusal is None and "refusal" not in choice.said:
        events.append(choice.message({"refusal": ""}))


def _name(choice: OpenChoice, value: Any, events: list[Event]) -> None:
    if type(value) is not str:
        raise StreamError("the name in a delta is no text")
    if choice.name != value:
        choice.name = value
        events.append(choice.message({"name": value}))


def _tool_calls(choice: OpenChoice, value: Json, events: list[Event]) -> None:
    if type(value) is not list:
        raise StreamError("the tool calls of a delta are no list")
    if not value and not choice.call_count and "tool_calls" not in choice.said:
        events.append(choice.message({"tool_calls": []}))
    raw: Json
    for raw in value:
        if type(raw) is not dict:
            raise StreamError("a tool call is no object")
        kind = next((key for key in ("function", "custom") if raw.get(key) is not None), None)
        inner: Json = raw[kind] if kind is not None else raw
        if type(inner) is not dict:
            raise StreamError(f"the {kind} of a tool call is no object")
        events += _called(choice, raw, inner).add(raw, kind or ("flat" if "name" in raw else None), inner)


def _called(choice: OpenChoice, raw: Wire, inner: Wire) -> Call:
    """The call that a fragment belongs to: by index, by id, by arrival; a new one where it is none of those."""
    number, id, name = raw.get("index"), raw.get("id"), inner.get("name")
    if id is not None and type(id) is not str:
        raise StreamError("the id of a tool call is no text")
    call: Call | None = None
    if type(number) is int:
        call = choice.calls.get(number)
        if call is not None and id and call.id and call.id != id:
            # Several calls under one index; or a host that makes up ids as it goes, which have no name with them.
            call = choice.call_ids.get(id) or (None if name else call)
        elif call is not None and not id and name and call.name and call.name != name:
            call = None
    elif id:
        call = choice.call_ids.get(id)
        if call is None and not name and choice.last_call is not None and choice.last_call.id is None:
            call = choice.last_call
    elif not name:
        call = choice.last_call
    if call is None:
        call = Call(choice)
        choice.call_count += 1
    if type(number) is int:
        choice.calls[number] = call
    if id:
        choice.call_ids.setdefault(id, call)
    choice.last_call = call
    choice.reopen(call)
    return call


def _function_call(choice: OpenChoice, value: Json, events: list[Event]) -> None:
    """A call in OpenAI's first spelling, of which a message has one at most."""
    if type(value) is not dict:
        raise StreamError("the function_call of a delta is no object")
    if choice.call_count:
        _unknown(choice, "function_call", value, events)
        return
    if choice.legacy is None:
        choice.legacy = Call(choice)
        choice.legacy.kind = "legacy"
        events.append(choice.spelled("tool_calls", "function_call"))
    choice.reopen(choice.legacy)
    events += choice.legacy.add({}, "legacy", value)


def _audio(choice: OpenChoice, value: Json, events: list[Event]) -> None:
    if type(value) is not dict:
        _unknown(choice, "audio", value, events)
        return
    known: Wire = {} if choice.audio is None else choice.audio
    grows = {key: item for key, item in value.items() if key in ("data", "transcript") and type(item) is str}
    rest = {key: item for key, item in value.items() if key not in grows and known.get(key, MISSING) != item}
    if rest or choice.audio is None:
        events.append(choice.own_message({"audio": rest}))
    if grows:
        events.append(choice.own_message({"audio": grows}, join=True))
    choice.audio = known
    known.update(rest)


_READERS: dict[str, Any] = {
    "role": _role,
    "content": _content,
    "refusal": _refusal,
    "name": _name,
    "tool_calls": _tool_calls,
    "function_call": _function_call,
    "audio": _audio,
}
