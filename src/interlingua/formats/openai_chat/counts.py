"""Where a usage object of OpenAI has each count: that of Chat and of text completions (openai 3.54.0, `CompletionUsage`)."""

from dataclasses import replace

from ...codec.usage import UsageTable
from .base import FAMILY
from .profiles import ChatProfile

_USUAL = UsageTable(
    FAMILY,
    {
        "input_tokens": ("prompt_tokens",),
        "cache_read_tokens": ("prompt_tokens_details", "cached_tokens"),
        "cache_write_tokens": ("prompt_tokens_details", "cache_write_tokens"),
        "input_audio_tokens": ("prompt_tokens_details", "audio_tokens"),
        "output_tokens": ("completion_tokens",),
        "reasoning_tokens": ("completion_tokens_details", "reasoning_tokens"),
        "output_audio_tokens": ("completion_tokens_details", "audio_tokens"),
    },
    input_includes=("cache_read_tokens", "cache_write_tokens"),
    total=("total_tokens",),
    repeated=(("prompt_cache_miss_tokens",),),
    instead=(
        ("cache_read_tokens", ("prompt_cache_hit_tokens",)),
        ("cache_read_tokens", ("num_cached_tokens",)),
        ("cache_read_tokens", ("cached_tokens",)),
        ("cache_read_tokens", ("prompt_token_details", "cached_tokens")),
        ("cache_read_tokens", ("cache_read_input_tokens",)),
        ("cache_write_tokens", ("prompt_tokens_details", "cache_creation_tokens")),
        ("cache_write_tokens", ("prompt_tokens_details", "cache_creation_input_tokens")),
        ("cache_write_tokens", ("prompt_tokens_details", "created_cache_tokens")),
        ("cache_write_tokens", ("cache_creation_input_tokens",)),
        ("reasoning_tokens", ("reasoning_tokens",)),
    ),
)
"""Some hosts have the tokens from their cache, or those of reasoning, elsewhere: DeepSeek beside those that were not in the
cache (`prompt_cache_hit_tokens`), Mistral (mistralai 3.7.0, `UsageInfo`), Moonshot, Together and hosts behind Hugging
Face (`cached_tokens`), DashScope (`cache_creation_input_tokens`), vLLM (`created_cache_tokens` of `PromptTokenUsageInfo`),
SGLang (`reasoning_tokens`). LiteLLM has Anthropic's names, too, and its prompt includes both (`calculate_usage` in
`llms/anthropic/chat/transformation.py`)."""

_RESPONSES = {
    "input_tokens": ("input_tokens",),
    "cache_read_tokens": ("input_tokens_details", "cached_tokens"),
    "cache_write_tokens": ("input_tokens_details", "cache_write_tokens"),
    "output_tokens": ("output_tokens",),
    "reasoning_tokens": ("output_tokens_details", "reasoning_tokens"),
}
_IN_DETAILS = tuple((name, path) for name, path in _USUAL.fields.items() if name in _RESPONSES and len(path) > 1)
_OF_RESPONSES = replace(_USUAL, fields=_RESPONSES, instead=(*_IN_DETAILS, *_USUAL.instead))
"""The counts of some gateways, which are those of OpenAI's Responses API."""
COUNTS = replace(_USUAL, otherwise=_OF_RESPONSES)
_WITH_REST = replace(COUNTS, reasoning_in_total=True)


def counts_for(profile: ChatProfile) -> UsageTable:
    """The table of counts that a host's responses have."""
    return _WITH_REST if profile.reasoning_in_total else COUNTS
