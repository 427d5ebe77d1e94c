"""Writing the tool calls of a stream of Chat Completions."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from ...codec.fields import Wire, copy_wire, lay_over
from ...model import events as e
from ...model.base import Json
from .base import LONGEST_NAME
from .written import WrittenPart, WrittenStream


def write_tool_use_start(s: WrittenStream, event: e.ToolUseStart) -> None:
    """Begin a call; in the same format, after the update that may say how it is spelled."""
    part, new = s.part(event, "call", "tool_calls")
    if new:
        part.custom = bool(event.custom)
        begin = partial(_begin, s, part, event)
        if s.same_format:
            s.pending = part, begin
        else:
            begin()


def _begin(s: WrittenStream, part: WrittenPart, event: e.ToolUseStart) -> None:
    name, id = event.name, event.id
    if not s.same_format:
        name = s.d.tool_name(name, part.path, LONGEST_NAME)
        if id is not None:
            id = s.d.ids.call(id, part.path, s.d.source_ids)
        else:
            id = s.d.ids.call_without_id(name)
            s.report("changed", part.path, "tool calls need an id")
    entry: Wire = {"name": name, "arguments": ""}
    if part.spelled.get("arguments") == "object":
        part.held = []
        del entry["arguments"]
    is_legacy = s.same_format and part.choice.spelled.get("tool_calls") == "function_call"
    if not is_legacy:
        part.place = {"index": part.position}
        entry = part.place | ({"id": id} if id is not None else {}) | _body(s, part, entry)
    for key, value in part.own.items():
        lay_over(entry, key, value)
    s.send(part.choice, {"function_call": entry} if is_legacy else {"tool_calls": [entry]})


def _body(s: WrittenStream, part: WrittenPart, function: Wire) -> Wire:
    """The type, the name and the arguments of a new call."""
    spelled = part.spelled.get("type")
    if _is_flat(s, part):
        if part.custom:
            s.report("changed", part.path, "a custom tool's call becomes a function's")
        return function | ({"type": "function"} if spelled == "function" else {})
    body: Wire = {"custom": {"name": function["name"], "input": ""}} if part.custom else {"function": function}
    return body if spelled == "other" else {"type": "custom" if part.custom else "function", **body}


def _is_flat(s: WrittenStream, part: WrittenPart) -> bool:
    return (part.spelled.get("call") or s.profile.tool_calls) == "flat"


def write_arguments(s: WrittenStream, event: e.ArgumentsDelta) -> None:
    """More arguments of a call."""
    part, _ = s.part(event, "call", "tool_calls")
    if part.held is None:
        _send_arguments(s, part, event.arguments)
    else:
        part.held.append(event.arguments)


def _send_arguments(s: WrittenStream, part: WrittenPart, arguments: Any) -> None:
    part.has_text = True
    body: Wire = {"arguments": arguments}
    if part.place is None:
        s.send(part.choice, {"function_call": body})
        return
    if not _is_flat(s, part):
        body = {"custom": {"input": arguments}} if part.custom else {"function": body}
    s.send(part.choice, {"tool_calls": [part.place | body]})


def write_tool_use(s: WrittenStream, event: e.ToolUse) -> None:
    """Write the arguments that could not be written before the call was complete."""
    part, _ = s.part(event, "call", "tool_calls")
    if part.held is not None:
        text, part.held = "".join(part.held), None
        if text:
            _send_arguments(s, part, _as_object(text))
    elif not part.has_text and not s.d.same_family and not event.custom:
        # In other formats a call without arguments may have no text; here it has an object without fields.
        _send_arguments(s, part, event.arguments or "{}")


def _as_object(text: str) -> Any:
    """Arguments as the object that they were; several objects stay text."""
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if type(value) is dict else text


def update_call(s: WrittenStream, part: WrittenPart, data: Wire, own: Wire) -> None:
    """Other fields of a call."""
    if s.pending is not None:
        e.merge(part.own, own)
        return
    entry: Wire = copy_wire(own)
    if type(data.get("id")) is str and s.same_format and part.place is not None:
        entry["id"] = data["id"]
    if entry:
        s.send(part.choice, {"function_call": entry} if part.place is None else {"tool_calls": [part.place | entry]})
