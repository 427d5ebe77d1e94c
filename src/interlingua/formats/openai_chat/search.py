"""Web search in Chat Completions, which a field of the request or a tool of the host turns on.

The field is OpenAI's (openai 3.52.0, `WebSearchOptions`). Its server accepts it only for its search models ("Web search options
not supported with this model"), so a request of another provider turns it on only if the profile allows. LiteLLM accepts it for
the models of every provider that has search. The tool is OpenRouter's (its reference, `WebSearchServerToolConfig`), which any
model there may use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...codec.fields import Wire
from ...codec.web_search import SearchForm, WebSearch, location, settings_in
from ...model.base import Json

FIELD = "web_search_options"
_WORDS = {"search_context_size": "context_size", "user_location": "user_location"}
_TOOL = "openrouter:web_search"
_TOOL_WORDS = _WORDS | {"allowed_domains": "allowed_domains", "excluded_domains": "blocked_domains", "max_uses": "max_uses"}


def _read_option(options: Wire) -> WebSearch | None:
    return settings_in(options, _WORDS, "")


def _read_tool(tool: Wire) -> WebSearch | None:
    return settings_in(tool.get("parameters"), _TOOL_WORDS, "/parameters") if tool.get("type") == _TOOL else None


def _write_option(settings: Mapping[str, Json]) -> Wire:
    out = _written(settings, _WORDS)
    if "user_location" in out:
        place = location(out["user_location"])
        out["user_location"] = {"type": place.pop("type"), "approximate": place}
    return out


def _write_tool(settings: Mapping[str, Json]) -> Wire:
    parameters = _written(settings, _TOOL_WORDS)
    return {"type": _TOOL, "parameters": parameters} if parameters else {"type": _TOOL}


def _written(settings: Mapping[str, Json], words: Mapping[str, str]) -> Wire:
    return {key: settings[word] for key, word in words.items() if word in settings}


READ_ONLY = SearchForm(_read_tool, option=FIELD, read_option=_read_option)
"""The search of hosts and models that may refuse it: it is read, and not written."""
OPTION = replace(READ_ONLY, write=_write_option, takes=frozenset(_WORDS.values()), in_option=True)
TOOL = replace(READ_ONLY, write=_write_tool, takes=frozenset(_TOOL_WORDS.values()))
