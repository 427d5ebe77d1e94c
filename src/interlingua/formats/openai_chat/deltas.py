"""Reading the fields of a delta of Chat Completions: the events of each, and the part of the message that it adds to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...codec.fields import FieldReader, Wire
from ...errors import StreamError
from ...model import events as e
from ...model.base import Json
from .base import FAMILY
from .beside import FIELDS, is_signature, load_beside, load_detail_signatures
from .fragments import MISSING, Block, Call, Listed, Part, expect
from .open_choice import OpenCalls, OpenChoice
from .parts import load_block, load_part
from .profiles import ChatProfile
from .reasoning import DETAIL_FIELDS, block_field, load_detail, plain_fields

_LABELS = frozenset({"channel"})
"""Texts of a delta that say what kind it is; they are repeated and do not grow."""
_ENCRYPTED = ("redacted_thinking", "reasoning.encrypted")
_BLOCK_TYPES = {"thinking_blocks": ("thinking", "redacted_thinking"), "reasoning_details": tuple(DETAIL_FIELDS)}
"""The types of blocks that are read, by the field that holds them."""
_REASONING = frozenset({"reasoning_content", "reasoning", *_BLOCK_TYPES})


def read_delta(choice: OpenChoice, delta: Wire, events: list[e.Event]) -> None:
    """Add the events of a delta; raises `StreamError`."""
    # Reasoning comes first in the message, so it is read first.
    if not _REASONING.isdisjoint(delta):
        _reasoning(choice, delta, events)
    for key, value in delta.items():
        if value is None and key != "content":
            choice.message.nulls.setdefault(key)
            continue
        if key in _READERS:
            read, kind = _READERS[key]
            read(choice, value if kind is None else expect(value, kind, f"the {key} of a delta"), events)
        elif key not in _REASONING:
            _unknown(choice, key, value, events)
        choice.message.valued.add(key)


def _unknown(choice: OpenChoice, key: str, value: Any, events: list[e.Event]) -> None:
    """A field of the message that has no canonical meaning, or that others give one."""
    if key in FIELDS and type(value) in (list, dict):
        e.merge(choice.beside, choice.update({key: value}).data)
    elif type(value) is str and key not in _LABELS:
        events.append(choice.update_own({key: value}, join=True))
    elif type(value) in (list, dict) or choice.message.changed(key, value) is not MISSING:
        events.append(choice.update_own({key: value}))


# Reasoning


def _reasoning(choice: OpenChoice, delta: Wire, events: list[e.Event]) -> None:
    text, fragments = _reasoning_text(choice, delta, events), _fragments(choice, delta, events)
    both = bool(text) and "".join(_text_of(raw) for raw in fragments) == text
    for raw in fragments:
        if not is_signature(raw):
            _flush_signatures(choice, events)
            events += _fragment(choice, raw, "both" if both else "block")
        elif [raw] != choice.reasoning.signatures[-1:]:
            choice.reasoning.signatures.append(raw)
    if text and not both:
        part = choice.reasoning.text = choice.keep_open(choice.reasoning.text or Part(choice.next_place()))
        events.append(part.grown(e.ThinkingDelta(**part.where, thinking=text, field="text")))


def _flush_signatures(choice: OpenChoice, events: list[e.Event]) -> None:
    """Report details that are no signatures of calls or of the text."""
    details, choice.reasoning.signatures = choice.reasoning.signatures, []
    for raw in details:
        events += _fragment(choice, raw, "block")


def read_beside(choice: OpenChoice, events: list[e.Event]) -> None:
    """Report what belongs to the text and the calls, as the loader of whole messages finds it."""
    held, choice.beside = choice.beside, {}
    if not held and not choice.reasoning.signatures:
        return
    fields, text, calls = FieldReader(held), choice.content.text, choice.calls.all
    loaded: list[Wire] = [{"id": call.id, **call.record()} for call in calls]
    out: Wire = {"tool_calls": loaded, "content": "" if choice.content.begun and not choice.content.parts else None}
    if text is not None:
        parts = [{"type": "opaque"}] * (choice.content.parts - 1) + [{"type": "text"}]
        out["content"] = parts if text.listed or len(parts) > 1 else "text"
    if load_detail_signatures(choice.reasoning.signatures, fields, out, choice.profile):
        _flush_signatures(choice, events)
    choice.reasoning.signatures = []
    load_beside(fields, out, choice.profile)
    if record := fields.keep({}, FAMILY):
        events.append(choice.update(record))
    content: Json = out.get("content")
    said: Json = content[-1] if type(content) is list else None
    if type(said) is dict:
        if text is None:  # empty content is a part only where something belongs to it
            text = _growing_text(choice)
            events.append(e.TextDelta(**text.where, text=""))
        events += text.report(said)
    for call, data in zip(calls, loaded, strict=True):
        if "issuer" in data:
            events += call.report({key: data[key] for key in ("signature", "wire") if key in data})


def _reasoning_text(choice: OpenChoice, delta: Wire, events: list[e.Event]) -> str | None:
    """The reasoning that is text; reports the field that holds it."""
    texts: dict[str, str] = {}
    for key in ("reasoning_content", "reasoning"):
        value = delta.get(key)
        if type(value) is str:
            texts[key] = value
        elif value is not None:
            _unknown(choice, key, value, events)
    if not texts:
        return None
    field = next((key for key in texts if texts[key]), next(iter(texts)))
    text, other = texts[field], texts.get("reasoning")
    if other and other != text:
        _unknown(choice, "reasoning", other, events)
    _note_text_field(choice, "both" if list(texts.values()) == [text, text] else field, text, events)
    return text


def _note_text_field(choice: OpenChoice, field: str, text: str, events: list[e.Event]) -> None:
    known = choice.reasoning.text_field
    if field == known:
        return
    if known is not None or (field,) != plain_fields(None, choice.profile):
        events.append(choice.spelled("reasoning", field))
    if known is None and not text:
        events.append(choice.update({"reasoning_content": ""}))
    choice.reasoning.text_field = field


def _fragments(choice: OpenChoice, delta: Wire, events: list[e.Event]) -> list[Wire]:
    """The fragments of blocks that can be read; others are kept as they are."""
    readable: list[Wire] = []
    for key in _BLOCK_TYPES:
        value: Json = delta.get(key)
        if value is None:
            continue
        if type(value) is not list or choice.reasoning.block_field not in (None, key):
            _unknown(choice, key, value, events)
            continue
        if choice.reasoning.block_field is None:
            choice.reasoning.block_field = key
            if key != block_field(None, choice.profile):
                events.append(choice.spelled("thinking", key))
            if not value:
                events.append(choice.update({"thinking_blocks": []}))
        for raw in value:
            if _is_fragment(raw, key):
                readable.append(raw)
            else:
                _unknown(choice, key, [raw], events)
    return readable


def _is_fragment(raw: Json, key: str) -> bool:
    if type(raw) is not dict or type(raw.get("type")) is not str or raw["type"] not in _BLOCK_TYPES[key]:
        return False
    if raw["type"] in _ENCRYPTED:
        return type(raw.get("data")) is str
    return type(raw.get(_text_field(raw))) in (str, type(None))


def _text_field(raw: Wire) -> str:
    return DETAIL_FIELDS.get(raw["type"], "thinking")


def _text_of(raw: Wire) -> str:
    return "" if raw["type"] in _ENCRYPTED else raw.get(_text_field(raw)) or ""


def _fragment(choice: OpenChoice, raw: Wire, field: e.ThinkingField) -> Iterator[e.Event]:
    """The events of a fragment of reasoning, which adds to the block of its index, or to the block before it."""
    kind, number = raw["type"], raw.get("index")
    key = (kind, number) if type(number) is int else None
    reasoning = choice.reasoning
    if kind in _ENCRYPTED:
        return _encrypted(choice, raw, key)
    last = reasoning.last_block
    if key is not None:
        block = reasoning.blocks.get(key)
    else:
        block = last if last is not None and last.kind == kind and _may_equal(last.known.get("id"), raw.get("id")) else None
    block = reasoning.last_block = choice.keep_open(block or Block(choice.next_place(), kind))
    if key is not None:
        reasoning.blocks[key] = block
    return block.add(raw, field)


def _may_equal(one: Any, other: Any) -> bool:
    return None in (one, other) or one == other


def _encrypted(choice: OpenChoice, raw: Wire, key: tuple[str, int] | None) -> Iterator[e.Event]:
    """The events of an encrypted block, which is never in fragments."""
    if key is not None:
        if choice.reasoning.encrypted.get(key) == raw["data"]:
            return  # repeated
        choice.reasoning.encrypted[key] = raw["data"]
    choice.reasoning.last_block = None
    part = choice.keep_open(Part(choice.next_place()))
    loaded = (load_block if raw["type"] == "redacted_thinking" else load_detail)(raw) or {}
    yield e.RedactedThinking(**part.where, data=loaded["data"], issuer=loaded["issuer"])
    if record := {key: value for key, value in loaded.items() if key in ("provider_data", "wire")}:
        yield part.update(record)


# Content


def _content(choice: OpenChoice, value: Json, events: list[e.Event]) -> None:
    if type(value) is str:
        if value:
            part = _growing_text(choice)
            events.append(part.grown(e.TextDelta(**part.where, text=value)))
        elif not choice.content.begun:
            choice.content.begun = True
            events.append(choice.update({"content": ""}))
    elif value is None or value == []:
        if "content" not in choice.message.valued:
            events.append(choice.update({"content": value}))
    elif type(value) is list:
        for item in value:
            _content_part(choice, item, events)
    else:
        raise StreamError("the content of a delta is not text or a list")


def _growing_text(choice: OpenChoice) -> Part:
    """The part that text adds to."""
    content = choice.content
    content.begun = True
    if content.text is None:
        content.text, content.last_listed = Part(choice.next_place()), None
        content.parts += 1
    return choice.keep_open(content.text)


def _content_part(choice: OpenChoice, raw: Json, events: list[e.Event]) -> None:
    """A fragment of a part of list content, which adds to a neighbour of its kind."""
    if type(raw) is not dict or type(raw.get("type")) is not str:
        raise StreamError("a part of the content is not an object with a type")
    choice.content.begun = True
    inner: Json = raw.get("thinking") if raw["type"] == "thinking" else None
    if raw["type"] == "text" and type(raw.get("text")) is str:
        _text_part(choice, raw, events)
    elif type(inner) is list:
        _thinking_part(choice, raw, events)
    else:
        choice.content.text = choice.content.last_listed = None
        choice.content.parts += 1
        if type(inner) is str:
            events += _fragment(choice, raw, "block")
        else:
            part = choice.keep_open(Part(choice.next_place()))
            events.append(e.OpaqueEvent(**part.where, format=FAMILY, value=raw))


def _text_part(choice: OpenChoice, raw: Wire, events: list[e.Event]) -> None:
    part = _growing_text(choice)
    if not part.listed:
        part.listed = True
        # With a field, the part stays a part; texts alone would become one text.
        events.append(part.update({"type": "text"}))
    events.append(e.TextDelta(**part.where, text=raw["text"]))
    if len(raw) > 2:
        events.append(part.update({key: value for key, value in load_part(raw, _ANY).items() if key != "text"}))


_ANY = ChatProfile()


def _thinking_part(choice: OpenChoice, raw: Wire, events: list[e.Event]) -> None:
    content = choice.content
    if content.last_listed is not None:
        events.append(choice.keep_open(content.last_listed).add(raw))
        return
    content.text, content.last_listed = None, choice.keep_open(Listed(choice.next_place(), raw))
    content.parts += 1
    events.append(e.OpaqueEvent(**content.last_listed.where, format=FAMILY, value=raw))


# Other fields of the message


def _role(choice: OpenChoice, value: Any, events: list[e.Event]) -> None:
    if choice.role == value:
        return
    if value == "assistant":
        choice.role = value
        events.append(choice.update({"role": value}))
    elif "role" not in choice.message.valued:
        events.append(choice.update_own({"role": value}))


def _refusal(choice: OpenChoice, value: str, events: list[e.Event]) -> None:
    content = choice.content
    if value:
        content.refusal = choice.keep_open(content.refusal or Part(choice.next_place()))
        events.append(e.RefusalDelta(**content.refusal.where, refusal=value))
    elif content.refusal is None and "refusal" not in choice.message.valued:
        events.append(choice.update({"refusal": ""}))


def _name(choice: OpenChoice, value: str, events: list[e.Event]) -> None:
    if choice.message.changed("name", value) is not MISSING:
        events.append(choice.update({"name": value}))


def _audio(choice: OpenChoice, value: Json, events: list[e.Event]) -> None:
    if type(value) is not dict:
        _unknown(choice, "audio", value, events)
        return
    first = "audio" not in choice.message.latest
    growth = {key: item for key, item in value.items() if key in ("data", "transcript") and type(item) is str}
    news = choice.message.changed("audio", {key: item for key, item in value.items() if key not in growth})
    if first or (news and news is not MISSING):
        events.append(choice.update_own({"audio": news}))
    if growth:
        events.append(choice.update_own({"audio": growth}, join=True))


# Tool calls


def _tool_calls(choice: OpenChoice, value: list[Any], events: list[e.Event]) -> None:
    if not value and choice.calls.last is None and "tool_calls" not in choice.message.valued:
        events.append(choice.update({"tool_calls": []}))
    for item in value:
        raw: Wire = expect(item, dict, "a tool call")
        kind = next((key for key in ("function", "custom") if raw.get(key) is not None), None)
        inner: Wire = expect(raw if kind is None else raw[kind], dict, f"the {kind} of a tool call")
        events += _call_of(choice, raw, inner).add(raw, kind or ("flat" if "name" in raw else None), inner)


def _call_of(choice: OpenChoice, raw: Wire, inner: Wire) -> Call:
    """The call that a fragment belongs to, which may be a new one."""
    calls, number, id, name = choice.calls, raw.get("index"), raw.get("id"), inner.get("name")
    if id is not None:
        expect(id, str, "the id of a tool call")
    call = _call_at(calls, number, id, name) if type(number) is int else _call_without_index(calls, id, name)
    if call is None:
        call = Call(choice.next_place(), choice.profile)
        calls.all.append(call)
    calls.last = choice.keep_open(call)
    if type(number) is int:
        calls.by_index[number] = call
    if id:
        calls.by_id.setdefault(id, call)
    return call


def _call_at(calls: OpenCalls, number: int, id: str | None, name: Any) -> Call | None:
    call = calls.by_index.get(number)
    if call is None:
        return None
    if id and call.id not in (None, id):
        # Either calls share an index, or the host invents an id for each fragment, which then has no name.
        return calls.by_id.get(id) or (None if name else call)
    return None if name and not id and call.name not in (None, name) else call


def _call_without_index(calls: OpenCalls, id: str | None, name: Any) -> Call | None:
    if not id:
        return None if name else calls.last
    call = calls.by_id.get(id)
    if call is None and not name and calls.last is not None and calls.last.id is None:
        return calls.last
    return call


def _function_call(choice: OpenChoice, value: Wire, events: list[e.Event]) -> None:
    """A call in OpenAI's first spelling; a message has at most one of them."""
    calls = choice.calls
    if calls.last is not None:
        _unknown(choice, "function_call", value, events)
        return
    if calls.legacy is None:
        calls.legacy = Call(choice.next_place(), choice.profile)
        calls.legacy.kind = "legacy"
        events.append(choice.spelled("tool_calls", "function_call"))
    choice.keep_open(calls.legacy)
    events += calls.legacy.add({}, "legacy", value)


_READERS: dict[str, tuple[Callable[[OpenChoice, Any, list[e.Event]], None], type | None]] = {
    "role": (_role, None),
    "content": (_content, None),
    "refusal": (_refusal, str),
    "name": (_name, str),
    "tool_calls": (_tool_calls, list),
    "function_call": (_function_call, dict),
    "audio": (_audio, None),
}
"""The functions that read the fields of a delta, with the types that they need."""
