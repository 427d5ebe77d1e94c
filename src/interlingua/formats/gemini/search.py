"""Google Search as a tool of Gemini (google-genai 3.4.0, `types.GoogleSearch`).

Models before Gemini 3 refuse it beside functions (the rule `native_and_function_tools`).
"""

from __future__ import annotations

from collections.abc import Mapping

from ...codec.fields import Wire
from ...codec.web_search import SearchForm, WebSearch, settings_in
from ...model.base import Json

_NAMES = ("googleSearch", "google_search")
_WORDS = {"excludeDomains": "blocked_domains", "exclude_domains": "blocked_domains"}


def _read(tool: Wire) -> WebSearch | None:
    key = next((name for name in _NAMES if type(tool.get(name)) is dict), None)
    if key is None:
        return None
    found = settings_in(tool[key], _WORDS, f"/{key}")
    return WebSearch(found.settings, [*found.rest, *(f"/{other}" for other in tool if other not in _NAMES)])


def _write(_settings: Mapping[str, Json]) -> Wire:
    return {"googleSearch": {}}


SEARCH = SearchForm(
    _read,
    _write,
    alone="models before Gemini 3 refuse this tool beside functions; to send it, use `GeminiProfile(mixed_tools=True)`",
)
MIXED = SearchForm(_read, _write)
"""The web search of models that accept it beside functions."""
