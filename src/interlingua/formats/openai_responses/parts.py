"""The maps of content parts and citations: each `load_x` with the `dump_x` that undoes it.

Parts of messages that go in are `input_text`, `input_image` and `input_file`, those of the assistant's messages `output_text`
and `refusal` (openai 3.52.0, `types/responses/response_input_content_param.py`, `response_output_message_param.py`). The
functions that write a part return what it becomes, or report why it has no place and return None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...codec.fields import FieldReader, Wire, copy_wire, lay_over, spelling
from ...codec.media import Media, data_uri, encode_text, invented_filename, read_data_uri
from ...model.base import Json
from ...model.parts import to_json
from .base import FAMILY, ISSUER, ItemsDump

USUAL = {"assistant": "output_text"}
"""The type of text in messages of a role, where it is not `input_text`."""
PART_FIELDS = frozenset({"annotations", "logprobs", "parsed", "prompt_cache_breakpoint"})
"""Fields that parts are known to have; other fields of provider data are the item's, unless they are spelled `part`."""
_WORDS = frozenset({"content", "item", "item_type", "opaque", "summary", "text_type"})
"""What the records of parts say besides."""

# Parts


def load_part(wire: Wire, role: str) -> dict[str, Any]:
    """A content part; one without canonical meaning is kept whole."""
    kind: str = wire["type"]
    usual = USUAL.get(role, "input_text")
    if kind == usual and len(wire) == 2:
        return {"type": "text", "text": wire["text"]}  # most parts
    loader, reader = PART_LOADERS.get(kind), FieldReader(wire, "type")
    out = None if loader is None else loader(reader)
    if out is None:
        return keep_whole(wire)
    if out["type"] == "text" and kind != usual:
        reader.spelling["text_type"] = kind
    _load_cache(reader, out)
    if role == "assistant" and not spell_fields(reader):
        return keep_whole(wire)
    return reader.keep(out, FAMILY)


def spell_fields(reader: FieldReader) -> bool:
    """Record which fields are not the item's; whether that can be told."""
    unknown = reader.wire.keys() - reader.known - PART_FIELDS
    reader.spelling |= dict.fromkeys(unknown, "part")
    return unknown.isdisjoint(_WORDS)


def is_of_item(part: Any, key: str) -> bool:
    """Whether a field of a part's provider data belongs to the item that begins with the part."""
    return part.type == "redacted_thinking" or (key not in PART_FIELDS and spelling(part, key) != "part")


def lay_fields(part: Any, out: Wire, item: Wire | None, path: str, d: ItemsDump) -> None:
    """Lay a part's provider data over what was written for it, and the fields of an item among them over the item."""
    written = set(out)
    d.lay_provider_data(part, out, path)
    for key in part.provider_data.get(FAMILY, ()):
        if item is not None and key not in written and key in out and is_of_item(part, key):
            lay_over(item, key, out.pop(key))


def keep_whole(wire: Wire) -> dict[str, Any]:
    """A part, an item or a tool that has no canonical form."""
    return {"type": "opaque", "format": FAMILY, "value": wire}


def dump_part(part: Any, path: str, at: str, d: ItemsDump, role: str, item: Wire | None = None) -> Wire | None:
    """A content part for a message of `role`, or for a tool's output; None, and reported, if it has no place there.

    What provider data says of an item of the assistant goes into `item`.
    """
    kind = part.type
    writer = _WRITERS.get(kind)
    if writer is None or (not d.exact and kind not in (_SAID if role == "assistant" else _GIVEN)):
        d.drop(path, f"{kind.replace('_', ' ')} has no place in a message of role {role}")
        return None
    out = writer(part, path, at, d, role)
    if out is None:
        return None
    d.places[at] = path
    if part.cache_control is not None and "value" not in vars(part):
        _dump_cache(part, out, path, d, role)
    if part.provider_data is not None:
        lay_fields(part, out, item, path, d)
    if not d.exact:
        d.drop_unplaced(part, path, *(("citations",) if role == "assistant" else ()))
    return out


_SAID = frozenset({"text", "refusal", "opaque"})
_GIVEN = frozenset({"text", "json", "opaque", "image", "image_url", "file"})
"""The types of parts that have a place in what the assistant says, and in what it is given."""


def _load_words(reader: FieldReader) -> dict[str, Any]:
    out: dict[str, Any] = {"type": "text", "text": reader.take("text")}
    annotations: Json = reader.wire.get("annotations")
    if type(annotations) is list and all(type(each) is dict for each in annotations):
        out["citations"] = [_load_citation(each) for each in reader.take("annotations")]
    return out


def _load_refusal(reader: FieldReader) -> dict[str, Any]:
    return {"type": "refusal", "refusal": reader.take("refusal")}


def _dump_text(part: Any, path: str, at: str, d: ItemsDump, role: str) -> Wire:
    usual = USUAL.get(role, "input_text")
    out: Wire = {"type": (spelling(part, "text_type") or usual) if d.exact else usual, "text": part.text}
    citations = part.citations
    if d.exact:
        if citations is not None:
            out["annotations"] = [_dump_citation(each, "", "", part, d) for each in citations]
    elif role == "assistant":
        out["annotations"] = _fit_citations(part, path, at, d)
    return out


def _dump_json(part: Any, path: str, at: str, d: ItemsDump, role: str) -> Wire:
    return {"type": "input_text", "text": to_json(part.value)}


def _dump_refusal(part: Any, path: str, at: str, d: ItemsDump, role: str) -> Wire:
    return {"type": "refusal", "refusal": part.refusal}


def _dump_opaque(part: Any, path: str, at: str, d: ItemsDump, role: str) -> Wire | None:
    if part.format != FAMILY:
        d.drop(path, d.no_place("a part of this type", part.format))
        return None
    out: Wire = copy_wire(part.value)
    return out


# Citations


def _load_citation(wire: Wire) -> dict[str, Any]:
    reader = FieldReader(wire, "type")
    out: dict[str, Any] = {}
    if wire.get("type") == "url_citation" and (url := reader.take("url", str)) is not None:
        out = {"type": "url", "url": url}
        for key, name in (("start_index", "start"), ("end_index", "end")):
            if (index := reader.take(key, int)) is not None:
                out[name] = index
    elif wire.get("type") == "file_citation" and (file_id := reader.take("file_id", str)) is not None:
        out = {"type": "document", "file_id": file_id, "issuer": ISSUER}
    else:
        return keep_whole(wire)
    if (title := reader.take("title" if out["type"] == "url" else "filename", str)) is not None:
        out["title"] = title
    return reader.keep(out, FAMILY)


def _dump_citation(citation: Any, path: str, at: str, text: Any, d: ItemsDump) -> Wire | None:
    """An annotation; None, and reported, for what has no place. One that is not loaded from here gets all required fields."""
    out: Wire
    if citation.type == "opaque":
        if citation.format != FAMILY:
            d.drop(path, d.no_place("a citation of this type", citation.format))
            return None
        out = copy_wire(citation.value)
        return out
    if citation.type == "url":
        out = {"type": "url_citation", "url": citation.url}
        named = {"title": citation.title, "start_index": citation.start, "end_index": citation.end}
        required = {"title": "", "start_index": 0, "end_index": len(text.text)}
    elif citation.type == "document" and citation.file_id is not None and not d.is_foreign(citation.issuer):
        out = {"type": "file_citation", "file_id": citation.file_id}
        named, required = {"filename": citation.title}, {"filename": "", "index": 0}
    else:
        d.drop(path, "annotations cite pages of the web and files of the provider")
        return None
    out |= {key: value for key, value in named.items() if value is not None}
    if citation.provider_data is not None:
        d.lay_provider_data(citation, out, path)
    if not d.exact and not required.keys() <= out.keys():
        d.report("changed", path, at, "annotations have a title, and the characters or the place that they support")
    return out if d.exact else required | out


def _fit_citations(part: Any, path: str, at: str, d: ItemsDump) -> list[Wire]:
    written: list[Wire] = []
    for i, citation in enumerate(part.citations or ()):
        where = f"{path}/citations/{i}"
        annotation = _dump_citation(citation, where, f"{at}/annotations/{len(written)}", part, d)
        if annotation is not None:
            written.append(annotation)
            d.drop_fields(citation, where, *_UNSENT[citation.type])
    return written


_UNSENT = {
    "url": ("cited_text",),
    "document": ("cited_text", "start", "end", "unit", "source_start", "source_end"),
    "opaque": (),
}
"""The fields of citations that annotations do not have."""


# Media


def _load_media(reader: FieldReader) -> dict[str, Any] | None:
    is_image = reader.wire["type"] == "input_image"
    source = _load_source(reader, "image_url", None) if is_image else _load_source(reader, "file_url", "file_data")
    field = "detail" if is_image else "filename"
    if source is None:
        return None
    out = {"type": "image" if is_image else "file", "source": source}
    return out if (text := reader.take(field, str)) is None else out | {field: text}


def _load_source(reader: FieldReader, url: str, data: str | None) -> dict[str, Any] | None:
    """Where media are: base64 or a URL, else a file id."""
    if data is not None and (text := reader.take(data, str)) is not None:
        media = read_data_uri(text)
        return {"type": "base64", "data": text} if media is None else _base64(media)
    if (text := reader.take(url, str)) is not None:
        media = read_data_uri(text) if data is None else None
        return {"type": "url", "url": text} if media is None else _base64(media)
    if (text := reader.take("file_id", str)) is not None:
        return {"type": "file_id", "file_id": text, "issuer": ISSUER}
    return None


def _base64(media: Media) -> dict[str, Any]:
    return {"type": "base64", "data": media.data, "media_type": media.media_type}


def _dump_image(part: Any, path: str, at: str, d: ItemsDump, role: str) -> Wire | None:
    source = part.source
    if source.type == "text" or (source.type == "base64" and source.media_type is None):
        d.drop(path, "images are given by URL, by file id, or by base64 with a media type")
        return None
    held = _dump_source(source, "image_url", "image_url", path, d)
    return None if held is None else _image(held, part.detail)


def _dump_image_url(part: Any, path: str, at: str, d: ItemsDump, role: str) -> Wire:
    image = part.image_url
    if image.provider_data is not None:
        d.lay_provider_data(image, {}, path + "/image_url", lambda _key: False)
    return _image({"image_url": image.url}, image.detail)


def _image(source: Wire, detail: str | None) -> Wire:
    """An image; the types require the detail, which the server does not."""
    out = {"type": "input_image", **source}
    return out if detail is None else out | {"detail": detail}


def _dump_file(part: Any, path: str, at: str, d: ItemsDump, role: str) -> Wire | None:
    held = _dump_source(part.source, "file_url", "file_data", path, d)
    if held is None:
        return None
    out: Wire = {"type": "input_file", **held}
    if part.filename is not None:
        out["filename"] = part.filename
    elif "file_data" in held and not d.exact and not d.same_family:
        out["filename"] = invented_filename(held["file_data"].removeprefix("data:").partition(";")[0])
        d.report("added", path, at + "/filename", "file data needs a file name")
    return out


def _dump_source(source: Any, url: str, data: str, path: str, d: ItemsDump) -> Wire | None:
    if source.type == "file_id":
        if d.is_foreign(source.issuer):
            d.drop(path, f"only {source.issuer} knows the file id")
            return None
        return {"file_id": source.file_id}
    if source.type == "url":
        return {url: source.url}
    if source.type == "text":
        return {data: data_uri(Media(source.media_type or "text/plain", encode_text(source.text)))}
    return {data: source.data if source.media_type is None else data_uri(Media(source.media_type, source.data))}


# Cache marks

_TIMES = frozenset({"30m", "12h"})


def _load_cache(reader: FieldReader, out: dict[str, Any]) -> None:
    mark: Json = reader.wire.get("prompt_cache_breakpoint")
    if type(mark) is not dict or mark.get("mode") != "explicit" or not mark.keys() <= {"mode", "ttl"}:
        return
    if type(mark.get("ttl", "")) is str:
        out["cache_control"] = {"type": "ephemeral"} | {key: ttl for key, ttl in mark.items() if key == "ttl"}
        reader.known.add("prompt_cache_breakpoint")


def _dump_cache(owner: Any, out: Wire, path: str, d: ItemsDump, role: str) -> None:
    if not d.exact and role == "assistant":
        d.drop(path + "/cache_control", "only what the assistant is given has cache marks")
        return
    mark: Wire = {"mode": "explicit"}
    ttl = owner.cache_control.ttl
    if ttl is not None and (d.exact or ttl in _TIMES):
        mark["ttl"] = ttl
    elif ttl is not None:
        d.drop(path + "/cache_control/ttl", "cache times here are 30m and 12h")
    out["prompt_cache_breakpoint"] = mark


# The tables

PART_LOADERS: Mapping[str, Callable[[FieldReader], dict[str, Any] | None]] = {
    "input_text": _load_words,
    "output_text": _load_words,
    "refusal": _load_refusal,
    "input_image": _load_media,
    "input_file": _load_media,
}
"""The function that reads a part, for each type with canonical meaning."""

_WRITERS: Mapping[str, Callable[[Any, str, str, ItemsDump, str], Wire | None]] = {
    "text": _dump_text,
    "json": _dump_json,
    "refusal": _dump_refusal,
    "opaque": _dump_opaque,
    "image": _dump_image,
    "image_url": _dump_image_url,
    "file": _dump_file,
}
