"""Streams that are passed on by `restream`, with or without a loop of events, and what came of them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

import interlingua as il
from laws.families import ANTHROPIC, CHAT


class Source:
    """Chunks that come one by one, and whether their generator was closed; it may fail after the last."""

    def __init__(self, chunks: Iterable[Any], error: Exception | None = None) -> None:
        self.chunks = list(chunks)
        self.error = error
        self.taken = 0
        self.closed = False
        self._held: list[object] = []
        """The generators, which are not closed for being forgotten."""

    def sync(self) -> Iterator[Any]:
        generator = self._sync()
        self._held.append(generator)
        return generator

    def asynchronous(self) -> AsyncIterator[Any]:
        generator = self._asynchronous()
        self._held.append(generator)
        return generator

    def _sync(self) -> Iterator[Any]:
        try:
            for chunk in self.chunks:
                self.taken += 1
                yield chunk
            if self.error is not None:
                raise self.error
        finally:
            self.closed = True

    async def _asynchronous(self) -> AsyncIterator[Any]:
        try:
            for chunk in self.chunks:
                await asyncio.sleep(0)
                self.taken += 1
                yield chunk
            if self.error is not None:
                raise self.error
        finally:
            self.closed = True


class Outcome:
    """What came of a stream: its chunks or bytes, the error, and the response so far."""

    def __init__(self) -> None:
        self.chunks: list[Any] = []
        self.error: Exception | None = None
        self.response: il.Response | None = None
        self.closed = False


def passed_on(
    source: Source, of: il.FormatName, to: il.FormatName, *, sync: bool, most: int | None = None, **more: Any
) -> Outcome:
    """The outcome of a stream from which at most so many chunks are taken."""
    out = Outcome()

    def run() -> None:
        chunks = il.restream(source.sync(), source=of, target=to, usage=True, **more)
        try:
            for chunk in chunks if most != 0 else ():
                out.chunks.append(chunk)
                if len(out.chunks) == most:
                    break
        except (il.InterlinguaError, OSError) as error:
            out.error = error
        out.response = chunks.response
        if most is not None:
            chunks.close()
        out.closed = source.closed

    async def arun() -> None:
        chunks = il.restream(source.asynchronous(), source=of, target=to, usage=True, **more)
        try:
            if most != 0:
                async for chunk in chunks:
                    out.chunks.append(chunk)
                    if len(out.chunks) == most:
                        break
        except (il.InterlinguaError, OSError) as error:
            out.error = error
        out.response = chunks.response
        if most is not None:
            await chunks.aclose()
        out.closed = source.closed  # by then, not when the loop ends

    if sync:
        run()
    else:
        asyncio.run(arun())
    return out


def errors_in(chunks: Iterable[Any], format: il.FormatName) -> int:
    """How many errors a reader finds in a stream; OpenAI Responses says one in two events, of which the second ends it."""
    reader = il.reader(format)
    return sum(isinstance(event, il.ErrorEvent) for chunk in chunks for event in reader.feed(chunk))


def is_error(chunk: Any, format: il.FormatName) -> bool:
    """Whether a chunk is an error as the format's SDK knows it."""
    error = chunk.get("error")
    if il.FORMATS[format].frame is not None:  # an AWS event stream has exceptions
        [(name, error), *others] = chunk.items()
        return not others and name.endswith("Exception") and isinstance(error["message"], str)
    if format in ANTHROPIC:
        return chunk["type"] == "error" and isinstance(error["type"], str) and isinstance(error["message"], str)
    if format in CHAT:
        return chunk.keys() == {"error"} and isinstance(error["message"], str)
    reader = il.reader(format)
    with contextlib.suppress(il.ProviderError, il.StreamError):  # a chunk may need those before it, and is no error then
        reader.feed(chunk)
    return reader.error is not None
