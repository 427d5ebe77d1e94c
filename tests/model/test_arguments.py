"""Tool arguments: their numbers stay the same decimal numbers, and what is read of them is the caller's own."""

import copy
import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

import interlingua as il

NUMBERS = st.from_regex(r"-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,24})?([eE][+-]?[0-9]{1,4})?", fullmatch=True)
SHAPES = st.sampled_from(['{{"x": {}}}', '{{"x": [{{"y": {}}}], "z": "1.50"}}', ' {{"n":{}, "x": null}} '])


def decimals(arguments: Any) -> Any:
    """Arguments, or the text of them, with exact numbers."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)


def anthropic_events(text: str) -> list[dict[str, Any]]:
    start: dict[str, Any] = {
        "id": "a",
        "type": "message",
        "role": "assistant",
        "content": [],
        "model": "m",
        "stop_reason": None,
        "usage": {},
    }
    call: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
    return [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": call},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": piece}}
            for piece in (text[:5], text[5:])
        ),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]


@given(NUMBERS, SHAPES)
@example("1e400", '{{"x": {}}}')
@example("1e-400", '{{"x": {}}}')
@example("12345678901234567890.5", '{{"x": {}}}')
def test_numbers_of_arguments_stay_the_same_in_a_request(number: str, shape: str) -> None:
    text = shape.format(number)
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": text}}
    wire = {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": None, "tool_calls": [call]}]}
    there = il.convert(wire, source="openai_chat", target="anthropic")
    sent = there.payload["messages"][1]["content"][0]["input"]
    json.dumps(sent, allow_nan=False)
    if there.losses:
        assert sent == {"INVALID_JSON": text}
        assert [loss.path for loss in there.losses] == ["/messages/1/tool_calls/0/function/arguments"]
    else:
        assert decimals(sent) == decimals(text)
    as_text = il.convert(wire, source="openai_chat", target="asktable").payload["messages"][1]["content"][0]["input"]
    assert as_text == text


@given(NUMBERS, SHAPES)
@example("1e400", '{{"x": {}}}')
def test_numbers_of_streamed_arguments_stay_the_same(number: str, shape: str) -> None:
    text = shape.format(number)
    reader = il.reader("anthropic")
    for event in anthropic_events(text):
        reader.feed(event)
    (call,) = reader.response.message.tool_uses
    assert decimals(call.input) == decimals(text)
    body = il.dump_response(reader.response, "openai_chat", on_loss="ignore")
    assert decimals(body["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"]) == decimals(text)
    chunks = list(il.restream(anthropic_events(text), source="anthropic", target="openai_chat"))
    pieces = [
        call["function"].get("arguments", "") for c in chunks for d in c["choices"] for call in d["delta"].get("tool_calls", ())
    ]
    assert "".join(pieces) == text


@given(NUMBERS, SHAPES)
def test_what_is_parsed_is_read_as_python_reads_json(number: str, shape: str) -> None:
    text = shape.format(number)
    parsed = il.ToolCall(name="f", arguments=text).parsed
    assert parsed == il.ToolUsePart(name="f", input=text).parsed
    assert parsed is None if "inf" in repr(json.loads(text)) else parsed == json.loads(text)


@pytest.mark.parametrize(
    "call",
    [
        il.ToolCall(name="f", arguments='{"a": {"b": [1]}}'),
        il.ToolUsePart(name="f", input='{"a": {"b": [1]}}'),
        il.ToolUsePart(name="f", input={"a": {"b": [1]}}),
        il.AssistantMessage(content=[il.ToolUsePart(name="f", input={"a": {"b": [1]}})]).tool_uses[0],
    ],
)
def test_parsed_arguments_are_the_callers_own(call: il.ToolCall | il.ToolUsePart) -> None:
    before = copy.deepcopy(call.to_dict())
    parsed = call.parsed
    assert parsed is not None
    parsed["a"]["b"].append(2)
    parsed.pop("a")
    assert call.to_dict() == before
    assert call.parsed == {"a": {"b": [1]}}


NONE = ["", " ", "null", " null\n"]
INVALID = ["n", "nul", "nullx", "null null", "[1]", "\u00a0"]


def streamed(pieces: list[str]) -> list[dict[str, Any]]:
    """A stream of Chat with one call, whose arguments come in these pieces."""
    frame = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    call = {"index": 0, "id": "t", "type": "function", "function": {"name": "f", "arguments": ""}}
    deltas = [{"role": "assistant", "tool_calls": [call]}]
    deltas += [{"tool_calls": [{"index": 0, "function": {"arguments": piece}}]} for piece in pieces]
    ended: list[tuple[Any, str | None]] = [*((delta, None) for delta in deltas), ({}, "tool_calls")]
    return [frame | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]} for delta, finish in ended]


@pytest.mark.parametrize("text", [*NONE, *INVALID])
def test_null_stands_for_no_arguments(text: str) -> None:
    function = {"name": "f", "arguments": text}
    message = {"role": "assistant", "tool_calls": [{"id": "t", "type": "function", "function": function}]}
    body = {"id": "1", "finish_reason": "TOOL_CALL", "message": message}
    response = il.load_response(body, "cohere")
    assert il.dump_response(response, "cohere")["message"] == message
    losses: list[il.Loss] = []
    whole = il.dump_response(response, "anthropic", on_loss=losses.append)
    expected = {} if text in NONE else {"INVALID_JSON": text}
    assert whole["content"][-1]["input"] == expected
    assert [loss.kind for loss in losses] == ["changed"]
    for pieces in ([text], list(text)):
        chunks = il.restream(streamed(pieces), source="openai_chat", target="anthropic", on_loss="ignore")
        deltas = [chunk["delta"] for chunk in chunks if chunk["type"] == "content_block_delta"]
        assert json.loads("".join(delta["partial_json"] for delta in deltas)) == expected
