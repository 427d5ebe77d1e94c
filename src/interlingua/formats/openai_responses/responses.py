"""Load and dump whole responses: each `dump_x` undoes its `load_x`.

A response is one message, whose parts are its output items, in an envelope: who answered, how that ended, the usage, and the
settings of the request, which are repeated. Items in responses have ids and a status; this module adds them where missing.
"""

from __future__ import annotations

from binascii import a2b_base64
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

from ...codec.answers import has_probabilities, probabilities_of
from ...codec.citable import ReadableMedia, besides
from ...codec.fields import FieldReader, Wire, copy_wire, spelling, value_at
from ...codec.magic import image_type_of
from ...codec.probabilities import Probabilities, Read, read_tokens
from ...codec.required import RequiredFields, Table, total_of, within
from ...codec.shared import Tier
from ...codec.tiers import lay_tier
from ...codec.usage import StopTable, UsageTable
from ...errors import excerpt
from ...model.base import Json
from ...model.exchange import Choice, Response
from .base import FAMILY, TIERS, ItemsDump, adapter
from .drawing import DRAWN
from .items import is_assistant_item, load_assistant_item, write_assistant
from .parts import keep_whole

METADATA = frozenset(
    "background billing completed_at content_filters conversation copilot_usage frequency_penalty instructions"
    " max_output_tokens max_tool_calls metadata moderation output_text parallel_tool_calls presence_penalty"
    " previous_response_id prompt prompt_cache_diagnostics prompt_cache_key prompt_cache_options prompt_cache_retention"
    " reasoning safety_identifier service_tier store temperature text tool_choice tool_usage tools top_logprobs top_p"
    " truncation user".split()
)
"""Fields that describe how a response was made, most of which repeat the request (openai 3.54.0, and recorded traffic)."""

TIER = Tier(("service_tier",), {tier: tier for tier in TIERS})

# Usage, and how it ended

_OF_CHAT = UsageTable(
    FAMILY,
    {
        "input_tokens": ("prompt_tokens",),
        "cache_read_tokens": ("prompt_tokens_details", "cached_tokens"),
        "output_tokens": ("completion_tokens",),
        "reasoning_tokens": ("completion_tokens_details", "reasoning_tokens"),
    },
    input_includes=("cache_read_tokens",),
    total=("total_tokens",),
)
"""The counts of some gateways, which are those of Chat Completions."""
COUNTS = UsageTable(
    FAMILY,
    {
        "input_tokens": ("input_tokens",),
        "cache_read_tokens": ("input_tokens_details", "cached_tokens"),
        "cache_write_tokens": ("input_tokens_details", "cache_write_tokens"),
        "output_tokens": ("output_tokens",),
        "reasoning_tokens": ("output_tokens_details", "reasoning_tokens"),
    },
    input_includes=("cache_read_tokens", "cache_write_tokens"),
    total=("total_tokens",),
    otherwise=_OF_CHAT,
)
_DETAILS: dict[str, Wire] = {
    "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
    "output_tokens_details": {"reasoning_tokens": 0},
}
"""Counts that each response must have; an unknown count is 0."""
_BODY: Table = (
    (("object",), "response"),
    (("parallel_tool_calls",), True),
    (("tool_choice",), "auto"),
    (("tools",), list[Wire]()),
    (("output",), list[Wire]()),
    (("usage", "input_tokens"), 0),
    (("usage", "input_tokens_details"), Wire()),
    (("usage", "input_tokens_details", "cached_tokens"), 0),
    (("usage", "input_tokens_details", "cache_write_tokens"), 0),
    (("usage", "output_tokens"), 0),
    (("usage", "output_tokens_details"), Wire()),
    (("usage", "output_tokens_details", "reasoning_tokens"), 0),
    (("usage", "total_tokens"), total_of("input_tokens", "output_tokens")),
)
REQUIRED = RequiredFields(
    {"id": ("id", "resp_0"), "model": ("model", "unknown"), "created": ("created_at", 0), "usage": ("usage", None)},
    body=_BODY,
    chunks=within("response", _BODY),
    frame="/response",
)
"""Required fields by openai 3.54.0, `types/responses/response.py` and `response_usage.py`."""
_STATUSES = frozenset({"completed", "incomplete", "failed", "cancelled", "in_progress", "queued"})
STOPS = StopTable(
    {
        "completed": "stop",
        "max_output_tokens": "length",
        "content_filter": "content_filter",
        "failed": "error",
        "cancelled": "cancelled",
        "max_tokens": "length",  # from gateways that name it as other APIs do
        "incomplete": "length",  # without a reason; it must not look complete elsewhere
    },
    nearest={
        "stop_sequence": "completed",
        "context_window": "max_output_tokens",
        "refusal": "content_filter",
        "pause": "max_output_tokens",
        "compaction": "max_output_tokens",
        "malformed": "failed",
    },
    default="completed",
    ends_calls=("completed",),
)
"""The words are statuses, and reasons why a response is incomplete."""
_CALLS = ("function_call", "custom_tool_call")


def meaning(word: str, kinds: Iterable[Json]) -> str:
    """The stop reason for a word after items of these types: a response that ends with calls is completed like any other."""
    return STOPS.reason_of(word, calls=any(kind in _CALLS for kind in kinds))


def _load_stop(fields: FieldReader, output: Sequence[Wire]) -> dict[str, Any]:
    status = fields.wire.get("status")
    details = fields.wire.get("incomplete_details")
    if type(status) is not str or status not in _STATUSES:
        return {}
    word = status
    fields.know("status")
    if status == "incomplete" and type(details) is dict:
        rest: Wire = {**details}
        reason: Json = rest.pop("reason", None)
        if type(reason) is str and reason not in _STATUSES:
            word = reason
            fields.left("incomplete_details", rest)
    return {"stop_reason": meaning(word, (item.get("type") for item in output)), "native_stop_reason": word}


def _dump_stop(choice: Choice, output: Sequence[Wire], d: ItemsDump) -> Wire:
    reason = choice.stop_reason
    word = choice.native_stop_reason
    kinds = [item.get("type") for item in output]
    if choice.incomplete and not d.exact:
        d.drop("/choices/0/incomplete", "the Responses API has no field that says that an answer is incomplete")
    if choice.stop_sequence is not None:
        d.drop("/choices/0/stop_sequence", "the Responses API has no field for the stop sequence")
    if reason is None:
        return {}
    # A canonical response of an earlier version may have `incomplete` itself as its stop reason.
    if not (d.same_family and word is not None and reason in (meaning(word, kinds), word)):
        word, _ = ("completed", True) if reason == "tool_calls" else STOPS.dump(reason, None, same_family=d.same_family)
        if meaning(word, kinds) != reason:
            d.report(
                "changed",
                "/choices/0/stop_reason",
                "/status",
                f"the Responses API does not have the stop reason {excerpt(reason)}; sent as {excerpt(word)}",
            )
    return {"status": word} if word in _STATUSES else {"status": "incomplete", "incomplete_details": {"reason": word}}


# Probabilities


def _read_probabilities(overlay: Wire) -> Read | None:
    tokens = read_tokens(overlay.get("logprobs"))
    return None if tokens is None else Read(tokens, "logprobs")


PROBABILITIES = Probabilities(_read_probabilities, in_texts=True)


def add_probabilities(choice: Choice, output: Sequence[Wire], d: ItemsDump) -> None:
    """Write the log probabilities of an answer's tokens into its text, if it has a single text."""
    if not has_probabilities(choice, d):
        return
    places: list[tuple[Wire, str]] = []
    for i, item in enumerate(output):
        content: list[Wire] = item["content"] if item.get("type") == "message" else []
        places += [(part, f"/output/{i}/content/{j}") for j, part in enumerate(content) if part.get("type") == "output_text"]
    if len(places) == 1:
        part, at = places[0]
        if (tokens := probabilities_of(choice, "/choices/0", at + "/logprobs", d)) is not None:
            part["logprobs"] = tokens


# Output

MESSAGE = "/choices/0/message"
"""The pointer to the message that is written."""


def load_item(item: Wire, before: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Load an output item that follows the part `before`; an item that no model makes is kept whole."""
    return [part for _, part in load_assistant_item(item, before)] if is_assistant_item(item) else [keep_whole(item)]


def load_output(items: Sequence[Wire]) -> list[dict[str, Any]]:
    """Load the parts of a response."""
    parts: list[dict[str, Any]] = []
    for item in items:
        parts += load_item(item, parts[-1] if parts else None)
    return parts


_PREFIXES = {"message": "msg", "reasoning": "rs", "function_call": "fc", "custom_tool_call": "ctc", DRAWN: "ig"}


def finish_item(item: Wire, number: int, response_id: str | None) -> Wire:
    """Give another provider's item the fields that items in responses have; its id is made of the response's and its index."""
    content: Json = item.get("content")
    if item.get("role") == "assistant" and type(content) in (str, list):
        content_parts: list[Wire] = [{"type": "output_text", "text": content}] if type(content) is str else item["content"]
        parts = [
            {"annotations": list[Wire](), **part} if value_at(part, ("type",)) == "output_text" else part
            for part in content_parts
        ]
        item = {"type": "message", **item, "content": parts}
    kind: Json = item.get("type")
    if type(kind) is str and kind in _PREFIXES:
        if item.get("id") is None:
            item["id"] = f"{_PREFIXES[kind]}_{response_id or ''}_{number}"
        if kind != "reasoning":
            item.setdefault("status", "completed")
    return item


def _dump_output(response: Response, d: ItemsDump) -> list[Wire]:
    out: list[Wire] = []
    message = response.message
    write_assistant(message if d.exact or message.content != "" else message.replace(content=None), MESSAGE, out, d)
    return out if d.exact else [finish_item(item, i, response.id) for i, item in enumerate(out)]


# Responses

OBJECT = "response"


def media_in_item(item: Wire) -> ReadableMedia | None:
    """The image that the server's tool made, or the audio in a part `input_audio` as OpenAI's SDK types it; None for others."""
    kind: Any = item.get("type")
    if kind == DRAWN:
        image: Any = item.get("result")
        media_type = image_type_of(image) if _is_base64(image) else None
        return None if media_type is None else ReadableMedia(media_type, image, besides(item, "type", "id", "status", "result"))
    audio: Json = item.get(kind) if kind == "input_audio" else None
    if type(audio) is not dict or type(word := audio.get("format")) is not str or not word or not _is_base64(audio.get("data")):
        return None
    inside = [f"/input_audio{pointer}" for pointer in besides(audio, "data", "format")]
    return ReadableMedia(f"audio/{word}", audio["data"], [*inside, *besides(item, "type", kind)])


def is_kept_reasoning(item: Wire) -> bool:
    """Whether an item is reasoning that has nothing but the id under which OpenAI has kept it."""
    given = {key for key, value in item.items() if value is not None and value != []}
    return item.get("type") == "reasoning" and type(item.get("id")) is str and given <= {"type", "id", "status"}


def _is_base64(data: Json) -> TypeGuard[str]:
    if type(data) is not str:
        return False
    try:
        a2b_base64(data, strict_mode=True)
    except ValueError:  # such as a placeholder in a log
        return False
    return True


def load_response(wire: Wire) -> dict[str, Any]:
    """Load a response body as the data of a canonical response; raises pydantic's `ValidationError`."""
    fields = FieldReader(adapter("Response").validator.validate_python(wire), "output")
    output: list[Wire] | None = fields.wire.get("output")
    out: dict[str, Any] = {key: fields.wire[key] for key in ("id", "model", "usage") if key in fields.wire}
    fields.know(*out)
    if out.get("usage") is not None:
        out["usage"] = COUNTS.load(out["usage"])
    if (created := fields.take("created_at", int, float)) is not None:
        out["created"] = created
    if fields.wire.get("object") == OBJECT:
        fields.know("object")
    elif "object" not in fields.wire:
        fields.spelling["object"] = "absent"
    message: dict[str, Any] = {"role": "assistant"}
    if "output" in fields.wire:
        message["content"] = None if output is None else load_output(output)
    out["choices"] = [{"message": message} | _load_stop(fields, output or ())]
    return fields.keep(out, FAMILY)


_NO_OUTPUT: Mapping[str | None, list[Wire] | None] = {"null": None, "empty": []}
"""What a response without items has in `output`."""


def load_body(wire: Wire) -> dict[str, Any]:
    """Load a response; if it has no output items, its text may be in `output_text`, where SDKs repeat it."""
    out = load_response(wire)
    if wire.get("output") or not wire.get("output_text"):
        return out
    fields: Wire = out["provider_data"][FAMILY]
    if type(fields["output_text"]) is str:
        word = "null" if wire.get("output") is None else "empty"
        out["choices"][0]["message"] |= {"content": fields.pop("output_text"), "wire": {"spelling": {"output": word}}}
        if not fields:
            del out["provider_data"]
    return out


def _dump_lone_text(message: Any, d: ItemsDump) -> Wire | None:
    """The text of a response that had no output items; None for any other response."""
    word = spelling(message, "output") if d.exact and message.wire is not None else None
    if word not in _NO_OUTPUT or type(message.content) is not str:
        return None
    return {"output": copy_wire(_NO_OUTPUT[word]), "output_text": message.content}


def dump_envelope(response: Response, choice: Choice, output: Sequence[Wire], d: ItemsDump) -> Wire:
    """Dump the fields besides the output."""
    out: Wire = {}
    for key, value in (("id", response.id), ("created_at", response.created), ("model", response.model)):
        if value is not None or (d.exact and key in response):
            out[key] = value
    if response.usage is not None and ((usage := COUNTS.dump(response.usage, d.unsaid, d.drop, exact=d.exact)) or d.exact):
        details = {} if d.exact else {key: zeros | usage.get(key, {}) for key, zeros in _DETAILS.items()}
        out["usage"] = usage | details
    elif d.exact and "usage" in response:
        out["usage"] = None
    out |= _dump_stop(choice, output, d)
    for owner, path in ((choice, "/choices/0"), (response, "")):
        d.lay_provider_data(owner, out, path)
    lay_tier(response, out, d)
    return out if d.exact and spelling(response, "object") == "absent" else {"object": OBJECT} | out


def dump_response(response: Response, envelope: ItemsDump) -> Wire:
    """Dump a response body; Responses has one answer in each response, the first."""
    message = response.message
    choice = response.choices[0] if response.choices else Choice(message=message)
    d = envelope.response_rules(message)
    d.is_response = True
    has_output = message.content is not None or len(message.model_fields_set - {"role", "content", "wire"}) > 0
    lone_text = _dump_lone_text(message, d)
    output = _dump_output(response, d) if has_output and lone_text is None else []
    for i in range(1, len(response.choices)):
        d.drop(f"/choices/{i}", "the Responses API has one answer; the others are left out")
    body = dump_envelope(response, choice, output, envelope)
    add_probabilities(choice, output, envelope)
    if lone_text is not None:
        return body | lone_text
    if has_output or not envelope.exact:
        return body | {"output": output}
    return body | ({"output": None} if "content" in message else {})
