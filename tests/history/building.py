"""Conversations under way, for tests of the builder."""

from collections.abc import Iterable
from typing import Any

import interlingua as il
from interlingua.codec.format import Format
from interlingua.testing.lawbook import documents

Builder = il.ChatMessageBuilder

SYSTEM = "You forecast the weather."
QUESTION: dict[str, Any] = {"role": "user", "content": "Rain in Beijing?"}
CALLING: dict[str, Any] = {
    "role": "assistant",
    "content": "I will look.",
    "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "forecast", "arguments": '{ "city":"Beijing"}'}}],
}
MARK = {"type": "ephemeral"}


def chunk(delta: dict[str, Any] | None = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    """A chunk of a Chat Completions stream."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "gpt",
        "choices": [{"index": 0, "delta": delta or {}, "finish_reason": finish}],
    } | more


def call_delta(index: int, arguments: str, **start: Any) -> dict[str, Any]:
    name = {"name": start.pop("name")} if "name" in start else {}
    return {"tool_calls": [{"index": index, **start, "function": {**name, "arguments": arguments}}]}


def as_list(shown: Any) -> list[Any]:
    """What a chunk showed, as a list."""
    return shown if documents.is_array(shown) else [] if shown is None else [shown]


def shown(events: Iterable[Any]) -> list[dict[str, Any]]:
    """The events that chunks gave, as dicts, without what says where they belong."""
    return [
        {k: v for k, v in event.to_dict().items() if k not in ("index", "choice")} for got in events for event in as_list(got)
    ]


def asking() -> Builder:
    """A conversation that waits for the result of one call."""
    builder = Builder(SYSTEM)
    builder.append_openai_message(QUESTION)
    builder.append_openai_message(CALLING)
    return builder


# Dumps of a growing history


def ruin(value: Any) -> None:
    """Change everything that can be changed in a JSON value."""
    if documents.is_object(value):
        for item in value.values():
            ruin(item)
        value.clear()
        value["spoilt"] = True
    elif documents.is_array(value):
        for item in value:
            ruin(item)
        value[:] = ["spoilt"] * (len(value) + 1)


def unlike(builder: Builder, format: il.FormatName | Format) -> list[str]:
    """Where the builder's dump is not that of its messages; what it gave is ruined then."""
    reported: list[il.Loss] = []
    expected: list[il.Loss] = []
    got = builder.dump(format, on_loss=reported.append)
    want = il.dump(builder.messages, format, on_loss=expected.append)
    faults = [] if documents.canonical(got) == documents.canonical(want) else [documents.difference(want, got)]
    if reported != expected:
        faults.append(f"losses {reported}, not {expected}")
    ruin(got)
    return faults


def image(data: str) -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
