"""Anthropic's blocks without a canonical form that Converse has too: search results, and documents in chunks.

Their texts can be cited (botocore 1.44.5: `SearchResultBlock`, `DocumentContentBlock`; anthropic 2.11.0,
`types/search_result_block_param.py`, `types/content_block_source_param.py`). Chunks are text alone at Converse.
"""

from __future__ import annotations

from typing import Any

from ...codec.citable import ReadableText, as_text, besides, is_switch, move_document_fields, texts_of
from ...codec.fields import Wire
from ...model.base import Json
from .base import ConverseDump
from .caching import cache_point, point
from .media import fit_name, note_document


def dump_citable(part: Any, path: str, at: str, d: ConverseDump, role: str) -> Wire | list[Wire] | None:
    """Dump one of Anthropic's blocks as Converse's, with its cache point; None if Converse has none for it."""
    value: Wire = part.value
    out, others = _block(value) if role in ("user", "tool") else (None, [])
    if out is None:
        return None
    if "document" in out:
        title: Json = value.get("title")
        named = title if type(title) is str and title.strip() else None
        out["document"]["name"] = fit_name(named, None, path + "/value/title", at, d)
        note_document(path, at, d, role)
    d.places[at] = path
    d.report("changed", path, at, "Anthropic's block becomes Converse's block with the same meaning")
    mark = None if role == "tool" or part.cache_control is not None else _mark(value, path + "/value", d)
    for pointer in others:
        if mark is None or pointer != "/cache_control":
            d.drop(f"{path}/value{pointer}", d.no_place("this field", part.format))
    if part.cache_control is not None:
        mark = cache_point(part, path, d)
    return out if mark is None else [out, mark]


def readable(block: Wire) -> ReadableText | None:
    """The text of a search result, or of a document in chunks."""
    key: str = next(iter(block), "") if len(block) == 1 else ""
    if key not in _NAMES or type(block[key]) is not dict:
        return None
    path, *names = _NAMES[key]
    found = as_text(block[key], path, *names)
    return found and found._replace(others=[f"/{key}{pointer}" for pointer in found.others])


_NAMES: dict[str, tuple[Any, ...]] = {
    "searchResult": (("content",), "title", "source"),
    "document": (("source", "content"), "name", "context"),
}
"""Where a block has its texts, and the fields that say what they are."""


def _mark(value: Wire, path: str, d: ConverseDump) -> Wire | None:
    """The cache point for the mark of a block."""
    mark: Json = value.get("cache_control")
    if type(mark) is not dict or mark.get("type") != "ephemeral":
        return None
    ttl: Json = mark.get("ttl")
    return point(ttl if type(ttl) is str else None, path, d)


def _block(value: Wire) -> tuple[Wire | None, list[str]]:
    """Converse's block for one of Anthropic's, and pointers to the data that it cannot carry; None if Converse has none."""
    if value.get("type") == "search_result":
        return _search_result(value)
    source: Json = value.get("source")
    if value.get("type") == "document" and type(source) is dict and source.get("type") == "content":
        return _document(value, source)
    return None, []


def _search_result(value: Wire) -> tuple[Wire | None, list[str]]:
    """The block of a search result, and pointers to the data that it cannot carry."""
    texts, others = texts_of(value.get("content"), "/content")
    source = value.get("source")
    title = value.get("title")
    if not texts or type(source) is not str or type(title) is not str:
        return None, []
    result: Wire = {"source": source, "title": title, "content": [{"text": text} for text in texts]}
    known = ["type", *result]
    if is_switch(value.get("citations")):
        result["citations"] = value["citations"].copy()
        known.append("citations")
    return {"searchResult": result}, [*others, *besides(value, *known)]


def _document(value: Wire, source: Wire) -> tuple[Wire | None, list[str]]:
    """The block of a document in chunks, and pointers to the data that it cannot carry."""
    texts, others = texts_of(source.get("content"), "/source/content")
    if not texts:
        return None, []
    document: Wire = {"source": {"content": [{"text": text} for text in texts]}}
    rest = move_document_fields(value, document)
    others += [f"/source{pointer}" for pointer in besides(source, "type", "content")]
    return {"document": document}, [*others, *besides(rest, "type", "source", "title")]
