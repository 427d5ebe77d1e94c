"""Writing messages one by one, for formats in which each message has a role, and each tool result is a message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from ..model.messages import pieces_of
from .dump import Dump
from .fields import Wire

WriteMessage: TypeAlias = Callable[[Any, str, str, Any], Wire | None]
"""Writes one message, given its pointer, its place in the output, and the dump; None, with a report, if it is left out."""


class Writers(NamedTuple):
    """How a format writes each kind of message."""

    assistant: WriteMessage
    result: WriteMessage
    """A tool result, from a tool message or from a part."""
    given: WriteMessage
    """Any other message."""
    rest: Callable[[Any, list[tuple[str, Any]], str, str, Any], Wire | None]
    """A user message without its tool results, given also the parts that are left; None if it is left out."""


def dump_each(messages: Sequence[Any], start: int, out: list[Wire], base: Any, writers: Writers) -> None:
    """Append the wire forms of the messages from `start`."""
    for i in range(start, len(messages)):
        message = messages[i]
        path = f"/messages/{i}"
        at = f"/messages/{len(out)}"
        d = base.rules_for(message) if base.same_format or message.wire is not None else base
        if message.role == "assistant":
            made = writers.assistant(message, path, at, d)
        elif message.role == "tool":
            made = writers.result(message, path, at, d)
        elif message.role == "opaque":
            made = d.own_value(message, path, "message")
        elif message.role == "user" and type(message.content) is tuple and _has_results(message):
            rest = _dump_results(message, path, out, d, writers)
            at = f"/messages/{len(out)}"
            made = writers.rest(message, rest, path, at, d)
        else:
            made = writers.given(message, path, at, d)
        if made is not None:
            d.places[at] = path
            out.append(made)


def _has_results(message: Any) -> bool:
    return "tool_result" in [part.type for part in message.content]


def _dump_results(message: Any, path: str, out: list[Wire], d: Dump, writers: Writers) -> list[tuple[str, Any]]:
    """Append each tool result in a user message as a message, and return the other parts."""
    rest: list[tuple[str, Any]] = []
    last = max([i for i, part in enumerate(message.content) if part.type == "tool_result"])
    for i, (where, part) in enumerate(pieces_of(message.content, path)):
        if part.type == "tool_result":
            at = f"/messages/{len(out)}"
            made = writers.result(part, where, at, d)
            if made is not None:
                d.places[at] = where
                out.append(made)
            continue
        rest.append((where, part))
        if i < last:
            d.report("moved", where, None, "tool results must be messages of their own, directly after their calls")
    return rest
