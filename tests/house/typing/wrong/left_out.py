"""What checkers must report about code that leaves one case out: `assert_never` is reached."""

from typing import assert_never

import interlingua as il


def message_by_class(message: il.Message) -> None:
    match message:
        case il.SystemMessage() | il.DeveloperMessage() | il.UserMessage() | il.AssistantMessage() | il.ToolMessage():
            pass
        case il.TextMessage():
            pass
        case _:
            assert_never(message)  # error: mypy[arg-type], pyright[reportArgumentType]


def message_by_role(message: il.Message) -> None:
    if message.role == "system":
        return
    if message.role == "developer":
        return
    if message.role == "assistant":
        return
    if message.role == "tool":
        return
    if message.role == "text":
        return
    if message.role == "opaque":
        return
    assert_never(message)  # error: mypy[arg-type], pyright[reportArgumentType]


def message_by_matched_role(message: il.Message) -> None:
    match message.role:
        case "system" | "developer" | "user" | "assistant" | "tool" | "opaque":
            pass
        case _:
            assert_never(message.role)  # error: mypy[arg-type], pyright[reportArgumentType]


def message_by_isinstance(message: il.Message) -> None:
    if isinstance(message, il.SystemMessage | il.DeveloperMessage | il.UserMessage | il.ToolMessage):
        return
    if isinstance(message, (il.TextMessage, il.OpaqueMessage)):
        return
    assert_never(message)  # error: mypy[arg-type], pyright[reportArgumentType]


def part_by_class(part: il.Part) -> None:
    match part:
        case il.TextPart() | il.ThinkingPart() | il.RedactedThinkingPart() | il.RefusalPart() | il.ToolUsePart():
            pass
        case il.ToolResultPart() | il.ImagePart() | il.AudioPart() | il.VideoPart() | il.FilePart():
            pass
        case il.ImageUrlPart() | il.InputAudioPart():
            pass
        case _:
            assert_never(part)  # error: mypy[arg-type], pyright[reportArgumentType]


def part_by_type(part: il.Part) -> None:
    match part.type:
        case "text" | "thinking" | "refusal" | "tool_use" | "tool_result" | "image" | "audio" | "video" | "file":
            pass
        case "image_url" | "input_audio" | "opaque":
            pass
        case _:
            assert_never(part.type)  # error: mypy[arg-type], pyright[reportArgumentType]


def source(part: il.ImagePart) -> None:
    found = part.source
    match found:
        case il.UrlSource() | il.Base64Source() | il.FileIdSource():
            pass
        case _:
            assert_never(found)  # error: mypy[arg-type], pyright[reportArgumentType]


def tool(tool: il.AnyTool) -> None:
    if tool.type == "function":
        return
    assert_never(tool)  # error: mypy[arg-type], pyright[reportArgumentType]


def event_by_class(event: il.Event) -> None:
    match event:
        case il.MessageStart() | il.TextDelta() | il.ThinkingDelta() | il.SignatureDelta() | il.RedactedThinking():
            pass
        case il.RefusalDelta() | il.ToolUseStart() | il.ArgumentsDelta() | il.ToolUse() | il.PartStop() | il.Update():
            pass
        case il.UsageUpdate() | il.Stop() | il.StreamEnd() | il.OpaqueEvent():
            pass
        case _:
            assert_never(event)  # error: mypy[arg-type], pyright[reportArgumentType]


def event_by_type(event: il.Event) -> None:
    match event.type:
        case "message_start" | "text" | "thinking" | "signature" | "redacted_thinking" | "refusal" | "tool_use_start":
            pass
        case "arguments" | "tool_use" | "part_stop" | "update" | "usage" | "stop" | "opaque" | "error":
            pass
        case _:
            assert_never(event.type)  # error: mypy[arg-type], pyright[reportArgumentType]
