"""Media beside the type of their part, as chat templates and their processors accept them: `{"type": "image", "url": "..."}`.

Wire reference: `ProcessorMixin.apply_chat_template` of transformers 5.24 (`processing_utils.py`). An image is in `url`,
`image`, `base64` or `path`, audio in `url`, `audio` or `path`, and a video in `url`, `video` or `path`. Any field but `path`
may have a URL, and for an image or audio a data URI (`load_image`, `load_audio`). A part with none of these fields is a
placeholder for media that the program passes beside the messages; it is kept whole, like media that are paths or objects.
"""

from __future__ import annotations

from typing import Any

from ...codec.fields import FieldReader, Wire, spelling
from ...codec.magic import is_data_uri
from ...codec.media import Media, data_uri, media_in, read_data_uri, with_type
from ...model.base import Json
from .base import ChatDump

_FIELDS = {"image": ("url", "image", "base64"), "audio": ("url", "audio"), "video": ("url", "video")}
"""The fields of each type of part that may have its media; a dump writes the first."""
TYPED_FIELDS = tuple(dict.fromkeys(field for fields in _FIELDS.values() for field in fields))
_REMOTE = ("http://", "https://")


def load_typed(fields: FieldReader) -> dict[str, Any] | None:
    """Load a part whose media are at a URL, or inline; None for any other."""
    kind: str = fields.wire["type"]
    for field in _FIELDS.get(kind, ()):
        text: Json = fields.wire.get(field)
        if type(text) is not str:
            continue
        source = _source(text, field)
        if source is None:
            return None
        fields.know(field)
        if field != _FIELDS[kind][0]:
            fields.spelling["source"] = field
        return {"type": kind, "source": source}
    return None


def _source(text: str, field: str) -> dict[str, Any] | None:
    if text.startswith(_REMOTE):
        return None if field == "base64" else {"type": "url", "url": text}
    media = read_data_uri(text)
    if media is not None:
        return {"type": "base64", "data": media.data, "media_type": media.media_type}
    return {"type": "base64", "data": text} if field == "base64" and not is_data_uri(text) else None


def usual_url(url: str) -> str:
    """A URL, or a data URI in the spelling that the loader expects."""
    media = media_in(url) if is_data_uri(url) and read_data_uri(url) is None else None
    return url if media is None else data_uri(media)


def form_of_typed(part: Any, d: ChatDump) -> Wire | str:
    """An image, audio or video beside its type, or why it has no place there."""
    kind: str = part.type
    if kind == "image_url":
        return {"type": "image", "url": usual_url(part.image_url.url)}
    if kind == "input_audio":
        return {"type": "audio", "url": data_uri(Media(f"audio/{part.input_audio.format}", part.input_audio.data))}
    if kind not in _FIELDS:
        return f"{d.target.name} does not take {kind.replace('_', ' ')} parts"
    source = part.source
    recorded = spelling(part, "source") if d.exact else None
    field = "url" if recorded is None or recorded not in _FIELDS[kind] else recorded
    if source.type == "url":
        return {"type": kind, field: source.url}
    if source.type != "base64":
        return f"{d.target.name} takes {kind} only by URL or as data"
    if kind == "video" and not d.exact:
        return f"{d.target.name} takes video only by URL"
    if source.media_type is not None:
        return {"type": kind, field: data_uri(Media(source.media_type, source.data))}
    if kind == "image":
        return {"type": kind, "base64": source.data}
    if (media := with_type(part)).media_type is not None:
        return {"type": kind, field: data_uri(media)}
    return f"the data of {kind} must have a media type: set `media_type`"
