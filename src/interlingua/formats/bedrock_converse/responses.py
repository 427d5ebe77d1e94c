"""Load and dump whole responses: each `dump_x` undoes its `load_x`.

A response is one assistant message in an envelope of other fields: why it ended, the usage, metrics, and a trace.
"""

from __future__ import annotations

from typing import Any

from ...codec.answers import finish_answer
from ...codec.fields import FieldReader, Wire, spelling
from ...codec.required import RequiredFields, Table, total_of, within
from ...codec.shared import Tier
from ...codec.tiers import lay_tier
from ...codec.turns import is_silent
from ...codec.usage import StopTable, UsageTable
from ...model.exchange import Choice, Response
from . import nova
from .base import FAMILY, ConverseDump, ConverseProfile, adapter, own_data
from .blobs import decoded, encoded_answer
from .blocks import load_block
from .caching import load_list
from .messages import TURNS, dump_frame

METADATA = nova.METADATA | {
    *("metrics", "trace", "performanceConfig", "serviceTier", "ResponseMetadata", "$metadata", "additionalModelResponseFields")
}
"""Fields that describe how a response was made."""

COUNTS = UsageTable(
    FAMILY,
    {
        "input_tokens": ("inputTokens",),
        "cache_read_tokens": ("cacheReadInputTokens",),
        "cache_write_tokens": ("cacheWriteInputTokens",),
        "output_tokens": ("outputTokens",),
    },
    total=("totalTokens",),
)
_TOTAL = total_of("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")
_COUNTED: Table = (
    (("usage",), Wire()),
    (("usage", "inputTokens"), 0),
    (("usage", "outputTokens"), 0),
    (("usage", "totalTokens"), _TOTAL),
    (("metrics",), Wire()),
    (("metrics", "latencyMs"), 0),
)
REQUIRED = RequiredFields(
    {"usage": ("usage", {"input_tokens": 0, "output_tokens": 0})},
    body=(
        (("output",), Wire()),
        (("output", "message", "role"), "assistant"),
        (("output", "message", "content"), list[Wire]()),
        (("stopReason",), "end_turn"),
        *_COUNTED,
    ),
    chunks=within("metadata", _COUNTED),
    frame="/metadata",
)
"""Required fields by botocore's service model, `ConverseResponse` and `ConverseStreamMetadataEvent`."""
TIER = Tier(("serviceTier", "type"), {tier: tier for tier in ("default", "flex", "priority")})
STOPS = StopTable(
    {
        "end_turn": "stop",
        "stop_sequence": "stop_sequence",
        "max_tokens": "length",
        "model_context_window_exceeded": "context_window",
        "tool_use": "tool_calls",
        "content_filtered": "content_filter",
        "guardrail_intervened": "content_filter",
        "malformed_model_output": "malformed",
        "malformed_tool_use": "malformed",
    },
    nearest={"refusal": "content_filtered"},
    default="end_turn",
)


def counts_for(profile: ConverseProfile) -> UsageTable:
    """The table of counts that responses have."""
    return nova.COUNTS if profile.nova else COUNTS


def load_envelope(reader: FieldReader, counts: UsageTable) -> tuple[dict[str, Any], dict[str, Any]]:
    """Load the usage and the stop reason, or those that are there, as the data of a response and of its choice."""
    out: dict[str, Any] = {}
    if (usage := reader.take("usage")) is not None:
        out["usage"] = counts.load(usage)
    word = reader.take("stopReason")
    choice = {} if word is None else STOPS.load(word)
    return out, choice


def load_response(profile: ConverseProfile, wire: Wire) -> dict[str, Any]:
    """Load a response body as the data of a canonical response; raises pydantic's `ValidationError`."""
    reader = FieldReader(adapter("Response").validator.validate_python(encoded_answer(wire) if profile.sdk else wire))
    out, choice = load_envelope(reader, counts_for(profile))
    message: dict[str, Any] = {"role": "assistant"}
    output = reader.inside("output")
    answer = output.take("message")
    if answer is None:
        reader.spelling["output"] = "absent"
    else:
        fields = FieldReader(answer)
        if (content := fields.take("content")) is not None:
            message["content"] = load_list(content, load_block)
        if fields.wire.get("role") == "assistant":
            fields.know("role")
        elif "role" not in answer:
            fields.spelling["role"] = "absent"
        message = fields.keep(message, FAMILY)
    return reader.keep(out | {"choices": [{"message": message} | choice]}, FAMILY)


MESSAGE = "/choices/0/message"
"""The pointer to the message that is written."""


def dump_response(response: Response, envelope: ConverseDump) -> Wire:
    """Dump a response body; Converse has one answer in each response, the first."""
    message = response.message
    envelope.is_response = True
    silent = envelope.same_format and is_silent(message)
    out: Wire = {}
    if not (silent and spelling(response, "output") == "absent"):
        out["output"] = {"message": _dump_message(message, envelope if silent else envelope.response_rules(message))}
    dump_envelope(response, out, envelope)
    for i in range(1, len(response.choices)):
        envelope.drop(f"/choices/{i}", "Converse responses have one answer; the others are left out")
    body: Wire = decoded(out, envelope.drop_blob) if envelope.profile.sdk else out
    return body


def _dump_message(message: Any, d: ConverseDump) -> Wire:
    at = "/output/message"
    other_role = spelling(message, "role") or "role" in own_data(message)
    out: Wire = {} if d.exact and other_role else {"role": "assistant"}
    if message.content is not None or not d.exact:
        out["content"] = TURNS.answer(message, MESSAGE, at, d)["content"]
    if message.cache_control is not None and "content" not in out:
        d.drop(MESSAGE + "/cache_control", "a cache point must follow a block, and the message has none")
    else:
        dump_frame(message, out, MESSAGE, at, d)
    return out


def dump_envelope(response: Response, out: Wire, d: ConverseDump) -> Wire:
    """Write the fields besides the message."""
    choice = response.choices[0] if response.choices else Choice(message=response.message)
    if (word := d.stop_word(STOPS, choice, "/choices/0", "/stopReason")) is not None:
        out["stopReason"] = word
    if response.usage is not None:
        usage = counts_for(d.profile).dump(nova.usage_for(response.usage, d), d.unsaid, d.drop)
        if usage or d.exact:
            out["usage"] = usage
    finish_answer(response, choice, out, d, "id", "model", "created")
    nova.drop_added(out, d)
    lay_tier(response, out, d)
    return out
