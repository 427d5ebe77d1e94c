"""What OpenAI's Chat Completions, and hosts of the same shape, refuse in content parts: their types, media and files."""

from __future__ import annotations

import re
from collections import Counter

from ....codec.magic import is_data_uri, kind_of
from ....codec.rules import images
from ....codec.rules.media import is_base64
from ....codec.rules.rule import fault, of_shape
from ....codec.rules.view import Found, View, object_of
from ....errors import word
from ....model.base import Json
from ..untyped import is_by_uuid

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE | re.ASCII)
_FETCHED = frozenset({"http:", "https:", "data:"})


@of_shape
def part_type_missing(view: View) -> Found:
    """A content part must have a type.

    Evidence: recorded refusal c86b7d48cb091df1, "Missing required parameter: 'messages[1].content[0].type'".
    """
    for part in view.parts:
        if part.value.get("type") is None:
            yield f"{part.at}/type", "a content part must have a `type`, such as text"


def media_missing(view: View) -> Found:
    """A part with media must have the media, and not only the uuid of media that the server has seen.

    Evidence: OpenAI's specification, and the types of sglang 0.5.23, where a part must have the field of its type; only vLLM's
    documentation of multimodal inputs has media by their uuid.
    """
    for part in view.parts:
        if is_by_uuid(part.value):
            yield part.at, "a part with media must have the media themselves: the server cannot find them by `uuid`"


_KNOWN_PARTS = frozenset(
    "text image_url input_audio file refusal thinking redacted_thinking reasoning reference document_url file_url video_url "
    "input_video audio_url document tool_reference image_embeds audio_embeds prompt_embeds audio video".split()
)
"""The types of parts that OpenAI or another host of this shape accepts."""


def part_type_unsupported(view: View) -> Found:
    """The type of a content part must be one that a host of this shape accepts.

    Evidence: the server's text "Invalid value: 'file'. Supported values are: 'text', 'refusal', 'image_url', and 'input_audio'"
    (epam/ai-dial-adapter-openai#434); which of them a host and a model take is not known.
    """
    for part in view.parts:
        if part.kind and part.kind not in _KNOWN_PARTS:
            yield f"{part.at}/type", f"no host of Chat Completions is known to take parts of type {word(part.kind)}"


def refusal_not_alone(view: View) -> Found:
    """A refusal must be the only part of its assistant message.

    Evidence: OpenAI's specification, "one or more of type text, or exactly one of type refusal".
    """
    parts = Counter(part.turn for part in view.parts)
    for part in view.parts:
        if part.kind == "refusal" and (view.turns[part.turn].role != "assistant" or parts[part.turn] > 1):
            yield part.at, "a refusal must be the only part of an assistant message"


_ONLY_OF_USERS = frozenset({"image_url", "input_audio", "file"})


def media_not_in_user(view: View) -> Found:
    """Images, audio and files must be in user messages.

    Evidence: the server's text "Image URLs are only allowed for messages with role 'user'" (openai/openai-node#1030,
    OpenHands/OpenHands#7700); newer models take such an image and do not see it, and some hosts see it.
    """
    for part in view.parts:
        if part.kind in _ONLY_OF_USERS and view.turns[part.turn].role != "user":
            yield (
                part.at,
                (
                    f"the {word(part.kind)} part must be in a user message, not "
                    f"in one of role {word(view.turns[part.turn].role)}"
                ),
            )


def image_url_not_object(view: View) -> Found:
    """The URL of an image must be in an object with the field url.

    Evidence: the server's text "image_url': expected an object, but got a string instead" (anasfik/openai#203,
    microsoft/promptflow#3946); Mistral was recorded to take a string.
    """
    for part in view.parts:
        if isinstance(part.value.get("image_url"), str):
            yield f"{part.at}/image_url", "`image_url` must be an object with the field `url`"


def image_data_invalid(view: View) -> Found:
    """A data URI must have the form data:TYPE;base64,DATA, and the data of an image must be base64.

    Evidence: the server's texts on unsupported images and on "empty base64-encoded bytes" (jam3scampbell/ProctorAI#7,
    vercel/ai#1544, anomalyco/opencode#23983).
    """
    for media in view.media:
        if media.url is not None and is_data_uri(media.url):
            yield media.at, "a data URI must have the form `data:TYPE;base64,DATA`"
        elif media.kind == "image" and media.data is not None and not is_base64(media.data):
            yield media.at, "the data of an image must be base64"


@fault("media-type-unsaid")
def image_url_scheme(view: View) -> Found:
    """An image must be a URL or a data URI, not the name of a file or bare base64.

    Evidence: the server's text "Invalid image URL: 'messages[0].content[1].image_url.url'. Expected a base64-encoded data URL
    ... but got a value without the 'data:' prefix" (Alibaba-NLP/OmniSearch#3, WordPress/php-ai-client#137).
    """
    for media in view.media:
        if media.kind == "image" and media.url is not None and not _SCHEME.match(media.url):
            yield media.at, "an image must be given by a URL or a data URI, such as `data:image/png;base64,...`"


def image_url_unreachable(view: View) -> Found:
    """The URL of an image must begin with http: or https:, and the server must be able to fetch it.

    Evidence: recorded refusal 639b7710d368d8e4, "Error while downloading", and MervinPraison/PraisonAI#3934; whether the server
    can fetch it is not looked at, and other hosts have other schemes, such as Amazon's s3 (vercel/ai#16654).
    """
    for media in view.media:
        scheme = _SCHEME.match(media.url or "")
        if media.kind == "image" and scheme is not None and scheme[0].lower() not in _FETCHED:
            yield media.at, "the URL of an image must begin with http: or https:; send other images as a data URI"


_IMAGES = frozenset({"image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"})
_AUDIO = frozenset({"audio/wav", "audio/mp3"})
_FILES = frozenset({"application/pdf"})
_TAKEN = {"image": _IMAGES, "audio": _AUDIO, "file": _FILES}


def media_type_unsupported(view: View) -> Found:
    """Images must be PNG, JPEG, GIF or WebP, audio must be WAV or MP3, and files must be PDF.

    Evidence: "unsupported image ... one the following formats: ['png', 'jpeg', 'gif', 'webp']" (openai/openai-node#1463),
    "Supported values are: 'wav' and 'mp3'" (pydantic/pydantic-ai#1594), and "with an application/pdf MIME type" in recorded
    refusal 0d14fbf62f745cb6; other hosts and newer models take more.
    """
    for media in view.media:
        if media.media_type is not None and media.media_type.lower() not in _TAKEN[media.kind]:
            at = f"{media.at}/format" if media.kind == "audio" else media.at
            yield at, f"not every model takes {media.kind} of type {word(media.media_type)}"
        elif media.kind == "image" and media.data and kind_of(images.head(media, _MAGIC)) not in _IMAGES:
            yield media.at, "the data of an image must be a PNG, JPEG, GIF or WebP image"


_MAGIC = 32
"""The length of base64 that is enough to recognise an image."""
_MOST_BYTES = 20 * 1024 * 1024


def image_too_large_bytes(view: View) -> Found:
    """An image must be at most 20 MB.

    Evidence: OpenAI's documentation of images (sashirestela/simple-openai#36); the limit of the whole request was raised since.
    """
    for media in view.media:
        if media.kind == "image" and media.data is not None and len(media.data) // 4 * 3 > _MOST_BYTES:
            yield media.at, "an image must be at most 20 MB: make it smaller"


@fault("filename-missing")
def filename_missing(view: View) -> Found:
    """A file that is sent as data must have a name.

    Evidence: the server's text "Missing required parameter: 'messages[1].content[1].file.file_id'"
    (openai/openai-agents-python#1513, langchain-ai/langchainjs#9512); OpenRouter was recorded to take a file without a name.
    """
    for part in view.parts:
        if part.kind == "file":
            file = object_of(part.value, "file")
            data: Json = file.get("file_data")
            is_data = isinstance(data, str) and data != "" and not data.startswith(("http:", "https:"))
            if is_data and file.get("filename") in (None, ""):
                yield f"{part.at}/file/filename", "a file with `file_data` must have a `filename`"


@fault("media-type-unsaid")
def file_data_format(view: View) -> Found:
    """The data of a file must be a data URI.

    Evidence: recorded refusal 0d14fbf62f745cb6, "Expected a base64-encoded data URL with an application/pdf MIME type", and
    "got an invalid base64-encoded value" (vercel/ai#7266); OpenRouter was recorded to take an https URL.
    """
    for media in view.media:
        if media.kind == "file":
            if media.url is not None and not media.url.startswith(("data:", "http://", "https://")):
                yield media.at, "`file_data` must be a data URI, such as `data:application/pdf;base64,...`"
            elif media.data is not None and not is_base64(media.data):
                yield media.at, "the data of a file must be base64"
