"""Citations: the text of a `citationsContent` block, and what it refers to."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from ...codec.fields import FieldReader, Wire, copy_wire, spelling
from ...model.base import Json
from .base import FAMILY, ConverseDump, keep_whole

_PLACE = {"start": "source_start", "end": "source_end"}
_LOCATIONS: Mapping[str, tuple[str, Mapping[str, str], type]] = {
    "web": ("url", {"url": "url"}, str),
    "documentChar": ("document", {"documentIndex": "document", **_PLACE}, int),
    "documentPage": ("document", {"documentIndex": "document", **_PLACE}, int),
    "documentChunk": ("document", {"documentIndex": "document", **_PLACE}, int),
    "searchResultLocation": ("search_result", {"searchResultIndex": "result", **_PLACE}, int),
}
"""Of each kind of location: the type of the citation, the canonical names of its fields, and the type of these."""
_UNITS = {"documentChar": "character", "documentPage": "page", "documentChunk": "block"}
_KEYS = {"url": "web", "search_result": "searchResultLocation"} | {unit: key for key, unit in _UNITS.items()}


def load_texts(holder: FieldReader, key: str, reader: FieldReader) -> str | None:
    """The texts in a list of objects `{"text": ...}` as one; `reader` records how long each is, where there are several."""
    held: Json = holder.wire.get(key)
    if type(held) is not list or not held:
        return None
    items: list[Json] = held
    texts = [item["text"] for item in items if type(item) is dict and item.keys() == {"text"} and type(item["text"]) is str]
    if len(texts) < len(held):
        return None
    holder.known.add(key)
    if len(texts) > 1:
        reader.spelling[key] = " ".join(str(len(text)) for text in texts)
    return "".join(texts)


def _dump_texts(text: str, owner: Any, key: str, d: ConverseDump) -> list[Wire]:
    spelled = spelling(owner, key) if d.same_family else None
    lengths = [int(word) for word in spelled.split() if word.isdecimal() and len(word) < 16] if spelled else []
    if sum(lengths) != len(text):
        return [{"text": text}]
    return [{"text": text[end - length : end]} for length, end in zip(lengths, accumulate(lengths), strict=True)]


def load_cited(block: FieldReader, reader: FieldReader) -> dict[str, Any] | None:
    """A text with citations; None where there is no text."""
    text = load_texts(block, "content", reader)
    if text is None:
        return None
    citations: list[Json] | None = block.take("citations", list)
    out: dict[str, Any] = {"type": "text", "text": text}
    if citations is None:
        reader.spelling["text"] = "citationsContent"
        return out
    out["citations"] = [load_citation(citation) for citation in citations if type(citation) is dict]
    return out if len(out["citations"]) == len(citations) else None


def load_citation(wire: Wire) -> dict[str, Any]:
    """A citation; one without a location of a known kind is kept whole."""
    reader = FieldReader(wire)
    location: Json = wire.get("location")
    key = next(iter(location)) if type(location) is dict and len(location) == 1 else ""
    place: Json = location[key] if type(location) is dict and key else None
    if key not in _LOCATIONS or type(place) is not dict:
        return keep_whole(wire)
    kind, names, expected = _LOCATIONS[key]
    held, out = FieldReader(place), dict[str, Any](type=kind)
    for name, field in names.items():
        if (value := held.take(name, expected)) is not None:
            out[field] = value
    if kind == "url" and "url" not in out:
        return keep_whole(wire)
    if kind == "document":
        out["unit"] = _UNITS[key]
    for name, field in (("title", "title"), *((("source", "source"),) if kind == "search_result" else ())):
        if (value := reader.take(name, str)) is not None:
            out[field] = value
    if (cited := load_texts(reader, "sourceContent", reader)) is not None:
        out["cited_text"] = cited
    reader.left("location", {})
    reader.partial[f"location/{key}"] = held.rest
    return reader.keep(out, FAMILY)


def dump_cited(part: Any, path: str, d: ConverseDump, role: str) -> Wire | None:
    """The `citationsContent` of a text part; None where it has no citation that can be sent."""
    if d.exact:
        written: list[Wire] | None = [dump_citation(each, path, d) or {} for each in part.citations or ()]
        if part.citations is None and spelling(part, "text") == "citationsContent":
            return {"content": _dump_texts(part.text, part, "content", d)}
        if part.citations is None:
            return None
        return {"content": _dump_texts(part.text, part, "content", d), "citations": written}
    if role != "assistant" and part.citations:
        d.drop(path + "/citations", "only answers cite here")
        return None
    written = []
    for i, citation in enumerate(part.citations or ()):
        if (made := dump_citation(citation, f"{path}/citations/{i}", d)) is not None:
            written.append(made)
    return {"content": _dump_texts(part.text, part, "content", d), "citations": written} if written else None


def dump_citation(citation: Any, path: str, d: ConverseDump) -> Wire | None:
    if citation.type == "opaque":
        if citation.format != FAMILY:
            d.drop(path, d.no_place("this citation", citation.format))
            return None
        opaque: Wire = copy_wire(citation.value)
        return opaque
    key = _KEYS.get((citation.unit or "") if citation.type == "document" else citation.type)
    if key is None:
        d.drop(path, "a place in a document is counted in characters, pages or blocks here")
        return None
    _, names, _ = _LOCATIONS[key]
    place = {name: value for name, field in names.items() if (value := getattr(citation, field)) is not None}
    out: Wire = {"location": {key: place}}
    if citation.title is not None:
        out["title"] = citation.title
    if citation.type == "search_result" and citation.source is not None:
        out["source"] = citation.source
    if citation.cited_text is not None:
        out["sourceContent"] = _dump_texts(citation.cited_text, citation, "sourceContent", d)
    for field in ("start", "end", "file_id"):
        if getattr(citation, field, None) is not None:
            d.drop(f"{path}/{field}", "citations here have no such field")
    if citation.provider_data is not None:
        d.lay_provider_data(citation, out, path)
    return out
