"""The `repr` of canonical values: short for any value, and as fast for large values as for small ones."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pydantic import BaseModel

_kind: Callable[[object], type[Any]] = type
"""The type of a value that may be anything."""
_TEXT = 80
"""The longest text that is shown whole; of a longer one, the beginning and the length are."""
_ITEMS = 8
"""How many items of a list or an object are shown."""
_ROOM = 2000
"""About how many characters are shown in all: from there on, the items of lists and objects are counted only."""


def shortened(value: Any) -> str:
    """A model or JSON value as text, in about 2,000 characters at most.

    Of a model, the fields that are set and not None are shown, without its tag.
    """
    return _Shortened().show(value)


class _Shortened:
    """One text under way."""

    def __init__(self) -> None:
        self.room = _ROOM

    def show(self, value: Any) -> str:
        kind = _kind(value)
        self.room -= 20  # which also bounds the depth
        if isinstance(value, BaseModel):
            fields = [f"{name}={self.show(field)}" for name, field in fields_shown(value)]
            return f"{kind.__name__}({', '.join(fields)})"
        if kind is dict:
            return "{" + self._items(len(value), (f"{self._leaf(key)}: {self.show(item)}" for key, item in value.items())) + "}"
        if kind is list:
            return "[" + self._items(len(value), map(self.show, value)) + "]"
        if kind is tuple:
            closing = ",)" if len(value) == 1 else ")"
            return "(" + self._items(len(value), map(self.show, value)) + closing
        return self._leaf(value)

    def _items(self, count: int, shown: Iterable[str]) -> str:
        """The first items, as they are made while there is room, and the number of the others."""
        out: list[str] = []
        items = iter(shown)
        while len(out) < min(count, _ITEMS) and self.room > 0:
            out.append(next(items))
        left = count - len(out)
        return ", ".join([*out, f"… {left} more"] if left else out)

    def _leaf(self, value: Any) -> str:
        if isinstance(value, str) and len(value) > _TEXT:
            text = f"{value[:_TEXT]!r}… ({len(value)} characters)"
        else:
            text = repr(value)
            if len(text) > 4 * _TEXT:  # a long number, or not a JSON value
                text = text[:_TEXT] + "…"
        self.room -= len(text)
        return text


def fields_shown(model: BaseModel) -> Iterator[tuple[str, Any]]:
    """The fields of a model that say something, in order."""
    tag = getattr(model, "_tag", None)
    given = getattr(model, "__pydantic_fields_set__", ())  # a debugger may show a model that is being validated
    for name in type(model).model_fields:
        value = getattr(model, name) if name in given else None
        if value is not None and (name, value) != tag:
            yield name, value
