"""The beginning of the answer, which an assistant message at the end of a request has: how each host is told to continue it."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il
from interlingua.formats import hf_chat_template as template

ASKED = {"role": "user", "content": "Write JSON."}
BEGUN = {"role": "assistant", "content": "{"}
ON_REQUEST = {"continue_final_message": True, "add_generation_prompt": False}
MARKED: dict[str, dict[str, Any]] = {
    "anthropic": {"messages": [ASKED, BEGUN]},
    "openrouter": {"messages": [ASKED, BEGUN]},
    "mistral": {"messages": [ASKED, BEGUN | {"prefix": True}]},
    "deepseek": {"messages": [ASKED, BEGUN | {"prefix": True}]},
    "litellm": {"messages": [ASKED, BEGUN | {"prefix": True}]},
    "moonshot": {"messages": [ASKED, BEGUN | {"partial": True}]},
    "dashscope": {"messages": [ASKED, BEGUN | {"partial": True}]},
    "vllm": {"messages": [ASKED, BEGUN], **ON_REQUEST},
    "sglang": {"messages": [ASKED, BEGUN], **ON_REQUEST},
}
"""How each host is told that the answer continues the last message."""


def format_of(name: str) -> Any:
    return il.format_for(il.HOSTS[name], name) if name in il.HOSTS else name


@pytest.mark.parametrize("target", MARKED)
@pytest.mark.parametrize("source", ["mistral", "deepseek", "litellm", "moonshot", "vllm"])
def test_the_mark_is_spelled_as_the_host_spells_it(source: str, target: str) -> None:
    body = {"model": "m", "max_tokens": 9, **MARKED[source]}
    found = il.convert(body, source=format_of(source), target=format_of(target))
    expected = MARKED[source if target == "openrouter" else target]  # OpenRouter continues it with any field, and without one
    assert found.payload["messages"][-1] == expected["messages"][1]
    assert found.payload.keys() & ON_REQUEST.keys() == expected.keys() & ON_REQUEST.keys()
    assert not found.losses


@pytest.mark.parametrize("target", ["gemini", "bedrock_converse", "ollama", "groq"])
@pytest.mark.parametrize("source", ["mistral", "moonshot", "vllm"])
def test_a_host_that_always_continues_the_last_message_loses_no_mark(source: str, target: il.FormatName) -> None:
    found = il.convert({"model": "m", **MARKED[source]}, source=format_of(source), target=target)
    assert not [loss for loss in found.losses if loss.kind != "added"]


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "cohere"])
@pytest.mark.parametrize(("source", "lost"), [("mistral", 1), ("moonshot", 1), ("vllm", 2)])
def test_a_host_that_begins_a_new_message_loses_the_mark(source: str, lost: int, target: il.FormatName) -> None:
    found = il.convert({"model": "m", **MARKED[source]}, source=format_of(source), target=target)
    assert [loss.kind for loss in found.losses] == ["dropped"] * lost


@pytest.mark.parametrize("target", ["vllm", "sglang"])
def test_a_server_is_told_what_an_anthropic_request_says_by_its_order(target: il.FormatName) -> None:
    body = {"model": "m", "max_tokens": 9, **MARKED["anthropic"]}
    found = il.convert(body, source="anthropic", target=target)
    assert found.payload.items() >= MARKED[target].items()
    assert [(loss.kind, loss.at) for loss in found.losses] == [("added", f"/{key}") for key in ON_REQUEST]
    history = il.load(body["messages"], "anthropic")
    assert il.dump(history, target, settings=False, on_loss="raise") == {"messages": [ASKED, BEGUN]}
    called: dict[str, Any] = {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]}
    body["messages"] = [ASKED, called]
    assert not ON_REQUEST.keys() & il.convert(body, source="anthropic", target=target).payload.keys()


@pytest.mark.parametrize("target", ["anthropic", "openai_chat"])
def test_a_mark_that_says_nothing_is_no_loss(target: il.FormatName) -> None:
    said = {"model": "m", "max_tokens": 9, "messages": [ASKED, BEGUN | {"prefix": False}], "continue_final_message": False}
    assert not il.convert(said, source="vllm", target=target).losses


def test_a_profile_that_requires_the_prefix_says_enough() -> None:
    host = il.format_for(il.ChatProfile(prefix=True), "mine")
    body = {"model": "m", "max_tokens": 9, **MARKED["anthropic"]}
    assert il.convert(body, source="anthropic", target=host).payload["messages"][-1] == BEGUN | {"prefix": True}


def test_a_request_with_nothing_but_a_field_of_its_host_is_no_history() -> None:
    body = {**MARKED["anthropic"], "safe_prompt": True}
    assert il.convert(body, source="deepseek", target="mistral").payload["messages"][-1] == BEGUN | {"prefix": True}


@pytest.mark.parametrize("target", ["anthropic", "mistral", "vllm"])
def test_a_mark_beside_tool_calls_is_not_lost_in_silence(target: il.FormatName) -> None:
    call = {"id": "abcdefgh1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    last = BEGUN | {"partial": True, "tool_calls": [call]}
    found = il.convert({"model": "m", "messages": [ASKED, last]}, source=format_of("moonshot"), target=target)
    kept = "partial" in found.payload["messages"][-1]
    assert kept or "/messages/1/partial" in [loss.path for loss in found.losses]


def test_a_chat_template_goes_on_with_the_last_message() -> None:
    body = {"model": "m", **MARKED["mistral"]}
    assert il.convert(body, source="mistral", target="hf_chat_template").payload == {
        "messages": [ASKED, BEGUN],
        "continue_final_message": True,
    }


def test_the_last_message_that_is_written_gets_the_prefix_if_nothing_is_left_of_what_follows() -> None:
    text = {"type": "output_text", "text": "{"}
    items = [ASKED, {"role": "assistant", "content": [text]}, {"type": "item_reference", "id": "x"}]
    found = il.convert({"model": "m", "input": items}, source="openai_responses", target="mistral")
    assert found.payload["messages"][-1] == BEGUN | {"prefix": True, "content": [{"type": "text", "text": "{"}]}
    assert [loss.kind for loss in found.losses] == ["dropped", "added"]


def test_a_template_that_continues_nothing_loses_the_mark() -> None:
    never = template.format_for(template.ChatTemplateProfile(prefill=None, open=False))
    found = il.convert({"model": "m", **MARKED["mistral"]}, source="mistral", target=never)
    assert found.payload == {"messages": [ASKED, BEGUN]}
    assert "/messages/1/prefix" in {loss.path for loss in found.losses}


def test_what_a_template_always_continues_is_marked_elsewhere() -> None:
    always = template.format_for(template.ChatTemplateProfile(prefill="always"))
    found = il.convert({"messages": [ASKED, BEGUN], "enable_thinking": True}, source=always, target="vllm")
    assert found.payload.items() >= ON_REQUEST.items()


def test_a_mark_on_the_message_counts_in_a_request_without_settings() -> None:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a", "prefix": True}]
    done = il.convert({"messages": messages}, source="deepseek", target="vllm")
    assert done.payload.get("continue_final_message") is True
    assert "prefix" not in done.payload["messages"][1]
    assert done.losses == ()


def test_a_mark_that_contradicts_another_is_reported() -> None:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
    marks = {"continue_final_message": True, "add_generation_prompt": True}
    done = il.convert({"messages": messages, "model": "m", **marks}, source="hf_chat_template", target="sglang")
    assert done.payload.get("add_generation_prompt") is False
    assert [(loss.kind, loss.path) for loss in done.losses] == [("dropped", "/add_generation_prompt")]
