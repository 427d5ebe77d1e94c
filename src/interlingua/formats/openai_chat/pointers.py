"""Where a wire request holds what a pointer into its canonical form points at."""

from __future__ import annotations

from ...format import Wire, join, wire_names
from .assistant import DETAIL_FIELDS
from .maps import FUNCTION_FIELDS

# Pointers


def owners_stay(wire: Wire) -> bool:
    """Whether every owner has the same pointer in the wire request and in its canonical form."""
    if "functions" in wire:
        return False
    for message in wire["messages"]:
        if "reasoning" in message or "reasoning_details" in message or "function_call" in message:
            return False
    return True


def locate(wire: Wire, pointer: str) -> str:
    """Where the wire request holds what a pointer into its canonical form points at."""
    tokens = pointer.split("/")[1:]
    if not tokens:
        return ""
    head = tokens[0]
    if head == "messages" and len(tokens) > 2 and tokens[1].isdigit():
        return f"/messages/{tokens[1]}" + _locate_in_message(wire["messages"][int(tokens[1])], tokens[2:])
    if head == "tools":
        legacy = wire.get("tools") is None and "functions" in wire
        return ("/functions" if legacy else "/tools") + _locate_in_tool(tokens[1:], legacy=legacy)
    if head == "provider_data":
        return join(wire_names(tokens[2:]))
    if head == "max_tokens":
        return "/max_tokens" if wire.get("max_completion_tokens") is None else "/max_completion_tokens"
    if head == "tool_choice":
        return "/tool_choice" if wire.get("tool_choice") is not None else "/function_call"
    if head == "stop" and type(wire.get("stop")) is str:
        return "/stop"
    if head == "response_format" and len(tokens) > 1 and tokens[1] != "type":
        return "/response_format/json_schema" + join(["schema" if tokens[1] == "json_schema" else tokens[1], *tokens[2:]])
    return pointer


def _locate_in_tool(tokens: list[str], *, legacy: bool) -> str:
    if len(tokens) < 2:
        return join(tokens)
    index, field, *rest = tokens
    if field == "provider_data":
        return join([index, *wire_names(rest[1:])])
    if field == "value":
        return join([index, *rest])
    if field in FUNCTION_FIELDS and not legacy:
        return join([index, "function", field, *rest])
    return join(tokens)


def _locate_in_message(wire: Wire, tokens: list[str]) -> str:
    field, *rest = tokens
    if field == "provider_data":
        return join(wire_names(rest[1:]))
    if field == "value":
        return join(rest)
    if field == "reasoning_content" and type(wire.get("reasoning_content")) is not str:
        return "/reasoning"
    if field == "cache_control":
        return _locate_cache(wire, rest)
    if field == "thinking_blocks":
        details = type(wire.get("thinking_blocks")) is not list
        name = "reasoning_details" if details else "thinking_blocks"
        if len(rest) > 1 and rest[1] == "provider_data":
            return join([name, rest[0], *wire_names(rest[3:])])
        if details and len(rest) > 1 and rest[1] == "thinking":
            return join([name, rest[0], DETAIL_FIELDS[wire[name][int(rest[0])]["type"]]])
        return join([name, *rest])
    if field == "tool_calls" and rest:
        return _locate_in_call(wire, rest)
    if field == "content" and len(rest) > 1 and type(wire.get("content")) is list:
        return f"/content/{rest[0]}" + _locate_in_part(wire["content"][int(rest[0])], rest[1:])
    return join(tokens)


def _locate_cache(wire: Wire, rest: list[str]) -> str:
    return join(["prompt_cache_breakpoint" if "prompt_cache_breakpoint" in wire else "cache_control", *rest])


def _locate_in_call(wire: Wire, tokens: list[str]) -> str:
    calls = wire.get("tool_calls")
    legacy = not calls
    prefix = "/function_call" if legacy else f"/tool_calls/{tokens[0]}"
    if len(tokens) == 1:
        return prefix
    field, *rest = tokens[1:]
    if field == "provider_data":
        return prefix + join(wire_names(rest[1:]))
    call: Wire = {} if legacy or not calls else calls[int(tokens[0])]
    if field in ("name", "arguments"):
        if "function" in call:
            return f"{prefix}/function/{field}"
        if "custom" in call:
            return f"{prefix}/custom/{'input' if field == 'arguments' else field}"
    return prefix + join([field, *rest])


def _locate_in_part(wire: Wire, tokens: list[str]) -> str:
    field, *rest = tokens
    if field == "provider_data":
        return join(wire_names(rest[1:]))
    if field == "value":
        return join(rest)
    if field == "cache_control":
        return _locate_cache(wire, rest)
    if len(rest) > 1 and rest[0] == "provider_data":
        return join([field, *wire_names(rest[2:])])
    if wire.get("type") == "file":
        file = wire.get("file", {})
        if field == "source":
            return "/file/file_data" if file.get("file_data") is not None else "/file/file_id"
        if field == "filename":
            return "/file/filename"
    if field == "image_url" and type(wire.get("image_url")) is str:
        return "/image_url"
    return join(tokens)
