"""MCP servers that a request declares, whose tools the provider's server calls.

A provider declares a server in one tool, or in a field of the request that a tool refers to. The tokens of servers are secrets,
which no report repeats. `d` is the `Dump`, which this module cannot import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeGuard

from ...model.base import Json
from ...model.exchange import OpaqueTool
from ..fields import Wire
from ..members import Offered


class McpServer(NamedTuple):
    """A server, as far as several providers can declare it."""

    name: str
    url: str
    token: str | None = None
    """The token with which the provider's server signs in there."""
    allowed: Sequence[str] | None = None
    """The only tools that may be called; None for all."""
    deferred: bool = False
    """Whether its tools must be found by a tool search."""
    rest: Sequence[str] = ()
    """Pointers to the fields of the tool that other providers do not have."""
    rest_of_object: Sequence[str] = ()
    """Pointers to the fields of the object in the request's field that other providers do not have."""
    refused: str | None = None
    """Why other providers must not get it."""


def server_of(name: Json, url: Json, token: Json) -> McpServer | None:
    """The server with this name, URL and token; None unless the first two are text, and the token is text or absent."""
    if type(name) is not str or type(url) is not str or (token is not None and not isinstance(token, str)):
        return None
    return McpServer(name, url, token)


@dataclass(frozen=True)
class McpServers:
    """How a provider declares MCP servers."""

    read: Callable[[Wire | None, Json], McpServer | None]
    """Reads a server from its tool and its object in the request's field. Either may be missing; returns None for no server."""
    write: Callable[[McpServer], tuple[Wire, Wire | None]]
    """Writes the tool, and the object for the request's field, if servers are there."""
    reference: str = ""
    """The field of a tool that refers to a server by its name, if servers are in a field of the request."""
    refused: str | None = None
    """Why another provider's request must not declare servers; None if it may."""


def are_names(value: Json) -> TypeGuard[list[str]]:
    """Whether a value is a list of names of tools."""
    return type(value) is list and all(type(name) is str for name in value)


def in_tool(value: Wire, source: Any, path: str, d: Any) -> list[Offered] | None:
    """The server in another provider's tool; an empty list if it must not be sent, and None for any other tool."""
    form: McpServers | None = source.mcp.servers() if source.mcp.field is None else None
    server = form.read(value, None) if form is not None and d.target.mcp is not None else None
    if server is None:
        return None
    offered = _declared(server, path, path, None, d)
    return [] if offered is None else [offered]


def in_field(objects: Sequence[Json], path: str, tools: Sequence[Any], d: Any) -> Iterator[Offered]:
    """The servers in a field of another provider's request, each with the first tool that refers to it."""
    form: McpServers = d.source.mcp.servers()
    referring: dict[str, tuple[str, Wire]] = {}
    for i, tool in enumerate(tools):
        name: Json = tool.value.get(form.reference) if tool.type == "opaque" and tool.format == d.source.family else None
        if type(name) is str:
            referring.setdefault(name, (f"/tools/{i}", tool.value))
    for i, each in enumerate(objects):
        name = each.get("name") if type(each) is dict else None
        at_tool, tool = referring.pop(name, (None, None)) if type(name) is str else (None, None)
        where = f"{path}/{i}"
        server = form.read(tool, each)
        if server is None:
            d.drop(where, d.no_place("this MCP server", d.source.family))
        elif (offered := _declared(server, at_tool or where, at_tool, where, d)) is not None:
            yield offered


def _declared(server: McpServer, path: str, at_tool: str | None, at_object: str | None, d: Any) -> Offered | None:
    """The server as the target declares it; None, with a report, if it must not."""
    form: McpServers = d.target.mcp.servers()
    places = [place for place in (at_tool, at_object) if place is not None]
    refused = server.refused or form.refused
    if refused is not None:
        d.drop(places[-1], refused)  # a tool that refers to it has no place either, and is reported as any other
        return None
    lost = [f"{at_tool}/value{pointer}" for pointer in server.rest]
    for pointer in (*lost, *(f"{at_object}{pointer}" for pointer in server.rest_of_object)):
        d.drop(pointer, f"{d.target.name} does not have this field of an MCP server")
    detail = f"an MCP server is declared in the form of {d.target.name}"
    tool, entry = form.write(server)
    changes = tuple((place, detail) for place in places)
    return Offered(path, OpaqueTool(format=d.family, value=tool), changes, server=entry)
