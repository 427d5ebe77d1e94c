"""Finds texts that were cut inside a character: JSON can have half of a surrogate pair, UTF-8 cannot."""

from __future__ import annotations

from collections.abc import Iterable

from ...errors import escape
from ...model.base import Json
from .view import Found, View

_WITH_TEXTS = ("messages", "system")


def broken_strings(roots: Iterable[tuple[str, Json]]) -> Found:
    """Every string with half of a surrogate pair, in these values; pointers are made only for a value that has one."""
    for root, root_value in roots:
        waiting: list[tuple[str, Json]] = [] if _is_whole(root_value) else [(root, root_value)]
        seen: set[int] = set()
        while waiting:
            at, value = waiting.pop()
            if isinstance(value, str):
                if not _is_whole(value):
                    yield at, "the text has half of a surrogate pair, because it was cut inside a character: cut it elsewhere"
            elif isinstance(value, dict | list) and id(value) not in seen:
                seen.add(id(value))
                items: Iterable[tuple[object, Json]] = value.items() if isinstance(value, dict) else enumerate(value)
                waiting += [(f"{at}/{escape(str(key))}", item) for key, item in items]


def _is_whole(root: Json) -> bool:
    waiting: list[Json] = [root]
    seen: set[int] = set()
    while waiting:
        value: Json = waiting.pop()
        if isinstance(value, str):
            if not value.isascii():
                try:
                    value.encode()
                except UnicodeEncodeError:
                    return False
        elif isinstance(value, dict | list) and id(value) not in seen:
            seen.add(id(value))
            waiting += value.values() if isinstance(value, dict) else value
    return True


def broken_outside_texts(view: View) -> Found:
    """The same in everything other than text: settings, tools, the arguments of calls, thinking, and other blocks."""
    yield from broken_strings((f"/{key}", value) for key, value in view.body.items() if key not in _WITH_TEXTS)
    yield from broken_strings((call.arguments_at, call.arguments) for call in view.calls)
    yield from broken_strings((thought.at, thought.value) for thought in view.thoughts)
    yield from broken_strings((block.at, block.value) for block in view.others)
