"""Media in items and parts that only the Responses API has reach the formats that take such media there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import interlingua as il
from interlingua.testing.lawbook.documents import is_array, is_object

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
AUDIO: dict[str, Any] = {"type": "input_audio", "input_audio": {"data": "UklGRgAAAABXQVZF", "format": "wav"}}
DRAWN: dict[str, Any] = {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": PNG}


def converted(target: il.FormatName, *items: Any) -> tuple[Any, list[tuple[str, str]]]:
    payload = {"model": "m", "input": [{"role": "user", "content": [{"type": "input_text", "text": "Hi."}]}, *items]}
    made = il.convert(payload, source="openai_responses", target=target)
    return made.payload, [(loss.kind, loss.path) for loss in made.losses if loss.path.startswith("/input/1")]


def heard(part: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": [part]}


@pytest.mark.parametrize(
    ("target", "kind", "found"),
    [
        ("openai_chat", "changed", AUDIO),
        ("openrouter", "changed", AUDIO),
        ("mistral", "changed", {"type": "input_audio", "input_audio": "UklGRgAAAABXQVZF"}),
        ("gemini", "changed", {"inlineData": {"mimeType": "audio/wav", "data": "UklGRgAAAABXQVZF"}}),
        ("gemini_interactions", "changed", {"type": "audio", "mime_type": "audio/wav", "data": "UklGRgAAAABXQVZF"}),
        ("bedrock_converse", "changed", {"audio": {"format": "wav", "source": {"bytes": "UklGRgAAAABXQVZF"}}}),
    ],
)
def test_audio_of_the_user_reaches_formats_that_take_audio(target: il.FormatName, kind: str, found: Any) -> None:
    payload, losses = converted(target, heard(AUDIO))
    assert found in list(_objects(payload))
    assert [loss for loss in losses if loss[1] != "/input/1"] == [(kind, "/input/1/content/0")]


def _objects(value: Any) -> Iterator[Any]:
    """All objects in JSON data."""
    if is_object(value):
        yield value
        for item in value.values():
            yield from _objects(item)
    elif is_array(value):
        for item in value:
            yield from _objects(item)


@pytest.mark.parametrize("target", ["anthropic", "cohere", "ollama"])
def test_audio_is_reported_where_no_message_takes_it(target: il.FormatName) -> None:
    assert converted(target, heard(AUDIO))[1][0][0] == "dropped"


@pytest.mark.parametrize("odd", [{"data": 5, "format": "wav"}, {"data": "no base64!", "format": "wav"}, {"data": "YQ=="}, "x"])
def test_what_is_no_audio_is_left_out(odd: Any) -> None:
    _, losses = converted("gemini", heard({"type": "input_audio", "input_audio": odd}))
    assert {kind for kind, _ in losses} == {"dropped"}


def test_other_fields_of_audio_are_reported() -> None:
    _, losses = converted("gemini", heard({**AUDIO, "input_audio": {**AUDIO["input_audio"], "x": 1}, "y": 2}))
    place = "/input/1/content/0"
    assert losses == [("changed", place), ("dropped", place + "/input_audio/x"), ("dropped", place + "/y")]


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("gemini", {"inlineData": {"mimeType": "image/png", "data": PNG}}),
        ("gemini_interactions", {"type": "image", "mime_type": "image/png", "data": PNG}),
    ],
)
def test_a_drawn_image_of_the_history_is_an_image_of_the_model(target: il.FormatName, found: Any) -> None:
    payload, losses = converted(target, DRAWN | {"revised_prompt": "A cat."})
    assert found in list(_objects(payload))
    assert losses == [("changed", "/input/1"), ("dropped", "/input/1/revised_prompt")]


def test_a_drawn_image_of_the_history_is_an_image_at_ollama() -> None:
    payload, losses = converted("ollama", DRAWN)
    assert payload["messages"][1]["images"] == [PNG]
    assert losses == [("changed", "/input/1")]


@pytest.mark.parametrize("target", ["anthropic", "openai_chat", "openrouter", "bedrock_converse", "cohere", "mistral"])
def test_a_drawn_image_is_reported_where_answers_have_no_images(target: il.FormatName) -> None:
    payload, losses = converted(target, DRAWN)
    assert PNG not in repr(payload)
    assert losses == [("dropped", "/input/1")]
