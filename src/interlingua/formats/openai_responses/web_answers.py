"""Searches of the web in answers of the Responses API (openai 3.52.0, `response_function_web_search.py`).

The server writes `sources` only where a request asks for them.
"""

from __future__ import annotations

from ...codec.fields import Wire, is_empty, value_at
from ...codec.web_answers import AnswerForm, Searched
from ...errors import escape
from ...model.base import Json

_KNOWN = frozenset({"type", "id", "status", "action"})
_ENDED = {"completed": False, "failed": True}
"""Whether the search failed, by its status; others say that it has not ended."""


def _read(item: Wire) -> Searched | None:
    id, status, action = item.get("id"), item.get("status"), item.get("action")
    is_search = item.get("type") == "web_search_call" and value_at(action, ("type",)) == "search"
    if not is_search or type(id) is not str or type(status) is not str or status not in _ENDED:
        return None
    queries = _queries(action)
    sources: Json = value_at(action, ("sources",))
    found: list[tuple[str, str | None]] = []
    rest = [f"/{escape(key)}" for key, value in item.items() if key not in _KNOWN and not is_empty(value)]
    for i, source in enumerate(sources if type(sources) is list else ()):
        url = value_at(source, ("url",))
        if value_at(source, ("type",)) == "url" and type(url) is str:
            found.append((url, None))
        else:
            rest.append(f"/action/sources/{i}")
    return Searched(id, queries, found, _ENDED[status], rest) if queries else None


def _queries(action: Json) -> list[str]:
    held: Json = value_at(action, ("queries",))
    queries = [query for query in held if type(query) is str] if type(held) is list else []
    query = value_at(action, ("query",))
    return [query, *queries] if type(query) is str and query not in queries else queries


def _write(search: Searched) -> list[Wire]:
    id = "ws_" + search.id.removeprefix("srvtoolu_").removeprefix("ws_")
    sources = [{"type": "url", "url": url} for url, _ in search.found or ()]
    action = {"type": "search", "query": " ".join(search.queries[:1]), "queries": [*search.queries], "sources": sources}
    return [{"type": "web_search_call", "id": id, "status": "failed" if search.failed else "completed", "action": action}]


WEB_ANSWERS = AnswerForm(_read, _write, "titles, ages and encrypted content of results")
