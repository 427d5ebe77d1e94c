"""Marks: short words that are put into each text, name, key and number of a body, to see in a rendering what was printed.

A mark is put inside a text, and the text before and after it stays, so that a rendering also shows whether the whole text was
printed. It has only letters and digits that no escape changes, in an order that the body does not contain. Ids, roles, types
and the types in schemas get no marks, because templates decide by them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple, TypeAlias

from ...errors.texts import escape
from ...model.base import Json
from .rendering import REASONING, Body, messages_of

Kind: TypeAlias = Literal["text", "name", "key", "number"]


class Mark(NamedTuple):
    """One mark: where it is, and the text before and after it."""

    path: str
    owner: str
    """the pointer to the smallest value that is lost as a whole: a content, a reasoning, a call, a tool, a document"""
    kind: Kind
    before: str
    after: str
    of: Json = None
    """the value of the key that is marked, or the number"""


class Marked(NamedTuple):
    """A body with marks, and the list of its marks; the number in a mark is its index."""

    body: dict[str, Any]
    marks: list[Mark]
    words: re.Pattern[str]
    """finds the marks in texts"""
    numbers: re.Pattern[str]
    """finds the marks in place of numbers"""


_SPECIAL = re.compile(r"<[^<>\s]{1,60}>|\[[^\[\]\s]{1,60}\]|<\|[^<>]{1,60}\|>")
"""Text that templates may look for, such as `</think>`; a mark must not be put into it."""

_DECIDES = frozenset({"type", "$ref", "role", "id", "tool_call_id"})
"""Fields whose values get no mark."""

_MEDIA = frozenset({"image", "image_url", "video", "video_url", "audio", "audio_url", "input_audio", "file"})
"""The types of parts whose content templates do not print."""


def mark(body: Body) -> Marked:
    """The body with a mark in each text, name, key and number."""
    return _Marking(body).marked()


class _Marking:
    def __init__(self, body: Body) -> None:
        self.given = body
        self.marks: list[Mark] = []
        text = json.dumps(body)
        self.word = f"Zq{_unused(text, 'Zq')}x"
        self.digits = f"9{_unused(text, '9', 3)}"

    def marked(self) -> Marked:
        body = dict(self.given)
        body["messages"] = self.items("messages", self.message)
        for name, each in (("tools", self.tool), ("documents", self.document)):
            if isinstance(body.get(name), list):
                body[name] = self.items(name, each)
        word = re.compile(self.word + r"(\d{7})")
        return Marked(body, self.marks, word, re.compile(rf"(?<!\d){self.digits}(\d{{7}})(?!\d)(?:\.5(?!\d))?"))

    def items(self, name: str, each: Callable[[Json, str], Json]) -> list[Json]:
        return [each(item, f"/{name}/{number}") for number, item in enumerate(self.given.get(name) or ())]

    def message(self, message: Any, path: str) -> Json:
        fields = dict(message)
        for name in ("content", *REASONING):
            if name in fields:
                fields[name] = self.value(fields[name], f"{path}/{name}", f"{path}/{name}")
        if isinstance(fields.get("tool_calls"), list):
            fields["tool_calls"] = [
                self.call(call, f"{path}/tool_calls/{number}") for number, call in enumerate(fields["tool_calls"])
            ]
        return fields

    def call(self, call: Json, path: str) -> Json:
        """Mark a call, whose function may be in a field of its own."""
        if not isinstance(call, dict):
            return call
        if isinstance(call.get("function"), dict):
            return {**call, "function": self.function(call["function"], f"{path}/function", path)}
        return self.function(call, path, path)

    def function(self, function: dict[str, Any], path: str, owner: str) -> dict[str, Any]:
        fields = dict(function)
        if isinstance(fields.get("name"), str):
            fields["name"] = self.at_end(fields["name"], f"{path}/name", owner, "name")
        if "arguments" in fields:
            fields["arguments"] = self.arguments(fields["arguments"], f"{path}/arguments", owner)
        return fields

    def arguments(self, arguments: Json, path: str, owner: str) -> Json:
        """Mark arguments, which may be an object or its text."""
        if not isinstance(arguments, str):
            return self.value(arguments, path, owner, keys=True)
        read: Json
        try:
            read = json.loads(arguments)
        except (ValueError, RecursionError):
            read = None
        if not isinstance(read, dict):
            return self.value(arguments, path, owner)
        return json.dumps(self.value(read, path, owner, keys=True), ensure_ascii=False)

    def tool(self, tool: Json, path: str) -> Json:
        """Mark a tool: its name, its description and its schema."""
        return self.schema(tool, path, path)

    def schema(self, value: Json, path: str, owner: str) -> Json:
        """Mark a tool or a schema in it, including the names of properties, which `required` repeats."""
        if isinstance(value, list):
            return [self.schema(each, f"{path}/{number}", owner) for number, each in enumerate(value)]
        if not isinstance(value, dict):
            return self.value(value, path, owner)
        made: dict[str, Json] = {}
        renamed: dict[str, str] = {}
        each: Json
        for name, each in value.items():
            at = f"{path}/{escape(name)}"
            if name == "properties" and isinstance(each, dict):
                renamed = {key: self.at_end(key, f"{at}/{escape(key)}", owner, "key") for key in each}
                made[name] = {renamed[key]: self.schema(inner, f"{at}/{escape(key)}", owner) for key, inner in each.items()}
            elif name == "name" and isinstance(each, str):
                made[name] = self.at_end(each, at, owner, "name")
            else:
                made[name] = each if name in _DECIDES or name == "required" else self.schema(each, at, owner)
        required = made.get("required")
        if isinstance(required, list):
            made["required"] = [renamed.get(each, each) if isinstance(each, str) else each for each in required]
        return made

    def document(self, document: Json, path: str) -> Json:
        return self.value(document, path, path)

    def value(self, value: Json, path: str, owner: str, *, keys: bool = False) -> Json:
        """Mark each text and number in a value; with `keys`, also the names of fields."""
        if isinstance(value, str):
            return self.text(value, path, owner)
        if type(value) is int or type(value) is float:
            return self.number(value, path, owner)
        if isinstance(value, list):
            return [self.value(each, f"{path}/{number}", owner, keys=keys) for number, each in enumerate(value)]
        if not isinstance(value, dict) or value.get("type") in _MEDIA:
            return value
        made: dict[str, Json] = {}
        for name, each in value.items():
            at = f"{path}/{escape(name)}"
            key = self.at_end(name, at, owner, "key", each) if keys and name else name
            made[key] = each if name in _DECIDES and not keys else self.value(each, at, owner, keys=keys)
        return made

    def text(self, text: str, path: str, owner: str) -> str:
        """Put a mark into the middle of a text; a blank text gets none."""
        if not text.strip():
            return text
        middle = len(text) // 2
        near = max(middle - 100, 0)
        for special in _SPECIAL.finditer(text, near, middle + 100):
            if special.start() < middle < special.end():
                middle = special.end()
        return self.put(Mark(path, owner, "text", text[:middle], text[middle:]))

    def at_end(self, text: str, path: str, owner: str, kind: Kind, of: Json = None) -> str:
        return self.put(Mark(path, owner, kind, text, "", of))

    def put(self, mark: Mark) -> str:
        self.marks.append(mark)
        return f"{mark.before}{self.word}{len(self.marks) - 1:07}{mark.after}"

    def number(self, number: Json, path: str, owner: str) -> Json:
        self.marks.append(Mark(path, owner, "number", "", "", number))
        marked = int(f"{self.digits}{len(self.marks) - 1:07}")
        return marked + 0.5 if isinstance(number, float) else marked


def _unused(text: str, prefix: str, digits: int = 2) -> str:
    """The lowest number with so many digits that never follows the prefix in the text."""
    used = set(re.findall(rf"{prefix}(?=(\d{{{digits}}}))", text))
    return next((f"{number:0{digits}}" for number in range(10**digits) if f"{number:0{digits}}" not in used), "0" * digits)


def media(body: Body) -> Iterator[tuple[int, int]]:
    """The places of media in a body: the index of the message, and of the part in its content."""
    for number, message in enumerate(messages_of(body)):
        content: Json = message.get("content")
        parts = content if isinstance(content, list) else []
        for at, part in enumerate(parts):
            if part.get("type") in _MEDIA:
                yield number, at
