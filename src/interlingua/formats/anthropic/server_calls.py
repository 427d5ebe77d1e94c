"""Calls of tools that Anthropic's server ran: each is a block, and its result another block of the same answer."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire
from ...codec.foreign import report_carried
from ...codec.hosted.code_runs import CodeRun, with_code
from ...codec.hosted.mcp_calls import McpCall
from ...codec.hosted.page_fetches import PageFetch
from ...codec.hosted.server_calls import ServerCall
from . import code_runs, mcp_calls, page_fetches, web_answers
from .base import MessagesDump

_READERS = (web_answers.read_search, mcp_calls.read_call, code_runs.read_run, page_fetches.read_fetch)


def read_call(block: Wire) -> ServerCall | None:
    """Read the call, or the result of one, in a block; None for any other block."""
    return next((called for read in _READERS if (called := read(block)) is not None), None)


def write_call(called: ServerCall, part: Any, path: str, at: str, d: MessagesDump) -> list[Wire] | None:
    """The two blocks, or one, of another provider's call; None, with a report, if they have no place."""
    if isinstance(called, PageFetch):
        d.refuse(path, page_fetches.REFUSED)
        return None
    if isinstance(called, CodeRun):
        run = with_code(called, path, d) if (refused := code_runs.refusal(called, part, d)) is None else None
        changed, blocks = code_runs.CHANGED, [] if run is None else code_runs.write(run)
        refused = refused or (d.no_place_for(part, "part") if run is None else None)
    elif isinstance(called, McpCall):
        refused = mcp_calls.refusal(part, d)
        changed, blocks = mcp_calls.CHANGED, [] if refused is not None else mcp_calls.write(called, path, at, d)
    else:
        refused = web_answers.refusal(part, d)
        changed, blocks = web_answers.CHANGED, web_answers.write(called)
    if refused is not None:
        d.refuse(path, refused)
        return None
    report_carried(part, called.rest, path, at, changed, called.what, d)
    under, _, number = at.rpartition("/")
    d.places[at] = path
    for i in range(1, len(blocks)):
        second = f"{under}/{int(number) + i}"
        d.places[second] = path
        d.report("added", path, second, f"the result of {called.what} is a separate block")
    return blocks
