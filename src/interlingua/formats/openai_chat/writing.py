"""Writing streams of Chat Completions: events into chunks that the official client folds into the message they make.

A message in its own format is written as it was read, with the fields that have no canonical meaning. For others the host's
profile decides, as for whole responses. What grows is written as it comes; the other fields of a message are written when they
are complete, as a client that adds up deltas can read them only once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...codec.fields import Wire, copy_wire
from ...codec.format import Format
from ...errors import escape
from ...model import events as e
from ...model.base import Json
from . import writing_calls as calls, writing_reasoning as reasoning
from .base import FAMILY, RESPONSE_FIELDS
from .responses import CHOICE_FIELDS, COUNTS, FRAME_FIELDS, STOPS
from .written import WrittenChoice, WrittenPart, WrittenStream, spelling_of

_IDENTITY = ("id", "model", "created")


class Writing:
    """Writes one stream; the paths of `losses` point into the response that the events fold into."""

    def __init__(self, format: Format, formats: Mapping[str, Format]) -> None:
        self._stream = WrittenStream(format, formats)
        self.losses = self._stream.losses

    def write(self, event: e.Event) -> list[Wire]:
        """The chunks that an event becomes."""
        s = self._stream
        s.chunks = []
        if s.pending is not None:
            part, begin = s.pending
            if not (isinstance(event, e.Update) and event.of == "part" and s.known_part(event) is part):
                s.pending = None
                begin()
        _WRITERS[type(event)](s, event)
        return s.chunks


# The frame


def _write_start(s: WrittenStream, event: e.MessageStart) -> None:
    if not s.choices:
        s.set_origin(event.origin)
        _write_early(s)
    s.frame |= {key: event[key] for key in _IDENTITY if key in event}
    choice = s.choice(event.choice)
    choice.blocks = event.spelling == "blocks"
    # In the same format the role is written where it was; other messages always have one.
    choice.role_due = not s.same_format


def _write_early(s: WrittenStream) -> None:
    early, s.early = s.early, []
    for data in early:
        _update_response(s, data)


def _write_usage(s: WrittenStream, event: e.UsageUpdate) -> None:
    usage = COUNTS.dump(event.usage, s.drop)
    s.unwritten = s.unwritten or usage != s.usage
    s.usage = usage
    s.usage_is_written = s.usage_is_written and not s.unwritten
    begun = [choice for choice in s.choices.values() if choice.begun]
    if begun and all(choice.stopped for choice in begun):
        _write_last(s)


def _write_last(s: WrittenStream) -> None:
    """Write what is left of the response as a whole."""
    if s.unwritten or s.once or (s.usage is not None and not s.usage_is_written):
        s.usage_is_written = s.usage is not None
        s.send_frame([])


def _write_end(s: WrittenStream, _: e.StreamEnd) -> None:
    _write_early(s)
    _write_rest(s)
    _write_last(s)


def _write_rest(s: WrittenStream) -> None:
    """Write what is left of the messages."""
    for choice in list(s.choices.values()):
        _flush(s, choice)


def _flush(s: WrittenStream, choice: WrittenChoice) -> None:
    reasoning.write_second(s, choice)
    overlay, choice.overlay = choice.overlay, {}
    if overlay or not choice.begun or choice.role_due:
        s.send(choice, overlay)


def _write_error(s: WrittenStream, event: e.ErrorEvent) -> None:
    _write_rest(s)
    s.chunks.append({"error": copy_wire(event.error)})


def _write_stop(s: WrittenStream, event: e.Stop) -> None:
    choice = s.choice(event.choice)
    _flush(s, choice)
    finish, reason = None, event.stop_reason
    if reason is not None:
        family = s.d.same_family
        finish, same = STOPS.dump(reason, event.native_stop_reason, same_family=family, accepts_any=s.profile.open)
        if not same:
            s.report("changed", f"{choice.path}/stop_reason", f"there is no such reason; {finish} is")
    if event.stop_sequence is not None and not s.same_format:
        s.drop(f"{choice.path}/stop_sequence", "the sequence that was hit has no place here")
    beside, choice.beside = choice.beside, {}
    choice.stopped = True
    s.send(choice, {}, finish, beside)


# Content


def _write_text(s: WrittenStream, event: e.TextDelta) -> None:
    part, _ = s.part(event, "text")
    choice = part.choice
    if part.listed or choice.listed:
        s.send(choice, {"content": [{"type": "text", "text": event.text}]})
    elif event.text or not choice.has_content:
        choice.has_content = True
        s.send(choice, {"content": event.text})


def _write_refusal(s: WrittenStream, event: e.RefusalDelta) -> None:
    part, _ = s.part(event, "refusal", "refusal")
    s.send(part.choice, {"refusal": event.refusal})


def _write_opaque(s: WrittenStream, event: e.OpaqueEvent) -> None:
    if event.index is None:
        return
    part, new = s.part(event, "opaque")
    if event.format != FAMILY or not (s.same_format or s.profile.open):
        s.drop(part.path, f"only {event.format} knows parts of this type")
    elif new:  # a further event repeats the whole part, after its fragments
        part.choice.has_content = part.choice.listed = True
        part.own = {"type": event.value.get("type")}
        s.send(part.choice, {"content": [copy_wire(event.value)]})


def _write_part_stop(s: WrittenStream, event: e.PartStop) -> None:
    part = s.known_part(event)
    if part is not None and s.same_format:
        reasoning.stop_thinking(s, part)


# Fields


def _write_update(s: WrittenStream, event: e.Update) -> None:
    data = event.data
    if event.of == "part":
        part = s.known_part(event) or s.part(event, "text")[0]
        part.spelled |= spelling_of(data)
        _PART_UPDATES.get(part.kind, _update_text)(s, part, data, s.own_fields(data, part.path, frozenset()))
    elif event.of == "choice":
        _update_choice(s, s.choice(event.choice), data)
    elif event.of == "message":
        _update_message(s, s.choice(event.choice), data, join=bool(event.join))
    elif "origin" in data:
        s.set_origin(data["origin"])
        _write_early(s)
        _update_response(s, data)
    elif s.choices:
        _update_response(s, data)
    else:
        s.early.append(data)


def _update_response(s: WrittenStream, data: Wire) -> None:
    changed = {key: data[key] for key in _IDENTITY if key in data}
    if "usage" in data and s.d.same_family:
        s.frame.setdefault("usage", data["usage"])
    if s.same_format and spelling_of(data).get("object") == "absent":
        s.frame.pop("object", None)
    for key, value in s.own_fields(data, "", FRAME_FIELDS).items():
        if type(value) in (dict, list):
            e.merge(s.once, {key: value})
        elif key in s.once:
            s.once[key] = value
        else:
            changed[key] = value
    s.frame |= changed
    s.unwritten = s.unwritten or bool(changed)


def _update_choice(s: WrittenStream, choice: WrittenChoice, data: Wire) -> None:
    own = s.own_fields(data, choice.path, CHOICE_FIELDS)
    if own.get("logprobs") is not None:
        s.send(choice, {}, beside={"logprobs": own.pop("logprobs")})
    e.merge(choice.beside, own)
    if choice.stopped and choice.beside:
        beside, choice.beside = choice.beside, {}
        s.send(choice, {}, beside=beside)


def _update_message(s: WrittenStream, choice: WrittenChoice, data: Wire, *, join: bool) -> None:
    choice.spelled |= spelling_of(data)
    choice.role_due = choice.role_due or data.get("role") == "assistant"
    own = s.own_fields(data, f"{choice.path}/message", RESPONSE_FIELDS)
    delta = _message_delta(s, choice, data)
    if join:
        delta = own | delta
    else:
        e.merge(choice.overlay, own)
    if choice.stopped:
        delta = choice.overlay | delta
        choice.overlay = {}
    if delta:
        s.send(choice, delta)


def _message_delta(s: WrittenStream, choice: WrittenChoice, data: Wire) -> Wire:
    """The canonical fields of an update that are written at once."""
    delta: Wire = {}
    if "content" in data and not choice.has_content:
        choice.has_content = data["content"] == ""
        delta["content"] = data["content"]
    if data.get("reasoning_content") == "":
        delta |= reasoning.empty_reasoning(s, choice)
    if data.get("refusal") == "":
        delta["refusal"] = ""
    if s.same_format:
        fields = {"name": "name", "tool_calls": "tool_calls", "thinking_blocks": reasoning.reasoning_block_field(s, choice)}
        delta |= {field: copy_wire(data[key]) for key, field in fields.items() if key in data}
    elif data.get("name") is not None:
        if s.profile.names:
            delta["name"] = data["name"]
        else:
            s.drop(f"{choice.path}/message/name", "answers have no name here")
    return delta


def _update_opaque(s: WrittenStream, part: WrittenPart, data: Wire, _: Wire) -> None:
    value: Json = data.get("value")
    if type(value) is dict and part.choice.listed:
        s.send(part.choice, {"content": [{**part.own, **copy_wire(value)}]})


def _update_text(s: WrittenStream, part: WrittenPart, data: Wire, own: Wire) -> None:
    if data.get("type") == "text" and s.same_format:
        part.listed = part.choice.has_content = True
    if own and (part.listed or part.choice.listed):
        s.send(part.choice, {"content": [{"type": "text", "text": "", **own}]})
        return
    for key in own:
        s.drop(f"{part.path}/provider_data/{FAMILY}/{escape(key)}", "text without parts holds no fields")


_PART_UPDATES = {
    "call": calls.update_call,
    "redacted": reasoning.update_redacted,
    "thinking": reasoning.update_thinking,
    "opaque": _update_opaque,
}
_WRITERS: dict[type[Any], Callable[[WrittenStream, Any], None]] = {
    e.MessageStart: _write_start,
    e.TextDelta: _write_text,
    e.ThinkingDelta: reasoning.write_thinking,
    e.SignatureDelta: reasoning.write_signature,
    e.RedactedThinking: reasoning.write_redacted,
    e.RefusalDelta: _write_refusal,
    e.ToolUseStart: calls.write_tool_use_start,
    e.ArgumentsDelta: calls.write_arguments,
    e.ToolUse: calls.write_tool_use,
    e.PartStop: _write_part_stop,
    e.Update: _write_update,
    e.UsageUpdate: _write_usage,
    e.Stop: _write_stop,
    e.StreamEnd: _write_end,
    e.OpaqueEvent: _write_opaque,
    e.ErrorEvent: _write_error,
}
