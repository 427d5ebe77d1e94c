"""AskTable's content blocks: OpenAI's messages in, blocks with tool input as JSON text out, and back."""

import copy
from typing import Any

import pytest

import interlingua as il
from interlingua.formats import openai_chat

# With text as text, the way AskTable writes OpenAI's messages.
OPENAI = openai_chat.format_for(openai_chat.ChatProfile(content="string"))

CALL = {"id": "call_123", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Beijing"}'}}

MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "You are a helpful assistant"},
    {"role": "user", "content": "What's the weather?"},
    {"role": "assistant", "content": "Let me check", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "call_123", "content": "Sunny, 25°C"},
]

BLOCKS: list[dict[str, Any]] = [
    {"role": "user", "content": [{"type": "text", "text": "What's the weather?"}]},
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "Let me check"},
            {"type": "tool_use", "id": "call_123", "name": "get_weather", "input": '{"city": "Beijing"}'},
        ],
    },
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_123", "content": "Sunny, 25°C"}]},
]


def to_blocks(messages: list[dict[str, Any]], source: il.FormatName = "openai_chat") -> list[dict[str, Any]]:
    """AskTable's blocks of messages that lose nothing there."""
    written: list[dict[str, Any]] = il.convert(messages, source=source, target="asktable", strict=True).payload["messages"]
    return written


def test_openai_messages_become_blocks() -> None:
    result = il.convert(MESSAGES, source="openai_chat", target="asktable", strict=True)
    assert result.payload == {"system": "You are a helpful assistant", "messages": BLOCKS}


def test_blocks_become_openai_messages() -> None:
    wire = {"system": "You are a helpful assistant", "messages": BLOCKS}
    assert il.convert(wire, source="asktable", target=OPENAI, strict=True).payload == {"messages": MESSAGES}


def test_there_and_back() -> None:
    there = il.convert(MESSAGES, source="openai_chat", target="asktable", strict=True).payload
    assert il.convert(there, source="asktable", target=OPENAI, strict=True).payload == {"messages": MESSAGES}


def test_blocks_are_their_own_wire_form() -> None:
    wire = {"system": "s", "messages": BLOCKS}
    assert il.dump(il.load(wire, "asktable"), "asktable", on_loss="raise") == wire
    assert il.dump(il.load(BLOCKS, "asktable"), "asktable", on_loss="raise") == {"messages": BLOCKS}


@pytest.mark.parametrize(
    "text", ['{"city": "Beijing"}', '{ "city":"Beijing",\n"days": 1.0e0 }', '{"a": 1, "a": 2}', "{}", "", '{"city": "Bei']
)
def test_tool_input_stays_the_text_that_the_model_wrote(text: str) -> None:
    call = CALL | {"function": {"name": "get_weather", "arguments": text}}
    there = to_blocks([MESSAGES[1], MESSAGES[2] | {"tool_calls": [call]}])
    assert there[1]["content"][1]["input"] == text
    back = il.convert(there, source="asktable", target=OPENAI, strict=True).payload
    assert back["messages"][1]["tool_calls"] == [call]


def test_anthropic_gets_the_input_as_an_object() -> None:
    written = il.convert(BLOCKS, source="asktable", target="anthropic", strict=True).payload["messages"]
    assert written[1]["content"][1]["input"] == {"city": "Beijing"}


def test_input_that_is_an_object_becomes_text() -> None:
    wire = copy.deepcopy(BLOCKS)
    wire[1]["content"][1]["input"] = {"city": "Beijing"}
    assert il.convert(wire, source="anthropic", target="asktable", strict=True).payload["messages"] == BLOCKS


def test_results_are_appended_to_the_user_message() -> None:
    calls = [CALL, CALL | {"id": "call_124"}]
    answers = [{"role": "tool", "tool_call_id": call["id"], "content": f"of {call['id']}"} for call in calls]
    messages = [MESSAGES[1], MESSAGES[2] | {"tool_calls": calls}, *answers, {"role": "user", "content": "Thanks"}]
    blocks = to_blocks(messages)
    assert [message["role"] for message in blocks] == ["user", "assistant", "user"]
    assert blocks[2]["content"] == [
        {"type": "tool_result", "tool_use_id": "call_123", "content": "of call_123"},
        {"type": "tool_result", "tool_use_id": "call_124", "content": "of call_124"},
        {"type": "text", "text": "Thanks"},
    ]
    assert il.convert(blocks, source="asktable", target=OPENAI, strict=True).payload == {"messages": messages}


@pytest.mark.parametrize("content", ["", None], ids=["empty", "null"])
def test_an_assistant_message_without_text_has_no_text_block(content: str | None) -> None:
    blocks = to_blocks([MESSAGES[1], MESSAGES[2] | {"content": content}])
    assert [block["type"] for block in blocks[1]["content"]] == ["tool_use"]


@pytest.mark.parametrize(
    ("source", "field"),
    [
        ("deepseek", {"reasoning_content": "Let me think..."}),
        ("openrouter", {"reasoning": "Let me think..."}),
        ("openrouter", {"reasoning_details": [{"type": "reasoning.text", "text": "Let me think..."}]}),
    ],
    ids=["reasoning_content", "reasoning", "reasoning_details"],
)
def test_every_spelling_of_reasoning_becomes_a_thinking_block(source: il.FormatName, field: dict[str, Any]) -> None:
    blocks = to_blocks([MESSAGES[1], {"role": "assistant", "content": "Sunny.", **field}], source)
    assert blocks[1]["content"] == [
        {"type": "thinking", "thinking": "Let me think..."},
        {"type": "text", "text": "Sunny."},
    ]


def test_openai_is_reported_to_have_no_place_for_thinking() -> None:
    wire = [{"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Sunny."}]}]
    result = il.convert(wire, source="asktable", target=OPENAI)
    assert result.payload == {"messages": [{"role": "assistant", "content": "Sunny."}]}
    assert [(loss.kind, loss.path) for loss in result.losses] == [("dropped", "/0/content/0")]
