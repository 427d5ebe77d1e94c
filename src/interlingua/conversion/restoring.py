"""Gives the calls of an answer the fields that they have at the client, whose tools the conversion of the request changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..codec.fields import Wire
from ..codec.format import Reading
from ..codec.free_text import FreeText, free_text
from ..codec.schemas.nullable import Nulls, without_nulls
from ..model.events import ArgumentsDelta, Event, PartStop, Update
from ..model.exchange import Response
from .context import RequestContext


class Restoring:
    """Gives the calls of one answer the fields that they have at the client; what is restored already stays as it is.

    What the arguments of a free-form call have beside its text becomes provider data, so that every dump reports it.
    """

    def __init__(self, context: RequestContext) -> None:
        self._tools = context.tools
        self._own: dict[str, list[Mapping[str, Any]]] = {}
        """The fields of the client's tools, by their names."""
        for fields in context.tools.values():
            self._own.setdefault(fields["name"], []).append(fields)
        self._texts: dict[tuple[int, int], FreeText] = {}
        """The texts of free-form calls that are under way, by choice and part."""
        self._nulls = context.nulls
        self._pending: dict[tuple[int, int], _PendingCall] = {}
        """The arguments of calls that are under way and may have nulls to drop."""

    def whole(self, choices: Iterable[Any]) -> bool:
        """Restore the calls in the data of a response's choices; whether there was one to restore."""
        is_changed = False
        for choice in choices:
            for call in _calls(choice["message"]):
                if self._nulls and _without_nulls(call, self._nulls.get(call["name"])):
                    is_changed = True
                fields = self._changes(call)
                if fields:
                    _restore(call, fields)
                    is_changed = True
        return is_changed

    def _changes(self, call: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """What a call gets; None if it calls a tool of the client's as it is."""
        fields = self._tools.get(call["name"])
        if fields is None or _has(call, fields):
            return None
        is_restored = any(len(own) > 1 and _has(call, own) for own in self._own.get(call["name"], ()))
        return None if is_restored else fields

    def events(self, events: list[Event]) -> list[Event]:
        """The events of a stream with its calls restored."""
        if self._nulls:
            events = [made for event in events for made in self._with_restored(event)]
        return [made for event in events for made in self._event(event)]

    def _with_restored(self, event: Any) -> Iterator[Event]:
        """The events with the arguments of calls that may have nulls to drop held until they are complete."""
        kind: str = event.type
        if kind == "tool_use_start" and (nulls := self._nulls.get(event.name)) is not None:
            self._pending[event.choice, event.index] = _PendingCall(nulls)
        elif kind in _AFTER_ARGUMENTS:
            ended = [key for key in self._pending if kind in _AFTER_ALL or key[0] == event.choice]
            for key in ended:
                yield from self._release(*key)
        elif self._pending and (pending := self._pending_of(event)) is not None:
            if kind == "arguments":
                pending.pieces.append(event.arguments)
                return
            if kind == "update" and "input" in event.data:
                event = event.replace(data=event.data | {"input": without_nulls(event.data["input"], pending.nulls)})
            elif kind in ("tool_use", "part_stop"):
                yield from self._release(event.choice, event.index)
            if kind == "tool_use":
                event = event.replace(arguments=without_nulls(event.arguments, pending.nulls))
        yield event

    def _pending_of(self, event: Any) -> _PendingCall | None:
        """The pending call that an event is about; None for any other event."""
        return self._pending.get((getattr(event, "choice", 0), getattr(event, "index", -1)))

    def _release(self, choice: int, index: int) -> Iterator[Event]:
        pending = self._pending.pop((choice, index))
        if pending.pieces:
            text = without_nulls("".join(pending.pieces), pending.nulls)
            yield ArgumentsDelta(choice=choice, index=index, arguments=text)

    def _event(self, event: Any) -> Iterator[Event]:
        kind: str = event.type
        if kind == "tool_use_start" and (fields := self._changes(event)) is not None:
            yield from self._begun(event, fields)
        elif kind == "arguments" and (text := self._texts.get((event.choice, event.index))) is not None:
            yield from _more(event, text.add(event.arguments))
        elif kind == "update" and (event.choice, event.index) in self._texts and "input" in event.data:
            data = {name: value for name, value in event.data.items() if name != "input"}  # which repeats the arguments
            yield from [event.replace(data=data)] if data else []
        elif kind in _ENDS and (text := self._texts.pop((event.choice, event.index), None)) is not None:
            yield from self._last(event, text)
            yield (
                event
                if kind == "part_stop"
                else event.replace(**self._tools_of(event), arguments=free_text(event.arguments)[0])
            )
        elif kind == "tool_use" and (fields := self._changes(event)) is not None:
            yield event.replace(name=fields["name"])
        elif kind == "stop" and self._texts:
            for (choice, index), text in [*self._texts.items()]:
                yield from self._last(PartStop(choice=choice, index=index), text)
            self._texts.clear()
            yield event
        else:
            yield event

    def _begun(self, event: Any, fields: Mapping[str, Any]) -> Iterator[Event]:
        """The start of a call with the fields that its tool has in the request."""
        yield event.replace(**{name: value for name, value in fields.items() if name != "provider_data"})
        if "provider_data" in fields:
            data = {"provider_data": fields["provider_data"]}
            yield Update(choice=event.choice, of="part", index=event.index, data=data)
        if "custom" in fields and not event.custom:
            self._texts[event.choice, event.index] = FreeText()

    def _last(self, event: Any, text: FreeText) -> Iterator[Event]:
        """The rest of the text of the call that an event belongs to, and what its arguments have beside the text."""
        yield from _more(event, text.end())
        if text.others is not None:
            data = {"provider_data": {_BESIDE_TEXT: {"arguments": text.others}}}
            yield Update(choice=event.choice, of="part", index=event.index, data=data)

    def _tools_of(self, event: Any) -> dict[str, Any]:
        return {"name": self._tools[event.name]["name"], "custom": True}


class _PendingCall:
    """The pieces of a call's arguments, and the nulls to drop from them."""

    def __init__(self, nulls: Nulls) -> None:
        self.nulls = nulls
        self.pieces: list[str] = []


_BESIDE_TEXT = "free_form"
"""The family of what arguments have beside a free-form call's text; no format has this family, so every dump reports it."""
_ENDS = ("tool_use", "part_stop")
"""The types of events that end a call."""
_AFTER_ALL = frozenset({"end", "error"})
_AFTER_ARGUMENTS = _AFTER_ALL | {"stop"}
"""The types of events that end what is under way, of all choices and of one."""


def _without_nulls(call: dict[str, Any], nulls: Nulls | None) -> bool:
    """Drop the nulls from a call's arguments; whether it had any."""
    if nulls is None:
        return False
    field = "input" if "input" in call else "arguments"
    arguments = call.get(field)
    call[field] = without_nulls(arguments, nulls)
    return call[field] is not arguments


def _more(event: Any, text: str) -> Iterator[Event]:
    """More of the arguments of the call that an event belongs to."""
    if text:
        yield ArgumentsDelta(choice=event.choice, index=event.index, arguments=text)


def _has(call: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    """Whether a call has these fields; of its provider's data, it may have more."""
    for name, value in fields.items():
        if name == "provider_data":
            if not _has_data(call.get(name) or {}, value):
                return False
        elif call.get(name) != value:
            return False
    return True


def _has_data(data: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether provider data has these fields, by family."""
    return all(family in data and fields.items() <= data[family].items() for family, fields in wanted.items())


def _restore(call: dict[str, Any], fields: Mapping[str, Any]) -> None:
    data: dict[str, Any] = dict(call.get("provider_data") or {})
    if "custom" in fields and not call.get("custom"):
        field = "input" if "input" in call else "arguments"
        arguments = call.get(field)
        spelled = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        call[field], others = free_text(spelled)
        if others is not None:
            data[_BESIDE_TEXT] = {"arguments": others}
    for family, overlay in fields.get("provider_data", {}).items():
        data[family] = {**data.get(family, {}), **overlay}
    call.update(fields, **({"provider_data": data} if data else {}))


def _calls(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The calls in the data of a message, in either spelling."""
    yield from message.get("tool_calls") or ()
    content: Any = message.get("content")
    if content.__class__ in (list, tuple):
        yield from (part for part in content if part["type"] == "tool_use")


def restored(response: Response, context: RequestContext) -> Response:
    """A response whose calls are restored."""
    data = response.to_dict()
    return Response.model_validate(data) if Restoring(context).whole(data["choices"]) else response


class RestoredReading:
    """Reads a stream as another reading does, with its calls restored."""

    def __init__(self, reading: Reading, context: RequestContext) -> None:
        self._reading = reading
        self._restored = Restoring(context).events

    def grow(self, chunk: Wire) -> list[Event] | None:
        events = self._reading.grow(chunk)
        return None if events is None else self._restored(events)

    def read(self, chunk: Wire) -> list[Event]:
        return self._restored(self._reading.read(chunk))

    def end(self) -> list[Event]:
        return self._restored(self._reading.end())
