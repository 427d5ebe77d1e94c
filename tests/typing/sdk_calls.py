"""Agent code that must type-check: our dumps go into the official clients' calls without a cast. Checked, never run."""

from typing import Literal, assert_type

import anthropic
import openai

import interlingua as il
from interlingua.payloads import AnthropicMessages, AnthropicPayload, ChatMessages, ChatPayload


def ask_openai(client: openai.OpenAI, messages: list[il.Message]) -> str | None:
    payload = il.dump(messages, "openai_chat")
    assert_type(payload, ChatMessages)
    answer = client.chat.completions.create(model="a-model", **payload)
    return answer.choices[0].message.content


def ask_anthropic(client: anthropic.Anthropic, messages: list[il.Message]) -> int:
    payload = il.dump(messages, "anthropic")
    assert_type(payload, AnthropicMessages)
    answer = client.messages.create(model="a-model", max_tokens=100, **payload)
    return len(answer.content)


def whole_requests(request: il.Request) -> None:
    assert_type(il.dump(request, "anthropic"), AnthropicPayload)
    assert_type(il.dump(request, "litellm"), ChatPayload)
    assert_type(il.convert({}, source="openai_chat", target="anthropic").payload, AnthropicPayload)


def narrowing(message: il.Message) -> str:
    match message:
        case il.UserMessage():
            assert_type(message.role, Literal["user"])
            return message.text
        case il.AssistantMessage():
            return message.tool_uses[0].arguments if message.tool_uses else message.text
        case il.ToolMessage():
            return message.tool_call_id or ""
        case il.SystemMessage() | il.DeveloperMessage() | il.TextMessage() | il.OpaqueMessage():
            return message.text
