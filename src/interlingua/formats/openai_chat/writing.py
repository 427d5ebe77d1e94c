"""Write streams of Chat Completions: turn events into chunks, which the official client folds into the message.

A message of the same format is written as it was read, with the fields that have no canonical form. For any other message
the host's profile decides, as for whole responses. What grows is written at once; the other fields of a message wait until
they are complete, as a client that adds up deltas can read them only once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...codec.answers import take_probabilities
from ...codec.fields import Wire, copy_wire, value_at
from ...codec.streams.part_events import in_pieces
from ...codec.tiers import take_tier
from ...errors import excerpt
from ...model import events as e
from ...model.base import Json
from ...model.folding import merge
from ...model.parts import to_json
from . import writing_parts as parts
from .base import FAMILY, takes_tier, tier_refused
from .counts import counts_for
from .open_choice import spelling_of
from .responses import CHOICE_FIELDS, FRAME_FIELDS, MATCHED, sequence_of, stops_of
from .written import WrittenChoice, WrittenPart, WrittenStream

_IDENTITY: Final = ("id", "model", "created")
_REPEATED: Final = FRAME_FIELDS | {"object"}
"""Further fields that each chunk has; a field that clients do not know is written once."""


class Writing(WrittenStream):
    """Writes one stream."""

    def write(self, event: e.Event) -> list[Wire]:
        """The chunks of an event."""
        self.chunks = []
        if self.pending is not None:
            _begin_pending(self, self.pending, event)
        _WRITERS[event.type](self, event)
        return self.chunks


def _begin_pending(s: WrittenStream, part: WrittenPart, event: e.Event) -> None:
    """Begin the call that waits, unless the event is the update that it waits for."""
    if event.type == "update" and event.of == "part" and s.part(event) is part and (s.same_format or "id" in event.data):
        return
    parts.begin_pending(s, part)


# The frame


def _write_start(s: WrittenStream, event: e.MessageStart) -> None:
    if not s.choices:
        s.set_origin(event.origin)
        _write_early(s)
    s.frame |= {key: event[key] for key in _IDENTITY if key in event}
    choice = s.choice(event.choice)
    choice.blocks = event.spelling == "blocks"
    # In the same format, a message has its role only if it had one; other messages always have one.
    choice.role_due = not s.same_format


def _write_early(s: WrittenStream) -> None:
    early = s.early
    s.early = []
    for data in early:
        _update_response(s, data)


def _write_usage(s: WrittenStream, event: e.UsageUpdate) -> None:
    usage = event.usage
    elsewhere = s.usage_elsewhere
    s.usage_elsewhere = None
    if elsewhere is not None and usage.native == {FAMILY: elsewhere}:
        return  # it goes back into the field where it was
    if (tier := take_tier(usage.native, s.d, in_usage=True)) is not None:
        s.frame["service_tier"], native = tier
        usage = usage.replace(native=native)
    if not s.usage_is_wanted:
        s.drop(
            "/usage",
            f"a stream of {s.d.target.name} has usage only if the request asks for it: pass usage=True",
            "response_only",
        )
        return
    s.unwritten_usage = usage  # which a later one may replace before it is written
    if s.begun and s.begun == s.stopped:
        _write_last(s)


def _write_last(s: WrittenStream) -> None:
    """Write the last chunk of the response as a whole, if it has something new."""
    _take_usage(s)
    if s.unwritten or s.once:
        s.send(None, {})


def _take_usage(s: WrittenStream) -> None:
    """Put the usage into the chunks from now on."""
    if s.unwritten_usage is None:
        return
    usage = counts_for(s.profile).dump(s.unwritten_usage, s.d.unsaid, s.drop, exact=s.same_format)
    s.unwritten_usage = None
    if usage != s.usage and (usage or s.same_format):
        s.usage = usage
        s.unwritten = True


def _write_end(s: WrittenStream, _: e.StreamEnd) -> None:
    _write_early(s)
    if s.usage_beside_stop and s.stops:
        _take_usage(s)
    _write_stops(s)
    _write_rest(s)
    _write_last(s)


def _write_rest(s: WrittenStream) -> None:
    """Write the fields of the messages that wait to be written."""
    changed = s.changed
    s.changed = {}
    for choice in changed.values():
        _flush(s, choice)
        beside = choice.beside
        choice.beside = {}
        if beside:
            s.send(choice, {}, beside=beside)


def _flush(s: WrittenStream, choice: WrittenChoice) -> None:
    for part in choice.parts.values():
        parts.write_entry(s, part)
        parts.write_drawn(s, part)
    choice.waiting.clear()
    parts.write_block(s, choice)
    parts.write_second(s, choice)
    parts.write_beside(s, choice)
    overlay = choice.overlay
    choice.overlay = {}
    if overlay.keys() >= {"reasoning_details", "thinking_blocks"}:
        # Of these two fields, the first is read as reasoning, and signatures are read only from it.
        s.send(choice, {"reasoning_details": overlay.pop("reasoning_details")})
    if overlay or not choice.begun or choice.role_due:
        s.send(choice, overlay)


def _write_error(s: WrittenStream, event: e.ErrorEvent) -> None:
    _write_stops(s)
    _write_rest(s)
    s.chunks.append({"error": copy_wire(s.own_error(event.error))})


def _take_stop(s: WrittenStream, event: e.Stop) -> None:
    source = s.d.source
    if s.usage_beside_stop or (source is not None and source.may_stop_again(s.d.target)):
        s.stops[event.choice] = event
    else:
        _write_stop(s, event)


def _write_stops(s: WrittenStream) -> None:
    stops = s.stops
    s.stops = {}
    for event in stops.values():
        _write_stop(s, event)


def _write_stop(s: WrittenStream, event: e.Stop) -> None:
    choice = s.choice(event.choice)
    _flush(s, choice)
    finish = None
    reason = event.stop_reason
    sequence = sequence_of(event, choice.path, s.d)
    if sequence is not None and reason == "stop_sequence":
        reason = "stop"  # the field beside it has the rest
    table = stops_of(s.profile)
    calls = ("tool_use",) if choice.paths["call"] else ()
    if reason is None and not s.d.same_family:
        finish, _ = table.dump(table.meaning("stop", calls), None, same_family=False)
        s.d.report("added", f"{choice.path}/stop_reason", None, f"a stream must say why it ended: sent as {excerpt(finish)}")
    elif reason is not None and not s.d.same_family and (meant := table.meaning(reason, calls)) != reason:
        finish = s.d.meant_word(table, meant, choice.path, None)
    elif reason is not None:
        word = event.native_stop_reason
        finish, same = table.dump(reason, word, same_family=s.d.same_family, exact=s.d.exact, accepts_any=s.profile.open)
        if not same:
            detail = f"{s.d.target.name} does not have the stop reason {excerpt(reason)}; sent as {excerpt(finish)}"
            s.d.report("changed", f"{choice.path}/stop_reason", None, detail)
    beside = choice.beside
    choice.beside = {}
    if sequence is not None:
        beside[MATCHED] = sequence
    s.stopped += not choice.stopped
    choice.stopped = True
    s.send(choice, {}, finish, beside)


def _write_whole(s: WrittenStream, event: e.WholePart) -> None:
    if event.part.type == "json":
        data = event.part.to_dict()
        text = to_json(data.pop("value"))
        event = event.replace(part={**data, "type": "text", "text": text})
    pieces = in_pieces(event)
    if isinstance(pieces[0], e.WholePart):
        part = s.part(event) or s.new_part(event, "image" if s.same_format or s.profile.answer_images else "opaque")
        if not parts.write_image(s, part, event.part):
            s.drop(
                part.path,
                f"{s.d.target.name} does not take {event.part.type.replace('_', ' ')} parts in a message of role assistant",
            )
    elif (known := s.part(event)) is not None and known.kind != _PART_KINDS.get(event.part.type, event.part.type):
        s.d.report("changed", known.path, None, "the type of the part changed after the part had been sent")
    else:
        for piece in pieces:
            if s.pending is not None:
                _begin_pending(s, s.pending, piece)
            _WRITERS[piece.type](s, piece)


# Fields


def _write_update(s: WrittenStream, event: e.Update) -> None:
    data = event.data
    if event.of == "part":
        at: dict[str, Any] = {"choice": event.choice, "index": event.index or 0}
        if data.get("type") == "thinking" and s.part(event) is None:  # its text follows
            parts.write_thinking(s, e.ThinkingDelta(**at, thinking=""))
        part = s.part(event) or s.new_part(event, "text")
        if part.path in s.dropped:
            return
        part.spelled |= spelling_of(data)
        if data.get("signature"):
            parts.write_signature(s, e.SignatureDelta(**at, signature=data["signature"], issuer=data.get("issuer")))
        if part.kind in _TEXTS and data.get(part.kind):
            s.d.report("changed", f"{part.path}/{part.kind}", None, "another text replaced this one after it had been sent")
        _PART_UPDATES.get(part.kind, parts.update_text)(s, part, data)
    elif event.of == "choice":
        _update_choice(s, s.choice(event.choice), data)
    elif event.of == "message":
        _update_message(s, s.choice(event.choice), data, join=bool(event.join))
    else:
        s.early.append(data)
        if "origin" in data:
            s.set_origin(data["origin"])
        if s.choices or "origin" in data:
            _write_early(s)


def _update_response(s: WrittenStream, data: Wire) -> None:
    changed: Wire = {key: data[key] for key in _IDENTITY if key in data}
    if s.begun and not s.d.same_family:
        for key in (key for key, value in changed.items() if value != s.frame.get(key)):
            why = f"clients read `{key}` in the first chunk, which was sent before the value was known"
            s.drop(f"/{key}", why, "response_only")
    if (tier := take_tier(data.get("provider_data"), s.d, in_usage=False)) is not None:
        changed["service_tier"] = tier[0]
        data = data | {"provider_data": tier[1]}
    if "usage" in data and s.d.same_family:
        s.frame.setdefault("usage", data["usage"])
    if s.same_format and spelling_of(data).get("object") == "absent":
        s.frame.pop("object", None)
    own = s.own_fields(data, "", FRAME_FIELDS)
    _find_usage(s, value_at(own, s.profile.held_usage))
    for key, value in own.items():
        if key == "service_tier" and not (s.same_format or takes_tier(value, s.profile)):
            s.drop(*tier_refused(s.profile))
            s.frame.pop(key, None)  # an earlier one no longer counts
        elif type(value) in (dict, list):
            merge(s.once, {key: value})
        elif key in s.once or key not in _REPEATED:
            s.once[key] = value
        else:
            changed[key] = value
    s.frame |= changed
    s.unwritten |= bool(changed)


def _find_usage(s: WrittenStream, usage: Json) -> None:
    """Note a usage that goes back into another field than `usage`, so that its event does not write it again."""
    if s.same_format and usage is not None:
        s.usage_elsewhere = usage


def _update_choice(s: WrittenStream, choice: WrittenChoice, data: Wire) -> None:
    if (taken := take_probabilities(data, choice.path, s.d, in_texts=False)) is not None:
        tokens, data = taken
        s.send(choice, {}, beside={"logprobs": {"content": tokens, "refusal": None}})
    own = s.own_fields(data, choice.path, CHOICE_FIELDS)
    if not s.same_format:
        own.pop("usage", None)  # the usage of the response has these counts, too
    if own.get("logprobs") is not None:
        s.send(choice, {}, beside={"logprobs": own.pop("logprobs")})
    merge(choice.beside, own)
    if "usage" in own:
        _find_usage(s, choice.beside["usage"])
    if choice.stopped and choice.beside:
        beside = choice.beside
        choice.beside = {}
        s.send(choice, {}, beside=beside)


def _update_message(s: WrittenStream, choice: WrittenChoice, data: Wire, *, join: bool) -> None:
    choice.spelled |= spelling_of(data)
    choice.role_due |= data.get("role") == "assistant"
    own = s.own_fields(data, f"{choice.path}/message", s.profile.answer_fields)
    delta = _message_delta(s, choice, data)
    if join:
        delta = own | delta
    else:
        merge(choice.overlay, own)
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
        delta |= parts.empty_reasoning(s, choice)
    if data.get("refusal") == "" and (s.same_format or s.profile.refusals):
        delta["refusal"] = ""
    if s.same_format:
        fields = {"name": "name", "tool_calls": "tool_calls", "thinking_blocks": parts.reasoning_block_field(s, choice)}
        delta |= {field: copy_wire(data[key]) for key, field in fields.items() if key in data}
    elif data.get("name") is not None:
        if s.profile.names:
            delta["name"] = data["name"]
        else:
            s.drop(f"{choice.path}/message/name", f"answers of {s.d.target.name} have no `name` field")
    return delta


_TEXTS = frozenset({"refusal", "text", "thinking"})
"""The types of parts that grow by text, which is in the field of the same name."""
_PART_KINDS = {"tool_use": "call", "redacted_thinking": "redacted"}
"""The names of Chat Completions for some types of parts; any other part is called by its type."""
_PART_UPDATES = {
    "call": parts.update_call,
    "redacted": parts.update_block,
    "thinking": parts.update_block,
    "opaque": parts.update_opaque,
}
_WRITERS: dict[str, Callable[[WrittenStream, Any], None]] = {
    "message_start": _write_start,
    "text": parts.write_text,
    "thinking": parts.write_thinking,
    "signature": parts.write_signature,
    "redacted_thinking": parts.write_redacted,
    "refusal": parts.write_refusal,
    "tool_use_start": parts.write_tool_use_start,
    "arguments": parts.write_arguments,
    "tool_use": parts.write_tool_use,
    "part": _write_whole,
    "part_stop": parts.write_part_stop,
    "update": _write_update,
    "usage": _write_usage,
    "stop": _take_stop,
    "end": _write_end,
    "opaque": parts.write_opaque,
    "error": _write_error,
}
