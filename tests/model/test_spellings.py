"""Two spellings of one meaning, and the arguments of tool calls."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

import interlingua as il
from laws.everything import CITATIONS, DATA, FLAT, JSON, MARKED, assistant, faults, messages, same, user


def test_the_parts_of_the_flat_spelling() -> None:
    message = assistant(
        content="text",
        reasoning_content="one two",
        thinking_blocks=[
            {"type": "thinking", "thinking": "one ", "signature": "s"},
            {"type": "redacted_thinking", "data": "AAAA"},
            {"type": "thinking", "thinking": "two"},
        ],
        refusal="no",
        tool_calls=[{"id": "c", "name": "f", "arguments": '{"a": 1}'}, {"id": "d", "name": "g", "arguments": ""}],
    )
    assert [part.to_dict() for part in message.parts] == [
        {"type": "thinking", "thinking": "one ", "signature": "s"},
        {"type": "redacted_thinking", "data": "AAAA"},
        {"type": "thinking", "thinking": "two"},
        {"type": "text", "text": "text"},
        {"type": "refusal", "refusal": "no"},
        {"type": "tool_use", "id": "c", "name": "f", "input": '{"a": 1}'},
        {"type": "tool_use", "id": "d", "name": "g", "input": ""},
    ]
    assert message.thinking == "one two"
    assert message.text == "text"
    assert [(call.id, call.name, call.parsed) for call in message.tool_uses] == [("c", "f", {"a": 1}), ("d", "g", None)]


def test_the_parts_of_the_block_spelling_keep_their_order() -> None:
    blocks = [
        {"type": "text", "text": "a"},
        {"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1}},
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "b"},
        {"type": "tool_use", "id": "d", "name": "f", "input": "{}"},
    ]
    message = assistant(content=blocks)
    assert [part.to_dict() for part in message.parts] == blocks
    assert (message.text, message.thinking) == ("ab", "hm")
    assert [call.id for call in message.tool_uses] == ["c", "d"]
    assert message["content"] == blocks


def test_reasoning_text_that_no_block_has_is_a_part_of_its_own() -> None:
    message = assistant(reasoning_content="summary", thinking_blocks=[{"type": "thinking", "thinking": "all of it"}])
    assert [part.to_dict() for part in message.parts] == [
        {"type": "thinking", "thinking": "summary"},
        {"type": "thinking", "thinking": "all of it"},
    ]
    assert [part.to_dict() for part in assistant(reasoning_content="hm").parts] == [{"type": "thinking", "thinking": "hm"}]
    assert assistant(reasoning_content="").parts == ()


@messages
def test_every_message_can_be_asked_for_its_meaning(message: il.Message) -> None:
    assert isinstance(message.parts, tuple)
    assert message.text == "".join(part.text for part in message.parts if isinstance(part, il.TextPart))
    assert message.thinking == "".join(part.thinking for part in message.parts if isinstance(part, il.ThinkingPart))
    assert message.tool_uses == tuple(part for part in message.parts if isinstance(part, il.ToolUsePart))


@pytest.mark.parametrize("cls", [il.SystemMessage, il.DeveloperMessage, il.UserMessage, il.AssistantMessage])
def test_text_and_one_text_part_mean_the_same(cls: type[il.SystemMessage]) -> None:
    text = cls(content="x", name="n")
    blocks = text.to_blocks()
    assert blocks.to_dict() == {"role": text.role, "content": [{"type": "text", "text": "x"}], "name": "n"}
    assert blocks.parts == text.parts
    assert text.content == "x"


def test_flat_to_blocks_and_back() -> None:
    flat = assistant(**FLAT)
    blocks = flat.to_blocks()
    assert not {"tool_calls", "thinking_blocks", "reasoning_content", "refusal"} & blocks.keys()
    assert [part["type"] for part in blocks.to_dict()["content"]] == ["thinking", "text", "tool_use", "tool_use"]
    assert blocks.parts == flat.parts
    assert blocks["provider_data"] == DATA
    assert blocks.to_blocks() == blocks
    back, lost = blocks.to_flat()
    assert lost == ()
    assert back == flat


def test_blocks_to_flat_reports_the_order_that_it_loses() -> None:
    thinking = {"type": "thinking", "thinking": "hm", "signature": "s"}
    text = {"type": "text", "text": "a"}
    call = {"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1}}
    ordered, lost = assistant(content=[thinking, text, call]).to_flat()
    assert lost == ()
    assert ordered.to_dict() == {
        "role": "assistant",
        "content": "a",
        "thinking_blocks": [thinking],
        "tool_calls": [{"id": "c", "name": "f", "arguments": '{"a": 1}'}],
    }
    for blocks in ([text, thinking, call], [thinking, call, text], [call, thinking], [text, call, text]):
        shuffled, lost = assistant(content=blocks).to_flat()
        assert len(lost) == 1
        assert "order" in lost[0]
        assert len(shuffled.parts) == len(blocks)
        assert [call.id for call in shuffled.tool_calls or ()] == ["c"]


def test_results_in_a_user_message_and_tool_messages_are_two_spellings() -> None:
    result = {"type": "tool_result", "tool_use_id": "c", "content": "x", "is_error": True, "name": "f", **MARKED}
    text = {"type": "text", "text": "and"}
    flat, lost = user(content=[result, result | {"tool_use_id": "d"}, text], name="n").to_flat()
    assert lost == ()
    assert [message.to_dict() for message in flat] == [
        {"role": "tool", "tool_call_id": "c", "content": "x", "is_error": True, "name": "f", **MARKED},
        {"role": "tool", "tool_call_id": "d", "content": "x", "is_error": True, "name": "f", **MARKED},
        {"role": "user", "content": [text], "name": "n"},
    ]
    assert isinstance(flat[0], il.ToolMessage)
    assert flat[0].to_blocks() == user(content=[result])
    assert user(content="x").to_flat() == ((user(content="x"),), ())


def test_the_signature_of_a_result_has_no_place_in_a_tool_message() -> None:
    signed = {"type": "tool_result", "tool_use_id": "c", "content": [JSON], "signature": "s", "issuer": "gemini"}
    (flat,), lost = user(content=[signed]).to_flat()
    assert lost == ("the signatures of results are left out",)
    assert flat.to_dict() == {"role": "tool", "tool_call_id": "c", "content": [JSON]}


@pytest.mark.parametrize("more", [{"signature": "s"}, {"citations": CITATIONS}])
def test_a_flat_text_that_says_more_is_a_part(more: dict[str, Any]) -> None:
    text = {"type": "text", "text": "a"} | more
    flat, lost = assistant(content=[text, {"type": "tool_use", "name": "f", "input": "{}", "signature": "s"}]).to_flat()
    assert lost == ()
    assert flat["content"] == [text]
    assert flat["tool_calls"] == [{"name": "f", "arguments": "{}", "signature": "s"}]
    assert flat.to_blocks().parts == flat.parts


def test_a_refusal_that_says_more_stays_a_part() -> None:
    refusal = {"type": "refusal", "refusal": "no", "signature": "s"}
    flat, lost = assistant(content=[refusal]).to_flat()
    assert (flat.to_dict(), lost) == ({"role": "assistant", "content": [refusal]}, ())


def test_results_behind_other_parts_lose_their_order() -> None:
    result = {"type": "tool_result", "tool_use_id": "c", "content": "x"}
    flat, lost = user(content=[{"type": "text", "text": "and"}, result]).to_flat()
    assert [message["role"] for message in flat] == ["tool", "user"]
    assert len(lost) == 1


def test_tool_calls_in_both_spellings_are_one_fault() -> None:
    data: list[dict[str, Any]] = [
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}],
            "tool_calls": [{"id": "c", "name": "f", "arguments": "{}"}, {"id": "d", "name": "f", "arguments": "{}"}],
        }
    ]
    (fault,) = faults(data)
    assert fault["path"] == "/0/tool_calls"
    assert "tool_calls" in fault["reason"]
    assert "tool_use" in fault["reason"]
    with pytest.raises(ValidationError) as caught:
        assistant(**data[0])
    assert len(caught.value.errors()) == 1
    with pytest.raises(ValidationError):
        assistant(content=data[0]["content"]).replace(tool_calls=data[0]["tool_calls"])


@pytest.mark.parametrize("more", [{"type": "function"}, {}, {"type": "function", "index": 0}])
def test_the_error_of_nested_calls_names_the_way_in(more: dict[str, Any]) -> None:
    call = {"id": "c", "function": {"name": "f", "arguments": "{}"}, **more}
    found = faults([{"role": "assistant", "content": None, "tool_calls": [call, call]}])
    assert [fault["path"] for fault in found] == ["/0/tool_calls/0", "/0/tool_calls/1"]
    assert all('load(..., "openai_chat")' in fault["reason"] for fault in found)


# Tool arguments


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ('{"a": 1}', {"a": 1}),
        ('{ "a":1.0 }', {"a": 1.0}),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ("{}", {}),
        ("", None),
        ("{", None),
        ("null", None),
        ("[1]", None),
        ('"x"', None),
        ('{"a": 1} x', None),
        ('{"a": NaN}', None),
        ('{"a": 1e400}', None),
        (r'{"a": "\ud800"}', None),
    ],
)
def test_argument_text_stays_the_text_that_it_is(text: str, parsed: dict[str, Any] | None) -> None:
    call, part = il.ToolCall(name="f", arguments=text), il.ToolUsePart(name="f", input=text)
    assert call["arguments"] == part["input"] == part.arguments == text
    assert same([call.parsed, part.parsed], [parsed, parsed])
    (used,) = assistant(tool_calls=[call]).tool_uses
    assert used == part


def test_arguments_as_an_object() -> None:
    part = il.ToolUsePart(name="f", input={"city": "Zürich", "n": [1, 1.0, None]})
    assert part.parsed == {"city": "Zürich", "n": [1, 1.0, None]}
    assert same(json.loads(part.arguments), part.parsed)


def test_a_custom_tools_input_is_free_text() -> None:
    call = il.ToolCall(id="c", name="patch", arguments="*** Begin", custom=True)
    (part,) = assistant(tool_calls=[call]).parts
    assert part.to_dict() == {"type": "tool_use", "id": "c", "name": "patch", "input": "*** Begin", "custom": True}
    assert assistant(content=[part]).to_flat()[0]["tool_calls"] == [call.to_dict()]


def test_very_deep_argument_text_is_no_object() -> None:
    text = '{"a":' * 10_000 + "1" + "}" * 10_000
    assert il.ToolCall(name="f", arguments=text).parsed is None
    assert il.ToolUsePart(name="f", input=text).parsed is None
