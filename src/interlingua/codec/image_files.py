"""Images in files, for providers that take images and no files, or no files of this type."""

from __future__ import annotations

from typing import Any

from ..model.parts import ImagePart
from .dump import Dump
from .media import AS_ITS_KIND, invented_filename, kind_by_type, source_of, type_of
from .media_types import usual_type

_DRAWING = "image/svg+xml"
"""The media type of drawings, which no provider takes as images."""
_KEPT = ("cache_control", "signature", "issuer", "provider_data", "wire")


def image_of_file(part: Any, d: Dump) -> ImagePart | None:
    """The image in a file, with the file's other fields except its name; None for others, and in exact dumps and answers."""
    if part.type != "file" or d.exact or d.of_response:
        return None
    source = source_of(part)
    if source.type == "base64" and kind_by_type("file", source, part.filename) == "image":
        media_type = usual_type(type_of(source, part.filename))
        made = {"type": "base64", "data": source.data, "media_type": media_type}
    elif source.type == "url" and usual_type(source.media_type or "").startswith("image/"):
        media_type = usual_type(source.media_type)
        made = {"type": "url", "url": source.url, "media_type": source.media_type}
    else:
        return None
    if media_type == _DRAWING:
        return None
    data = part.to_dict()
    return ImagePart.model_validate({"type": "image", "source": made, **{name: data[name] for name in _KEPT if name in data}})


def report_image(part: Any, path: str, at: str | None, d: Dump) -> None:
    """Report that the image in a file is sent as an image, which has no name."""
    d.report("changed", path, at, AS_ITS_KIND)
    if part.filename not in (None, invented_filename(part.source.media_type or "")):
        d.drop(path + "/filename", f"{d.target.name} has no field for the name of an image")
