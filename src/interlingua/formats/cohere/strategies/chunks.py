"""Responses of Cohere's Chat, cut into the events that Cohere sends; from documentation and recorded streams."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from ....codec.strategies.cutting import Chunk, often, pieces

_TEXTS = ("text", "thinking")


def streamable(body: dict[str, Any]) -> dict[str, Any] | None:
    """The part of a response that its stream has."""
    body = copy.deepcopy(body)
    message = body["message"]
    for key in ("tool_plan", "content"):
        if not message.get(key, True):
            del message[key]  # as the start of the message has it
    message.pop("x_unknown", None)
    if any(part["type"] in _TEXTS and len(part) > 2 for part in message.get("content", ())):
        for part in message["content"]:
            part.pop("x_unknown", None)
    return body


def split(body: dict[str, Any], random: Random) -> list[Chunk]:
    message = body["message"]
    begun: dict[str, Any] = {"role": "assistant", "content": [], "tool_plan": "", "tool_calls": [], "citations": []}
    start: dict[str, Any] = {"type": "message-start", "delta": {"message": begun}}
    if "id" in body:
        start["id"] = body["id"]
    chunks: list[Chunk] = [start]
    plan = pieces(message.get("tool_plan", ""), random)
    chunks += [{"type": "tool-plan-delta", "delta": {"message": {"tool_plan": piece}}} for piece in plan]
    chunks += _content(message, body.get("logprobs", []), random)
    for index, call in enumerate(message.get("tool_calls", ())):
        chunks += _call(call, index, random)
    known = ("id", "message", "logprobs")
    chunks.append({"type": "message-end", "delta": {key: value for key, value in body.items() if key not in known}})
    return [*chunks, "[DONE]"] if often(random) else chunks


def _content(message: dict[str, Any], tokens: list[Any], random: Random) -> list[Chunk]:
    chunks: list[Chunk] = []
    content: list[dict[str, Any]] = message.get("content", [])
    citations = _cited(message)
    for index, part in enumerate(content):
        kind = part["type"]
        chunks.append(_delta("content-start", index, {"content": part | {kind: ""}}))
        chunks += [_delta("content-delta", index, {"content": {kind: piece}}) for piece in pieces(part[kind], random)]
        if index == len(content) - 1:
            chunks += [_delta("content-delta", index, {"content": {}}) | {"logprobs": token} for token in tokens]
            chunks += citations
        chunks.append({"type": "content-end", "index": index})
    if not content:
        chunks += [_delta("content-delta", 0, {"content": {}}) | {"logprobs": token} for token in tokens]
    return chunks if content else [*chunks, *citations]


def _cited(message: dict[str, Any]) -> list[Chunk]:
    chunks: list[Chunk] = []
    for number, citation in enumerate(message.get("citations", ())):
        chunks.append(_delta("citation-start", number, {"citations": citation}))
        chunks.append({"type": "citation-end", "index": number})
    return chunks


def _call(call: dict[str, Any], index: int, random: Random) -> list[Chunk]:
    function = call["function"]
    chunks = [_delta("tool-call-start", index, {"tool_calls": call | {"function": function | {"arguments": ""}}})]
    grown = [{"tool_calls": {"function": {"arguments": piece}}} for piece in pieces(function["arguments"], random)]
    return [
        *chunks,
        *(_delta("tool-call-delta", index, message) for message in grown),
        {"type": "tool-call-end", "index": index},
    ]


def _delta(kind: str, index: int, message: dict[str, Any]) -> dict[str, Any]:
    return {"type": kind, "index": index, "delta": {"message": message}}
