"""Images beside the text of answers, from hosts that are not known to have any."""

from typing import Any

import pytest

import interlingua as il
from formats.openai_chat.chunks import STOP, body, delta

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
UNTYPED = {"image_url": IMAGE["image_url"]}
INLINE = {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}
HOSTS: list[il.FormatName] = ["openai_chat", "openrouter", "litellm", "groq", "mistral", "vllm", "deepseek"]


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("content", ["Here.", "", None])
@pytest.mark.parametrize("image", [IMAGE, UNTYPED])
def test_an_image_of_any_host_is_an_image(image: Any, content: str | None, host: il.FormatName) -> None:
    answer = body({"role": "assistant", "content": content, "images": [image]})
    response = il.load_response(answer, host)
    assert il.dump_response(response, host, on_loss="raise") == answer
    parts: list[Any] = il.dump_response(response, "gemini", on_loss="ignore")["candidates"][0]["content"]["parts"]
    assert parts[-1] == INLINE


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("image", [IMAGE, UNTYPED])
def test_an_image_in_a_stream_of_any_host_is_an_image(image: Any, host: il.FormatName) -> None:
    chunks = [delta(role="assistant", content="Here."), delta(images=[image]), STOP]
    written: list[Any] = list(il.restream(chunks, source=host, target="gemini", on_loss="ignore"))
    assert [part for chunk in written for part in chunk["candidates"][0].get("content", {}).get("parts", ())][-1] == INLINE
    again: list[Any] = list(il.restream(chunks, source=host, target=host, on_loss="raise"))
    deltas = [choice["delta"] for chunk in again for choice in chunk["choices"]]
    assert [each["images"] for each in deltas if "images" in each] == [[image]]


@pytest.mark.parametrize("images", [[], ["x"], [{"url": "https://e.org/a.png"}], [{"image_url": 5}], {}, None])
def test_what_is_no_image_stays_a_field_of_the_host(images: Any) -> None:
    answer = body({"role": "assistant", "content": "Here.", "images": images})
    assert il.dump_response(il.load_response(answer, "openai_chat"), "openai_chat", on_loss="raise") == answer


@pytest.mark.parametrize("image", [{"image_url": {}}, {"image_url": {"url": None}}, {"image_url": None}, {"image_url": 1}])
def test_an_object_without_a_type_and_a_url_is_no_image(image: dict[str, Any]) -> None:
    body: Any = {"choices": [{"message": {"role": "assistant", "content": "a", "images": [image]}, "finish_reason": "stop"}]}
    response = il.load_response(body, "openrouter")
    assert [part.type for part in response.message.parts] == ["text"]
    assert il.dump_response(response, "openrouter", on_loss="raise") == body
