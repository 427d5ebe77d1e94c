"""Converse responses, whole and as events; from botocore's service model and recorded streams."""

from __future__ import annotations

import copy
import json
from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st

from ....codec.format import Format
from ....codec.strategies import primitives as p
from ....codec.strategies.cutting import Chunk, habit, pieces
from ..blobs import holds_blobs, with_bytes
from .requests import Wires, call, spoken


@cache
def _spoken(odd: bool) -> Wires:
    return spoken(odd).filter(holds_blobs)


@st.composite
def _content(draw: st.DrawFn, odd: bool) -> list[dict[str, Any]]:
    content = draw(st.lists(_spoken(odd), max_size=3))
    if odd and draw(st.integers(0, 9)) == 0:
        content.append({"SDK_UNKNOWN_MEMBER": {"name": "x"}})
    for number in draw(st.lists(st.integers(0, 99), max_size=3, unique=True)):
        made = draw(call(odd))
        made["toolUse"]["toolUseId"] = f"tooluse_{number}"
        if odd and draw(st.booleans()):
            made["toolUse"]["type"] = "tool_use"
        content.append(made)
    if draw(st.integers(0, 4)) == 0:
        searched = {"toolUseId": "tooluse_s", "name": "nova_grounding", "input": {"query": "x"}, "type": "server_tool_use"}
        found = {"toolUseId": "tooluse_s", "content": [{"text": "x"}], "status": "success", "type": "nova_grounding_result"}
        content[:0] = [{"toolUse": searched}, {"toolResult": found}]
    return content


def responses(format: Format, odd: bool) -> Wires:
    return _bodies(odd).map(with_bytes) if format.profile.sdk else _bodies(odd)


_ODD_COUNTS = {
    "cacheReadInputTokenCount": p.COUNTS,
    "cacheWriteInputTokenCount": p.COUNTS,
    "serverToolUsage": st.just(dict[str, Any]()),
}
"""Servers send the names that Nova's own bodies have, too (recorded traffic)."""


@cache
def _bodies(odd: bool) -> Wires:
    def ended(body: dict[str, Any], word: str) -> dict[str, Any]:
        called = any(
            block.get("toolUse", {}).get("type", "tool_use") == "tool_use" for block in _blocks(body) if "toolUse" in block
        )
        return {**body, "stopReason": "tool_use" if called else word} if "stopReason" in body else body

    usage = p.fields(
        {"inputTokens": p.COUNTS, "outputTokens": p.COUNTS, "totalTokens": p.COUNTS},
        {
            "cacheReadInputTokens": p.COUNTS,
            "cacheWriteInputTokens": p.COUNTS,
            **(_ODD_COUNTS if odd else {}),
        },
    )
    message = st.fixed_dictionaries({"role": st.just("assistant"), "content": _content(odd)})
    frame: dict[str, Any] = {
        "output": st.fixed_dictionaries({"message": message}),
        "stopReason": st.none(),
        "usage": usage,
        "metrics": st.just({"latencyMs": 12}),
    }
    more = {
        "additionalModelResponseFields": st.just({"stop_sequence": None}),
        "trace": st.just({"promptRouter": {"invokedModelId": "m"}}),
        "performanceConfig": st.just({"latency": "standard"}),
    }
    if odd:
        more |= {"ResponseMetadata": st.just({"HTTPStatusCode": 200}), "x_unknown": p.json_values(max_leaves=2)}
    words = ["end_turn", "end_turn", "max_tokens", "stop_sequence", "guardrail_intervened", *(["x_unknown"] if odd else [])]
    bodies = p.fields(frame, more)
    return st.builds(ended, p.but_for_one(bodies, ["usage", "metrics"]) if odd else bodies, st.sampled_from(words))


def _blocks(body: dict[str, Any]) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = body["output"]["message"]["content"]
    return blocks


# Streams


def streamable(body: dict[str, Any]) -> dict[str, Any] | None:
    """The part of a response that its stream has."""
    body = copy.deepcopy(body)
    body.pop("ResponseMetadata", None)
    for block in _blocks(body):
        block.pop("type", None)  # deltas have only the fields of a block
        cited = block.get("citationsContent")
        if cited is not None and "content" in cited:
            cited["content"] = [{"text": "".join(item["text"] for item in cited["content"])}]
    kept = [block for block in _blocks(body) if "SDK_UNKNOWN_MEMBER" not in block and block != _EMPTY]
    body["output"]["message"]["content"] = kept
    return body


_EMPTY: dict[str, Any] = {"citationsContent": {"citations": []}}


def split(body: dict[str, Any], random: Random) -> list[Chunk]:
    chunks: list[tuple[str, dict[str, Any]]] = [("messageStart", {"role": "assistant"})]
    for index, block in enumerate(_blocks(body)):
        at = {"contentBlockIndex": index}
        start, deltas = _cut(copy.deepcopy(block), random)
        if start is not None:
            chunks.append(("contentBlockStart", {"start": start, **at}))
        chunks += [("contentBlockDelta", {"delta": delta, **at}) for delta in deltas]
        chunks.append(("contentBlockStop", at))
    known = ("output", "stopReason", "additionalModelResponseFields")
    chunks.append(("messageStop", {key: body[key] for key in known[1:] if key in body}))
    chunks.append(("metadata", {key: value for key, value in body.items() if key not in known}))
    bare = habit(random, 0.3)  # as on HTTP, where a header has the name
    return [{**event, "p": "abc"} if bare else {name: event} for name, event in chunks if event]


def _cut(block: dict[str, Any], random: Random) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """The start of a block, if it has one, and its deltas."""
    ((key, value),) = block.items()
    if key == "text":
        return None, [{"text": piece} for piece in pieces(value, random)] or [{"text": ""}]
    if key == "toolUse":
        text = json.dumps(value.pop("input"))
        return {key: value}, [{key: {"input": piece}} for piece in pieces(text, random)]
    if key == "toolResult":
        content = value.pop("content")
        return {key: value}, [{key: [item]} for item in content]
    if key == "citationsContent":
        texts = [{"text": piece} for item in value.get("content", ()) for piece in pieces(item["text"], random)]
        return None, [*({"citation": citation} for citation in value.get("citations", ())), *texts]
    if "reasoningText" in value:
        reasoning = value["reasoningText"]
        signed = [{key: {"signature": reasoning["signature"]}}] if "signature" in reasoning else []
        return None, [*({key: {"text": piece}} for piece in pieces(reasoning["text"], random)), *signed]
    return None, [block]
