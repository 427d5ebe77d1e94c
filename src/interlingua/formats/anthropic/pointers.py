"""Where a wire request holds what a pointer into its canonical form points at."""

from __future__ import annotations

from collections.abc import Sequence

from ...format import Wire, join, wire_names

# Pointers


def owners_stay(wire: Wire) -> bool:
    """Whether every owner has the same pointer in the wire request and in its canonical form."""
    return wire.get("system") is None


_REQUEST_POINTERS = {
    "stop": "/stop_sequences",
    "reasoning_budget": "/thinking",
    "reasoning_effort": "/output_config/effort",
    "user": "/metadata/user_id",
    "parallel_tool_calls": "/tool_choice/disable_parallel_tool_use",
}


def locate(wire: Wire, pointer: str) -> str:
    """Where the wire request holds what a pointer into its canonical form points at."""
    tokens = pointer.split("/")[1:]
    if not tokens:
        return ""
    head, *rest = tokens
    if head == "messages" and rest and rest[0].isdigit():
        lifted = wire.get("system") is not None
        index = int(rest[0]) - lifted
        if index < 0:
            return "/system" + _locate_in_message({"content": wire["system"]}, rest[1:]).removeprefix("/content")
        return f"/messages/{index}" + _locate_in_message(wire["messages"][index], rest[1:])
    if head == "provider_data":
        return join(wire_names(rest[1:]))
    if head == "tools" and len(rest) > 1:
        field = {"parameters": "input_schema"}.get(rest[1], rest[1])
        more = rest[2:]
        within = {"provider_data": wire_names(more[1:]), "value": more}.get(field, [field, *more])
        return join(["tools", rest[0], *within])
    if head in _REQUEST_POINTERS:
        return _REQUEST_POINTERS[head] + join(rest)
    if head == "response_format":
        return "/output_config/format" + join(["schema", *rest[1:]] if rest[:1] == ["json_schema"] else rest)
    return pointer


def _locate_in_message(wire: Wire, tokens: Sequence[str]) -> str:
    if not tokens:
        return ""
    field, *rest = tokens
    if field == "provider_data":
        return join(wire_names(rest[1:]))
    if field == "value":
        return join(rest)
    if field == "content" and len(rest) > 1:
        return f"/content/{rest[0]}" + _locate_in_block(wire["content"][int(rest[0])], rest[1:])
    return join(tokens)


def _locate_in_block(wire: Wire, tokens: Sequence[str]) -> str:
    field, *rest = tokens
    if field == "content" and len(rest) > 1:
        return _locate_in_message(wire, tokens)
    if field == "provider_data":
        return join(wire_names(rest[1:]))
    if field == "value":
        return join(rest)
    if field == "filename":
        return "/title"
    if field == "source" and rest == ["text"]:
        return "/source/data"
    return join(tokens)
