"""Answers whose calls are in choices of their own."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il


def said(**message: Any) -> dict[str, Any]:
    return {"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", **message}}


def call(id: str) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}}


def body(*choices: dict[str, Any]) -> dict[str, Any]:
    return {"object": "chat.completion", "model": "m", "choices": [*choices]}


def called(response: il.Response) -> list[str | None]:
    calls = [call.id for call in response.message.tool_calls or ()]
    return calls + [part.id for part in response.message.content or () if isinstance(part, il.ToolUsePart)]


@pytest.mark.parametrize("target", ["anthropic", "openai_responses", "gemini", "bedrock_converse", "cohere", "openrouter"])
@pytest.mark.parametrize("together", [True, False])
def test_calls_in_choices_of_their_own_are_part_of_the_first_answer(target: il.FormatName, together: bool) -> None:
    calls = [said(tool_calls=[call("a"), call("b")])] if together else [said(tool_calls=[call(id)]) for id in "ab"]
    wire = body(said(content="I look."), *calls)
    response = il.load_response(wire, "openai_chat")
    assert il.dump_response(response, "openai_chat", on_loss="raise") == wire
    losses: list[il.Loss] = []
    again = il.load_response(il.dump_response(response, target, on_loss=losses.append), target)
    assert called(again) == ["a", "b"]
    assert len(again.choices) == 1
    moved = [loss.path for loss in losses if loss.kind == "moved"]
    assert moved == [f"/choices/{i + 1}" for i in range(len(calls))]


def test_fields_beside_the_calls_are_reported_unless_they_say_nothing() -> None:
    apart = said(tool_calls=[call("a")], refusal=None, annotations=[], remark="abc")
    apart |= {"logprobs": None, "content_filter_results": {}, "extra": 1}
    response = il.load_response(body(said(content="I look."), apart), "openai_chat")
    losses: list[il.Loss] = []
    written: Any = il.dump_response(response, "anthropic", on_loss=losses.append)
    assert [block["type"] for block in written["content"]] == ["text", "tool_use"]
    assert [(loss.kind, loss.path) for loss in losses if loss.path.startswith("/choices")] == [
        ("moved", "/choices/1"),
        ("dropped", "/choices/1/provider_data/openai/extra"),
        ("dropped", "/choices/1/message/provider_data/openai/remark"),
    ]


def test_losses_point_at_the_calls_where_they_were() -> None:
    response = il.load_response(body(said(content="I look."), said(tool_calls=[call("a.1"), call("b.2")])), "openai_chat")
    losses: list[il.Loss] = []
    il.dump_response(response, "mistral", on_loss=losses.append)
    paths = [loss.path for loss in losses if loss.kind == "changed"]
    assert paths == [f"/choices/1/message/tool_calls/{i}/id" for i in range(2)]


OTHERS: list[list[dict[str, Any]]] = [
    [said(content="a", tool_calls=[call("a")]), said(tool_calls=[call("b")])],
    [said(content="a"), said(content="b", tool_calls=[call("b")])],
    [said(content="a") | {"finish_reason": "stop"}, said(tool_calls=[call("b")])],
]


@pytest.mark.parametrize("choices", OTHERS, ids=["calls", "words", "stop"])
def test_another_answer_stays_another(choices: list[dict[str, Any]]) -> None:
    response = il.load_response(body(*choices), "openai_chat")
    losses: list[il.Loss] = []
    il.dump_response(response, "anthropic", on_loss=losses.append)
    assert [loss.kind for loss in losses if loss.path == "/choices/1"] == ["dropped"]


def test_an_answer_between_keeps_its_number() -> None:
    other = said(content="b", tool_calls=[call("b.1")])
    response = il.load_response(body(said(content="a"), said(tool_calls=[call("a")]), other), "openai_chat")
    losses: list[il.Loss] = []
    written: Any = il.dump_response(response, "mistral", on_loss=losses.append)
    assert len(written["choices"]) == 2
    assert [loss.path for loss in losses if loss.kind == "changed"] == [
        "/choices/1/message/tool_calls/0/id",
        "/choices/2/message/tool_calls/0/id",
    ]
