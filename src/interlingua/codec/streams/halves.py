r"""Characters that a stream cuts in two.

In UTF-16, a character beyond the first 65,536 is two code units. JavaScript servers may cut text between the two, so that one
delta ends in the first half (`\ud83d`) and the next delta of the same text begins with the second (`\ude00`). Neither half is
valid Unicode. So the first half is kept, and put before the next piece of the same text.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from pydantic_core import to_json

from ...errors import StreamError
from ...model.base import Json
from ..fields import Wire

_IDENTITY = ("index", "output_index", "content_index", "summary_index", "contentBlockIndex", "thought")
"""The fields that say which choice, call, item or block an object is about; 0 and false mean the same as no field."""
_DEEPEST = 200

_Place: TypeAlias = tuple[Any, ...]
"""Where a text is: the identities of the objects around it, and its field. Its pieces may come in several chunks."""


class Halves:
    """The first halves of characters that wait for their second half, by the place of their text in chunks.

    `pieces_in` names the fields for text: each chunk with a piece of text has at least one. None if text may be in any field.
    """

    def __init__(self, pieces_in: frozenset[str] | None) -> None:
        self._pieces_in = pieces_in
        self.pending: dict[_Place, str] = {}

    def join(self, chunk: Wire) -> Wire:
        """The chunk with the halves that waited, and without those that must wait now; the same chunk if it has none."""
        if not self.pending:
            has_piece = self._pieces_in is None or not self._pieces_in.isdisjoint(chunk)
            if not (has_piece and _is_cut(chunk)):
                return chunk
        joined: Wire = self._joined(chunk, (), ())
        return joined

    def check_end(self) -> None:
        """Raise `StreamError` if a half is still waiting at the end."""
        if self.pending:
            raise StreamError("a text must not end in half a character: a high surrogate must be followed by a low one")

    def _joined(self, value: Json, place: _Place, around: tuple[int, ...]) -> Any:
        """The value with its texts joined; `around` identifies the objects and lists around it, so that cycles end."""
        if id(value) in around or len(around) > _DEEPEST:
            return value
        if type(value) is dict:
            around += (id(value),)
            place += tuple((key, value[key]) for key in _IDENTITY if type(value.get(key)) in (int, str, bool) and value[key])
            return {
                key: self._joined_text(item, (*place, key)) if type(item) is str else self._joined(item, place, around)
                for key, item in value.items()
            }
        if type(value) is list:
            around += (id(value),)
            return [self._joined(item, place, around) for item in value]
        return value

    def _joined_text(self, text: str, place: _Place) -> str:
        if not text:
            return text
        text = self.pending.pop(place, "") + text
        if _is_high(text[-1]):
            self.pending[place] = text[-1]
            text = text[:-1]
        # Two halves side by side become the character; a half that stays alone is refused when the text is read.
        return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _is_high(character: str) -> bool:
    return "\ud800" <= character <= "\udbff"


def _is_cut(chunk: Wire) -> bool:
    """Whether a text in the chunk ends in the first half of a character."""
    try:
        to_json(chunk)
    except ValueError:
        pass  # it may have half a character, or contain itself
    else:
        return False  # nearly always
    values: list[Json] = [chunk]
    seen: set[int] = set()  # a chunk may contain itself
    for value in values:  # grows while it is read
        if type(value) is str:
            if not value.isascii() and _is_high(value[-1]):
                return True
        elif (type(value) is dict or type(value) is list) and id(value) not in seen:
            seen.add(id(value))
            values += value.values() if type(value) is dict else value
    return False
