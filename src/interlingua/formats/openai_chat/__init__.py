"""OpenAI Chat Completions, and the hosts that follow its shape.

Wire reference: `POST /v1/chat/completions`, openai 3.52.0 (`types/chat`). A `ChatProfile` describes how hosts differ.

Cannot carry (OpenAI's own profile): reasoning and its signatures, the order of text and tool calls in a turn, images and
files in tool results (moved behind them), the error flag of a result, citations, server tools, documents by URL,
images by file id, `top_k`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

from ...codec.carrying import OpaqueFields
from ...codec.error_bodies import error_fields, error_object, error_text
from ...codec.fields import Wire
from ...codec.format import Format, Formats, Reading, Writing
from ...codec.hosted.references import References
from ...errors import ProviderError
from ...model.base import Json
from . import base, free_form, maps, native, pointers, prefill, responses, server_tools
from .beside import SIGNER
from .counts import counts_for
from .error_words import OPENAI_WORDS
from .parts import BLOCKS_ISSUER
from .profiles import PROFILES, ChatProfile, openhands_profile
from .reasoning import DETAIL_FORMATS, DETAIL_SIGNER
from .shared import USUAL_FIELDS, shared_settings, unasked

if TYPE_CHECKING:
    from ...codec.batches import Batches
    from ...codec.hosted.server_tools import ServerTools
    from ...codec.marks import Marks
    from ...codec.payloads import PayloadTypes
    from ...codec.rules.rule import RuleSet
    from ...codec.schemas.dialects import Dialects
    from ...codec.strategies.wire import Strategies

__all__ = ["FORMAT", "FORMATS", "ChatProfile", "format_for", "openhands_profile"]


def _opaque(profile: ChatProfile) -> OpaqueFields | None:
    """The fields whose values are opaque at a host that has thinking blocks."""
    if profile.reasoning == "reasoning_details":
        kinds = frozenset({"thinking", "redacted_thinking"})
        return OpaqueFields(DETAIL_SIGNER, kinds, frozenset({SIGNER}), labelled=frozenset(DETAIL_FORMATS), tells_summaries=True)
    if profile.reasoning != "thinking_blocks":
        return None
    signers = frozenset[str]() if profile.signatures is None else frozenset({SIGNER})
    return OpaqueFields(BLOCKS_ISSUER, frozenset({"thinking", "redacted_thinking"}), signers)


_ERROR_FIELDS = ("message", "type", "param", "code")


def _flat_error(error: ProviderError) -> Wire:
    """An error body with its fields at the top level."""
    return {"object": "error"} | error_fields(error, fields=_ERROR_FIELDS)


_ERROR_BODIES: dict[str, Callable[[ProviderError], Wire]] = {
    "object": partial(error_object, fields=_ERROR_FIELDS),
    "flat": _flat_error,
    "text": error_text,
}
"""How each host writes an error body (`ChatProfile.errors`)."""


def format_for(profile: ChatProfile, name: str = "openai_chat") -> Format:
    """A format for a host that `profile` describes."""
    return Format(
        name=name,
        family=base.FAMILY,
        adapter=lambda: base.adapter("Request"),
        load=partial(maps.load_request, profile=profile),
        dump=maps.dump_request,
        locating=pointers.locating_lists if profile.reasoning == "content" else pointers.locating,
        shape=pointers.shape_lists if profile.reasoning == "content" else pointers.shape,
        native=partial(native.is_native, profile=profile),
        roles=native.ROLES | {"text"} if profile.text_role else native.ROLES,
        new_dump=base.ChatDump,
        ids=base.id_rules(profile),
        free_functions=True,
        split_calls="refused",  # by OpenAI, DeepSeek and Mistral, to whom gateways pass requests on
        profile=profile,
        made_for=format_for,
        with_content=lambda content: format_for(replace(profile, content=content), name),
        path=lambda _model, _stream: "/chat/completions",
        response_adapter=partial(base.adapter, "Response"),
        load_response=partial(responses.load_response, profile=profile),
        dump_response=responses.dump_response,
        response_fields=("choices",),
        required=responses.REQUIRED,
        dump_error=_ERROR_BODIES[profile.errors],
        error_words=OPENAI_WORDS,
        stream_error=partial(error_fields, fields=_ERROR_FIELDS),
        reading=_read,
        writing=_write,
        rules=_rules,
        dialects=_dialects,
        marks=_marks,
        batch=_batch,
        payloads=_payloads,
        strategies=_strategies,
        switches=frozenset({"web_search_options", "search_parameters"}),
        item_fields=frozenset({"index"}),
        usual_fields=USUAL_FIELDS,
        pieces_in=frozenset({"choices"}),
        signs_calls_last=profile.signatures == "reasoning_details",
        writing_without_usage=partial(_write, usage=False),
        asks_for_usage=_asks_for_usage,
        end_mark="[DONE]",
        response_only=responses.response_only(profile),
        response_metadata=responses.METADATA,
        opaque=_opaque(profile),
        usage=counts_for(profile),
        history=maps.STEPS,
        offers=free_form.offers,
        shared=shared_settings(profile),
        unasked=unasked(profile),
        probabilities=None if profile.model_length else responses.PROBABILITIES,
        tier=None if profile.model_length else responses.tier_of(profile),
        server_tools=_server_tools(profile),
        references=References("name") if profile.tool_references else None,
        allowed_tools=1 if profile.allowed_tools else None,
        goes_on=prefill.goes_on(profile),
        prefill_marks=prefill.MARKS,
    )


def _server_tools(profile: ChatProfile) -> ServerTools:
    if profile.server_tools:
        return server_tools.TOOLS
    return server_tools.OPTION if profile.web_search else server_tools.READ_ONLY


def _asks_for_usage(wire: Wire) -> bool:
    options: Json = wire.get("stream_options")
    return isinstance(options, dict) and options.get("include_usage") is True


def _read(format: Format) -> Reading:
    from .stream import Reading as ChatReading  # noqa: PLC0415 -- imported on first use

    return ChatReading(format.profile, format.name)


def _write(format: Format, formats: Formats, *, usage: bool = True) -> Writing:
    from .writing import Writing as ChatWriting  # noqa: PLC0415 -- imported on first use

    return ChatWriting(format, formats, usage=usage)


def _rules(format: Format) -> RuleSet:
    known, others = _known_rules()
    profile: ChatProfile = format.profile
    has_own = profile.rules or profile.tolerated
    return known.get(format.name) or (_rules_with(profile.rules, profile.tolerated) if has_own else others)


@cache
def _rules_with(codes: frozenset[str], tolerated: frozenset[str]) -> RuleSet:
    from .rules.by_code import rules_with  # noqa: PLC0415 -- rules are imported on first use

    return rules_with(codes, tolerated)


@cache
def _known_rules() -> tuple[Mapping[str, RuleSet], RuleSet]:
    from .rules.request import OTHERS, RULES  # noqa: PLC0415 -- rules are imported on first use

    return RULES, OTHERS


def _payloads(_format: Format) -> PayloadTypes:
    from .payloads import PAYLOADS  # noqa: PLC0415 -- imported on first use

    return PAYLOADS


def _dialects(format: Format) -> Dialects:
    from .schemas import DIALECTS, GEMINI_DIALECTS, LONE_REFS  # noqa: PLC0415 -- imported when a schema is fitted

    if format.profile.lone_refs:
        return LONE_REFS
    return GEMINI_DIALECTS if format.name == "gemini_openai" else DIALECTS


def _marks() -> Marks:
    from .marks import MARKS  # noqa: PLC0415 -- imported on first use

    return MARKS


def _batch() -> Batches:
    from .batches import BATCHES  # noqa: PLC0415 -- imported on first use

    return BATCHES


def _strategies() -> Strategies:
    from .strategies import STRATEGIES  # noqa: PLC0415 -- Hypothesis is an extra

    return STRATEGIES


FORMATS = {name: format_for(profile, name) for name, profile in PROFILES.items()}
FORMAT = FORMATS["openai_chat"]
