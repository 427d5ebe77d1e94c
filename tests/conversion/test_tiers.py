"""The tier of service of an answer, in the place and the words of each provider."""

from itertools import product
from typing import Any

import pytest

import interlingua as il

USED = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
PLACES: dict[il.FormatName, tuple[tuple[str, ...], dict[str, str]]] = {
    "openai_chat": (("service_tier",), {"default": "default", "priority": "priority", "flex": "flex"}),
    "openai_responses": (("service_tier",), {"default": "default", "priority": "priority", "flex": "flex"}),
    "anthropic": (("usage", "service_tier"), {"default": "standard", "priority": "priority"}),
    "bedrock_converse": (("serviceTier", "type"), {"default": "default", "priority": "priority", "flex": "flex"}),
}
"""Where each names the tier, and its word for each of OpenAI's."""


def chat(tier: str) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": "By the sea."}, "finish_reason": "stop"}
    frame = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "service_tier": tier}
    return {**frame, "choices": [choice], "usage": USED}


def at(body: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        body = None if body is None else body.get(key)
    return body


def in_words_of(source: il.FormatName, tier: str) -> il.Response:
    """An answer of the source with a tier."""
    first = il.load_response(chat(tier), "openai_chat")
    return il.load_response(il.dump_response(first, source, on_loss="ignore"), source)


def streamed(response: il.Response, name: il.FormatName) -> list[Any]:
    writer = il.writer(name)
    events: list[il.Event] = [
        il.MessageStart(id=response.id, model=response.model, created=response.created, origin=response.origin),
        il.Update(of="response", data={"provider_data": response.to_dict().get("provider_data")}),
        il.TextDelta(index=0, text=response.message.text),
        il.UsageUpdate(usage=response.usage or il.Usage()),
        il.Stop(stop_reason="stop"),
        il.StreamEnd(),
    ]
    return [chunk for event in events for chunk in writer.feed(event)]


@pytest.mark.parametrize(("source", "target", "tier"), list(product(PLACES, PLACES, ["default", "priority", "flex"])))
def test_the_tier_of_an_answer_is_carried_where_there_is_a_word_for_it(
    source: il.FormatName, target: il.FormatName, tier: str
) -> None:
    if tier not in PLACES[source][1]:
        return
    response = in_words_of(source, tier)
    path, words = PLACES[target]
    losses: list[il.Loss] = []
    body = il.dump_response(response, target, on_loss=losses.append)
    assert at(body, path) == words.get(tier)
    assert any("ier" in loss.path for loss in losses) is (tier not in words)
    reader = il.reader(target)
    for chunk in streamed(response, target):
        list(reader.feed(chunk))
    reader.close()
    again = il.dump_response(reader.response, "openai_chat", on_loss="ignore")
    assert again.get("service_tier") == (tier if tier in words else None)


def test_the_tier_that_googles_server_names_is_carried_and_its_client_gets_none() -> None:
    candidate = {"content": {"role": "model", "parts": [{"text": "By the sea."}]}, "finishReason": "STOP"}
    counts = {"promptTokenCount": 3, "candidatesTokenCount": 2, "totalTokenCount": 5, "serviceTier": "standard"}
    response = il.load_response({"candidates": [candidate], "usageMetadata": counts}, "gemini")
    assert il.dump_response(response, "openai_chat", on_loss="raise")["service_tier"] == "default"
    assert il.dump_response(response, "anthropic", on_loss="raise")["usage"]["service_tier"] == "standard"
    losses: list[il.Loss] = []
    made = il.dump_response(il.load_response(chat("default"), "openai_chat"), "gemini", on_loss=losses.append)
    assert "serviceTier" not in made["usageMetadata"]
    assert "/provider_data/openai/service_tier" in [loss.path for loss in losses]


@pytest.mark.parametrize("source", ["anthropic", "openai_chat"])
def test_a_tier_that_the_target_has_no_word_for_is_reported(source: il.FormatName) -> None:
    body: dict[str, Any] = chat("scale")
    if source == "anthropic":
        body = il.dump_response(il.load_response(chat("default"), "openai_chat"), "anthropic", on_loss="ignore")
        body["usage"]["service_tier"] = "batch"
    losses: list[il.Loss] = []
    target: il.FormatName = "openai_chat" if source == "anthropic" else "anthropic"
    il.dump_response(il.load_response(body, source), target, on_loss=losses.append)
    path = "/usage/native/anthropic/service_tier" if source == "anthropic" else "/provider_data/openai/service_tier"
    assert [(loss.kind, loss.path) for loss in losses if "tier" in loss.path] == [("response_only", path)]


def test_a_stream_without_usage_has_the_tier() -> None:
    body = il.dump_response(il.load_response(chat("default"), "openai_chat"), "anthropic", on_loss="ignore")
    chunks: list[Any] = [
        {"type": "message_start", "message": body | {"content": [], "stop_reason": None}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    ]
    made = list(il.restream(chunks, source="anthropic", target="openai_chat", on_loss="ignore"))
    assert made[-1]["service_tier"] == "default"


@pytest.mark.parametrize("earlier", ["auto", "flex"])
@pytest.mark.parametrize("target", ["openai_chat", "mistral", "openai_responses", "bedrock_converse", "anthropic"])
def test_a_tier_that_another_one_replaces_is_not_repeated(target: il.FormatName, earlier: str) -> None:
    """Groq's `on_demand` has no word elsewhere: neither a whole answer nor the end of a stream names the earlier tier."""
    frame = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    deltas: list[tuple[dict[str, Any], str | None, str]] = [
        ({"role": "assistant", "content": "a"}, None, earlier),
        ({}, "stop", "on_demand"),
    ]
    chunks: list[Any] = [
        frame | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], "service_tier": tier}
        for delta, finish, tier in deltas
    ]
    stream = il.restream([*chunks, "[DONE]"], source="groq", target=target, on_loss="ignore")
    last = [*stream][-1]
    losses: list[il.Loss] = []
    whole = il.dump_response(stream.response, target, on_loss=losses.append)
    for made in (last, whole):
        assert "tier" not in str(made).lower()
    lost = [loss.path for loss in losses if "service_tier" in loss.path]
    assert (
        [loss.path for loss in stream.losses if "service_tier" in loss.path] == lost == ["/provider_data/openai/service_tier"]
    )
