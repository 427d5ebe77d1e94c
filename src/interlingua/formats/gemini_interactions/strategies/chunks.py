"""Responses of the Interactions API, cut into the events that Google sends; from documentation and recorded streams."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

from ....codec.strategies.cutting import Chunk, habit, is_list, often, pieces

_BARE_TEXT = {"type", "text"}
_ANSWER = {"type": "model_output", "content": [{"type": "text", "text": "Hi."}]}
"""The answer of the API's first version in a stream of today, as streams of that version were different."""


def streamable(body: dict[str, Any]) -> dict[str, Any] | None:
    """The part of a response that its stream has: no step has two texts side by side, and no summary has two texts."""
    body = {key: copy.deepcopy(value) for key, value in body.items() if key != "outputs"}
    steps: Any = body.get("steps")
    body["steps"] = [step for step in map(_step, steps) if step is not None] if is_list(steps) else [copy.deepcopy(_ANSWER)]
    return body


def _step(step: dict[str, Any]) -> dict[str, Any] | None:
    if step["type"] == "thought":
        texts = [part for part in step.get("summary") or () if part.keys() == _BARE_TEXT][:1]
        rest = {key: value for key, value in step.items() if key != "summary" and (key, value) != ("signature", None)}
        return rest | ({"summary": texts} if texts else {})
    if step["type"] != "model_output":
        return step
    content: list[Any] = []
    for part in step.get("content") or ():
        if not (content and part["type"] == content[-1]["type"] == "text"):
            # If a step and a part have a field of the same name, they are kept whole.
            left_out = ("x_unknown",) if "x_unknown" in step else ()
            if not part.get("annotations"):
                left_out = ("annotations", *left_out)
            content.append({key: value for key, value in part.items() if key not in left_out})
    return step | {"content": content} if content else None


def split(body: dict[str, Any], random: Random) -> list[Chunk]:
    known = {key: body[key] for key in ("id", "model", "object") if key in body}
    chunks: list[Chunk] = [{"event_type": "interaction.created", "interaction": known | {"status": "in_progress"}}]
    if often(random):
        update = {"event_type": "interaction.status_update", "interaction_id": body.get("id", ""), "status": "in_progress"}
        chunks.append(update)
    for index, step in enumerate(body["steps"]):
        start, deltas = _cut(step, random)
        chunks.append({"event_type": "step.start", "index": index, "step": start})
        chunks += [{"event_type": "step.delta", "index": index, "delta": delta} for delta in deltas]
        chunks.append({"event_type": "step.stop", "index": index})
    if habit(random, 0.2):
        for number, chunk in enumerate(chunks):
            chunk["event_id"] = str(number)
    envelope = {key: value for key, value in body.items() if key != "steps"}
    chunks.append({"event_type": "interaction.completed", "interaction": envelope})
    return [*chunks, "[DONE]"] if often(random) else chunks


def _cut(step: dict[str, Any], random: Random) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The start of a step, and its deltas."""
    kind = step["type"]
    if kind == "thought":
        start = {key: value for key, value in step.items() if key not in ("summary", "signature")}
        return start, _thought(step, random)
    if kind == "model_output":
        content = step["content"]
        start = {key: value for key, value in step.items() if key != "content"}
        return start, [delta for part in content for delta in _content(part, random)]
    if kind == "function_call" and step.get("arguments") and not habit(random, 0.2):
        text = json.dumps(step["arguments"], ensure_ascii=often(random))
        return step | {"arguments": {}}, [{"type": "arguments_delta", "arguments": piece} for piece in pieces(text, random)]
    return step, []


def _thought(step: dict[str, Any], random: Random) -> list[dict[str, Any]]:
    texts = [piece for part in step.get("summary", ()) for piece in pieces(part["text"], random)]
    deltas: list[dict[str, Any]] = [{"type": "thought_summary", "content": {"type": "text", "text": piece}} for piece in texts]
    if step.get("signature") is not None:
        deltas.append({"type": "thought_signature", "signature": step["signature"]})
    return deltas


def _content(part: dict[str, Any], random: Random) -> list[dict[str, Any]]:
    if part["type"] != "text":
        return [part]
    begun: dict[str, Any] = {key: value for key, value in part.items() if key != "annotations"}
    deltas: list[dict[str, Any]]
    if begun.keys() == _BARE_TEXT:
        deltas = [{"type": "text", "text": piece} for piece in pieces(part["text"], random)]
    else:
        first, *rest = pieces(part["text"], random)
        deltas = [begun | {"text": first}, *({"type": "text", "text": piece} for piece in rest)]
    for annotation in part.get("annotations", ()):
        deltas.append({"type": "text_annotation_delta", "annotations": [annotation]})
    return deltas
