"""The official SDK of Anthropic judges Messages: its types, its fold of streams, and the published specification."""

import copy
from typing import Any

from laws.closed import Fault, typed_faults
from laws.judge import Judge, closed, faults_in, with_defaults

_REQUIRED = {"id": "x", "model": "m", "usage": {"input_tokens": 0, "output_tokens": 0}}


def _request(payload: Any) -> list[Fault]:
    from anthropic.types import message_create_params as params

    return typed_faults(closed(params.MessageCreateParamsNonStreaming), payload)


def _response(body: Any) -> list[Fault]:
    from anthropic.types import Message
    from anthropic.types.beta import BetaMessage

    return faults_in(BetaMessage if any(map(_is_of_beta, body.get("content") or ())) else Message, body)


def _is_of_beta(block: Any) -> bool:
    """Whether a block is an MCP call, or its result: only the client of the beta has types for them."""
    return block.get("type") in ("mcp_tool_use", "mcp_tool_result")


def _chunk(chunk: Any) -> list[Fault]:
    from anthropic.types import RawMessageStreamEvent
    from anthropic.types.beta import BetaRawMessageStreamEvent

    if chunk["type"] == "content_block_start" and _is_of_beta(chunk["content_block"]):
        return faults_in(BetaRawMessageStreamEvent, chunk)
    # A ping is not among the SDK's types.
    return [] if chunk == {"type": "ping"} else faults_in(RawMessageStreamEvent, chunk)


def _fold(chunks: list[Any]) -> dict[str, Any]:
    from anthropic.lib.streaming._beta_messages import accumulate_event as accumulate_beta_event
    from anthropic.lib.streaming._messages import accumulate_event

    snapshot: Any = None
    buffers: dict[int, bytes] = {}
    headers: Any = {}
    is_of_beta = any("content_block" in chunk and _is_of_beta(chunk["content_block"]) for chunk in chunks)
    for chunk in chunks:
        if chunk["type"] not in ("ping", "error"):
            event = copy.deepcopy(chunk)  # made into the SDK's object there
            if is_of_beta:
                snapshot = accumulate_beta_event(
                    event=event, current_snapshot=snapshot, json_bufs=buffers, request_headers=headers
                )
                continue
            snapshot = accumulate_event(event=event, current_snapshot=snapshot, json_bufs=buffers)
    folded: dict[str, Any] = snapshot.to_dict(mode="json")
    return folded


def _complete(chunk: Any) -> Any:
    if chunk["type"] == "message_start":
        return chunk | {"message": with_defaults({"id": "", "model": ""} | chunk["message"], _REQUIRED)}
    if chunk["type"] == "content_block_start" and chunk["content_block"]["type"] == "thinking":
        return chunk | {"content_block": {"signature": ""} | chunk["content_block"]}
    return chunk


JUDGE = Judge(
    _request,
    _response,
    _chunk,
    _fold,
    required=_REQUIRED,
    missing=("/model", "/max_tokens"),
    spec=("anthropic-openapi.lingua.yml", "CreateMessageParams"),
    complete=_complete,
)
