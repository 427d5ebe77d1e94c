"""Calls of tools that OpenAI's server ran: each is one item with its result."""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire
from ...codec.foreign import report_carried
from ...codec.mcp_calls import McpCall
from ...codec.server_calls import ServerCall
from . import mcp_calls, web_answers
from .base import ItemsDump


def read_call(item: Wire) -> ServerCall | None:
    """Read the call in an item; None for any other item."""
    return web_answers.read_search(item) or mcp_calls.read_call(item)


def write_call(called: ServerCall, part: Any, path: str, at: str, d: ItemsDump) -> Wire | None:
    """Dump another provider's call as one item, in the place of its result; None for a call that awaits its result.

    The order of the parts decides what is written, so that a stream has the same items. A part may be written again.
    """
    if not called.answers:
        d.ask(path, part, called)
        return None
    changed = mcp_calls.CHANGED if isinstance(called, McpCall) else web_answers.CHANGED
    if not called.asks:
        asked = d.answer(part, called, path, at, changed)
        if asked is None:
            return None
        called = asked.answered(called)
    report_carried(part, called.rest, path, at, changed, called.what, d)
    return mcp_calls.write(called) if isinstance(called, McpCall) else web_answers.write(called)


# Streams


def begun_call(item: Wire) -> Wire | None:
    """The fields of the item of a call that has just begun; None for any other item."""
    return mcp_calls.begun_call(item) if item.get("type") == "mcp_call" else None


def events_of_call(item: Wire, where: Wire) -> list[Wire]:
    """The events between the beginning and the end of an item; `where` has the fields that say which item it is."""
    return mcp_calls.events_of_call(item, where)
