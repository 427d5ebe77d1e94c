"""Agent code that must type-check without casts: our dumps go into the official clients' calls, and their results into ours."""

from typing import Any, assert_type

import anthropic
import openai
from anthropic.types import Message, MessageTokensCount, RawMessageStreamEvent
from openai.types import Completion
from openai.types.chat import ChatCompletion, ChatCompletionChunk, ChatCompletionMessage, ChatCompletionMessageParam
from openai.types.responses import Response, ResponseStreamEvent

import interlingua as il
from interlingua import (
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
    events = theirs.messages.create(model="a-model", max_tokens=9, stream=True, **il.dump(conversation, "anthropic"))
    assert_type(events, anthropic.Stream[RawMessageStreamEvent])


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


def change_a_history(request: il.Request) -> list[Any]:
    chat = il.dump(request, "openai_chat", settings=False)
    chat["messages"].append({"role": "user", "content": "Go on."})
    chat["messages"] += [{"role": "user", "content": "Go on."}]
    first: dict[str, Any] = chat["messages"][0]
    return [first, *chat["messages"]] if "tools" in chat else chat["messages"]


def send_a_request_with_other_settings(ours: openai.OpenAI, theirs: anthropic.Anthropic, request: il.Request) -> None:
    chat = il.dump(request, "openai_chat", settings=False)
    assert_type(chat, ChatHistory)
    assert_type(ours.chat.completions.create(model="a-model", **chat), ChatCompletion)
    chunks = ours.chat.completions.create(model="a-model", max_completion_tokens=9, stream=True, **chat)
    assert_type(chunks, openai.Stream[ChatCompletionChunk])
    il.restream(chunks, source="openai_chat", target="anthropic")
    said = il.dump(request, "anthropic", settings=False)
    assert_type(said, AnthropicHistory)
    assert_type(theirs.messages.create(model="a-model", max_tokens=9, **said), Message)
    events = theirs.messages.create(model="a-model", max_tokens=9, stream=True, **said)
    assert_type(events, anthropic.Stream[RawMessageStreamEvent])
    il.reader("anthropic").read(events)
    with theirs.messages.stream(model="a-model", max_tokens=9, **said) as stream:
        assert_type(stream.get_final_text(), str)
    assert_type(theirs.messages.count_tokens(model="a-model", **said), MessageTokensCount)
    asked = il.dump(request, "openai_responses", settings=False)
    assert_type(asked, il.ResponsesHistory)
    assert_type(ours.responses.create(model="a-model", **asked), Response)
    assert_type(ours.responses.create(model="a-model", stream=True, **asked), openai.Stream[ResponseStreamEvent])
    prompt = il.dump(request, "openai_completions", settings=False)
    assert_type(ours.completions.create(model="a-model", **prompt), Completion)


async def send_it_async(ours: openai.AsyncOpenAI, theirs: anthropic.AsyncAnthropic, request: il.Request) -> None:
    chunks = await ours.chat.completions.create(model="m", stream=True, **il.dump(request, "openai_chat", settings=False))
    assert_type(chunks, openai.AsyncStream[ChatCompletionChunk])
    il.restream(chunks, source="openai_chat", target="anthropic")
    async with theirs.messages.stream(model="m", max_tokens=9, **il.dump(request, "anthropic", settings=False)) as stream:
        il.load_response(await stream.get_final_message(), "anthropic")


def what_is_dumped(answer: il.Response, request: il.Request, message: il.Message) -> None:
    history = [il.SystemMessage(content="Be brief."), il.UserMessage(content="Hi."), answer.message]
    assert_type(il.dump(history, "anthropic"), AnthropicMessages)
    mixed = [*request.messages, {"role": "user", "content": "Go on."}]
    assert_type(il.dump(mixed, "openai_chat"), ChatMessages)
    assert_type(il.dump([{"role": "user", "content": "Hi."}], "openai_chat"), ChatMessages)
    assert_type(il.dump((message for message in history), "anthropic"), AnthropicMessages)
    assert_type(il.dump(request.messages[:1], "anthropic", settings=False), AnthropicMessages)
    il.Request(messages=history)
    il.Conversation(messages=[*history, {"role": "user", "content": [{"type": "text", "text": "Hi."}]}])


def body(request: il.Request, format: il.FormatName | il.Format, on_loss: il.OnLoss = "warn") -> dict[str, Any]:
    return il.dump(request, format, on_loss=on_loss)


def chat_history(request: il.Request, on_loss: il.OnLoss, lost: list[tuple[il.LossKind, str]]) -> ChatHistory:
    il.dump(request, "anthropic", on_loss=lambda loss: lost.append((loss.kind, loss.path)))
    return il.dump(request, "openai_chat", on_loss=on_loss, settings=False)


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
