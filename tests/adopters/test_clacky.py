"""Clacky's request for Anthropic: from messages in OpenAI's shape to a body with tools, cache marks, effort and legal ids."""

import re
from typing import Any, cast

import pytest
from hypothesis import example, given, settings, strategies as st

import interlingua as il

LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,128}")

MARK = {"type": "ephemeral"}

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}

MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "You write code."},
    {"role": "user", "content": "Read the file."},
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "read:0", "function": {"name": "read", "arguments": '{"path": "a"}'}}],
    },
    {"role": "tool", "tool_call_id": "read:0", "content": "print()"},
]

TOOLS = [
    {"type": "function", "function": {"name": "read", "description": "Reads a file.", "parameters": SCHEMA}},
    {"type": "function", "function": {"name": "list", "description": "Lists files.", "parameters": SCHEMA}},
]

BODY: dict[str, Any] = {"model": "claude", "max_tokens": 4096, "messages": MESSAGES, "tools": TOOLS}


def body(changes: dict[str, Any] | None = None, wire: dict[str, Any] = BODY) -> dict[str, Any]:
    """The Anthropic body of a request that is loaded from clacky and changed."""
    payload: Any = il.dump(il.load(wire, "clacky").replace(**changes or {}), "anthropic", on_loss="ignore")
    return cast("dict[str, Any]", payload)


def ids(wire: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The ids of an Anthropic body's calls and of its results."""
    blocks = [block for message in wire["messages"] if isinstance(message["content"], list) for block in message["content"]]
    calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    return calls, [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]


def turn(calls: list[str], results: list[str]) -> list[dict[str, Any]]:
    """A turn of the assistant with these calls, and their results."""
    asked = [{"id": call, "function": {"name": "read", "arguments": "{}"}} for call in calls]
    answers = [{"role": "tool", "tool_call_id": result, "content": result} for result in results]
    return [{"role": "assistant", "content": None, "tool_calls": asked}, *answers]


def marks(value: dict[str, Any] | list[Any], path: str = "") -> dict[str, Any]:
    """Every cache mark in a body, by the path of its owner."""
    found: dict[str, Any] = {}
    for key, item in enumerate(value) if isinstance(value, list) else value.items():
        if key == "cache_control":
            found[path] = item
        elif type(item) in (dict, list):
            found |= marks(item, f"{path}/{key}")
    return found


# The body


def test_the_body() -> None:
    written = body()
    (call,), (result,) = ids(written)
    assert call == result
    assert written == {
        "model": "claude",
        "max_tokens": 4096,
        "system": "You write code.",
        "messages": [
            {"role": "user", "content": "Read the file."},
            {"role": "assistant", "content": [{"type": "tool_use", "id": call, "name": "read", "input": {"path": "a"}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call, "content": "print()"}]},
        ],
        "tools": [
            {"name": "read", "description": "Reads a file.", "input_schema": SCHEMA},
            {"name": "list", "description": "Lists files.", "input_schema": SCHEMA},
        ],
    }


def test_what_is_not_there_is_not_written() -> None:
    assert body(wire={"messages": MESSAGES[1:2]}) == {"messages": MESSAGES[1:2]}
    assert "tools" not in body({"tools": ()})


def test_every_system_text_leads() -> None:
    first, second = "You write code.", "Be brief."
    wire = {"messages": [{"role": "system", "content": first}, {"role": "system", "content": second}, MESSAGES[1]]}
    written = body(wire=wire)
    assert [block["text"] for block in written["system"]] == [first, second]
    assert written["messages"] == [MESSAGES[1]]


@pytest.mark.parametrize(
    "call",
    [
        {"id": "a", "function": {"name": "read", "arguments": "{}"}},
        {"id": "a", "type": "function", "function": {"name": "read", "arguments": "{}"}},
        {"id": "a", "type": "function", "name": "read", "arguments": "{}"},
    ],
    ids=["untyped", "typed", "flat, as its parser of responses writes them"],
)
def test_every_spelling_of_a_call(call: dict[str, Any]) -> None:
    wire = {"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y", "tool_calls": [call]}]}
    assert il.dump(il.load(wire, "clacky"), "clacky", on_loss="raise") == wire
    written = il.convert(wire, source="clacky", target="anthropic", strict=True).payload
    assert written["messages"][1]["content"][1] == {"type": "tool_use", "id": "a", "name": "read", "input": {}}


# Caching


def test_caching_marks_the_last_tool_the_system_text_and_the_last_messages() -> None:
    written = body({"caching": il.Caching()})
    assert marks(written) == {
        "/tools/1": MARK,
        "/system/0": MARK,
        "/messages/1/content/0": MARK,
        "/messages/2/content/0": MARK,
    }
    assert written["system"] == [{"type": "text", "text": "You write code.", "cache_control": MARK}]


def test_without_caching_there_is_no_mark() -> None:
    assert marks(body()) == {}


@pytest.mark.parametrize(
    ("caching", "owners"),
    [
        (il.Caching(system=False, messages=0), ["/tools/1"]),
        (il.Caching(tools=False, messages=0), ["/system/0"]),
        (il.Caching(tools=False, system=False, messages=1), ["/messages/2/content/0"]),
        (
            il.Caching(tools=False, system=False, messages=3),
            ["/messages/0/content/0", "/messages/1/content/0", "/messages/2/content/0"],
        ),
        (il.Caching(tools=False, system=False, messages=0), []),
    ],
)
def test_each_place_can_be_left_out(caching: il.Caching, owners: list[str]) -> None:
    assert sorted(marks(body({"caching": caching}))) == owners


def test_marks_carry_the_time_that_was_asked_for() -> None:
    found = marks(body({"caching": il.Caching(ttl="1h")}))
    assert len(found) == 4
    assert all(mark == {"type": "ephemeral", "ttl": "1h"} for mark in found.values())


@pytest.mark.parametrize("messages", range(5))
def test_there_are_never_more_marks_than_the_four_that_anthropic_takes(messages: int) -> None:
    assert len(marks(body({"caching": il.Caching(messages=messages)}))) <= 4


def test_caching_leaves_the_request_and_its_messages_alone() -> None:
    request = il.load(BODY, "clacky").replace(caching=il.Caching())
    before = request.to_dict()
    assert marks(before) == {}
    first, second = (cast("dict[str, Any]", il.dump(request, "anthropic", on_loss="ignore")) for _ in range(2))
    first["tools"][-1]["cache_control"]["ttl"] = first["tools"][-1]["input_schema"]["type"] = "spoilt"
    assert request.to_dict() == before
    assert il.dump(request, "anthropic", on_loss="ignore") == second


# Effort


@pytest.mark.parametrize("effort", ["low", "medium", "high"])
def test_effort_switches_thinking_on(effort: str) -> None:
    written = body({"reasoning_effort": effort})
    assert written["thinking"] == {"type": "adaptive"}
    assert written["output_config"] == {"effort": effort}


def test_without_effort_nothing_is_said_of_thinking() -> None:
    assert not {"thinking", "output_config"} & body().keys()


# Ids


def test_an_illegal_id_is_made_legal_for_call_and_result_alike() -> None:
    wire = {"messages": turn(["tool_name:0", "ok_1"], ["ok_1", "tool_name:0"])}
    calls, results = ids(body(wire=wire))
    assert calls == results[::-1]
    assert all(LEGAL.fullmatch(call) for call in calls)
    assert calls[1] == "ok_1"


@settings(max_examples=200)
@example(["a.b", "a:b", "a_b", "a b", "il_a_2e_b"])
@example(["x" * 200 + "1", "x" * 200 + "2"])
@example(["read:0", "il_read_3a_0", "il_il_5f_read_5f_3a_5f_0"])
@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=150), min_size=1, max_size=6, unique=True))
def test_two_ids_never_become_one(raw: list[str]) -> None:
    calls, results = ids(body(wire={"messages": turn(raw, raw[::-1])}))
    assert calls == results[::-1]
    assert len(set(calls)) == len(raw)
    assert all(LEGAL.fullmatch(call) for call in calls)


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=12), min_size=1, max_size=4, unique=True))
def test_ids_come_back_as_they_were(raw: list[str]) -> None:
    home = il.convert(body(wire={"messages": turn(raw, raw)}), source="anthropic", target="clacky").payload["messages"]
    assert [call["id"] for call in home[0]["tool_calls"]] == raw
    assert [message["tool_call_id"] for message in home[1:]] == raw


def test_an_id_that_each_turn_uses_again_is_distinguished() -> None:
    """Some hosts count calls from zero in every turn; Anthropic refuses an id that a former turn had."""
    calls, results = ids(body(wire={"messages": [*turn(["read:0"], ["read:0"]), *turn(["read:0"], ["read:0"])]}))
    assert calls == results
    assert len(set(calls)) == 2
