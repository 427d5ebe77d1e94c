"""Laws of streams: however an answer is cut, its pieces say what the whole says, there and elsewhere."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

from hypothesis import strategies as st

from ...codec.format import Format
from ...codec.strategies.primitives import json_values
from ...conversion.responses import dump_response, load_response
from ...conversion.streams import Reader, Writer, accumulate, reader, writer
from ...errors import Loss, ProviderError, StreamError
from ...model.events import Event
from ...model.exchange import Response, Usage
from ..splitting import chunks
from ..wire import responses
from . import share
from .documents import canonical, difference, resolves
from .drawn import answering, spoilt, streams_of
from .law import Enact, Trial
from .spoke_responses import unreported

JSON = json_values(max_leaves=20)


def read(pieces: Iterable[Any], format: Format) -> tuple[Reader, list[Event]]:
    """The reader and the events of a stream; the error that it may report is the reader's too."""
    made = reader(format)
    events: list[Event] = []
    with contextlib.suppress(ProviderError):
        events.extend(made.read(pieces))
    return made, events


def written(events: Iterable[Event], format: Format) -> tuple[list[Any], Writer]:
    """The chunks of a stream, and their writer."""
    made = writer(format)
    return [chunk for event in events for chunk in made.feed(event)], made


def other_than(whole: Response, folded: Response) -> str:
    """Where two responses are not the same; empty if they are."""
    return "" if whole == folded else difference(whole.to_dict(), folded.to_dict())


def streams_fold_into_the_whole(format: Format) -> Trial | None:
    """However a response is cut into a stream, what is read of it is the whole response, which is dumped as it came."""
    if format.reading is None:
        return None

    def judge(case: tuple[Format, Any, list[Any]]) -> Iterator[str]:
        _, body, pieces = case
        before = canonical(pieces)
        whole = load_response(body, format)
        made, events = read(pieces, format)
        for what, folded in (("the response", made.response), ("the fold of the events", accumulate(events))):
            found = other_than(whole, folded)
            if found:
                yield f"{what} is not the whole: {found}"
        if not made.complete:
            yield "its end is not found"
        if canonical(pieces) != before:
            yield "the chunks were changed"
        dumped = dump_response(made.response, format, on_loss="raise")
        if canonical(dumped) != canonical(body):
            yield f"it is dumped as another: {difference(body, dumped)}"

    return Trial(streams_of(st.just(format)), judge)


@st.composite
def _in_chunks(draw: st.DrawFn, format: Format) -> tuple[Any, list[Any]]:
    body = draw(responses(format, odd=False))
    return body, draw(chunks(format, of=body))


def plain_streams_fold_into_the_whole(format: Format) -> Trial | None:
    """The chunks that `interlingua.testing.chunks` draws of a response make that response."""
    if format.reading is None:
        return None

    def judge(case: tuple[Any, list[Any]]) -> Iterator[str]:
        body, pieces = case
        made, _ = read(pieces, format)
        if not made.complete:
            yield "its end is not found"
        if found := other_than(load_response(body, format), made.response):
            yield f"the response is not the whole: {found}"

    return Trial(_in_chunks(format), judge)


def streams_written_again_say_the_same(format: Format) -> Trial | None:
    """A stream that is read and written in its own format loses nothing, and is read as the same response."""
    if format.reading is None or format.writing is None:
        return None

    def judge(case: tuple[Format, Any, list[Any]]) -> Iterator[str]:
        made, events = read(case[2], format)
        out, losses = _written_again(events, format)
        yield from (f"{loss.path} is lost: {loss.kind}, {loss.detail}" for loss in losses)
        again, _ = read(out, format)
        if found := other_than(made.response, _without_nought(again.response, made.response)):
            yield f"it is read as another response: {found}"

    return Trial(streams_of(st.just(format)), judge)


def _written_again(events: list[Event], format: Format) -> tuple[list[Any], tuple[Loss, ...]]:
    out, made = written(events, format)
    return out, made.losses


def _without_nought(again: Response, first: Response) -> Response:
    """The response without counts of nought, where the first had none: some streams always say what was used."""
    if first.usage is not None or again.usage is None:
        return again
    counts = [getattr(again.usage, name) for name in Usage.model_fields if name not in ("native", "wire")]
    if any(counts):
        return again
    left = again.to_dict()
    del left["usage"]
    return Response.model_validate(left)


def streams_lose_nothing_silently(format: Format) -> Trial | None:
    """What a stream of another format says is said by the stream that is written of it here, or a loss names it; and back."""
    if format.reading is None or format.writing is None:
        return None

    def judge(case: tuple[tuple[Format, Any, list[Any]], Format]) -> Iterator[str]:
        (source, _, pieces), target = case
        made, events = read(pieces, source)
        out, writing = written(events, target)
        again, _ = read(out, target)
        faults = [] if again.complete else ["its end is not found"]
        faults += unreported(made.response, again.response, writing.losses)
        whole = dump_response(again.response, target, on_loss="ignore")
        faults += [f"{loss.path}: its `at`, {loss.at}, leads nowhere" for loss in writing.losses if _is_astray(loss, whole)]
        yield from (f"from {source.name} to {target.name}: {fault}" for fault in faults)

    other = answering(format, streams=True)
    here = st.tuples(streams_of(other), st.just(format))
    return Trial(here | st.tuples(streams_of(st.just(format)), other), judge)


def _is_astray(loss: Loss, body: Any) -> bool:
    return loss.at is not None and not resolves(body, loss.at)


def malformed_chunks_raise_stream_errors(format: Format) -> Trial | None:
    """A stream with something wrong in it is read, or raises `StreamError`, and its response can be looked at all the same."""
    if format.reading is None:
        return None

    def judge(pieces: list[Any]) -> Iterator[str]:
        before = canonical(pieces)
        made = reader(format)
        refused = 0
        for piece in pieces:
            try:
                made.feed(piece)
            except StreamError:
                refused += 1
        with contextlib.suppress(StreamError, ProviderError):
            made.close()
        with contextlib.suppress(StreamError, ProviderError):
            canonical(made.response.to_dict())
        share.judged(refused < len(pieces) / 2, least=0.3)
        if canonical(pieces) != before:
            yield "the chunks were changed"

    sound = chunks(format)
    return Trial(spoilt(sound) | spoilt(sound) | st.lists(JSON, min_size=1, max_size=4), judge)


LAWS: tuple[Enact, ...] = (
    streams_fold_into_the_whole,
    plain_streams_fold_into_the_whole,
    streams_written_again_say_the_same,
    streams_lose_nothing_silently,
    malformed_chunks_raise_stream_errors,
)
