"""Formats of the caller's own: what a host or a model takes, as a profile."""

from __future__ import annotations

from .codec.format import Format
from .formats import MADE_FOR
from .formats.anthropic import AnthropicProfile
from .formats.openai_chat import ChatProfile


def format_for(profile: AnthropicProfile | ChatProfile, name: str | None = None) -> Format:
    """A format for the host or model that the profile describes; its requests have the shape of the profile's family.

    Without a name, it is another form of `anthropic` or `openai_chat`: what was loaded from there is dumped exactly. Raises
    `TypeError`.
    """
    for kind, make in MADE_FOR.items():
        if isinstance(profile, kind) and (name is None or type(name) is str):
            format: Format = make(profile, name) if name else make(profile)
            return format
    raise TypeError("a profile is an AnthropicProfile or a ChatProfile, and its name is text")
