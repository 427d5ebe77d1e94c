"""Load and dump requests: each `dump_x` undoes its `load_x`.

Functions that dump an object take its pointer in the canonical request (`path`), the pointer to its place in the output (`at`),
and the state of the dump with the rules that apply (`d`). If `d.exact` is true, the object is written as it was loaded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from ...codec.arguments import EMPTY, fit_answer
from ...codec.efforts import nearest_effort
from ...codec.fields import FieldReader, Wire, asks_for_text, copy_wire, spelling, value_at
from ...codec.format import Steps
from ...codec.provider_data import lay_request_data
from ...codec.settings import drop_sampling, fit_budget, fit_choice, fit_effort, fit_most, fit_stop
from ...codec.shared import THINKING_REFUSED, Setting, Shared, adaptive_thinking, thinking_display
from ...codec.totals import StrictSchemas
from ...codec.turns import lead, trim_end
from ...errors import escape
from ...model.base import Json
from ...model.exchange import INVENTED_NAME, Request
from ...model.parts import to_json
from . import nova
from .base import FAMILY, LONGEST_NAME, ConverseDump, ConverseProfile, adapter, keep_whole, one_field
from .blobs import decoded
from .blocks import load_block
from .caching import cache_point, dump_caching, load_list
from .messages import TURNS, dump_system, load_message

# Tools and the choice among them


def load_tool(wire: Wire) -> dict[str, Any]:
    """Load a tool that the client runs; a tool that the server runs is kept whole."""
    if wire.keys() != {"toolSpec"}:
        return keep_whole(wire)
    reader = FieldReader(wire)
    out = dict[str, Any](type="function")
    spec = reader.inside("toolSpec", standalone=True)
    spec.move(out, "name", "description", "strict")
    spec.inside("inputSchema", standalone=True).move_typed(out, dict, json="parameters")
    if spec.wire.get("inputSchema") == {}:
        reader.spelling["inputSchema"] = "empty"
    return reader.keep(out, FAMILY)


def dump_tool(tool: Any, path: str, at: str, d: ConverseDump, others: StrictSchemas) -> list[Wire]:
    """Dump a tool beside others, with its cache point; an empty list, with a report, for one that another's server runs."""
    if tool.type == "opaque":
        own = d.own_tool(tool, path, at)
        return [] if own is None else [own]
    d.places[at] = path
    spec: Wire = {"name": tool.name if d.exact else d.tool_name(tool.name, path, LONGEST_NAME)}
    if tool.description or (d.exact and tool.description is not None):
        spec["description"] = tool.description
    strict = tool.strict
    if d.profile.nova and strict is not None and not d.exact:
        d.drop(path + "/strict", "Nova's tools have no `strict` field")
        strict = None
    if not d.exact:
        schema, strict = others.fit_parameters(tool.parameters, path, at + "/toolSpec/inputSchema/json", strict=strict)
        spec["inputSchema"] = {"json": schema}
    elif tool.parameters is not None or spelling(tool, "inputSchema") == "empty":
        spec["inputSchema"] = {} if tool.parameters is None else {"json": copy_wire(tool.parameters)}
    if strict is not None:
        spec["strict"] = strict
    out: Wire = {"toolSpec": spec}
    d.lay_provider_data(tool, out, path)
    return [out] if tool.cache_control is None else [out, cache_point(tool, path, d)]


_CHOICES = {"auto": "auto", "any": "required", "tool": "tool"}
_WORDS = {meaning: word for word, meaning in _CHOICES.items()}


def _load_tools(config: FieldReader, out: dict[str, Any]) -> None:
    if (tools := config.take("tools")) is not None:
        out["tools"] = load_list(tools, load_tool, tools=True)
    word, options = one_field(config.wire.get("toolChoice"))
    if word not in _CHOICES or type(options) is not dict or [*options] != (["name"] if word == "tool" else []):
        return
    if type(options.get("name", "")) is str:
        config.know("toolChoice")
        out["tool_choice"] = {"type": _CHOICES[word], **options}


def _dump_tools(request: Request, out: Wire, d: ConverseDump) -> None:
    written: list[Wire] = []
    strict = StrictSchemas(request, d)
    for path, tool in d.tools_of(request):
        written += dump_tool(tool, path, f"/toolConfig/tools/{len(written)}", d, strict)
    config: Wire = {"tools": written} if written or (d.exact and request.tools is not None) else {}
    is_whole = request.model is not None or request.max_tokens is not None  # otherwise the caller may still add the tools
    if is_whole and not (written or d.same_format):
        config = _called_tools(out, d)
    choice = request.tool_choice
    if choice is not None and choice.type == "none" and config.get("tools"):
        d.drop("/tool_choice", "Converse has no tool choice `none`: leave out the tools to keep them from being called")
    else:
        specs = [one_field(tool)[1] for tool in written]
        sent = [str(spec["name"]) for spec in specs if type(spec) is dict and "name" in spec]
        choice, name = fit_choice(choice, sent, LONGEST_NAME, d)
        if choice is not None:
            config["toolChoice"] = {_WORDS[choice.type]: {} if name is None else {"name": name}}
    if config:
        out["toolConfig"] = config


def _called_tools(out: Wire, d: ConverseDump) -> Wire:
    """The called tools, without parameters, because the server refuses earlier calls in a request without tools."""
    names: dict[str, None] = {}
    for message in out["messages"]:
        content: Json = message.get("content") if message.get("role") == "assistant" else None
        for block in content if type(content) is list else ():
            name = value_at(block, ("toolUse", "name"))
            if type(name) is str:
                names[name] = None
    if not names:
        return {}
    d.report("added", "", "/toolConfig", "a history with calls needs tools: those called are sent, without parameters")
    return {"tools": [{"toolSpec": {"name": name, "inputSchema": {"json": copy_wire(EMPTY)}}} for name in names]}


# Requests

INFERENCE = {"maxTokens": "max_tokens", "temperature": "temperature", "topP": "top_p", "stopSequences": "stop"}


def load_request(profile: ConverseProfile, wire: Wire) -> dict[str, Any]:
    """Load a request body as the data of a canonical request; raises pydantic's `ValidationError`."""
    reader = FieldReader(adapter("SdkRequest" if profile.sdk else "Request").validator.validate_python(wire))
    messages = [load_message(message) for message in reader.take("messages") or ()]
    if reader.wire.get("messages") is None:
        reader.spelling["messages"] = "null" if "messages" in reader.wire else "absent"
        reader.know("messages")
    out: dict[str, Any] = {"messages": messages}
    if system := reader.take("system"):
        messages.insert(0, {"role": "system", "content": load_list(system, load_block)})
    reader.move(out, modelId="model")
    if profile.nova and reader.wire.get("schemaVersion") == nova.VERSION:
        reader.know("schemaVersion")
        reader.spelling["schemaVersion"] = nova.VERSION
    if not profile.nova and (metadata := reader.take("requestMetadata")):
        out["metadata"] = metadata
    if "model" in out and not profile.sdk:
        reader.spelling["model"] = "body"
    for key, load in (_NOVA_SETTINGS if profile.nova else _SETTINGS).items():
        if reader.wire.get(key) is not None:
            load(reader.inside(key, standalone=True), out)
    for key in (*_SETTINGS, "requestMetadata", "system"):
        if reader.wire.get(key) == ([] if key == "system" else {}):
            reader.spelling[key] = "empty"
    return reader.keep(out, FAMILY)


def _load_inference(config: FieldReader, out: dict[str, Any]) -> None:
    config.move(out, **INFERENCE)


def _load_additional(fields: FieldReader, out: dict[str, Any]) -> None:
    """Load the settings that only Claude or some other models have."""
    for key in ("thinking", "reasoning_config"):
        thinking = fields.inside(key)
        kind = thinking.take("type")
        budget = thinking.wire.get("budget_tokens")
        is_enabled = kind == "enabled" and type(budget) is int and budget != 0
        if kind == "disabled" and "reasoning_budget" not in out:
            out["reasoning_budget"] = 0
        elif is_enabled and "reasoning_budget" not in out:
            out["reasoning_budget"] = thinking.take("budget_tokens")
        else:
            thinking.forget()
            continue
        if key != "thinking":
            fields.spelling["reasoning_budget"] = key
    fields.move_typed(out, int, "top_k")
    fields.move_typed(out, str, "reasoning_effort")
    if "reasoning_effort" in out:
        fields.spelling["reasoning_effort"] = "additional"


def _load_output_config(config: FieldReader, out: dict[str, Any]) -> None:
    """Load the reasoning effort and the response format."""
    if "reasoning_effort" not in out:
        config.move_typed(out, str, effort="reasoning_effort")
    text = config.inside("textFormat")
    form = text.inside("structure").inside("jsonSchema")
    schema = _read_schema(form.take("schema", str))
    if schema is None or text.take("type") != "json_schema":
        text.forget()
        return
    out["response_format"] = {"type": "json_schema", "json_schema": schema}
    form.move_typed(out["response_format"], str, "name", "description")
    if to_json(schema) != form.wire["schema"]:
        config.spelling["schema"] = form.wire["schema"]


def _read_schema(text: str | None) -> dict[str, Any] | None:
    """The schema in a text; None if the text is not a JSON object."""
    try:
        schema: Json = json.loads(text or "")
    except (ValueError, RecursionError):
        return None
    return schema if type(schema) is dict else None


_SETTINGS = {
    "inferenceConfig": _load_inference,
    "toolConfig": _load_tools,
    "additionalModelRequestFields": _load_additional,
    "outputConfig": _load_output_config,
}
"""The loader of each setting that is an object."""


def _load_nova_inference(config: FieldReader, out: dict[str, Any]) -> None:
    _load_inference(config, out)
    nova.load_inference(config, out)


_NOVA_SETTINGS = {"inferenceConfig": _load_nova_inference, "toolConfig": _load_tools}


def dump_request(request: Request, messages: Sequence[Any], d: ConverseDump) -> Wire:
    """Dump a request body."""
    d.reserve(messages, request.tools or ())
    written: list[Wire] = []
    out: Wire = {"messages": written}
    TURNS.write_all(messages, written, d, dump_system, out)
    if len(request.model_fields_set) > 1:
        _dump_settings(request, out, d)
    trim_end(written, messages, d)
    _add_texts(written, d)
    if request.caching is not None:
        dump_caching(request.caching, out, d)
    if d.exact and not written and (spelled := spelling(request, "messages")) in ("null", "absent"):
        out |= {"messages": None}
        if spelled == "absent":
            del out["messages"]
    body: Wire = decoded(out, d.drop_blob) if d.profile.sdk else out
    return body


def _add_texts(written: list[Wire], d: ConverseDump) -> None:
    """Add a text to messages with a document and no text, which the server would refuse."""
    for at, path in d.with_document.items():
        content: list[Wire] = written[int(at.rpartition("/")[2])]["content"]
        if not any("text" in block or "citationsContent" in block for block in content):
            here = f"{at}/content/{len(content)}"
            content.append({"text": "See the document."})
            d.places[here] = path
            d.report("added", path, here, "a message with a document must have a text: one is added")


def _finish(out: Wire, written: list[Wire], d: ConverseDump) -> None:
    trim_end(written, (), d)
    _add_texts(written, d)
    if d.profile.sdk:
        whole = {"messages": written} | {key: out[key] for key in ("system",) if key in out}
        out |= decoded(whole, d.drop_blob)


STEPS = Steps(lead=partial(lead, dump_system), write=TURNS.write, finish=_finish)

# Settings


def _may_think(out: Wire) -> bool:
    """Whether Claude accepts thinking: it does not if a call is forced, or if the last message is the assistant's."""
    last = out["messages"][-1].get("role") if out["messages"] else None
    forced = not out.get("toolConfig", {}).get("toolChoice", {}).keys().isdisjoint(("any", "tool"))
    return not forced and last != "assistant"


SHARED: Shared = {
    "adaptive_thinking": adaptive_thinking("additionalModelRequestFields", "thinking", fits=_may_think),
    "thought_summaries": thinking_display("additionalModelRequestFields", "thinking"),
    "service_tier": Setting(
        ("serviceTier", "type"),
        words={tier: tier for tier in ("default", "flex", "priority")},
        nearest={"fast": "priority"},
    ),
}
"""Settings without a canonical field that other formats have too (boto3's model); only Bedrock has the tier `reserved`."""


def _dump_settings(request: Request, out: Wire, d: ConverseDump) -> None:
    is_in_body = d.profile.sdk or (d.exact and spelling(request, "model") == "body")
    if request.model is not None and is_in_body:
        out["modelId"] = request.model
    settings = {key: getattr(request, name) for key, name in INFERENCE.items()}
    settings["stopSequences"] = fit_stop(request.stop, d, blank=False)
    config = {key: value for key, value in settings.items() if value is not None}
    _dump_tools(request, out, d)
    if d.profile.nova:
        _fit_temperature(config, d)
        _finish_for_nova(request, config, out, d)
        return
    fields = _additional(request, out, d)
    if not d.same_family and request.reasoning_budget and "thinking" in fields:
        drop_sampling(config, {"temperature": "temperature"}, d)
        drop_sampling(fields, {"top_k": "top_k"}, d)
    _fit_temperature(config, d)
    if config:
        out["inferenceConfig"] = config
    more = {"additionalModelRequestFields": fields, "outputConfig": _output_config(request, d)}
    out |= {key: value for key, value in more.items() if value}
    if request.metadata is not None:
        _dump_metadata(request.metadata, out, d)
    d.drop_named(request, "", "user", "parallel_tool_calls")
    if d.exact:
        _dump_empty(request, out, d)
    lay_request_data(d, request, out)


def _fit_temperature(config: Wire, d: ConverseDump) -> None:
    if "temperature" in config:
        config["temperature"] = fit_most(config["temperature"], 1, "/temperature", d, "/inferenceConfig/temperature")


def _finish_for_nova(request: Request, config: Wire, out: Wire, d: ConverseDump) -> None:
    """Write the settings of a Nova body, which has fewer fields."""
    if config := nova.dump_inference(request, config, d):
        out["inferenceConfig"] = config
    nova.drop_others(request, d)
    if d.exact:
        if (version := spelling(request, "schemaVersion")) is not None:
            out["schemaVersion"] = version
        _dump_empty(request, out, d)
    lay_request_data(d, request, out, nova.FIELDS.__contains__)


def _dump_empty(request: Request, out: Wire, d: ConverseDump) -> None:
    """Write the fields that were loaded empty."""
    settings = (*_SETTINGS, "requestMetadata") if d.settings else ()
    for key in (*settings, "system"):
        if key not in out and spelling(request, key) == "empty":
            out[key] = [] if key == "system" else {}


def _additional(request: Request, out: Wire, d: ConverseDump) -> Wire:
    fields: Wire = {}
    if request.reasoning_budget is not None:
        may_think = _may_think(out)
        key = (spelling(request, "reasoning_budget") if d.exact else None) or "thinking"
        if request.reasoning_budget == 0:
            fields[key] = {"type": "disabled"}
        elif request.reasoning_budget < 0 and may_think and not d.same_family:
            # -1 comes from Gemini: the model decides how much it thinks.
            fields[key] = {"type": "adaptive"}
            at = f"/additionalModelRequestFields/{key}"
            d.report("changed", "/reasoning_budget", at, "a budget that the model chooses becomes adaptive thinking")
        elif d.same_family or may_think:
            at = f"/additionalModelRequestFields/{key}/budget_tokens"
            if (fitted := fit_budget(request, at, d)) is not None:
                fields[key] = {"type": "enabled", "budget_tokens": fitted}
        else:
            d.drop("/reasoning_budget", THINKING_REFUSED)
    elif request.reasoning_effort == "none" and not d.exact:
        fields["thinking"] = {"type": "disabled"}  # which means the same
    if request.top_k is not None:
        fields["top_k"] = request.top_k
    if request.reasoning_effort is not None and _is_additional(request, d):
        fields["reasoning_effort"] = request.reasoning_effort
    return fields


def _is_additional(request: Request, d: ConverseDump) -> bool:
    """Whether the effort was loaded from the model's own fields, and is written there again."""
    return d.exact and spelling(request, "reasoning_effort") == "additional"


_NEAREST = {"minimal": "low"}
"""The effort that replaces one that Converse does not have (boto3's model of `OutputConfig.effort`)."""


def _output_config(request: Request, d: ConverseDump) -> Wire:
    out: Wire = {}
    effort = None if _is_additional(request, d) else fit_effort(request, None, d)
    effort = nearest_effort(effort, _NEAREST, "/outputConfig/effort", d)
    if effort == "none" and not d.exact:
        if request.reasoning_budget:
            d.drop("/reasoning_effort", "Converse has no effort `none`, and the reasoning budget enables reasoning")
    elif effort is not None:
        out["effort"] = effort
    form = request.response_format
    if form is None or asks_for_text(form):
        return out
    if form.type != "json_schema" or form.json_schema is None:
        d.drop("/response_format", "Converse's only response format is a JSON schema: give one with `json_schema`")
        return out
    text = spelling(request, "schema") if d.same_family else None
    at = "/outputConfig/textFormat/structure/jsonSchema/schema"
    schema = fit_answer(form.json_schema, at, d)
    definition: Wire = {"schema": text if text and _read_schema(text) == schema else to_json(schema)}
    for key in ("name", "description"):
        if getattr(form, key) is not None and (d.exact or (key, form.name) != ("name", INVENTED_NAME)):
            definition[key] = getattr(form, key)
    return out | {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": definition}}}


_METADATA = re.compile(r"[a-zA-Z0-9\s:_@$#=/+,.-]{0,256}").fullmatch


def _dump_metadata(metadata: dict[str, Any], out: Wire, d: ConverseDump) -> None:
    kept: Wire = {}
    for key, value in metadata.items():
        fits = type(value) is str and key and len(kept) < 16 and _METADATA(key) and _METADATA(value)
        if d.exact or fits:
            kept[key] = copy_wire(value)
        else:
            d.drop(
                "/metadata/" + escape(key),
                "`requestMetadata` must have at most 16 strings, each of at most 256 letters, digits and certain symbols",
            )
    if kept or d.exact:
        out["requestMetadata"] = kept
