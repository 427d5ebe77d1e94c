"""AWS event streams: botocore and Anthropic's client read what `sse` writes, and a reader reads the bytes cut anywhere."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from anthropic.lib.bedrock._stream_decoder import AWSEventStreamDecoder
from botocore.eventstream import EventStreamBuffer
from hypothesis import given, strategies as st

import interlingua as il
from clients.official import stream_answer
from interlingua.testing.lawbook.documents import is_object
from laws import over, recorded, sse
from laws.streaming import RANDOMS, as_dicts, read, streamed

BINARY = [name for name, format in il.FORMATS.items() if format.frame is not None]
CHUNKS: list[dict[str, Any]] = [
    {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": []}},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}},
    {"type": "message_stop", "amazon-bedrock-invocationMetrics": {"inputTokenCount": 1}},
]
BODY = b"".join(il.sse(CHUNKS, "anthropic_bedrock"))


def found_by_botocore(body: bytes) -> list[dict[str, Any]]:
    """The chunks that botocore finds in a body."""
    buffer = EventStreamBuffer()
    buffer.add_data(body)
    chunks: list[dict[str, Any]] = []
    for message in buffer:
        found = message.to_response_dict()
        headers, payload = found["headers"], json.loads(found["body"])
        kind: str = headers.get(":event-type") or headers[":exception-type"]
        chunks.append(json.loads(base64.b64decode(payload["bytes"])) if kind == "chunk" else {kind: payload})
    return chunks


@over.formats(BINARY)
@given(data=st.data())
def test_the_bytes_are_what_botocore_reads_and_what_the_reader_reads(format: il.FormatName, data: st.DataObject) -> None:
    _, chunks = data.draw(streamed(format))
    body = b"".join(il.sse(chunks, format))
    assert [_event(chunk) for chunk in found_by_botocore(body)] == [_event(chunk) for chunk in chunks]
    pieces = sse.cuts(body, data.draw(RANDOMS))
    reader, by_hand = il.reader(format), il.reader(format)
    events = [event for piece in pieces for event in by_hand.feed_bytes(piece)] + by_hand.close()
    assert as_dicts(reader.read(pieces)) == as_dicts(events) == as_dicts(read(chunks, format)[1])


def _event(chunk: dict[str, Any]) -> dict[str, Any]:
    """The event in a chunk, which may have a name around it."""
    value: Any = next(iter(chunk.values()))
    return value if len(chunk) == 1 and is_object(value) else chunk


def test_anthropics_client_reads_the_bytes_and_the_errors() -> None:
    def fails() -> Any:
        yield from CHUNKS[:1]
        raise il.StreamError("cut")

    assert [json.loads(event.data) for event in AWSEventStreamDecoder().iter_bytes(iter([BODY]))] == CHUNKS
    sent: list[bytes] = []
    with pytest.raises(il.StreamError, match="cut"):
        sent += il.sse(fails(), "anthropic_bedrock")
    *_, last = AWSEventStreamDecoder().iter_bytes(iter(sent))
    assert last.event == "error"
    assert json.loads(last.data)["error"]["type"].endswith("Exception")


def test_an_exception_is_the_error_of_the_stream() -> None:
    chunks = [CHUNKS[0], {"throttlingException": {"message": "slow"}}]
    for pieces in (chunks, [*stream_answer([CHUNKS[0]], "anthropic_bedrock").pieces, exception("throttlingException")]):
        reader = il.reader("anthropic_bedrock")
        with pytest.raises(il.ProviderError, match="slow") as raised:
            list(reader.read(pieces))
        assert raised.value.type == "throttlingException"


def exception(name: str) -> bytes:
    return stream_answer([{name: {"message": "slow"}}], "bedrock_converse").pieces[0]


def test_any_format_may_stand_in_chunks() -> None:
    chunk = {"id": "1", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "No."}, "finish_reason": "stop"}]}
    pieces = stream_answer([chunk], "anthropic_bedrock").pieces
    assert il.accumulate(il.reader("openai_chat").read(pieces)).message.text == "No."


FAULTS: dict[str, Callable[[bytes], bytes]] = {
    "the body ended inside": lambda body: body[:-1],
    "the checksum": lambda body: body[:-1] + bytes([body[-1] ^ 1]),
    "lengths .* do not match": lambda body: b"\0\xff\xff\xff\xff\xff\xff\xff" + body[8:],
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_body_is_an_error(fault: str) -> None:
    with pytest.raises(il.StreamError, match=fault):
        list(il.reader("anthropic_bedrock").read([FAULTS[fault](BODY)]))


@pytest.mark.traffic
@pytest.mark.parametrize("api", ["anthropic_bedrock", "bedrock_converse"])
def test_recorded_streams_are_read_and_written_as_bytes(api: il.FormatName, traffic: Any) -> None:
    for record in recorded.streams(traffic, api):
        pieces = stream_answer(record.body, api).pieces
        assert as_dicts(il.reader(api).read(pieces)) == as_dicts(il.reader(api).read(record.body)), record.id
        assert found_by_botocore(b"".join(il.sse(record.body, api))) == record.body, record.id
