"""The text or image that other providers get for a part that only one provider has, such as a summary of the conversation."""

from __future__ import annotations

from typing import Any

from ..errors import escape
from ..model.parts import ImagePart
from .citable import ReadableText
from .dump import Dump
from .fields import is_empty
from .magic import image_type_of
from .nouns import type_of


def readable_text(part: Any, d: Dump) -> str | None:
    """The text to send in place of an opaque part of another family; None if it has none."""
    found = _readable(part, d)
    return None if found is None else found.text


def _readable(part: Any, d: Dump) -> ReadableText | None:
    """None also in an answer, because its text is for the user."""
    if d.of_response or part.format == d.family:
        return None
    source = d.format_of(part.format)
    return source.readable(part.value) if source.readable is not None and source.family == part.format else None


def send_as_text(part: Any, path: str, at: str | None, d: Dump) -> str | None:
    """The text to write in place of an opaque part, or None; reports the change, and the fields that are lost."""
    found = _readable(part, d)
    if found is None:
        return None
    kind = type_of(part.value, "another")
    d.report("changed", path, at, f"{d.target.name} does not take a part of type {kind}: its text is sent")
    for pointer in found.others:
        d.drop(f"{path}/value{pointer}", d.no_place("this field", part.format))
    return found.text


def send_as_image(part: Any, path: str, at: str | None, d: Dump) -> ImagePart | None:
    """The image to write in an answer in place of an opaque part of another family, or None; reports the same."""
    source = d.format_of(part.format) if d.of_response and part.format != d.family else None
    if source is None or source.drawn is None or source.family != part.format:
        return None
    data = source.drawn(part.value)
    kind = None if data is None else image_type_of(data)
    if data is None or kind is None:
        return None
    named = type_of(part.value, "another")
    d.report("changed", path, at, f"{d.target.name} does not have a part of type {named}: its image is sent")
    for key, value in part.value.items():
        if key not in _OF_ITEMS and value != data and not is_empty(value):
            d.drop(f"{path}/value/{escape(key)}", d.no_place("this field", part.format))
    return ImagePart(source={"type": "base64", "media_type": kind, "data": data})


_OF_ITEMS = frozenset({"type", "id", "status"})
"""Fields that mean nothing to another provider."""
