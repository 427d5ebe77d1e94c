"""Anthropic Messages, their bodies on Bedrock and Vertex AI, and AskTable's blocks, in which tool input is JSON text.

Wire reference: `POST /v1/messages`, anthropic 2.11.0 (`types/message_create_params.py`, `types/message.py`,
`types/raw_message_stream_event.py`, `lib/streaming/_messages.py`). An `AnthropicProfile` describes the differences between
hosts and models. On Bedrock (`InvokeModel`) and Vertex AI (`rawPredict`), the model is in the URL and the version in the body;
on Bedrock, the URL also says whether to stream, and the body has the betas (`lib/bedrock/_client.py`, `lib/vertex/_client.py`).
The arguments of their SDK clients are the same as of Anthropic's client.

Cannot carry: the developer role, participants' names, empty text, image detail, audio, video, refusals as such, custom
tools' free text, argument text that is not a JSON object, other providers' signatures and file ids, sampling settings.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING
from urllib.parse import quote

from ...codec.carrying import OpaqueFields
from ...codec.error_bodies import exception_object
from ...codec.event_frames import frame_bytes, unframe
from ...codec.exceptions import EXCEPTION_WORDS, stream_exception
from ...codec.format import Format, Formats, Mcp, Reading, Writing
from ...codec.shared import SEALED
from . import base, citable, maps, messages, native, pointers, responses, server_tools, tool_changes, tool_search
from .base import AnthropicProfile
from .shared import shared_settings

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

__all__ = ["FORMAT", "FORMATS", "AnthropicProfile", "format_for"]


def format_for(profile: AnthropicProfile, name: str = "anthropic") -> Format:
    """A format for the host or model that `profile` describes."""
    found = Format(
        name=name,
        family=base.FAMILY,
        adapter=base.adapter,
        load=partial(maps.load_request, profile),
        dump=maps.dump_request,
        locating=pointers.locating,
        shape=pointers.shape,
        native=native.is_native,
        roles=frozenset({"user", "assistant", "system"}),
        new_dump=base.MessagesDump,
        ids=base.IDS,
        split_calls="accepted",
        goes_on="always",
        profile=profile,
        made_for=format_for,
        with_content=lambda content: format_for(replace(profile, content=content), name),
        system="system",
        path=lambda model, stream: _path(profile.paths[stream], model),
        in_url=profile.in_url,
        history=maps.STEPS,
        response_adapter=partial(base.adapter, "Response"),
        load_response=responses.load_response,
        dump_response=responses.dump_response,
        response_fields=("content", "stop_reason"),
        required=responses.REQUIRED,
        dump_error=responses.dump_error,
        error_words=responses.ERROR_WORDS,
        stream_error=responses.stream_error,
        reading=_read,
        writing=_write,
        rules=_rules,
        dialects=_dialects,
        marks=_marks,
        batch=_batch,
        payloads=_payloads,
        strategies=_strategies,
        pieces_in=frozenset({"content_block", "delta"}),
        event_field="type",
        response_only=responses.RESPONSE_ONLY,
        response_metadata=responses.METADATA,
        opaque=OpaqueFields(base.FAMILY, frozenset({"thinking", "redacted_thinking"})),
        readable=citable.readable,
        left_out=messages.left_out,
        usual_fields={"caller": {"type": "direct"}},
        usage=responses.COUNTS,
        offers=tool_changes.offers,
        tool_items=frozenset({"system", "tool_addition"}),
        tier=responses.TIER,
        shared=shared_settings(profile),
        unasked=SEALED,
        server_tools=server_tools.SERVER_TOOLS if profile.version is None else server_tools.READ_ONLY,
        ran=_read_call,
        mcp=None if profile.version is not None else Mcp(partial(_mcp_servers, profile), "mcp_servers"),
        tool_search=tool_search.SEARCH if profile.version is None else tool_search.READ_ONLY,
        references=tool_search.REFERENCES if profile.version is None else None,
    )
    return _framed(found) if profile.framed else found


def _framed(format: Format) -> Format:
    """The format with the errors, the batches and the binary streams of Bedrock."""
    return replace(
        format,
        dump_error=exception_object,
        error_words=EXCEPTION_WORDS,
        stream_error=stream_exception,
        batch=_batch_of_bedrock,
        unframe=unframe,
        frame=frame_bytes,
        stream_type="application/vnd.amazon.eventstream",
    )


def _path(path: str, model: str) -> str:
    return path.format(quote(model, safe=":")) if "{}" in path else path  # most bodies have no model


def _read_call(block: Wire) -> ServerCall | None:
    from .server_calls import read_call  # noqa: PLC0415 -- imported on first use, because few messages have such calls

    return read_call(block)


def _mcp_servers(profile: AnthropicProfile) -> McpServers:
    from . import mcp_servers  # noqa: PLC0415 -- imported on first use, because few requests have MCP servers

    return mcp_servers.forms(profile)


def _read(format: Format) -> Reading:
    from .stream import MessagesReading  # noqa: PLC0415 -- events are imported on first use

    return MessagesReading(format.name)


def _write(format: Format, formats: Formats) -> Writing:
    from ...codec.streams.block_stream import BlockWriting  # noqa: PLC0415 -- events are imported on first use
    from .writing import MessagesShape  # noqa: PLC0415 -- likewise

    return BlockWriting(format, formats, MessagesShape(framed=format.profile.framed), at="/content")


def _rules(format: Format) -> RuleSet:
    known = _known_rules()
    return known.get(format.name) or known["anthropic"]


@cache
def _known_rules() -> dict[str, RuleSet]:
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


def _batch() -> Batches:
    from .batches import BATCHES  # noqa: PLC0415 -- imported on first use

    return BATCHES


def _batch_of_bedrock() -> Batches:
    from ..bedrock_converse.batches import BATCHES  # noqa: PLC0415 -- imported on first use

    return BATCHES


def _strategies() -> Strategies:
    from .strategies import STRATEGIES  # noqa: PLC0415 -- Hypothesis is an extra

    return STRATEGIES


_PROFILES = {
    "anthropic": AnthropicProfile(),
    "asktable": AnthropicProfile(content="list", input_as_text=True, unsigned_thinking=True, sampling=True),
    "anthropic_bedrock": AnthropicProfile(
        version="bedrock-2023-05-31",
        in_url=frozenset({"model", "stream"}),
        paths=("/model/{}/invoke", "/model/{}/invoke-with-response-stream"),
        betas=True,
        only_inline=True,
        refused_fields=base.OWN_FIELDS,
        refused_tools=(*base.OWN_TOOLS, "web_search_"),
        framed=True,
    ),
    "anthropic_vertex": AnthropicProfile(
        version="vertex-2023-10-16",
        in_url=frozenset({"model"}),
        paths=("/publishers/anthropic/models/{}:rawPredict", "/publishers/anthropic/models/{}:streamRawPredict"),
        only_inline=True,
        refused_fields=base.OWN_FIELDS,
        refused_tools=base.OWN_TOOLS,
    ),
}
FORMATS = {name: format_for(profile, name) for name, profile in _PROFILES.items()}
FORMAT = FORMATS["anthropic"]
