"""Load and dump requests: each `dump_x` undoes its `load_x`.

Functions that dump an object take its pointer in the canonical request (`path`), the pointer to its place in the output (`at`),
and the state of the dump with the rules that apply (`d`). If `d.exact` is true, the object is written as it was loaded.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from ...codec.arguments import describe_answer, fit_answer, fit_schema
from ...codec.efforts import nearest_effort
from ...codec.fields import Wire, spelling, value_at
from ...codec.format import Steps
from ...codec.provider_data import calls_follow_schemas, lay_request_data
from ...codec.settings import drop_form_fields, fit_allowed, fit_effort, fit_most, fit_stop, report_choice
from ...codec.shared import Path
from ...codec.turns import lead
from ...model.base import Json
from ...model.exchange import Request, ResponseFormat, ToolChoice, choice_without_tool
from .base import (
    ARGUMENTS,
    CALL_ALONE,
    FAMILY,
    LONGEST_NAME,
    GeminiDump,
    WireReader,
    Words,
    adapter,
    keep_whole,
    list_in,
    object_in,
    respelled,
    value_of,
)
from .labels import dump_labels
from .openapi import dump_schema, load_schema, schema_field
from .parts import TURNS, TURNS_OF_CALL, load_body, load_content, respell
from .shared import VALIDATED_AS_AUTO
from .stand_ins import add_stand_ins

_MOST_STOPS = 5
NUMBERS = {
    "maxOutputTokens": "max_tokens",
    "temperature": "temperature",
    "topP": "top_p",
    "topK": "top_k",
    "stopSequences": "stop",
}
_INTEGERS = {"maxOutputTokens": "max_tokens", "topK": "top_k", "thinkingBudget": "reasoning_budget"}
_LEVELS = Words(("", "MINIMAL", "LOW", "MEDIUM", "HIGH"))  # the numbers of the two hosts differ, so numbers are not read
_NEAREST = {"none": "minimal", "xhigh": "high", "max": "high"}
"""The level that replaces an effort that some models lack; LiteLLM and Pydantic AI send the same."""
_FORMS = {"text/plain": "text", "application/json": "json_object"}


def load_request(wire: Wire) -> dict[str, Any]:
    """Load a request body as the data of a canonical request; raises pydantic's `ValidationError`."""
    return load_body_of(adapter().validator.validate_python(wire))


def load_body_of(wire: Wire) -> dict[str, Any]:
    """Load a request body with valid fields as the data of a canonical request."""
    reader = WireReader(wire)
    out: dict[str, Any] = {"messages": [load_content(content) for content in reader.take_all("contents") or ()]}
    _forget_names(out["messages"])
    _load_system(reader, out)
    if (model := reader.take("model")) is not None:
        out["model"] = model
        reader.spelling["model"] = "body"
    if (tools := reader.take_all("tools")) is not None:
        out["tools"] = load_tools(tools)
    load_choice(reader, out)
    if (labels := reader.take("labels", dict)) is not None:
        out["metadata"] = labels
    if object_in(wire, "generationConfig"):
        _load_config(reader.inside("generationConfig", standalone=True), out)
    reader.inside(ARGUMENTS, standalone=True)  # each is reported by itself
    return reader.keep(out, FAMILY)


def _forget_names(messages: list[dict[str, Any]]) -> None:
    """Remove the names of results that only repeat the names of their calls: a dump takes them from the calls."""
    called: dict[str, str] = {}
    for message in messages:
        for part in message.get("content", ()):
            if part["type"] == "tool_use" and "id" in part:
                called[part["id"]] = part["name"]
            elif part["type"] == "tool_result" and part.get("name") == called.get(part.get("tool_use_id"), ...):
                del part["name"]


def _load_system(reader: WireReader, out: dict[str, Any]) -> None:
    system = reader.take("systemInstruction")
    if system is None:
        return
    inner = WireReader({"parts": [{"text": system}]} if type(system) is str else system)
    if type(system) is str:
        inner.spelling["content"] = "text"
    out["messages"].insert(0, load_body(inner, "system", ()))


def _load_config(config: WireReader, out: dict[str, Any]) -> None:
    config.move(out, **{key: name for key, name in NUMBERS.items() if key not in _INTEGERS})
    _load_integers(config, out, "maxOutputTokens", "topK")
    thinking = config.inside("thinkingConfig")
    _load_integers(thinking, out, "thinkingBudget")
    level, spelled = _LEVELS.read(str(value_of(thinking.wire, "thinkingLevel")))
    if level is not None:
        thinking.take("thinkingLevel")
        out["reasoning_effort"] = level.lower()
        if spelled is not None:
            config.spelling["level"] = spelled
    form = _FORMS.get(value_of(config.wire, "responseMimeType") or "")
    if form is None:
        return
    config.take("responseMimeType")
    out["response_format"] = {"type": form}
    if form == "json_object" and (schema := load_schema(config, "responseSchema", "responseJsonSchema", "schema")) is not None:
        out["response_format"] = {"type": "json_schema", "json_schema": schema}


def _load_integers(reader: WireReader, out: dict[str, Any], *keys: str) -> None:
    """Load integers; a fraction of 0 is recorded, and a number with another one is left."""
    for key in keys:
        value = value_of(reader.wire, key)
        if type(value) is float and not value.is_integer():
            continue
        if (value := reader.take(key)) is not None:
            out[_INTEGERS[key]] = int(value)
            if type(value) is float:
                reader.spelling[_INTEGERS[key]] = "float"


def _spelled(value: int, name: str, request: Request, d: GeminiDump) -> float:
    """An integer as it was loaded."""
    return float(value) if d.exact and spelling(request, name) == "float" else value


def dump_request(request: Request, messages: Sequence[Any], d: GeminiDump) -> Wire:
    """Dump a request body."""
    d.reserve(messages, request.tools or ())
    contents: list[Wire] = []
    out: Wire = {"contents": contents}
    turns = TURNS_OF_CALL if d.profile.as_call else TURNS
    turns.write_all(messages, contents, d, partial(_dump_system, request), out)
    if d.first_calls:
        add_stand_ins(contents, d)
    if len(request.model_fields_set) > 1:
        _dump_settings(request, out, d)
    _write_all(request, "contents", contents, out, d)
    return out


def _dump_settings(request: Request, out: Wire, d: GeminiDump) -> None:
    is_in_body = d.profile.as_call or (d.exact and spelling(request, "model") == "body")
    if request.model is not None and is_in_body:
        out["model"] = request.model  # the model is in the URL otherwise
    if d.has_tools(request):
        dump_tools(request, out, d)
    dump_choice(request, out, d)
    if d.profile.mixed_tools and not d.same_family:
        _mix_tools(request, out, d)
    if config := _dump_config(request, d):
        out[d.key(request, "generationConfig")] = config
    if request.metadata or (request.metadata is not None and d.same_family):
        dump_labels(request.metadata, out, d)
    d.drop_named(request, "", "user", "caching")
    lay_request_data(d, request, out, None if d.profile.as_call else lambda key: key not in CALL_ALONE)


def _dump_config(request: Request, d: GeminiDump) -> Wire:
    out: Wire = {}
    for key, name in NUMBERS.items():
        if (value := getattr(request, name)) is not None:
            if name == "stop":
                value = fit_stop(value, d, most=_MOST_STOPS) or []
            elif key in _INTEGERS:
                value = _spelled(value, name, request, d)
            elif key == "temperature":
                value = fit_most(value, 2, "/temperature", d, f"/{d.key(request, 'generationConfig')}/temperature")
            out[d.key(request, key)] = value
    if request.reasoning_budget is not None or request.reasoning_effort is not None:
        _dump_thinking(request, out, d)
    if request.response_format is not None:
        _dump_form(request, request.response_format, out, d)
    return out


def _dump_thinking(request: Request, out: Wire, d: GeminiDump) -> None:
    thinking: Wire = {}
    budget = request.reasoning_budget
    effort = fit_effort(request, None, d)
    if budget is None:
        at = "".join("/" + d.key(request, key) for key in ("generationConfig", "thinkingConfig", "thinkingLevel"))
        effort = nearest_effort(effort, _NEAREST, at, d)
    if budget is not None:
        thinking[d.key(request, "thinkingBudget")] = _spelled(budget, "reasoning_budget", request, d)
    has_level = effort is not None and budget is None and effort.upper() in _LEVELS.names
    if effort is not None and (d.exact or has_level):
        spelled = spelling(request, "level") if d.exact else None
        thinking[d.key(request, "thinkingLevel")] = _LEVELS.write(effort.upper(), spelled)
    elif effort is not None and not (effort == "none" and budget == 0):  # which mean the same
        why = "minimal, low, medium or high" if budget is None else "left out beside a budget"
        d.drop("/reasoning_effort", f"`reasoning_effort` must be {why}")
    if thinking:
        out[d.key(request, "thinkingConfig")] = thinking


def _dump_form(request: Request, form: ResponseFormat, out: Wire, d: GeminiDump) -> None:
    out[d.key(request, "responseMimeType")] = "text/plain" if form.type == "text" else "application/json"
    placed: list[str] = []
    if form.json_schema is not None and form.type == "json_schema":
        key = schema_field(request, "responseSchema", "responseJsonSchema", "schema", d)
        at = f"/generationConfig/{key}"
        schema = fit_answer(form.json_schema, at, d)
        placed = describe_answer(form, schema, at, d)
        out[key] = dump_schema(request, schema, "schema", d)
    elif form.type == "json_schema":
        d.report("changed", "/response_format/type", None, "without a schema, the response format is any JSON")
    drop_form_fields(form, d, *placed)


# Tools


def load_tools(tools: list[Wire]) -> list[dict[str, Any]]:
    """Load each declared function, and other tools whole; the first function in an object records how they were grouped."""
    out: list[dict[str, Any]] = []
    for entry in tools:
        reader = WireReader(entry)
        declared = functions_in(entry)
        if not declared:
            out.append(keep_whole(entry))
            continue
        reader.take("functionDeclarations")
        rest = reader.rest
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
    """The functions that an object declares; an empty list if any has no name."""
    declared: list[Wire] = value_of(entry, "functionDeclarations") or []
    return declared if all(type(one.get("name")) is str for one in declared) else []


def _load_function(reader: WireReader) -> dict[str, Any]:
    out: dict[str, Any] = {"type": "function"}
    reader.move(out, "name", "description")
    if (schema := load_schema(reader, "parameters", "parametersJsonSchema", "parameters")) is not None:
        out["parameters"] = schema
    return reader.keep(out, FAMILY)


def dump_tools(request: Request, out: Wire, d: GeminiDump) -> None:
    """Dump tools; consecutive functions go into one object, unless they were loaded from several."""
    written: list[Wire] = []
    group: list[Wire] | None = None
    mixed = False
    key = ""
    for path, tool in d.tools_of(request):
        if tool.type == "opaque":
            if (value := d.own_value(tool, path, "tool")) is None:
                continue
            if not mixed:
                written.append({})
            written[-1] |= value if d.exact else respelled(value, as_snake=d.profile.as_call)
            d.places[f"/tools/{len(written) - 1}"] = path
            group = None
            mixed = False
            continue
        begun = spelling(tool, "group") if d.exact else None
        if group is None or begun is not None:
            group = []
            key = d.key(tool, "functionDeclarations")
            written.append({key: group})
            mixed = begun == "mixed"
        group.append(_dump_function(tool, path, f"/tools/{len(written) - 1}/{key}/{len(group)}", d))
    if written or d.exact:
        _write_all(request, "tools", written, out, d)


def _write_all(request: Request, key: str, written: list[Wire], out: Wire, d: GeminiDump) -> None:
    """Write a list, or the object that stood for a list of one, and correct the places in it."""
    out[key] = written
    if d.exact and len(written) == 1 and spelling(request, key) == "object":
        [out[key]] = written
        first = f"/{key}/0"
        moved = {at: at.replace(first, f"/{key}", 1) for at in d.places if at.startswith(first)}
        d.places.update({after: d.places.pop(at) for at, after in moved.items()})


def _dump_function(tool: Any, path: str, at: str, d: GeminiDump) -> Wire:
    d.places[at] = path
    out: Wire = {"name": tool.name if d.exact else d.tool_name(tool.name, path)}
    if tool.description is not None:
        out["description"] = tool.description
    if tool.parameters is not None:
        key = schema_field(tool, "parameters", "parametersJsonSchema", "parameters", d)
        schema = fit_schema(tool.parameters, "tool", path=f"{path}/parameters", at=f"{at}/{key}", d=d)[0]
        out[key] = dump_schema(tool, schema, "parameters", d)
    for key in ("strict", "cache_control"):
        if getattr(tool, key):  # a tool without the field is not strict
            d.drop(f"{path}/{key}", f"Gemini's functions have no field `{key}`")
    d.lay_provider_data(tool, out, path)
    return out


# The choice among tools

_VALIDATED = "VALIDATED"
_MODES = Words(("", "AUTO", "ANY", "NONE"))
_CHOICES = {"AUTO": "auto", "ANY": "required", "NONE": "none"}
_MODE_OF = {choice: mode for mode, choice in _CHOICES.items()} | {"tool": "ANY"}


def load_choice(reader: WireReader, out: dict[str, Any]) -> None:
    """Load the tool choice; a choice of an unknown mode is not read."""
    outer = reader.inside("toolConfig")
    calling = outer.inside("functionCallingConfig")
    mode, spelled = _MODES.read(calling.wire.get("mode"))
    names = list_in(calling.wire, "allowedFunctionNames")
    if mode is None and _is_validated(calling.wire):
        # The mode stays in provider data, as it also requires that calls follow the schemas.
        reader.take("toolConfig")
        outer.take("functionCallingConfig")
        out["tool_choice"] = {"type": "auto"}
        if names:
            out["tool_choice"]["allowed"] = calling.take("allowedFunctionNames")
    if mode is None:
        return
    if spelled is not None:
        reader.spelling["mode"] = spelled
    calling.know("mode")
    out["tool_choice"] = {"type": _CHOICES[mode]}
    if mode == "ANY" and len(names) == 1:
        out["tool_choice"] = {"type": "tool", "name": names[0]}
        calling.take("allowedFunctionNames")
    elif names and mode != "NONE":
        out["tool_choice"]["allowed"] = calling.take("allowedFunctionNames")


def _is_validated(calling: Json) -> bool:
    """Whether the mode lets the model choose, and requires that calls follow the schemas."""
    return str(value_of(calling, "mode")).upper() == _VALIDATED


def sent_in_part(overlay: Wire) -> dict[Path, str]:
    """The path of a mode that was read as `auto` although it means more, with what is lost."""
    for outer in ("toolConfig", "tool_config"):
        for inner in ("functionCallingConfig", "function_calling_config"):
            if _is_validated(value_at(overlay, (outer, inner))):
                return {(outer, inner, "mode"): VALIDATED_AS_AUTO}
    return {}


def dump_choice(request: Request, out: Wire, d: GeminiDump) -> None:
    """Dump the tool choice."""
    if request.parallel_tool_calls is False:
        d.drop("/parallel_tool_calls", "Gemini has no setting for parallel calls")
    if (choice := request.tool_choice) is None:
        return
    sent = [str(one.get("name")) for entry in list_in(out, "tools") for one in list_in(entry, "functionDeclarations")]
    if choice.allowed and not d.same_family:
        choice = fit_allowed(choice, choice.allowed, sent, LONGEST_NAME, d)
    if choice is None:
        return
    name = choice.name if choice.name is None or d.exact else d.tool_name(d.chosen_name(choice.name), "/tool_choice")
    if not d.same_family and choice_without_tool(choice, sent, name):
        report_choice(choice, d, has_tools=bool(out.get("tools")))
        return
    calling = _calling_config(request, choice, name, d)
    out[d.key(request, "toolConfig")] = {d.key(request, "functionCallingConfig"): calling}


def _mix_tools(request: Request, out: Wire, d: GeminiDump) -> None:
    """Add the field that Gemini requires if functions and Google's own tools are sent together."""
    kinds = {kind for entry in list_in(out, "tools") for kind in entry}
    functions = d.key(request, "functionDeclarations")
    if functions in kinds and len(kinds) > 1:
        key, flag = d.key(request, "toolConfig"), d.key(request, "includeServerSideToolInvocations")
        out.setdefault(key, {})[flag] = True
        d.report("added", "", f"/{key}/{flag}", "Google's own tools beside functions need this field: it is added")


def _calling_config(request: Request, choice: ToolChoice, name: str | None, d: GeminiDump) -> Wire:
    """The mode of a choice, and the functions that it allows."""
    config: Wire = {}
    mode = _mode_of(request, choice, d)
    if mode is not None:
        config["mode"] = _MODES.write(mode, spelling(request, "mode") if d.exact else None)
    if choice.allowed or name is not None:
        config[d.key(request, "allowedFunctionNames")] = [name] if name is not None else list(choice.allowed or ())
    return config


def _mode_of(request: Request, choice: ToolChoice, d: GeminiDump) -> str | None:
    """The mode of a choice; None if provider data has it."""
    if choice.type == "auto" and d.same_family and FAMILY in (request.provider_data or ()):
        config = object_in(object_in((request.provider_data or {}).get(FAMILY), "toolConfig"), "functionCallingConfig")
        if _is_validated(config):
            return None
    is_validated = choice.type == "auto" and not d.same_family and calls_follow_schemas(d, request)
    if choice.type != "auto" or not (choice.allowed or is_validated) or d.exact:
        return _MODE_OF[choice.type]
    if not (d.same_family or is_validated):
        d.report(
            "changed",
            "/tool_choice",
            None,
            "a choice that allows some functions and requires none is sent as VALIDATED, which also enforces the schemas",
        )
    return _VALIDATED


# The system text


def _dump_system(request: Request | None, out: Wire, d: GeminiDump, lifted: Sequence[Any]) -> None:
    first = lifted[0]
    key = d.key(request, "systemInstruction")
    own = d.rules_for(first)
    holder: Wire = {"parts": []}
    TURNS.lift(lifted, holder, "/" + key, "/" + key, d)
    if holder["parts"] or own.exact:
        out[key] = respell(first, holder, any_role=True) if own.exact else holder


STEPS = Steps(
    lead=partial(lead, partial(_dump_system, None)),
    write=TURNS.write,
    finish=lambda _, written, d: add_stand_ins(written, d),
)
