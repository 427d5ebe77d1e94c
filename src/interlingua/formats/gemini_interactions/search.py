"""Google Search as a tool of the Interactions API (google-genai 3.6.1, `googlesearch.py`), and the searches in its answers.

An answer has each search as two steps: one with the queries, and one with the results, which are only HTML.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ...codec.fields import Wire, unknown_fields, value_at
from ...codec.hosted.server_tools import CODE_EXECUTION, WEB_FETCH, WEB_SEARCH, ServerTool, ToolSettings, settings_in
from ...codec.hosted.web_answers import Searched
from ...model.base import Json

_TYPE = "google_search"
_WEB = "web_search"


def _read_search(tool: Wire) -> ToolSettings | None:
    kinds: Json = tool.get("search_types")
    is_other = type(kinds) is list and bool(kinds) and _WEB not in kinds
    if tool.get("type") != _TYPE or is_other:
        return None
    known = ("type", "search_types") if kinds in (None, [], [_WEB]) else ("type",)
    return settings_in(tool, {}, "", known)


def _read(tool: Wire, kind: str) -> ToolSettings | None:
    return settings_in(tool, {}, "", ("type",)) if tool.get("type") == kind else None


def _write(_settings: Mapping[str, Json], kind: str) -> Wire:
    return {"type": kind}


SERVER_TOOLS = {
    WEB_SEARCH: ServerTool(_read_search, partial(_write, kind=_TYPE)),
    **{
        name: ServerTool(partial(_read, kind=kind), partial(_write, kind=kind))
        for name, kind in ((WEB_FETCH, "url_context"), (CODE_EXECUTION, "code_execution"))
    },
}

_CALL = "google_search_call"
_RESULT = "google_search_result"


def read_search(step: Wire) -> Searched | None:
    """Read the web search in a step; None for any other step."""
    kind: Json = step.get("type")
    id: Json = step.get("id" if kind == _CALL else "call_id")
    if kind not in (_CALL, _RESULT) or type(id) is not str or step.get("search_type", _WEB) != _WEB:
        return None
    if kind == _RESULT:
        rest = unknown_fields(step, ("type", "call_id", "is_error"))
        return Searched(id, found=(), failed=step.get("is_error") is True, rest=rest)
    given: Json = value_at(step, ("arguments", "queries"))
    queries = [query for query in given if type(query) is str] if type(given) is list else []
    rest = unknown_fields(step, ("type", "id", "search_type", "arguments"))
    rest += unknown_fields(step.get("arguments"), ("queries",), "/arguments")
    return Searched(id, queries, rest=rest) if queries else None
