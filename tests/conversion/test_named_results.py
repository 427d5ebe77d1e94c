"""The name of a tool in its result, which adds nothing if the call has the same id and name."""

from typing import Any

import pytest

import interlingua as il

Wire = dict[str, Any]
HISTORIES: dict[il.FormatName, Any] = {
    "openai_chat": {
        "messages": [
            {"role": "user", "content": "Go."},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "call00001", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
            },
            {"role": "tool", "tool_call_id": "call00001", "name": "f", "content": "1"},
        ]
    },
    "mistral": {
        "messages": [
            {"role": "user", "content": "Go."},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"id": "call00001", "function": {"name": "f", "arguments": "{}"}}],
            },
            {"role": "tool", "tool_call_id": "call00001", "name": "f", "content": "1"},
        ]
    },
    "gemini": {
        "contents": [
            {"role": "user", "parts": [{"text": "Go."}]},
            {"role": "model", "parts": [{"functionCall": {"id": "call00001", "name": "f", "args": {}}}]},
            {"role": "user", "parts": [{"functionResponse": {"id": "call00001", "name": "f", "response": {"n": 1}}}]},
        ]
    },
}
UNNAMED: list[il.FormatName] = ["anthropic", "bedrock_converse", "cohere", "deepseek", "openai_chat", "openrouter"]
"""Formats whose results have no name."""


def _named(wire: Wire, name: str) -> Wire:
    """The history with this name in its result."""
    key = "contents" if "contents" in wire else "messages"
    *before, last = wire[key]
    if "parts" in last:
        [part] = last["parts"]
        return {key: [*before, {**last, "parts": [{"functionResponse": part["functionResponse"] | {"name": name}}]}]}
    return {key: [*before, last | {"name": name}]}


def _lost_names(wire: Wire, source: il.FormatName, target: il.FormatName) -> list[str]:
    return [loss.kind for loss in il.convert(wire, source=source, target=target).losses if loss.path.endswith("/name")]


@pytest.mark.parametrize("target", UNNAMED)
@pytest.mark.parametrize("source", HISTORIES)
def test_a_result_that_has_the_name_of_its_call_loses_nothing_with_it(source: il.FormatName, target: il.FormatName) -> None:
    if source != target:
        assert _lost_names(HISTORIES[source], source, target) == []


@pytest.mark.parametrize("target", UNNAMED)
@pytest.mark.parametrize("source", HISTORIES)
def test_another_name_than_that_of_the_call_is_a_loss(source: il.FormatName, target: il.FormatName) -> None:
    if source != target:
        assert _lost_names(_named(HISTORIES[source], "g"), source, target) == ["dropped"]


@pytest.mark.parametrize("target", UNNAMED)
def test_the_name_in_a_result_without_a_call_is_a_loss(target: il.FormatName) -> None:
    user, _, result = HISTORIES["mistral"]["messages"]
    assert _lost_names({"messages": [user, result]}, "mistral", target) == ["dropped"]


def test_a_result_answers_the_latest_call_with_its_id() -> None:
    user, called, result = HISTORIES["mistral"]["messages"]
    again: Wire = {"id": "call00001", "function": {"name": "g", "arguments": "{}"}}
    later = [{**called, "tool_calls": [again]}, {**result, "name": "g"}]
    assert _lost_names({"messages": [user, called, result, *later]}, "mistral", "anthropic") == []
    assert _lost_names({"messages": [user, called, result, later[0], result]}, "mistral", "anthropic") == ["dropped"]


def test_a_call_written_exactly_has_a_name_too() -> None:
    request = il.load(HISTORIES["openai_chat"], "openai_chat")
    result = il.ToolMessage(tool_call_id="call00001", name="f", content="1")
    il.dump(request.replace(messages=[*request.messages[:2], result]), "openai_chat", on_loss="raise")
