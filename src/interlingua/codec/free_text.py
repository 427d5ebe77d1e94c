"""Free-form tools, whose input is text, as functions with one text: their schema, and the text in the arguments of a call.

The arguments are `{"input": "text"}`.
"""

from __future__ import annotations

import json
import re

from ..errors import word
from ..model.base import Json
from .fields import Wire

_HEAD = '{"input":"'
_START = re.compile(r'\s*\{\s*"input"\s*:\s*"')
_LONGEST_HEAD = 200
"""The most characters before the text, including white space."""
_TEXT = re.compile(
    r"""(?:
        [^"\\]+
      | \\[^u]
      | \\u(?![dD][89abAB])[0-9a-fA-F]{4}
      | \\u[dD][89abAB][0-9a-fA-F]{2} (?: \\u[0-9a-fA-F]{4} | (?=[^\\] | \\[^u]) )  # with the other half of the character
    )*""",
    re.DOTALL | re.VERBOSE,
)
"""The text as far as it can be decoded, up to an escape that continues in the next piece.

No possessive quantifiers: Python before 3.11.5 matches them wrongly.
"""
_LONGEST_ESCAPE = 12


class FreeText:
    """Reads the arguments in pieces; `others` has what follows the text.

    Arguments with another beginning are not of this form, and are returned unchanged.
    """

    def __init__(self) -> None:
        self._head: str | None = ""
        """The arguments before the text; None once the text has begun."""
        self._pending = ""
        self._after: list[str] = []
        """The arguments after the text."""
        self._ended = self._other = False

    def add(self, piece: str) -> str:
        """The text in another piece."""
        if self._other:
            return piece
        if self._ended:
            self._after.append(piece)
            return ""
        if self._head is None:
            return self._decoded(self._pending + piece)
        self._head += piece
        if (start := _START.match(self._head)) is not None:
            text = self._head[start.end() :]
            self._head = None
            return self._decoded(text)
        if len(self._head) < _LONGEST_HEAD and _HEAD.startswith("".join(self._head.split())):
            return ""
        self._other = True
        return self._head

    def end(self) -> str:
        """The rest of the text, when the arguments have ended."""
        rest = self._pending if self._other or self._head is None else self._head
        self._pending = ""
        self._head = None
        return rest

    @property
    def others(self) -> str | None:
        """What follows the text, such as other fields, as JSON text; None if nothing does."""
        after = "".join(self._after).strip(" \t\r\n")
        return None if after in ("", "}") else after

    def _decoded(self, text: str) -> str:
        found = _TEXT.match(text)
        end = 0 if found is None else found.end()
        rest = text[end:]
        self._ended = rest.startswith('"')
        if self._ended:
            self._after.append(rest[1:])
        self._pending = "" if self._ended else rest
        if len(self._pending) >= _LONGEST_ESCAPE:  # JSON has no escape that is so long
            self._other = True
            self._pending = ""
            return text
        try:
            decoded: str = json.loads(f'"{text[:end]}"', strict=False)
        except ValueError:
            return text[:end]
        return "".join(f"\\u{ord(each):04x}" if "\ud800" <= each <= "\udfff" else each for each in decoded)


def free_text(arguments: str) -> tuple[str, str | None]:
    """The text in complete arguments, and the `others` beside it."""
    reading = FreeText()
    return reading.add(arguments) + reading.end(), reading.others


# The schema


def text_schema(form: Json) -> Wire:
    """The schema of a function with one text, `input`; a grammar for the text becomes its description."""
    text: Wire = {"type": "string"}
    if (grammar := grammar_of(form)) is not None:
        text["description"] = grammar
    return {"type": "object", "properties": {"input": text}, "required": ["input"], "additionalProperties": False}


def grammar_of(form: Json) -> str | None:
    """A description of the grammar that the text of a custom tool must follow."""
    if type(form) is not dict or type(definition := form.get("definition")) is not str:
        return None
    return f"The text must follow this grammar ({word(form.get('syntax'), 'of any kind')}):\n{definition}"
