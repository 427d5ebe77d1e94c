"""Where the fields of a canonical request are in a Messages request."""

from __future__ import annotations

from ...codec.fields import Wire
from ...codec.pointers import Kind, locator
from .citations import NAMES

_CONTENT = {"content": "part"}

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

    None if the pointers of the canonical request are those of the wire: it has no system text, and keeps no message whole.
    """
    messages = wire["messages"]
    system = wire.get("system")
    if system is not None:
        return {"system": [] if type(system) is list else "", "messages": [None] * len(messages)}
    return {"messages": [None] * len(messages)} if any(message["role"] == "system" for message in messages) else None
