"""Images in answers: `"images": [{"type": "image_url", "image_url": {"url": "data:..."}}]` beside the text.

They follow the text in the content of a canonical message. OpenRouter: openrouter.ai/docs (multimodal, image generation), whose
streams have them in a delta, and whose SDK (`ChatAssistantImages`) gives an image no `type`; LiteLLM: docs.litellm.ai
(completion, image generation in chat completion), with an `index` each.
"""

from __future__ import annotations

from typing import Any

from ...codec.fields import FieldReader, Wire, spelling
from ...codec.readable import send_as_media
from ...model.base import Json
from .base import ChatDump, spell
from .parts import Pointed, dump_part, load_part
from .profiles import ChatProfile

FIELD = "images"
"""The field of a message that has its images, and the recorded place of an image that was loaded from it."""
IMAGES = frozenset({"image", "image_url"})
"""The types of parts that are images."""


def load_image(wire: Json, profile: ChatProfile) -> dict[str, Any] | None:
    """Load one of the images; None if it is not an image."""
    if type(wire) is not dict or not _is_image(wire):
        return None
    out = load_part(wire, profile)
    if out["type"] != "image_url":
        return None
    spell(out, "place", FIELD)
    return out


def _is_image(wire: Wire) -> bool:
    """Whether an object is an image by its type, or has none and the URL of one."""
    if "type" in wire:
        return bool(wire["type"] == "image_url")
    image: Json = wire.get("image_url")
    return type(image) is dict and type(image.get("url")) is str


def load_images(fields: FieldReader, out: dict[str, Any], profile: ChatProfile) -> None:
    """Append the images of a message to its content, if all of them can be read."""
    items: Json = fields.wire.get(FIELD)
    if type(items) is not list or not items or "content" not in out:
        return
    images = [load_image(item, profile) for item in items]
    if None in images:
        return
    fields.know(FIELD)
    content: Any = out["content"]
    if type(content) is not list:
        fields.spelling["content"] = "null" if content is None else "text" if content else "empty"
        content = [{"type": "text", "text": content}] if content else []
    out["content"] = [*content, *images]


def apart(parts: Pointed, moved: dict[str, str], d: ChatDump) -> tuple[Pointed, Pointed]:
    """The parts that stay in the content, and those that are images of an answer; the text after an image is moved."""
    if not (d.profile.answer_images or (d.exact and any(part.type in IMAGES for _, part in parts))):
        return parts, []
    kept: Pointed = []
    images: Pointed = []
    for path, part in parts:
        image = _image(part, path, d)
        if image is not None:
            images.append((path, image))
            continue
        if images and not d.exact:
            moved[path] = f"{d.target.name} puts the text before the images"
        kept.append((path, part))
    return kept, images


def _image(part: Any, path: str, d: ChatDump) -> Any:
    """The image to write for a part; None for a part that stays in the content."""
    if d.exact:
        return part if part.type in IMAGES and spelling(part, "place") == FIELD else None
    if part.type in IMAGES:
        return part if d.is_response or d.same_family else None
    return send_as_media(part, path, None, d, "image") if d.is_response and part.type == "opaque" else None


def dump_images(images: Pointed, out: Wire, at: str, d: ChatDump) -> None:
    """Write the images of a message."""
    written: list[Wire] = []
    for path, image in images:
        wire = dump_part(image, path, f"{at}/{FIELD}/{len(written)}", d, "user")
        if wire is not None:
            written.append(wire)
    if written:
        out[FIELD] = written


def beside_images(message: Any, content: Json, images: Pointed, out: Wire, at: str, d: ChatDump) -> Json:
    """Write the images of a message; return the content beside them or beside audio, which may have been empty or null."""
    if not images and "audio" not in out:
        return content
    dump_images(images, out, at, d)
    return content or ("" if spelling(message, "content") == "empty" else None)
