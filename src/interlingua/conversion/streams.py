"""Reading and writing streams: chunks in and events out, or events in and chunks out.

A format has a `Reading` (the events of a chunk) and a `Writing` (the chunks of an event). What formats share is here: the
types that a chunk may have, the fold of the events into a response, and how a stream ends.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticCustomError

from ..codec.error_bodies import read_error
from ..codec.fields import Wire, copy_wire
from ..codec.format import Format, Writing
from ..codec.streams.event_order import EventOrder
from ..codec.streams.halves import Halves
from ..errors import Loss, ProviderError, StreamError, faults_of
from ..formats import FORMATS, FormatName, format_of
from ..model.base import Json, parse_json
from ..model.deltas import LIGHT_TYPES, whole
from ..model.events import ErrorEvent, Event, Stop, StreamEnd
from ..model.exchange import Response
from ..model.folding import Fold
from .carry_stream import Carrying
from .context import RequestContext, context_in
from .converted import Conversion
from .framing import Body
from .losses import of_response, once
from .requests import hint, supported
from .restoring import RestoredReading, Restoring
from .sdk_objects import dumped

if TYPE_CHECKING:
    from .filling import Fill


class Reader:
    """Reads one stream: `feed` takes its chunks and returns events; `response` is the response so far."""

    _NOTED: ClassVar[Iterable[type[Any]]] = (ErrorEvent, *LIGHT_TYPES)
    """What `feed` has more to do with than to read it: errors, and deltas, which are no events."""

    def __init__(self, format: Format, context: RequestContext | None = None) -> None:
        reading = supported(format, format.reading, "streams")(format)
        self._reading = RestoredReading(reading, context) if context is not None and context.restores else reading
        self._event_field = format.event_field
        self._unframe = format.unframe
        self._format = format
        self._fold = Fold()
        self._folding = self._fold.takes | dict.fromkeys(self._NOTED, self._fold.note)
        self._body = Body()
        self._halves = Halves(format.pieces_in)
        self._grow: Callable[[Wire], list[Event] | None] = self._reading.grow
        """Reads a chunk that only adds to a text; but none while half a character waits, which may belong to any text."""
        self._chunk: Wire = {}
        self._resumed = False
        """Whether something came after the end, so that there is another end at the close."""
        self.error: ProviderError | None = None
        """The last error that the provider reported in the stream."""

    @property
    def response(self) -> Response:
        """The response so far, marked `incomplete` if its message has not ended. Takes time in proportion to its size.

        Raises `ProviderError` if the stream is an error and nothing else.
        """
        if self.error is not None and self._fold.is_empty:
            raise self.error
        try:
            return self._fold.response()
        except ValidationError as error:
            raise _broken(error) from None

    @property
    def complete(self) -> bool:
        """Whether the stream is complete."""
        return self._fold.complete

    def feed(self, chunk: Any, event: str | None = None) -> list[Event]:
        """The events of a chunk: a dict, an SDK's object, or the data of one server-sent event as text.

        `event` is the name of the event, for hosts and transports that do not repeat it in the data. Raises `StreamError`.
        """
        if event is not None and not isinstance(event, str):  # pyright: ignore[reportUnnecessaryIsInstance] -- for callers who do not check types
            raise StreamError("the name of an event must be a string")
        wire: Json = chunk
        if type(wire) is not dict:
            if _is_done(chunk):
                return self._end()
            wire = _object(chunk)
        unframe = self._unframe
        if unframe is not None:
            wire = unframe(wire, event)
        elif event is not None:
            wire = self._named(wire, event)
        grow = self._grow
        try:
            events = grow(wire)
            if events is None:
                events = self._read(wire)
        except ValidationError as error:
            raise _broken(error, wire=True) from None
        except PydanticCustomError as error:  # of a value that is copied, and not validated with the chunk
            raise StreamError(error.message()) from None
        folding = self._folding
        for made in events:
            folding[type(made)](made)
        return self._noted(events, wire) if self._fold.noted else events

    def _named(self, wire: Wire, event: str) -> Wire:
        """A chunk with the name of its event in the field that the format has for it, unless it is there."""
        field = self._event_field
        return wire if field is None or field in wire else {field: event, **wire}

    def _read(self, wire: Wire) -> list[Event]:
        """The events of a chunk that does more than to add to a text; only such a chunk can follow the end of a stream."""
        self._chunk = wire = self._halves.join(wire)
        waits = bool(self._halves.pending)
        self._fold.noted |= waits
        self._grow = _no_growth if waits else self._reading.grow
        events = self._reading.read(wire)
        if self._fold.ended and events:
            self._resumed = type(events[-1]) is not StreamEnd
        return events

    def _noted(self, events: list[Event], wire: Wire) -> list[Event]:
        """The events to return of a chunk with an error or with deltas, or after which half a character waits."""
        self._fold.noted = False
        if any(type(made) is ErrorEvent for made in events):
            self.error = read_error(copy_wire(wire), origin=self._format.name)
        if self._fold.complete:
            self._halves.check_end()
        return list(map(self._passed_on, events))

    def feed_bytes(self, data: bytes) -> list[Event]:
        """The events of the next bytes of a body, cut anywhere.

        The body is server-sent events, JSON in a list or in lines, or an AWS event stream. Raises `StreamError`.
        """
        if not isinstance(data, bytes | bytearray | memoryview):  # pyright: ignore[reportUnnecessaryIsInstance] -- for callers who do not check types
            raise StreamError("feed_bytes must get bytes")
        return [event for chunk, name in self._body.feed(data) for event in self.feed(chunk, name)]

    def close(self) -> list[Event]:
        """End the stream; returns the last events. Raises `StreamError` if the stream ended before its messages did.

        It does not raise if the provider reported an error in the stream. `response` has what arrived before the end.
        """
        events = [event for chunk, name in self._body.close() for event in self.feed(chunk, name)]
        self._halves.check_end()
        if self._fold.complete and (self._resumed or not self._fold.ended):  # a stream that has no mark of its end
            events += self._end()
        if not (self._fold.complete or self.error is not None):
            raise self._cut()
        return events

    def _cut(self) -> StreamError:
        """The error of a stream that ended early, with a note where its chunks look like those of another format."""
        error = StreamError("the stream ended before its message did")
        found = hint(self._chunk, "chunk", self._format) if self._fold.is_empty else None
        if found is not None:
            error.add_note(found)
        return error

    def read(self, chunks: Iterable[Any]) -> Iterator[Event]:
        """The events of a stream, as they come: chunks as `feed` takes them, bytes cut anywhere, or lines of text.

        Raises `StreamError`, also if the stream ended before its messages did, and at the end the `error` that the provider
        reported in the stream.
        """
        check_iterable(chunks)
        for piece in chunks:
            for chunk, name in self._body.take(piece):
                yield from self.feed(chunk, name)
        yield from self._last()

    async def aread(self, chunks: AsyncIterable[Any]) -> AsyncIterator[Event]:
        """The same for an async iterator."""
        async for piece in chunks:
            for chunk, name in self._body.take(piece):
                for event in self.feed(chunk, name):
                    yield event
        for event in self._last():
            yield event

    def _last(self) -> Iterator[Event]:
        for chunk, name in self._body.close():
            yield from self.feed(chunk, name)
        yield from self.close()
        if self.error is not None:
            raise self.error

    def _passed_on(self, event: Event) -> Event:
        """An event as it is returned: never as a delta."""
        made: Event = whole(event)
        return made

    def _end(self) -> list[Event]:
        try:
            events = [*self._reading.end(), StreamEnd()]
        except ValidationError as error:  # of what waited until then
            raise _broken(error, wire=True) from None
        self._fold.extend(events)
        return list(map(whole, events))


class LightReader(Reader):
    """The reader of a conversion, which needs no models: `take` is a `feed` that lets deltas pass in the place of events."""

    _NOTED = (ErrorEvent, StreamEnd)
    take = Reader.feed

    def __init__(self, format: Format, target: Format, context: RequestContext | None) -> None:
        super().__init__(format, context)
        self._target = target
        self._says_failed = format.family == target.family
        """Whether the end of a message can say in the target that it failed."""
        self._delayed: list[Event] = []
        """The end of a stream whose message failed, and what follows: its error may follow."""

    def close(self) -> list[Event]:
        events = super().close()
        return events + self._unless_failed(self._delayed)

    def _noted(self, events: list[Event], wire: Wire) -> list[Event]:
        return self._before_error(super()._noted(events, wire))

    def _end(self) -> list[Event]:
        return self._before_error(super()._end())

    def _before_error(self, events: list[Event]) -> list[Event]:
        """The events, but for the end of a message that failed, whose error may follow."""
        if self._says_failed:
            return events
        end = 0 if self._delayed else _failed_end(events)
        self._delayed += events[end:]
        self._fold.noted = bool(self._delayed) or self.error is not None  # so that all that follows comes here
        return self._unless_failed(events[:end])

    def _unless_failed(self, events: list[Event]) -> list[Event]:
        """The events; not the end of a message after an error, as it would say that the message is whole."""
        return events if self.error is None else [event for event in events if not isinstance(event, Stop | StreamEnd)]

    def _passed_on(self, event: Event) -> Event:
        """An event as it is converted; an error has the words of the target, even before the message says where it is from."""
        if not isinstance(event, ErrorEvent):
            return event
        error = self._target.own_stream_error(event.error, self._format)
        return event if error is event.error else ErrorEvent(error=error)

    def feed(self, chunk: Any, event: str | None = None) -> list[Event]:
        return list(map(whole, self.take(chunk, event)))


def _failed_end(events: list[Event]) -> int:
    """Where the end of a stream whose message failed begins; the number of events if it does not end, or has not failed."""
    stops = enumerate(events) if events and isinstance(events[-1], StreamEnd) else ()
    return next((n for n, event in stops if event.type == "stop" and event.stop_reason == "error"), len(events))


class Writer:
    """Writes one stream: `feed` takes events and returns the format's chunks; `losses` is what they could not carry."""

    def __init__(
        self, format: Format, context: RequestContext | None = None, fill: bool | Fill = False, *, carry: bool = False
    ) -> None:
        self._writing = begin_writing(format, context, usage=context is None, fill=fill)
        self._restoring = None if context is None else Restoring(context)
        self._carrying = Carrying(format) if carry else None
        self._order = EventOrder()

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What could not be carried so far; paths point into the folded response."""
        return once(of_response(self._writing.losses))

    def feed(self, event: Event) -> list[Wire]:
        """The chunks of an event: none, one or several.

        Raises `StreamError` for what is not an event, or does not fit those before it.
        """
        self._order.check(event)
        if self._restoring is None and self._carrying is None:
            return self._writing.write(event)
        events = [event] if self._restoring is None else self._restoring.events([event])
        if self._carrying is not None:
            events = self._carrying.events(events)
        return [chunk for made in events for chunk in self._writing.write(made)]


def begin_writing(target: Format, context: RequestContext | None, *, usage: bool, fill: bool | Fill = False) -> Writing:
    """Begin to write a stream; without `usage`, it has counts only if the request asks for them."""
    usage = usage or (context is not None and context.usage)
    begin = target.writing if usage else target.writing_without_usage or target.writing
    writing = supported(target, begin, "streams")(target, FORMATS)
    if context is not None:
        writing.names.update(context.names)
    if fill is False:
        return writing
    from .filling import filled  # noqa: PLC0415 -- imported on first use

    return filled(writing, target, fill)


def reader(source: FormatName | Format, *, request: Conversion[Any] | RequestContext | None = None) -> Reader:
    """A reader for one stream of the source; with `request`, its calls are restored as by `load_response`.

    Raises `UnknownFormat`.
    """
    return Reader(format_of(source), context_in(request))


def writer(
    target: FormatName | Format,
    *,
    request: Conversion[Any] | RequestContext | None = None,
    fill: bool | Fill = False,
    carry: bool = False,
) -> Writer:
    """A writer for one stream of the target; `fill` is as for `dump_response`.

    With `request`, the conversion of the client's request, calls name its tools as it does, and a stream of Chat Completions
    has its usage only if the request asks for it. `carry` is as for `dump_response`. Raises `UnknownFormat`.
    """
    return Writer(format_of(target), context_in(request), fill, carry=carry)


def accumulate(events: Iterable[Event]) -> Response:
    """Fold the events of a stream into a response.

    Raises `StreamError` for what is not an event, and for events that do not fit together.
    """
    fold = Fold()
    order = EventOrder()
    check_iterable(events)
    for event in events:
        order.check(event)
        fold.add(event)
    try:
        return fold.response()
    except ValidationError as error:
        raise _broken(error) from None


def check_iterable(stream: object) -> None:
    """Raises `StreamError` for what cannot be a stream."""
    if not hasattr(stream, "__iter__"):
        raise StreamError(f"a stream must be iterable, not {type(stream).__name__}")


def _no_growth(_chunk: Wire) -> None:
    """Reads no chunk."""


def _is_done(chunk: Any) -> bool:
    """Whether a chunk is the text with which many hosts end a stream, which is not JSON."""
    return isinstance(chunk, str) and len(chunk) < 20 and chunk.strip() == "[DONE]"


def _object(chunk: Any) -> Wire:
    """The data of a chunk that is text or an SDK's object."""
    wire: Json = _parse(chunk) if isinstance(chunk, str) else dumped(chunk) if isinstance(chunk, BaseModel) else chunk
    if type(wire) is not dict:
        raise StreamError("a chunk must be a JSON object")
    return wire


def _parse(text: str) -> Any:
    try:
        return parse_json(text)
    except (ValueError, RecursionError):
        pass
    try:
        return json.loads(text)  # which takes half a character; the reader joins it with its other half
    except (ValueError, RecursionError):
        raise StreamError("the data of an event must be JSON") from None


def _broken(error: ValidationError, *, wire: bool = False) -> StreamError:
    fault = faults_of(error, wire=wire)[0]
    return StreamError(f"{fault.path or '(the whole)'}: {fault.reason}")
