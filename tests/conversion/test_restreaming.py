"""Streams that are passed on: whatever ends them, their source is closed, and nobody takes a part for the whole."""

import asyncio
import contextlib
import copy
import gc
import json
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from conversion.test_responses import read_as
from interlingua import testing
from interlingua.codec.strategies.cutting import cut
from interlingua.testing.lawbook import documents
from interlingua.testing.splitting import split, streamable
from laws import answers, over, recorded, sse
from laws.families import ANTHROPIC, STREAMING
from laws.passing import Source, errors_in, is_error, passed_on
from laws.streaming import RANDOMS, SDK, SHAPED, as_dicts, as_sent, cut_off, judged, read, streamed, with_usage

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


def converted(chunks: Iterable[Any], source: il.FormatName, target: il.FormatName) -> list[Any]:
    """The chunks that a reader and a writer make of those before the end."""
    reader, writer = il.reader(source), il.writer(target)
    return [made for chunk in chunks for event in reader.feed(chunk) for made in writer.feed(event)]


def body_in(way: str, chunks: list[Any], random: Random) -> list[Any]:
    """The pieces in which a client has a stream; blobs are in chunks alone."""
    if way == "chunks" or not documents.is_json(chunks):
        return copy.deepcopy(chunks)
    if way == "data":
        return [chunk if isinstance(chunk, str) else json.dumps(chunk) for chunk in chunks]
    body = sse.body_of(chunks, random)
    if way == "bytes":
        return sse.cuts(body, random)
    text = body.decode().replace("\r\n", "\n").replace("\r", "\n")
    if way == "lines":
        return text.removesuffix("\n").split("\n")
    if way == "lines with their ends":
        return re.split(r"(?<=\n)", text)
    return [text[:9], *cut(text[9:], 7, random)] if "\n" in text[:9] else [text]


WAYS = ("chunks", "data", "bytes", "lines", "lines with their ends", "text cut anywhere")


# Cut streams


@over.pairs(STREAMING)
@given(data=st.data(), way=st.sampled_from(WAYS), sync=st.booleans())
def test_a_stream_cut_off_before_its_end_is_an_error_for_everyone(
    target: il.FormatName, sources: list[il.FormatName], data: st.DataObject, way: str, sync: bool
) -> None:
    origin = data.draw(st.sampled_from(sources))
    _, chunks = data.draw(streamed(origin))
    chunks = [chunk for chunk in chunks if chunk != "[DONE]"]
    beginnings = [n for n in range(len(chunks)) if not cut_off(chunks[:n], origin).complete]
    chunks = chunks[: data.draw(st.sampled_from(beginnings))]
    source = Source(body_in(way, chunks, data.draw(RANDOMS)))
    out = passed_on(source, origin, target, sync=sync)
    assert isinstance(out.error, il.StreamError)
    assert is_error(out.chunks[-1], target)
    assert errors_in(out.chunks, target) == 1
    before = converted(chunks, origin, target)
    assert out.chunks[: len(before)] == before
    assert out.response == cut_off(chunks, origin).response
    assert out.closed


@over.formats(SHAPED)
@given(data=st.data())
def test_a_reader_says_that_a_stream_was_cut_off(format: il.FormatName, data: st.DataObject) -> None:
    _, chunks = data.draw(streamed(format))
    place = data.draw(st.integers(0, len(chunks)))
    reader, again = il.reader(format), il.reader(format)
    for chunk in chunks[:place]:
        reader.feed(chunk)
    whole = reader.complete

    def outcome(call: Callable[[], object]) -> bool:
        try:
            call()
        except il.StreamError:
            return False
        return True

    assert outcome(reader.close) == outcome(lambda: list(again.read(chunks[:place]))) == whole
    assert reader.response == again.response
    assert (reader.complete, again.complete) == (whole, whole)


@pytest.mark.traffic
@read_as
def test_no_recorded_stream_is_taken_for_a_cut_one(traffic: Path, api: str, format: il.FormatName) -> None:
    """With the mark of its end or without, which the SDKs do not show; every recorded stream that stops early is an error."""
    target: il.FormatName = "openai_chat" if format in ANTHROPIC else "anthropic"

    def judge(record: recorded.Record) -> Iterator[str]:
        for chunks in (record.body, [chunk for chunk in record.body if chunk != "[DONE]"]):
            out = passed_on(Source(chunks), format, target, sync=True)
            said = [each for chunk in chunks if documents.is_object(chunk) for each in (chunk, chunk.get("delta"))]
            failed = any(documents.is_object(each) and "error" in each for each in said)
            if sum("error" in chunk for chunk in out.chunks) != failed:
                yield f"{failed} errors became {out.chunks[-1]!r:.100}"
            if isinstance(out.error, il.ProviderError) != failed or isinstance(out.error, il.StreamError):
                yield f"ends with {out.error}"

    judged(recorded.streams(traffic, api), judge)


@pytest.mark.traffic
@read_as
def test_recorded_streams_that_are_cut_short_are_errors(traffic: Path, api: str, format: il.FormatName) -> None:
    def judge(record: recorded.Record) -> Iterator[str]:
        reader = il.reader(format)
        for place, chunk in enumerate(record.body):
            if reader.complete or reader.error:
                return
            out = passed_on(Source(record.body[:place]), format, "anthropic", sync=True)
            if not (isinstance(out.error, il.StreamError) and is_error(out.chunks[-1], "anthropic")):
                yield f"cut after {place} chunks: {out.error}"
            reader.feed(chunk)

    judged(recorded.streams(traffic, api), judge)


@pytest.mark.parametrize("sync", [True, False])
@pytest.mark.parametrize("target", SDK)
def test_an_empty_stream_is_an_error(target: il.FormatName, sync: bool) -> None:
    out = passed_on(Source([]), "openai_chat", target, sync=sync)
    assert isinstance(out.error, il.StreamError)
    [chunk] = out.chunks
    assert is_error(chunk, target)


# The usage, for clients that asked for it


@pytest.mark.parametrize("target", [name for name in SHAPED if il.FORMATS[name].writing_without_usage])
def test_the_chunk_of_usage_is_sent_where_it_is_asked_for(target: il.FormatName) -> None:
    counted = {"usage": {"input_tokens": 3, "output_tokens": 2}}
    chunks: list[Any] = [
        {"type": "message_start", "message": {"role": "assistant", "content": [], **counted}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "Hi."}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, **counted},
        {"type": "message_stop"},
    ]
    losses: list[il.Loss] = []
    plain = il.restream(chunks, source="anthropic", target=target, on_loss=losses.append)
    assert all(chunk["choices"] and not chunk.get("usage") for chunk in plain)
    assert [(loss.kind, loss.path) for loss in plain.losses if loss.path == "/usage"] == [("response_only", "/usage")]
    assert losses == list(plain.losses)
    assert plain.response.usage is not None
    assert plain.response.usage.total_tokens == 5
    sent = list(il.restream(chunks, source="anthropic", target=target, usage=True))
    assert (sent[-1]["choices"], sent[-1]["usage"]["total_tokens"]) == ([], 5)
    assert list(il.restream(sent, source=target, target=target))[-1]["usage"] == sent[-1]["usage"]  # as it came


# Sources


@over.pairs(SHAPED)
@given(data=st.data(), sync=st.booleans())
def test_a_source_is_closed_wherever_its_receiver_stops(
    target: il.FormatName, sources: list[il.FormatName], data: st.DataObject, sync: bool
) -> None:
    origin = data.draw(st.sampled_from(sources))
    _, chunks = data.draw(streamed(origin))
    whole = list(il.restream(copy.deepcopy(chunks), source=origin, target=target, usage=True))
    most = data.draw(st.integers(0, len(whole) + 1))
    source = Source(chunks)
    out = passed_on(source, origin, target, sync=sync, most=most)
    assert out.error is None
    assert out.chunks == whole[:most]
    assert out.closed == (source.taken > 0)  # a generator that has not begun has nothing to close
    assert most > len(whole) or source.taken <= len(chunks)


@pytest.mark.parametrize("sync", [True, False])
@pytest.mark.parametrize("error", [OSError("gone"), il.StreamError("broken"), il.ProviderError("busy", type="api_error")])
def test_a_source_that_fails_is_closed_and_its_error_arrives(error: Exception, sync: bool) -> None:
    source = Source([{"choices": [{"index": 0, "delta": {"content": "a"}}]}], error)
    out = passed_on(source, "openai_chat", "anthropic", sync=sync)
    assert out.error is error
    assert out.closed
    assert is_error(out.chunks[-1], "anthropic") == isinstance(error, il.InterlinguaError)


@pytest.mark.parametrize("sync", [True, False])
@pytest.mark.parametrize("broken", [{"choices": 5}, "{", 7, None, b"data: {\n\n", b"\xff\n\n", [1]])
def test_a_malformed_chunk_closes_the_source_and_is_an_error_for_the_receiver(broken: Any, sync: bool) -> None:
    begin = {"choices": [{"index": 0, "delta": {"content": "a"}}]}
    source = Source([begin, broken, begin])
    out = passed_on(source, "openai_chat", "anthropic", sync=sync)
    assert isinstance(out.error, il.StreamError)
    assert is_error(out.chunks[-1], "anthropic")
    assert out.response is not None
    assert out.response.message.text == "a"
    assert (source.taken, out.closed) == (2, True)


def test_a_stream_that_is_dropped_closes_its_source() -> None:
    source = Source([{"choices": [{"index": 0, "delta": {"content": text}}]} for text in "ab"])
    for _ in il.restream(source.sync(), source="openai_chat", target="anthropic"):
        break
    assert source.closed  # at once, not when the garbage is collected
    source = Source(source.chunks)

    async def begin() -> None:
        async for _ in il.restream(source.asynchronous(), source="openai_chat", target="anthropic"):
            break
        gc.collect()
        await asyncio.sleep(0.01)

    asyncio.run(begin())
    assert source.closed


class Connection:
    """A stream as the SDKs have it: not a generator, with a connection that is open before the first chunk is read."""

    def __init__(self, chunks: list[Any]) -> None:
        self._chunks = chunks
        self.closed = 0

    def __iter__(self) -> Iterator[Any]:
        return iter(self._chunks)

    def close(self) -> None:
        self.closed += 1


class AsyncConnection:
    """The same for asyncio; OpenAI's and Anthropic's have an async `close`."""

    def __init__(self, chunks: list[Any]) -> None:
        self._chunks = chunks
        self.closed = 0

    async def __aiter__(self) -> AsyncIterator[Any]:
        for chunk in self._chunks:
            yield chunk

    async def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize("most", [0, 1, 99])
def test_a_connection_is_closed_even_if_nothing_was_read_of_it(most: int) -> None:
    chunks = [{"choices": [{"index": 0, "delta": {"content": "a"}, "finish_reason": "stop"}]}]
    connection, other = Connection(chunks), AsyncConnection(chunks)
    with il.restream(connection, source="openai_chat", target="anthropic") as out:
        for _ in range(most):
            next(out, None)

    async def run() -> None:
        async with il.restream(other, source="openai_chat", target="anthropic") as out:
            for _ in range(most):
                await anext(out, None)

    asyncio.run(run())
    assert connection.closed
    assert other.closed


@pytest.mark.parametrize("last", ["stop", None])
def test_a_connection_is_closed_when_its_stream_has_ended(last: str | None) -> None:
    chunks = [{"choices": [{"index": 0, "delta": {"content": "a"}, "finish_reason": last}]}]
    connection, other = Connection(chunks), AsyncConnection(chunks)
    with contextlib.suppress(il.StreamError):
        list(il.restream(connection, source="openai_chat", target="anthropic"))

    async def run() -> None:
        with contextlib.suppress(il.StreamError):
            _ = [chunk async for chunk in il.restream(other, source="openai_chat", target="anthropic")]

    asyncio.run(run())
    assert connection.closed
    assert other.closed


# What it takes


@over.formats(SHAPED)
@given(data=st.data(), way=st.sampled_from(WAYS), sync=st.booleans())
def test_a_stream_is_the_same_in_whatever_pieces_it_comes(
    format: il.FormatName, data: st.DataObject, way: str, sync: bool
) -> None:
    _, chunks = data.draw(streamed(format))
    target: il.FormatName = "openai_chat" if format in ANTHROPIC else "anthropic"
    pieces = body_in(way, chunks, data.draw(RANDOMS))
    out = passed_on(Source(pieces), format, target, sync=sync)
    assert out.error is None
    assert out.chunks == list(il.restream(chunks, source=format, target=target, usage=True))
    assert as_dicts(il.reader(format).read(pieces)) == as_dicts(il.reader(format).read(chunks))


@over.formats(SDK)
@given(data=st.data())
def test_an_sdks_objects_are_converted_as_their_dicts(format: il.FormatName, data: st.DataObject) -> None:
    body = streamable(with_usage(data.draw(testing.responses(format, odd=False)), format), format)
    assert body is not None
    chunks = [chunk for chunk in split(body, format, Random(data.draw(st.integers(0, 99)))) if chunk != "[DONE]"]
    target: il.FormatName = "anthropic" if format == "openai_chat" else "openai_chat"
    objects = [as_sent(chunk, format) for chunk in chunks]
    made = il.restream(objects, source=format, target=target, usage=True)
    again, _ = read(list(made), target)
    expected, _ = read(list(il.restream(chunks, source=format, target=target, usage=True)), target)
    told = [answers.answer(il.dump_response(reader.response, target), target) for reader in (again, expected)]
    for answer in told:  # an object has the index of a call that its dict leaves out: then a text may be cut elsewhere
        answer.text = ["".join(answer.text)]
    assert told[0] == told[1]


@over.formats(STREAMING)
@given(data=st.data())
def test_the_reader_of_a_conversion_gives_events(format: il.FormatName, data: st.DataObject) -> None:
    _, chunks = data.draw(streamed(format))
    target: il.FormatName = "openai_chat" if format in ANTHROPIC else "anthropic"
    shown, reader = il.restream([], source=format, target=target).reader, il.reader(format)
    for chunk in chunks:
        assert as_dicts(shown.feed(chunk)) == as_dicts(reader.feed(chunk))
    assert as_dicts(shown.close()) == as_dicts(reader.close())
    assert shown.response == reader.response


def test_text_that_is_neither_lines_nor_cut_text_is_refused() -> None:
    reader = il.reader("openai_chat")
    with pytest.raises(il.StreamError, match="lines"):
        list(reader.read(['data: {"choices"', ": []}\n\n"]))


@given(data=st.data())
def test_the_name_of_an_event_stands_for_the_type_that_its_data_lacks(data: st.DataObject) -> None:
    _, chunks = data.draw(streamed("anthropic"))
    by_name, random = il.reader("anthropic"), data.draw(RANDOMS)
    events: list[il.Event] = []
    lines: list[str] = []
    for chunk in chunks:
        bare = {key: value for key, value in chunk.items() if key != "type"} if random.random() < 0.8 else chunk
        events += by_name.feed(bare, event=chunk.get("type"))
        lines += (
            [f"event: {chunk['type']}", f"data: {json.dumps(bare)}", ""]
            if "type" in chunk
            else [f"data: {json.dumps(bare)}", ""]
        )
    events += by_name.close()
    expected = as_dicts(read(chunks, "anthropic")[1])
    assert as_dicts(events) == expected
    assert as_dicts(il.reader("anthropic").read(lines)) == expected
    chat = {"choices": [{"index": 0, "delta": {"content": "a"}}]}  # whose events have no names
    assert as_dicts(il.reader("openai_chat").feed(chat, event="chunk")) == as_dicts(il.reader("openai_chat").feed(chat))


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("target", SHAPED)
def test_a_stream_that_fails_does_not_end_as_if_it_were_whole(target: il.FormatName, late: bool) -> None:
    said = {"type": "output_text", "text": "Hi.", "annotations": list[Any]()}
    item: dict[str, Any] = {"type": "message", "role": "assistant", "content": [said]}
    failed: dict[str, Any] = {
        "object": "response",
        "output": [item],
        "status": "failed",
        "error": {"code": "server_error", "message": "sorry"},
    }
    error = {"type": "error", "error": failed["error"]}
    if late:  # as Azure's filter ends a stream
        failed["error"] = None
    chunks: list[Any] = []
    sent = [*split(failed, "openai_responses", Random(0)), *([error] if late else [])]
    with pytest.raises(il.ProviderError, match="sorry"):
        chunks.extend(il.restream(sent, source="openai_responses", target=target))
    assert len(chunks) > 1
    assert is_error(chunks[-1], target)
    assert not any(word in json.dumps(chunks) for word in ("end_turn", '"stop"', "message_stop", "OTHER", "completed"))


@pytest.mark.parametrize("target", SHAPED)
def test_a_stream_that_fails_without_an_error_ends_nevertheless(target: il.FormatName) -> None:
    said = {"type": "output_text", "text": "Hi.", "annotations": list[Any]()}
    item: dict[str, Any] = {"type": "message", "role": "assistant", "content": [said]}
    failed: dict[str, Any] = {"object": "response", "output": [item], "status": "failed", "error": None}
    chunks = list(il.restream(split(failed, "openai_responses", Random(0)), source="openai_responses", target=target))
    assert il.accumulate(il.reader(target).read(chunks)).stop_reason is not None
