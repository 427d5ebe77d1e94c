"""Where the marks of a body are in a rendering, and whether what they mark is there whole.

White space is not compared, because templates trim and indent. A text may be printed as it is, or escaped as in JSON, in JSON
in JSON, in Python or in HTML.
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
"""Whether a text is there: whole, whole in a list of parts that is printed as Python prints it, otherwise, or not at all."""


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
"""How a text may be spelled in a rendering."""

_SPACE = re.compile(r"\s+")
_LOOKED_AT = 8
"""How many places of one mark are looked at: a template may print a text often."""


class Place(NamedTuple):
    """A place of a mark in a rendering: where the mark begins and ends."""

    start: int
    end: int


class Found(NamedTuple):
    """What became of one mark: whether its text is there, at which of its places, and how long it is before and after it.

    Lengths are without white space, as the text is spelled there.
    """

    arrival: Arrival
    at: int = 0
    before: int = 0
    after: int = 0


class Located(NamedTuple):
    """A rendering with marks, and what became of each of them."""

    text: str
    found: list[Found]
    places: list[list[Place]]
    """of each mark, in the text"""

    def missing(self) -> list[int]:
        """The numbers of the marks that are not there."""
        return [number for number, each in enumerate(self.found) if each.arrival == "missing"]

    def extent(self, number: int) -> Place | None:
        """Where the text of a mark begins and ends, with the mark; None if it is not there whole."""
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
    """Find the marks of a body in its rendering."""
    dense = _SPACE.sub("", text)
    places, inside = _places(text, marked), _places(dense, marked)
    found: list[Found] = []
    for number, mark in enumerate(marked.marks):
        if mark.kind == "number":  # without white space, other digits may touch it
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
    """A rendering as it would be if the marks had changed nothing, and where its pieces are in the one with marks."""

    text: str
    starts: list[int]
    """of the pieces between marks, in the text with marks, in order"""
    moved: list[int]
    """by how much each of them begins earlier without marks"""

    def position(self, marked: int) -> int:
        """Where a place of the text with marks is without them."""
        piece = bisect_right(self.starts, marked) - 1
        return marked - self.moved[piece]


def unmark(text: str, marked: Marked) -> Unmarked:
    """Take the marks out of a rendering."""
    both = re.compile(f"{marked.words.pattern}|{marked.numbers.pattern}")
    pieces: list[str] = []
    starts, moved = [0], [0]
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
"""How many texts may be looked for in vain."""


def absent(text: str, marked: Marked) -> list[int]:
    """The numbers of the marks whose own values are not in a rendering without marks.

    Values are looked for one behind the other, and from the beginning only so often, so that this takes linear time; the rest
    counts as there.
    """
    dense = _SPACE.sub("", text)
    position, budget = 0, _BUDGET
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
