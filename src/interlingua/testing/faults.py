"""Strategies for data with exactly one fault, together with its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, overload

from hypothesis import strategies as st

from ..codec.format import Format
from ..errors import escape
from ..formats import FormatName
from ..model.base import Json
from .canonical import messages
from .wire import payloads, strategies_of

_NO_TEXT = st.sampled_from([5, True, 1.5])


@overload
def malformed() -> st.SearchStrategy[tuple[list[dict[str, Any]], str]]: ...
@overload
def malformed(format: FormatName | Format) -> st.SearchStrategy[tuple[dict[str, Any], str]]: ...
def malformed(format: FormatName | Format | None = None) -> st.SearchStrategy[tuple[Any, str]]:
    """Data with exactly one fault, and the fault's JSON Pointer: canonical messages, or payloads of a format.

    `il.validate` refuses the messages, and `il.load` the payloads, with that one fault.
    """
    return _malformed_messages() if format is None else _malformed_payload(format)


# Canonical messages


@st.composite
def _malformed_messages(draw: st.DrawFn) -> tuple[list[Any], str]:
    data = [message.to_dict() for message in draw(st.lists(messages(), min_size=1, max_size=3))]
    holder, key, pointer = draw(st.sampled_from(list(_places(data, ""))))
    what = draw(st.sampled_from(["another type", "left out", "unknown field"]))
    value: Json = holder[key]
    if what == "left out" and key in ("role", "type"):
        del holder[key]
    elif what == "unknown field" and isinstance(value, dict):
        value["mood"] = "good"
        pointer += "/mood"
    else:
        holder[key] = draw(st.just("x") if isinstance(value, int) else _NO_TEXT)
    return data, pointer


_FREE = ("provider_data", "input", "value", "extra", "spelling")
"""Fields that hold any JSON."""


def _places(value: Json, at: str) -> Iterator[tuple[Any, Any, str]]:
    """Each place where only one type of value will do: its holder, its key there, and its pointer."""
    key: Any
    item: Json
    entries: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        entries = value.items()
    elif isinstance(value, list):
        entries = enumerate(value)
    for key, item in entries:
        if item is None or key in _FREE:
            continue
        pointer = f"{at}/{escape(str(key))}"
        yield value, key, pointer
        yield from _places(item, pointer)


# Payloads


@st.composite
def _malformed_payload(draw: st.DrawFn, format: FormatName | Format) -> tuple[dict[str, Any], str]:
    payload = draw(payloads(format, odd=False))
    return payload, strategies_of(format).spoil(draw, payload)
