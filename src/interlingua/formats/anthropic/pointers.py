"""Where the fields of a canonical request are in a Messages request."""

from __future__ import annotations

from operator import itemgetter

from ...codec.fields import Wire
from ...codec.pointers import Kind, locator
from ...model.base import Json
from .citations import NAMES

_CONTENT = {"content": "part"}
_role = itemgetter("role")

locating = locator(
    {
        "request": Kind(
            names={
                "stop": "stop_sequences",
                "reasoning_budget": "thinking",
                "reasoning_effort": "output_config/effort",
                "user": "metadata/user_id",
                "parallel_tool_calls": "tool_choice/disable_parallel_tool_use",
                "response_format": ("output_config/format", "output_format"),
                "response_format/json_schema": ("output_config/format/schema", "output_format/schema"),
            },
            owners={"messages": "message", "tools": "tool"},
            lifted={"messages": "system"},
        ),
        "message": Kind(owners=_CONTENT),
        "part": Kind(names={"filename": "title", "source/text": "source/data"}, owners=_CONTENT | {"citations": "citation"}),
        "citation": Kind(names=NAMES),
        "tool": Kind(names={"parameters": "input_schema"}),
    },
)


def shape(wire: Wire) -> Wire | None:
    """How many messages follow the system text, which is the first canonical message, and whether that text is a list.

    None if the pointers of the canonical request are those of the wire: it has no text of the system, and keeps nothing whole.
    """
    messages = wire["messages"]
    system = wire.get("system")
    has_later = "system" in map(_role, messages)
    if system is None and not has_later:
        return None
    kept = [_parts(message) for message in messages] if has_later else [None] * len(messages)
    return {"messages": kept} if system is None else {"system": [] if type(system) is list else "", "messages": kept}


def _parts(message: Wire) -> Wire | None:
    """How many parts a system message has; None for any other."""
    content: Json = message.get("content")
    return {"content": [None] * len(content)} if message["role"] == "system" and type(content) is list else None
