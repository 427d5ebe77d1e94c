"""Which images of a conversation a page may show: small ones that are in it, and whose first bytes say that they are images."""

from __future__ import annotations

import re
from binascii import Error, a2b_base64

from ..codec.magic import kind_of
from ..codec.rules.images import Size, size_of
from .outline import Media

_MOST_TEXT = 700_000
"""The longest base64 text of an image that is shown: half a megabyte of it."""
_MOST_PIXELS = 40_000_000
"""The largest image that is shown; a small file may hold one that fills the memory."""
_LOOKED_AT = 1 << 17
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_SPACE = re.compile(r"[ \t\r\n]+")


def shown(media: Media) -> tuple[str, Size] | None:
    """The data URL of an image, and its size in pixels; None for what is not shown. No other URL is ever returned."""
    if media.kind != "image" or media.data is None or len(media.data) > _MOST_TEXT:
        return None
    data = _SPACE.sub("", media.data)
    if _BASE64.fullmatch(data) is None:
        return None
    try:
        head = a2b_base64(data[:_LOOKED_AT] if len(data) > _LOOKED_AT else data)
    except Error:
        return None
    kind = kind_of(head)
    size = size_of(head)
    if kind is None or size is None or not 0 < size.width * size.height <= _MOST_PIXELS:
        return None
    return f"data:{kind};base64,{data}", size
