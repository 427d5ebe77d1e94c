"""Finds the marks of a body in a rendering, and whether the values around them were printed whole.

White space is ignored, because templates trim and indent. A text may be printed unchanged, or escaped as in JSON, in JSON
inside JSON, in Python or in HTML.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from html import escape as escape_html
from typing import Literal, NamedTuple, TypeAlias

from .marks import Mark, Marked

Arrival: TypeAlias = Literal["whole", "python", "changed", "missing"]
"""How a text was printed: whole, whole inside a list of parts as Python prints it, changed, or not at all."""


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _ascii_json(text: str) -> str:
    return json.dumps(text)[1:-1]


def _python(text: str) -> str:
    return repr(text)[1:-1]


def _same(text: str) -> str:
    return text


def _twice(text: str) -> str:
    return _json(_json(text))


def _ascii_twice(text: str) -> str:
    return _ascii_json(_ascii_json(text))


SPELLINGS: tuple[Callable[[str], str], ...] = (_same, _json, _ascii_json, _python, _twice, _ascii_twice, escape_html)
"""The ways to spell a text in a rendering."""

_SPACE = re.compile(r"\s+")
_LOOKED_AT = 8
"""The most places of one mark that are recorded, because a template may print a text often."""


class Place(NamedTuple):
    """A place of a mark in a rendering: the start and the end of the mark."""

    start: int
    end: int


class Found(NamedTuple):
    """What became of a mark: how its text was printed, at which of its places, and the lengths before and after the mark.

    The lengths are those of the text as it is spelled there, without white space.
    """

    arrival: Arrival
    at: int = 0
    before: int = 0
    after: int = 0


class Located(NamedTuple):
    """A rendering with marks, and what became of each mark."""

    text: str
    found: list[Found]
    places: list[list[Place]]
    """the places of each mark in the text"""

    def missing(self) -> list[int]:
        """The numbers of the marks that were not printed."""
        return [number for number, each in enumerate(self.found) if each.arrival == "missing"]

    def extent(self, number: int) -> Place | None:
        """The start and the end of the whole text with a mark in it; None if it was not printed whole."""
        arrival, at, before, after = self.found[number]
        if arrival not in ("whole", "python") or at >= len(self.places[number]):
            return None
        start, end = self.places[number][at]
        while before:
            start -= 1
            before -= not self.text[start].isspace()
        while after:
            after -= not self.text[end].isspace()
            end += 1
        return Place(start, end)


def locate(text: str, marked: Marked) -> Located:
    """Find the marks of a body in a rendering of it."""
    dense = _SPACE.sub("", text)
    places = _places(text, marked)
    inside = _places(dense, marked)
    found: list[Found] = []
    for number, mark in enumerate(marked.marks):
        if mark.kind == "number":  # without white space, it may touch other digits
            found.append(Found("whole" if places[number] else "missing"))
        else:
            found.append(_found(dense, mark, inside[number]))
    return Located(text, found, places)


def _places(text: str, marked: Marked) -> list[list[Place]]:
    found: list[list[Place]] = [[] for _ in marked.marks]
    for pattern in (marked.words, marked.numbers):
        for match in pattern.finditer(text):
            number = int(match[1])
            if number < len(found) and len(found[number]) < _LOOKED_AT:
                found[number].append(Place(match.start(), match.end()))
    return found


def _found(dense: str, mark: Mark, places: list[Place]) -> Found:
    if not places:
        return Found("missing")
    for before, after in _spelled(mark):
        for at, (start, end) in enumerate(places):
            begin = start - len(before)
            if begin >= 0 and dense.startswith(before, begin) and dense.startswith(after, end):
                in_part = "/content/" in mark.path and dense[max(begin - 8, 0) : begin - 1] == "'text':"
                return Found("python" if in_part else "whole", at, len(before), len(after))
    return Found("changed")


def _spelled(mark: Mark) -> Iterator[tuple[str, str]]:
    seen: set[tuple[str, str]] = set()
    for spelling in SPELLINGS:
        both = _SPACE.sub("", spelling(mark.before)), _SPACE.sub("", spelling(mark.after))
        if both not in seen:
            seen.add(both)
            yield both


class Unmarked(NamedTuple):
    """A rendering without its marks, and where its pieces were in the rendering with marks."""

    text: str
    starts: list[int]
    """the starts of the pieces between marks, in the text with marks"""
    moved: list[int]
    """by how much each piece moves towards the beginning without marks"""

    def position(self, marked: int) -> int:
        """The position without marks for a position in the text with marks."""
        piece = bisect_right(self.starts, marked) - 1
        return marked - self.moved[piece]


def unmark(text: str, marked: Marked) -> Unmarked:
    """Remove the marks from a rendering."""
    both = re.compile(f"{marked.words.pattern}|{marked.numbers.pattern}")
    pieces: list[str] = []
    starts = [0]
    moved = [0]
    last = length = 0
    for match in both.finditer(text):
        number = int(match[1] or match[2])
        value = "" if match[1] or number >= len(marked.marks) else json.dumps(marked.marks[number].of)
        pieces += text[last : match.start()], value
        length += match.start() - last + len(value)
        last = match.end()
        starts.append(last)
        moved.append(last - length)
    return Unmarked("".join([*pieces, text[last:]]), starts, moved)


_BUDGET = 64
"""The most searches that may find nothing."""


def absent(text: str, marked: Marked) -> list[int]:
    """The numbers of the marks whose own values are not in a rendering without marks.

    Each value is searched for after the one before it. Only a limited number is searched for from the beginning, so that this
    takes linear time; when the limit is reached, the remaining values count as found.
    """
    dense = _SPACE.sub("", text)
    position = 0
    budget = _BUDGET
    found: list[int] = []
    for number, mark in enumerate(marked.marks):
        if mark.kind == "number":
            continue
        at = _found_from(dense, mark, position)
        if at is None:
            budget -= 1
            if budget < 0:
                break
            at = _found_from(dense, mark, 0)
        if at is None:
            found.append(number)
        elif mark.kind == "text":
            position = at
    return found


def _found_from(dense: str, mark: Mark, position: int) -> int | None:
    places = (dense.find(before + after, position) for before, after in _spelled(mark))
    return next((place for place in places if place >= 0), None)
