"""Agent code that distinguishes messages, parts, sources, tools and events, by class and by tag, and leaves none out."""

from typing import Any, Literal, assert_never, assert_type

import interlingua as il


def message_by_class(message: il.Message) -> str:
    match message:
        case il.SystemMessage() | il.DeveloperMessage():
            assert_type(message.role, Literal["system", "developer"])
            return message.text
        case il.UserMessage(content=str(text), name=name):
            assert_type(text, str)
            assert_type(name, str | None)
            return text
        case il.UserMessage():
            return message.text
        case il.AssistantMessage(tool_calls=calls):
            assert_type(calls, tuple[il.ToolCall, ...] | None)
            return message.tool_uses[0].arguments if message.tool_uses else message.text
        case il.ToolMessage():
            return message.tool_call_id or ""
        case il.TextMessage():
            assert_type(message.content, str)
            return message.content
        case il.OpaqueMessage():
            return message.format
        case _:
            assert_never(message)


def message_by_role(message: il.Message) -> str:
    if message.role == "system" or message.role == "developer":  # noqa: PLR1714 -- the chain is what is shown
        assert_type(message, il.SystemMessage | il.DeveloperMessage)
        return message.text
    if message.role == "user":
        assert_type(message, il.UserMessage)
        return message.name or ""
    if message.role == "assistant":
        assert_type(message, il.AssistantMessage)
        return message.refusal or ""
    if message.role == "tool":
        assert_type(message, il.ToolMessage)
        return message.tool_call_id or ""
    if message.role == "text":
        assert_type(message, il.TextMessage)
        return message.content
    if message.role == "opaque":
        assert_type(message, il.OpaqueMessage)
        return message.format
    assert_never(message)


def message_by_matched_role(message: il.Message) -> int:
    match message.role:
        case "system" | "developer":
            return 1
        case "user" | "assistant":
            return 2
        case "tool" | "text" | "opaque":
            return 3
        case _:
            assert_never(message.role)


def message_by_isinstance(message: il.Message) -> str:
    if isinstance(message, il.SystemMessage | il.DeveloperMessage | il.TextMessage):
        return message.text
    if isinstance(message, (il.UserMessage, il.ToolMessage)):
        assert_type(message.content, str | tuple[il.Part, ...])
        return message.text
    if isinstance(message, il.OpaqueMessage):
        return message.format
    assert_type(message, il.AssistantMessage)
    return message.reasoning_content or ""


def part_by_class(part: il.Part) -> str | None:
    match part:
        case il.TextPart(text=text):
            return text
        case il.ThinkingPart() | il.RedactedThinkingPart():
            return part.issuer
        case il.RefusalPart():
            return part.refusal
        case il.ToolUsePart():
            return part.name
        case il.ToolResultPart():
            return part.tool_use_id
        case il.ImagePart() | il.AudioPart() | il.VideoPart() | il.FilePart():
            return part.source.type
        case il.ImageUrlPart():
            return part.image_url.url
        case il.InputAudioPart():
            return part.input_audio.format
        case il.JsonPart():
            return str(part.value)
        case il.OpaquePart():
            return part.format
        case _:
            assert_never(part)


def part_by_type(part: il.Part) -> str | None:
    if part.type == "text":
        assert_type(part, il.TextPart)
        return part.text
    if part.type == "thinking" or part.type == "redacted_thinking":  # noqa: PLR1714 -- likewise
        assert_type(part, il.ThinkingPart | il.RedactedThinkingPart)
        return part.issuer
    if part.type == "refusal":
        return part.refusal
    if part.type == "tool_use":
        return part.name
    if part.type == "tool_result":
        return part.tool_use_id
    if part.type == "image":
        return part.detail
    if part.type == "audio":
        return part.source.type
    if part.type == "video":
        return part.source.type
    if part.type == "file":
        return part.filename
    if part.type == "image_url":
        return part.image_url.url
    if part.type == "input_audio":
        return part.input_audio.format
    if part.type == "json":
        return part.issuer
    if part.type == "opaque":
        return part.format
    assert_never(part)


def citation(part: il.TextPart) -> str | None:
    for citation in part.citations or ():
        match citation:
            case il.UrlCitation(url=url):
                return url
            case il.DocumentCitation():
                return citation.file_id
            case il.SearchResultCitation():
                return citation.source
            case il.OpaqueCitation():
                return citation.format
            case _:
                assert_never(citation)
    return None


def source(part: il.ImagePart | il.AudioPart | il.VideoPart | il.FilePart) -> str:
    found = part.source
    match found:
        case il.UrlSource(url=url):
            return url
        case il.Base64Source() as inline:
            return inline.media_type or ""
        case il.FileIdSource(file_id=file_id):
            return file_id
        case il.TextSource(text=text):
            return text
        case _:
            assert_never(found)


def source_by_type(part: il.FilePart) -> str:
    found = part.source
    if found.type == "url":
        return found.url
    if found.type == "base64":
        return found.data
    if found.type == "file_id":
        return found.file_id
    if found.type == "text":
        return found.text
    assert_never(found)


def tool(tool: il.AnyTool) -> str:
    match tool:
        case il.Tool():
            return tool.name
        case il.OpaqueTool():
            return tool.format
        case _:
            assert_never(tool)


def tool_by_type(tool: il.AnyTool) -> str:
    if tool.type == "function":
        return tool.name
    if tool.type == "opaque":
        return tool.format
    assert_never(tool)


def event_by_class(event: il.Event) -> str | None:
    match event:
        case il.MessageStart():
            return event.model
        case il.TextDelta():
            return event.text
        case il.ThinkingDelta():
            return event.thinking
        case il.SignatureDelta() | il.RedactedThinking():
            return event.issuer
        case il.RefusalDelta():
            return event.refusal
        case il.ToolUseStart() | il.ToolUse():
            return event.name
        case il.ArgumentsDelta():
            return event.arguments
        case il.Stop():
            return event.stop_reason
        case il.OpaqueEvent():
            return event.format
        case il.WholePart():
            return event.part.type
        case il.PartStop() | il.Update() | il.UsageUpdate() | il.StreamEnd() | il.ErrorEvent():
            return event.type
        case _:
            assert_never(event)


def event_by_type(event: il.Event) -> str | None:
    match event.type:
        case "message_start" | "text" | "thinking" | "signature" | "redacted_thinking" | "refusal":
            return None
        case "tool_use_start" | "arguments" | "tool_use" | "part" | "part_stop" | "update" | "usage":
            return None
        case "stop" | "end" | "opaque" | "error":
            return None
        case _:
            assert_never(event.type)


def keys_by_attribute(message: il.Message, part: il.Part) -> str | None:
    """The tag as an attribute narrows, and then the keys are those of one class."""
    if part.type == "text":
        assert_type(part["text"], str)
    if part.type == "tool_use" or part.type == "thinking":  # noqa: PLR1714 -- the chain is what is shown
        assert_type(part["type"], Literal["tool_use", "thinking"])
    if message.role == "tool":
        assert_type(message["tool_call_id"], str | None)
    content = message.get("content")
    if isinstance(content, str):
        return content
    if "content" in message and content:
        assert_type(content[0], dict[str, Any])
    return None
