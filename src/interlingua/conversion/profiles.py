"""Formats of the caller's own: what a host or a model takes, as a profile."""

from __future__ import annotations

from typing import TypeAlias

from ..codec.format import Format
from ..formats import MADE_FOR
from ..formats.anthropic import AnthropicProfile
from ..formats.bedrock_converse import ConverseProfile
from ..formats.gemini import GeminiProfile
from ..formats.openai_chat import ChatProfile
from ..formats.openai_responses import ResponsesProfile

Profile: TypeAlias = AnthropicProfile | ChatProfile | GeminiProfile | ConverseProfile | ResponsesProfile
"""What one host or model accepts, for each family."""


def format_for(profile: Profile, name: str | None = None) -> Format:
    """A format for the host or model that the profile describes; its requests have the shape of the profile's family.

    Without a name, it is another form of the family's main format: what was loaded from there is dumped exactly. Raises
    `TypeError`.
    """
    for kind, make in MADE_FOR.items():
        if isinstance(profile, kind) and (name is None or type(name) is str):
            format: Format = make(profile, name) if name else make(profile)
            return format
    raise TypeError("a profile is one of this package's classes of profiles, and its name is text")
