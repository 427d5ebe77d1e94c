"""Calls of tools that a provider's server ran: a web search or fetch, an MCP call or code, and its result.

Some providers have one item for both, others one block for the call and another for its result. `d` is the `Dump`, which this
module cannot import.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from ..foreign import other_format
from .code_runs import CodeRun
from .mcp_calls import McpCall
from .page_fetches import PageFetch
from .web_answers import Searched

ServerCall: TypeAlias = CodeRun | McpCall | PageFetch | Searched
"""A call, its result, or both."""


def foreign_call(part: Any, d: Any) -> ServerCall | None:
    """The call in an opaque part of another family; None for any other part."""
    source = other_format(part, d)
    called: ServerCall | None = None if source is None or source.ran is None else source.ran(part.value)
    return called
