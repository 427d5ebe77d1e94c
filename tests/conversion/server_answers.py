"""Answers with what the provider's server ran, at Anthropic and Responses, and what conversions make of them."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import interlingua as il

CONTENT = "/choices/0/message/content"


def blocks(*content: Any) -> dict[str, Any]:
    """Anthropic's answer with these blocks."""
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [*content]}
    return {**message, "stop_reason": "end_turn", "stop_sequence": None, "usage": usage}


def items(*output: Any) -> dict[str, Any]:
    """The answer of Responses with these items."""
    settings: dict[str, Any] = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    body = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "completed"}
    return {**body, "output": [*output], **settings}


def said(text: str) -> dict[str, Any]:
    """The item with the text of an answer."""
    content: list[Any] = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content}


class Converted(NamedTuple):
    payload: Any
    losses: list[tuple[str, str]]
    """The kind and the path of each in the content."""


def converted(body: dict[str, Any], source: il.FormatName, target: il.FormatName) -> Converted:
    losses: list[il.Loss] = []
    payload = il.dump_response(il.load_response(body, source), target, on_loss=losses.append, fill=True)
    return Converted(payload, of_content(losses))


def of_content(losses: Sequence[il.Loss]) -> list[tuple[str, str]]:
    return [(loss.kind, loss.path.removeprefix(CONTENT)) for loss in losses if loss.path.startswith(CONTENT)]


def content_of(body: Any) -> Any:
    """The items or blocks of an answer."""
    return body.get("output", body.get("content"))


def chunks_of_blocks(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Anthropic's answer as a stream, with each input in two pieces."""
    chunks: list[dict[str, Any]] = [{"type": "message_start", "message": {**body, "content": [], "stop_reason": None}}]
    for i, block in enumerate(body["content"]):
        empty: dict[str, Any] = {"text": ""} if block["type"] == "text" else {"input": {}} if "input" in block else {}
        chunks.append({"type": "content_block_start", "index": i, "content_block": {**block, **empty}})
        deltas: list[dict[str, Any]] = []
        if block["type"] == "text":
            deltas = [{"type": "text_delta", "text": block["text"]}]
        elif "input" in block:
            text = json.dumps(block["input"])
            deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in (text[:5], text[5:])]
        chunks += [{"type": "content_block_delta", "index": i, "delta": delta} for delta in deltas]
        chunks.append({"type": "content_block_stop", "index": i})
    chunks.append({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}})
    return [*chunks, {"type": "message_stop"}]
