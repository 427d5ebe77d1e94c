"""Calls in a stream whose name comes late.

Some hosts send the name of a call with the last event of its item (router-for-me/CLIProxyAPI#3471), or the arguments before the
first (docker/docker-agent#2976). A call cannot begin without its name, so its events wait for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...codec.fields import Wire
from ...model.base import Json

_ARGUMENTS = {"function_call": "arguments", "custom_tool_call": "input"}
"""The field with the arguments of each type of call."""
_EVENTS = {"response.function_call_arguments": "function_call", "response.custom_tool_call_input": "custom_tool_call"}
"""The type of call that an event about arguments belongs to, by the beginning of the event's type."""
_ADDED = "response.output_item.added"


class UnnamedCalls:
    """The events of calls that have no name yet, by output index."""

    def __init__(self) -> None:
        self._waiting: dict[int, list[Wire]] = {}

    def take(self, chunk: Wire, index: int) -> list[Wire]:
        """The events to read now, for one of an item that has not begun; none if it waits for the name of a call."""
        item: Json = chunk.get("item")
        beginning, _, stage = chunk["type"].rpartition(".")
        kind: Json = item.get("type") if isinstance(item, dict) else _EVENTS.get(beginning)
        if not _is_call(kind):
            return [chunk]
        if not (isinstance(item, dict) and item.get("name")):
            self._waiting.setdefault(index, []).append(chunk)
            return []
        waited = self._waiting.pop(index, [])
        return _begun(chunk, item, waited, ends=stage == "done") if waited else [chunk]

    def rest(self, output: Sequence[Json]) -> list[tuple[int, list[Wire]]]:
        """The events that still wait at the end, with their output indices; `output` has the items of the last snapshot."""
        waiting = self._waiting
        self._waiting = {}
        return [(index, _named_by(output, index, events)) for index, events in waiting.items()]


def _is_call(kind: Json) -> bool:
    return type(kind) is str and kind in _ARGUMENTS


def _begun(chunk: Wire, item: Wire, waited: Sequence[Wire], *, ends: bool) -> list[Wire]:
    """The events of a call in order: the one that begins it, with its name, those that waited, and the one that ends it."""
    first = {**chunk, "type": _ADDED, "item": {**item, _ARGUMENTS[str(item["type"])]: ""}}
    later = [event for event in waited if "item" not in event]
    return [first, *later, chunk] if ends else [first, *later]


def _named_by(output: Sequence[Json], index: int, events: list[Wire]) -> list[Wire]:
    """The events of a call with the name that it has in the last snapshot; as they are if it has none there."""
    item: Json = output[index] if index < len(output) else None
    if not isinstance(item, dict) or not _is_call(item.get("type")) or not item.get("name"):
        return events
    return _begun({"type": _ADDED, "output_index": index}, item, events, ends=False)
