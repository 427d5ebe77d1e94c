"""What the functions of OpenAI Responses share: the provider's limits, the profile of a host, and a dump under way.

A message or a reasoning item may become several parts. The fields of the item, such as its id, are then in the provider data of
its first part. Where a name could be a field of the item or of the part, the record of the part says which it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Self

from pydantic import TypeAdapter

from ...codec.dump import Dump
from ...codec.fields import Wire
from ...codec.ids import IdRules
from ...codec.shared import Setting, Shared, same
from ...codec.web_answers import Searched
from .compaction import COMPACTION

FAMILY = "openai_responses"
ISSUER = "openai"
"""The issuer of encrypted reasoning and file ids, which OpenAI's APIs share."""


@cache
def adapter(name: str = "Request") -> TypeAdapter[Any]:
    """The validator of one of the wire types, built on first use."""
    from . import wire  # noqa: PLC0415 -- imported on first use

    return TypeAdapter(getattr(wire, name))


LONGEST_NAME = 128
IDS = IdRules(".", 64, unique=True)
EFFORTS = frozenset({"none", "minimal", "low", "medium", "high", "xhigh", "max"})
LEAST_TOKENS = 16
RESPONSE_ONLY = frozenset({"created_by", "parsed", "parsed_arguments"})
"""Fields that items of responses, or the SDK's objects for them, may have, and that items of requests must not have."""
_REQUEST_FIELDS = frozenset({"annotations", "async", "caller", "id", "index", "logprobs", "namespace", "phase", "status"})
"""The fields without a canonical form that items of the assistant may have in requests; the server refuses all others."""


TIERS = ("auto", "default", "flex", "scale", "priority", "fast", "ultrafast")
_SAME = same(*"moderation prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier store".split())
SHARED: Shared = _SAME | {
    "compaction": COMPACTION,
    "include_obfuscation": Setting(("stream_options", "include_obfuscation")),
    "logprobs": Setting(("include",), item="message.output_text.logprobs"),
    "service_tier": Setting(("service_tier",), words={tier: tier for tier in TIERS}),
    "top_logprobs": Setting(("top_logprobs",), least=0, most=20),
    "verbosity": Setting(("text", "verbosity")),
}
"""The settings without a canonical field that other formats have, too (openai 3.52.0, `types/responses`)."""

GROWTHS = {
    "output_text": ("text", "output_text"),
    "refusal": ("refusal", "refusal"),
    "reasoning_text": ("text", "reasoning_text"),
    "summary_text": ("text", "reasoning_summary_text"),
    "function_call": ("arguments", "function_call_arguments"),
    "custom_tool_call": ("input", "custom_tool_call_input"),
}
"""The parts and calls whose text grows in streams: the field of the text, and the name of its events after `response.`."""


@dataclass(frozen=True)
class ResponsesProfile:
    """What one host accepts, for `format_for`; every host accepts what the defaults allow."""

    reasoning_text: bool = False
    """Whether reasoning that is not a summary may be sent; OpenAI refuses it."""
    issuers: frozenset[str] = frozenset({ISSUER})
    """The issuers whose encrypted reasoning and file ids the host accepts."""


class Asked(NamedTuple):
    """What another provider searched for, in a part of an answer."""

    path: str
    part: Any
    searched: Searched
    answer: str | None = None
    """The pointer of the part that says what was found."""


class ItemsDump(Dump):
    """A dump to the Responses shape."""

    profile: ResponsesProfile

    takes_custom = True
    is_response = False
    """Whether a response is written, which may have reasoning that requests must not have."""
    offset = 0
    """The index of the first item that is written."""
    is_trial = False
    """Whether the dump is only a trial, so that it uses no id."""

    def begin(self) -> None:
        """Begin without calls."""
        self.custom_calls: set[str] = set()
        """The ids of the calls of custom tools that were written."""
        self.searches: dict[str, Asked] = {}
        """What other providers searched the web for, by the id of the search."""
        self.unanswered: dict[str, None] = {}
        """The ids of the searches whose results have not been written yet."""

    def fork(self, written: Sequence[Wire], copied: list[Wire], /) -> Self:
        """An independent copy, where `copied` takes the place of the items written so far."""
        made = super().fork(written, copied)
        made.custom_calls = self.custom_calls.copy()
        made.searches = self.searches.copy()
        made.unanswered = self.unanswered.copy()
        return made

    def place(self, written: Sequence[Wire]) -> str:
        """The pointer of the next item."""
        return f"/output/{self.offset + len(written)}" if self.is_response else f"/input/{len(written)}"

    def trial(self) -> Self:
        """A dump for a trial of a part, which reports to lists of its own; a call gets the same id in both."""
        return self._view(losses=[], places={}, is_trial=True)

    def call_id(self, call: Any, path: str, at: str) -> str | None:
        """The id to write for a call; a trial does not use up the next one."""
        if self.is_trial and not self.exact and call.id is None:
            return self.ids.free_id()
        return super().call_id(call, path, at)

    def is_response_only(self, key: str) -> bool:
        """Whether a field of an item from a response must not be sent back."""
        return not self.is_response and key not in _REQUEST_FIELDS
