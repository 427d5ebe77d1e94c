"""Cohere's Chat: messages with a plan beside their calls, citations of documents, and results that are documents.

Wire reference: `POST /v2/chat`, cohere 7.3.1 (`v2/client.py`, `types/chat_message_v2.py`).

Cannot carry: the developer role, participants' names, cache marks, signatures and encrypted reasoning, files, audio and video,
media in tool results, the error flag of a result, other providers' citations, custom tools' free text, the choice of one tool,
the effort of reasoning, metadata, the ids of users, whether calls may be parallel; of responses the model and the time.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from ...codec.format import Format, Formats, Reading, Writing
from ...codec.shared import SHOWN
from . import base, maps, native, pointers, responses

if TYPE_CHECKING:
    from ...codec.marks import Marks
    from ...codec.payloads import PayloadTypes
    from ...codec.rules.rule import RuleSet
    from ...codec.schemas.dialects import Dialects
    from ...codec.strategies.wire import Strategies

__all__ = ["FORMAT"]


def _read(format: Format) -> Reading:
    from .stream import CohereReading  # noqa: PLC0415 -- events are imported on first use

    return CohereReading(format.name)


def _write(format: Format, formats: Formats) -> Writing:
    from ...codec.streams.block_stream import BlockWriting  # noqa: PLC0415 -- events are imported on first use
    from .writing import CohereShape  # noqa: PLC0415 -- likewise

    return BlockWriting(format, formats, CohereShape(), at="/message/content")


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
    from .schemas import DIALECTS  # noqa: PLC0415 -- imported on first use

    return DIALECTS


def _marks() -> Marks:
    from .marks import MARKS  # noqa: PLC0415 -- imported on first use

    return MARKS


def _strategies() -> Strategies:
    from .strategies import STRATEGIES  # noqa: PLC0415 -- Hypothesis is an extra

    return STRATEGIES


FORMAT = Format(
    name="cohere",
    family=base.FAMILY,
    adapter=base.adapter,
    load=maps.load_request,
    dump=maps.dump_request,
    locating=pointers.locating,
    native=native.is_native,
    roles=frozenset({"system", "user", "assistant", "tool"}),
    new_dump=base.CohereDump,
    ids=base.IDS,
    split_calls="refused",  # `result_far_from_call` in `rules/request.py` says why
    path=lambda _model, _stream: "/v2/chat",
    history=maps.STEPS,
    response_adapter=partial(base.adapter, "Response"),
    load_response=responses.load_response,
    dump_response=responses.dump_response,
    response_fields=("message", "finish_reason"),
    required=responses.REQUIRED,
    dump_error=responses.dump_error,
    stream_error=responses.stream_error,
    reading=_read,
    writing=_write,
    rules=_rules,
    dialects=_dialects,
    marks=_marks,
    payloads=_payloads,
    strategies=_strategies,
    event_field="type",
    end_mark="[DONE]",
    pieces_in=frozenset({"delta"}),
    response_metadata=responses.METADATA,
    usage=responses.COUNTS,
    shared=maps.SHARED,
    unasked=SHOWN,
)
FORMATS = {FORMAT.name: FORMAT}
