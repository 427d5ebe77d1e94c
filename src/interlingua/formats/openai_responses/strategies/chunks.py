"""OpenAI Responses responses, cut into the events that OpenAI and its hosts send; from documentation and recorded streams."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from ....codec.strategies.cutting import Chunk, Track, habit, interleave, often, pieces

_GROWS = {
    "function_call": ("arguments", "response.function_call_arguments"),
    "custom_tool_call": ("input", "response.custom_tool_call_input"),
    "mcp_call": ("arguments", "response.mcp_call_arguments"),
    "code_interpreter_call": ("code", "response.code_interpreter_call_code"),
}
"""The field of each kind of call that arrives in deltas."""
_PROGRESS = {
    "web_search_call": ("in_progress", "searching", "completed"),
    "code_interpreter_call": ("in_progress", "interpreting", "completed"),
    "image_generation_call": ("in_progress", "generating", "completed"),
    "mcp_list_tools": ("in_progress", "completed"),
    "mcp_call": ("in_progress", "completed"),
}
_PARTS = {"output_text": "text", "refusal": "refusal", "reasoning_text": "text"}
"""The field of each kind of part that arrives in deltas."""
_UNFINISHED: dict[str, Any] = {
    "status": "in_progress",
    "output": [],
    "usage": None,
    "incomplete_details": None,
    "completed_at": None,
}


def streamable(body: dict[str, Any]) -> dict[str, Any] | None:
    if not isinstance(body.get("output"), list):
        return None
    ended = body.get("status") in ("completed", "incomplete", "failed")
    return copy.deepcopy(body) | ({} if ended else {"status": "completed"})


def split(body: dict[str, Any], random: Random) -> list[Chunk]:
    start = body | {key: value for key, value in _UNFINISHED.items() if key in body or key == "output"}
    stages = ["created", *(["queued"] if habit(random, 0.1) else []), "in_progress"]
    chunks: list[Chunk] = [{"type": f"response.{stage}", "response": start} for stage in stages]
    tracks = [_item(item, at, random) for at, item in enumerate(body["output"])]
    if often(random):
        for track in tracks:
            chunks += track
    else:
        chunks += _begun_in_order(tracks, random)
    last = {"failed": "failed", "incomplete": "incomplete"}.get(body.get("status") or "", "completed")
    chunks.append({"type": f"response.{last}", "response": body})
    for number, chunk in enumerate(chunks):
        chunk["sequence_number"] = number
        if "delta" in chunk and often(random):
            chunk["obfuscation"] = "x" * random.randint(0, 9)
    return [*chunks, "[DONE]"] if habit(random, 0.2) else chunks


def _begun_in_order(tracks: list[Track], random: Random) -> Track:
    """All events: each item's events stay in order, and items begin in order."""
    out: Track = []
    open_tracks: list[Track] = []
    for track in tracks:
        out.append(track[0])
        open_tracks.append(track[1:])
        for each in open_tracks:
            count = random.randint(0, len(each)) if often(random) else 0
            out += each[:count]
            del each[:count]
    return out + interleave(open_tracks, random)


def _item(item: dict[str, Any], at: int, random: Random) -> Track:
    where = {"output_index": at, "item_id": item.get("id")}
    kind = item["type"]
    start = {key: value for key, value in item.items() if key not in ("content", "summary", "encrypted_content", "result")}
    if "status" in item and item["status"] is not None:
        start["status"] = "in_progress"
    track: Track = []
    for stage in _PROGRESS.get(kind, ())[:2]:
        track.append({"type": f"response.{kind}.{stage}", **where})
    if kind in _GROWS:
        field, name = _GROWS[kind]
        if isinstance(item.get(field), str):
            start[field] = ""
            if not habit(random, 0.2):  # LM Studio sends arguments whole
                track += [{"type": f"{name}.delta", **where, "delta": piece} for piece in pieces(item[field], random)]
            track.append({"type": f"{name}.done", **where, field: item[field]})
    if isinstance(item.get("summary"), list):
        start["summary"] = []
        for index, part in enumerate(item["summary"]):
            track += _summary(part, where | {"summary_index": index}, random)
    if isinstance(item.get("content"), list):
        start["content"] = []
        for index, part in enumerate(item["content"]):
            track += _part(part, where | {"content_index": index}, random)
    if "encrypted_content" in item:
        start["encrypted_content"] = item["encrypted_content"] if often(random) else item["encrypted_content"] and "cGFydA=="
    for stage in _PROGRESS.get(kind, ())[2:]:
        track.append({"type": f"response.{kind}.{stage}", **where})
    added = {"type": "response.output_item.added", "output_index": at, "item": start}
    done = {"type": "response.output_item.done", "output_index": at, "item": item}
    return [added, *track, done]


def _summary(part: dict[str, Any], where: dict[str, Any], random: Random) -> Track:
    name = "response.reasoning_summary"
    deltas = [{"type": f"{name}_text.delta", **where, "delta": piece} for piece in pieces(part["text"], random)]
    added = {"type": f"{name}_part.added", **where, "part": part | {"text": ""}}
    done = {"type": f"{name}_text.done", **where, "text": part["text"]}
    return [added, *deltas, done, {"type": f"{name}_part.done", **where, "part": part}]


def _part(part: dict[str, Any], where: dict[str, Any], random: Random) -> Track:
    field = _PARTS.get(part["type"])
    if field is None:
        return [{"type": f"response.content_part.{stage}", **where, "part": part} for stage in ("added", "done")]
    begun: dict[str, Any] = {field: ""} | ({"annotations": []} if part.get("annotations") else {})
    deltas: Track = [
        {"type": f"response.{part['type']}.delta", **where, "delta": piece} for piece in pieces(part[field], random)
    ]
    for index, annotation in enumerate(part.get("annotations") or []):
        found = {"type": "response.output_text.annotation.added", **where, "annotation": annotation, "annotation_index": index}
        deltas.insert(random.randint(0, len(deltas)), found)
    done = {"type": f"response.{part['type']}.done", **where, field: part[field]}
    if part["type"] == "output_text":
        for each in [*deltas, done]:
            each |= {"logprobs": []}
    added = {"type": "response.content_part.added", **where, "part": part | begun}
    return [added, *deltas, done, {"type": "response.content_part.done", **where, "part": part}]
