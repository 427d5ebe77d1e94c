"""Results of tools as Clacky adds them to a conversation."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from history.building import Builder
from interlingua import testing
from interlingua.testing.lawbook import documents, share
from laws import sdks

# Clacky's tool results

CALLS = il.AssistantMessage(tool_calls=tuple(il.ToolCall(id=id, name="f", arguments="{}") for id in ("a", "b")))


RESPELLINGS: list[Callable[[il.AssistantMessage], Any]] = [lambda m: m, lambda m: m.to_blocks(), lambda m: m.to_dict()]


@pytest.mark.parametrize("respell", RESPELLINGS, ids=["flat", "blocks", "dict"])
@pytest.mark.parametrize(
    "results",
    [
        {"b": "2", "a": "1"},
        [{"id": "b", "content": "2"}, {"id": "a", "content": "1"}],
        [il.ToolMessage(tool_call_id="b", content="2"), il.ToolResultPart(tool_use_id="a", content="1")],
        [{"tool_call_id": "a", "content": "1"}, {"type": "tool_result", "tool_use_id": "b", "content": "2"}],
        [{"role": "tool", "tool_call_id": "a", "content": "1"}, {"id": "b", "content": "2"}],
    ],
    ids=["by id", "dicts", "models", "both spellings", "with a role"],
)
def test_results_come_in_the_order_of_the_calls(respell: Any, results: Any) -> None:
    made = il.tool_results(respell(CALLS), results)
    assert made == [il.ToolMessage(tool_call_id="a", content="1"), il.ToolMessage(tool_call_id="b", content="2")]
    if documents.is_array(results):
        assert il.tool_results(CALLS, iter(results)) == made


def test_a_missing_result_is_reported_as_an_error() -> None:
    response = il.Response(choices=(il.Choice(message=CALLS),))
    done, missing = il.tool_results(response, {"a": [il.TextPart(text="1")]})
    assert (done.tool_call_id, done.text, done.is_error) == ("a", "1", None)
    assert (missing.tool_call_id, missing.is_error) == ("b", True)
    assert "missing" in json.loads(missing.text)["error"]
    builder = Builder()
    for message in (CALLS, done, missing):
        builder.append(message)
    assert builder.get_unresolved_tool_use_blocks() == []
    assert sdks.request_faults({"messages": builder.dump_anthropic(on_loss="raise")}, "anthropic") == []


def test_an_error_of_a_tool_stays_one() -> None:
    first, _ = il.tool_results(CALLS, [{"id": "a", "content": "no such file", "is_error": True}])
    assert first == il.ToolMessage(tool_call_id="a", content="no such file", is_error=True)


def test_results_without_ids_answer_the_calls_without() -> None:
    message = il.AssistantMessage(tool_calls=tuple(il.ToolCall(name=name, arguments="{}") for name in ("f", "g", "h")))
    made = il.tool_results(message, [{"content": "1"}, il.ToolMessage(content="2")])
    assert [result.text for result in made[:2]] == ["1", "2"]
    assert [(result.is_error, "tool_call_id" in result) for result in made] == [(None, False)] * 2 + [(True, False)]


@pytest.mark.parametrize(
    ("results", "path", "reason"),
    [
        ([{"id": "a", "content": "1"}, {"id": "a", "content": "2"}], "/1", "already"),
        ({"x/y": "1"}, "/x~1y", "the id of a call"),
        ([{"content": "1"}], "/0", "the id of a call"),
        ({"a": {5}}, "/a", "set is not"),
        ({"a": {"x": [1, float("nan")]}}, "/a/x/1", "NaN"),
        ([{"id": "a", "content": {"x": object()}}], "/0/content/x", "object is not"),
        ([{"role": "tool", "tool_call_id": "a", "content": {"x": 1}}], "/0/content", "text or"),
        ({"a": [{"type": "file", "name": "a.txt"}]}, "/a/0/source", "required.*read as parts.*as text"),
        ([{"id": "a", "content": "1", "novel": 1}], "/0/novel", "Extra"),
        ([5], "/0", "dictionary|object"),
        ("ab", "", "results"),
        (5, "", "results"),
    ],
)
def test_results_that_answer_nothing_are_refused(results: Any, path: str, reason: str) -> None:
    with pytest.raises(il.InvalidPayload, match=reason) as reported:
        il.tool_results(CALLS, results)
    assert path in [fault.path for fault in reported.value.faults]


RESULT_PARTS = {"text", "image", "audio", "video", "file", "image_url", "input_audio", "opaque"}


PARTS = testing.parts().map(lambda part: part.to_dict())


@given(
    value=testing.json_values()
    | st.lists(PARTS)
    | st.lists(share.such(PARTS, lambda part: part["type"] in RESULT_PARTS), max_size=3)
)
def test_a_result_is_any_json_value(value: Any) -> None:
    call, builder = il.AssistantMessage(tool_calls=[il.ToolCall(id="a", name="f", arguments="{}")]), Builder()
    builder.append(call)
    try:
        (message,) = il.tool_results(call, {"a": value})
    except il.InvalidPayload:  # a list of parts of which one has no place in a result
        share.judged(False, least=0.45)
        assert {part["type"] for part in value} - RESULT_PARTS
        return
    share.judged(True, least=0.45)
    assert il.tool_results(call, [{"id": "a", "content": value}]) == [message]
    assert builder.append_tool_result("a", value) == message.result
    if isinstance(value, str) or not isinstance(message.content, str):
        assert message["content"] == value
    else:
        assert documents.canonical(json.loads(message.content)) == documents.canonical(value)


def test_a_message_of_no_kind_is_refused() -> None:
    with pytest.raises(il.InvalidPayload) as reported:
        il.tool_results({"role": "assistant", "content": 5}, {})
    assert [fault.path for fault in reported.value.faults] == ["/content"]


@pytest.mark.parametrize(
    ("message", "ids"),
    [
        (il.ToolMessage(tool_call_id="a", content="1"), ["a"]),
        (il.UserMessage(content=tuple(il.ToolResultPart(tool_use_id=id) for id in ("a", "b"))), ["a", "b"]),
        (il.UserMessage(content=(il.TextPart(text="x"), il.ToolResultPart(tool_use_id="a"))), ["a"]),
    ],
)
def test_tool_results_are_known_in_both_spellings(message: Any, ids: list[str]) -> None:
    for given_as in (message, message.to_dict()):
        assert il.is_tool_result(given_as)
        assert il.tool_use_ids(given_as) == ids


@pytest.mark.parametrize(
    "message",
    [
        il.UserMessage(content="x"),
        il.UserMessage(content=(il.TextPart(text="x"),)),
        CALLS,
        il.AssistantMessage(content="x"),
        il.OpaqueMessage(format="openai", value={"role": "tool"}),
    ],
)
def test_other_messages_are_no_results(message: Any) -> None:
    for given_as in (message, message.to_dict()):
        assert not il.is_tool_result(given_as)
        assert il.tool_use_ids(given_as) == []


def test_a_result_without_an_id_is_one_too() -> None:
    assert il.is_tool_result({"role": "tool", "content": "x"})
    assert il.tool_use_ids(il.ToolMessage(content="x")) == []
