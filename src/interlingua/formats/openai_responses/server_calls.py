"""Calls of tools that OpenAI's server ran: each is one item with its result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...codec.fields import Wire
from ...codec.foreign import report_carried
from ...codec.hosted.code_runs import UNKNOWN, CodeRun, with_code
from ...codec.hosted.mcp_calls import McpCall
from ...codec.hosted.page_fetches import PageFetch
from ...codec.hosted.server_calls import ServerCall
from ...model.base import Json
from . import code_runs, mcp_calls, page_fetches, web_answers
from .base import ItemsDump

_READERS = (web_answers.read_search, mcp_calls.read_call, code_runs.read_run, page_fetches.read_fetch)


def read_call(item: Wire) -> ServerCall | None:
    """Read the call in an item; None for any other item."""
    return next((called for read in _READERS if (called := read(item)) is not None), None)


def write_call(called: ServerCall, part: Any, path: str, at: str, d: ItemsDump) -> Wire | None:
    """Dump another provider's call as one item, in the place of its result; None for a call that awaits its result.

    The order of the parts decides what is written, so that a stream has the same items. A part may be written again.
    """
    if isinstance(called, CodeRun):
        refused = None if d.is_response else code_runs.REFUSED
        if called.asks and called.language is None:
            refused = refused or UNKNOWN
        run = with_code(called, path, d) if refused is None else None
        if run is None:
            d.refuse(path, refused or d.no_place_for(part, "part"))
            return None
        called = run
    if not called.answers:
        d.ask(path, part, called)
        return None
    form = _form_of(called)
    if not called.asks:
        asked = d.answer(part, called, path, at, form.changed)
        if asked is None:
            return None
        called = asked.answered(called)
    report_carried(part, called.rest, path, at, form.changed, called.what, d)
    return form.write(called)


class _Form(NamedTuple):
    """How a kind of call is written."""

    changed: str
    write: Callable[[Any], Wire]


def _form_of(called: ServerCall) -> _Form:
    if isinstance(called, CodeRun):
        return _Form(code_runs.CHANGED, code_runs.write)
    if isinstance(called, McpCall):
        return _Form(mcp_calls.CHANGED, mcp_calls.write)
    if isinstance(called, PageFetch):
        return _Form(page_fetches.CHANGED, page_fetches.write)
    return _Form(web_answers.CHANGED, web_answers.write)


# Streams

_STREAMED = {"mcp_call": mcp_calls, "code_interpreter_call": code_runs}
"""The modules that write the events of calls, by the type of their items."""


def begun_call(item: Wire) -> Wire | None:
    """The fields of the item of a call that has just begun; None for any other item."""
    kind: Json = item.get("type")
    return _STREAMED[kind].begun_call(item) if type(kind) is str and kind in _STREAMED else None


def events_of_call(item: Wire, where: Wire) -> list[Wire]:
    """The events between the beginning and the end of an item; `where` has the fields that say which item it is."""
    events: list[Wire] = _STREAMED[item["type"]].events_of_call(item, where)
    return events
