"""The maps of messages: one role after the other, and where tool results regroup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...codec.fields import Wire, copy_wire, keep_unknown, spelling
from ...codec.format import LightMessage
from ...model.base import Json
from ...model.messages import (
    AnyPart,
    Message,
    ToolMessage,
    ToolResultPart,
    UserMessage,
)
from .assistant import dump_assistant, load_assistant, load_plain_calls, read_plain_calls
from .base import EVERY, FAMILY, NO_FIELDS, ChatDump, dump_frame, load_cache, new_tuple, validators
from .parts import as_profiled, dump_content, dump_part, load_content
from .profiles import ChatProfile

# Messages

_ROLES = frozenset({"system", "developer", "user", "tool", "function"})


def load_messages(wires: list[Any], profile: ChatProfile, *, light: bool) -> list[Any]:
    """Messages not yet validated canonically, or `LightMessage` ones; raises pydantic's `ValidationError` at the first bad one."""
    out: list[Any] = []
    wire: Json
    for wire in wires:
        if type(wire) is dict:
            if light and (plain := _plain(wire, profile)):
                out.append(plain)
                continue
            # The commonest messages are canonical as they stand: the canonical validation is the one look that they need.
            role = wire.get("role")
            if (
                type(role) is str
                and role in _STANDS
                and wire.keys() == _STANDS[role]
                and type(wire["content"]) is str
                and (role != "tool" or wire["tool_call_id"] is not None)
            ):
                out.append(wire)
                continue
        out.append(load_message(wire, profile))
    return out


_SAID = frozenset({"role", "content"})
_STANDS = {"user": _SAID, "assistant": _SAID, "system": _SAID, "tool": _SAID | {"tool_call_id"}}
"""What fields a message of text alone has; its id is looked at by the canonical validation."""

_NOTHING = (None,) * 8


def _plain(wire: Wire, profile: ChatProfile) -> LightMessage | None:
    role, content = wire.get("role"), wire.get("content")
    calls = raw = None
    size = 2
    if role == "tool":
        raw, size = wire.get("tool_call_id"), 3
        if type(raw) is not str or not raw.isascii():
            return None
    elif role == "assistant":
        if "tool_calls" in wire:
            calls, size = read_plain_calls(wire["tool_calls"]) if profile.tool_calls == "nested" else None, 3
            if not calls or not all(call.id.isascii() and call.name.isascii() and call.arguments.isascii() for call in calls):
                return None
    elif role != "user":
        return None
    if len(wire) != size or not (
        content.isascii() if type(content) is str else calls and content is None and "content" in wire
    ):
        return None
    return new_tuple(LightMessage, (role, content, raw, calls, *_NOTHING))


def load_message(message: Json, profile: ChatProfile) -> dict[str, Any]:
    """A message; one of an unknown role is kept whole."""
    if profile.tool_calls == "nested" and type(message) is dict and (plain := load_plain_calls(message)):
        return plain
    wire: Wire = validators()[1].validate_python(message)
    role = wire["role"]
    if role == "assistant":
        return load_assistant(wire, profile)
    if role == "text" and profile.text_role and type(wire.get("content")) is str:
        return keep_unknown({"role": role, "content": wire["content"]}, wire, frozenset({"role", "content"}), FAMILY)
    if role not in _ROLES:
        return {"role": "opaque", "format": FAMILY, "value": wire}
    taken, spelled = {"role", "content"}, dict[str, Any]()
    out: dict[str, Any] = {"role": role}
    if role == "function":
        out["role"] = "tool"
        spelled["role"] = "function"
    load_content(wire, out, spelled, profile)
    for key in ("name", "tool_call_id") if out["role"] == "tool" else ("name",):
        if wire.get(key) is not None:
            out[key] = wire[key]
            taken.add(key)
    load_cache(wire, out, taken, profile.cache if profile.message_cache else None)
    return keep_unknown(out, wire, taken, FAMILY, spelled)


def dump_messages(messages: Sequence[Any], start: int, stop: int, d: ChatDump) -> None:
    """Append the wire forms of messages to those written so far."""
    for i in range(start, stop):
        message = messages[i]
        dump_message(message, f"/messages/{i}", d.rules_for(message) if d.same_format or message.wire is not None else d)


def dump_message(message: Message, path: str, d: ChatDump) -> None:
    """Append a message's wire form, one or several messages, to those written so far."""
    if d.progress.strays and message.role != "tool":
        flush_strays(d.by_rules())
    at = f"/messages/{len(d.progress.messages)}"
    after_results, d.progress.ends_with_results = d.progress.ends_with_results, False
    if message.role == "assistant":
        dump_assistant(message, path, at, d)
    elif message.role == "tool":
        dump_tool_message(message, message, path, d)
    elif message.role == "opaque":
        if message.format == FAMILY and (d.exact or d.profile.open):
            d.places[at] = path
            d.progress.messages.append(copy_wire(message.value))
        else:
            d.drop(path, f"only {message.format} knows messages of this kind")
    elif message.role == "text":
        kept = d.exact or d.profile.text_role
        d.progress.messages.append({"role": "text" if kept else "user", "content": message.content})
        d.places[at] = path
        if not kept:
            d.report("changed", path, at, "completion text becomes a user message")
        dump_frame(message, d.progress.messages[-1], path, at, d)
    elif message.role == "user" and type(message.content) is tuple and any(p.type == "tool_result" for p in message.content):
        dump_results(message, path, d)
    else:
        if after_results and message.role == "user" and not d.exact:
            d.report("moved", path, at, "nothing keeps it apart from the tool results before it")
        _dump_plain(message, path, at, d)


def _dump_plain(message: Any, path: str, at: str, d: ChatDump) -> None:
    role: str = message.role
    if role == "developer" and not d.profile.developer and not d.exact:
        role = "system"
        d.report("changed", path, at, "the developer role becomes system")
    out: Wire = {"role": role}
    content = dump_content(message.content, path, at, d, role)
    if content is None:
        d.drop(path, "nothing that it holds has a place here")
        return
    if d.exact and content == "" and spelling(message, "content") == "null":
        content = None
    out["content"] = content
    d.places[at] = path
    if role == "system" and type(message.content) is str and type(content) is str:
        # Where system text stands alone, the text and its message are one place, so neither goes without saying.
        d.places[at + "/content"] = path + "/content"
    dump_frame(message, out, path, at, d)
    d.progress.messages.append(out)


def dump_tool_message(message: ToolMessage | ToolResultPart, owner: Any, path: str, d: ChatDump) -> None:
    """A tool's result as a message of its own; what it cannot hold waits for the user message behind the results."""
    at = f"/messages/{len(d.progress.messages)}"
    out: Wire = {"role": "tool"}
    raw = message.tool_call_id if isinstance(message, ToolMessage) else message.tool_use_id
    if d.exact and spelling(owner, "role") == "function":
        out["role"] = "function"
    if d.exact:
        if raw is not None:
            out["tool_call_id"] = d.ids.exact_result(raw)
    elif raw is not None:
        field = "/tool_call_id" if isinstance(message, ToolMessage) else "/tool_use_id"
        out["tool_call_id"] = d.ids.result(raw, path, field, d.source_ids)
    else:
        out["tool_call_id"] = d.ids.result_without_id(message.name)
        d.report("changed", path, at, "results need the id of a call")
    content = message.content
    if content is None:
        content = ""
    elif not d.exact and not isinstance(content, str) and not d.profile.tool_media:
        strays = [(f"{path}/content/{i}", part) for i, part in enumerate(content) if part.type not in ("text", "opaque")]
        d.progress.strays += strays if d.profile.media else []
        kept = [(i, part) for i, part in enumerate(content) if part.type in ("text", "opaque") or not d.profile.media]
        parts: list[Wire] = []
        for i, part in kept:
            dumped = dump_part(part, f"{path}/content/{i}", f"{at}/content/{len(parts)}", d, "tool")
            if dumped is not None:
                parts.append(dumped)
        content = as_profiled(parts, path, at, d)
    else:
        content = dump_content(content, path, at, d, "tool")
        if content is None:
            content = ""
    if d.exact and content == "" and spelling(owner, "content") == "null":
        content = None
    out["content"] = content
    d.places[at] = path
    if message.is_error is not None:
        d.drop(path + "/is_error", "results have no error flag here")
    dump_frame(message, out, path, at, d)
    d.progress.messages.append(out)


def dump_results(message: UserMessage, path: str, d: ChatDump) -> None:
    """A user message with tool results: the results first, each its own message, then the rest."""
    assert isinstance(message.content, tuple)  # noqa: S101 -- told by the caller
    rest: list[tuple[str, AnyPart]] = []
    late = [i for i, part in enumerate(message.content) if part.type == "tool_result"][-1]
    for i, part in enumerate(message.content):
        where = f"{path}/content/{i}"
        if part.type == "tool_result":
            dump_tool_message(part, part, where, d)
        else:
            rest.append((where, part))
            if i < late:
                d.report("moved", where, None, "tool results come first")
    strays, d.progress.strays = d.progress.strays, []
    at = f"/messages/{len(d.progress.messages)}"
    out: Wire = {"role": "user"}
    parts: list[Wire] = []
    for i, (where, part) in enumerate(strays + rest):
        dumped = dump_part(part, where, f"{at}/content/{len(parts)}", d, "user")
        if dumped is not None:
            if i < len(strays):
                d.report("moved", where, f"{at}/content/{len(parts)}", "tool messages hold text only")
            parts.append(dumped)
    if parts:
        out["content"] = as_profiled(parts, path, at, d)
        if rest:
            d.places[at] = path
        else:
            d.report("added", path, at, "a user message for what tool messages cannot hold")
        dump_frame(message, out, path, at, d)
        d.progress.messages.append(out)
        return
    d.progress.ends_with_results = True
    for key in ("name", "cache_control"):
        if getattr(message, key) is not None:
            d.drop(f"{path}/{key}", "tool results are messages of their own here")
    if message.provider_data is not None:
        d.keep_fields(message, out, path, NO_FIELDS, EVERY)


def flush_strays(d: ChatDump) -> None:
    """The images and files of the tool messages before, as a user message behind them."""
    strays, d.progress.strays = d.progress.strays, []
    at = f"/messages/{len(d.progress.messages)}"
    parts: list[Wire] = []
    for path, part in strays:
        dumped = dump_part(part, path, f"{at}/content/{len(parts)}", d, "user")
        if dumped is not None:
            d.report("moved", path, f"{at}/content/{len(parts)}", "tool messages hold text only")
            if not parts:
                d.report("added", path, at, "a user message for what tool messages cannot hold")
            parts.append(dumped)
    if parts:
        d.progress.messages.append({"role": "user", "content": parts})
