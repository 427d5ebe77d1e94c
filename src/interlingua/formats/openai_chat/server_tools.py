"""Web search in Chat Completions, which a field of the request or a tool of the host turns on, and OpenRouter's web fetch.

The field is OpenAI's (openai 3.52.0, `WebSearchOptions`). Its server accepts it only for its search models ("Web search options
not supported with this model"), so a request of another provider turns it on only if the profile allows. LiteLLM accepts it for
the models of every provider that has search. The tools are OpenRouter's (its reference, `WebSearchServerToolConfig` and
`WebFetchServerToolConfig`), which any model there may use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from ...codec.fields import Wire
from ...codec.hosted.server_tools import WEB_FETCH, WEB_SEARCH, ServerTool, ToolSettings, location, settings_in
from ...model.base import Json

FIELD = "web_search_options"
_WORDS = {"search_context_size": "context_size", "user_location": "user_location"}
_SEARCH = "openrouter:web_search"
_SEARCH_WORDS = {**_WORDS, "allowed_domains": "allowed_domains", "excluded_domains": "blocked_domains", "max_uses": "max_uses"}
_FETCH = "openrouter:web_fetch"
_FETCH_WORDS = {word: word for word in ("allowed_domains", "blocked_domains", "max_uses", "max_content_tokens")}


def _read_option(options: Wire) -> ToolSettings | None:
    return settings_in(options, _WORDS, "")


def _write_option(settings: Mapping[str, Json]) -> Wire:
    out = _written(settings, _WORDS)
    if "user_location" in out:
        place = location(out["user_location"])
        out["user_location"] = {"type": place.pop("type"), "approximate": place}
    return out


def _read_tool(tool: Wire, kind: str, words: Mapping[str, str]) -> ToolSettings | None:
    if tool.get("type") != kind:
        return None
    parameters: Json = tool.get("parameters")
    beside = settings_in(tool, {}, "", ("type", "parameters") if type(parameters) is dict else ("type",)).rest
    return settings_in(parameters, words, "/parameters")._replace(beside=beside)


def _write_tool(settings: Mapping[str, Json], kind: str, words: Mapping[str, str]) -> Wire:
    parameters = _written(settings, words)
    return {"type": kind, "parameters": parameters} if parameters else {"type": kind}


def _written(settings: Mapping[str, Json], words: Mapping[str, str]) -> Wire:
    return {key: settings[word] for key, word in words.items() if word in settings}


_search_only = ServerTool(partial(_read_tool, kind=_SEARCH, words=_SEARCH_WORDS), option=FIELD, read_option=_read_option)
_fetch_only = ServerTool(partial(_read_tool, kind=_FETCH, words=_FETCH_WORDS))
_option = replace(_search_only, write=_write_option, takes=frozenset(_WORDS.values()), in_option=True)
_search = partial(_write_tool, kind=_SEARCH, words=_SEARCH_WORDS)
_fetch = partial(_write_tool, kind=_FETCH, words=_FETCH_WORDS)

READ_ONLY = {WEB_SEARCH: _search_only, WEB_FETCH: _fetch_only}
"""The tools of hosts and models that may refuse them: they are read, and not written."""
OPTION = {WEB_SEARCH: _option, WEB_FETCH: _fetch_only}
TOOLS = {
    WEB_SEARCH: replace(_search_only, write=_search, takes=frozenset(_SEARCH_WORDS.values())),
    WEB_FETCH: replace(_fetch_only, write=_fetch, takes=frozenset(_FETCH_WORDS.values())),
}
