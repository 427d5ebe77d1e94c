"""Gemini's generateContent, as AI Studio and Vertex AI accept it, and the calls of the SDK google-genai.

Wire reference: `POST /v1beta/models/{model}:generateContent`, google-genai 3.4.0 (`types.py`), and the discovery document of
`generativelanguage` v1beta. Field names are in lower camel case or in the snake case of the protocol buffers; requests keep
their spelling, and Google's tools get the target's spelling. A `GeminiProfile` describes the differences between hosts.

Cannot carry: the developer role, participants' names, refusals as such, custom tools' free text, argument text
that is not a JSON object, other providers' signatures and file ids, encrypted reasoning, cache marks, strict schemas, the stop
sequence that was hit.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING
from urllib.parse import quote

from ...codec.carrying import OpaqueFields
from ...codec.format import Format, Formats, Reading, Writing
from ...codec.shared import SEALED
from . import base, calls, maps, native, pointers, responses, server_tools, stand_ins, web_answers
from .base import GeminiProfile
from .shared import shared_settings

if TYPE_CHECKING:
    from ...codec.batches import Batches
    from ...codec.fields import Wire
    from ...codec.hosted.server_calls import ServerCall
    from ...codec.marks import Marks
    from ...codec.payloads import PayloadTypes
    from ...codec.rules.rule import RuleSet
    from ...codec.schemas.dialects import Dialects
    from ...codec.strategies.wire import Strategies

__all__ = ["FORMAT", "FORMATS", "GeminiProfile", "format_for"]


def format_for(profile: GeminiProfile, name: str = "gemini") -> Format:
    """A format for the host or model that `profile` describes."""
    call = profile.as_call
    return Format(
        name=name,
        family=base.FAMILY,
        adapter=partial(base.adapter, "Call" if call else "Request"),
        load=calls.load_call if call else maps.load_request,
        dump=calls.dump_call_of if call else maps.dump_request,
        locating=pointers.locating_in_call if call else pointers.locating,
        native=native.is_native,
        roles=base.ROLES,
        new_dump=base.GeminiDump,
        split_calls="accepted",
        goes_on="always",
        answered_calls=True,
        profile=profile,
        made_for=format_for,
        listed="contents",
        system="systemInstruction",
        path=_path,
        in_url=frozenset({"stream"} if call else {"model", "stream"}),
        history=None if call else maps.STEPS,
        response_adapter=partial(base.adapter, "Response"),
        load_response=responses.load_response,
        dump_response=responses.dump_response,
        response_fields=("candidates", "promptFeedback", "prompt_feedback", "usageMetadata", "usage_metadata"),
        required=responses.SNAKE_REQUIRED if call else responses.REQUIRED,
        dump_error=responses.dump_error,
        error_words=responses.ERROR_WORDS,
        stream_error=responses.stream_error,
        reading=_read,
        writing=_write,
        rules=_rules,
        dialects=_dialects,
        marks=_marks,
        batch=None if profile.as_call else _batch,
        payloads=_payloads,
        strategies=_strategies,
        stops_early=True,
        pieces_in=frozenset({"candidates"}),
        lost_error="changed",  # the key of its text tells the field
        response_metadata=responses.METADATA,
        with_stand_in=stand_ins.with_stand_in,
        opaque=OpaqueFields(base.FAMILY, frozenset({"thinking", "part"}), signs_late=False),
        left_out=_why_left_out,
        sent_in_part=maps.sent_in_part,
        usage=responses.COUNTS,
        probabilities=responses.PROBABILITIES,
        tier=responses.TIER,
        shared=shared_settings(profile),
        unasked=SEALED,
        usual_fields={"thought": False, "finishMessage": "Model generated function call(s)."},
        allowed_tools=2,
        ran=_read_call,
        server_tools=server_tools.MIXED if profile.mixed_tools else server_tools.SERVER_TOOLS,
    )


def _why_left_out(part: Wire) -> str | None:
    return "a message must stand by itself, and not among the parts of another message" if "parts" in part else None


def _read_call(part: Wire) -> ServerCall | None:
    from .code_runs import read_run  # noqa: PLC0415 -- imported on first use, because few messages have such calls

    return web_answers.read_search(part) or read_run(part)


def _path(model: str, stream: bool) -> str:
    # A model may be named with its resource: `tunedModels/x`, or Vertex AI's `publishers/google/models/x`.
    resource = model if "/" in model else f"models/{model}"
    return f"/{quote(resource, safe='/:@')}:{'streamGenerateContent?alt=sse' if stream else 'generateContent'}"


def _read(format: Format) -> Reading:
    from .stream import GeminiReading  # noqa: PLC0415 -- events are imported on first use

    return GeminiReading(format.name)


def _write(format: Format, formats: Formats) -> Writing:
    from .writing import GeminiWriting  # noqa: PLC0415 -- events are imported on first use

    return GeminiWriting(format, formats)


def _rules(format: Format) -> RuleSet:
    known = _known_rules()
    return known.get(format.name) or known["gemini"]


@cache
def _known_rules() -> dict[str, RuleSet]:
    from .rules.request import RULES  # noqa: PLC0415 -- rules are imported on first use

    return RULES


def _payloads(format: Format) -> PayloadTypes:
    from .payloads import CALL, PAYLOADS  # noqa: PLC0415 -- imported on first use

    return CALL if format.profile.as_call else PAYLOADS


def _dialects(format: Format) -> Dialects:
    from .schemas import DIALECTS, OPENAPI_DIALECTS  # noqa: PLC0415 -- imported on first use

    return OPENAPI_DIALECTS if format.profile.openapi_schemas else DIALECTS


def _marks() -> Marks:
    from .marks import MARKS  # noqa: PLC0415 -- imported on first use

    return MARKS


def _batch() -> Batches:
    from .batches import BATCHES  # noqa: PLC0415 -- imported on first use

    return BATCHES


def _strategies() -> Strategies:
    from .strategies import STRATEGIES  # noqa: PLC0415 -- Hypothesis is an extra

    return STRATEGIES


FORMATS = {"gemini": format_for(GeminiProfile()), "google_genai": format_for(GeminiProfile(as_call=True), "google_genai")}
FORMAT = FORMATS["gemini"]
