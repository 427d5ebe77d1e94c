"""The maps of assistant messages: their reasoning and tool calls, flat on the wire."""

from __future__ import annotations

import json
from collections.abc import Container
from typing import Any

from ...codec.fields import Wire, keep_unknown, spelling
from ...codec.format import LightCall
from ...model.base import Json
from ...model.messages import (
    AssistantMessage,
    ThinkingPart,
    ToolCall,
    ToolUsePart,
)
from .base import (
    EVERY,
    FAMILY,
    LONGEST_NAME,
    NO_FIELDS,
    ChatDump,
    dump_cache,
    dump_frame,
    load_cache,
    new_tuple,
    to_json,
)
from .parts import as_profiled, dump_part, dump_thinking, load_part, load_redacted, load_thinking
from .profiles import ChatProfile

# Tool calls


def read_plain_calls(calls: Json) -> tuple[LightCall, ...] | None:
    """Calls in the plainest shape: an id, the type, a function's name and argument text; None for others."""
    if type(calls) is not list:
        return None
    read: list[LightCall] = []
    call: Json
    function: Json
    for call in calls:
        if type(call) is not dict or len(call) != 3 or call.get("type") != "function":
            return None
        function, raw = call.get("function"), call.get("id")
        if type(function) is not dict or len(function) != 2 or type(raw) is not str:
            return None
        name, arguments = function.get("name"), function.get("arguments")
        if type(name) is not str or type(arguments) is not str:
            return None
        read.append(new_tuple(LightCall, (raw, name, arguments, None, None, None, None)))
    return tuple(read)


def load_plain_calls(wire: Wire) -> dict[str, Any] | None:
    """An assistant message of text and plain calls, which needs no validation but the canonical one."""
    content = wire.get("content")
    if len(wire) != 3 or wire.get("role") != "assistant" or "content" not in wire:
        return None
    if content is not None and type(content) is not str:
        return None
    calls = read_plain_calls(wire.get("tool_calls"))
    if calls is None:
        return None
    read = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in calls]
    return {"role": "assistant", "content": content, "tool_calls": read}


def load_call(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """A tool call, nested or flat, of a function or a custom tool."""
    if "function" in wire:
        function = wire["function"]
        arguments = function.get("arguments")
        out = {"name": function["name"], "arguments": _arguments_text(arguments)}
        if wire.get("id") is not None:
            out["id"] = wire["id"]
        if len(wire) == 3 and len(function) == 2 and type(arguments) is str and "id" in out and wire.get("type") == "function":
            if profile.tool_calls == "flat":
                out["wire"] = {"spelling": {"call": "nested"}}
            return out
        inner = {key: value for key, value in function.items() if key not in ("name", "arguments")}
        spelled: Wire = {"call": "nested"} if profile.tool_calls == "flat" else {}
        if type(arguments) is not str:
            spelled["arguments"] = "object" if arguments is not None else "null" if "arguments" in function else "absent"
        return _leave_call(out, wire, "function", inner, spelled)
    if "custom" in wire:
        custom = wire["custom"]
        out = {"name": custom["name"], "arguments": custom["input"], "custom": True}
        if wire.get("id") is not None:
            out["id"] = wire["id"]
        inner = {key: value for key, value in custom.items() if key not in ("name", "input")}
        return _leave_call(out, wire, "custom", inner, {"call": "nested"} if profile.tool_calls == "flat" else {})
    out = {key: wire[key] for key in ("id", "name", "arguments") if wire.get(key) is not None}
    spelled = {} if profile.tool_calls == "flat" else {"call": "flat"}
    taken = set(out)
    if wire.get("type") == "function":
        taken.add("type")
        spelled["type"] = "function"
    return keep_unknown(out, wire, taken, FAMILY, spelled)


def _arguments_text(arguments: Any) -> str:
    return arguments if type(arguments) is str else "" if arguments is None else to_json(arguments)


def _leave_call(out: dict[str, Any], wire: Wire, kind: str, inner: Wire, spelled: Wire) -> dict[str, Any]:
    taken = {kind, "id"} if "id" in out else {kind}
    if wire.get("type") == kind:
        taken.add("type")
    else:
        spelled["type"] = "other"
    return keep_unknown(out, wire, taken, FAMILY, spelled, partial={kind: inner} if inner else None)


def _dump_calls(message: AssistantMessage, calls: list[tuple[str, Any]], out: Wire, at: str, d: ChatDump) -> None:
    legacy = spelling(message, "tool_calls") == "function_call"
    if legacy and (d.exact or d.from_response) and len(calls) == 1 and calls[0][1].id is None:
        call = calls[0][1]
        out["function_call"] = {"name": call.name, "arguments": call.arguments}
        if call.provider_data is not None:
            d.keep_fields(call, out["function_call"], calls[0][0], NO_FIELDS)
        if spelling(message, "also") == "tool_calls":
            out["tool_calls"] = []
        return
    written = out["tool_calls"] = [dump_call(call, path, f"{at}/tool_calls/{i}", d) for i, (path, call) in enumerate(calls)]
    if d.exact and d.is_response:
        for i, (_, call) in enumerate(calls):
            if spelling(call, "index") == "position":
                written[i]["index"] = i


def dump_call(call: ToolCall | ToolUsePart, path: str, at: str, d: ChatDump) -> Wire:
    """A tool call as the host spells it."""
    d.places[at] = path
    arguments = call.arguments
    out: Wire = {}
    # A response's call keeps its id at home, where its result will name it, whatever rules hold for the rest of it.
    if call.id is not None and (d.exact or (d.same_format and d.from_response)):
        out["id"] = d.ids.exact_call(call.id)
    elif d.exact:
        pass
    elif call.id is not None:
        out["id"] = d.ids.call(call.id, path, d.source_ids)
    else:
        out["id"] = d.ids.call_without_id(call.name)
        d.report("changed", path, at, "tool calls need an id")
    shape = (d.exact and spelling(call, "call")) or d.profile.tool_calls
    typed = not (d.exact and spelling(call, "type") == "other")
    name = call.name if d.exact else d.tool_name(call.name, path, LONGEST_NAME)
    if shape == "flat":
        out |= {"name": name, "arguments": arguments}
        if d.exact and spelling(call, "type") == "function":
            out["type"] = "function"
        if call.custom:
            d.report("changed", path, at, "a custom tool's call becomes a function's")
    elif call.custom:
        out |= {"type": "custom"} if typed else {}
        out["custom"] = {"name": name, "input": arguments}
    else:
        out |= {"type": "function"} if typed else {}
        # Edited into what is no object, the arguments go as text.
        as_object = d.exact and spelling(call, "arguments") == "object" and call.parsed is not None
        out["function"] = {"name": name, "arguments": json.loads(arguments) if as_object else arguments}
        if d.exact and arguments == "":
            without = spelling(call, "arguments")
            if without == "null":
                out["function"]["arguments"] = None
            elif without == "absent":
                del out["function"]["arguments"]
    if call.cache_control is not None:
        d.drop(path + "/cache_control", "there is no cache mark in this place")
    if call.provider_data is not None:
        # What stood inside a nested call has no place in a flat one.
        refused = frozenset({"function", "custom"}) if shape == "flat" else NO_FIELDS
        d.keep_fields(call, out, path, NO_FIELDS, refused)
    return out


# Reasoning

DETAIL_FIELDS = {"reasoning.text": "text", "reasoning.summary": "summary", "reasoning.encrypted": "data"}
_DETAIL_ISSUERS = {"anthropic": "anthropic", "openai": "openai", "azure": "openai", "google": "gemini", "xai": "xai"}
DETAIL_FORMATS = {"anthropic": "anthropic-claude-v1", "openai": "openai-responses-v1", "gemini": "google-gemini-v1"}


def detail_issuer(label: Json) -> str:
    """Who made a reasoning detail of this format."""
    return _DETAIL_ISSUERS.get(label.partition("-")[0], label) if type(label) is str else "openrouter"


def load_reasoning(wire: Wire, out: dict[str, Any], taken: set[str], spelled: Wire, profile: ChatProfile) -> None:
    """Reasoning text from `reasoning_content` or `reasoning`, blocks from `thinking_blocks` or `reasoning_details`."""
    text, other = wire.get("reasoning_content"), wire.get("reasoning")
    if type(text) is str:
        out["reasoning_content"] = text
        taken.add("reasoning_content")
        if text == other:
            taken.add("reasoning")
            spelled["reasoning"] = "both"
        elif profile.reasoning == "reasoning":
            spelled["reasoning"] = "reasoning_content"
    elif type(other) is str:
        out["reasoning_content"] = other
        taken.add("reasoning")
        if profile.reasoning != "reasoning":
            spelled["reasoning"] = "reasoning"
    blocks: Json = wire.get("thinking_blocks")
    if type(blocks) is list:
        read = [load_block(block) for block in blocks]
        if None not in read:
            out["thinking_blocks"] = read
            taken.add("thinking_blocks")
            if profile.reasoning == "reasoning_details":
                spelled["thinking"] = "thinking_blocks"
            return
    details: Json = wire.get("reasoning_details")
    if type(details) is list:
        read = [load_detail(detail) for detail in details]
        if None not in read:
            out["thinking_blocks"] = read
            taken.add("reasoning_details")
            if profile.reasoning != "reasoning_details":
                spelled["thinking"] = "reasoning_details"


def load_block(block: Json) -> dict[str, Any] | None:
    if type(block) is not dict or block.get("type") not in ("thinking", "redacted_thinking"):
        return None
    taken, spelled = {"type"}, dict[str, Any]()
    out = (load_thinking if block["type"] == "thinking" else load_redacted)(block, taken, spelled)
    return None if out is None else keep_unknown(out, block, taken, FAMILY)


def load_detail(detail: Json) -> dict[str, Any] | None:
    if type(detail) is not dict or detail.get("type") not in tuple(DETAIL_FIELDS):
        return None
    field = DETAIL_FIELDS[detail["type"]]
    if type(detail.get(field, "")) is not str:
        return None
    taken, spelled = {"type", field}, dict[str, Any]()
    text = detail.get(field)
    if text is None:
        if field == "data":
            return None
        text, spelled["text"] = "", "absent"
    label = detail.get("format")
    issuer = detail_issuer(label)
    out: dict[str, Any] = {"type": "thinking", "thinking": text}
    if field == "data":
        out = {"type": "redacted_thinking", "data": text, "issuer": issuer}
    elif field == "summary":
        out["summary"] = True
    elif type(detail.get("signature")) is str:
        taken.add("signature")
        out |= {"signature": detail["signature"], "issuer": issuer}
    if label is not None and "issuer" in out and DETAIL_FORMATS.get(issuer) == label:
        # The issuer tells the format; it is written again from there.
        taken.add("format")
        spelled["format"] = label
    return keep_unknown(out, detail, taken, FAMILY, spelled)


def plain_fields(word: str | None, profile: ChatProfile) -> tuple[str, ...]:
    """The fields of reasoning text, as a message spelled them or as the host does."""
    if word == "both":
        return "reasoning_content", "reasoning"
    usual = "reasoning" if profile.reasoning == "reasoning" else "reasoning_content"
    return (word if word in ("reasoning_content", "reasoning") else usual,)


def block_field(word: str | None, profile: ChatProfile) -> str:
    """The field of reasoning blocks, as a message spelled it or as the host does."""
    usual = "reasoning_details" if profile.reasoning == "reasoning_details" else "thinking_blocks"
    return word if word in ("thinking_blocks", "reasoning_details") else usual


def dump_reasoning(
    message: AssistantMessage,
    thinking: list[tuple[str, Any]],
    late: Container[str],
    out: Wire,
    path: str,
    at: str,
    d: ChatDump,
) -> None:
    """Reasoning in the fields it came in, or in the one field that the host has; told where there is none."""
    blocks = [(f"{path}/thinking_blocks/{i}", block) for i, block in enumerate(message.thinking_blocks or ())] + thinking
    text = message.reasoning_content
    if d.exact:
        if "reasoning_content" in message:
            out.update(dict.fromkeys(plain_fields(spelling(message, "reasoning"), d.profile), text))
        if "thinking_blocks" in message:
            name = block_field(spelling(message, "thinking"), d.profile)
            out[name] = None if message.thinking_blocks is None else _dump_blocks(blocks, name, at, d)
        return
    field = d.profile.reasoning
    if field in ("thinking_blocks", "reasoning_details"):
        told = "".join(block.thinking for _, block in blocks if block.type == "thinking")
        if field == "reasoning_details" and text is not None and (text != told or not blocks):
            if text:
                blocks.insert(0, (f"{path}/reasoning_content", ThinkingPart(thinking=text)))
            else:
                d.drop(f"{path}/reasoning_content", "empty reasoning is left out")
        if text is not None and field == "thinking_blocks":
            out["reasoning_content"] = text
            d.places[at + "/reasoning_content"] = path + "/reasoning_content"
        written = _dump_blocks(blocks, field, at, d, late)
        if written:
            out[field] = written
    elif field is None:
        if text is not None:
            d.drop(path + "/reasoning_content", "there is no place for reasoning")
        for where, _ in blocks:
            d.drop(where, "there is no place for reasoning")
    else:
        _dump_reasoning_text(text, blocks, late, field, out, path, at, d)


def _dump_reasoning_text(
    text: str | None,
    blocks: list[tuple[str, Any]],
    late: Container[str],
    field: str,
    out: Wire,
    path: str,
    at: str,
    d: ChatDump,
) -> None:
    readable = [block for _, block in blocks if block.type == "thinking"]
    told = "".join(block.thinking for block in readable)
    whole = told if text is None or text == told else text + told
    if whole or text is not None:
        out[field] = whole
        if text is not None and not (len(readable) == 1 and whole == told):
            d.places[f"{at}/{field}"] = path + "/reasoning_content"
    for where, block in blocks:
        if block.type == "redacted_thinking" or field not in out:
            d.drop(where, "only readable reasoning has a place")
        elif len(readable) > 1 or whole != told:
            d.report("changed", where, f"{at}/{field}", "all reasoning becomes one text")
        else:
            d.places[f"{at}/{field}"] = where
            if where in late:
                d.report("moved", where, f"{at}/{field}", _LATE)
            if block.summary is not None:
                d.report("changed", where, f"{at}/{field}", "summaries are not marked as such")
            for key in ("signature", "cache_control"):
                if getattr(block, key) is not None:
                    d.drop(f"{where}/{key}", "reasoning is text alone")
            if block.provider_data is not None:
                d.keep_fields(block, {}, where, NO_FIELDS, EVERY)


_LATE = "reasoning stands before the text and the calls"


def _dump_blocks(
    blocks: list[tuple[str, Any]], field: str, at: str, d: ChatDump, late: Container[str] = frozenset()
) -> list[Wire]:
    written: list[Wire] = []
    for where, block in blocks:
        here = f"{at}/{field}/{len(written)}"
        out = dump_thinking(block, where, d)
        if out is None:
            continue
        if field == "reasoning_details":
            out = _as_detail(block, out, where, d)
        elif block.type == "thinking" and block.summary is not None:
            d.report("changed", where, here, "summaries are not marked as such")
        if where in late:
            d.report("moved", where, here, _LATE)
        d.places[here] = where
        if block.cache_control is not None:
            dump_cache(block, out, where, here, d)
        if block.provider_data is not None:
            d.keep_fields(block, out, where, NO_FIELDS)
        written.append(out)
    return written


def _as_detail(block: Any, out: Wire, path: str, d: ChatDump) -> Wire:
    if block.type == "redacted_thinking":
        detail: Wire = {"type": "reasoning.encrypted", "data": out["data"]}
    elif block.summary:
        detail = {"type": "reasoning.summary", "summary": out["thinking"]}
        if "signature" in out:
            d.drop(path + "/signature", "summaries are not signed here")
    else:
        detail = {"type": "reasoning.text", "text": out["thinking"]}
        if "signature" in out:
            detail["signature"] = out["signature"]
    if spelling(block, "text") == "absent" and not out.get("thinking", "x"):
        detail.pop("text", None)
        detail.pop("summary", None)
    overlays: Wire = block.provider_data or {}
    overlay: Wire = overlays.get(FAMILY, {})
    label = spelling(block, "format")
    if label is None and not d.exact and "format" not in overlay:
        label = DETAIL_FORMATS.get(block.issuer)
    if label is not None:
        detail["format"] = label
    return detail


# Assistant messages


def load_assistant(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """An assistant message, flat; reasoning is read from whichever fields hold it."""
    out: dict[str, Any] = {"role": "assistant"}
    # An answer may come without its role.
    taken, spelled = {"role"} & wire.keys(), dict[str, Any]()
    if "content" in wire:
        content = wire["content"]
        out["content"] = content if content is None or type(content) is str else [load_part(p, profile) for p in content]
        taken.add("content")
    calls = wire.get("tool_calls")
    if calls is not None:
        out["tool_calls"] = [load_call(call, profile) for call in calls]
        taken.add("tool_calls")
    if len(taken) < len(wire):
        for key in ("refusal", "name"):
            if wire.get(key) is not None:
                out[key] = wire[key]
                taken.add(key)
        if not calls and wire.get("function_call") is not None:
            legacy = wire["function_call"]
            call = {"name": legacy["name"], "arguments": legacy.get("arguments")}
            if type(call["arguments"]) is str:
                out["tool_calls"] = [keep_unknown(call, legacy, set(call), FAMILY)]
                spelled["tool_calls"] = "function_call"
                taken.add("function_call")
                if calls is not None:
                    spelled["also"] = "tool_calls"
        load_reasoning(wire, out, taken, spelled, profile)
        load_cache(wire, out, taken, profile.cache if profile.message_cache else None)
        return keep_unknown(out, wire, taken, FAMILY, spelled)
    return out


def dump_assistant(message: AssistantMessage, path: str, at: str, d: ChatDump) -> None:
    """An assistant message, flat; the order of thinking, text and calls is reported where it is lost."""
    out: Wire = {"role": "assistant"}
    given = message.content
    content: Any = given
    calls: list[tuple[str, ToolCall | ToolUsePart]] = [
        (f"{path}/tool_calls/{i}", call) for i, call in enumerate(message.tool_calls or ())
    ]
    thinking: list[tuple[str, Any]] = []
    late: set[str] = set()
    called = False
    if isinstance(given, tuple):
        parts: list[Wire] = []
        for i, part in enumerate(given):
            where = f"{path}/content/{i}"
            if part.type == "tool_use":
                calls.append((where, part))
                called = True
            elif part.type in ("thinking", "redacted_thinking") and not d.exact:
                thinking.append((where, part))
                if parts or called:
                    late.add(where)
            else:
                dumped = dump_part(part, where, f"{at}/content/{len(parts)}", d, "assistant")
                if dumped is not None:
                    if called and not d.exact:
                        d.report("moved", where, f"{at}/content/{len(parts)}", "text stands before the tool calls")
                    parts.append(dumped)
        content = as_profiled(parts, path, at, d) if parts or d.exact else None
    dump_reasoning(message, thinking, late, out, path, at, d)
    if calls:
        _dump_calls(message, calls, out, at, d)
    elif message.tool_calls is not None and d.exact:
        out["tool_calls"] = []
    elif "tool_calls" in message and d.exact:
        out["tool_calls"] = None
    if message.refusal is not None:
        out["refusal"] = message.refusal
    if isinstance(content, str) and d.profile.content == "list" and not d.exact:
        content = [{"type": "text", "text": content}]
    said = len(out) > 1
    dump_frame(message, out, path, at, d)
    if d.from_response and "audio" in out:
        _refer_to_audio(out, path, d)
    if content is not None or (d.exact and "content" in message):
        out["content"] = content
    elif d.is_response:
        if not d.exact:
            out["content"] = None
    elif not d.exact:
        if not said and "audio" not in out:
            d.drop(path, "nothing that it says has a place here")
            return
        if d.profile.empty_content != "absent":
            out["content"] = None if d.profile.empty_content == "null" else ""
    d.places[at] = path
    d.progress.messages.append(out)


def _refer_to_audio(out: Wire, path: str, d: ChatDump) -> None:
    """A request names the audio of an answer by its id alone."""
    audio: Json = out["audio"]
    if type(audio) is dict and type(audio.get("id")) is str:
        out["audio"] = {"id": audio["id"]}
    else:
        del out["audio"]
    if audio is not None:
        d.report("response_only", f"{path}/provider_data/{FAMILY}/audio", None, "requests name audio by its id")
