"""What a dump gives, for type checkers: precise at the top, open where the SDKs' own item types cannot be matched.

Item TypedDicts are invariant, so `list[Any]` is what lets `client.chat.completions.create(**dump(...))` type-check. A dump
of bare messages has its own type: it never holds `model` or other settings, which the caller passes beside it.
"""

from typing import Any, Literal, Required, TypeAlias

from typing_extensions import TypedDict

ChatName: TypeAlias = Literal["openai_chat", "verifiers", "litellm", "openhands", "clacky", "deepseek", "openrouter"]
AnthropicName: TypeAlias = Literal["anthropic", "asktable"]
CompletionsName: TypeAlias = Literal["openai_completions"]


class ChatMessages(TypedDict):
    """Bare messages in a Chat Completions shape."""

    messages: list[Any]


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
