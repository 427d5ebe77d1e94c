"""Formats of the caller's own: what a host or a model takes, as a profile."""

from __future__ import annotations

from typing import Any

from .codec.format import Format
from .formats import anthropic, openai_chat
from .formats.anthropic import AnthropicProfile
from .formats.openai_chat import ChatProfile

_FAMILIES: dict[type, Any] = {AnthropicProfile: anthropic, ChatProfile: openai_chat}


def format_for(profile: AnthropicProfile | ChatProfile, name: str | None = None) -> Format:
    """A format for the host or model that the profile describes; its requests have the shape of the profile's family.

    Without a name, it is another form of `anthropic` or `openai_chat`: what was loaded from there is dumped exactly. Raises
    `TypeError`.
    """
    for kind, family in _FAMILIES.items():
        if isinstance(profile, kind) and (name is None or type(name) is str):
            format: Format = family.format_for(profile, name or family.FORMAT.name)
            return format
    raise TypeError("a profile is an AnthropicProfile or a ChatProfile, and its name is text")
