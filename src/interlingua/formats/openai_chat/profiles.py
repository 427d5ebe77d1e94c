"""How the hosts of the Chat Completions shape differ, as data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

# What OpenAI documents beyond the canonical fields (openai 3.52.0), and the other name of a seed, which becomes the host's; its
# own profile sends nothing else elsewhere.
REQUEST_FIELDS = frozenset(
    "audio frequency_penalty function_call functions logit_bias logprobs modalities moderation n prediction presence_penalty "
    "prompt_cache_key prompt_cache_options prompt_cache_retention random_seed safety_identifier seed service_tier store "
    "stream_options tool_choice top_logprobs verbosity web_search_options response_format stop".split()
)
REFUSED_BY_GEMINI = frozenset({"frequency_penalty", "seed"})
"""What Google's endpoint of this shape was seen to refuse; the rule `openai-field-unknown` has the evidence."""


@dataclass(frozen=True)
class ChatProfile:
    """How one host uses the Chat Completions shape, for `format_for`; the defaults are OpenAI's API."""

    reasoning: Literal["reasoning_content", "reasoning", "reasoning_details", "thinking_blocks", "content"] | None = None
    """The field of an assistant message that carries reasoning; None where there is none.

    In `content`, it stands before all else, as parts whose `thinking` is a list of texts.
    """
    reasoning_stand_in: str | None = None
    """What is sent as `reasoning_content` of another provider's message with tool calls and no reasoning; None sends nothing.

    For hosts that refuse such a message while they think, as DeepSeek and Kimi do.
    """
    tool_calls: Literal["nested", "flat"] = "nested"
    whole_calls: bool = False
    """Whether a stream has each call in one chunk."""
    id_length: int | None = None
    """How many letters and digits the id of a call has; None where ids are free."""
    custom_tools: bool = True
    """Whether there are tools, and calls, of free text; a call becomes a function's where not."""
    allowed_tools: bool = True
    """Whether a tool choice may allow only some of the tools."""
    web_search: bool = False
    """Whether another provider's request may turn web search on, which OpenAI's search models and some gateways take."""
    schema_required: bool = False
    """Whether a function must say its parameters."""
    functions: bool = True
    """Whether answers with a `function_call` go back as they are, with results of role `function`; else as `tool_calls`."""
    content: Literal["keep", "string", "list"] = "keep"
    """Whether content is written as it is spelled, as one string where it is text alone, or always as a list."""
    empty_content: Literal["absent", "null", "empty"] = "null"
    """How an assistant message without text is written."""
    cache: Literal["prompt_cache_breakpoint", "cache_control"] | None = "prompt_cache_breakpoint"
    """The cache mark of content parts."""
    message_cache: bool = False
    """Whether messages and tools may carry `cache_control` too."""
    names: bool = True
    """Whether messages may carry a participant's name."""
    tool_name: bool = False
    """Whether tool messages may carry the tool's name."""
    developer: bool = True
    """Whether the developer role is known; it becomes system where not."""
    token_field: Literal["max_tokens", "max_completion_tokens"] = "max_completion_tokens"
    seed_field: Literal["seed", "random_seed"] = "seed"
    least_seed: int | None = None
    """The smallest seed that the host accepts, or None if it accepts any."""
    most_temperature: float | None = None
    """The highest temperature that the host accepts, or None if it accepts any."""
    tiers: frozenset[str] = frozenset({"auto", "default", "flex", "scale", "priority", "fast"})
    """The tiers of service that a request may ask for, where the host is not open."""
    most_stops: int | None = 4
    """How many stop sequences there may be; None where there is no limit."""
    user: bool = True
    """Whether a request may say its user."""
    efforts: frozenset[str] | None = None
    """The efforts of reasoning that the host takes, the nearest of which is sent for another one; None if it takes any."""
    top_k: bool = False
    """Whether a request may have a `top_k`, as it may at every open host."""
    media: bool = True
    """Whether images, audio and files are accepted."""
    flat_media: bool = False
    """Whether documents and audio stand in their part as text, a URL or base64, and the id of a file does, too."""
    refusals: bool = True
    """Whether the assistant's refusals have a place of their own; they become text where not."""
    annotations: bool = True
    """Whether answers say in `annotations` what they cite."""
    tool_media: bool = False
    """Whether tool messages may hold images and files."""
    issuer: str = "openai"
    """Who made the file ids that are read here, and the signatures of reasoning in `content`."""
    issuers: frozenset[str] = frozenset({"openai"})
    """Whose file ids may be sent here; `*` for all."""
    signers: frozenset[str] = frozenset()
    """Whose signatures and encrypted reasoning may be sent here; `*` for all."""
    signatures: Literal["extra_content", "provider_specific_fields", "reasoning_details"] | None = None
    """Where Gemini's signatures of calls and texts stand; None where there is no place for them."""
    signatures_in_ids: bool = False
    """Whether the id of a call may end with Gemini's signature, behind `__thought__`, where no field has it."""
    held_usage: tuple[str, ...] = ("x_groq", "usage")
    """Where chunks without a `usage` have it: the place of older streams of Groq, which many read as OpenAI's."""
    text_role: bool = False
    """Whether completion-style text is a message of role text."""
    user_follows_result: bool = True
    """Whether a user message may follow a tool message; where not, an assistant message without words stands between."""
    prefix: bool = False
    """Whether a last message of the assistant, which the answer goes on with, says `prefix`."""
    model_length: bool = False
    """Whether an answer ends with `model_length` where the context window is full, with `error`, and never as filtered."""
    open: bool = False
    """Whether fields that OpenAI does not document may be sent."""
    request_fields: frozenset[str] = REQUEST_FIELDS
    """The fields of a request, beyond the canonical ones, that may be sent to a host that is not open.

    A seed may have either of its names; it is sent by that of `seed_field`.
    """
    message_fields: frozenset[str] = frozenset({"audio"})
    """Those of an assistant message in a request."""
    answer_fields: frozenset[str] = frozenset({"audio", "annotations"})
    """Those of a message in an answer."""
    part_fields: frozenset[str] = frozenset()
    """Those of a part."""
    own_parts: frozenset[str] = frozenset()
    """The types of parts without a canonical form that may be sent there."""


_OPEN = frozenset({"*"})
_CLAUDE = frozenset({"anthropic", "bedrock"})
"""The issuers of Claude's signatures, which are the same on all its hosts; no other model on Bedrock signs."""
_FOLLOWER = ChatProfile(functions=False, cache=None, developer=False, allowed_tools=False, token_field="max_tokens", open=True)
"""What most hosts that follow OpenAI's shape have in common."""
_GATEWAY = replace(_FOLLOWER, functions=True, cache="cache_control", developer=True, allowed_tools=True, tool_media=True)
"""What hosts have in common that pass requests on to many providers."""

PROFILES = {
    "openai_chat": ChatProfile(),
    "verifiers": replace(
        _FOLLOWER,
        reasoning="thinking_blocks",
        tool_calls="flat",
        names=False,
        token_field="max_completion_tokens",
        signers=_CLAUDE,
        text_role=True,
    ),
    "litellm": replace(
        _GATEWAY,
        reasoning="thinking_blocks",
        message_cache=True,
        tool_name=True,
        web_search=True,
        signers=_CLAUDE,
        signatures="provider_specific_fields",
        signatures_in_ids=True,
    ),
    "gemini_openai": replace(
        _FOLLOWER,
        names=False,
        issuers=frozenset(),
        signatures="extra_content",
        open=False,
        request_fields=REQUEST_FIELDS - REFUSED_BY_GEMINI,
    ),
    "openhands": replace(_FOLLOWER, content="string", tool_name=True, media=False),
    "clacky": replace(_FOLLOWER, reasoning="reasoning_content", cache="cache_control"),
    # DeepSeek V4 takes a space and refuses an empty text, older models take either (NousResearch/hermes-agent#18263); LiteLLM
    # sends a space, too.
    "deepseek": replace(_FOLLOWER, reasoning="reasoning_content", reasoning_stand_in=" ", media=False, refusals=False),
    "openrouter": replace(
        _GATEWAY, reasoning="reasoning_details", issuers=_OPEN, signers=_OPEN, signatures="reasoning_details"
    ),
}


def openhands_profile(*, cache: bool = False, vision: bool = False, function_calling: bool = False) -> ChatProfile:
    """OpenHands' choice of string or list content by what the model can do: any capability makes it a list."""
    return replace(
        PROFILES["openhands"],
        content="list" if cache or vision or function_calling else "string",
        cache="cache_control" if cache else None,
        media=vision,
    )
