"""What media show of themselves: whether a URL holds their data, and the media type of their first bytes."""

from __future__ import annotations

import binascii
import re

_KINDS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
    b"%PDF-": "application/pdf",
}
_AUDIO = {
    **dict.fromkeys((b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2"), "audio/mp3"),
    b"fLaC": "audio/flac",
    b"OggS": "audio/ogg",
}
ANY_BYTES = frozenset({"application/octet-stream", "binary/octet-stream"})
"""The media types of any bytes, which browsers and stores of objects give to a file that they do not know."""
_WHITE = re.compile(r"\s")
_ENOUGH = 32
"""How much base64 shows what media are."""


def is_data_uri(url: str) -> bool:
    """Whether a URL is a data URI, which holds the data."""
    return url[:5].lower() == "data:"


def first_bytes(data: str, length: int = _ENOUGH) -> bytes:
    """The bytes in so much base64, in either alphabet and with any white space; empty if it is not base64."""
    text = _WHITE.sub("", data[:length])
    try:
        return binascii.a2b_base64(text[: len(text) // 4 * 4].translate({45: 43, 95: 47}))
    except (binascii.Error, ValueError):
        return b""


def kind_of(data: bytes) -> str | None:
    """The media type that the first bytes show; None for an unknown one."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for magic, kind in _KINDS.items() if data.startswith(magic)), None)


def image_type_of(data: str) -> str | None:
    """The media type of an image in base64, by its first bytes."""
    kind = kind_of(first_bytes(data))
    return kind if kind is not None and kind.startswith("image/") else None


def audio_type_of(data: str) -> str | None:
    """The media type of audio in base64, by its first bytes."""
    head = first_bytes(data)
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return "audio/wav"
    return next((kind for magic, kind in _AUDIO.items() if head.startswith(magic)), None)
