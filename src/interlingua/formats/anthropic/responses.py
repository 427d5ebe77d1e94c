"""Load and dump whole responses: each `dump_x` undoes its `load_x`.

A response is one assistant message's blocks in an envelope of other fields: who answered, why it ended, and the usage.
"""

from __future__ import annotations

from typing import Any

from ...codec.error_words import ErrorWords, nearest
from ...codec.fields import Wire, spelling
from ...codec.required import RequiredFields, Table, within
from ...codec.shared import Tier
from ...codec.tiers import lay_tier
from ...codec.turns import is_silent
from ...codec.usage import StopTable, UsageTable
from ...errors import ProviderError
from ...model.exchange import Choice, Response
from ...model.messages import AssistantMessage
from .base import FAMILY, MessagesDump, adapter
from .blocks import load_known
from .messages import TURNS, dump_frame

RESPONSE_ONLY = frozenset({"parsed_output", "abort_reason"})
"""Fields that blocks in responses, and the results in them, may have and blocks in requests must not."""

METADATA = frozenset({"container", "context_management"})
"""Fields that describe how a response was made: the host's container, and the host's edits to the context."""

ANSWER_TYPES = ("text", "thinking", "redacted_thinking", "tool_use")
"""The types of blocks in responses that have a canonical form."""

# Usage, and why it ended

COUNTS = UsageTable(
    FAMILY,
    {
        "input_tokens": ("input_tokens",),
        "cache_read_tokens": ("cache_read_input_tokens",),
        "cache_write_tokens": ("cache_creation_input_tokens",),
        "output_tokens": ("output_tokens",),
        "reasoning_tokens": ("output_tokens_details", "thinking_tokens"),
    },
    listed=("iterations", "compaction"),
    required=True,
)
"""The tokens of a compaction count, because the same model made it. Those of an advisor do not: it is another model."""
TIER = Tier(
    ("usage", "service_tier"),
    {"standard": "default", "priority": "priority"},
    in_usage=True,
    beside={"input_tokens": 0, "output_tokens": 0},
)
"""OpenAI has no service tier like `batch`."""
_SERVER_TOOLS: Table = (
    (("usage", "server_tool_use", "web_search_requests"), 0),
    (("usage", "server_tool_use", "web_fetch_requests"), 0),
)
_ENVELOPE: Table = (
    (("type",), "message"),
    (("role",), "assistant"),
    (("content",), list[Wire]()),
    (("usage",), Wire()),
    (("usage", "input_tokens"), 0),
    (("usage", "output_tokens"), 0),
    *_SERVER_TOOLS,
)
REQUIRED = RequiredFields(
    {"id": ("id", "msg_0"), "model": ("model", "unknown"), "usage": ("usage", None)},
    body=(*_ENVELOPE, (("content", "*", "=thinking", "signature"), "")),
    chunks=(*within("message", _ENVELOPE), *_SERVER_TOOLS, (("content_block", "=thinking", "signature"), "")),
    frame="/message",
)
"""Required fields by anthropic 2.11.0, `types/message.py`, `usage.py`, `raw_message_start_event.py` and `thinking_block.py`."""
STOPS = StopTable(
    {
        "end_turn": "stop",
        "stop_sequence": "stop_sequence",
        "max_tokens": "length",
        "model_context_window_exceeded": "context_window",
        "tool_use": "tool_calls",
        "refusal": "refusal",
        "pause_turn": "pause",
        "compaction": "compaction",
    },
    nearest={"content_filter": "refusal"},
    default="end_turn",
)


def load_stop(wire: Wire) -> dict[str, Any]:
    """Load why the message ended, as far as these fields tell."""
    out: dict[str, Any] = {}
    if "stop_reason" in wire:
        word = wire["stop_reason"]
        out |= {"stop_reason": None} if word is None else STOPS.load(word)
    if "stop_sequence" in wire:
        out["stop_sequence"] = wire["stop_sequence"]
    return out


def _dump_stop(choice: Choice, out: Wire, d: MessagesDump) -> None:
    word = d.stop_word(STOPS, choice, "/choices/0", "/stop_reason")
    if "stop_reason" in choice or not d.exact:
        out["stop_reason"] = word
    if "stop_sequence" in choice or not d.exact:
        out["stop_sequence"] = choice.stop_sequence


# Envelopes

_CONSTANTS = {"type": "message", "role": "assistant"}
_KNOWN = frozenset({"id", "model", "content", "usage", "stop_reason", "stop_sequence", "stop_details"})


def load_envelope(wire: Wire) -> tuple[dict[str, Any], dict[str, Any]]:
    """Load the fields besides the content, or some of them, as the data of a response and of its choice."""
    out: dict[str, Any] = {key: wire[key] for key in ("id", "model") if key in wire}
    if "usage" in wire:
        out["usage"] = None if wire["usage"] is None else COUNTS.load(wire["usage"])
    if rest := {key: value for key, value in wire.items() if key not in _KNOWN and _CONSTANTS.get(key, ...) != value}:
        out["provider_data"] = {FAMILY: rest}
    choice = load_stop(wire)
    if "stop_details" in wire:
        choice["provider_data"] = {FAMILY: {"stop_details": wire["stop_details"]}}
    return out, choice


def absent_constants(wire: Wire) -> dict[str, str]:
    """The record of the constant fields that a response leaves out."""
    return {key: "absent" for key in _CONSTANTS if key not in wire}


def dump_envelope(response: Response, choice: Choice, d: MessagesDump) -> Wire:
    """Dump the fields besides the content."""
    out: Wire = {key: value for key, value in _CONSTANTS.items() if not (d.exact and spelling(response, key) == "absent")}
    named = {"id": response.id, "model": response.model}
    body: Wire = {key: value for key, value in named.items() if value is not None or (d.exact and key in response)}
    if response.usage is not None and ((usage := COUNTS.dump(response.usage, d.unsaid, d.drop)) or d.exact):
        body["usage"] = usage
    elif d.exact and "usage" in response:
        body["usage"] = None
    _dump_stop(choice, body, d)
    if response.created is not None:
        d.report("response_only", "/created", None, "Anthropic responses have no time of creation")
    d.lay_provider_data(choice, body, "/choices/0")
    d.lay_provider_data(response, body, "")
    lay_tier(response, body, d)
    return out | body


# Responses


def load_response(wire: Wire) -> dict[str, Any]:
    """Load a response body as the data of a canonical response; raises pydantic's `ValidationError`."""
    wire = adapter("Response").validator.validate_python(wire)
    out, choice = load_envelope(wire)
    if absent := absent_constants(wire):
        out["wire"] = {"spelling": absent}
    message: dict[str, Any] = {"role": "assistant"}
    if "content" in wire:
        content = wire["content"]
        message["content"] = None if content is None else [load_known(block, ANSWER_TYPES) for block in content]
    return out | {"choices": [{"message": message} | choice]}


def dump_response(response: Response, envelope: MessagesDump) -> Wire:
    """Dump a response body; Anthropic has one answer in each response, the first."""
    message = response.message
    choice = response.choices[0] if response.choices else Choice(message=message)
    envelope.is_response = True
    out = dump_envelope(response, choice, envelope)
    envelope.is_response = True
    d = envelope.response_rules(message)
    content = _dump_content(message, d)
    dump_frame(message, content, MESSAGE, "", d)
    for i in range(1, len(response.choices)):
        d.drop(f"/choices/{i}", "Anthropic responses have one answer; the others are left out")
    return out | content


MESSAGE = "/choices/0/message"
"""The pointer to the message that is written."""


def _dump_content(message: AssistantMessage, d: MessagesDump) -> Wire:
    """Dump the field `content`, which in a response is always a list; nothing if the message has no content."""
    content = message.content
    if d.same_format and is_silent(message):
        return {"content": None} if "content" in message else {}
    written = TURNS.answer(message, MESSAGE, "", d)["content"]
    if type(written) is str and written:
        d.places["/content/0"] = MESSAGE + "/content"
        written = [{"type": "text", "text": written}]
    elif type(written) is str:
        written = []
        if type(content) is str and content:
            d.drop(MESSAGE + "/content", "Anthropic refuses blank text: it is left out")
    return {"content": written}


# Errors

ERROR_WORDS = ErrorWords(
    {
        400: "invalid_request_error",
        401: "authentication_error",
        402: "billing_error",
        403: "permission_error",
        404: "not_found_error",
        409: "conflict_error",
        413: "request_too_large",
        429: "rate_limit_error",
        500: "api_error",
        504: "timeout_error",
        529: "overloaded_error",
    }
)


def dump_error(error: ProviderError) -> Wire:
    """Dump an error body; an error without a type gets the type of its HTTP status."""
    return {"type": "error", "error": stream_error(error)}


def stream_error(error: ProviderError) -> Wire:
    """The object of an error; an error without a type gets the type of its HTTP status."""
    kind = error.type or nearest(ERROR_WORDS.types, error.status or 500)
    return {"type": kind, "message": error.message}
