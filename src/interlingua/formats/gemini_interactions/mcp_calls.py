"""MCP calls that Google's server made (google-genai 3.6.1, `mcpservertoolcallstep.py`, `mcpservertoolresultstep.py`).

A call is one step, and its result another. They are converted to other formats, but no other format's calls become such steps.
"""

from __future__ import annotations

from ...codec.fields import Wire, unknown_fields
from ...codec.hosted.mcp_calls import McpCall, texts_in
from ...model.base import Json
from ...model.parts import to_json

_CALL = "mcp_server_tool_call"


def read_call(step: Wire) -> McpCall | None:
    """Read the MCP call, or the result of one, in a step; None for any other step."""
    kind: Json = step.get("type")
    id: Json = step.get("id" if kind == _CALL else "call_id")
    if type(id) is not str:
        return None
    if kind == "mcp_server_tool_result":
        result: Json = step.get("result")
        texts, rest = ([to_json(result)], []) if type(result) is dict else texts_in(result, "/result")
        # The call has both names, too.
        rest += unknown_fields(step, ("type", "call_id", "result", "is_error", "name", "server_name"))
        return McpCall(id, output=texts, failed=step.get("is_error") is True, rest=rest)
    server: Json = step.get("server_name")
    name: Json = step.get("name")
    given: Json = step.get("arguments")
    if kind != _CALL or type(server) is not str or type(name) is not str or type(given) is not dict:
        return None
    return McpCall(id, server, name, given, rest=unknown_fields(step, ("type", "id", "server_name", "name", "arguments")))
