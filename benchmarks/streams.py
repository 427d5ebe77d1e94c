"""Reading a stream: the chunks of one long answer, and what its reading costs here and in OpenAI's own SDK.

The chunks are of OpenAI's shape, word by word, with two parallel tool calls at the end whose arguments alternate. Ours gets
them as dicts; the SDK's `ChatCompletionStreamState` as the objects that its client makes of them, made beforehand.
"""

from __future__ import annotations

import copy
import importlib
import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.metadata import version
from random import Random
from typing import Any

from measure import Row, say

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


def chunks(number: int, more: str = "") -> list[Chunk]:
    """The chunks of one answer, the same on every run; `more` is a text that each word ends with."""
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
    made += [chunk({"content": f" {random.choice(words)}{more}"}) for _ in range(number - calls - 5)]
    made += [call(index, '{"query": "', id=f"call_{index}", type="function") for index in (0, 1)]
    made += [call(at % 2, f" {random.choice(words)}") for at in range(calls - 2)]
    made += [call(index, '"}') for index in (0, 1)]
    made.append(chunk({}, "tool_calls"))
    usage = {"prompt_tokens": 9, "completion_tokens": number, "total_tokens": number + 9}
    made.append({**frame, "choices": [], "usage": usage})
    if len(made) != number:
        raise AssertionError(f"{len(made)} chunks, not {number}")
    return made


def read(given: list[Chunk], source: il.FormatName = "openai_chat") -> il.Response:
    """All events, and the response that they make."""
    reader = il.reader(source)
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
        say(f"openai is left out: {error}")
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


def rows(titles: Mapping[il.FormatName, str]) -> Iterator[Row | None]:
    """Reading and restreaming, beside `json.loads` of the same chunks; of other formats too, which have these titles."""
    chat, other = chunks(CHUNKS), chunks(CHUNKS, "é")
    messages = copy.deepcopy(list(il.restream(chat, source="openai_chat", target="anthropic")))
    others = copy.deepcopy(list(il.restream(other, source="openai_chat", target="anthropic")))
    yield _row("Chat, plain", chat, lambda: read(chat))
    yield _row("Chat, not ASCII", other, lambda: read(other))
    yield _row("Anthropic, plain", messages, lambda: read(messages, "anthropic"))
    yield _row("Anthropic, not ASCII", others, lambda: read(others, "anthropic"))
    chat_bytes, messages_bytes = body(chat), body(messages)
    yield _row("Chat, bytes (wanted: 2.0)", chat, lambda: read_bytes(chat_bytes, "openai_chat"))
    yield _row("Anthropic, bytes (wanted: 2.0)", messages, lambda: read_bytes(messages_bytes, "anthropic"))
    yield _row("Chat to Anthropic", chat, lambda: list(il.restream(chat, source="openai_chat", target="anthropic")))
    yield _row("Anthropic to Chat", messages, lambda: list(il.restream(messages, source="anthropic", target="openai_chat")))
    for name, title in titles.items():
        made = copy.deepcopy(list(il.restream(chat, source="openai_chat", target=name, on_loss="ignore")))
        yield _row(title, made, partial(read, made, name))
        yield _row(f"Chat to {title}", chat, partial(_restream, chat, "openai_chat", name))
        yield _row(f"{title} to Chat", made, partial(_restream, made, name, "openai_chat"))


def _restream(given: list[Chunk], source: il.FormatName, target: il.FormatName) -> list[Chunk]:
    return list(il.restream(given, source=source, target=target, on_loss="ignore"))


def _row(name: str, given: list[Chunk], ours: Callable[[], object]) -> Row:
    texts = [json.dumps(chunk, separators=(",", ":")) for chunk in given]
    return Row(name, ours, lambda: [json.loads(text) for text in texts])


def body(given: list[Chunk]) -> list[bytes]:
    """The body that carries the chunks as server-sent events, in pieces of 1,400 bytes."""
    whole = "".join(f"data: {json.dumps(chunk, separators=(',', ':'))}\n\n" for chunk in given).encode()
    return [whole[at : at + 1400] for at in range(0, len(whole), 1400)]


def read_bytes(pieces: list[bytes], source: il.FormatName) -> il.Response:
    """All events of a body, and the response that they make."""
    reader = il.reader(source)
    for piece in pieces:
        reader.feed_bytes(piece)
    return reader.response


def growing() -> dict[str, Callable[[], object]]:
    """Ours alone, on few chunks and on many."""
    few, many = chunks(CHUNKS), chunks(MANY)
    return {f"{CHUNKS} chunks, per 1000": lambda: read(few), f"{MANY} chunks, per 1000": lambda: read(many)}


def by_the_chunk(seconds: dict[str, float]) -> dict[str, float]:
    """What a thousand chunks of each stream take."""
    return {name: time / int(name.split()[0]) * 1000 for name, time in seconds.items()}
