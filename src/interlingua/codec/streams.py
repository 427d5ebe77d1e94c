"""Reading and writing streams, sans-io: chunks in, events out, and the other way round.

What differs between formats is a `Reading` (a chunk's events) and a `Writing` (an event's chunks); what they share is here:
the shapes that a chunk comes in, server-sent events cut anywhere, and the fold.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, Protocol

from pydantic import BaseModel, ValidationError

from ..errors import Loss, StreamError, faults_of
from ..model.base import Json
from ..model.events import Event, Fold, StreamEnd
from ..model.exchange import Response

Chunk = dict[str, Any]


class Reading(Protocol):
    """What one format's chunks mean, one after the other."""

    def read(self, chunk: Chunk) -> list[Event]:
        """The events of a chunk; raises `StreamError` where the chunk is none."""
        ...

    def end(self) -> list[Event]:
        """The events that are still due when the provider says that nothing follows."""
        ...


class Writing(Protocol):
    """What events look like in one format, one after the other; `losses` is what that cannot carry."""

    losses: list[Loss]

    def write(self, event: Event) -> list[Chunk]:
        """The chunks that an event becomes: none, one or several."""
        ...


class Reader:
    """Reads one stream: `feed` takes its chunks and gives events; `response` is what they make so far."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._fold = Fold()
        self._folding = self._fold.takes
        self._lines = _Lines()

    @property
    def response(self) -> Response:
        """The response so far; marked `incomplete` where its message has not ended. Costs as much as it holds."""
        try:
            return self._fold.response()
        except ValidationError as error:
            raise _broken(error) from None

    @property
    def complete(self) -> bool:
        """Whether the stream came to its end."""
        return self._fold.complete

    def feed(self, chunk: Any) -> list[Event]:
        """The events of a chunk: a dict, an SDK's object, or the data of one server-sent event as text.

        Raises `StreamError`.
        """
        wire: BaseModel | Json = chunk
        if type(wire) is not dict:
            if isinstance(wire, str):
                if wire.strip() == "[DONE]":
                    return self._take([*self._reading.end(), StreamEnd()])
                wire = _parse(wire)
            elif isinstance(wire, BaseModel):
                wire = wire.model_dump(mode="json", exclude_unset=True, by_alias=True, warnings=False)
            if type(wire) is not dict:
                raise StreamError("a chunk is a JSON object")
        try:
            events = self._reading.read(wire)
        except ValidationError as error:
            raise _broken(error) from None
        for event in events:
            self._folding[type(event)](event)
        return events

    def feed_bytes(self, data: bytes) -> list[Event]:
        """The events of the next bytes of a body of server-sent events, cut anywhere. Raises `StreamError`."""
        return [event for found in self._lines.feed(data) for event in self.feed(found)]

    def close(self) -> list[Event]:
        """The events of what stands in the body without the blank line that should have ended it. Raises `StreamError`."""
        return [event for found in self._lines.close() for event in self.feed(found)] + self._finish()

    def read(self, chunks: Iterable[Any]) -> Iterator[Event]:
        """The events of chunks, as they come."""
        for chunk in chunks:
            yield from self.feed(chunk)
        yield from self._finish()

    async def aread(self, chunks: AsyncIterable[Any]) -> AsyncIterator[Event]:
        """The events of chunks, as they come."""
        async for chunk in chunks:
            for event in self.feed(chunk):
                yield event
        for event in self._finish():
            yield event

    def _finish(self) -> list[Event]:
        """The end of a stream that does not tell it, where all its messages have come to theirs."""
        if self._fold.ended or not self._fold.complete:
            return []
        return self._take([*self._reading.end(), StreamEnd()])

    def _take(self, events: list[Event]) -> list[Event]:
        self._fold.extend(events)
        return events


class Writer:
    """Writes one stream: `feed` takes events and gives the format's chunks; `losses` is what they could not carry."""

    def __init__(self, writing: Writing) -> None:
        self._writing = writing

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What could not be carried so far; paths point into the folded response."""
        return tuple(self._writing.losses)

    def feed(self, event: Event) -> list[Chunk]:
        """The chunks that an event becomes: none, one or several."""
        return self._writing.write(event)


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise StreamError("the data of an event is not JSON") from None


def _broken(error: ValidationError) -> StreamError:
    fault = faults_of(error)[0]
    return StreamError(f"{fault.path or '(the whole)'}: {fault.reason}")


class _Lines:
    """Server-sent events from bytes (WHATWG HTML, section 9.2.6): the data of each event that is whole."""

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
        # Only these three end a line; `splitlines` knows others, which JSON text may hold.
        *lines, rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for line in lines:
            whole = "".join([*self._rest, line])
            self._rest = []
            if whole:
                self._field(whole)
            elif self._data:
                found, self._data = "\n".join(self._data), []
                yield found
        if rest:
            self._rest.append(rest)

    def close(self) -> Iterator[str]:
        yield from self.feed(b"\n\n", final=True)

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
