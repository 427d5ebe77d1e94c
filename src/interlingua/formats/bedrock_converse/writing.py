"""Writing streams of ConverseStream: the events that a message becomes, block by block, as boto3 gives them."""

from __future__ import annotations

import json
from typing import Any

from ...codec.block_stream import Block
from ...codec.fields import Wire, copy_wire
from ...model import events
from ...model.exchange import Response
from ...model.parts import TextPart, ToolCall
from .base import ConverseDump, ConverseProfile
from .blobs import decoded
from .blocks import dump_block, dump_call
from .citations import dump_citation
from .messages import dump_frame
from .responses import MESSAGE, dump_envelope

_GROWTH: dict[type[Any], tuple[str, ...]] = {
    events.TextDelta: ("text", "text"),
    events.RefusalDelta: ("refusal", "text"),
    events.ThinkingDelta: ("thinking", "reasoningContent", "text"),
    events.SignatureDelta: ("signature", "reasoningContent", "signature"),
    events.ArgumentsDelta: ("arguments", "toolUse", "input"),
}
"""Of each event that makes a block grow: its field, and the path of the text in the delta."""
_TOO_LATE = "its block has already started"


class ConverseShape:
    """The events of one stream."""

    amends = False

    def __init__(self, profile: ConverseProfile) -> None:
        self._profile = profile
        self._stopped = False
        self._cited: dict[int, int] = {}
        """How many citations of a part are known, by its number."""

    def refuses_plain(self) -> str | None:
        return None

    def ready(self, block: Block, d: ConverseDump) -> bool:
        # By the rules for conversions, only complete arguments show whether they are an object. A citation precedes its text.
        if block.kind == "tool_use":
            return block.said and d.exact
        return block.kind in ("text", "refusal", "thinking") and block.said

    def pass_on(self, event: events.ErrorEvent | events.OpaqueEvent) -> list[Wire]:
        if isinstance(event, events.OpaqueEvent):
            return []
        error = event.error
        named = len(error) == 1 and next(iter(error)).endswith("Exception")
        return [copy_wire(error) if named else {"modelStreamErrorException": {"message": str(error.get("message", ""))}}]

    # The envelope

    def message_start(self, response: Response, d: ConverseDump) -> list[Wire]:
        return [{"messageStart": {"role": "assistant"} | _frame(response, d)}]

    def message_stop(self, response: Response, d: ConverseDump) -> list[Wire]:
        if self._stopped:
            return []  # what came late is in the metadata
        self._stopped = True
        out = _envelope(response, d)
        stop: Wire = {"stopReason": out.get("stopReason", "end_turn")}
        stop |= {key: out[key] for key in ("additionalModelResponseFields",) if key in out}
        return [{"messageStop": stop}]

    def end(self, response: Response, d: ConverseDump) -> list[Wire]:
        out = _envelope(response, d)
        rest = {key: value for key, value in out.items() if key not in ("stopReason", "additionalModelResponseFields")}
        return [{"metadata": copy_wire(rest)}] if rest else []

    # Blocks

    def block_start(self, block: Block, part: Any, at: str, d: ConverseDump) -> list[Wire] | None:
        at = "/output/message" + at
        self._cited[block.number] = len(getattr(part, "citations", None) or ())
        called = isinstance(part, ToolCall)
        made = (
            dump_call(part, part.arguments, block.path, at, d) if called else dump_block(part, block.path, at, d, "assistant")
        )
        if isinstance(made, list):
            d.drop(block.path + "/cache_control", "answers have no cache points")
        written = made[0] if isinstance(made, list) else made
        if written is None:
            return None
        wires = _split(written, block)
        return [decoded(wire) for wire in wires] if self._profile.sdk else wires

    def grow(self, block: Block, event: Any, d: ConverseDump) -> list[Wire]:
        if type(event) is events.Update:
            return self._grow_fields(block, event.data, d)
        if type(event) not in _GROWTH or (type(event) is events.ArgumentsDelta and d.exact and block.input_is_text):
            return []
        if type(event) is events.SignatureDelta and d.is_foreign(event.issuer):
            d.drop(block.path + "/signature", f"only {event.issuer} can verify it")
            return []
        source, *path = _GROWTH[type(event)]
        value = getattr(event, source)
        for key in reversed(path):
            value = {key: value}
        return [_delta(block, value)]

    def _grow_fields(self, block: Block, data: Wire, d: ConverseDump) -> list[Wire]:
        """The deltas for an update of a block that has started: there are none but for citations, as long as it is open."""
        chunks: list[Wire] = []
        for key, value in data.items():
            if key == "citations" and block.kind == "text":
                first = self._cited[block.number]
                for i, citation in enumerate(TextPart(text="", citations=value).citations or (), first):
                    self._cited[block.number] += 1
                    if block.done:
                        d.drop(f"{block.path}/citations/{i}", "its block has already ended")
                    elif (written := dump_citation(citation, f"{block.path}/citations/{i}", d)) is not None:
                        chunks.append(_delta(block, {"citation": written}))
            elif key == "provider_data":
                d.drop_fields(TextPart(text="", provider_data=value), block.path)
            elif key not in ("input", "wire"):  # the input repeats the arguments
                d.drop(f"{block.path}/{key}", _TOO_LATE)
        return chunks

    def block_stop(self, block: Block, _d: ConverseDump) -> list[Wire]:
        return [{"contentBlockStop": {"contentBlockIndex": block.written}}]


def _envelope(response: Response, d: ConverseDump) -> Wire:
    _frame(response, d)  # what of it came late is reported
    return dump_envelope(response, {}, d)


def _frame(response: Response, d: ConverseDump) -> Wire:
    """What the message has beside its content."""
    out: Wire = {"content": []}
    dump_frame(response.message, out, MESSAGE, "", d)
    del out["content"]
    return out


def _split(wire: Wire, block: Block) -> list[Wire]:
    """The start of a block, where its kind has one, and the deltas of what is known of it."""
    ((key, held),) = wire.items()
    if key == "toolUse":
        given = held.pop("input", {})
        text = given if type(given) is str else json.dumps(given, ensure_ascii=False)
        return [_start(block, {key: held}), *([_delta(block, {key: {"input": text}})] if text else [])]
    if key == "toolResult":
        content = held.pop("content", [])
        return [_start(block, {key: held}), *([_delta(block, {key: content})] if content else [])]
    if key == "image":
        shown = {name: held.pop(name) for name in ("source", "error") if name in held}
        return [_start(block, {key: held}), _delta(block, {key: shown})]
    if key == "reasoningContent" and "reasoningText" in held:
        return [_delta(block, {key: {name: value}}) for name, value in held["reasoningText"].items()]
    if key == "citationsContent":
        deltas: list[Wire] = [{"citation": citation} for citation in held.get("citations", ())]
        deltas += [{"text": text["text"]} for text in held.get("content", ())]
        return [_delta(block, delta) for delta in deltas]
    return [_delta(block, wire)]


def _start(block: Block, start: Wire) -> Wire:
    return {"contentBlockStart": {"start": start, "contentBlockIndex": block.written}}


def _delta(block: Block, delta: Wire) -> Wire:
    return {"contentBlockDelta": {"delta": delta, "contentBlockIndex": block.written}}
