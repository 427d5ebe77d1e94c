"""Strategies for valid histories that were then damaged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from ..model import messages as m, parts as p
from .dialogues import conversations


def spoiled_histories(histories: st.SearchStrategy[Sequence[m.Message]] | None = None) -> st.SearchStrategy[list[m.Message]]:
    """Histories with one to four faults of the kinds that `il.repair` fixes.

    Messages are left out, doubled, moved, emptied, or cut off at either end. Results lose the id of their call, or get another
    one. Two calls get the same id, or an id that some providers refuse. Texts become blank, and signatures are lost. Without
    `histories`, those of `conversations()` are damaged.
    """
    return _spoiled(conversations() if histories is None else histories)


@st.composite
def _spoiled(draw: st.DrawFn, histories: st.SearchStrategy[Sequence[m.Message]]) -> list[m.Message]:
    history = list(draw(histories))
    for fault in draw(st.lists(st.sampled_from(_FAULTS), min_size=1, max_size=4)):
        if history:
            fault(history, draw(_PLACES) % len(history), draw(_PLACES))
    return history


_PLACES = st.integers(0, 59)


def _leave_out(history: list[m.Message], at: int, _other: int) -> None:
    del history[at]


def _double(history: list[m.Message], at: int, other: int) -> None:
    history.insert(other % (len(history) + 1), history[at])


def _move(history: list[m.Message], at: int, other: int) -> None:
    message = history.pop(at)
    history.insert(other % (len(history) + 1), message)


def _cut_beginning(history: list[m.Message], at: int, _other: int) -> None:
    del history[:at]


def _cut_end(history: list[m.Message], at: int, _other: int) -> None:
    del history[at + 1 :]


def _change_part(history: list[m.Message], at: int, other: int) -> None:
    """Spoil one part of a message, or the message where it has none."""
    message: Any = history[at]
    content: str | tuple[Any, ...] | None = None if message.role == "opaque" else message.content
    if isinstance(content, tuple) and content:
        place = other % len(content)
        made = _SPOILT[other % len(_SPOILT)](content[place])
        parts = list(content)
        if made is None:
            del parts[place]
        else:
            parts[place] = made
        history[at] = message.replace(content=parts)
    elif message.role == "tool":
        history[at] = message.replace(tool_call_id=_IDS[other % len(_IDS)])
    elif message.role == "assistant" and message.tool_calls:
        calls = message.tool_calls
        place = other % len(calls)
        history[at] = message.replace(tool_calls=(*calls[:place], _renamed(calls[place], other), *calls[place + 1 :]))
    elif isinstance(content, str):
        history[at] = message.replace(content=_TEXTS[other % len(_TEXTS)])


_IDS = ("x", "a.b c", "é" * 70, "", "call_1", "toolu_1")
_TEXTS = ("", " ", "a \n")


def _renamed(call: Any, other: int) -> Any:
    if other % 3:
        return call.replace(id=_IDS[other % len(_IDS)])
    return call.replace(name="a b.c" * (other % 20 + 1))


def _spoil_part(part: Any) -> Any:
    """A part without what its provider looks for."""
    if isinstance(part, p.TextPart):
        return part.replace(text="")
    if isinstance(part, p.ToolUsePart):
        return part.replace(id="a.b c", name="a b.c")
    if isinstance(part, p.ToolResultPart):
        return part.replace(tool_use_id="x")
    if isinstance(part, p.ThinkingPart):
        return p.ThinkingPart(thinking=part.thinking)
    return part


_SPOILT: tuple[Callable[[Any], Any], ...] = (_spoil_part, lambda _: None)
_FAULTS: tuple[Callable[[list[m.Message], int, int], None], ...] = (
    _leave_out,
    _double,
    _move,
    _cut_beginning,
    _cut_end,
    _change_part,
)
