"""Load and dump messages of each role, and regroup tool results.

Messages of text alone are not validated: otherwise, a conversion of plain text would cost 48 % more (instructions, compiled).
Answers of text and simple calls save 20 % in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...codec.dump import NOTHING_LEFT
from ...codec.fields import Content, FieldReader, Wire, spelling
from ...codec.text_files import text_of_file
from ...model.base import Json
from .assistant import dump_assistant, fill_arguments, has_simple_calls, load_assistant, load_simple_answer
from .base import FAMILY, ChatDump, FunctionCall, adapter, dump_cache, dump_frame, load_cache
from .parts import Pointed, dump_content, dump_parts, load_content
from .profiles import ChatProfile
from .reasoning import without_stand_in

# Messages

_ROLES = frozenset({"system", "developer", "user", "tool", "function"})
_OF_SYSTEM = frozenset({"system", "developer"})
_TEXT_ALONE = frozenset({"role", "content"})
_CANONICAL = frozenset({"user", "assistant", "system"})
"""The roles of messages that are canonical as they are if they are text alone; a tool's needs an id, too."""


def load_messages(wires: list[Any], profile: ChatProfile) -> list[Any]:
    """Load messages, not yet validated canonically. Raises pydantic's `ValidationError` at the first bad message."""
    return [wire if _is_canonical(wire) else load_message(wire, profile) for wire in wires]


def _is_canonical(wire: Json) -> bool:
    """Whether a message is text alone; most are, and their shape needs no validation."""
    if type(wire) is not dict or type(wire.get("content")) is not str:
        return False
    role: Json = wire.get("role")
    if role == "tool":
        return len(wire) == 3 and type(wire.get("tool_call_id")) is str
    return len(wire) == 2 and type(role) is str and role in _CANONICAL


def load_message(message: Json, profile: ChatProfile) -> dict[str, Any]:
    """Load a message; if its role is unknown, it is kept whole."""
    if has_simple_calls(profile) and type(message) is dict and (answer := load_simple_answer(message)):
        return answer
    wire: Wire = adapter("Message").validator.validate_python(message)
    role = wire["role"]
    if role == "assistant":
        return without_stand_in(fill_arguments(load_assistant(wire, profile)), profile)
    if role == "text" and profile.text_role and type(wire.get("content")) is str:
        return FieldReader(wire, *_TEXT_ALONE).keep({"role": role, "content": wire["content"]}, FAMILY)
    return _load_simple(wire, role, profile) if role in _ROLES else {"role": "opaque", "format": FAMILY, "value": wire}


def _load_simple(wire: Wire, role: str, profile: ChatProfile) -> dict[str, Any]:
    """Load a message of any known role except assistant."""
    fields = FieldReader(wire, "role", "content")
    out = {"role": role, "content": load_content(wire["content"], profile)}
    if role == "function":
        out["role"] = "tool"
        fields.spelling["role"] = role
    elif role == "tool" and wire.get("tool_call_id") is None:
        fields.spelling["role"] = role  # a result that a program built without an id may get another role
    if out["content"] is None:
        out["content"] = ""
        fields.spelling["content"] = "null"
    fields.move(out, "name")
    if out["role"] == "tool":
        fields.move(out, "tool_call_id")
    load_cache(fields, out, profile.cache if profile.message_cache else None)
    return fields.keep(out, FAMILY)


def dump_messages(messages: Sequence[Any], start: int, d: ChatDump) -> None:
    """Dump the messages from `start`, and append them to those written so far."""
    for i in range(start, len(messages)):
        message = messages[i]
        dump_message(message, f"/messages/{i}", d.rules_for(message) if d.same_format or message.wire is not None else d)


def dump_message(message: Any, path: str, d: ChatDump) -> None:
    """Dump a message as one or several wire messages, and append them to those written so far."""
    fields = message.__dict__
    role: str = fields["role"]
    out: Wire | None
    progress = d.progress
    if progress.strays and role != "tool":
        flush_strays(d)
    apart = not d.profile.user_follows_result and _is_apart("user" if _is_late(role, d) else role, d)
    at = f"/messages/{len(progress.messages) + apart}"
    after_results = progress.ends_with_results
    progress.ends_with_results = False
    if role == "user":
        content: Content = fields.get("content")
        for part in content if type(content) is tuple else ():
            if part.type == "tool_result":
                _dump_results(message, path, d)
                return
        if after_results and not d.exact:
            d.report("moved", path, at, "the user message now directly follows tool results from which it was separate")
    if role == "tool":
        out = dump_result(message, path, at, d)
    elif d.profile.one_system and role in _OF_SYSTEM and _follows_system(d):
        _join_system(message, path, d)
        return
    else:
        progress.function_call = None
        out = _DUMPERS.get(role, _dump_simple)(message, path, at, d)
    if out is not None:
        d.places[at] = path
        if apart:
            _bridge(path, d)
        progress.messages.append(out)
        progress.ends_exactly = d.exact


def _dump_opaque(message: Any, path: str, _at: str, d: ChatDump) -> Wire | None:
    """Dump a message that is kept whole."""
    return d.own_value(message, path, "message")


def _is_apart(role: str, d: ChatDump) -> bool:
    """Whether the host requires another message between the last one and the next one, which has this role."""
    messages = d.progress.messages
    return role in ("user", "text") and not d.exact and bool(messages) and messages[-1].get("role") == "tool"


def _is_late(role: str, d: ChatDump) -> bool:
    """Whether the host refuses a system message in this place, so that it becomes a user message."""
    if role not in _OF_SYSTEM or d.exact or (d.profile.system_follows_answer and not d.profile.one_system):
        return False
    messages = d.progress.messages
    return bool(messages) and (d.profile.one_system or messages[-1].get("role") in ("assistant", "tool"))


def _follows_system(d: ChatDump) -> bool:
    """Whether the messages so far are one system message."""
    messages = d.progress.messages
    return len(messages) == 1 and messages[0].get("role") == "system" and not d.exact


def _join_system(message: Any, path: str, d: ChatDump) -> None:
    """Append a system message to the one before it, at a host that takes only one."""
    at = "/messages/0"
    first = d.progress.messages[0]
    text: Any = first["content"]
    before = 1 if type(text) is str else len(text)
    given: Any = message.content
    if type(given) is not str:
        pointed = [(f"{path}/content/{i}", part) for i, part in enumerate(given or ())]
        given = dump_parts(pointed, at, d, "system", before=before) or []
    if type(text) is str and type(given) is str:
        first["content"] = "\n\n".join(filter(None, (text, given)))
    else:
        first["content"] = _as_list(text) + _as_list(given)
    d.drop_named(message, path, "name", "cache_control")
    if message.provider_data is not None:
        d.drop_fields(message, path)
    d.report("changed", path, at, f"{d.target.name} takes only one system message: the first ones are joined")


def _as_list(content: str | list[Wire]) -> list[Wire]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _bridge(path: str, d: ChatDump) -> None:
    """Append the empty message between a tool message and a user message."""
    messages = d.progress.messages
    d.report(
        "added",
        path,
        f"/messages/{len(messages)}",
        "a user message must not directly follow a tool result: an empty assistant message is added between",
    )
    messages.append({"role": "assistant", "content": ""})


def _dump_simple(message: Any, path: str, at: str, d: ChatDump) -> Wire | None:
    """Dump a system, developer or user message, or completion-style text, which becomes a user message if the host has none."""
    fields = message.__dict__
    role: str = fields["role"]
    given = fields.get("content")
    if role == "text" and not d.profile.text_role and not d.exact:
        role = "user"
        d.report("changed", path, at, f"{d.target.name} has no completion-style text: it becomes a user message")
    if _is_late(role, d):
        d.report(
            "changed", path, at, f"{d.target.name} does not take a {role} message in this place: it becomes a user message"
        )
        role = "user"
    elif role == "developer" and not d.profile.developer and not d.exact:
        role = "system"
        d.report("changed", path, at, f"{d.target.name} has no developer role: it becomes a system message")
    content = given if role == "text" else dump_content(given, path, at, d, role)
    if content is None:
        if given:
            return d.refuse(path, NOTHING_LEFT)
        # The loss refers to the message: another format may have no field for absent content.
        d.report("changed", path, at + "/content", "content must not be an empty list; sent as an empty text")
        content = ""
    if role == "system" and type(given) is str and type(content) is str:
        # A system message of text alone is found by its own pointer and by its content's: record both.
        d.places[at + "/content"] = path + "/content"
    out: Wire = {"role": role, "content": content or _empty(content, message, d)}
    dump_frame(message, out, path, at, d)
    return out


_DUMPERS: Mapping[str, Callable[[Any, str, str, ChatDump], Wire | None]] = {
    "assistant": dump_assistant,
    "opaque": _dump_opaque,
}
"""What dumps a message of these roles."""


def _empty(content: Any, owner: Any, d: ChatDump) -> Any:
    """Empty content: null if it was loaded from null."""
    return None if content == "" and d.exact and spelling(owner, "content") == "null" else content


# Tool results


def dump_result(message: Any, path: str, at: str, d: ChatDump) -> Wire:
    """Dump a tool message, or a result among parts; its images and files go into a user message after the results."""
    function = d.progress.function_call
    if function is not None:
        d.progress.function_call = None
        if _answers_function_call(message, function, d):
            return _dump_function_result(message, function.name, path, at, d.by_rules())
    out: Wire = {"role": "function" if d.exact and spelling(message, "role") == "function" else "tool"}
    id, named = d.result_id(message, path, at)
    if id is not None:
        out["tool_call_id"] = id
    fields = message.__dict__
    content = fields.get("content")
    if type(content) is tuple:
        content = _dump_result_parts(content, path, at, d)
    elif content is not None:
        content = dump_content(content, path, at, d, "tool")
    out["content"] = content or _empty("" if content is None else content, message, d)
    if fields.get("is_error"):
        d.drop_error_flag(message, path)
    if fields.get("signature") is not None:
        d.drop_unplaced(message, path)
    dump_frame(message, out, path, at, d, named=named)
    if d.profile.names_results:
        name = d.progress.name_called(id)
        if name is not None and "name" not in out and not d.exact:
            out["name"] = name
            d.report("added", path, at + "/name", "a tool message must have the name of its tool: that of its call is sent")
    return out


def _answers_function_call(result: Any, function: FunctionCall, d: ChatDump) -> bool:
    """Whether a result must become a message of role `function`, as it answers a `function_call`; not if it was loaded so."""
    if d.exact and spelling(result, "role") is not None:
        return False
    id = result.tool_call_id if "role" in vars(result) else result.tool_use_id
    return function.from_response or not d.exact or id is None


def _dump_function_result(result: Any, name: str, path: str, at: str, d: ChatDump) -> Wire:
    """Dump the result of a `function_call` as one text; images and files go into a user message after the results."""
    d.report("changed", path, at, "the result of a `function_call` must be a message of role `function`")
    content = result.content
    if type(content) is tuple:
        texts = _apart_from_strays(content, path, d, "text", "json")
        content = dump_parts(texts, at, d, "tool", as_text=True)
    d.drop_error_flag(result, path)
    if "role" not in vars(result):
        d.drop_unplaced(result, path)
    dump_cache(result, {}, path, d, allowed=False)
    d.drop_fields(result, path)
    return {"role": "function", "name": name, "content": content or ""}


def _dump_result_parts(content: Any, path: str, at: str, d: ChatDump) -> Any:
    if d.exact or d.profile.tool_media or not d.profile.media:
        return dump_content(content, path, at, d, "tool")
    return dump_parts(_apart_from_strays(content, path, d, "text", "json", "opaque"), at, d, "tool")


def _apart_from_strays(content: Any, path: str, d: ChatDump, *kinds: str) -> Pointed:
    """The parts of a result that have one of these types; the others go into the user message after the results."""
    kept: Pointed = []
    for i, part in enumerate(content):
        is_kept = part.type in kinds or (not d.profile.tool_media and text_of_file(part, d) is not None)
        (kept if is_kept else d.progress.strays).append((f"{path}/content/{i}", part))
    return kept


_STRAY = "tool messages must have only text; the other parts go into a user message"
_FOR_STRAYS = "a user message is added for the parts that tool messages must not have"


def _dump_results(message: Any, path: str, d: ChatDump) -> None:
    """Append a user message with tool results: each result as a message, then the rest."""
    messages = d.progress.messages
    rest: Pointed = []
    kinds = [part.type for part in message.content]
    last = len(kinds) - 1 - kinds[::-1].index("tool_result")
    for i, part in enumerate(message.content):
        where = f"{path}/content/{i}"
        if kinds[i] == "tool_result":
            at = f"/messages/{len(messages)}"
            messages.append(dump_result(part, where, at, d))
            d.places[at] = where
        else:
            rest.append((where, part))
            if i < last:
                d.report("moved", where, None, "tool results must be messages of their own, directly after their calls")
    strays = d.progress.strays
    d.progress.strays = []
    apart = not d.profile.user_follows_result and _is_apart("user", d)
    at = f"/messages/{len(messages) + apart}"
    moved = {where: _STRAY for where, _ in strays}
    content = dump_parts(strays + rest, at, d, "user", moved) if strays or rest else None
    if content is None:
        d.progress.ends_with_results = True
        for key in ("name", "cache_control"):
            if getattr(message, key) is not None:
                d.drop(f"{path}/{key}", f"each tool result becomes a message, which cannot have the user message's `{key}`")
        d.drop_fields(message, path)
        return
    out = {"role": "user", "content": content}
    dump_frame(message, out, path, at, d)
    if rest:
        d.places[at] = path
    else:
        d.report("added", path, at, _FOR_STRAYS)
    if apart:
        _bridge(path, d)
    messages.append(out)


def flush_strays(d: ChatDump) -> None:
    """Append the images and files of the tool messages as a user message."""
    strays = d.progress.strays
    if not strays:
        return
    d.progress.strays = []
    d = d.by_rules()
    apart = not d.profile.user_follows_result and _is_apart("user", d)
    at = f"/messages/{len(d.progress.messages) + apart}"
    content = dump_parts(strays, at, d, "user", moved={path: _STRAY for path, _ in strays})
    if content is not None:
        d.report("added", d.places[f"{at}/content/0"], at, _FOR_STRAYS)
        if apart:
            _bridge(d.places[f"{at}/content/0"], d)
        d.progress.messages.append({"role": "user", "content": content})
        d.progress.ends_exactly = False
