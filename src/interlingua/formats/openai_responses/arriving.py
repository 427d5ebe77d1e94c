"""The items of a stream that are still arriving.

What vLLM sends is from `_process_simple_streaming_events` in its `responses/serving.py`. It adds a call with its first
arguments, which the first delta repeats. Before a call, it ends the item that is open as a message without content, whatever
it is; if that is the call itself, the call begins again as another item. The final snapshot leaves such items out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ...codec.fields import Wire
from ...codec.streams.part_events import StreamedPart
from ...model.base import Json

ITEMS: dict[str, Wire] = {
    "message": {"type": "message", "role": "assistant", "content": []},
    "reasoning": {"type": "reasoning", "summary": []},
    "function_call": {"type": "function_call", "name": "", "arguments": ""},
    "custom_tool_call": {"type": "custom_tool_call", "name": "", "input": ""},
}
"""The fields of each type of item that the event adding it may lack."""
PARTS: dict[str, Wire] = {"reasoning_summary_part": {"type": "summary_text", "text": ""}}
"""The part that an event may lack, since its name says which type of part it is."""
_ARGUMENTS = {"function_call": "arguments", "custom_tool_call": "input"}
"""The field with the arguments of each type of call."""
_UNSETTLED = ("status", "encrypted_content")
"""Fields of items that change before the end."""


class Item:
    """An output item that is still arriving."""

    def __init__(self, wire: Wire, before: dict[str, Any] | None) -> None:
        self.type: Json = wire.get("type") or "message"
        self.wire = {key: value for key, value in wire.items() if key not in _UNSETTLED}
        self.before = before
        """The part before its first part."""
        self.parts: list[StreamedPart] = []
        self.begun: dict[tuple[str, int], StreamedPart] = {}
        """Its parts, by their field and their index in the item."""
        self.latest: dict[str, int] = {}
        """The index of the part of each field that began last, to which events without an index belong."""
        self.first_arguments = ""
        """The arguments that a call was added with, until more come."""
        self.done = False
        self.void: Wire | None = None
        """The empty message that the call ended as; it replaces the call if the call begins again."""

    def differs(self, owner: str | None) -> bool:
        """Whether an event that belongs to an item of the type `owner` cannot belong to this one."""
        return owner in ITEMS and self.type != owner

    def completed(self, end: Wire) -> Wire:
        """The item as it ends, with the fields of a call that only its beginning had."""
        kind = self.type
        field = _ARGUMENTS.get(kind) if type(kind) is str else None
        if field is None or end.get("type") != kind:
            return end
        begun = {field: "", **self.wire}
        return end | {key: begun[key] for key in ("call_id", "name", field) if key in begun and end.get(key) is None}

    def says_more_than(self, end: Wire) -> bool:
        """Whether the event that ends it is empty although text has come; agentgateway and vLLM send this."""
        is_own = end.get("type") == "message" or end.get("type") == self.type == "reasoning"
        is_empty = is_own and not (end.get("content") or end.get("summary"))
        return is_empty and any(any(part.pieces) for part in self.parts)

    @property
    def ended_as_message(self) -> bool:
        """Whether it is a call that ended as an empty message."""
        became = (part.value.get("type") for part in self.parts if part.kind == "opaque")
        return self.type == "function_call" and "message" in became


def without_void(items: Mapping[int, Item], output: Sequence[Wire]) -> list[int]:
    """The indices of the items that the final snapshot has, in order: without calls that ended as messages and began again."""
    ended = {index for index, item in items.items() if item.ended_as_message}
    if not ended or len(output) >= len(items):
        return sorted(items)
    begun = Counter(call_id_of(item.wire) for item in items.values())
    repeated = Counter(map(call_id_of, output))
    void = {index for index in ended if repeated[call_id_of(items[index].wire)] < begun[call_id_of(items[index].wire)]}
    return sorted(items.keys() - void)


def call_id_of(wire: Wire) -> str | None:
    """The id of a call that an item is; None for other items."""
    id: Json = wire.get("call_id")
    return id if type(id) is str else None


def rest_of_text(delta: Wire, part: StreamedPart) -> Wire | None:
    """A delta of a whole text without what a part has of it; None if that is all of it, or another text.

    The work never exceeds the length of the text, so a host that ends a part again and again costs no more.
    """
    text: str = delta["delta"]
    pieces = part.pieces
    if not part.open or len(text) < len(pieces):
        return None
    length = sum(map(len, pieces))
    is_longer = length < len(text) and text.startswith("".join(pieces))
    return delta | {"delta": text[length:]} if is_longer else None
