"""Writing streams of Anthropic Messages: how canonical events are told in them.

One block is open at a time: what belongs to later parts waits until their turn.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from ..._model import Json
from ...errors import StreamError, faults_of
from ...events import (
    ArgumentsDelta,
    ErrorEvent,
    Event,
    Fold,
    MessageStart,
    OpaqueEvent,
    PartStop,
    RedactedThinking,
    RefusalDelta,
    SignatureDelta,
    Stop,
    StreamEnd,
    TextDelta,
    ThinkingDelta,
    ToolUse,
    ToolUseStart,
    Update,
    UsageUpdate,
)
from ...exchange import Response
from ...format import SPELLING, Dumping, Format, Wire, copy_plain
from ...losses import Loss
from ...messages import TextPart, ToolCall, ToolUsePart
from .base import FAMILY, MessagesDumping
from .blocks import dump_block, dump_call
from .messages import dump_frame
from .responses import (
    MESSAGE,
    dump_envelope,
)

_PROTOCOL = frozenset(
    {"message_start", "message_delta", "message_stop", "content_block_start", "content_block_delta", "content_block_stop"}
)
_CUMULATIVE = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens", "server_tool_use")
"""What a `message_delta` says of the usage, whether it is news or not."""

_KINDS: dict[type[Any], str] = {
    TextDelta: "text",
    ThinkingDelta: "thinking",
    SignatureDelta: "thinking",
    RedactedThinking: "redacted_thinking",
    RefusalDelta: "refusal",
    ToolUseStart: "tool_use",
    ArgumentsDelta: "tool_use",
    OpaqueEvent: "opaque",
    Update: "text",
}
_FLAT_ORDER = {"thinking": 0, "redacted_thinking": 0, "text": 1, "opaque": 1, "refusal": 2, "tool_use": 3}
"""Which parts come first where a flat message has them in fields of their own."""


class _Part:
    """A part on its way out: what waits is folded, what stands in the open block goes straight on."""

    def __init__(self, kind: str, path: str) -> None:
        self.kind = kind
        self.path = path
        self.fold = Fold()
        self.fold.add(MessageStart(spelling="blocks"))
        self.said = self.signed = self.stopped = self.done = False
        self.spelled = False
        """Whether its input is text for good, not an object on its way."""
        self.written: int | None = None
        """The index of its block."""


_PLAIN = -1
"""The place of reasoning that a flat message has as plain text."""


class MessagesWriting:
    """What events look like in one stream."""

    def __init__(self, format: Format, formats: Mapping[str, Format]) -> None:
        self._formats = formats
        self.losses: list[Loss] = []
        self._format = format
        self._fold = Fold()
        self._d: MessagesDumping | None = None
        self._sent: Wire | None = None
        """The envelope, as far as it has been told."""
        self._flat, self._stopped = True, False
        self._parts: dict[int, _Part] = {}
        self._counts: dict[str, int] = {}
        self._waiting: list[_Part] = []
        self._open: _Part | None = None
        self._blocks = 0
        self._furthest = 0
        self._plain: list[str] = []
        self._thinking: list[str] = []
        self._others: set[int] = set()

    def write(self, event: Event) -> list[Wire]:
        """The chunks that an event becomes; raises `StreamError` where the events make no message."""
        opened = self._open
        if type(event) is TextDelta and opened is not None and self._parts.get(event.index) is opened and not event.choice:
            # Nearly all events are of this kind.
            return [_grown(opened, "text_delta", "text", event.text)] if event.text else []
        if isinstance(event, MessageStart):
            # Whichever choice begins first tells of the response as a whole.
            self._fold.add(event)
            self._flat = event.spelling == "flat"
        choice: int = getattr(event, "choice", 0)
        if choice:
            if choice not in self._others:
                self._others.add(choice)
                self.losses.append(Loss(f"/choices/{choice}", None, "dropped", "there is one answer here"))
            return []
        if isinstance(event, ToolUse):
            return []
        if isinstance(event, ErrorEvent):
            error = event.error
            return [{"type": "error", "error": copy_plain(error if type(error.get("type")) is str else error | _ERROR)}]
        if isinstance(event, OpaqueEvent) and event.index is None:
            # An event that is not known here goes on as it is.
            kind = event.value.get("type")
            return [copy_plain(event.value)] if event.format == FAMILY and kind is not None and kind not in _PROTOCOL else []
        if isinstance(event, UsageUpdate) or (isinstance(event, Update) and event.of != "part"):
            self._fold.add(event)
            return [self._message_delta()] if self._stopped and isinstance(event, UsageUpdate) else []
        if isinstance(event, StreamEnd) and self._d is None:
            return []
        d = self._d or self._begin()
        if isinstance(event, MessageStart):
            return []
        if isinstance(event, Stop):
            return self._stop(event, d)
        return self._end(event, d) if isinstance(event, StreamEnd) else self._take(event, d)

    def _begin(self) -> MessagesDumping:
        self._fold.add(MessageStart())
        self._d = self._dumping(self.losses)
        return self._d

    def _dumping(self, losses: list[Loss]) -> MessagesDumping:
        origin = _response(self._fold).origin or ""
        notes = Dumping(self._format, self._formats.get(origin), home=origin == self._format.name)
        notes.losses = losses
        d = MessagesDumping(notes, self._format.profile)
        # A flat message never came from here.
        d.home = notes.home and not self._flat
        return d

    # The envelope

    def _message_start(self) -> list[Wire]:
        """The start of the message, if it has not been told: as late as can be, for it tells what is known by then."""
        if self._sent is not None:
            return []
        # Nothing has been told of its end, and nothing is wrong with that.
        self._sent = self._tell(but="/choices/0/incomplete")
        self._sent["usage"] = {"input_tokens": 0, "output_tokens": 0} | (self._sent.get("usage") or {})
        return [{"type": "message_start", "message": copy_plain(self._sent)}]

    def _tell(self, but: str | None = None) -> Wire:
        """The envelope by now; tells of its losses."""
        losses: list[Loss] = []
        response = _response(self._fold)
        d = self._dumping(losses)
        message: Wire = {"content": []}
        out = dump_envelope(response, response.choices[0], d)
        dump_frame(response.message, message, MESSAGE, "", d)
        self.losses += [loss for loss in losses if loss not in self.losses and loss.path != but]
        return out | message

    def _news(self) -> Wire:
        """What the envelope says by now that has not been told."""
        now, sent = self._tell(), self._sent or {}
        if not now.get("usage"):
            now.pop("usage", None)
        self._sent = sent | now
        return {key: value for key, value in now.items() if key not in sent or sent[key] != value}

    def _message_delta(self) -> Wire:
        before: Wire = self._sent["usage"] if self._sent is not None else {}
        news = self._news()
        sent: Wire = self._sent or {}
        usage = {
            key: value
            for key, value in sent["usage"].items()
            if key in _CUMULATIVE or key not in before or before[key] != value
        }
        sent["usage"] = before | sent["usage"]
        delta = {"stop_reason": sent.get("stop_reason")}
        delta |= {key: sent[key] for key in ("stop_sequence", "stop_details") if key in sent}
        if "container" in news:
            delta["container"] = news["container"]
        rest = {key: value for key, value in news.items() if key not in delta and key != "usage"}
        return copy_plain({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 0} | usage} | rest)

    def _stop(self, event: Stop, d: MessagesDumping) -> list[Wire]:
        chunks = self._finish(d)
        self._fold.add(event)
        self._stopped = True
        plain = "".join(self._plain) if self._plain else _response(self._fold).message.reasoning_content
        repeats = bool(self._thinking) and plain == "".join(self._thinking)
        if plain is not None and not repeats and not (plain and d.profile.unsigned_thinking):
            d.notes.drop(f"{MESSAGE}/reasoning_content", "thinking without a signature is refused")
        return [*chunks, self._message_delta()]

    def _end(self, event: StreamEnd, d: MessagesDumping) -> list[Wire]:
        chunks = self._finish(d)
        self._fold.add(event)
        if not self._stopped:
            chunks.append(self._message_delta())
        return [*chunks, copy_plain(self._news() | {"type": "message_stop"})]

    def _finish(self, d: MessagesDumping) -> list[Wire]:
        """What is left of the parts, with the start of the message where nothing stood in it."""
        for part in self._parts.values():
            part.stopped = True
        return [*self._message_start(), *self._advance(d)]

    # Parts

    def _take(self, event: Any, d: MessagesDumping) -> list[Wire]:
        if isinstance(event, PartStop):
            part = self._parts.get(event.index)
            if part is None:
                return []
            part.stopped = True
            if not (part.done or d.home or self._flat):
                part.fold.add(event)
            return self._advance(d)
        index = event.index
        if isinstance(event, ThinkingDelta) and event.field != "block":
            self._plain.append(event.thinking)
            if event.field == "text":
                if not d.profile.unsigned_thinking:
                    return []
                index, event = _PLAIN, ThinkingDelta(index=0, thinking=event.thinking)
        if isinstance(event, ThinkingDelta) and index != _PLAIN:
            self._thinking.append(event.thinking)
        part = self._parts.get(index)
        if part is not None and part.done:
            if part.written is None:
                return []  # the whole has been told as lost
            part = self._go_on(part, event, d)
            if part is None:
                return []
            self._parts[index] = part
        elif part is None:
            part = self._parts[index] = self._new(_KINDS[type(event)], plain=index == _PLAIN)
        if part is self._open:
            return self._grow(part, event, d)
        part.fold.add(event)
        if isinstance(event, SignatureDelta):
            part.signed = True
        elif isinstance(event, TextDelta):
            part.said = part.said or d.home or not (not event.text or event.text.isspace())
        elif isinstance(event, RefusalDelta):
            part.said = part.said or not (not event.refusal or event.refusal.isspace())
        elif isinstance(event, ThinkingDelta):
            part.said = part.said or event.thinking != ""
        elif isinstance(event, ArgumentsDelta):
            part.said = True
        elif isinstance(event, Update):
            part.spelled = part.spelled or "input" in event.data
        return self._advance(d)

    def _new(self, kind: str, *, plain: bool) -> _Part:
        group = {"redacted_thinking": "thinking", "opaque": "text"}.get(kind, kind) if self._flat else ""
        count = self._counts.get(group, 0)
        if not self._flat:
            path = f"/content/{count}"
        elif plain:
            path = "/reasoning_content"
        elif group == "text":
            path = "/content" if kind == "text" else f"/content/{count}"
        elif group == "refusal":
            path = "/refusal"
        else:
            path = f"/{'tool_calls' if group == 'tool_use' else 'thinking_blocks'}/{count}"
        if not plain:
            self._counts[group] = count + 1
        part = _Part(kind, MESSAGE + path)
        self._waiting.append(part)
        return part

    def _go_on(self, part: _Part, event: Any, d: MessagesDumping) -> _Part | None:
        """A further block for what comes of a part when its block has been stopped; None where it can have none."""
        if isinstance(event, TextDelta | ThinkingDelta | RefusalDelta):
            d.notes.tell("changed", part.path, f"/content/{part.written}", "it goes on in a further block")
            more = _Part(part.kind, part.path)
            self._waiting.append(more)
            return more
        if isinstance(event, Update):
            self._grow(part, event, d)
        else:
            d.notes.tell("changed", part.path, f"/content/{part.written}", "more of it came when its block had ended")
        return None

    def _advance(self, d: MessagesDumping) -> list[Wire]:
        """Write what can be written: one block at a time, the next when the one before has stopped."""
        chunks: list[Wire] = []
        while True:
            part = self._open
            if part is None:
                if not self._waiting:
                    return chunks
                part = self._following()
                if not (self._over(part, d) or self._ready(part, d)):
                    return chunks
                over = self._over(part, d)
                self._waiting.remove(part)
                chunks += self._start(part, d)
                if part.done:
                    continue
            else:
                over = self._over(part, d)
            if not over:
                return chunks
            chunks.append({"type": "content_block_stop", "index": part.written})
            part.done, self._open = True, None

    def _following(self) -> _Part:
        if not self._flat:
            return self._waiting[0]
        # Reasoning of which nothing has come yet holds nothing up.
        begun = [part for part in self._waiting if part.kind != "thinking" or part.said or part.signed or part.stopped]
        return min(begun or self._waiting, key=lambda part: _FLAT_ORDER[part.kind])

    def _over(self, part: _Part, d: MessagesDumping) -> bool:
        """Whether nothing more is to come; a flat message's reasoning is over when something else is ready."""
        if part.stopped or not self._flat or _FLAT_ORDER[part.kind]:
            return part.stopped
        return any(_FLAT_ORDER[other.kind] and (other.stopped or self._ready(other, d)) for other in self._waiting)

    def _ready(self, part: _Part, d: MessagesDumping) -> bool:
        """Whether enough is known of the part to begin its block."""
        if part.kind in ("redacted_thinking", "opaque"):
            return True
        if part.kind == "tool_use":
            # Elsewhere it takes all its arguments to tell whether they are an object.
            return part.said and d.home
        if part.kind == "thinking" and not d.home:
            return part.signed or (part.said and d.profile.unsigned_thinking)
        return part.said or part.kind == "thinking"

    def _start(self, part: _Part, d: MessagesDumping) -> list[Wire]:
        """The start of the part's block and what is known of it by now; nothing, and told, where it has no place."""
        whole: Any = _response(part.fold).message.content
        whole = whole[0]
        at = f"/content/{self._blocks}"
        block: Wire | None
        if isinstance(whole, ToolUsePart):
            block = dump_call(_flat_call(whole) if self._flat else whole, whole.input, part.path, at, d)
        else:
            block = dump_block(whole, part.path, at, d, "assistant")
        if block is None:
            part.done = True
            return []
        if self._flat:
            if _FLAT_ORDER[part.kind] < self._furthest:
                d.notes.tell("moved", part.path, at, "it stands behind what had begun before it")
            self._furthest = max(self._furthest, _FLAT_ORDER[part.kind])
        part.written = self._blocks
        self._blocks += 1
        self._open = part
        deltas: list[Wire] = []
        kind = block["type"]
        if kind == "text" and block["text"]:
            deltas.append(_grown(part, "text_delta", "text", block["text"]))
            block["text"] = ""
        elif kind == "thinking":
            if block["thinking"]:
                deltas.append(_grown(part, "thinking_delta", "thinking", block["thinking"]))
                block["thinking"] = ""
            if "signature" in block:
                deltas.append(_grown(part, "signature_delta", "signature", block.pop("signature")))
        elif kind in ("tool_use", "server_tool_use"):
            value = block.get("input")
            text = value if type(value) is str else json.dumps(value, ensure_ascii=False)
            if text and type(value) in (str, dict) and not (d.home and part.spelled):
                block["input"] = {}
                deltas.append(_grown(part, "input_json_delta", "partial_json", text))
        start: Wire = {"type": "content_block_start", "index": part.written, "content_block": block}
        return [*self._message_start(), start, *deltas]

    def _grow(self, part: _Part, event: Any, d: MessagesDumping) -> list[Wire]:
        """The deltas of an event for the open block."""
        if isinstance(event, TextDelta | RefusalDelta):
            text = event.text if isinstance(event, TextDelta) else event.refusal
            return [_grown(part, "text_delta", "text", text)] if text else []
        if isinstance(event, ThinkingDelta):
            return [_grown(part, "thinking_delta", "thinking", event.thinking)] if event.thinking else []
        if isinstance(event, SignatureDelta):
            if d.foreign(event.issuer):
                d.notes.drop(part.path + "/signature", f"only {event.issuer} can verify it")
                return []
            return [_grown(part, "signature_delta", "signature", event.signature)]
        if isinstance(event, ArgumentsDelta):
            grows = event.arguments and not (d.home and part.spelled)
            return [_grown(part, "input_json_delta", "partial_json", event.arguments)] if grows else []
        chunks: list[Wire] = []
        if isinstance(event, Update):
            value: Json
            for key, value in event.data.items():
                if key == "provider_data" and type(value) is dict:
                    chunks += self._grow_own(part, value, d)
                elif key != "input":  # which repeats the arguments
                    d.notes.drop(f"{part.path}/{key}", "its block had begun without it")
        return chunks

    def _grow_own(self, part: _Part, data: Wire, d: MessagesDumping) -> list[Wire]:
        chunks: list[Wire] = []
        overlay: Json
        value: Json
        for family, overlay in data.items():
            for key, value in overlay.items() if type(overlay) is dict else ():
                if key == SPELLING:
                    continue
                if family == FAMILY and key == "citations" and type(value) is list and not part.done:
                    chunks += [_grown(part, "citations_delta", "citation", copy_plain(citation)) for citation in value]
                elif family == FAMILY:
                    d.notes.drop(f"{part.path}/provider_data/{family}/{key}", "its block had begun without it")
                else:
                    owner = TextPart(text="", provider_data={family: {key: value}})
                    d.notes.extras(owner, {}, part.path, lambda _: False)
        return chunks


_ERROR = {"type": "api_error"}


def _grown(part: _Part, kind: str, field: str, value: Any) -> Wire:
    return {"type": "content_block_delta", "index": part.written, "delta": {"type": kind, field: value}}


def _flat_call(part: ToolUsePart) -> ToolCall:
    given: dict[str, Any] = {name: getattr(part, name) for name in part.model_fields_set - {"type", "input"}}
    return ToolCall(**given, arguments=part.arguments)


def _response(fold: Fold) -> Response:
    try:
        return fold.response()
    except ValidationError as error:
        fault = faults_of(error)[0]
        raise StreamError(f"{fault.path}: {fault.reason}") from None
