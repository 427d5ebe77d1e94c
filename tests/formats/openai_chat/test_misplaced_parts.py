"""Parts in messages of a role that never has them at the hosts of Chat's shape."""

from typing import Any

import pytest

import interlingua as il

THINKING = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
REDACTED = {"type": "redacted_thinking", "data": "c2ln"}
TEXT = {"type": "text", "text": "Be brief."}


@pytest.mark.parametrize("format", ["openai_chat", "deepseek", "openrouter", "litellm", "vllm"])
@pytest.mark.parametrize("part", [THINKING, REDACTED])
def test_reasoning_outside_of_answers_is_left_out(format: Any, part: Any) -> None:
    body = {"model": "m", "max_tokens": 99, "system": [part, TEXT], "messages": [{"role": "user", "content": [part, TEXT]}]}
    found = il.convert(body, source="anthropic", target=format)
    system = TEXT["text"] if format == "deepseek" else [TEXT]
    assert [message["content"] for message in found.payload["messages"]] == [system, [TEXT]]
    dropped = [loss.path for loss in found.losses if loss.kind == "dropped"]
    assert dropped == ["/system/0", "/messages/0/content/0"]


def test_mistral_takes_reasoning_in_the_system_text() -> None:
    body = {"model": "m", "max_tokens": 99, "system": [THINKING, TEXT], "messages": [{"role": "user", "content": "Hi."}]}
    found = il.convert(body, source="anthropic", target="mistral")
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}
    assert found.payload["messages"][0]["content"] == [thinking, TEXT]
    assert [(loss.kind, loss.path) for loss in found.losses] == [("dropped", "/system/0/signature")]
