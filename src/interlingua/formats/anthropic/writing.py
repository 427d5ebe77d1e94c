"""Write streams of Anthropic Messages: turn a message into events, block by block."""

from __future__ import annotations

from typing import Any

from ...codec.exceptions import written_exception
from ...codec.fields import Wire, copy_wire, join
from ...codec.streams.block_shape import MESSAGE, Block, BlockShape, added_text, late_citations, sent_before
from ...codec.streams.open_arguments import OpenArguments, without_arguments
from ...errors import escape
from ...model import events
from ...model.base import Json
from ...model.exchange import Response
from ...model.parts import to_json
from .base import FAMILY, MessagesDump
from .blocks import EMPTY_SIGNATURE
from .citations import dump_citation
from .messages import TURNS, dump_frame
from .responses import STOPS, dump_envelope

_PROTOCOL = frozenset(
    {"message_start", "message_delta", "message_stop", "content_block_start", "content_block_delta", "content_block_stop"}
)
"""The events of a stream itself; opaque events of these types are not passed on."""
_CUMULATIVE = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens", "server_tool_use")
"""The counts that a `message_delta` always has, new or not (anthropic 2.11.0, `types/message_delta_usage.py`)."""
_ERROR = {"type": "api_error"}
_GROWTH = {
    "text": ("text_delta", "text"),
    "refusal": ("text_delta", "text"),
    "thinking": ("thinking_delta", "thinking"),
    "signature": ("signature_delta", "signature"),
    "arguments": ("input_json_delta", "partial_json"),
}
"""For each canonical event that adds to a block: the type of the delta, and its field."""


def _report_late_tier(d: MessagesDump) -> None:
    """Report a service tier that the source sends at the end; clients read it in `message_start`."""
    tier = None if d.source is None else d.source.tier
    if d.source is None or tier is None:
        return
    at = "/usage/native" if tier.in_usage else "/provider_data"
    key = tier.path[-1]
    d.report("response_only", at + join((escape(d.source.family), key)), None, sent_before("service_tier"))


def _report_late_names(late: Wire, d: MessagesDump) -> None:
    """Report an id and a model that become known after `message_start`, in which clients read them."""
    for key in ("id", "model"):
        if key in late:
            d.report("response_only", f"/{key}", f"/{key}", sent_before(key))


def _reason_to_add(d: MessagesDump) -> str | None:
    """The stop reason to add if the source does not say why it ended: clients expect one in the last `message_delta`."""
    if d.same_family:
        return None
    word, _ = STOPS.dump(STOPS.meaning("stop", d.kinds or ()), None, same_family=False)
    d.report("added", "/choices/0/stop_reason", "/stop_reason", f"a stream must say why it ended: sent as {word}")
    return word


class MessagesShape(BlockShape):
    """Writes the events of one stream."""

    def __init__(self, *, framed: bool = False) -> None:
        self._framed = framed
        self._sent: Wire = {}
        self._end: Wire | None = None
        """The last `message_delta`; some hosts send their counts twice."""
        """The fields of the envelope that were sent."""
        self._unsigned = False
        """Whether the open block is thinking that has no signature yet."""
        self._empty: set[str] = set()
        """The thinking that is already reported to lack a signature."""

    def ready(self, block: Block, d: MessagesDump) -> bool:
        if block.kind == "redacted_thinking":
            return True
        if block.kind == "opaque":
            return block.fold.is_of(FAMILY)  # another format's id becomes known only at its end
        if block.kind == "tool_use":
            return block.has_content and (d.exact or d.reads_input)  # input that is JSON text is not sent in deltas
        if block.kind == "thinking":
            return block.has_content or block.signed or d.exact
        return block.has_content

    def pass_on(self, event: events.ErrorEvent | events.OpaqueEvent) -> list[Wire]:
        if isinstance(event, events.ErrorEvent):
            error = event.error
            if self._framed and type(error.get("type")) is not str:
                return [written_exception(error)]
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
        if "service_tier" in usage and not d.same_family:
            del usage["service_tier"]
            _report_late_tier(d)
        delta = {"stop_reason": sent.get("stop_reason") or _reason_to_add(d)}
        delta |= {key: sent[key] for key in ("stop_sequence", "stop_details") if key in sent}
        if "container" in news:
            delta["container"] = news["container"]
        rest = {key: value for key, value in news.items() if key not in delta and key != "usage"}
        end = copy_wire({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 0} | usage} | rest)
        repeats = end == self._end and not d.same_family
        self._end = end
        return [] if repeats else [end]

    def end(self, response: Response, d: MessagesDump) -> list[Wire]:
        return [copy_wire(self._news(response, d) | {"type": "message_stop"})]

    def _news(self, response: Response, d: MessagesDump) -> Wire:
        """The fields of the envelope that have changed since they were sent."""
        now = _envelope(response, d)
        sent = self._sent
        if not now.get("usage"):
            now.pop("usage", None)
        self._sent = sent | now
        news = {key: value for key, value in now.items() if key not in sent or sent[key] != value}
        if not d.same_family:
            _report_late_names(news, d)
        return news

    # Blocks

    def block_start(self, block: Block, part: Any, at: str, d: MessagesDump) -> list[Wire] | None:
        d.is_response = True
        begun = ""
        d.is_response = True
        d.may_be_signed = not block.stopped
        if block.kind == "tool_use" and not (block.stopped or d.exact):
            part, field, begun = without_arguments(part)
            block.arguments = OpenArguments(f"{block.path}/{field}", at + "/input", custom=bool(part.custom))
        wire = TURNS.piece(part, block.path, at, d, "assistant")
        if wire is None:
            return None
        if isinstance(wire, list):
            return _begun(wire, block, d)
        if block.arguments is not None:
            wire["input"] = Wire()
            deltas = _arguments(block, block.arguments.add(begun, whole=block.is_whole))
        else:
            self._unsigned = d.may_be_signed and not d.exact and wire.get("signature") == ""
            deltas = _split_off(wire, block, d)
        return [{"type": "content_block_start", "index": block.written, "content_block": wire}, *deltas]

    def grow(self, block: Block, event: Any, d: MessagesDump) -> list[Wire]:
        if event.type == "text":
            return [_delta(block, "text_delta", "text", event.text)] if event.text else []  # true of most events
        if type(event) is events.Update:
            made = [dump_citation(citation, path, d) for citation, path in late_citations(block, event.data, d)]
            return [_delta(block, "citations_delta", "citation", wire) for wire in made if wire is not None]
        if block.arguments is not None and event.type == "arguments":
            return _arguments(block, block.arguments.add(event.arguments))
        text = added_text(event, block, d)
        if text and event.type == "signature":
            self._unsigned = False
        return [_delta(block, *_GROWTH[event.type], text)] if text or (text == "" and event.type == "signature") else []

    def block_stop(self, block: Block, d: MessagesDump) -> list[Wire]:
        if self._unsigned and block.path not in self._empty:
            d.report("changed", block.path, block.at, EMPTY_SIGNATURE)
            self._empty.add(block.path)
        self._unsigned = False
        rest = [] if block.arguments is None else _arguments(block, block.arguments.end(d))
        return [*rest, {"type": "content_block_stop", "index": block.written}]


def _begun(wires: list[Wire], block: Block, d: MessagesDump) -> list[Wire]:
    """The starts of the blocks that a part becomes; the last block stays open."""
    chunks: list[Wire] = []
    for wire in wires:
        if chunks and block.written is not None:
            chunks.append({"type": "content_block_stop", "index": block.written})
            block.written += 1
        deltas = _split_off(wire, block, d)
        chunks += [{"type": "content_block_start", "index": block.written, "content_block": wire}, *deltas]
    return chunks


def _arguments(block: Block, text: str) -> list[Wire]:
    return [_delta(block, "input_json_delta", "partial_json", text)] if text else []


def _split_off(wire: Wire, block: Block, d: MessagesDump) -> list[Wire]:
    """Move what deltas must carry out of the start of a block."""
    kind: Json = wire.get("type")  # a block that is kept whole may lack it
    deltas: list[Wire] = []
    if kind in ("text", "thinking"):
        text: Json = wire.get(kind)
        if type(text) is str and text:
            wire[kind] = ""
            deltas.append(_delta(block, f"{kind}_delta", kind, text))
        is_signed = "signature" in wire and (wire["signature"] or d.exact)
        if kind == "thinking" and is_signed:
            deltas.append(_delta(block, "signature_delta", "signature", wire["signature"]))
            wire["signature"] = ""
    elif kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
        value: Json = wire.get("input")
        text = value if type(value) is str else to_json(value)
        # If input is JSON text, it stays in the start: clients would read deltas as an object.
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
