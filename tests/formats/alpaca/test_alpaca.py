"""Alpaca's rows: an instruction with its input, the output, and the pairs before them."""

from typing import Any

import pytest

import interlingua as il
from interlingua.testing.lawbook import spoke


def chat(*messages: tuple[str, str]) -> list[dict[str, Any]]:
    return [{"role": role, "content": content} for role, content in messages]


def test_a_row_is_a_conversation() -> None:
    row = {
        "instruction": "Sum up.",
        "input": "A text.",
        "output": "It is short.",
        "history": [["Hi.", "Hello."]],
        "system": "S",
    }
    result = il.convert(row, source="alpaca", target="openai_chat", strict=True)
    turns = [
        ("system", "S"),
        ("user", "Hi."),
        ("assistant", "Hello."),
        ("user", "Sum up.\nA text."),
        ("assistant", "It is short."),
    ]
    assert result.payload == {"messages": chat(*turns)}
    assert result.places["/messages/3"] == "/instruction"


def test_a_conversation_is_a_row() -> None:
    turns = [("system", "S"), ("user", "q"), ("assistant", "r"), ("user", "s"), ("assistant", "t")]
    result = il.convert(chat(*turns), source="openai_chat", target="alpaca", strict=True)
    assert result.payload == {"system": "S", "history": [["q", "r"]], "instruction": "s", "input": "", "output": "t"}


@pytest.mark.parametrize(
    ("turns", "row"),
    [
        ([("user", "q"), ("user", "r")], {"instruction": "q\nr", "input": ""}),
        ([("assistant", "a")], {"instruction": "", "input": "", "output": "a"}),
        ([("assistant", "a"), ("user", "q")], {"history": [["", "a"]], "instruction": "q", "input": ""}),
        ([("user", "q"), ("system", "S"), ("assistant", "a")], {"instruction": "q\nS", "input": "", "output": "a"}),
        ([("system", ""), ("user", "q")], {"instruction": "q", "input": ""}),
    ],
)
def test_turns_alternate(turns: list[tuple[str, str]], row: dict[str, Any]) -> None:
    result = il.convert(chat(*turns), source="openai_chat", target="alpaca")
    assert result.payload == row
    joined = any("\n" in str(value) for value in row.values())
    assert joined == any(loss.kind == "changed" for loss in result.losses)


@pytest.mark.parametrize(
    "row",
    [
        {"instruction": "a"},
        {"instruction": "a", "input": None, "output": ""},
        {"instruction": "", "input": "b"},
        {"output": "a"},
        {"history": [["a", "b"]]},
        {"history": [["a", "b"]], "output": "c"},
        {"history": [["a", "b"], ["", ""]], "instruction": "c", "system": ""},
        {"history": [], "instruction": "a", "output": None, "source": {"x": [1]}},
    ],
)
def test_a_row_comes_back_as_it_was(row: dict[str, Any]) -> None:
    assert il.dump(il.load(row, "alpaca"), "alpaca", on_loss="raise") == row


def test_an_edit_wins_over_the_recorded_length_of_the_input() -> None:
    request = il.load({"instruction": "a", "input": "bc", "output": "d"}, "alpaca")
    asked: Any = request.messages[0]
    edited = request.replace(messages=[asked.replace(content="x"), request.messages[1]])
    assert il.dump(edited, "alpaca", on_loss="raise") == {"instruction": "x", "input": "", "output": "d"}


@pytest.mark.parametrize("content", ["", [{"type": "text", "text": ""}], []])
def test_system_messages_that_say_nothing_are_dropped_and_reported(content: Any) -> None:
    said = [{"role": "system", "content": content}, {"role": "system", "content": "S"}, {"role": "user", "content": "q"}]
    made = spoke.Spoke.of(il.Request(messages=il.validate(said)), il.FORMATS["alpaca"])
    assert made.payload == {"system": "S", "instruction": "q", "input": ""}
    assert [loss.path for loss in made.losses] == ["/messages/0"]
    assert [*made.faults(), *spoke.differences(made)] == []


def test_calls_and_results_have_no_place() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "r"},
        {"role": "assistant", "content": "s"},
    ]
    result = il.convert(messages, source="openai_chat", target="alpaca")
    assert result.payload == {"instruction": "q", "input": "", "output": "s"}
    assert [(loss.kind, loss.path) for loss in result.losses] == [("dropped", "/1"), ("dropped", "/2")]


@pytest.mark.parametrize(
    ("row", "path"),
    [({"instruction": 1}, "/instruction"), ({"history": [["a"]]}, "/history/0"), ({"history": [["a", 1]]}, "/history/0/1")],
)
def test_a_broken_row_is_one_fault(row: Any, path: str) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.load(row, "alpaca")
    assert [fault.path for fault in caught.value.faults] == [path]
