"""The many spellings of media types, and what each provider calls them."""

from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import quote

import pytest

import interlingua as il

WAVE = ("audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave", "Audio/WAV", "audio/x-pn-wav")
MP3 = ("audio/mpeg", "audio/mp3", "audio/x-mp3", "audio/mpeg3", "audio/mpga")
FORMATS_OF_AUDIO = {
    **dict.fromkeys(WAVE, ("wav", ("wav",), ("audio/wav",))),
    **dict.fromkeys(MP3, ("mp3", ("mp3", "mpeg", "mpga"), ("audio/mp3", "audio/mpeg", "audio/mpga"))),
    "audio/x-flac": (None, ("flac",), ("audio/flac",)),
    "audio/ogg; codecs=opus": (None, ("ogg",), ("audio/ogg",)),
    "audio/x-m4a": (None, ("m4a",), ("audio/m4a",)),
    "audio/aacp": (None, ("aac",), ("audio/aac",)),
}
"""What a media type is called by Chat (None: it takes no such audio), by Converse and by Gemini."""


def heard(media_type: str) -> list[il.Message]:
    source = {"type": "base64", "data": "UklGRg==", "media_type": media_type}
    return il.validate([{"role": "user", "content": [{"type": "audio", "source": source}]}])


def sent(messages: list[il.Message], target: il.FormatName) -> tuple[Any, list[il.Loss]]:
    losses: list[il.Loss] = []
    body: dict[str, Any] = il.dump(messages, target, on_loss=losses.append)
    held = body.get("contents") or body["messages"]
    return next(iter(held[0].get("parts") or held[0]["content"]), None) if held else None, losses


@pytest.mark.parametrize("media_type", FORMATS_OF_AUDIO)
def test_audio_is_sent_under_the_name_that_each_provider_knows(media_type: str) -> None:
    chat, converse, gemini = FORMATS_OF_AUDIO[media_type]
    part, losses = sent(heard(media_type), "openai_chat")
    if chat is None:
        assert [loss.kind for loss in losses] == ["dropped"]
    else:
        assert part == {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": chat}}
        assert [loss.kind for loss in losses] == ["changed"] * (media_type != f"audio/{chat}")
    part, losses = sent(heard(media_type), "bedrock_converse")
    assert part["audio"]["format"] in converse
    assert [loss.kind for loss in losses] == ["changed"] * (media_type != f"audio/{part['audio']['format']}")
    part, losses = sent(heard(media_type), "gemini")
    assert part["inlineData"]["mimeType"] in gemini
    assert [loss.kind for loss in losses] == ["changed"] * (media_type != part["inlineData"]["mimeType"])


@pytest.mark.parametrize("spelled", ["image/jpg", "image/pjpeg", "IMAGE/JPEG"])
@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse", "gemini"])
def test_images_are_sent_under_the_registered_name(spelled: str, target: il.FormatName) -> None:
    source = {"type": "base64", "data": "/9j/4AAQ", "media_type": spelled}
    part, losses = sent(il.validate([{"role": "user", "content": [{"type": "image", "source": source}]}]), target)
    assert "jpeg" in str(part)
    assert "jpg" not in str(part)
    assert [loss.kind for loss in losses] == ["changed"]


JPEG = "/9j/4AAQSkZJRg=="
TYPES_OF_A_JPEG: list[tuple[str | None, str]] = [
    ("image/png", "the image's bytes are image/jpeg; sent as that"),
    ("application/octet-stream", "the image's bytes are image/jpeg; sent as that"),
    ("image/jpeg", ""),
    (None, ""),
]


@pytest.mark.parametrize(("media_type", "detail"), TYPES_OF_A_JPEG)
@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse"])
def test_an_image_is_sent_with_the_media_type_of_its_bytes(media_type: str | None, detail: str, target: il.FormatName) -> None:
    source = {"type": "base64", "data": JPEG, "media_type": media_type}
    part, losses = sent(il.validate([{"role": "user", "content": [{"type": "image", "source": source}]}]), target)
    written = part["image"]["format"] if target == "bedrock_converse" else part["source"]["media_type"]
    assert written.removeprefix("image/") == "jpeg"
    assert [(loss.path, loss.kind, loss.detail) for loss in losses] == (
        [("/0/content/0/source", "changed", detail)] if detail else []
    )


WITHOUT_TYPE: dict[str, dict[il.FormatName, Any]] = {
    "UklGRiQAAABXQVZFZm10IBAAAAABAAEA": {
        "openai_chat": {"type": "input_audio", "input_audio": {"data": "UklGRiQAAABXQVZFZm10IBAAAAABAAEA", "format": "wav"}},
        "gemini": {"inlineData": {"mimeType": "audio/wav", "data": "UklGRiQAAABXQVZFZm10IBAAAAABAAEA"}},
        "bedrock_converse": {"audio": {"source": {"bytes": "UklGRiQAAABXQVZFZm10IBAAAAABAAEA"}, "format": "wav"}},
        "hf_chat_template": {"type": "audio", "url": "data:audio/wav;base64,UklGRiQAAABXQVZFZm10IBAAAAABAAEA"},
        "mistral": {"type": "input_audio", "input_audio": "UklGRiQAAABXQVZFZm10IBAAAAABAAEA"},
    },
    "SUQzBAAAAAAA": {
        "openai_chat": {"type": "input_audio", "input_audio": {"data": "SUQzBAAAAAAA", "format": "mp3"}},
        "gemini": {"inlineData": {"mimeType": "audio/mp3", "data": "SUQzBAAAAAAA"}},
        "bedrock_converse": {"audio": {"source": {"bytes": "SUQzBAAAAAAA"}, "format": "mp3"}},
    },
    "//uQZAAAAAAA": {"openai_chat": {"type": "input_audio", "input_audio": {"data": "//uQZAAAAAAA", "format": "mp3"}}},
    "ZkxhQwAAACIA": {"gemini": {"inlineData": {"mimeType": "audio/flac", "data": "ZkxhQwAAACIA"}}},
    "T2dnUwACAAAA": {"gemini": {"inlineData": {"mimeType": "audio/ogg", "data": "T2dnUwACAAAA"}}},
}
"""What audio of Mistral, which has no media type, is elsewhere."""


@pytest.mark.parametrize(("data", "target"), [(data, target) for data, parts in WITHOUT_TYPE.items() for target in parts])
def test_audio_without_a_media_type_is_sent_as_what_its_bytes_show(data: str, target: il.FormatName) -> None:
    said = {"role": "user", "content": [{"type": "input_audio", "input_audio": data}]}
    part, losses = sent(list(il.load({"messages": [said]}, "mistral").messages), target)
    assert (part, losses) == (WITHOUT_TYPE[data][target], [])


@pytest.mark.parametrize("data", ["AAAAAAAA", "iVBORw0KGgo="])
def test_audio_whose_bytes_show_no_audio_is_refused_where_a_media_type_is_needed(data: str) -> None:
    source = {"type": "base64", "data": data}
    part, [loss] = sent(il.validate([{"role": "user", "content": [{"type": "audio", "source": source}]}]), "openai_chat")
    assert (part, loss.kind) == (None, "dropped")


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "cohere", "mistral"])
def test_an_image_without_a_media_type_is_sent_as_what_its_bytes_show(target: il.FormatName) -> None:
    source = {"type": "base64", "data": JPEG}
    losses: list[il.Loss] = []
    messages = il.validate([{"role": "user", "content": [{"type": "image", "source": source}]}])
    assert f"data:image/jpeg;base64,{JPEG}" in json.dumps(il.dump(messages, target, on_loss=losses.append))
    assert losses == []


def asked(url: str) -> dict[str, Any]:
    image = {"type": "image_url", "image_url": {"url": url}}
    return {"model": "m", "messages": [{"role": "user", "content": [image]}], "max_tokens": 9}


@pytest.mark.parametrize("data", ["_9j_4AAQSkZJRg==", "\n/9j/4AAQSkZJRg==", JPEG])
def test_base64_in_any_spelling_shows_what_it_is(data: str) -> None:
    made = il.convert(asked(f"data:image/png;base64,{data}"), source="openai_chat", target="anthropic", check=True)
    assert made.payload["messages"][0]["content"][0]["source"]["media_type"] == "image/jpeg"
    assert made.problems == ()


@pytest.mark.parametrize("data", ["_9j_4AA", "_9j_4AA=", "_9j_4AAQSkZJRg=="])
@pytest.mark.parametrize("kind", ["image_url", "file"])
@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse"])
def test_base64_of_urls_is_sent_in_the_standard_alphabet(data: str, kind: str, target: il.FormatName) -> None:
    file = {"type": "file", "file": {"file_data": f"data:application/pdf;base64,{data}", "filename": "a.pdf"}}
    payload = asked(f"data:image/jpeg;base64,{data}")
    if kind == "file":
        payload["messages"][0]["content"] = [file]
    made = il.convert(payload, source="openai_chat", target=target)
    [block, *_] = made.payload["messages"][0]["content"]
    source = block["source"] if target == "anthropic" else next(iter(block.values()))["source"]
    written = source["data"] if target == "anthropic" else source["bytes"]
    assert base64.b64decode(written, validate=True) == base64.urlsafe_b64decode(data + "==")
    assert ("/messages/0/content/0", "changed") in [(loss.path, loss.kind) for loss in made.losses]


@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse"])
def test_sound_is_no_image_though_it_begins_like_webp(target: il.FormatName) -> None:
    wave = "data:audio/wav;base64,UklGRiQAAABXQVZFZm10IBAAAAABAAEA"
    assert [loss.kind for loss in il.convert(asked(wave), source="openai_chat", target=target).losses] == ["dropped"]


def test_an_image_that_is_elsewhere_shows_nothing() -> None:
    made = il.convert(asked("s3://a/b.png"), source="openai_chat", target="bedrock_converse", strict=True)
    [part] = made.payload["messages"][0]["content"]
    assert part == {"image": {"source": {"s3Location": {"uri": "s3://a/b.png"}}, "format": "png"}}


@pytest.mark.parametrize("media_type", ["image/png", "image/jpg", "image/jpeg"])
@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse"])
def test_an_image_of_chat_is_sent_with_the_media_type_of_its_bytes(media_type: str, target: il.FormatName) -> None:
    made = il.convert(asked(f"data:{media_type};base64,{JPEG}"), source="openai_chat", target=target, check=True)
    assert made.problems == ()
    assert [(loss.path, loss.kind) for loss in made.losses] == [("/messages/0/content/0/image_url/url", "changed")] * (
        media_type != "image/jpeg"
    )


@pytest.mark.parametrize("name", ["mp3", "wav"])
def test_the_formats_of_chat_come_back_as_they_were(name: str) -> None:
    said = {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": name}}
    asked = {"messages": [{"role": "user", "content": [said]}]}
    for other in ("gemini", "bedrock_converse"):
        there = il.convert(asked, source="openai_chat", target=other)
        back = il.convert(there.payload, source=other, target="openai_chat")
        assert back.payload["messages"][0]["content"] == [said]
        assert not back.losses


UNREADABLE = ("application/zip", "application/vnd.ms-excel", "image/bmp", "image/svg+xml", "Image/HEIC")
READABLE = ("application/pdf", "text/csv", "application/octet-stream", "image/jpg", "image/*", "")


@pytest.mark.parametrize("media_type", [*UNREADABLE, *READABLE])
@pytest.mark.parametrize("is_result", [False, True])
def test_claude_gets_only_urls_of_media_that_it_reads(media_type: str, is_result: bool) -> None:
    part: dict[str, Any] = {"fileData": {"fileUri": "https://a.org/b", "mimeType": media_type}}
    contents: list[Any] = [{"role": "user", "parts": [{"text": "Look."}, part]}]
    if is_result:
        call: dict[str, Any] = {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}, "id": "c"}}]}
        result = {"name": "f", "id": "c", "response": {"output": "Here."}, "parts": [part]}
        contents = [
            {"role": "user", "parts": [{"text": "Look."}]},
            call,
            {"role": "user", "parts": [{"functionResponse": result}]},
        ]
    made = il.convert({"contents": contents}, source="gemini", target="anthropic")
    assert ("https://a.org/b" in json.dumps(made.payload)) == (media_type in READABLE)
    place = "/contents/2/parts/0/functionResponse/parts/0" if is_result else "/contents/0/parts/1"
    dropped = [loss.path for loss in made.losses if loss.kind == "dropped" and loss.path == place]
    assert dropped == [place] * (media_type in UNREADABLE)


PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
TAKING_IMAGES: list[il.FormatName] = [
    *("openai_chat", "groq", "openai_responses", "mistral", "cohere", "anthropic", "gemini", "gemini_interactions"),
    *("bedrock_converse", "ollama"),
]
IMAGES: dict[il.FormatName, dict[str, Any]] = {
    "openai_chat": {"type": "image_url", "image_url": {"url": ""}},
    "openai_responses": {"type": "input_image", "image_url": ""},
}
FILES: dict[il.FormatName, dict[str, Any]] = {
    "openai_chat": {"type": "file", "file": {"file_data": "", "filename": "a.txt"}},
    "openai_responses": {"type": "input_file", "file_data": "", "filename": "a.txt"},
}


def asked_about(part: dict[str, Any], uri: str, source: il.FormatName) -> dict[str, Any]:
    """A request with a text, and media at a URI."""
    text = {"type": "text" if source == "openai_chat" else "input_text", "text": "Hi"}
    filled = json.loads(json.dumps(part).replace('""', json.dumps(uri)))
    return {
        "model": "m",
        "input" if source == "openai_responses" else "messages": [{"role": "user", "content": [text, filled]}],
    }


@pytest.mark.parametrize("head", ["data:;base64,", "data:;name=a.png;base64,", "DATA:;BASE64,"])
@pytest.mark.parametrize("source", IMAGES)
@pytest.mark.parametrize("target", TAKING_IMAGES)
def test_an_image_in_a_data_uri_without_a_media_type_is_sent_with_that_of_its_bytes(
    source: il.FormatName, target: il.FormatName, head: str
) -> None:
    request = asked_about(IMAGES[source], head + PIXEL, source)
    assert il.dump(il.load(request, source), source) == request
    if source == target:
        return
    made = il.convert(request, source=source, target=target)
    written = json.dumps(made.payload)
    assert PIXEL in written
    assert target == "ollama" or "image/png" in written or '"format": "png"' in written
    assert [loss.kind for loss in made.losses if "image_url" in loss.path] == ["changed"]


@pytest.mark.parametrize(
    ("uri", "text"),
    [
        ("data:,hello", "hello"),
        ("data:;charset=utf-8,a%20b%C3%A9,c", "a bé,c"),
        ("data:text/plain,a+b", "a+b"),
        ("data:;base64,aGVsbG8=", "hello"),
    ],
)
@pytest.mark.parametrize("source", FILES)
@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "mistral", "anthropic", "gemini", "bedrock_converse"])
def test_a_document_in_a_data_uri_is_text_unless_it_says_otherwise(
    source: il.FormatName, target: il.FormatName, uri: str, text: str
) -> None:
    request = asked_about(FILES[source], uri, source)
    if source == target:
        assert il.dump(il.load(request, source), source) == request
        return
    made = il.convert(request, source=source, target=target)
    encoded = base64.b64encode(text.encode()).decode()
    assert json.dumps(text if target == "anthropic" else encoded)[1:-1] in json.dumps(made.payload)
    assert [loss.kind for loss in made.losses if loss.path.endswith("file_data")] == ["changed"]


@pytest.mark.parametrize("uri", ["data:,hello", "data:;base64,aGVsbG8="])
@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse", "ollama"])
def test_text_is_no_image(target: il.FormatName, uri: str) -> None:
    made = il.convert(asked_about(IMAGES["openai_chat"], uri, "openai_chat"), source="openai_chat", target=target)
    [loss] = [loss for loss in made.losses if loss.path.startswith("/messages/0/content/1")]
    assert loss.kind == "dropped"
    assert "URL" not in loss.detail
    assert "base64" not in loss.detail


PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.mark.parametrize("target", ["anthropic", "gemini", "bedrock_converse", "openai_responses", "ollama", "vllm"])
@pytest.mark.parametrize("data", [PNG, PNG.rstrip("="), quote(PNG, safe="")])
def test_base64_without_its_mark_in_a_data_uri_of_an_image_is_base64(target: il.FormatName, data: str) -> None:
    request = asked_about(IMAGES["openai_chat"], f"data:image/png,{data}", "openai_chat")
    made = il.convert(request, source="openai_chat", target=target)
    assert PNG in json.dumps(made.payload)
    assert [loss.kind for loss in made.losses if "image_url" in loss.path] == ["changed"]


def test_base64_without_its_mark_in_a_data_uri_of_a_video_is_base64() -> None:
    part = {"type": "video_url", "video_url": {"url": "data:video/mp4,AAAAIGZ0eXBpc29t"}}
    request = {"model": "m", "messages": [{"role": "user", "content": [part]}]}
    made = il.convert(request, source="openai_chat", target="gemini")
    assert "AAAAIGZ0eXBpc29t" in json.dumps(made.payload)


@pytest.mark.parametrize("data", ["%3Csvg%2F%3E", "<svg/>"])
def test_an_image_that_is_text_is_written_in_base64(data: str) -> None:
    request = asked_about(IMAGES["openai_chat"], f"data:image/svg+xml,{data}", "openai_chat")
    made = il.convert(request, source="openai_chat", target="vllm")
    assert base64.b64encode(b"<svg/>").decode() in json.dumps(made.payload)


def test_text_in_a_data_uri_stays_text_even_if_it_would_be_base64() -> None:
    request = asked_about(FILES["openai_chat"], f"data:text/plain,{PNG}", "openai_chat")
    made = il.convert(request, source="openai_chat", target="anthropic")
    assert json.dumps(PNG) in json.dumps(made.payload)


@pytest.mark.parametrize("target", ["openai_responses", "anthropic", "gemini", "bedrock_converse", "ollama"])
def test_percent_signs_in_the_base64_of_a_data_uri_are_read(target: il.FormatName) -> None:
    request = asked_about(IMAGES["openai_chat"], f"data:image/png;base64,{quote(PNG, safe='')}", "openai_chat")
    assert il.dump(il.load(request, "openai_chat"), "openai_chat") == request
    made = il.convert(request, source="openai_chat", target=target)
    assert PNG in json.dumps(made.payload)
    assert [loss.kind for loss in made.losses if "image_url" in loss.path] == ["changed"]


TYPED_IN_FULL = [
    ("image/png; charset=binary", PNG, "image/png"),
    ("IMAGE/PNG", PNG, "image/png"),
    ("text/plain; charset=utf-8", "aGVsbG8=", "text/plain"),
    ("video/mp4; codecs=avc1", "AAAA", "video/mp4"),
]


@pytest.mark.parametrize(("spelled", "data", "usual"), TYPED_IN_FULL)
@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "mistral", "litellm", "openrouter", "vllm", "cohere"])
def test_a_media_type_with_parameters_makes_no_data_uri_that_is_refused(
    spelled: str, data: str, usual: str, target: il.FormatName
) -> None:
    parts = [{"inlineData": {"mimeType": spelled, "data": data}}, {"text": "What is this?"}]
    request = {"contents": [{"role": "user", "parts": parts}]}
    assert il.dump(il.load(request, "gemini"), "gemini", on_loss="raise") == request
    made = il.convert(request, source="gemini", target=target)
    lost = [loss.path for loss in made.losses if loss.kind in ("changed", "dropped")]
    written = json.dumps(made.payload)
    refused = {problem.code for problem in il.check(made.payload, target)}
    assert not refused & {"image-data-invalid", "file-data-format"}
    if lost == ["/contents/0/parts/0"]:
        return  # a target that takes no such media
    assert f"data:{usual};base64," in written or spelled == "IMAGE/PNG"
    assert lost == ["/contents/0/parts/0/inlineData/mimeType"] * (f"data:{spelled}" not in written)


@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse", "gemini_interactions"])
def test_a_media_type_in_capitals_is_that_of_an_image(target: il.FormatName) -> None:
    request = {"contents": [{"role": "user", "parts": [{"inlineData": {"mimeType": "IMAGE/PNG", "data": PNG}}]}]}
    made = il.convert(request, source="gemini", target=target)
    assert PNG in json.dumps(made.payload)
    assert [loss.kind for loss in made.losses] == ["changed"]


OFFICE = "application/vnd.openxmlformats-officedocument."
REFUSED_BY_GEMINI = [
    ("image_url", "image/svg+xml", "PHN2Zz4="),
    ("file", f"{OFFICE}wordprocessingml.document", "UEsDBA=="),
    ("file", f"{OFFICE}spreadsheetml.sheet", "UEsDBA=="),
    ("file", "application/msword", "0M8R4A=="),
]


@pytest.mark.parametrize(("kind", "media_type", "data"), REFUSED_BY_GEMINI)
def test_media_that_gemini_refuses_are_left_out(kind: str, media_type: str, data: str) -> None:
    uri = f"data:{media_type};base64,{data}"
    media = {"image_url": {"url": uri}} if kind == "image_url" else {"file": {"file_data": uri, "filename": "a"}}
    content = [{"type": kind, **media}, {"type": "text", "text": "What is this?"}]
    made = il.convert({"messages": [{"role": "user", "content": content}]}, source="openai_chat", target="gemini")
    assert made.payload["contents"] == [{"role": "user", "parts": [{"text": "What is this?"}]}]
    assert [(loss.kind, loss.path) for loss in made.losses] == [("dropped", "/messages/0/content/0")]
    own = {"contents": [{"role": "user", "parts": [{"inlineData": {"mimeType": media_type, "data": data}}]}]}
    assert il.dump(il.load(own, "gemini"), "gemini", on_loss="raise") == own


URIS: dict[il.FormatName, Any] = {
    "gemini": {"contents": [{"role": "user", "parts": [{"fileData": {"mimeType": "image/png", "fileUri": None}}]}]},
    "google_genai": {"contents": [{"role": "user", "parts": [{"file_data": {"mime_type": "image/png", "file_uri": None}}]}]},
    "gemini_interactions": {
        "input": [{"type": "user_input", "content": [{"type": "image", "mime_type": "image/png", "uri": None}]}]
    },
}


@pytest.mark.parametrize("source", URIS)
@pytest.mark.parametrize("target", ["openai_chat", "anthropic", "bedrock_converse", *URIS])
def test_data_in_the_uri_of_a_file_are_carried(source: il.FormatName, target: il.FormatName) -> None:
    uri = f"data:image/png;base64,{PNG}"
    request = json.loads(json.dumps(URIS[source]).replace("null", json.dumps(uri)))
    assert il.dump(il.load(request, source), source, on_loss="raise") == request
    made = il.convert(request, source=source, target=target, strict=True)
    assert PNG in json.dumps(made.payload)
    # A message that is built by hand, or edited, has the data where Google reads them.
    [message] = il.load(request, source).messages
    assert "uri" not in json.dumps(il.dump([il.UserMessage(content=message.parts)], "gemini_interactions"))


PDF = "JVBERi0xLjQKJQ=="
UNTOLD: list[tuple[str, str, str]] = [
    ("notes.md", "IyBOb3Rlcw==", "text/markdown"),
    ("rows.CSV", "YSxiCjEsMg==", "text/csv"),
    ("scan", PDF, "application/pdf"),
]
"""Files with their names and data, and what they are."""
OCTETS = ["application/octet-stream", "binary/octet-stream"]
"""What browsers and stores of objects call a file that they know nothing of."""


@pytest.mark.parametrize(("name", "data", "kind"), UNTOLD)
@pytest.mark.parametrize("octets", OCTETS)
@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse", "gemini", "gemini_interactions"])
def test_a_file_of_any_bytes_is_what_its_bytes_or_its_name_say(
    target: il.FormatName, octets: str, name: str, data: str, kind: str
) -> None:
    file = FILES["openai_responses"] | {"filename": name}
    request = asked_about(file, f"data:{octets};base64,{data}", "openai_responses")
    made = il.convert(request, source="openai_responses", target=target, check=True)
    written = json.dumps(made.payload)
    assert [problem for problem in made.problems if "media" in problem.code] == []
    assert "octet" not in written
    if target == "anthropic":
        is_pdf = kind == "application/pdf"
        assert json.dumps(data if is_pdf else base64.b64decode(data).decode()) in written
        assert (kind if is_pdf else "text/plain") in written
    else:
        assert data in written
        assert (kind in written) if target != "bedrock_converse" else f'"format": "{kind[-3:].replace("own", "md")}"' in written
    assert [loss.kind for loss in made.losses if "filename" not in loss.path and loss.kind != "added"] == ["changed"]


@pytest.mark.parametrize("octets", OCTETS)
@pytest.mark.parametrize("target", ["gemini", "gemini_interactions", "anthropic", "bedrock_converse"])
def test_an_image_of_any_bytes_is_what_its_bytes_say(target: il.FormatName, octets: str) -> None:
    made = il.convert(asked(f"data:{octets};base64,{JPEG}"), source="openai_chat", target=target)
    assert "jpeg" in json.dumps(made.payload)
    assert [(loss.path, loss.kind, loss.detail) for loss in made.losses if loss.kind != "added"] == [
        ("/messages/0/content/0/image_url/url", "changed", "the image's bytes are image/jpeg; sent as that")
    ]


@pytest.mark.parametrize("octets", OCTETS)
def test_a_file_of_any_bytes_that_says_nothing_stays_so(octets: str) -> None:
    request = asked_about(FILES["openai_responses"] | {"filename": "a.bin"}, f"data:{octets};base64,AAEC", "openai_responses")
    made = il.convert(request, source="openai_responses", target="gemini", check=True)
    assert octets in json.dumps(made.payload)
    assert "media-type-unsupported" in [problem.code for problem in made.problems]
    for target in ("anthropic", "bedrock_converse"):
        assert "dropped" in [loss.kind for loss in il.convert(request, source="openai_responses", target=target).losses]


@pytest.mark.parametrize(("name", "data", "kind"), UNTOLD)
def test_a_document_without_a_media_type_reaches_mistral_with_that_of_its_bytes_or_its_name(
    name: str, data: str, kind: str
) -> None:
    request = asked_about(FILES["openai_responses"] | {"filename": name}, data, "openai_responses")
    made = il.convert(request, source="openai_responses", target="mistral", strict=True)
    [_, document] = made.payload["messages"][0]["content"]
    assert document["document_url"] == f"data:{kind};base64,{data}"


@pytest.mark.parametrize(
    ("kind", "url"), [("document", "https://example.com/a.docx"), ("image", "https://example.com/a.svg?b")]
)
def test_the_suffix_of_a_url_says_that_gemini_refuses_it(kind: str, url: str) -> None:
    media = {"type": kind, "source": {"type": "url", "url": url}}
    asked = {"max_tokens": 9, "messages": [{"role": "user", "content": [{"type": "text", "text": "a"}, media]}]}
    made = il.convert(asked, source="anthropic", target="gemini")
    assert made.payload["contents"] == [{"role": "user", "parts": [{"text": "a"}]}]
    assert [(loss.kind, loss.path) for loss in made.losses] == [("dropped", "/messages/0/content/1")]


def test_a_media_type_is_refused_however_it_is_spelled() -> None:
    media = {"inlineData": {"mimeType": "IMAGE/SVG+XML; charset=utf-8", "data": "aGk="}}
    found = il.check({"contents": [{"role": "user", "parts": [media]}]}, "gemini")
    assert [problem.code for problem in found] == ["media-type-unsupported"]


SHORT_PDF = "JVBERi0xLjQK"
OF_PDF: dict[il.FormatName, Any] = {
    "anthropic": {"type": "document", "source": {"type": "base64", "data": SHORT_PDF, "media_type": "application/pdf"}},
    "bedrock_converse": {"document": {"source": {"bytes": SHORT_PDF}, "format": "pdf", "name": "document"}},
    "gemini": {"inlineData": {"data": SHORT_PDF, "mimeType": "application/pdf"}},
    "gemini_interactions": {"type": "document", "data": SHORT_PDF, "mime_type": "application/pdf"},
    "openai_responses": {
        "type": "input_file",
        "file_data": f"data:application/pdf;base64,{SHORT_PDF}",
        "filename": "document.pdf",
    },
}
"""What each provider gets for a PDF in the place of an image."""


@pytest.mark.parametrize("target", OF_PDF)
@pytest.mark.parametrize(
    "image",
    [
        {"type": "image_url", "image_url": {"url": f"data:application/pdf;base64,{SHORT_PDF}", "detail": "high"}},
        {"type": "image", "source": {"type": "base64", "data": SHORT_PDF, "media_type": "application/pdf"}, "detail": "high"},
    ],
    ids=lambda image: str(image["type"]),
)
def test_a_pdf_in_the_place_of_an_image_is_sent_as_one(image: dict[str, Any], target: il.FormatName) -> None:
    losses: list[il.Loss] = []
    asked = il.validate([{"role": "user", "content": [{"type": "text", "text": "a"}, image]}])
    body: Any = il.dump(asked, target, on_loss=losses.append)
    [message] = next(body[key] for key in ("messages", "contents", "input") if key in body)
    assert (message.get("parts") or message["content"])[1] == OF_PDF[target]
    expected = {"dropped", "added"} if target == "openai_responses" else {"dropped"}
    assert {loss.kind for loss in losses} == expected | ({"changed"} if target != "gemini" else set())
    assert sum(loss.path.endswith("/detail") for loss in losses) == 1


@pytest.mark.parametrize(
    "url", ["data:Application/PDF;name=a.pdf;base64,JVBERi0xLjQK", "data:application/pdf;base64,JVBERi0xLjQK"]
)
def test_a_pdf_in_the_place_of_an_image_is_known_however_it_is_spelled(url: str) -> None:
    asked = {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}]}
    body: Any = il.convert(asked, source="openai_chat", target="openai_responses").payload
    assert body["input"][0]["content"] == [{"type": "input_file", "file_data": url, "filename": "document.pdf"}]
    [message] = il.convert(asked, source="openai_chat", target="anthropic").payload["messages"]
    assert message["content"] == [OF_PDF["anthropic"]]


IMAGE_OF: dict[il.FormatName, Any] = {
    "anthropic": {"type": "image", "source": {"type": "base64", "data": JPEG, "media_type": "image/jpeg"}},
    "bedrock_converse": {"image": {"source": {"bytes": JPEG}, "format": "jpeg"}},
    "gemini": {"inlineData": {"data": JPEG, "mimeType": "image/jpeg"}},
    "gemini_interactions": {"type": "image", "data": JPEG, "mime_type": "image/jpeg"},
}
"""What each provider gets for a JPEG in the place of a file."""


def with_file(media_type: str, data: str, name: str | None = "pier.bin") -> dict[str, Any]:
    file = {"file_data": f"data:{media_type};base64,{data}"} | ({} if name is None else {"filename": name})
    content = [{"type": "text", "text": "a"}, {"type": "file", "file": file}]
    return {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": content}]}


def second(payload: Any) -> Any:
    [message] = next(payload[key] for key in ("messages", "contents", "input") if key in payload)
    return (message.get("parts") or message["content"])[1]


@pytest.mark.parametrize("target", IMAGE_OF)
@pytest.mark.parametrize("media_type", ["image/jpeg", "IMAGE/JPEG", "application/octet-stream"])
def test_an_image_in_the_place_of_a_file_is_sent_as_one(media_type: str, target: il.FormatName) -> None:
    made = il.convert(with_file(media_type, JPEG), source="openai_chat", target=target, check=True)
    assert second(made.payload) == IMAGE_OF[target]
    lost = [(loss.path.removeprefix("/messages/0/content/1"), loss.kind) for loss in made.losses]
    assert ("/file/filename", "dropped") in lost
    assert (("", "changed") in lost) == (target != "gemini")
    assert made.problems == ()


def test_media_in_the_place_of_a_file_are_sent_as_what_they_are_to_converse() -> None:
    video = il.convert(with_file("video/quicktime", "AAAA"), source="openai_chat", target="bedrock_converse")
    assert second(video.payload) == {"video": {"source": {"bytes": "AAAA"}, "format": "mov"}}
    sound = il.convert(with_file("audio/x-wav", "UklGRg==", None), source="openai_chat", target="bedrock_converse")
    assert second(sound.payload) == {"audio": {"source": {"bytes": "UklGRg=="}, "format": "wav"}}
    refused = il.convert(with_file("video/quicktime", "AAAA"), source="openai_chat", target="anthropic")
    assert [loss.kind for loss in refused.losses] == ["dropped"]


def test_sound_in_the_place_of_a_file_has_no_place_in_a_result_for_converse() -> None:
    call = {"id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    file = {"type": "file", "file": {"file_data": "data:audio/wav;base64,UklGRg==", "filename": "a.wav"}}
    history = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "t", "content": [{"type": "text", "text": "b"}, file]},
    ]
    made = il.convert({"messages": history}, source="litellm", target="bedrock_converse")
    assert made.payload["messages"][2]["content"] == [{"toolResult": {"toolUseId": "t", "content": [{"text": "b"}]}}]
    assert "/messages/2/content/1" in [loss.path for loss in made.losses if loss.kind == "dropped"]


@pytest.mark.parametrize(
    ("kind", "media_type", "sent"),
    [("file", "image/png", "image"), ("image", "application/pdf", "document"), ("image", "image/PNG", "image")],
)
def test_media_by_url_are_sent_as_what_their_type_says(kind: str, media_type: str, sent: str) -> None:
    source = {"type": "url", "url": "https://e.org/a", "media_type": media_type}
    messages: list[Any] = [{"role": "user", "content": [{"type": kind, "source": source}]}]
    [message] = il.dump(messages, "anthropic", on_loss="ignore")["messages"]
    assert [*message["content"]] == [{"type": sent, "source": {"type": "url", "url": "https://e.org/a"}}]
