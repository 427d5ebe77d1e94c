"""Converse's blocks without a canonical form that Anthropic has too: search results, and documents in chunks.

Their texts can be cited (anthropic 2.11.0, `types/search_result_block_param.py`, `types/content_block_source_param.py`;
botocore 1.44.5: `SearchResultBlock`, `DocumentContentBlock`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ...codec.citable import ReadableText, as_text, besides, is_switch, move_document_fields, texts_of
from ...codec.fields import Wire, value_at
from ...model.base import Json
from .base import MessagesDump
from .compaction import summary

_INVENTED = re.compile(r"document( \(\d+\))?").fullmatch
"""Matches the name that a dump invents for a document without one, as Converse requires a name."""


def dump_citable(part: Any, path: str, at: str, d: MessagesDump, role: str) -> Wire | None:
    """Dump one of Converse's blocks as Anthropic's block; None, with a report, if Anthropic has none for it."""
    value: Wire = part.value
    key: str = next(iter(value), "") if len(value) == 1 else ""
    write = _WRITERS.get(key) if role in ("user", "tool") and type(value.get(key)) is dict else None
    out, others = (None, []) if write is None else write(value[key])
    if out is None:
        return d.refuse(path, d.no_place_for(part, "part"))
    d.report("changed", path, at, "Converse's block becomes Anthropic's block with the same meaning")
    for pointer in others:
        d.drop(f"{path}/value/{key}{pointer}", d.no_place("this field", part.format))
    return out


def switch_off(out: Wire, d: MessagesDump) -> None:
    """Switch off the citations of documents, which Anthropic refuses if the answer has a JSON schema."""
    for i, message in enumerate(out["messages"]):
        content: Json = message.get("content")
        block: Json
        for j, block in enumerate(content if type(content) is list else ()):
            if type(block) is dict and block.get("type") == "document" and value_at(block, ("citations", "enabled")) is True:
                del block["citations"]
                at = f"/messages/{i}/content/{j}"
                d.report("changed", d.places.get(at, ""), at, "citations are off, because the answer has a JSON schema")


def readable(block: Wire) -> ReadableText | None:
    """The text of a summary of the conversation, a search result, or a document in chunks."""
    kind: Json = block.get("type")
    if kind == "compaction":
        return summary(block)
    if kind == "search_result":
        return as_text(block, ("content",), "title", "source")
    in_chunks = kind == "document" and value_at(block, ("source", "type")) == "content"
    return as_text(block, ("source", "content"), "title", "context") if in_chunks else None


def _blocks(texts: list[str]) -> list[Wire]:
    return [{"type": "text", "text": text} for text in texts]


def _search_result(result: Wire) -> tuple[Wire | None, list[str]]:
    """The block of a search result, and pointers to the data that it cannot carry."""
    texts, others = texts_of(result.get("content"), "/content")
    source = result.get("source")
    title = result.get("title")
    if not texts or type(source) is not str or type(title) is not str:
        return None, []
    out: Wire = {"type": "search_result", "source": source, "title": title, "content": _blocks(texts)}
    known = ["source", "title", "content"]
    if is_switch(result.get("citations")):
        out["citations"] = result["citations"].copy()
        known.append("citations")
    return out, [*others, *besides(result, *known)]


def _document(document: Wire) -> tuple[Wire | None, list[str]]:
    """The block of a document in chunks, and pointers to the data that it cannot carry."""
    source: Json = document.get("source")
    chunks: Json = source.get("content") if type(source) is dict and len(source) == 1 else None
    texts, others = texts_of(chunks, "/source/content")
    if not texts:
        return None, []
    out: Wire = {"type": "document", "source": {"type": "content", "content": _blocks(texts)}}
    name: Json = document.get("name")
    if type(name) is str and not _INVENTED(name):
        out["title"] = name
    rest = move_document_fields(document, out)
    known = ("source", "name", *(("format",) if rest.get("format") == "txt" else ()))
    return out, [*others, *besides(rest, *known)]


_WRITERS: dict[str, Callable[[Wire], tuple[Wire | None, list[str]]]] = {"searchResult": _search_result, "document": _document}
"""The function that writes a block, for each key of Converse's."""
