"""What providers refuse in inline media: data URIs and base64."""

from __future__ import annotations

import re
import string

from ...model.base import Json
from .view import Media, View

_DATA_URI = re.compile(r"data:([\w.+-]+/[\w.+-]+)?((?:;[\w.+-]+=[^;,]*)*)(;base64)?,", re.IGNORECASE | re.ASCII)
_BASE64 = (string.ascii_letters + string.digits + "+/-_=").encode()


def split_data_uri(uri: str) -> tuple[str, str] | None:
    """The media type and the base64 of a data URI; None for any other URI, and for a data URI without base64."""
    found = _DATA_URI.match(uri)
    if found is None or found[3] is None:
        return None
    return (found[1] or "").lower(), uri[found.end() :]


def see_uri(uri: Json, kind: str, at: str, turn: int, seen: View, *, in_result: bool = False) -> None:
    """Add media to the view, by their URI: inline for a data URI, else by URL; without a URI, by an id."""
    inline = split_data_uri(uri) if isinstance(uri, str) else None
    if inline is not None:
        seen.media.append(Media(at, turn, kind, inline[0], inline[1], None, in_result))
    else:
        seen.media.append(Media(at, turn, kind, None, None, uri if isinstance(uri, str) else None, in_result))


def is_base64(data: str) -> bool:
    """Whether a text is base64 that is not empty, in either alphabet, with or without padding and line breaks."""
    if not data.isascii():
        return False
    letters = data.encode().translate(None, b"\r\n").rstrip(b"=")
    return len(letters) % 4 != 1 and letters != b"" and not letters.translate(None, _BASE64)
