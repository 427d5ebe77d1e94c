"""Google's Interactions API: steps of the user and the model, where Gemini's generateContent has contents.

Wire reference: `POST /v1beta/interactions`, google-genai 3.6.1 (`_gaos/types/interactions`). The API's first version has turns
in requests and outputs in responses. Both are loaded, and dumped again in that form; anything else is dumped as steps.

Cannot carry: the developer role, participants' names, refusals as such, custom tools' free text, argument text that is not a
JSON object, other providers' signatures and file ids, encrypted reasoning, signatures of calls and texts, cache marks, strict
schemas, the names of files, top_k, a budget of tokens for reasoning, whether calls may be parallel, the stop sequence that was
hit.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from ...codec.carrying import OpaqueFields
from ...codec.format import Format, Formats, Reading, Writing
from ...codec.shared import SEALED
from . import base, hosted, maps, native, pointers, responses, search

if TYPE_CHECKING:
    from ...codec.fields import Wire
    from ...codec.hosted.server_calls import ServerCall
    from ...codec.marks import Marks
    from ...codec.payloads import PayloadTypes
    from ...codec.rules.rule import RuleSet
    from ...codec.schemas.dialects import Dialects
    from ...codec.strategies.wire import Strategies

__all__ = ["FORMAT", "FORMATS"]


def _read_call(step: Wire) -> ServerCall | None:
    from .server_calls import read_call  # noqa: PLC0415 -- imported on first use, because few messages have such calls

    return read_call(step)


def _read(format: Format) -> Reading:
    from .stream import InteractionsReading  # noqa: PLC0415 -- events are imported on first use

    return InteractionsReading(format.name)


def _write(format: Format, formats: Formats) -> Writing:
    from ...codec.streams.block_stream import BlockWriting  # noqa: PLC0415 -- events are imported on first use
    from .writing import InteractionsShape  # noqa: PLC0415 -- likewise

    return BlockWriting(format, formats, InteractionsShape(), at="/steps")


def _rules(_format: Format) -> RuleSet:
    return _known_rules()


@cache
def _known_rules() -> RuleSet:
    from .rules.request import RULES  # noqa: PLC0415 -- rules are imported on first use

    return RULES


def _payloads(_format: Format) -> PayloadTypes:
    from .payloads import PAYLOADS  # noqa: PLC0415 -- imported on first use

    return PAYLOADS


def _dialects(_: Format) -> Dialects:
    from ..gemini.schemas import DIALECTS  # noqa: PLC0415 -- imported on first use

    return DIALECTS


def _marks() -> Marks:
    from .marks import MARKS  # noqa: PLC0415 -- imported on first use

    return MARKS


def _strategies() -> Strategies:
    from .strategies import STRATEGIES  # noqa: PLC0415 -- Hypothesis is an extra

    return STRATEGIES


FORMAT = Format(
    name="gemini_interactions",
    family=base.FAMILY,
    adapter=base.adapter,
    load=maps.load_request,
    dump=maps.dump_request,
    locating=pointers.locating,
    shape=pointers.shape,
    beside=pointers.beside,
    native=native.is_native,
    roles=frozenset({"user", "model"}),
    new_dump=base.InteractionsDump,
    listed="input",
    system="system_instruction",
    path=lambda _model, _stream: "/interactions",
    history=maps.STEPS,
    response_adapter=partial(base.adapter, "Response"),
    load_response=responses.load_response,
    dump_response=responses.dump_response,
    response_fields=("steps", "outputs", "status"),
    required=responses.REQUIRED,
    dump_error=responses.dump_error,
    error_words=responses.ERROR_WORDS,
    stream_error=responses.stream_error,
    reading=_read,
    writing=_write,
    rules=_rules,
    dialects=_dialects,
    marks=_marks,
    payloads=_payloads,
    strategies=_strategies,
    pieces_in=frozenset({"delta"}),
    event_field="event_type",
    end_mark="[DONE]",
    free_results=True,
    response_metadata=responses.METADATA,
    opaque=OpaqueFields(base.ISSUER, frozenset({"thinking"})),
    sent_in_part=maps.sent_in_part,
    usage=responses.COUNTS,
    tier=responses.TIER,
    shared=maps.SHARED,
    unasked=SEALED,
    allowed_tools=2,
    ran=_read_call,
    server_tools=search.SERVER_TOOLS,
    tools_from={base.ISSUER: hosted.from_gemini},
    tools_for={base.ISSUER: hosted.for_gemini},
)
FORMATS = {FORMAT.name: FORMAT}
