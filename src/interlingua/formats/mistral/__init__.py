"""Mistral's chat, a dialect of OpenAI's Chat Completions.

Wire reference: `POST /v1/chat/completions`, mistralai 3.7.0 (`mistralai.client.models`), and Mistral's OpenAPI document. The
maps are Chat Completions'; a profile describes the differences. Reasoning is in the content, a part has its document or
audio directly in its field, ids of calls have nine letters and digits, and undocumented fields are refused.

Cannot carry: participants' names, the developer role, refusals as such, custom tools, cache marks, citations, a user, the
format of audio, reasoning after the text, what `stream_options` say (a stream always has its usage).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from ...codec.error_words import ErrorWords
from ...codec.fields import Wire
from ...codec.format import Format
from ...codec.required import RequiredFields, place_of
from .. import openai_chat
from ..openai_chat import ChatProfile

if TYPE_CHECKING:
    from ...codec.batches import Batches
    from ...codec.marks import Marks
    from ...codec.rules.rule import RuleSet
    from ...codec.strategies.wire import Strategies

__all__ = ["FORMAT", "MistralProfile", "format_for"]

ISSUER = "mistral"
_REQUEST_FIELDS = frozenset(
    "frequency_penalty guardrails logprobs metadata min_tokens n prediction presence_penalty prompt_cache_key prompt_logprobs "
    "prompt_mode random_seed repetition_penalty response_format safe_prompt seed service_tier stop tool_choice top_logprobs "
    "top_prompt_logprobs".split()
)
_OWN = frozenset({ISSUER})
_EFFORTS = frozenset({"none", "high"})
"""The efforts that Mistral's own models accept; any other is refused (maximhq/bifrost#2344, anomalyco/models.dev#1986).

Other models that Mistral hosts differ: GLM accepts low, high and max (mistralai/mistral-vibe#1117).
"""


@dataclass(frozen=True)
class MistralProfile(ChatProfile):
    """How a host uses Mistral's shape; the defaults are Mistral's API."""

    reasoning: Literal["reasoning_content", "reasoning", "reasoning_details", "thinking_blocks", "content"] | None = "content"
    shows_reasoning: bool = True
    whole_calls: bool = True
    id_length: int | None = 9
    custom_tools: bool = False
    allowed_tools: bool = False
    schema_required: bool = True
    forced_beside_format: bool = False
    functions: bool = False
    empty_content: Literal["absent", "null", "empty", "null_beside_calls", "absent_beside_calls"] = "empty"
    cache: Literal["prompt_cache_breakpoint", "cache_control"] | None = None
    names: bool = False
    tool_name: bool = True
    developer: bool = False
    token_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    seed_field: Literal["seed", "random_seed"] = "random_seed"
    least_seed: int | None = 0
    most_temperature: float | None = 1.5
    tiers: frozenset[str] = frozenset({"auto", "standard_only"})
    most_stops: int | None = None
    user: bool = False
    metadata_without_store: bool = True
    sampling: Literal["always", "without_reasoning", "never"] = "always"
    efforts: frozenset[str] | None = _EFFORTS
    top_k: bool = True
    tool_media: bool = True
    flat_media: bool = True
    named_files: bool = False
    refusals: bool = False
    annotations: bool = False
    issuer: str = ISSUER
    issuers: frozenset[str] = _OWN
    signers: frozenset[str] = _OWN
    user_follows_result: bool = False
    system_follows_answer: bool = False
    prefix: bool = True
    errors: Literal["object", "flat", "text"] = "flat"
    model_length: bool = True
    request_fields: frozenset[str] = _REQUEST_FIELDS
    message_fields: frozenset[str] = frozenset({"prefix"})
    answer_fields: frozenset[str] = frozenset()
    part_fields: frozenset[str] = frozenset({"closed"})
    own_parts: frozenset[str] = frozenset({"reference", "resource", "resource_link", "thinking", "tool_reference"})


ERROR_WORDS = ErrorWords(
    {
        400: "invalid_request_error",
        429: "rate_limited",
        500: "internal_server_error",
        503: "service_tier_capacity_exceeded",
    },
    others=frozenset({"invalid_request_message_order", "invalid_model", "invalid_request_function_call"}),
)
"""Mistral's names of errors, as far as they were seen: the answer to a wrong key has another shape, and no such name."""


_REQUIRED = RequiredFields(
    {
        "id": ("id", "cmpl-0"),
        "model": ("model", "unknown"),
        "created": ("created", 0),
        "usage": ("usage", {"input_tokens": 0, "output_tokens": 0}),
    },
    body=(
        (("object",), "chat.completion"),
        (("choices",), list[Wire]()),
        (("choices", "*", "index"), place_of),
        (("choices", "*", "finish_reason"), "stop"),
        (("usage",), Wire()),
    ),
)
"""Required fields by mistralai 3.7.0, `models/chatcompletionresponse.py`: the usage is required, and its counts are not."""


def format_for(profile: MistralProfile, name: str = "mistral") -> Format:
    """A format for a host that `profile` describes."""

    def with_content(content: Any) -> Format:
        return format_for(replace(profile, content=content), name)

    return replace(
        openai_chat.format_for(profile, name),
        made_for=format_for,
        with_content=with_content,
        error_words=ERROR_WORDS,
        required=_REQUIRED,
        item_fields=frozenset({"closed", "index"}),
        writing_without_usage=None,
        rules=_rules,
        marks=_marks,
        batch=_batch,
        strategies=_strategies,
    )


def _rules(_: Format) -> RuleSet:
    from .rules import RULES  # noqa: PLC0415 -- rules are imported on first use

    return RULES


def _marks() -> Marks:
    from .marks import MARKS  # noqa: PLC0415 -- imported on first use

    return MARKS


def _batch() -> Batches:
    from .batches import BATCHES  # noqa: PLC0415 -- imported on first use

    return BATCHES


def _strategies() -> Strategies:
    from .strategies import STRATEGIES  # noqa: PLC0415 -- Hypothesis is an extra

    return STRATEGIES


FORMAT = format_for(MistralProfile())
FORMATS = {FORMAT.name: FORMAT}
