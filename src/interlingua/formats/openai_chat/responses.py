"""Load and dump whole responses: each `dump_x` undoes its `load_x`.

A response has fields of its own (which model answered, and when), one or several choices, and usage. The maps of assistant
messages load and dump the message of a choice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeGuard

from ...codec.answers import probabilities_of
from ...codec.fields import FieldReader, Wire, copy_wire, spelling
from ...codec.probabilities import Probabilities, Read, read_tokens
from ...codec.required import RequiredFields, Table, place_of, total_of
from ...codec.shared import Tier
from ...codec.tiers import lay_tier
from ...codec.usage import StopTable
from ...model.base import Json, exact_object
from ...model.exchange import Choice, Response
from ...model.messages import AssistantMessage
from .assistant import dump_assistant, load_assistant
from .base import FAMILY, ChatDump, adapter, fit_tier, own_fields, spell, to_json
from .counts import counts_for
from .pages import cite_pages, drop_edited, pages_in, without_pages
from .profiles import ChatProfile
from .spoken import FIELD as AUDIO

if TYPE_CHECKING:
    from ...model.events import Stop

RESPONSE_ONLY = frozenset(
    "annotations channel citations content_parts executed_tools function_call graph_data image_data llm_data parsed "
    "provider_metadata search_results translation_data web_search_data".split()
)
"""Fields that messages of responses may have and messages of requests must not (among them a `function_call` of null)."""


def response_only(profile: ChatProfile) -> frozenset[str]:
    """The fields that only messages of a host's responses have; without a place for it in requests, audio is one of them."""
    takes_audio = profile.open or "audio" in profile.message_fields
    return RESPONSE_ONLY if takes_audio else RESPONSE_ONLY | {"audio"}


METADATA = frozenset(
    "citations content_filter_offsets content_filter_results copilot_usage cost generationId kv_transfer_params message/padding"
    " message/provider_metadata metrics moderation native_finish_reason object prompt_filter_results provider request_id"
    " search_results service_tier system_fingerprint time_info timings usage venice_parameters x_groq".split()
)
"""Fields in which the hosts of this family describe how a response was made (seen in recorded traffic)."""

OBJECT = "chat.completion"
CHUNK_OBJECT = "chat.completion.chunk"
FRAME_FIELDS = frozenset({"service_tier", "system_fingerprint", "metadata", "moderation"})
CHOICE_FIELDS = frozenset({"logprobs"})


def tier_of(profile: ChatProfile) -> Tier:
    """The field of an answer for its service tier, and the host's names of the tiers."""
    return Tier(("service_tier",), {tier: tier for tier in _TIERS if profile.open or tier in profile.tiers})


_TIERS = ("auto", "default", "flex", "scale", "priority", "fast")


# Usage, and why it ended

_COUNTED: Table = (
    (("usage", "prompt_tokens"), 0),
    (("usage", "completion_tokens"), 0),
    (("usage", "total_tokens"), total_of("prompt_tokens", "completion_tokens")),
)
REQUIRED = RequiredFields(
    {"id": ("id", "chatcmpl-0"), "model": ("model", "unknown"), "created": ("created", 0), "usage": ("usage", None)},
    body=(
        (("object",), OBJECT),
        (("choices",), list[Wire]()),
        (("choices", "*", "index"), place_of),
        (("choices", "*", "message"), Wire()),
        (("choices", "*", "message", "role"), "assistant"),
        (("choices", "*", "finish_reason"), "stop"),
        *_COUNTED,
    ),
    chunks=((("object",), CHUNK_OBJECT), *_COUNTED),
)
"""Required fields: openai 3.54.0, `types/chat/chat_completion.py`, `chat_completion_chunk.py`, `types/completion_usage.py`."""
_AS_IN_CANONICAL_FORM = ("stop", "length", "tool_calls", "content_filter")
_CUT_SHORT = ("context_window", "pause", "compaction", "cancelled")
_OF_HOSTS = {
    **dict.fromkeys(("eos", "eos_token"), "stop"),
    **dict.fromkeys(("sensitive", "guardrail_intervened"), "content_filter"),
    **dict.fromkeys(("insufficient_system_resource", "network_error"), "error"),
    "abort": "cancelled",
    "malformed_function_call": "malformed",
    "model_context_window_exceeded": "context_window",
}
"""The words of Together, Text Generation Inference, Z.AI, DeepSeek, SGLang, vLLM and LiteLLM, beside OpenAI's."""
_PASSED_ON = {
    **dict.fromkeys(("end_turn", "STOP", "COMPLETE"), "stop"),
    **dict.fromkeys(("max_tokens", "MAX_TOKENS"), "length"),
    **dict.fromkeys(("tool_use", "TOOL_CALL"), "tool_calls"),
    **dict.fromkeys("content_filtered SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT SPII".split(), "content_filter"),
    "pause_turn": "pause",
    "STOP_SEQUENCE": "stop_sequence",
    "MALFORMED_FUNCTION_CALL": "malformed",
    "ERROR": "error",
}
"""The stop reasons of other providers, which some gateways pass on: Portkey does, unless a request asks for strict answers."""
_STOPS = StopTable(
    {word: word for word in _AS_IN_CANONICAL_FORM} | {"function_call": "tool_calls", "model_length": "context_window"},
    nearest={"stop_sequence": "stop", "refusal": "content_filter"} | dict.fromkeys(_CUT_SHORT, "length"),
    default="stop",
    others=_OF_HOSTS | _PASSED_ON,
)
_UNFILTERED_STOPS = replace(
    _STOPS,
    words={word: reason for word, reason in _STOPS.words.items() if word != "content_filter"},
    nearest={**_STOPS.nearest, "refusal": "stop", "content_filter": "stop"},
)
_OWN_STOPS = StopTable(
    {word: word for word in ("stop", "length", "tool_calls", "error")} | {"model_length": "context_window"},
    nearest={
        **dict.fromkeys(("stop_sequence", "refusal", "content_filter"), "stop"),
        **dict.fromkeys(("pause", "compaction"), "length"),
        **dict.fromkeys(("cancelled", "malformed"), "error"),
    },
    default="stop",
)


def stops_of(profile: ChatProfile) -> StopTable:
    """The host's names of the stop reasons."""
    if profile.model_length:
        return _OWN_STOPS
    return _STOPS if profile.content_filter else _UNFILTERED_STOPS


# Probabilities


def _read_probabilities(overlay: Wire) -> Read | None:
    logprobs: Json = overlay.get("logprobs")
    tokens = read_tokens(logprobs.get("content")) if type(logprobs) is dict else None
    if tokens is None:
        return None
    has_more = any(value and key != "content" for key, value in overlay["logprobs"].items())
    return Read(tokens, "logprobs", "only the tokens of the content have a field for their probabilities" if has_more else None)


PROBABILITIES = Probabilities(_read_probabilities)


# The stop sequence

MATCHED = "stop_reason"
"""The field of a choice in which vLLM puts the stop sequence that ended it; a number there is the token that ended it."""


def is_sequence(matched: object) -> TypeGuard[str]:
    """Whether the field has a stop sequence."""
    return type(matched) is str and matched != ""


def with_sequence(reason: str, sequence: str) -> dict[str, Any]:
    """The data of a choice that ended with a stop sequence."""
    return {"stop_reason": "stop_sequence" if reason == "stop" else reason, "stop_sequence": sequence}


def sequence_of(choice: Choice | Stop, path: str, d: ChatDump) -> str | None:
    """The stop sequence to write; if the host has no field for it, it is reported."""
    sequence = choice.stop_sequence
    has_field = d.exact or d.profile.open
    if sequence and has_field and choice.stop_reason not in (None, "stop"):
        return sequence
    if sequence is not None and not d.exact:
        d.drop(path + "/stop_sequence", f"responses of {d.target.name} have no field for the stop sequence")
    return None


# Choices


def _is_recorded(owner: Any, key: str, d: ChatDump) -> bool:
    """Whether a field was missing, or could not be read, in the response that is dumped again."""
    return d.exact and (key in own_fields(owner) or spelling(owner, key) is not None)


def _load_choice(wire: Wire, position: int, profile: ChatProfile, pages: list[Wire]) -> dict[str, Any]:
    """Load one choice of a response that lists these web pages."""
    fields = FieldReader(wire)
    message = fields.take("message")
    out: dict[str, Any] = {"message": {"role": "assistant"} if message is None else load_message(message, profile, pages)}
    if "finish_reason" in wire:
        word = wire["finish_reason"]
        fields.know("finish_reason")
        out |= {"stop_reason": None} if word is None else stops_of(profile).load(word)
        if word is not None and is_sequence(wire.get(MATCHED)):
            fields.know(MATCHED)
            out |= with_sequence(out["stop_reason"], wire[MATCHED])
    if type(fields.wire.get("index")) is int and wire["index"] == position:
        fields.know("index")
    if not ("message" in wire and "index" in wire):
        fields.spelling |= {key: "absent" for key in ("message", "index") if key not in wire}
    return fields.keep(out, FAMILY)


def _dump_choice(choice: Choice, position: int, d: ChatDump) -> Wire:
    path = f"/choices/{position}"
    message = choice.message
    out: Wire = {} if _is_recorded(choice, "index", d) else {"index": position}
    says_nothing = message.model_fields_set <= {"role", "provider_data", "wire"}
    if not (says_nothing and _is_recorded(choice, "message", d)):
        out["message"] = _dump_message(message, f"{path}/message", d)
    ended = choice
    if choice.stop_sequence is not None and (sequence := sequence_of(choice, path, d)) is not None:
        out[MATCHED] = sequence
        if choice.stop_reason == "stop_sequence":
            ended = choice.replace(stop_reason="stop")
    word = d.stop_word(stops_of(d.profile), ended, path, path + "/finish_reason", accepts_any=d.profile.open)
    if word is not None or (d.exact and "stop_reason" in choice):
        out["finish_reason"] = word
    d.keep_fields(choice, out, path, CHOICE_FIELDS)
    if (tokens := probabilities_of(choice, path, path + "/logprobs", d)) is not None:
        out["logprobs"] = {"content": tokens, "refusal": None}
    return out


def load_message(wire: Wire, profile: ChatProfile, pages: list[Wire]) -> dict[str, Any]:
    """Load the message of a choice, whose text cites these web pages."""
    content: Json = wire.get("content")
    is_object = type(content) is dict
    out = load_assistant({**wire, "content": to_json(content)} if is_object else wire, profile, is_response=True)
    if is_object:
        spell(out, "content", "object")
    elif pages and wire.get(AUDIO) is None:
        cite_pages(out, pages)
    if "role" not in wire:
        spell(out, "role", "absent")
    elif wire["role"] != "assistant":
        out.setdefault("provider_data", {}).setdefault(FAMILY, {})["role"] = wire["role"]
    for position, call in enumerate(out.get("tool_calls") or ()):
        own = call.get("provider_data", {}).get(FAMILY, {})
        if type(own.get("index")) is int and own["index"] == position:
            # If calls are numbered as in a stream, their order already tells the number.
            del own["index"]
            if not own:
                del call["provider_data"]
            spell(call, "index", "position")
    return out


def _dump_message(message: AssistantMessage, path: str, d: ChatDump) -> Wire:
    d = d.response_rules(message)
    out = dump_assistant(message, path, path, d) or {}
    d.places[path] = path
    if d.exact and "role" in own_fields(message):
        out["role"] = copy_wire(own_fields(message)["role"])
    elif d.exact and spelling(message, "role") == "absent":
        del out["role"]
    content: Json = out.get("content")
    if d.exact and spelling(message, "content") == "object" and type(content) is str:
        out["content"] = content if (value := exact_object(content)) is None else value
    return out


# Responses


def load_response(wire: Wire, profile: ChatProfile) -> dict[str, Any]:
    """Load a response body as the data of a canonical response; raises pydantic's `ValidationError`.

    A body that reports an error has no choices; it is kept whole.
    """
    fields = FieldReader(adapter("Response").validator.validate_python(wire))
    out: dict[str, Any] = {key: fields.wire[key] for key in ("id", "model", "usage") if key in fields.wire}
    fields.know(*out)
    if out.get("usage") is not None:
        out["usage"] = counts_for(profile).load(out["usage"])
    if (created := fields.take("created", int, float)) is not None:
        out["created"] = created
    pages = pages_in(fields.wire)
    choices = enumerate(fields.take("choices") or ())
    out["choices"] = [_load_choice(choice, i, profile, [] if i else pages) for i, choice in choices]
    if fields.wire.get("object") == OBJECT:
        fields.know("object")
    if not ("object" in fields.wire and "choices" in fields.wire):
        fields.spelling |= {key: "absent" for key in ("object", "choices") if key not in fields.wire}
    return fields.keep(out, FAMILY)


def dump_response(response: Response, d: ChatDump) -> Wire:
    """Dump a response body."""
    if not d.same_format:
        d.content = "string"
    d.is_response = True
    out: Wire = {} if _is_recorded(response, "object", d) else {"object": OBJECT}
    for key in ("id", "created", "model"):
        value = getattr(response, key)
        if value is not None or (d.exact and key in response):
            out[key] = value
    choices = without_pages(response) if d.same_format else response.choices
    if choices or not _is_recorded(response, "choices", d):
        out["choices"] = [_dump_choice(choice, i, d) for i, choice in enumerate(choices)]
    if response.usage is not None and (
        (usage := counts_for(d.profile).dump(response.usage, d.unsaid, d.drop, exact=d.exact)) or d.exact
    ):
        out["usage"] = usage
    elif d.exact and "usage" in response:
        out["usage"] = None
    d.keep_fields(response, out, "", FRAME_FIELDS)
    if d.same_format:
        drop_edited(choices, out, d)
    fit_tier(out, d)
    lay_tier(response, out, d)
    return out
