"""The fields of a delta of Chat Completions: what each tells, and which part of the message it goes on with."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire
from ...errors import StreamError
from ...model.base import Json
from ...model.events import (
    Event,
    OpaqueEvent,
    RedactedThinking,
    RefusalDelta,
    TextDelta,
    ThinkingDelta,
    ThinkingField,
)
from .base import FAMILY
from .fragments import MISSING, Block, Call, Listed, OpenChoice, Part
from .parts import load_block, load_part
from .profiles import ChatProfile
from .reasoning import DETAIL_FIELDS, load_detail

_LABELS = frozenset({"channel"})
"""Texts of a delta that tell what kind it is; they are repeated and do not grow."""


def read_delta(choice: OpenChoice, delta: Wire, events: list[Event]) -> None:
    """Add the events of a delta; raises `StreamError`."""
    # Reasoning comes first where a chunk has several: it stands first in the message.
    _reasoning(choice, delta, events)
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


def _reasoning(choice: OpenChoice, delta: Wire, events: list[Event]) -> None:
    found = _REASONING & delta.keys()
    if not found:
        return
    for key in found:
        if delta[key] is None:
            choice.nulls.setdefault(key)
        else:
            choice.said.add(key)
    text, fragments = _plain_reasoning(choice, delta, events), _fragments(choice, delta, events)
    both = bool(text) and "".join(raw.get(_text_field(raw)) or "" for raw in fragments if _is_readable(raw)) == text
    for raw in fragments:
        events += _fragment(choice, raw, "both" if both else "block")
    if text and not both:
        if choice.plain is None:
            choice.plain = Part(choice)
        choice.reopen(choice.plain)
        events.append(ThinkingDelta(**choice.plain.where, thinking=text, field="text"))


def _plain_reasoning(choice: OpenChoice, delta: Wire, events: list[Event]) -> str | None:
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
        usual = "reasoning" if choice.profile.reasoning == "reasoning" else "reasoning_content"
        if choice.reasoning_field is not None or field != usual:
            events.append(choice.spelled("reasoning", field))
        if choice.reasoning_field is None and not text:
            events.append(choice.message({"reasoning_content": ""}))
        choice.reasoning_field = field
    return text


def _fragments(choice: OpenChoice, delta: Wire, events: list[Event]) -> list[Wire]:
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
            details = choice.profile.reasoning == "reasoning_details"
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


def _fragment(choice: OpenChoice, raw: Wire, told: ThinkingField) -> list[Event]:
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
        if record := {key: value for key, value in loaded.items() if key in ("provider_data", "wire")}:
            events.append(part.update(record))
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
