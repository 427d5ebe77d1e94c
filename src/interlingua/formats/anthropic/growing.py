"""Dumps of messages that become more: those that stay the same are written once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...exchange import Request
from ...format import Dumping, Kept, Wire, copy_plain
from ...losses import Loss
from .base import AnthropicProfile, MessagesDumping
from .maps import dump_request, dump_system, limit_marks, trim_end
from .messages import dump_messages


class Growing:
    """What was written for the settled messages, and how to go on from there.

    What depends on the end of the conversation is done to a copy: the run of tool results that the next message may join,
    the white space at the end, the limit of cache marks.
    """

    def __init__(self, notes: Dumping, profile: AnthropicProfile) -> None:
        self._fresh = notes
        self._profile = profile
        self._d = MessagesDumping(notes.fork(), profile)
        self._system: Wire = {}
        self._messages: list[Wire] = []
        self._count = 0
        self._kept = Kept()
        """The messages that were written, but for the last, which may yet become more."""

    def dump(self, messages: Sequence[Any], settled: int) -> tuple[Wire, list[Loss]]:
        """The body of the messages, and its losses."""
        if settled > self._count:
            self._settle(messages[:settled])
        if not self._count:
            return self._whole(messages)
        written = self._messages
        copied = self._kept.copies() + copy_plain(written[len(self._kept) :])
        out: Wire = {"messages": copied} | copy_plain(self._system)
        d = self._d.fork(written, copied)
        dump_messages(messages, settled, copied, d)
        if not copied:
            return self._whole(messages)
        trim_end(copied, d)
        limit_marks(out, d)
        return out, d.notes.losses

    def _settle(self, messages: Sequence[Any]) -> None:
        d, written = self._d, self._messages
        start = self._count
        if not start:
            if all(message.role in ("system", "developer") for message in messages):
                return  # what becomes of system text is open until another message follows
            start = dump_system(messages, self._system, d, keep=0)
        dump_messages(messages, start, written, d)
        self._count = len(messages)
        for done in written[len(self._kept) : -1]:
            self._kept.add(done)
        # Where the last message came from is all that its end may still ask for.
        last = f"/messages/{len(written) - 1}"
        places = d.notes.places
        d.notes.places = {at: path for at, path in places.items() if at == last or at.startswith(last + "/")}

    def _whole(self, messages: Sequence[Any]) -> tuple[Wire, list[Loss]]:
        notes = self._fresh.fork()
        return dump_request(Request(messages=()), messages, notes, self._profile), notes.losses
