"""Hypothesis strategies for text bodies of InvokeModel, of each family, and for their streams."""

from __future__ import annotations

import copy
from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st

from ...codec.fields import Wire
from ...codec.format import Format
from ...codec.strategies import primitives as p
from ...codec.strategies.cutting import Chunk, pieces
from ...codec.strategies.spoiling import NO_CONTENT
from ...codec.strategies.wire import ResponseStrategies, Strategies, Wires
from .rows import METRICS, ROWS, Row, row_of_response

_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "max_tokens": st.integers(1, 4096),
    "temperature": st.sampled_from([0, 0.5, 1]),
    "top_p": st.sampled_from([0.5, 1]),
    "top_k": st.integers(0, 500),
    "stop": st.lists(p.text(blank=False), max_size=3),
}


def _requests(_: Format, odd: bool) -> Wires:
    return _bodies(odd)


@cache
def _bodies(odd: bool) -> Wires:
    return st.one_of(*(_of_family(row, odd) for row in ROWS.values()))


def _of_family(row: Row, odd: bool) -> Wires:
    settings = {key: _VALUES[name] for name, key in row.settings.items()}
    required: dict[str, Any] = {row.prompt: p.text(blank=odd)}
    if row.within is not None:
        return p.fields(required, {row.within: p.fields({}, settings), **p.unknown_fields(odd)})
    for name in ("max_tokens", "top_k") if row.name in ("mistral", "command") else ("max_tokens",):
        key = row.settings[name]  # by which the family is known
        required[key] = settings.pop(key)
    return p.fields(required, {**settings, **p.unknown_fields(odd)})


def _spoil(draw: st.DrawFn, payload: dict[str, Any]) -> str:
    """Spoil the prompt."""
    key = next(key for key in ("inputText", "message", "prompt") if key in payload)
    payload[key] = draw(NO_CONTENT)
    return f"/{key}"


# Responses


def _responses(_: Format, odd: bool) -> Wires:
    return _answers(odd)


@cache
def _answers(odd: bool) -> Wires:
    return st.one_of(*(_answers_of(row, odd) for row in ROWS.values()))


def _answers_of(row: Row, odd: bool) -> Wires:
    words = st.sampled_from([*row.stops.words, *(["x_unknown"] if odd else [])])
    required: dict[str, Any] = {}
    for path, value in ((row.text, p.text()), (row.reason, words)):
        required[path[0]] = value if len(path) == 1 else st.fixed_dictionaries({path[1]: value})
    if row.name == "titan":
        required["tokenCount"] = p.COUNTS
    if row.sequence is not None and odd:
        required[row.sequence] = p.text(blank=False)
    item = p.fields(required, {})
    counts = {path[0]: p.COUNTS for path in row.counts.fields.values() if path[0] != "tokenCount"}
    more: dict[str, Any] = {METRICS: st.just({"inputTokenCount": 1, "outputTokenCount": 2}), **p.unknown_fields(odd)}
    if row.listed is None:
        return p.fields({**required, **counts}, more)
    known = {"id": p.PORTABLE_IDS} if row.has_id else {}
    return p.fields({row.listed: st.lists(item, min_size=1, max_size=1), **counts}, {**known, **more})


def _streamable(body: dict[str, Any]) -> dict[str, Any] | None:
    """The part of a response that its stream has: all of it."""
    return copy.deepcopy(body)


def _split(body: dict[str, Any], random: Random) -> list[Chunk]:
    row = row_of_response(body)
    last = copy.deepcopy(body)
    item: Wire = last if row.listed is None else last[row.listed][0]
    holder = item if len(row.text) == 1 else item[row.text[0]]
    texts = pieces(holder[row.text[-1]], random)
    holder[row.text[-1]] = texts.pop() if texts else ""
    chunks: list[Chunk] = []
    for text in texts:
        made: Wire = {row.text[-1]: text} if len(row.text) == 1 else {row.text[0]: {row.text[1]: text}}
        if row.name == "titan":
            chunks.append({**made, "index": 0, "completionReason": None, "totalOutputTextTokenCount": None})
        elif row.name == "command":
            chunks.append({**made, "is_finished": False})
        elif row.name == "command_r":
            chunks.append({**made, "event_type": "text-generation", "is_finished": False})
        else:
            chunks.append(made if row.listed is None else {row.listed: [made]})
    return [*chunks, *_last(last, item, row)]


def _last(last: Wire, item: Wire, row: Row) -> list[Wire]:
    if row.name == "titan":
        del last["results"]
        count = {"totalOutputTextTokenCount": item.pop("tokenCount")} if "tokenCount" in item else {}
        return [{**last, **item, **count, "index": 0}]
    if row.name == "command":
        del last["generations"]
        return [{**last, **item, "is_finished": True}]
    if row.name == "command_r":
        begun = {"event_type": "text-generation", "text": last.pop("text"), "is_finished": False}
        return [
            begun,
            {"event_type": "stream-end", "is_finished": True, "finish_reason": last["finish_reason"], "response": last},
        ]
    return [last]


STRATEGIES = Strategies(_requests, _spoil, ResponseStrategies(_responses, _streamable, _split))
