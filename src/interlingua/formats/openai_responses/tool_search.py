"""Tool search in the Responses API (openai 3.52.0, `tool_search_tool_param.py`, `function_tool_param.py`)."""

from __future__ import annotations

from collections.abc import Sequence

from ...codec.fields import Wire, is_empty
from ...codec.tool_search import ToolSearch


def _read(tool: Wire) -> Sequence[str] | None:
    if tool.get("type") != "tool_search" or tool.get("execution") not in (None, "server"):
        return None
    return [f"/{key}" for key, value in tool.items() if key not in ("type", "execution") and not is_empty(value)]


SEARCH = ToolSearch(_read, "tool_search", "defer_loading")
