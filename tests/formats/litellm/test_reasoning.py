"""Reasoning in answers for LiteLLM's clients: its blocks, and their text beside them, as LiteLLM's own answers have them."""

from typing import Any

import pytest

import interlingua as il

BLOCKS: list[dict[str, Any]] = [
    {"type": "thinking", "thinking": "One.", "signature": "c2lnMQ=="},
    {"type": "text", "text": "A"},
    {"type": "redacted_thinking", "data": "ZGF0YQ=="},
    {"type": "thinking", "thinking": "Two.", "signature": "c2lnMg=="},
    {"type": "text", "text": "B"},
]
ANSWER: dict[str, Any] = {
    "type": "message",
    "id": "m",
    "role": "assistant",
    "model": "claude",
    "content": BLOCKS,
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}


def chunks() -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [{"type": "message_start", "message": ANSWER | {"content": [], "stop_reason": None}}]
    for index, block in enumerate(BLOCKS):
        kind: str = block["type"]
        begun = {**block, kind: ""} if kind in block else block
        made.append({"type": "content_block_start", "index": index, "content_block": begun | {"signature": ""}})
        if kind in block:
            half = len(block[kind]) // 2
            deltas = [{"type": f"{kind}_delta", kind: text} for text in (block[kind][:half], block[kind][half:])]
            deltas += [{"type": "signature_delta", "signature": block["signature"]}] if "signature" in block else []
            made += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        made.append({"type": "content_block_stop", "index": index})
    made.append({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}})
    return [*made, {"type": "message_stop"}]


def message(target: il.FormatName, *, streamed: bool) -> dict[str, Any]:
    response = il.load_response(ANSWER, "anthropic")
    if not streamed:
        made: dict[str, Any] = il.dump_response(response, target, on_loss="ignore")["choices"][0]["message"]
        return made
    written = list(il.restream(chunks(), source="anthropic", target=target, on_loss="ignore"))
    deltas = [choice["delta"] for chunk in written for choice in chunk["choices"]]
    said = il.accumulate(il.reader(target).read(written)).message.to_dict()
    return said | {"reasoning_content": "".join(delta.get("reasoning_content", "") for delta in deltas)}


@pytest.mark.parametrize("streamed", [False, True])
def test_the_text_of_the_blocks_is_beside_them(streamed: bool) -> None:
    made = message("litellm", streamed=streamed)
    assert made["reasoning_content"] == "One.Two."
    assert [block.get("thinking") for block in made["thinking_blocks"]] == ["One.", None, "Two."]
    assert not message("verifiers", streamed=streamed).get("reasoning_content")


def test_the_text_beside_the_blocks_is_no_further_reasoning() -> None:
    body = il.dump_response(il.load_response(ANSWER, "anthropic"), "litellm", on_loss="ignore")
    again = il.dump_response(il.load_response(body, "litellm"), "anthropic", on_loss="ignore")
    assert [block.get("thinking") for block in again["content"]] == ["One.", None, "Two.", None]


def test_a_request_has_the_blocks_alone() -> None:
    asked: list[dict[str, Any]] = [{"role": "user", "content": "Go."}, {"role": "assistant", "content": BLOCKS}]
    made = il.convert({"model": "claude", "max_tokens": 9, "messages": asked}, source="anthropic", target="litellm").payload
    assert "reasoning_content" not in made["messages"][1]
