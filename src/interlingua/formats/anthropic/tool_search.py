"""Tool search as Anthropic's server has it (anthropic 2.11.0, `tool_search_tool_bm25_20251119_param.py`, `tool_param.py`).

It finds tools by words (BM25) or by a regular expression. Words are what other providers search by.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...codec.fields import Wire, is_empty
from ...codec.tool_search import ToolSearch
from ...model.base import Json

NAME = "tool_search_tool_bm25"
_DEFERRAL = "defer_loading"


def _read(tool: Wire) -> Sequence[str] | None:
    kind: Json = tool.get("type")
    if type(kind) is not str or not kind.startswith("tool_search_tool_"):
        return None
    said = {key: value for key, value in tool.items() if key not in ("type", "name") and value is not False}
    return [f"/{key}" for key, value in said.items() if not is_empty(value)]


SEARCH = ToolSearch(_read, "tool_search_tool_bm25_20251119", _DEFERRAL, NAME)
READ_ONLY = ToolSearch(_read, None, _DEFERRAL)
"""That of hosts that may not have the tool (Bedrock, Vertex AI)."""
