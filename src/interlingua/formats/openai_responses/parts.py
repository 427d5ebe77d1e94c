"""Load and dump content parts and citations: each `dump_x` undoes its `load_x`.

Input messages have the parts `input_text`, `input_image` and `input_file`; the assistant's messages have `output_text` and
`refusal` (openai 3.52.0, `types/responses/response_input_content_param.py`, `response_output_message_param.py`). A function
that dumps a part returns its form; if the part has no place, it reports that and returns None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ...codec.citations import dump_page, load_page
from ...codec.fields import FieldReader, Wire, lay_over, spelling
from ...codec.magic import is_data_uri
from ...codec.media import (
    AS_ITS_KIND,
    EMPTY,
    PDF,
    UNNAMED,
    Media,
    data_uri,
    encode_text,
    fit_uri,
    is_empty,
    kind_by_type,
    name_for,
    read_data_uri,
    with_type,
)
from ...codec.readable import send_as_text
from ...codec.settings import cache_time
from ...errors import excerpt
from ...model.base import Json
from ...model.parts import TextPart, to_json
from ..openai_chat.versions import why_unmarked
from .base import FAMILY, ISSUER, ItemsDump

USUAL = {"assistant": "output_text"}
"""The type of text in messages of a role, if it is not `input_text`."""
PART_FIELDS = frozenset({"annotations", "logprobs", "parsed", "prompt_cache_breakpoint"})
"""Known fields of parts; any other field in provider data is the item's, unless it is recorded as the part's."""

# Parts


def load_part(wire: Wire, role: str) -> dict[str, Any]:
    """Load a content part; one without a canonical form is kept whole."""
    kind: str = wire["type"]
    usual = USUAL.get(role, "input_text")
    loader = PART_LOADERS.get(kind)
    reader = FieldReader(wire, "type")
    out = None if loader is None else loader(reader)
    if out is None:
        return keep_whole(wire)
    if out["type"] == "text" and kind != usual:
        reader.spelling["text_type"] = kind
    _load_cache(reader, out)
    if role == "assistant":
        spell_fields(reader)
    return reader.keep(out, FAMILY)


def spell_fields(reader: FieldReader) -> None:
    """Record which fields belong to the part and not to the item."""
    reader.spelling |= {_of_part(key): "part" for key in reader.rest if key not in PART_FIELDS}


def _of_part(key: str) -> str:
    """The key in a part's record for a field that is the part's; no other record of a part has such a key."""
    return f"part/{key}"


def is_of_item(part: Any, key: str) -> bool:
    """Whether a field in a part's provider data belongs to the item that begins with the part."""
    return part.type == "redacted_thinking" or (key not in PART_FIELDS and spelling(part, _of_part(key)) is None)


def lay_fields(part: Any, out: Wire, item: Wire | None, path: str, d: ItemsDump) -> None:
    """Add a part's provider data to what was written for it, and the item's fields in that data to the item."""
    written = set(out)
    d.lay_provider_data(part, out, path)
    for key in [key for key in out if key not in written]:
        if item is not None and is_of_item(part, key):
            lay_over(item, key, out.pop(key))


def keep_whole(wire: Wire) -> dict[str, Any]:
    """Keep a part, an item or a tool without a canonical form as it is."""
    return {"type": "opaque", "format": FAMILY, "value": wire}


def dump_part(part: Any, path: str, at: str, d: ItemsDump, role: str, item: Wire | None = None) -> Wire | None:
    """Dump a content part for a message of `role`, or for a tool's output; None, with a report, if it has no place there.

    The fields of an assistant's item in the provider data go into `item`.
    """
    kind = part.type
    writer = _WRITERS.get(kind)
    if writer is None or (not d.exact and kind not in (_ANSWERED if role == "assistant" else _GIVEN)):
        return d.refuse(path, f"the Responses API does not take {kind.replace('_', ' ')} parts in a message of role {role}")
    if (out := writer(part, path, at, d, role)) is None:
        return None
    d.places[at] = path
    if part.cache_control is not None and kind != "opaque":
        _dump_cache(part, out, path, d, role)
    if part.provider_data is not None:
        lay_fields(part, out, item, path, d)
    if not d.exact:
        d.drop_unplaced(part, path, *(("citations",) if role == "assistant" else ()))
    return out


_ANSWERED = frozenset({"text", "refusal", "opaque"})
_GIVEN = frozenset({"text", "json", "opaque", "image", "image_url", "file"})
"""The types of parts that the assistant's messages may have, and that its input may have."""


def _load_words(reader: FieldReader) -> dict[str, Any]:
    out: dict[str, Any] = {"type": "text", "text": reader.take("text")}
    annotations: Json = reader.wire.get("annotations")
    if type(annotations) is list and all(type(each) is dict for each in annotations):
        out["citations"] = [_load_citation(each) for each in reader.take("annotations")]
    return out


def _load_chat_text(reader: FieldReader) -> dict[str, Any] | None:
    """Load a text as Chat has it: OpenAI refuses it, and vLLM takes it (`response_input_to_harmony` in `harmony.py`)."""
    return _load_words(reader) if type(reader.wire.get("text")) is str else None


def _dump_text(part: Any, path: str, at: str, d: ItemsDump, role: str) -> Wire:
    usual = USUAL.get(role, "input_text")
    out: Wire = {"type": (spelling(part, "text_type") or usual) if d.exact else usual, "text": part.text}
    is_listed = part.citations is not None if d.exact else role == "assistant"
    if is_listed:
        written: list[Wire] = []
        for i, citation in enumerate(part.citations or ()):
            made = _dump_citation(citation, f"{path}/citations/{i}", f"{at}/annotations/{len(written)}", part, d)
            written += [] if made is None else [made]
        out["annotations"] = written
    return out


def _dump_opaque(part: Any, path: str, at: str, d: ItemsDump, role: str) -> Wire | None:
    text = send_as_text(part, path, at, d)
    return d.own_value(part, path, "part") if text is None else _dump_text(TextPart(text=text), path, at, d, role)


# Citations


def _load_citation(wire: Wire) -> dict[str, Any]:
    reader = FieldReader(wire, "type")
    out: dict[str, Any] | None = None
    if wire.get("type") == "url_citation":
        out = load_page(reader)
    elif wire.get("type") == "file_citation" and (file_id := reader.take("file_id", str)) is not None:
        out = {"type": "document", "file_id": file_id, "issuer": ISSUER}
        reader.move_typed(out, str, filename="title")
    return keep_whole(wire) if out is None else reader.keep(out, FAMILY)


def _dump_citation(citation: Any, path: str, at: str, text: Any, d: ItemsDump) -> Wire | None:
    """Dump an annotation; None, with a report, if it has no place. Another format's citation gets all required fields."""
    if citation.type == "opaque":
        return d.own_value(citation, path, "citation")
    if citation.type == "url":
        out: Wire = {"type": "url_citation", **dump_page(citation, path, at, (0, len(text.text)), d)}
    elif citation.type == "document" and citation.file_id is not None and not d.is_foreign(citation.issuer):
        out = {"type": "file_citation", "file_id": citation.file_id}
        if citation.title is not None or not d.exact:
            out["filename"] = citation.title or ""
        d.drop_named(citation, path, "cited_text", "start", "end", "unit", "source_start", "source_end")
    else:
        return d.refuse(path, "citations of the Responses API must be of web pages or of files of the provider")
    d.lay_provider_data(citation, out, path)
    lacks_field = citation.title is None or "index" not in out
    if citation.type == "document" and not d.exact and lacks_field:
        out.setdefault("index", 0)
        d.report("changed", path, at, "the citation of a file must have a name and an index; what is missing is filled in")
    return out


# Media


class _MediaFields(NamedTuple):
    """The fields of a part that is media."""

    type: str
    url: str
    data: str
    """The field for data, as a data URI."""
    about: str


_MEDIA = {
    "image": _MediaFields("input_image", "image_url", "image_url", "detail"),
    "file": _MediaFields("input_file", "file_url", "file_data", "filename"),
}


def _load_media(reader: FieldReader) -> dict[str, Any] | None:
    """Load media in base64 or at a URL, or by file id."""
    kind, (_, url, data, about) = next(item for item in _MEDIA.items() if item[1].type == reader.wire["type"])
    encoded = reader.take(data, str)
    if encoded is not None and (media := read_data_uri(encoded)) is not None:
        source = {"type": "base64", "data": media.data, "media_type": media.media_type}
    elif encoded is not None and data != url:
        source = {"type": "base64", "data": encoded}
    elif (text := reader.take(url, str)) is not None:
        source = {"type": "url", "url": text}
    elif (text := reader.take("file_id", str)) is not None:
        source = {"type": "file_id", "file_id": text, "issuer": ISSUER}
    else:
        return None
    out: dict[str, Any] = {"type": kind, "source": source}
    reader.move_typed(out, str, about)
    return out


def _dump_media(part: Any, path: str, at: str, d: ItemsDump, _role: str) -> Wire | None:
    """Dump an image, whose detail the types require and the server does not, or a file."""
    source = with_type(part)
    kind, url, data, about = _MEDIA[part.type]
    is_file = part.type == "file"
    out: Wire = {"type": kind}
    if (why := _media_refusal(part, d)) is not None:
        return d.refuse(path, why)
    if source.type == "file_id":
        out["file_id"] = source.file_id
    elif source.type == "url":
        out[data if is_file and not d.exact and is_data_uri(source.url) else url] = source.url
    elif source.type == "text":
        out[data] = data_uri(Media(source.media_type or "text/plain", encode_text(source.text)))
    else:
        out[data] = source.data if source.media_type is None else data_uri(Media(source.media_type, source.data))
    text: str | None = getattr(part, about)
    if text is not None:
        out[about] = text
    if not d.exact:
        fit_uri(part, out, (data,), path, at, d)
    if is_file and not d.exact:
        _fit_name(out, path, at, d)
    return out


def _media_refusal(part: Any, d: ItemsDump) -> str | None:
    """Why an image or a file is refused; None if it is not."""
    source = with_type(part)
    if source.type == "file_id" and d.is_foreign(source.issuer):
        return f"only {excerpt(source.issuer)} knows the file id: send the data or a URL"
    has_no_type = source.type == "base64" and source.media_type is None
    if part.type != "file" and (source.type == "text" or has_no_type):
        return "an image must have a URL, a file id, or base64 with a media type: set `media_type`"
    return EMPTY if not d.exact and is_empty(part) else None


def _fit_name(out: Wire, path: str, at: str, d: ItemsDump) -> None:
    """Give a file that is sent as data a name, and no other file."""
    if "file_data" not in out:
        if out.pop("filename", None) is not None:
            d.drop(path + "/filename", "a file has a name only beside its data, and not beside a URL or an id")
    elif not (out.get("filename") or d.same_family):
        out["filename"] = name_for(out["file_data"])
        d.report("added", path, at + "/filename", UNNAMED)


def _dump_image_url(part: Any, path: str, at: str, d: ItemsDump, _role: str) -> Wire | None:
    image = part.image_url
    if not d.exact and is_empty(part):
        return d.refuse(path, EMPTY)
    d.drop_fields(image, path + "/image_url")
    if not d.exact and image.url[: len(_OF_PDF)].lower() == _OF_PDF:
        if image.detail not in (None, "auto"):
            d.drop(path + "/image_url/detail", _NO_DETAIL)
        return _as_file(part, image.url, path, at, d)
    detail = {} if image.detail is None else {"detail": image.detail}
    out: Wire = {"type": "input_image", "image_url": image.url, **detail}
    fit_uri(part, out, ("image_url",), path, at, d)
    return out


_OF_PDF = f"data:{PDF};"
_NO_DETAIL = "a file has no `detail`"


def _dump_image(part: Any, path: str, at: str, d: ItemsDump, role: str) -> Wire | None:
    if d.exact or kind_by_type("image", part.source) != "file":
        return _dump_media(part, path, at, d, role)
    if part.detail not in (None, "auto"):
        d.drop(path + "/detail", _NO_DETAIL)
    return _as_file(part, data_uri(part.source), path, at, d)


def _as_file(part: Any, uri: str, path: str, at: str, d: ItemsDump) -> Wire:
    """The file for an image that is a PDF, which OpenAI refuses as an image."""
    d.report("changed", path, at, AS_ITS_KIND)
    out: Wire = {"type": "input_file", "file_data": uri}
    fit_uri(part, out, ("file_data",), path, at, d)
    _fit_name(out, path, at, d)
    return out


# Cache marks


def _load_cache(reader: FieldReader, out: dict[str, Any]) -> None:
    mark: Json = reader.wire.get("prompt_cache_breakpoint")
    if type(mark) is not dict or mark.get("mode") != "explicit" or type(mark.get("ttl", "")) is not str:
        return
    out["cache_control"] = {"type": "ephemeral"}
    inner = reader.inside("prompt_cache_breakpoint")
    inner.know("mode")
    inner.move(out["cache_control"], "ttl")


def _dump_cache(owner: Any, out: Wire, path: str, d: ItemsDump, role: str) -> None:
    if not d.exact and role == "assistant":
        d.drop(path + "/cache_control", "the Responses API does not take cache marks in assistant messages")
        return
    if not d.exact and (why := why_unmarked(d.model)) is not None:
        d.drop(path + "/cache_control", why)
        return
    ttl = cache_time(d, owner.cache_control.ttl, path + "/cache_control", "30m", "12h")
    out["prompt_cache_breakpoint"] = {"mode": "explicit", **ttl}


# The tables

PART_LOADERS: Mapping[str, Callable[[FieldReader], dict[str, Any] | None]] = {
    "input_text": _load_words,
    "output_text": _load_words,
    "text": _load_chat_text,
    "refusal": lambda reader: {"type": "refusal", "refusal": reader.take("refusal")},
    "input_image": _load_media,
    "input_file": _load_media,
}
"""The loader of each type of part that has a canonical form."""

_WRITERS: Mapping[str, Callable[[Any, str, str, ItemsDump, str], Wire | None]] = {
    "text": _dump_text,
    "json": lambda part, _path, _at, _d, _role: {"type": "input_text", "text": to_json(part.value)},
    "refusal": lambda part, _path, _at, _d, _role: {"type": "refusal", "refusal": part.refusal},
    "opaque": _dump_opaque,
    "image": _dump_image,
    "image_url": _dump_image_url,
    "file": _dump_media,
}
