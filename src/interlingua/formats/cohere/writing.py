"""Write streams of Cohere's Chat: turn a message into events, part by part.

`BlockWriting` (`codec/streams/block_stream.py`) calls the shape when a part begins, grows and ends. The shape writes the events
and numbers the parts of the content, the calls and the citations separately, as Cohere does.
"""

from __future__ import annotations

from typing import Any

from ...codec.error_bodies import read_error
from ...codec.fields import Wire, copy_wire
from ...codec.streams.block_shape import MESSAGE, Block, BlockShape, added_text, sent_before
from ...codec.streams.open_arguments import OpenArguments, without_arguments
from ...model import events as ev
from ...model.base import Json
from ...model.exchange import Response
from ...model.parts import TextPart
from .base import FAMILY, PLAN, CohereDump, is_plan
from .citations import dump_citation
from .messages import dump_call, is_left_out
from .parts import dump_part, finish_part
from .responses import dump_envelope

_BEGUN: Wire = {"role": "assistant", "content": [], PLAN: "", "tool_calls": [], "citations": []}
"""The message as it begins."""
_GROWING = {"text": "text", "refusal": "text", "thinking": "thinking"}
"""The field of the content that an event adds to, by the kind of the event."""


class CohereShape(BlockShape):
    """Writes the events of one stream."""

    amends = True
    signed = ()

    def __init__(self) -> None:
        self._plan: Block | None = None
        self._content = 0
        """How many parts of the content were sent."""
        self._calls = 0
        self._citations = 0
        self._logprobs = 0
        self._indices: dict[int, int] = {}
        """The index of each part of the content, or of each call, by the number of its block."""
        self._rest = 0
        """How many of the citations that stay with the message were sent."""
        self._ended: Wire | None = None
        """The fields of the end event that was sent; None if none was."""
        self._id: str | None = None
        """The id of the answer that was sent or reported."""

    def ready(self, block: Block, _d: CohereDump) -> bool:
        if block.kind == "tool_use":
            return block.has_content or block.fold.has_id()  # some hosts send the id after the name
        return block.has_content and block.kind in _GROWING

    def pass_on(self, event: ev.ErrorEvent | ev.OpaqueEvent) -> list[Wire]:
        if isinstance(event, ev.ErrorEvent):
            error = read_error({"error": event.error})
            kind: Wire = {} if error.type is None else {"error_type": error.type}
            self._ended = {"finish_reason": "ERROR"}
            return [{"type": "message-end", "delta": {**self._ended, "error": error.message, **kind}}]
        passes = event.format == FAMILY and event.value.get("type") == "debug"
        return [copy_wire(event.value)] if passes else []

    # The envelope

    def message_start(self, response: Response, _d: CohereDump) -> list[Wire]:
        self._id = response.id
        known: Wire = {} if response.id is None else {"id": response.id}
        return [{"type": "message-start", **known, "delta": {"message": copy_wire(_BEGUN)}}]

    def message_stop(self, _response: Response, _d: CohereDump) -> list[Wire]:
        return []  # the usage may become known later

    def end(self, response: Response, d: CohereDump) -> list[Wire]:
        if response.id != self._id:
            self._id = response.id
            d.report("response_only", "/id", None, sent_before("id"))
        chunks = self._rest_of_message(response, d)
        delta: Wire = {}
        dump_envelope(response, delta, d)
        chunks += self._probabilities(delta.pop("logprobs", None))
        if delta == self._ended:
            return chunks
        self._ended = delta
        return [*chunks, {"type": "message-end", "delta": copy_wire(delta)}]

    def _rest_of_message(self, response: Response, d: CohereDump) -> list[Wire]:
        """The citations that stay with the message; its other fields besides its parts are reported."""
        message = response.message
        d.drop_named(message, MESSAGE, "name", "cache_control")
        out: Wire = {}
        d.lay_provider_data(message, out, MESSAGE, lambda key: key == "citations")
        citations: Json = out.get("citations")
        found: list[Any] = citations if type(citations) is list else []
        new = found[self._rest :]
        self._rest = len(found)
        return [chunk for citation in new for chunk in self._cite(citation)]

    def _probabilities(self, items: Json) -> list[Wire]:
        """The log probabilities of tokens, as deltas have them."""
        found: list[Any] = items if type(items) is list else []
        new = found[self._logprobs :]
        self._logprobs = len(found)
        last = max(self._content - 1, 0)
        return [_delta("content-delta", last, {"content": {}}) | {"logprobs": item} for item in new]

    # Parts

    def block_start(self, block: Block, part: Any, _at: str, d: CohereDump) -> list[Wire] | None:
        d.is_response = True
        if block.kind == "tool_use":
            return self._call_start(block, part, d)
        may_be_plan = self._plan is None and (d.exact or d.same_family)
        if may_be_plan and is_plan(part):
            return self._plan_start(block, part, d)
        if is_left_out(part, block.path, d):
            return None
        at = f"/message/content/{self._content}"
        wire = dump_part(part, block.path, at, d, "assistant")
        if wire is None:
            return None
        block.at = at
        if self._calls and not d.same_family:
            d.report("moved", block.path, at, "Cohere puts text and reasoning before the tool calls")
        index = self._indices[block.number] = self._content
        self._content += 1
        chunks = _content_chunks(wire, index)
        for n, citation in enumerate(getattr(part, "citations", None) or ()):
            chunks += self._cited(dump_citation(citation, f"{block.path}/citations/{n}", index, d))
        return chunks

    def _plan_start(self, block: Block, part: Any, d: CohereDump) -> list[Wire]:
        self._plan = block
        block.at = f"/message/{PLAN}"
        d.places[block.at] = block.path
        finish_part(part, {}, block.path, d)
        return [_plan(part.thinking)] if part.thinking else []

    def _call_start(self, block: Block, part: Any, d: CohereDump) -> list[Wire]:
        block.at = f"/message/tool_calls/{self._calls}"
        index = self._indices[block.number] = self._calls
        self._calls += 1
        if part.custom:
            part, field, begun = without_arguments(part)
            block.arguments = OpenArguments(f"{block.path}/{field}", f"{block.at}/function/arguments", custom=True)
            wire = dump_call(part, block.path, block.at, d)
            wire["function"]["arguments"] = ""
            text = block.arguments.add(begun, whole=block.is_whole)
        else:
            wire = dump_call(part, block.path, block.at, d)
            text = wire["function"].get("arguments")
            if text:
                wire["function"]["arguments"] = ""
        start = _delta("tool-call-start", index, {"tool_calls": wire})
        return [start, *self._arguments(block, text)] if text else [start]

    def grow(self, block: Block, event: Any, d: CohereDump) -> list[Wire]:
        if type(event) is ev.Update:
            return self._update(block, event.data, d)
        if block.arguments is not None and event.type == "arguments":
            added = block.arguments.add(event.arguments)
            return self._arguments(block, added) if added else []
        if event.type == "signature":
            d.sent_signature(event, block.path)
            return []
        text = added_text(event, block, d)
        if not text:
            return []
        if block is self._plan:
            return [_plan(text)]
        if event.type == "arguments":
            return self._arguments(block, text)
        index = self._indices.get(block.number)
        if index is None:
            return []
        return [_delta("content-delta", index, {"content": {_GROWING[event.type]: text}})]

    def _arguments(self, block: Block, text: str) -> list[Wire]:
        message = {"tool_calls": {"function": {"arguments": text}}}
        return [_delta("tool-call-delta", self._indices[block.number], message)]

    def block_stop(self, block: Block, d: CohereDump) -> list[Wire]:
        if block is self._plan:
            return []
        kind = "tool-call-end" if block.kind == "tool_use" else "content-end"
        end: Wire = {"type": kind, "index": self._indices[block.number]}
        rest = "" if block.arguments is None else block.arguments.end(d)
        return [*self._arguments(block, rest), end] if rest else [end]

    # Citations

    def _update(self, block: Block, data: Wire, d: CohereDump) -> list[Wire]:
        """Send the citations in an update, which may follow their text; anything else in it comes too late, and is reported."""
        chunks: list[Wire] = []
        for key, value in data.items():
            if key == "citations" and block.kind == "text":
                for citation in TextPart(text="", citations=value).citations or ():
                    path = f"{block.path}/citations/{block.cited}"
                    block.cited += 1
                    chunks += self._cited(dump_citation(citation, path, self._indices[block.number], d))
            elif key == "provider_data":
                d.drop_fields(TextPart(text="", provider_data=value), block.path)
            elif key not in ("input", "wire") and value not in (None, []):
                d.drop(f"{block.path}/{key}", "this field came after its part had started")
        return chunks

    def _cited(self, citation: Wire | None) -> list[Wire]:
        return [] if citation is None else self._cite(citation)

    def _cite(self, citation: Wire) -> list[Wire]:
        number = self._citations
        self._citations += 1
        return [_delta("citation-start", number, {"citations": citation}), {"type": "citation-end", "index": number}]


def _content_chunks(wire: Wire, index: int) -> list[Wire]:
    """The start of a part without its text, and a delta with the text."""
    kind: Json = wire.get("type")
    text: Json = wire.get(kind) if kind in ("text", "thinking") else None
    if type(kind) is not str or type(text) is not str:
        return [_delta("content-start", index, {"content": wire})]
    start = _delta("content-start", index, {"content": wire | {kind: ""}})
    return [start, _delta("content-delta", index, {"content": {kind: text}})] if text else [start]


def _plan(text: str) -> Wire:
    return {"type": "tool-plan-delta", "delta": {"message": {PLAN: text}}}


def _delta(kind: str, index: int, message: Wire) -> Wire:
    return {"type": kind, "index": index, "delta": {"message": message}}
