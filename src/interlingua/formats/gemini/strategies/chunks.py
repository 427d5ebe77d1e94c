"""Gemini responses, cut into the chunks that Google sends; from documentation and recorded streams.

A chunk is a response with new parts. A part that is only text is cut anywhere; any other part is sent whole. If a text
follows another text of its kind, it is sent whole, together with the end of the first: a client would otherwise join them.
"""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from ....codec.strategies.cutting import Chunk, interleave, is_list, often, pieces

_REPLACED = ("groundingMetadata", "safetyRatings")


def streamable(body: dict[str, Any]) -> dict[str, Any] | None:
    candidates: list[dict[str, Any]] = body.get("candidates") or []
    if not all("finishReason" in each for each in candidates) or not (candidates or body.get("promptFeedback")):
        return None
    body = copy.deepcopy(body)
    for candidate in body.get("candidates") or ():
        if candidate.get("content") is not None:
            candidate["content"]["role"] = "model"  # framing that some chunks lack
    return body


def split(body: dict[str, Any], random: Random) -> list[Chunk]:
    known = {key: body[key] for key in ("modelVersion", "responseId", "createTime") if key in body}
    rest = {key: value for key, value in body.items() if key not in known and key not in ("candidates", "usageMetadata")}
    tracks = [_candidate(candidate, random) for candidate in body.get("candidates", ())]
    chunks = [{"candidates": [candidate], **known} for candidate in interleave(tracks, random)] or [dict(known)]
    random.choice(chunks).update(rest)
    if "usageMetadata" in body:
        for chunk in chunks[:-1]:
            if often(random):
                chunk["usageMetadata"] = {"promptTokenCount": body["usageMetadata"].get("promptTokenCount", 0)}
        chunks[-1]["usageMetadata"] = body["usageMetadata"]
    return chunks


def _candidate(candidate: dict[str, Any], random: Random) -> list[dict[str, Any]]:
    content: dict[str, Any] | None = candidate.get("content")
    index = {"index": candidate["index"]} if "index" in candidate else {}
    rest = {key: value for key, value in candidate.items() if key not in ("content", "index", "finishReason")}
    made: list[dict[str, Any]] = []
    if content is not None:
        listed: Any = content.get("parts")
        others = {key: value for key, value in content.items() if key != "parts"}
        groups: list[Any] = _groups(listed, random) if is_list(listed) else [listed] if "parts" in content else []
        made = [{"content": others | {"parts": parts}, **index} for parts in groups]
        if not made or often(random):
            made.append({"content": others | ({"parts": []} if is_list(listed) else {}), **index})
    made = made or [dict(index)]
    made[-1]["finishReason"] = candidate["finishReason"]
    for key, value in rest.items():
        at = random.randrange(len(made))
        made[at][key] = value
        for later in made[at + 1 :]:
            if key in _REPLACED and often(random):
                later[key] = value if often(random) else type(value)()
    return made


def _groups(parts: list[dict[str, Any]], random: Random) -> list[list[dict[str, Any]]]:
    """The parts of each chunk."""
    groups: list[list[dict[str, Any]]] = []
    last: dict[str, Any] = {}
    for part in parts:
        has_text_alone = part.keys() <= {"text", "thought"} and "text" in part
        joins = has_text_alone and last.keys() == part.keys()
        some = [part | {"text": piece} for piece in pieces(part["text"], random)] if has_text_alone else [part]
        if joins:
            groups[-1].append(some.pop(0))
        groups += [[one] for one in some]
        last = part
    return groups
