"""Video and audio at a URL, or inline in a data URI: `{"type": "video_url", "video_url": {"url": "..."}}`.

OpenAI has no such parts. Video: openrouter.ai/docs (multimodal, videos), platform.kimi.ai/docs (vision), `types/llms/openai.py`
of LiteLLM. Both: `MM_PARSER_MAP` of vllm 0.33.0, `protocol.py` of sglang 0.5.23. Some take a bare text in place of the object.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...codec.fields import FieldReader, Wire, spelling
from ...codec.media import Media, data_uri, read_data_uri
from .base import FAMILY, ChatDump, spell
from .untyped import URL_FIELDS


def _load(fields: FieldReader) -> dict[str, Any] | None:
    """Load video or audio; None if it has no URL."""
    field: str = fields.wire["type"]
    url = fields.take(field, str)
    if url is not None:
        fields.spelling["url"] = "text"
    elif (url := fields.inside(field).take("url", str)) is None:
        return None
    media = read_data_uri(url)
    source: Wire = {"type": "url", "url": url}
    if media is not None:
        source = {"type": "base64", "data": media.data, "media_type": media.media_type}
    if field == "audio_url":
        fields.spelling["media"] = "by_url"
    return {"type": field.removesuffix("_url"), "source": source}


BY_URL = {"video_url": _load, "audio_url": _load}
"""The loader of each type of part."""


def load_untyped(wire: Wire, load: Callable[[Wire], dict[str, Any]]) -> dict[str, Any]:
    """Load media without the type of their part, with a function that loads typed parts."""
    out = load({"type": next(field for field in URL_FIELDS if field in wire), **wire})
    if out["type"] == "opaque":
        return {"type": "opaque", "format": FAMILY, "value": wire}
    spell(out, "type", "absent")
    return out


def is_by_url(audio: Any, d: ChatDump) -> bool:
    """Whether audio is written by its URL, and not in `input_audio`."""
    return spelling(audio, "media") == "by_url" if d.exact else audio.source.type == "url" and takes_all(d)


def takes_all(d: ChatDump) -> bool:
    """Whether a host takes whatever another host of Chat's shape takes."""
    return d.same_family and d.profile.open


def form_by_url(part: Any, d: ChatDump) -> Wire | str:
    """Video or audio by its URL, or why it has no place there."""
    source = part.source
    field = f"{part.type}_url"
    if source.type == "url":
        url = source.url
    elif source.type != "base64":
        return f"{d.target.name} takes {part.type} only by URL or as data"
    elif source.media_type is None:
        return f"the data of {part.type} must have a media type: set `media_type`"
    else:
        url = data_uri(Media(source.media_type, source.data))
    bare = d.exact and spelling(part, "url") == "text"
    return typed(part, {"type": field, field: url if bare else {"url": url}}, d)


def typed(part: Any, out: Wire, d: ChatDump) -> Wire:
    """A part at a URL, without its type if it was loaded without."""
    if d.exact and spelling(part, "type") == "absent":
        del out["type"]
    return out
