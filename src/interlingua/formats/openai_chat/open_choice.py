"""What a stream has reported so far of a choice: its frame, and the content, the reasoning and the calls of its message."""

from __future__ import annotations

from typing import Any, TypeVar

from ...codec.fields import Wire
from ...model.base import Json
from ...model.events import Event, Update
from .base import FAMILY
from .fragments import MISSING, Block, Call, Listed, Part, keep_last
from .profiles import ChatProfile

PartT = TypeVar("PartT", bound=Part)


class SeenFields:
    """The fields of an object that chunks repeat or add to."""

    def __init__(self) -> None:
        self.valued: set[str] = set()
        """The fields that had a value."""
        self.nulls: dict[str, None] = {}
        """The fields that were null, in their order."""
        self.latest: Wire = {}
        """The latest values of fields that replace what was there."""

    def only_null(self) -> Wire:
        """The fields that were null and had no value."""
        return {key: None for key in self.nulls if key not in self.valued}

    def changed(self, key: str, value: Json) -> Any:
        """The new part of a value, which becomes the latest one; `MISSING` where the value repeats it."""
        old: Json = self.latest.get(key, MISSING)
        if type(old) is type(value) and old == value:
            return MISSING
        if type(old) is dict and type(value) is dict:
            value = {name: item for name, item in value.items() if old.get(name, MISSING) != item}
        keep_last(self.latest, key, value)
        return value


class ChoiceFrame:
    """The fields next to the deltas, and how the choice ended."""

    def __init__(self) -> None:
        self.fields = SeenFields()
        self.logprobs: set[str] = set()
        """The fields of the logprobs so far."""
        self.finish: str | None = None
        self.finish_was_null = False
        self.was_open = False
        """Whether the `finish_reason` of a chunk was null or missing."""
        self.closed = False


class OpenContent:
    """The content and the refusal."""

    def __init__(self) -> None:
        self.begun = False
        self.parts = 0
        self.text: Part | None = None
        """The text that is growing: the last part of the content, if that is text."""
        self.last_listed: Listed | None = None
        self.refusal: Part | None = None


class OpenReasoning:
    """Reasoning, as text and in blocks."""

    def __init__(self) -> None:
        self.text: Part | None = None
        self.text_field: str | None = None
        self.block_field: str | None = None
        self.blocks: dict[tuple[str, int], Block] = {}
        """The blocks that have an index, by their type and index."""
        self.last_block: Block | None = None
        self.signatures: list[Wire] = []
        """The last details, as long as they may be the signatures of calls or of the text."""
        self.encrypted: dict[tuple[str, int], str] = {}
        """The data of encrypted blocks that have an index."""


class OpenCalls:
    """Tool calls."""

    def __init__(self) -> None:
        self.all: list[Call] = []
        self.by_index: dict[int, Call] = {}
        self.by_id: dict[str, Call] = {}
        self.last: Call | None = None
        self.legacy: Call | None = None
        """The call that is spelled `function_call`."""


class OpenChoice:
    """One choice under way."""

    def __init__(self, number: int, profile: ChatProfile) -> None:
        self.number = number
        self.profile = profile
        self.where: dict[str, Any] = {"choice": number} if number else {}
        """The fields of its events that identify it."""
        self.parts = 0
        """How many parts have begun."""
        self.open: dict[int, Part] = {}
        self.role: str | None = None
        self.message = SeenFields()
        self.beside: Wire = {}
        """Fields of the message that belong to its text and its calls."""
        self.frame = ChoiceFrame()
        self.content = OpenContent()
        self.reasoning = OpenReasoning()
        self.calls = OpenCalls()

    def more(self, key: str, value: Any) -> Any:
        """The delta of more text, reasoning or arguments in this field; None where there is more to it.

        Raises `KeyError`, `TypeError` or `ValueError` for what is not of a delta.
        """
        if key == "tool_calls":
            return self._more_arguments(value)
        part = self.content.text if key == "content" else self.reasoning.text
        return None if part is None or part.growing is None or type(value) is not str or not value else part.growing.more(value)

    def _more_arguments(self, calls: Any) -> Any:
        raw: Wire
        (raw,) = calls
        call, inner = self.calls.by_index.get(raw["index"]), raw["function"]
        text = inner["arguments"]
        alike = len(raw) == 2 and len(inner) == 1 and type(raw["index"]) is int
        if call is None or call.growing is None or not alike or not call.grows_by(text):
            return None
        event = call.growing.more(text)
        call.pieces.append(text)
        self.calls.last = call
        return event

    def next_place(self) -> dict[str, Any]:
        """The fields that identify a new part."""
        self.parts += 1
        return {**self.where, "index": self.parts - 1}

    def keep_open(self, part: PartT) -> PartT:
        """Note that a part begins or goes on, even after it was complete."""
        self.open[part.index] = part
        return part

    def complete_parts(self) -> list[Event]:
        """The last events of the open parts."""
        parts, self.open = self.open, {}
        return [event for _, part in sorted(parts.items()) for event in part.complete()]

    def update(self, data: Wire, *, join: bool = False) -> Update:
        """Canonical fields of the message."""
        joined: dict[str, Any] = {"join": True} if join else {}
        return Update(of="message", **self.where, data=data, **joined)

    def update_own(self, data: Wire, *, join: bool = False) -> Update:
        """Fields of the message that only this family has."""
        return self.update({"provider_data": {FAMILY: data}}, join=join)

    def update_frame(self, data: Wire) -> Update:
        """Fields of the choice that only this family has."""
        return Update(of="choice", **self.where, data={"provider_data": {FAMILY: data}})

    def spelled(self, key: str, value: str) -> Update:
        """The record of how the message is spelled."""
        return self.update({"wire": {"spelling": {key: value}}})
