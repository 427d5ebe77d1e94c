"""Load and dump whole responses: each `dump_x` undoes its `load_x`.

A response is one message in an envelope of other fields: who answered and when, why it ended, the usage, and how long that
took. The durations, in nanoseconds, are provider data.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from ...codec.answers import finish_answer, probabilities_of, stop_beside_calls
from ...codec.fields import FieldReader, Wire, spelling
from ...codec.probabilities import Probabilities, Read, read_tokens
from ...codec.required import RequiredFields
from ...codec.turns import is_silent
from ...codec.usage import StopTable, UsageTable
from ...errors import ProviderError
from ...model.exchange import Choice, Response
from ...model.messages import kinds_of
from .base import FAMILY, OllamaDump, adapter
from .messages import dump_assistant, load_answer

COUNTS = UsageTable(
    FAMILY,
    {
        "input_tokens": ("prompt_eval_count",),
        "cache_read_tokens": ("prompt_eval_cached_count",),
        "output_tokens": ("eval_count",),
    },
    input_includes=("cache_read_tokens",),
)
"""The counts are among the other fields of a response. Servers since 0.33.3 say how much of the prompt was cached.

The count of the prompt includes that (ollama/ollama, `llm/llama_server.go`: `cache_n` is added to `prompt_n`).
"""
COUNTED = tuple(key for (key,) in COUNTS.fields.values())
METADATA = frozenset(
    "total_duration load_duration prompt_eval_duration eval_duration remote_model remote_host _debug_info".split()
)
"""Fields that describe how a response was made."""
REQUIRED = RequiredFields(
    {"model": ("model", None), "created": ("created_at", None), "usage": ("prompt_eval_count", None)},
    body=((("message",), Wire()), (("message", "role"), "assistant")),
    chunks=((("message",), Wire()), (("message", "role"), "assistant")),
)
"""Required fields by ollama 0.6.3, `_types.py`: a response must have a message with a role."""
STOPS = StopTable(
    {"stop": "stop", "length": "length"},
    nearest={
        **dict.fromkeys(("context_window", "pause", "compaction"), "length"),
        **dict.fromkeys(("stop_sequence", "refusal", "content_filter", "malformed", "error"), "stop"),
        "cancelled": "stop",
    },
    default="stop",
    ends_calls=("stop",),
)
"""Of the other words, `load` and `unload` answer requests without messages, which load or unload the model."""
MESSAGE = "/choices/0/message"
"""The pointer to the message that is written."""


# The time


def seconds_of(time: str | None) -> int | None:
    """The seconds since 1970 at a time in text; None if the text is no time."""
    try:
        read = datetime.fromisoformat(time or "")
    except ValueError:
        return None
    return None if read.tzinfo is None else int(read.timestamp() // 1)


def _time_of(created: int) -> str | None:
    try:
        return datetime.fromtimestamp(created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ").zfill(20)
    except (ValueError, OverflowError, OSError):
        return None


def load_time(fields: FieldReader, out: dict[str, Any]) -> None:
    """Load the time of an answer in seconds; the text, which has fractions of a second, is recorded."""
    time = fields.wire.get("created_at")
    created = seconds_of(time)
    if time is not None and created is not None:
        fields.know("created_at")
        out["created"] = created
        fields.spelling["created_at"] = time


def dump_time(response: Response, out: Wire, d: OllamaDump) -> None:
    """Dump the time of an answer."""
    if response.created is None:
        return
    spelled = spelling(response, "created_at") if d.same_family else None
    time = spelled if spelled is not None and seconds_of(spelled) == response.created else _time_of(int(response.created))
    if time is None:
        d.drop("/created", "the time must be within the years 1 to 9999")
        return
    out["created_at"] = time
    if type(response.created) is not int:
        d.report("changed", "/created", "/created_at", "the time is sent in whole seconds")


# Probabilities


def _read_probabilities(overlay: Wire) -> Read | None:
    tokens = read_tokens(overlay.get("logprobs"))
    return None if tokens is None else Read(tokens, "logprobs")


PROBABILITIES = Probabilities(_read_probabilities)


# Responses


def load_envelope(fields: FieldReader, out: dict[str, Any]) -> dict[str, Any]:
    """Load who answered, and the usage; return the choice's data: the log probabilities of its tokens."""
    fields.move(out, "model")
    load_time(fields, out)
    counts = {key: fields.take(key) for key in COUNTED if fields.wire.get(key) is not None}
    if counts:
        out["usage"] = COUNTS.load(counts)
    logprobs = fields.take("logprobs")
    return {} if logprobs is None else {"provider_data": {FAMILY: {"logprobs": logprobs}}}


def load_stop(fields: FieldReader, *, calls: bool) -> dict[str, Any]:
    """Load why an answer ended; `calls` is whether it has calls."""
    word = fields.take("done_reason")
    return {} if word is None else STOPS.load(word, calls=calls)


def load_whole_envelope(fields: FieldReader, out: dict[str, Any], *, calls: bool = False) -> dict[str, Any]:
    """Load the envelope of a whole response, which says that it is done."""
    choice = load_envelope(fields, out) | load_stop(fields, calls=calls)
    if fields.wire.get("done") is True:
        fields.know("done")
    else:
        fields.spelling["done"] = "other"
    return choice


def load_response(wire: Wire) -> dict[str, Any]:
    """Load a response body as the data of a canonical response; raises pydantic's `ValidationError`."""
    fields = FieldReader(adapter("Response").validator.validate_python(wire))
    out: dict[str, Any] = {}
    answer = fields.take("message")
    choice = load_whole_envelope(fields, out, calls=answer is not None and bool(answer.get("tool_calls")))
    message: dict[str, Any] = {"role": "assistant"}
    if answer is None:
        fields.spelling["message"] = "absent"
    else:
        message = load_response_message(answer)
    return fields.keep(out | {"choices": [{"message": message} | choice]}, FAMILY)


def load_response_message(wire: Wire) -> dict[str, Any]:
    """Load the message of a response, whose content is always a list."""
    fields = FieldReader(wire)
    if wire.get("role") == "assistant":
        fields.know("role")
    elif "role" not in wire:
        fields.spelling["role"] = "absent"
    else:
        fields.spelling["role"] = "other"
    out: dict[str, Any] = {"role": "assistant"}
    load_answer(fields, out, listed=True)
    return fields.keep(out, FAMILY)


def dump_response(response: Response, d: OllamaDump) -> Wire:
    """Dump a response body; Ollama's responses have one answer, the first."""
    message = response.message
    d.is_response = True
    out: Wire = {}
    silent = d.same_format and is_silent(message)
    if not (silent and spelling(response, "message") == "absent"):
        out["message"] = _dump_message(message, d if silent else d.response_rules(message))
    if not (d.exact and spelling(response, "done") == "other"):
        out["done"] = True
    dump_envelope(response, out, d)
    for i in range(1, len(response.choices)):
        d.drop(f"/choices/{i}", "Ollama's responses have one answer; the others are left out")
    return out


def _dump_message(message: Any, d: OllamaDump) -> Wire:
    d.places["/message"] = MESSAGE
    word = spelling(message, "role") if d.exact else None
    out = dump_assistant(message, MESSAGE, "/message", d) or {}
    if word == "absent":
        del out["role"]
    elif word == "other":
        out["role"] = message.provider_data[FAMILY]["role"]
    return out


def dump_frame(response: Response, out: Wire, d: OllamaDump) -> None:
    """Write who answered, and when."""
    if response.model is not None:
        out["model"] = response.model
    dump_time(response, out, d)


def dump_envelope(response: Response, out: Wire, d: OllamaDump, *, streamed: bool = False) -> None:
    """Write the fields besides the message."""
    choice = response.choices[0] if response.choices else Choice(message=response.message)
    dump_frame(response, out, d)
    kinds = d.kinds if d.kinds is not None else kinds_of(choice.message)
    calls = "tool_use" in kinds and d.target.listed != "prompt"  # whose answers are text alone
    word = stop_beside_calls(STOPS, choice, "/choices/0", "/done_reason", d, calls=calls)
    if word is not None:
        out["done_reason"] = word
    if response.usage is not None:
        out |= COUNTS.dump(response.usage, d.unsaid, d.drop)
    finish_answer(response, choice, out, d, "id")
    if not (d.same_format or d.target.listed == "prompt"):
        _drop_generated(out, d)
    tokens = probabilities_of(choice, "/choices/0", "/logprobs", d, streamed=streamed)
    if tokens is not None:
        out["logprobs"] = tokens


_GENERATED = frozenset({"context", "image", "completed", "total"})
"""Fields that only answers to prompts have."""


def _drop_generated(out: Wire, d: OllamaDump) -> None:
    for key in [key for key in out if key in _GENERATED]:
        del out[key]
        d.drop(f"/provider_data/{FAMILY}/{key}", f"only answers of Ollama's generate have the field `{key}`")


# Errors


def dump_error(error: ProviderError) -> Wire:
    """Dump an error body, which has only a message."""
    return {"error": error.message}


def stream_error(error: ProviderError) -> Wire:
    """The data of an error event."""
    return {"message": error.message}
