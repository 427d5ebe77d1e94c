"""The names of media types, and what is reported of the media types that parts state."""

from __future__ import annotations

from typing import Any

from ..errors import excerpt
from .magic import is_data_uri

_NOT_INLINE = ("url", "file_id")  # the sources of media that are elsewhere


def usual_type(media_type: str) -> str:
    """A media type in lower case, without parameters, under the name that providers know."""
    kind = media_type.partition(";")[0].strip().lower()
    return _USUAL_TYPES.get(kind, kind)


_USUAL_TYPES = {
    **dict.fromkeys(("image/jpg", "image/pjpeg"), "image/jpeg"),
    "image/x-png": "image/png",
    **dict.fromkeys(("audio/x-wav", "audio/wave", "audio/vnd.wave", "audio/x-pn-wav"), "audio/wav"),
    **dict.fromkeys(("audio/x-mp3", "audio/mpeg3", "audio/x-mpeg-3", "audio/x-mpeg"), "audio/mpeg"),
    "audio/x-flac": "audio/flac",
    "audio/x-m4a": "audio/m4a",
    "audio/x-aiff": "audio/aiff",
    "audio/aacp": "audio/aac",
    "video/x-m4v": "video/mp4",
    "application/x-pdf": "application/pdf",
}
"""Media types as programs and browsers may write them, with the names that providers know."""


def type_in_uri(uri: str) -> str:
    """The media type that a data URI states, under its usual name; empty if it states none."""
    return usual_type(uri[5 : max(uri.find(","), 5)]) if is_data_uri(uri) else ""


def report_other_type(media_type: str | None, uri: str, path: str, d: Any) -> None:
    """Report a media type, at `path`, that is not the one of the data URI beside it, which counts."""
    stated = type_in_uri(uri)
    if media_type is not None and stated not in ("", usual_type(media_type)):
        d.report("changed", path, None, f"the data URI says that it is {excerpt(stated)}; sent as that")


def report_media_type(part: Any, path: str, d: Any, *, placed: bool = False) -> None:
    """Report the media type of a source that is replaced by that of a data URI, or has no place beside a URL or a file id."""
    source = part.source
    media_type: str | None = source.media_type
    if media_type is None:
        return
    at = path + "/source/media_type"
    uri: str = source.url if source.type == "url" else source.data if source.type == "base64" else ""
    if is_data_uri(uri):
        report_other_type(media_type, uri, at, d)
    elif placed or source.type not in _NOT_INLINE:
        return
    elif media_type.startswith(part.type + "/"):
        d.report("changed", at, None, f"{d.target.name} states only `{part.type}`, not the media type")
    else:
        d.drop(at, f"{d.target.name} has no field for the media type of media that are not inline")
