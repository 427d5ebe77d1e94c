"""A payload as a tree of owners: the request, its messages, their parts, tool calls, and the tools.

An owner has fields of its own, read in one spelling (`own`), and a meaning that holds across formats (`meaning`). Payloads
are read as the providers document them.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from interlingua.testing.lawbook import documents
from interlingua.testing.lawbook.documents import arguments, escaped, is_array, is_object, squeezed, tool_schema, without
from laws.families import ANTHROPIC

Kind = Literal["request", "message", "part", "call", "tool"]
Key = tuple[str, bool]  # a pointer, and whether a message is meant: a system text is at once a message and its only part


@dataclass(frozen=True)
class Owner:
    pointer: str
    kind: Kind
    own: dict[str, Any]
    parent: Key | None

    @property
    def key(self) -> Key:
        return self.pointer, self.kind == "message"


def removed(payload: dict[str, Any], path: str) -> Iterator[dict[str, Any]]:
    """The payload without what path names; a signature of Gemini's is also removed where a host repeats it."""
    if "thought_signature" in path:
        messages = [
            unsigned(each) if path.startswith(f"/messages/{i}/") else each for i, each in enumerate(payload["messages"])
        ]
        yield {**payload, "messages": messages}
    yield from documents.removed(payload, path)


# Owners of a payload


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def marked(own: dict[str, Any]) -> dict[str, Any]:
    """With a cache mark in one spelling: OpenAI's mark and that of others say the same, and so does one of 5 minutes."""
    if is_object(own.get("cache_control")) and own["cache_control"].get("ttl") == "5m":
        own = {**own, "cache_control": without(own["cache_control"], "ttl")}
    mark = own.get("prompt_cache_breakpoint")
    if is_object(mark) and mark.get("mode") == "explicit":
        return {"cache_control": {"type": "ephemeral", **without(mark, "mode")}, **without(own, "prompt_cache_breakpoint")}
    return own


def _parts(content: Any, pointer: str, parent: Key, *, calls: bool = False, result: bool = False) -> Iterator[Owner]:
    """Owners for content in either spelling; an empty text says nothing beside tool calls, nor as a tool's whole result."""
    if isinstance(content, str):
        if content or not (calls or result):
            yield Owner(pointer, "part", _text(content), parent)
    elif is_array(content):
        for index, part in enumerate(content):
            own = marked(squeezed(_text(part) if isinstance(part, str) else part))
            if calls and own == _text(""):
                continue
            yield Owner(f"{pointer}/{index}", "part", own, parent)


DATA_URI = re.compile(r"data:([^;,]*)((?:;[^;,]*)*?)(;base64)?,(.*)", re.DOTALL)
REASONING = ("reasoning_content", "reasoning", "thinking", "reasoning_text")
OF_GEMINI = ("extra_content", "provider_specific_fields")
"""The fields in which hosts have Gemini's signatures."""
OPENAI_CHILDREN = (
    *REASONING,
    "thinking_blocks",
    "reasoning_details",
    "content",
    "refusal",
    "images",
    "tool_calls",
    "function_call",
)


def _reasoning_detail(detail: dict[str, Any]) -> dict[str, Any]:
    if detail.get("type") == "reasoning.text":
        if detail.get("format") in ("unknown", "anthropic-claude-v1"):
            detail = without(detail, "format")  # whose it is goes without saying in thinking blocks
        return {"type": "thinking", "thinking": detail.get("text") or "", **without(detail, "type", "text")}
    if detail.get("type") == "reasoning.encrypted" and detail.get("format") == "anthropic-claude-v1":
        return {**without(detail, "format"), "type": "redacted_thinking"}
    return detail


def _nested(part: dict[str, Any]) -> dict[str, Any]:
    """A part with its type, whose media stand in an object, where some hosts have text, and whose reasoning is one text."""
    items = part.get("thinking")
    if is_array(items) and items and all(is_object(item) and item.keys() == {"type", "text"} for item in items):
        return {**part, "thinking": "".join(item["text"] for item in items)}
    for field in ("image_url", "audio_url", "video_url"):
        if field in part and "type" not in part:
            return _nested({"type": field, **part})
        if isinstance(part.get(field), str):
            return {**part, field: {"url": part[field]}}
    if part.get("type") == "input_audio" and isinstance(part.get("input_audio"), str):
        return {**part, "input_audio": {"data": part["input_audio"]}}
    if part.get("type") in ("image", "audio") and "source" not in part:
        return _beside_its_type(part)
    names = {"document_url": "file_data", "document_name": "filename", "file_id": "file_id"}
    if part.get("type") in ("document_url", "file") and "file" not in part:
        file = {name: part[key] for key, name in names.items() if key in part}
        return {**without(part, *names), "type": "file", "file": file}
    return part


def _beside_its_type(part: dict[str, Any]) -> dict[str, Any]:
    """An image or audio that stands in a part of its type, as chat templates have it, in the object that Chat has it in."""
    kind = str(part["type"])
    field = next((field for field in ("url", kind, "base64") if isinstance(part.get(field), str)), "")
    url, uri = part.get(field, ""), DATA_URI.fullmatch(part.get(field, ""))
    if kind == "image" and (uri or url.startswith("http")):
        return {**without(part, field), "type": "image_url", "image_url": {"url": url}}
    if kind == "audio" and uri:
        return {
            **without(part, field),
            "type": "input_audio",
            "input_audio": {"data": uri[4], "format": uri[1].removeprefix("audio/")},
        }
    return part


def _openai_reasoning(message: dict[str, Any], pointer: str) -> Iterator[Owner]:
    parent = pointer, True
    blocks: list[dict[str, Any]] = message.get("thinking_blocks") or []
    given: list[dict[str, Any]] = message.get("reasoning_details") or []
    details = [_reasoning_detail(detail) for detail in given]
    # The same reasoning is often written twice, as text and in blocks, and means one thing.
    seen = {"".join(str(part.get("thinking") or part.get("summary") or "") for part in parts) for parts in (blocks, details)}
    for key in REASONING:
        text = message.get(key)
        if isinstance(text, str) and text and text not in seen:
            seen.add(text)
            yield Owner(f"{pointer}/{key}", "part", {"type": "thinking", "thinking": text}, parent)
    for key, parts in (("thinking_blocks", blocks), ("reasoning_details", details)):
        for index, part in enumerate(parts):
            if part.get("type") != "reasoning.encrypted" or part.get("format") != "google-gemini-v1":
                yield Owner(f"{pointer}/{key}/{index}", "part", squeezed(part), parent)


def _unsigned(value: Any) -> Any:
    """Without Gemini's signatures, which each host has elsewhere: the law of spokes judges them."""
    if not is_object(value):
        return value
    left = {key: _unsigned(item) for key, item in value.items() if key not in ("thought_signature", "thought_signatures")}
    return {key: item for key, item in left.items() if item or not value[key]}


def _unsigned_fields(owner: dict[str, Any]) -> dict[str, Any]:
    left = {key: _unsigned(value) if key in OF_GEMINI else value for key, value in owner.items()}
    return {key: value for key, value in left.items() if key not in OF_GEMINI or value or not owner[key]}


def unsigned(message: dict[str, Any]) -> dict[str, Any]:
    """A message without Gemini's signatures, but for those among its reasoning."""
    calls: list[dict[str, Any]] = message.get("tool_calls") or []
    held = {"tool_calls": [_unsigned_call(call) for call in calls]} if calls else {}
    return _unsigned_fields({**message, **held})


def _unsigned_call(call: dict[str, Any]) -> dict[str, Any]:
    inner = {"function": _unsigned_fields(call["function"])} if is_object(call.get("function")) else {}
    return _unsigned_fields({**call, **inner})


def _openai_call(call: dict[str, Any]) -> dict[str, Any]:
    own = _unsigned_call(call)
    if "name" in own and "function" not in own:  # flat, as Verifiers has it
        own["function"] = {"name": own.pop("name"), "arguments": own.pop("arguments", None)}
    if is_object(own.get("function")):
        given = own["function"].get("arguments")  # missing where a call has none
        own["function"] = {**own["function"], "arguments": {} if given is None else arguments(given)}
        own.setdefault("type", "function")
    return own


def _without_copy(message: dict[str, Any]) -> dict[str, Any]:
    """A message without a copy of its reasoning blocks among LiteLLM's own fields: both mean one thing."""
    blocks, held = message.get("thinking_blocks"), message.get("provider_specific_fields")
    if not blocks or not is_object(held) or held.get("thinking_blocks") != blocks:
        return message
    left = without(held, "thinking_blocks")
    return {**without(message, "provider_specific_fields"), **({"provider_specific_fields": left} if left else {})}


def _without_name_of_call(message: dict[str, Any], called: dict[str, str]) -> dict[str, Any]:
    """A result without the name that the latest call with its id has too; `called` has the names of the calls so far."""
    called |= {
        call["id"]: (call.get("function") or call).get("name")
        for call in message.get("tool_calls") or ()
        if isinstance(call.get("id"), str)
    }
    is_named = (
        message.get("role") == "tool" and isinstance(message.get("tool_call_id"), str) and message.get("name") is not None
    )
    return without(message, "name") if is_named and called.get(message["tool_call_id"]) == message["name"] else message


def _openai_message(message: dict[str, Any], pointer: str) -> Iterator[Owner]:
    key = pointer, True
    own = squeezed(_unsigned_fields(without(_without_copy(message), *OPENAI_CHILDREN)))
    # An empty string is a value of its own where it is not a part.
    own |= {name: "" for name in ("refusal",) if message.get(name) == ""}
    if any(message.get(name) == "" for name in REASONING):
        own["reasoning_content"] = ""
    yield Owner(pointer, "message", own, ("", False))
    yield from _openai_reasoning(message, pointer)
    calls = bool(message.get("tool_calls") or message.get("function_call"))
    result = message.get("role") in ("tool", "function")
    for part in _parts(message.get("content"), f"{pointer}/content", key, calls=calls, result=result):
        yield Owner(part.pointer, "part", _nested(part.own), key)
    if message.get("refusal"):
        yield Owner(f"{pointer}/refusal", "part", {"type": "refusal", "refusal": message["refusal"]}, key)
    for index, image in enumerate(message.get("images") or []):
        own = squeezed(image if is_object(image) else {"image": image})  # Ollama's clients send bare base64 to its Chat, too
        yield Owner(f"{pointer}/images/{index}", "part", own, key)
    for index, call in enumerate(message.get("tool_calls") or []):
        yield Owner(f"{pointer}/tool_calls/{index}", "call", squeezed(_openai_call(call)), key)
    if message.get("function_call"):
        own = squeezed(_openai_call({"function": message["function_call"]}))
        yield Owner(f"{pointer}/function_call", "call", own, key)


def _openai_tool(tool: dict[str, Any]) -> dict[str, Any]:
    if "function" not in tool and "name" in tool and tool.get("type", "function") == "function":
        tool = {"type": "function", "function": without(tool, "type")}
    if is_object(tool.get("function")):
        function = tool["function"]
        schema = tool_schema(function.get("parameters"))
        held = {**without(function, "parameters"), **({"parameters": schema} if schema else {})}
        tool = {"type": "function", **tool, "function": held}
    own: dict[str, Any] = squeezed(tool)
    return own


USUAL = {
    "n": 1,
    "store": False,
    "continue_final_message": False,
    "logprobs": False,
    "frequency_penalty": 0,
    "presence_penalty": 0,
    "modalities": ["text"],
    "response_format": {"type": "text"},
    "top_logprobs": 0,
    "verbosity": "medium",
    "service_tier": "auto",
}
"""What asks for what a host without the setting does: to leave it out loses nothing."""


def choice_in(request: dict[str, Any]) -> Any:
    """The tool choice of a request, as a word if it says no more."""
    choice: Any = request.get("tool_choice")
    if not is_object(choice) or "type" not in choice:
        return choice
    is_plain = choice.keys() <= {"type", "disable_parallel_tool_use"} and choice.get("disable_parallel_tool_use") is not True
    return choice["type"] if is_plain else choice


def _unusual(request: dict[str, Any], *, has_tools: bool) -> dict[str, Any]:
    """A request without what asks for what happens anyway, or what a format without the field always does."""
    own = {key: value for key, value in request.items() if key not in USUAL or not _same(value, USUAL[key])}
    choice = choice_in(own)
    if choice == "auto" or (choice == "none" and not has_tools):
        del own["tool_choice"]
    form: Any = own.get("response_format")
    if is_object(form) and is_object(form.get("json_schema")):
        own["response_format"] = {**form, "json_schema": without(form["json_schema"], "strict")}
    return own


def _same(value: Any, usual: Any) -> bool:
    return bool(value == usual and isinstance(value, bool) == isinstance(usual, bool))


def _with_schema_inside(form: Any) -> dict[str, Any]:
    """A response format whose schema is beside its type, as if it were in `json_schema`."""
    if not is_object(form) or form.get("type") not in ("json_schema", "json_object") or not is_object(form.get("schema")):
        return {}
    if form.get("json_schema"):
        return {}
    inside = {"type": "json_schema", "json_schema": {"schema": form["schema"]}}
    return {"response_format": without(form, "schema") | inside}


def _openai_request(request: dict[str, Any]) -> dict[str, Any]:
    own = dict(request)
    if "max_completion_tokens" in own and own.get("max_tokens") is None:
        own["max_tokens"] = own.pop("max_completion_tokens")
    if isinstance(own.get("stop"), str):
        own["stop"] = [own["stop"]]
    if "random_seed" in own and "seed" not in own:
        own["seed"] = own.pop("random_seed")
    if own.get("tool_choice") == "any":
        own["tool_choice"] = "required"
    if own.get("function_call") and not own.get("tool_choice"):
        choice = own.pop("function_call")
        own["tool_choice"] = choice if isinstance(choice, str) else {"type": "function", "function": choice}
    structured: dict[str, Any] = own.get("structured_outputs") or {}
    schema = structured.get("json", own.get("guided_json"))
    if is_object(schema) and not own.get("response_format"):
        own["response_format"] = {"type": "json_schema", "json_schema": {"schema": schema}}
        own |= {"guided_json": None, "structured_outputs": without(structured, "json")}
    own |= _with_schema_inside(own.get("response_format"))
    variables: dict[str, Any] = own.get("chat_template_kwargs") or {}
    if False in (own.get("enable_thinking"), variables.get("enable_thinking")):
        own["thinking"] = {"type": "disabled"}
        own |= {"enable_thinking": None, "chat_template_kwargs": without(variables, "enable_thinking")}
    budget = own.get("thinking_token_budget")
    if type(budget) is int and budget >= 0 and "thinking" not in own:
        own["thinking"] = {"type": "enabled", "budget_tokens": budget} if budget else {"type": "disabled"}
        own["thinking_token_budget"] = None
    if own.get("usage") == {"include": True}:  # which has no effect at OpenRouter any more
        del own["usage"]
    settings: Any = own.get("reasoning")
    if is_object(settings):  # of OpenRouter
        if settings.get("effort") is not None:
            own["reasoning_effort"] = settings["effort"]
        if settings.get("max_tokens") is not None:
            own["thinking"] = {"type": "enabled", "budget_tokens": settings["max_tokens"]}
        elif settings.get("enabled") is True and settings.get("effort") is None:
            own["thinking"] = {"type": "adaptive"}
        if settings.get("enabled") is False:
            own["thinking"] = {"type": "disabled"}
        own["reasoning"] = without(settings, "effort", "max_tokens", *(["enabled"] if "thinking" in own else []))
    if own.get("continue_final_message") is True and own.get("add_generation_prompt") is False:
        own["add_generation_prompt"] = None  # which follows
    shown = {"parsed": "summarized", "hidden": "omitted"}.get(str(own.get("reasoning_format")))  # of Groq
    if shown is not None:
        own |= {"thinking": {**(own.get("thinking") or {}), "display": shown}, "reasoning_format": None}
    thinking: Any = own.get("thinking")
    is_enabled = is_object(thinking) and thinking.get("type") in ("enabled", "adaptive") and "budget_tokens" not in thinking
    if is_enabled and own.get("reasoning_effort") not in (None, "none"):
        own["thinking"] = without(thinking, "type")  # the effort asks for reasoning, too
    if is_off(own):
        own = OFF | squeezed(own)
    said: dict[str, Any] = squeezed(own)
    return said


OFF: dict[str, Any] = {"reasoning_effort": "none", "thinking": {"type": "disabled"}}
"""The two ways to say that a model must not reason; a request that says it in one of them is compared as if in both."""


def is_off(own: Mapping[str, Any]) -> bool:
    """Whether the fields of a request say that the model must not reason, and nothing else about it."""
    said = {key: own[key] for key in OFF if own.get(key) is not None}
    return bool(said) and said.items() <= OFF.items()


IN_REASONING = {"effort": "reasoning_effort", "max_tokens": "thinking", "enabled": "thinking"}
"""Under which names the settings in OpenRouter's object `reasoning` are compared."""

# Under which name a field of the request is compared, where it has several.
ALIASES = {
    "stop_sequences": "stop",
    "max_completion_tokens": "max_tokens",
    "function_call": "tool_choice",
    "random_seed": "seed",
    "safety_identifier": "user",
    "output_format": "output_config",
    "thinking": "effort",
    "document_name": "file",
    "tool_use_id": "tool_call_id",
    "prompt_cache_breakpoint": "cache_control",
    "reasoning": "reasoning_content",
    "reasoning_format": "thinking",
}


def _anthropic_request(request: dict[str, Any]) -> dict[str, Any]:
    own = dict(request)
    if "output_format" in own and "format" not in (own.get("output_config") or {}):
        own["output_config"] = {**(own.get("output_config") or {}), "format": own.pop("output_format")}
    config: dict[str, Any] = own.get("output_config") or {}
    if "effort" in config:  # which a budget becomes, in `thinking`
        own["output_config"] = {key: value for key, value in config.items() if key != "effort"}
        own["effort"] = config["effort"]
    said: dict[str, Any] = squeezed(own)
    return said


def _openai_owners(payload: dict[str, Any]) -> Iterator[Owner]:
    has_tools = bool(payload.get("tools") or payload.get("functions"))
    own = _unusual(_openai_request(without(payload, "messages", "tools", "functions")), has_tools=has_tools)
    yield Owner("", "request", own, None)
    called: dict[str, str] = {}
    for index, message in enumerate(payload.get("messages") or []):
        yield from _openai_message(_without_name_of_call(message, called), f"/messages/{index}")
    for key in ("tools", "functions"):
        for index, tool in enumerate(payload.get(key) or []):
            yield Owner(f"/{key}/{index}", "tool", _openai_tool(tool), ("", False))


def _anthropic_part(part: Owner) -> Iterator[Owner]:
    own = part.own
    if own.get("caller") == {"type": "direct"}:  # the model, as of every call elsewhere
        own = without(own, "caller")
    if own.get("type") == "tool_use":
        yield Owner(part.pointer, "call", {**own, "input": arguments(own.get("input"))}, part.parent)
    elif own.get("type") == "tool_result":
        yield Owner(part.pointer, "part", without(own, "content"), part.parent)
        yield from _parts(own.get("content"), f"{part.pointer}/content", part.key, result=True)
    elif own.get("type") == "tool_addition" and is_object(tool := own["tool"].get("definition")) and "input_schema" in tool:
        yield Owner(f"{part.pointer}/tool/definition", "tool", _anthropic_tool(tool), part.parent)
    else:
        yield part


def _anthropic_tool(tool: dict[str, Any]) -> dict[str, Any]:
    own: dict[str, Any] = squeezed(tool)
    if own.get("type") == "custom":
        del own["type"]
    if "input_schema" in own:
        schema = tool_schema(own.pop("input_schema"))
        own |= {"input_schema": schema} if schema else {}
    return own


def _anthropic_owners(payload: dict[str, Any]) -> Iterator[Owner]:
    # The version of a host's bodies says nothing of the request.
    own = _anthropic_request(without(payload, "system", "messages", "tools", "anthropic_version"))
    yield Owner("", "request", _unusual(own, has_tools=bool(payload.get("tools"))), None)
    system = payload.get("system")
    if system is not None and system != []:
        yield Owner("/system", "message", {"role": "system"}, ("", False))
        yield from _parts(system, "/system", ("/system", True))
    for index, message in enumerate(payload.get("messages") or []):
        pointer = f"/messages/{index}"
        content = message.get("content")
        yield Owner(pointer, "message", squeezed(without(message, "content")), ("", False))
        calls = is_array(content) and any(is_object(part) and part.get("type") == "tool_use" for part in content)
        for part in _parts(content, f"{pointer}/content", (pointer, True), calls=calls):
            yield from _anthropic_part(part)
    for index, tool in enumerate(payload.get("tools") or []):
        yield Owner(f"/tools/{index}", "tool", _anthropic_tool(tool), ("", False))


def owners(payload: dict[str, Any], format: str) -> list[Owner]:
    """Every owner in document order: the system text before the messages, in a message reasoning, content, tool calls."""
    return list(_anthropic_owners(payload) if format in ANTHROPIC else _openai_owners(payload))


def is_result(owner: Owner) -> bool:
    """Whether it carries a tool's result: a message at OpenAI, a part at Anthropic."""
    return owner.own.get("role") in ("tool", "function") or (owner.kind == "part" and owner.own.get("type") == "tool_result")


def containers(owned: list[Owner], lost: Callable[[str], bool] = lambda _: False) -> set[Key]:
    """User messages that do nothing but hold tool results, without what is reported as lost."""
    held: dict[Key, list[Owner]] = {}
    for owner in owned:
        if owner.parent is not None and (is_result(owner) or not lost(owner.pointer)):
            held.setdefault(owner.parent, []).append(owner)
    return {
        owner.key
        for owner in owned
        if owner.kind == "message"
        and owner.own.get("role") == "user"
        and all(key == "role" or lost(f"{owner.pointer}/{escaped(key)}") for key in owner.own)
        and held.get(owner.key)
        and all(map(is_result, held[owner.key]))
    }


# Meaning across formats


def _media(url: str) -> dict[str, Any]:
    match = DATA_URI.fullmatch(url)
    return {"url": url} if match is None else {"media_type": match[1] + match[2], "data": match[4]}


def meaning(owner: Owner) -> dict[str, Any] | None:
    """What an owner says in any format, or None when only its own format knows."""
    own = owner.own
    function = own.get("function")
    match owner.kind, own.get("type"):
        case "message", _:
            return {"role": own.get("role")}
        case "call", "function" if is_object(function):
            return {"call": function.get("name"), "arguments": function.get("arguments")}
        case "call", "tool_use":
            return {"call": own.get("name"), "arguments": own.get("input")}
        case "tool", "function" if is_object(function):
            return {"tool": function.get("name"), **without(function, "name")}
        case "tool", None:
            schema = {"parameters": own["input_schema"]} if "input_schema" in own else {}
            return {"tool": own.get("name"), **without(own, "name", "input_schema"), **schema}
        case "part", "text":
            return {"text": own.get("text")}
        case "part", "thinking":
            return {"thinking": own.get("thinking"), "signature": own.get("signature")}
        case "part", "redacted_thinking":
            return {"redacted": own.get("data")}
        case "part", "reasoning.encrypted":
            return {"redacted": own.get("data")}
        case "part", "image_url":
            return {"image": _media(own.get("image_url", {}).get("url", ""))}
        case "part", "image":
            return {"image": without(own.get("source", {}), "type")}
        case "part", "tool_result":
            return {"role": "tool"}
        case _:
            return None
