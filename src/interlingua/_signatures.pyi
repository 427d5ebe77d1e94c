# What the functions that write requests return, by the name of the format. Written by `tools/signatures.py`: do not edit.
# A name that may be any has the last overload, which the checkers call unsafe:
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from collections.abc import Callable, Iterable
from typing import Any, Literal, Protocol, TypeAlias, overload

from .codec.format import Format
from .front import Conversion
from .losses import OnLoss
from .model.exchange import Conversation, Request
from .model.messages import MessageBase
from .payloads import (
    AnthropicHistory,
    AnthropicMessages,
    AnthropicPayload,
    ChatHistory,
    ChatMessages,
    ChatPayload,
    CompletionsPayload,
    CompletionsPrompt,
)

FormatName: TypeAlias = Literal[
    "openai_chat",
    "verifiers",
    "litellm",
    "openhands",
    "clacky",
    "deepseek",
    "openrouter",
    "anthropic",
    "asktable",
    "anthropic_bedrock",
    "anthropic_vertex",
    "openai_completions",
]

# Decorators: each gives its function the overloads below it.
def dump_by_name(function: Callable[..., Any], /) -> Dump: ...
def convert_by_name(function: Callable[..., Any], /) -> Convert: ...
def dump_history_by_name(function: Callable[..., Any], /) -> DumpHistory: ...

class Dump(Protocol):
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["openai_chat", "verifiers", "litellm", "openhands", "clacky", "deepseek", "openrouter"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[True] = True,
    ) -> ChatPayload: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[True] = True,
    ) -> AnthropicPayload: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["openai_completions"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[True] = True,
    ) -> CompletionsPayload: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["openai_chat", "verifiers", "litellm", "openhands", "clacky", "deepseek", "openrouter"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[False],
    ) -> ChatHistory: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[False],
    ) -> AnthropicHistory: ...
    @overload
    def __call__(
        self, messages: Request, target: Literal["openai_completions"], *, on_loss: OnLoss = "warn", settings: Literal[False]
    ) -> CompletionsPrompt: ...
    @overload
    def __call__(
        self,
        messages: Conversation,
        target: Literal["openai_chat", "verifiers", "litellm", "openhands", "clacky", "deepseek", "openrouter"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
    ) -> ChatHistory: ...
    @overload
    def __call__(
        self,
        messages: Conversation,
        target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
    ) -> AnthropicHistory: ...
    @overload
    def __call__(
        self, messages: Conversation, target: Literal["openai_completions"], *, on_loss: OnLoss = "warn", settings: bool = True
    ) -> CompletionsPrompt: ...
    @overload
    def __call__(
        self,
        messages: Iterable[MessageBase | dict[str, Any]],
        target: Literal["openai_chat", "verifiers", "litellm", "openhands", "clacky", "deepseek", "openrouter"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
    ) -> ChatMessages: ...
    @overload
    def __call__(
        self,
        messages: Iterable[MessageBase | dict[str, Any]],
        target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
    ) -> AnthropicMessages: ...
    @overload
    def __call__(
        self,
        messages: Iterable[MessageBase | dict[str, Any]],
        target: Literal["openai_completions"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
    ) -> CompletionsPrompt: ...
    @overload
    def __call__(
        self,
        messages: Request | Conversation | Iterable[MessageBase | dict[str, Any]],
        target: FormatName | Format,
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
    ) -> dict[str, Any]: ...

class Convert(Protocol):
    @overload
    def __call__(
        self,
        payload: Any,
        *,
        source: FormatName | Format,
        target: Literal["openai_chat", "verifiers", "litellm", "openhands", "clacky", "deepseek", "openrouter"],
        strict: bool = False,
        model: str | None = None,
        stream: bool | None = None,
    ) -> Conversion[ChatPayload]: ...
    @overload
    def __call__(
        self,
        payload: Any,
        *,
        source: FormatName | Format,
        target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"],
        strict: bool = False,
        model: str | None = None,
        stream: bool | None = None,
    ) -> Conversion[AnthropicPayload]: ...
    @overload
    def __call__(
        self,
        payload: Any,
        *,
        source: FormatName | Format,
        target: Literal["openai_completions"],
        strict: bool = False,
        model: str | None = None,
        stream: bool | None = None,
    ) -> Conversion[CompletionsPayload]: ...
    @overload
    def __call__(
        self,
        payload: Any,
        *,
        source: FormatName | Format,
        target: FormatName | Format,
        strict: bool = False,
        model: str | None = None,
        stream: bool | None = None,
    ) -> Conversion[dict[str, Any]]: ...

class DumpHistory(Protocol):
    @overload
    def __call__(
        self,
        target: Literal["openai_chat", "verifiers", "litellm", "openhands", "clacky", "deepseek", "openrouter"],
        *,
        on_loss: OnLoss = "warn",
    ) -> ChatMessages: ...
    @overload
    def __call__(
        self, target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"], *, on_loss: OnLoss = "warn"
    ) -> AnthropicMessages: ...
    @overload
    def __call__(self, target: Literal["openai_completions"], *, on_loss: OnLoss = "warn") -> CompletionsPrompt: ...
    @overload
    def __call__(self, target: FormatName | Format, *, on_loss: OnLoss = "warn") -> dict[str, Any]: ...
