"""The settings without a canonical field that Messages shares with other formats."""

from __future__ import annotations

from ...codec.fields import Wire
from ...codec.settings import has_email, is_telephone
from ...codec.shared import Setting, Shared, adaptive_thinking, automatic_caching, thinking_display
from .base import AnthropicProfile
from .compaction import compaction

LONGEST_USER = 256


def unfit_user(user: str) -> str | None:
    """Why `metadata.user_id` must not be this value; None if it is an opaque id."""
    if len(user) > LONGEST_USER:
        return f"`metadata.user_id` must have at most {LONGEST_USER} characters"
    if has_email(user) or is_telephone(user):
        return "`metadata.user_id` must not be an e-mail address or a telephone number; send an opaque id"
    return None


def may_think(out: Wire) -> bool:
    """Whether the server accepts thinking: it does not if a call is forced, or if the last message is the assistant's."""
    begun = out["messages"] and out["messages"][-1].get("role") == "assistant"
    return not begun and out.get("tool_choice", {}).get("type") not in ("any", "tool")


def shared_settings(profile: AnthropicProfile) -> Shared:
    """The shared settings that a host accepts.

    Bedrock and Vertex AI refuse `service_tier` (litellm 1.110.2 removes it there) and automatic caching: "cache_control: Extra
    inputs are not permitted" (UKGovernmentBEIS/inspect_ai#3851).

    `standard_only` is OpenAI's `default`: both ask for standard capacity alone.
    """
    user = Setting(
        ("metadata", "user_id"),
        check=unfit_user,
        changed="Anthropic has `metadata.user_id` in place of `safety_identifier`",
    )
    tier = Setting(("service_tier",), words={"auto": "auto", "standard_only": "default"})
    own_api = profile.version is None
    found = {"safety_identifier": user, "compaction": compaction(is_sent=profile.compaction)}
    found |= {
        "adaptive_thinking": adaptive_thinking("thinking", fits=may_think),
        "thought_summaries": thinking_display("thinking"),
    }
    return found | ({"service_tier": tier, "automatic_caching": automatic_caching()} if own_api else {})
