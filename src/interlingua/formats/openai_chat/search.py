"""Web search in Chat Completions, which a field of the request turns on (openai 3.52.0, `WebSearchOptions`).

OpenAI's server accepts it only for its search models ("Web search options not supported with this model"), so a request of
another provider turns it on only if the profile allows. LiteLLM accepts it for the models of every provider that has search.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...codec.fields import Wire
from ...codec.web_search import SearchForm, WebSearch, location, settings_in
from ...model.base import Json

OPTION = "web_search_options"
_WORDS = {"search_context_size": "context_size", "user_location": "user_location"}


def _read(options: Wire) -> WebSearch | None:
    return settings_in(options, _WORDS, "")


def _write(settings: Mapping[str, Json]) -> Wire:
    out: Wire = {key: settings[word] for key, word in _WORDS.items() if word in settings}
    if "user_location" in out:
        place = location(out["user_location"])
        out["user_location"] = {"type": place.pop("type"), "approximate": place}
    return out


SEARCH = SearchForm(_read, _write, takes=frozenset(_WORDS.values()), option=OPTION)
READ_ONLY = SearchForm(_read, option=OPTION)
"""The search option of hosts and models that may refuse the field: it is read, and not written."""
