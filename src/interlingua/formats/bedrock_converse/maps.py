"""The maps of requests: each `load_x` with the `dump_x` that undoes it.

The functions that write get the pointer of what they write (`path`, in the canonical request), the pointer of where it goes
(`at`, in the output), and the dump with the rules that apply (`d`). `d.exact` means that it is written as it was loaded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from ...codec.arguments import fit_schema
from ...codec.fields import FieldReader, Wire, copy_wire, spelling
from ...codec.format import Steps
from ...codec.turns import count_lifted
from ...model.base import Json
from ...model.exchange import INVENTED_NAME, Request, ResponseFormat, choice_without_tool
from ...model.parts import to_json
from .base import FAMILY, LONGEST_NAME, ConverseDump, ConverseProfile, adapter, keep_whole
from .blobs import decoded
from .blocks import load_block
from .caching import cache_point, dump_caching, load_list
from .messages import TURNS, dump_system, load_message

# Tools and the choice among them


def load_tool(wire: Wire) -> dict[str, Any]:
    """A tool that the client runs; a server's tool is kept whole."""
    if wire.keys() != {"toolSpec"}:
        return keep_whole(wire)
    reader, spec = FieldReader(wire), FieldReader(wire["toolSpec"])
    out: dict[str, Any] = {"type": "function"}
    spec.move(out, "name", "description", "strict")
    schema = FieldReader(spec.take("inputSchema", dict) or {})
    if (parameters := schema.take("json", dict)) is not None:
        out["parameters"] = parameters
    reader.left("toolSpec", spec.rest)
    reader.partial["toolSpec/inputSchema"] = schema.rest
    if spec.wire.get("inputSchema") == {}:
        reader.spelling["inputSchema"] = "empty"
    return reader.keep(out, FAMILY)


def dump_tool(tool: Any, path: str, at: str, d: ConverseDump) -> list[Wire]:
    """A tool with its cache point; nothing, and reported, for the tool of another provider's server."""
    if tool.type == "opaque":
        if tool.format != FAMILY:
            d.drop(path, d.no_place("this tool", tool.format))
            return []
        d.places[at] = path
        return [copy_wire(tool.value)]
    d.places[at] = path
    spec: Wire = {"name": tool.name if d.exact else d.tool_name(tool.name, path, LONGEST_NAME)}
    if tool.description or (d.exact and tool.description is not None):
        spec["description"] = tool.description
    elif tool.description is not None:
        d.drop(path + "/description", "an empty description is refused")
    if not d.exact:
        spec["inputSchema"] = {"json": fit_schema(tool.parameters, path, at + "/toolSpec/inputSchema/json", d)}
    elif tool.parameters is not None or spelling(tool, "inputSchema") == "empty":
        spec["inputSchema"] = {} if tool.parameters is None else {"json": copy_wire(tool.parameters)}
    if tool.strict is not None:
        spec["strict"] = tool.strict
    out: Wire = {"toolSpec": spec}
    if tool.provider_data is not None:
        d.lay_provider_data(tool, out, path)
    return [out] if tool.cache_control is None else [out, cache_point(tool, path, d)]


_CHOICES = {"auto": "auto", "any": "required", "tool": "tool"}
_WORDS = {meaning: word for word, meaning in _CHOICES.items()}


def _load_tool_config(config: FieldReader, reader: FieldReader, out: dict[str, Any]) -> None:
    if (tools := config.take("tools")) is not None:
        out["tools"] = load_list(tools, load_tool, tools=True)
    choice: Json = config.wire.get("toolChoice")
    if type(choice) is dict and len(choice) == 1 and (word := next(iter(choice))) in _CHOICES:
        named = word == "tool" and type(choice[word]) is dict and choice[word].keys() == {"name"}
        if (named and type(choice[word]["name"]) is str) or (choice[word] == {} and word != "tool"):
            config.known.add("toolChoice")
            out["tool_choice"] = {"type": _CHOICES[word], **choice[word]}
    reader.left("toolConfig", config.rest, standalone=True)


def _dump_tools(request: Request, out: Wire, d: ConverseDump) -> None:
    written: list[Wire] = []
    for i, tool in enumerate(request.tools or ()):
        written += dump_tool(tool, f"/tools/{i}", f"/toolConfig/tools/{len(written)}", d)
    if written or (d.exact and request.tools is not None):
        out["toolConfig"] = {"tools": written}


def _dump_tool_choice(request: Request, out: Wire, d: ConverseDump) -> None:
    choice = request.tool_choice
    if choice is None:
        return
    name = choice.name
    if name is not None and not d.exact:
        name = d.tool_name(name, "/tool_choice", LONGEST_NAME)
    tools: list[Wire] = out.get("toolConfig", {}).get("tools", [])
    sent = [str(held["name"]) for tool in tools for held in tool.values() if "name" in held]
    if choice.type == "none":
        d.drop("/tool_choice", "there is no choice of no tool")
    elif not d.exact and choice_without_tool(choice, sent, name):
        d.drop("/tool_choice", "none of the tools to choose from can be sent")
    else:
        config = out.setdefault("toolConfig", {})
        config["toolChoice"] = {_WORDS[choice.type]: {} if name is None else {"name": name}}


# Requests

INFERENCE = {"maxTokens": "max_tokens", "temperature": "temperature", "topP": "top_p", "stopSequences": "stop"}


def load_request(profile: ConverseProfile, wire: Wire) -> dict[str, Any]:
    """A request body as the data of a canonical request; raises pydantic's `ValidationError`."""
    reader = FieldReader(adapter("SdkRequest" if profile.sdk else "Request").validate_python(wire))
    messages = [load_message(message) for message in reader.take("messages") or ()]
    if "messages" not in reader.known:
        reader.spelling["messages"] = "null" if "messages" in reader.wire else "absent"
        reader.known.add("messages")
    if (system := reader.take("system")) is not None:
        if system:
            messages.insert(0, {"role": "system", "content": load_list(system, load_block)})
        else:
            reader.spelling["system"] = "empty"
    out: dict[str, Any] = {"messages": messages}
    if (model := reader.take("modelId")) is not None:
        out["model"] = model
        if not profile.sdk:
            reader.spelling["model"] = "body"
    for key, load in _SETTINGS.items():
        held: Json = reader.wire.get(key)
        if held == {}:
            reader.known.add(key)
            reader.spelling[key] = "empty"
        elif type(held) is dict:
            load(FieldReader(held), reader, out)
    return reader.keep(out, FAMILY)


def _load_inference(config: FieldReader, reader: FieldReader, out: dict[str, Any]) -> None:
    config.move(out, **INFERENCE)
    reader.left("inferenceConfig", config.rest, standalone=True)


def _load_additional(fields: FieldReader, reader: FieldReader, out: dict[str, Any]) -> None:
    """What Claude and others take besides the settings that all models have."""
    for key in ("thinking", "reasoning_config"):
        thinking = FieldReader(fields.take(key, dict) or {})
        budget = thinking.take("budget_tokens", int)
        if thinking.take("type") != "enabled" or budget is None or "reasoning_budget" in out:
            fields.known.discard(key)
            continue
        out["reasoning_budget"] = budget
        reader.partial[f"additionalModelRequestFields/{key}"] = thinking.rest
        if key != "thinking":
            reader.spelling["reasoning_budget"] = key
    if (top_k := fields.take("top_k", int)) is not None:
        out["top_k"] = top_k
    if (effort := fields.take("reasoning_effort", str)) is not None:
        out["reasoning_effort"] = effort
        reader.spelling["reasoning_effort"] = "additional"
    reader.left("additionalModelRequestFields", fields.rest, standalone=True)


def _load_output_config(config: FieldReader, reader: FieldReader, out: dict[str, Any]) -> None:
    """The effort of reasoning, and the form of the answer."""
    if "reasoning_effort" not in out and (effort := config.take("effort", str)) is not None:
        out["reasoning_effort"] = effort
    text = FieldReader(config.take("textFormat", dict) or {})
    structure = FieldReader(text.take("structure", dict) or {})
    held = FieldReader(structure.take("jsonSchema", dict) or {})
    schema = _read_schema(held.take("schema", str))
    if schema is not None and text.take("type") == "json_schema":
        form: dict[str, Any] = {"type": "json_schema", "json_schema": schema}
        form |= {key: value for key in ("name", "description") if (value := held.take(key, str)) is not None}
        out["response_format"] = form
        if to_json(schema) != held.wire["schema"]:
            reader.spelling["schema"] = held.wire["schema"]
        for path, rest in (("", text.rest), ("/structure", structure.rest), ("/structure/jsonSchema", held.rest)):
            reader.partial["outputConfig/textFormat" + path] = rest
    else:
        config.known.discard("textFormat")
    reader.left("outputConfig", config.rest, standalone=True)


def _read_schema(text: str | None) -> dict[str, Any] | None:
    """The schema in a text; None where it is no JSON object."""
    try:
        schema: Json = json.loads(text or "")
    except (ValueError, RecursionError):
        return None
    return schema if type(schema) is dict else None


def _load_metadata(metadata: FieldReader, reader: FieldReader, out: dict[str, Any]) -> None:
    out["metadata"] = metadata.wire
    reader.known.add("requestMetadata")


_SETTINGS = {
    "inferenceConfig": _load_inference,
    "toolConfig": _load_tool_config,
    "additionalModelRequestFields": _load_additional,
    "outputConfig": _load_output_config,
    "requestMetadata": _load_metadata,
}
"""The settings that are objects, and how each is read."""


def dump_request(request: Request, messages: Sequence[Any], d: ConverseDump) -> Wire:
    """A request body."""
    d.reserve(messages, request.tools or ())
    written: list[Wire] = []
    out: Wire = {"messages": written}
    TURNS.write_all(messages, written, d, partial(dump_system, out, d))
    if len(request.model_fields_set) > 1:
        _dump_settings(request, out, d)
    _finish(out, written, d, decode=False)
    if request.caching is not None:
        dump_caching(request.caching, out, d)
    if d.exact and not written and (spelled := spelling(request, "messages")) in ("null", "absent"):
        out |= {"messages": None}
        if spelled == "absent":
            del out["messages"]
    body: Wire = decoded(out) if d.profile.sdk else out
    return body


def _lead(messages: Sequence[Any], out: Wire, d: ConverseDump) -> int:
    if count := count_lifted(messages, d):
        dump_system(out, d, messages[:count])
    return count


def _finish(out: Wire, written: list[Wire], d: ConverseDump, *, decode: bool = True) -> None:
    """Add a text to messages that hold a document and none, which the server refuses."""
    for at, path in d.with_document.items():
        message = written[int(at.rpartition("/")[2])]
        if not any("text" in block or "citationsContent" in block for block in message["content"]):
            here = f"{at}/content/{len(message['content'])}"
            message["content"].append({"text": "See the document."})
            d.places[here] = path
            d.report("added", path, here, "a message with a document needs a text")
    if decode and d.profile.sdk:
        out["messages"] = decoded(written)
        out |= {key: decoded(out[key]) for key in ("system",) if key in out}


STEPS = Steps(lead=_lead, write=TURNS.write, finish=_finish)

# Settings


def _dump_settings(request: Request, out: Wire, d: ConverseDump) -> None:
    if request.model is not None and (d.profile.sdk or (d.exact and spelling(request, "model") == "body")):
        out["modelId"] = request.model
    _dump_inference(request, out, d)
    _dump_tools(request, out, d)
    _dump_tool_choice(request, out, d)
    _dump_additional(request, out, d)
    if request.reasoning_effort is not None and not (d.exact and spelling(request, "reasoning_effort") == "additional"):
        out["outputConfig"] = {"effort": request.reasoning_effort}
    if request.response_format is not None:
        _dump_format(request, request.response_format, out, d)
    if request.metadata is not None:
        _dump_metadata(request.metadata, out, d)
    if request.user is not None:
        d.drop("/user", "requests have no user here")
    if request.parallel_tool_calls is not None:
        d.drop("/parallel_tool_calls", "requests have no such field here")
    if d.exact:
        for key in (*_SETTINGS, "system"):
            if key not in out and spelling(request, key) == "empty":
                out[key] = [] if key == "system" else {}
    if request.provider_data is not None:
        d.lay_provider_data(request, out, "")


def _dump_inference(request: Request, out: Wire, d: ConverseDump) -> None:
    config: Wire = {}
    for key, name in INFERENCE.items():
        value = getattr(request, name)
        if value is not None and name != "stop":
            config[key] = value
    if request.stop is not None:
        kept: list[str] = []
        for i, sequence in enumerate(request.stop):
            if d.exact or sequence.strip():
                kept.append(sequence)
            else:
                d.drop(f"/stop/{i}", "stop sequences of white space are refused")
        if kept or d.exact:
            config["stopSequences"] = kept
    if config:
        out["inferenceConfig"] = config


def _dump_additional(request: Request, out: Wire, d: ConverseDump) -> None:
    fields: Wire = {}
    if request.reasoning_budget is not None:
        last = out["messages"][-1].get("role") if out["messages"] else None
        forced = not out.get("toolConfig", {}).get("toolChoice", {}).keys().isdisjoint(("any", "tool"))
        if d.same_family or not (forced or last == "assistant"):
            key = (spelling(request, "reasoning_budget") if d.exact else None) or "thinking"
            fields[key] = {"type": "enabled", "budget_tokens": request.reasoning_budget}
        else:
            d.drop("/reasoning_budget", "thinking is refused if a tool must be called or the last message is the assistant's")
    if request.top_k is not None:
        fields["top_k"] = request.top_k
    if d.exact and request.reasoning_effort is not None and spelling(request, "reasoning_effort") == "additional":
        fields["reasoning_effort"] = request.reasoning_effort
    if fields:
        out["additionalModelRequestFields"] = fields


def _dump_format(request: Request, form: ResponseFormat, out: Wire, d: ConverseDump) -> None:
    if form.type != "json_schema" or form.json_schema is None:
        d.drop("/response_format", "the only response format is a JSON Schema")
        return
    text = spelling(request, "schema") if d.same_family else None
    held: Wire = {"schema": text if text and _read_schema(text) == form.json_schema else to_json(form.json_schema)}
    for key in ("name", "description"):
        if getattr(form, key) is not None and (d.exact or (key, form.name) != ("name", INVENTED_NAME)):
            held[key] = getattr(form, key)
    if form.strict is not None:
        d.drop("/response_format/strict", "a response format has no such field here")
    text_format = {"type": "json_schema", "structure": {"jsonSchema": held}}
    out.setdefault("outputConfig", {})["textFormat"] = text_format


_METADATA = re.compile(r"[a-zA-Z0-9\s:_@$#=/+,.-]{0,256}")


def _dump_metadata(metadata: dict[str, Any], out: Wire, d: ConverseDump) -> None:
    kept: Wire = {}
    for key, value in metadata.items():
        if d.exact or (
            type(value) is str and key and len(kept) < 16 and _METADATA.fullmatch(key) and _METADATA.fullmatch(value)
        ):
            kept[key] = copy_wire(value)
        else:
            d.drop("/metadata/" + key.replace("~", "~0").replace("/", "~1"), "metadata are 16 short texts of few characters")
    if kept or d.exact:
        out["requestMetadata"] = kept
