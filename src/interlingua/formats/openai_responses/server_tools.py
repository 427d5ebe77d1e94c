"""Tools that OpenAI's server runs and that others have, too (openai 3.52.0).

Web search is in `web_search_tool_param.py` and `web_search_preview_tool_param.py`, code execution in `tool_param.py`
(`CodeInterpreter`, whose `container` is required).
"""

from __future__ import annotations

from collections.abc import Mapping

from ...codec.fields import Wire, value_at
from ...codec.hosted.server_tools import CODE_EXECUTION, WEB_SEARCH, ServerTool, ToolSettings, settings_in
from ...model.base import Json

_TYPES = frozenset({"web_search", "web_search_2025_08_26", "web_search_preview", "web_search_preview_2025_03_11"})
_WORDS = {"user_location": "user_location", "search_context_size": "context_size"}
_FILTERS = {"allowed_domains": "allowed_domains", "blocked_domains": "blocked_domains"}


def _read_search(tool: Wire) -> ToolSettings | None:
    kind: Json = tool.get("type")
    if type(kind) is not str or kind not in _TYPES:
        return None
    found = settings_in(tool, _WORDS, "", ("type", "filters", "external_web_access"))
    inside = settings_in(tool.get("filters"), _FILTERS, "/filters")
    offline = ["/external_web_access"] if tool.get("external_web_access") is False else []
    return ToolSettings({**found.settings, **inside.settings}, [*found.rest, *inside.rest, *offline])


def _write_search(settings: Mapping[str, Json]) -> Wire:
    out: Wire = {"type": "web_search"}
    if "allowed_domains" in settings:
        out["filters"] = {"allowed_domains": settings["allowed_domains"]}
    return out | {key: settings[word] for key, word in _WORDS.items() if word in settings}


_CODE = "code_interpreter"
_NEW_CONTAINER = {"type": "auto"}


def _read_code(tool: Wire) -> ToolSettings | None:
    """Read a code interpreter; its files, and a container that exists already, are known only to OpenAI."""
    if tool.get("type") != _CODE:
        return None
    is_new = value_at(tool, ("container", "type")) == _NEW_CONTAINER["type"]
    if not is_new:
        return settings_in(tool, {}, "", ("type",))
    container = settings_in(tool["container"], {}, "/container", ("type",)).rest
    return ToolSettings({}, [*settings_in(tool, {}, "", ("type", "container")).rest, *container])


def _write_code(_settings: Mapping[str, Json]) -> Wire:
    return {"type": _CODE, "container": dict(_NEW_CONTAINER)}


SERVER_TOOLS = {
    WEB_SEARCH: ServerTool(_read_search, _write_search, takes=frozenset({"allowed_domains", "user_location", "context_size"})),
    CODE_EXECUTION: ServerTool(_read_code, _write_code),
}
