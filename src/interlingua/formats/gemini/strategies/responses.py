"""Gemini responses."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from ....codec.format import Format
from ....codec.strategies import primitives as p

Wires = st.SearchStrategy[dict[str, Any]]
_SIGNED: dict[str, Any] = {"thoughtSignature": p.BASE64}
_SEARCHED = {"id": "search", "toolType": "GOOGLE_SEARCH_WEB"}


@cache
def _parts(odd: bool) -> st.SearchStrategy[list[dict[str, Any]]]:
    words = p.fields({"text": p.text(blank=odd)}, _SIGNED)
    kinds: list[Wires] = [
        words,
        p.fields({"text": p.text(blank=False), "thought": st.just(True)}, _SIGNED),
        p.fields({"functionCall": p.fields({"name": p.NAMES, "args": p.json_objects()}, {"id": p.PORTABLE_IDS})}, _SIGNED),
        p.fields({"inlineData": p.fields({"mimeType": p.MEDIA_TYPES, "data": p.BASE64}, {})}, _SIGNED),
        st.just({"executableCode": {"language": "PYTHON", "code": "1"}}),
        st.just({"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}}),
        st.just({"toolCall": {**_SEARCHED, "args": {"queries": ["a"]}}}),
        st.just({"toolResponse": {**_SEARCHED, "response": {"search_suggestions": "<p>"}}}),
    ]
    if odd:
        kinds += [
            p.fields({"text": p.text()}, p.unknown_fields(odd)),
            st.just({"functionCall": {"name": "f"}}),
            p.fields(
                {"toolCall": p.fields({"id": p.NAMES, "toolType": st.just("URL_CONTEXT")}, {"args": p.json_objects()})}, {}
            ),
        ]
    return st.lists(st.one_of(kinds), max_size=4).map(_numbered)


def _numbered(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The parts, with different ids for all calls."""
    for i, part in enumerate(parts):
        if "id" in part.get("functionCall", {}):
            part["functionCall"] = part["functionCall"] | {"id": f"call_{i}"}
    return parts


def _grounded(candidate: dict[str, Any], grounded: bool, recited: bool) -> dict[str, Any]:
    """The candidate with sources for the first of its texts, if it has one."""
    texts = [part["text"] for part in candidate["content"]["parts"] if "text" in part and not part.get("thought")]
    if not texts:
        return candidate
    segment = {"endIndex": len(texts[0].encode()), "text": texts[0]}
    if grounded:
        chunks = [{"web": {"uri": "https://example.com", "title": "é"}}, {"retrievedContext": {"title": "t", "text": "said"}}]
        supports = [{"segment": segment, "groundingChunkIndices": [1, 0]}]
        candidate["groundingMetadata"] = {"groundingChunks": chunks, "groundingSupports": supports, "webSearchQueries": ["q"]}
    if recited:
        candidate["citationMetadata"] = {"citations": [{"endIndex": segment["endIndex"], "uri": "https://example.com/a"}]}
    return candidate


@cache
def _candidates(odd: bool) -> Wires:
    content = p.fields({"parts": _parts(odd), "role": st.just("model")}, {})
    words = ["STOP", "STOP", "MAX_TOKENS", "SAFETY", "MALFORMED_FUNCTION_CALL", *(["X_UNKNOWN", 1, 17] if odd else [])]
    more: dict[str, Any] = {
        "safetyRatings": st.just([{"category": "HARM_CATEGORY_HARASSMENT", "probability": "NEGLIGIBLE"}]),
        "avgLogprobs": st.just(-0.5),
        "finishMessage": p.text(),
        **p.unknown_fields(odd),
    }
    base = p.fields({"content": content, "finishReason": st.sampled_from(words)}, more)
    return st.builds(_grounded, base, st.booleans(), st.booleans())


@cache
def _usage() -> Wires:
    details = st.just([{"modality": "TEXT", "tokenCount": 1}, {"modality": "AUDIO", "tokenCount": 2}])
    optional = {
        "candidatesTokenCount": p.COUNTS,
        "thoughtsTokenCount": p.COUNTS,
        "cachedContentTokenCount": st.integers(0, 9),
        "promptTokensDetails": details,
        "trafficType": st.just("ON_DEMAND"),
    }
    return p.fields({"promptTokenCount": st.integers(9, 10**6), "totalTokenCount": p.COUNTS}, optional)


@cache
def _bodies(odd: bool) -> Wires:
    frame: dict[str, Any] = {
        "candidates": st.lists(_candidates(odd), min_size=1, max_size=2).map(_indexed),
        "usageMetadata": _usage(),
        "modelVersion": p.NAMES,
        "responseId": st.integers(0, 99).map("r{}".format),
    }
    whole = p.fields(frame, {"createTime": st.just("2026-11-22T00:00:00Z"), **p.unknown_fields(odd)})
    if not odd:
        return whole
    refused = {
        "promptFeedback": st.just({"blockReason": "SAFETY"}),
        **{key: frame[key] for key in ("usageMetadata", "modelVersion")},
    }
    return st.one_of(p.but_for_one(whole, ["usageMetadata", "modelVersion", "responseId"]), whole, p.fields(refused, {}))


def _indexed(candidates: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [candidate | ({"index": i} if i or len(candidates) > 1 else {}) for i, candidate in enumerate(candidates)]


def responses(_: Format, odd: bool) -> Wires:
    return _bodies(odd)
