"""Rows in Alpaca's form: an instruction, its input and output, and the turns before."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from ...codec.format import Format
from ...codec.strategies.primitives import fields, text, unknown_fields
from ...codec.strategies.spoiling import NO_CONTENT
from ...codec.strategies.wire import Strategies


def requests(_: Format, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    return _requests(odd)


@cache
def _requests(odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    words = text(blank=odd)
    nullable = words | st.none() if odd else words
    history = st.lists(st.lists(words, min_size=2, max_size=2), min_size=0 if odd else 1, max_size=2)
    usual = fields(
        {"instruction": words, "output": words},
        {"input": nullable | st.just(""), "system": nullable, "history": history, **unknown_fields(odd)},
    )
    partial = fields({}, {"instruction": nullable, "input": words, "output": nullable, "history": history})
    return usual | partial.filter(bool) if odd else usual


def spoil(draw: st.DrawFn, payload: dict[str, Any]) -> str:
    """Spoil one of the fields."""
    key = draw(st.sampled_from(sorted(payload.keys() - {"history"})))
    payload[key] = draw(NO_CONTENT)
    return f"/{key}"


STRATEGIES = Strategies(requests, spoil)
