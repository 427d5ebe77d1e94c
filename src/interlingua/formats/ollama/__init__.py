"""Ollama's chat: each message has one text with images beside it, arguments are objects, and streams are lines of JSON.

Wire reference: `POST /api/chat`, the server's source of 2026-08-21 (ollama/ollama, `api/types.go`, `server/routes.go`), and
ollama 0.6.3 (`_types.py`), which lacks the ids of calls and of results.

Cannot carry: several texts in a message, the order of text and images, media other than images and images at an address, the
developer role, participants' names, cache marks, signatures and encrypted reasoning, citations, the error flag of a result,
strict tools, tool choices, metadata, the ids of users, whether calls may be parallel; of responses their id.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from ...codec.format import Format, Formats, Reading, Writing
from ...codec.shared import SHOWN
from . import base, generate, maps, native, pointers, responses

if TYPE_CHECKING:
    from ...codec.marks import Marks
    from ...codec.payloads import PayloadTypes
    from ...codec.rules.rule import RuleSet
    from ...codec.schemas.dialects import Dialects
    from ...codec.strategies.wire import Strategies

__all__ = ["FORMAT"]


def _read(format: Format) -> Reading:
    from .stream import OllamaReading  # noqa: PLC0415 -- events are imported on first use

    return OllamaReading(format.name)


def _write(format: Format, formats: Formats) -> Writing:
    from ...codec.streams.block_stream import BlockWriting  # noqa: PLC0415 -- events are imported on first use
    from .writing import OllamaShape  # noqa: PLC0415 -- likewise

    return BlockWriting(format, formats, OllamaShape(), at="/message/content")


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
    name="ollama",
    family=base.FAMILY,
    adapter=base.adapter,
    load=maps.load_request,
    dump=maps.dump_request,
    locating=pointers.locating,
    native=native.is_native,
    goes_on="always",
    roles=frozenset({"system", "user", "assistant", "tool"}),
    new_dump=base.OllamaDump,
    ids=base.IDS,
    path=lambda _model, _stream: "/api/chat",
    history=maps.STEPS,
    response_adapter=partial(base.adapter, "Response"),
    load_response=responses.load_response,
    dump_response=responses.dump_response,
    response_fields=("message", "done"),
    required=responses.REQUIRED,
    dump_error=responses.dump_error,
    stream_error=responses.stream_error,
    reading=_read,
    writing=_write,
    stream_type="application/x-ndjson",
    pieces_in=frozenset({"message"}),
    rules=_rules,
    dialects=_dialects,
    marks=_marks,
    payloads=_payloads,
    strategies=_strategies,
    response_metadata=responses.METADATA,
    usage=responses.COUNTS,
    shared=maps.SHARED,
    unasked=SHOWN,
    probabilities=responses.PROBABILITIES,
)
FORMATS = {FORMAT.name: FORMAT, generate.FORMAT.name: generate.FORMAT}
