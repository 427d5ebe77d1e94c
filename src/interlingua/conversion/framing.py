"""The chunks in the body of a stream, which may be cut anywhere.

A body is server-sent events, as in WHATWG HTML, section 9.2.6, or JSON: a list of chunks, or chunks one after another, as in
JSON lines. The first character decides, because no meaningful line of server-sent events begins with a bracket. An AWS event
stream, which is binary, begins with a zero: the first byte of the length of its first message.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from ..errors import StreamError
from .event_stream import Messages, Named

__all__ = ["Body", "Named"]

_BRACKETS = re.compile(r'["{}\[\]]')
_QUOTES = re.compile(r'["\\]')
_BETWEEN = re.compile(r"[ \t\r\n,]*")
"""What stands between the chunks of JSON."""
_NO_CHUNK = "a chunk must be a JSON object"


class Body:
    """The chunks in the pieces of a stream's body."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._kind: Literal["events", "json", "binary"] | None = None
        self._messages: Messages | None = None
        self._rest: list[str] = []
        """The beginning of a line of events, or of a chunk of JSON."""
        self._data: list[str] = []
        self._name: str | None = None
        self._after_cr = False
        self._depth = 0
        """How many brackets are open in JSON, without that of the list of chunks."""
        self._in_list = False
        self._in_string = False
        self._escaped = False
        self._text: str = ""
        """What text is: the "data" of an event, a "line", or "cut" anywhere; decided by the first text."""

    def take(self, piece: Any) -> Iterable[Named]:
        """The chunks in a piece: a chunk itself, bytes cut anywhere, or text."""
        if isinstance(piece, str):
            return self._take_text(piece)
        return self.feed(bytes(piece)) if isinstance(piece, bytes | bytearray) else ((piece, None),)

    def _take_text(self, text: str) -> Iterable[Named]:
        if not self._text and text:
            text = text.removeprefix("\ufeff")
            start = text.lstrip()
            if start.startswith(("{", "[DONE]")):
                self._text = "data"
            elif start.startswith("[") or "\n" in text or "\r" in text:
                self._text = "cut"
            else:
                self._text = "line"
        if self._text == "data":
            return ((text, None),)
        if self._text == "line":
            if "\n" in text or "\r" in text:
                raise StreamError("text must come in lines or in pieces cut anywhere, but not in both")
            text += "\n"
        return self._take(text)

    def feed(self, data: bytes, *, final: bool = False) -> Iterator[Named]:
        """The chunks in bytes cut anywhere."""
        if self._kind is None and data[:1] == b"\0":
            self._kind = "binary"
            self._messages = Messages()
        if self._messages is not None:
            return self._messages.feed(data, final=final)
        try:
            text = self._decode(data, final)
        except UnicodeDecodeError:
            raise StreamError("the body must be UTF-8") from None
        return self._take(text)

    def _take(self, text: str) -> Iterator[Named]:
        if self._kind is None and (start := text.lstrip()):
            self._kind = "json" if start[0] in "{[" else "events"
            if start[0] == "[":
                text = start[1:]
                self._in_list = True
        return self._take_json(text) if self._kind == "json" else self._take_lines(text)

    def close(self) -> Iterator[Named]:
        """The chunk that no blank line ended, or no bracket."""
        yield from self.feed(b"\n\n" if self._kind in (None, "events") else b"", final=True)
        if self._rest:
            rest = "".join(self._rest)
            self._rest = []
            yield rest, None

    # Server-sent events

    def _take_lines(self, text: str) -> Iterator[Named]:
        if self._after_cr and text:
            text = text.removeprefix("\n")
            self._after_cr = False
        if text.endswith("\r"):
            self._after_cr = True
        # Only these three end a line; `splitlines` knows others, which JSON text may contain.
        *lines, rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if lines and self._rest:
            lines[0] = "".join([*self._rest, lines[0]])
            self._rest = []
        if rest:
            self._rest.append(rest)
        for line in lines:
            if line:
                field, _, value = line.partition(":")
                if field == "data":
                    self._data.append(value.removeprefix(" "))
                elif field == "event":
                    self._name = value.removeprefix(" ")
            else:
                data = self._data
                name = self._name
                self._data = []
                self._name = None
                if data:
                    yield "\n".join(data), name

    # JSON

    def _take_json(self, text: str) -> Iterator[Named]:
        """The objects that end in the text; whether they are JSON is for who reads them to say."""
        start = 0  # of the chunk, or of what stands between chunks
        at = 1 if self._escaped and text else 0
        self._escaped = self._escaped and not text
        while found := (_QUOTES if self._in_string else _BRACKETS).search(text, at):
            mark = found[0]
            at = found.end()
            if mark == "\\":
                self._escaped = at == len(text)
                at += 1
            elif mark == '"':
                self._in_string = not self._in_string
            elif mark in "{[":
                if not self._depth:
                    _check_between(text[start : at - 1])
                    start = at - 1
                self._depth += 1
            elif self._depth:
                self._depth -= 1
                if not self._depth:
                    chunk = "".join([*self._rest, text[start:at]])
                    self._rest = []
                    start = at
                    yield chunk, None
            elif self._in_list and mark == "]":
                _check_between(text[start : at - 1])
                start = at
                self._in_list = False
            else:
                raise StreamError(_NO_CHUNK)
        if self._depth:
            self._rest.append(text[start:])
        else:
            _check_between(text[start:])


def _check_between(text: str) -> None:
    if _BETWEEN.fullmatch(text) is None:
        raise StreamError(_NO_CHUNK)
