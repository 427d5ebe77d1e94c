"""Load and dump images, documents, videos and audio: each `dump_x` undoes its `load_x`.

Media are bytes, an object in S3 or, for documents, text. Each kind has its own formats, and a document has a name (botocore
1.44.5: `ImageBlock`, `DocumentBlock`, `VideoBlock`, `AudioBlock`).
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from typing import Any

from ...codec.fields import FieldReader, Wire, spelling
from ...codec.magic import ANY_BYTES, image_type_of
from ...codec.media import (
    AS_ITS_KIND,
    MEDIA_TYPE_BY_SUFFIX,
    as_shown,
    as_standard,
    invented_filename,
    kind_by_type,
    media_type_of,
    report_media,
    source_of,
)
from ...codec.media_types import usual_type
from ...codec.text_files import is_text_type
from ...errors import excerpt
from .base import FAMILY, ConverseDump

_OFFICE = "application/vnd.openxmlformats-officedocument."
_AUDIO = "mp3 opus wav aac flac mp4 ogg mkv mka x-aac m4a mpeg mpga pcm webm"
TYPES: dict[str, dict[str, str]] = {
    "image": {word: f"image/{word}" for word in ("png", "jpeg", "gif", "webp")},
    "document": {word: MEDIA_TYPE_BY_SUFFIX[word] for word in ("pdf", "csv", "html", "txt", "md")}
    | {"doc": "application/msword", "docx": _OFFICE + "wordprocessingml.document"}
    | {"xls": "application/vnd.ms-excel", "xlsx": _OFFICE + "spreadsheetml.sheet"},
    "video": {word: f"video/{word}" for word in ("mp4", "webm", "mpeg", "mpg")}
    | {"mkv": "video/x-matroska", "mov": "video/quicktime", "flv": "video/x-flv"}
    | {"wmv": "video/x-ms-wmv", "three_gp": "video/3gpp"},
    "audio": {word: f"audio/{word}" for word in _AUDIO.split()},
}
"""The media type of each format of a kind; no two formats have the same."""
_WORDS = {kind: {media_type: word for word, media_type in types.items()} for kind, types in TYPES.items()}
INVENTED = re.compile(r"document( \(\d+\))?").fullmatch
"""Matches the name that a dump invents for a document without one."""
_KINDS = {kind: kind for kind in TYPES} | {"file": "document", "image_url": "image", "input_audio": "audio"}


def load_media(kind: str, block: FieldReader) -> dict[str, Any] | None:
    """Load media of a kind; None if their source or their format is unknown."""
    source = block.inside("source")
    word = block.wire.get("format")
    media_type = TYPES[kind].get(word) if type(word) is str else None
    if word is not None and media_type is None:
        return None
    if (data := source.take("bytes", str)) is not None:
        source_data: dict[str, Any] = {"type": "base64", "data": data}
    elif (uri := source.inside("s3Location").take("uri", str)) is not None:
        source_data = {"type": "file_id", "file_id": uri, "issuer": FAMILY}
    elif kind == "document" and (text := source.take("text", str)) is not None:
        source_data = {"type": "text", "text": text}
    else:
        return None
    if media_type is not None:
        block.know("format")
        source_data["media_type"] = media_type
    out: dict[str, Any] = {"type": "file" if kind == "document" else kind, "source": source_data}
    name = block.take("name", str) if kind == "document" else None
    if name is not None and INVENTED(name):
        block.spelling["name"] = name
    elif name is not None:
        out["filename"] = name
    return out


def dump_media(part: Any, path: str, at: str, d: ConverseDump, role: str) -> Wire | None:
    """Dump media of any kind, in any spelling."""
    source = source_of(part, exact=d.exact)
    kind = _KINDS[part.type]
    if d.exact:
        word = _WORDS[kind].get(source.media_type or "")
    else:
        kind = _kind_of(part, source, role)
        if source.type == "base64":
            source = as_standard(source, path, f"{at}/{kind}/source", d)
        shown = _shown(kind, source)
        guessed = _guessed(kind, source, getattr(part, "filename", None))
        given = source.media_type or shown or guessed
        word = _fit_word(kind, shown or (guessed if given in ANY_BYTES else given) or "")
        refusal = _refusal(kind, source, d)
        if refusal is None and word is None and (given or kind != "document"):
            refusal = f"Converse does not take the media type of this {kind}: send another, such as {next(iter(_WORDS[kind]))}"
        if refusal is not None:
            return d.refuse(path, refusal)
        _report_type(part, TYPES[kind].get(word or ""), given, path, f"{at}/{kind}", d)
        if kind != _KINDS[part.type]:
            _report_kind(part, source, path, at, d)
    out: Wire = {"source": _written(source)}
    if word is not None:
        out["format"] = word
    if kind == "document":
        _dump_name(part, word, path, at, out, d)
        if not d.exact:
            note_document(path, at, d, role)
    return {kind: out}


def _kind_of(part: Any, source: Any, role: str) -> str:
    """The kind of block for media, by their media type. Tool results cannot hold audio."""
    kind = _KINDS[part.type]
    named = _KINDS[kind_by_type("file" if kind == "document" else kind, source, getattr(part, "filename", None))]
    return kind if named == "audio" and role == "tool" else named


def _report_kind(part: Any, source: Any, path: str, at: str, d: ConverseDump) -> None:
    """Report media that are sent as another kind, and a file name that this kind has no field for."""
    d.report("changed", path, at, AS_ITS_KIND)
    if part.type == "file" and part.filename not in (None, invented_filename(source.media_type or "")):
        d.drop(path + "/filename", "only documents of Converse have a name")


def _report_type(part: Any, written: str | None, given: str | None, path: str, at: str, d: ConverseDump) -> None:
    """Report media that are written with another media type than they were given, and what else they have."""
    report_media(part, written if source_of(part).type == "base64" else None, path, at + "/source", d)
    if written is None or written == given or part.type == "image_url":
        return
    field = "/source" if "source" in vars(part) else ""
    is_shown = (part.type == "image" or given in ANY_BYTES) and usual_type(given or "") != written
    detail = as_shown(written) if is_shown else f"Converse has another name for this media type; sent as {written}"
    d.report("changed", path + field, at + "/format", detail)


def _shown(kind: str, source: Any) -> str | None:
    """The media type of an image by its bytes: Claude refuses an image whose format is another."""
    return image_type_of(source.data) if kind == "image" and source.type == "base64" else None


def _fit_word(kind: str, media_type: str) -> str | None:
    """The format for a media type; an unknown type of text is plain text."""
    usual = usual_type(media_type)
    is_text = kind == "document" and is_text_type(usual)
    return _WORDS[kind].get(usual, "txt" if is_text else None)


def _written(source: Any) -> Wire:
    if source.type == "base64":
        return {"bytes": source.data}
    if source.type == "text":
        return {"text": source.text}
    return {"s3Location": {"uri": source.file_id if source.type == "file_id" else source.url}}


def _refusal(kind: str, source: Any, d: ConverseDump) -> str | None:
    """Why a source is refused."""
    if source.type == "base64":
        return None if _is_base64(source.data) else "the data of inline media must be base64"
    if source.type == "text":
        return None if kind == "document" and source.text.strip() else "a text source must be that of a document, and not blank"
    if source.type == "file_id" and d.is_foreign(source.issuer):
        return f"only {excerpt(source.issuer)} knows the file id: send the data"
    place = source.file_id if source.type == "file_id" else source.url
    return None if place.startswith("s3://") else "Converse takes media in base64 or by an `s3://` URL: send the data"


def _is_base64(data: str) -> bool:
    try:
        return bool(b64decode(data, validate=True))
    except (binascii.Error, ValueError):
        return False


def _guessed(kind: str, source: Any, name: str | None) -> str | None:
    """The media type that the data or the name of the file suggest."""
    place = getattr(source, "file_id", None) or getattr(source, "url", None) or name or ""
    word = place.rpartition(".")[2].lower()
    found = TYPES[kind].get("jpeg" if word == "jpg" else word)
    return found or (media_type_of(name, source.data) if kind == "document" and source.type == "base64" else None)


# Names of documents

_ILLEGAL = re.compile(r"[^A-Za-z0-9()\[\]\- ]+|\s{2,}")
_LONGEST = 200


def _dump_name(part: Any, word: str | None, path: str, at: str, out: Wire, d: ConverseDump) -> None:
    """Dump a document's name, which allows few kinds of characters, and must be unique in a request."""
    name: str | None = getattr(part, "filename", None)
    if name is None and d.same_family:
        name = spelling(part, "name")
    if d.exact or (d.same_family and name is not None):
        if name is not None:
            out["name"] = name
            d.documents[name] = d.documents.get(name, 0) + 1
        return
    if name is not None and name == invented_filename(part.source.media_type or "text/plain"):
        name = None  # another format gave this name to a file without one
    out["name"] = fit_name(name, word, path + "/filename", at, d)


def note_document(path: str, at: str, d: ConverseDump, role: str) -> None:
    """Note that a message has a document, beside which it must have a text."""
    if role == "user":
        d.with_document.setdefault(at.rsplit("/", 2)[0], path.rsplit("/", 2)[0])


def fit_name(name: str | None, word: str | None, path: str, at: str, d: ConverseDump) -> str:
    """Make a name for a document by the rules for names; it has this one at `path`, or none."""
    stem, _, suffix = (name or "").rpartition(".")
    cleaned = _ILLEGAL.sub(" ", stem if stem and suffix.lower() == word else name or "").strip()[: _LONGEST - 10] or "document"
    sent = cleaned
    while sent in d.documents:
        d.documents[cleaned] = d.documents.get(cleaned, 1) + 1
        sent = f"{cleaned} ({d.documents[cleaned]})"
    d.documents[sent] = 1
    if name is not None and sent != name:
        rule = "the name of a document must be unique, and have only letters, digits, spaces, hyphens and brackets"
        d.report("changed", path, f"{at}/document/name", f"{rule}; sent as {excerpt(sent)}")
    return sent
