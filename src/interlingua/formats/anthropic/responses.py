"""The maps of whole responses: each `load_x` with the `dump_x` that undoes it.

A response is an envelope (who answered, why it ended, what it used) around the blocks of one assistant message.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from ..._model import Json
from ...exchange import Choice, Response, Usage
from ...format import SPELLING, Dumping, Wire, copy_plain, spelling
from .base import FAMILY, AnthropicProfile, MessagesDumping
from .blocks import load_block
from .messages import dump_assistant, dump_frame

RESPONSE_ONLY = frozenset({"parsed_output", "abort_reason"})
"""What blocks of responses, and the results in them, may have and those of requests may not."""

CAME: Wire = {FAMILY: {SPELLING: {"came": "response"}}}
"""The provider data of a message that came in a response."""


@cache
def response_adapter() -> TypeAdapter[Any]:
    """The validator of a response body, built on first use."""
    from .wire import Response as Body  # noqa: PLC0415 -- the wire types are made on first use

    return TypeAdapter(Body)


@cache
def envelope_adapter() -> TypeAdapter[Any]:
    """The validator of what stands beside the content, or of some of it."""
    from .wire import Envelope  # noqa: PLC0415 -- likewise

    return TypeAdapter(Envelope)


@cache
def block_adapter() -> TypeAdapter[Any]:
    """The validator of one block of a response."""
    from .wire import SaidBlock  # noqa: PLC0415 -- likewise

    return TypeAdapter(SaidBlock)


def load_said(wire: Wire) -> dict[str, Any]:
    """A block of a response: what has no canonical meaning there is kept whole."""
    if wire["type"] in ("text", "thinking", "redacted_thinking", "tool_use"):
        return load_block(wire)
    return {"type": "opaque", "format": FAMILY, "value": wire}


# Usage

_COUNTS = {
    "input_tokens": "input_tokens",
    "cache_read_input_tokens": "cache_read_tokens",
    "cache_creation_input_tokens": "cache_write_tokens",
    "output_tokens": "output_tokens",
}
"""Input is counted in kinds that do not overlap, as in the canonical usage."""


def load_usage(wire: Wire) -> dict[str, Any]:
    """What was used; the wire's object is kept whole."""
    return _counts(wire) | {"native": {FAMILY: wire}}


def _counts(wire: Wire) -> dict[str, int]:
    out = {name: wire[key] for key, name in _COUNTS.items() if type(wire.get(key)) is int}
    details: Json = wire.get("output_tokens_details")
    if type(details) is dict and type(details.get("thinking_tokens")) is int:
        out["reasoning_tokens"] = details["thinking_tokens"]
    return out


def dump_usage(usage: Usage, d: MessagesDumping) -> Wire:
    """What was used: the wire's own object, unless the numbers are others by now."""
    numbers: dict[str, int] = {
        name: number for name in (*_COUNTS.values(), "reasoning_tokens") if (number := getattr(usage, name)) is not None
    }
    native = (usage.native or {}).get(FAMILY)
    out: Wire = copy_plain(native) if native is not None else {}
    told = _counts(out)
    if told != numbers:
        for key, name in _COUNTS.items():
            if name in numbers:
                out[key] = numbers[name]
            elif name in told:
                del out[key]
        if numbers.get("reasoning_tokens") != told.get("reasoning_tokens"):
            details: Json = out.get("output_tokens_details")
            rest = {key: value for key, value in details.items() if key != "thinking_tokens"} if type(details) is dict else {}
            out["output_tokens_details"] = rest
            if "reasoning_tokens" in numbers:
                rest["thinking_tokens"] = numbers["reasoning_tokens"]
            elif not rest:
                del out["output_tokens_details"]
    for name in ("input_audio_tokens", "output_audio_tokens"):
        if getattr(usage, name) is not None:
            d.notes.drop(f"/usage/{name}", "audio is not counted here")
    return out


# Why it ended

STOP_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop_sequence",
    "max_tokens": "length",
    "model_context_window_exceeded": "context_window",
    "tool_use": "tool_calls",
    "refusal": "refusal",
    "pause_turn": "pause",
    "compaction": "compaction",
}
"""The words for why a message ended, and what they mean; a word that is not here means itself."""

_WORDS = {meaning: word for word, meaning in STOP_REASONS.items()}
_NEAREST = {"content_filter": "refusal"}


def load_stop(wire: Wire) -> dict[str, Any]:
    """Why the message ended, as far as that is told."""
    out: dict[str, Any] = {}
    if "stop_reason" in wire:
        word = wire["stop_reason"]
        out["stop_reason"] = STOP_REASONS.get(word, word)
        if word is not None:
            out["native_stop_reason"] = word
    if "stop_sequence" in wire:
        out["stop_sequence"] = wire["stop_sequence"]
    return out


def _dump_stop(choice: Choice, out: Wire, d: MessagesDumping) -> None:
    reason, word = choice.stop_reason, choice.native_stop_reason
    if reason is None:
        if "stop_reason" in choice or not d.home:
            out["stop_reason"] = None
    elif d.notes.native:
        out["stop_reason"] = word if word is not None and STOP_REASONS.get(word, word) == reason else _WORDS.get(reason, reason)
    else:
        out["stop_reason"] = _WORDS.get(reason)
        if out["stop_reason"] is None:
            out["stop_reason"] = _NEAREST.get(reason, "end_turn")
            d.notes.tell(
                "changed", "/choices/0/stop_reason", "/stop_reason", f"there is no such reason; {out['stop_reason']} is"
            )
    if "stop_sequence" in choice or not d.home:
        out["stop_sequence"] = choice.stop_sequence
    if choice.incomplete and not d.home:
        d.notes.drop("/choices/0/incomplete", "nothing tells that an answer broke off")


# Envelopes

_CONSTANTS = {"type": "message", "role": "assistant"}
_TAKEN = frozenset({"id", "model", "content", "usage", "stop_reason", "stop_sequence", "stop_details"})


def load_envelope(wire: Wire) -> tuple[dict[str, Any], dict[str, Any]]:
    """What stands beside the content, or some of it, as the data of a response and of its choice."""
    out: dict[str, Any] = {key: wire[key] for key in ("id", "model") if key in wire}
    if "usage" in wire:
        out["usage"] = None if wire["usage"] is None else load_usage(wire["usage"])
    rest = {
        key: value for key, value in wire.items() if key not in _TAKEN and not (key in _CONSTANTS and value == _CONSTANTS[key])
    }
    if rest:
        out["provider_data"] = {FAMILY: rest}
    choice = load_stop(wire)
    if "stop_details" in wire:
        choice["provider_data"] = {FAMILY: {"stop_details": wire["stop_details"]}}
    return out, choice


def without(wire: Wire) -> Wire:
    """The record, for a response's provider data, of the constants that the wire leaves out."""
    missing = [key for key in _CONSTANTS if key not in wire]
    return {SPELLING: {"without": missing}} if missing else {}


def dump_envelope(response: Response, choice: Choice, d: MessagesDumping) -> Wire:
    """What stands beside the content."""
    out: Wire = {key: response[key] for key in ("id", "model") if key in response and (d.home or response[key] is not None)}
    if response.usage is not None:
        out["usage"] = dump_usage(response.usage, d)
    elif d.home and "usage" in response:
        out["usage"] = None
    _dump_stop(choice, out, d)
    if response.created is not None:
        d.notes.drop("/created", "there is no time here")
    if choice.provider_data is not None:
        d.notes.extras(choice, out, "/choices/0")
    if response.provider_data is not None:
        d.notes.extras(response, out, "")
    missing = (spelling(response, FAMILY, "without") or ()) if d.home else ()
    return out | {key: value for key, value in _CONSTANTS.items() if key not in out and key not in missing}


# Responses


def load_response(wire: Wire) -> dict[str, Any]:
    """A response body as the data of a canonical response; raises pydantic's `ValidationError`."""
    wire = response_adapter().validate_python(wire)
    out, choice = load_envelope(wire)
    if absent := without(wire):
        out.setdefault("provider_data", {FAMILY: {}})[FAMILY] |= absent
    message: dict[str, Any] = {"role": "assistant", "provider_data": CAME}
    if "content" in wire:
        content = wire["content"]
        message["content"] = None if content is None else [load_said(block) for block in content]
    return out | {"choices": [{"message": message} | choice]}


def dump_response(response: Response, notes: Dumping, profile: AnthropicProfile) -> Wire:
    """A response body; there is one answer, the first."""
    d = MessagesDumping(notes, profile)
    message, path = response.message, MESSAGE
    choice = response.choices[0] if response.choices else Choice(message=message)
    out = dump_envelope(response, choice, d)
    content, flat = message.content, message.tool_calls or message.thinking_blocks
    if d.home and content is None and not flat and message.refusal is message.reasoning_content:
        written: Wire = {"content": None} if "content" in message else {}
    else:
        written = dump_assistant(message, path, "", d)
        if type(written["content"]) is str:
            text = written["content"]
            written["content"] = [{"type": "text", "text": text}] if text else []
            if text:
                notes.places["/content/0"] = path + "/content"
            elif content and type(content) is str:
                notes.drop(path + "/content", "blank text is refused")
        del written["role"]
    dump_frame(message, written, path, "", d)
    for i in range(1, len(response.choices)):
        notes.drop(f"/choices/{i}", "there is one answer here")
    return out | written


MESSAGE = "/choices/0/message"
"""Where a response holds the message that is written."""
