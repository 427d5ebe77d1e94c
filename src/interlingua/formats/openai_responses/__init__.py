"""OpenAI Responses.

Wire reference: `POST /v1/responses`, openai 3.52.0 (`types/responses/response_create_params.py`,
`response_input_item_param.py`, `response.py`, `response_stream_event.py`). A `ResponsesProfile` describes the differences
between hosts.

Cannot carry: participants' names, whether a tool failed, audio, video, stop sequences, top_k, a budget of tokens for reasoning,
other providers' signatures, encrypted reasoning and file ids.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

from ...codec.carrying import OpaqueFields
from ...codec.error_bodies import error_fields, error_object
from ...codec.format import Format, Formats, Mcp, Reading, Writing
from ...codec.shared import HIDDEN
from ..openai_chat.error_words import OPENAI_WORDS
from . import base, maps, native, offered, pointers, responses, server_tools, tool_search
from .base import ResponsesProfile

if TYPE_CHECKING:
    from ...codec.batches import Batches
    from ...codec.fields import Wire
    from ...codec.hosted.mcp_servers import McpServers
    from ...codec.hosted.server_calls import ServerCall
    from ...codec.marks import Marks
    from ...codec.payloads import PayloadTypes
    from ...codec.rules.rule import RuleSet
    from ...codec.schemas.dialects import Dialects
    from ...codec.strategies.wire import Strategies

__all__ = ["FORMAT", "FORMATS", "ResponsesProfile", "format_for"]


def format_for(profile: ResponsesProfile, name: str = "openai_responses") -> Format:
    """A format for the host that `profile` describes."""
    return replace(FORMAT, name=name, profile=profile)


def _read_call(item: Wire) -> ServerCall | None:
    from .server_calls import read_call  # noqa: PLC0415 -- imported on first use, because few messages have such calls

    return read_call(item)


def _mcp_servers() -> McpServers:
    from . import mcp_servers  # noqa: PLC0415 -- imported on first use, because few requests have MCP servers

    return mcp_servers.FORMS


def _read(format: Format) -> Reading:
    from .stream import ResponsesReading  # noqa: PLC0415 -- events are imported on first use

    return ResponsesReading(format.name)


def _write(format: Format, formats: Formats) -> Writing:
    from .writing import ResponsesWriting  # noqa: PLC0415 -- events are imported on first use

    return ResponsesWriting(format, formats)


def _rules(format: Format) -> RuleSet:
    known = _known_rules()
    return known.get(format.name) or known["openai_responses"]


@cache
def _known_rules() -> dict[str, RuleSet]:
    from .rules.request import RULES  # noqa: PLC0415 -- rules are imported on first use

    return RULES


def _payloads(_format: Format) -> PayloadTypes:
    from .payloads import PAYLOADS  # noqa: PLC0415 -- imported on first use

    return PAYLOADS


def _dialects(_: Format) -> Dialects:
    from ..openai_chat.schemas import DIALECTS  # noqa: PLC0415 -- imported on first use

    return DIALECTS


def _marks() -> Marks:
    from .marks import MARKS  # noqa: PLC0415 -- imported on first use

    return MARKS


def _batch() -> Batches:
    from ..openai_chat.batches import BATCHES  # noqa: PLC0415 -- imported on first use; OpenAI's APIs share the files

    return BATCHES


def _strategies() -> Strategies:
    from .strategies import STRATEGIES  # noqa: PLC0415 -- Hypothesis is an extra

    return STRATEGIES


FORMAT = Format(
    name="openai_responses",
    family=base.FAMILY,
    adapter=base.adapter,
    load=maps.load_request,
    dump=maps.dump_request,
    locating=pointers.locating,
    shape=pointers.shape,
    beside=pointers.beside,
    native=native.is_native,
    roles=frozenset({"user", "assistant", "system", "developer"}),
    new_dump=base.ItemsDump,
    offers=offered.offers,
    tool_items=offered.TOOL_ITEMS,
    namespace="namespace",
    server_tools=server_tools.SERVER_TOOLS,
    ran=_read_call,
    mcp=Mcp(_mcp_servers),
    media=responses.media_in_item,
    only_refers=responses.is_kept_reasoning,
    own_allowed=("tool_choice", "tools"),
    tool_search=tool_search.SEARCH,
    makes_strict=True,
    usual_fields={
        "background": False,
        "reasoning": {"context": "auto", "effort": None, "generate_summary": None, "summary": None},
        "truncation": "disabled",
    },
    allowed_tools=1,
    ids=base.IDS,
    profile=ResponsesProfile(),
    made_for=format_for,
    listed="input",
    path=lambda _model, _stream: "/responses",
    history=maps.STEPS,
    shared=base.SHARED,
    unasked=HIDDEN,
    response_adapter=partial(base.adapter, "Response"),
    load_response=responses.load_body,
    dump_response=responses.dump_response,
    response_fields=("output",),
    required=responses.REQUIRED,
    dump_error=partial(error_object, fields=("message", "type", "param", "code")),
    error_words=OPENAI_WORDS,
    stream_error=partial(error_fields, fields=("message", "type", "param", "code")),
    reading=_read,
    writing=_write,
    rules=_rules,
    dialects=_dialects,
    marks=_marks,
    batch=_batch,
    payloads=_payloads,
    strategies=_strategies,
    pieces_in=frozenset({"delta"}),
    event_field="type",
    free_results=True,
    response_only=base.RESPONSE_ONLY,
    item_fields=frozenset({"id", "status"}),
    response_metadata=responses.METADATA,
    opaque=OpaqueFields(base.ISSUER, frozenset({"redacted_thinking"})),
    usage=responses.COUNTS,
    probabilities=responses.PROBABILITIES,
    tier=responses.TIER,
)
FORMATS = {FORMAT.name: FORMAT}
