"""Responses of Cohere's Chat, with the constraints that the wire types do not express."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from ....codec.format import Format
from ....codec.strategies import primitives as p
from .requests import KNOWN_CITATIONS, Wires, answer, calling, cited


@st.composite
def _message(draw: st.DrawFn, odd: bool) -> dict[str, Any]:
    ids = draw(st.lists(p.PORTABLE_IDS, max_size=3, unique=True))
    message: dict[str, Any] = draw(calling(False, ids, listed=True) if ids else answer(False, listed=True))
    # The next request would send back a part of an unknown type, which the specification does not allow there.
    return draw(cited(message, odd, KNOWN_CITATIONS)) if odd and draw(st.booleans()) else message


def _usage(odd: bool) -> Wires:
    def counted(cached: int, fresh: int, thought: int, spoken: int, more: dict[str, Any]) -> dict[str, Any]:
        tokens = {"input_tokens": cached + fresh, "output_tokens": thought + spoken, "reasoning_tokens": thought}
        billed = {"input_tokens": fresh, "output_tokens": spoken}
        return {"billed_units": billed, "tokens": tokens, "cached_tokens": cached, **more}

    def as_floats(usage: dict[str, Any], wanted: bool) -> dict[str, Any]:
        tokens = {key: float(count) for key, count in usage["tokens"].items()}
        return {**usage, "tokens": tokens} if wanted else usage

    counts = st.builds(counted, p.COUNTS, p.COUNTS, p.COUNTS, p.COUNTS, p.fields({}, p.unknown_fields(odd)))
    return st.builds(as_floats, counts, st.booleans()) if odd else counts


def responses(_: Format, odd: bool) -> Wires:
    return _bodies(odd)


@cache
def _bodies(odd: bool) -> Wires:
    def ended(body: dict[str, Any], word: str) -> dict[str, Any]:
        return body | {"finish_reason": "TOOL_CALL" if body["message"].get("tool_calls") else word}

    token = st.fixed_dictionaries({"token_ids": st.just([1, 2]), "logprobs": st.just([-0.5, -1.0]), "text": p.text()})
    frame = {"id": p.NAMES, "message": _message(odd), "usage": _usage(odd)}
    bodies = p.fields(frame, {"logprobs": st.lists(token, min_size=1, max_size=2), **p.unknown_fields(odd)})
    words = ["COMPLETE", "COMPLETE", "MAX_TOKENS", "STOP_SEQUENCE", "ERROR", *(["x_unknown"] if odd else [])]
    return st.builds(ended, p.but_for_one(bodies, ["id", "usage"]) if odd else bodies, st.sampled_from(words))
