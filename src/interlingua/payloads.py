"""The types of what a dump returns, for type checkers: precise at the top level, open below it.

Item TypedDicts are invariant, so `list[Any]` is what lets `client.chat.completions.create(**dump(...))` type-check. A dump
of bare messages or of a conversation has another type than that of a request: it never has `model` or other settings, which
the caller passes next to it. `tools/signatures.py` makes the overloads of `dump` and `convert` from `PAYLOADS`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Required

from typing_extensions import TypedDict

from .formats import FORMATS

if TYPE_CHECKING:
    from ._signatures import FormatName as FormatName  # noqa: PLC0414  # pyright: ignore[reportMissingModuleSource]
else:
    FormatName = Literal[tuple(FORMATS)]


class ChatMessages(TypedDict):
    """Bare messages in a Chat Completions shape."""

    messages: list[Any]


class ChatHistory(ChatMessages, total=False):
    """Messages and tools in a Chat Completions shape, without settings."""

    tools: list[Any]


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


class AnthropicMessages(TypedDict, total=False):
    """Bare messages in the Messages shape, the leading system text apart."""

    messages: Required[list[Any]]
    system: str | list[Any]


class AnthropicHistory(AnthropicMessages, total=False):
    """Messages and tools in the Messages shape, without settings."""

    tools: list[Any]


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


class CompletionsPrompt(TypedDict, total=False):
    """Bare messages as the prompt of legacy Completions; there is none where there are no messages."""

    prompt: str | list[str]


class CompletionsPayload(TypedDict, total=False):
    """A request body of legacy Completions."""

    prompt: str | list[Any]
    model: str
    max_tokens: int
    temperature: float
    top_p: float
    stop: str | list[str]
    user: str
    stream: bool


PAYLOADS: Mapping[str, tuple[type[Any], type[Any], type[Any]]] = MappingProxyType(
    {
        "openai_chat": (ChatPayload, ChatHistory, ChatMessages),
        "anthropic": (AnthropicPayload, AnthropicHistory, AnthropicMessages),
        "openai_completions": (CompletionsPayload, CompletionsPrompt, CompletionsPrompt),
    }
)
"""The types of a whole request, of a conversation and of bare messages, a row for each wire shape; dialects have those of the
format that they share `dump` with."""
