"""Tools that Google runs for Gemini and that others have, too (google-genai 3.4.0, `types.Tool`).

Models before Gemini 3 refuse them beside functions (the rule `native_and_function_tools`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ...codec.fields import Wire
from ...codec.hosted.server_tools import CODE_EXECUTION, WEB_FETCH, WEB_SEARCH, ServerTool, ToolSettings, settings_in
from ...errors import escape
from ...model.base import Json

_FIELDS = {
    WEB_SEARCH: ("googleSearch", "google_search"),
    WEB_FETCH: ("urlContext", "url_context"),
    CODE_EXECUTION: ("codeExecution", "code_execution"),
}
"""The field of each tool, in both spellings. One object may have several of them."""
_KINDS = {field: kind for kind, fields in _FIELDS.items() for field in fields}
_WORDS = {"excludeDomains": "blocked_domains", "exclude_domains": "blocked_domains"}


def _reader(kind: str) -> Callable[[Wire], ToolSettings | None]:
    def read(tool: Wire) -> ToolSettings | None:
        fields: dict[str, str] = {}  # of a tool in two spellings, the first counts
        for field, value in tool.items():
            if field in _KINDS and type(value) is dict:
                fields.setdefault(_KINDS[field], field)
        key = fields.get(kind)
        if key is None:
            return None
        found = settings_in(tool[key], _WORDS if kind == WEB_SEARCH else {}, f"/{key}")
        others = [f"/{escape(field)}" for field in tool if field not in fields.values() and tool[field] is not None]
        return ToolSettings(found.settings, found.rest, f"/{key}", others)

    return read


def _writer(kind: str) -> Callable[[Mapping[str, Json]], Wire]:
    def write(_settings: Mapping[str, Json]) -> Wire:
        return {_FIELDS[kind][0]: {}}

    return write


MIXED = {kind: ServerTool(_reader(kind), _writer(kind)) for kind in _FIELDS}
"""The tools of models that accept them beside functions."""
_ALONE = "models before Gemini 3 refuse this tool beside functions; to send it, use `GeminiProfile(mixed_tools=True)`"
SERVER_TOOLS = {kind: replace(tool, alone=_ALONE) for kind, tool in MIXED.items()}
