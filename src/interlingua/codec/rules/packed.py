"""Finds values that `carry=True` packed for another provider, in a request that would send them as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from ...model.base import Json
from ..carrying import is_packed
from .rule import Find
from .view import Found, View


def packed_in(*paths: str) -> Find:
    """Make the rule for a format whose messages have opaque fields at these paths, such as `content/*/signature`."""
    fields = _tree(paths)

    def packed_value(view: View) -> Found:
        """A signature or encrypted reasoning must be the provider's own, not one that was packed for another provider.

        Evidence: what is packed is text of this package, which no provider can verify or read.
        """
        for turn in view.turns:
            for field in filter(fields.__contains__, turn.value):
                value = turn.value[field]
                inner = fields[field]
                if inner and type(value) is str:
                    continue  # most content
                for at in _packed(value, inner, f"{turn.at}/{field}"):
                    yield at, "this value was packed for another provider: load the request with `carry=True`, or leave it out"

    return packed_value


_Tree: TypeAlias = dict[str, "_Tree"]
"""Fields, each with the fields inside it; `*` is each item of a list, or the single value in place of a list."""


def _tree(paths: Iterable[str]) -> _Tree:
    tree: _Tree = {}
    for path in paths:
        inner = tree
        for key in path.split("/"):
            inner = inner.setdefault(key, {})
    return tree


def _packed(value: Json, tree: _Tree, at: str) -> Iterator[str]:
    """The pointers of the packed values inside a value."""
    if not tree:
        if is_packed(value):
            yield at
    elif "*" in tree and isinstance(value, list):
        inside = tree["*"]
        item: Json
        for index, item in enumerate(value):
            if type(item) is not dict or not inside.keys().isdisjoint(item):
                yield from _packed(item, inside, f"{at}/{index}")
    elif "*" in tree:
        yield from _packed(value, tree["*"], at)
    elif isinstance(value, dict):
        fields: dict[str, Json] = value
        for key, inner in tree.items():
            if key in fields:
                yield from _packed(fields[key], inner, f"{at}/{key}")
