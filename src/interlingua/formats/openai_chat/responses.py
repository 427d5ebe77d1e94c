"""The maps of whole responses: each `load_x` with the `dump_x` that undoes it.

A response is a frame (which model answered, and when), one or several choices, and what was used. The message of a choice
is read and written by the maps of assistant messages.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from ..._model import Json
from ...exchange import Choice, Response, Usage
from ...format import SPELLING, Dumping, Wire, copy_plain, spelling
from .assistant import dump_assistant, load_assistant
from .base import FAMILY, ChatDumping
from .profiles import ChatProfile

RESPONSE_ONLY = frozenset(
    "annotations channel citations content_parts executed_tools function_call graph_data image_data llm_data parsed "
    "provider_metadata search_results translation_data web_search_data".split()
)
"""What messages of responses may have and messages of requests may not (a `function_call` that is null among them)."""

OBJECT = "chat.completion"
CHUNK_OBJECT = "chat.completion.chunk"
FRAME_FIELDS = frozenset({"service_tier", "system_fingerprint", "metadata", "moderation"})
CHOICE_FIELDS = frozenset({"logprobs"})


@cache
def response_adapter() -> TypeAdapter[Any]:
    """The validator of a response body, built on first use."""
    from .wire import Response as Body  # noqa: PLC0415 -- the wire types are made on first use

    return TypeAdapter(Body)


# Usage


def load_usage(wire: Wire) -> dict[str, Any]:
    """What was used; the wire's object is kept whole."""
    return _counts(wire) | {"native": {FAMILY: wire}}


def _counts(wire: Wire) -> dict[str, int]:
    """The numbers told, in kinds of input that do not overlap."""
    read: Json
    spent: Json
    read, spent = wire.get("prompt_tokens_details"), wire.get("completion_tokens_details")
    told = {
        "input_tokens": wire.get("prompt_tokens"),
        "cache_read_tokens": read.get("cached_tokens") if type(read) is dict else None,
        "cache_write_tokens": read.get("cache_write_tokens") if type(read) is dict else None,
        "output_tokens": wire.get("completion_tokens"),
        "reasoning_tokens": spent.get("reasoning_tokens") if type(spent) is dict else None,
        "input_audio_tokens": read.get("audio_tokens") if type(read) is dict else None,
        "output_audio_tokens": spent.get("audio_tokens") if type(spent) is dict else None,
    }
    out = {name: number for name, number in told.items() if type(number) is int}
    if "input_tokens" in out:
        # The prompt is counted with what was cached of it; a host where that is more than the whole counts it apart.
        apart = out["input_tokens"] - out.get("cache_read_tokens", 0) - out.get("cache_write_tokens", 0)
        out["input_tokens"] = apart if apart >= 0 else out["input_tokens"]
    return out


_NUMBERS = tuple(name for name in Usage.model_fields if name != "native")


def dump_usage(usage: Usage) -> Wire:
    """What was used: the wire's own object, unless the numbers are others by now."""
    numbers: dict[str, int] = {name: number for name in _NUMBERS if (number := getattr(usage, name)) is not None}
    native = (usage.native or {}).get(FAMILY)
    out: Wire = copy_plain(native) if native is not None else {}
    told = _counts(out)
    if told == numbers:
        return out
    prompt = sum(numbers.get(name, 0) for name in ("input_tokens", "cache_read_tokens", "cache_write_tokens"))
    counted = {"input_tokens", "cache_read_tokens", "cache_write_tokens"} & numbers.keys()
    _set(out, "prompt_tokens", prompt if counted else None)
    _set(out, "completion_tokens", numbers.get("output_tokens"))
    both = counted and "output_tokens" in numbers
    _set(out, "total_tokens", prompt + numbers["output_tokens"] if both else None)
    for field, names in _DETAILS.items():
        held: Json = out.get(field)
        details: Wire = held if type(held) is dict else {}
        for key, name in names.items():
            if numbers.get(name) != told.get(name):
                _set(details, key, numbers.get(name))
        if details:
            out[field] = details
    return out


_DETAILS = {
    "prompt_tokens_details": {
        "cached_tokens": "cache_read_tokens",
        "cache_write_tokens": "cache_write_tokens",
        "audio_tokens": "input_audio_tokens",
    },
    "completion_tokens_details": {"reasoning_tokens": "reasoning_tokens", "audio_tokens": "output_audio_tokens"},
}


def _set(out: Wire, key: str, number: int | None) -> None:
    if number is not None:
        out[key] = number
    else:
        out.pop(key, None)


# Why it ended

STOP_REASONS = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
    "model_length": "context_window",
}
"""The words for why a message ended, and what they mean; a word that is not here means itself."""

_NEAREST = {
    "stop_sequence": "stop",
    "context_window": "length",
    "refusal": "content_filter",
    "pause": "length",
    "compaction": "length",
    "cancelled": "length",
}


def load_stop(word: str) -> dict[str, Any]:
    """Why a message ended, from the wire's word."""
    return {"stop_reason": STOP_REASONS.get(word, word), "native_stop_reason": word}


def dump_stop(reason: str, word: str | None, profile: ChatProfile, *, native: bool) -> tuple[str, bool]:
    """The word for why a message ended, and whether it means the same; `word` is what the wire had, if `native` it fits."""
    if native and word is not None and STOP_REASONS.get(word, word) == reason:
        return word, True
    if STOP_REASONS.get(reason) == reason:
        return reason, True
    if reason in _NEAREST:
        return _NEAREST[reason], False
    return (reason, True) if native or profile.open else ("stop", False)


# Choices


def load_choice(wire: Wire, position: int, profile: ChatProfile) -> dict[str, Any]:
    """One answer."""
    taken, spelled = set[str](), dict[str, Any]()
    message = wire.get("message")
    out: dict[str, Any] = {"message": load_said({} if message is None else wire["message"], profile)}
    if message is not None:
        taken.add("message")
    else:
        out["message"] = {"role": "assistant", "provider_data": {FAMILY: {SPELLING: {"came": "response"}}}}
        if "message" not in wire:
            spelled["message"] = "absent"
    if "finish_reason" in wire:
        taken.add("finish_reason")
        word = wire["finish_reason"]
        out |= {"stop_reason": None} if word is None else load_stop(word)
    if "index" not in wire:
        spelled["index"] = "absent"
    elif type(wire["index"]) is int and wire["index"] == position:
        taken.add("index")
    return _left(out, wire, taken, spelled)


def load_said(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """The message of an answer, which remembers that it came in one."""
    out = load_assistant(wire, profile)
    own = out.setdefault("provider_data", {}).setdefault(FAMILY, {})
    recorded: Json = own.get(SPELLING)
    spelled = recorded if type(recorded) is dict else {}
    own[SPELLING] = spelled | ({"came": "response"} if "role" in wire else {"came": "response", "role": "absent"})
    if wire.get("role", "assistant") != "assistant":
        own["role"] = wire["role"]
    for position, call in enumerate(out.get("tool_calls") or ()):
        held = call.get("provider_data", {}).get(FAMILY, {})
        if type(held.get("index")) is int and held["index"] == position:
            # Where calls are numbered as they are in a stream, the number says nothing that their order does not.
            del held["index"]
            held[SPELLING] = held.get(SPELLING, {}) | {"index": "position"}
    return out


def _left(out: dict[str, Any], wire: Wire, taken: set[str], spelled: Wire) -> dict[str, Any]:
    rest = {key: value for key, value in wire.items() if key not in taken}
    if spelled:
        rest[SPELLING] = spelled
    if rest:
        out["provider_data"] = {FAMILY: rest}
    return out


def _dump_choice(choice: Choice, position: int, d: ChatDumping) -> Wire:
    path = f"/choices/{position}"
    out: Wire = {} if d.home and (_holds(choice, "index") or spelling(choice, FAMILY, "index")) else {"index": position}
    message = choice.message
    nothing = message.model_fields_set <= {"role", "provider_data"}
    if not (d.home and nothing and (_holds(choice, "message") or spelling(choice, FAMILY, "message"))):
        out["message"] = _dump_said(choice, f"{path}/message", d)
    if choice.stop_reason is not None:
        word, same = dump_stop(choice.stop_reason, choice.native_stop_reason, d.profile, native=d.notes.native)
        out["finish_reason"] = word
        if not same:
            d.notes.tell("changed", path + "/stop_reason", path + "/finish_reason", f"there is no such reason; {word} is")
    elif d.home and "stop_reason" in choice:
        out["finish_reason"] = None
    if not d.home:
        if choice.stop_sequence is not None:
            d.notes.drop(path + "/stop_sequence", "which sequence was hit is not told here")
        if choice.incomplete:
            d.notes.drop(path + "/incomplete", "nothing tells that an answer broke off")
    if choice.provider_data is not None:
        d.extras(choice, out, path, CHOICE_FIELDS)
    return out


def _dump_said(choice: Choice, path: str, d: ChatDumping) -> Wire:
    message = choice.message
    dump_assistant(message, path, path, d)
    out = d.messages.pop()
    content: Json = out.get("content")
    if d.home:
        if _holds(message, "role"):
            out["role"] = copy_plain((message.provider_data or {})[FAMILY]["role"])
        elif spelling(message, FAMILY, "role") == "absent":
            del out["role"]
    elif type(content) is list and "refusal" not in out and any(part.get("type") == "refusal" for part in content):
        # Answers have their refusal in a field of its own.
        out["refusal"] = "".join(part["refusal"] for part in content if part.get("type") == "refusal")
        left = [part for part in content if part.get("type") != "refusal"]
        plain = all(part.keys() == {"type", "text"} and part["type"] == "text" for part in left)
        out["content"] = ("".join(part["text"] for part in left) or None) if plain else left
    return out


def _holds(owner: Any, key: str) -> bool:
    overlays: Wire = owner.provider_data or {}
    return key in overlays.get(FAMILY, {})


# Responses


def load_response(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """A response body as the data of a canonical response; raises pydantic's `ValidationError`.

    A body that reports an error has no choices; it is kept whole.
    """
    wire = response_adapter().validate_python(wire)
    taken, spelled = {"id", "model"}, dict[str, Any]()
    out: dict[str, Any] = {key: wire[key] for key in ("id", "model") if key in wire}
    if type(wire.get("created")) in (int, float):
        out["created"] = wire["created"]
        taken.add("created")
    choices = wire.get("choices")
    out["choices"] = [load_choice(choice, i, profile) for i, choice in enumerate(choices or ())]
    if choices is not None:
        taken.add("choices")
    if "usage" in wire:
        out["usage"] = None if wire["usage"] is None else load_usage(wire["usage"])
        taken.add("usage")
    if wire.get("object") == OBJECT:
        taken.add("object")
    for key in ("object", "choices"):
        if key not in wire:
            spelled[key] = "absent"
    return _left(out, wire, taken, spelled)


def dump_response(response: Response, notes: Dumping, profile: ChatProfile) -> Wire:
    """A response body."""
    d = ChatDumping(notes, profile if notes.home else profile._replace(content="string"))
    d.response = True
    out: Wire = {}
    for key in ("id", "object", "created", "model"):
        if key == "object":
            if not (d.home and (_holds(response, key) or spelling(response, FAMILY, key))):
                out[key] = OBJECT
        elif key in response and (d.home or getattr(response, key) is not None):
            out[key] = getattr(response, key)
    if not (d.home and not response.choices and (_holds(response, "choices") or spelling(response, FAMILY, "choices"))):
        out["choices"] = [_dump_choice(choice, i, d) for i, choice in enumerate(response.choices)]
    if response.usage is not None:
        out["usage"] = dump_usage(response.usage)
    elif d.home and "usage" in response:
        out["usage"] = None
    if response.provider_data is not None:
        d.extras(response, out, "", FRAME_FIELDS)
    return out
