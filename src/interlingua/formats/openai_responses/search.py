"""Web search in the Responses API (openai 3.52.0, `web_search_tool_param.py`, `web_search_preview_tool_param.py`)."""

from __future__ import annotations

from collections.abc import Mapping

from ...codec.fields import Wire
from ...codec.web_search import SearchForm, WebSearch, settings_in
from ...model.base import Json

_TYPES = frozenset({"web_search", "web_search_2025_08_26", "web_search_preview", "web_search_preview_2025_03_11"})
_WORDS = {"user_location": "user_location", "search_context_size": "context_size"}
_FILTERS = {"allowed_domains": "allowed_domains", "blocked_domains": "blocked_domains"}


def _read(tool: Wire) -> WebSearch | None:
    kind: Json = tool.get("type")
    if type(kind) is not str or kind not in _TYPES:
        return None
    found = settings_in(tool, _WORDS, "", ("type", "filters", "external_web_access"))
    inside = settings_in(tool.get("filters"), _FILTERS, "/filters")
    offline = ["/external_web_access"] if tool.get("external_web_access") is False else []
    return WebSearch({**found.settings, **inside.settings}, [*found.rest, *inside.rest, *offline])


def _write(settings: Mapping[str, Json]) -> Wire:
    out: Wire = {"type": "web_search"}
    if "allowed_domains" in settings:
        out["filters"] = {"allowed_domains": settings["allowed_domains"]}
    return out | {key: settings[word] for key, word in _WORDS.items() if word in settings}


SEARCH = SearchForm(_read, _write, takes=frozenset({"allowed_domains", "user_location", "context_size"}))
