"""What the fields of a canonical request are called in a Chat Completions request."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...codec.fields import Wire, copy_wire
from ...codec.pointers import Kind, pointers
from .maps import FUNCTION_FIELDS

_MARK = {"cache_control": ("prompt_cache_breakpoint", "cache_control")}

locate = pointers(
    kinds={
        "request": Kind(
            names={
                "tools": ("functions", "tools"),
                "max_tokens": ("max_completion_tokens", "max_tokens"),
                "tool_choice": ("function_call", "tool_choice"),
                "response_format/json_schema": "response_format/json_schema/schema",
                **{f"response_format/{key}": f"response_format/json_schema/{key}" for key in ("name", "description", "strict")},
            },
            owners={"messages": "message", "tools": "tool"},
        ),
        "tool": Kind(names={**{key: (key, f"function/{key}") for key in FUNCTION_FIELDS}, **_MARK}),
        "message": Kind(
            names={
                "reasoning_content": ("reasoning_content", "reasoning"),
                "thinking_blocks": ("thinking_blocks", "reasoning_details"),
                "tool_calls": ("tool_calls", "function_call"),
                **_MARK,
            },
            owners={"content": "part", "tool_calls": "call", "thinking_blocks": "block"},
        ),
        "block": Kind(names={"thinking": ("thinking", "text", "summary")}),
        "call": Kind(
            names={
                "name": ("name", "custom/name", "function/name"),
                "arguments": ("arguments", "custom/input", "function/arguments"),
            },
        ),
        "part": Kind(
            names={"source": ("file/file_data", "file/file_id"), "filename": "file/filename", **_MARK},
            owners={"image_url": "media", "input_audio": "media"},
        ),
    },
)

_MOVED = frozenset({"reasoning", "reasoning_details", "function_call"})
"""Fields of messages that hold owners which are elsewhere in canonical form."""


def owners(wire: Wire) -> Callable[[str], str] | None:
    """How pointers of owners are translated; None where they stay."""
    if "functions" not in wire and all(map(_MOVED.isdisjoint, wire["messages"])):
        return None
    return partial(locate, copy_wire(wire))
