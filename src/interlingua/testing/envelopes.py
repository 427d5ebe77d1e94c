"""Strategies for what holds messages: requests, responses, and conversations as they are stored."""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import strategies as st

from ..model import exchange as x
from ..model.messages import AssistantMessage
from .canonical import FAMILIES, MESSAGES, OWN, PROVIDER_DATA, SHARED, Strategies, any_of, given, messages
from .dialogues import conversations
from .primitives import COUNTS, NAMES, SCHEMAS, json_objects, text

_NUMBERS = st.sampled_from([0, 1, 0.5])
_TOOL_FIELDS: dict[str, Any] = {"description": text(), "parameters": SCHEMAS, "strict": st.booleans(), **SHARED}
_TOOLS: Strategies = {
    x.Tool: given(x.Tool, {"name": NAMES}, _TOOL_FIELDS),
    x.OpaqueTool: given(x.OpaqueTool, {"format": FAMILIES, "value": json_objects()}, {}),
}
_TOOL_LISTS = st.lists(any_of(_TOOLS), max_size=3)
_TOOL_CHOICE = given(x.ToolChoice, {"type": st.sampled_from(["auto", "none", "required"])}, {"name": st.none()}) | given(
    x.ToolChoice, {"type": st.just("tool"), "name": NAMES}, {}
)
_RESPONSE_FORMAT = given(x.ResponseFormat, {"type": st.sampled_from(["text", "json_object"])}, {}) | given(
    x.ResponseFormat,
    {"type": st.just("json_schema")},
    {"name": NAMES, "description": text(), "json_schema": SCHEMAS, "strict": st.booleans()},
)
_CACHING = given(
    x.Caching,
    {},
    {"tools": st.booleans(), "system": st.booleans(), "messages": st.integers(0, 4), "ttl": st.sampled_from(["5m", "1h"])},
)
_SETTINGS: dict[str, Any] = {
    "model": NAMES,
    "tools": _TOOL_LISTS,
    "tool_choice": _TOOL_CHOICE,
    "parallel_tool_calls": st.booleans(),
    "max_tokens": st.integers(1, 10**6),
    "temperature": _NUMBERS,
    "top_p": _NUMBERS,
    "top_k": st.integers(1, 100),
    "stop": st.lists(text(), max_size=5),
    "reasoning_effort": st.sampled_from(["low", "high", "minimal"]),
    "reasoning_budget": st.integers(1024, 10**5),
    "response_format": _RESPONSE_FORMAT,
    "metadata": json_objects(),
    "user": NAMES,
    "stream": st.booleans(),
    "caching": _CACHING,
    "origin": st.sampled_from(["openai_chat", "anthropic", "else"]),
    **OWN,
}
_STORED: dict[str, Any] = {"id": NAMES, "tools": _TOOL_LISTS, "metadata": json_objects()}

STOP_REASONS = st.sampled_from([*get_args(x.StopReason), "eos"])
_COUNTED = [name for name in x.Usage.model_fields if name != "native"]
_USAGE = given(x.Usage, {}, {**dict.fromkeys(_COUNTED, COUNTS), "native": PROVIDER_DATA})
_CHOICE = given(
    x.Choice,
    {"message": MESSAGES[AssistantMessage]},
    {
        "stop_reason": STOP_REASONS,
        "native_stop_reason": NAMES,
        "stop_sequence": text(),
        "incomplete": st.booleans(),
        **OWN,
    },
)
_CHOICES = st.lists(_CHOICE, min_size=1, max_size=2)
_ANSWERED: dict[str, Any] = {
    "id": text(),
    "model": NAMES,
    "created": st.integers(0, 2**33) | st.floats(0, 2**33),
    "usage": _USAGE,
    "origin": st.sampled_from(["openai_chat", "anthropic", "else"]),
    **OWN,
}

ENVELOPES: Strategies = {
    **_TOOLS,
    x.ToolChoice: _TOOL_CHOICE,
    x.ResponseFormat: _RESPONSE_FORMAT,
    x.Caching: _CACHING,
    x.Request: given(x.Request, {"messages": st.lists(messages(), max_size=5)}, _SETTINGS),
    x.Conversation: given(x.Conversation, {"messages": conversations()}, _STORED),
    x.Usage: _USAGE,
    x.Choice: _CHOICE,
    x.Response: given(x.Response, {"choices": _CHOICES}, _ANSWERED),
}
"""What goes to a model, what comes back, what is stored, and what they have beside messages."""


def requests() -> st.SearchStrategy[x.Request]:
    """Canonical requests: any `messages()`, and any of the settings beside them."""
    return ENVELOPES[x.Request]


def stored_conversations() -> st.SearchStrategy[x.Conversation]:
    """Conversations in the envelope that they are stored in: what `conversations()` gives, under the schema's version."""
    return ENVELOPES[x.Conversation]
