"""Load and dump whole responses: each `dump_x` undoes its `load_x`.

A response is one assistant message in an envelope of other fields: its id, why it ended, and the usage.
"""

from __future__ import annotations

from typing import Any

from ...codec.answers import finish_answer
from ...codec.fields import FieldReader, Wire, spelling
from ...codec.required import RequiredFields
from ...codec.turns import is_silent
from ...codec.usage import StopTable, UsageTable
from ...errors import ProviderError
from ...model.exchange import Choice, Response
from .base import FAMILY, CohereDump, adapter, own_data
from .messages import dump_assistant, load_assistant

COUNTS = UsageTable(
    FAMILY,
    {
        "input_tokens": ("tokens", "input_tokens"),
        "cache_read_tokens": ("cached_tokens",),
        "output_tokens": ("tokens", "output_tokens"),
        "reasoning_tokens": ("tokens", "reasoning_tokens"),
    },
    input_includes=("cache_read_tokens",),
)
REQUIRED = RequiredFields(
    {"id": ("id", "0"), "usage": ("usage", None)},
    body=((("finish_reason",), "COMPLETE"), (("message",), Wire()), (("message", "role"), "assistant")),
)
"""Required fields by cohere 7.3.1, `types/v2chat_response.py`."""
STOPS = StopTable(
    {
        "COMPLETE": "stop",
        "STOP_SEQUENCE": "stop_sequence",
        "MAX_TOKENS": "length",
        "TOOL_CALL": "tool_calls",
        "ERROR": "error",
        "TIMEOUT": "cancelled",
    },
    nearest={"context_window": "MAX_TOKENS", "malformed": "ERROR"},
    default="COMPLETE",
)
"""`ERROR_TOXIC` and the words like it come from the API's first version (cohere 7.3.1, `types/chat_finish_reason.py`)."""
METADATA = frozenset({"meta"})
"""Fields that describe how a response was made."""
MESSAGE = "/choices/0/message"
"""The pointer to the message that is written."""


def load_envelope(fields: FieldReader) -> tuple[dict[str, Any], dict[str, Any]]:
    """Load the usage and the stop reason, or those that are there, as the data of a response and of its choice."""
    out: dict[str, Any] = {}
    usage = fields.take("usage")
    if usage is not None:
        out["usage"] = COUNTS.load(usage)
    word = fields.take("finish_reason")
    choice = {} if word is None else STOPS.load(word)
    return out, choice


def load_response(wire: Wire) -> dict[str, Any]:
    """Load a response body as the data of a canonical response; raises pydantic's `ValidationError`."""
    fields = FieldReader(adapter("Response").validator.validate_python(wire))
    out, choice = load_envelope(fields)
    fields.move(out, "id")
    answer = fields.take("message")
    if answer is None:
        fields.spelling["message"] = "absent"
        message: dict[str, Any] = {"role": "assistant"}
    else:
        message = load_assistant(answer)
        role = answer.get("role")
        if role is None:
            message.setdefault("wire", {}).setdefault("spelling", {})["role"] = "absent"
        elif role != "assistant":
            message.setdefault("provider_data", {}).setdefault(FAMILY, {})["role"] = role
    return fields.keep(out | {"choices": [{"message": message} | choice]}, FAMILY)


def dump_response(response: Response, d: CohereDump) -> Wire:
    """Dump a response body; Cohere's responses have one answer, the first."""
    message = response.message
    d.is_response = True
    out: Wire = {}
    silent = d.same_format and is_silent(message)
    if not (silent and spelling(response, "message") == "absent"):
        out["message"] = _dump_message(message, d if silent else d.response_rules(message))
    if response.id is not None:
        out["id"] = response.id
    dump_envelope(response, out, d)
    for i in range(1, len(response.choices)):
        d.drop(f"/choices/{i}", "Cohere responses have one answer; the others are left out")
    return out


def _dump_message(message: Any, d: CohereDump) -> Wire:
    d.places["/message"] = MESSAGE
    out = dump_assistant(message, MESSAGE, "/message", d) or {}
    own = own_data(message)
    if d.exact and "role" in own:
        out["role"] = own["role"]
    elif d.exact and spelling(message, "role") == "absent":
        del out["role"]
    return out


def dump_envelope(response: Response, out: Wire, d: CohereDump) -> None:
    """Write the fields besides the message and the id."""
    choice = response.choices[0] if response.choices else Choice(message=response.message)
    word = d.stop_word(STOPS, choice, "/choices/0", "/finish_reason")
    if word is not None:
        out["finish_reason"] = word
    if response.usage is not None:
        usage = COUNTS.dump(response.usage, d.unsaid, d.drop)
        if usage or d.exact:
            out["usage"] = usage
    finish_answer(response, choice, out, d, "model", "created")


# Errors


def dump_error(error: ProviderError) -> Wire:
    """Dump an error body, which has only a message."""
    return {"message": error.message}


def stream_error(error: ProviderError) -> Wire:
    """The data of an error event."""
    return {"message": error.message}
