"""Web search that Anthropic's server runs (anthropic 2.11.0, `web_search_tool_20250305_param.py` and later versions)."""

from __future__ import annotations

from collections.abc import Mapping

from ...codec.fields import Wire
from ...codec.web_search import SearchForm, WebSearch, settings_in
from ...model.base import Json

_VERSION = "web_search_20250305"
"""The version that all models with web search accept."""
_NAME = "web_search"
_WORDS = {word: word for word in ("allowed_domains", "blocked_domains", "user_location", "max_uses")}


def _read(tool: Wire) -> WebSearch | None:
    kind: Json = tool.get("type")
    return settings_in(tool, _WORDS, "", ("type", "name")) if type(kind) is str and kind.startswith("web_search_2") else None


def _write(settings: Mapping[str, Json]) -> Wire:
    return {"type": _VERSION, "name": _NAME, **settings}


SEARCH = SearchForm(_read, _write, takes=frozenset(_WORDS), name=_NAME)
READ_ONLY = SearchForm(_read)
"""The search tool for hosts that may lack it (Bedrock, Vertex AI): it is read, and not written."""
