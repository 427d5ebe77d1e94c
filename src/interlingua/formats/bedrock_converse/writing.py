"""Write streams of ConverseStream: turn a message into events, block by block, as boto3 returns them."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from typing import Any

from ...codec.exceptions import written_exception
from ...codec.fields import Wire, copy_wire
from ...codec.streams.block_shape import Block, BlockShape, added_text, late_citations
from ...codec.streams.open_arguments import OpenArguments, without_arguments
from ...model import events
from ...model.exchange import Response
from .base import ConverseDump, ConverseProfile, one_field
from .blobs import NOT_BASE64, decoded
from .citations import BEHIND, bare_citations, dump_citation, sizes_of
from .messages import TURNS, dump_frame
from .nova import BESIDE
from .responses import MESSAGE, STOPS, dump_envelope

_GROWTH: dict[str, Callable[[str], Wire]] = {
    "refusal": lambda text: {"text": text},
    "thinking": lambda text: {"reasoningContent": {"text": text}},
    "signature": lambda text: {"reasoningContent": {"signature": text}},
    "arguments": lambda text: {"toolUse": {"input": text}},
}
"""The delta for each canonical event that adds to a block, except text."""


class ConverseShape(BlockShape):
    """Writes the events of one stream."""

    def __init__(self, profile: ConverseProfile) -> None:
        self._profile = profile
        self._stopped = False

    def ready(self, block: Block, _d: ConverseDump) -> bool:
        # A citation comes before its text.
        return block.kind in ("text", "refusal", "thinking", "tool_use") and block.has_content

    def pass_on(self, event: events.ErrorEvent | events.OpaqueEvent) -> list[Wire]:
        if isinstance(event, events.OpaqueEvent):
            return []
        return [written_exception(event.error)]

    # The envelope

    def message_start(self, response: Response, d: ConverseDump) -> list[Wire]:
        return [{"messageStart": {"role": "assistant"} | _frame(response, d)}]

    def message_stop(self, response: Response, d: ConverseDump) -> list[Wire]:
        if self._stopped:
            return []  # what arrived late is in the metadata
        self._stopped = True
        out = _envelope(response, d)
        stop = {key: out[key] for key in ("stopReason", "additionalModelResponseFields") if key in out}
        if "stopReason" not in stop:  # which the last event must have
            word, _ = STOPS.dump(STOPS.meaning("stop", d.kinds or ()), None, same_family=False)
            d.report("added", "/choices/0/stop_reason", None, f"a stream must say why it ended: sent as {word}")
            stop = {"stopReason": word, **stop}
        return [{"messageStop": stop}]

    def end(self, response: Response, d: ConverseDump) -> list[Wire]:
        out = _envelope(response, d)
        rest = {key: value for key, value in out.items() if key not in ("stopReason", "additionalModelResponseFields")}
        beside = {key: rest.pop(key) for key in [*rest] if key.startswith(BESIDE)}
        return [copy_wire({"metadata": rest} | beside)] if rest or beside else []

    # Blocks

    def block_start(self, block: Block, part: Any, at: str, d: ConverseDump) -> list[Wire] | None:
        d.is_response = True
        begun = ""
        if block.kind == "tool_use" and not (block.stopped or d.exact):
            part, field, begun = without_arguments(part)
            block.arguments = OpenArguments(f"{block.path}/{field}", at + "/toolUse/input", custom=bool(part.custom))
        made = TURNS.piece(part, block.path, at, d, "assistant")
        behind: list[list[Wire]] = []
        if isinstance(made, list):
            made, *more = made
            behind = [found for found in map(bare_citations, more) if found]
            if "cachePoint" in more[-1]:
                d.drop(block.path + "/cache_control", "Converse's answers have no cache points")
        if made is None:
            return None
        if block.arguments is not None:
            made["toolUse"]["input"] = block.arguments.add(begun, whole=block.is_whole)
        cited = [citation for found in behind for citation in found]
        wires = _split(made, block) + _cite(block, cited, [len(found) for found in behind])
        if not self._profile.sdk:
            return wires
        return [decoded(wire, lambda _at: d.drop(block.path, NOT_BASE64)) for wire in wires]

    def grow(self, block: Block, event: Any, d: ConverseDump) -> list[Wire]:
        if event.type == "text":
            return [_delta(block, {"text": event.text})]  # true of most events
        if type(event) is events.Update:
            made = [dump_citation(citation, path, d) for citation, path in late_citations(block, event.data, d)]
            cited = [citation for citation in made if citation is not None]
            return _cite(block, cited, _sizes(event.data, len(cited)) if d.same_family else [])
        if block.arguments is not None and event.type == "arguments":
            return _arguments(block, block.arguments.add(event.arguments))
        text = added_text(event, block, d)
        if text == "" and event.type == "signature" and not d.exact:
            return []  # the API refuses it, and whole messages do not have it either
        return [] if text is None else [_delta(block, _GROWTH[event.type](text))]

    def block_stop(self, block: Block, d: ConverseDump) -> list[Wire]:
        rest = [] if block.arguments is None else _arguments(block, block.arguments.end(d))
        return [*rest, {"contentBlockStop": {"contentBlockIndex": block.written}}]


def _arguments(block: Block, text: str) -> list[Wire]:
    return [_delta(block, {"toolUse": {"input": text}})] if text else []


def _envelope(response: Response, d: ConverseDump) -> Wire:
    _frame(response, d)  # what arrived late of it is reported
    return dump_envelope(response, {}, d)


def _frame(response: Response, d: ConverseDump) -> Wire:
    """The fields of the message besides its content."""
    out: Wire = {"content": []}
    dump_frame(response.message, out, MESSAGE, "", d)
    del out["content"]
    return out


def _split(wire: Wire, block: Block) -> list[Wire]:
    """The start of a block, if its kind has one, and the deltas of what is known of the block."""
    key, value = one_field(wire)
    fields: Wire = value if type(value) is dict else {}
    if key == "toolUse":
        given = fields.pop("input", {})
        text = given if type(given) is str else json.dumps(given, ensure_ascii=False)
        return [_start(block, {key: fields}), *([_delta(block, {key: {"input": text}})] if text else [])]
    if key == "toolResult":
        content = fields.pop("content", [])
        return [_start(block, {key: fields}), *([_delta(block, {key: content})] if content else [])]
    if key == "image":
        shown = {name: fields.pop(name) for name in ("source", "error") if name in fields}
        return [_start(block, {key: fields}), _delta(block, {key: shown})]
    if key == "reasoningContent" and "reasoningText" in fields:
        return [_delta(block, {key: {name: value}}) for name, value in fields["reasoningText"].items()]
    if key == "citationsContent":
        deltas: list[Wire] = [{"citation": citation} for citation in fields.get("citations", ())]
        deltas += [{"text": text["text"]} for text in fields.get("content", ())]
        return [_delta(block, delta) for delta in deltas]
    return [_delta(block, wire) if key else _start(block, wire)]


def _start(block: Block, start: Wire) -> Wire:
    return {"contentBlockStart": {"start": start, "contentBlockIndex": block.written}}


def _sizes(data: Wire, count: int) -> list[int]:
    """How many of so many citations, which an update adds to a text, go into each block behind it; empty if none does."""
    record: Wire = data.get("wire") or {}
    spelled: Wire = record.get("spelling") or {}
    sizes = sizes_of(str(spelled.get(BEHIND, "")))
    return sizes if sum(sizes) == count else []


def _cite(block: Block, citations: list[Wire], sizes: list[int]) -> list[Wire]:
    """The deltas of citations, of which the first ones go into blocks of their own, in these numbers."""
    out: list[Wire] = []
    given = iter(citations)
    for size in sizes:
        out.append({"contentBlockStop": {"contentBlockIndex": block.written}})
        block.written = (block.written or 0) + 1
        out += [_delta(block, {"citation": citation}) for citation in islice(given, size)]
    return out + [_delta(block, {"citation": citation}) for citation in given]


def _delta(block: Block, delta: Wire) -> Wire:
    return {"contentBlockDelta": {"delta": delta, "contentBlockIndex": block.written}}
