"""Calls whose arguments come in pieces: values at JSON Paths, texts that go on (google-genai 3.4.0, `types.PartialArg`)."""

import re
from itertools import pairwise
from typing import Any

from ...codec.fields import Wire, copy_wire
from ...errors import StreamError
from ...model.base import Json
from ...model.parts import to_json
from .base import list_in, object_in, value_of

_TOKEN = re.compile(r"""\.([^.\[\]]+)|\[(\d{1,9})\]|\[(?:'([^']*)'|"([^"]*)")\]""")
_DEEPEST = 100
_VALUES = ("stringValue", "numberValue", "boolValue")


class PartialCall:
    """The arguments of one call, as far as they have come."""

    def __init__(self) -> None:
        self.args: Wire = {}
        self._texts: dict[str, tuple[Any, Any, list[str]]] = {}
        """The texts that have come: where each stands, and its pieces."""

    def add(self, call: Wire) -> None:
        """More arguments; raises `StreamError` where they have no place among those that have come."""
        self.args |= copy_wire(object_in(call, "args"))
        piece: Json
        for piece in list_in(call, "partialArgs"):
            path: Json = value_of(piece, "jsonPath") if type(piece) is dict else None
            if type(piece) is not dict or type(path) is not str:
                raise StreamError("partialArgs: an argument has a jsonPath")
            value: Json = next((held for key in _VALUES if (held := value_of(piece, key)) is not None), None)
            if type(value) is not str:
                self._put(path, value)
            elif path in self._texts:
                self._texts[path][2].append(value)
            else:
                self._texts[path] = (*self._put(path, value), [value])

    def _put(self, path: str, value: Json) -> tuple[Any, Any]:
        """Set the value at a path; the object or list that it is in, and its key there."""
        tokens = _tokens(path)
        holder: Any = self.args
        for key, following in pairwise(tokens):
            holder = _child(holder, key, [] if isinstance(following, int) else {}, path)
        _child(holder, tokens[-1], value, path)
        holder[tokens[-1]] = value
        return holder, tokens[-1]

    def text(self) -> str:
        """All arguments, as JSON text."""
        for holder, key, pieces in self._texts.values():
            holder[key] = "".join(pieces)
        return to_json(self.args)


def _child(holder: Json, key: str | int, new: Json, path: str) -> Any:
    """What an object or list has at a key; something new where it has nothing there."""
    if type(holder) is dict and isinstance(key, str):
        return holder.setdefault(key, new)
    if type(holder) is not list or not isinstance(key, int) or key > len(holder):
        raise StreamError(f"partialArgs: {path[:100]} has no place")
    if key == len(holder):
        holder.append(new)
    return holder[key]


def _tokens(path: str) -> list[str | int]:
    """The keys and indices of a JSON Path."""
    tokens: list[str | int] = []
    at = 1
    while path.startswith("$") and at < len(path) and len(tokens) <= _DEEPEST:
        match = _TOKEN.match(path, at)
        if match is None:
            break
        tokens.append(int(match[2]) if match[2] else match[1] or match[3] or match[4] or "")
        at = match.end()
    if not tokens or at < len(path) or type(tokens[0]) is int:
        raise StreamError(f"partialArgs: {path[:100]} is no path to an argument")
    return tokens
