"""Rows in ShareGPT's form: turns of two sides, calls and tools as JSON text."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from hypothesis import strategies as st

from ...codec.format import Format
from ...codec.strategies.primitives import NAMES, SCHEMAS, arguments, fields, json_objects, text, unknown_fields
from ...codec.strategies.spoiling import NO_CONTENT, NO_MESSAGE
from ...codec.strategies.wire import Strategies
from . import ROLES


@cache
def _call() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"name": NAMES, "arguments": json_objects() | arguments(broken=True)})


@cache
def _value(word: str, odd: bool) -> st.SearchStrategy[str]:
    if ROLES[word] != "call":
        return text(blank=odd)
    usual = (_call() | st.lists(_call(), min_size=1, max_size=3)).map(lambda calls: json.dumps(calls, ensure_ascii=False))
    spaced = _call().map(lambda call: json.dumps(call, indent=1))
    broken = st.sampled_from(["", "f()", "[]", "[1]", "{}", '{"name": "f", "arguments": {"a": 0.10000000000000001}}'])
    return usual | spaced | broken if odd else usual


@cache
def _turn(odd: bool, *words: str) -> st.SearchStrategy[dict[str, Any]]:
    more = unknown_fields(odd, weight=st.integers(0, 1))
    return st.sampled_from(words).flatmap(lambda word: fields({"from": st.just(word), "value": _value(word, odd)}, more))


@cache
def _turns(odd: bool) -> st.SearchStrategy[list[dict[str, Any]]]:
    asked = _turn(odd, "human", "user") if odd else _turn(odd, "human")
    answered = _turn(odd, "gpt", "assistant", "bing") if odd else _turn(odd, "gpt")
    result = _turn(odd, "observation", "tool") if odd else _turn(odd, "observation")
    called = st.tuples(_turn(odd, "function_call"), result)
    rounds = st.lists(st.tuples(asked, answered) | st.tuples(asked, called, answered).map(_flat), min_size=1, max_size=3)
    rest = st.lists(_turn(odd, "system"), max_size=int(odd))
    return st.builds(_joined, rest, rounds)


def _joined(first: list[Any], rounds: list[tuple[Any, ...]]) -> list[Any]:
    return [*first, *(turn for each in rounds for turn in each)]


def _flat(drawn: tuple[Any, tuple[Any, Any], Any]) -> tuple[Any, ...]:
    return (drawn[0], *drawn[1], drawn[2])


@cache
def _tools(odd: bool) -> st.SearchStrategy[str]:
    function = fields({"name": NAMES}, {"description": text(), "parameters": SCHEMAS})
    nested = function.map(lambda tool: {"type": "function", "function": tool})
    other = fields({"name": NAMES, "strict": st.booleans()}, {"type": st.just("x")})
    kinds = function | nested | other if odd else function
    usual = st.lists(kinds, min_size=1, max_size=2).map(lambda tools: json.dumps(tools, ensure_ascii=False))
    return usual | st.sampled_from(["", "[]", "f"]) if odd else usual


def requests(_: Format, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    return _requests(odd)


@cache
def _requests(odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    system = text(blank=False) | st.just("") | st.none() if odd else text(blank=False)
    return fields({"conversations": _turns(odd)}, {"system": system, "tools": _tools(odd), **unknown_fields(odd)})


def spoil(draw: st.DrawFn, payload: dict[str, Any]) -> str:
    """Spoil one of the turns."""
    index = draw(st.integers(0, len(payload["conversations"]) - 1))
    pointer = f"/conversations/{index}"
    if draw(st.booleans()):
        payload["conversations"][index] = draw(NO_MESSAGE)
        return pointer
    payload["conversations"][index]["value"] = draw(NO_CONTENT)
    return f"{pointer}/value"


STRATEGIES = Strategies(requests, spoil)
