"""Reasoning of other providers in what Anthropic's clients get, and in what comes back from them."""

from typing import Any

import pytest
from anthropic.types import Message

import interlingua as il
from interlingua.testing.lawbook.documents import canonical

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

HOSTS: list[il.FormatName] = ["anthropic", "anthropic_bedrock", "anthropic_vertex"]


def answered(**message: Any) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "4.", **message}}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def gemini(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": [*parts, {"text": "4."}]}, "finishReason": "STOP"}]}


def responses(*items: dict[str, Any]) -> dict[str, Any]:
    text: dict[str, Any] = {"type": "output_text", "text": "4.", "annotations": []}
    said: dict[str, Any] = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [text]}
    return {"id": "r", "object": "response", "status": "completed", "model": "m", "output": [*items, said]}


SUMMARY: dict[str, Any] = {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "Add."}]}
ANSWERS: dict[str, tuple[il.FormatName, dict[str, Any]]] = {
    # litellm's adapter and vLLM's server for Anthropic's clients send reasoning text with an empty signature.
    "reasoning_content": ("deepseek", answered(reasoning_content="Add.")),
    "reasoning": ("openrouter", answered(reasoning="Add.")),
    # A thought of Gemini's, signed or not, is thinking for Anthropic's clients.
    "a thought": ("gemini", gemini({"text": "Add.", "thought": True})),
    "a signed thought": ("gemini", gemini({"text": "Add.", "thought": True, "thoughtSignature": "c2ln"})),
    # Summaries of OpenAI's reasoning are shown where thinking is.
    "a summary": ("openai_responses", responses(SUMMARY)),
}


@pytest.mark.parametrize("target", HOSTS)
@pytest.mark.parametrize(("source", "body"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_has_the_reasoning_as_thinking(source: il.FormatName, body: dict[str, Any], target: il.FormatName) -> None:
    losses: list[il.Loss] = []
    made = il.dump_response(il.load_response(body, source), target, on_loss=losses.append)
    assert made["content"] == [{"type": "thinking", "thinking": "Add.", "signature": ""}, {"type": "text", "text": "4."}]
    assert "changed" in [loss.kind for loss in losses if "empty" in loss.detail]
    Message.model_validate({"usage": {"input_tokens": 0, "output_tokens": 0}, "id": "m", "model": "m"} | made, strict=True)


def as_chunk(body: dict[str, Any]) -> dict[str, Any]:
    """A response as the only chunk of a stream."""
    if "choices" not in body:
        return body
    [choice] = body["choices"]
    delta = {"index": 0, "delta": choice["message"], "finish_reason": choice["finish_reason"]}
    return body | {"object": "chat.completion.chunk", "choices": [delta]}


STREAMED = {name: answer for name, answer in ANSWERS.items() if answer[0] != "openai_responses"}


@pytest.mark.parametrize("target", HOSTS)
@pytest.mark.parametrize(("source", "body"), STREAMED.values(), ids=STREAMED)
def test_a_stream_has_it_too(source: il.FormatName, body: dict[str, Any], target: il.FormatName) -> None:
    found: dict[str, list[il.Loss]] = {"whole": [], "stream": []}
    made = il.dump_response(il.load_response(body, source), target, on_loss=found["whole"].append)
    chunks = il.restream([as_chunk(body)], source=source, target=target, on_loss=found["stream"].append)
    reader = il.reader(target)
    list(reader.read(chunks))
    assert canonical([part.to_dict() for part in reader.response.message.parts]) == canonical(
        [part.to_dict() for part in il.load_response(made, target).message.parts]
    )
    whole, stream = ([loss for loss in losses if "empty" in loss.detail] for losses in found.values())
    assert stream == whole != []


def test_reasoning_leaves_with_the_chunk_that_it_came_in() -> None:
    chunk: dict[str, Any] = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    deltas = [{"role": "assistant", "reasoning_content": "A"}, {"reasoning_content": "dd."}, {"content": "4."}]
    chunks = [chunk | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    reader, writer = il.reader("deepseek"), il.writer("anthropic")
    sent = [[made for event in reader.feed(each) for made in writer.feed(event)] for each in chunks]
    thinking = [made for made in sent[0] if made["type"] == "content_block_start"]
    assert [made["content_block"] for made in thinking] == [{"type": "thinking", "thinking": "", "signature": ""}]
    assert [[made["delta"] for made in made_of if made["type"] == "content_block_delta"] for made_of in sent] == [
        [{"type": "thinking_delta", "thinking": "A"}],
        [{"type": "thinking_delta", "thinking": "dd."}],
        [{"type": "text_delta", "text": "4."}],
    ]


def request(signature: str) -> dict[str, Any]:
    thinking = {"type": "thinking", "thinking": "Add.", "signature": signature}
    said: list[dict[str, Any]] = [
        {"role": "user", "content": "2 + 2?"},
        {"role": "assistant", "content": [thinking, {"type": "text", "text": "4."}]},
        {"role": "user", "content": "Sure?"},
    ]
    return {"model": "m", "max_tokens": 9, "messages": said}


def test_what_comes_back_is_not_sent_to_anthropic_from_elsewhere() -> None:
    body = request("")
    loaded = il.load(body, "anthropic")
    assert il.dump(loaded, "anthropic", on_loss="raise") == body
    assert "reasoning-signature-empty" in [each.code for each in il.check(body, "anthropic") if each.severity == "error"]
    for target in ("anthropic_bedrock", "anthropic_vertex", "bedrock_converse"):
        converted = il.convert(body, source="anthropic", target=target)
        assert "Add." not in str(converted.payload)
        assert next(loss.path for loss in converted.losses if loss.kind == "dropped") == "/messages/1/content/0"
    assert il.convert(body, source="anthropic", target="deepseek").payload["messages"][1]["reasoning_content"] == "Add."


def test_a_request_with_reasoning_of_others_has_none_at_anthropic() -> None:
    messages = [{"role": "user", "content": "2?"}, {"role": "assistant", "content": "4.", "reasoning_content": "Add."}]
    losses: list[il.Loss] = []
    body = il.dump(il.validate(messages), "anthropic", on_loss=losses.append)
    assert "Add." not in str(body)
    assert [(loss.kind, loss.path) for loss in losses] == [("dropped", "/1/reasoning_content")]
