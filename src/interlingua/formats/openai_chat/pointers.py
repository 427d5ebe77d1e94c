"""What the fields of a canonical request are called in a Chat Completions request."""

from __future__ import annotations

from ...codec.fields import Wire
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
        "tool": Kind(names={key: (key, f"function/{key}") for key in FUNCTION_FIELDS}),
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


def owners_stay(wire: Wire) -> bool:
    """Whether every owner has the same pointer in the wire request and in its canonical form."""
    if "functions" in wire:
        return False
    for message in wire["messages"]:
        if "reasoning" in message or "reasoning_details" in message or "function_call" in message:
            return False
    return True
