"""The maps of search results and of documents in chunks, whose texts can be cited.

Claude alone cites them, and the parts are Anthropic's own blocks, which Converse has in another spelling (botocore 1.44.5:
`SearchResultBlock`, `DocumentContentBlock`; anthropic 2.11.0, `types/search_result_block_param.py`,
`types/content_block_source_param.py`). Chunks are text alone at Converse.
"""

from __future__ import annotations

from typing import Any

from ...codec.citable import besides, is_switch, move_document_fields, texts_of
from ...codec.fields import FieldReader, Wire, spelling
from ...model.base import Json
from .base import RELATIVE, ConverseDump
from .caching import cache_point, point
from .media import INVENTED, fit_name, note_document


def load_search_result(_: str, block: FieldReader) -> dict[str, Any] | None:
    """A search result as Anthropic's block; None where that could not say the same."""
    wire = block.wire
    texts, others = texts_of(wire.get("content"), "")
    if others or not texts or type(wire["content"]) is not list:
        return None
    if type(wire.get("source")) is not str or type(wire.get("title")) is not str:
        return None
    block.know("content")
    value: Wire = {"type": "search_result", "content": _blocks(texts)}
    block.move(value, "source", "title")
    if is_switch(wire.get("citations")):
        value["citations"] = block.take("citations")
    return {"type": "opaque", "format": RELATIVE, "value": value}


def load_chunks(block: FieldReader) -> dict[str, Any] | None:
    """A document in chunks as Anthropic's block; None where that could not say the same."""
    source: Wire = block.wire["source"]
    texts, others = texts_of(source["content"], "")
    if others or not texts or len(source) > 1 or type(source["content"]) is not list:
        return None
    block.know("source")
    value: Wire = {"type": "document", "source": {"type": "content", "content": _blocks(texts)}}
    if (name := block.take("name", str)) is not None and INVENTED(name):
        block.spelling["name"] = name
    elif name is not None:
        value["title"] = name
    if block.wire.get("format") == "txt":
        block.know("format")
        block.spelling["format"] = "txt"
    move_document_fields(block.wire, value)
    block.know(*(key for key in ("context", "citations") if key in value))
    return {"type": "opaque", "format": RELATIVE, "value": value}


def _blocks(texts: list[str]) -> list[Wire]:
    return [{"type": "text", "text": text} for text in texts]


def dump_chunks(part: Any, path: str, at: str, d: ConverseDump, role: str) -> Wire | list[Wire] | None:
    """The block for one of Anthropic's, with its cache point; None, and reported, if Converse has none for it."""
    value: Wire = part.value
    out, others = _block(value) if role in ("user", "tool") else (None, [])
    if out is None:
        return d.refuse(path, d.no_place_for(part, "part"))
    if "document" in out:
        _dump_frame(part, out["document"], path, at, d, role)
    d.places[at] = path
    mark = None if role == "tool" or part.cache_control is not None else _mark(value, path + "/value", d)
    for pointer in others:
        if mark is None or pointer != "/cache_control":
            d.drop(f"{path}/value{pointer}", d.no_place("this field", part.format))
    if part.provider_data is not None:
        d.lay_provider_data(part, out, path)
    if part.cache_control is not None:
        mark = cache_point(part, path, d)
    return out if mark is None else [out, mark]


def _dump_frame(part: Any, held: Wire, path: str, at: str, d: ConverseDump, role: str) -> None:
    """Write the name and the format of a document, and report that its chunks are a list."""
    title: Json = part.value.get("title")
    named = title if type(title) is str and title.strip() else None
    if d.same_family:
        if (word := spelling(part, "format")) is not None:
            held["format"] = word
        named = spelling(part, "name") if named is None else named
    if not d.same_family or (named is None and not d.exact):
        held["name"] = fit_name(named, None, path + "/value/title", at, d)
    elif named is not None:
        held["name"] = named
        d.documents[named] = d.documents.get(named, 0) + 1
    if type(part.value["source"]["content"]) is str:
        where = f"{at}/document/source/content"
        d.report("changed", path + "/value/source/content", where, "a text becomes a list of one chunk")
    if not d.exact:
        note_document(path, at, d, role)


def _mark(value: Wire, path: str, d: ConverseDump) -> Wire | None:
    """The cache point for the mark of a block."""
    mark: Json = value.get("cache_control")
    if type(mark) is not dict or mark.get("type") != "ephemeral":
        return None
    ttl: Json = mark.get("ttl")
    return point(ttl if type(ttl) is str else None, path, d)


def _block(value: Wire) -> tuple[Wire | None, list[str]]:
    """The block for one of Anthropic's, and pointers to what it does not say; None where Converse has none for it."""
    if value.get("type") == "search_result":
        return _search_result(value)
    source: Json = value.get("source")
    if value.get("type") == "document" and type(source) is dict and source.get("type") == "content":
        return _document(value, source)
    return None, []


def _search_result(value: Wire) -> tuple[Wire | None, list[str]]:
    """The block of a search result, and pointers to what it does not say."""
    content: Json = value.get("content")
    texts, others = texts_of(content, "/content")
    source, title = value.get("source"), value.get("title")
    if not texts or type(content) is not list or type(source) is not str or type(title) is not str:
        return None, []
    held: Wire = {"source": source, "title": title, "content": [{"text": text} for text in texts]}
    known = ["type", *held]
    if is_switch(value.get("citations")):
        held["citations"] = value["citations"].copy()
        known.append("citations")
    return {"searchResult": held}, [*others, *besides(value, *known)]


def _document(value: Wire, source: Wire) -> tuple[Wire | None, list[str]]:
    """The block of a document in chunks, and pointers to what it does not say."""
    texts, others = texts_of(source.get("content"), "/source/content")
    if not texts:
        return None, []
    held: Wire = {"source": {"content": [{"text": text} for text in texts]}}
    rest = move_document_fields(value, held)
    others += [f"/source{pointer}" for pointer in besides(source, "type", "content")]
    return {"document": held}, [*others, *besides(rest, "type", "source", "title")]
