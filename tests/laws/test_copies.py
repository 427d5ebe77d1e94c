"""Readers, writers and builders are values in every state: a pickle or a deep copy goes on where the original stood."""

import copy
import json
import pickle
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua import testing
from interlingua.formats import openai_chat
from laws import over
from laws.families import STREAMING, is_sse

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

T = TypeVar("T")


def pickled(value: T) -> T:
    copied: T = pickle.loads(pickle.dumps(value))  # noqa: S301 -- our own data
    return copied


COPIES: Sequence[Callable[[Any], Any]] = (copy.deepcopy, pickled)


def same(value: T) -> T:
    return value


TARGETS = st.sampled_from(STREAMING)


def restreamed(chunks: Sequence[Any], source: Any, target: Any, cut: int, copied: Callable[[Any], Any]) -> tuple[Any, ...]:
    """What a reader and a writer make of a stream, copied before the chunk at `cut`."""
    reader, writer = il.reader(source), il.writer(target)
    out: list[Any] = []
    for i, chunk in enumerate([*chunks, None]):
        if i == cut:
            reader, writer = copied((reader, writer))
        events = reader.close() if chunk is None else reader.feed_bytes(chunk) if type(chunk) is bytes else reader.feed(chunk)
        out += [written for event in events for written in writer.feed(event)]
    return out, reader.response.to_dict(), reader.complete, writer.losses


@over.formats(STREAMING)
@given(data=st.data(), target=TARGETS, copied=st.sampled_from(COPIES))
def test_a_stream_goes_on_in_a_copy(format: Any, data: st.DataObject, target: str, copied: Callable[[Any], Any]) -> None:
    chunks: list[Any] = data.draw(testing.chunks(format))
    if is_sse(format) and data.draw(st.booleans()):
        texts = [chunk if isinstance(chunk, str) else json.dumps(chunk, ensure_ascii=False) for chunk in chunks]
        body = "".join(f"data: {text}\r\n\r\n" for text in texts).encode()
        step = data.draw(st.integers(1, 99))
        chunks = [body[at : at + step] for at in range(0, len(body), step)]
    cut = data.draw(st.integers(0, len(chunks)))
    assert restreamed(chunks, format, target, cut, copied) == restreamed(chunks, format, target, cut, same)


def built(steps: Sequence[tuple[str, Any]], cut: int, copied: Callable[[Any], Any]) -> list[Any]:
    """What a builder shows and dumps after each step, copied before the step at `cut`."""
    builder, out = il.ChatMessageBuilder("Be brief."), list[Any]()
    for i, (method, value) in enumerate(steps):
        if i == cut:
            builder = copied(builder)
        out.append(getattr(builder, method)(value))
        out += [builder.dump("anthropic"), builder.dump("openai_chat"), builder.dump_openai(cache_control=True)]
    return [*out, [message.to_dict() for message in builder.messages]]


@given(
    testing.conversations(),
    st.sampled_from([("append_openai_delta", "openai_chat"), ("append_anthropic_event", "anthropic")]),
    st.data(),
    st.sampled_from(COPIES),
)
def test_a_conversation_goes_on_in_a_copy(
    messages: list[il.Message], stream: tuple[str, Any], data: st.DataObject, copied: Callable[[Any], Any]
) -> None:
    method, format = stream
    chunks = data.draw(testing.chunks(format))
    said = [*messages, il.UserMessage(content="go on")]
    steps = [*(("append", message) for message in said), *((method, chunk) for chunk in chunks), ("append", said[-1])]
    cut = data.draw(st.integers(0, len(steps) - 1))
    assert built(steps, cut, copied) == built(steps, cut, same)


@pytest.mark.parametrize("format", [*il.FORMATS.values(), openai_chat.format_for(openai_chat.ChatProfile(names=False), "mine")])
def test_formats_are_one_in_all_copies(format: il.Format) -> None:
    assert copy.deepcopy(format) is format
    again = pickled(format)
    assert (again.name, again.family, again.profile) == (format.name, format.family, format.profile)
    assert pickled(il.FORMATS) is il.FORMATS
    assert copy.deepcopy({"formats": il.FORMATS})["formats"] is il.FORMATS
