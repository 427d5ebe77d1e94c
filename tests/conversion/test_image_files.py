"""Images in files, for providers that take images, but none in files."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il

PNG = "iVBORw0KGgo="
URI = f"data:image/png;base64,{PNG}"
TAKE_IMAGES: list[il.FormatName] = [
    "cohere",
    "ollama",
    "mistral",
    "vllm",
    "groq",
    "xai",
    "openai_chat",
    "hf_chat_template",
    "huggingface",
    "sglang",
]


def converted(part: dict[str, Any], source: il.FormatName, target: il.FormatName) -> tuple[dict[str, Any], list[il.Loss]]:
    content = [{"type": "text", "text": "What is this?"}, part]
    made = il.convert({"model": "m", "messages": [{"role": "user", "content": content}]}, source=source, target=target)
    return made.payload, [loss for loss in made.losses if loss.path.startswith("/messages")]


@pytest.mark.parametrize("target", TAKE_IMAGES)
@pytest.mark.parametrize("data", [URI, PNG, "data:image/png;charset=utf-8;base64," + PNG])
def test_an_image_in_a_file_is_sent_as_an_image(data: str, target: il.FormatName) -> None:
    payload, losses = converted({"type": "file", "file": {"file_data": data, "filename": "a.png"}}, "litellm", target)
    [message] = payload["messages"]
    image = message["images"] if target == "ollama" else message["content"][1]
    assert PNG in str(image)
    if target != "ollama":
        assert image["type"] in ("image", "image_url")
        assert URI in str(image)
    found = {(loss.kind, loss.path.removeprefix("/messages/0/content/1")) for loss in losses}
    assert found >= {("changed", ""), ("dropped", "/file/filename")}
    assert found <= {("changed", ""), ("dropped", "/file/filename"), ("moved", ""), ("changed", "/file/file_data")}


@pytest.mark.parametrize("target", TAKE_IMAGES)
def test_marks_of_such_a_file_are_kept_or_reported(target: il.FormatName) -> None:
    part: dict[str, Any] = {"type": "file", "file": {"file_data": URI}, "cache_control": {"type": "ephemeral"}}
    payload, losses = converted(part, "litellm", target)
    lost = [loss for loss in losses if "cache_control" in loss.path]
    assert lost or "ephemeral" in str(payload) or "prompt_cache_breakpoint" in str(payload)


def test_a_gateway_gets_the_file_of_another() -> None:
    part: dict[str, Any] = {"type": "file", "file": {"file_data": URI, "filename": "a.png"}}
    payload, losses = converted(part, "litellm", "openrouter")
    assert payload["messages"][0]["content"][1] == part
    assert losses == []


@pytest.mark.parametrize("target", ["cohere", "ollama"])
def test_a_drawing_in_a_file_is_no_image(target: il.FormatName) -> None:
    payload, losses = converted(
        {"type": "file", "file": {"file_data": "data:image/svg+xml;base64,PHN2Zy8+"}}, "litellm", target
    )
    assert "svg" not in str(payload)
    assert [(loss.kind, loss.path) for loss in losses] == [("dropped", "/messages/0/content/1")]


def test_an_image_of_another_type_than_its_file_says_is_reported_where_images_have_no_type() -> None:
    file = {"file_data": "data:image/png;base64,/9j/4AAQSkZJRgABAQ==", "format": "image/png"}
    payload, losses = converted({"type": "file", "file": file}, "litellm", "ollama")
    assert payload["messages"][0]["images"] == ["/9j/4AAQSkZJRgABAQ=="]
    found = {(loss.kind, loss.path.removeprefix("/messages/0/content/1")) for loss in losses}
    assert found == {("changed", ""), ("moved", ""), ("changed", "/file/file_data"), ("dropped", "/file/format")}
