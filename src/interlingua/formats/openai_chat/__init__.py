"""OpenAI Chat Completions, and the hosts that follow its shape.

Wire reference: `POST /v1/chat/completions`, openai 3.52.0 (`types/chat`). What differs between hosts is a `ChatProfile`.

Cannot carry (OpenAI's own profile): reasoning and its signatures, the order of text and tool calls in a turn, images and
files in tool results (moved behind them), the error flag of a result, citations, server tools, documents by URL,
images by file id, `top_k`.
"""

from __future__ import annotations

from functools import partial
from typing import Literal

from ...format import Format
from . import base, maps, pointers
from .profiles import PROFILES, ChatProfile, openhands_profile

__all__ = ["DIALECTS", "FORMAT", "ChatProfile", "format_for", "openhands_profile"]


def format_for(profile: ChatProfile, name: str = "openai_chat") -> Format:
    """A format of the caller's own, for a host that `profile` describes."""
    return Format(
        name=name,
        family=base.FAMILY,
        adapter=lambda: base.validators()[2],
        load=partial(maps.load_request, profile=profile),
        load_plainly=partial(maps.load_request, profile=profile, plainly=True),
        dump=partial(maps.dump_request, profile=profile),
        locate=pointers.locate,
        owners_stay=pointers.owners_stay,
        ids=base.IDS,
        profile=profile,
    )


DIALECTS = {name: format_for(profile, name) for name, profile in PROFILES.items()}
FORMAT = DIALECTS["openai_chat"]


def with_content(format: Format, content: Literal["keep", "string", "list"]) -> Format:
    """The same format with its content written as `keep`, `string` or `list`."""
    return format_for(format.profile._replace(content=content), format.name)
