"""Load and dump whole responses: each `dump_x` undoes its `load_x`.

A response is one message, whose parts are the contents of its steps, in an envelope of other fields: who answered, how that
ended, and the usage. The API's first version has `outputs` in place of steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from ...codec.answers import finish_answer
from ...codec.error_words import ErrorWords, nearest, status_of
from ...codec.fields import FieldReader, Wire, spelling
from ...codec.required import RequiredFields
from ...codec.shared import Tier
from ...codec.tiers import lay_tier
from ...codec.usage import StopTable, UsageTable, with_reasoning_in_output
from ...errors import ProviderError
from ...model.exchange import Choice, Response
from ...model.messages import pieces_of
from .base import FAMILY, InteractionsDump, adapter, keep_whole
from .maps import TIERS
from .messages import dump_flat, write_assistant
from .steps import is_model_step, load_flat, load_step

METADATA = frozenset(
    "agent agent_config background cached_content continuation_ids continuation_token environment environment_id"
    " generation_config input labels object output_audio output_image output_text output_video previous_interaction_id"
    " response_format response_mime_type response_modalities role safety_settings service_tier store system_instruction tools"
    " updated webhook_config".split()
)
"""Fields that describe how a response was made, most of which repeat the request (google-genai 3.6.1, `interaction.py`)."""
TIER = Tier(("service_tier",), TIERS)

# Usage, and how it ended

COUNTS = UsageTable(
    FAMILY,
    {
        "input_tokens": ("total_input_tokens",),
        "cache_read_tokens": ("total_cached_tokens",),
        "output_tokens": ("total_output_tokens",),
        "reasoning_tokens": ("total_thought_tokens",),
    },
    input_includes=("cache_read_tokens",),
    output_includes_reasoning=False,
    total=("total_tokens",),
    more_input=(("total_tool_use_tokens",),),
    repeated=(("initial_input_tokens",),),
)
_COMPLETED = "completed"
STOPS = StopTable(
    {
        _COMPLETED: "stop",
        "requires_action": "tool_calls",
        "incomplete": "length",
        "budget_exceeded": "length",
        "failed": "error",
        "cancelled": "cancelled",
        "requires_continuation": "pause",
    },
    nearest={
        "stop_sequence": _COMPLETED,
        "content_filter": "incomplete",
        "refusal": "incomplete",
        "context_window": "incomplete",
        "compaction": "incomplete",
        "malformed": "failed",
    },
    default=_COMPLETED,
    ends_calls=(_COMPLETED,),
)
"""The words are statuses."""
_RUNNING = frozenset({"in_progress", "queued", "idle"})
"""The statuses of an answer that has not ended."""
REQUIRED = RequiredFields(
    {"id": ("id", "0"), "model": ("model", None), "created": ("created", None), "usage": ("usage", None)},
    body=((("status",), _COMPLETED),),
    chunks=((("interaction", "id"), "0"), (("interaction", "status"), "in_progress")),
    frame="/interaction",
)
"""Required fields by google-genai 3.6.1, `interaction.py` and `interactionsseeventinteraction.py`."""


def load_stop(fields: FieldReader, *, calls: bool) -> dict[str, Any]:
    """Load how an answer ended; if it is completed and has calls, it waits for their results, like any answer with calls."""
    word = fields.wire.get("status")
    if word is None or word in _RUNNING:
        return {}
    fields.know("status")
    return STOPS.load(word, calls=calls)


def _dump_stop(choice: Choice, d: InteractionsDump) -> str | None:
    if choice.stop_reason == "tool_calls" and choice.native_stop_reason == _COMPLETED and d.same_family:
        return _COMPLETED
    return d.stop_word(STOPS, choice, "/choices/0", "/status")


# Times

_TIME = "%Y-%m-%dT%H:%M:%SZ"


def load_time(text: str) -> int | None:
    """A time in whole seconds since 1970; None if the text has any other form."""
    try:
        time = datetime.strptime(text, _TIME).replace(tzinfo=UTC)
    except ValueError:
        return None
    return int(time.timestamp()) if time.strftime(_TIME) == text else None


def _dump_time(time: float, d: InteractionsDump) -> str | None:
    try:
        text = datetime.fromtimestamp(int(time), UTC).strftime(_TIME)
    except (OverflowError, ValueError, OSError):
        d.drop("/created", "`created` must be a time within the years 1 to 9999")
        return None
    if type(time) is not int:
        d.report("changed", "/created", "/created", "`created` is sent in whole seconds")
    return text


# Steps

MESSAGE = "/choices/0/message"
"""The pointer to the message that is written."""


def load_steps(steps: Sequence[Wire]) -> list[dict[str, Any]]:
    """Load the parts of a response; a step that no model makes is kept whole."""
    parts: list[dict[str, Any]] = []
    for step in steps:
        before = parts[-1] if parts else None
        parts += [part for _, part in load_step(step, before)] if is_model_step(step) else [keep_whole(step)]
    return parts


def _load_message(fields: FieldReader) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant"}
    steps: list[Wire] | None = fields.take("steps")
    if steps is not None:
        return message | {"content": load_steps(steps)}
    outputs: list[Wire] | None = fields.take("outputs")
    if outputs is not None:
        parts = [load_flat(output, "assistant") for output in outputs]
        return message | {"content": parts, "wire": {"spelling": {"item_type": "outputs"}}}
    return message


# Responses

OBJECT = "interaction"


def load_envelope(fields: FieldReader) -> dict[str, Any]:
    """Load the fields besides the steps and the status."""
    out: dict[str, Any] = {}
    fields.move(out, "id", "model")
    if (usage := fields.take("usage")) is not None:
        out["usage"] = COUNTS.load(usage)
    if (created := fields.wire.get("created")) is not None and (time := load_time(created)) is not None:
        fields.know("created")
        out["created"] = time
    if fields.wire.get("object") == OBJECT:
        fields.know("object")
    elif "object" not in fields.wire:
        fields.spelling["object"] = "absent"
    return out


def load_response(wire: Wire) -> dict[str, Any]:
    """Load a response body as the data of a canonical response; raises pydantic's `ValidationError`."""
    fields = FieldReader(adapter("Response").validator.validate_python(wire))
    message = _load_message(fields)
    out = load_envelope(fields)
    calls = any(part["type"] == "tool_use" for part in message.get("content", ()))
    out["choices"] = [{"message": message} | load_stop(fields, calls=calls)]
    return fields.keep(out, FAMILY)


def dump_envelope(response: Response, d: InteractionsDump) -> Wire:
    """Dump the fields besides the steps."""
    choice = response.choices[0] if response.choices else Choice(message=response.message)
    out: Wire = {}
    for key, value in (("id", response.id), ("model", response.model)):
        if value is not None:
            out[key] = value
    if response.created is not None and (time := _dump_time(response.created, d)) is not None:
        out["created"] = time
    if (status := _dump_stop(choice, d)) is not None:
        out["status"] = status
    if response.usage is not None:
        counts = with_reasoning_in_output(response.usage, "/usage/total_output_tokens", d.target.name, d.report)
        usage = COUNTS.dump(counts, d.unsaid, d.drop)
        if usage or d.exact:
            out["usage"] = usage
    finish_answer(response, choice, out, d)
    if not (d.exact and spelling(response, "object") == "absent"):
        out.setdefault("object", OBJECT)
    lay_tier(response, out, d)
    return out


def dump_response(response: Response, envelope: InteractionsDump) -> Wire:
    """Dump a response body; it has one answer, the first."""
    message = response.message
    d = envelope.response_rules(message)
    d.is_response = True
    out: Wire = {}
    if d.exact and spelling(message, "item_type") == "outputs":
        out["outputs"] = [
            made
            for i, (where, part) in enumerate(pieces_of(message.content, MESSAGE))
            if (made := dump_flat(part, where, f"/outputs/{i}", d)) is not None
        ]
    elif message.content is not None or len(message.model_fields_set - {"role", "content", "wire"}) > 0 or not envelope.exact:
        steps: list[Wire] = []
        write_assistant(message, MESSAGE, steps, d)
        out["steps"] = steps
    for i in range(1, len(response.choices)):
        d.drop(f"/choices/{i}", "the Interactions API has one answer; the others are left out")
    return dump_envelope(response, envelope) | out


# Errors

ERROR_WORDS = ErrorWords(
    {
        400: "invalid_request",
        401: "unauthenticated",
        403: "permission_denied",
        404: "not_found",
        429: "too_many_requests",
        500: "internal",
        503: "unavailable",
        504: "deadline_exceeded",
    },
    others=frozenset({"failed_precondition", "prohibited_content"}),
)
"""The codes of the API's errors.

`invalid_request` is recorded, `too_many_requests` is in google-genai's tests, `not_found` and `failed_precondition` are
documented, and googleapis/js-genai#1973 has `prohibited_content`; the others come from `google.rpc.Code`, in small letters.
"""


def dump_error(error: ProviderError) -> Wire:
    """Dump an error body."""
    return {"error": stream_error(error)}


def stream_error(error: ProviderError) -> Wire:
    """The object of an error; an error without a code gets the code of its HTTP status."""
    code = error.type or error.code
    if not isinstance(code, str):
        status = status_of(error)
        code = nearest(ERROR_WORDS.types, 500 if status is None else status)
    return {"code": code, "message": error.message}
