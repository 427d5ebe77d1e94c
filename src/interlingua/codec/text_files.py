"""The text of files, for providers that take no files, or none of this type."""

from __future__ import annotations

import base64
from typing import Any

from .dump import Dump
from .media import encode_text, source_of, standard_base64, type_of
from .media_types import usual_type

_TEXT_TYPES = frozenset(
    "application/" + name
    for name in (
        *("json", "jsonl", "json5", "ndjson", "xml", "yaml", "toml", "sql", "graphql"),
        *("javascript", "ecmascript", "typescript", "x-javascript", "x-typescript", "x-python", "x-sh", "x-httpd-php"),
        *("x-json", "x-jsonlines", "x-ndjson", "x-yaml", "x-toml", "x-sql", "x-tex"),
    )
)
"""The media types of text, besides `text/*` and those below."""

_TEXT_SUFFIXES = ("+json", "+xml", "+yaml")
"""What ends a media type that is written in JSON, XML or YAML (RFC 6839 and 9512), such as `application/ld+json`."""


def is_text_type(media_type: str) -> bool:
    """Whether a media type in its usual form is that of text; a drawing such as `image/svg+xml` is none."""
    main = media_type.partition("/")[0]
    return main == "text" or media_type in _TEXT_TYPES or (main == "application" and media_type.endswith(_TEXT_SUFFIXES))


def decode_text(data: str) -> str | None:
    """Decode base64 to text; None unless it is UTF-8 text that encodes to the same base64."""
    try:
        text = base64.b64decode(data, validate=True).decode()
    except ValueError:  # the text is not ASCII, or the data are not base64 or not UTF-8
        return None
    return text if encode_text(text) == data else None


def text_of_file(part: Any, d: Dump) -> str | None:
    """The text of a file, after its name; None for files without text, for other parts, and in an answer."""
    if part.type != "file" or d.of_response or d.exact:
        return None
    source = source_of(part)
    text: str | None = None
    if source.type == "text":
        text = source.text
    elif source.type == "base64" and is_text_type(usual_type(type_of(source, part.filename))):
        text = decode_text(standard_base64(source.data))
    if not text or not text.strip():
        return None
    return f"{part.filename}\n\n{text}" if part.filename else text


def file_as_text(part: Any, path: str, at: str | None, d: Dump) -> str | None:
    """The text to write in place of a file at `path`, or None; reports the change."""
    text = text_of_file(part, d)
    if text is not None:
        d.report("changed", path, at, f"{d.target.name} does not take this file: its text is sent")
    return text
