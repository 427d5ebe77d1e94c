"""MCP calls that OpenAI's server made (openai 3.52.0, `response_output_item.py`, `mcp_tool_call_error.py`).

Each call is one item, with its result as one text, or with an error. Requests may repeat it, as recorded traffic shows.
"""

from __future__ import annotations

from ...codec.fields import Wire, copy_wire, unknown_fields
from ...codec.hosted.mcp_calls import McpCall, texts_in
from ...codec.ids import tool_name
from ...model.base import Json
from ...model.parts import to_json

_KNOWN = ("type", "id", "server_label", "name", "arguments", "output", "error", "status")
_ENDED = (None, "completed", "failed", "incomplete")
"""The statuses of a call that has its result, even an empty one."""
_EXECUTION = "mcp_tool_execution_error"
CHANGED = "another provider's MCP call becomes one item of the Responses API, whose result is one text"


def read_call(item: Wire) -> McpCall | None:
    """Read the MCP call in an item; None for any other item, and for a call that has no result yet."""
    id: Json = item.get("id")
    server: Json = item.get("server_label")
    name: Json = item.get("name")
    arguments: Json = item.get("arguments")
    if item.get("type") != "mcp_call" or type(id) is not str or type(server) is not str:
        return None
    if type(name) is not str or type(arguments) is not str:
        return None
    status: Json = item.get("status")
    error: Json = item.get("error")
    if not (error or item.get("output")) and status not in _ENDED:
        return None
    rest = unknown_fields(item, _KNOWN)
    if status not in (None, "completed", "failed"):
        rest.append("/status")
    if error:
        output, more = _read_error(error)
        more += [] if item.get("output") in (None, "") else ["/output"]
    else:
        output, more = texts_in(item.get("output"), "/output")
    failed = bool(error) or status in ("failed", "incomplete")
    return McpCall(id, server, name, arguments, output, failed, rest + more)


def _read_error(error: Json) -> tuple[list[str], list[str]]:
    """The text of an error, and pointers to the rest of it."""
    if type(error) is not dict:
        return texts_in(error, "/error")
    if error.get("type") == _EXECUTION:
        texts, rest = texts_in(error.get("content"), "/error/content")
        return texts, rest + unknown_fields(error, ("type", "content"), "/error")
    message: Json = error.get("message")
    known = ("message",) if type(message) is str else ()
    return ([message] if type(message) is str and message else []), unknown_fields(error, known, "/error")


def write(called: McpCall) -> Wire:
    """The item of another provider's MCP call."""
    id = tool_name("mcp_" + called.id.removeprefix("mcptoolu_").removeprefix("mcp_"), 64)
    arguments = called.arguments if type(called.arguments) is str else to_json(called.arguments)
    item: Wire = {"type": "mcp_call", "id": id, "server_label": called.server, "name": called.name, "arguments": arguments}
    texts = called.output or ()
    if called.failed:
        content = [{"type": "text", "text": text} for text in texts]
        return item | {"error": {"type": _EXECUTION, "content": content}, "status": "failed"}
    return item | {"output": "\n".join(texts), "status": "completed"}


# Streams


def begun_call(item: Wire) -> Wire:
    """The fields of an item that has just begun."""
    return {"arguments": "", **{key: None for key in ("output", "error") if key in item}}


def events_of_call(item: Wire, where: Wire) -> list[Wire]:
    """The events between the beginning and the end of an item; `where` has the fields that say which item it is."""
    last = "failed" if item["status"] == "failed" else "completed"
    stages: tuple[tuple[str, Wire], ...] = (
        ("mcp_call.in_progress", {}),
        ("mcp_call_arguments.delta", {"delta": item["arguments"]}),
        ("mcp_call_arguments.done", {"arguments": item["arguments"]}),
        (f"mcp_call.{last}", {}),
    )
    return [copy_wire({**where, **fields, "type": f"response.{stage}"}) for stage, fields in stages]
