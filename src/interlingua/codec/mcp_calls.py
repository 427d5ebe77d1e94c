"""Calls that the provider's server itself made to the tools of MCP servers, and the results of these calls.

Some providers have one item for both, others one block for the call and another for its result. `d` is the `Dump`, which this
module cannot import.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..model.base import Json
from .fields import unknown_fields, value_at
from .foreign import other_format

WHAT = "an MCP call"
"""The name of a call in losses."""


class McpCall(NamedTuple):
    """A call, its result, or both."""

    id: str
    """The id of both."""
    server: str = ""
    """The name of the MCP server."""
    name: str | None = None
    """The name of the tool; None for the part with the result."""
    arguments: Json = None
    """The arguments, as JSON text or as an object."""
    output: Sequence[str] | None = None
    """The texts of the result, none of which is empty; None for the part with the call."""
    failed: bool = False
    """Whether the call failed."""
    rest: Sequence[str] = ()
    """Pointers to the fields that other providers' calls do not have."""


def foreign_call(part: Any, d: Any) -> McpCall | None:
    """The MCP call in an opaque part of another family; None for any other part."""
    source = other_format(part, d)
    called: McpCall | None = None if source is None or source.mcp is None else source.mcp.forms().call(part.value)
    return called


def texts_in(content: Json, pointer: str) -> tuple[list[str], list[str]]:
    """The texts in the content of a result, and pointers to whatever else is in it."""
    if type(content) is str:
        return ([content] if content else []), []
    texts: list[str] = []
    rest: list[str] = []
    parts: list[Json] = content if type(content) is list else []
    for i, part in enumerate(parts):
        text: Json = value_at(part, ("text",)) if value_at(part, ("type",)) == "text" else None
        if type(text) is not str:
            rest.append(f"{pointer}/{i}")
            continue
        texts += [text] if text else []
        rest += unknown_fields(part, ("type", "text"), f"{pointer}/{i}")
    if content is not None and type(content) is not list:
        rest.append(pointer)
    return texts, rest
