"""Images that the assistant made: LiteLLM and OpenRouter have them in `images` of the message, beside its content.

An entry is a part of type `image_url` with an `index` (LiteLLM 1.110.2, `ImageURLListItem`), by which clients put together what
a stream has of it. In canonical form the images are the last parts of the content; their record says that they stood beside it.
"""

from __future__ import annotations

from typing import Any, TypeGuard

from ...codec.fields import FieldReader, Wire, spelling
from ...model.base import Json
from .base import ChatDump, spell
from .parts import Pointed, dump_part, has_place, load_part
from .profiles import ChatProfile

FIELD = "images"
_KINDS = ("image", "image_url")
_LARGEST_INDEX = 9999
_CONTENT = {"absent": None, "null": None, "empty": ""}
"""The content of a message that is images alone, by the word for it."""


def are_listed(held: Json) -> TypeGuard[list[Json]]:
    """Whether this is a list that is not empty."""
    return type(held) is list and bool(held)


def are_images(held: Json) -> TypeGuard[list[Wire]]:
    """Whether this is a list of images as these hosts have them; any other is kept as it is."""
    return are_listed(held) and all(map(_is_image, held))


def _is_image(entry: Json) -> bool:
    if type(entry) is not dict or entry.get("type") != "image_url":
        return False
    image: Json = entry.get("image_url")
    index: Json = entry.get("index", 0)
    is_number = type(index) is int and 0 <= index <= _LARGEST_INDEX
    return is_number and type(image) is dict and type(image.get("url")) is str


def load_image(entry: Wire, profile: ChatProfile) -> dict[str, Any]:
    """An image as a part, which says where it stood."""
    index: Json = entry.get("index")
    part = {**load_part({key: value for key, value in entry.items() if key != "index"}, profile)}
    spell(part, FIELD, "absent" if index is None else str(index))
    return part


def load_images(fields: FieldReader, out: dict[str, Any], profile: ChatProfile) -> None:
    """Take the images of a message, whose content is read, as the last parts of that."""
    held: Json = fields.wire.get(FIELD)
    if not are_images(held):
        return
    fields.know(FIELD)
    content: Any = out.get("content")
    if type(content) is str and content:
        fields.spelling["content"] = "text"
        content = [{"type": "text", "text": content}]
    elif not content and content != []:
        fields.spelling["content"] = content_word(out)
    out["content"] = [*(content or ()), *(load_image(entry, profile) for entry in held)]


def content_word(out: Wire) -> str:
    """What the content is that says nothing: absent, null or empty."""
    if "content" not in out:
        return "absent"
    return "null" if out["content"] is None else "empty"


# Writing


def is_beside(part: Any, d: ChatDump) -> bool:
    """Whether a part of an assistant's message is written beside the content."""
    if part.type not in _KINDS:
        return False
    stood_beside = spelling(part, FIELD) is not None
    return stood_beside if d.exact else d.profile.images or (d.profile.open and stood_beside)


def dump_image(part: Any, path: str, at: str, number: int, d: ChatDump) -> Wire | None:
    """An image beside the content; None, and reported, where it has no place there."""
    out = dump_part(part, path, f"{at}/{FIELD}/{number}", d, "user")  # which may hold images
    word = spelling(part, FIELD) or str(number)
    if out is not None and word.isdecimal() and len(word) <= len(str(_LARGEST_INDEX)):
        out["index"] = int(word)
    return out


def lift_images(parts: Pointed, out: Wire, at: str, d: ChatDump, moved: dict[str, str]) -> Pointed:
    """The parts that stay in the content; the images that stand beside it are written."""
    stays = [not is_beside(part, d) for _, part in parts]
    if all(stays):
        return parts
    last = max((i for i, (_, part) in enumerate(parts) if stays[i] and has_place(part, "assistant", d)), default=-1)
    images: list[Wire] = []
    for i, (path, part) in enumerate(parts):
        if stays[i] or (image := dump_image(part, path, at, len(images), d)) is None:
            continue
        if not d.exact and (path in moved or i < last):
            why = moved.get(path, f"{d.target.name} has images beside the text")
            d.report("moved", path, f"{at}/{FIELD}/{len(images)}", why)
        images.append(image)
    if images:
        out[FIELD] = images
    return [each for each, stay in zip(parts, stays, strict=True) if stay]


def content_beside(content: Any, message: Any, out: Wire, d: ChatDump) -> Any:
    """The content of a message; where all its parts are beside it, as it was spelled."""
    if content == [] and d.exact and FIELD in out:
        return _CONTENT.get(spelling(message, "content") or "", [])
    return content
