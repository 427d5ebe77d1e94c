"""Judges of payloads that are not ours: the official SDKs' request types, the published specifications, the servers' rules.

Each gives the faults of a payload, a pointer and a reason each. `refused` puts them together for a conversion: what its
output is blamed for, less what its input already broke of the rules of its own format.
"""

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Any

from interlingua import FormatName, format_of, load
from interlingua.testing.lawbook.documents import is_array, is_object
from laws.closed import Fault
from laws.families import ANTHROPIC, CHAT, KNOWN
from laws.laws import Convert, convert
from laws.legs import Outcome
from laws.owners import REASONING, Owner, owners
from laws.sdks import SDKS, judge_of, request_faults, spec_faults
from laws.soundness import unsound

# The servers' rules

OPENAI_MEDIA = ("image_url", "input_audio", "file")
TOOL_NAME = {"openai_chat": re.compile(r"[A-Za-z0-9_-]{1,64}"), "anthropic": re.compile(r"[A-Za-z0-9_-]{1,128}")}
IMAGE_TYPES = ("image/jpeg", "image/png", "image/gif", "image/webp")


def _takes_media(name: FormatName) -> set[str]:
    """What a host that takes images in the results of tools takes besides."""
    return {"media outside user"} if getattr(format_of(name).profile, "tool_media", False) else set()


# What the servers behind a dialect take, though the family's own does not.
TAKEN = {
    "asktable": {"input", "unsigned thinking"},
    **{name: {"too many stops"} | _takes_media(name) for name in CHAT[1:]},
    **{name: {"too many stops", "media outside user", "file without name"} for name in ("litellm", "clacky", "openrouter")},
}


def server_faults(payload: dict[str, Any], format: str) -> list[Fault]:
    family = "anthropic" if format in ANTHROPIC else "openai_chat"
    rules = _anthropic_rules if family == "anthropic" else _openai_rules
    faults = [*rules(payload), *_tool_names(payload, format, family), *_tool_results(payload, family)]
    return [fault for fault in faults if fault.rule not in TAKEN.get(format, ())]


def _tool_names(payload: dict[str, Any], format: str, family: str) -> Iterator[Fault]:
    for owner in owners(payload, format):
        if owner.kind in ("tool", "call"):
            held = owner.own.get("function", owner.own)
            name = held.get("name") if is_object(held) else None
            if isinstance(name, str) and not TOOL_NAME[family].fullmatch(name):
                yield Fault(owner.pointer, "tool name", name)


def _results_of(message: dict[str, Any], family: str) -> list[str]:
    if family == "openai_chat":
        return [message["tool_call_id"]] if message.get("role") == "tool" and "tool_call_id" in message else []
    content = message.get("content")
    parts = content if is_array(content) and message.get("role") == "user" else []
    return [part["tool_use_id"] for part in parts if is_object(part) and part.get("type") == "tool_result"]


def _calls_of(message: dict[str, Any], family: str) -> list[str]:
    if family == "openai_chat":
        calls: list[dict[str, Any]] = message.get("tool_calls") or []
        return [str(call.get("id")) for call in calls]
    content = message.get("content")
    parts = content if is_array(content) else []
    return [part["id"] for part in parts if is_object(part) and part.get("type") == "tool_use"]


def _tool_results(payload: dict[str, Any], family: str) -> Iterator[Fault]:
    """Calls are answered at once and once, results answer calls of the turn before them."""
    messages: list[dict[str, Any]] = payload.get("messages") or []
    pending: list[str] = []
    asked_at = ""
    for index, message in enumerate(messages):
        pointer = f"/messages/{index}"
        results = _results_of(message, family)
        for result in results:
            if result in pending:
                pending.remove(result)
            else:
                yield Fault(pointer, "orphaned result", result)
        if pending and (not results or family == "anthropic"):
            yield Fault(asked_at, "unanswered call", ", ".join(pending))
            pending = []
        if calls := _calls_of(message, family):
            pending, asked_at = calls, pointer
            if len(set(calls)) < len(calls):
                yield Fault(pointer, "repeated id", ", ".join(calls))
        elif not results:
            pending = []
    # The last turn's calls may still wait for their results.


def _openai_rules(payload: dict[str, Any]) -> Iterator[Fault]:
    messages = payload.get("messages")
    if messages == []:
        yield Fault("/messages", "no messages", "")
    if is_array(payload.get("stop")) and len(payload["stop"]) > 4:
        yield Fault("/stop", "too many stops", str(len(payload["stop"])))
    for index, message in enumerate(messages or []):
        pointer, role, content = f"/messages/{index}", message.get("role"), message.get("content")
        calls = message.get("tool_calls") or message.get("function_call")
        others = ("refusal", "audio", *REASONING, "thinking_blocks", "reasoning_details")
        if role == "assistant" and content is None and not calls and not any(message.get(key) for key in others):
            yield Fault(pointer, "empty message", "an assistant message of nothing")
        name = message.get("name")
        if isinstance(name, str) and not re.fullmatch(r"[^\s<|\\/>]{1,64}", name):
            yield Fault(f"{pointer}/name", "name", name)
        for place, call in enumerate(message.get("tool_calls") or []):
            if len(str(call.get("id"))) > 64:
                yield Fault(f"{pointer}/tool_calls/{place}", "long id", str(call.get("id")))
        if content == []:
            yield Fault(f"{pointer}/content", "empty content", "")
        parts = content if is_array(content) else []
        kinds = [part.get("type") for part in parts if is_object(part)]
        if role == "assistant" and "refusal" in kinds and kinds != ["refusal"]:
            yield Fault(f"{pointer}/content", "refusal beside text", "")
        for place, part in enumerate(parts):
            if not is_object(part):
                continue
            where = f"{pointer}/content/{place}"
            if role != "user" and part.get("type") in OPENAI_MEDIA:
                yield Fault(where, "media outside user", f"{part.get('type')} in {role}")
            file = part.get("file")
            if is_object(file) and file.get("file_data") and not file.get("filename"):
                yield Fault(where, "file without name", "")


def _anthropic_texts(parts: Any, pointer: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for index, part in enumerate(parts if is_array(parts) else []):
        if is_object(part):
            yield f"{pointer}/{index}", part
            if part.get("type") == "tool_result":
                yield from _anthropic_texts(part.get("content"), f"{pointer}/{index}/content")


def _anthropic_rules(payload: dict[str, Any]) -> Iterator[Fault]:
    messages = payload.get("messages")
    if messages == []:
        yield Fault("/messages", "no messages", "")
    if messages and messages[0].get("role") != "user":
        yield Fault("/messages/0", "first role", str(messages[0].get("role")))
    everything: list[tuple[str, dict[str, Any]]] = list(_anthropic_texts(payload.get("system"), "/system"))
    if isinstance(payload.get("system"), str) and not payload["system"].strip():
        yield Fault("/system", "empty text", "")
    ids: set[str] = set()
    for index, message in enumerate(messages or []):
        pointer, role, content = f"/messages/{index}", message.get("role"), message.get("content")
        last = index == len(messages or []) - 1
        if role == "system":
            yield from _system_place(messages or [], index)
        if content is None or (not content and not (last and role == "assistant")):
            yield Fault(f"{pointer}/content", "empty content", "")
        elif isinstance(content, str) and not content.strip():
            yield Fault(f"{pointer}/content", "empty text", "")
        everything += _anthropic_texts(content, f"{pointer}/content")
        kinds = [part.get("type") for part in content] if is_array(content) else []
        if role == "user" and "tool_result" in kinds and kinds != sorted(kinds, key=lambda kind: kind != "tool_result"):
            yield Fault(f"{pointer}/content", "results first", "")
        for place, part in enumerate(content if is_array(content) else []):
            if part.get("type") == "tool_use":
                where = f"{pointer}/content/{place}"
                if not re.fullmatch(r"[a-zA-Z0-9_-]+", str(part.get("id"))):
                    yield Fault(where, "id alphabet", str(part.get("id")))
                if part.get("id") in ids:
                    yield Fault(where, "repeated id", str(part.get("id")))
                ids.add(str(part.get("id")))
                if not is_object(part.get("input")):
                    yield Fault(where, "input", "not an object")
    yield from _trailing_space(messages or [])
    for where, part in everything:
        yield from _part_rules(where, part)
    marked = [*everything, *((f"/tools/{index}", tool) for index, tool in enumerate(payload.get("tools") or []))]
    marks = [where for where, part in marked if part.get("cache_control")]
    if len(marks) > 4:
        yield Fault(marks[4], "cache marks", f"{len(marks)} of at most 4")


def _system_place(messages: list[dict[str, Any]], index: int) -> Iterator[Fault]:
    before = messages[index - 1].get("role") if index else None
    after = messages[index + 1].get("role") if index + 1 < len(messages) else None
    if before != "user" or after not in (None, "assistant"):
        yield Fault(f"/messages/{index}", "system place", f"after {before}, before {after}")


def _trailing_space(messages: list[dict[str, Any]]) -> Iterator[Fault]:
    if not messages or messages[-1].get("role") != "assistant":
        return
    content = messages[-1].get("content")
    text = content if isinstance(content, str) else content[-1].get("text") if is_array(content) and content else None
    if isinstance(text, str) and text != text.rstrip():
        yield Fault(f"/messages/{len(messages) - 1}", "trailing space", "")


def _part_rules(where: str, part: dict[str, Any]) -> Iterator[Fault]:
    kind, source = part.get("type"), part.get("source")
    if kind == "text" and not str(part.get("text", "")).strip():
        yield Fault(where, "empty text", "")
    if kind == "thinking":
        if not part.get("signature"):
            yield Fault(where, "unsigned thinking", "")
        if "cache_control" in part:
            yield Fault(where, "cache mark on thinking", "")
    if kind == "tool_result" and part.get("is_error") and is_array(part.get("content")):
        others = [inner.get("type") for inner in part["content"] if inner.get("type") != "text"]
        if others:
            yield Fault(where, "error holds media", ", ".join(map(str, others)))
    if is_object(source) and source.get("type") == "base64":
        wanted = IMAGE_TYPES if kind == "image" else ("application/pdf",)
        if source.get("media_type") not in wanted:
            yield Fault(where, "media type", str(source.get("media_type")))
        try:
            base64.b64decode(str(source.get("data")), validate=True)
        except binascii.Error:
            yield Fault(where, "base64", "")
    if is_object(source) and source.get("type") == "url" and not str(source.get("url")).startswith(("http://", "https://")):
        yield Fault(where, "url", str(source.get("url"))[:40])


# A conversion, judged


def _owner_at(pointer: str, owned: list[Owner]) -> Owner:
    held = [owner for owner in owned if owner.pointer == pointer or pointer.startswith(owner.pointer + "/")]
    return max(held, key=lambda owner: len(owner.pointer))


def refused(payload: dict[str, Any], source: str, target: str, outcome: Outcome) -> list[Fault]:
    """The faults of what came out that are not faults of what went in."""
    output = outcome.payload
    faults = all_faults(output, target)
    if not faults:
        return []
    loose = home_faults(payload, source)
    if not (source in KNOWN and target in KNOWN):
        messages = load(payload, format_of(source)).messages
        at_home = {fault.partition(": ")[2] for fault in unsound(messages)}
        # Messages that could not be sent were reported as dropped.
        lost, where = {loss.path for loss in outcome.losses if loss.kind == "dropped"}, format_of(source).locating(payload)
        sent = [message.role for place, message in enumerate(messages) if where(f"/messages/{place}")[0] not in lost]
        spoken = [role for role in sent if role not in ("system", "developer", "opaque")]
        at_home |= {f"first is {role}" for role in spoken[:1]}
        empty = None if spoken else f"/{format_of(target).listed}"  # where nothing is said, nothing can be sent
        sound = [fault for fault in faults if not at_home & STRUCTURE.get(fault.rule, set()) and fault.pointer != empty]
        return [fault for fault in sound if not _excused(fault, loose, outcome)]
    broken = {fault.rule for fault in server_faults(payload, source)}
    # A type that the owner breaks in its own format already says nothing about the conversion, unless a key was carried over.
    before, after = owners(payload, source), owners(output, target)
    guilty = {_owner_at(fault.pointer, before).pointer for fault in loose if not fault.rule.startswith("sdk extra")}
    kept: list[Fault] = []
    for fault in faults:
        if fault.rule in broken or _the_callers(fault, payload, outcome):
            continue
        if fault.rule.startswith(("sdk", "spec")) and not fault.rule.startswith("sdk extra"):
            origin = outcome.places.get(_owner_at(fault.pointer, after).pointer, "")
            if origin in guilty and (origin or fault.pointer in {fault.pointer for fault in loose}):
                continue
        kept.append(fault)
    return kept


def all_faults(payload: dict[str, Any], format: str) -> list[Fault]:
    """What is wrong with a request, by the rules of the servers as far as the judges know them, and by the SDK's types."""
    assert format in KNOWN or format in SDKS, f"no judge knows {format}"
    found = server_faults(payload, format) if format in KNOWN else []
    return found + request_faults(payload, format) + spec_faults(payload, format) if format in SDKS else found


def home_faults(payload: dict[str, Any], source: str) -> list[Fault]:
    """What is wrong with a request by the types of its family's SDK."""
    home = judge_of(source)
    return request_faults(payload, home) + spec_faults(payload, home) if home in SDKS else []


STRUCTURE = {
    "orphaned result": {"a result of nothing", "calls without a result"},
    "unanswered call": {"a result of nothing", "calls without a result"},
    "first role": {"first is assistant", "first is tool"},
    "repeated id": {"an id used twice"},
}
"""What a server's rule is broken by, where the conversation was so before."""


def _excused(fault: Fault, loose: list[Fault], outcome: Outcome) -> bool:
    """Whether a fault is one of the caller's: what it was made of is faulty in its own format, or there is nothing to say."""
    held = [at for at in outcome.places if at == fault.pointer or fault.pointer.startswith(at + "/")]
    origin = outcome.places[max(held, key=len)] if held else ""
    return any((each.pointer + "/").startswith(origin + "/") for each in loose)


def _the_callers(fault: Fault, payload: dict[str, Any], outcome: Outcome) -> bool:
    """What no conversion can repair without inventing: nothing but system texts, or an assistant that speaks first."""
    lost = {loss.path for loss in outcome.losses if loss.kind == "dropped"}
    roles = [
        message.get("role") for place, message in enumerate(payload.get("messages") or []) if f"/messages/{place}" not in lost
    ]
    talk = [role for role in roles if role not in ("system", "developer", "opaque")]
    if fault.rule == "no messages" or fault.pointer == "/messages":
        return not talk
    return fault.rule == "first role" and talk[:1] != ["user"]


def law5(payload: dict[str, Any], source: FormatName, target: FormatName, convert: Convert = convert) -> list[str]:
    """What comes out is valid for its target, as far as what went in was sound."""
    return [str(fault) for fault in refused(payload, source, target, convert(payload, source=source, target=target))]
