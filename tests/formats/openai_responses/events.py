"""Responses of OpenAI Responses for tests, whole and as events."""

from typing import Any

import interlingua as il

FORMAT: il.FormatName = "openai_responses"
TEXT: dict[str, Any] = {"type": "output_text", "text": "Hi.", "annotations": []}
SAID: dict[str, Any] = {"type": "message", "id": "msg_0", "role": "assistant", "status": "completed", "content": [TEXT]}
CALL = {"type": "function_call", "id": "fc_0", "call_id": "call_0", "name": "f", "arguments": '{"a":1}', "status": "completed"}
THOUGHT = {
    "type": "reasoning",
    "id": "rs_0",
    "summary": [{"type": "summary_text", "text": "One."}, {"type": "summary_text", "text": "Two."}],
    "content": [{"type": "reasoning_text", "text": "Three."}],
    "encrypted_content": "eA==",
}
SEARCH = {"type": "web_search_call", "id": "ws_0", "status": "completed", "action": {"type": "search", "query": "x"}}


def body(*output: Any, **more: Any) -> dict[str, Any]:
    frame = {"id": "resp_0", "object": "response", "created_at": 1, "model": "m", "status": "completed"}
    return {**frame, "output": list(output), **more}


def added(item: dict[str, Any], index: int = 0, **start: Any) -> dict[str, Any]:
    return {"type": "response.output_item.added", "output_index": index, "item": item | start}


def done(item: dict[str, Any], index: int = 0) -> dict[str, Any]:
    return {"type": "response.output_item.done", "output_index": index, "item": item}


def delta(name: str, text: str, index: int = 0, **more: Any) -> dict[str, Any]:
    return {"type": f"response.{name}.delta", "output_index": index, "delta": text, **more}


def stream(*events: dict[str, Any], end: dict[str, Any]) -> list[dict[str, Any]]:
    start: dict[str, Any] = end | {"status": "in_progress", "output": []}
    return [{"type": "response.created", "response": start}, *events, {"type": "response.completed", "response": end}]
