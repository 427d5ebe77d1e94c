"""The chunks in the body of a stream, whatever carries them, cut anywhere."""

import json
from random import Random
from typing import Any

import anthropic._streaming
import openai._streaming
import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua.codec.strategies.primitives import json_values
from interlingua.conversion.framing import Body
from laws import over, sse
from laws.steps import steps
from laws.streaming import RANDOMS, SHAPED, as_dicts, read, streamed

CHUNKS = st.lists(
    st.dictionaries(st.text(max_size=5) | st.sampled_from(['"', "\\", "}]", "[{"]), json_values(), max_size=3), min_size=1
)


def taken(pieces: list[bytes]) -> list[tuple[Any, str | None]]:
    body = Body()
    found = [named for piece in pieces for named in body.feed(piece)]
    return [(json.loads(text), name) for text, name in [*found, *body.close()]]


@given(chunks=CHUNKS, random=RANDOMS)
def test_the_objects_of_json_are_found_however_it_is_printed_and_cut(chunks: list[Any], random: Random) -> None:
    assert taken(sse.cuts(sse.json_body(chunks, random), random)) == [(chunk, None) for chunk in chunks]


@given(chunks=CHUNKS, random=RANDOMS)
def test_server_sent_events_are_those_that_the_official_clients_find(chunks: list[Any], random: Random) -> None:
    body = sse.body_of(chunks, random).removeprefix(b"\xef\xbb\xbf")  # which the clients do not know
    for client in (openai._streaming, anthropic._streaming):
        found = client.SSEDecoder().iter_bytes(iter([body]))
        expected = [(json.loads(event.data), event.event) for event in found if event.data]  # they give empty events, too
        assert taken(sse.cuts(body, random)) == expected


@over.formats(SHAPED)
@given(data=st.data())
def test_json_gives_the_same_events_as_the_chunks_themselves(format: il.FormatName, data: st.DataObject) -> None:
    _, chunks = data.draw(streamed(format))
    random = data.draw(RANDOMS)
    chunks = [chunk for chunk in chunks if chunk != "[DONE]"]  # which is no JSON
    pieces = sse.cuts(sse.json_body(chunks, random), random)
    reader, by_hand = il.reader(format), il.reader(format)
    events = [event for piece in pieces for event in by_hand.feed_bytes(piece)] + by_hand.close()
    other, expected = read(chunks, format)
    assert as_dicts(reader.read(pieces)) == as_dicts(events) == as_dicts(expected)
    assert reader.response == by_hand.response == other.response


def test_a_list_may_be_read_as_text_and_in_lines() -> None:
    text = '[{\n "a": [1, "]"]\n},\r\n{}\n]\n'
    for pieces in ([text], list(text), text.splitlines()):
        body = Body()
        assert [json.loads(found) for piece in pieces for found, _ in body.take(piece)] == [{"a": [1, "]"]}, {}]


def test_an_error_body_instead_of_a_stream_is_the_providers_error() -> None:
    reader = il.reader("openai_chat")
    with pytest.raises(il.ProviderError, match="busy"):
        list(reader.read([b'{\n "error": {"message"', b': "busy"}\n}\n']))


@pytest.mark.parametrize(
    "body",
    [b"[1, 2]", b'["a"]', b"[{}]]", b"[{}, x]", b"{} x", b"{}}", b'{"a":', b"[{}, {", b"{]", b"\0\0\0\x5b", b'["', b"[["],
)
def test_what_is_not_objects_is_an_error(body: bytes) -> None:
    with pytest.raises(il.StreamError, match=r"JSON|event stream"):
        list(il.reader("openai_chat").read([body]))


@pytest.mark.parametrize("piece", [b"[", b'{"a":"', b'{"a":"\\\\', b"{}", b'{"a":"' + b"x" * 50 + b'"}'])
def test_finding_the_objects_takes_linear_time(piece: bytes) -> None:
    def run(count: int) -> int:
        body = Body()
        return steps(lambda: [named for part in [b"[", *[piece] * count] for named in body.feed(part)])

    assert run(800) <= 2.3 * run(400)
