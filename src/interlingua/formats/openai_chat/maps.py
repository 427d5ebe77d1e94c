"""Load and dump Chat Completions requests: each `dump_x` undoes its `load_x`.

Most tools have no fields beside their function. To keep no record of the rest saves 12 % of a request with 20 tools.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...codec.allowed import TYPE as ALLOWED, Allowed, dump_allowed, load_allowed
from ...codec.arguments import fit_schema, name_answer
from ...codec.fields import FieldReader, Wire, copy_wire, spelling, value_at
from ...codec.format import Steps
from ...codec.provider_data import ask_for_usage, lay_request_data
from ...codec.settings import fit_choice, fit_most, fit_user
from ...errors import LossKind, escape, excerpt
from ...model.base import Json
from ...model.exchange import OpaqueTool, Request, ResponseFormat, Tool
from ...model.messages import Message
from .base import FAMILY, LONGEST_NAME, NOT_OF_CHAT, STRUCTURED, ChatDump, adapter, dump_cache, load_cache
from .fitting import ask_for_object, fit_fields, fit_metadata, fit_tools
from .free_form import nested_of
from .messages import dump_messages, flush_strays, load_messages
from .prefill import fit_prefill
from .profiles import ChatProfile
from .server_tools import FIELD as SEARCH_FIELD
from .thinking import THINKING_FIELDS, dump_budget, dump_effort, fit_forced, fit_reasoning, fit_sampling, load_thinking
from .versions import SAMPLING

# Tools and the choice among them

FUNCTION_FIELDS = ("name", "description", "parameters", "strict")


def load_tool(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """Load a function tool; any other tool is kept whole."""
    function: Json = wire.get("function")
    if wire.get("type") not in (None, "function") or type(function) is not dict or type(function.get("name")) is not str:
        return {"type": "opaque", "format": FAMILY, "value": wire}
    out, inner = _load_function(function)
    if not inner and len(wire) == 2 and wire.get("type") == "function":
        return out  # true of most tools
    fields = FieldReader(wire)
    fields.left("function", inner)
    if fields.take("type") is None:
        fields.spelling["type"] = "other"
    load_cache(fields, out, profile.cache if profile.tool_cache else None)
    return fields.keep(out, FAMILY)


def _load_function(function: Wire) -> tuple[dict[str, Any], Wire]:
    """Load a function and its unknown fields."""
    known: dict[str, Any] = {"type": "function"}
    left: Wire = {}
    for key, value in function.items():
        if key in FUNCTION_FIELDS and value is not None:
            known[key] = value
        else:
            left[key] = value
    return known, left


def dump_tool(tool: Tool | OpaqueTool, path: str, at: str, d: ChatDump, *, legacy: bool = False) -> Wire | None:
    """Dump a tool as it was loaded, or a function in the host's form."""
    if tool.type == "opaque":
        return _dump_opaque(tool, path, at, d)
    d.places[at] = path
    fields = tool.__dict__
    function: Wire = {"name": tool.name if d.exact else d.tool_name(tool.name, path, LONGEST_NAME)}
    if (description := fields.get("description")) is not None:
        function["description"] = description
    strict = fields.get("strict")
    if (schema := fields.get("parameters")) is not None:
        schema_at = f"{at}/parameters" if legacy else f"{at}/function/parameters"
        function["parameters"], strict = fit_schema(
            schema, "tool", strict=strict, path=f"{path}/parameters", at=schema_at, d=d, tool=function["name"]
        )
    if strict is not None:
        function["strict"] = strict
    if d.profile.schema_required and "parameters" not in function and not d.exact:
        function["parameters"] = {"type": "object", "properties": {}}
        d.report(
            "added", path, f"{at}/function/parameters", "a function must have `parameters`; sent with an empty object schema"
        )
    out: Wire = function if legacy else {"type": "function", "function": function}
    if d.exact and spelling(tool, "type") == "other":
        del out["type"]
    if fields.get("cache_control") is not None:
        dump_cache(tool, out, path, d, allowed=d.profile.tool_cache)
    if fields.get("provider_data") is not None:
        d.keep_fields(tool, out, path)
    return out


def _dump_opaque(tool: OpaqueTool, path: str, at: str, d: ChatDump) -> Wire | None:
    """Dump a free-form tool, if the host has such tools; any other tool is sent only to the host that it came from."""
    is_custom = d.profile.custom_tools and tool.value.get("type") == "custom"
    if is_custom and tool.format == FAMILY:
        out: Wire | None = copy_wire(tool.value)
    elif is_custom and type(name := tool.value.get("name")) is str:
        out = nested_of(tool.value | {"name": d.tool_name(name, path, LONGEST_NAME)})
        for key in tool.value.keys() - {"type", "name", "description", "format"}:
            d.drop(f"{path}/value/{escape(key)}", f"{d.target.name} has no field `{excerpt(key)}` of a tool")
        d.report("changed", path, at, "Chat Completions puts a free-form tool inside an object; it is written in that form")
    else:
        out = d.own_value(tool, path, "tool")
    if out is not None:
        d.places[at] = path
    return out


def _load_tools(fields: FieldReader, out: dict[str, Any], profile: ChatProfile) -> None:
    tools: list[Wire] | None = fields.take("tools")
    functions: list[Wire] | None = fields.wire.get("functions")
    if tools is not None:
        out["tools"] = [load_tool(tool, profile) for tool in tools]
    elif functions is not None and all(type(function.get("name")) is str for function in functions):
        fields.know("functions")
        fields.spelling["tools"] = "functions"
        out["tools"] = [_load_legacy_tool(function) for function in functions]


def _load_legacy_tool(function: Wire) -> dict[str, Any]:
    out, inner = _load_function(function)
    return FieldReader(inner).keep(out, FAMILY)


def dump_tools(request: Request, out: Wire, d: ChatDump) -> None:
    """Write the tools of a request, unless they must be left out."""
    legacy = d.exact and spelling(request, "tools") == "functions"
    key = "functions" if legacy else "tools"
    written: list[Wire] = []
    for path, tool in d.tools_of(request):
        dumped = dump_tool(tool, path, f"/{key}/{len(written)}", d, legacy=legacy)
        if dumped is not None:
            written.append(dumped)
    if written or (d.exact and request.tools is not None):
        out[key] = written
    if d.search_options is not None:
        out[SEARCH_FIELD] = d.search_options


_ANY = "any"
"""The word of some hosts for a choice of any tool, which OpenAI calls `required`."""


def _load_tool_choice(choice: Json) -> dict[str, Any] | None:
    """Load a tool choice; None if it has no canonical form."""
    if type(choice) is str:
        choice = "required" if choice == _ANY else choice
        return {"type": choice} if choice in ("auto", "none", "required") else None
    for kind in ("function", "custom"):
        name = value_at(choice, (kind, "name"))
        if type(name) is str and choice == _named(name, kind):
            return {"type": "tool", "name": name}
    name = value_at(choice, ("name",))
    return {"type": "tool", "name": name} if type(name) is str and choice == _flatly_named(name, "function") else None


def _named(name: str | None, kind: str) -> Wire:
    return {"type": kind, kind: {"name": name}}


def _flatly_named(name: str | None, kind: str) -> Wire:
    """The reference to a tool in the spelling of the Responses API, which some clients write in requests of Chat, too."""
    return {"type": kind, "name": name}


def _load_among(choice: Json, fields: FieldReader) -> Allowed | None:
    """Load a tool choice that limits the model to some of the tools; None for any other."""
    if not _is_among(choice):
        return None
    named = value_at(choice, (ALLOWED,))
    if (among := load_allowed(named, _named)) is None and (among := load_allowed(named, _flatly_named)) is not None:
        fields.spelling["allowed"] = "flat"
    return among


def _is_among(choice: Json) -> bool:
    """Whether a tool choice limits the model to some of the tools."""
    return type(choice) is dict and choice.keys() == {"type", ALLOWED} and choice["type"] == ALLOWED


def _load_choice(fields: FieldReader, out: dict[str, Any]) -> None:
    """Take the tool choice from `tool_choice` or `function_call`."""
    for key in ("tool_choice", "function_call"):
        value = fields.wire.get(key)
        legacy = key == "function_call" and type(value) is not str
        choice = _load_tool_choice({"type": "function", "function": value} if legacy else value)
        among = _load_among(value, fields)
        if among is not None:
            choice = among.choice
            if among.kinds is not None:
                fields.spelling["tool_choice"] = among.kinds
        if choice is not None:
            out["tool_choice"] = choice
            fields.know(key)
            if value_at(value, ("type",)) == "custom":
                fields.spelling["tool_choice"] = "custom"
            elif not legacy and value_at(value, ("name",)) is not None:
                fields.spelling["tool_choice"] = "flat"
            elif key == "function_call" or value == _ANY:
                fields.spelling["tool_choice"] = _ANY if value == _ANY else key
            return


def _names_as(word: str | None, d: ChatDump) -> Callable[[str | None, str], Wire]:
    """The reference to a tool, in the spelling that was recorded."""
    return _flatly_named if d.exact and word == "flat" else _named


def _dump_choice(request: Request, out: Wire, d: ChatDump) -> None:
    names = [_tool_name(tool) for tool in out.get("tools", ())]
    # What is left of a choice that also set whether calls may be parallel counts as changed.
    kind: LossKind = "changed" if names and request.parallel_tool_calls is not None else "dropped"
    choice, name = fit_choice(request.tool_choice, names, LONGEST_NAME, d, kind)
    if choice is None:
        return
    choice = fit_forced(choice, request, out, d)
    recorded = spelling(request, "tool_choice") if d.exact else None
    customs = {_tool_name(tool) for tool in out.get("tools", ()) if "custom" in tool}
    if choice.allowed and choice.type in ("auto", "required"):
        named = _names_as(spelling(request, "allowed"), d)
        out["tool_choice"] = {"type": ALLOWED, ALLOWED: dump_allowed(choice, recorded, customs, named)}
    elif recorded == "function_call":
        out["function_call"] = {"name": name} if choice.type == "tool" else choice.type
    elif choice.type == "tool":
        is_custom = name in customs or (name not in names and recorded == "custom")
        named = _names_as(recorded, d)
        out["tool_choice"] = named(name, "custom" if is_custom and named is _named else "function")
    else:
        out["tool_choice"] = _ANY if choice.type == "required" and recorded == _ANY else choice.type


def _tool_name(tool: Wire) -> str:
    for kind in ("function", "custom"):
        definition: Json = tool.get(kind)
        if type(definition) is dict:
            return str(definition.get("name"))
    return ""


# Settings

_COPIED = frozenset({"model", "temperature", "top_p", "parallel_tool_calls", "stream"})
"""Settings with the same name and value in canonical form."""
_FITTED = frozenset({"top_k", "metadata", "user"})
"""Settings with the same name in canonical form, whose value must be copied or may be refused."""
_SAME = _COPIED | _FITTED | {"reasoning_effort"}
_TOKEN_FIELDS = ("max_completion_tokens", "max_tokens")
SCHEMA_FIELDS = {"name": "name", "description": "description", "strict": "strict", "schema": "json_schema"}
"""The canonical names of the fields of `json_schema`."""


def _load_settings(fields: FieldReader, out: dict[str, Any], profile: ChatProfile) -> None:
    wire = fields.wire
    rest = fields.rest
    for key, value in wire.items():
        if key in _SAME and value is not None:
            out[key] = rest.pop(key)
    for key in _TOKEN_FIELDS:
        if key in wire and "max_tokens" not in out and (count := fields.take(key)) is not None:
            out["max_tokens"] = count
            if key != profile.token_field:
                fields.spelling["max_tokens"] = key
    if not THINKING_FIELDS.isdisjoint(wire):
        load_thinking(fields, out, profile)
    if "stop" in wire and (stop := fields.take("stop")) is not None:
        out["stop"] = [stop] if type(stop) is str else stop
        if type(stop) is str:
            fields.spelling["stop"] = "text"


def _dump_settings(request: Request, out: Wire, d: ChatDump) -> None:
    fields = request.__dict__
    for key, value in fields.items():
        if value is None:
            continue
        if key in _COPIED:
            out[key] = value
        elif key in _FITTED and (fitted := _fit_setting(key, request, d)) is not None:
            out[key] = fitted
    if "temperature" in out:
        out["temperature"] = fit_most(out["temperature"], d.profile.most_temperature, "/temperature", d)
    if (count := fields.get("max_tokens")) is not None:
        out[_token_field(request, d) if d.exact else d.profile.token_field] = count
    stop = fields.get("stop")
    if stop or (stop is not None and d.exact):
        _dump_stop(request, stop, out, d)
    if fields.get("reasoning_effort") is not None:
        dump_effort(request, out, d)
    if fields.get("reasoning_budget") is not None:
        dump_budget(request, out, d)
    if fields.get("caching") is not None:
        d.drop_named(request, "", "caching")


def _fit_setting(key: str, request: Request, d: ChatDump) -> Any:
    """The value to write for a setting in `_FITTED`; None, with a report, if the host does not take it."""
    if key == "metadata":
        return copy_wire(request.metadata)
    if not _is_taken(key, d):
        return d.refuse(f"/{key}", f"{d.target.name} does not take `{key}`")
    return fit_user(request, d.profile.longest_user, d) if key == "user" else getattr(request, key)


def _token_field(request: Request, d: ChatDump) -> str:
    """The field that `max_tokens` was loaded from, else the host's."""
    field = spelling(request, "max_tokens")
    return field if field in _TOKEN_FIELDS else d.profile.token_field


def _is_taken(key: str, d: ChatDump) -> bool:
    """Whether the host accepts a setting that only some hosts accept."""
    return d.exact or (d.profile.user if key == "user" else d.profile.top_k or d.profile.open)


def _dump_stop(request: Request, stop: tuple[str, ...], out: Wire, d: ChatDump) -> None:
    limit = None if d.exact else d.profile.most_stops
    if limit == 0:
        d.drop("/stop", f"{d.target.name} does not take `stop`")
        return
    most = len(stop) if limit is None else limit
    for i in reversed(range(most, len(stop))):
        d.drop(f"/stop/{i}", f"`stop` must have at most {most} entries: the others are left out")
    is_text = d.exact and len(stop) == 1 and spelling(request, "stop") == "text"
    out["stop"] = stop[0] if is_text else list(stop[:most])


_BESIDE = {
    ("json_schema", "schema"): "beside",
    ("json_object", "schema"): "beside_json_object",
    ("json", "value"): "value",
    ("json_object", "value"): "value_json_object",
}
"""The spellings of a schema beside the type, by the type and the field.

SGLang takes it beside json_schema (`set_json_schema` in its `protocol.py`), llama.cpp beside json_object (`server-common.cpp`),
and Text Generation Inference as the value (its guide to guidance, and `GrammarType` in `lib.rs`).
"""
_PLACES_BESIDE = {spelled: place for place, spelled in _BESIDE.items()}


def _load_response_format(fields: FieldReader, out: dict[str, Any]) -> None:
    """Load `response_format`, if its type is known."""
    wire: Wire = fields.wire["response_format"]
    kind = wire.get("type")
    form = {"type": kind}
    known = {"type"}
    schema: Json = wire.get("json_schema")
    if kind == "json_schema" and type(schema) is dict:
        inner = FieldReader(schema)
        inner.move_typed(form, str, "name", "description")
        inner.move_typed(form, bool, "strict")
        inner.move_typed(form, dict, schema="json_schema")
        fields.partial = {**fields.partial, "response_format/json_schema": inner.rest}
        known.add("json_schema")
    elif (key := _field_beside(wire)) is not None:
        form = {"type": "json_schema", "json_schema": wire[key]}
        fields.spelling["response_format"] = _BESIDE[wire["type"], key]
        known.add(key)
    elif kind not in ("text", "json_object"):
        return
    out["response_format"] = form
    fields.left("response_format", {key: value for key, value in wire.items() if key not in known})


def _field_beside(form: Wire) -> str | None:
    """The field beside the type that has the schema of an answer."""
    keys = [key for kind, key in _BESIDE if kind == form.get("type") and type(form.get(key)) is dict]
    return keys[0] if keys else None


def _load_structured(fields: FieldReader, out: dict[str, Any]) -> None:
    """Load a schema of an answer that is in one of vLLM's own fields."""
    is_new = STRUCTURED in fields.wire
    schema = fields.inside(STRUCTURED).take("json", dict) if is_new else fields.take("guided_json", dict)
    if schema is not None:
        out["response_format"] = {"type": "json_schema", "json_schema": schema}
        fields.spelling["response_format"] = STRUCTURED if is_new else "guided_json"


def _dump_structured(request: Request, form: ResponseFormat, d: ChatDump) -> Wire | None:
    """Dump a schema as it was spelled in a host's own fields; None if it was not, or now has what they have no place for."""
    spelled = spelling(request, "response_format") if d.exact else None
    if spelled is None or form.json_schema is None or not form.model_fields_set <= {"type", "json_schema"}:
        return None
    schema = copy_wire(form.json_schema)
    if spelled in _PLACES_BESIDE:
        kind, key = _PLACES_BESIDE[spelled]
        return {"response_format": {"type": kind, key: schema}}
    return {STRUCTURED: {"json": schema}} if spelled == STRUCTURED else {spelled: schema}


def _dump_form(request: Request, form: ResponseFormat, d: ChatDump) -> Wire:
    """Dump the response format, in the field that it was loaded from."""
    if form.type != "text" and not (d.exact or d.profile.answer_schemas):
        return ask_for_object(form, d)
    may_lack_name = d.same_family and spelling(request, "response_format") is None
    structured = _dump_structured(request, form, d)
    return structured or {"response_format": _dump_response_format(form, d, may_lack_name=may_lack_name)}


def _dump_response_format(form: ResponseFormat, d: ChatDump, *, may_lack_name: bool) -> Wire:
    """Dump the response format."""
    if form.type != "json_schema":
        return {"type": form.type}
    values = {key: getattr(form, name) for key, name in SCHEMA_FIELDS.items()}
    if form.json_schema is not None:
        at = "/response_format/json_schema"
        fitted = fit_schema(form.json_schema, "response", strict=form.strict, path=at, at=f"{at}/schema", d=d)
        values["schema"], values["strict"] = fitted
    schema: Wire = {key: value for key, value in values.items() if value is not None}
    if "name" not in schema and not may_lack_name:
        schema["name"] = name_answer(form, "/response_format/json_schema/name", d)
    return {"type": form.type, "json_schema": schema}


# Requests


def load_request(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """Load a request body as the data of a canonical request; raises pydantic's `ValidationError` at the first bad message."""
    fields = FieldReader(adapter("Frame").validator.validate_python(wire))
    out = {"messages": load_messages(fields.take("messages"), profile)}
    if len(fields.wire) > 1:
        _load_settings(fields, out, profile)
        _load_tools(fields, out, profile)
        if "tool_choice" in wire or "function_call" in wire:
            _load_choice(fields, out)
        if fields.wire.get("response_format") is not None:
            _load_response_format(fields, out)
        elif profile.open and (STRUCTURED in wire or "guided_json" in wire):
            _load_structured(fields, out)
    return fields.keep(out, FAMILY)


def dump_request(request: Request, messages: Sequence[Message], d: ChatDump) -> Wire:
    """Dump a request body."""
    fields = request.__dict__
    d.model = fields.get("model")
    d.reserve(messages, fields.get("tools") or ())
    out: Wire = {"messages": d.progress.messages}
    dump_messages(messages, 0, d)
    flush_strays(d)
    _dump_settings(request, out, d)
    if d.has_tools(request):
        dump_tools(request, out, d)
    if not (d.exact or out.get("tools")) and out.pop("parallel_tool_calls", None) is False:
        d.drop("/parallel_tool_calls", "`parallel_tool_calls` needs `tools`, and the request has none")
    if fields.get("tool_choice") is not None:
        _dump_choice(request, out, d)
    if (form := fields.get("response_format")) is not None:
        out |= _dump_form(request, form, d)
    if fields.get("provider_data") is not None:
        is_open = d.profile.open
        known = d.profile.request_fields
        lay_request_data(d, request, out, lambda key: key not in NOT_OF_CHAT if is_open else key in known)
    if fields.get("stream") and (d.profile.open or "stream_options" in d.profile.request_fields):
        ask_for_usage(out, d)
    if not d.exact:
        _fit_settings(request, out, d)
    if d.profile.prefill is not None or d.profile.prefix:
        fit_prefill(request, out, d)
    return out


def _fit_settings(request: Request, out: Wire, d: ChatDump) -> None:
    """Fit to the host what it takes only beside other fields, and the fields that come from provider data."""
    if request.provider_data is not None:
        fit_fields(out, d)
    if "metadata" in out:
        fit_metadata(out, d)
    if "tools" in out:
        if not d.profile.reasoning_with_tools:
            fit_reasoning(request, out, d)
        fit_tools(out, d)
    if d.profile.sampling != "always" and not SAMPLING.isdisjoint(out):
        fit_sampling(out, d)


STEPS = Steps(write=lambda messages, start, _, d: dump_messages(messages, start, d), finish=lambda _, __, d: flush_strays(d))
