"""Data URIs where data or a URL should stand, and the media types beside them."""

from __future__ import annotations

from typing import Any

import pytest

import interlingua as il

IN_ITS_PLACE = "data:image/png;base64,eA=="
URIS_AS_DATA: dict[il.FormatName, dict[str, Any]] = {
    "bedrock_converse": {"image": {"source": {"bytes": IN_ITS_PLACE}}},
    "gemini": {"inlineData": {"data": IN_ITS_PLACE}},
    "gemini_interactions": {"type": "image", "data": IN_ITS_PLACE},
}


@pytest.mark.parametrize("name", URIS_AS_DATA)
def test_a_data_uri_in_the_place_of_data_stays_as_it_is_at_home(name: il.FormatName) -> None:
    place = {"gemini": ("contents", "parts"), "gemini_interactions": ("input", "content")}.get(name, ("messages", "content"))
    asked = {place[0]: [{"role": "user", place[1]: [URIS_AS_DATA[name]]}]}
    assert il.dump(il.load(asked, name), name, on_loss="raise") == asked


def test_the_media_type_of_a_data_uri_in_the_place_of_data_goes_before_the_one_beside_it() -> None:
    part = {"inlineData": {"mimeType": "image/jpeg", "data": IN_ITS_PLACE}}
    asked = {"contents": [{"role": "user", "parts": [part]}]}
    assert il.dump(il.load(asked, "gemini"), "gemini", on_loss="raise") == asked
    [message] = il.convert(asked, source="gemini", target="openai_chat").payload["messages"]
    assert message["content"] == [{"type": "image_url", "image_url": {"url": IN_ITS_PLACE}}]


IN_A_PNG = "data:image/png;base64,iVBORw0KGgo="
TAKE_IMAGES: list[il.FormatName] = [
    "openai_chat",
    "anthropic",
    "gemini",
    "google_genai",
    "gemini_interactions",
    "bedrock_converse",
    "openai_responses",
    "cohere",
    "mistral",
    "openrouter",
    "ollama",
]


@pytest.mark.parametrize("field", ["url", "base64"])
@pytest.mark.parametrize("target", TAKE_IMAGES)
def test_a_media_type_beside_a_data_uri_of_another_is_reported(field: str, target: il.FormatName) -> None:
    for media_type, kinds in (("image/jpeg", ["changed"]), ("image/png", []), ("Image/X-PNG", [])):
        source = {"type": field, "data" if field == "base64" else "url": IN_A_PNG, "media_type": media_type}
        losses: list[il.Loss] = []
        messages = il.validate([{"role": "user", "content": [{"type": "image", "source": source}]}])
        body = str(il.dump(messages, target, on_loss=losses.append))
        assert "png" in body or target == "ollama"
        assert "jpeg" not in body
        found = [loss.kind for loss in losses if loss.path.startswith("/0/content/0/source")]
        assert found == kinds, (media_type, losses)


@pytest.mark.parametrize("target", ["anthropic", "gemini", "bedrock_converse", "openai_chat"])
def test_a_data_uri_without_a_media_type_has_the_one_beside_it(target: il.FormatName) -> None:
    source = {"type": "url", "url": "data:;base64,AAAA", "media_type": "image/webp"}
    losses: list[il.Loss] = []
    messages = il.validate([{"role": "user", "content": [{"type": "image", "source": source}]}])
    assert "webp" in str(il.dump(messages, target, on_loss=losses.append))
    assert {loss.kind for loss in losses} <= {"changed"}


@pytest.mark.parametrize("target", ["gemini", "gemini_interactions", "bedrock_converse"])
def test_audio_in_a_data_uri_has_the_format_that_the_uri_says(target: il.FormatName) -> None:
    audio = {"type": "input_audio", "input_audio": {"data": "data:audio/wav;base64,UklGRg==", "format": "mp3"}}
    losses: list[il.Loss] = []
    body = il.dump(il.validate([{"role": "user", "content": [audio]}]), target, on_loss=losses.append)
    assert "data:" not in str(body)
    assert "wav" in str(body)
    assert [(loss.kind, loss.path) for loss in losses] == [("changed", "/0/content/0/input_audio/format")]


@pytest.mark.parametrize(
    "source",
    [
        {"type": "base64", "data": "data:audio/mp3;base64,QUJD", "media_type": "audio/wav"},
        {"type": "url", "url": "data:audio/mp3;base64,QUJD"},
    ],
    ids=["data", "url"],
)
def test_audio_in_a_data_uri_is_sent_as_bare_base64(source: dict[str, Any]) -> None:
    messages: list[Any] = [{"role": "user", "content": [{"type": "audio", "source": source}]}]
    [message] = il.dump(messages, "openai_chat", on_loss="ignore")["messages"]
    assert [*message["content"]] == [{"type": "input_audio", "input_audio": {"data": "QUJD", "format": "mp3"}}]
