"""The maps of requests: each `load_x` with the `dump_x` that undoes it.

The functions that write get the pointer of what they write (`path`, in the canonical request), the pointer of where it goes
(`at`, in the output), and the dump with the rules that apply (`d`). `d.exact` means that it is written as it was loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ...codec.fields import Wire, spelling
from ...codec.format import Steps
from ...codec.turns import count_lifted
from ...model.base import Json
from ...model.exchange import INVENTED_NAME, Request, ResponseFormat
from .base import FAMILY, GeminiDump, WireReader, adapter, list_in, spellings
from .messages import TURNS, load_body, load_content, respell, respell_all
from .tools import dump_choice, dump_schema, dump_tools, load_choice, load_schema, load_tools

_NUMBERS = {"maxOutputTokens": "max_tokens", "temperature": "temperature", "topP": "top_p", "stopSequences": "stop"}
_LEVELS = frozenset({"minimal", "low", "medium", "high"})
_FORMS = {"text/plain": "text", "application/json": "json_object"}


def load_request(wire: Wire) -> dict[str, Any]:
    """A request body as the data of a canonical request; raises pydantic's `ValidationError`."""
    return load_body_of(adapter().validate_python(wire))


def load_body_of(wire: Wire) -> dict[str, Any]:
    """A request body of valid fields as the data of a canonical request."""
    reader = WireReader(wire, "contents")
    out: dict[str, Any] = {"messages": [load_content(content) for content in wire["contents"]]}
    _forget_names(out["messages"])
    _load_system(reader, out)
    if (model := reader.take("model")) is not None:
        out["model"] = model
        reader.spelling["model"] = "body"
    tools: Json = reader.take("tools")
    if type(tools) is dict:
        reader.spelling["tools"] = "object"
    if tools is not None:
        out["tools"] = load_tools([tools] if type(tools) is dict else list_in(wire, "tools"))
    load_choice(reader, out)
    config = reader.inner("generationConfig")
    if config.wire:
        _load_config(config, out)
        reader.close("generationConfig", config, standalone=True)
    return reader.keep(out, FAMILY)


def _forget_names(messages: list[dict[str, Any]]) -> None:
    """Remove the names of results that only repeat those of their calls, from which a dump has them."""
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
    config.move(out, **_NUMBERS)
    if (top_k := config.take("topK", int)) is not None:
        out["top_k"] = top_k
    thinking = config.inner("thinkingConfig")
    thinking.move(out, thinkingBudget="reasoning_budget")
    level = thinking.wire.get(thinking.name("thinkingLevel"))
    if type(level) is str and level.lower() in _LEVELS and level in (level.upper(), level.lower()):
        out["reasoning_effort"] = thinking.take("thinkingLevel").lower()
        if level == level.lower():
            config.spelling["level"] = "lower"
    if thinking.known:
        config.close("thinkingConfig", thinking)
    form = _FORMS.get(config.wire.get(config.name("responseMimeType")) or "")
    if form is None:
        return
    config.take("responseMimeType")
    out["response_format"] = {"type": form}
    if form == "json_object" and (schema := load_schema(config, "responseSchema", "responseJsonSchema", "schema")) is not None:
        out["response_format"] = {"type": "json_schema", "json_schema": schema}


def dump_request(request: Request, messages: Sequence[Any], d: GeminiDump) -> Wire:
    """A request body."""
    d.reserve(messages, request.tools or ())
    contents: list[Wire] = []
    out: Wire = {"contents": contents}
    TURNS.write_all(messages, contents, d, partial(_dump_system, out, d, request))
    if d.same_format:
        respell_all(messages, contents, d)
    if len(request.model_fields_set) > 1:
        _dump_settings(request, out, d)
    return out


def _dump_settings(request: Request, out: Wire, d: GeminiDump) -> None:
    if request.model is not None and (d.profile.as_call or (d.exact and spelling(request, "model") == "body")):
        out["model"] = request.model  # which is in the URL otherwise
    if request.tools is not None:
        dump_tools(request, out, d)
    dump_choice(request, out, d)
    if config := _dump_config(request, d):
        out[d.key(request, "generationConfig")] = config
    for key in ("metadata", "user", "caching"):
        if getattr(request, key) is not None:
            d.drop("/" + key, "there is no such field")
    if request.provider_data is not None:
        d.lay_provider_data(request, out, "", None if d.profile.as_call else _is_of_body)


def _dump_config(request: Request, d: GeminiDump) -> Wire:
    out: Wire = {}
    for key, name in (*_NUMBERS.items(), ("topK", "top_k")):
        if (value := getattr(request, name)) is not None:
            out[d.key(request, key)] = list(value) if name == "stop" else value
    thinking: Wire = {}
    budget, effort = request.reasoning_budget, request.reasoning_effort
    if budget is not None:
        thinking[d.key(request, "thinkingBudget")] = budget
    if effort is not None and (d.exact or (effort in _LEVELS and budget is None)):
        lower = spelling(request, "level") == "lower" if d.exact else False
        thinking[d.key(request, "thinkingLevel")] = effort if lower else effort.upper()
    elif effort is not None:
        d.drop("/reasoning_effort", "there is no such level" if budget is None else "a level is refused beside a budget")
    if thinking:
        out[d.key(request, "thinkingConfig")] = thinking
    if request.response_format is not None:
        _dump_form(request, request.response_format, out, d)
    return out


def _dump_form(request: Request, form: ResponseFormat, out: Wire, d: GeminiDump) -> None:
    out[d.key(request, "responseMimeType")] = "text/plain" if form.type == "text" else "application/json"
    if form.json_schema is not None and form.type == "json_schema":
        dump_schema(request, form.json_schema, out, "responseSchema", "responseJsonSchema", "schema", d)
    for key in ("name", "description", "strict"):
        if getattr(form, key) is not None and not (key == "name" and form.name == INVENTED_NAME):
            d.drop(f"/response_format/{key}", "a response format is only a schema here")


# The system text


def _lead(messages: Sequence[Any], out: Wire, d: GeminiDump) -> int:
    """Write the leading system messages to the field for them; the index of the first message that stays."""
    if count := count_lifted(messages, d):
        _dump_system(out, d, None, messages[:count])
    return count


def _dump_system(out: Wire, d: GeminiDump, request: Request | None, lifted: Sequence[Any]) -> None:
    first, key = lifted[0], d.key(request, "systemInstruction")
    own = d.rules_for(first)
    held: Wire = {"parts": []}
    TURNS.lift(lifted, held, "/" + key, "/" + key, d)
    if own.exact:
        respell(first, held)
    if held.get("parts") or own.exact:
        as_text = own.exact and spelling(first, "content") == "text" and held == {"parts": [{"text": first.text}]}
        out[key] = first.text if as_text else held


STEPS = Steps(lead=_lead, write=TURNS.write, finish=lambda _out, _written, _d: None, messages="contents")


# Calls of google-genai

_BESIDE = (
    "systemInstruction tools toolConfig safetySettings cachedContent labels modelArmorConfig serviceTier store httpOptions "
    "shouldReturnHttpResponse automaticFunctionCalling automaticContinuation continuationToken"
).split()
_BESIDE_SETTINGS = spellings(*_BESIDE)
"""The fields of `config` that are fields of the body, or of the call alone; the others are in its `generationConfig`."""
_ARGUMENTS = "arguments"
"""The field of the provider data that holds arguments of a call which have no place in a body."""
_CALL_ALONE = spellings("httpOptions", "shouldReturnHttpResponse", "automaticFunctionCalling", "automaticContinuation") | {
    _ARGUMENTS
}


def _is_of_body(key: str) -> bool:
    return key not in _CALL_ALONE


def load_call(wire: Wire) -> dict[str, Any]:
    """The arguments of a call as the data of a canonical request; raises pydantic's `ValidationError`."""
    wire = adapter("Call").validate_python(wire)
    out = load_body_of(body_of(wire))
    if type(wire["contents"]) is str:
        out.setdefault("wire", {}).setdefault("spelling", {})["contents"] = "text"
    return out


def body_of(call: Wire) -> Wire:
    """The body that a call sends, without what only its client knows."""
    config: Wire = call.get("config") or {}
    settings = {key: value for key, value in config.items() if key not in _BESIDE_SETTINGS}
    out = {key: value for key, value in config.items() if key in _BESIDE_SETTINGS}
    contents = call["contents"]
    out |= {"contents": [contents] if type(contents) is str else contents}
    if "model" in call:
        out["model"] = call["model"]
    if settings:
        out["generationConfig"] = settings
    known = ("model", "contents", "config") if config else ("model", "contents")
    if rest := {key: value for key, value in call.items() if key not in known}:
        out[_ARGUMENTS] = rest
    return out


def dump_call_of(request: Request, messages: Sequence[Any], d: GeminiDump) -> Wire:
    """The arguments of a call."""
    body = dump_request(request, messages, d)
    if d.exact and spelling(request, "contents") == "text" and [*map(type, body["contents"])] == [str]:
        [body["contents"]] = body["contents"]
    config: Wire = body.pop("generationConfig", None) or body.pop("generation_config", {})
    config |= {key: body.pop(key) for key in [*body] if key in _BESIDE_SETTINGS}
    rest: Wire = body.pop(_ARGUMENTS, {})
    d.places.update({in_call(at): d.places.pop(at) for at in [*d.places] if at != in_call(at)})
    d.losses[:] = [loss if loss.at is None else loss._replace(at=in_call(loss.at)) for loss in d.losses]
    return body | rest | ({"config": config} if config else {})


def in_call(pointer: str) -> str:
    """Where a call has what the body has at a pointer."""
    first, _, rest = pointer[1:].partition("/")
    if first == _ARGUMENTS:
        return f"/{rest}"
    if first in ("generationConfig", "generation_config"):
        return "/config" + (f"/{rest}" if rest else "")
    return f"/config{pointer}" if first in _BESIDE_SETTINGS else pointer
