"""Reads the first bytes of media, which show their media type and the size of an image."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..magic import first_bytes, kind_of
from .view import Found, Media

_LOOKED_AT = 1 << 17
"""The most characters of base64 that are read: in a JPEG, the size may come after a profile of 64 KiB."""
_NO_SIZE = frozenset({0xC4, 0xC8, 0xCC})
"""Markers of JPEG with numbers like those of frames that do not begin a frame."""


class Size(NamedTuple):
    width: int
    height: int


def head(media: Media, length: int = _LOOKED_AT) -> bytes:
    """The first bytes of inline media; empty if the media are given by URL or id, or are not base64."""
    if media.raw is not None:
        return media.raw[:length]
    return first_bytes(media.data or "", length)


def size_of(data: bytes) -> Size | None:
    """The width and height of an image; None if they are not in its first bytes."""
    kind = kind_of(data)
    if kind == "image/png" and len(data) >= 24:
        return Size(_big(data[16:20]), _big(data[20:24]))
    if kind == "image/gif" and len(data) >= 10:
        return Size(_little(data[6:8]), _little(data[8:10]))
    if kind == "image/webp":
        return _size_of_webp(data)
    return _size_of_jpeg(data) if kind == "image/jpeg" else None


def _size_of_webp(data: bytes) -> Size | None:
    if len(data) < 30:
        return None
    if data[12:16] == b"VP8X":
        return Size(_little(data[24:27]) + 1, _little(data[27:30]) + 1)
    if data[12:16] == b"VP8L":
        packed = _little(data[21:25])
        return Size((packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1)
    return Size(_little(data[26:28]) & 0x3FFF, _little(data[28:30]) & 0x3FFF) if data[12:16] == b"VP8 " else None


def _size_of_jpeg(data: bytes) -> Size | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in _NO_SIZE:
            return Size(_big(data[at + 7 : at + 9]), _big(data[at + 5 : at + 7]))
        # FF bytes may come before a marker; they have no length.
        at += 1 if marker == 0xFF else 2 + max(_big(data[at + 2 : at + 4]), 2)
    return None


def _big(data: bytes) -> int:
    return int.from_bytes(data)


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")


def wider_than(media: Iterable[Media], most: int) -> Found:
    """The images with a side of more than `most` pixels."""
    for each in media:
        size = size_of(head(each)) if each.kind == "image" else None
        if size is not None and max(size) > most:
            yield each.at, f"a side of an image must have at most {most} pixels; this image has {max(size)}: make it smaller"


def larger_than(media: Iterable[Media], most: int) -> Found:
    """The images of more than `most` bytes, or of base64 text longer than that."""
    for each in media:
        length = len(each.raw if each.raw is not None else each.data or "")
        if each.kind == "image" and length > most:
            yield each.at, f"an image must have at most {most} bytes; this one has {length}: make it smaller"


def unlike_their_type(media: Iterable[Media], types: frozenset[str], prefix: str = "") -> Found:
    """The images whose first bytes show another media type than the one that is declared."""
    for each in media:
        declared = f"{prefix}{each.media_type}"
        shown = kind_of(head(each))
        is_other = shown is not None and shown != declared
        if each.kind == "image" and declared in types and is_other:
            yield each.at, f"the media type must be {shown}, as the image's bytes show, not {declared}"
