"""Calls of tools that Google's server ran: each is a step, and its result another step."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire
from ...codec.foreign import report_carried
from ...codec.hosted.code_runs import CodeRun, with_code
from ...codec.hosted.page_fetches import PageFetch
from ...codec.hosted.server_calls import ServerCall
from . import code_runs, mcp_calls, page_fetches, search
from .base import InteractionsDump

_READERS = (search.read_search, mcp_calls.read_call, code_runs.read_run, page_fetches.read_fetch)


def read_call(step: Wire) -> ServerCall | None:
    """Read the call, or the result of one, in a step; None for any other step."""
    return next((called for read in _READERS if (called := read(step)) is not None), None)


def write_call(called: CodeRun | PageFetch, part: Any, path: str, at: str, d: InteractionsDump) -> list[Wire]:
    """The two steps, or one, of another provider's call; none, with a report, if they have no place."""
    form = code_runs if isinstance(called, CodeRun) else page_fetches
    if not d.is_response:
        d.refuse(path, form.REFUSED)
        return []
    run = with_code(called, path, d) if isinstance(called, CodeRun) else called
    if run is None:
        d.refuse(path, d.no_place_for(part, "part"))
        return []
    report_carried(part, run.rest, path, at, form.CHANGED, run.what, d)
    return code_runs.write(run) if isinstance(run, CodeRun) else page_fetches.write(run)
