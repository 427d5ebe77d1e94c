"""Load and dump content: each `dump_x` undoes its `load_x`.

User inputs, model outputs and results of functions have text, images, audio, videos and documents (google-genai 3.6.1,
`_gaos/types/interactions/content.py`). A function that dumps a part returns its form; if the part has no place, it reports
that and returns None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from ...codec.citations import load_page
from ...codec.fields import FieldReader, Wire, lay_over, spelling
from ...codec.magic import ANY_BYTES
from ...codec.media import AS_ITS_KIND, as_shown, invented_filename, kind_by_type, report_media, source_of
from ...codec.readable import send_as_media, send_as_text
from ...errors import excerpt
from ...model.base import Json
from ...model.parts import TextPart, to_json
from ..gemini.media import BY_SUFFIX, USUAL, data_at, fit_data, kind_of, source_at, standard, uri_of, why_not_inline
from .base import FAMILY, InteractionsDump, keep_whole

PART_FIELDS = frozenset(
    {"annotations", "channels", "data", "mime_type", "name", "processing", "resolution", "sample_rate", "uri"}
)
"""Known fields of content; any other field in provider data is the step's, unless it is recorded as the part's."""

# Parts


def load_part(wire: Wire, role: str) -> dict[str, Any]:
    """Load content as a part; content without a canonical form is kept whole."""
    kind: str = wire["type"]
    if kind == "text" and len(wire) == 2:
        return {"type": "text", "text": wire["text"]}  # true of most parts
    loader = PART_LOADERS.get(kind)
    reader = FieldReader(wire, "type")
    out = None if loader is None else loader(reader)
    if out is None:
        return keep_whole(wire)
    if role == "assistant":
        reader.spelling |= {_of_part(key): "part" for key in reader.rest if key not in PART_FIELDS}
    return reader.keep(out, FAMILY)


def _of_part(key: str) -> str:
    """The key in a part's record for a field that is the part's; no other record of a part has such a key."""
    return "part/" + key


def is_of_step(part: Any, key: str) -> bool:
    """Whether a field in a part's provider data belongs to the step that begins with the part."""
    return key not in PART_FIELDS and spelling(part, _of_part(key)) is None


def dump_part(part: Any, path: str, at: str, d: InteractionsDump, role: str, step: Wire | None = None) -> Wire | None:
    """Dump content of a step; None, with a report, if it has no place. The step's fields in provider data go into `step`."""
    kind = part.type
    writer = _WRITERS.get(kind)
    if writer is None:
        return d.refuse(path, f"the Interactions API does not take {kind.replace('_', ' ')} parts in a message of role {role}")
    out = writer(part, path, at, d, role)
    if out is None:
        return None
    d.places[at] = path
    d.drop_named(part, path, "cache_control")
    if not d.exact:
        d.drop_unplaced(part, path, "citations", "media_type")
    if part.provider_data is not None:
        _lay_fields(part, out, step, path, d)
    return out


def _lay_fields(part: Any, out: Wire, step: Wire | None, path: str, d: InteractionsDump) -> None:
    """Add a part's provider data to what was written for it, and the step's fields in that data to the step."""
    written = set(out)
    d.lay_provider_data(part, out, path)
    for key in [key for key in out if key not in written]:
        if step is not None and is_of_step(part, key):
            lay_over(step, key, out.pop(key))


# Text, and what it refers to


def _load_text(reader: FieldReader) -> dict[str, Any]:
    out: dict[str, Any] = {"type": "text", "text": reader.take("text")}
    annotations: Json = reader.wire.get("annotations")
    if is_annotations(annotations):
        out["citations"] = load_citations(reader.take("annotations"), out["text"])
    return out


def is_annotations(value: Json) -> bool:
    """Whether a value is a list of annotations."""
    return type(value) is list and all(type(each) is dict for each in value)


def load_citations(wires: list[Wire], text: str) -> list[dict[str, Any]]:
    """Load the citations of a text, whose positions are counted in bytes of the text."""
    starts: Sequence[int] = range(len(text) + 1) if text.isascii() else _starts_of(text)
    characters: Mapping[int, int] = {start: number for number, start in enumerate(starts)} if wires else {}
    return [_load_citation(wire, characters) for wire in wires]


def _starts_of(text: str) -> list[int]:
    """The number of the byte at which each character of a text begins, and at which the text ends."""
    return [0, *accumulate(len(character.encode(errors="surrogatepass")) for character in text)]


_PLACES = ("start_index", "end_index")


def _load_citation(wire: Wire, characters: Mapping[int, int]) -> dict[str, Any]:
    """Load a citation; `characters` maps a byte to the character that begins there. Other positions are not read."""
    if wire.get("type") != "url_citation":
        return keep_whole(wire)
    reader = FieldReader(wire, "type")
    reader.wire = {key: value for key, value in wire.items() if key not in _PLACES}
    for key in _PLACES:
        place: Json = wire.get(key)
        if type(place) is int and place in characters:
            reader.wire[key] = characters[place]
    out = load_page(reader)
    return keep_whole(wire) if out is None else reader.keep(out, FAMILY)


def _dump_text(part: Any, path: str, at: str, d: InteractionsDump, role: str) -> Wire | None:
    says_nothing = not (part.text or part.citations)
    if says_nothing and not (d.exact or d.same_family):
        return d.refuse(path, "an empty text is left out")
    out: Wire = {"type": "text", "text": part.text}
    if part.citations is not None:
        cited = dump_citations(part.citations, part.text, path, d)
        if cited or d.exact:
            out["annotations"] = cited
    return out


def dump_citations(citations: Any, text: str, path: str, d: InteractionsDump) -> list[Wire]:
    """Dump the annotations of a text, without those that have no place."""
    starts: Sequence[int] = range(len(text) + 1) if text.isascii() else _starts_of(text)
    written: list[Wire] = []
    for i, citation in enumerate(citations):
        made = _dump_citation(citation, starts, f"{path}/citations/{i}", d)
        written += [] if made is None else [made]
    return written


def _dump_citation(citation: Any, starts: Sequence[int], path: str, d: InteractionsDump) -> Wire | None:
    if citation.type == "opaque":
        return d.own_value(citation, path, "citation")
    if citation.type != "url":
        return d.refuse(path, "citations of the Interactions API must be of web pages")
    out: Wire = {"type": "url_citation", "url": citation.url}
    if citation.title is not None:
        out["title"] = citation.title
    for key, name in zip(_PLACES, ("start", "end"), strict=True):
        place: int | None = getattr(citation, name)
        if place is not None and 0 <= place < len(starts):
            out[key] = starts[place]
        elif place is not None:
            d.drop(f"{path}/{name}", f"the `{name}` of a citation must be a place in its text")
    d.drop_named(citation, path, "cited_text")
    d.lay_provider_data(citation, out, path)
    return out


def _dump_as_text(part: Any, path: str, at: str, d: InteractionsDump, role: str) -> Wire | None:
    is_refusal = part.type == "refusal"
    text = part.refusal if is_refusal else to_json(part.value)
    if not text:
        return d.refuse(path, "an empty text is left out")
    if is_refusal:
        d.report("changed", path, at, "the Interactions API does not take a refusal: it becomes text")
    return {"type": "text", "text": text}


def _dump_opaque(part: Any, path: str, at: str, d: InteractionsDump, role: str) -> Wire | None:
    if (text := send_as_text(part, path, at, d)) is not None:
        return _dump_text(TextPart(text=text), path, at, d, role)
    media = send_as_media(part, path, at, d, "image", "audio") if role == "user" else None
    return d.own_value(part, path, "part") if media is None else _dump_media(media, path, at, d, role)


# Media

_KINDS = {"image": "image", "audio": "audio", "video": "video", "document": "file"}
_TYPES = {kind: word for word, kind in _KINDS.items()} | {"image_url": "image", "input_audio": "audio"}
_DETAILS = ("low", "high")
"""The resolutions that are also details of images in canonical form."""


def _load_media(reader: FieldReader) -> dict[str, Any] | None:
    """Load media in base64 or at a URI."""
    kind = _KINDS[reader.wire["type"]]
    data: str | None = reader.take("data", str)
    uri: str | None = None if data is not None else reader.take("uri", str)
    if data is not None:
        source: dict[str, Any] = {"type": "base64", "data": standard(data, reader)}
    elif uri:
        source = data_at(uri, reader.wire.get("mime_type"), reader) or source_at(uri)
    else:
        return None
    reader.move_typed(source, str, mime_type="media_type")
    out: dict[str, Any] = {"type": kind, "source": source}
    if kind == "image" and reader.wire.get("resolution") in _DETAILS:
        out["detail"] = reader.take("resolution")
    return out


def _dump_media(part: Any, path: str, at: str, d: InteractionsDump, role: str) -> Wire | None:
    """Dump media; None, with a report, if Google cannot reach them."""
    source = source_of(part, exact=d.exact)
    kind = _type_of(part, source, path, at, d)
    filename: str | None = getattr(part, "filename", None)
    out: Wire = {"type": kind}
    if source.type in ("text", "base64"):
        media_type, data = fit_data(part, source, filename, d)
        if not (d.exact or (media_type and data)):
            return d.refuse(path, why_not_inline(media_type))
        data_uri = uri_of(part, media_type, data, d)
        out |= {"data" if data_uri is None else "uri": data_uri or data, "mime_type": media_type}
    else:
        uri = source.url if source.type == "url" else source.file_id
        if (refusal := _refusal(source, uri, d)) is not None:
            return d.refuse(path, refusal)
        out |= {"uri": uri, "mime_type": source.media_type}
        if source.media_type is None and not d.exact:
            _add_type(out, _KINDS[kind], path, at, d)
    if out["mime_type"] is None:
        del out["mime_type"]
    _report_type(part, source, out, path, at, d)
    detail = _detail_of(part)
    has_place = detail in _DETAILS and kind != "document"
    if has_place:
        out["resolution"] = detail
    no_detail = _NOT_OF_DOCUMENTS if kind == "document" else _NO_DETAIL
    report_media(part, out.get("mime_type"), path, at, d, "" if has_place or detail is None else no_detail)
    if filename is not None and filename != invented_filename(out.get("mime_type") or ""):
        d.drop(path + "/filename", "documents of the Interactions API have no names")
    return out


def _type_of(part: Any, source: Any, path: str, at: str, d: InteractionsDump) -> str:
    kind = _TYPES[part.type]
    shown = kind if d.exact else _TYPES[kind_by_type(_KINDS[kind], source, getattr(part, "filename", None))]
    if shown != kind:
        d.report("changed", path, at, AS_ITS_KIND)
    return shown


_NOT_OF_DOCUMENTS = "documents of the Interactions API have no resolution"
_NO_DETAIL = "`detail` of an image must be `low` or `high`"


def _detail_of(part: Any) -> str | None:
    detail: str | None = getattr(part.image_url if part.type == "image_url" else part, "detail", None)
    return detail


def _refusal(source: Any, uri: str, d: InteractionsDump) -> str | None:
    """Why media at a URI are refused."""
    if source.type == "file_id":
        issuer = excerpt(source.issuer) if d.is_foreign(source.issuer) else None
        return None if issuer is None else f"only {issuer} knows the file id: send the data or a URL"
    if d.exact or uri.startswith(("http:", "https:", "gs:")):
        return None
    return "media must have a URL that begins with http:, https: or gs:, or base64 data"


def _add_type(out: Wire, kind: str, path: str, at: str, d: InteractionsDump) -> None:
    """Write the media type that the suffix of a URI names; without one, only a document gets its usual media type."""
    guessed = BY_SUFFIX.get(out["uri"].partition("?")[0].rpartition(".")[2].lower())
    if kind_of(guessed) == kind and guessed is not None:
        out["mime_type"] = guessed
    elif kind == "file":
        out["mime_type"] = USUAL[kind]
        d.report("added", path, f"{at}/mime_type", "a document must have a media type: set `media_type`")


def _report_type(part: Any, source: Any, out: Wire, path: str, at: str, d: InteractionsDump) -> None:
    """Report a media type that is sent under its usual name; for a data URI, that is reported with the URI."""
    sent = out.get("mime_type")
    if source.media_type not in (None, sent) and part.type != "image_url" and sent is not None:
        where = "/input_audio/format" if part.type == "input_audio" else "/source/media_type"
        is_shown = source.media_type in ANY_BYTES
        detail = as_shown(sent) if is_shown else f"Google's name for this media type is {excerpt(sent)}"
        d.report("changed", path + where, f"{at}/mime_type", detail)


# The tables

PART_LOADERS: Mapping[str, Callable[[FieldReader], dict[str, Any] | None]] = {
    "text": _load_text,
    **dict.fromkeys(_KINDS, _load_media),
}
"""The loader of each type of content that has a canonical form."""
_WRITERS: Mapping[str, Callable[[Any, str, str, InteractionsDump, str], Wire | None]] = {
    "text": _dump_text,
    "json": _dump_as_text,
    "refusal": _dump_as_text,
    "opaque": _dump_opaque,
    **dict.fromkeys(_TYPES, _dump_media),
}
