"""Load and dump requests: each `dump_x` undoes its `load_x`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...codec.arguments import fit_parameters
from ...codec.efforts import BUDGETS
from ...codec.fields import FieldReader, Wire, copy_wire
from ...codec.format import Steps
from ...codec.settings import drop_form_fields, dump_rest, fit_choice, fit_most, fit_stop
from ...codec.shared import Setting, Shared, same
from ...model.exchange import OpaqueTool, Request, ResponseFormat, Tool
from .base import FAMILY, LONGEST_NAME, CohereDump, adapter, keep_whole
from .messages import dump_messages, load_message

# Tools and the choice among them


def load_tool(wire: Wire) -> dict[str, Any]:
    """Load a function; any other tool is kept whole."""
    if wire["type"] != "function":
        return keep_whole(wire)
    fields = FieldReader(wire, "type")
    function = fields.inside("function")
    out: dict[str, Any] = {"type": "function"}
    function.move(out, "name", "description", "parameters")
    return fields.keep(out, FAMILY)


def dump_tool(tool: Tool | OpaqueTool, path: str, at: str, d: CohereDump) -> Wire | None:
    """Dump a tool; None, with a report, for another provider's."""
    if tool.type == "opaque":
        return d.own_tool(tool, path, at)
    d.places[at] = path
    function: Wire = {"name": tool.name if d.exact else d.tool_name(tool.name, path, LONGEST_NAME)}
    if tool.description is not None:
        function["description"] = tool.description
    if not d.exact:
        function["parameters"] = fit_parameters(tool.parameters, path, at + "/function/parameters", d)[0]
    elif tool.parameters is not None:
        function["parameters"] = copy_wire(tool.parameters)
    out: Wire = {"type": "function", "function": function}
    d.drop_named(tool, path, "cache_control")
    d.lay_provider_data(tool, out, path)
    return out


def _dump_tools(request: Request, out: Wire, d: CohereDump) -> None:
    tools: list[tuple[str, Tool | OpaqueTool]] = []
    written: list[Wire] = []
    for path, tool in d.tools_of(request):
        tools.append((path, tool))
        made = dump_tool(tool, path, f"/tools/{len(written)}", d)
        if made is not None:
            written.append(made)
    if written or (d.exact and request.tools is not None):
        out["tools"] = written
    _dump_strict(tools, out, d)


def _dump_strict(tools: Sequence[tuple[str, Tool | OpaqueTool]], out: Wire, d: CohereDump) -> None:
    """Mark all tools as strict, if each is: Cohere has one field for all tools."""
    functions = [(path, tool) for path, tool in tools if tool.type == "function"]
    strict = [path for path, tool in functions if tool.strict]  # a tool without the field is not strict
    if not strict:
        return
    if len(strict) == len(functions):
        out["strict_tools"] = True
        reason = "Cohere has `strict_tools` for all tools in place of `strict` for each"
        for path in strict:
            d.report("changed", path + "/strict", "/strict_tools", reason)
    else:
        reason = "Cohere has one `strict_tools` for all tools, and not all of these are strict: make all of them strict"
        for path in strict:
            d.drop(path + "/strict", reason)


_CHOICES = {"NONE": "none", "REQUIRED": "required"}
_WORDS = {meaning: word for word, meaning in _CHOICES.items()}


def _load_choice(fields: FieldReader, out: dict[str, Any]) -> None:
    word = fields.wire.get("tool_choice")
    if word in _CHOICES:
        out["tool_choice"] = {"type": _CHOICES[word]}
        fields.know("tool_choice")


def _dump_choice(request: Request, out: Wire, d: CohereDump) -> None:
    """Dump the tool choice; a choice of one tool becomes a choice of any tool."""
    sent = [str(tool.get("function", {}).get("name")) for tool in out.get("tools", ())]
    choice, name = fit_choice(request.tool_choice, sent, LONGEST_NAME, d)
    if choice is None or choice.type == "auto":
        return  # without a choice, the model chooses
    out["tool_choice"] = _WORDS.get(choice.type, "REQUIRED")
    if name is not None:
        d.report(
            "changed",
            "/tool_choice",
            "/tool_choice",
            "Cohere has no field that names the tool to call: sent as REQUIRED, which allows any of them",
        )


# Settings

_SAME = ("model", "max_tokens", "stream")
_RENAMED = {"p": "top_p", "k": "top_k"}
_MOST_STOPS = 5
_LEAST_P = 0.01
_MOST_P = 0.99
_MOST_K = 500
REQUEST_FIELDS = frozenset(
    "citation_options documents frequency_penalty logprobs presence_penalty priority response_format safety_mode seed "
    "strict_tools thinking tool_choice tools".split()
)
"""The fields that Cohere documents and that have no canonical form (cohere 7.3.1, `v2/client.py`)."""
SHARED: Shared = same("logprobs") | {
    "frequency_penalty": Setting(("frequency_penalty",), least=0, most=1),
    "presence_penalty": Setting(("presence_penalty",), least=0, most=1),
    "seed": Setting(("seed",), least=0),
}
"""The settings without a canonical field that other formats have too."""
_WRITTEN = (
    "model max_tokens temperature stream top_p top_k stop tools tool_choice reasoning_budget reasoning_effort response_format"
).split()


def _load_thinking(thinking: FieldReader, out: dict[str, Any]) -> None:
    """Load the budget of reasoning, which is 0 if reasoning is disabled."""
    kind = thinking.take("type")
    budget = thinking.wire.get("token_budget")
    if kind == "disabled":
        out["reasoning_budget"] = 0
    elif kind == "enabled" and type(budget) is int and budget != 0:
        out["reasoning_budget"] = thinking.take("token_budget")
    else:
        thinking.forget()


def _dump_thinking(request: Request, out: Wire, d: CohereDump) -> None:
    """Dump reasoning as Cohere has it: disabled, or enabled, with or without a budget of tokens."""
    budget = request.reasoning_budget
    if request.reasoning_effort is not None:
        _dump_effort(request.reasoning_effort, budget, out, d)
    if budget is None:
        return
    if budget == 0:
        out["thinking"] = {"type": "disabled"}
    elif budget > 0 or d.exact:
        out["thinking"] = {"type": "enabled", "token_budget": budget}
    else:
        out["thinking"] = {"type": "enabled"}
        reason = "a budget that the model chooses becomes enabled thinking without a budget"
        d.report("changed", "/reasoning_budget", "/thinking", reason)


def _dump_effort(effort: str, budget: int | None, out: Wire, d: CohereDump) -> None:
    """Write Cohere's nearest setting for an effort; a budget has precedence."""
    if budget in (None, 0) and effort == "none":
        out["thinking"] = {"type": "disabled"}  # which means the same
    elif budget is None and effort in BUDGETS and not d.exact:
        out["thinking"] = {"type": "enabled", "token_budget": BUDGETS[effort]}
        d.report("changed", "/reasoning_effort", "/thinking", "Cohere has budgets in place of efforts: sent as a budget")
    else:
        d.drop("/reasoning_effort", "Cohere has no `reasoning_effort`: set `reasoning_budget` in its place")


def _load_format(form: FieldReader, out: dict[str, Any]) -> None:
    """Load the response format; JSON may have a schema."""
    kind = form.take("type", str)
    schema = form.take("json_schema", dict) if kind == "json_object" else None
    if schema is not None:
        out["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif kind in ("text", "json_object"):
        out["response_format"] = {"type": kind}
    else:
        form.forget()


def _dump_format(form: ResponseFormat, out: Wire, d: CohereDump) -> None:
    made = out["response_format"] = {"type": "text" if form.type == "text" else "json_object"}
    if form.type == "json_schema" and form.json_schema is not None:
        made["json_schema"] = copy_wire(form.json_schema)
    elif form.type == "json_schema":
        d.report("changed", "/response_format", "/response_format", "without a schema, the response format is any JSON object")
    drop_form_fields(form, d)


# Requests


def load_request(wire: Wire) -> dict[str, Any]:
    """Load a request body as the data of a canonical request; raises pydantic's `ValidationError`."""
    fields = FieldReader(adapter().validator.validate_python(wire))
    out: dict[str, Any] = {"messages": [load_message(message) for message in fields.take("messages")]}
    if len(fields.wire) == 1:
        return out
    fields.move(out, *_SAME, "temperature", stop_sequences="stop", **_RENAMED)
    tools = fields.take("tools")
    if tools is not None:
        out["tools"] = [load_tool(tool) for tool in tools]
    _load_choice(fields, out)
    if fields.wire.get("thinking"):
        _load_thinking(fields.inside("thinking"), out)
    if fields.wire.get("response_format"):
        _load_format(fields.inside("response_format"), out)
    return fields.keep(out, FAMILY)


def dump_request(request: Request, messages: Sequence[Any], d: CohereDump) -> Wire:
    """Dump a request body."""
    d.reserve(messages, request.tools or ())
    written: list[Wire] = []
    out: Wire = {"messages": written}
    dump_messages(messages, 0, written, d)
    if len(request.model_fields_set) == 1:
        return out
    out |= {key: getattr(request, key) for key in _SAME if getattr(request, key) is not None}
    _dump_sampling(request, out, d)
    _dump_tools(request, out, d)
    if request.tool_choice is not None:
        _dump_choice(request, out, d)
    if request.reasoning_budget is not None or request.reasoning_effort is not None:
        _dump_thinking(request, out, d)
    if request.response_format is not None:
        _dump_format(request.response_format, out, d)
    return dump_rest(request, out, d, _WRITTEN, REQUEST_FIELDS)


def _dump_sampling(request: Request, out: Wire, d: CohereDump) -> None:
    """Write the sampling settings, changed to the nearest values that Cohere accepts, and the stop sequences."""
    if request.temperature is not None:
        out["temperature"] = fit_most(request.temperature, 1, "/temperature", d)
    if request.top_p is not None:
        _dump_within("p", request.top_p, _LEAST_P, _MOST_P, out, d)
    if request.top_k is not None:
        _dump_within("k", request.top_k, 0, _MOST_K, out, d)
    stop = fit_stop(request.stop, d, most=_MOST_STOPS)
    if stop is not None:
        out["stop_sequences"] = stop


def _dump_within(key: str, value: float, least: float, most: float, out: Wire, d: CohereDump) -> None:
    """Write a number, or the nearest number that Cohere accepts."""
    out[key] = value if d.exact else min(max(value, least), most)
    if out[key] != value:
        d.report("changed", "/" + _RENAMED[key], "/" + key, f"`{key}` must be from {least} to {most}; sent as {out[key]}")


def _write(messages: Sequence[Any], start: int, out: list[Wire], d: CohereDump) -> None:
    dump_messages(messages, start, out, d)


STEPS = Steps(write=_write)
