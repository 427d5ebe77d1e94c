"""Chunks of Chat Completions for tests."""

from collections.abc import Iterable
from typing import Any

import interlingua as il

FRAME: dict[str, Any] = {"id": "c", "object": "chat.completion", "created": 1, "model": "m"}
REQUEST = [il.UserMessage(content="Hi.")]


def body(message: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": "Hi."} if message is None else message}
    return {**FRAME, "choices": [choice | {"finish_reason": "stop"}], **more}


def called(*calls: Any, **more: Any) -> dict[str, Any]:
    return body({"role": "assistant", "content": None, "tool_calls": list(calls), **more})


def function(name: str = "f", arguments: Any = "{}", **more: Any) -> dict[str, Any]:
    return {"id": "call_a", "type": "function", "function": {"name": name, "arguments": arguments}, **more}


# Streams: reading


def chunk(*choices: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**FRAME, "object": "chat.completion.chunk", "choices": list(choices), **more}


def delta(number: int = 0, /, finish: str | None = None, **fields: Any) -> dict[str, Any]:
    return chunk({"index": number, "delta": fields, "finish_reason": finish})


STOP = delta(finish="stop")


def read(chunks: Iterable[Any], format: il.FormatName = "openai_chat") -> tuple[il.Response, list[il.Event]]:
    reader = il.reader(format)
    events = [event for chunk in chunks for event in reader.feed(chunk)]
    if reader.complete:
        events += reader.close()
    return reader.response, events


def message(*chunks: dict[str, Any], format: il.FormatName = "openai_chat") -> il.AssistantMessage:
    return read([delta(role="assistant"), *chunks, STOP], format)[0].message


def fragment(name: str | None = None, arguments: Any = None, **more: Any) -> dict[str, Any]:
    held = {"name": name, "arguments": arguments}
    return {**more, "function": {key: value for key, value in held.items() if value is not None}}


def details(*entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    return delta(reasoning_details=list(entries), **more)


# Streams: writing


def written(
    events: Iterable[il.Event], target: il.FormatName = "openai_chat"
) -> tuple[list[dict[str, Any]], set[tuple[str, str]]]:
    writer = il.writer(target)
    chunks = [made for event in events for made in writer.feed(event)]
    return chunks, {(loss.kind, loss.path) for loss in writer.losses}
