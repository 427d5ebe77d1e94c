"""Finds unknown fields whose names are misspelled names of known fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...errors import escape
from .view import Found

_SHORTEST = 4
"""The length of the shortest name that is compared, because shorter names are too similar."""


def misspelt(owners: Iterable[tuple[str, dict[str, Any]]], known: frozenset[str]) -> Found:
    """The unknown fields of objects whose names are nearly those of known fields."""
    for at, owner in owners:
        if not owner.keys() <= known:
            for key in sorted(map(str, owner.keys() - known)):
                meant = [name for name in known if len(name) >= _SHORTEST and is_slip(key, name)]
                if meant:
                    yield f"{at}/{escape(key)}", f"unknown field; did you mean `{min(meant)}`?"


def is_slip(one: str, other: str) -> bool:
    """Whether one letter is missing, added or replaced, or two neighbouring letters are swapped."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    rest = one[start:]
    goal = other[start:]
    return (
        rest[1:] == goal[1:]
        or rest[1:] == goal
        or rest == goal[1:]
        or (rest[:2] == goal[1::-1] and len(rest) > 1 and rest[2:] == goal[2:])
    )


def words(*lists: str) -> frozenset[str]:
    """The words in these texts."""
    return frozenset(" ".join(lists).split())
