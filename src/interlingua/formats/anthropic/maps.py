"""Load and dump requests: each `dump_x` undoes its `load_x`.

Functions that dump an object take its pointer in the canonical request (`path`), the pointer to its place in the output (`at`),
and the state of the dump with the rules that apply (`d`). If `d.exact` is true, the object is written as it was loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ...codec.arguments import describe_answer, fit_answer
from ...codec.efforts import nearest_effort
from ...codec.fields import FieldReader, Wire, asks_for_text, copy_wire, spelling
from ...codec.format import Steps
from ...codec.provider_data import lay_request_data
from ...codec.settings import drop_form_fields, drop_sampling, fit_budget, fit_choice, fit_effort, fit_most, fit_stop
from ...codec.shared import THINKING_REFUSED
from ...codec.totals import StrictSchemas
from ...codec.turns import lead, trim_end
from ...errors import LossKind
from ...model.base import Json
from ...model.exchange import OpaqueTool, Request, ResponseFormat, Tool
from .base import EFFORTS, FAMILY, LONGEST_NAME, AnthropicProfile, MessagesDump, adapter
from .blocks import keep_whole, load_block
from .caching import count_mark, dump_cache, dump_caching, fit_marks, load_cache
from .citable import switch_off
from .compaction import BETA
from .messages import TURNS, load_messages
from .shared import may_think, unfit_user

# Tools and the choice among them


def load_tool(wire: Wire) -> dict[str, Any]:
    """Load a tool that the client runs; a tool that the server runs is kept whole."""
    if wire.get("type") not in (None, "custom") or "name" not in wire:
        return keep_whole(wire)
    out: dict[str, Any] = {"type": "function"}
    reader = FieldReader(wire)
    reader.move(out, "name", "description", "strict", input_schema="parameters")
    load_cache(reader, out)
    if reader.take("type") is not None:
        reader.spelling["type"] = "custom"
    return reader.keep(out, FAMILY)


def dump_tool(tool: Tool | OpaqueTool, path: str, at: str, d: MessagesDump, others: StrictSchemas) -> Wire | None:
    """Dump a tool beside others; None, with a report, for a tool that another provider's server runs."""
    if tool.type == "opaque":
        kind: Json = tool.value.get("type")
        if tool.format == FAMILY and type(kind) is str and kind.startswith(d.profile.refused_tools) and not d.exact:
            return d.refuse(path, d.no_place_for(tool, "tool"))
        own = d.own_tool(tool, path, at)
        if own is not None:
            count_mark(own, path, at, d)
        return own
    d.places[at] = path
    out: Wire = {"name": tool.name if d.exact else d.tool_name(tool.name, path, LONGEST_NAME)}
    if d.exact and spelling(tool, "type") == "custom":
        out["type"] = "custom"
    strict = tool.strict
    if not d.exact:
        out["input_schema"], strict = others.fit_parameters(tool.parameters, path, at + "/input_schema", strict=strict)
    elif tool.parameters is not None:
        out["input_schema"] = copy_wire(tool.parameters)
    if tool.description is not None:
        out["description"] = tool.description
    if strict is not None:
        out["strict"] = strict
    if tool.cache_control is not None:
        dump_cache(tool, out, path, at, d)
    if tool.provider_data is not None:
        d.lay_provider_data(tool, out, path)
    return out


_CHOICES = {"auto": "auto", "none": "none", "any": "required"}


def _load_tool_choice(choice: FieldReader, out: dict[str, Any]) -> None:
    """Load the tool choice, which also sets whether calls may be parallel; a choice of an unknown type is not read."""
    kind = choice.take("type", str)
    if kind in _CHOICES:
        out["tool_choice"] = {"type": _CHOICES[kind]}
    elif kind == "tool" and (name := choice.take("name", str)) is not None:
        out["tool_choice"] = {"type": "tool", "name": name}
    else:
        choice.forget()
        return
    if (one := choice.take("disable_parallel_tool_use", bool)) is not None:
        out["parallel_tool_calls"] = not one


def _dump_tool_choice(request: Request, out: Wire, d: MessagesDump) -> None:
    parallel = request.parallel_tool_calls
    sent = [str(tool.get("name")) for tool in out.get("tools", ())]
    instead_is_auto = parallel is False and bool(sent)
    kind: LossKind = "changed" if instead_is_auto else "dropped"
    choice, name = fit_choice(request.tool_choice, sent, LONGEST_NAME, d, kind)
    if choice is not None:
        out["tool_choice"] = {"type": "any" if choice.type == "required" else choice.type}
        if name is not None:
            out["tool_choice"]["name"] = name
    if parallel is not None:
        _dump_parallel(out, d, parallel=parallel)


def _dump_parallel(out: Wire, d: MessagesDump, *, parallel: bool) -> None:
    """Write whether calls may be parallel, a field of the tool choice, unless the choice forbids all calls."""
    choice: Wire | None = out.get("tool_choice")
    if choice is None and not parallel and out.get("tools"):
        d.report("added", "", "/tool_choice", "Anthropic disables parallel calls in `tool_choice`, which is added")
        choice = out["tool_choice"] = {"type": "auto"}
    if choice is not None and (choice["type"] != "none" or d.exact):
        choice["disable_parallel_tool_use"] = not parallel
    elif not parallel:
        d.drop(
            "/parallel_tool_calls",
            "Anthropic has this setting in `tool_choice`, and the request has none that allows calls",
        )


# Requests

_SAME = ("model", "max_tokens", "stream")
_SAMPLING = ("temperature", "top_p", "top_k")
_NUMBERS = (*_SAME, *_SAMPLING)
_NAMES = {key: key for key in _NUMBERS} | {"stop_sequences": "stop"}
"""The canonical names of the settings that are a single value."""
_SAMPLING_NAMES = {"temperature": "temperature", "top_k": "top_k"}
"""The names of the sampling settings that are refused beside thinking, as they are written."""
_VERSION = "anthropic_version"
_OLD_FORMAT = "output_format"
"""The field for the response format before `output_config`, with a beta header (recorded traffic)."""


def load_request(profile: AnthropicProfile, wire: Wire) -> dict[str, Any]:
    """Load a request body as the data of a canonical request; raises pydantic's `ValidationError`."""
    reader = FieldReader(adapter().validator.validate_python(wire))
    if (version := reader.take(_VERSION, str) if profile.version is not None else None) is not None:
        reader.spelling[_VERSION] = version
    messages = load_messages(reader.take("messages"))
    system = reader.take("system")
    if system is not None:
        content = system if type(system) is str else [load_block(block) for block in system]
        messages.insert(0, {"role": "system", "content": content})
    out: dict[str, Any] = {"messages": messages}
    rest = reader.rest
    for key, value in reader.wire.items():
        if key in _NAMES and value is not None and key not in profile.in_url:
            out[_NAMES[key]] = rest.pop(key)
    if (tools := reader.take("tools")) is not None:
        out["tools"] = [load_tool(tool) for tool in tools]
    if not _SETTINGS.keys().isdisjoint(rest):
        for key, load in _SETTINGS.items():
            if reader.wire.get(key):
                load(reader.inside(key, standalone=key in ("metadata", "output_config")), out)
    return reader.keep(out, FAMILY)


def _load_user(metadata: FieldReader, out: dict[str, Any]) -> None:
    metadata.move_typed(out, str, user_id="user")


def _load_budget(thinking: FieldReader, out: dict[str, Any]) -> None:
    kind = thinking.take("type")
    budget = thinking.wire.get("budget_tokens")
    if kind == "disabled":
        out["reasoning_budget"] = 0
    elif kind == "enabled" and type(budget) is int and budget != 0:
        out["reasoning_budget"] = thinking.take("budget_tokens")
    else:
        thinking.forget()


def _load_output_config(config: FieldReader, out: dict[str, Any]) -> None:
    """Load the reasoning effort and the response format."""
    config.move_typed(out, str, effort="reasoning_effort")
    _load_format(config.inside("format"), out)


def _load_format(form: FieldReader, out: dict[str, Any]) -> None:
    if form.take("type") == "json_schema" and (schema := form.take("schema", dict)) is not None:
        out["response_format"] = {"type": "json_schema", "json_schema": schema}
    else:
        form.forget()


def _load_old_format(form: FieldReader, out: dict[str, Any]) -> None:
    """Load the response format from the field of older requests; `output_config` has precedence."""
    if "response_format" in out:
        form.forget()
        return
    _load_format(form, out)
    if "response_format" in out:
        form.spelling["response_format"] = _OLD_FORMAT


_SETTINGS = {
    "tool_choice": _load_tool_choice,
    "thinking": _load_budget,
    "output_config": _load_output_config,
    "metadata": _load_user,
    _OLD_FORMAT: _load_old_format,
}
"""The loader of each setting that is an object."""


def dump_request(request: Request, messages: Sequence[Any], d: MessagesDump) -> Wire:
    """Dump a request body."""
    d.reserve(messages, request.tools or ())
    written: list[Wire] = []
    out: Wire = {"messages": written}
    TURNS.write_all(messages, written, d, dump_system, out)
    trim_end(written, messages, d)
    if len(request.model_fields_set) > 1:
        _dump_settings(request, out, d)
    if (version := spelling(request, _VERSION) if d.exact else d.profile.version) is not None:
        out[_VERSION] = version
    if d.marks or d.profile.version is not None:
        fit_marks(out, d)
    if request.caching is not None:
        dump_caching(request.caching, out, d)
    return out


def _finish(out: Wire, written: list[Wire], d: MessagesDump) -> None:
    trim_end(written, (), d)
    fit_marks(out, d)
    if d.profile.version is not None:
        out[_VERSION] = d.profile.version


# The system text


def dump_system(out: Wire, d: MessagesDump, lifted: Sequence[Any]) -> None:
    """Write leading system messages to the field `system`: as text if it is a single message of text alone."""
    holder: Wire = {"system": []}
    written = _SYSTEM.lift(lifted, holder, "", "/system", d)
    blocks: list[Wire] = holder["system"]
    was_text = len(written) == 1 and type(written[0].content) is str
    if was_text and blocks and "cache_control" not in blocks[0]:
        del d.places["/system/0"]
        out["system"] = blocks[0]["text"]
    elif blocks or d.rules_for(lifted[0]).exact:
        out["system"] = blocks


_SYSTEM = replace(TURNS, content="system")
STEPS = Steps(lead=partial(lead, dump_system), write=TURNS.write, finish=_finish)


# Settings


def _dump_settings(request: Request, out: Wire, d: MessagesDump) -> None:
    _dump_numbers(request, out, d)
    if request.stop is not None and (stop := fit_stop(request.stop, d, blank=False)) is not None:
        out["stop_sequences"] = stop
    if d.has_tools(request):
        _dump_tools(request, out, d)
    if request.tool_choice is not None or request.parallel_tool_calls is not None:
        _dump_tool_choice(request, out, d)
    if request.reasoning_budget is not None:
        _dump_budget(request, request.reasoning_budget, out, d)
    if request.reasoning_effort is not None:
        _dump_effort(request, out, d)
    if not d.exact and "thinking" in out and out["thinking"]["type"] != "disabled":
        drop_sampling(out, _SAMPLING_NAMES, d)
    if request.response_format is not None:
        is_old = d.same_family and spelling(request, "response_format") == _OLD_FORMAT
        _dump_format(request.response_format, out, d, is_old=is_old)
    if request.user is not None:
        _dump_user(request.user, out, d)
    if request.metadata:
        d.drop("/metadata", "Anthropic's only metadata is `user_id`: to send it, set `user`")
    if request.provider_data is not None:
        _lay_data(request, out, d)
    if d.profile.max_tokens is not None:
        _add_limit(d.profile.max_tokens, out, d)


def _lay_data(request: Request, out: Wire, d: MessagesDump) -> None:
    lay_request_data(d, request, out, partial(_accepts, d.profile))
    if d.profile.betas and "context_management" in out and not d.same_family:
        out["anthropic_beta"] = [BETA]
        d.report("added", "", "/anthropic_beta", "compaction needs its beta, which is added")


def _accepts(profile: AnthropicProfile, key: str) -> bool:
    """Whether a host accepts a field of the body that another host of the family has."""
    return key not in (_HOST | profile.refused_fields) or (key == "anthropic_beta" and profile.betas)


def _add_limit(usual: int, out: Wire, d: MessagesDump) -> None:
    """Add the profile's `max_tokens` to a request without one."""
    if d.settings and not d.exact and "max_tokens" not in out:
        out["max_tokens"] = usual
        d.report("added", "", "/max_tokens", "a request must have `max_tokens`: sent with that of the profile")


def _dump_user(user: str, out: Wire, d: MessagesDump) -> None:
    why = None if d.exact else unfit_user(user)
    if why is None:
        out["metadata"] = {"user_id": user}
    else:
        d.drop("/user", why)


_HOST = frozenset({_VERSION, "anthropic_beta"})
"""Write the fields that some hosts have in the body, where others have headers."""


def _dump_numbers(request: Request, out: Wire, d: MessagesDump) -> None:
    fields = vars(request)
    profile = d.profile
    for key in _SAME:
        if fields.get(key) is not None and key not in profile.in_url:
            out[key] = fields[key]
    for key in _SAMPLING:
        if fields.get(key) is None:
            continue
        if d.exact or profile.sampling:
            out[key] = fields[key]
        else:
            d.drop("/" + key, f"newer models reject `{key}`; to send it, use `AnthropicProfile(sampling=True)`")
    if "temperature" in out:
        out["temperature"] = fit_most(out["temperature"], 1, "/temperature", d)


def _dump_tools(request: Request, out: Wire, d: MessagesDump) -> None:
    written: list[Wire] = []
    strict = StrictSchemas(request, d)
    for path, tool in d.tools_of(request):
        if (dumped := dump_tool(tool, path, f"/tools/{len(written)}", d, strict)) is not None:
            written.append(dumped)
    if written or d.exact:
        out["tools"] = written
    if d.mcp_servers:
        out["mcp_servers"] = d.mcp_servers


def _dump_budget(request: Request, budget: int, out: Wire, d: MessagesDump) -> None:
    if budget == 0:
        out["thinking"] = {"type": "disabled"}
    elif budget < 0 and not d.exact and may_think(out):
        # -1 comes from Gemini: the model decides how much it thinks.
        out["thinking"] = {"type": "adaptive"}
        d.report("changed", "/reasoning_budget", "/thinking", "a budget that the model chooses becomes adaptive thinking")
    elif d.exact or may_think(out):
        if (fitted := fit_budget(request, "/thinking/budget_tokens", d)) is not None:
            out["thinking"] = {"type": "enabled", "budget_tokens": fitted}
    else:
        d.drop("/reasoning_budget", THINKING_REFUSED)


_NEAREST = {"minimal": "low"}
"""The effort that replaces one that Claude does not have; LiteLLM sends the same."""


def _dump_effort(request: Request, out: Wire, d: MessagesDump) -> None:
    if request.reasoning_effort == "none" and request.reasoning_budget in (None, 0) and not d.exact:
        out["thinking"] = {"type": "disabled"}  # which means the same
        return
    effort = nearest_effort(fit_effort(request, {*EFFORTS, *_NEAREST}, d), _NEAREST, "/output_config/effort", d)
    if effort is None:
        return
    out["output_config"] = {"effort": effort}
    is_set = "thinking" in out or "thinking" in (request.provider_data or {}).get(FAMILY, {})
    needs_thinking = not (d.same_family or is_set or d.profile.effort_alone)
    if needs_thinking and may_think(out):
        out["thinking"] = {"type": "adaptive"}
        d.report(
            "added",
            "",
            "/thinking",
            "`effort` needs thinking: adaptive thinking is added; to send none, use `AnthropicProfile(effort_alone=True)`",
        )


def _dump_format(form: ResponseFormat, out: Wire, d: MessagesDump, *, is_old: bool) -> None:
    if asks_for_text(form):
        return
    if form.type != "json_schema" or form.json_schema is None:
        d.drop("/response_format", "Anthropic's only response format is a JSON schema: give one with `json_schema`")
        return
    at = f"/{_OLD_FORMAT}/schema" if is_old else "/output_config/format/schema"
    schema = fit_answer(form.json_schema, at, d)
    placed = describe_answer(form, schema, at, d)
    made = {"type": "json_schema", "schema": schema}
    if is_old:
        out[_OLD_FORMAT] = made
    else:
        out.setdefault("output_config", {})["format"] = made
    drop_form_fields(form, d, *placed)
    if not d.exact:
        switch_off(out, d)
