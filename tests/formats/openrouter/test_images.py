"""Images in answers, in the field `images` beside the text."""

from typing import Any

import pytest

import interlingua as il

PNG = "iVBORw0KGgo="
IMAGE: dict[str, Any] = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
INLINE: dict[str, Any] = {"inlineData": {"mimeType": "image/png", "data": PNG}}
HOSTS: list[il.FormatName] = ["openrouter", "litellm"]


def of_gemini(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": [*parts]}, "finishReason": "STOP"}], "responseId": "r"}


def answer(**message: Any) -> dict[str, Any]:
    said = {"role": "assistant", **message}
    return {"object": "chat.completion", "choices": [{"index": 0, "message": said, "finish_reason": "stop"}]}


def folded(body: dict[str, Any], target: il.FormatName, *, streamed: bool) -> tuple[Any, list[tuple[str, str]]]:
    """The parts of Gemini's answer at the target, and what is lost."""
    losses: list[il.Loss] = []
    if streamed:
        chunks = list(il.restream([body], source="gemini", target=target, on_loss=losses.append))
        response = il.accumulate(il.reader(target).read(chunks))
    else:
        whole = il.load_response(body, "gemini")
        response = il.load_response(il.dump_response(whole, target, on_loss=losses.append), target)
    return response.message.parts, [(loss.kind, loss.path) for loss in losses]


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("target", HOSTS)
def test_an_image_of_gemini_is_beside_the_text(target: il.FormatName, streamed: bool) -> None:
    parts, losses = folded(of_gemini({"text": "Here."}, INLINE), target, streamed=streamed)
    assert [part.type for part in parts] == ["text", "image_url"]
    assert parts[1].image_url.url == IMAGE["image_url"]["url"]
    assert losses == []


@pytest.mark.parametrize("streamed", [False, True])
def test_the_text_after_an_image_is_moved(streamed: bool) -> None:
    parts, losses = folded(of_gemini(INLINE, {"text": "Here."}), "openrouter", streamed=streamed)
    assert [part.type for part in parts] == ["text", "image_url"]
    assert losses == [("moved", "/choices/0/message/content/1")]


@pytest.mark.parametrize("content", ["Here.", "", None])
def test_an_answer_goes_on_in_the_next_request(content: str | None) -> None:
    body = answer(content=content, images=[IMAGE])
    response = il.load_response(body, "openrouter")
    assert il.dump_response(response, "openrouter", on_loss="raise") == body
    history = [il.UserMessage(content="Draw a boat."), response.message]
    again: Any = il.dump(history, "openrouter", on_loss="raise")
    assert again["messages"][1]["images"] == [IMAGE]
    elsewhere: Any = il.dump(history, "gemini", on_loss="raise")
    assert elsewhere["contents"][1]["parts"][-1] == INLINE


@pytest.mark.parametrize("images", [[], [IMAGE, {"type": "image", "b64": PNG}], "none", None, [7]])
def test_what_is_no_list_of_images_stays_as_it_is(images: Any) -> None:
    body = answer(content="Here.", images=images)
    response = il.load_response(body, "openrouter")
    assert response.message.content == "Here."
    assert il.dump_response(response, "openrouter", on_loss="raise") == body
