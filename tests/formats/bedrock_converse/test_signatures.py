"""Claude's reasoning that Converse has: its signature is the same at all of Claude's hosts."""

from typing import Any

import pytest

import interlingua as il

ANTHROPIC: dict[str, Any] = {"type": "thinking", "thinking": "Add.", "signature": "c2ln"}
TARGETS: dict[il.FormatName, dict[str, Any]] = {
    # litellm and pydantic-ai send Claude's thinking between its hosts with the signature that it has.
    "anthropic": {"content": [ANTHROPIC, {"type": "text", "text": "4."}]},
    "anthropic_bedrock": {"content": [ANTHROPIC, {"type": "text", "text": "4."}]},
    "anthropic_vertex": {"content": [ANTHROPIC, {"type": "text", "text": "4."}]},
    # litellm has what Converse sends in `thinking_blocks`.
    "litellm": {"thinking_blocks": [ANTHROPIC], "content": [{"type": "text", "text": "4."}]},
    # OpenRouter names the format of the detail, which says who verifies it.
    "openrouter": {
        "reasoning_details": [{"type": "reasoning.text", "text": "Add.", "signature": "c2ln", "format": "anthropic-claude-v1"}],
        "content": [{"type": "text", "text": "4."}],
    },
}


def history(**reasoning: Any) -> dict[str, Any]:
    said: list[dict[str, Any]] = [{"reasoningContent": reasoning}, {"text": "4."}]
    return {
        "messages": [
            {"role": "user", "content": [{"text": "2 + 2?"}]},
            {"role": "assistant", "content": said},
            {"role": "user", "content": [{"text": "Sure?"}]},
        ],
        "inferenceConfig": {"maxTokens": 99},
    }


SIGNED = history(reasoningText={"text": "Add.", "signature": "c2ln"})


@pytest.mark.parametrize(("target", "expected"), TARGETS.items())
def test_the_signature_goes_to_the_other_hosts_and_back(target: il.FormatName, expected: dict[str, Any]) -> None:
    converted = il.convert(SIGNED, source="bedrock_converse", target=target)
    assert {key: converted.payload["messages"][1].get(key) for key in expected} == expected
    assert [loss for loss in converted.losses if "/content/0" in loss.path] == []
    back = il.convert(converted.payload, source=target, target="bedrock_converse")
    assert back.payload["messages"] == SIGNED["messages"]


def test_a_signature_without_text_goes_too() -> None:
    """Claude keeps some of its reasoning to itself; in a stream, only the signature comes then."""
    body = history(reasoningText={"signature": "c2ln"})
    converted = il.convert(body, source="bedrock_converse", target="anthropic")
    assert converted.payload["messages"][1]["content"][0] == {"type": "thinking", "thinking": "", "signature": "c2ln"}
    assert converted.losses == ()
    assert il.dump(il.load(body, "bedrock_converse"), "bedrock_converse", on_loss="raise") == body
    back = il.convert(converted.payload, source="anthropic", target="bedrock_converse")
    assert back.payload["messages"] == history(reasoningText={"text": "", "signature": "c2ln"})["messages"]


def test_a_stream_of_a_signature_alone_begins_its_block_as_the_server_does() -> None:
    chunks: list[dict[str, Any]] = [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockDelta": {"delta": {"reasoningContent": {"signature": "c2ln"}}, "contentBlockIndex": 0}},
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"messageStop": {"stopReason": "end_turn"}},
    ]
    stream = il.restream(chunks, source="bedrock_converse", target="anthropic", on_loss="raise")
    sent = [chunk for chunk in stream if chunk["type"] in ("content_block_start", "content_block_delta")]
    assert sent == [
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "c2ln"}},
    ]


def test_redacted_reasoning_goes_too() -> None:
    body = history(redactedContent="AAAA")
    converted = il.convert(body, source="bedrock_converse", target="anthropic")
    assert converted.payload["messages"][1]["content"][0] == {"type": "redacted_thinking", "data": "AAAA"}
    assert converted.losses == ()
    assert il.convert(converted.payload, source="anthropic", target="bedrock_converse").payload == body


def test_a_stream_carries_it() -> None:
    response = {
        "output": {"message": SIGNED["messages"][1]},
        "stopReason": "end_turn",
        "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2},
    }
    losses: list[il.Loss] = []
    body = il.dump_response(il.load_response(response, "bedrock_converse"), "anthropic", on_loss=losses.append)
    assert (body["content"][0], losses) == (ANTHROPIC, [])
    deltas: list[dict[str, Any]] = [
        {"reasoningContent": {"text": "Add."}},
        {"reasoningContent": {"signature": "c2ln"}},
    ]
    chunks: list[dict[str, Any]] = [
        {"messageStart": {"role": "assistant"}},
        *({"contentBlockDelta": {"delta": delta, "contentBlockIndex": 0}} for delta in deltas),
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"messageStop": {"stopReason": "end_turn"}},
    ]
    reader = il.reader("anthropic")
    list(reader.read(il.restream(chunks, source="bedrock_converse", target="anthropic", on_loss=losses.append)))
    assert il.dump_response(reader.response, "anthropic")["content"] == [ANTHROPIC]
    assert losses == []


SOURCE: dict[str, Any] = {"type": "file_id", "file_id": "s3://b/k", "issuer": "bedrock"}


def test_a_file_of_bedrock_stays_unknown_to_anthropic() -> None:
    content = [{"type": "text", "text": "Look."}, {"type": "image", "source": SOURCE}]
    losses: list[il.Loss] = []
    il.dump(il.validate([{"role": "user", "content": content}]), "anthropic", on_loss=losses.append)
    assert [loss.detail for loss in losses if "bedrock" in loss.detail] == [
        "only bedrock knows the file id: send the data or a URL"
    ]
