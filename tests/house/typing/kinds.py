"""What functions return follows from what they are passed, whatever that is: values of the kinds that they take, and Any."""

from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from typing import Any, assert_type

import interlingua as il
from interlingua import AnthropicHistory, AnthropicMessages, AnthropicPayload


def streams(chunks: Iterator[dict[str, Any]], pieces: AsyncIterator[bytes], unknown: Any) -> None:
    assert_type(il.restream(chunks, source="anthropic", target="gemini"), il.Restream)
    assert_type(il.restream([{"content": []}], source="anthropic", target="gemini"), il.Restream)
    assert_type(il.restream(pieces, source="anthropic", target="gemini"), il.AsyncRestream)
    assert_type(il.restream(unknown, source="anthropic", target="gemini"), Any)
    assert_type(il.sse(chunks, "gemini"), Generator[bytes, None, None])
    assert_type(il.sse(pieces, "gemini"), AsyncGenerator[bytes, None])


async def read(pieces: AsyncIterator[bytes], unknown: Any) -> None:
    async with il.restream(pieces, source="anthropic", target="gemini") as stream:
        assert_type([chunk async for chunk in stream], list[dict[str, Any]])
    async with il.restream(unknown, source="anthropic", target="gemini") as stream:
        assert_type([chunk async for chunk in stream], list[Any])


def repairs(messages: list[il.Message], request: il.Request, conversation: il.Conversation) -> None:
    assert_type(il.repair(messages, "gemini")[0], list[il.Message])
    assert_type(il.repair([{"role": "user", "content": []}], "gemini")[0], list[il.Message])
    assert_type(il.repair(request, "gemini")[0], il.Request)
    assert_type(il.repair(conversation, "gemini")[0], il.Conversation)


def dumps(messages: list[il.Message], request: il.Request, conversation: il.Conversation) -> None:
    assert_type(il.dump([], "anthropic"), AnthropicMessages)
    assert_type(il.dump([{"role": "user", "content": []}], "anthropic"), AnthropicMessages)
    assert_type(il.dump(tuple(messages), "anthropic"), AnthropicMessages)
    assert_type(il.dump(messages, "anthropic", settings=False), AnthropicMessages)
    assert_type(il.dump(request, "anthropic"), AnthropicPayload)
    assert_type(il.dump(request, "anthropic", settings=True), AnthropicPayload)
    assert_type(il.dump(request, "anthropic", settings=False), AnthropicHistory)
    assert_type(il.dump(conversation, "anthropic"), AnthropicHistory)
