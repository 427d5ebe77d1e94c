"""Dumps of messages that become more: those that stay the same are written once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...format import Dumping, Kept, Wire
from ...losses import Loss
from .base import ChatDumping
from .messages import dump_message, flush_strays
from .profiles import ChatProfile


class Growing:
    """What was written for the settled messages, none of which a later message changes, and how to go on from there."""

    def __init__(self, notes: Dumping, profile: ChatProfile) -> None:
        self._d = ChatDumping(notes, profile)
        self._count = 0
        self._kept = Kept()

    def dump(self, messages: Sequence[Any], settled: int) -> tuple[Wire, list[Loss]]:
        """The body of the messages, and its losses."""
        _add(messages, self._count, settled, self._d)
        self._count = settled
        self._d.notes.places.clear()  # nobody looks at those of an earlier message
        for written in self._d.messages[len(self._kept) :]:
            self._kept.add(written)
        d = self._d.fork(self._kept.copies())
        _add(messages, settled, len(messages), d)
        if d.strays:
            flush_strays(d)
        return {"messages": d.messages}, d.notes.losses


def _add(messages: Sequence[Any], start: int, stop: int, d: ChatDumping) -> None:
    for i in range(start, stop):
        dump_message(messages[i], f"/messages/{i}", d)
