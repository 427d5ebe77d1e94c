"""The maps of tools, of the choice among them, and of schemas: each `load_x` with the `dump_x` that undoes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...codec.fields import Wire, copy_wire, spelling
from ...model.base import Json
from ...model.exchange import Request, choice_without_tool
from .base import FAMILY, GeminiDump, WireReader, keep_whole, list_in, object_in, value_of

# Schemas

_TYPES = ("TYPE_UNSPECIFIED", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL")
"""The types of Google's dialect of OpenAPI's schemas, at the numbers that they have in the protocol buffers."""


def _retyped(schema: Json, change: Callable[[Any], Any]) -> Any:
    """A schema with its types changed."""
    if type(schema) is list:
        return [_retyped(item, change) for item in schema]
    if type(schema) is not dict:
        return schema
    out: Wire = {key: _retyped(value, change) if key in _HOLDS_SCHEMAS else value for key, value in schema.items()}
    if "type" in out:
        out["type"] = change(out["type"])
    if named := object_in(schema, "properties"):
        out["properties"] = {name: _retyped(named[name], change) for name in named}
    return out


_HOLDS_SCHEMAS = frozenset({"items", "anyOf", "any_of", "prefixItems", "additionalProperties"})


def _usual(value: Json) -> Any:
    if type(value) is int and 0 < value < len(_TYPES):
        return _TYPES[value].lower()
    return value.lower() if type(value) is str and value in _TYPES else value


_SPELLED: dict[str | None, Callable[[Any], Any]] = {
    "lower": lambda value: value,
    "upper": lambda value: value.upper() if type(value) is str else value,
    "number": lambda value: _TYPES.index(value.upper()) if type(value) is str and value.upper() in _TYPES else value,
}
"""How the types of a schema may be spelled."""


def load_schema(reader: WireReader, own: str, standard: str, field: str) -> Wire | None:
    """A JSON Schema: the one in the field `standard`, or else the one of Google's dialect in `own`."""
    schema: Wire | None = reader.take(standard, dict)
    if schema is not None:
        return schema
    schema = reader.take(own, dict)
    if schema is None:
        return None
    usual = _retyped(schema, _usual)
    word = next((word for word, change in _SPELLED.items() if _retyped(usual, change) == schema), None)
    reader.spelling[field] = word or "lower"
    return usual if word else schema


def dump_schema(owner: Any, schema: Wire, out: Wire, own: str, standard: str, field: str, d: GeminiDump) -> None:
    """A JSON Schema, in the field and with the types that it had."""
    word = spelling(owner, field) if d.exact else None
    written = _retyped(schema, _SPELLED[word]) if word in _SPELLED else schema
    out[d.key(owner, standard if word is None else own)] = copy_wire(written)


# Tools


def load_tools(tools: list[Wire]) -> list[dict[str, Any]]:
    """Tools: each function that is declared, and the others whole. Where an object with several begins is recorded."""
    out: list[dict[str, Any]] = []
    for entry in tools:
        reader = WireReader(entry)
        declared = functions_in(entry)
        if not declared:
            out.append(keep_whole(entry))
            continue
        reader.take("functionDeclarations")
        rest = {key: value for key, value in entry.items() if key not in reader.known}
        for i, one in enumerate(declared):
            tool = WireReader(one)
            if i == 0:
                tool.spelling |= reader.spelling
                if rest or (out and out[-1]["type"] == "function"):
                    tool.spelling["group"] = "mixed" if rest else "new"
            out.append(_load_function(tool))
        if rest:
            out.append(keep_whole(rest))
    return out


def functions_in(entry: Wire) -> list[Wire]:
    """The functions that are declared in an object, unless one has no name."""
    declared: list[Wire] = value_of(entry, "functionDeclarations") or []
    return declared if all(type(one.get("name")) is str for one in declared) else []


def _load_function(reader: WireReader) -> dict[str, Any]:
    out: dict[str, Any] = {"type": "function"}
    reader.move(out, "name", "description")
    if (schema := load_schema(reader, "parameters", "parametersJsonSchema", "parameters")) is not None:
        out["parameters"] = schema
    return reader.keep(out, FAMILY)


def dump_tools(request: Request, out: Wire, d: GeminiDump) -> None:
    """Tools; functions in a row are declared in one object, unless they were not."""
    written: list[Wire] = []
    group: list[Wire] | None = None
    mixed = False
    for i, tool in enumerate(request.tools or ()):
        path = f"/tools/{i}"
        if tool.type == "opaque" and tool.format != FAMILY:
            d.drop(path, d.no_place("this tool", tool.format))
            continue
        if tool.type == "opaque":
            if not mixed:
                written.append({})
            written[-1] |= copy_wire(tool.value)
            d.places[f"/tools/{len(written) - 1}"] = path
            group, mixed = None, False
            continue
        begun = spelling(tool, "group") if d.exact else None
        key = d.key(tool, "functionDeclarations")
        if group is None or begun is not None:
            group = []
            written.append({key: group})
            mixed = begun == "mixed"
        group.append(_dump_function(tool, path, f"/tools/{len(written) - 1}/{key}/{len(group)}", d))
    if written or d.exact:
        alone = d.exact and len(written) == 1 and spelling(request, "tools") == "object"
        out["tools"] = written[0] if alone else written


def _dump_function(tool: Any, path: str, at: str, d: GeminiDump) -> Wire:
    d.places[at] = path
    out: Wire = {"name": tool.name if d.exact else d.function_name(tool.name, path)}
    if tool.description is not None:
        out["description"] = tool.description
    if tool.parameters is not None:
        dump_schema(tool, tool.parameters, out, "parameters", "parametersJsonSchema", "parameters", d)
    for key in ("strict", "cache_control"):
        if getattr(tool, key):  # a tool that is not strict is one without the field
            d.drop(f"{path}/{key}", "functions have no such field here")
    if tool.provider_data is not None:
        d.lay_provider_data(tool, out, path)
    return out


# The choice among tools

_MODES = {"AUTO": "auto", "ANY": "required", "NONE": "none"}
_MODE_NUMBERS = {1: "AUTO", 2: "ANY", 3: "NONE"}
_MODE_OF = {choice: mode for mode, choice in _MODES.items()} | {"tool": "ANY"}


def load_choice(reader: WireReader, out: dict[str, Any]) -> None:
    """The choice among functions; one of an unknown mode is not read."""
    config = reader.inner("toolConfig")
    calling = config.inner("functionCallingConfig")
    value: Json = calling.wire.get("mode")
    mode = value.upper() if type(value) is str else _MODE_NUMBERS.get(value if type(value) is int else 0)
    if mode not in _MODES or (type(value) is str and value not in (mode, mode.lower())):
        return
    if value != mode:
        reader.spelling["mode"] = "number" if type(value) is int else "lower"
    calling.known.add("mode")
    out["tool_choice"] = {"type": _MODES[mode]}
    names = list_in(calling.wire, "allowedFunctionNames")
    if mode == "ANY" and len(names) == 1:
        out["tool_choice"] = {"type": "tool", "name": names[0]}
        calling.take("allowedFunctionNames")
    config.close("functionCallingConfig", calling)
    reader.close("toolConfig", config)


def dump_choice(request: Request, out: Wire, d: GeminiDump) -> None:
    """The choice among functions."""
    choice = request.tool_choice
    if request.parallel_tool_calls is not None:
        d.drop("/parallel_tool_calls", "there is no such setting")
    if choice is None:
        return
    sent = [str(one.get("name")) for entry in list_in(out, "tools") for one in list_in(entry, "functionDeclarations")]
    name = choice.name if choice.name is None or d.exact else d.function_name(choice.name, "/tool_choice")
    if not d.same_family and choice_without_tool(choice, sent, name):
        d.drop("/tool_choice", "none of the functions to choose from can be sent")
        return
    mode: str | int = _MODE_OF[choice.type]
    word = spelling(request, "mode") if d.exact else None
    if word == "number":
        mode = next(number for number, each in _MODE_NUMBERS.items() if each == mode)
    calling: Wire = {"mode": mode.lower() if word == "lower" and type(mode) is str else mode}
    if name is not None:
        calling[d.key(request, "allowedFunctionNames")] = [name]
    out[d.key(request, "toolConfig")] = {d.key(request, "functionCallingConfig"): calling}
