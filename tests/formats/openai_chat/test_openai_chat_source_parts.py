"""Images and documents with a `source`, as Anthropic has them, in Chat messages."""

from typing import Any

import pytest

import interlingua as il

PDF = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0xLjQK"}
PNG = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
TEXT = {"type": "text", "media_type": "text/plain", "data": "The old one."}
PARTS: dict[str, dict[str, Any]] = {
    "a PDF": {"type": "document", "source": PDF},
    "a document at a URL": {"type": "document", "source": {"type": "url", "url": "https://example.org/a.pdf"}},
    "a text": {"type": "document", "source": TEXT, "title": "Report", "context": "of May", "citations": {"enabled": True}},
    "a marked text": {"type": "document", "source": TEXT, "cache_control": {"type": "ephemeral"}},
    "an image": {"type": "image", "source": PNG},
    "an image at a URL": {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
}
UNREAD: list[dict[str, Any]] = [
    {"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "a"}]}},
    {"type": "document", "source": {"type": "base64", "data": "JVBERi0xLjQK"}},
    {"type": "image", "source": {**PNG, "note": 1}},
    {"type": "image", "source": TEXT},
    {"type": "image", "source": {"type": "url", "url": None}},
    {"type": "image", "source": "https://example.org/a.png"},
    {"type": "document"},
]


def asked(part: dict[str, Any]) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": "What is it?"}, part]}]}


@pytest.mark.parametrize("format", ["openai_chat", "litellm", "vllm", "mistral", "verifiers"])
@pytest.mark.parametrize("part", [*PARTS.values(), *UNREAD])
def test_they_come_back_in_the_same_format(part: dict[str, Any], format: il.FormatName) -> None:
    result = il.convert(asked(part), source=format, target=format)
    assert result.payload == asked(part)
    assert result.losses == ()
    assert il.dump(il.load(asked(part), format), format, on_loss="raise") == asked(part)


@pytest.mark.parametrize("part", PARTS.values(), ids=list(PARTS))
def test_anthropic_gets_them_whole(part: dict[str, Any]) -> None:
    result = il.convert(asked(part), source="litellm", target="anthropic", check=True)
    assert result.payload["messages"][0]["content"][1] == part
    assert result.losses == ()
    assert {problem.code for problem in result.problems} == {"max-tokens-missing"}


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "gemini", "gemini_openai", "cohere", "ollama", "vllm"])
@pytest.mark.parametrize("kind", ["a text", "an image"])
def test_other_providers_get_the_media(kind: str, target: il.FormatName) -> None:
    result = il.convert(asked(PARTS[kind]), source="litellm", target=target)
    data = {"a text": ("VGhlIG9sZCBvbmUu", "The old one."), "an image": (PNG["data"],)}[kind]
    assert any(each in str(result.payload) for each in data)
    lost = {loss.path.rpartition("/")[2] for loss in result.losses if loss.kind == "dropped"} - {"model", "title"}
    assert lost == ({"context", "citations"} if kind == "a text" else set())
    assert "'citations'" not in str(result.payload)


def test_converse_gets_the_context_and_the_citations_of_a_document() -> None:
    result = il.convert(asked(PARTS["a text"]), source="litellm", target="bedrock_converse")
    document = result.payload["messages"][0]["content"][1]["document"]
    assert (document["context"], document["citations"]) == ("of May", {"enabled": True})
    assert [loss.path for loss in result.losses if loss.kind == "dropped"] == []


@pytest.mark.parametrize(
    ("kind", "source"),
    [("an image", il.Base64Source(data="iVBORw0KGgo=")), ("a text", il.TextSource(text="new"))],
)
def test_a_source_that_was_replaced_is_written_as_usual(kind: str, source: Any) -> None:
    request = il.load(asked(PARTS[kind]), "openai_chat")
    text: Any
    part: Any
    text, part = request.messages[0].parts
    sent = il.dump([il.UserMessage(content=[text, part.replace(source=source)])], "openai_chat", on_loss="ignore")
    assert sent["messages"][0]["content"][1]["type"] == ("image_url" if kind == "an image" else "file")


def test_an_edited_source_is_written_as_usual() -> None:
    request = il.load(asked(PARTS["an image"]), "litellm")
    text, image = request.messages[0].parts
    assert isinstance(image, il.ImagePart)
    edited = image.replace(source={"type": "file_id", "file_id": "f"})
    lost: list[il.Loss] = []
    sent = il.dump([il.UserMessage(content=[text, edited])], "litellm", on_loss=lost.append)
    assert sent["messages"][0]["content"] == [{"type": "text", "text": "What is it?"}]
    assert [(loss.kind, loss.path) for loss in lost] == [("dropped", "/0/content/1")]


@pytest.mark.parametrize("part", UNREAD)
def test_what_cannot_be_read_is_reported(part: dict[str, Any]) -> None:
    result = il.convert(asked(part), source="litellm", target="anthropic")
    assert [(loss.kind, loss.path) for loss in result.losses] == [("dropped", "/messages/0/content/1")]
