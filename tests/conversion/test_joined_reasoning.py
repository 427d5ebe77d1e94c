"""Several blocks of reasoning, at hosts that have one text for it: a blank line parts them, whole and in streams."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il
from interlingua.testing.lawbook.documents import is_array

HEADED = ["**Read the map**\n\nIt is old.", "**Ask the guide**\n\nShe knows."]
ONE = "**Read the map**\n\nIt is old.\n\n**Ask the guide**\n\nShe knows."
SUMMARY = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": text} for text in HEADED]}
SAID: dict[str, Any] = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "Left.", "annotations": []}],
}
ANSWER: dict[str, Any] = {
    "id": "r",
    "object": "response",
    "created_at": 1,
    "model": "m",
    "status": "completed",
    "output": [SUMMARY, SAID],
}


def summed(*pieces: tuple[int, str]) -> list[dict[str, Any]]:
    """A stream of a reasoning item with these pieces of summaries, each with its index."""
    begun: dict[str, Any] = ANSWER | {"status": "in_progress", "output": []}
    item = {"item_id": "rs_1", "output_index": 0}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": SUMMARY | {"summary": []}},
    ]
    for index, text in pieces:
        events.append({"type": "response.reasoning_summary_text.delta", **item, "summary_index": index, "delta": text})
    events.append({"type": "response.output_item.done", "output_index": 0, "item": SUMMARY})
    return [*events, {"type": "response.completed", "response": ANSWER | {"output": [SUMMARY]}}]


STREAM = summed((0, "**Read the map**"), (0, "\n\nIt is old."), (1, "**Ask the guide**"), (1, "\n\nShe knows."))


def reasoning_in(message: dict[str, Any]) -> str:
    """The reasoning of a message or of a delta."""
    content: Any = message.get("content")
    parts: list[Any] = content if is_array(content) else []
    listed = [part["thinking"][0]["text"] for part in parts if part["type"] == "thinking"]
    fields = [message[key] for key in ("reasoning_content", "reasoning", "thinking") if isinstance(message.get(key), str)]
    return "".join(listed or fields[:1])


HOSTS: list[il.FormatName] = ["deepseek", "vllm", "groq", "xai", "mistral", "ollama", "ollama_generate"]


@pytest.mark.parametrize("target", HOSTS)
def test_blocks_are_parted_in_an_answer_and_in_a_stream(target: il.FormatName) -> None:
    whole = il.dump_response(il.load_response(ANSWER, "openai_responses"), target, on_loss="ignore")
    message: Any = whole["choices"][0]["message"] if "choices" in whole else whole.get("message", whole)
    assert reasoning_in(message) == ONE
    chunks = list(il.restream(STREAM, source="openai_responses", target=target, on_loss="ignore"))
    deltas: list[Any] = [
        chunk["choices"][0]["delta"] if "choices" in chunk else chunk.get("message", chunk) for chunk in chunks
    ]
    assert "".join(map(reasoning_in, deltas)) == ONE


@pytest.mark.parametrize("target", ["deepseek", "vllm", "xai"])
def test_blocks_are_parted_in_the_messages_of_a_request(target: il.FormatName) -> None:
    body: dict[str, Any] = {
        "model": "m",
        "input": [{"role": "user", "content": "Where to?"}, SUMMARY, SAID, {"role": "user", "content": "On?"}],
    }
    made = il.convert(body, source="openai_responses", target=target)
    assert reasoning_in(made.payload["messages"][1]) == ONE


def test_text_and_blocks_that_say_different_things_are_parted_too() -> None:
    block = {"type": "thinking", "thinking": "b", "signature": "c2ln"}
    message = {"role": "assistant", "content": "x", "reasoning_content": "a", "thinking_blocks": [block]}
    body = {"model": "m", "messages": [{"role": "user", "content": "q"}, message]}
    made = il.convert(body, source="litellm", target="vllm")
    assert made.payload["messages"][1]["reasoning"] == "a\n\nb"


def test_fragments_of_one_block_are_not_parted() -> None:
    """Clients may keep the fragments of a stream as they came, each with the index of its block."""
    parts: list[Any] = [(0, "We "), (0, "ask."), (1, "We go.")]
    details = [{"type": "reasoning.text", "text": text, "index": index} for index, text in parts]
    message = {"role": "assistant", "content": "x", "reasoning_details": details}
    body = {"model": "m", "messages": [{"role": "user", "content": "q"}, message]}
    made = il.convert(body, source="openrouter", target="deepseek")
    assert made.payload["messages"][1]["reasoning_content"] == "We ask.\n\nWe go."


def test_a_block_without_text_adds_nothing() -> None:
    blocks = [{"type": "thinking", "thinking": text, "signature": "c2ln"} for text in ("a", "", "b")]
    answer = {"role": "assistant", "content": [*blocks, {"type": "text", "text": "x"}]}
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "q"}, answer]}
    made = il.convert(body, source="anthropic", target="vllm")
    assert made.payload["messages"][1]["reasoning"] == "a\n\nb"


def test_joined_blocks_lose_their_signatures_in_a_whole_answer_as_in_a_stream() -> None:
    blocks = [{"type": "thinking", "thinking": text, "signature": "c2ln"} for text in ("one", "two")]
    body = {"type": "message", "role": "assistant", "id": "m", "model": "m", "content": blocks, "stop_reason": "end_turn"}
    losses: list[il.Loss] = []
    il.dump_response(il.load_response(body, "anthropic"), "deepseek", on_loss=losses.append)
    dropped = [loss.path for loss in losses if loss.kind == "dropped"]
    assert dropped == [f"/choices/0/message/content/{i}/signature" for i in (0, 1)]
