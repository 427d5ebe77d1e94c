"""Write the parts of a Chat Completions stream: text, reasoning in the host's field for it, and tool calls.

Some sources have the same reasoning as text and in blocks, and some hosts have one field for it. Reasoning that arrives in
the same form as the first piece is written at once; the rest is written at the end, unless it repeats the first.
"""

from __future__ import annotations

from typing import Any

from ...codec.answers import take_probabilities
from ...codec.fields import Wire, copy_wire, value_at
from ...codec.one_text import following
from ...codec.readable import send_as_media
from ...codec.streams.open_arguments import ArgumentScan, OpenArguments
from ...errors import escape
from ...model import events as e
from ...model.base import Json, exact_object
from ...model.folding import merge
from ...model.parts import RedactedThinkingPart, TextPart, ThinkingPart, ToolCall
from .assistant import dump_call, dump_legacy_call
from .base import FAMILY
from .beside import CALL_PLACES, TYPES, at_path, dump_beside, signature_place
from .images import IMAGES, dump_images
from .pages import MARK
from .reasoning import DETAIL_FIELDS, block_field, dump_block, reasoning_fields, report_block
from .written import WrittenChoice, WrittenPart, WrittenStream, newly_joined

_TEXT_ONLY = (None, "reasoning_content", "reasoning")
"""The fields of hosts that have no reasoning in blocks."""
_READABLE_ONLY = (*_TEXT_ONLY, "content")
"""The fields of hosts without encrypted reasoning, which only its issuer can read."""
_BLOCKS_ALONE = ("reasoning_details", "content")
"""The fields of hosts with reasoning in blocks, and no place for text beside the blocks."""


# Content


def write_text(s: WrittenStream, event: e.TextDelta) -> None:
    """Write more text."""
    part = s.grown(event, "text")
    text = event.text
    choice = part.choice
    if choice.block is not None and choice.block.due and reasoning_block_field(s, choice) == "content":
        write_block(s, choice)  # reasoning comes before the text in the same content
    part.length += len(text)
    if choice.refused is not None and text:
        choice.refused = None
        text = following(text, "text", "refusal")
    if part.listed or choice.listed:
        s.send(choice, part.delta(text))
    elif text or not choice.has_content:
        choice.has_content = True
        s.send(choice, {"content": text})


def write_refusal(s: WrittenStream, event: e.RefusalDelta) -> None:
    """Write more of a refusal."""
    has_place = s.same_format or s.profile.refusals
    part = s.grown(event, "refusal" if has_place else "text", "refusal")
    if has_place:
        s.send(part.choice, {"refusal": event.refusal})
        return
    if part.length == 0:
        s.d.report("changed", part.path, None, f"{s.d.target.name} has no refusals: the refusal becomes text")
    text = event.refusal
    choice = part.choice
    if choice.refused is not part and any(each.length for each in choice.parts.values() if each.kind == "text"):
        text = following(text, "refusal", "")
    choice.refused = part
    part.length += len(event.refusal)
    choice.has_content = True
    s.send(choice, {"content": text})


def write_image(s: WrittenStream, part: WrittenPart, image: Any) -> bool:
    """Write an image of an answer; returns whether the host has such images."""
    if image is None or image.type not in IMAGES or not (s.same_format or s.profile.answer_images):
        return False
    delta: Wire = {}
    dump_images([(part.path, image)], delta, f"{part.choice.path}/message", s.d)
    if delta:
        s.send(part.choice, delta)
    return True


def write_drawn(s: WrittenStream, part: WrittenPart) -> None:
    """Write the image that another provider's part has become, if it has."""
    event = part.drawn
    part.drawn = None
    if event is not None and not write_image(s, part, send_as_media(event, part.path, None, s.d, "image")):
        s.drop(part.path, s.d.no_place_for(event, "part"))


def write_opaque(s: WrittenStream, event: e.OpaqueEvent) -> None:
    """Write a part that only one format has."""
    if event.index is None:
        return
    part = (known := s.part(event)) or s.new_part(event, "opaque")
    if s.profile.answer_images and s.d.format_of(event.format).media is not None:
        part.drawn = event
    elif event.format != FAMILY or not s.accepts_any:
        s.drop(part.path, s.d.no_place_for(event, "part"))
    elif known is None:  # a further event repeats the whole part, after its fragments
        part.choice.has_content = part.choice.listed = True
        part.data = {"type": event.value.get("type")}
        s.send(part.choice, {"content": [copy_wire(event.value)]})


def update_opaque(s: WrittenStream, part: WrittenPart, data: Wire) -> None:
    """Write more of a part that only this family has."""
    value: Json = data.get("value")
    if type(value) is dict and part.choice.listed:
        s.send(part.choice, {"content": [{**part.data, **copy_wire(value)}]})


def update_text(s: WrittenStream, part: WrittenPart, data: Wire) -> None:
    """Write other fields of a text."""
    if (taken := take_probabilities(data, part.path, s.d, in_texts=True)) is not None:
        tokens, data = taken
        if not part.has_probabilities:  # a later event repeats them
            s.send(part.choice, {}, beside={"logprobs": {"content": tokens, "refusal": None}})
        part.has_probabilities = True
    own = s.own_fields(data, part.path, frozenset())
    if data.get("citations") and not (s.same_format and MARK in part.choice.spelled):  # which the response lists
        part.citations += TextPart(text="", citations=data["citations"]).citations or ()
        part.choice.beside_due = True
    s.place_text(part, data)
    if own and (part.listed or part.choice.listed):
        s.send(part.choice, {"content": [{"type": "text", "text": "", **own}]})
    else:
        for key in own:
            s.drop(
                f"{part.path}/provider_data/{FAMILY}/{escape(key)}",
                "text that is sent as a string has no fields beside it",
            )


# Reasoning


def reasoning_block_field(s: WrittenStream, choice: WrittenChoice) -> str:
    """The delta's field for blocks of reasoning."""
    return block_field(choice.spelled.get("thinking") if s.same_format else None, s.profile)


def _text_fields(s: WrittenStream, choice: WrittenChoice) -> tuple[str, ...]:
    return reasoning_fields(choice.spelled.get("reasoning") if s.same_format else None, s.profile)


def _fragment(s: WrittenStream, part: WrittenPart, text: str) -> Wire:
    """The delta that adds text to a block."""
    field = reasoning_block_field(s, part.choice)
    kind = "thinking"
    if field == "content":
        part.has_text = True
        return {field: [{"type": kind, kind: [{"type": "text", "text": text}]}]}
    if field == "reasoning_details":
        kind = "reasoning.summary" if part.summary else "reasoning.text"
    part.has_text = True
    return {field: [{"type": kind, **_index(s, part), DETAIL_FIELDS.get(kind, kind): text}]}


def _index(s: WrittenStream, part: WrittenPart) -> Wire:
    """The index of a block in its fragments: in the same format, the index that it had."""
    return (part.place or {}) if s.same_format else {"index": part.position}


def write_thinking(s: WrittenStream, event: e.ThinkingDelta) -> None:
    """Write more readable reasoning."""
    field = event.field
    in_text = field == "text"
    known = s.part(event)
    part = known or s.new_part(event, "thinking", "reasoning_content" if in_text else "thinking_blocks")
    if s.reasoning is None:
        s.drop(part.path, f"{s.d.target.name} does not take reasoning")
        return
    if known is None and not in_text:
        _add_to_block(s, part, {})
    if s.reasoning not in ("as read", "thinking_blocks"):
        _write_once(s, part, event, new=known is None)
    elif event.thinking or not s.same_format:
        has_text = field != "block" or (event.thinking and part.choice.blocks and s.profile.text_beside_blocks)
        delta: Wire = dict.fromkeys(_text_fields(s, part.choice), event.thinking) if has_text else {}
        s.send(part.choice, delta if in_text else s.repeated(part.choice, delta | _fragment(s, part, event.thinking)))


def _add_to_block(s: WrittenStream, part: WrittenPart, data: Wire) -> None:
    """Keep what a block has besides its text; it is written when the block ends, or when another block goes on."""
    if part.choice.block is not part:
        write_block(s, part.choice)
        part.choice.block = part
    part.due = True
    merge(part.data, data)


def write_block(s: WrittenStream, choice: WrittenChoice) -> None:
    """Write the fields of the last block of reasoning besides the text that was written."""
    part = choice.block
    if part is None or not part.due:
        return
    data = part.data
    part.data = {}
    part.due = False
    field = reasoning_block_field(s, choice)
    if part.summary and field == "reasoning_details":
        data["summary"] = True
    is_text = part.kind == "thinking"
    if is_text and choice.text_is_first and data.pop("signature", None) is not None:
        # The text of this block waits, and may never be written.
        s.drop(f"{part.path}/signature", "the signature came after a text that it does not belong to")
    block = ThinkingPart(thinking="", **data) if is_text else RedactedThinkingPart(**data)
    if s.reasoning in _TEXT_ONLY:
        report_block(block, part.path, None, s.d)
        return
    out = dump_block(block, field, part.path, None, s.d)
    if out is None:
        s.dropped.add(part.path)
        return
    may_lack_text = field != "thinking_blocks" and not s.same_format
    if is_text and (part.has_text or may_lack_text):
        out.pop(DETAIL_FIELDS.get(out["type"], "thinking"), None)
    if not part.has_text or not out.keys() <= {"type", "index"}:
        more: Wire = {"thinking": [], **out} if field == "content" else {**out, **_index(s, part)}
        s.send(choice, s.repeated(choice, {field: [more]}))
    part.has_text = True


def _write_once(s: WrittenStream, part: WrittenPart, event: e.ThinkingDelta, *, new: bool) -> None:
    """Write reasoning for a host that has one field for it."""
    choice = part.choice
    field = event.field
    in_text = field == "text"
    if new and s.reasoning != "reasoning_details":
        for path in newly_joined(choice.paths["thinking"]):
            if not path.endswith("/reasoning_content"):
                s.d.report("changed", path, None, "the reasoning of a message is one text: its blocks are joined")
    choice.thinking[in_text].append(event.thinking)
    if field == "both":
        choice.thinking[True].append(event.thinking)
    if choice.text_is_first is None:
        choice.text_is_first = in_text
    if choice.text_is_first is in_text:
        _send_text(s, part, event.thinking)
    else:
        choice.second.append((part, event.thinking))


def _send_text(s: WrittenStream, part: WrittenPart, text: str) -> None:
    if text:
        text = text if s.reasoning == "reasoning_details" else part.choice.parted(part, text)
        beside: Wire = {"reasoning": text} if s.profile.text_beside_blocks else {}
        s.send(part.choice, beside | _fragment(s, part, text) if s.reasoning in _BLOCKS_ALONE else {str(s.reasoning): text})


def write_second(s: WrittenStream, choice: WrittenChoice) -> None:
    """Write the reasoning that was kept back, unless it repeats what was written."""
    if choice.thinking_is_empty and not choice.paths["thinking"]:
        s.drop(f"{choice.path}/message/reasoning_content", "empty reasoning is left out")
    choice.thinking_is_empty = False
    second, choice.second = choice.second, []
    repeats = bool(second) and "".join(choice.thinking[True]) == "".join(choice.thinking[False])
    for part, text in second:
        if not repeats:
            _send_text(s, part, text)
        elif s.reasoning in _BLOCKS_ALONE and choice.text_is_first:
            s.drop(part.path, "the text of this reasoning was already sent")


def empty_reasoning(s: WrittenStream, choice: WrittenChoice) -> Wire:
    """The delta of a message whose reasoning is an empty text."""
    if s.reasoning not in (None, *_BLOCKS_ALONE):
        return dict.fromkeys(_text_fields(s, choice), "")
    choice.thinking_is_empty = True  # unless more follows
    return {}


def write_signature(s: WrittenStream, event: e.SignatureDelta) -> None:
    """Write the signature of a part."""
    part = s.part(event) or s.new_part(event, "thinking", "thinking_blocks")
    if part.path in s.dropped:
        return
    if part.kind == "redacted" and part.due and not s.same_format:
        _add_to_block(s, part, {"signature": event.signature})  # it is lost with the block, or by itself
    elif part.kind != "thinking":
        _sign(s, part, event)
    elif s.reasoning is None:
        s.drop(part.path, f"{s.d.target.name} does not take reasoning")
    elif s.same_format or event.signature:
        _add_to_block(s, part, {"signature": event.signature, "issuer": event.issuer})


def _sign(s: WrittenStream, part: WrittenPart, event: e.SignatureDelta) -> None:
    """Write the signature of a part that is not reasoning."""
    place = signature_place(part.spelled.get("signature"), event, s.d)
    has_place = part.kind == "text" or (part.kind == "call" and part.place is not None)
    if place is None or not has_place:
        s.drop(f"{part.path}/signature", f"{s.d.target.name} has no field for the signature of this {part.kind}")
        return
    part.signature = event.signature
    part.issuer = event.issuer
    part.choice.beside_due = True
    if part.kind == "text" and not part.choice.has_content:
        write_text(s, e.TextDelta(choice=event.choice, index=event.index, text=""))
    if part.kind == "call" and place in CALL_PLACES:
        _send_call(s, part, at_path(CALL_PLACES[place], event.signature))


def write_beside(s: WrittenStream, choice: WrittenChoice) -> None:
    """Write the signatures and citations of texts and calls, as in whole messages."""
    if not choice.beside_due:
        return
    choice.beside_due = False
    owners = [part for kind in ("text", "call") for _, part in sorted(choice.parts.items()) if part.kind == kind]
    for one in owners:
        one.ends = one.path in choice.paths["text"][-1:]
    repeat = s.same_format and choice.spelled.get("signatures") == "all"
    # If the source has something in these fields that cannot be added to, it gives way to what is written.
    typed = {key: value for key, value in choice.overlay.items() if type(value) is TYPES.get(key)}
    dump_beside(owners, typed, s.d, repeat=repeat, before=len(choice.paths["thinking"]))
    choice.overlay |= typed
    for one in owners:
        one.signature = None
        one.citations = []


def write_redacted(s: WrittenStream, event: e.RedactedThinking) -> None:
    """Write a block of reasoning that only its issuer can read."""
    # Where reasoning is one text, this block is not joined with it.
    part = s.part(event) or s.new_part(event, "redacted" if s.reasoning in _READABLE_ONLY else "thinking", "thinking_blocks")
    part.kind = "redacted"
    if s.reasoning in _READABLE_ONLY:
        s.drop(part.path, f"{s.d.target.name} takes only readable reasoning")
    else:
        _add_to_block(s, part, {"data": event.data, "issuer": event.issuer})


def update_block(s: WrittenStream, part: WrittenPart, data: Wire) -> None:
    """Write other fields of a block of reasoning."""
    own: Wire = value_at(data, ("provider_data", FAMILY)) or {}
    part.place = {"index": own["index"]} if "index" in own else part.place
    if part.kind == "redacted" and not part.due:
        late = [f"provider_data/{FAMILY}/{escape(key)}" for key in s.own_fields(data, part.path, frozenset())]
        for key in (*late, "data") if "data" in data else late:
            s.drop(f"{part.path}/{key}", "the block of this reasoning was already sent")
        return
    part.summary = part.summary or bool(data.get("summary"))
    known = ("data", "summary", "issuer", "cache_control", "provider_data", "wire")
    _add_to_block(s, part, {key: data[key] for key in known if key in data})


def write_part_stop(s: WrittenStream, event: e.PartStop) -> None:
    """Write the rest of a block of reasoning, or of an image, that is complete."""
    part = s.part(event)
    if part is not None and part.choice.block is part:
        write_block(s, part.choice)
    elif part is not None:
        write_drawn(s, part)


# Tool calls


def write_tool_use_start(s: WrittenStream, event: e.ToolUseStart) -> None:
    """Begin a call; only after the update that may tell its spelling in the same format, or its id."""
    if s.part(event) is None:
        part = s.new_part(event, "call", "tool_calls")
        part.custom = bool(event.custom)
        part.data = {key: event[key] for key in ("id", "name", "custom") if key in event}
        s.pending = part
        if event.id is not None and not s.same_format:
            begin_pending(s, part)


def begin_pending(s: WrittenStream, part: WrittenPart) -> None:
    """Write the first chunk of the call that waits for its update."""
    s.pending = None
    choice = part.choice
    call = ToolCall(arguments="", **part.data)
    if s.same_format and choice.spelled.get("tool_calls") == "function_call":
        entry = dump_legacy_call(call, part.path, s.d)
    else:
        part.place = {"index": part.position}
        entry = dump_call(call, part.path, f"{choice.path}/message/tool_calls/{part.position}", s.d)
        part.id = entry.get("id")
        if part.custom and "custom" not in entry:
            part.inside = OpenArguments(f"{part.path}/arguments", "", custom=True)
            entry.get("function", entry)["arguments"] = ""
        part.custom = "custom" in entry
    if part.spelled.get("arguments") == "object":
        part.collected = []
        entry.get("function", entry).pop("arguments", None)
    if s.profile.whole_calls and part.place is not None:
        part.collected = []
        part.entry = part.place | entry
        part.scan = None if s.same_format else ArgumentScan()
        choice.waiting.append(part)
    else:
        _send_call(s, part, entry)


def _send_call(s: WrittenStream, part: WrittenPart, entry: Wire) -> None:
    if part.entry is not None:
        merge(part.entry, entry)
        return
    s.send(part.choice, {"function_call": entry} if part.place is None else {"tool_calls": [part.place | entry]})


def write_arguments(s: WrittenStream, event: e.ArgumentsDelta) -> None:
    """Write more arguments of a call."""
    part = s.grown(event, "call", "tool_calls")
    if part.kind != "call":
        return  # a part that became a call after it was written, which is reported
    text = event.arguments if part.inside is None else part.inside.add(event.arguments)
    if part.collected is not None and not part.ready:
        part.collected.append(text)
        if part.scan is not None:
            part.scan.add(text)
            if part.scan.complete:
                part.has_text = True
                _write_ready(s, part)
    elif part.scan is not None:
        if text.strip():
            s.drop(f"{part.path}/arguments", "more of the arguments came after the call had been sent", "changed")
    elif text or part.inside is None:
        _send_arguments(s, part, text)


def _write_ready(s: WrittenStream, part: WrittenPart) -> None:
    """Write a call that is whole, after those before it: clients take calls in the order in which they come."""
    part.ready = True
    waiting = part.choice.waiting
    while waiting and waiting[0].ready:
        write_entry(s, waiting.popleft())


def _send_arguments(s: WrittenStream, part: WrittenPart, arguments: Any) -> None:
    part.has_text = True
    entry: Wire = {"arguments": arguments}
    if part.place is not None and (part.spelled.get("call") or s.profile.tool_calls) != "flat":
        entry = {"custom": {"input": arguments}} if part.custom else {"function": entry}
    _send_call(s, part, entry)


def write_tool_use(s: WrittenStream, event: e.ToolUse) -> None:
    """Write the arguments that could not be written before the call was complete."""
    part = s.grown(event, "call", "tool_calls")
    if part.kind != "call":
        return
    part.ended = True
    if part.inside is not None:
        _end_inside(s, part, part.inside)
    if part.collected is not None:
        text = "".join(part.collected) or ("" if part.entry is None else event.arguments)
        part.collected = None
        if text:
            value = exact_object(text) if part.spelled.get("arguments") == "object" else None  # several objects stay text
            _send_arguments(s, part, text if value is None else value)
    if part.choice.blocks and not part.has_text:
        # In formats of blocks a call without arguments may have empty text; in Chat Completions it must have an empty object.
        _send_arguments(s, part, event.arguments or "{}")
    _write_ready(s, part)


def _end_inside(s: WrittenStream, part: WrittenPart, inside: OpenArguments) -> None:
    """Write the end of the object around the text of a free-form tool."""
    rest = inside.end(s.d)
    part.inside = None
    if part.collected is not None:
        part.collected.append(rest)
    else:
        _send_arguments(s, part, rest)


def write_entry(s: WrittenStream, part: WrittenPart) -> None:
    """Write a call that is written whole, as far as it arrived."""
    if part.entry is not None:
        entry = part.entry
        part.entry = None
        text = "".join(part.collected or ())
        part.collected = None
        if text and (function := entry.get("function")) is not None:
            function["arguments"] = text
        s.send(part.choice, {"tool_calls": [entry]})


def update_call(s: WrittenStream, part: WrittenPart, data: Wire) -> None:
    """Write other fields of a call."""
    if s.pending is part:
        merge(part.data, {key: data[key] for key in ("id", "cache_control", "provider_data", "wire") if key in data})
        return
    if "input" in data and part.ended and part.has_text:
        s.d.report("changed", f"{part.path}/arguments", None, "other arguments replaced these after they had been sent")
    part.has_text |= "input" in data
    entry: Wire = copy_wire(s.own_fields(data, part.path, frozenset()))
    if type(data.get("id")) is str and s.same_format and part.place is not None:
        entry["id"] = data["id"]
    if entry:
        _send_call(s, part, entry)
