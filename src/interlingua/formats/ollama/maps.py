"""Load and dump requests: each `dump_x` undoes its `load_x`.

A body without `stream` asks for a stream, so it is loaded as a request that streams; a request that does not stream is dumped
with `stream` set to false. Neither applies to a part of a body, which has no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...codec.arguments import fit_answer, fit_parameters
from ...codec.efforts import effort_for_budget, nearest_effort, nearest_of
from ...codec.fields import FieldReader, Wire, asks_for_text, copy_wire, spelling
from ...codec.format import Steps
from ...codec.settings import drop_form_fields, dump_rest, fit_choice, fit_effort, fit_stop
from ...codec.shared import Setting, Shared, same
from ...model.base import Json
from ...model.exchange import OpaqueTool, Request, ResponseFormat, Tool
from .base import FAMILY, LONGEST_NAME, OllamaDump, adapter, keep_whole
from .messages import dump_messages, forget_names, load_message

# Tools


def load_tool(wire: Wire) -> dict[str, Any]:
    """Load a function; any other tool is kept whole."""
    if wire.get("type", "function") != "function":
        return keep_whole(wire)
    fields = FieldReader(wire, "type")
    if "type" not in wire:
        fields.spelling["type"] = "absent"
    function = fields.inside("function")
    out: dict[str, Any] = {"type": "function"}
    function.move(out, "name", "description", "parameters")
    return fields.keep(out, FAMILY)


def dump_tool(tool: Tool | OpaqueTool, path: str, at: str, d: OllamaDump) -> Wire | None:
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
    if d.exact and spelling(tool, "type") == "absent":
        del out["type"]
    if tool.strict:
        d.drop(path + "/strict", "Ollama has no strict tools")
    d.drop_named(tool, path, "cache_control")
    d.lay_provider_data(tool, out, path)
    return out


def _dump_tools(request: Request, out: Wire, d: OllamaDump) -> None:
    written: list[Wire] = []
    for path, tool in d.tools_of(request):
        made = dump_tool(tool, path, f"/tools/{len(written)}", d)
        if made is not None:
            written.append(made)
    if written or (d.exact and request.tools is not None):
        out["tools"] = written
    if request.tool_choice is None:
        return
    choice, _ = fit_choice(
        request.tool_choice, [str(tool["function"]["name"]) for tool in written if "function" in tool], 64, d
    )
    if choice is not None and choice.type != "auto":
        why = "Ollama has no tool choice: the model chooses; to keep it from calling tools, leave them out"
        d.report("changed" if request.tool_choice.allowed else "dropped", "/tool_choice", None, why)


# Settings

_OPTIONS = {
    "num_predict": "max_tokens",
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
}
"""The canonical settings that are options of the model in Ollama."""
EFFORTS = frozenset({"low", "medium", "high", "max"})
"""The levels of `think` (`api/types.go`, `ThinkValue`)."""
REQUEST_FIELDS = frozenset("format keep_alive logprobs options shift think top_logprobs truncate".split())
"""The fields of Ollama without a canonical form (`api/types.go`, `ChatRequest`)."""


def _option(name: str) -> Setting:
    return Setting(("options", name))


def _reads_think(think: Json) -> Json:
    return True if think is True else None


SHARED: Shared = same("logprobs") | {
    "adaptive_thinking": Setting(("think",), reads=_reads_think, writes=lambda _: True),
    "frequency_penalty": _option("frequency_penalty"),
    "presence_penalty": _option("presence_penalty"),
    "seed": _option("seed"),
    "top_logprobs": Setting(("top_logprobs",), least=0, most=20, needs="logprobs"),
}
"""Settings without a canonical field that other formats have too."""
WRITTEN = "model stream max_tokens temperature top_p top_k stop reasoning_budget reasoning_effort response_format".split()
"""The settings that are written."""


_INTEGERS = {"num_predict": 0, "top_k": None}
"""The options that are integers, each with the least that has a canonical form.

Ollama takes floats, too, and cuts off their fraction (`api/types.go`, `FromMap`).
"""


def _load_options(options: FieldReader, out: dict[str, Any]) -> None:
    """Load the options that all providers have; a negative limit means no limit, or the rest of the context."""
    options.move(out, temperature="temperature", top_p="top_p")
    for key, least in _INTEGERS.items():
        value = options.wire.get(key)
        if type(value) is float and value.is_integer():
            options.spelling[key] = "float"
            value = int(value)
        if type(value) is int and (least is None or value >= least):
            options.know(key)
            out[_OPTIONS[key]] = value
    stop = options.take("stop")
    if type(stop) is str:
        options.spelling["stop"] = "text"
        stop = [stop]
    if stop is not None:
        out["stop"] = stop


def _dump_options(request: Request, out: Wire, d: OllamaDump) -> None:
    options = {key: getattr(request, name) for key, name in _OPTIONS.items() if getattr(request, name) is not None}
    if d.exact:
        options |= {key: float(options[key]) for key in _INTEGERS if key in options and _was_float(key, request)}
    stop: list[str] | str | None = fit_stop(request.stop, d)
    if stop is not None:
        is_text = d.exact and len(stop) == 1 and spelling(request, "stop") == "text"
        options["stop"] = stop[0] if is_text else stop
    if options:
        out["options"] = options


def _was_float(key: str, request: Request) -> bool:
    return spelling(request, key) == "float"


def _load_think(fields: FieldReader, out: dict[str, Any]) -> None:
    """Load the reasoning effort; reasoning without a level is a setting of the provider's own."""
    think = fields.wire.get("think")
    if think is False or (type(think) is str and think not in ("none", "")):
        fields.know("think")
        out["reasoning_effort"] = "none" if think is False else think


def _dump_think(request: Request, out: Wire, d: OllamaDump) -> None:
    """Write the reasoning effort; a budget becomes an effort."""
    if request.reasoning_budget == 0 and request.reasoning_effort not in (None, "none"):
        out["think"] = False
        d.report("changed", "/reasoning_effort", "/think", "a reasoning budget of 0 disables reasoning: sent as false")
        return
    nearest = nearest_of(EFFORTS)
    effort = fit_effort(request, {"none", *EFFORTS, *nearest}, d)
    effort = nearest_effort(effort, nearest, "/think", d) or effort_for_budget(request, "/think", d, EFFORTS)
    budget = request.reasoning_budget
    if effort is not None:
        out["think"] = False if effort == "none" else effort
        if budget and request.reasoning_effort is not None:
            d.drop("/reasoning_budget", "Ollama has no reasoning budgets: the effort is sent")
    elif budget is not None and budget <= 0:
        out["think"] = budget < 0
        if budget < 0:
            d.report("changed", "/reasoning_budget", "/think", "Ollama has no reasoning budgets: sent as true")


def _load_format(fields: FieldReader, out: dict[str, Any]) -> None:
    """Load the response format: JSON, or a schema."""
    form = fields.wire.get("format")
    if form == "json":
        out["response_format"] = {"type": "json_object"}
    elif form and type(form) is dict:
        out["response_format"] = {"type": "json_schema", "json_schema": form}
    elif form == "":
        fields.spelling["format"] = "empty"
    else:
        return
    fields.know("format")


def _dump_format(form: ResponseFormat, out: Wire, d: OllamaDump) -> None:
    if form.type == "text":
        if not asks_for_text(form):
            d.drop("/response_format", "Ollama answers with text unless `format` is set, so the response format is left out")
        return
    out["format"] = "json"
    if form.type == "json_schema" and form.json_schema is not None:
        out["format"] = copy_wire(form.json_schema) if d.exact else fit_answer(form.json_schema, "/format", d)
    elif form.type == "json_schema":
        d.report("changed", "/response_format", "/format", "without a schema, the response format is any JSON")
    drop_form_fields(form, d)


# Requests


def load_request(wire: Wire) -> dict[str, Any]:
    """Load a request body as the data of a canonical request; raises pydantic's `ValidationError`."""
    fields = FieldReader(adapter().validator.validate_python(wire))
    out: dict[str, Any] = {"messages": [load_message(message) for message in fields.take("messages")]}
    forget_names(out["messages"])
    if len(fields.wire) == 1:
        return out
    tools = fields.take("tools")
    if tools is not None:
        out["tools"] = [load_tool(tool) for tool in tools]
    return load_settings(fields, out)


def load_settings(fields: FieldReader, out: dict[str, Any]) -> dict[str, Any]:
    """Load the settings of a request, and return all its data."""
    fields.move(out, "model", "stream")
    if "stream" not in out and "model" in out:  # otherwise this is only a part of a body
        out["stream"] = True
        fields.spelling["stream"] = "absent"
    if fields.wire.get("options"):
        _load_options(fields.inside("options", standalone=True), out)
    _load_think(fields, out)
    _load_format(fields, out)
    return fields.keep(out, FAMILY)


def dump_request(request: Request, messages: Sequence[Any], d: OllamaDump) -> Wire:
    """Dump a request body."""
    d.reserve(messages, request.tools or ())
    written: list[Wire] = []
    out: Wire = {"messages": written}
    dump_messages(messages, 0, written, d)
    if len(request.model_fields_set) == 1:
        return out
    _dump_tools(request, out, d)
    dump_settings(request, out, d)
    return dump_rest(request, out, d, (*WRITTEN, "tools", "tool_choice"), REQUEST_FIELDS)


def dump_settings(request: Request, out: Wire, d: OllamaDump) -> None:
    """Write the settings of a request."""
    if request.model is not None:
        out["model"] = request.model
    _dump_stream(request, out, d)
    _dump_options(request, out, d)
    _dump_think(request, out, d)
    if request.response_format is not None:
        _dump_format(request.response_format, out, d)
    elif d.exact and spelling(request, "format") == "empty":
        out["format"] = ""


def _dump_stream(request: Request, out: Wire, d: OllamaDump) -> None:
    """Write whether the answer streams, as a body without the field asks for a stream."""
    if request.stream is not None:
        if not (request.stream and d.exact and spelling(request, "stream") == "absent"):
            out["stream"] = request.stream
    elif d.settings and not d.exact and request.model is not None:
        out["stream"] = False
        d.report("added", "", "/stream", "without `stream`, a request asks Ollama for a stream: `stream: false` is added")


def _write(messages: Sequence[Any], start: int, out: list[Wire], d: OllamaDump) -> None:
    dump_messages(messages, start, out, d)


STEPS = Steps(write=_write)
