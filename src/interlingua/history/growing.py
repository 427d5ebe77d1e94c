"""Dumps of a history that grows: messages that stay the same are written once, and copied for each later dump."""

from collections.abc import Sequence
from typing import Any

from ..codec.dump import Dump
from ..codec.fields import Wire, copy_wire
from ..codec.format import Steps
from ..errors import Loss
from ..model.base import Json
from ..model.exchange import Request


class CopyPlan:
    """JSON objects that are copied again and again: which object or list stands where in them is found out once."""

    def __init__(self) -> None:
        self._containers: list[Any] = []
        self._links: list[tuple[int, Any, int]] = []
        """Parent, key and child, the containers by their numbers."""
        self._tops: list[int] = []

    def __len__(self) -> int:
        return len(self._tops)

    def add(self, value: Wire) -> None:
        """Add an object, which must not change afterwards."""
        self._tops.append(self._find(value))

    def _find(self, container: dict[str, Any] | list[Any]) -> int:
        place = len(self._containers)
        self._containers.append(container)
        item: Json
        for key, item in container.items() if type(container) is dict else enumerate(container):
            if type(item) is dict or type(item) is list:
                self._links.append((place, key, self._find(item)))
        return place

    def copies(self) -> list[Wire]:
        """A copy of each object that was added, in order."""
        made = [container.copy() for container in self._containers]
        for parent, key, child in self._links:
            made[parent][key] = made[child]
        return [made[place] for place in self._tops]


class GrowingHistory:
    """What was written for the settled messages, and how to go on from there.

    What depends on the end of the conversation is done to a copy.
    """

    def __init__(self, d: Dump, steps: Steps) -> None:
        self._steps = steps
        self._fresh = d
        self._lead: Wire = {}
        self._messages: list[Wire] = []
        self._d = d.fork((), self._messages)
        self._d.separate_ids()
        self._count = 0
        self._plan = CopyPlan()
        """The messages that were written, without the last, which may still change."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_steps"}  # its functions may have no names

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _steps=state["_fresh"].target.history)

    def dump(self, messages: Sequence[Any], settled: int) -> tuple[Wire, list[Loss]]:
        """The body of the messages, and its losses."""
        steps = self._steps
        if settled > self._count:
            self._settle(messages[:settled])
        written = self._messages
        copied = self._plan.copies() + copy_wire(written[len(self._plan) :])
        d = self._d.fork(written, copied)
        if self._count and settled < len(messages):
            d.separate_ids()
            steps.write(messages, settled, copied, d)
        if not copied:
            d = self._fresh.fork((), copied)
            d.separate_ids()
            return d.target.dump(Request(messages=()), messages, d), d.losses
        out: Wire = {d.target.listed: copied} | copy_wire(self._lead)
        steps.finish(out, copied, d)
        return out, d.losses

    def _settle(self, messages: Sequence[Any]) -> None:
        d = self._d
        written = self._messages
        start = self._count
        if not start:
            # Leading system text may go on until another message follows.
            if d.target.system and all(message.role in ("system", "developer") for message in messages):
                return
            start = self._steps.lead(messages, self._lead, d)
        self._steps.write(messages, start, written, d)
        self._count = len(messages)
        for done in written[len(self._plan) : -1]:
            self._plan.add(done)
        # Only the last message's places can still be asked for.
        last = f"/{d.target.listed}/{len(written) - 1}"
        kept = {at: path for at, path in d.places.items() if at == last or at.startswith(last + "/")}
        d.places.clear()
        d.places.update(kept)
