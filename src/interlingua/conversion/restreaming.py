"""Passing streams on: converting them chunk by chunk, and writing them as the bytes that a provider's server sends.

A stream that is malformed, or that ends before its messages do, is never passed on as if it were whole: the receiver gets an
error in the shape of its format, and then `StreamError` is raised. However a stream ends, its source is closed.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Generator, Iterable, Iterator
from inspect import isawaitable
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias, TypeVar

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_json

from ..codec.error_bodies import is_error
from ..codec.fields import Wire
from ..codec.format import Format
from ..codec.streams.event_order import EventOrder
from ..codec.streams.halves import Halves
from ..errors import InterlinguaError, Loss, ProviderError, StreamError
from ..formats import FORMATS, FormatName, format_of
from ..model.base import Json
from ..model.deltas import whole
from ..model.events import ErrorEvent, Event, StreamEnd
from ..model.exchange import Response
from ..model.folding import Fold
from .carry_stream import Carrying
from .context import RequestContext, context_in
from .converted import Conversion
from .event_stream import write_message
from .framing import Body, Named
from .losses import OnLoss, distinct, of_response, report
from .requests import supported
from .sdk_objects import dumped
from .streams import LightReader, Reader, begin_writing, check_iterable

if TYPE_CHECKING:
    from .._signatures import type_of_restream, type_of_sse  # pyright: ignore[reportMissingModuleSource] -- for checkers alone
    from .filling import Fill
else:
    from .requests import as_is as type_of_restream, as_is as type_of_sse

T_co = TypeVar("T_co", covariant=True)


class _Step(Protocol[T_co]):
    """What a stream becomes, piece by piece."""

    written: _Written

    # What a piece of the stream becomes.
    def take(self, piece: Any, /) -> Iterable[T_co]: ...

    # What there is to add at its end. Raises `StreamError` if that is none.
    def last(self) -> Iterable[T_co]: ...

    # How the receiver learns of an error.
    def failure(self, error: InterlinguaError, /) -> Iterable[T_co]: ...


def _run(step: _Step[T_co], source: Iterable[Any]) -> Generator[T_co, None, None]:
    """What a stream becomes; the source is closed however that ends."""
    pieces = iter(source)
    try:
        for piece in pieces:
            yield from step.take(piece)
        yield from step.last()
    except InterlinguaError as error:
        yield from step.failure(error)
        raise
    finally:
        close(pieces)
        close(source)
        step.written.warn()


async def _arun(step: _Step[T_co], source: AsyncIterable[Any]) -> AsyncGenerator[T_co, None]:
    pieces = aiter(source)
    try:
        async for piece in pieces:
            for made in step.take(piece):
                yield made
        for made in step.last():
            yield made
    except InterlinguaError as error:
        for made in step.failure(error):
            yield made
        raise
    finally:
        await aclose(pieces)
        await aclose(source)
        step.written.warn()


def close(source: object) -> None:
    """Close a generator, an SDK's stream, a file; twice is no harm."""
    close = getattr(source, "close", None)
    if close is not None:
        close()


async def aclose(source: object) -> None:
    close = getattr(source, "aclose", None) or getattr(source, "close", None)
    if close is not None and isawaitable(closing := close()):
        await closing


class _Written:
    """The chunks of a stream in the target's format, and the reports of its losses as they are found."""

    def __init__(
        self,
        target: Format,
        on_loss: OnLoss,
        context: RequestContext | None = None,
        carrying: Carrying | None = None,
        *,
        usage: bool = True,
        fill: bool | Fill = False,
    ) -> None:
        self._writing = begin_writing(target, context, usage=usage, fill=fill)
        self._losses = self._writing.losses
        self._carrying = carrying
        self._count = 0
        self._reported = set[Loss]()
        self._on_loss: OnLoss = on_loss
        self._target = target

    @property
    def losses(self) -> tuple[Loss, ...]:
        return distinct(of_response(self._writing.losses))

    def write(self, events: list[Event]) -> list[Wire]:
        if self._carrying is not None:
            events = self._carrying.events(list(map(whole, events)))
        if len(events) == 1:
            chunks = self._writing.write(events[0])
        else:
            chunks = list(chain.from_iterable(map(self._writing.write, events)))
        if len(self._losses) != self._count:
            self._report()
        return chunks

    def _report(self) -> None:
        """Report what is new, except for a warning, which is one for the whole stream."""
        losses = self._writing.losses
        found = of_response(losses[self._count :])
        self._count = len(losses)
        if self._on_loss != "warn":
            report([loss for loss in dict.fromkeys(found) if loss not in self._reported], self._on_loss, self._target.name)
            self._reported.update(found)

    def warn(self) -> None:
        if self._on_loss == "warn":
            report(self.losses, "warn", self._target.name)

    def error(self, error: InterlinguaError) -> list[Wire]:
        target = self._target
        failed = error if isinstance(error, ProviderError) else ProviderError(str(error))
        body: Wire = target.stream_error(target.own_error(failed, FORMATS.get(failed.origin or "")))
        return self._writing.write(ErrorEvent(error={key: value for key, value in body.items() if value is not None}))


class _Conversion:
    """The chunks of one format that a stream of another becomes."""

    def __init__(
        self,
        source: Format,
        target: Format,
        on_loss: OnLoss,
        context: RequestContext | None,
        *,
        usage: bool,
        fill: bool | Fill,
        carry: bool,
    ) -> None:
        self.reader = LightReader(source, target, context)
        self._body = Body()
        carrying = Carrying(target) if carry else None
        self.written = _Written(target, on_loss, context, carrying, usage=usage or source is target, fill=fill)

    def take(self, piece: Any) -> Iterable[Wire]:
        if type(piece) is dict:
            return self.written.write(self.reader.take(piece))
        return self._take_each(self._body.take(piece))

    def _take_each(self, chunks: Iterable[Named]) -> Iterator[Wire]:
        for chunk, name in chunks:
            yield from self.written.write(self.reader.take(chunk, name))

    def last(self) -> Iterator[Wire]:
        yield from self._take_each(self._body.close())
        yield from self.written.write(self.reader.close())
        if self.reader.error is not None:
            raise self.reader.error

    def failure(self, error: InterlinguaError) -> list[Wire]:
        return [] if self.reader.error is not None else self.written.error(error)


class _Restreamed:
    """What is known of the conversion of a stream."""

    def __init__(self, conversion: _Conversion) -> None:
        self._conversion = conversion

    @property
    def reader(self) -> Reader:
        """The reader of the source."""
        return self._conversion.reader

    @property
    def response(self) -> Response:
        """The response so far; after a failure, what had arrived before it."""
        return self._conversion.reader.response

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What could not be carried so far; paths point into `response.to_dict()`."""
        return self._conversion.written.losses


class Restream(_Restreamed):
    """The chunks of a stream in another format, as an iterator; `close`, or the end of a `with` block, closes the source."""

    def __init__(self, conversion: _Conversion, source: Iterable[Any]) -> None:
        super().__init__(conversion)
        self._source = source
        # It does not refer to this object, so that both go when nothing refers to them any more, and the source is closed.
        self._chunks = _run(conversion, source)

    def __iter__(self) -> Iterator[Wire]:
        return self._chunks

    def __next__(self) -> Wire:
        return next(self._chunks)

    def close(self) -> None:
        """Stop, and close the source."""
        self._chunks.close()
        close(self._source)  # also if nothing was read of it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncRestream(_Restreamed):
    """The chunks of a stream in another format, as an async iterator, with `aclose` and `async with`."""

    def __init__(self, conversion: _Conversion, source: AsyncIterable[Any]) -> None:
        super().__init__(conversion)
        self._source = source
        self._chunks = _arun(conversion, source)

    def __aiter__(self) -> AsyncIterator[Wire]:
        return self._chunks

    async def __anext__(self) -> Wire:
        return await anext(self._chunks)

    async def aclose(self) -> None:
        """Stop, and close the source."""
        await self._chunks.aclose()
        await aclose(self._source)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


@type_of_restream
def restream(
    chunks: Iterable[Any] | AsyncIterable[Any],
    *,
    source: FormatName | Format,
    target: FormatName | Format,
    on_loss: OnLoss = "warn",
    usage: bool = False,
    request: Conversion[Any] | RequestContext | None = None,
    fill: bool | Fill = False,
    carry: bool = False,
) -> Restream | AsyncRestream:
    """Convert a stream of the source into one of the target, chunk by chunk; the result is async if `chunks` is.

    `chunks` are dicts, an SDK's objects, the data of server-sent events, bytes of a body cut anywhere, or its lines as text;
    the result yields dicts. Its `response` is the response so far. The source is closed at the end, however that comes.

    Pass the conversion of the client's request as `request`: calls then name the client's own tools, and a stream of Chat
    Completions has its usage if the request asks for it. The usage comes in a last chunk without choices, which OpenAI's server
    sends only to clients that ask for it (`stream_options.include_usage`), because others may look for its first choice and
    fail. Without `request`, the chunk is left out, unless `usage` asks for it; `response.usage` has the counts in any case. A
    stream that is not converted to another format keeps what it has, and streams of other formats always have their usage.
    `fill` and `carry` are as for `dump_response`; all chunks have the same id.

    Losses are reported as by `dump`, as soon as they are found (but one `LossWarning` at the end); their paths point into
    `response.to_dict()`. A stream that ends before its messages do, or is malformed, becomes an error in the target's shape,
    and then raises `StreamError`. An error that the provider reports is passed on, and raised at the end as `ProviderError`.
    Raises `UnknownFormat`.
    """
    conversion = _Conversion(
        format_of(source), format_of(target), on_loss, context_in(request), usage=usage, fill=fill, carry=carry
    )
    if isinstance(chunks, AsyncIterable):
        return AsyncRestream(conversion, chunks)
    check_iterable(chunks)
    return Restream(conversion, chunks)


# The bytes of a body

_SSE = "text/event-stream"
_LINES = "application/x-ndjson"
_WRITTEN = (_SSE, _LINES)
"""The content types of streams whose chunks are written as text."""


class _Encoding:
    """The bytes that chunks or events become: server-sent events, lines of JSON, or messages of an AWS event stream."""

    def __init__(self, target: Format, on_loss: OnLoss, *, checked: bool, fill: bool | Fill) -> None:
        self._format = target
        self._frame = target.frame
        self._in_lines = target.stream_type == _LINES
        self.written = _Written(target, on_loss, fill=fill)
        self._fold = Fold()
        self._folding = self._fold.takes
        self._reader = None if checked else Reader(target)
        """Notices whether the chunks end before their messages do."""
        self._halves = Halves(target.pieces_in)
        self._order = EventOrder()
        self._last: Wire = {}

    def take(self, piece: Any) -> Iterable[bytes]:
        if (fold := self._folding.get(piece.__class__)) is not None:
            self._order.check(piece)
            fold(piece)
            return map(self._encode, self.written.write([piece]))
        if piece == "[DONE]":  # which comes at the end
            return ()
        chunk: Json = dumped(piece) if isinstance(piece, BaseModel) else piece
        if type(chunk) is not dict:
            raise StreamError("a chunk must be a JSON object")
        if self._reader is not None:
            self._reader.feed(chunk)
        return [self._encode_chunk(chunk)]

    def last(self) -> Iterator[bytes]:
        fold = self._fold
        if fold.complete and not fold.ended:
            yield from map(self._encode, self.written.write([StreamEnd()]))
        elif self._reader is not None and not (fold.complete or fold.failed):
            self._reader.close()
        self._halves.check_end()
        if self._format.end_mark is not None and not self._has_failed():
            yield f"data: {self._format.end_mark}\n\n".encode()

    def failure(self, error: InterlinguaError) -> Iterable[bytes]:
        return () if self._has_failed() else map(self._encode, self.written.error(error))

    def _has_failed(self) -> bool:
        """Whether the last chunk has an error, either itself or in its response, like OpenAI's `response.failed`."""
        return is_error(self._last) or is_error(self._last.get("response"))

    def _encode_chunk(self, chunk: Wire) -> bytes:
        if not self._halves.pending:
            try:
                return self._encode(chunk)
            except StreamError:
                pass  # it may have half a character
        return self._encode(self._halves.join(chunk))

    def _encode(self, chunk: Wire) -> bytes:
        try:
            data = to_json(chunk) if self._frame is None else write_message(self._frame(chunk))
        except PydanticSerializationError:
            raise StreamError("a chunk must be JSON") from None
        self._last = chunk
        if self._frame is not None:
            return data
        if self._in_lines:
            return data + b"\n"
        field = self._format.event_field
        name: Json = None if field is None else chunk.get(field)
        if type(name) is not str or "\n" in name or "\r" in name:
            return b"data: %b\n\n" % data
        return b"event: %b\ndata: %b\n\n" % (name.encode(), data)


_Made: TypeAlias = Generator[bytes, None, None]
_AsyncMade: TypeAlias = AsyncGenerator[bytes, None]


class _Pieces(Generator[bytes, None, None]):
    """A generator that closes its source also where it has not begun."""

    def __init__(self, made: _Made, source: Iterable[Any]) -> None:
        self._made = made
        self._source = source

    def __iter__(self) -> _Made:
        return self._made

    def __next__(self) -> bytes:
        return next(self._made)

    def send(self, value: None, /) -> bytes:
        return self._made.send(value)

    def throw(self, *error: Any) -> bytes:
        try:
            return self._made.throw(*error)
        except BaseException:
            close(self._source)
            raise

    def close(self) -> None:
        self._made.close()
        close(self._source)


class _AsyncPieces(AsyncGenerator[bytes, None]):
    """The same as an async generator."""

    def __init__(self, made: _AsyncMade, source: AsyncIterable[Any]) -> None:
        self._made = made
        self._source = source

    def __aiter__(self) -> _AsyncMade:
        return self._made

    async def __anext__(self) -> bytes:
        return await anext(self._made)

    async def asend(self, value: None, /) -> bytes:
        return await self._made.asend(value)

    async def athrow(self, *error: Any) -> bytes:
        try:
            return await self._made.athrow(*error)
        except BaseException:
            await aclose(self._source)
            raise

    async def aclose(self) -> None:
        await self._made.aclose()
        await aclose(self._source)


@type_of_sse
def sse(
    chunks: Iterable[Any] | AsyncIterable[Any],
    target: FormatName | Format,
    *,
    on_loss: OnLoss = "warn",
    fill: bool | Fill = False,
) -> Generator[bytes] | AsyncGenerator[bytes]:
    """The bytes that the target's server sends for a stream: server-sent events, with the names and the `[DONE]` that it sends.

    If the target's `stream_type` says so, the bytes are lines of JSON or an AWS event stream instead.

    `chunks` are of the target's format, as dicts or its SDK's objects, or they are events, which are written as a `writer`
    does, and filled if `fill` asks for it. The result is async if `chunks` is, and closes it. Losses are reported as by
    `restream`.

    A stream that ends before its messages do becomes an error in the target's shape, and then raises `StreamError`. So does
    a `StreamError` of `chunks`. Raises `UnknownFormat`, also for a format whose streams are sent in another way.
    """
    format = format_of(target)
    supported(format, format.stream_type in _WRITTEN or format.frame, "server-sent events")
    encoding = _Encoding(format, on_loss, checked=isinstance(chunks, _Restreamed), fill=fill)
    if isinstance(chunks, AsyncIterable):
        return _AsyncPieces(_arun(encoding, chunks), chunks)
    return _Pieces(_run(encoding, chunks), chunks)
