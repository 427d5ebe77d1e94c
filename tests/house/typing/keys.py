"""Agent code that reads messages like dicts: each key has its type, which is that of the JSON under it."""

import json
from collections.abc import Mapping
from typing import Any, Literal, assert_type

import interlingua as il


def a_message(user: il.UserMessage, assistant: il.AssistantMessage, tool: il.ToolMessage) -> None:
    assert_type(user["role"], Literal["user"])
    assert_type(user["content"], str | list[dict[str, Any]])
    assert_type(user["name"], str | None)
    assert_type(assistant["content"], str | list[dict[str, Any]] | None)
    assert_type(assistant["tool_calls"], list[dict[str, Any]] | None)
    assert_type(assistant["provider_data"], dict[str, Any] | None)
    assert_type(tool["is_error"], bool | None)


def any_message(message: il.Message) -> None:
    assert_type(
        message["role"],
        Literal["system", "developer", "user", "assistant", "tool", "text", "opaque"],
    )
    if not isinstance(message, il.OpaqueMessage):
        assert_type(message["content"], str | list[dict[str, Any]] | None)
    if message.role == "assistant":
        assert_type(message["reasoning_content"], str | None)


def what_may_be_absent(message: il.Message, user: il.UserMessage, caching: il.Caching) -> None:
    assert_type(user.get("role"), Literal["user"])
    assert_type(user.get("role", 0), Literal["user"])
    assert_type(user.get("name"), str | None)
    assert_type(user.get("name", "nobody"), str | None)
    assert_type(user.get("name", 0), str | int | None)
    assert_type(caching.get("tools"), bool | None)
    assert_type(caching.get("tools", False), bool)
    # What only others of its kind have
    assert_type(user.get("tool_calls"), None)
    assert_type(user.get("tool_calls", 0), int)
    assert_type(message.get("content"), str | list[dict[str, Any]] | None)
    assert_type(message.get("tool_calls"), list[dict[str, Any]] | None)
    for call in message.get("tool_calls") or []:
        assert_type(call, dict[str, Any])
    for call in message.get("tool_calls", []) or []:
        assert_type(call, dict[str, Any])


def parts(part: il.Part, text: il.TextPart, call: il.ToolUsePart, result: il.ToolResultPart, image: il.ImagePart) -> None:
    assert_type(text["type"], Literal["text"])
    assert_type(text["text"], str)
    assert_type(call["input"], str | dict[str, Any])
    assert_type(result["content"], str | list[dict[str, Any]] | None)
    assert_type(image["source"], dict[str, Any])
    assert_type(image.source["type"], Literal["url", "base64", "file_id", "text"])
    assert_type(part["cache_control"], dict[str, Any] | None)
    assert_type(part.get("text"), str | None)


def what_goes_out(request: il.Request, tool: il.Tool | il.OpaqueTool, choice: il.ToolChoice, call: il.ToolCall) -> None:
    assert_type(request["messages"], list[dict[str, Any]])
    assert_type(request["temperature"], int | float | None)
    assert_type(request["stop"], list[str] | None)
    assert_type(request["response_format"], dict[str, Any] | None)
    assert_type(tool["type"], Literal["function", "opaque"])
    assert_type(choice["type"], Literal["auto", "none", "required", "tool"])
    assert_type(call["arguments"], str)
    assert_type(call.get("id"), str | None)


def what_comes_back(response: il.Response, usage: il.Usage, event: il.Event, delta: il.ThinkingDelta) -> None:
    assert_type(response["choices"], list[dict[str, Any]])
    assert_type(response.choices[0]["message"], dict[str, Any])
    assert_type(usage["input_tokens"], int | None)
    assert_type(delta["field"], Literal["block", "text", "both"])
    assert_type(event.get("index"), int | None)
    if isinstance(event, il.TextDelta | il.ThinkingDelta):
        assert_type(event["index"], int)


def what_is_stored(conversation: il.Conversation) -> None:
    assert_type(conversation["version"], Literal[1])
    assert_type(conversation["metadata"], dict[str, Any] | None)


def spoken(message: Mapping[str, Any], key: str) -> str:
    return str(message[key])


def a_message_is_a_mapping(message: il.Message, part: il.Part) -> None:
    assert_type({**message}, dict[str, Any])
    assert_type(dict(part), dict[str, Any])
    changed: dict[str, Any] = {**message, "content": "other"}
    spoken(changed, "content")
    for key, value in message.items():
        json.dumps({key: value})
    spoken(message, "role")
    match message:
        case {"role": "user", "content": str()}:
            pass
        case _:
            pass


def equality(message: il.Message, part: il.Part, stored: il.Conversation) -> bool:
    """A model may equal a dict, which strict checkers are not to call impossible."""
    return message == {"role": "user", "content": "x"} or part == {"type": "text", "text": "x"} or stored == {"version": 1}


def joined_with_a_dict(user: il.UserMessage) -> None:
    assert_type(user | {"content": "Hi."}, dict[str, Any])
    assert_type({"role": "user", "content": "Hi."} | user, dict[str, Any])
    assert_type(il.__version__, str)
    assert_type(il.__compiled__, bool)
