"""Web searches in Gemini's answers (google-genai 3.4.0, `types.ToolCall`, `types.ToolResponse`).

Gemini 3 has each as two parts where the request asks for them (`includeServerSideToolInvocations`); what was found comes as
HTML alone, for the client to show. Without them only `groundingMetadata` names the queries, in the last chunk of a stream.
"""

from __future__ import annotations

from ...codec.fields import Wire, unknown_fields
from ...codec.hosted.web_answers import Searched
from ...model.base import Json
from .base import list_in, object_in, value_of

_KIND = "GOOGLE_SEARCH_WEB"
_CALL = ("toolCall", "tool_call")
_RESPONSE = ("toolResponse", "tool_response")
_KNOWN = frozenset({"id", "toolType", "tool_type", "args"})


def read_search(part: Wire) -> Searched | None:
    """Read the web search in a part; None for any other part."""
    key = next((name for name in (*_CALL, *_RESPONSE) if type(part.get(name)) is dict), None)
    content: Json = None if key is None else part[key]
    id = value_of(content, "id")
    if key is None or value_of(content, "toolType") != _KIND or type(id) is not str:
        return None
    rest = unknown_fields(part, {key}) + unknown_fields(content, _KNOWN, f"/{key}")
    if key in _RESPONSE:
        return Searched(id, found=(), rest=rest)
    args = object_in(content, "args")
    queries = [query for query in list_in(args, "queries") if type(query) is str]
    return Searched(id, queries, rest=rest + unknown_fields(args, {"queries"}, f"/{key}/args")) if queries else None
