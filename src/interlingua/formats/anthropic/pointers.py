"""What the fields of a canonical request are called in a Messages request."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...codec.fields import Wire
from ...codec.pointers import Kind, pointers
from .citations import NAMES

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
        "part": Kind(names={"filename": "title", "source/text": "source/data"}, owners=_CONTENT | {"citations": "citation"}),
        "citation": Kind(names=NAMES),
        "tool": Kind(names={"parameters": "input_schema"}),
    },
)


def owners(wire: Wire) -> Callable[[str], str] | None:
    """How pointers of owners are translated; None where they stay."""
    system = wire.get("system")
    return None if system is None else partial(_behind_system, type(system) is list)


def _behind_system(is_list: bool, pointer: str) -> str:
    """The pointer of an owner in a request whose system text is the first canonical message."""
    field, _, rest = pointer[1:].partition("/")
    if field != "messages":
        return pointer
    index, _, inside = rest.partition("/")
    if index == "0":
        return "/system" + (inside.removeprefix("content") if is_list else "")
    return f"/messages/{int(index) - 1}" + (f"/{inside}" if inside else "")
