"""MCP calls that Anthropic's server made (anthropic 2.11.0, `beta_mcp_tool_use_block.py`, `beta_mcp_tool_result_block.py`).

Each call is a block, and its result another block of the same answer. Both belong to a beta: without it, the server refuses
them in requests. It accepts any id of letters, digits, `_` and `-`.
"""

from __future__ import annotations

import re
from typing import Any

from ...codec.arguments import read_arguments
from ...codec.fields import Wire, copy_wire, unknown_fields
from ...codec.hosted.mcp_calls import McpCall, texts_in
from ...codec.ids import tool_name
from ...model.base import Json
from .base import MessagesDump

BETA = "mcp-client-2025-11-20"
_FIELD = "mcp_servers"
"""The field of a request with the servers: a host that refuses it has no such calls either."""
_CALL = "mcp_tool_use"
_RESULT = "mcp_tool_result"
_LONGEST = 2**31
"""The server sets no limit to ids, so a long one stays as it is."""
CHANGED = "another provider's MCP call becomes Anthropic's"
_REFUSED = f"MCP calls are a beta, `{BETA}`: to send this one, use `AnthropicProfile(mcp=True)` and name the beta"


def read_call(block: Wire) -> McpCall | None:
    """Read the MCP call, or the result of one, in a block; None for any other block."""
    kind: Json = block.get("type")
    id: Json = block.get("id" if kind == _CALL else "tool_use_id")
    if type(id) is not str:
        return None
    if kind == _RESULT:
        texts, rest = texts_in(block.get("content"), "/content")
        rest += unknown_fields(block, ("type", "tool_use_id", "content", "is_error"))
        return McpCall(id, output=texts, failed=block.get("is_error") is True, rest=rest)
    server: Json = block.get("server_name")
    name: Json = block.get("name")
    given: Json = block.get("input")
    if kind != _CALL or type(server) is not str or type(name) is not str or type(given) not in (str, dict):
        return None
    return McpCall(id, server, name, given, rest=unknown_fields(block, ("type", "id", "server_name", "name", "input")))


def refusal(part: Any, d: MessagesDump) -> str | None:
    """Why a request must not have another provider's MCP call."""
    if d.is_response or d.profile.mcp:
        return None
    return d.no_place_for(part, "part") if _FIELD in d.profile.refused_fields else _REFUSED


def write(called: McpCall, path: str, at: str, d: MessagesDump) -> list[Wire]:
    """The two blocks, or one, of another provider's MCP call."""
    id = called.id
    if not id and called.name is not None and called.output is not None:
        id = path  # some hosts give an empty id to all calls
    id = tool_name(re.sub("^mcp_", "mcptoolu_", id), _LONGEST)
    blocks: list[Wire] = []
    if called.name is not None:
        arguments = _arguments(called.arguments, path, at, d)
        blocks.append({"type": _CALL, "id": id, "name": called.name, "server_name": called.server, "input": arguments})
    if called.output is not None:
        content = [{"type": "text", "text": text} for text in called.output]
        blocks.append({"type": _RESULT, "tool_use_id": id, "is_error": called.failed, "content": content})
    return blocks


def _arguments(given: Json, path: str, at: str, d: MessagesDump) -> Json:
    if type(given) is not str:
        copied: Json = copy_wire(given)
        return copied
    value, wrong = read_arguments(given)
    if wrong is not None:
        d.report("changed", path, at + "/input", wrong)
    return value
