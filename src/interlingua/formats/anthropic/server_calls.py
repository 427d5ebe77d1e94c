"""Calls of tools that Anthropic's server ran: each is a block, and its result another block of the same answer."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire
from ...codec.foreign import report_carried
from ...codec.mcp_calls import McpCall
from ...codec.server_calls import ServerCall
from . import mcp_calls, web_answers
from .base import MessagesDump


def read_call(block: Wire) -> ServerCall | None:
    """Read the call, or the result of one, in a block; None for any other block."""
    return web_answers.read_search(block) or mcp_calls.read_call(block)


def write_call(called: ServerCall, part: Any, path: str, at: str, d: MessagesDump) -> list[Wire] | None:
    """The two blocks, or one, of another provider's call; None, with a report, if they have no place."""
    form = mcp_calls if isinstance(called, McpCall) else web_answers
    if (refused := form.refusal(part, d)) is not None:
        d.refuse(path, refused)
        return None
    report_carried(part, called.rest, path, at, form.CHANGED, called.what, d)
    blocks = mcp_calls.write(called, path, at, d) if isinstance(called, McpCall) else web_answers.write(called)
    under, _, number = at.rpartition("/")
    d.places[at] = path
    for i in range(1, len(blocks)):
        second = f"{under}/{int(number) + i}"
        d.places[second] = path
        d.report("added", path, second, f"the result of {called.what} is a separate block")
    return blocks
