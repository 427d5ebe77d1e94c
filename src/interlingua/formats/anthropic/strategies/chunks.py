"""Anthropic Messages responses, cut into the events that Anthropic sends; from documentation and recorded streams."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from ....codec.strategies.cutting import (
    Chunk,
    Growth,
    Kinds,
    alone_growth,
    items_growth,
    json_growth,
    often,
    start_and_deltas,
    text_growth,
    whole_growth,
)

_INPUT = ((Growth("input", "input_json_delta", "partial_json", json_growth),),)
_BLOCKS: Kinds = {
    "text": (
        (Growth("text", "text_delta", "text", text_growth),),
        (Growth("citations", "citations_delta", "citation", items_growth),),
    ),
    "thinking": (
        (
            Growth("thinking", "thinking_delta", "thinking", text_growth),
            Growth("signature", "signature_delta", "signature", whole_growth),
        ),
    ),
    **dict.fromkeys(("tool_use", "server_tool_use", "mcp_tool_use"), _INPUT),
    "compaction": ((Growth("content", "compaction_delta", "content", alone_growth),),),
}
_AT_THE_END = ("stop_reason", "stop_sequence", "stop_details", "container")
_COUNTED_LATE = ("server_tool_use", "output_tokens_details", "iterations")


def streamable(body: dict[str, Any]) -> dict[str, Any] | None:
    if body.get("type", "message") != "message" or "content" not in body:
        return None
    return copy.deepcopy(body) | {"type": "message", "role": "assistant"}


def split(body: dict[str, Any], random: Random) -> list[Chunk]:
    start = {key: value for key, value in body.items() if key not in ("stop_details", "context_management")}
    start |= {"content": []} | {key: None for key in ("stop_reason", "stop_sequence") if key in body}
    if often(random):
        start.pop("container", None)
    end: dict[str, Any] = {"type": "message_delta", "delta": {key: body[key] for key in _AT_THE_END if key in body}}
    end |= {key: body[key] for key in ("context_management",) if key in body}
    if "usage" in body:
        start["usage"], end["usage"] = _use(body["usage"], random)
    chunks: list[Chunk] = [{"type": "message_start", "message": start}]
    for index, block in enumerate(body["content"]):
        begun, deltas = start_and_deltas(block, _BLOCKS, random)
        chunks.append({"type": "content_block_start", "index": index, "content_block": begun})
        chunks += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        chunks.append({"type": "content_block_stop", "index": index})
    chunks += [end, {"type": "message_stop"}]
    for _ in range(random.randint(0, 2)):
        chunks.insert(random.randint(1, len(chunks) - 1), {"type": "ping"})
    return chunks


def _use(usage: dict[str, Any], random: Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """The usage at the start of the message, and the cumulative usage at its end, which may lack fields."""
    first = {key: value for key, value in usage.items() if key not in _COUNTED_LATE}
    if isinstance(first.get("output_tokens"), int):
        first["output_tokens"] = random.randint(0, min(5, first["output_tokens"]))
    always = (*_COUNTED_LATE, "output_tokens")
    return first, {key: value for key, value in usage.items() if key in always or (value is not None and often(random))}
