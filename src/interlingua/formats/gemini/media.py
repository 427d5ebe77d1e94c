"""Load and dump parts with media, inline or at a URI."""

from typing import Any

from ...codec.dump import Dump
from ...codec.fields import FieldReader, Wire, spelling
from ...codec.magic import ANY_BYTES, is_data_uri
from ...codec.media import (
    EMPTY,
    MEDIA_TYPE_BY_SUFFIX,
    Media,
    as_shown,
    data_uri,
    encode_text,
    invented_filename,
    read_data_uri,
    report_media,
    source_of,
    standard_base64,
    type_of,
)
from ...codec.media_types import report_media_type, usual_type
from ...errors import excerpt
from ...model.base import Json
from .base import FAMILY, GeminiDump, WireReader, value_of

_OFFICE = "application/vnd.openxmlformats-officedocument."
REFUSED = frozenset(
    {
        "image/svg+xml",
        *(_OFFICE + kind for kind in ("wordprocessingml.document", "spreadsheetml.sheet", "presentationml.presentation")),
        *("application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint"),
    }
)
"""The media types that Gemini refuses; the rule `media-type-unsupported` has the evidence."""


def kind_of(media_type: str | None, uri: str = "") -> str:
    """The type of part for media."""
    kind = (media_type or "").partition("/")[0].lower()
    if media_type is None and "youtube.com/" in uri:
        return "video"
    return kind if kind in ("image", "audio", "video") else "file"


def load_media(reader: WireReader) -> dict[str, Any] | None:
    """Load a part with media; None if it has none."""
    inline = value_of(reader.wire, "inlineData") is not None
    key = "inlineData" if inline else "fileData"
    inner = reader.inside(key)
    data: str | None = inner.take("data" if inline else "fileUri", str)
    if data is None:
        return None
    in_uri = None if inline else data_at(data, value_of(inner.wire, "mimeType"), reader)
    source = {"type": "base64", "data": standard(data, reader)} if inline else in_uri or source_at(data)
    inner.move(source, mimeType="media_type")
    out: dict[str, Any] = {"type": kind_of(source.get("media_type"), "" if inline else data), "source": source}
    if out["type"] == "file":
        inner.move(out, displayName="filename")
    elif out["type"] == "image" and value_of(reader.wire, "mediaResolution") is not None:
        resolution = reader.inside("mediaResolution")
        if (detail := _DETAILS.get(str(resolution.wire.get("level")))) is not None:
            resolution.know("level")
            out["detail"] = detail
    return out


_LEVELS = {"low": "MEDIA_RESOLUTION_LOW", "high": "MEDIA_RESOLUTION_HIGH"}
"""The resolution for each detail of an image; for `auto` it is left out."""
_DETAILS = {level: detail for detail, level in _LEVELS.items()}


def has_level(detail: str | None) -> bool:
    """Whether Gemini has a resolution for this detail, or there is no detail."""
    return detail is None or detail in _LEVELS


def standard(data: str, reader: FieldReader) -> str:
    """Base64 in the standard alphabet; Google also accepts the URL-safe one, with and without padding."""
    found = standard_base64(data)
    if found != data:
        reader.spelling["data"] = "urlsafe" if len(found) == len(data) else "unpadded"
    return found


def data_at(uri: str, media_type: Json, reader: FieldReader) -> dict[str, Any] | None:
    """The source of data that stand in a URI, as only other providers take them; None for another URI or media type."""
    media = read_data_uri(uri) if is_data_uri(uri) else None
    if media is None or media.media_type != media_type:
        return None
    reader.spelling["data"] = IN_URI
    return {"type": "base64", "data": media.data}


IN_URI = "uri"
"""The record of data that came in a URI."""


def source_at(uri: str) -> dict[str, Any]:
    """The source of media at a URI; only Google can read its files and buckets."""
    if uri.startswith(("http:", "https:")) and not uri.startswith("https://generativelanguage.googleapis.com/"):
        return {"type": "url", "url": uri}
    return {"type": "file_id", "file_id": uri, "issuer": FAMILY}


def dump_media(part: Any, path: str, at: str, d: GeminiDump, role: str) -> Wire | None:
    """Dump media as a part; None, with a report, if Gemini cannot reach them."""
    source = source_of(part, exact=d.exact)
    kind = str(_FLAT.get(part.type, part.type))
    filename: str | None = getattr(part, "filename", None)
    if source.type in ("text", "base64"):
        media_type, data = fit_data(part, source, filename, d)
        if not (d.exact or (media_type and data)):
            return d.refuse(path, why_not_inline(media_type))
        key, fields = _inline(part, media_type, data, d)
    else:
        key = "fileData"
        uri = source.url if source.type == "url" else source.file_id
        if (refusal := _refusal(source, uri, d)) is not None:
            return d.refuse(path, refusal)
        fields = {"fileUri": uri, "mimeType": source.media_type}
        may_lack_type = d.same_family if kind == "file" else d.exact or kind_of(None, uri) == kind
        if source.media_type is None and not may_lack_type:
            where = f"{at}/{d.key(None, key)}/{d.key(None, 'mimeType')}"
            fields["mimeType"] = _guess_type(uri, kind, path, where, d)
    if fields["mimeType"] in REFUSED and not d.same_family:
        return d.refuse(path, f"Gemini does not take the media type {excerpt(fields['mimeType'])}: send it as another type")
    _report_type(part, source, fields["mimeType"] or "", path, f"{at}/{d.key(part, key)}", d)
    if not d.exact and "source" in vars(part):
        report_media_type(part, path, d, placed=True)
    resolution = _resolution_of(part, d, role)
    report_media(part, fields["mimeType"], path, f"{at}/{d.key(part, key)}", d, "" if resolution else _NO_DETAIL)
    if filename is not None:
        _dump_filename(filename, fields, path, d)
    written = {d.key(part, name): value for name, value in fields.items() if value is not None}
    return {d.key(part, key): written, **resolution}


def _guess_type(uri: str, kind: str, path: str, at: str, d: GeminiDump) -> str:
    """The media type to send if the part has none. Vertex AI requires it, and it shows whether the media are an image."""
    guessed = BY_SUFFIX.get(uri.partition("?")[0].rpartition(".")[2].lower())
    media_type = guessed if guessed is not None and kind_of(guessed) == kind else USUAL[kind]
    if (media_type != guessed or kind == "file") and media_type not in REFUSED:
        d.report("added", path, at, "media must have a media type: set `media_type`")
    return media_type


def _dump_filename(filename: str, fields: dict[str, str | None], path: str, d: GeminiDump) -> None:
    """Write the name of a file, or report it, unless a conversion invented it."""
    if d.same_family:
        fields["displayName"] = filename
    elif filename != invented_filename(fields["mimeType"] or ""):
        d.drop(path + "/filename", "AI Studio refuses the names of files")


_NO_DETAIL = "older models refuse a resolution for one image; to send `low` or `high`, use `GeminiProfile(resolutions=True)`"


def _resolution_of(part: Any, d: GeminiDump, role: str) -> Wire:
    """The field for the detail of an image; empty if the detail has no resolution, or if a model may refuse the field."""
    if not (d.same_family or (role == "user" and d.profile.resolutions)):
        return {}
    detail: str | None = getattr(part.image_url if part.type == "image_url" else part, "detail", None)
    level = _LEVELS.get(detail or "")
    return {} if level is None else {d.key(part, "mediaResolution"): {"level": level}}


def _report_type(part: Any, source: Any, sent: str, path: str, at: str, d: GeminiDump) -> None:
    """Report a media type that is sent under its usual name; for a data URI, that is reported with the URI."""
    if source.media_type not in (None, sent) and part.type != "image_url":
        where = "/input_audio/format" if part.type == "input_audio" else "/source/media_type"
        is_shown = source.media_type in ANY_BYTES
        detail = as_shown(sent) if is_shown else f"Gemini's name for this media type is {excerpt(sent)}"
        d.report("changed", path + where, f"{at}/{d.key(None, 'mimeType')}", detail)


def _inline(part: Any, media_type: str | None, data: str, d: GeminiDump) -> tuple[str, dict[str, str | None]]:
    """The field of inline media, and what is in it."""
    uri = uri_of(part, media_type, data, d)
    if uri is None:
        return "inlineData", {"mimeType": media_type, "data": data}
    return "fileData", {"fileUri": uri, "mimeType": media_type}


def why_not_inline(media_type: str | None) -> str:
    """Why inline media without a type or without data are refused."""
    return EMPTY if media_type else "media must have a media type: set `media_type`"


def _refusal(source: Any, uri: str, d: GeminiDump) -> str | None:
    """Why media at a URI are refused."""
    if source.type == "file_id":
        return (
            f"only {excerpt(source.issuer)} knows the file id: send the data or a URL" if d.is_foreign(source.issuer) else None
        )
    return (
        None
        if d.exact or uri.startswith(("http:", "https:", "gs:"))
        else "media must have a URL that begins with http:, https: or gs:, or base64 data"
    )


def uri_of(part: Any, media_type: str | None, data: str, d: Dump) -> str | None:
    """The URI of data that came in one; None for other data."""
    if media_type is None or not d.exact or spelling(part, "data") != IN_URI:
        return None
    return data_uri(Media(media_type, data))


def fit_data(part: Any, source: Any, filename: str | None, d: Dump) -> tuple[str | None, str]:
    """The media type and the base64 of inline media."""
    if source.type == "text":
        return source.media_type or "text/plain", encode_text(source.text)
    if not d.exact:
        return usual_type(type_of(source, filename)), source.data
    word = spelling(part, "data")
    data = source.data.rstrip("=") if word == "unpadded" else source.data
    if word in ("urlsafe", "unpadded"):
        data = data.translate(str.maketrans("+/", "-_"))
    return source.media_type, data


_FLAT = {"image_url": "image", "input_audio": "audio"}
USUAL = {"image": "image/jpeg", "audio": "audio/mpeg", "video": "video/mp4", "file": "application/pdf"}
BY_SUFFIX = {
    **MEDIA_TYPE_BY_SUFFIX,
    **{suffix: f"image/{suffix}" for suffix in ("png", "jpeg", "gif", "webp")},
    "jpg": "image/jpeg",
    "wav": "audio/wav",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "svg": "image/svg+xml",
    "doc": "application/msword",
    "docx": _OFFICE + "wordprocessingml.document",
    "xls": "application/vnd.ms-excel",
    "xlsx": _OFFICE + "spreadsheetml.sheet",
    "ppt": "application/vnd.ms-powerpoint",
    "pptx": _OFFICE + "presentationml.presentation",
}
