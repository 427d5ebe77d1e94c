"""Web search in Chat Completions, which a field of the request turns on (openai 3.52.0, `WebSearchOptions`).

OpenAI's server takes it for its search models alone ("Web search options not supported with this model"), so that a request of
another provider does not turn it on.
"""

from __future__ import annotations

from ...codec.fields import Wire
from ...codec.web_search import SearchForm, WebSearch, settings_in

OPTION = "web_search_options"
_WORDS = {"search_context_size": "context_size", "user_location": "user_location"}


def _read(options: Wire) -> WebSearch | None:
    return settings_in(options, _WORDS, "")


SEARCH = SearchForm(_read, option=OPTION)
