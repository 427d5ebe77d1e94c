"""Writing the reasoning of a stream of Chat Completions, in the field that the host has for it.

Some sources have the same reasoning as text and in blocks, and some hosts have one field for it. What comes in the same way as
the first piece is written at once; the rest is written at the end, unless it repeats the first.
"""

from __future__ import annotations

from functools import partial

from ...codec.fields import Wire, copy_wire
from ...errors import escape
from ...model import events as e
from .assistant import DETAIL_FORMATS, block_field, plain_fields
from .base import FAMILY
from .written import WrittenChoice, WrittenPart, WrittenStream, newly_joined

_BLOCK_FIELDS = ("thinking_blocks", "reasoning_details")


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
    part.has_text = part.has_text or in_text
    if not s.same_format and s.profile.reasoning is None:
        s.drop(part.path, "there is no place for reasoning")
    elif not s.same_format and s.profile.reasoning != "thinking_blocks":
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
    if new and s.profile.reasoning != "reasoning_details":
        for path in newly_joined(part.choice.paths["thinking"]):
            if not path.endswith("/reasoning_content"):
                s.report("changed", path, "all reasoning becomes one text")
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
        is_detail = s.profile.reasoning == "reasoning_details"
        s.send(part.choice, _fragment(s, part, text) if is_detail else {str(s.profile.reasoning): text})


def write_second(s: WrittenStream, choice: WrittenChoice) -> None:
    """Write the reasoning that waits, unless it repeats what was written."""
    reasoning = choice.reasoning
    second, reasoning.second = reasoning.second, []
    repeats = bool(second) and "".join(reasoning.texts[True]) == "".join(reasoning.texts[False])
    for part, text in second:
        if not repeats:
            _send_text(s, part, text)
        elif s.profile.reasoning == "reasoning_details" and reasoning.text_is_first:
            s.drop(part.path, "its text was already written")


def empty_reasoning(s: WrittenStream, choice: WrittenChoice) -> Wire:
    """The delta of a message whose reasoning is an empty text."""
    if s.same_format or s.profile.reasoning not in (None, "reasoning_details"):
        return dict.fromkeys(_text_fields(s, choice), "")
    s.drop(f"{choice.path}/message/reasoning_content", "empty reasoning is left out")
    return {}


def write_signature(s: WrittenStream, event: e.SignatureDelta) -> None:
    """The signature of a block."""
    part, _ = s.part(event, "thinking", "thinking_blocks")
    more: Wire = {"signature": event.signature}
    if not s.same_format:
        if s.profile.reasoning is None:
            s.drop(part.path, "there is no place for reasoning")
        if s.profile.reasoning is None or not event.signature:
            return
        refusal = _refuses_signature(s, part, event.issuer)
        if refusal is not None:
            s.drop(f"{part.path}/signature", refusal)
            return
        more |= _label(s, event.issuer)
    s.send(part.choice, _fragment(s, part, more=more))


def _refuses_signature(s: WrittenStream, part: WrittenPart, issuer: str | None) -> str | None:
    """Why the signature is left out; None where it is not."""
    if s.profile.reasoning not in _BLOCK_FIELDS:
        return "reasoning is text alone"
    if _is_foreign(s, issuer):
        return f"only {issuer} can verify it"
    if part.summary and s.profile.reasoning == "reasoning_details":
        return "summaries are not signed here"
    # The text of its block waits, and may never be written.
    return "it came after a text that is not its own" if part.choice.reasoning.text_is_first else None


def _is_foreign(s: WrittenStream, issuer: str | None) -> bool:
    return issuer is not None and not s.profile.signers & {issuer, "*"}


def _label(s: WrittenStream, issuer: str | None) -> Wire:
    """The format of a reasoning detail from this issuer."""
    label = DETAIL_FORMATS.get(issuer or "")
    return {"format": label} if label is not None and s.profile.reasoning == "reasoning_details" else {}


def write_redacted(s: WrittenStream, event: e.RedactedThinking) -> None:
    """A block of reasoning that only its issuer can read."""
    part, _ = s.part(event, "thinking", "thinking_blocks")
    if not s.same_format and s.profile.reasoning not in _BLOCK_FIELDS:
        s.drop(part.path, "only readable reasoning has a place")
        return
    if not s.same_format and _is_foreign(s, event.issuer):
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
        if not s.same_format and s.profile.reasoning not in (None, "reasoning_details"):
            s.report("changed", part.path, "summaries are not marked as such")
    e.merge(part.own, own)
    if s.pending is not None:
        return
    if not s.same_format and s.profile.reasoning not in _BLOCK_FIELDS:
        for key in own:
            s.drop(f"{part.path}/provider_data/{FAMILY}/{escape(key)}", "reasoning is text alone")
        return
    more: Wire = copy_wire({key: value for key, value in own.items() if key != "index"})
    if s.same_format and part.label is None and part.spelled.get("format"):
        part.label = more["format"] = part.spelled["format"]
    # In the same format an index alone is written too, as no other fragment may have it.
    if more or (own and s.same_format):
        s.send(part.choice, _fragment(s, part, more=more))


def stop_thinking(s: WrittenStream, part: WrittenPart) -> None:
    """Write the empty text of a block that is complete and had none."""
    if part.kind == "thinking" and not part.has_text and part.spelled.get("text") != "absent":
        s.send(part.choice, _fragment(s, part, ""))
