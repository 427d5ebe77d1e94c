"""Load and dump assistant messages and their tool calls, which the wire has in separate fields and not in one list of parts.

Simple calls have a reader of their own: without it, plain text with calls would cost 41 % more (compiled, in instructions).
"""

from __future__ import annotations

from typing import Any

from ...codec.arguments import fit_arguments
from ...codec.dump import NOTHING_LEFT
from ...codec.fields import FieldReader, Wire, lay_over, spelling, value_at
from ...model.base import Json, exact_object
from ...model.messages import AssistantMessage
from ...model.parts import RefusalPart, TextPart
from .base import FAMILY, LONGEST_NAME, ChatDump, FunctionCall, dump_cache, dump_frame, load_cache, to_json
from .beside import CALL_PLACES, IN_ID, at_path, dump_message_beside, load_beside, load_call_signature, signature_place
from .images import FIELD as IMAGES, apart, beside_images, load_images
from .joined import words
from .listed import leading_blocks
from .parts import Pointed, dump_content, dump_part, dump_parts, has_place, load_content, load_reasoned
from .profiles import ChatProfile
from .reasoning import add_stand_in, block_field, dump_reasoning, load_reasoning
from .spoken import FIELD as AUDIO, finish_audio, load_spoken, without_spoken

# Tool calls


def _load_simple_calls(calls: Json) -> list[dict[str, Any]] | None:
    """Load calls that each have only an id, the type, and a function's name and argument text; None if any call has more."""
    loaded: list[dict[str, Any]] = []
    call: Json
    function: Json
    for call in calls if type(calls) is list else (None,):
        if type(call) is not dict or len(call) != 3 or call.get("type") != "function":
            return None
        function = call.get("function")
        id = call.get("id")
        if type(id) is not str or IN_ID in id:
            return None
        if type(function) is not dict or len(function) != 2:
            return None
        name = function.get("name")
        arguments = function.get("arguments")
        if type(name) is not str or type(arguments) is not str:
            return None
        loaded.append({"id": id, "name": name, "arguments": arguments})
    return loaded


NO_ARGUMENTS = "{}"
"""The arguments of a call in a request that has none; in an answer they are empty, as in a stream, where more may follow."""


def fill_arguments(message: dict[str, Any]) -> dict[str, Any]:
    """Give the calls of a request's message arguments where they have none."""
    for call in message.get("tool_calls") or ():
        if not call["arguments"] and value_at(call, ("wire", "spelling", "arguments")) in ("null", "absent"):
            call["arguments"] = NO_ARGUMENTS
    return message


def has_simple_calls(profile: ChatProfile) -> bool:
    """Whether calls of this host usually have only an id, the type, and a function's name and argument text."""
    return profile.tool_calls == "nested" and profile.arguments == "text"


def load_simple_answer(wire: Wire) -> dict[str, Any] | None:
    """Load an assistant message of text and simple calls alone, whose shape needs no validation."""
    if len(wire) != 3 or wire.get("role") != "assistant" or "content" not in wire:
        return None
    content = wire["content"]
    if content is not None and type(content) is not str:
        return None
    calls = _load_simple_calls(wire.get("tool_calls"))
    return None if calls is None else {"role": "assistant", "content": content, "tool_calls": calls}


def load_call(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """Load a tool call, nested or flat, of a function or a custom tool."""
    fields = FieldReader(wire)
    out: dict[str, Any] = {}
    fields.move(out, "id")
    kind = "function" if wire.get("function") is not None else "custom"
    shape = "nested" if wire.get(kind) is not None else "flat"
    if shape != profile.tool_calls:
        fields.spelling["call"] = shape
    load_cache(fields, out, profile.cache if profile.message_cache else None)
    if shape == "flat":
        fields.move(out, "name")
        if (arguments := fields.take("arguments")) is not None:
            out["arguments"] = _load_arguments({"arguments": arguments}, fields, profile.arguments)
        if wire.get("type") == "function":
            fields.spelling["type"] = fields.take("type")
        return fields.keep(out, FAMILY)
    inner = dict(wire[kind])
    out["name"] = inner.pop("name")
    if kind == "custom":
        out |= {"arguments": inner.pop("input"), "custom": True}
    else:
        out["arguments"] = _load_arguments(inner, fields, profile.arguments)
    if wire.get("type") == kind:
        fields.take("type")
    else:
        fields.spelling["type"] = "other"
    fields.left(kind, inner)
    load_call_signature(fields, out, profile)
    return fields.keep(out, FAMILY)


def _load_arguments(function: Wire, fields: FieldReader, usual: str = "text") -> str:
    word = "null" if "arguments" in function else "absent"
    arguments = function.pop("arguments", None)
    if arguments is not None:
        word = "text" if type(arguments) is str else "object"
    if word != usual:
        fields.spelling["arguments"] = word
    if type(arguments) is str:
        return arguments
    return "" if arguments is None else to_json(arguments)


def dump_call(call: Any, path: str, at: str, d: ChatDump) -> Wire:
    """Dump a tool call in the host's form."""
    d.places[at] = path
    out: Wire = {}
    _dump_call_id(call, out, path, at, d)
    name = call.name if d.exact else d.tool_name(d.full_name(call, path), path, LONGEST_NAME)
    recorded = d.exact and call.wire is not None
    shape = (recorded and spelling(call, "call")) or d.profile.tool_calls
    kind = "function"
    if call.custom and shape != "flat" and (d.exact or d.profile.custom_tools):
        kind = "custom"
    elif call.custom:
        d.report("changed", path, at, f"{d.target.name} has no custom tools: the call becomes a function call")
    called = _dump_called(call, name, shape, kind, out, recorded=recorded)
    if kind == "function" and (recorded or d.profile.arguments == "object"):
        _spell_arguments(call, called, path, at if shape == "flat" else f"{at}/function", d)
    if call.signature is not None:
        _dump_signature(call, out, path, d)
    if call.cache_control is not None:
        dump_cache(call, out, path, d, allowed=d.profile.message_cache)
    if call.provider_data is not None:
        # What was inside the object of a nested call has no place in a flat call.
        d.keep_fields(call, out, path, refused=("function", "custom") if shape == "flat" else ())
    return out


def _dump_called(call: Any, name: str, shape: str, kind: str, out: Wire, *, recorded: bool) -> Wire:
    """Write a call's name and argument text, as loaded if `recorded`, and return the flat or nested object that has them."""
    type_word = spelling(call, "type") if recorded else None
    if shape == "flat":
        out |= {"name": name, "arguments": _text_for(call, "custom" if recorded else kind)}
        if type_word == "function":
            out["type"] = type_word
        return out
    if type_word != "other":
        out["type"] = kind
    out[kind] = {"name": name, "input" if kind == "custom" else "arguments": _text_for(call, kind)}
    called: Wire = out[kind]
    return called


def _text_for(call: Any, kind: str) -> str:
    """The text of a call's arguments; the input of a free-form tool is wrapped in an object where a function is called."""
    text: str = call.arguments
    return to_json({"input": text}) if call.custom and kind == "function" else text


def _dump_signature(call: Any, out: Wire, path: str, d: ChatDump) -> None:
    place = signature_place(spelling(call, "signature"), call, d)
    if place is None:
        d.drop_unplaced(call, path)
        return
    if place == "id" and not str(out.get("id")).endswith(call.signature):
        place = d.profile.signatures
    if place in CALL_PLACES:
        if place == "function" and place not in out:
            place = "provider_specific_fields"
        lay_over(out, *at_path(CALL_PLACES[place], call.signature).popitem())


def _dump_call_id(call: Any, out: Wire, path: str, at: str, d: ChatDump) -> None:
    # In a response in the same format a call keeps its id, whatever else changes: its tool result will refer to that id.
    from_here = d.from_response and d.from_target and d.same_format
    if call.id is not None and (d.exact or from_here):
        out["id"] = d.ids.exact_call(call.id)
    elif (id := d.call_id(call, path, at)) is not None:
        out["id"] = id


def _spell_arguments(call: Any, function: Wire, path: str, at: str, d: ChatDump) -> None:
    """Replace a function's argument text by the form that it was loaded from, or by the form that the host requires."""
    if d.exact:
        if not call.custom:
            _respell_arguments(call, function, d.profile.arguments, is_response=d.is_response)
    elif call.custom:
        function["arguments"] = {"input": call.arguments}
    else:
        arguments = call.input if "input" in vars(call) else call.arguments
        function["arguments"] = fit_arguments(call, arguments, path, at + "/arguments", d)


def _respell_arguments(call: Any, function: Wire, usual: str = "text", *, is_response: bool) -> None:
    """Write arguments in the form that they were loaded from; if an edit has left text that is not an object, it stays text."""
    word = spelling(call, "arguments") or usual
    may_lack = call.arguments == ("" if is_response else NO_ARGUMENTS)
    if word == "object" and (value := exact_object(call.arguments)) is not None:
        function["arguments"] = value
    elif word == "null" and may_lack:
        function["arguments"] = None
    elif word == "absent" and may_lack:
        del function["arguments"]


def _load_legacy_call(fields: FieldReader, out: dict[str, Any]) -> None:
    """Load the single call in `function_call`, if `tool_calls` has no call."""
    function: Wire | None = fields.take("function_call")
    if function is None:
        return
    if "tool_calls" in out:
        fields.spelling["also"] = "tool_calls"
    out["tool_calls"] = [load_legacy_call(function)]
    fields.spelling["tool_calls"] = "function_call"


def load_legacy_call(function: Wire) -> dict[str, Any]:
    """Load a call from `function_call`, the legacy field."""
    fields = FieldReader(function, "name", "arguments")
    call = {"name": function["name"], "arguments": _load_arguments({**function}, fields)}
    return fields.keep(call, FAMILY)


def dump_legacy_call(call: Any, path: str, d: ChatDump) -> Wire:
    """Dump a call for `function_call`, the legacy field."""
    out: Wire = {"name": call.name, "arguments": call.arguments}
    if d.exact:
        _respell_arguments(call, out, is_response=d.is_response)
        if d.is_response and spelling(call, "index") == "position":
            out["index"] = 0
    d.keep_fields(call, out, path)
    return out


def _dump_calls(message: Any, calls: Pointed, out: Wire, at: str, d: ChatDump) -> None:
    may_be_legacy = d.exact or (d.from_response and d.profile.functions)
    is_legacy = may_be_legacy and spelling(message, "tool_calls") == "function_call"
    path, call = calls[0]
    if is_legacy and len(calls) == 1 and call.id is None and call.signature is None:  # it has fields for neither
        out["function_call"] = dump_legacy_call(call, path, d)
        d.progress.function_call = FunctionCall(call.name, d.from_response)
        if spelling(message, "also") == "tool_calls":
            out["tool_calls"] = []
        return
    written = out["tool_calls"] = [dump_call(call, path, f"{at}/tool_calls/{i}", d) for i, (path, call) in enumerate(calls)]
    if d.profile.names_results:
        d.progress.called = _names_called(written)
        d.progress.answered = 0
    if d.exact and d.is_response:
        for i, (_, call) in enumerate(calls):
            if spelling(call, "index") == "position":
                written[i]["index"] = i


def _names_called(calls: list[Wire]) -> dict[str | int, str]:
    """The names of dumped calls, by id; a call without an id is found by its number among the calls without one."""
    names: dict[str | int, str] = {}
    nameless = 0
    for call in calls:
        called: Wire = call.get("function") or call.get("custom") or call
        id: str | None = call.get("id")
        if id is None:
            names[nameless] = called["name"]
            nameless += 1
        else:
            names[id] = called["name"]
    return names


# Assistant messages


def load_assistant(wire: Wire, profile: ChatProfile, *, is_response: bool = False) -> dict[str, Any]:
    """Load an assistant message, whose reasoning may be in any of several fields; the images beside its text, in a response."""
    fields = FieldReader(wire)
    out: dict[str, Any] = {"role": "assistant"}
    fields.take("role")  # an answer may come without a role, or with another
    if "content" in wire:
        content: Any = wire["content"]
        blocks = leading_blocks(content, profile.issuer) if profile.reasoning == "content" else None
        if blocks:
            out["thinking_blocks"] = blocks
            content = content[len(blocks) :]
        out["content"] = load_content(content, profile) if blocks is None else load_reasoned(content, profile)
        fields.know("content")
    calls = fields.take("tool_calls")
    if calls is not None:
        simple = _load_simple_calls(calls) if has_simple_calls(profile) else None
        out["tool_calls"] = [load_call(call, profile) for call in calls] if simple is None else simple
    if not fields.rest:
        return out
    fields.move(out, "refusal", "name")
    if profile.prefix and wire.get("prefix") is False:
        fields.know("prefix")
        fields.spelling["prefix"] = "false"
    if not calls:
        _load_legacy_call(fields, out)
    load_reasoning(fields, out, profile)
    load_beside(fields, out, profile)
    if is_response and AUDIO in wire:
        load_spoken(fields, out)
    if is_response and IMAGES in wire:
        load_images(fields, out, profile)
    load_cache(fields, out, profile.cache if profile.message_cache else None)
    return fields.keep(out, FAMILY)


def _sort(
    content: tuple[Any, ...], path: str, d: ChatDump, thinking: Pointed, calls: Pointed, moved: dict[str, str]
) -> tuple[Pointed, bool]:
    """Return the parts that stay in the content, and whether any must leave it as a refusal, each part with its pointer.

    Appends the others to `thinking` and `calls`; `moved` receives, by pointer, why a part changes its place. What is written
    exactly stays in the content.
    """
    if d.exact:
        return [(f"{path}/content/{i}", part) for i, part in enumerate(content)], False
    parts: Pointed = []
    seen = 0  # the parts that `follows_content` takes into account
    follows_content = follows_call = refuses = False
    for i, part in enumerate(content):
        kind = part.type
        where = f"{path}/content/{i}"
        if kind == "tool_use":
            calls.append((where, part))
            follows_call = True
        elif kind in ("thinking", "redacted_thinking"):
            thinking.append((where, part))
            follows_content = follows_content or any(has_place(each, "assistant", d) for _, each in parts[seen:])
            seen = len(parts)
            if follows_content or follows_call:
                moved[where] = f"{d.target.name} puts reasoning before the text and the tool calls"
        else:
            parts.append((where, part))
            refuses = refuses or kind == "refusal"
            if follows_call:
                moved[where] = f"{d.target.name} puts text before the tool calls"
    return parts, refuses and d.profile.refusals


def _lift_refusals(message: Any, parts: Pointed, out: Wire, at: str, d: ChatDump, moved: dict[str, str]) -> Pointed:
    """Return the parts that stay in the content; write refusals to `refusal`, as a part may be a refusal only if it is alone.

    Source: OpenAI's specification, `ChatCompletionRequestAssistantMessage`. In a response, no part may be a refusal.
    """
    if len(parts) == 1 and not d.is_response:
        return parts
    stays = [part.type != "refusal" for _, part in parts]
    joined = message.refusal is not None or stays.count(False) > 1
    last = max((i for i, (_, part) in enumerate(parts) if stays[i] and has_place(part, "assistant", d)), default=-1)
    place = at + "/refusal"
    texts = [message.refusal or ""]
    for i, (path, part) in enumerate(parts):
        if stays[i]:
            continue
        texts.append(words(dump_part(part, path, place, d, "assistant"), path, d))
        if joined:
            d.report("changed", path, place, "a message has one refusal: its refusals are joined")
        if path in moved or (i < last and not d.is_response):
            d.report("moved", path, place, moved.get(path, f"{d.target.name} puts the refusal after the text"))
    out["refusal"] = "".join(texts)
    return [each for each, stay in zip(parts, stays, strict=True) if stay]


def dump_assistant(message: AssistantMessage, path: str, at: str, d: ChatDump) -> Wire | None:
    """Dump an assistant message; where the order of thinking, text and calls is lost, that is reported."""
    out: Wire = {"role": "assistant"}
    fields = message.__dict__
    listed = fields.get("tool_calls")
    calls: Pointed = [(f"{path}/tool_calls/{i}", call) for i, call in enumerate(listed)] if listed else []
    content, parts = _dump_content(message, calls, out, path, at, d)
    if calls:
        _dump_calls(message, calls, out, at, d)
        if d.profile.reasoning_stand_in is not None:
            add_stand_in(message, out, path, at, d)
    elif d.exact and listed is not None:
        out["tool_calls"] = []
    dump_message_beside(message, parts, calls, out, d)
    if (refusal := fields.get("refusal")) is not None and (d.exact or d.profile.refusals):
        out.setdefault("refusal", refusal)
    if d.exact and spelling(message, "prefix") == "false":
        out["prefix"] = False
    return out if _dump_rest(message, content, out, path, at, d) else d.refuse(path, NOTHING_LEFT)


def _dump_rest(message: AssistantMessage, content: Any, out: Wire, path: str, at: str, d: ChatDump) -> bool:
    """Write the message's other fields, and its content after them; returns whether anything is left of it."""
    says_more = content is None and _says_more(out, d)
    marked = content is not None and message.cache_control is not None
    if marked:
        out["content"] = content  # the mark goes on its last part
    spoken = out.pop(AUDIO, None)
    dump_frame(message, out, path, at, d)
    if spoken is not None or (d.from_response and AUDIO in out):
        finish_audio(spoken, out, path, d)
    if content is not None and not marked:
        out["content"] = content
    return content is not None or _dump_no_content(message, out, says_more or AUDIO in out, path, at, d)


def _says_more(out: Wire, d: ChatDump) -> bool:
    """Whether a message without content says anything."""
    return len(out) > 1 if d.exact else any(value for key, value in out.items() if key != "role")


def _dump_content(message: Any, calls: Pointed, out: Wire, path: str, at: str, d: ChatDump) -> tuple[Any, Pointed]:
    """Return the content, and the parts that it was written from; append its calls to `calls`, and write reasoning to `out`."""
    fields = message.__dict__
    spoken: Any = fields.get("content")
    content: Any = None
    thinking: Pointed = []
    moved: dict[str, str] = {}
    parts: Pointed | None = None
    images: Pointed = []
    refuses = False
    if spoken is not None and type(spoken) is not str:
        parts, refuses = _sort(spoken, path, d, thinking, calls, moved)
        parts, images = apart(without_spoken(message, parts, out, d), moved, d)
    if fields.get("refusal") and not (d.exact or d.profile.refusals):
        parts = _with_refusal(message, parts, path)
    reasons = thinking or fields.get("thinking_blocks") is not None or fields.get("reasoning_content") is not None
    leads = reasons and block_field(spelling(message, "thinking") if d.exact else None, d.profile) == "content"
    lead: list[Wire] = []
    if leads:
        dump_reasoning(message, thinking, moved, out, path, at, d)
        lead = out.pop("content", [])
    if parts is not None:
        if refuses:
            parts = _lift_refusals(message, parts, out, at, d, moved)
        content = dump_parts(parts, at, d, "assistant", moved, before=len(lead))
        if fields.get("wire") is not None and not lead:
            content = _as_text(message, content, at, d)
        content = beside_images(message, content, images, out, at, d)
    elif spoken is not None:
        content = dump_content(spoken, path, at, d, "assistant")
    if lead:
        content = _after(lead, content, path, at, d)
    if reasons and not leads:
        dump_reasoning(message, thinking, moved, out, path, at, d)
    return content, parts or []


def _with_refusal(message: Any, parts: Pointed | None, path: str) -> Pointed:
    """The parts of the content, followed by the message's `refusal`."""
    text_alone: Pointed = [(path + "/content", TextPart(text=message.content))] if message.content and parts is None else []
    return [*(parts or text_alone), (path + "/refusal", RefusalPart(refusal=message.refusal))]


def _after(lead: list[Wire], content: Any, path: str, at: str, d: ChatDump) -> list[Wire]:
    """Put the content after the reasoning at its beginning."""
    if type(content) is str and content:
        d.places[f"{at}/content/{len(lead)}"] = d.places.pop(at + "/content", path + "/content")
        content = [{"type": "text", "text": content}]
    return [*lead, *(content or ())]


def _as_text(message: Any, content: Json, at: str, d: ChatDump) -> Any:
    """Write a single text part as a string, if the message had no list as its content."""
    only: Json = content[0] if type(content) is list and len(content) == 1 else None
    if type(only) is not dict or only.keys() != {"type", "text"}:
        return content
    if spelling(message, "content") not in (None, "list") and (d.exact or d.content != "list"):
        d.places[at + "/content"] = d.places.pop(at + "/content/0")
        return only["text"]
    return content


def _dump_no_content(message: Any, out: Wire, says_more: bool, path: str, at: str, d: ChatDump) -> bool:
    """Write the content of a message that has none; return False if that leaves nothing of the message."""
    if d.exact or d.is_response:
        if not d.exact or ("content" in message and spelling(message, "content") != "absent"):
            out["content"] = None
    elif not says_more:
        return False
    else:
        _add_content(out, path, at, d)
    return True


def _add_content(out: Wire, path: str, at: str, d: ChatDump) -> None:
    """Write what the host demands as the content of a message without text."""
    calls = "tool_calls" in out
    empty = d.profile.empty_content
    if empty == "absent" or (calls and empty == "absent_beside_calls"):
        return
    out["content"] = None if empty == "null" or (calls and empty == "null_beside_calls") else ""
    if out["content"] == "" and not calls:
        d.report("added", path, at + "/content", "a message must have content; sent with an empty text")
