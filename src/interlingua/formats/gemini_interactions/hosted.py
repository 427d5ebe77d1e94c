"""The tools that Google runs and that both of its APIs have (google-genai 3.6.1).

In Gemini each is a field of an object, in the Interactions API an object with a type. Web search has rules of its own.
"""

from __future__ import annotations

from ...codec.fields import Wire, copy_wire, is_empty
from ...codec.members import HostedTool
from ...errors import escape
from ..gemini.spellings import camel, snake

_SEARCH = "google_search"
_FIELDS: dict[str, frozenset[str]] = {
    "code_execution": frozenset(),
    "file_search": frozenset({"file_search_store_names", "metadata_filter", "top_k"}),
    "google_maps": frozenset({"enable_widget"}),
    _SEARCH: frozenset(),
    "url_context": frozenset(),
}
"""The fields that a tool has in both APIs, by its type."""


def from_gemini(entry: Wire) -> list[HostedTool]:
    """The tools in one of Gemini's objects; none if it has only others, or web search alone.

    Of a tool in two spellings, the first counts.
    """
    keys: dict[str, str] = {}
    for key, options in entry.items():
        if snake(key) in _FIELDS and type(options) is dict:
            keys.setdefault(snake(key), key)
    if keys.keys() <= {_SEARCH}:
        return []
    found = [_hosted(kind, entry[key], f"/{key}", {"type": kind}) for kind, key in keys.items()]
    others = [f"/{escape(key)}" for key, value in entry.items() if key not in keys.values() and value not in (None, [])]
    return [found[0]._replace(rest=[*found[0].rest, *others]), *found[1:]]


def _hosted(kind: str, options: Wire, pointer: str, made: Wire) -> HostedTool:
    known = {snake(key): copy_wire(value) for key, value in options.items() if snake(key) in _FIELDS[kind]}
    return HostedTool(pointer, made | known, _unknown(options, kind, pointer))


def _unknown(options: Wire, kind: str, pointer: str) -> list[str]:
    """Pointers to what the other API does not have."""
    left = [key for key, value in options.items() if snake(key) not in _FIELDS[kind] and not is_empty(value)]
    return [f"{pointer}/{escape(key)}" for key in left]


def for_gemini(tool: Wire) -> list[HostedTool]:
    """Gemini's object for a tool; none for a tool that it does not have, and for web search."""
    kind = tool.get("type")
    if not isinstance(kind, str) or kind not in _FIELDS or kind == _SEARCH:
        return []
    options = {key: value for key, value in tool.items() if key != "type"}
    known = {camel(key): copy_wire(value) for key, value in options.items() if key in _FIELDS[kind]}
    return [HostedTool("", {camel(kind): known}, _unknown(options, kind, ""))]
