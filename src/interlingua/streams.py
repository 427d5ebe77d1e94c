"""Reading and writing streams: chunks in and events out, or events in and chunks out.

A format has a `Reading` (the events of a chunk) and a `Writing` (the chunks of an event). What formats share is here: the
types that a chunk may have, server-sent events cut anywhere, the fold of the events into a response, and how a stream ends.
"""

from __future__ import annotations

import codecs
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, TypeAlias

from pydantic import BaseModel, ValidationError

from .codec.fields import Wire, copy_wire
from .codec.format import Format
from .error_bodies import read_error
from .errors import Loss, ProviderError, StreamError, faults_of
from .formats import FORMATS, format_of
from .front import hint, supported
from .losses import of_response
from .model.base import Json, parse_json
from .model.events import ErrorEvent, Event, Fold, StreamEnd
from .model.exchange import Response
from .payloads import FormatName

Named: TypeAlias = tuple[Any, str | None]
"""A chunk, and the name of its server-sent event."""


class Body:
    """The chunks in the pieces of a stream's body: server-sent events as in WHATWG HTML, section 9.2.6."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._rest: list[str] = []
        self._data: list[str] = []
        self._name: str | None = None
        self._after_cr = False
        self._text: str = ""
        """What text is: the "data" of an event, a "line", or "cut" anywhere; decided by the first text."""

    def take(self, piece: Any) -> Iterable[Named]:
        """The chunks in a piece: a chunk itself, bytes cut anywhere, or text."""
        if isinstance(piece, str):
            return self._take_text(piece)
        return self.feed(bytes(piece)) if isinstance(piece, bytes | bytearray) else ((piece, None),)

    def _take_text(self, text: str) -> Iterable[Named]:
        if not self._text and text:
            text = text.removeprefix("\ufeff")
            is_data = text.lstrip().startswith(("{", "[DONE]"))
            self._text = "data" if is_data else "cut" if "\n" in text or "\r" in text else "line"
        if self._text == "data":
            return ((text, None),)
        if self._text == "line":
            if "\n" in text or "\r" in text:
                raise StreamError("text comes in lines, or cut anywhere")
            text += "\n"
        return self._take_lines(text)

    def feed(self, data: bytes, *, final: bool = False) -> Iterator[Named]:
        """The chunks in bytes cut anywhere."""
        try:
            text = self._decode(data, final)
        except UnicodeDecodeError:
            raise StreamError("the body is not UTF-8") from None
        return self._take_lines(text)

    def _take_lines(self, text: str) -> Iterator[Named]:
        if self._after_cr and text:
            text = text.removeprefix("\n")
            self._after_cr = False
        if text.endswith("\r"):
            self._after_cr = True
        # Only these three end a line; `splitlines` knows others, which JSON text may contain.
        *lines, rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if lines and self._rest:
            lines[0] = "".join([*self._rest, lines[0]])
            self._rest = []
        if rest:
            self._rest.append(rest)
        for line in lines:
            if line:
                field, _, value = line.partition(":")
                if field == "data":
                    self._data.append(value.removeprefix(" "))
                elif field == "event":
                    self._name = value.removeprefix(" ")
            else:
                found, name, self._data, self._name = self._data, self._name, [], None
                if found:
                    yield "\n".join(found), name

    def close(self) -> Iterator[Named]:
        """The chunk that no blank line ended."""
        return self.feed(b"\n\n", final=True)


class Reader:
    """Reads one stream: `feed` takes its chunks and returns events; `response` is the response so far."""

    def __init__(self, format: Format) -> None:
        self._reading = supported(format, format.reading, "streams")()
        self._event_field = format.event_field
        self._unframe = format.unframe
        self._format = format
        self._fold = Fold()
        self._folding = self._fold.takes | {ErrorEvent: self._fail}
        self._body = Body()
        self._chunk: Wire = {}
        self.error: ProviderError | None = None
        """The last error that the provider reported in the stream."""

    def _fail(self, event: Event) -> None:
        self._fold.add(event)
        self.error = read_error(copy_wire(self._chunk), origin=self._format.name)

    @property
    def response(self) -> Response:
        """The response so far, marked `incomplete` where its message has not ended. Takes time in proportion to its size.

        Raises `ProviderError` where the stream is an error and nothing else.
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
        wire: BaseModel | Json = chunk
        if type(wire) is not dict:
            if isinstance(wire, str):
                if len(wire) < 20 and wire.strip() == "[DONE]":
                    return self._folded([*self._reading.end(), StreamEnd()])
                wire = _parse(wire)
            elif isinstance(wire, BaseModel):
                wire = dumped(wire)
            if type(wire) is not dict:
                raise StreamError("a chunk is a JSON object")
        if self._unframe is not None:
            wire = self._unframe(wire, event)
        elif event is not None and self._event_field is not None and self._event_field not in wire:
            wire = {self._event_field: event, **wire}
        self._chunk = wire
        try:
            events = self._reading.read(wire)
        except ValidationError as error:
            raise _broken(error, wire=True) from None
        for made in events:
            self._folding[type(made)](made)
        return events

    def feed_bytes(self, data: bytes) -> list[Event]:
        """The events of the next bytes of a body of server-sent events, cut anywhere. Raises `StreamError`."""
        if not isinstance(data, bytes | bytearray | memoryview):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError("feed_bytes takes bytes")
        return [event for chunk, name in self._body.feed(data) for event in self.feed(chunk, name)]

    def close(self) -> list[Event]:
        """The last events, when nothing follows. Raises `StreamError` where the stream ended before its messages did.

        An error that the provider reported in the stream explains such an end. `response` is what had come by then.
        """
        events = [event for chunk, name in self._body.close() for event in self.feed(chunk, name)]
        if self._fold.complete and not self._fold.ended:  # a stream that has no mark of its end
            events += self._folded([*self._reading.end(), StreamEnd()])
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

        Raises `StreamError`, also where the stream ended before its messages did, and at the end the `error` that the provider
        reported in the stream.
        """
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

    def _folded(self, events: list[Event]) -> list[Event]:
        self._fold.extend(events)
        return events


class Writer:
    """Writes one stream: `feed` takes events and returns the format's chunks; `losses` is what they could not carry."""

    def __init__(self, format: Format) -> None:
        self._writing = supported(format, format.writing, "streams")(FORMATS)

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What could not be carried so far; paths point into the folded response."""
        return tuple(of_response(self._writing.losses))

    def feed(self, event: Event) -> list[Wire]:
        """The chunks of an event: none, one or several. Raises `TypeError` for what is no event."""
        Fold.TAKES[type(event)]
        return self._writing.write(event)


def reader(source: FormatName | Format) -> Reader:
    """A reader for one stream of the source. Raises `UnknownFormat`."""
    return Reader(format_of(source))


def writer(target: FormatName | Format) -> Writer:
    """A writer for one stream of the target. Raises `UnknownFormat`."""
    return Writer(format_of(target))


def _parse(text: str) -> Any:
    try:
        return parse_json(text)
    except (ValueError, RecursionError):
        raise StreamError("the data of an event is not JSON") from None


def dumped(value: BaseModel) -> Wire:
    """The chunk that an SDK's object was made of."""
    return value.model_dump(mode="json", exclude_unset=True, by_alias=True, warnings=False)


def _broken(error: ValidationError, *, wire: bool = False) -> StreamError:
    fault = faults_of(error, wire=wire)[0]
    return StreamError(f"{fault.path or '(the whole)'}: {fault.reason}")
