"""Formats of the caller's own: what a host or a model takes, as a profile."""

from __future__ import annotations

from .codec.format import Format
from .formats import anthropic, openai_chat
from .formats.anthropic import AnthropicProfile
from .formats.openai_chat import ChatProfile


def format_for(profile: AnthropicProfile | ChatProfile, name: str | None = None) -> Format:
    """A format for the host or model that the profile describes; its requests have the shape of the profile's family.

    Without a name, it is another form of `anthropic` or `openai_chat`: what was loaded from there is dumped exactly. Raises
    `TypeError`.
    """
    if not isinstance(name, str | None):
        raise TypeError("name is text")
    if isinstance(profile, AnthropicProfile):
        return anthropic.format_for(profile, name or anthropic.FORMAT.name)
    if isinstance(profile, ChatProfile):
        return openai_chat.format_for(profile, name or openai_chat.FORMAT.name)
    raise TypeError("profile is an AnthropicProfile or a ChatProfile")
