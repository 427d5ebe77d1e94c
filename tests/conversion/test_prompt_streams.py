"""Streams are passed on as they come: nothing waits for the end of the stream that could be sent at once."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import interlingua as il
from interlingua.codec.strategies.cutting import cut
from laws.families import MAIN
from laws.streaming import read

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

END = '"end": 0}'
"""What the arguments of all calls end with."""
VALUES: list[Any] = [{"a": 'b"}\\'}, {"path": "é\n", "n": [1, {"x": "]"}]}, {"": {}}]
PIECES = {"text": "text", "thinking": "thinking", "arguments": "arguments"}
TRIALS = 30
FORMATS: tuple[il.FormatName, ...] = (*MAIN, "deepseek", "mistral")
NO_THINKING = ("anthropic", "openai_chat")
"""The formats that have no place for reasoning that nobody signed."""


WHOLE_CALLS = {"gemini", "ollama", "mistral"}
"""The formats whose streams have each call whole."""


def message(random: Random, *, alternating: bool) -> Iterator[il.Event]:
    """The events of a flat answer; alternating, the pieces of its calls come in turns."""
    yield il.MessageStart(id="c", model="m", created=1)
    index = 0
    if random.random() < 0.5:
        for piece in cut("Let me think about it", 3, random):
            yield il.ThinkingDelta(index=index, thinking=piece, field="text")
        index += 1
    if random.random() < 0.5:
        for piece in cut("The text of an answer", 4, random):
            yield il.TextDelta(index=index, text=piece)
        index += 1
    calls: list[list[il.Event]] = []
    for number in range(index, index + random.randint(1, 3)):
        pieces = [*cut(json.dumps(random.choice(VALUES))[:-1] + ", ", random.randint(0, 6), random), END]
        deltas = (il.ArgumentsDelta(index=number, arguments=piece) for piece in pieces)
        calls.append([il.ToolUseStart(index=number, id=f"call{number}", name="f"), *deltas])
    if alternating:
        while calls := [call for call in calls if call]:
            yield random.choice(calls).pop(0)
    for call in calls:
        yield from call
    yield il.Stop(stop_reason="tool_calls")
    yield il.StreamEnd()


def deltas(events: list[il.Event], kind: str) -> list[str]:
    """The pieces of this kind that say something."""
    return [piece for event in events if event.type == kind and (piece := getattr(event, PIECES[kind])).strip()]


def pieces_in(events: list[il.Event], kind: str, target: il.FormatName) -> int:
    """How many pieces of this kind a stream of the target has for these events."""
    if kind == "arguments" and target in WHOLE_CALLS:
        return sum(isinstance(event, il.ArgumentsDelta) and event.arguments.endswith(END) for event in events)
    return len(deltas(events, kind))


def steps(chunks: list[Any], source: il.FormatName, target: il.FormatName) -> list[tuple[list[il.Event], list[il.Event]]]:
    """The events of each chunk and of the end, and those that a client of the target reads of what they become."""
    reader, writer, client = il.reader(source), il.writer(target), il.reader(target)
    out: list[tuple[list[il.Event], list[il.Event]]] = []
    for chunk in [*chunks, None]:
        events = reader.close() if chunk is None else reader.feed(chunk)
        out.append((events, [read for event in events for made in writer.feed(event) for read in client.feed(made)]))
    return out


@pytest.mark.parametrize("target", FORMATS)
def test_what_comes_in_pieces_goes_out_in_pieces_no_later_than_the_next_chunk(target: il.FormatName) -> None:
    sources: list[il.FormatName] = [name for name in FORMATS if name != target]
    for source in sources:
        tested = dict.fromkeys(PIECES, 0)
        for seed in range(TRIALS):
            writer = il.writer(source)
            chunks = [chunk for event in message(Random(seed), alternating=False) for chunk in writer.feed(event)]
            taken = steps(chunks, source, target)
            for kind in PIECES:
                come = gone = due = 0
                if kind == "thinking" and (source in NO_THINKING or target in NO_THINKING):
                    continue
                for events, made in taken:
                    gone += pieces_in(made, kind, target)
                    assert gone >= due, (source, seed, kind)
                    come += pieces_in(events, kind, target)
                    due = come
                assert gone == come, (source, seed, kind)
                tested[kind] += come > 1
        least = 0.6 if WHOLE_CALLS.isdisjoint((source, target)) else 0.2
        assert tested["arguments"] > TRIALS * least
        assert tested["text"] > TRIALS * 0.2
        assert tested["thinking"] > TRIALS * 0.2 or source in NO_THINKING or target in NO_THINKING


@pytest.mark.parametrize("target", [name for name in MAIN if name != "openai_chat"])
def test_calls_that_alternate_arrive_whole(target: il.FormatName) -> None:
    source: il.FormatName = "openai_chat"
    for seed in range(TRIALS):
        events = list(message(Random(seed), alternating=True))
        writer = il.writer(source)
        chunks = [chunk for event in events for chunk in writer.feed(event)]
        expected = [(use.id, use.parsed) for use in read(chunks, source)[0].response.message.tool_uses]
        out = list(il.restream(chunks, source=source, target=target))
        found = [(use.id, use.parsed) for use in read(out, target)[0].response.message.tool_uses]
        assert found == expected
        first = next(event.index for event in events if isinstance(event, il.ToolUseStart))
        pieces = deltas([event for event in events if getattr(event, "index", None) == first], "arguments")
        taken = steps(chunks, source, target)
        gone = [event for _, made in taken for event in made if event.type == "arguments"]
        assert len(gone) >= len(pieces) or target in WHOLE_CALLS


@pytest.mark.parametrize("target", MAIN)
def test_the_frame_of_a_message_comes_with_its_first_call(target: il.FormatName) -> None:
    writer, made = il.writer(target), list[Any]()
    for event in (il.MessageStart(id="c", model="m", created=1), il.ToolUseStart(index=0, id="a", name="f")):
        made += writer.feed(event)
    assert made or target in (*WHOLE_CALLS, "openai_chat")  # which have no frame; Chat's first chunk has what follows the start
    made += writer.feed(il.ArgumentsDelta(index=0, arguments="{"))
    assert made or target in WHOLE_CALLS
