"""Media without the type of their part, and a `uuid` in place of media that the server has seen, as vLLM takes both.

(vllm 0.33.0, `_parse_chat_message_content_mm_part` in `chat_utils.py`.)
"""

from __future__ import annotations

from ...codec.fields import Wire
from ...model.base import Json

URL_FIELDS = ("image_url", "audio_url", "video_url")
"""The fields of media at a URL, each of which is also the type of their part."""
_BY_UUID = frozenset({*URL_FIELDS, "input_audio", "image_embeds", "audio_embeds"})
"""The types of parts whose media the server may have seen."""


def is_untyped(part: Wire) -> bool:
    """Whether a part has media without the type of the part."""
    return "type" not in part and any(field in part for field in URL_FIELDS)


def is_by_uuid(part: Wire) -> bool:
    """Whether a part names media that the server has seen, and has none itself."""
    kind: Json = part.get("type")
    if type(part.get("uuid")) is not str or type(kind) not in (str, type(None)):
        return False
    fields = URL_FIELDS if kind is None else (kind,)
    return all(each in _BY_UUID and part.get(each) is None for each in fields)
