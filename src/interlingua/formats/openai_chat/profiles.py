"""How the hosts of the Chat Completions shape differ, as data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal


@dataclass(frozen=True)
class ChatProfile:
    """How one host uses the Chat Completions shape, for `format_for`; the defaults are OpenAI's API."""

    reasoning: Literal["reasoning_content", "reasoning", "reasoning_details", "thinking_blocks"] | None = None
    """The field of an assistant message that carries reasoning; None where there is none."""
    tool_calls: Literal["nested", "flat"] = "nested"
    functions: bool = True
    """Whether answers with a `function_call` go back as they are, with results of role `function`; else as `tool_calls`."""
    content: Literal["keep", "string", "list"] = "keep"
    """Whether content is written as it is spelled, as one string where it is text alone, or always as a list."""
    empty_content: Literal["absent", "null", "empty"] = "null"
    """How an assistant message without text is written."""
    cache: Literal["prompt_cache_breakpoint", "cache_control"] | None = "prompt_cache_breakpoint"
    """The cache mark of content parts."""
    message_cache: bool = False
    """Whether messages and tools may carry `cache_control` too."""
    names: bool = True
    """Whether messages may carry a participant's name."""
    tool_name: bool = False
    """Whether tool messages may carry the tool's name."""
    developer: bool = True
    """Whether the developer role is known; it becomes system where not."""
    token_field: Literal["max_tokens", "max_completion_tokens"] = "max_completion_tokens"
    media: bool = True
    """Whether images, audio and files are accepted."""
    tool_media: bool = False
    """Whether tool messages may hold images and files."""
    issuers: frozenset[str] = frozenset({"openai"})
    """Whose file ids may be sent here; `*` for all."""
    signers: frozenset[str] = frozenset()
    """Whose signatures and encrypted reasoning may be sent here; `*` for all."""
    signatures: Literal["extra_content", "provider_specific_fields", "reasoning_details"] | None = None
    """Where Gemini's signatures of calls and texts stand; None where there is no place for them."""
    held_usage: tuple[str, ...] = ("x_groq", "usage")
    """Where chunks without a `usage` have it: the place of older streams of Groq, which many read as OpenAI's."""
    text_role: bool = False
    """Whether completion-style text is a message of role text."""
    open: bool = False
    """Whether fields that OpenAI does not document may be sent."""


_OPEN = frozenset({"*"})
_ANTHROPIC = frozenset({"anthropic"})
_FOLLOWER = ChatProfile(functions=False, cache=None, developer=False, token_field="max_tokens", open=True)
"""What most hosts that follow OpenAI's shape have in common."""
_GATEWAY = replace(_FOLLOWER, functions=True, cache="cache_control", developer=True, tool_media=True)
"""What hosts have in common that pass requests on to many providers."""

PROFILES = {
    "openai_chat": ChatProfile(),
    "verifiers": replace(
        _FOLLOWER,
        reasoning="thinking_blocks",
        tool_calls="flat",
        names=False,
        token_field="max_completion_tokens",
        signers=_ANTHROPIC,
        text_role=True,
    ),
    "litellm": replace(
        _GATEWAY,
        reasoning="thinking_blocks",
        message_cache=True,
        tool_name=True,
        signers=_ANTHROPIC,
        signatures="provider_specific_fields",
    ),
    "gemini_openai": replace(_FOLLOWER, names=False, issuers=frozenset(), signatures="extra_content", open=False),
    "openhands": replace(_FOLLOWER, content="string", tool_name=True, media=False),
    "clacky": replace(_FOLLOWER, reasoning="reasoning_content", cache="cache_control"),
    "deepseek": replace(_FOLLOWER, reasoning="reasoning_content", media=False),
    "openrouter": replace(
        _GATEWAY, reasoning="reasoning_details", issuers=_OPEN, signers=_OPEN, signatures="reasoning_details"
    ),
}


def openhands_profile(*, cache: bool = False, vision: bool = False, function_calling: bool = False) -> ChatProfile:
    """OpenHands' choice of string or list content by what the model can do: any capability makes it a list."""
    return replace(
        PROFILES["openhands"],
        content="list" if cache or vision or function_calling else "string",
        cache="cache_control" if cache else None,
        media=vision,
    )
