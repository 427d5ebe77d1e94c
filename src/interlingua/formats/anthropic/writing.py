"""Writing streams of Anthropic Messages: the events that a message becomes, block by block."""

from __future__ import annotations

from typing import Any

from ...codec.block_stream import MESSAGE, Block
from ...codec.fields import Wire, copy_wire
from ...model import events
from ...model.base import Json
from ...model.exchange import Response
from ...model.parts import TextPart, ToolCall, to_json
from .base import FAMILY, AnthropicProfile, MessagesDump
from .blocks import dump_block, dump_call
from .citations import dump_citations
from .messages import dump_frame
from .responses import dump_envelope

_PROTOCOL = frozenset(
    {"message_start", "message_delta", "message_stop", "content_block_start", "content_block_delta", "content_block_stop"}
)
"""The events that a stream is made of; opaque events of these types are not passed on."""
_CUMULATIVE = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens", "server_tool_use")
"""The counts that a `message_delta` has even if they are not new (anthropic 2.11.0, `types/message_delta_usage.py`)."""
_ERROR = {"type": "api_error"}
_GROWTH: dict[type[Any], tuple[str, str, str]] = {
    events.TextDelta: ("text", "text_delta", "text"),
    events.RefusalDelta: ("refusal", "text_delta", "text"),
    events.ThinkingDelta: ("thinking", "thinking_delta", "thinking"),
    events.SignatureDelta: ("signature", "signature_delta", "signature"),
    events.ArgumentsDelta: ("arguments", "input_json_delta", "partial_json"),
}
"""Of each event that makes a block grow: its field, the type of the delta, and the field there."""


class MessagesShape:
    """The events of one stream."""

    amends = False

    def __init__(self, profile: AnthropicProfile) -> None:
        self._profile = profile
        self._sent: Wire = {}
        """The envelope, as far as it has been sent."""
        self._cited: dict[int, int] = {}
        """How many citations of a part are known, by its number."""

    def refuses_plain(self) -> str | None:
        return None if self._profile.unsigned_thinking else "thinking without a signature is refused"

    def ready(self, block: Block, d: MessagesDump) -> bool:
        if block.kind in ("redacted_thinking", "opaque"):
            return True
        if block.kind == "tool_use":
            # By the rules for conversions, only complete arguments show whether they are an object.
            return block.said and d.exact
        if block.kind == "thinking" and not d.exact:
            return block.signed or (block.said and self._profile.unsigned_thinking)
        return block.said or block.kind == "thinking"

    def pass_on(self, event: events.ErrorEvent | events.OpaqueEvent) -> list[Wire]:
        if isinstance(event, events.ErrorEvent):
            error = event.error
            return [{"type": "error", "error": copy_wire(error if type(error.get("type")) is str else error | _ERROR)}]
        kind: Json = event.value.get("type")
        passes = event.format == FAMILY and type(kind) is str and kind not in _PROTOCOL
        return [copy_wire(event.value)] if passes else []

    # The envelope

    def message_start(self, response: Response, d: MessagesDump) -> list[Wire]:
        self._sent = _envelope(response, d)
        self._sent["usage"] = {"input_tokens": 0, "output_tokens": 0} | (self._sent.get("usage") or {})
        return [{"type": "message_start", "message": copy_wire(self._sent)}]

    def message_stop(self, response: Response, d: MessagesDump) -> list[Wire]:
        before: Wire = self._sent["usage"]
        news = self._news(response, d)
        sent = self._sent
        counts: Wire = sent["usage"]
        usage = {key: value for key, value in counts.items() if key in _CUMULATIVE or key not in before or before[key] != value}
        sent["usage"] = before | counts
        delta = {"stop_reason": sent.get("stop_reason")}
        delta |= {key: sent[key] for key in ("stop_sequence", "stop_details") if key in sent}
        if "container" in news:
            delta["container"] = news["container"]
        rest = {key: value for key, value in news.items() if key not in delta and key != "usage"}
        return [copy_wire({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 0} | usage} | rest)]

    def end(self, response: Response, d: MessagesDump) -> list[Wire]:
        return [copy_wire(self._news(response, d) | {"type": "message_stop"})]

    def _news(self, response: Response, d: MessagesDump) -> Wire:
        """The fields of the envelope that have changed since they were sent."""
        now, sent = _envelope(response, d), self._sent
        if not now.get("usage"):
            now.pop("usage", None)
        self._sent = sent | now
        return {key: value for key, value in now.items() if key not in sent or sent[key] != value}

    # Blocks

    def block_start(self, block: Block, part: Any, at: str, d: MessagesDump) -> list[Wire] | None:
        wire: Wire | None
        self._cited[block.number] = len(getattr(part, "citations", None) or ())
        if isinstance(part, ToolCall):
            wire = dump_call(part, part.arguments, block.path, at, d)
        else:
            wire = dump_block(part, block.path, at, d, "assistant")
        if wire is None:
            return None
        deltas = _split_off(wire, block, d)
        return [{"type": "content_block_start", "index": block.written, "content_block": wire}, *deltas]

    def grow(self, block: Block, event: Any, d: MessagesDump) -> list[Wire]:
        if type(event) is events.Update:
            return self._grow_fields(block, event.data, d)
        if type(event) not in _GROWTH or (type(event) is events.ArgumentsDelta and d.exact and block.input_is_text):
            return []
        signs = type(event) is events.SignatureDelta
        if signs and d.is_foreign(event.issuer):
            d.drop(block.path + "/signature", f"only {event.issuer} can verify it")
            return []
        source, kind, field = _GROWTH[type(event)]
        value = getattr(event, source)
        return [_delta(block, kind, field, value)] if value or signs else []

    def _grow_fields(self, block: Block, data: Wire, d: MessagesDump) -> list[Wire]:
        """The deltas for an update of a block that has started: there are none but for citations."""
        chunks: list[Wire] = []
        for key, value in data.items():
            if key == "citations" and block.kind == "text" and not block.done:
                first, part = self._cited[block.number], TextPart(text="", citations=value)
                self._cited[block.number] += len(part.citations or ())
                cited = dump_citations(part, block.path, d, first)
                chunks += [_delta(block, "citations_delta", "citation", citation) for citation in cited]
            elif key == "citations" and block.kind == "text":
                for _ in value or ():
                    d.drop(f"{block.path}/citations/{self._cited[block.number]}", "its block has already ended")
                    self._cited[block.number] += 1
            elif key == "provider_data":
                d.drop_fields(TextPart(text="", provider_data=value), block.path)
            elif key not in ("input", "wire") and value not in (None, []):  # the input repeats the arguments
                d.drop(f"{block.path}/{key}", "its block has already started")
        return chunks

    def block_stop(self, block: Block, _d: MessagesDump) -> list[Wire]:
        return [{"type": "content_block_stop", "index": block.written}]


def _split_off(wire: Wire, block: Block, d: MessagesDump) -> list[Wire]:
    """Move what deltas bring from a block that starts into deltas."""
    kind, deltas = wire["type"], list[Wire]()
    if kind in ("text", "thinking"):
        if text := wire[kind]:
            wire[kind] = ""
            deltas.append(_delta(block, f"{kind}_delta", kind, text))
        if kind == "thinking" and "signature" in wire:
            deltas.append(_delta(block, "signature_delta", "signature", wire.pop("signature")))
    elif kind in ("tool_use", "server_tool_use"):
        value: Json = wire.get("input")
        text = value if type(value) is str else to_json(value)
        # Where input is text, it stays text: deltas would be read as an object.
        is_text = type(value) is str and (block.input_is_text if d.exact else not d.reads_input)
        if text and type(value) in (str, dict) and not is_text:
            wire["input"] = {}
            deltas.append(_delta(block, "input_json_delta", "partial_json", text))
    return deltas


def _envelope(response: Response, d: MessagesDump) -> Wire:
    message: Wire = {"content": []}
    out = dump_envelope(response, response.choices[0], d)
    dump_frame(response.message, message, MESSAGE, "", d)
    return out | message


def _delta(block: Block, kind: str, field: str, value: Any) -> Wire:
    return {"type": "content_block_delta", "index": block.written, "delta": {"type": kind, field: value}}
