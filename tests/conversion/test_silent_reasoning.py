"""Reasoning without text, as Claude's thinking whose display is omitted, tells another provider's model nothing."""

from typing import Any

import pytest

import interlingua as il

OMITTED: dict[str, Any] = {"type": "thinking", "thinking": "", "signature": "c2ln"}


def asked(*blocks: dict[str, Any]) -> dict[str, Any]:
    said = [{"type": "text", "text": "b"}]
    messages = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": [*blocks, *said]},
        {"role": "user", "content": "c"},
    ]
    return {"max_tokens": 9, "messages": messages}


def target_of(name: str) -> il.Format:
    return il.format_for(il.HOSTS[name], name) if name in il.HOSTS else il.format_of(name)


@pytest.mark.parametrize(
    "name", ["gemini", "google_genai", "gemini_interactions", "mistral", "minimax", "cohere", "ollama", "vllm"]
)
@pytest.mark.parametrize("block", [OMITTED, OMITTED | {"signature": None}])
def test_it_is_left_out_of_requests(name: str, block: dict[str, Any]) -> None:
    made = il.convert(asked(block), source="anthropic", target=target_of(name), check=True)
    assert made.payload == il.convert(asked(), source="anthropic", target=target_of(name)).payload
    assert "/messages/1/content/0" in [loss.path for loss in made.losses if loss.kind == "dropped"]
    assert made.problems == ()


@pytest.mark.parametrize("name", ["openrouter", "litellm", "bedrock_converse", "anthropic_vertex"])
def test_it_stays_where_the_signature_is_read(name: str) -> None:
    made = il.convert(asked(OMITTED), source="anthropic", target=target_of(name))
    assert "c2ln" in str(made.payload)
    assert "/messages/1/content/0" not in {loss.path for loss in made.losses}
