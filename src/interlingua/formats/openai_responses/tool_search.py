"""Tool search in the Responses API (openai 3.52.0, `tool_search_tool_param.py`, `response_tool_search_output_item.py`).

The query has no schema: the server writes `paths` or `queries`. It accepts a search that another provider made, as recorded
traffic shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...codec.fields import Wire, unknown_fields, value_at
from ...codec.hosted.tool_search import Search, ToolSearch
from ...model.base import Json
from .maps import dump_tool
from .offered import offers

_BY_SERVER = (None, "server")


def _read(tool: Wire) -> Sequence[str] | None:
    if tool.get("type") != "tool_search" or tool.get("execution") not in _BY_SERVER:
        return None
    return unknown_fields(tool, ("type", "execution"))


def _read_part(item: Wire) -> Search | None:
    kind = item.get("type")
    id = item.get("call_id")
    if item.get("execution") not in _BY_SERVER or type(id) not in (str, type(None)):
        return None
    if kind == "tool_search_output":
        return Search(id, found=_found(item))
    if kind == "tool_search_call":
        queries = _queries(item)
        return Search(id, queries) if queries else None
    return None


def _found(item: Wire) -> list[tuple[str | None, str]]:
    """The functions that a search found, each with its group."""
    found: list[tuple[str | None, str]] = []
    for member in offers(item):
        name: Json = member.value.get("name")
        if member.value.get("type") == "function" and type(name) is str:
            found.append((member.namespace, name))
    return found


def _queries(item: Wire) -> list[str]:
    """What a search looks for: words, or paths of tools."""
    queries: list[str] = []
    for key in ("queries", "paths"):
        listed: Json = value_at(item, ("arguments", key))
        if type(listed) is list:
            queries += [query for query in listed if type(query) is str]
    return queries


def _item(kind: str, id: str, fields: Wire) -> Wire:
    return {"type": kind, "call_id": id, "execution": "server", "status": "completed", **fields}


def _write_search(id: str, queries: Sequence[str]) -> Wire:
    return _item("tool_search_call", id, {"arguments": {"queries": [*queries]}})


def _write_found(id: str, tools: Sequence[tuple[str, Any]], d: Any) -> Wire:
    silent = d.fork([], [])  # the tools themselves report their differences
    written = [dump_tool(tool, path, f"/tools/{i}", silent) for i, (path, tool) in enumerate(tools)]
    return _item("tool_search_output", id, {"tools": [tool for tool in written if tool is not None]})


SEARCH = ToolSearch(_read, "tool_search", "defer_loading", _read_part, _write_search, _write_found)
