"""The maps of whole responses: each `load_x` with the `dump_x` that undoes it.

A response is a frame (which model answered, and when), one or several choices, and what was used. The message of a choice
is read and written by the maps of assistant messages.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from ...codec.fields import Wire, copy_wire, keep_unknown, spelling
from ...codec.usage import StopTable, UsageTable
from ...model.base import Json
from ...model.exchange import Choice, Response
from .assistant import dump_assistant, load_assistant
from .base import FAMILY, ChatDump
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


# Usage, and why it ended

COUNTS = UsageTable(
    FAMILY,
    {
        "input_tokens": "prompt_tokens",
        "cache_read_tokens": "prompt_tokens_details/cached_tokens",
        "cache_write_tokens": "prompt_tokens_details/cache_write_tokens",
        "input_audio_tokens": "prompt_tokens_details/audio_tokens",
        "output_tokens": "completion_tokens",
        "reasoning_tokens": "completion_tokens_details/reasoning_tokens",
        "output_audio_tokens": "completion_tokens_details/audio_tokens",
    },
    input_includes=("cache_read_tokens", "cache_write_tokens"),
    total="total_tokens",
)
STOPS = StopTable(
    {
        "stop": "stop",
        "length": "length",
        "tool_calls": "tool_calls",
        "function_call": "tool_calls",
        "content_filter": "content_filter",
        "model_length": "context_window",
    },
    nearest={
        "stop_sequence": "stop",
        "context_window": "length",
        "refusal": "content_filter",
        "pause": "length",
        "compaction": "length",
        "cancelled": "length",
    },
    default="stop",
)


# Choices


def load_choice(wire: Wire, position: int, profile: ChatProfile) -> dict[str, Any]:
    """One answer."""
    taken, spelled = set[str](), dict[str, Any]()
    message = wire.get("message")
    out: dict[str, Any] = {"message": load_said({} if message is None else wire["message"], profile)}
    if message is not None:
        taken.add("message")
    else:
        out["message"] = {"role": "assistant"}
        if "message" not in wire:
            spelled["message"] = "absent"
    if "finish_reason" in wire:
        taken.add("finish_reason")
        word = wire["finish_reason"]
        out |= {"stop_reason": None} if word is None else STOPS.load(word)
    if "index" not in wire:
        spelled["index"] = "absent"
    elif type(wire["index"]) is int and wire["index"] == position:
        taken.add("index")
    return keep_unknown(out, wire, taken, FAMILY, spelled)


def load_said(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """The message of an answer."""
    out = load_assistant(wire, profile)
    if "role" not in wire:
        _spell(out, "role", "absent")
    elif wire["role"] != "assistant":
        out.setdefault("provider_data", {}).setdefault(FAMILY, {})["role"] = wire["role"]
    for position, call in enumerate(out.get("tool_calls") or ()):
        own = call.get("provider_data", {}).get(FAMILY, {})
        if type(own.get("index")) is int and own["index"] == position:
            # Where calls are numbered as in a stream, the number says nothing that their order does not.
            del own["index"]
            if not own:
                del call["provider_data"]
            _spell(call, "index", "position")
    return out


def _spell(out: dict[str, Any], field: str, word: str) -> None:
    record = out["wire"] = {**out.get("wire", {})}
    record["spelling"] = {**record.get("spelling", {}), field: word}


def _dump_choice(choice: Choice, position: int, d: ChatDump) -> Wire:
    path = f"/choices/{position}"
    out: Wire = {} if d.exact and (_holds(choice, "index") or spelling(choice, "index")) else {"index": position}
    message = choice.message
    nothing = message.model_fields_set <= {"role", "provider_data", "wire"}
    if not (d.exact and nothing and (_holds(choice, "message") or spelling(choice, "message"))):
        out["message"] = _dump_said(choice, f"{path}/message", d)
    if choice.stop_reason is not None:
        word, same = STOPS.dump(
            choice.stop_reason, choice.native_stop_reason, same_family=d.same_family, accepts_any=d.profile.open
        )
        out["finish_reason"] = word
        if not same:
            d.report("changed", path + "/stop_reason", path + "/finish_reason", f"there is no such reason; {word} is")
    elif d.exact and "stop_reason" in choice:
        out["finish_reason"] = None
    if not d.exact:
        if choice.stop_sequence is not None:
            d.drop(path + "/stop_sequence", "which sequence was hit is not told here")
        if choice.incomplete:
            d.drop(path + "/incomplete", "nothing tells that an answer broke off")
    if choice.provider_data is not None:
        d.keep_fields(choice, out, path, CHOICE_FIELDS)
    return out


def _dump_said(choice: Choice, path: str, d: ChatDump) -> Wire:
    message = choice.message
    d = d.response_rules(message)
    dump_assistant(message, path, path, d)
    out = d.progress.messages.pop()
    content: Json = out.get("content")
    if d.exact:
        if _holds(message, "role"):
            out["role"] = copy_wire((message.provider_data or {})[FAMILY]["role"])
        elif spelling(message, "role") == "absent":
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
        out["usage"] = None if wire["usage"] is None else COUNTS.load(wire["usage"])
        taken.add("usage")
    if wire.get("object") == OBJECT:
        taken.add("object")
    for key in ("object", "choices"):
        if key not in wire:
            spelled[key] = "absent"
    return keep_unknown(out, wire, taken, FAMILY, spelled)


def dump_response(response: Response, d: ChatDump) -> Wire:
    """A response body."""
    if not d.same_format:
        d.profile = d.profile._replace(content="string")
    d.is_response = True
    out: Wire = {}
    for key in ("id", "object", "created", "model"):
        if key == "object":
            if not (d.exact and (_holds(response, key) or spelling(response, key))):
                out[key] = OBJECT
        elif key in response and (d.exact or getattr(response, key) is not None):
            out[key] = getattr(response, key)
    if not (d.exact and not response.choices and (_holds(response, "choices") or spelling(response, "choices"))):
        out["choices"] = [_dump_choice(choice, i, d) for i, choice in enumerate(response.choices)]
    if response.usage is not None:
        out["usage"] = COUNTS.dump(response.usage, d.drop)
    elif d.exact and "usage" in response:
        out["usage"] = None
    if response.provider_data is not None:
        d.keep_fields(response, out, "", FRAME_FIELDS)
    return out
