"""Responses of the Interactions API, with the constraints that the wire types do not express."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from ....codec.format import Format
from ....codec.strategies import primitives as p
from .requests import Wires, answered, call, model_steps, thought


@st.composite
def _steps(draw: st.DrawFn, odd: bool) -> list[dict[str, Any]]:
    ids = draw(st.lists(p.PORTABLE_IDS, max_size=3, unique=True))
    return draw(model_steps(odd, ids))


def _usage(odd: bool) -> Wires:
    def counted(cached: int, fresh: int, thought: int, spoken: int, used: int, more: dict[str, Any]) -> dict[str, Any]:
        counts = {
            "total_input_tokens": cached + fresh,
            "total_cached_tokens": cached,
            "total_output_tokens": spoken,
            "total_thought_tokens": thought,
            "total_tool_use_tokens": used,
            "total_tokens": cached + fresh + spoken + thought + used,
        }
        return {**counts, "input_tokens_by_modality": [{"modality": "text", "tokens": cached + fresh}], **more}

    counts = p.COUNTS
    return st.builds(counted, counts, counts, counts, counts, counts, p.fields({}, p.unknown_fields(odd)))


def responses(_: Format, odd: bool) -> Wires:
    return _bodies(odd)


@cache
def _bodies(odd: bool) -> Wires:
    def ended(body: dict[str, Any], word: str) -> dict[str, Any]:
        called = any(step["type"] == "function_call" for step in body.get("steps") or ())
        return body | {"status": "requires_action" if called and word != "x_unknown" else word}

    time = st.just("2026-05-15T18:51:55Z")
    times = time | st.sampled_from(["2026-05-15T18:51:55.5Z", "soon"]) if odd else time
    usual = {
        "id": st.integers(0, 99).map("v1_{}".format),
        "object": st.just("interaction"),
        "model": p.NAMES,
        "created": times,
        "updated": time,
        "steps": _steps(odd),
        "usage": _usage(odd),
    }
    more = {"service_tier": st.just("standard"), **p.unknown_fields(odd, role=st.just("model"))}
    bodies = p.fields(usual, more)
    words = ["completed", "completed", "incomplete", "failed", *(["x_unknown", "cancelled"] if odd else [])]
    made = st.builds(ended, p.but_for_one(bodies, [*usual]) if odd else bodies, st.sampled_from(words))
    return (
        made | st.builds(_first_version, made, st.lists(thought(True) | answered(True) | call(True), max_size=3))
        if odd
        else made
    )


def _first_version(body: dict[str, Any], outputs: list[dict[str, Any]]) -> dict[str, Any]:
    """A response of the API's first version, which has outputs in place of steps."""
    return {key: value for key, value in body.items() if key != "steps"} | {"outputs": outputs}
