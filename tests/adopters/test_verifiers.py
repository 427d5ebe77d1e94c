"""Verifiers' messages: what its users write works on these, unchanged.

Every example of its page on messages is here, as data or as code; the two functions use messages only as dicts.
"""

import json
from typing import Any

import pytest
from pydantic import ValidationError

import interlingua as il

SEARCH = '{"query": "weather"}'

MESSAGES: dict[str, dict[str, Any]] = {
    "system": {"role": "system", "content": "You are a helpful math tutor."},
    "user": {"role": "user", "content": "What is 2+2?"},
    "user, multimodal": {
        "role": "user",
        "content": [
            {"type": "text", "text": "What's in this image?"},
            {"type": "image_url", "image_url": {"url": "https://..."}},
        ],
    },
    "user, audio": {
        "role": "user",
        "content": [{"type": "input_audio", "input_audio": {"data": "base64_encoded_audio_data", "format": "wav"}}],
    },
    "assistant": {"role": "assistant", "content": "The answer is 4."},
    "assistant, tool calls": {
        "role": "assistant",
        "content": "I'll search for that.",
        "tool_calls": [{"id": "call_123", "name": "search", "arguments": SEARCH}],
    },
    "assistant, reasoning": {"role": "assistant", "content": "The answer is 4.", "reasoning_content": "First I add 2+2..."},
    "assistant, thinking blocks": {
        "role": "assistant",
        "content": "The answer is 4.",
        "thinking_blocks": [{"type": "thinking", "thinking": "Let me calculate..."}],
    },
    "tool": {"role": "tool", "tool_call_id": "call_123", "content": "Weather: Sunny, 72°F"},
    "text": {"role": "text", "content": "The capital of France is Paris."},
}

PARTS: list[dict[str, Any]] = [
    {"type": "text", "text": "Hello"},
    {"type": "image_url", "image_url": {"url": "https://example.com/image.jpg"}},
    {"type": "input_audio", "input_audio": {"data": "base64_encoded_audio_data", "format": "wav"}},
]

TOOL_CALL: dict[str, Any] = {"id": "call_abc123", "name": "get_weather", "arguments": '{"location": "San Francisco"}'}

CONVERSATION: list[dict[str, Any]] = [
    {"role": "system", "content": "You are a helpful assistant."},
    {"role": "user", "content": "What is Python?"},
    {"role": "assistant", "content": "Python is a programming language."},
    {"role": "user", "content": "Show me an example"},
]

TOOL_FLOW: list[dict[str, Any]] = [
    {"role": "user", "content": "What's the weather?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call_1", "name": "get_weather", "arguments": '{"city": "NYC"}'}],
    },
    {"role": "tool", "tool_call_id": "call_1", "content": "Sunny, 70°F"},
    {"role": "assistant", "content": "It's sunny and 70°F in NYC."},
]

MULTIMODAL: list[dict[str, Any]] = [
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "Describe this image:"},
            {"type": "image_url", "image_url": {"url": "https://example.com/cat.jpg"}},
        ],
    },
    {"role": "assistant", "content": "I see a cat sitting on a windowsill."},
]

CONVERSATIONS = {name: [message] for name, message in MESSAGES.items()} | {
    "conversation": CONVERSATION,
    "tool call flow": TOOL_FLOW,
    "multimodal": MULTIMODAL,
    "parts": [{"role": "user", "content": PARTS}],
    "tool call": [{"role": "assistant", "content": None, "tool_calls": [TOOL_CALL]}],
}

conversations = pytest.mark.parametrize("wire", CONVERSATIONS.values(), ids=CONVERSATIONS.keys())


# The data


@conversations
def test_every_example_validates_and_comes_back_identical(wire: list[dict[str, Any]]) -> None:
    assert [message.to_dict() for message in il.validate(wire)] == wire
    assert [message.to_dict() for message in il.validate(json.dumps(wire))] == wire
    assert [message.model_dump() for message in il.validate(wire)] == wire


@conversations
def test_every_example_is_its_own_wire_form(wire: list[dict[str, Any]]) -> None:
    assert il.dump(il.load(wire, "verifiers"), "verifiers", on_loss="raise") == {"messages": wire}


@conversations
def test_every_example_dumps_as_verifiers_spells_it(wire: list[dict[str, Any]]) -> None:
    assert il.dump(il.validate(wire), "verifiers", on_loss="raise") == {"messages": wire}


@conversations
def test_loading_says_the_same_as_validating(wire: list[dict[str, Any]]) -> None:
    assert list(il.load(wire, "verifiers").messages) == il.validate(wire)


def test_a_part_of_an_unknown_type_comes_back_as_it_was() -> None:
    wire = [{"role": "user", "content": [{"type": "point_cloud", "points": [[0, 1.5, None]]}]}]
    request = il.load(wire, "verifiers")
    assert isinstance(request.messages[0].parts[0], il.OpaquePart)
    assert il.dump(request, "verifiers", on_loss="raise") == {"messages": wire}


CLASSES: dict[str, type[il.Message]] = {
    "system": il.SystemMessage,
    "user": il.UserMessage,
    "assistant": il.AssistantMessage,
    "tool": il.ToolMessage,
    "text": il.TextMessage,
}


@pytest.mark.parametrize("wire", MESSAGES.values(), ids=MESSAGES.keys())
def test_the_classes_make_what_validation_makes(wire: dict[str, Any]) -> None:
    cls = CLASSES[wire["role"]]
    without_role = {key: value for key, value in wire.items() if key != "role"}
    (validated,) = il.validate([wire])
    assert type(validated) is cls
    assert cls(**wire) == cls(**without_role) == validated
    assert cls(**without_role).to_dict() == wire


def test_the_parts_and_tool_calls_are_classes_too() -> None:
    text, image, audio = PARTS
    assert il.TextPart(**text).to_dict() == text
    assert il.ImageUrlPart(**image).to_dict() == image
    assert il.InputAudioPart(**audio).to_dict() == audio
    assert il.ToolCall(**TOOL_CALL).to_dict() == TOOL_CALL


# The code


def get_text_content(message: Any) -> str:
    """The text of a message, its text parts joined with spaces."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts: list[Any] = message["content"]
    known: list[Any] = [part for part in parts if isinstance(part, dict)]
    return " ".join(part["text"] for part in known if part.get("type") == "text")


def format_conversation(messages: list[Any]) -> str:
    """A conversation for display, a line a message."""
    lines: list[str] = []
    for msg in messages:
        role, content = msg["role"], msg.get("content", "")
        if role == "assistant" and msg.get("tool_calls"):
            content = "Calling tools: " + ", ".join(call["name"] for call in msg["tool_calls"])
        if role in ("system", "user", "assistant", "tool"):
            lines.append(f"[{role.upper()}] {content}")
    return "\n".join(lines)


def test_extracting_content() -> None:
    texts = [get_text_content(message) for message in il.validate([*MULTIMODAL, *TOOL_FLOW])]
    assert texts == [
        "Describe this image:",
        "I see a cat sitting on a windowsill.",
        "What's the weather?",
        "",
        "Sunny, 70°F",
        "It's sunny and 70°F in NYC.",
    ]
    two_texts = il.validate([{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}])
    assert get_text_content(two_texts[0]) == "a b"


def test_formatting_for_display() -> None:
    assert format_conversation(il.validate([CONVERSATION[0], *TOOL_FLOW])) == (
        "[SYSTEM] You are a helpful assistant.\n"
        "[USER] What's the weather?\n"
        "[ASSISTANT] Calling tools: get_weather\n"
        "[TOOL] Sunny, 70°F\n"
        "[ASSISTANT] It's sunny and 70°F in NYC."
    )


@conversations
def test_code_written_for_dicts_sees_no_difference(wire: list[Any]) -> None:
    messages = il.validate(wire)
    assert [get_text_content(message) for message in messages] == [get_text_content(message) for message in wire]
    assert format_conversation(messages) == format_conversation(wire)


def test_validation() -> None:
    assert il.UserMessage(role="user", content="Hello").content == "Hello"
    wrong: Any = "assistant"
    with pytest.raises(ValidationError) as caught:
        il.UserMessage(role=wrong, content="Hello")
    assert [error["loc"] for error in caught.value.errors()] == [("role",)]
    assert "role" in str(caught.value)


@pytest.mark.parametrize("role", CLASSES)
@pytest.mark.parametrize("given", [*CLASSES, "function", "User", "", None, 1])
def test_each_class_takes_its_own_role_only(role: str, given: Any) -> None:
    fields: dict[str, Any] = {"content": "x", "role": given}
    if given == role:
        assert CLASSES[role](**fields)["role"] == role
    else:
        with pytest.raises(ValidationError):
            CLASSES[role](**fields)


def test_dict_like_access() -> None:
    msg = il.UserMessage(role="user", content="Hello")
    assert msg["role"] == "user"
    assert msg.get("content") == "Hello"
    assert "role" in msg
    assert msg.role == "user"
    assert msg.content == "Hello"


# Its compatibility


def test_openai_gets_nested_calls() -> None:
    messages = il.dump(il.validate(TOOL_FLOW), "openai_chat", on_loss="raise")["messages"]
    assert messages[1]["tool_calls"] == [
        {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "NYC"}'}}
    ]
    assert [messages[0], *messages[2:]] == [TOOL_FLOW[0], *TOOL_FLOW[2:]]


def test_anthropic_gets_blocks() -> None:
    assert il.dump(il.validate(TOOL_FLOW), "anthropic", on_loss="raise")["messages"] == [
        {"role": "user", "content": "What's the weather?"},
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "call_1", "name": "get_weather", "input": {"city": "NYC"}}],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "Sunny, 70°F"}]},
        {"role": "assistant", "content": "It's sunny and 70°F in NYC."},
    ]
