"""Checks that events from other programs fit together: a delta must belong to a part of its kind, an update to real fields.

The readers of this package emit events in order. Other programs may not, but writing or folding a stream needs this order. So
each event is checked before it is used, and a stream is refused at the first event that does not fit.
"""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from ...errors import StreamError, faults_of
from ...model import events as ev
from ...model.base import members
from ...model.deltas import LightArguments, LightRefusal, LightText, LightThinking
from ...model.exchange import Choice, Response
from ...model.folding import Fold
from ...model.messages import AssistantMessage
from ...model.parts import Part

_BEGINS: dict[type[Any], str] = {
    ev.TextDelta: "text",
    ev.ThinkingDelta: "thinking",
    ev.RefusalDelta: "refusal",
    ev.RedactedThinking: "redacted_thinking",
    ev.ToolUseStart: "tool_use",
    LightText: "text",
    LightThinking: "thinking",
    LightRefusal: "refusal",
}
"""The kind of the part that an event begins or continues."""
_CONTINUES: dict[type[Any], str] = {
    ev.ArgumentsDelta: "tool_use",
    ev.ToolUse: "tool_use",
    LightArguments: "tool_use",
}
"""The kind of the part that an event continues, which must have begun."""
_HOLDERS: dict[str, type[Any]] = {"response": Response, "choice": Choice, "message": AssistantMessage}
_ELSEWHERE = {"response": {"choices"}, "choice": {"message"}}
"""The fields that are made by other events, and not by updates."""
_IN_PIECES = frozenset({"source"})
"""Fields whose objects may come in pieces, so that an update need not have a whole one."""


class EventOrder:
    """Checks the events of one stream, in order."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[int, int], str] = {}
        """The kind of each part that has begun, by its choice and index."""

    def check(self, event: Any) -> None:
        """Raise `StreamError` if this is not an event, or does not fit the events before it."""
        kind = _BEGINS.get(event.__class__)
        if kind is None:
            self._check_other(event)
        elif self._kinds.get((event.choice, event.index)) != kind:
            self._begin(event, kind)

    def _check_other(self, event: Any) -> None:
        known = self._CHECKS.get(event.__class__)
        if known is not None:
            known(self, event)
        elif (kind := _CONTINUES.get(event.__class__)) is not None:
            self._continue(event, kind)
        elif event.__class__ not in Fold.TAKES:
            raise StreamError(f"an event must be of one of this package's event classes, not {type(event).__name__}")

    def _begin(self, event: Any, kind: str) -> None:
        before = self._kinds.setdefault((event.choice, event.index), kind)
        if before != kind:
            raise StreamError(f"/index: part {event.index} is {before}, so it cannot get {event.type}")

    def _continue(self, event: Any, kind: str) -> None:
        if (event.choice, event.index) not in self._kinds:
            raise StreamError(
                f"/index: part {event.index} has not begun, so it cannot get {event.type}: begin it with its start event"
            )
        self._begin(event, kind)

    def _whole(self, event: ev.WholePart) -> None:
        """A part that comes as a whole replaces what came of it before, even of another kind."""
        self._kinds[event.choice, event.index] = event.part.type

    def _opaque(self, event: ev.OpaqueEvent) -> None:
        if event.index is not None:
            self._begin(event, "opaque")

    def _signature(self, event: ev.SignatureDelta) -> None:
        self._kinds.setdefault((event.choice, event.index), "thinking")

    def _update(self, event: ev.Update) -> None:
        of = event.of if event.of in _HOLDERS else self._part_updated(event)
        for name, value in event.data.items():
            _check_field(of, name, value)

    def _part_updated(self, event: ev.Update) -> str:
        """The type of the part that an update changes: that of a begun part, else the type in the update, else `text`."""
        if event.index is None:
            raise StreamError("/index: an update of a part must have the index of the part")
        given = event.data.get("type")
        known = self._kinds.get((event.choice, event.index))
        kind: Any = known or given or "text"
        if type(kind) is not str or kind not in _parts():
            raise StreamError("/data/type: the type must be that of a part")
        if given not in (None, kind):
            raise StreamError(f"/data/type: the type must be {kind}, as that of part {event.index} is")
        self._kinds[event.choice, event.index] = kind
        return kind

    _CHECKS: ClassVar[dict[type[Any], Any]] = {
        ev.WholePart: _whole,
        ev.OpaqueEvent: _opaque,
        ev.SignatureDelta: _signature,
        ev.Update: _update,
    }


@cache
def _parts() -> dict[str, type[Any]]:
    """The classes of parts, by type."""
    return {get_args(each.model_fields["type"].annotation)[0]: each for each in members(Part)}


def _check_field(of: str, name: str, value: Any) -> None:
    holder = _holder(of, name)
    if holder is None:
        raise StreamError(f"/data: an update may change only the fields of a {of}, and one of these is another field")
    if name in _IN_PIECES and type(value) is dict:
        return
    try:
        holder.model_validate({name: value})
    except ValidationError as error:
        fault = faults_of(error)[0]
        raise StreamError(f"/data{fault.path}: {fault.reason}") from None


@cache
def _holder(of: str, name: str) -> type[BaseModel] | None:
    """A model with only this field of the response, a choice, a message or a part; None if an update cannot change it."""
    model: type[Any] = _HOLDERS.get(of) or _parts()[of]
    field = model.model_fields.get(name)
    if field is None or name in _ELSEWHERE.get(of, ()):
        return None
    wanted: dict[str, Any] = {name: (field.annotation, field)}
    made: type[BaseModel] = create_model(of, __config__=ConfigDict(strict=True), **wanted)
    return made
