"""Streams of the Responses API in which the name of a call comes late, or is missing at the end."""

from collections.abc import Iterable
from typing import Any

import pytest

import interlingua as il

CALL = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "f", "arguments": '{"x":1}'}
OPEN = {**CALL, "arguments": ""}
UNNAMED = {**OPEN, "name": ""}
CUSTOM = {"type": "custom_tool_call", "id": "fc_1", "call_id": "call_1", "name": "f", "input": '{"x":1}'}
TEXT: dict[str, Any] = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "Hi", "annotations": []}],
}


def _item(stage: str, item: Any, index: int = 0) -> Any:
    return {"type": f"response.output_item.{stage}", "output_index": index, "item": item}


def _arguments(stage: str, text: str, index: int = 0, of: str = "function_call_arguments") -> Any:
    field = "delta" if stage == "delta" else "arguments"
    return {"type": f"response.{of}.{stage}", "output_index": index, field: text}


def _end(*output: Any) -> Any:
    return {
        "type": "response.completed",
        "response": {"id": "r", "object": "response", "status": "completed", "output": [*output]},
    }


def _calls(chunks: Iterable[Any], format: il.FormatName) -> list[tuple[str, Any]]:
    reader = il.reader(format)
    for _ in reader.read(chunks):
        pass
    return [(call.name, call.parsed) for call in reader.response.message.tool_uses]


STREAMS = {
    "the name with the end": [_item("added", UNNAMED), _arguments("done", '{"x":1}'), _item("done", CALL), _end(CALL)],
    "no field for the name": [
        _item("added", {"type": "function_call", "call_id": "call_1"}),
        _arguments("delta", '{"x"'),
        _arguments("delta", ":1}"),
        _item("done", CALL),
        _end(),
    ],
    "a free-form call": [
        _item("added", {**CUSTOM, "name": "", "input": ""}),
        _arguments("delta", '{"x":1}', of="custom_tool_call_input"),
        _item("done", CUSTOM),
        _end(CUSTOM),
    ],
    "arguments before their item": [_arguments("delta", '{"x"'), _item("added", OPEN), _arguments("delta", ":1}"), _end(CALL)],
    "the name in the last snapshot": [_item("added", UNNAMED), _arguments("delta", '{"x":1}'), _end(CALL)],
    "no name at the end": [
        _item("added", OPEN),
        _arguments("delta", '{"x":1}'),
        _item("done", {**CALL, "name": ""}),
        _end({**CALL, "name": ""}),
    ],
    "only the type at the end": [
        _item("added", OPEN),
        _arguments("delta", '{"x":1}'),
        _item("done", {"type": "function_call"}),
        _end(),
    ],
    "a free-form call with only its type at the end": [
        _item("added", {**CUSTOM, "input": ""}),
        _arguments("delta", '{"x":1}', of="custom_tool_call_input"),
        _item("done", {"type": "custom_tool_call"}),
        _end(),
    ],
    "behind an open text": [
        _item("added", {**TEXT, "content": []}),
        _item("added", UNNAMED, 1),
        _arguments("delta", '{"x":1}', 1),
        _item("done", CALL, 1),
        _item("done", TEXT),
        _end(TEXT, CALL),
    ],
}


@pytest.mark.parametrize("target", ["openai_responses", "openai_chat", "anthropic", "gemini"])
@pytest.mark.parametrize("stream", STREAMS.values(), ids=STREAMS)
def test_a_call_gets_its_name_wherever_that_comes(stream: list[Any], target: Any) -> None:
    chunks = il.restream(stream, source="openai_responses", target=target, on_loss="ignore")
    is_free_form = any(each.get("item", {}).get("type") == CUSTOM["type"] for each in stream) and target in (
        "anthropic",
        "gemini",
    )
    assert _calls(chunks, target) == [("f", {"input": '{"x":1}'} if is_free_form else {"x": 1})]


def test_a_call_whose_name_never_comes_is_there_at_the_end() -> None:
    stream = [_item("added", UNNAMED), _arguments("delta", '{"x":1}'), _end({**CALL, "name": ""})]
    assert _calls(stream, "openai_responses") == [("", {"x": 1})]


@pytest.mark.parametrize("of", ["function_call_arguments", "custom_tool_call_input"])
def test_arguments_of_no_item_are_a_stream_error_at_the_end(of: str) -> None:
    with pytest.raises(il.StreamError, match="must follow the start of its item"):
        _calls([_arguments("delta", "{}", of=of), _end()], "openai_responses")
