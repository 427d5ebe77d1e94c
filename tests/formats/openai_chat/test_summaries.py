"""Reasoning in parts of the content with a summary, as Databricks has it."""

from typing import Any

import pytest

import interlingua as il
from formats.openai_chat.chunks import STOP, body, delta, message

TEXT = {"type": "text", "text": "Yes."}


def part(*items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "reasoning", "summary": list(items)}


def text(words: str, **more: str) -> dict[str, Any]:
    return {"type": "summary_text", "text": words, **more}


ENCRYPTED = {"type": "summary_encrypted_text", "data": "eA=="}
BLOCKS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (text("Hm.", signature="c2ln"), {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}),
    (text("Hm."), {"type": "thinking", "thinking": "Hm.", "signature": ""}),
    (ENCRYPTED, {"type": "redacted_thinking", "data": "eA=="}),
]


@pytest.mark.parametrize("format", ["openai_chat", "mistral", "litellm"])
@pytest.mark.parametrize(("item", "block"), BLOCKS)
def test_a_summary_is_reasoning(item: dict[str, Any], block: dict[str, Any], format: il.FormatName) -> None:
    answer = body({"role": "assistant", "content": [part(item), TEXT]})
    response = il.load_response(answer, format)
    assert il.dump_response(response, format, on_loss="raise") == answer
    assert il.dump_response(response, "anthropic", on_loss="ignore")["content"] == [block, TEXT]


def test_the_reasoning_goes_to_the_field_of_another_host() -> None:
    response = il.load_response(
        body({"role": "assistant", "content": [part(text("Hm.", signature="c2ln")), TEXT]}), "openai_chat"
    )
    answer = il.dump_response(response, "deepseek", on_loss="ignore")["choices"][0]["message"]
    assert answer == {"role": "assistant", "reasoning_content": "Hm.", "content": "Yes."}


def test_signed_reasoning_of_a_request_goes_to_its_signer() -> None:
    said = {"role": "assistant", "content": [part(text("Hm.", signature="c2ln")), TEXT]}
    request = {"model": "m", "messages": [{"role": "user", "content": "Is it?"}, said, {"role": "user", "content": "Why?"}]}
    assert il.convert(request, source="openai_chat", target="openai_chat").payload == request
    assert il.check(request, "openai_chat") == []
    converted = il.convert(request, source="openai_chat", target="anthropic")
    assert converted.losses == ()
    assert converted.payload["messages"][1]["content"] == [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}, TEXT]


ODD: list[list[dict[str, Any]]] = [
    [],
    [text("a"), text("b")],
    [text("a", more="b")],
    [{"type": "summary_text"}],
    [{"type": "x"}],
]


@pytest.mark.parametrize("items", ODD)
def test_a_summary_of_another_form_is_kept_whole(items: list[dict[str, Any]]) -> None:
    answer = body({"role": "assistant", "content": [part(*items), TEXT]})
    response = il.load_response(answer, "openai_chat")
    assert il.dump_response(response, "openai_chat", on_loss="raise") == answer
    losses: list[il.Loss] = []
    il.dump_response(response, "anthropic", on_loss=losses.append)
    assert "/choices/0/message/content/0" in [loss.path for loss in losses]


def test_the_summary_of_a_stream_is_reasoning() -> None:
    pieces = [text("H", signature=""), text("m.", signature=""), text("", signature="c2ln")]
    said = [delta(role="assistant", content=[part(piece)]) for piece in pieces]
    answer = message(*said, delta(content=[part(ENCRYPTED)]), delta(content="Yes."), STOP).to_blocks()
    assert [each.to_dict() for each in answer.parts] == [
        {"type": "thinking", "thinking": "Hm.", "signature": "c2ln", "issuer": "anthropic"},
        {"type": "redacted_thinking", "data": "eA==", "issuer": "anthropic"},
        TEXT,
    ]
