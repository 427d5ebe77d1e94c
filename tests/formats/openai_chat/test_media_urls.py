"""Video and audio in `video_url` and `audio_url`, which hosts of Chat's shape take, and OpenAI does not."""

from typing import Any

import pytest

import interlingua as il

URL = "https://media.example/1.mp4"
DATA = "data:video/mp4;base64,AAAA"
HOSTS: list[il.FormatName] = ["openrouter", "litellm", "vllm", "sglang"]


def asking(*parts: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": "What?"}, *parts]}]}


def video(url: str) -> dict[str, Any]:
    return {"type": "video_url", "video_url": {"url": url}}


PARTS: list[dict[str, Any]] = [
    video(URL),
    video(DATA),
    {"type": "video_url", "video_url": URL},
    {"type": "video_url", "video_url": {"url": DATA, "detail": "low"}, "uuid": "1"},
    {"type": "video_url", "video_url": {"url": "data:video/mp4;x=1;base64,AAAA"}},
    {"type": "video_url", "video_url": None, "uuid": "1"},
    {"type": "audio_url", "audio_url": {"url": "https://media.example/1.wav"}},
    {"type": "audio_url", "audio_url": {"url": "data:audio/wav;base64,AAAA"}},
    {"type": "audio_url", "audio_url": "data:audio/wav;base64,AAAA"},
]


@pytest.mark.parametrize("format", [*HOSTS, "openai_chat", "mistral", "hf_chat_template", "verifiers"])
@pytest.mark.parametrize("part", PARTS)
def test_each_comes_back_as_it_was(part: Any, format: il.FormatName) -> None:
    payload = asking(part)
    assert il.dump(il.load(payload, format), format, on_loss="raise") == payload


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("target", ["gemini", "gemini_interactions"])
def test_video_goes_to_gemini_and_back(target: il.FormatName, host: il.FormatName) -> None:
    payload = asking(video(DATA), video(URL))
    there = il.convert(payload, source=host, target=target, strict=True)
    back = il.convert(there.payload, source=target, target=host, model="m")
    assert back.payload["messages"] == payload["messages"]


@pytest.mark.parametrize("target", HOSTS)
@pytest.mark.parametrize("source", HOSTS)
def test_hosts_take_video_from_each_other(source: il.FormatName, target: il.FormatName) -> None:
    bare = {"type": "video_url", "video_url": URL}
    converted = il.convert(asking(video(DATA), bare), source=source, target=target, strict=True)
    expected = asking(video(DATA), bare if source == target else video(URL))
    assert converted.payload["messages"] == expected["messages"]


def test_video_without_a_media_type_is_reported() -> None:
    losses: list[il.Loss] = []
    part = il.VideoPart(source=il.Base64Source(data="AAAA"))
    il.dump([il.UserMessage(content=[il.TextPart(text="What?"), part])], "vllm", on_loss=losses.append)
    assert [(loss.path, loss.kind) for loss in losses] == [("/0/content/1", "dropped")]


def test_audio_in_a_data_uri_goes_to_openai_and_elsewhere() -> None:
    payload = asking({"type": "audio_url", "audio_url": {"url": "data:audio/wav;base64,AAAA"}})
    there = il.convert(payload, source="vllm", target="openai_chat", strict=True)
    assert there.payload["messages"][0]["content"][1] == {
        "type": "input_audio",
        "input_audio": {"data": "AAAA", "format": "wav"},
    }
    gemini = il.convert(payload, source="vllm", target="gemini", strict=True)
    assert gemini.payload["contents"][0]["parts"][1] == {"inlineData": {"mimeType": "audio/wav", "data": "AAAA"}}


def test_audio_by_its_url_goes_between_servers() -> None:
    payload = asking({"type": "audio_url", "audio_url": {"url": "https://media.example/1.wav"}})
    assert il.convert(payload, source="vllm", target="sglang", strict=True).payload["messages"] == payload["messages"]
    lost = il.convert(payload, source="vllm", target="openai_chat").losses
    assert [(loss.path, loss.kind) for loss in lost] == [("/messages/0/content/1", "dropped")]


def test_kimi_takes_video() -> None:
    kimi = il.format_for(il.HOSTS["moonshot"], "moonshot")
    gemini = {"contents": [{"role": "user", "parts": [{"inlineData": {"mimeType": "video/mp4", "data": "AAAA"}}]}]}
    converted = il.convert(gemini, source="gemini", target=kimi, strict=True)
    assert converted.payload["messages"][0]["content"] == [video(DATA)]


def test_openai_gets_no_video() -> None:
    lost = il.convert(asking(video(URL)), source="vllm", target="openai_chat").losses
    assert [(loss.path, loss.kind) for loss in lost] == [("/messages/0/content/1", "dropped")]


SEEN = {"type": "image_url", "image_url": None, "uuid": "1"}
"""An image that vLLM has seen, and knows by its uuid."""


@pytest.mark.parametrize("part", [SEEN, {"type": "image_url", "uuid": "1"}, {"image_url": None, "uuid": "1"}])
def test_an_image_by_its_uuid_goes_nowhere_else(part: Any) -> None:
    payload = asking(part)
    assert il.dump(il.load(payload, "vllm"), "vllm", on_loss="raise") == payload
    targets: list[il.FormatName] = ["openai_chat", "openrouter", "sglang", "anthropic", "gemini"]
    for target in targets:
        made = il.convert(payload, source="vllm", target=target)
        assert [(loss.kind, loss.path) for loss in made.losses] == [("dropped", "/messages/0/content/1")]


@pytest.mark.parametrize("part", [{"image_url": URL}, {"image_url": {"url": URL}}, {"image_url": URL, "uuid": "1"}])
def test_an_image_without_a_type_is_an_image(part: Any) -> None:
    payload = asking(part)
    assert il.dump(il.load(payload, "vllm"), "vllm", on_loss="raise") == payload
    made: Any = il.convert(payload, source="vllm", target="openai_chat").payload
    assert made["messages"][0]["content"][1] == {"type": "image_url", "image_url": {"url": URL}}


def test_a_text_must_have_a_type() -> None:
    with pytest.raises(il.InvalidPayload):
        il.load(asking({"text": "Hi."}), "vllm")
