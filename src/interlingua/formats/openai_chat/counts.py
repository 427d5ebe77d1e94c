"""Where a usage object of OpenAI has each count: that of Chat and of text completions (openai 3.54.0, `CompletionUsage`)."""

from dataclasses import replace

from ...codec.usage import UsageTable
from .base import FAMILY
from .profiles import ChatProfile

COUNTS = UsageTable(
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
)
_WITH_REST = replace(COUNTS, reasoning_in_total=True)


def counts_for(profile: ChatProfile) -> UsageTable:
    """The table of counts that a host's responses have."""
    return _WITH_REST if profile.reasoning_in_total else COUNTS
