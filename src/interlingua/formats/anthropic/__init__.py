"""Anthropic Messages, and AskTable's blocks, in which tool input is JSON text.

Wire reference: `POST /v1/messages`, anthropic 2.11.0 (`types/message_create_params.py`, `types/message.py`,
`types/raw_message_stream_event.py`, `lib/streaming/_messages.py`). An `AnthropicProfile` says what
differs between hosts and models.

Cannot carry: the developer role, participants' names, empty text, image detail, audio, video, refusals as such, custom
tools' free text, argument text that is not a JSON object, other providers' signatures and file ids, sampling settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from ...codec.format import ContentForm, Format, Reading, Writing
from . import base, maps, native, pointers, responses
from .base import AnthropicProfile

__all__ = ["DIALECTS", "FORMAT", "AnthropicProfile", "format_for"]


def format_for(profile: AnthropicProfile, name: str = "anthropic") -> Format:
    """A format for the host or model that `profile` describes."""
    format = Format(
        name=name,
        family=base.FAMILY,
        adapter=base.adapter,
        load=maps.load_request,
        dump=maps.dump_request,
        locate=pointers.locate,
        owners=pointers.owners,
        native=native.is_native,
        new_dump=base.MessagesDump,
        ids=base.IDS,
        profile=profile,
        with_content=partial(_with_content, profile, name),
        system="system",
        path=lambda _model, _stream: "/v1/messages",
        history=maps.STEPS,
        load_response=responses.load_response,
        dump_response=responses.dump_response,
        response_fields=("content", "stop_reason"),
        dump_error=responses.dump_error,
        reading=partial(_read, name),
        event_field="type",
        response_only=responses.RESPONSE_ONLY,
        response_metadata=responses.METADATA,
        usage=responses.COUNTS,
    )
    return replace(format, writing=partial(_write, format))


def _with_content(profile: AnthropicProfile, name: str, content: ContentForm) -> Format:
    return format_for(replace(profile, content=content), name)


def _read(name: str) -> Reading:
    from .stream import MessagesReading  # noqa: PLC0415 -- events are imported on first use

    return MessagesReading(name)


def _write(format: Format, formats: Mapping[str, Format]) -> Writing:
    from ...codec.block_stream import BlockWriting  # noqa: PLC0415 -- events are imported on first use
    from .writing import MessagesShape  # noqa: PLC0415 -- likewise

    return BlockWriting(format, formats, MessagesShape(format.profile))


DIALECTS = {
    "anthropic": format_for(AnthropicProfile()),
    "asktable": format_for(
        AnthropicProfile(content="list", input_as_text=True, unsigned_thinking=True, sampling=True), "asktable"
    ),
}
FORMAT = DIALECTS["anthropic"]
