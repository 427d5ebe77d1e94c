"""Load and dump requests: each `dump_x` undoes its `load_x`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ...codec.allowed import TYPE as ALLOWED, dump_allowed, load_allowed
from ...codec.arguments import fit_schema, name_answer
from ...codec.efforts import effort_for_budget
from ...codec.fields import FieldReader, Wire, copy_wire, spelling, value_at
from ...codec.format import Steps
from ...codec.limits import LONGEST_USER
from ...codec.provider_data import lay_request_data
from ...codec.settings import fit_choice, fit_effort, fit_most, fit_user, report_budget
from ...model.base import Json
from ...model.exchange import OpaqueTool, Request, ResponseFormat, Tool, ToolChoice
from ..openai_chat.free_form import flat_of
from .base import EFFORTS, FAMILY, ISSUER, LEAST_TOKENS, LONGEST_NAME, ItemsDump, adapter, samples
from .items import load_messages, write
from .parts import keep_whole

# Tools and the choice among them


def load_tool(wire: Wire) -> dict[str, Any]:
    """Load a function; any other tool is kept whole."""
    if wire.get("type") != "function":
        return keep_whole(wire)
    reader = FieldReader(wire, "type")
    out: dict[str, Any] = {"type": "function"}
    reader.move(out, "name", "description", "parameters", "strict")
    return reader.keep(out, FAMILY)


def dump_tool(tool: Tool | OpaqueTool, path: str, at: str, d: ItemsDump) -> Wire | None:
    """Dump a tool; None, with a report, for another provider's."""
    if tool.type == "opaque":
        custom = flat_of(tool.value) if tool.format == ISSUER else None
        if tool.format != FAMILY and custom is None:
            return d.refuse(path, d.no_place_for(tool, "tool"))
        d.places[at] = path
        if custom is not None:
            d.report("changed", path, at, "a custom tool of Chat Completions is written without its nested object")
        opaque: Wire = copy_wire(custom or tool.value)
        return opaque
    d.places[at] = path
    out: Wire = {"type": "function", "name": tool.name if d.exact else d.tool_name(tool.name, path, LONGEST_NAME)}
    if not d.same_family:
        # The field for parameters is required, even if empty; only in Responses are functions strict by default.
        out |= {"parameters": None, "strict": False}
    values = {"description": tool.description, "parameters": tool.parameters, "strict": tool.strict}
    if tool.parameters is not None:
        path_in = f"{path}/parameters"
        at_in = f"{at}/parameters"
        fitted = fit_schema(tool.parameters, "tool", strict=tool.strict, path=path_in, at=at_in, d=d, tool=out["name"])
        values["parameters"], values["strict"] = fitted
    out |= {key: value for key, value in values.items() if value is not None}
    d.drop_named(tool, path, "cache_control")
    d.lay_provider_data(tool, out, path)
    return out


def _load_tool_choice(reader: FieldReader, out: dict[str, Any]) -> None:
    choice: Json = reader.wire.get("tool_choice")
    if type(choice) is str and choice in ("auto", "none", "required"):
        out["tool_choice"] = {"type": choice}
        reader.know("tool_choice")
    elif type(choice) is dict and choice.get("type") in _CHOSEN and type(name := choice.get("name")) is str:
        out["tool_choice"] = {"type": "tool", "name": name}
        reader.left("tool_choice", {key: value for key, value in choice.items() if key not in ("type", "name")})
        if choice["type"] == "custom":
            reader.spelling["tool_choice"] = "custom"
    elif type(choice) is dict and choice.get("type") == ALLOWED:
        _load_allowed(choice, reader, out)


_OWN = "own"
"""Stands for a tool of OpenAI's, such as web search, in the recorded kinds of the allowed tools."""


def _is_own(entry: Json) -> bool:
    return type(entry) is dict and type(entry.get("type")) is str and entry["type"] not in _CHOSEN


def _load_allowed(choice: Wire, reader: FieldReader, out: dict[str, Any]) -> None:
    """Load a choice among some tools; those of OpenAI among them stay provider data."""
    listed: Json = choice.get("tools")
    entries: list[Json] = listed if type(listed) is list else []
    own = [entry for entry in entries if _is_own(entry)]
    named: Wire = {"mode": choice.get("mode"), "tools": [entry for entry in entries if not _is_own(entry)]}
    among = load_allowed(named, _named) if choice.keys() == {"type", "mode", "tools"} else None
    if among is None:
        return
    out["tool_choice"] = among.choice
    reader.know("tool_choice")
    if own:
        reader.left("tool_choice", {"tools": own})
        kinds = iter(among.kinds.split() if among.kinds else ["function"] * len(named["tools"]))
        reader.spelling["tool_choice"] = " ".join([_OWN if _is_own(entry) else next(kinds) for entry in entries])
    elif among.kinds is not None:
        reader.spelling["tool_choice"] = among.kinds


def _dump_allowed(request: Request, choice: ToolChoice, customs: Collection[str], d: ItemsDump) -> Wire:
    """The choice among some tools; if it is exact, with those of OpenAI in their places."""
    kinds = ((spelling(request, "tool_choice") if d.exact else None) or "").split()
    written = dump_allowed(choice, " ".join([kind for kind in kinds if kind != _OWN]), customs, _named)
    own: list[Wire] = value_at(request.provider_data, (FAMILY, "tool_choice", "tools")) or []
    if _OWN in kinds and len(kinds) == len(own) + len(written["tools"]):
        others, named = iter(copy_wire(own)), iter(written["tools"])
        written["tools"] = [next(others if kind == _OWN else named) for kind in kinds]
    return {"type": ALLOWED, **written}


def _named(name: str, kind: str) -> Wire:
    return {"type": kind, "name": name}


_CHOSEN = ("function", "custom")
"""The types of a tool choice that names one tool."""


def _dump_tool_choice(request: Request, out: Wire, d: ItemsDump) -> None:
    choice, name = fit_choice(request.tool_choice, [str(tool.get("name")) for tool in out.get("tools", ())], LONGEST_NAME, d)
    if choice is None:
        return
    kinds = {tool.get("name"): tool.get("type") for tool in out.get("tools", ())}
    if choice.allowed and choice.type in ("auto", "required"):
        customs = [name for name, kind in kinds.items() if kind == "custom"]
        out["tool_choice"] = _dump_allowed(request, choice, customs, d)
        return
    kind = kinds.get(name) or (spelling(request, "tool_choice") if d.exact else None)
    out["tool_choice"] = choice.type if name is None else {"type": kind if kind in _CHOSEN else "function", "name": name}


# Requests

_SAME = ("model", "temperature", "top_p", "parallel_tool_calls", "metadata", "stream")


def load_request(wire: Wire) -> dict[str, Any]:
    """Load a request body as the data of a canonical request; raises pydantic's `ValidationError`."""
    reader = FieldReader(adapter().validator.validate_python(wire))
    given: list[Wire] | str | None = reader.take("input")
    items = given if isinstance(given, list) else [] if given is None else [{"role": "user", "content": given}]
    messages = load_messages(items)
    if not isinstance(given, list):
        reader.spelling["input"] = "absent" if given is None else "text"
    if (instructions := reader.take("instructions")) is not None:
        messages.insert(0, {"role": "system", "content": instructions, "wire": {"spelling": {"system": "instructions"}}})
    out: dict[str, Any] = {"messages": messages}
    reader.move(out, *_SAME, "user", max_output_tokens="max_tokens")
    if (tools := reader.take("tools")) is not None:
        out["tools"] = [load_tool(tool) for tool in tools]
    _load_tool_choice(reader, out)
    if "reasoning" in reader.wire:
        reader.inside("reasoning").move_typed(out, str, effort="reasoning_effort")
    if "text" in reader.wire:
        _load_format(reader.inside("text").inside("format"), out)
    reader.standalone += ("reasoning", "text")
    return reader.keep(out, FAMILY)


def _load_format(form: FieldReader, out: dict[str, Any]) -> None:
    made: dict[str, Any] = {"type": form.take("type", str)}
    if made["type"] == "json_schema":
        form.move_typed(made, str, "name", "description")
        form.move_typed(made, dict, schema="json_schema")
        form.move_typed(made, bool, "strict")
    elif made["type"] not in ("text", "json_object"):
        form.forget()
        return
    out["response_format"] = made


def dump_request(request: Request, messages: Sequence[Any], d: ItemsDump) -> Wire:
    """Dump a request body."""
    d.model = request.model
    d.reserve(messages, request.tools or ())
    out: Wire = {}
    count = _lead(messages, out, d)
    items: list[Wire] = []
    write(messages, count, items, d)
    _place_items(request, messages[count:], items, out, d)
    if len(request.model_fields_set) > 1:
        _dump_settings(request, out, d)
    return out


def _lead(messages: Sequence[Any], out: Wire, d: ItemsDump) -> int:
    """Write `instructions` if the first message was loaded from there; any other item keeps its role and place."""
    first = messages[0] if messages else None
    if first is None or first.role != "system" or type(first.content) is not str:
        return 0
    was_loaded = d.same_format and spelling(first, "system") == "instructions"
    if not was_loaded or not d.rules_for(first).exact:
        return 0
    out["instructions"] = first.content
    d.places["/instructions"] = "/messages/0"
    return 1


def _place_items(request: Request, messages: Sequence[Any], items: list[Wire], out: Wire, d: ItemsDump) -> None:
    """Write the input as a list; or as a text, or not at all, if it was loaded so and nothing has been added."""
    word = spelling(request, "input") if d.exact else None
    if word == "text" and len(items) == 1 and items[0].keys() == {"role", "content"}:
        content: Json = items[0]["content"]
        if items[0]["role"] == "user" and type(content) is str:
            out["input"] = content
            d.places["/input"] = d.places.pop("/input/0")
            return
    if items or word != "absent":
        out["input"] = items


STEPS = Steps(lead=_lead, write=write)

# Settings


def _dump_same(request: Request, out: Wire, d: ItemsDump) -> None:
    out |= {key: copy_wire(value) for key in _SAME if (value := getattr(request, key)) is not None}
    if "temperature" in out:
        out["temperature"] = fit_most(out["temperature"], 2, "/temperature", d)
    if (user := fit_user(request, LONGEST_USER, d)) is not None:
        out["user"] = user


def _dump_settings(request: Request, out: Wire, d: ItemsDump) -> None:
    _dump_same(request, out, d)
    if (most := request.max_tokens) is not None:
        out["max_output_tokens"] = most if d.exact else max(most, LEAST_TOKENS)
        if out["max_output_tokens"] != most:
            d.report(
                "changed",
                "/max_tokens",
                "/max_output_tokens",
                f"the Responses API requires at least {LEAST_TOKENS}; raised from {most}",
            )
    if d.has_tools(request):
        written: list[Wire] = []
        for path, tool in d.tools_of(request):
            if (made := dump_tool(tool, path, f"/tools/{len(written)}", d)) is not None:
                written.append(made)
        if written or d.exact:
            out["tools"] = written
    if request.tool_choice is not None:
        _dump_tool_choice(request, out, d)
    if request.reasoning_effort is not None and (effort := fit_effort(request, EFFORTS, d)) is not None:
        out["reasoning"] = {"effort": effort}
    if request.response_format is not None:
        _dump_format(request.response_format, out, d)
    if (instead := effort_for_budget(request, "/reasoning/effort", d)) is not None:
        out["reasoning"] = {"effort": instead}
    elif request.reasoning_budget is not None:
        report_budget(request, d)
    d.drop_named(request, "", "top_k", "stop", "caching")
    lay_request_data(d, request, out)
    _fit_sampling(out, d)


def _fit_sampling(out: Wire, d: ItemsDump) -> None:
    """Leave out the settings that a model refuses while it reasons, here even with their default values."""
    if d.exact or not ("temperature" in out or "top_p" in out) or samples(out):
        return
    for key in ("temperature", "top_p"):
        if out.pop(key, None) is not None:
            d.drop(f"/{key}", f"{d.target.name} refuses `{key}` while the model reasons")


def _dump_format(form: ResponseFormat, out: Wire, d: ItemsDump) -> None:
    made: Wire = {"type": form.type}
    schema = form.json_schema
    strict = form.strict
    if schema is not None:
        path = "/response_format/json_schema"
        schema, strict = fit_schema(schema, "response", strict=strict, path=path, at="/text/format/schema", d=d)
    if strict is None and not d.same_family:
        strict = False  # only in Responses are schemas strict by default
    for key, value in (
        ("name", form.name),
        ("description", form.description),
        ("schema", schema),
        ("strict", strict),
    ):
        if value is not None and form.type == "json_schema":
            made[key] = value
    if form.type == "json_schema" and not d.exact:
        if "schema" not in made:
            d.drop("/response_format", "a response format of type json_schema must have a schema: give one with `json_schema`")
            return
        if "name" not in made:
            made["name"] = name_answer(form, "/text/format/name", d)
    out["text"] = {"format": made}
