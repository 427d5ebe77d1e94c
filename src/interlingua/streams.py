"""Reading and writing streams: chunks in and events out, or events in and chunks out.

A format has a `Reading` (the events of a chunk) and a `Writing` (the chunks of an event). What formats share is here: the
types that a chunk may have, server-sent events cut anywhere, and the fold of the events into a response.
"""

from __future__ import annotations

import codecs
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, overload

from pydantic import BaseModel, ValidationError

from .codec.fields import Wire
from .codec.format import Format, Reading, Writing
from .errors import Loss, StreamError, faults_of
from .formats import FORMATS, format_of
from .front import supported
from .losses import of_response
from .model.base import Json, parse_json
from .model.events import Event, Fold, StreamEnd
from .model.exchange import Response
from .payloads import FormatName


class Reader:
    """Reads one stream: `feed` takes its chunks and returns events; `response` is the response so far."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._fold = Fold()
        self._folding = self._fold.takes
        self._lines = _Lines()

    @property
    def response(self) -> Response:
        """The response so far, marked `incomplete` where its message has not ended. Takes time in proportion to its size."""
        try:
            return self._fold.response()
        except ValidationError as error:
            raise _broken(error) from None

    @property
    def complete(self) -> bool:
        """Whether the stream is complete."""
        return self._fold.complete

    def feed(self, chunk: Any) -> list[Event]:
        """The events of a chunk: a dict, an SDK's object, or the data of one server-sent event as text.

        Raises `StreamError`.
        """
        wire: BaseModel | Json = chunk
        if type(wire) is not dict:
            if isinstance(wire, str):
                if len(wire) < 20 and wire.strip() == "[DONE]":
                    return self._folded([*self._reading.end(), StreamEnd()])
                wire = _parse(wire)
            elif isinstance(wire, BaseModel):
                wire = wire.model_dump(mode="json", exclude_unset=True, by_alias=True, warnings=False)
            if type(wire) is not dict:
                raise StreamError("a chunk is a JSON object")
        try:
            events = self._reading.read(wire)
        except ValidationError as error:
            raise _broken(error, wire=True) from None
        for event in events:
            self._folding[type(event)](event)
        return events

    def feed_bytes(self, data: bytes) -> list[Event]:
        """The events of the next bytes of a body of server-sent events, cut anywhere. Raises `StreamError`."""
        return [event for found in self._lines.feed(data) for event in self.feed(found)]

    def close(self) -> list[Event]:
        """The events of a last part of the body that no blank line ended. Raises `StreamError`."""
        return [event for found in self._lines.close() for event in self.feed(found)] + self._finish()

    def read(self, chunks: Iterable[Any]) -> Iterator[Event]:
        """The events of chunks, as they arrive. Raises `StreamError`."""
        for chunk in chunks:
            yield from self.feed(chunk)
        yield from self._finish()

    async def aread(self, chunks: AsyncIterable[Any]) -> AsyncIterator[Event]:
        """The events of chunks, as they arrive. Raises `StreamError`."""
        async for chunk in chunks:
            for event in self.feed(chunk):
                yield event
        for event in self._finish():
            yield event

    def _finish(self) -> list[Event]:
        """The end of a stream that has no mark of it, if all its messages have ended."""
        if self._fold.ended or not self._fold.complete:
            return []
        return self._folded([*self._reading.end(), StreamEnd()])

    def _folded(self, events: list[Event]) -> list[Event]:
        self._fold.extend(events)
        return events


class Writer:
    """Writes one stream: `feed` takes events and returns the format's chunks; `losses` is what they could not carry."""

    def __init__(self, writing: Writing) -> None:
        self._writing = writing

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What could not be carried so far; paths point into the folded response."""
        return tuple(of_response(self._writing.losses))

    def feed(self, event: Event) -> list[Wire]:
        """The chunks of an event: none, one or several."""
        return self._writing.write(event)


def reader(source: FormatName | Format) -> Reader:
    """A reader for one stream of the source. Raises `UnknownFormat`."""
    format = format_of(source)
    return Reader(supported(format, format.reading, "streams")())


def writer(target: FormatName | Format) -> Writer:
    """A writer for one stream of the target. Raises `UnknownFormat`."""
    format = format_of(target)
    return Writer(supported(format, format.writing, "streams")(FORMATS))


@overload
def restream(chunks: Iterable[Any], *, source: FormatName | Format, target: FormatName | Format) -> Iterator[Wire]: ...
@overload
def restream(
    chunks: AsyncIterable[Any], *, source: FormatName | Format, target: FormatName | Format
) -> AsyncIterator[Wire]: ...
def restream(chunks: Iterable[Any] | AsyncIterable[Any], *, source: FormatName | Format, target: FormatName | Format) -> Any:
    """Convert a stream of the source into one of the target, chunk by chunk; the result is async if `chunks` is.

    Chunks are dicts, an SDK's objects, or the data of server-sent events; the result yields dicts. Losses are not reported: use
    a `reader` and a `writer` for that. Raises `StreamError` and `UnknownFormat`.
    """
    reading, writing = reader(source), writer(target)
    if isinstance(chunks, AsyncIterable):
        return _restream_async(chunks, reading, writing)
    return (written for event in reading.read(chunks) for written in writing.feed(event))


async def _restream_async(chunks: AsyncIterable[Any], reading: Reader, writing: Writer) -> AsyncIterator[Wire]:
    async for event in reading.aread(chunks):
        for written in writing.feed(event):
            yield written


def _parse(text: str) -> Any:
    try:
        return parse_json(text)
    except (ValueError, RecursionError):
        raise StreamError("the data of an event is not JSON") from None


def _broken(error: ValidationError, *, wire: bool = False) -> StreamError:
    fault = faults_of(error, wire=wire)[0]
    return StreamError(f"{fault.path or '(the whole)'}: {fault.reason}")


class _Lines:
    """Server-sent events from bytes (WHATWG HTML, section 9.2.6): the data of each complete event."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._rest: list[str] = []
        self._data: list[str] = []
        self._after_cr = False

    def feed(self, data: bytes, *, final: bool = False) -> Iterator[str]:
        try:
            text = self._decode(data, final)
        except UnicodeDecodeError:
            raise StreamError("the body is not UTF-8") from None
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
        for line in lines:
            if line:
                name, _, value = line.partition(":")
                if name == "data":
                    self._data.append(value.removeprefix(" "))
            elif self._data:
                found, self._data = "\n".join(self._data), []
                yield found
        if rest:
            self._rest.append(rest)

    def close(self) -> Iterator[str]:
        yield from self.feed(b"\n\n", final=True)
