"""MCP servers in requests to Anthropic (anthropic 2.11.0, `types/beta/beta_mcp_toolset_param.py`).

The field `mcp_servers` has the URL of each server. A tool, the toolset, says which tools of the server may be called. The first
version of this beta has no toolsets: there, the field also has the choice of tools.
"""

from __future__ import annotations

from typing import Any

from ...codec.fields import Wire
from ...codec.mcp_calls import others
from ...codec.mcp_servers import McpServer, McpServers
from ...errors import escape
from ...model.base import Json
from .mcp_calls import BETA

_TOOLSET = "mcp_toolset"
_NAME = "mcp_server_name"
_SWITCHES = ("enabled", "defer_loading")
_EXCLUDES = "no other provider can exclude individual tools of an MCP server: name the tools that may be called instead"
_OFF = "this MCP server is switched off"


def _read(tool: Wire | None, server: Json) -> McpServer | None:
    if type(server) is not dict or server.get("type") != "url" or (tool is not None and tool.get("type") != _TOOLSET):
        return None
    name: Json = server.get("name")
    url: Json = server.get("url")
    token: Json = server.get("authorization_token")
    if type(name) is not str or type(url) is not str or (token is not None and not isinstance(token, str)):
        return None
    rest_of_object = others(server, ("type", "name", "url", "authorization_token", "tool_configuration"))
    found = McpServer(name, url, token, rest_of_object=rest_of_object)
    return _with_configuration(found, server) if tool is None else _with_toolset(found, tool)


def _with_configuration(found: McpServer, server: Wire) -> McpServer:
    """The server with the choice of tools that the first version of the beta has in the field."""
    options = _object(server.get("tool_configuration"))
    allowed: Json = options.get("allowed_tools")
    is_off = options.get("enabled") is False
    rest = [*found.rest_of_object, *others(options, ("enabled", "allowed_tools"), "/tool_configuration")]
    names = [name for name in allowed if type(name) is str] if type(allowed) is list else None
    return found._replace(allowed=names, rest_of_object=rest, refused=_OFF if is_off else None)


def _with_toolset(found: McpServer, tool: Wire) -> McpServer:
    defaults = _object(tool.get("default_config"))
    configs = _object(tool.get("configs"))
    rest = others(tool, ("type", _NAME, "default_config", "configs"))
    rest += others(defaults, _SWITCHES, "/default_config")
    enabled: dict[str, bool] = {}
    deferred = defaults.get("defer_loading") is True
    for name in configs:
        config = _object(configs[name])
        enabled[name] = config.get("enabled", defaults.get("enabled")) is not False
        if config.get("defer_loading", deferred) is not deferred:
            rest.append(f"/configs/{escape(name)}/defer_loading")
    if defaults.get("enabled") is False:
        return found._replace(allowed=[name for name, on in enabled.items() if on], deferred=deferred, rest=rest)
    return found._replace(deferred=deferred, rest=rest, refused=None if all(enabled.values()) else _EXCLUDES)


def _object(value: Json) -> dict[str, Any]:
    return value if type(value) is dict else {}


def _write(server: McpServer) -> tuple[Wire, Wire]:
    entry: Wire = {"type": "url", "name": server.name, "url": server.url}
    if server.token is not None:
        entry["authorization_token"] = server.token
    tool: Wire = {"type": _TOOLSET, _NAME: server.name}
    defaults: Wire = {} if server.allowed is None else {"enabled": False}
    if server.deferred:
        defaults["defer_loading"] = True
    if defaults:
        tool["default_config"] = defaults
    if server.allowed:
        tool["configs"] = {name: {"enabled": True} for name in server.allowed}
    return tool, entry


SERVERS = McpServers(_read, _write, _NAME)
READ_ONLY = McpServers(
    _read,
    _write,
    _NAME,
    refused=f"MCP servers are a beta, `{BETA}`: to send this one, use `AnthropicProfile(mcp=True)` and name the beta",
)
"""For requests without the beta."""
