"""Media types, data URIs, and text as base64."""

import base64
import re
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple
from urllib.parse import unquote, unquote_to_bytes

from ..model.base import Json
from .dump import Dump
from .fields import Wire, join, value_at
from .magic import ANY_BYTES, audio_type_of, first_bytes, image_type_of, is_data_uri, kind_of
from .media_types import report_other_type, usual_type

_DATA_URI = re.compile(r"data:([^;,/\s]+/[^;,\s]+)(?:;[\w.+-]+=[^;,\s]*)*;base64,(.*)", re.DOTALL | re.IGNORECASE | re.ASCII)
_ANY_DATA_URI = re.compile(r"data:([^;,/\s]+/[^;,\s]+)?(?:;(?!base64[;,])[^;,]*)*(;base64)?,(.*)", re.DOTALL | re.IGNORECASE)
"""A data URI, whose media type may be missing, and whose data may be text with percent signs."""

MEDIA_TYPE_BY_SUFFIX = {
    "pdf": "application/pdf",
    "txt": "text/plain",
    "md": "text/markdown",
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
}


class Media(NamedTuple):
    """Media in base64 and their type, such as `image/png`."""

    media_type: str
    data: str
    type: Literal["base64"] = "base64"


class Address(NamedTuple):
    """The URL of media."""

    url: str
    type: Literal["url"] = "url"
    media_type: None = None


def source_of(part: Any, *, exact: bool = False) -> Any:
    """The source of the media in a part, whichever spelling the part has; a data URI is read, unless the dump is exact."""
    if part.type == "input_audio":
        stated = f"audio/{part.input_audio.format}"
        data = part.input_audio.data
        return (media_in(data, stated) if is_data_uri(data) else None) or Media(stated, data)
    if exact and part.type != "image_url":
        return part.source
    url = _url_of(part)
    media = media_in(url, _stated_type(part)) if url is not None and is_data_uri(url) else None
    if media is not None:
        return media
    return Address(url) if part.type == "image_url" and url is not None else with_type(part)


def with_type(part: Any) -> Any:
    """The source of media; the data of an image or of audio without a media type get the one that their bytes show."""
    source = part.source
    look = _LOOKS.get(part.type)
    if look is None or source.type != "base64" or source.media_type is not None:
        return source
    shown = look(source.data)
    return source if shown is None else Media(shown, source.data.strip())


_LOOKS = {"image": image_type_of, "audio": audio_type_of}


EMPTY = "media must not be empty: send their data, or leave out the part"
"""Why providers refuse inline media without data."""


def is_empty(part: Any) -> bool:
    """Whether a part has media without data, such as the data URI `data:image/png;base64,`, or a file without text."""
    if part.type == "input_audio":
        data: str = part.input_audio.data
    elif part.type != "image_url" and part.source.type == "text":
        data = part.source.text
    else:
        url = _url_of(part)
        if url is None:
            return False
        data = url
    return not data or (data.endswith(",") and data.index(",") == len(data) - 1 and is_data_uri(data))


def _stated_type(part: Any) -> str | None:
    """The media type that a part states beside its data or URL."""
    return None if part.type == "image_url" else part.source.media_type


def _url_of(part: Any) -> str | None:
    """The URL of the media in a part, or their data, which may be a data URI; None for other media."""
    if part.type == "image_url":
        return str(part.image_url.url)
    source = part.source
    if source.type == "url":
        return str(source.url)
    return source.data if source.type == "base64" else None


def report_media(part: Any, media_type: str | None, path: str, at: str, d: Dump, no_detail: str | None = None) -> None:
    """Report what media have besides their source, for formats whose images have no detail.

    The source is written at `at`; `media_type` is the type that is written for its data. `no_detail` is the loss detail for an
    image's `detail`; empty if the target has that field.
    """
    owner = part
    where = path
    if part.type in ("image_url", "input_audio"):
        owner = getattr(part, part.type)
        where = f"{path}/{part.type}"
        d.drop_fields(owner, where)
    if part.type == "input_audio":
        report_other_type(f"audio/{owner.format}", owner.data, where + "/format", d)
    if no_detail != "" and getattr(owner, "detail", None) not in (None, "auto"):
        d.drop(where + "/detail", no_detail or f"{d.target.name} has no field for the `detail` of an image")
    url = None if part.type == "input_audio" or (d.exact and part.type != "image_url") else _url_of(part)
    if url is None or media_type is None or not is_data_uri(url):
        return
    if "%" in url or not url.startswith(f"data:{media_type};base64,"):
        is_other = part.type in ("image", "image_url") and source_of(part).media_type != media_type
        report_uri(part, path, at, d, as_shown(media_type) if is_other else USUAL_FORM)


USUAL_FORM = "the data URI is written in its usual form"


def report_uri(part: Any, path: str, at: str, d: Dump, detail: str = USUAL_FORM) -> None:
    """Report that the data URI of a part is written in another form."""
    if part.type == "image_url":
        field = "image_url/url"
    elif part.source.type == "url":
        field = "source/url"
    else:  # data that are a URI, or whose media type is written in one
        field = "source/data" if part.source.media_type is None else "source/media_type"
    d.report("changed", f"{path}/{field}", at, detail)


def read_data_uri(uri: str) -> Media | None:
    """The media in a plain base64 data URI; None if `data_uri` would not write the same URI again."""
    match = _base64_uri(uri)
    if match is None or not uri.startswith(f"data:{match[1]};base64,"):
        return None
    return Media(match[1], match[2])


def _base64_uri(uri: str) -> re.Match[str] | None:
    """The match of a data URI with a media type and base64 as it stands; percent signs may stand for its `+`, `/` and `=`."""
    return None if "%" in uri else _DATA_URI.fullmatch(uri)


def media_in(uri: str, stated: str | None = None) -> Media | None:
    """The media in a data URI, in any case and with any parameters; their type gets its usual name.

    Data without a type have the one that is `stated` beside them or that their bytes show, or else are plain text (RFC 2397).
    """
    match = _ANY_DATA_URI.fullmatch(uri)
    if match is None:
        return None
    media_type, is_base64, data = match.groups()
    if not is_base64 and (unmarked := _unmarked_base64(data, media_type)) is not None:
        data = unmarked
    elif not is_base64:
        data = base64.b64encode(unquote_to_bytes(data)).decode()
    elif "%" in data:
        data = unquote(data)
    return Media(usual_type(media_type or stated or "") or kind_of(first_bytes(data)) or "text/plain", data)


def _unmarked_base64(data: str, media_type: str | None) -> str | None:
    """The data of a URI as base64 if they are base64, though the URI does not say so, as some clients write it; None otherwise.

    The bytes of images, audio, video and PDF files are more than letters, digits, `+` and `/`, so such data must be base64.
    """
    if media_type is None or not _BINARY.match(media_type):
        return None
    text = unquote(data)
    if _BASE64.fullmatch(text) is None or (len(text) % 4 and kind_of(first_bytes(text)) is None):
        return None
    return text + "=" * (-len(text) % 4)


_BINARY = re.compile(r"image/|audio/|video/|application/pdf$", re.IGNORECASE)
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")


def fit_uri(part: Any, out: Wire, place: Sequence[str], path: str, at: str, d: Dump) -> None:
    """Write the data URI at a place in `out` with a media type and base64, which many hosts require, and report it."""
    *outer, key = place
    holder: Json = value_at(out, outer)
    if type(holder) is not dict:
        return
    url: Json = holder.get(key)
    if (
        type(url) is str
        and is_data_uri(url)
        and _base64_uri(url) is None
        and (media := media_in(url, _stated_type(part))) is not None
    ):
        holder[key] = data_uri(media)
        report_uri(part, path, at + join(place), d)


def audio_format(media_type: str) -> str:
    """The name of an audio format, as Chat spells it: `wav`, `mp3`, `flac`."""
    kind = usual_type(media_type).removeprefix("audio/")
    return "mp3" if kind in ("mpeg", "mpga") else kind


def data_uri(media: Media) -> str:
    """Media as a data URI."""
    if is_data_uri(media.data):  # already one, though it stands where base64 should
        return media.data
    return f"data:{media.media_type};base64,{media.data}"


_STANDARD = str.maketrans("-_", "+/")


def standard_base64(data: str) -> str:
    """Base64 of the URL-safe alphabet in the standard one and with padding, which every provider reads; other text as it is."""
    if ("-" not in data and "_" not in data) or "+" in data or "/" in data:
        return data
    padding = "" if data.endswith("=") else "=" * (-len(data) % 4)
    return data.translate(_STANDARD) + padding


def as_standard(source: Any, path: str, at: str, d: Dump) -> Any:
    """Inline media with data in the standard alphabet, for targets that read no other; a change is reported."""
    data = standard_base64(source.data)
    if data == source.data:
        return source
    d.report("changed", path, at, "base64 in the URL-safe alphabet is sent in the standard one")
    return Media(source.media_type, data)


def invented_filename(media_type: str) -> str:
    """A name for a file that has none, for formats that require one."""
    return "document." + next((suffix for suffix, known in MEDIA_TYPE_BY_SUFFIX.items() if known == media_type), "bin")


def media_type_of(filename: str | None, data: str) -> str | None:
    """The media type of a file, by its first bytes or its name."""
    return kind_of(first_bytes(data)) or MEDIA_TYPE_BY_SUFFIX.get((filename or "").rpartition(".")[2].lower())


def type_of(source: Any, filename: str | None) -> str:
    """The media type of data, by their first bytes or their name if they were given none, or that of any bytes; else empty."""
    given: str = source.media_type or ""
    return given if given and given not in ANY_BYTES else media_type_of(filename, source.data) or given


UNNAMED = "not every host accepts a file without a `filename`; sent with an invented one"
"""The loss detail for a file that gets an invented name."""


def name_for(data: str) -> str:
    """An invented name for a file in a data URI or in bare base64."""
    media = media_in(data)
    return invented_filename((media_type_of(None, data) if media is None else media.media_type) or "")


def as_shown(media_type: str) -> str:
    """The loss detail for media that are sent with the media type that they show rather than the one they were given."""
    if media_type.startswith("image/"):
        return f"the image's bytes are {media_type}; sent as that"
    return f"the file's bytes or its name say that it is {media_type}; sent as that"


def encode_text(text: str) -> str:
    """Text as base64 of its UTF-8."""
    return base64.b64encode(text.encode()).decode()


PDF = "application/pdf"
AS_ITS_KIND = "it holds another kind of media than its part says: sent as what it is"
"""The loss detail for an image or a file that is sent as media of another kind."""
_KINDS_OF_FILES = frozenset({"image", "audio", "video"})


def kind_by_type(kind: str, source: Any, filename: str | None = None) -> str:
    """The kind of media: any may stand where a file does, and a PDF or a video where an image does.

    Hosts of Chat's shape accept this. `image/svg+xml` counts as an image, though no provider takes it.
    """
    if kind == "file" and source.type == "base64":
        main = type_of(source, filename).partition("/")[0].lower()
        return main if main in _KINDS_OF_FILES else kind
    if kind != "image" or source.type != "base64" or source.media_type is None:
        return kind
    if source.media_type == PDF:
        return "file"
    return "video" if source.media_type.startswith("video/") else kind


def image_url_part(url: str, detail: str | None) -> Wire:
    """An image as an object with its URL, which Chat and its relatives have."""
    return {"type": "image_url", "image_url": {"url": url} if detail is None else {"url": url, "detail": detail}}


def image_by_url(image: Any) -> Wire | str:
    """The object for an image part, or the reason why the part has none."""
    source = with_type(image)
    if source.type == "url":
        return image_url_part(source.url, image.detail)
    if source.type == "base64" and source.media_type is not None:
        return image_url_part(data_uri(Media(source.media_type, source.data)), image.detail)
    return "an image must have a URL, or base64 with a media type: set `media_type`"
