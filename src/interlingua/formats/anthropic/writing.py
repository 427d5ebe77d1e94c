"""Writing streams of Anthropic Messages: how a message is told in them, block by block."""

from __future__ import annotations

import json
from typing import Any

from ...codec.block_stream import MESSAGE, Block
from ...codec.fields import Wire, copy_wire
from ...model.base import Json
from ...model.events import (
    ArgumentsDelta,
    ErrorEvent,
    OpaqueEvent,
    RefusalDelta,
    SignatureDelta,
    TextDelta,
    ThinkingDelta,
    Update,
)
from ...model.exchange import Response
from ...model.messages import TextPart, ToolCall, ToolUsePart
from .base import FAMILY, AnthropicProfile, MessagesDump
from .blocks import dump_block, dump_call
from .messages import dump_frame
from .responses import dump_envelope

_PROTOCOL = frozenset(
    {"message_start", "message_delta", "message_stop", "content_block_start", "content_block_delta", "content_block_stop"}
)
_CUMULATIVE = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens", "server_tool_use")
"""What a `message_delta` says of the usage, whether it is news or not."""
_ERROR = {"type": "api_error"}


class MessagesShape:
    """The events of one stream."""

    def __init__(self, profile: AnthropicProfile) -> None:
        self._profile = profile
        self._sent: Wire = {}
        """The envelope, as far as it has been told."""

    def refuses_plain(self, d: MessagesDump) -> str | None:
        return None if self._profile.unsigned_thinking else "thinking without a signature is refused"

    def ready(self, block: Block, d: MessagesDump) -> bool:
        if block.kind in ("redacted_thinking", "opaque"):
            return True
        if block.kind == "tool_use":
            # Elsewhere it takes all its arguments to tell whether they are an object.
            return block.said and d.exact
        if block.kind == "thinking" and not d.exact:
            return block.signed or (block.said and self._profile.unsigned_thinking)
        return block.said or block.kind == "thinking"

    def pass_on(self, event: ErrorEvent | OpaqueEvent) -> list[Wire]:
        if isinstance(event, ErrorEvent):
            error = event.error
            return [{"type": "error", "error": copy_wire(error if type(error.get("type")) is str else error | _ERROR)}]
        # An event that is not known here goes on as it is.
        kind = event.value.get("type")
        return [copy_wire(event.value)] if event.format == FAMILY and kind is not None and kind not in _PROTOCOL else []

    # The envelope

    def message_start(self, response: Response, d: MessagesDump) -> list[Wire]:
        self._sent = _envelope(response, d)
        self._sent["usage"] = {"input_tokens": 0, "output_tokens": 0} | (self._sent.get("usage") or {})
        return [{"type": "message_start", "message": copy_wire(self._sent)}]

    def message_stop(self, response: Response, d: MessagesDump) -> list[Wire]:
        before: Wire = self._sent["usage"]
        news = self._news(response, d)
        sent = self._sent
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
        return [copy_wire({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 0} | usage} | rest)]

    def end(self, response: Response, d: MessagesDump) -> list[Wire]:
        return [copy_wire(self._news(response, d) | {"type": "message_stop"})]

    def _news(self, response: Response, d: MessagesDump) -> Wire:
        """What the envelope says by now that has not been told."""
        now, sent = _envelope(response, d), self._sent
        if not now.get("usage"):
            now.pop("usage", None)
        self._sent = sent | now
        return {key: value for key, value in now.items() if key not in sent or sent[key] != value}

    # Blocks

    def block_start(self, block: Block, part: Any, at: str, d: MessagesDump) -> list[Wire] | None:
        wire: Wire | None
        if isinstance(part, ToolUsePart | ToolCall):
            given: Any = part.input if isinstance(part, ToolUsePart) else part.arguments
            wire = dump_call(part, given, block.path, at, d)
        else:
            wire = dump_block(part, block.path, at, d, "assistant")
        if wire is None:
            return None
        deltas: list[Wire] = []
        kind = wire["type"]
        if kind == "text" and wire["text"]:
            deltas.append(_grown(block, "text_delta", "text", wire["text"]))
            wire["text"] = ""
        elif kind == "thinking":
            if wire["thinking"]:
                deltas.append(_grown(block, "thinking_delta", "thinking", wire["thinking"]))
                wire["thinking"] = ""
            if "signature" in wire:
                deltas.append(_grown(block, "signature_delta", "signature", wire.pop("signature")))
        elif kind in ("tool_use", "server_tool_use"):
            value = wire.get("input")
            text = value if type(value) is str else json.dumps(value, ensure_ascii=False)
            if text and type(value) in (str, dict) and not (d.exact and block.input_is_text):
                wire["input"] = {}
                deltas.append(_grown(block, "input_json_delta", "partial_json", text))
        return [{"type": "content_block_start", "index": block.written, "content_block": wire}, *deltas]

    def grow(self, block: Block, event: Any, d: MessagesDump) -> list[Wire]:
        if isinstance(event, TextDelta | RefusalDelta):
            text = event.text if isinstance(event, TextDelta) else event.refusal
            return [_grown(block, "text_delta", "text", text)] if text else []
        if isinstance(event, ThinkingDelta):
            return [_grown(block, "thinking_delta", "thinking", event.thinking)] if event.thinking else []
        if isinstance(event, SignatureDelta):
            if d.is_foreign(event.issuer):
                d.drop(block.path + "/signature", f"only {event.issuer} can verify it")
                return []
            return [_grown(block, "signature_delta", "signature", event.signature)]
        if isinstance(event, ArgumentsDelta):
            grows = event.arguments and not (d.exact and block.input_is_text)
            return [_grown(block, "input_json_delta", "partial_json", event.arguments)] if grows else []
        chunks: list[Wire] = []
        if isinstance(event, Update):
            value: Json
            for key, value in event.data.items():
                if key == "provider_data" and type(value) is dict:
                    chunks += _grow_own(block, value, d)
                elif key not in ("input", "wire"):  # the input repeats the arguments
                    d.drop(f"{block.path}/{key}", "its block had begun without it")
        return chunks

    def block_stop(self, block: Block) -> list[Wire]:
        return [{"type": "content_block_stop", "index": block.written}]


def _grow_own(block: Block, data: Wire, d: MessagesDump) -> list[Wire]:
    chunks: list[Wire] = []
    overlay: Json
    value: Json
    for family, overlay in data.items():
        for key, value in overlay.items() if type(overlay) is dict else ():
            if family == FAMILY and key == "citations" and type(value) is list and not block.done:
                chunks += [_grown(block, "citations_delta", "citation", copy_wire(citation)) for citation in value]
            elif family == FAMILY:
                d.drop(f"{block.path}/provider_data/{family}/{key}", "its block had begun without it")
            else:
                owner = TextPart(text="", provider_data={family: {key: value}})
                d.lay_provider_data(owner, {}, block.path, lambda _: False)
    return chunks


def _envelope(response: Response, d: MessagesDump) -> Wire:
    message: Wire = {"content": []}
    out = dump_envelope(response, response.choices[0], d)
    dump_frame(response.message, message, MESSAGE, "", d)
    return out | message


def _grown(block: Block, kind: str, field: str, value: Any) -> Wire:
    return {"type": "content_block_delta", "index": block.written, "delta": {"type": kind, field: value}}
