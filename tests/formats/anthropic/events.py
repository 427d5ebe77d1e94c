"""Responses of Anthropic Messages for tests, whole and as events."""

from collections.abc import Iterable
from typing import Any

import interlingua as il

PLACE = {"document_title": None, "start_char_index": 0, "end_char_index": 1}
CITATION = {"type": "char_location", "cited_text": "x", "document_index": 0, "file_id": "file_1", **PLACE}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_0", "name": "web_search", "input": {"query": "x"}}
RAN: dict[str, Any] = {
    "type": "code_execution_result",
    "stdout": "1",
    "stderr": "",
    "return_code": 0,
    "content": [],
    "abort_reason": None,
}
BODY: dict[str, Any] = {
    "id": "msg_0",
    "type": "message",
    "role": "assistant",
    "model": "claude",
    "content": [
        {"type": "thinking", "thinking": "", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "ZGF0YQ=="},
        {"type": "text", "text": "Hi.", "citations": [CITATION]},
        SEARCH,
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_0", "content": []},
        {"type": "code_execution_tool_result", "tool_use_id": "srvtoolu_1", "content": RAN},
        {"type": "tool_use", "id": "toolu_0", "name": "f", "input": {"a": 1}, "caller": {"type": "direct"}},
    ],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "stop_details": None,
    "container": {"id": "container_0"},
    "context_management": {"applied_edits": []},
    "usage": {
        "input_tokens": 3,
        "cache_read_input_tokens": 20,
        "cache_creation_input_tokens": 100,
        "cache_creation": {"ephemeral_5m_input_tokens": 100, "ephemeral_1h_input_tokens": 0},
        "output_tokens": 7,
        "output_tokens_details": {"thinking_tokens": 5},
        "server_tool_use": {"web_search_requests": 1},
        "service_tier": "standard",
        "iterations": [{"type": "message"}],
    },
}
REQUEST = [il.UserMessage(content="Hi.")]


def home(body: Any) -> Any:
    return il.dump_response(il.load_response(body, "anthropic"), "anthropic", on_loss="raise")


# Reading streams

START: dict[str, Any] = {"type": "message_start", "message": BODY | {"content": [], "stop_reason": None, "stop_details": None}}
END: list[dict[str, Any]] = [
    {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 9}},
    {"type": "message_stop"},
]


def block(index: Any, start: dict[str, Any], *deltas: dict[str, Any]) -> list[dict[str, Any]]:
    at = {} if index is ... else {"index": index}
    return [
        {"type": "content_block_start", "content_block": start} | at,
        *({"type": "content_block_delta", "delta": delta} | at for delta in deltas),
        {"type": "content_block_stop"} | at,
    ]


def text(*pieces: str) -> list[dict[str, Any]]:
    return [{"type": "text_delta", "text": piece} for piece in pieces]


def arguments(*pieces: str) -> list[dict[str, Any]]:
    return [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]


def read(chunks: Iterable[Any]) -> tuple[il.Response, list[il.Event]]:
    reader = il.reader("anthropic")
    events = [event for chunk in chunks for event in reader.feed(chunk)]
    if reader.complete:
        events += reader.close()
    assert il.accumulate(events) == reader.response
    return reader.response, events


def content_of(*blocks: list[dict[str, Any]]) -> Any:
    response, _ = read([START, *(chunk for each in blocks for chunk in each), *END])
    return response.to_dict()["choices"][0]["message"]["content"]


TEXT: dict[str, Any] = {"type": "text", "text": ""}
CALL: dict[str, Any] = {"type": "tool_use", "id": "toolu_0", "name": "f", "input": {}}
