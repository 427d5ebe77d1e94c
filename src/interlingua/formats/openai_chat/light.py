"""Messages and calls as tuples, which cost less than models.

Most messages of a history have a role and text, perhaps a call id or plain calls, and nothing else. `convert` does not return
its canonical messages, so it need not build models of them. ASCII text is valid Unicode without another check.
"""

from __future__ import annotations

from typing import NamedTuple


class LightCall(NamedTuple):
    """A tool call that has nothing but an id, a name and arguments."""

    id: str
    name: str
    arguments: str
    custom: None = None
    cache_control: None = None
    provider_data: None = None
    wire: None = None


class LightMessage(NamedTuple):
    """A message that has nothing but a role, ASCII text, and perhaps a call id or light calls."""

    role: str
    content: str | None
    tool_call_id: str | None
    tool_calls: tuple[LightCall, ...] | None
    name: None = None
    cache_control: None = None
    provider_data: None = None
    is_error: None = None
    reasoning_content: None = None
    thinking_blocks: None = None
    refusal: None = None
    wire: None = None
