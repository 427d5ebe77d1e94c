"""What providers refuse in inline media: data URIs and base64."""

from __future__ import annotations

import re
import string

_DATA_URI = re.compile(r"data:([\w.+-]+/[\w.+-]+)?((?:;[\w.+-]+=[^;,]*)*)(;base64)?,", re.IGNORECASE | re.ASCII)
_BASE64 = (string.ascii_letters + string.digits + "+/-_=\r\n").encode()


def split_data_uri(uri: str) -> tuple[str, str] | None:
    """The media type and the base64 of a data URI; None for a URI that is none, or that holds no base64."""
    found = _DATA_URI.match(uri)
    if found is None or found[3] is None:
        return None
    return (found[1] or "").lower(), uri[found.end() :]


def is_data_uri(uri: str) -> bool:
    """Whether a URI means to be a data URI."""
    return uri[:5].lower() == "data:"


def is_base64(data: str) -> bool:
    """Whether a text is base64 of something, in either alphabet, padded or not."""
    return data.isascii() and len(data.rstrip("=")) % 4 != 1 and data != "" and not data.encode().translate(None, _BASE64)
