"""JSON text as people read it, token by token: numbers keep their digits, and members that are there twice stay twice."""

from __future__ import annotations

import re
from json import JSONDecoder
from typing import NamedTuple

_DECODE = JSONDecoder(strict=False).raw_decode
_SPACE = re.compile(r"[ \t\r\n]*")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_OPENS = ("{", "[")
_LIKE_OTHERS = re.compile(r"\s*(?:-?\d|true$|false$|null$|[\"{\[]|$)")
"""Texts that would be mistaken for other JSON without their quotation marks."""
_INDENT = "  "
_DEEPEST = 20
"""How many levels are indented; what is deeper stands there, so that the spaces do not outgrow the text."""


class Member(NamedTuple):
    """A member of an object: its value as JSON text; a text that cannot be mistaken for another value stands as it is."""

    name: str
    value: str
    is_text: bool


def members(text: str) -> list[Member] | None:
    """The members of the object that a JSON text is; None for any other text."""
    try:
        return _members(text)
    except (ValueError, RecursionError):
        return None


def _members(text: str) -> list[Member] | None:
    found: list[Member] = []
    at = _after(text, 0)
    if text[at : at + 1] != "{":
        return None
    at = _after(text, at + 1)
    while text[at : at + 1] != "}" or found:
        name, at = _DECODE(text, at)
        at = _after(text, at)
        if not isinstance(name, str) or text[at : at + 1] != ":":
            return None
        start = _after(text, at + 1)
        value, end = _DECODE(text, start)
        is_text = isinstance(value, str) and _LIKE_OTHERS.match(value) is None
        found.append(Member(name, value if is_text else text[start:end], is_text))
        at = _after(text, end)
        if text[at : at + 1] == "}":
            break
        if text[at : at + 1] != ",":
            return None
        at = _after(text, at + 1)
    return found if _after(text, at + 1) == len(text) else None


def _after(text: str, at: int) -> int:
    """The place behind white space."""
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def is_json(text: str) -> bool:
    """Whether a text is a JSON object or list."""
    try:
        value, end = _DECODE(text, _after(text, 0))
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict | list) and _after(text, end) == len(text)


def indented(text: str, width: int = 80) -> str:
    """JSON text with a line for each member of what is longer than a line; any other text as it is."""
    if len(text) <= width or not is_json(text):
        return text
    tokens: list[str] = _TOKEN.findall(text)
    lengths = _lengths(tokens)
    out: list[str] = []
    stack: list[bool] = []  # whether each object and list that is open stands in lines
    for at, token in enumerate(tokens):
        if token in _OPENS:
            stack.append(lengths[at] > width - len(_INDENT) * len(stack))
            out.append(token)
        elif token in "}]":
            out.append(_break(len(stack)) if stack.pop() else "")
            out.append(token)
        elif token == ",":
            out.append("," if stack[-1] else ", ")
        else:
            out.append(": " if token == ":" else token)
        starts_a_line = token in _OPENS or token == ","
        if starts_a_line and stack[-1]:
            out.append(_break(len(stack)))
    return "".join(out)


def _break(depth: int) -> str:
    return "\n" + _INDENT * min(depth, _DEEPEST)


def _lengths(tokens: list[str]) -> dict[int, int]:
    """How long each object and list is in a line, by the place of its first token."""
    found: dict[int, int] = {}
    open_at: list[int] = []
    total = 0
    for at, token in enumerate(tokens):
        if token in _OPENS:
            open_at.append(at)
            found[at] = -total
        total += len(token)
        if token in ",:":
            total += 1  # the space behind it
        if token in "}]":
            found[open_at.pop()] += total
    return found
