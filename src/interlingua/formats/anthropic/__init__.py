"""Anthropic Messages, and AskTable's blocks, which spell tool input as JSON text.

Wire reference: `POST /v1/messages`, anthropic 2.11.0 (`types/message_create_params.py`, `types/message.py`,
`types/raw_message_stream_event.py`, `lib/streaming/_messages.py`). What differs between hosts and models is an
`AnthropicProfile`.

Cannot carry: the developer role, participants' names, empty text, image detail, audio, video, refusals as such, custom
tools' free text, argument text that is not a JSON object, other providers' signatures and file ids, sampling settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Literal

from ...format import Format
from . import base, growing, maps, pointers, responses
from .base import AnthropicProfile

if TYPE_CHECKING:
    from ...streams import Reading, Writing

__all__ = ["DIALECTS", "FORMAT", "AnthropicProfile", "format_for"]


def format_for(profile: AnthropicProfile, name: str = "anthropic") -> Format:
    """A format of the caller's own, for a host or model that `profile` describes."""
    format = Format(
        name=name,
        family=base.FAMILY,
        adapter=base.adapter,
        load=maps.load_request,
        dump=partial(maps.dump_request, profile=profile),
        locate=pointers.locate,
        owners_stay=pointers.owners_stay,
        ids=base.IDS,
        profile=profile,
        dumps_plain=True,
        growing=partial(growing.Growing, profile=profile),
        load_response=responses.load_response,
        dump_response=partial(responses.dump_response, profile=profile),
        reading=partial(_read, name),
        response_only=responses.RESPONSE_ONLY,
    )
    return format._replace(writing=partial(_write, format))


def _read(name: str) -> Reading:
    from .stream import MessagesReading  # noqa: PLC0415 -- who reads or writes no stream need not import what events are

    return MessagesReading(name)


def _write(format: Format, formats: Mapping[str, Format]) -> Writing:
    from .writing import MessagesWriting  # noqa: PLC0415 -- who reads or writes no stream need not import what events are

    return MessagesWriting(format, formats)


def with_content(format: Format, content: Literal["keep", "string", "list"]) -> Format:
    """The same format with its content written as `keep`, `string` or `list`."""
    return format_for(format.profile._replace(content=content), format.name)


DIALECTS = {
    "anthropic": format_for(AnthropicProfile()),
    "asktable": format_for(
        AnthropicProfile(content="list", input_as_text=True, unsigned_thinking=True, sampling=True),
        "asktable",
    ),
}
FORMAT = DIALECTS["anthropic"]
