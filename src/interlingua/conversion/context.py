"""What an answer must know of the request that was converted for it.

A conversion renames a tool whose name the target refuses, and the model calls the tool by that name, which the client does not
know. With the context of its request, an answer calls the client's own tools again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..codec.dump import Dump
from ..codec.fields import Wire
from ..codec.format import Format, Reading
from ..model.events import Event, ToolUse, ToolUseStart
from ..model.exchange import Response


@dataclass(frozen=True)
class RequestContext:
    """What an answer must know of its request: plain data, which can be pickled, and no more than a name or two for each tool.

    `tools` has, by the name that the target was sent, the fields of a call of the client's own tool. `usage` says whether the
    client expects the counts of tokens in a stream, which some formats have only where the request asks for them.
    """

    tools: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    usage: bool = True

    @property
    def names(self) -> dict[str, str]:
        """The client's own names of tools, which an answer must have as they are, whatever the format usually takes."""
        return {name: name for name in (fields["name"] for fields in self.tools.values())}


NO_CONTEXT = RequestContext()


def context_of(d: Dump, origin: Format, wire: Any) -> RequestContext:
    """The context of a request that this dump wrote."""
    usage = origin.asks_for_usage is None or origin.asks_for_usage(wire)
    if usage and not d.names:
        return NO_CONTEXT
    return RequestContext({sent: {"name": name} for name, sent in d.names.items()}, usage)


def context_in(request: Any) -> RequestContext | None:
    """The context that a caller gave: itself, or a conversion that has one. Raises `TypeError`."""
    context = getattr(request, "context", request)
    if context is not None and not isinstance(context, RequestContext):
        raise TypeError("request must be a Conversion, or the RequestContext that it has")
    return context


class Restoring:
    """Gives the calls of one answer the fields that they have at the client; what is restored stays as it is."""

    def __init__(self, context: RequestContext) -> None:
        self._tools = context.tools

    def whole(self, choices: Iterable[Any]) -> bool:
        """Restore the calls in the data of a response's choices; whether there was one to restore."""
        found = [call for choice in choices for call in _calls(choice["message"]) if self._changes(call)]
        for call in found:
            call.update(self._tools[call["name"]])
        return bool(found)

    def _changes(self, call: Mapping[str, Any]) -> bool:
        fields = self._tools.get(call["name"])
        return fields is not None and any(call.get(name) != value for name, value in fields.items())

    def events(self, events: list[Event]) -> list[Event]:
        """The events of a stream with its calls restored."""
        return [made for event in events for made in self._event(event)]

    def _event(self, event: Event) -> Iterator[Event]:
        if isinstance(event, ToolUseStart | ToolUse) and (fields := self._tools.get(event.name)) is not None:
            yield event.replace(name=fields["name"])
        else:
            yield event


def _calls(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The calls in the data of a message, in either spelling."""
    yield from message.get("tool_calls") or ()
    content = message.get("content")
    if isinstance(content, list | tuple):
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
