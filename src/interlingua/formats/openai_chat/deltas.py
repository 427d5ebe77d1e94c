"""Read the fields of a Chat Completions delta: return the events of each field, and find the part that it adds to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...codec.fields import Wire
from ...errors import StreamError
from ...model import events as e
from ...model.base import Json
from ...model.folding import merge
from .base import FAMILY
from .beside import FIELDS, is_signature
from .fragments import BLOCK_TYPES, ENCRYPTED, REASONING_FIELDS, REASONING_FORMS, are_read, is_fragment, text_of
from .listed import listed_text
from .open_choice import MISSING, Block, Call, Listed, ListedBlock, OpenChoice, Part, expect
from .parts import load_block, load_part
from .profiles import ChatProfile
from .reasoning import block_field, load_detail, reasoning_fields
from .repeated_blocks import HOLDER, TWICE, repeats_blocks, without_copy
from .spoken import SPOKEN

_LABELS = frozenset({"channel"})
"""Text fields that label a delta: chunks repeat them and do not add to them."""


def read_delta(choice: OpenChoice, delta: Wire, events: list[e.Event]) -> None:
    """Add the events of a delta; raises `StreamError`."""
    # Reasoning comes first in the message, so it is read first.
    if not REASONING_FIELDS.isdisjoint(delta):
        if HOLDER in delta and are_read(delta.get("thinking_blocks"), choice) and repeats_blocks(delta):
            delta = without_copy(delta)
            choice.message.valued[HOLDER] = True
            if not choice.blocks.twice:
                choice.blocks.twice = True
                events.append(choice.spelled("blocks", TWICE))
        _reasoning(choice, delta, events)
    for key, value in delta.items():
        if value is None and key != "content":
            choice.message.valued.setdefault(key, False)
            continue
        if key in _READERS:
            read, kind = _READERS[key]
            read(choice, value if kind is None else expect(value, kind, f"the {key} of a delta"), events)
        elif key not in REASONING_FIELDS:
            add_unknown(choice, key, value, events)
        choice.message.valued[key] = True
        if value:
            choice.message.filled.add(key)


def message_after(choice: OpenChoice, message: Wire) -> Wire:
    """What a whole message adds that a chunk has instead of a delta: it repeats what deltas had."""
    covered = set(choice.message.filled)
    for fields in REASONING_FORMS:
        if not covered.isdisjoint(fields):
            covered |= fields
    return {key: value for key, value in message.items() if key not in covered}


def add_unknown(choice: OpenChoice, key: str, value: Any, events: list[e.Event]) -> None:
    """Add the events of a message field that has no canonical form, or that only other providers read."""
    if key in FIELDS and type(value) in (list, dict):
        merge(choice.beside, choice.update({key: value}).data)
    elif type(value) is str and key not in _LABELS:
        events.append(choice.update_own({key: value}, join=True))
    elif type(value) in (list, dict) or choice.message.changed(key, value) is not MISSING:
        events.append(choice.update_own({key: value}))


# Reasoning


def _reasoning(choice: OpenChoice, delta: Wire, events: list[e.Event]) -> None:
    text = _reasoning_text(choice, delta, events)
    fragments = _fragments(choice, delta, events)
    both = bool(text) and "".join(text_of(raw) for raw in fragments) == text
    for raw in fragments:
        if not is_signature(raw):
            flush_signatures(choice, events)
            begin_blocks(choice, "reasoning_details", events)
            events += _fragment(choice, raw, "both" if both else "block")
        elif [raw] != choice.blocks.signatures[-1:]:
            choice.blocks.signatures.append(raw)
    if text and not both:
        part = choice.thinking = choice.keep_open(choice.thinking or Part(choice.next_place()))
        events.append(part.grown(e.ThinkingDelta(**part.where, thinking=text, field="text")))


def flush_signatures(choice: OpenChoice, events: list[e.Event]) -> None:
    """Report details that turned out not to be signatures of calls or of the text."""
    details = choice.blocks.signatures
    choice.blocks.signatures = []
    for raw in details:
        begin_blocks(choice, "reasoning_details", events)
        events += _fragment(choice, raw, "block")


def begin_blocks(choice: OpenChoice, key: str, events: list[e.Event]) -> None:
    """Read blocks from this field alone, unless they are read from another one already."""
    if choice.blocks.field is not None:
        return
    choice.blocks.field = key
    if key != block_field(None, choice.profile):
        events.append(choice.spelled("thinking", key))
    if key == "thinking_blocks" and choice.blocks.signatures:
        # As in a whole message with both fields, the details are kept verbatim.
        add_unknown(choice, "reasoning_details", choice.blocks.signatures, events)
        choice.blocks.signatures = []


def _reasoning_text(choice: OpenChoice, delta: Wire, events: list[e.Event]) -> str | None:
    """The reasoning text of a delta; also reports which field it came from."""
    texts: dict[str, str] = {}
    for key in choice.profile.reasoning_texts:
        value = delta.get(key)
        if type(value) is str:
            texts[key] = value
        elif value is not None:
            add_unknown(choice, key, value, events)
    if not texts:
        return None
    field = next((key for key in texts if texts[key]), next(iter(texts)))
    text = texts[field]
    for key, other in texts.items():
        if key != field and other and (other != text or key == "reasoning_text"):
            add_unknown(choice, key, other, events)
    field = "both" if texts.get("reasoning_content") == texts.get("reasoning") == text else field
    known = choice.thinking_field
    choice.thinking_field = field
    if field != known and (known is not None or (field,) != reasoning_fields(None, choice.profile)):
        events.append(choice.spelled("reasoning", field))
    if known is None and not text:
        events.append(choice.update({"reasoning_content": ""}))
    return text


def _fragments(choice: OpenChoice, delta: Wire, events: list[e.Event]) -> list[Wire]:
    """The fragments of blocks that can be read; all other entries are kept verbatim."""
    readable: list[Wire] = []
    for key in BLOCK_TYPES:
        value: Json = delta.get(key)
        if value is None:
            continue
        if type(value) is not list or choice.blocks.field not in (None, key):
            add_unknown(choice, key, value, events)
            continue
        if choice.blocks.field is None and not value:
            events.append(choice.update({"thinking_blocks": []}))
        if key == "thinking_blocks" or not value:  # details may turn out to be signatures
            begin_blocks(choice, key, events)
        for raw in value:
            if is_fragment(raw, key):
                readable.append(raw)
            else:
                add_unknown(choice, key, [raw], events)
    return readable


def _fragment(choice: OpenChoice, raw: Wire, field: e.ThinkingField) -> Iterator[e.Event]:
    """The events of a fragment of reasoning, which adds to the block with its index, or else to the block before it."""
    kind = raw["type"]
    number = raw.get("index")
    key = (kind, number) if type(number) is int else None
    if kind in ENCRYPTED:
        return _encrypted(choice, raw, key)
    block = choice.blocks.last if key is None else choice.blocks.by_index.get(key)
    if key is None and block is not None:
        id = raw.get("id")
        other = block.known.get("id")
        block = block if block.kind == kind and (None in (id, other) or id == other) else None
    block = choice.blocks.last = choice.keep_open(block or Block(choice.next_place(), kind))
    if key is not None:
        choice.blocks.by_index[key] = block
    return block.add(raw, field)


def _encrypted(choice: OpenChoice, raw: Wire, key: tuple[str, int] | None) -> Iterator[e.Event]:
    """The events of an encrypted block, which is always sent whole."""
    if key is not None and choice.blocks.encrypted.changed(str(key), raw["data"]) is MISSING:
        return  # sent again
    choice.blocks.last = None
    part = choice.keep_open(Part(choice.next_place()))
    loaded = (load_block if raw["type"] == "redacted_thinking" else load_detail)(raw) or {}
    yield e.RedactedThinking(**part.where, data=loaded["data"], issuer=loaded["issuer"])
    if record := {key: value for key, value in loaded.items() if key in ("provider_data", "wire")}:
        yield part.update(record)


# Content


def _content(choice: OpenChoice, value: Json, events: list[e.Event]) -> None:
    if type(value) is str:
        if value:
            part = growing_text(choice)
            events.append(part.grown(e.TextDelta(**part.where, text=value)))
        elif not choice.has_content:
            choice.has_content = True
            events.append(choice.update({"content": ""}))
    elif (value is None or value == []) and not choice.message.valued.get("content"):
        events.append(choice.update({"content": value}))
    elif type(value) is list:
        for item in value:
            _content_part(choice, item, events)
    elif value is not None:
        raise StreamError("the `content` of a delta must be text or a list")


def growing_text(choice: OpenChoice) -> Part:
    """The text part that more text adds to."""
    choice.has_content = True
    if choice.text is None:
        choice.text = Part(choice.next_place())
        choice.last_listed = None
        choice.content_parts += 1
    return choice.keep_open(choice.text)


def _content_part(choice: OpenChoice, raw: Json, events: list[e.Event]) -> None:
    """The events of a fragment of list content, which continues an adjacent part of its kind."""
    if type(raw) is not dict or type(raw.get("type")) is not str:
        raise StreamError("a part of the `content` of a delta must be an object with a `type`")
    choice.has_content = True
    inner: Json = raw.get("thinking") if raw["type"] == "thinking" else None
    if raw["type"] == "text" and type(raw.get("text")) is str:
        _text_part(choice, raw, events)
    elif (text := _leading_text(choice, raw)) is not None:
        events += _listed(choice, raw, text)
    elif type(inner) is list:
        _thinking_part(choice, raw, events)
    else:
        choice.text = choice.last_listed = None
        choice.content_parts += 1
        if type(inner) is str:
            events += _fragment(choice, raw, "block")
        else:
            part = choice.keep_open(Part(choice.next_place()))
            events.append(e.OpaqueEvent(**part.where, format=FAMILY, value=raw))


def _text_part(choice: OpenChoice, raw: Wire, events: list[e.Event]) -> None:
    part = growing_text(choice)
    if not part.listed:
        part.listed = True
        # A part with further fields stays a part; texts without any would be joined into one.
        events.append(part.update({"type": "text"}))
    events.append(e.TextDelta(**part.where, text=raw["text"]))
    if len(raw) > 2:
        events.append(part.update({key: value for key, value in load_part(raw, _ANY).items() if key != "text"}))


_ANY = ChatProfile()


def _leading_text(choice: OpenChoice, raw: Wire) -> str | None:
    """The text of a fragment of reasoning, at a host that has it in the content; a late fragment adds to the same reasoning."""
    usual = choice.profile.reasoning == "content" and choice.blocks.field in (None, "content")
    return listed_text(raw) if usual else None


def _listed(choice: OpenChoice, raw: Wire, text: str) -> Iterator[e.Event]:
    """The events of a fragment of reasoning in the content."""
    choice.blocks.field = "content"
    block = choice.blocks.last or ListedBlock(choice.next_place(), choice.profile.issuer)
    choice.blocks.last = choice.keep_open(block)
    return block.add({**raw, "thinking": text}, "block")


def _thinking_part(choice: OpenChoice, raw: Wire, events: list[e.Event]) -> None:
    if choice.last_listed is not None:
        events.append(choice.keep_open(choice.last_listed).add(raw))
        return
    choice.text = None
    choice.last_listed = choice.keep_open(Listed(choice.next_place(), raw))
    choice.content_parts += 1
    events.append(e.OpaqueEvent(**choice.last_listed.where, format=FAMILY, value=raw))


# Other fields of the message


def read_role(choice: OpenChoice, value: Any, events: list[e.Event]) -> None:
    """Read the role of the message."""
    if choice.role == value:
        return
    if value == "assistant":
        choice.role = value
        events.append(choice.update({"role": value}))
    elif not choice.message.valued.get("role"):
        events.append(choice.update_own({"role": value}))


def _refusal(choice: OpenChoice, value: str, events: list[e.Event]) -> None:
    if value:
        choice.refusal = choice.keep_open(choice.refusal or Part(choice.next_place()))
        events.append(e.RefusalDelta(**choice.refusal.where, refusal=value))
    elif choice.refusal is None and not choice.message.valued.get("refusal"):
        events.append(choice.update({"refusal": ""}))


def _name(choice: OpenChoice, value: str, events: list[e.Event]) -> None:
    if choice.message.changed("name", value) is not MISSING:
        events.append(choice.update({"name": value}))


def _audio(choice: OpenChoice, value: Json, events: list[e.Event]) -> None:
    if type(value) is not dict:
        add_unknown(choice, "audio", value, events)
        return
    first = "audio" not in choice.message.latest
    growth = {key: item for key, item in value.items() if key in ("data", "transcript") and type(item) is str}
    news = choice.message.changed("audio", {key: item for key, item in value.items() if key not in growth})
    is_text = "transcript" in growth and (choice.spoken is not None or not choice.content_parts)
    if (first and not is_text) or (news and news is not MISSING):
        events.append(choice.update_own({"audio": news}))
    if is_text:
        _transcript(choice, growth.pop("transcript"), events)
    if growth:
        events.append(choice.update_own({"audio": growth}, join=True))


def _transcript(choice: OpenChoice, text: str, events: list[e.Event]) -> None:
    """Add to the transcript of an answer, which is its text because it has no other."""
    if not text:
        choice.has_empty_transcript = True
        return
    if choice.spoken is None:
        choice.spoken = Part(choice.next_place())
        events.append(choice.spoken.update({"type": "text", "wire": SPOKEN}))
    part = choice.keep_open(choice.spoken)
    events.append(e.TextDelta(**part.where, text=text))


def _images(choice: OpenChoice, value: Json, events: list[e.Event]) -> None:
    """Keep the images of an answer until its end, as they follow the text."""
    if type(value) is list:
        merge(choice.beside, choice.update({"images": value}).data)
    else:
        add_unknown(choice, "images", value, events)


# Tool calls


def _tool_calls(choice: OpenChoice, value: Any, events: list[e.Event]) -> None:
    # Text Generation Inference sends one call at a time, without a list (until 3.1, `ToolCallDelta`).
    calls: list[Any] = [value] if type(value) is dict else expect(value, list, "the tool_calls of a delta")
    if not calls and choice.last_call is None and not choice.message.valued.get("tool_calls"):
        events.append(choice.update({"tool_calls": []}))
    for item in calls:
        raw: Wire = expect(item, dict, "a tool call")
        choice.empty_calls.append(raw)
        if choice.last_call is None and _is_empty(raw):
            continue
        begun = choice.empty_calls
        choice.empty_calls = []
        for each in begun:
            _add_to_call(choice, each, events)


def _add_to_call(choice: OpenChoice, raw: Wire, events: list[e.Event]) -> None:
    kind = next((key for key in ("function", "custom") if raw.get(key) is not None), None)
    inner: Wire = expect(raw if kind is None else raw[kind], dict, f"the {kind} of a tool call")
    events += _call_of(choice, raw, inner).add(raw, kind or ("flat" if "name" in raw else None), inner)


def _is_empty(raw: Wire) -> bool:
    """Whether a fragment has no id, no name and no arguments; some hosts send one in an answer without calls."""
    inner: Json = raw.get("function")
    says_nothing = inner is None or (type(inner) is dict and all(value in (None, "") for value in inner.values()))
    return says_nothing and raw.get("id") in (None, "") and raw.keys() <= {"index", "id", "type", "function"}


def _call_of(choice: OpenChoice, raw: Wire, inner: Wire) -> Call:
    """The call that a fragment belongs to, which may be a new one."""
    number = raw.get("index")
    id = raw.get("id")
    name = inner.get("name")
    if id is not None:
        expect(id, str, "the id of a tool call")
    call = _call_at(choice, number, id, name) if type(number) is int else _call_without_index(choice, id, name)
    if call is None:
        call = Call(choice.next_place(), choice.profile)
        choice.calls.append(call)
    choice.last_call = choice.keep_open(call)
    if type(number) is int:
        choice.calls_by_index[number] = call
    if id:
        choice.calls_by_id.setdefault(id, call)
    return call


def _call_at(choice: OpenChoice, number: int, id: str | None, name: Any) -> Call | None:
    call = choice.calls_by_index.get(number)
    begins_none = call is None and not name
    if begins_none and (not id or choice.calls_by_id.get(id) is choice.last_call):
        return choice.last_call  # a fragment with only arguments, or with the id of the open call too, adds to that call
    if call is not None and id and call.id not in (None, id):
        # Either several calls share an index, or the host invents an id for each fragment; then the fragment has no name.
        return choice.calls_by_id.get(id) or (None if name else call)
    has_other_name = call is not None and call.name not in (None, name)
    return None if name and not id and has_other_name else call


def _call_without_index(choice: OpenChoice, id: str | None, name: Any) -> Call | None:
    call = choice.calls_by_id.get(id or "")
    last = choice.last_call
    if name:
        return call
    names_last = call is None and last is not None and last.id is None
    return last if not id or names_last else call


def _function_call(choice: OpenChoice, value: Wire, events: list[e.Event]) -> None:
    """The events of a call in `function_call`, the legacy field; a message has at most one."""
    if choice.last_call is not None:
        add_unknown(choice, "function_call", value, events)
        return
    if choice.legacy_call is None:
        choice.legacy_call = Call(choice.next_place(), choice.profile)
        choice.legacy_call.kind = "legacy"
        events.append(choice.spelled("tool_calls", "function_call"))
    events += choice.keep_open(choice.legacy_call).add({}, "legacy", value)


_READERS: dict[str, tuple[Callable[[OpenChoice, Any, list[e.Event]], None], type | None]] = {
    "role": (read_role, None),
    "content": (_content, None),
    "refusal": (_refusal, str),
    "name": (_name, str),
    "tool_calls": (_tool_calls, None),
    "function_call": (_function_call, dict),
    "audio": (_audio, None),
    "images": (_images, None),
}
"""For each field of a delta, the function that reads it and the types that its value may have."""
