"""MCP servers in requests to Anthropic (anthropic 2.11.0, `types/beta/beta_mcp_toolset_param.py`).

The field `mcp_servers` has the URL of each server. A tool, the toolset, says which tools of the server may be called. The first
version of this beta has no toolsets: there, the field also has the choice of tools.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ...codec.fields import Wire, is_empty, unknown_fields
from ...codec.hosted.mcp_servers import McpServer, McpServers, are_names, server_of
from ...errors import escape
from ...model.base import Json
from .base import AnthropicProfile
from .mcp_calls import BETA

_TOOLSET = "mcp_toolset"
_NAME = "mcp_server_name"
_SWITCHES = ("enabled", "defer_loading")
_EXCLUDES = "no other provider can exclude individual tools of an MCP server: name the tools that may be called instead"
_REFUSED = f"MCP servers are a beta, `{BETA}`: to send this one, use `AnthropicProfile(mcp=True)` and name the beta"
_OFF = "this MCP server is switched off"
_TWICE = "both `tool_configuration` and the toolset choose the tools of this MCP server: only the toolset may"


def _read(tool: Wire | None, server: Json) -> McpServer | None:
    if type(server) is not dict or server.get("type") != "url" or (tool is not None and tool.get("type") != _TOOLSET):
        return None
    found = server_of(server.get("name"), server.get("url"), server.get("authorization_token"))
    if found is None:
        return None
    rest = unknown_fields(server, ("type", "name", "url", "authorization_token", "tool_configuration"))
    options = _object(server.get("tool_configuration"), "/tool_configuration", rest)
    rest += unknown_fields(options, ("enabled", "allowed_tools"), "/tool_configuration")
    found = found._replace(rest_of_object=rest)
    is_off = not _is_on(options.get("enabled"), default=True)
    allowed: Json = options.get("allowed_tools")
    if tool is not None:
        chooses_twice = is_off or allowed is not None
        return found._replace(refused=_TWICE) if chooses_twice else _with_toolset(found, tool)
    if allowed is not None and not are_names(allowed):
        return None
    return found._replace(allowed=allowed, refused=_OFF if is_off else None)


def _with_toolset(found: McpServer, tool: Wire) -> McpServer:
    rest = unknown_fields(tool, ("type", _NAME, "default_config", "configs"))
    defaults = _object(tool.get("default_config"), "/default_config", rest)
    rest += unknown_fields(defaults, _SWITCHES, "/default_config")
    by_default = _is_on(defaults.get("enabled"), default=True)
    deferred = defaults.get("defer_loading") is True
    enabled: dict[str, bool] = {}
    configs = _object(tool.get("configs"), "/configs", rest)
    for name in configs:
        pointer = f"/configs/{escape(name)}"
        config = _object(configs[name], pointer, rest)
        rest += unknown_fields(config, _SWITCHES, pointer)
        enabled[name] = _is_on(config.get("enabled"), default=by_default)
        if enabled[name] and config.get("defer_loading") not in (None, deferred):
            rest.append(pointer + "/defer_loading")
    if not by_default:
        return found._replace(allowed=[name for name, on in enabled.items() if on], deferred=deferred, rest=rest)
    return found._replace(deferred=deferred, rest=rest, refused=None if all(enabled.values()) else _EXCLUDES)


def _is_on(value: Json, *, default: bool) -> bool:
    """Whether a switch is on; only true switches on, so that no tool may be called by mistake."""
    return default if value is None else value is True


def _object(value: Json, pointer: str, rest: list[str]) -> dict[str, Any]:
    """The value if it is an object; any other value that says something is added to `rest`."""
    if type(value) is dict:
        return value
    rest += [] if is_empty(value) else [pointer]
    return {}


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


@cache
def forms(profile: AnthropicProfile) -> McpServers:
    """The forms of a host: requests have servers only with the beta."""
    return McpServers(_read, _write, _NAME, refused=None if profile.mcp else _REFUSED)
