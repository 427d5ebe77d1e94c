"""Tool search that Anthropic's server runs (anthropic 2.11.0, `tool_search_tool_bm25_20251119_param.py`, `tool_param.py`).

It finds tools by words (BM25) or by a regular expression; other providers search by words. The server accepts a search that
another provider made, as recorded traffic shows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...codec.fields import Wire, is_empty, value_at
from ...codec.hosted.references import KIND, References
from ...codec.hosted.tool_search import Search, ToolSearch
from ...model.base import Json
from .base import LONGEST_NAME

_NAME = "tool_search_tool_bm25"
_DEFERRAL = "defer_loading"
REFERENCES = References("tool_name", _DEFERRAL)
"""The references with which a client that searches tools itself says what it found."""
_QUERIES = {"tool_search_tool_bm25": "query", "tool_search_tool_regex": "pattern"}
"""The input field with the query, by the name of the search tool."""


def _read(tool: Wire) -> Sequence[str] | None:
    kind: Json = tool.get("type")
    if type(kind) is not str or not kind.startswith("tool_search_tool_"):
        return None
    options = {key: value for key, value in tool.items() if key not in ("type", "name") and value is not False}
    return [f"/{key}" for key, value in options.items() if not is_empty(value)]


def _read_part(block: Wire) -> Search | None:
    kind = block.get("type")
    if kind == "server_tool_use":
        return _read_call(block)
    if kind == "tool_search_tool_result":
        return _read_result(block)
    return None


def _read_call(block: Wire) -> Search | None:
    name = block.get("name")
    if type(name) is not str or name not in _QUERIES:
        return None
    id = block.get("id")
    query = value_at(block, ("input", _QUERIES[name]))
    return Search(id, [query]) if type(id) is str and type(query) is str else None


def _read_result(block: Wire) -> Search | None:
    id = block.get("tool_use_id")
    references: Json = value_at(block, ("content", "tool_references"))
    if type(id) is not str or type(references) is not list:
        return None
    names = [value_at(each, ("tool_name",)) for each in references]
    if not all(type(name) is str for name in names):
        return None
    return Search(id, found=[(None, name) for name in names])


def _id(id: str) -> str:
    return id if re.fullmatch("srvtoolu_[A-Za-z0-9_]+", id) else "srvtoolu_" + re.sub("[^A-Za-z0-9_]", "_", id)


def _write_search(id: str, queries: Sequence[str]) -> Wire:
    return {"type": "server_tool_use", "id": _id(id), "name": _NAME, "input": {"query": " ".join(queries)}}


def _write_found(id: str, tools: Sequence[tuple[str, Any]], d: Any) -> Wire:
    names = [d.tool_name(tool.name, path, LONGEST_NAME) for path, tool in tools]
    references = [{"type": KIND, REFERENCES.name: name} for name in names]
    content = {"type": "tool_search_tool_search_result", "tool_references": references}
    return {"type": "tool_search_tool_result", "tool_use_id": _id(id), "content": content}


SEARCH = ToolSearch(_read, "tool_search_tool_bm25_20251119", _DEFERRAL, _read_part, _write_search, _write_found, _NAME)
READ_ONLY = ToolSearch(_read, None, _DEFERRAL, _read_part, _write_search, _write_found)
"""Tool search for hosts that may lack it (Bedrock, Vertex AI): it is read, and not written."""
