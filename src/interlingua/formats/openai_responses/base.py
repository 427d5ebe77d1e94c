"""What the functions of OpenAI Responses share: the provider's limits, the profile of a host, and the state of a dump.

A message or a reasoning item may become several parts. The item's own fields, such as its id, are then in the provider data
of its first part. Where a name could belong to the item or to the part, the part's record tells which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Self

from pydantic import TypeAdapter

from ...codec.dump import Dump
from ...codec.fields import Wire, spelling, value_at
from ...codec.foreign import report_carried
from ...codec.hosted.code_runs import CodeRuns
from ...codec.ids import IdRules
from ...codec.shared import Setting, Shared, same
from ..openai_chat.versions import REASONING, reasons
from .compaction import COMPACTION

FAMILY = "openai_responses"
ISSUER = "openai"
"""The issuer of encrypted reasoning and file ids, the same for OpenAI's APIs."""


@cache
def adapter(name: str = "Request") -> TypeAdapter[Any]:
    """The validator of a wire type, built on first use."""
    from . import wire  # noqa: PLC0415 -- imported on first use

    return TypeAdapter(getattr(wire, name))


LONGEST_NAME = 128
IDS = IdRules(".", 64, unique=True)
EFFORTS = frozenset({"none", "minimal", "low", "medium", "high", "xhigh", "max"})
LEAST_TOKENS = 16
RESPONSE_ONLY = frozenset({"created_by", "parsed", "parsed_arguments"})
"""Fields that items in responses, or the SDK's objects for them, may have, and that items in requests must not have."""
_REQUEST_FIELDS = frozenset({"annotations", "async", "caller", "id", "index", "logprobs", "namespace", "phase", "status"})
"""The fields without a canonical form that the assistant's items may have in requests; the server refuses any other."""


def _reasons(out: Wire) -> bool:
    """Whether a body asks for reasoning; models without it refuse `reasoning.summary`."""
    return value_at(out, ("reasoning", "effort")) not in (None, "none")


def samples(out: Wire) -> bool:
    """Whether a body may have sampling settings, which models refuse while they reason."""
    return not reasons(out.get("model"), value_at(out, ("reasoning", "effort")))


TIERS = ("auto", "default", "flex", "scale", "priority", "fast", "ultrafast")
_SAME = same(*"moderation prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier store".split())
SHARED: Shared = _SAME | {
    "compaction": COMPACTION,
    "adaptive_thinking": Setting(("reasoning",), reads=lambda _: None, fits=lambda _: False, implied=_reasons),
    "encrypted_reasoning": Setting(("include",), item="reasoning.encrypted_content"),
    "include_obfuscation": Setting(("stream_options", "include_obfuscation")),
    "logprobs": Setting(("include",), item="message.output_text.logprobs", fits=samples, unfit=REASONING),
    "service_tier": Setting(("service_tier",), words={tier: tier for tier in TIERS}),
    "thought_summaries": Setting(
        ("reasoning", "summary"), words={word: word for word in ("auto", "concise", "detailed")}, fits=_reasons
    ),
    "top_logprobs": Setting(("top_logprobs",), least=0, most=20, fits=samples, unfit=REASONING),
    "verbosity": Setting(("text", "verbosity")),
}
"""Settings without a canonical field that other formats have too (openai 3.52.0, `types/responses`)."""

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
    """A search or a call of another provider's server, in a part of an answer that does not have the result."""

    path: str
    part: Any
    read: Any
    """What was read of the part: a `ServerCall`."""
    answer: str | None = None
    """The pointer of the part with the result."""


class ItemsDump(Dump):
    """A dump to the Responses shape."""

    longest_name = LONGEST_NAME
    profile: ResponsesProfile

    takes_custom = True
    is_response = False
    """Whether a response is dumped: it may have reasoning that requests must not have."""
    model: str | None = None
    """The model of the request, if it is known."""
    offset = 0
    """The index of the first item that is written."""
    code_runs: CodeRuns | None = None
    """The code of other providers' servers in the current message; None before the first."""
    is_trial = False
    """Whether the dump is only a trial, which must not use up ids."""

    def begin(self) -> None:
        """Begin without calls."""
        self.custom_calls: set[str] = set()
        """The ids of the calls of custom tools that were written."""
        self.run: dict[str, Asked] = {}
        """The searches and calls of other providers' servers, by their ids."""
        self.unanswered: dict[str, None] = {}
        """The ids of those whose results have not been written yet."""

    def fork(self, written: Sequence[Wire], copied: list[Wire], /) -> Self:
        """An independent copy, in which `copied` replaces the items written so far."""
        made = super().fork(written, copied)
        made.custom_calls = self.custom_calls.copy()
        made.run = self.run.copy()
        made.unanswered = self.unanswered.copy()
        return made

    def ask(self, path: str, part: Any, read: Any) -> None:
        """Keep a search or call until its result comes; another one with the same id has no place."""
        if read.id in self.run and self.run[read.id].path != path:
            self.refuse(path, self.no_place_for(part, "part"))
            return
        self.run[read.id] = Asked(path, part, read)
        self.unanswered[read.id] = None

    def answer(self, part: Any, read: Any, path: str, at: str, detail: str) -> Any | None:
        """What was read of the search or call that a result belongs to; reports that it is carried, or that there is none."""
        asked = self.run.get(read.id)
        if asked is None or asked.answer not in (None, path) or type(asked.read) is not type(read):
            self.refuse(path, self.no_place_for(part, "part"))
            return None
        self.run[read.id] = asked._replace(answer=path)
        self.unanswered.pop(read.id, None)
        report_carried(asked.part, asked.read.rest, asked.path, at, detail, read.what, self)
        return asked.read

    def drop_unanswered(self) -> None:
        """Report the searches and calls whose results are not in the answer."""
        for id in self.unanswered:
            asked = self.run.pop(id)
            self.refuse(asked.path, self.no_place_for(asked.part, "part"))
        self.unanswered.clear()

    def place(self, written: Sequence[Wire]) -> str:
        """The pointer of the next item."""
        return f"/output/{self.offset + len(written)}" if self.is_response else f"/input/{len(written)}"

    def trial(self) -> Self:
        """A dump for the trial of a part, with lists of its own for reports; a call gets the same id in both dumps."""
        self.code_runs = self.code_runs or CodeRuns()  # the trial must not have its own
        return self._view(losses=[], places={}, is_trial=True)

    def call_id(self, call: Any, path: str, at: str) -> str | None:
        """The id to write for a call; a trial does not use up the next one."""
        if self.is_trial and not self.exact and call.id is None:
            return self.ids.free_id()
        return super().call_id(call, path, at)

    def lay_id(self, item: Wire, call: Any, id: str) -> None:
        """Write the id of a call where it was; in a request, a call of an answer has its `call_id`."""
        is_own = self.exact and (self.is_response or not self.from_response)
        word = spelling(call, "call_id") if is_own else None
        item["call_id" if word is None else "id"] = id
        if word == "null":
            item["call_id"] = None
        if call.custom:
            self.custom_calls.add(id)

    def is_response_only(self, key: str) -> bool:
        """Whether a field of an item from a response must not be sent back."""
        return not self.is_response and key not in _REQUEST_FIELDS
