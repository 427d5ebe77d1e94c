"""Tools that Anthropic's server runs and that others have, too (anthropic 2.11.0, `types/*_tool_2*_param.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...codec.fields import Wire
from ...codec.hosted.server_tools import CODE_EXECUTION, WEB_FETCH, WEB_SEARCH, ServerTool, ToolSettings, settings_in
from ...model.base import Json

_LIMITS = ("allowed_domains", "blocked_domains", "max_uses")


def _reader(name: str, words: tuple[str, ...]) -> Callable[[Wire], ToolSettings | None]:
    """Reads a tool in any version, which is the date at the end of its type."""

    def read(tool: Wire) -> ToolSettings | None:
        kind: Json = tool.get("type")
        is_kind = type(kind) is str and kind.startswith(f"{name}_2")
        return settings_in(tool, {word: word for word in words}, "", ("type", "name")) if is_kind else None

    return read


def _tool(version: str, *words: str) -> ServerTool:
    """The tool in the version that all models with this tool accept."""
    name = version.rpartition("_")[0]

    def write(settings: Mapping[str, Json]) -> Wire:
        return {"type": version, "name": name, **settings}

    return ServerTool(_reader(name, words), write, takes=frozenset(words), name=name)


SERVER_TOOLS = {
    WEB_SEARCH: _tool("web_search_20250305", *_LIMITS, "user_location"),
    WEB_FETCH: _tool("web_fetch_20250910", *_LIMITS, "max_content_tokens"),
    CODE_EXECUTION: _tool("code_execution_20250825"),
}
READ_ONLY = {kind: ServerTool(tool.read) for kind, tool in SERVER_TOOLS.items()}
"""The tools of hosts that may lack them (Bedrock, Vertex AI): they are read, and not written."""
