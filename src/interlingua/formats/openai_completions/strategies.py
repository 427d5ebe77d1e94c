"""Legacy Completions: prompts, answers of texts, and their streams."""

from __future__ import annotations

import copy
from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st

from ...codec.format import Format
from ...codec.strategies.cutting import Chunk, pieces
from ...codec.strategies.primitives import COUNTS, NAMES, PORTABLE_IDS, fields, text, unknown_fields
from ...codec.strategies.spoiling import spoil_prompt
from ...codec.strategies.wire import ResponseStrategies, Strategies, Wires
from .answers import STOPS


def requests(_: Format, odd: bool) -> Wires:
    return _requests(odd)


@cache
def _requests(odd: bool) -> Wires:
    prompt = text(blank=odd)
    more = {"model": NAMES, "seed": st.integers(0, 9)}
    return fields({"prompt": prompt | st.lists(prompt, min_size=1, max_size=3)}, more)


def _responses(_: Format, odd: bool) -> Wires:
    return _answers(odd)


@cache
def _answers(odd: bool) -> Wires:
    lists = {"tokens": ["a", "b"], "token_logprobs": [-0.5, -1.0], "top_logprobs": [{"a": -0.5}, {}], "text_offset": [0, 1]}
    words = st.sampled_from([*STOPS.words, *(["x_unknown"] if odd else [])])
    choice = fields(
        {"text": text(blank=odd), "index": st.just(0), "finish_reason": words, "logprobs": st.none() | st.just(lists)},
        unknown_fields(odd),
    )
    usage = st.builds(_usage, COUNTS, COUNTS, _DETAILS if odd else st.just({}))
    frame = {"id": PORTABLE_IDS, "object": st.just("text_completion"), "created": COUNTS, "model": NAMES}
    more = {"usage": usage, "system_fingerprint": NAMES, **unknown_fields(odd)}
    return fields({**frame, "choices": st.lists(choice, min_size=1, max_size=1)}, more)


_DETAILS = fields(
    {},
    {
        "prompt_tokens_details": fields({"cached_tokens": COUNTS}, {"audio_tokens": COUNTS, "cache_write_tokens": COUNTS}),
        "completion_tokens_details": fields({"reasoning_tokens": COUNTS}, {"audio_tokens": COUNTS}),
    },
)


def _usage(asked: int, answered: int, details: dict[str, Any]) -> dict[str, Any]:
    return {"prompt_tokens": asked, "completion_tokens": answered, "total_tokens": asked + answered, **details}


def _split(body: dict[str, Any], random: Random) -> list[Chunk]:
    frame = {key: body[key] for key in ("id", "object", "created", "model")}
    choice = body["choices"][0]
    empty: dict[str, Any] = {"index": 0, "finish_reason": None, "logprobs": None if choice["logprobs"] is None else {}}
    chunks: list[Chunk] = [
        {**frame, "choices": [{**empty, "text": piece}], "usage": None} for piece in pieces(choice["text"], random)
    ]
    rest = {key: value for key, value in body.items() if key != "usage"}
    chunks.append({**rest, "choices": [{**choice, "text": ""}]})
    if "usage" in body:
        chunks.append({**frame, "choices": [], "usage": body["usage"]})
    return [*chunks, "[DONE]"]


STRATEGIES = Strategies(requests, spoil_prompt, ResponseStrategies(_responses, copy.deepcopy, _split))
