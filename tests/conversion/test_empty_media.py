"""Images and files without data, which providers refuse with the whole request.

Evidence: "image cannot be empty" of Anthropic (anthropics/claude-code#12750), and "got empty base64-encoded bytes" of OpenAI
(anomalyco/opencode#23983). Gemini and Converse have rules for them.
"""

from typing import Any

import pytest

import interlingua as il

TEXT = il.TextPart(text="What is it?")
EMPTY: list[Any] = [
    il.ImageUrlPart(image_url={"url": "data:image/png;base64,"}),
    il.ImageUrlPart(image_url={"url": ""}),
    il.ImagePart(source={"type": "base64", "data": "", "media_type": "image/png"}),
    il.FilePart(source={"type": "base64", "data": "", "media_type": "application/pdf"}, filename="a.pdf"),
    il.InputAudioPart(input_audio={"data": "", "format": "wav"}),
    il.FilePart(source={"type": "text", "text": ""}, filename="a.txt"),
]
TARGETS: list[il.FormatName] = [
    *("openai_chat", "openai_responses", "anthropic", "anthropic_bedrock", "gemini", "gemini_interactions", "bedrock_converse"),
    *("bedrock_nova", "cohere", "ollama", "mistral", "openrouter", "vllm", "groq", "deepseek", "gemini_openai"),
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("part", EMPTY)
def test_they_are_left_out_and_reported(part: Any, target: il.FormatName) -> None:
    lost: list[il.Loss] = []
    request = il.Request(model="m", messages=[il.UserMessage(content=[TEXT, part])])
    with_it = il.dump(request, target, on_loss=lost.append)
    without = il.dump(il.Request(model="m", messages=[il.UserMessage(content=[TEXT])]), target, on_loss="ignore")
    assert il.load(with_it, target).messages[0].text == "What is it?"
    assert str(part.type.removeprefix("input_").removesuffix("_url")) not in str(with_it).replace(TEXT.text, "")
    assert [(loss.kind, loss.path) for loss in lost if loss.path.startswith("/messages")] == [
        ("dropped", "/messages/0/content/1")
    ]
    assert len(str(with_it)) <= len(str(without)) + len("[{'type': 'text', 'text': }]")


@pytest.mark.parametrize("format", ["openai_chat", "openrouter", "vllm"])
def test_they_come_back_in_the_same_format(format: il.FormatName) -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,"}}
    payload: Any = {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": "What?"}, image]}]}
    assert il.dump(il.load(payload, format), format, on_loss="raise") == payload


def test_data_that_end_in_a_comma_are_sent() -> None:
    part = il.ImageUrlPart(image_url={"url": "data:image/svg+xml,%3Csvg/%3E,"})
    lost: list[il.Loss] = []
    sent = il.dump([il.UserMessage(content=[TEXT, part])], "litellm", on_loss=lost.append)
    assert [each["type"] for each in sent["messages"][0]["content"]] == ["text", "image_url"]
    assert [loss.kind for loss in lost] == ["changed"]
