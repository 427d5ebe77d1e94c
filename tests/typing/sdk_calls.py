"""Agent code that must type-check without casts: our dumps go into the official clients' calls, and their results into ours."""

from typing import Any, assert_type

import anthropic
import openai
from anthropic.types import Message, MessageTokensCount, RawMessageStreamEvent
from openai.types import Completion
from openai.types.chat import ChatCompletion, ChatCompletionChunk, ChatCompletionMessage, ChatCompletionMessageParam

import interlingua as il
from interlingua.payloads import (
    AnthropicHistory,
    AnthropicMessages,
    AnthropicPayload,
    ChatHistory,
    ChatMessages,
    ChatPayload,
    CompletionsPayload,
    CompletionsPrompt,
)


def what_a_dump_is(messages: list[il.Message], request: il.Request) -> None:
    assert_type(il.dump(messages, "openai_chat"), ChatMessages)
    assert_type(il.dump(messages, "anthropic"), AnthropicMessages)
    assert_type(il.dump(messages, "openai_completions"), CompletionsPrompt)
    assert_type(il.dump(request, "litellm"), ChatPayload)
    assert_type(il.dump(request, "anthropic"), AnthropicPayload)
    assert_type(il.dump(request, "openai_completions"), CompletionsPayload)
    assert_type(il.convert({}, source="openai_chat", target="anthropic").payload, AnthropicPayload)
    assert_type(il.ChatMessageBuilder().dump("openai_completions"), CompletionsPrompt)


def a_conversation(ours: openai.OpenAI, theirs: anthropic.Anthropic, conversation: il.Conversation) -> None:
    assert_type(il.dump(conversation, "openrouter"), ChatHistory)
    assert_type(il.dump(conversation, "anthropic"), AnthropicHistory)
    completion = ours.chat.completions.create(model="a-model", **il.dump(conversation, "openai_chat"))
    assert_type(completion, ChatCompletion)
    answer = theirs.messages.create(model="a-model", max_tokens=9, **il.dump(conversation, "anthropic"))
    assert_type(answer, Message)
    theirs.messages.create(model="a-model", max_tokens=9, stream=True, **il.dump(conversation, "anthropic"))


def names(request: il.Request, name: il.FormatName, text: str, format: il.Format) -> None:
    assert_type(il.dump(request, name), dict[str, Any])
    assert_type(il.dump(request, format), dict[str, Any])
    assert_type(il.dump(request.messages, il.format_of(text)), dict[str, Any])
    assert_type(il.convert({}, source=il.format_of(text), target=name).payload, dict[str, Any])
    assert_type(il.ChatMessageBuilder().dump(format), dict[str, Any])


def ask_openai(client: openai.OpenAI, messages: list[il.Message]) -> list[il.Message]:
    completion = client.chat.completions.create(model="a-model", **il.dump(messages, "openai_chat"))
    assert_type(completion, ChatCompletion)
    response = il.load_response(completion, "openai_chat")
    assert_type(response, il.Response)
    return [*messages, response.message, *il.tool_results(response, {"call_1": "13 °C"})]


def ask_anthropic(client: anthropic.Anthropic, messages: list[il.Message]) -> list[il.Message]:
    answer = client.messages.create(model="a-model", max_tokens=100, **il.dump(messages, "anthropic"))
    assert_type(answer, Message)
    assert_type(client.messages.count_tokens(model="a-model", **il.dump(messages, "anthropic")), MessageTokensCount)
    return [*messages, il.load_response(answer, "anthropic").message]


def ask_for_a_completion(client: openai.OpenAI, messages: list[il.Message]) -> None:
    assert_type(client.completions.create(model="a-model", **il.dump(messages, "openai_completions")), Completion)


async def ask_openai_async(client: openai.AsyncOpenAI, messages: list[il.Message]) -> None:
    assert_type(await client.chat.completions.create(model="a-model", **il.dump(messages, "openai_chat")), ChatCompletion)


async def ask_anthropic_async(client: anthropic.AsyncAnthropic, messages: list[il.Message]) -> None:
    assert_type(await client.messages.create(model="a-model", max_tokens=100, **il.dump(messages, "anthropic")), Message)


def send_whole_requests(ours: openai.OpenAI, theirs: anthropic.Anthropic, request: il.Request) -> None:
    completion = ours.chat.completions.create(**il.dump(request, "openai_chat"))
    assert_type(completion, ChatCompletion | openai.Stream[ChatCompletionChunk])
    answer = theirs.messages.create(**il.convert({}, source="openai_chat", target="anthropic").payload)
    assert_type(answer, Message | anthropic.Stream[RawMessageStreamEvent])


def read_a_stream(client: openai.OpenAI, builder: il.ChatMessageBuilder) -> il.Response:
    chunks = client.chat.completions.create(model="a-model", stream=True, **builder.dump("openai_chat"))
    assert_type(chunks, openai.Stream[ChatCompletionChunk])
    reader = il.reader("openai_chat")
    for chunk in chunks:
        assert_type(reader.feed(chunk), list[il.Event])
    return reader.response


async def read_an_async_stream(client: openai.AsyncOpenAI, messages: list[il.Message]) -> il.Response:
    chunks = await client.chat.completions.create(model="a-model", stream=True, **il.dump(messages, "openai_chat"))
    reader = il.reader("openai_chat")
    async for event in reader.aread(chunks):
        assert_type(event, il.Event)
    async for chunk in il.restream(chunks, source="openai_chat", target="anthropic"):
        assert_type(chunk, dict[str, Any])
    return reader.response


def read_an_anthropic_stream(client: anthropic.Anthropic, messages: list[il.Message]) -> il.Response:
    with client.messages.stream(model="a-model", max_tokens=100, **il.dump(messages, "anthropic")) as stream:
        for event in stream:
            il.reader("anthropic").feed(event)
        return il.load_response(stream.get_final_message(), "anthropic")


def load_what_the_sdk_has(asked: ChatCompletionMessageParam, answered: ChatCompletionMessage) -> None:
    assert_type(il.load([asked, answered], "openai_chat"), il.Request)
    assert_type(il.load([asked, answered], "openai_chat").messages, tuple[il.Message, ...])
