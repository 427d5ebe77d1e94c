"""What the fields of a canonical request are called in a Messages request."""

from __future__ import annotations

from ...codec.fields import Wire
from ...codec.pointers import Kind, pointers

_CONTENT = {"content": "part"}

locate = pointers(
    system="system",
    kinds={
        "request": Kind(
            names={
                "stop": "stop_sequences",
                "reasoning_budget": "thinking",
                "reasoning_effort": "output_config/effort",
                "user": "metadata/user_id",
                "parallel_tool_calls": "tool_choice/disable_parallel_tool_use",
                "response_format": "output_config/format",
                "response_format/json_schema": "output_config/format/schema",
            },
            owners={"messages": "message", "tools": "tool"},
        ),
        "message": Kind(owners=_CONTENT),
        "part": Kind(names={"filename": "title", "source/text": "source/data"}, owners=_CONTENT),
        "tool": Kind(names={"parameters": "input_schema"}),
    },
)


def owners_stay(wire: Wire) -> bool:
    """Whether every owner has the same pointer in the wire request and in its canonical form."""
    return wire.get("system") is None
