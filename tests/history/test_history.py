"""Units of histories, and histories that are trimmed: whole units go, oldest first, and what stays is as valid as before."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from checking.rule_sets import RULES
from interlingua import testing
from interlingua.testing.lawbook import share
from laws import over


def user(text: str = "q") -> il.Message:
    return il.UserMessage(content=text)


def said(text: str = "a") -> il.Message:
    return il.AssistantMessage(content=text)


def called(*ids: str | None, **fields: Any) -> il.Message:
    return il.AssistantMessage(tool_calls=[il.ToolCall(id=id, name="f", arguments="{}") for id in ids], **fields)


def thought(id: str | None, *, signed: bool = True, issuer: str = "anthropic") -> il.Message:
    signature: dict[str, Any] = {"signature": "c2ln", "issuer": issuer} if signed else {}
    call = [] if id is None else [il.ToolUsePart(id=id, name="f", input={})]
    return il.AssistantMessage(content=[il.ThinkingPart(thinking="t", **signature), *call])


def result(id: str | None, **fields: Any) -> il.Message:
    return il.ToolMessage(tool_call_id=id, content="r", **fields)


def results(*ids: str, text: str | None = None) -> il.Message:
    held: list[il.Part] = [il.ToolResultPart(tool_use_id=id, content="r") for id in ids]
    return il.UserMessage(content=[*held, *([] if text is None else [il.TextPart(text=text)])])


SYSTEM = il.SystemMessage(content="s")
LATER = il.DeveloperMessage(content="d")
ITEM = il.OpaqueMessage(format="openai_responses", value={"type": "item_reference", "id": "x"})


def shown(history: Sequence[il.Message]) -> list[tuple[str, int]]:
    return [(unit.role, len(unit.messages)) for unit in il.units(history)]


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        ([], []),
        ([SYSTEM, LATER, user(), user(), said(), user()], "s1 s1 u2 a1 u1"),
        ([user(), called("a", "b"), result("b"), result("a"), called("c"), results("c"), said()], "u1 a3 a2 a1"),
        ([user(), said(), called("a"), results("a", text="and"), said()], "u1 a3 a1"),
        ([called("a"), user(), result("a"), user()], "a3 u1"),
        ([called("a"), SYSTEM, result("a"), said()], "a3 a1"),
        ([called("a"), SYSTEM, result("x"), said()], "a3 a1"),
        ([called("a"), result("a"), result("a"), user(), result("a")], "a3 u1 a1"),
        ([user(), result("a"), said()], "u1 a1 a1"),
        ([user(""), said(), user()], "u1 a1 u1"),
        ([user(), user(" "), said(), user(""), said()], "u2 a3"),
        ([user(), ITEM, said(), called("a"), result("a"), ITEM, said()], "u1 a5 a1"),
        ([il.TextMessage(content="a"), il.TextMessage(content="b")], "u1 u1"),
        # Results without an id answer the calls without one, in order, or by name.
        ([user(), called(None), user(), result(None), said()], "u1 a3 a1"),
        ([user(), called(None), user(), result(None, name="f"), said()], "u1 a3 a1"),
        ([user(), called(None), user(), result(None, name="g"), said()], "u1 a1 u1 a1 a1"),
        ([user(), called(None, None), user(), result(None), user(), result(None), result(None)], "u1 a6"),
        # A call may be answered once, and its id used again.
        ([called("a"), result("a"), called("a"), result("a")], "a2 a2"),
        # Signed reasoning binds the rounds that begin without it.
        ([user(), thought("a"), result("a"), called("b"), result("b"), said(), user(), said()], "u1 a5 u1 a1"),
        ([user(), thought("a"), result("a"), thought("b"), result("b"), said()], "u1 a2 a3"),
        ([user(), thought("a", signed=False), result("a"), called("b"), result("b")], "u1 a2 a2"),
        ([user(), thought("a"), result("a"), thought("b", issuer="openai"), result("b"), said()], "u1 a5"),
        ([user(), called("a"), thought("b"), result("a"), result("b"), called("c"), said()], "u1 a6"),
        ([user(), thought("a"), result("a"), SYSTEM, called("b"), result("b")], "u1 a5"),
        ([user(), called("a"), result("a"), thought("b"), result("b"), user(), called("c")], "u1 a2 a2 u1 a1"),
    ],
)
def test_units(history: list[il.Message], expected: str | list[Any]) -> None:
    roles = {"s": "system", "u": "user", "a": "assistant"}
    wanted = [(roles[word[0]], int(word[1:])) for word in expected.split()] if isinstance(expected, str) else expected
    assert shown(history) == wanted


@given(st.lists(testing.messages(), max_size=8))
def test_units_are_all_messages_in_order(history: list[il.Message]) -> None:
    assert [id(message) for unit in il.units(history) for message in unit.messages] == list(map(id, history))


LONG = [SYSTEM, user("1"), called("a", "b"), result("a"), result("b"), called("c"), result("c"), said(), user("2"), said()]


@pytest.mark.parametrize(
    ("keep", "expected"),
    [(10, "0123456789"), (9, "0156789"), (7, "0156789"), (6, "01789"), (5, "01789"), (4, "089"), (0, "089"), (-1, "089")],
)
def test_trim_drops_the_oldest_rounds_and_then_the_turn(keep: int, expected: str) -> None:
    short = il.trim(LONG, keep=keep, count=lambda _: 1)
    assert [next(i for i, message in enumerate(LONG) if message is kept) for kept in short] == [int(i) for i in expected]


def test_the_last_unit_stays_with_its_question() -> None:
    history = [user("1"), said(), user("2"), called("a"), result("a"), SYSTEM, called("b")]
    assert il.trim(history, keep=0, count=lambda _: 1) == [history[2], *history[5:]]


def test_the_assistant_begins_only_where_nobody_asked() -> None:
    assert il.trim([said("0"), user(), said()], keep=2, count=lambda _: 1) == [user(), said()]
    history = [called("a"), result("a"), called("b"), result("b")]
    assert il.trim(history, keep=3, count=lambda _: 1) == history[2:]
    assert il.trim([SYSTEM, LATER], keep=1, count=lambda _: 1) == [SYSTEM, LATER]


@pytest.mark.parametrize("value", [None, 5, "[]", {"messages": []}])
def test_what_is_no_history_is_invalid(value: Any) -> None:
    calls: list[Callable[[Any], object]] = [il.units, il.merge_runs, il.strip_reasoning, partial(il.trim, keep=1, count=len)]
    for call in calls:
        with pytest.raises(il.InvalidPayload, match="list of messages"):
            call(value)


@pytest.mark.parametrize("counted", [None, "3"])
def test_a_count_that_is_no_number_is_an_error(counted: Any) -> None:
    with pytest.raises(TypeError, match="count must return a number"):
        il.trim([user()], keep=1, count=lambda _: counted)


def test_dicts_are_trimmed_too() -> None:
    history = [{"role": "user", "content": "1"}, {"role": "assistant", "content": "2"}, {"role": "user", "content": "3"}]
    asked: list[Any] = []

    def count(message: dict[str, Any]) -> int:
        asked.append(message)
        return 1

    [kept] = il.trim(iter(history), keep=1, count=count)
    assert kept is history[2]
    assert all(a is b for a, b in zip(asked, history, strict=True))


def test_runs_are_merged() -> None:
    history = [SYSTEM, user("1"), user("2"), said("3"), called("a", reasoning_content="t"), result("a"), result("b"), user("4")]
    merged = il.merge_runs(history)
    assert [message.role for message in merged] == ["system", "user", "assistant", "tool", "tool", "user"]
    assert [part.type for part in merged[2].parts] == ["text", "thinking", "tool_use"]
    named: il.Message = il.UserMessage(content="5", name="n")
    assert il.merge_runs([user("1"), named, named])[1] == il.UserMessage(content=[*named.parts, *named.parts], name="n")


def test_reasoning_is_stripped() -> None:
    flat = called("a", reasoning_content="t")
    assert il.strip_reasoning([user(), thought(None), thought("a"), flat]) == [
        user(),
        il.AssistantMessage(content=[il.ToolUsePart(id="a", name="f", input={})]),
        called("a"),
    ]


def errors(value: Sequence[il.Message] | il.Request, format: il.FormatName) -> set[str]:
    return {problem.code for problem in il.check(value, format) if problem.severity == "error"}


@over.formats(list(RULES))
@given(data=st.data())
def test_what_is_trimmed_at_any_budget_is_valid(format: il.FormatName, data: st.DataObject) -> None:
    history = data.draw(testing.conversations(valid_for=format))
    before = errors(history, format)
    share.judged(not before, least=0.8)
    for keep in range(len(history)):
        short = il.trim(history, keep=keep, count=lambda _: 1)
        assert errors(short, format) <= before
        assert short[-1] is history[-1]
        kept = [any(message is other for other in short) for message in history]
        assert all(stays or message.role not in ("system", "developer") for message, stays in zip(history, kept, strict=True))


@over.formats(list(RULES))
@given(data=st.data())
def test_what_was_loaded_and_is_trimmed_has_no_new_errors(format: il.FormatName, data: st.DataObject) -> None:
    request = il.load(data.draw(testing.payloads(format) | testing.payloads(format, odd=False)), format)
    before = errors(request, format)
    share.judged(not before and len(request.messages) > 1, least=0.5)
    for keep in range(len(request.messages)):
        short = il.trim(request.messages, keep=keep, count=lambda _: 1)
        assert errors(request.replace(messages=short), format) <= before
