"""The return types of dumps to Anthropic Messages."""

from typing import Any, Required

from typing_extensions import TypedDict

from ...codec.payloads import Items, PayloadTypes


class AnthropicMessages(TypedDict, total=False):
    """Bare messages in the Messages shape, with the leading system text in its own field."""

    messages: Required[list[Any]]
    system: str | list[Any]


class AnthropicHistory(TypedDict, total=False):
    """Messages and tools in the Messages shape, without settings."""

    messages: Required[Items]
    system: str | Items
    tools: Items


class AnthropicPayload(TypedDict, total=False):
    """A request body in the Messages shape."""

    messages: Required[list[Any]]
    system: str | list[Any]
    model: str
    max_tokens: int
    tools: list[Any]
    tool_choice: Any
    stop_sequences: list[str]
    thinking: Any
    output_config: Any
    metadata: Any
    stream: bool


PAYLOADS = PayloadTypes(AnthropicPayload, AnthropicHistory, AnthropicMessages)
