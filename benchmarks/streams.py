"""Reading a stream: the chunks of one long answer, and what its reading costs here and in OpenAI's own SDK.

The chunks are of OpenAI's shape, word by word, with two parallel tool calls at the end whose arguments alternate. Ours gets
them as dicts; the SDK's `ChatCompletionStreamState` as the objects that its client makes of them, made beforehand.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from importlib.metadata import version
from random import Random
from typing import Any

import interlingua as il

CHUNKS = 2_000
MANY = 50_000
LEAST = 1 / 30
"""What reading may cost beside the SDK."""
GROWTH = 1.3
"""What a chunk may cost among many beside what it costs among few."""

TIMES = 3, 5
"""Blocks and rounds: the SDK takes its time."""

Chunk = dict[str, Any]


def chunks(number: int) -> list[Chunk]:
    """The chunks of one answer; the same on every run."""
    random = Random(2000)  # noqa: S311 -- the same words on every run, not a secret
    calls = number // 10
    frame = {"id": "chatcmpl-x", "object": "chat.completion.chunk", "created": 1763000000, "model": "gpt-x"}
    frame |= {"service_tier": "default", "system_fingerprint": "fp_x"}

    def chunk(delta: Chunk, finish: str | None = None, **more: Any) -> Chunk:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return {**frame, "choices": [choice], "usage": None, "obfuscation": "x" * random.randint(0, 9), **more}

    def call(index: int, arguments: str, **named: Any) -> Chunk:
        function = {"arguments": arguments} | ({"name": "search"} if named else {})
        return chunk({"tool_calls": [{"index": index, **named, "function": function}]})

    words = " a and the of in it is to was for on are as with his they at be this from".split(" ")
    made = [chunk({"role": "assistant", "content": "", "refusal": None})]
    made += [chunk({"content": f" {random.choice(words)}"}) for _ in range(number - calls - 5)]
    made += [call(index, '{"query": "', id=f"call_{index}", type="function") for index in (0, 1)]
    made += [call(at % 2, f" {random.choice(words)}") for at in range(calls - 2)]
    made += [call(index, '"}') for index in (0, 1)]
    made.append(chunk({}, "tool_calls"))
    usage = {"prompt_tokens": 9, "completion_tokens": number, "total_tokens": number + 9}
    made.append({**frame, "choices": [], "usage": usage})
    if len(made) != number:
        raise AssertionError(f"{len(made)} chunks, not {number}")
    return made


def read(given: list[Chunk]) -> il.Response:
    """All events, and the response that they make."""
    reader = il.reader("openai_chat")
    count = 0
    for chunk in given:
        count += len(reader.feed(chunk))
    response = reader.response
    if count < len(given) - 10 or not reader.complete:
        raise AssertionError("the stream was not read")
    return response


def readings() -> dict[str, Callable[[], object]]:
    """One contestant each: 2,000 chunks to events and a response."""
    given = chunks(CHUNKS)
    contestants: dict[str, Callable[[], object]] = {"interlingua": lambda: read(given)}
    try:
        theirs = _openai(given)
    except ImportError as error:
        print(f"openai is left out: {error}")
        return contestants
    text = read(given).message.text
    if theirs() != text:
        raise AssertionError("two readings of one stream differ")
    contestants[f"openai {version('openai')}"] = theirs
    return contestants


def _openai(given: list[Chunk]) -> Callable[[], object]:
    state = importlib.import_module("openai.lib.streaming.chat").ChatCompletionStreamState
    kind = importlib.import_module("openai.types.chat").ChatCompletionChunk
    objects = [kind.model_validate(chunk) for chunk in given]

    def call() -> object:
        folding = state()
        for each in objects:
            folding.handle_chunk(each)
        return folding.get_final_completion().choices[0].message.content

    return call


def growing() -> dict[str, Callable[[], object]]:
    """Ours alone, on few chunks and on many."""
    few, many = chunks(CHUNKS), chunks(MANY)
    return {f"{CHUNKS} chunks, per 1000": lambda: read(few), f"{MANY} chunks, per 1000": lambda: read(many)}


def by_the_chunk(seconds: dict[str, float]) -> dict[str, float]:
    """What a thousand chunks of each stream take."""
    return {name: time / int(name.split()[0]) * 1000 for name, time in seconds.items()}
