"""Images that the Responses API's tool makes reach the formats whose answers have images, whole and streamed."""

from typing import Any

import pytest

import interlingua as il

PNG = "iVBORw0KGgo="
DRAWN: dict[str, Any] = {
    "type": "image_generation_call",
    "id": "ig_1",
    "status": "completed",
    "result": PNG,
    "revised_prompt": "A cat.",
}
SAID: dict[str, Any] = {
    "type": "message",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "Here."}],
}


def body(drawn: dict[str, Any]) -> dict[str, Any]:
    return {"id": "resp_1", "object": "response", "model": "m", "status": "completed", "output": [drawn, SAID]}


def chunks(drawn: dict[str, Any]) -> list[dict[str, Any]]:
    whole = body(drawn)
    begun = {"type": drawn["type"], "id": drawn["id"], "status": "in_progress", "result": None}
    step = {"output_index": 0, "item_id": "ig_1"}
    return [
        {"type": "response.created", "response": whole | {"status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": begun},
        {"type": "response.image_generation_call.in_progress", **step},
        {"type": "response.image_generation_call.partial_image", **step, "partial_image_index": 0, "partial_image_b64": PNG},
        {"type": "response.output_item.done", "output_index": 0, "item": drawn},
        {"type": "response.output_item.added", "output_index": 1, "item": SAID | {"content": [], "status": "in_progress"}},
        {"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": "Here."},
        {"type": "response.output_item.done", "output_index": 1, "item": SAID},
        {"type": "response.completed", "response": whole},
    ]


def sent(drawn: dict[str, Any], target: il.FormatName, *, streamed: bool) -> tuple[tuple[il.Part, ...], list[tuple[str, str]]]:
    losses: list[il.Loss] = []
    if streamed:
        made = list(il.restream(chunks(drawn), source="openai_responses", target=target, on_loss=losses.append))
        response = il.accumulate(il.reader(target).read(made))
    else:
        whole = il.load_response(body(drawn), "openai_responses")
        response = il.load_response(il.dump_response(whole, target, on_loss=losses.append), target)
    return response.message.parts, [(loss.kind, loss.path) for loss in losses if "/content/0" in loss.path]


@pytest.mark.parametrize("target", ["gemini", "google_genai", "gemini_interactions"])
@pytest.mark.parametrize("streamed", [False, True])
def test_a_drawn_image_is_an_image(target: il.FormatName, streamed: bool) -> None:
    (image, text), losses = sent(DRAWN, target, streamed=streamed)
    assert isinstance(image, il.ImagePart)
    assert image.source.to_dict() == {"type": "base64", "media_type": "image/png", "data": PNG}
    assert isinstance(text, il.TextPart)
    place = "/choices/0/message/content/0"
    assert losses == [("changed", place), ("dropped", f"{place}/value/revised_prompt")]


@pytest.mark.parametrize("target", ["openrouter", "litellm"])
@pytest.mark.parametrize("streamed", [False, True])
def test_it_follows_the_text_in_a_chat_answer(target: il.FormatName, streamed: bool) -> None:
    (text, image), losses = sent(DRAWN, target, streamed=streamed)
    assert isinstance(image, il.ImageUrlPart)
    assert image.image_url.url == f"data:image/png;base64,{PNG}"
    assert isinstance(text, il.TextPart)
    place = "/choices/0/message/content/0"
    assert losses == [("changed", place), ("dropped", f"{place}/value/revised_prompt")]


@pytest.mark.parametrize("target", ["gemini", "gemini_interactions", "openrouter"])
@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("change", [{"result": None, "status": "failed"}, {"result": "bm8gaW1hZ2U="}, {"result": PNG + "..."}])
def test_what_is_no_image_is_left_out(target: il.FormatName, streamed: bool, change: dict[str, Any]) -> None:
    parts, losses = sent(DRAWN | change, target, streamed=streamed)
    assert [part.type for part in parts] == ["text"]
    assert losses == [("dropped", "/choices/0/message/content/0")]


@pytest.mark.parametrize("streamed", [False, True])
def test_it_stays_an_item_at_home(streamed: bool) -> None:
    (drawn, _), losses = sent(DRAWN, "openai_responses", streamed=streamed)
    assert isinstance(drawn, il.OpaquePart)
    assert drawn.value == DRAWN
    assert losses == []
