"""Writing the parts of a stream of Chat Completions: text, reasoning in the field that the host has for it, and tool calls.

Some sources have the same reasoning as text and in blocks, and some hosts have one field for it. What comes in the same way as
the first piece is written at once; the rest is written at the end, unless it repeats the first.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ...codec.fields import Wire, copy_wire, lay_over
from ...model import events as e
from ...model.base import Json, exact_object
from ...model.parts import TextPart
from .base import FAMILY, LONGEST_NAME
from .beside import CALL_PLACES, Beside, at_path, dump_beside, signature_place
from .reasoning import DETAIL_FORMATS, block_field, plain_fields
from .written import WrittenChoice, WrittenPart, WrittenStream, newly_joined

_TEXT_ONLY = (None, "reasoning_content", "reasoning")
"""Where a host has reasoning if it has none in blocks."""


# Content


def write_text(s: WrittenStream, event: e.TextDelta) -> None:
    """More text."""
    part, _ = s.part(event, "text")
    part.length += len(event.text)
    choice = part.choice
    if part.listed or choice.listed:
        s.send(choice, {"content": [{"type": "text", "text": event.text}]})
    elif event.text or not choice.has_content:
        choice.has_content = True
        s.send(choice, {"content": event.text})


def write_refusal(s: WrittenStream, event: e.RefusalDelta) -> None:
    """More of a refusal."""
    part, _ = s.part(event, "refusal", "refusal")
    s.send(part.choice, {"refusal": event.refusal})


def write_opaque(s: WrittenStream, event: e.OpaqueEvent) -> None:
    """A part that only one format has."""
    if event.index is None:
        return
    part, new = s.part(event, "opaque")
    if event.format != FAMILY or not s.accepts_any:
        s.drop(part.path, s.d.no_place("a part of this type", event.format))
    elif new:  # a further event repeats the whole part, after its fragments
        part.choice.has_content = part.choice.listed = True
        part.own = {"type": event.value.get("type")}
        s.send(part.choice, {"content": [copy_wire(event.value)]})


def update_opaque(s: WrittenStream, part: WrittenPart, data: Wire, _: Wire) -> None:
    """More of a part that only this family has."""
    value: Json = data.get("value")
    if type(value) is dict and part.choice.listed:
        s.send(part.choice, {"content": [{**part.own, **copy_wire(value)}]})


def update_text(s: WrittenStream, part: WrittenPart, data: Wire, own: Wire) -> None:
    """Other fields of a text."""
    if data.get("citations"):
        part.citations += TextPart(text="", citations=data["citations"]).citations or ()
        part.choice.beside_due = True
    if data.get("type") == "text" and s.same_format:
        part.listed = part.choice.has_content = True
    if own and (part.listed or part.choice.listed):
        s.send(part.choice, {"content": [{"type": "text", "text": "", **own}]})
    else:
        s.drop_own(part, own, "text without parts holds no fields")


# Reasoning


def reasoning_block_field(s: WrittenStream, choice: WrittenChoice) -> str:
    """The field of a delta that holds blocks of reasoning."""
    return block_field(choice.spelled.get("thinking") if s.same_format else None, s.profile)


def _text_fields(s: WrittenStream, choice: WrittenChoice) -> tuple[str, ...]:
    return plain_fields(choice.spelled.get("reasoning") if s.same_format else None, s.profile)


def _fragment(s: WrittenStream, part: WrittenPart, text: str | None = None, more: Wire | None = None) -> Wire:
    """The delta of a fragment of a block."""
    field = reasoning_block_field(s, part.choice)
    kind, key = "thinking", "thinking"
    if field == "reasoning_details":
        kind, key = ("reasoning.summary", "summary") if part.summary else ("reasoning.text", "text")
    entry: Wire = {"type": kind}
    if not s.same_format:
        entry["index"] = part.position
    elif "index" in part.own:
        entry["index"] = part.own["index"]
    if text is not None:
        entry[key] = text
        part.has_text = True
    return {field: [entry | (more or {})]}


def write_thinking(s: WrittenStream, event: e.ThinkingDelta) -> None:
    """More readable reasoning."""
    in_text = event.field == "text"
    part, new = s.part(event, "thinking", "reasoning_content" if in_text else "thinking_blocks")
    part.has_text |= in_text
    if s.reasoning is None:
        s.drop(part.path, "there is no place for reasoning")
    elif s.reasoning not in ("as read", "thinking_blocks"):
        _write_once(s, part, event, new=new)
    elif event.thinking or not s.same_format:
        delta: Wire = dict.fromkeys(_text_fields(s, part.choice), event.thinking) if event.field != "block" else {}
        s.send(part.choice, delta if in_text else delta | _fragment(s, part, event.thinking))
    elif new and not in_text:
        # The other fields of the block may follow.
        s.pending = part, partial(_begin_block, s, part)


def _begin_block(s: WrittenStream, part: WrittenPart) -> None:
    more = {key: value for key, value in part.own.items() if key != "index"}
    text = None if reasoning_block_field(s, part.choice) == "reasoning_details" else ""
    s.send(part.choice, _fragment(s, part, text, copy_wire(more)))


def _write_once(s: WrittenStream, part: WrittenPart, event: e.ThinkingDelta, *, new: bool) -> None:
    """Reasoning for a host that has one field for it."""
    reasoning, in_text = part.choice.reasoning, event.field == "text"
    if new and s.reasoning != "reasoning_details":
        for path in newly_joined(part.choice.paths["thinking"]):
            if not path.endswith("/reasoning_content"):
                s.d.report("changed", path, None, "all reasoning becomes one text")
    reasoning.texts[in_text].append(event.thinking)
    if event.field == "both":
        reasoning.texts[True].append(event.thinking)
    if reasoning.text_is_first is None:
        reasoning.text_is_first = in_text
    if reasoning.text_is_first is in_text:
        _send_text(s, part, event.thinking)
    else:
        reasoning.second.append((part, event.thinking))


def _send_text(s: WrittenStream, part: WrittenPart, text: str) -> None:
    if text:
        is_detail = s.reasoning == "reasoning_details"
        s.send(part.choice, _fragment(s, part, text) if is_detail else {str(s.reasoning): text})


def write_second(s: WrittenStream, choice: WrittenChoice) -> None:
    """Write the reasoning that waits, unless it repeats what was written."""
    reasoning = choice.reasoning
    if reasoning.is_empty and not choice.paths["thinking"]:
        s.drop(f"{choice.path}/message/reasoning_content", "empty reasoning is left out")
    reasoning.is_empty = False
    second, reasoning.second = reasoning.second, []
    repeats = bool(second) and "".join(reasoning.texts[True]) == "".join(reasoning.texts[False])
    for part, text in second:
        if not repeats:
            _send_text(s, part, text)
        elif s.reasoning == "reasoning_details" and reasoning.text_is_first:
            s.drop(part.path, "its text was already written")


def empty_reasoning(s: WrittenStream, choice: WrittenChoice) -> Wire:
    """The delta of a message whose reasoning is an empty text."""
    if s.reasoning not in (None, "reasoning_details"):
        return dict.fromkeys(_text_fields(s, choice), "")
    choice.reasoning.is_empty = True  # unless more follows
    return {}


def write_signature(s: WrittenStream, event: e.SignatureDelta) -> None:
    """The signature of a block."""
    part, _ = s.part(event, "thinking", "thinking_blocks")
    if s.is_dropped(part.path):
        return
    if part.kind != "thinking":
        _sign(s, part, event)
    elif s.reasoning is None:
        s.drop(part.path, "there is no place for reasoning")
    elif s.same_format or event.signature:
        refusal = _refuses_signature(s, part, event.issuer)
        if refusal is None:
            s.send(part.choice, _fragment(s, part, more={"signature": event.signature, **_label(s, event.issuer)}))
        else:
            s.drop(f"{part.path}/signature", refusal)


def _sign(s: WrittenStream, part: WrittenPart, event: e.SignatureDelta) -> None:
    """The signature of a part that is no reasoning."""
    place = signature_place(part.spelled.get("signature"), event.issuer, s.d)
    if place is None or part.kind not in ("call", "text") or (part.kind == "call" and part.place is None):
        s.drop(f"{part.path}/signature", "signatures have no place here")
        return
    part.signature, part.issuer, part.choice.beside_due = event.signature, event.issuer, True
    if part.kind == "call" and place in CALL_PLACES:
        s.send(part.choice, {"tool_calls": [{**(part.place or {}), **at_path(CALL_PLACES[place], event.signature)}]})


def write_beside(s: WrittenStream, choice: WrittenChoice) -> None:
    """Write what belongs to the texts and the calls, as in whole messages."""
    if not choice.beside_due:
        return
    choice.beside_due = False
    owners: list[Beside] = []
    for _, part in sorted(choice.parts.items(), key=lambda item: (item[1].kind == "call", item[0])):
        if part.kind == "text":
            text: Wire = {"length": part.length, "ends": part.path == choice.paths["text"][-1], "citations": part.citations}
            owners.append(Beside(part.path, part.spelled, part.signature, part.issuer, **text))
        elif part.kind == "call":
            owners.append(Beside(part.path, part.spelled, part.signature, part.issuer, part.id))
        part.signature, part.citations = None, []
    repeat = s.same_format and choice.spelled.get("signatures") == "all"
    dump_beside(owners, choice.overlay, s.d, repeat=repeat, before=len(choice.paths["thinking"]))


def _refuses_signature(s: WrittenStream, part: WrittenPart, issuer: str | None) -> str | None:
    """Why the signature is left out; None where it is not."""
    if s.reasoning in _TEXT_ONLY:
        return "reasoning is text alone"
    if _is_foreign(s, issuer):
        return f"only {issuer} can verify it"
    if part.summary and s.reasoning == "reasoning_details":
        return "summaries are not signed here"
    # The text of its block waits, and may never be written.
    return "it came after a text that is not its own" if part.choice.reasoning.text_is_first else None


def _is_foreign(s: WrittenStream, issuer: str | None) -> bool:
    return issuer is not None and not s.same_format and not s.profile.signers & {issuer, "*"}


def _label(s: WrittenStream, issuer: str | None) -> Wire:
    """The format of a reasoning detail from this issuer; in the same format, an update gives it."""
    label = DETAIL_FORMATS.get(issuer or "") if s.reasoning == "reasoning_details" else None
    return {"format": label} if label is not None else {}


def write_redacted(s: WrittenStream, event: e.RedactedThinking) -> None:
    """A block of reasoning that only its issuer can read."""
    part, _ = s.part(event, "thinking", "thinking_blocks")
    if s.reasoning in _TEXT_ONLY:
        s.drop(part.path, "only readable reasoning has a place")
        return
    if _is_foreign(s, event.issuer):
        s.drop(part.path, f"only {event.issuer} can read it")
        return
    field = reasoning_block_field(s, part.choice)
    entry: Wire = {"type": "reasoning.encrypted" if field == "reasoning_details" else "redacted_thinking", "data": event.data}
    part.kind, part.has_text = "redacted", True
    if s.same_format:
        # The other fields may follow, and must be in the same entry.
        part.own = entry
        s.pending = part, partial(_begin_redacted, s, part)
    else:
        s.send(part.choice, {field: [{**entry, "index": part.position, **_label(s, event.issuer)}]})


def _begin_redacted(s: WrittenStream, part: WrittenPart) -> None:
    label = part.spelled.get("format")
    s.send(part.choice, {reasoning_block_field(s, part.choice): [part.own | ({"format": label} if label else {})]})


def update_redacted(s: WrittenStream, part: WrittenPart, _: Wire, own: Wire) -> None:
    """Other fields of an encrypted block."""
    if s.same_format:
        part.own |= own
    elif own:
        s.send(part.choice, {reasoning_block_field(s, part.choice): [{"index": part.position, **own}]})


def update_thinking(s: WrittenStream, part: WrittenPart, data: Wire, own: Wire) -> None:
    """Other fields of a readable block."""
    if data.get("summary"):
        part.summary = True
        if s.reasoning not in (None, "reasoning_details", "as read"):
            s.d.report("changed", part.path, None, "summaries are not marked as such")
    e.merge(part.own, own)
    if s.pending is not None:
        return
    if s.reasoning in _TEXT_ONLY:
        s.drop_own(part, own, "reasoning is text alone")
        return
    more: Wire = copy_wire({key: value for key, value in own.items() if key != "index"})
    if s.same_format and part.label is None and part.spelled.get("format"):
        part.label = more["format"] = part.spelled["format"]
    # In the same format an index alone is written too, as no other fragment may have it.
    if more or (own and s.same_format):
        s.send(part.choice, _fragment(s, part, more=more))


def write_part_stop(s: WrittenStream, event: e.PartStop) -> None:
    """Write the empty text of a block of reasoning that is complete and had none."""
    part = s.known_part(event)
    has_none = part is not None and part.kind == "thinking" and not part.has_text
    if part is not None and has_none and s.same_format and part.spelled.get("text") != "absent":
        s.send(part.choice, _fragment(s, part, ""))


# Tool calls


def write_tool_use_start(s: WrittenStream, event: e.ToolUseStart) -> None:
    """Begin a call; in the same format, after the update that may say how it is spelled."""
    part, new = s.part(event, "call", "tool_calls")
    if new:
        part.custom = bool(event.custom)
        begin = partial(_begin, s, part, event)
        if s.same_format:
            s.pending = part, begin
        else:
            begin()


def _begin(s: WrittenStream, part: WrittenPart, event: e.ToolUseStart) -> None:
    name, id = event.name, event.id
    if not s.same_format:
        name = s.d.tool_name(name, part.path, LONGEST_NAME)
        if id is not None:
            id = s.d.ids.call(id, part.path, s.d.source_ids)
        else:
            id = s.d.ids.call_without_id(name)
            s.d.report("changed", part.path, None, "tool calls need an id")
    part.id = id
    entry: Wire = {"name": name, "arguments": ""}
    if part.spelled.get("arguments") == "object":
        part.held = []
        del entry["arguments"]
    is_legacy = s.same_format and part.choice.spelled.get("tool_calls") == "function_call"
    if not is_legacy:
        part.place = {"index": part.position}
        entry = part.place | ({"id": id} if id is not None else {}) | _body(s, part, entry)
    for key, value in part.own.items():
        lay_over(entry, key, value)
    s.send(part.choice, {"function_call": entry} if is_legacy else {"tool_calls": [entry]})


def _body(s: WrittenStream, part: WrittenPart, function: Wire) -> Wire:
    """The type, the name and the arguments of a new call."""
    spelled = part.spelled.get("type")
    if _is_flat(s, part):
        if part.custom:
            s.d.report("changed", part.path, None, "a custom tool's call becomes a function's")
        return function | ({"type": "function"} if spelled == "function" else {})
    body: Wire = {"custom": {"name": function["name"], "input": ""}} if part.custom else {"function": function}
    return body if spelled == "other" else {"type": "custom" if part.custom else "function", **body}


def _is_flat(s: WrittenStream, part: WrittenPart) -> bool:
    return (part.spelled.get("call") or s.profile.tool_calls) == "flat"


def write_arguments(s: WrittenStream, event: e.ArgumentsDelta) -> None:
    """More arguments of a call."""
    part, _ = s.part(event, "call", "tool_calls")
    if part.held is None:
        _send_arguments(s, part, event.arguments)
    else:
        part.held.append(event.arguments)


def _send_arguments(s: WrittenStream, part: WrittenPart, arguments: Any) -> None:
    part.has_text = True
    body: Wire = {"arguments": arguments}
    if part.place is None:
        s.send(part.choice, {"function_call": body})
        return
    if not _is_flat(s, part):
        body = {"custom": {"input": arguments}} if part.custom else {"function": body}
    s.send(part.choice, {"tool_calls": [part.place | body]})


def write_tool_use(s: WrittenStream, event: e.ToolUse) -> None:
    """Write the arguments that could not be written before the call was complete."""
    part, _ = s.part(event, "call", "tool_calls")
    if part.held is not None:
        text, part.held = "".join(part.held), None
        if text:
            _send_arguments(s, part, _as_object(text))
    elif not part.has_text and not s.d.same_family and not event.custom:
        # In other formats a call without arguments may have no text; here it has an object without fields.
        _send_arguments(s, part, event.arguments or "{}")


def _as_object(text: str) -> Any:
    """Arguments as the object that they were; several objects stay text."""
    value = exact_object(text)
    return text if value is None else value


def update_call(s: WrittenStream, part: WrittenPart, data: Wire, own: Wire) -> None:
    """Other fields of a call."""
    if s.pending is not None:
        e.merge(part.own, own)
        return
    entry: Wire = copy_wire(own)
    if type(data.get("id")) is str and s.same_format and part.place is not None:
        entry["id"] = data["id"]
    if entry:
        s.send(part.choice, {"function_call": entry} if part.place is None else {"tool_calls": [part.place | entry]})
