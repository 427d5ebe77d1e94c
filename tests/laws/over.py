"""Laws over all formats, and over all pairs of them, whose examples are shared: test time does not grow with the formats.

A law over formats has so many times the examples of one without; each format gets its share, and never more than that one. A
law over pairs runs once for each target, which draws a source for each example; with --all-pairs, once for each pair.
"""

from collections.abc import Callable, Collection
from typing import Any, TypeVar

import pytest
from hypothesis import settings

Test = TypeVar("Test", bound=Callable[..., Any])

LEAST = 5
"""Examples that every format gets, however many formats there are."""

shared = 6
"""How many times the examples of a law without formats one over them has, fewer in the quick profile; set before collection."""
all_pairs = False
"""Whether to run a law once for each pair; set before tests are collected."""


def formats(values: Collection[Any], name: str = "format") -> Callable[[Test], Test]:
    """Run a law with each of the formats as the argument `name`."""
    return _parametrized(name, values, [getattr(value, "name", value) for value in values], len(values))


def pairs(sources: Collection[str], targets: Collection[str] | None = None) -> Callable[[Test], Test]:
    """Run a law with each target, and the list of all `sources` but it, from which the law draws one."""
    pairs = [(target, [source for source in sources if source != target]) for target in targets or sources]
    ids = [target for target, _ in pairs]
    if all_pairs:
        pairs = [(target, [source]) for target, others in pairs for source in others]
        ids = [f"{source}-{target}" for target, [source] in pairs]
    return _parametrized("target, sources", pairs, ids, 1 if all_pairs else len(pairs))


def examples(among: int) -> int:
    """How many examples each of so many formats gets of a law."""
    most = settings().max_examples
    return max(LEAST, min(most, most * shared // among))


def _parametrized(names: str, values: Collection[Any], ids: list[str], among: int) -> Callable[[Test], Test]:
    share = examples(among)

    def decorated(test: Test) -> Test:
        shared: Test = settings(max_examples=share)(test)
        made: Test = pytest.mark.parametrize(names, values, ids=ids)(shared)
        return made

    return decorated
