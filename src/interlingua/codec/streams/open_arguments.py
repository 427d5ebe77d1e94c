"""The arguments of a call that come in pieces: whether they are complete, and what can be sent of each piece at once."""

from __future__ import annotations

import json
import re
from typing import Any

from ..arguments import BLANK, INVALID, fault_of, is_object
from ..dump import Dump

_BRACKETS = re.compile(r'["{}\[\]]')
_QUOTES = re.compile(r'["\\]')
_LITERALS = ("true", "false", "null")


class ArgumentScan:
    """Tells from brackets and quotes whether the pieces so far are a complete JSON value.

    Each piece is read once, and only if somebody asks. A number is never complete, because more digits may follow.
    """

    def __init__(self) -> None:
        self._unread: list[str] = []
        self._first = ""
        """The first character that is not white space."""
        self._literal = ""
        """The text so far of a value that has no brackets and no quotes."""
        self._depth = 0
        self._in_string = False
        self._escaped = False
        self._complete = False

    def add(self, text: str) -> None:
        """Add another piece."""
        self._unread.append(text)

    @property
    def complete(self) -> bool:
        """Whether the pieces are a complete JSON value."""
        unread = self._unread
        self._unread = []
        for text in unread:
            if self._complete:
                break
            self._read(text)
        return self._complete

    def _read(self, text: str) -> None:
        if not self._first:
            text = text.lstrip(BLANK)
            self._first = text[:1]
        if self._first in ("{", "[", '"'):
            self._read_brackets(text)
        elif text and len(self._literal) < len("false  "):
            self._literal += text[:7]
            self._complete = self._literal.strip(BLANK) in _LITERALS

    def _read_brackets(self, text: str) -> None:
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
            else:
                self._depth += 1 if mark in "{[" else -1
            if self._depth <= 0 and not self._in_string:
                self._complete = True
                return


class OpenArguments:
    """Sends the pieces of a call's arguments as they come, for a format whose calls need an object.

    An object is sent as it is spelled. Any other text is sent inside an object, as `fit_arguments` writes it.
    """

    def __init__(self, path: str, at: str, *, custom: bool) -> None:
        self._path = path
        """The pointer of the arguments in the response that is read; `_at` is their pointer in the one that is written."""
        self._at = at
        self._inside: str | None = "input" if custom else None
        """The field of the object around the text; None if the text is an object, and until that is known."""
        self._sent: list[str] = []
        self._blanks: list[str] = []
        """The text that does not decide: white space, and null, which stands for no arguments."""

    def add(self, text: str, *, whole: bool = False) -> str:
        """The text to send for another piece; with `whole`, no piece follows, so it is known at once if this is an object."""
        start = ""
        if not self._sent:
            if self._inside is None and not text.strip(BLANK):
                self._blanks.append(text)
                return ""
            text = "".join(self._blanks) + text
            self._blanks.clear()
            if not text or (self._inside is None and "null".startswith(text.strip(BLANK))):
                self._blanks.append(text)
                return ""
            if self._inside is None:
                is_begun = text.lstrip(BLANK)[0] == "{"
                if not is_begun or (whole and not is_object(text)):
                    self._inside = INVALID
            start = "" if self._inside is None else f'{{"{self._inside}": "'
        self._sent.append(text)
        return text if self._inside is None else start + json.dumps(text, ensure_ascii=False)[1:-1]

    def end(self, d: Dump) -> str:
        """The text to send at the end; reports arguments that are not an object."""
        wrong: str | None = None
        rest = "" if self._inside is None else '"}'
        blank = "".join(self._blanks)
        if not self._sent:
            is_none = self._inside is None and is_object(blank)
            rest = "{}" if is_none else json.dumps({self._inside or INVALID: blank}, ensure_ascii=False)
        if self._inside != "input":
            wrong = fault_of("".join(self._sent) or blank, already_sent=bool(self._sent) and self._inside is None)
        if wrong is not None:
            d.report("changed", self._path, self._at, wrong)
        return rest


def without_arguments(call: Any) -> tuple[Any, str, str]:
    """The call with an empty object as arguments, until they come; the name of their field; and the arguments so far."""
    field = "input" if "input" in vars(call) else "arguments"
    return call.replace(**{field: "{}"}), field, call.arguments
