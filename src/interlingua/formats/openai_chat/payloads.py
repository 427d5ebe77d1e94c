"""The return types of dumps to Chat Completions."""

from typing import Any, Required

from typing_extensions import TypedDict

from ...codec.payloads import Items, PayloadTypes


class ChatMessages(TypedDict):
    """Bare messages in a Chat Completions shape."""

    messages: list[Any]


class ChatHistory(TypedDict, total=False):
    """Messages and tools in a Chat Completions shape, without settings."""

    messages: Required[Items]
    tools: Items


class ChatPayload(TypedDict, total=False):
    """A request body in a Chat Completions shape."""

    messages: Required[list[Any]]
    model: str
    tools: list[Any]
    tool_choice: Any
    parallel_tool_calls: bool
    max_completion_tokens: int
    max_tokens: int
    temperature: float
    top_p: float
    stop: str | list[str]
    reasoning_effort: Any
    response_format: Any
    metadata: dict[str, Any]
    user: str
    stream: bool


PAYLOADS = PayloadTypes(ChatPayload, ChatHistory, ChatMessages)
