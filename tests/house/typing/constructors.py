"""Agent code that makes messages: sequences are given as lists or tuples, and are tuples afterwards."""

from collections.abc import Sequence
from typing import Any, TypeVar, assert_type

import interlingua as il

TEXT = il.TextPart(text="hi")
CALL = il.ToolCall(name="f", arguments="{}")
AnyMessage = TypeVar("AnyMessage", bound=il.MessageBase)


def messages(
    some: list[il.TextPart], any_: Sequence[il.Part], calls: list[il.ToolCall], thought: il.ThinkingPart
) -> list[il.Message]:
    return [
        il.SystemMessage(content=[TEXT]),
        il.DeveloperMessage(content=(TEXT,)),
        il.UserMessage(content="hi", name="mira"),
        il.UserMessage(content=[TEXT, il.ImagePart(source=il.UrlSource(url="https://example.com"))]),
        il.UserMessage(content=some),
        il.UserMessage(content=any_),
        il.UserMessage(content=[il.ToolResultPart(tool_use_id="call_1", content=[TEXT])]),
        il.AssistantMessage(),
        il.AssistantMessage(content=None, tool_calls=[CALL]),
        il.AssistantMessage(thinking_blocks=[thought], tool_calls=calls),
        il.AssistantMessage(thinking_blocks=(thought, il.RedactedThinkingPart(data="x")), tool_calls=(CALL,)),
        il.ToolMessage(tool_call_id="call_1", content=[TEXT], is_error=False),
        il.TextMessage(content="Once upon a time"),
        il.OpaqueMessage(format="responses", value={"type": "compaction"}),
    ]


def requests(history: list[il.Message], said: list[il.UserMessage], tool: il.Tool, opaque: il.OpaqueTool) -> list[il.Request]:
    return [
        il.Request(messages=[il.UserMessage(content="hi")]),
        il.Request(messages=history, tools=[tool, opaque], stop=["\n"]),
        il.Request(messages=tuple(said), tools=(tool,), stop=("\n",), temperature=0),
        il.Request(messages=said, tools=None, stop=None),
    ]


def from_dicts(history: list[il.Message]) -> list[il.Request]:
    """Dicts are taken wherever a model is, but for cache marks and the like, which all parts and messages have."""
    image: dict[str, Any] = {"type": "image", "source": {"type": "url", "url": "https://example.com"}}
    il.UserMessage(content=[TEXT, image, {"type": "text", "text": "hi"}])
    il.AssistantMessage(tool_calls=[CALL, {"name": "f", "arguments": "{}"}])
    il.ImagePart(source={"type": "url", "url": "https://example.com"})
    il.ImageUrlPart(image_url={"url": "https://example.com"})
    il.ToolResultPart(content=[{"type": "text", "text": "13 °C"}])
    tools: list[dict[str, Any]] = [{"type": "function", "name": "f"}]
    return [
        il.Request(messages=[*history, {"role": "user", "content": "hi"}], tools=tools, tool_choice={"type": "auto"}),
        il.Request(messages=[{"role": "user", "content": [image]}], response_format={"type": "json_object"}),
        il.Request(messages=history, caching={"messages": 1}),
    ]


def others(history: list[il.Message], answer: il.AssistantMessage) -> None:
    il.Conversation(messages=history, tools=[il.Tool(name="f", parameters={"type": "object"})])
    il.Response(choices=[il.Choice(message=answer, stop_reason="stop")], usage=il.Usage(input_tokens=1))


def what_they_hold(user: il.UserMessage, answer: il.AssistantMessage, result: il.ToolResultPart, request: il.Request) -> None:
    assert_type(user.content, str | tuple[il.Part, ...])
    assert_type(answer.content, str | tuple[il.Part, ...] | None)
    assert_type(answer.tool_calls, tuple[il.ToolCall, ...] | None)
    assert_type(answer.thinking_blocks, tuple[il.ThinkingPart | il.RedactedThinkingPart, ...] | None)
    assert_type(request.messages, tuple[il.Message, ...])
    assert_type(request.tools, tuple[il.Tool | il.OpaqueTool, ...] | None)
    assert_type(request.stop, tuple[str, ...] | None)
    assert_type(request.tool_choice, il.ToolChoice | None)
    if isinstance(user.content, str):
        assert_type(user.content, str)
    else:
        assert_type(user.content, tuple[il.Part, ...])
    if isinstance(answer.content, tuple):
        assert_type(answer.content, tuple[il.Part, ...])
    if answer.content is None:
        return
    match answer.content:
        case str() as text:
            assert_type(text, str)
        case parts:
            assert_type(parts, tuple[il.Part, ...])
    if result.content and not isinstance(result.content, str):
        assert_type(result.content[0].type == "text", bool)


def copies(user: il.UserMessage, message: il.Message, request: il.Request, part: il.Part) -> None:
    assert_type(user.replace(content="ho", name=None), il.UserMessage)
    assert_type(user.replace(content=[TEXT, {"type": "text", "text": "ho"}]), il.UserMessage)
    assert_type(request.replace(messages=[*request.messages, user], temperature=1, stop=["\n"]), il.Request)
    assert_type(request.replace(tool_choice={"type": "auto"}, tools=None), il.Request)
    il.validate([message.replace(extra={"row": 1})])
    il.UserMessage(content=[part.replace(cache_control=il.CacheControl())])


def marked(message: AnyMessage) -> AnyMessage:
    return message.replace(extra={"role": message["role"]})


def marks(message: il.Message, user: il.UserMessage) -> None:
    assert_type(marked(user), il.UserMessage)
    assert_type(marked(message), il.Message)
