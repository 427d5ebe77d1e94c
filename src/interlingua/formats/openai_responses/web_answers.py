"""Web searches in answers of the Responses API (openai 3.52.0, `response_function_web_search.py`).

Each search is one item, which requests may have too: recorded traffic, also of servers that did not store it. The server
writes `sources` only if a request asks for them. Items of the same type also open pages and look for words in them.
"""

from __future__ import annotations

from ...codec.fields import Wire, unknown_fields, value_at
from ...codec.hosted.web_answers import Searched
from ...codec.ids import tool_name
from ...model.base import Json

_KNOWN = frozenset({"type", "id", "status", "action"})
_KNOWN_OF_ACTION = frozenset({"type", "query", "queries", "sources"})
CHANGED = "another provider's web search becomes one item of the Responses API, which has only the URLs of the results"


def read_search(item: Wire) -> Searched | None:
    """Read the web search in an item, whatever its status: hosts may end an answer while searches still run."""
    id = item.get("id")
    action: Json = item.get("action")
    is_search = item.get("type") == "web_search_call" and value_at(action, ("type",)) == "search"
    queries = _queries(action) if is_search else []
    if not queries or type(id) is not str:
        return None
    rest = unknown_fields(item, _KNOWN) + unknown_fields(action, _KNOWN_OF_ACTION, "/action")
    found: list[str] = []
    sources: Json = value_at(action, ("sources",))
    for i, source in enumerate(sources if type(sources) is list else ()):
        url: Json = value_at(source, ("url",))
        if value_at(source, ("type",)) == "url" and type(url) is str:
            found.append(url)
        else:
            rest.append(f"/action/sources/{i}")
    return Searched(id, queries, found, item.get("status") == "failed", rest)


def _queries(action: Json) -> list[str]:
    listed: Json = value_at(action, ("queries",))
    queries = [query for query in listed if type(query) is str] if type(listed) is list else []
    query = value_at(action, ("query",))
    return [query, *queries] if type(query) is str and query not in queries else queries


def write(searched: Searched) -> Wire:
    """The item of another provider's search."""
    id = tool_name("ws_" + searched.id.removeprefix("srvtoolu_").removeprefix("ws_"), 64)
    action: Wire = {"type": "search", "query": searched.queries[0], "queries": [*searched.queries]}
    if searched.found:
        action["sources"] = [{"type": "url", "url": url} for url in searched.found]
    return {"type": "web_search_call", "id": id, "status": "failed" if searched.failed else "completed", "action": action}
