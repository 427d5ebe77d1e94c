"""Load and dump images, which are base64 without a media type: their first bytes tell what they are."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire
from ...codec.image_files import image_of_file, report_image
from ...codec.magic import image_type_of
from ...codec.media import EMPTY, report_media, source_of
from ...errors import excerpt
from ...model.base import Json
from ...model.messages import piece_kind
from ...model.parts import ImagePart
from .base import FAMILY, OllamaDump, is_address, keep_whole


def load_image(image: str) -> dict[str, Any]:
    """Load an image; an address, which the server refuses, is kept whole."""
    if is_address(image):
        return keep_whole({"image": image})
    source = {"type": "base64", "data": image}
    media_type = image_type_of(image)
    if media_type is not None:
        source["media_type"] = media_type
    return {"type": "image", "source": source}


def dump_image(part: Any, path: str, at: str, d: OllamaDump) -> str | None:
    """Dump an image as base64; None, with a report, if it is at an address."""
    if part.type == "opaque":
        kept: Wire = part.value
        return str(kept["image"])
    source = source_of(part)
    if source.type != "base64":
        d.drop(path, "Ollama takes images only as data: send base64")
        return None
    media_type = source.media_type or "image/*"
    if not (d.exact or media_type.startswith("image/")):
        d.drop(path, f"Ollama takes only images, not {excerpt(media_type)}")
        return None
    data: str = source.data
    if not (data or d.exact):
        d.drop(path, EMPTY)
        return None
    if not d.exact:
        shown = image_type_of(data)
        is_shown = source.media_type in (None, shown)
        report_media(part, source.media_type if is_shown else None, path, at, d)
        if not is_shown:
            _report_type(part, path, at, d)
    return data


def image_in_file(part: Any, path: str, d: OllamaDump) -> ImagePart | None:
    """The image to write in place of a file that holds one as data; reports the change."""
    image = image_of_file(part, d)
    if image is None or image.source.type != "base64":
        return None
    report_image(part, path, None, d)
    if image.source.media_type == image_type_of(image.source.data):
        return image
    if part.source.media_type is not None:
        d.report("changed", path + "/source", None, _NO_TYPE)
    return image.replace(source=image.source.replace(media_type=None))


def _report_type(part: Any, path: str, at: str, d: OllamaDump) -> None:
    """Report a media type that the data do not show."""
    if part.type == "image_url":
        d.report("changed", path + "/image_url/url", at, _NO_TYPE)
    else:
        d.drop(path + "/source/media_type", _NO_TYPE)


_NO_TYPE = "Ollama's images have no media type, and the data do not show that it is this one"


def is_own_image(part: Any) -> bool:
    """Whether an image could have been loaded: it is base64 with the media type that its data show."""
    source = part.source
    if source.type != "base64" or is_address(source.data):
        return False
    known = image_type_of(source.data)
    given = {"type", "data"} if known is None else {"type", "data", "media_type"}
    return bool(source.model_fields_set == given and source.media_type == known)


def is_kept_image(piece: Any) -> bool:
    """Whether this is a loaded image that is not base64, and so was kept whole."""
    kept: Wire = piece.value if piece_kind(piece) == "opaque" and piece.format == FAMILY else {}
    return kept.keys() == {"image"}


def is_own_address(part: Any) -> bool:
    """Whether a part that is kept whole is the address of an image."""
    image: Json = part.value.get("image")
    return is_kept_image(part) and type(image) is str and is_address(image)
