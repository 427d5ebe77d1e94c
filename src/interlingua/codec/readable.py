"""The text, image or audio that other providers get for a part that only one provider has, such as a summary."""

from __future__ import annotations

from typing import Any

from ..model.base import Json
from ..model.parts import AudioPart, ImagePart
from .citable import ReadableMedia, ReadableText, besides
from .dump import Dump
from .fields import Wire
from .foreign import other_format
from .hosted.references import KIND, References
from .nouns import type_of


def readable_text(part: Any, d: Dump) -> str | None:
    """The text to send in place of an opaque part of another family; None if it has none."""
    found = _readable(part, d)
    return None if found is None else found.text


def _readable(part: Any, d: Dump) -> ReadableText | None:
    """None also in an answer, because its text is for the user."""
    source = None if d.of_response else other_format(part, d)
    if source is None:
        return None
    if part.value.get("type") == KIND and source.references is not None:
        return None if d.target.references is not None else _name_in(part.value, source.references, d)
    return None if source.readable is None else source.readable(part.value)


def _name_in(reference: Wire, form: References, d: Dump) -> ReadableText | None:
    """The name under which the target gets the tool, as models without references get all tools; None without a name."""
    name: Json = reference.get(form.name)
    if type(name) is not str or not name.strip():
        return None
    sent = d.names.get(name) or d.new_name(name, d.longest_name)
    return ReadableText(sent, besides(reference, "type", form.name))


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


def media_in(part: Any, d: Dump) -> ImagePart | AudioPart | None:
    """The image or audio in an opaque part of another family; in an answer, only an image."""
    found = _media(part, d)
    return None if found is None else _part_of(found, d)


def _media(part: Any, d: Dump) -> ReadableMedia | None:
    source = other_format(part, d)
    return None if source is None or source.media is None else source.media(part.value)


def _part_of(found: ReadableMedia, d: Dump) -> ImagePart | AudioPart | None:
    source = {"type": "base64", "media_type": found.media_type, "data": found.data}
    if found.media_type.startswith("image/"):
        return ImagePart(source=source)
    return None if d.of_response else AudioPart(source=source)


def send_as_media(part: Any, path: str, at: str | None, d: Dump, *kinds: str) -> ImagePart | AudioPart | None:
    """The image or audio to write in place of an opaque part, if it is one of `kinds`; reports the change and what is lost."""
    found = _media(part, d)
    made = None if found is None else _part_of(found, d)
    if found is None or made is None or made.type not in kinds:
        return None
    named = type_of(part.value, "another")
    d.report("changed", path, at, f"{d.target.name} gets the {made.type} in this part of type {named}")
    for pointer in found.others:
        d.drop(f"{path}/value{pointer}", d.no_place("this field", part.format))
    return made
