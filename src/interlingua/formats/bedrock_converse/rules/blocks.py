"""What Bedrock's Converse refuses in media, and where cache points may stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from ....codec.rules import images
from ....codec.rules.media import is_base64
from ....codec.rules.packed import packed_in
from ....codec.rules.rule import fault
from ....codec.rules.view import Found, Media, View, object_of, objects
from ....model.base import Json
from .view import kind_of

_FORMATS = {
    "image": frozenset({"png", "jpeg", "gif", "webp"}),
    "document": frozenset({"pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"}),
    "video": frozenset({"mkv", "mov", "mp4", "webm", "flv", "mpeg", "mpg", "wmv", "three_gp"}),
    "audio": frozenset("mp3 opus wav aac flac mp4 ogg mkv mka x-aac m4a mpeg mpga pcm webm".split()),
}
_IMAGES = frozenset(f"image/{format}" for format in _FORMATS["image"])
_NAME = re.compile(r"(?!.* {2})[a-zA-Z0-9 _()\[\]-]{1,200}")
_IMAGE_BYTES = 3_932_160
"""3.75 MiB."""

_DOCUMENT_BYTES = 4_718_592
"""4.5 MiB."""


def _documents(view: View) -> Iterable[tuple[Media, dict[str, Any]]]:
    """The documents, each with the object that has its fields."""
    return ((media, media.value) for media in view.media if media.kind == "document" and media.value is not None)


def media_type_unsupported(view: View) -> Found:
    """The format of media must be one that Converse accepts.

    Evidence: the service model (botocore 1.44.5: `ImageFormat`, `DocumentFormat`, `VideoFormat`, `AudioFormat`). Requests with
    `video/mp4` in place of `mp4` were answered.
    """
    for media in view.media:
        if media.media_type is not None and media.media_type.removeprefix("video/") not in _FORMATS[media.kind]:
            yield f"{media.at}/format", f"the format of {media.kind} must be one of {', '.join(sorted(_FORMATS[media.kind]))}"


def media_data_invalid(view: View) -> Found:
    """Media must have bytes, which must be base64 in JSON.

    Evidence: the service model (botocore 1.44.5: a blob of at least one byte), and the protocol REST-JSON, which spells blobs
    in base64.
    """
    for media in view.media:
        if media.raw == b"" or (media.data is not None and not is_base64(media.data)):
            yield f"{media.at}/source/bytes", f"the bytes of {media.kind} must be base64, and not empty"


@fault("filename-refused")
def document_name_charset(view: View) -> Found:
    """The name of a document must have 1 to 200 letters, digits, single spaces, hyphens, underscores, parentheses and brackets.

    Evidence: the server's text "The document file name can only contain alphanumeric characters" (simonw/llm-bedrock#8,
    vercel/ai#20365, anomalyco/opencode#19964, karthink/gptel#1427); underscores are accepted.
    """
    for media, document in _documents(view):
        name: Json = document.get("name")
        if isinstance(name, str) and not _NAME.fullmatch(name):
            yield (
                f"{media.at}/name",
                "the name of a document must have 1 to 200 letters, digits, single spaces, hyphens, underscores or brackets",
            )


@fault("filename-refused")
def document_name_duplicate(view: View) -> Found:
    """The documents of a request must have different names.

    Evidence: the server's text "Messages can't contain duplicate document names" (aws-samples/generative-ai-use-cases#1685,
    maximhq/bifrost#7003, #7027).
    """
    seen: Counter[str] = Counter()
    for media, document in _documents(view):
        name: Json = document.get("name")
        if isinstance(name, str):
            if seen[name]:
                yield f"{media.at}/name", "the names of documents must differ, and another document has this name"
            seen[name] += 1


def document_without_text(view: View) -> Found:
    """A message with a document must also have a text.

    Evidence: the server's text "A text block must be included when using documents" (archestra-ai/archestra#4220,
    maximhq/bifrost#5817, agentjido/req_llm#1004).
    """
    holding = {media.turn for media, _ in _documents(view) if not media.in_result and media.turn >= 0}
    for turn in (view.turns[index] for index in sorted(holding)):
        texts = (block.get("text") for _, block in objects(turn.value.get("content"), ""))
        if turn.role == "user" and not any(isinstance(text, str) and text.strip() for text in texts):
            yield turn.at, "a message with a document must have a text: add one"


def too_many_documents(view: View) -> Found:
    """A request must have at most 5 documents.

    Evidence: the server's text "You can't include more than 5 documents in a request"
    (aws-samples/generative-ai-use-cases#1685).
    """
    yield from ((media.at, "a request must have at most 5 documents") for media, _ in list(_documents(view))[5:])


def document_too_large_bytes(view: View) -> Found:
    """A document must be at most 4.5 MiB.

    Evidence: the reference of Converse (`Message`); newer models take more.
    """
    for media, _ in _documents(view):
        if _size(media) > _DOCUMENT_BYTES:
            yield media.at, "a document must be at most 4.5 MiB"


def too_many_images(view: View) -> Found:
    """A request must have at most 20 images.

    Evidence: the reference of Converse (`Message`); no refusal was found.
    """
    found = [media for media in view.media if media.kind == "image"]
    yield from ((media.at, "a request must have at most 20 images") for media in found[20:])


def image_too_large_bytes(view: View) -> Found:
    """An image must be at most 3.75 MiB.

    Evidence: the reference of Converse (`Message`); no refusal was found.
    """
    for media in view.media:
        if media.kind == "image" and _size(media) > _IMAGE_BYTES:
            yield media.at, "an image must be at most 3.75 MiB: make it smaller"


def _size(media: Media) -> int:
    """The bytes of inline media."""
    return len(media.raw) if media.raw is not None else len(media.data or "") * 3 // 4


def image_too_large_pixels(view: View) -> Found:
    """Each side of an image must have at most 8000 pixels.

    Evidence: the reference of Converse (`Message`); Claude's text "At least one of the image dimensions exceed max allowed
    size" (langgenius/dify#11177).
    """
    return images.wider_than(view.media, 8000)


def media_type_mismatch(view: View) -> Found:
    """The format of an image must be that of its bytes.

    Evidence: Claude's text "The image was specified using the image/jpeg media type, but the image appears to be"
    (vybestack/llxprt-code#2130).
    """
    return images.unlike_their_type(view.media, _IMAGES, prefix="image/")


def media_not_in_user(view: View) -> Found:
    """Images and documents must be in user messages.

    Evidence: the reference of Converse (`Message`); no refusal was found.
    """
    for media in view.media:
        if media.turn >= 0 and view.turns[media.turn].role == "assistant":
            yield media.at, f"the {media.kind} must be in a message of role user, not assistant"


def url_source_unsupported(view: View) -> Found:
    """Media must be inline, not in S3.

    Evidence: the server's text "This model doesn't support the s3Uri field" (recorded 59e3f3c212657e41, 703b3da3757edbf3,
    6de873c9b346aebe, of Claude); Nova takes it in messages of the user (recorded 2284777cd4ec98d0).
    """
    for media in view.media:
        if media.url is not None:
            yield f"{media.at}/source/s3Location", "many models refuse media in S3: send the bytes"


def block_type_unsupported(view: View) -> Found:
    """A result must not contain a video.

    Evidence: the server's text "This model doesn't support the video content block that you provided" (recorded
    1892d0347692ed0a, of Claude); which kinds of blocks a model takes depends on it.
    """
    for media in view.media:
        if media.in_result and media.kind == "video":
            yield media.at, "many models refuse a video in a tool result: put it into a user message"


def is_uncached(block: dict[str, Any]) -> bool:
    """Whether a block is media that a cache point must not follow."""
    kind = kind_of(block)
    return kind == "video" or (kind == "document" and object_of(block, "document").get("format") != "pdf")


def points_after(view: View, misplaced: Callable[[dict[str, Any]], bool], what: str) -> Found:
    """The cache points of messages that come directly after such a block."""
    turns = sorted({block.turn for block in view.others if block.kind == "cachePoint" and block.turn >= 0})
    for turn in (view.turns[index] for index in turns):
        before: dict[str, Any] = {}
        for at, block in objects(turn.value.get("content"), f"{turn.at}/content"):
            if kind_of(block) == "cachePoint" and misplaced(before):
                yield f"{at}/cachePoint", f"a cache point must not come after {what}: leave it out"
            before = block


packed_value = packed_in("content/*/reasoningContent/reasoningText/signature", "content/*/reasoningContent/redactedContent")


# Reasoning


def reasoning_text_missing(view: View) -> Found:
    """Reasoning must have a text, though an answer may have a signature alone.

    Evidence: the server's text "reasoningContent.reasoningText.text' failed to satisfy constraint: Member must not be null"
    (langchain-ai/langchainjs#11165, danny-avila/LibreChat#13888, LibreChat-AI/agents#248).
    """
    for thought in view.thoughts:
        if thought.value.get("text") is None:
            at = f"{thought.at}/reasoningContent/reasoningText"
            yield at, "reasoning must have a `text`: send an empty one if the answer had none"


def reasoning_not_accepted_back(view: View) -> Found:
    """Reasoning without a signature must not be in the history.

    Evidence: the server's text "User messages cannot contain reasoning content" (langchain-ai/langchain-aws#401,
    aws-samples/bedrock-chat#851, can1357/oh-my-pi#9086); Claude refuses it without its signature.
    """
    for thought in view.thoughts:
        if not thought.signature:
            yield thought.at, "reasoning must have its signature: send it as the model sent it, or leave it out"
