"""Load and dump images and documents: each `dump_x` undoes its `load_x`.

Images are JPEG, PNG, GIF or WebP, documents are PDF or plain text; each in base64, by URL or by file id (anthropic 2.11.0,
`types/image_block_param.py`, `types/document_block_param.py`).
"""

from __future__ import annotations

from typing import Any

from ...codec.fields import FieldReader, Wire, value_at
from ...codec.magic import ANY_BYTES, image_type_of
from ...codec.media import (
    AS_ITS_KIND,
    EMPTY,
    as_shown,
    as_standard,
    invented_filename,
    kind_by_type,
    report_media,
    source_of,
    type_of,
)
from ...codec.media_types import usual_type
from ...codec.text_files import decode_text, is_text_type
from ...errors import excerpt
from ...model.base import Json
from .base import FAMILY, MessagesDump

_BASE64_TYPES = {
    "image": frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"}),
    "document": frozenset({"application/pdf"}),
}
_TEXT_TYPE = "text/plain"
_ONLY_TEXT_TYPE = "a text document must be of type text/plain; sent as that"
_UNREADABLE = "an image must be JPEG, PNG, GIF or WebP, and a document PDF or text"
_ONLY_INLINE = "this host takes media in base64, not by URL or id: send the data"


def load_media(reader: FieldReader) -> dict[str, Any] | None:
    """Load an image or a document; None if its source has an unknown type."""
    kind = reader.wire["type"]
    source = reader.inside("source")
    if source.wire["type"] not in SOURCES[kind]:
        return None
    out: dict[str, Any] = {"type": "image" if kind == "image" else "file", "source": _load_source(source)}
    if kind == "document":
        reader.move(out, title="filename")
    return out


SOURCES = {"image": ("base64", "url", "file"), "document": ("base64", "url", "file", "text")}
"""The types of sources that have a canonical form."""


def _load_source(source: FieldReader) -> dict[str, Any]:
    kind = source.take("type")
    if kind == "file":
        return {"type": "file_id", "file_id": source.take("file_id"), "issuer": FAMILY}
    if kind == "text":
        return {"type": kind, "text": source.take("data"), "media_type": source.take("media_type")}
    out = {"type": kind}
    source.move(out, *(("url",) if kind == "url" else ("data", "media_type")))
    return out


def _dump_source(source: Any) -> Wire:
    if source.type == "base64":
        out = {"type": "base64", "data": source.data}
        return out if source.media_type is None else out | {"media_type": source.media_type}
    if source.type == "url":
        return {"type": "url", "url": source.url}
    if source.type == "file_id":
        return {"type": "file", "file_id": source.file_id}
    return {"type": "text", "data": source.text, "media_type": _TEXT_TYPE if source.media_type is None else source.media_type}


def dump_media(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire | None:
    """Dump an image, in any spelling, or a document."""
    named = kind = "document" if part.type == "file" else "image"
    given = source_of(part, exact=d.exact)
    if not d.exact:
        kind = _kind_of(part, kind, given)
    source = _dump_source(given) if d.exact else _fit_source(kind, given, part, path, at, d)
    if source is None:
        return None
    if kind != named:
        d.report("changed", path, at, AS_ITS_KIND)
    out: Wire = {"type": kind, "source": source}
    if not d.exact:
        report_media(part, source.get("media_type"), path, at + "/source", d)
    if part.type == "file" and part.filename is not None:
        # If another format invented the name of a file, it is not a title.
        invented = invented_filename(source.get("media_type", ""))
        if d.exact or part.filename != invented or part.source.type not in ("base64", "text"):
            if kind == "document":
                out["title"] = part.filename
            else:
                d.drop(path + "/filename", "Anthropic's images have no title")
    return out


def is_of_image(field: str) -> bool:
    """Whether an image may have a field of a document."""
    return field not in ("title", "context", "citations")


def _kind_of(part: Any, kind: str, source: Any) -> str:
    """The kind of block for media, by their type."""
    if source.type == "url" and source.media_type is not None:
        stated = usual_type(source.media_type)
        return next((each for each, types in _BASE64_TYPES.items() if stated in types), kind)
    named = kind_by_type("file" if kind == "document" else kind, source, getattr(part, "filename", None))
    return {"file": "document", "image": "image"}.get(named, kind)


def _fit_source(kind: str, source: Any, part: Any, path: str, at: str, d: MessagesDump) -> Wire | None:
    if source.type != "base64":
        if (refusal := _source_refusal(kind, source, d)) is not None:
            return d.refuse(path, refusal)
        written = _dump_source(source)
        if source.type == "text" and written["media_type"] != _TEXT_TYPE:
            d.report("changed", path + "/source", at + "/source", _ONLY_TEXT_TYPE)
            written["media_type"] = _TEXT_TYPE
        return written
    if not source.data:
        return d.refuse(path, EMPTY)
    source = as_standard(source, path, at + "/source", d)
    # The server refuses an image whose media type is not that of its bytes.
    shown = image_type_of(source.data) if kind == "image" else None
    found = shown or type_of(source, getattr(part, "filename", None))
    given = source.media_type or found
    out = _base64_source(kind, found, source.data)
    if out is None:
        d.drop(path, _UNREADABLE)
    elif out["media_type"] != given and part.type != "image_url":
        d.report("changed", path + "/source", at + "/source", _why(out, given))
    return out


def _why(written: Wire, given: str) -> str:
    """Why a source is written with another media type than it was given."""
    media_type: str = written["media_type"]
    if written["type"] == "text":
        return _ONLY_TEXT_TYPE
    return f"Anthropic's name for this media type is {media_type}" if usual_type(given) == media_type else as_shown(media_type)


def _source_refusal(kind: str, source: Any, d: MessagesDump) -> str | None:
    """Why a source that is not base64 is refused."""
    if d.profile.only_inline and source.type in ("url", "file_id"):
        return _ONLY_INLINE
    if source.type == "file_id" and not d.knows_file(source.issuer):
        return f"only {excerpt(source.issuer)} knows the file id: send the data or a URL"
    if source.type == "url" and not source.url.startswith(("https:", "http:")):
        return "media must have a URL that begins with http: or https:, or base64 data"
    if source.type == "url" and source.media_type and not _is_readable(kind, usual_type(source.media_type)):
        return _UNREADABLE
    if source.type == "text" and (kind == "image" or not source.text.strip()):
        return "a text source must be that of a document, and not blank"
    return None


def _is_readable(kind: str, media_type: str) -> bool:
    """Whether media of this type may be sent by URL; a type that says nothing of the bytes may be any."""
    is_open = media_type in ANY_BYTES or media_type.endswith("*")
    return is_open or media_type in _BASE64_TYPES[kind] or (kind == "document" and is_text_type(media_type))


def keep_inline(document: Wire, path: str, d: MessagesDump) -> bool:
    """Drop the images of a document's content that are not in the body; False if that leaves nothing of the document."""
    content: Json = value_at(document, ("source", "content"))
    if type(content) is not list:
        return True
    kept: list[Json] = []
    for i, block in enumerate(content):
        if value_at(block, ("source", "type")) in ("url", "file"):
            d.drop(f"{path}/value/source/content/{i}", _ONLY_INLINE)
        else:
            kept.append(block)
    document["source"]["content"] = kept
    return bool(kept)


def _base64_source(kind: str, media_type: str, data: str) -> Wire | None:
    usual = usual_type(media_type)
    if usual in _BASE64_TYPES[kind]:
        return {"type": "base64", "data": data, "media_type": usual}
    if kind == "document" and is_text_type(usual):
        text = decode_text(data)
        return {"type": "text", "data": text, "media_type": _TEXT_TYPE} if text else None
    return None
