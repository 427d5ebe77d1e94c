"""Load and dump requests: each `dump_x` undoes its `load_x`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...codec.arguments import describe_answer, fit_answer, fit_schema
from ...codec.dump import NOTHING_LEFT
from ...codec.efforts import effort_for_budget, nearest_of
from ...codec.fields import FieldReader, Wire, copy_wire, spelling, value_at
from ...codec.format import Steps
from ...codec.provider_data import calls_follow_schemas, lay_request_data
from ...codec.settings import drop_form_fields, fit_allowed, fit_effort, report_budget, report_choice
from ...codec.shared import Path, Setting, Shared, read_modalities, same
from ...errors import excerpt
from ...model.base import Json
from ...model.exchange import OpaqueTool, Request, ResponseFormat, Tool, ToolChoice, choice_without_tool
from ...model.messages import pieces_of
from ..gemini.labels import fitting_labels
from ..gemini.shared import VALIDATED_AS_AUTO, refuse_mixed_audio
from .base import FAMILY, LONGEST_NAME, InteractionsDump, adapter, keep_whole
from .messages import drop_frame, write
from .steps import load_content, load_messages
from .wire import CONTENT_TYPES

# Tools and the choice among them


def load_tool(wire: Wire) -> dict[str, Any]:
    """Load a function; any other tool is kept whole."""
    if wire.get("type") != "function" or type(wire.get("name")) is not str:
        return keep_whole(wire)
    reader = FieldReader(wire, "type")
    out: dict[str, Any] = {"type": "function"}
    reader.move(out, "name", "description", "parameters")
    return reader.keep(out, FAMILY)


def dump_tool(tool: Tool | OpaqueTool, path: str, at: str, d: InteractionsDump) -> Wire | None:
    """Dump a tool; None, with a report, for another provider's."""
    if tool.type == "opaque":
        return d.own_tool(tool, path, at)
    d.places[at] = path
    out: Wire = {"type": "function", "name": tool.name if d.exact else d.tool_name(tool.name, path, LONGEST_NAME)}
    if tool.description is not None:
        out["description"] = tool.description
    if tool.parameters is not None:
        schema = fit_schema(tool.parameters, "tool", path=f"{path}/parameters", at=f"{at}/parameters", d=d)
        out["parameters"] = schema[0]
    for key in ("strict", "cache_control"):
        if getattr(tool, key):  # a tool without the field is not strict
            d.drop(f"{path}/{key}", f"functions of the Interactions API have no field `{key}`")
    d.lay_provider_data(tool, out, path)
    return out


_MODES = {"auto": "auto", "any": "required", "none": "none"}
_WORDS = {meaning: word for word, meaning in _MODES.items()} | {"tool": "any"}
_VALIDATED = "validated"
"""The mode in which the model chooses and its calls follow the schemas; it is kept, as it means more than `auto`."""


_CHOICE: Path = ("generation_config", "tool_choice")
_MODE_PLACES: tuple[Path, ...] = (_CHOICE, (*_CHOICE, "allowed_tools", "mode"))


def _load_choice(config: FieldReader, out: dict[str, Any]) -> None:
    choice: Json = config.wire.get("tool_choice")
    if type(choice) is str and choice in _MODES:
        config.know("tool_choice")
        out["tool_choice"] = {"type": _MODES[choice]}
        return
    if choice == _VALIDATED:
        out["tool_choice"] = {"type": "auto"}
        config.spelling["tool_choice"] = _VALIDATED
        return
    allowed = config.inside("tool_choice").inside("allowed_tools")
    mode: Json = allowed.wire.get("mode")
    names: Json = allowed.wire.get("tools")
    listed: list[Json] = names if type(names) is list else []
    if not listed or not all(type(name) is str for name in listed):
        return
    if mode == _VALIDATED:
        out["tool_choice"] = {"type": "auto", "allowed": allowed.take("tools")}
        config.spelling["tool_choice"] = _VALIDATED
    elif type(mode) is str and mode in ("auto", "any"):
        allowed.know("mode", "tools")
        is_one = mode == "any" and len(listed) == 1
        out["tool_choice"] = {"type": "tool", "name": listed[0]} if is_one else {"type": _MODES[mode], "allowed": listed}


def _dump_choice(request: Request, config: Wire, tools: Sequence[Wire], d: InteractionsDump) -> None:
    sent = [str(tool.get("name")) for tool in tools if tool.get("type") == "function"]
    choice = request.tool_choice
    if choice is not None and choice.allowed and not d.same_family:
        choice = fit_allowed(choice, choice.allowed, sent, LONGEST_NAME, d)
    if choice is None:
        return
    name = choice.name
    if name is not None and not d.exact:
        name = d.tool_name(d.chosen_name(name), "/tool_choice", LONGEST_NAME)
    if not d.same_family and choice_without_tool(choice, sent, name):
        report_choice(choice, d, has_tools=bool(tools))
        return
    keeps_mode = _keeps_mode(request, choice, d)
    is_validated = choice.type == "auto" and not d.same_family and calls_follow_schemas(d, request)
    mode = _VALIDATED if is_validated else _WORDS[choice.type]
    if name is None and not choice.allowed:
        if not keeps_mode:
            config["tool_choice"] = mode
        return
    allowed: Wire = {"tools": [name] if name is not None else list(choice.allowed or ())}
    if not keeps_mode:
        allowed = {"mode": mode, **allowed}
    config["tool_choice"] = {"allowed_tools": allowed}


def _keeps_mode(request: Request, choice: ToolChoice, d: InteractionsDump) -> bool:
    """Whether the model chooses, and provider data has the mode in the place for this choice."""
    if not d.same_family or choice.type != "auto":
        return False
    kept: Json = value_at((request.provider_data or {}).get(FAMILY, {}), _MODE_PLACES[bool(choice.allowed)])
    return kept == _VALIDATED


def _remove_choice(out: Wire) -> None:
    """Leave out the mode that provider data have of a choice which an edit has removed."""
    config: Wire = out.get(_CONFIG) or {}
    config.pop("tool_choice", None)
    if not config:
        out.pop(_CONFIG, None)


def sent_in_part(overlay: Wire) -> dict[Path, str]:
    """The path of a mode that was read as `auto` although it means more, with what is lost."""
    for place in _MODE_PLACES:
        if value_at(overlay, place) == _VALIDATED:
            return {place: VALIDATED_AS_AUTO}
    return {}


# Settings

_SAME = ("model", "stream")
_CONFIG = "generation_config"
_NUMBERS = {"max_output_tokens": "max_tokens", "temperature": "temperature", "top_p": "top_p", "stop_sequences": "stop"}
_LEVELS = frozenset({"minimal", "low", "medium", "high", "xhigh"})
_SHOWN = {"concise": "auto", "detailed": "auto"}
TIERS = {"standard": "default", "flex": "flex", "priority": "priority"}
SHARED: Shared = same("cached_content", "store") | {
    "aspect_ratio": Setting((_CONFIG, "image_config", "aspect_ratio")),
    "image_size": Setting((_CONFIG, "image_config", "image_size")),
    "modalities": Setting(("response_modalities",), reads=read_modalities, writes=list, check=refuse_mixed_audio),
    "seed": Setting((_CONFIG, "seed"), least=-(2**31), most=2**31 - 1),
    "service_tier": Setting(("service_tier",), words=TIERS, nearest={"fast": "priority"}),
    "thought_summaries": Setting((_CONFIG, "thinking_summaries"), words={"auto": "auto", "none": "none"}, nearest=_SHOWN),
}
"""Settings without a canonical field that other formats have too (google-genai 3.6.1)."""


def _load_config(config: FieldReader, out: dict[str, Any]) -> None:
    config.move(out, **_NUMBERS)
    if config.wire.get("thinking_level") in _LEVELS:
        out["reasoning_effort"] = config.take("thinking_level")
    _load_choice(config, out)


def _dump_config(request: Request, tools: Sequence[Wire], d: InteractionsDump) -> Wire:
    config: Wire = {}
    for key, name in _NUMBERS.items():
        if (value := getattr(request, name)) is not None:
            config[key] = list(value) if name == "stop" else value
    _dump_effort(request, config, d)
    _dump_choice(request, config, tools, d)
    return config


def _dump_effort(request: Request, config: Wire, d: InteractionsDump) -> None:
    at = f"/{_CONFIG}/thinking_level"
    if request.reasoning_budget == 0 and request.reasoning_effort != "none" and not d.exact:
        config["thinking_level"] = "minimal"
        if request.reasoning_effort is not None:
            d.report("changed", "/reasoning_effort", at, "reasoning is disabled, so the effort is not used: sent as minimal")
        d.report("changed", "/reasoning_budget", at, f"{d.target.name} cannot disable reasoning: sent as minimal")
        return
    effort = fit_effort(request, None, d)
    if effort is not None and effort not in _LEVELS and not d.exact:
        nearest = "minimal" if effort == "none" else nearest_of(_LEVELS).get(effort)
        if nearest is None:
            d.drop("/reasoning_effort", f"`reasoning_effort` must be one of {', '.join(sorted(_LEVELS))}")
        else:
            detail = f"{d.target.name} does not have the effort {excerpt(effort)}; sent as {excerpt(nearest)}"
            d.report("changed", "/reasoning_effort", at, detail)
        effort = nearest
    if effort is not None:
        config["thinking_level"] = effort
    elif (instead := effort_for_budget(request, at, d, _LEVELS)) is not None:
        config["thinking_level"] = instead
        return
    if request.reasoning_budget is not None:
        report_budget(request, d)


def _load_format(form: FieldReader, out: dict[str, Any]) -> None:
    """Load the response format, if it is text; other media are not read."""
    if form.take("type") != "text":
        form.forget()
        return
    mime_type = form.take("mime_type", str)
    if mime_type in (None, "text/plain"):
        if "schema" in form.wire:
            form.forget()
            return
        out["response_format"] = {"type": "text"}
        if mime_type is None:
            form.spelling["mime_type"] = "absent"
    elif mime_type == "application/json":
        schema = form.take("schema", dict)
        out["response_format"] = {"type": "json_object"} if schema is None else {"type": "json_schema", "json_schema": schema}
    else:
        form.forget()


def _dump_format(request: Request, form: ResponseFormat, out: Wire, d: InteractionsDump) -> None:
    """Dump the response format; in the first version of the API, this is the schema alone, with its type in another field."""
    spelled = spelling(request, "response_format") if d.exact else None
    given = form.model_fields_set
    if spelled == "mime_type" and form.type == "json_object" and given <= {"type"}:
        out["response_mime_type"] = "application/json"
        return
    if spelled == "schema" and form.json_schema is not None and given <= {"type", "json_schema"}:
        out |= {"response_format": copy_wire(form.json_schema), "response_mime_type": "application/json"}
        return
    made: Wire = {"type": "text", "mime_type": "text/plain" if form.type == "text" else "application/json"}
    if form.type == "text" and d.exact and spelling(request, "mime_type") == "absent":
        del made["mime_type"]
    placed: list[str] = []
    if form.type == "json_schema" and form.json_schema is not None:
        at = "/response_format/schema"
        made["schema"] = schema = fit_answer(form.json_schema, at, d)
        placed = describe_answer(form, schema, at, d)
    elif form.type == "json_schema":
        d.report("changed", "/response_format/type", None, "without a schema, the response format is any JSON")
    drop_form_fields(form, d, *placed)
    out["response_format"] = made


# Requests


def load_request(wire: Wire) -> dict[str, Any]:
    """Load a request body as the data of a canonical request; raises pydantic's `ValidationError`."""
    reader = FieldReader(adapter().validator.validate_python(wire))
    out: dict[str, Any] = {"messages": _load_input(reader)}
    if (system := reader.take("system_instruction")) is not None:
        out["messages"].insert(0, {"role": "system", "content": system})
    reader.move(out, *_SAME, labels="metadata")
    if (tools := reader.take("tools")) is not None:
        out["tools"] = [load_tool(tool) for tool in tools]
    if reader.wire.get(_CONFIG):
        _load_config(reader.inside(_CONFIG, standalone=True), out)
    form: Json = reader.wire.get("response_format")
    is_json = reader.wire.get("response_mime_type") == "application/json"
    if is_json and not form:
        reader.know("response_mime_type")
        out["response_format"] = {"type": "json_object"}
        reader.spelling["response_format"] = "mime_type"
    elif is_json and type(form) is dict and form.get("type") != "text":
        reader.know("response_format", "response_mime_type")
        out["response_format"] = {"type": "json_schema", "json_schema": form}
        reader.spelling["response_format"] = "schema"
    elif type(form) is dict:
        _load_format(reader.inside("response_format"), out)
    return reader.keep(out, FAMILY)


def _load_input(reader: FieldReader) -> list[dict[str, Any]]:
    """Load the messages of the input: a text, the user's content, or a list of steps."""
    given: list[Wire] | Wire | str | None = reader.take("input")
    if given is None:
        reader.spelling["input"] = "absent"
        return []
    if isinstance(given, list):
        if not given or not all(item.get("type") in CONTENT_TYPES for item in given):
            return load_messages(given)
        reader.spelling["input"] = "content"
        content = given
    elif isinstance(given, dict):
        reader.spelling["input"] = "object"
        content = [given]
    else:
        reader.spelling["input"] = "text"
        content = [{"type": "text", "text": given}]
    return [{"role": "user", "content": load_content(content, "user")}]


def dump_request(request: Request, messages: Sequence[Any], d: InteractionsDump) -> Wire:
    """Dump a request body."""
    d.reserve(messages, request.tools or ())
    out: Wire = {}
    count = _count_leading(messages, d)
    steps: list[Wire] = []
    write(messages, count, steps, d)
    while count and not steps and not d.same_format:
        # A request must have input, so the last system text becomes the user's.
        count -= 1
        write(messages[: count + 1], count, steps, d)
    if count:
        losses = d.losses.copy()
        d.losses.clear()
        _lead(messages[:count], out, d)  # its losses are reported first
        d.losses += losses
    _place_input(request, steps, out, d)
    if len(request.model_fields_set) > 1:
        _dump_settings(request, out, d)
    return out


def _place_input(request: Request, steps: list[Wire], out: Wire, d: InteractionsDump) -> None:
    """Write the input in the form that it was loaded from, if all of it is one user input."""
    word = spelling(request, "input") if d.exact else None
    out["input"] = steps
    if word == "absent" and not steps:
        del out["input"]
    if word not in ("text", "object", "content") or len(steps) != 1:
        return
    content: Any = steps[0].get("content")
    if steps[0].keys() != {"type", "content"} or steps[0]["type"] != "user_input" or not content:
        return
    first: Json = content[0]
    is_alone = len(content) == 1
    if word == "content":
        _place_parts(len(content), "/input/", d)
        out["input"] = content
    elif word == "object" and is_alone:
        _place_parts(1, "", d)
        out["input"] = first
    elif word == "text" and is_alone and _is_bare_text(first):
        _place_parts(1, "", d)
        out["input"] = content[0]["text"]


def _is_bare_text(part: Json) -> bool:
    """Whether a part is a text without other fields."""
    return type(part) is dict and part.keys() == {"type", "text"} and part["type"] == "text"


def _place_parts(count: int, at: str, d: InteractionsDump) -> None:
    """Note that the content of the only step is written in the step's place."""
    message = d.places.pop("/input/0")
    for i in range(count):
        before = f"/input/0/content/{i}"
        for place in [place for place in d.places if place == before or place.startswith(before + "/")]:
            d.places[(f"{at}{i}" if at else "/input") + place[len(before) :]] = d.places.pop(place)
    if at:
        d.places["/input"] = message


def _count_leading(messages: Sequence[Any], d: InteractionsDump) -> int:
    """The number of leading messages that become the system instruction."""
    most = 1 if d.same_format else len(messages)
    count = 0
    for message in messages[:most]:
        if message.role not in ("system", "developer"):
            break
        count += 1
    return count


def _lead(messages: Sequence[Any], out: Wire, d: InteractionsDump) -> int:
    """Write the leading system messages as one text; returns their number."""
    count = _count_leading(messages, d)
    texts: list[str] = []
    lifted: list[tuple[str, Any]] = []
    for i, message in enumerate(messages[:count]):
        path = f"/messages/{i}"
        found = _texts_of(message, path, d.rules_for(message))
        texts += found
        if found:
            lifted.append((path, message))
            if len(found) > 1:
                d.report("changed", path + "/content", _SYSTEM, "the texts of a system instruction are joined with empty lines")
    for path, message in lifted:
        d.places.setdefault(_SYSTEM, path)
        if len(lifted) > 1:
            d.report("changed", path, _SYSTEM, "the leading system messages become one system instruction")
        elif message.role == "developer":
            d.report("changed", path, _SYSTEM, f"{d.target.name} has no developer role: it becomes the system instruction")
    if texts:
        out["system_instruction"] = "\n\n".join(texts)
    return count


_SYSTEM = "/system_instruction"


def _texts_of(message: Any, path: str, d: InteractionsDump) -> list[str]:
    """The text of a system message; what a text cannot carry is reported."""
    texts: list[str] = []
    content = message.content
    if isinstance(content, str):
        texts = [content] if content or d.exact else []
    else:
        for where, part in pieces_of(content, path):
            if part.type != "text":
                d.drop(where, "the system instruction must be text")
                continue
            texts += [part.text] if part.text else []
            d.drop_named(part, where, "cache_control")
            d.drop_unplaced(part, where)
            d.drop_fields(part, where)
    drop_frame(message, path, d)
    if not texts:
        d.drop(path, NOTHING_LEFT)
    return texts


STEPS = Steps(lead=_lead, write=write)


def _dump_settings(request: Request, out: Wire, d: InteractionsDump) -> None:
    out |= {key: value for key in _SAME if (value := getattr(request, key)) is not None}
    if d.has_tools(request):
        written: list[Wire] = []
        for path, tool in d.tools_of(request):
            if (made := dump_tool(tool, path, f"/tools/{len(written)}", d)) is not None:
                written.append(made)
        if written or d.exact:
            out["tools"] = written
    if config := _dump_config(request, out.get("tools", ()), d):
        out[_CONFIG] = config
    if request.response_format is not None:
        _dump_format(request, request.response_format, out, d)
    if request.metadata is not None:
        labels = request.metadata if d.same_family else fitting_labels(request.metadata, d)
        if labels or d.same_family:
            out["labels"] = copy_wire(labels)
    d.drop_named(request, "", "top_k", "user", "parallel_tool_calls", "caching")
    lay_request_data(d, request, out)
    if request.tool_choice is None and d.exact and spelling(request, "tool_choice") == _VALIDATED:
        _remove_choice(out)
