"""The maps between Chat Completions requests and the canonical ones: each `load_x` with the `dump_x` that undoes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...codec.fields import Wire, copy_wire, keep_unknown, spelled, spelling
from ...codec.growing import Steps
from ...model.base import Json
from ...model.exchange import INVENTED_NAME, OpaqueTool, Request, ResponseFormat, Tool, ToolChoice, choice_without_tool
from ...model.messages import (
    Message,
)
from .base import (
    FAMILY,
    LONGEST_NAME,
    NO_FIELDS,
    NOT_OF_CHAT,
    REQUEST_FIELDS,
    ChatDump,
    dump_cache,
    load_cache,
    validators,
)
from .messages import dump_messages, flush_strays, load_messages
from .profiles import ChatProfile

# Tools and the choice among them

FUNCTION_FIELDS = ("name", "description", "parameters", "strict")


def load_tool(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """A function tool; any other is kept whole."""
    function: Json = wire.get("function")
    if wire.get("type") not in (None, "function") or type(function) is not dict or type(function.get("name")) is not str:
        return {"type": "opaque", "format": FAMILY, "value": wire}
    out, inner = _load_function(function)
    taken, spelled = {"function"}, dict[str, Any]()
    if wire.get("type") == "function":
        taken.add("type")
    else:
        spelled["type"] = "other"
    load_cache(wire, out, taken, profile.cache if profile.message_cache else None)
    return keep_unknown(out, wire, taken, FAMILY, spelled, partial={"function": inner} if inner else None)


def _load_function(function: Wire) -> tuple[dict[str, Any], Wire]:
    known = {key: function[key] for key in FUNCTION_FIELDS if function.get(key) is not None}
    return {"type": "function", **known}, {key: value for key, value in function.items() if key not in known}


def dump_tool(tool: Tool | OpaqueTool, path: str, at: str, d: ChatDump, *, legacy: bool = False) -> Wire | None:
    """A tool as it was, or as the host spells a function."""
    if isinstance(tool, OpaqueTool):
        custom = tool.format == FAMILY and tool.value.get("type") == "custom"
        if tool.format == FAMILY and (d.exact or d.profile.open or custom):
            d.places[at] = path
            return copy_wire(tool.value)
        d.drop(path, f"only {tool.format} has this tool")
        return None
    d.places[at] = path
    function: Wire = {"name": tool.name if d.exact else d.tool_name(tool.name, path, LONGEST_NAME)}
    if tool.description is not None:
        function["description"] = tool.description
    if tool.parameters is not None:
        function["parameters"] = copy_wire(tool.parameters)
    if tool.strict is not None:
        function["strict"] = tool.strict
    out: Wire = function if legacy else {"type": "function", "function": function}
    if d.exact and spelling(tool, "type") == "other":
        del out["type"]
    if tool.cache_control is not None:
        dump_cache(tool, out, path, at, d, allowed=d.profile.message_cache)
    if tool.provider_data is not None:
        d.keep_fields(tool, out, path, NO_FIELDS)
    return out


def load_tool_choice(choice: Json) -> dict[str, Any] | None:
    """The choice among tools; None for what only this format can say."""
    if choice in ("auto", "none", "required") if type(choice) is str else False:
        return {"type": choice}
    if type(choice) is dict and choice.keys() == {"type", "function"} and choice["type"] == "function":
        function: Json = choice["function"]
        if type(function) is dict and function.keys() == {"name"} and type(function["name"]) is str:
            return {"type": "tool", "name": function["name"]}
    return None


def dump_tool_choice(choice: ToolChoice, name: str | None, *, legacy: bool = False) -> Any:
    """The choice among tools."""
    if choice.type != "tool":
        return choice.type
    return {"name": name} if legacy else {"type": "function", "function": {"name": name}}


def load_response_format(wire: Wire) -> tuple[dict[str, Any], dict[str, Wire]] | None:
    """The form that the answer is to have, and what is left of it, by path; None for an unknown type."""
    kind = wire.get("type")
    if kind in ("text", "json_object"):
        return {"type": kind}, {"response_format": {key: value for key, value in wire.items() if key != "type"}}
    schema: Json = wire.get("json_schema")
    if kind != "json_schema" or type(schema) is not dict:
        return None
    checks = {"name": str, "description": str, "strict": bool, "schema": dict}
    known = {key: schema[key] for key, of in checks.items() if type(schema.get(key)) is of}
    rest = {key: value for key, value in wire.items() if key not in ("type", "json_schema")}
    inner = {key: value for key, value in schema.items() if key not in known}
    if "schema" in known:
        known["json_schema"] = known.pop("schema")
    return {"type": kind} | known, {"response_format": rest, "response_format/json_schema": inner}


def dump_response_format(form: ResponseFormat, d: ChatDump) -> Wire:
    """The form that the answer is to have."""
    if form.type != "json_schema":
        return {"type": form.type}
    schema: Wire = {key: getattr(form, key) for key in ("name", "description", "strict") if getattr(form, key) is not None}
    if form.json_schema is not None:
        schema["schema"] = copy_wire(form.json_schema)
    if "name" not in schema and not d.same_family:
        schema["name"] = INVENTED_NAME
        d.report("added", "/response_format", "/response_format/json_schema/name", "a schema needs a name")
    return {"type": form.type, "json_schema": schema}


# Requests

_SAME = ("model", "temperature", "top_p", "top_k", "parallel_tool_calls", "reasoning_effort", "metadata", "user", "stream")


def load_request(wire: Wire, profile: ChatProfile, *, light: bool = False) -> dict[str, Any]:
    """A request body as the data of a canonical request; raises pydantic's `ValidationError`, at the first bad message."""
    wire = validators()[0].validate_python(wire)
    out: dict[str, Any] = {}
    taken, spelled, rest = set[str](), dict[str, Any](), dict[str, Any]()
    if "messages" in wire:
        out["messages"] = load_messages(wire["messages"], profile, light=light)
        taken.add("messages")
    for key in _SAME:
        if wire.get(key) is not None:
            out[key] = wire[key]
            taken.add(key)
    for key in ("max_completion_tokens", "max_tokens"):
        if wire.get(key) is not None and "max_tokens" not in out:
            out["max_tokens"] = wire[key]
            taken.add(key)
            if key != profile.token_field:
                spelled["max_tokens"] = key
    stop = wire.get("stop")
    if stop is not None:
        out["stop"] = [stop] if type(stop) is str else stop
        taken.add("stop")
        if type(stop) is str:
            spelled["stop"] = "text"
    _load_tools(wire, out, taken, spelled, profile)
    form = wire.get("response_format")
    if form is not None and (read := load_response_format(form)) is not None:
        out["response_format"], rest = read
        taken.add("response_format")
    return keep_unknown(out, wire, taken, FAMILY, spelled, partial=rest)


def _load_tools(wire: Wire, out: dict[str, Any], taken: set[str], spelled: Wire, profile: ChatProfile) -> None:
    tools, functions = wire.get("tools"), wire.get("functions")
    if tools is not None:
        out["tools"] = [load_tool(tool, profile) for tool in tools]
        taken.add("tools")
    elif functions is not None and all(type(function.get("name")) is str for function in functions):
        loaded: list[Any] = []
        out["tools"] = loaded
        for function in functions:
            tool, inner = _load_function(function)
            loaded.append(keep_unknown(tool, inner, (), FAMILY))
        taken.add("functions")
        spelled["tools"] = "functions"
    for key in ("tool_choice", "function_call"):
        if wire.get(key) is not None and "tool_choice" not in out:
            choice = load_tool_choice(wire[key])
            if key == "function_call" and type(wire[key]) is dict and wire[key].keys() == {"name"}:
                choice = {"type": "tool", "name": wire[key]["name"]} if type(wire[key]["name"]) is str else None
            if choice is not None:
                out["tool_choice"] = choice
                taken.add(key)
                if key == "function_call":
                    spelled["tool_choice"] = key


def dump_request(request: Request, given: Sequence[Message], d: ChatDump) -> Wire:
    """A request body."""
    profile = d.profile
    d.reserve(given, request.tools or ())
    out: Wire = {"messages": d.progress.messages}
    dump_messages(given, 0, len(given), d)
    if d.progress.strays:
        flush_strays(d.by_rules())
    if len(request.model_fields_set) == 1:
        return out
    for key in _SAME:
        value = getattr(request, key)
        if value is None:
            continue
        if key == "top_k" and not (d.exact or profile.open):
            d.drop("/top_k", "there is no such field")
        else:
            out[key] = copy_wire(value)
    if request.max_tokens is not None:
        out[(d.exact and spelled(request, "max_tokens", "max_tokens", "max_completion_tokens")) or profile.token_field] = (
            request.max_tokens
        )
    if request.stop is not None:
        _dump_stop(request, request.stop, out, d)
    if request.tools is not None:
        _dump_tools(request, request.tools, out, d)
    if not out.get("tools") and not d.exact and out.pop("parallel_tool_calls", None) is not None:
        d.drop("/parallel_tool_calls", "it is said with tools alone")
    names = [_tool_name(tool) for tool in out.get("tools", ())]
    chosen = request.tool_choice.name if request.tool_choice is not None else None
    if chosen is not None and not d.exact:
        chosen = d.tool_name(chosen, "/tool_choice", LONGEST_NAME)
    if not d.exact and choice_without_tool(request.tool_choice, names, chosen):
        # What is left of a choice that also said whether calls may be parallel is a changed one.
        left = bool(names) and request.parallel_tool_calls is not None
        d.report("changed" if left else "dropped", "/tool_choice", None, "none of the tools that it is about can be sent")
    elif request.tool_choice is not None:
        legacy = d.exact and spelling(request, "tool_choice") == "function_call"
        out["function_call" if legacy else "tool_choice"] = dump_tool_choice(request.tool_choice, chosen, legacy=legacy)
    if request.response_format is not None:
        out["response_format"] = dump_response_format(request.response_format, d)
    for key in ("reasoning_budget", "caching"):
        if getattr(request, key) is not None:
            d.drop("/" + key, "there is no such field")
    if request.provider_data is not None:
        d.keep_fields(request, out, "", REQUEST_FIELDS, NOT_OF_CHAT)
    return out


def _write(messages: Sequence[Any], start: int, out: list[Wire], d: ChatDump) -> None:
    dump_messages(messages, start, len(messages), d)


def _finish(out: Wire, messages: list[Wire], d: ChatDump) -> None:
    if d.progress.strays:
        flush_strays(d.by_rules())


def _lead(messages: Sequence[Any], out: Wire, d: ChatDump) -> int:
    return 0


STEPS = Steps(lead=_lead, write=_write, finish=_finish)


def _tool_name(tool: Wire) -> str:
    for kind in ("function", "custom"):
        if isinstance(tool.get(kind), dict):
            return str(tool[kind].get("name"))
    return ""


def _dump_tools(request: Request, tools: tuple[Any, ...], out: Wire, d: ChatDump) -> None:
    legacy = d.exact and spelling(request, "tools") == "functions"
    key = "functions" if legacy else "tools"
    written: list[Wire] = []
    for i, tool in enumerate(tools):
        dumped = dump_tool(tool, f"/tools/{i}", f"/{key}/{len(written)}", d, legacy=legacy)
        if dumped is not None:
            written.append(dumped)
    if written or d.exact:
        out[key] = written


def _dump_stop(request: Request, stop: tuple[str, ...], out: Wire, d: ChatDump) -> None:
    if d.exact and len(stop) == 1 and spelling(request, "stop") == "text":
        out["stop"] = stop[0]
        return
    most = len(stop) if d.exact or d.profile.open else 4
    for i in reversed(range(most, len(stop))):
        d.drop(f"/stop/{i}", "there are at most 4 stop sequences")
    out["stop"] = list(stop[:most])
