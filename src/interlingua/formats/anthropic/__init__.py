"""Anthropic Messages, and AskTable's blocks, which spell tool input as JSON text.

Wire reference: `POST /v1/messages`, anthropic 2.11.0 (`types/message_create_params.py`). What differs between hosts and
models is an `AnthropicProfile`.

Cannot carry: the developer role, participants' names, empty text, image detail, audio, video, refusals as such, custom
tools' free text, argument text that is not a JSON object, other providers' signatures and file ids, sampling settings.
"""

from __future__ import annotations

from functools import partial
from typing import Literal

from ...format import Format
from . import base, maps, pointers
from .base import AnthropicProfile

__all__ = ["DIALECTS", "FORMAT", "AnthropicProfile", "format_for"]


def format_for(profile: AnthropicProfile, name: str = "anthropic") -> Format:
    """A format of the caller's own, for a host or model that `profile` describes."""
    return Format(
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
    )


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
