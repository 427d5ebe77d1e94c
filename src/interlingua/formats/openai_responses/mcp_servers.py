"""MCP servers as tools of the Responses API (openai 3.52.0, `types/responses/tool_param.py`)."""

from __future__ import annotations

from ...codec.fields import Wire, unknown_fields
from ...codec.hosted.mcp_servers import McpServer, McpServers, are_names, server_of
from ...model.base import Json

_KNOWN = ("type", "server_label", "server_url", "authorization", "allowed_tools", "require_approval", "defer_loading")
_ASKS = (
    "the calls of this MCP server need the client's approval, which no other provider asks for: to send the server, set"
    ' `require_approval` to "never"'
)
_FILTERED = "no other provider selects the tools of an MCP server by `read_only`: name the tools in `allowed_tools` instead"


def _read(tool: Wire | None, _object: Json) -> McpServer | None:
    if tool is None or tool.get("type") != "mcp":
        return None
    found = server_of(tool.get("server_label"), tool.get("server_url"), tool.get("authorization"))
    if found is None:
        return None
    given: Json = tool.get("allowed_tools")
    rest = unknown_fields(tool, _KNOWN)
    refused = None
    if type(given) is dict:
        more = unknown_fields(given, ("tool_names", "read_only"), "/allowed_tools")
        if more and given.get("tool_names") is None:
            return None  # without what is not known here, all tools could be called
        rest += more
        refused = _FILTERED if given.get("read_only") is not None else None
        given = given.get("tool_names")
    allowed = given if are_names(given) else None
    if given is not None and allowed is None:
        return None
    if tool.get("require_approval") != "never":  # by default, all calls need it
        refused = _ASKS
    deferred = tool.get("defer_loading") is True
    return found._replace(allowed=allowed, deferred=deferred, rest=rest, refused=refused)


def _write(server: McpServer) -> tuple[Wire, None]:
    tool: Wire = {"type": "mcp", "server_label": server.name, "server_url": server.url, "require_approval": "never"}
    if server.token is not None:
        tool["authorization"] = server.token
    if server.allowed is not None:
        tool["allowed_tools"] = [*server.allowed]
    if server.deferred:
        tool["defer_loading"] = True
    return tool, None


FORMS = McpServers(_read, _write)
