# What the functions that write requests return, by the name of the format. Written by `tools/signatures.py`: do not edit.
# A name that may be any has the last overload, which the checkers call unsafe:
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, Protocol, TypeAlias, overload

from .codec.format import Format
from .conversion.converted import Conversion
from .conversion.losses import OnLoss
from .formats.anthropic.payloads import AnthropicHistory, AnthropicMessages, AnthropicPayload
from .formats.bedrock_converse.payloads import ConverseCall, ConverseHistory, ConverseMessages, ConversePayload
from .formats.cohere.payloads import CohereHistory, CohereMessages, CoherePayload
from .formats.gemini.payloads import GeminiContents, GeminiHistory, GeminiPayload, GenaiMessages, GenaiPayload
from .formats.openai_chat.payloads import ChatHistory, ChatMessages, ChatPayload
from .formats.openai_completions.payloads import CompletionsPayload, CompletionsPrompt
from .formats.openai_responses.payloads import ResponsesHistory, ResponsesInput, ResponsesPayload
from .model.exchange import Conversation, Request
from .model.messages import MessageBase

FormatName: TypeAlias = Literal[
    "openai_chat",
    "verifiers",
    "litellm",
    "gemini_openai",
    "openhands",
    "clacky",
    "deepseek",
    "openrouter",
    "anthropic",
    "asktable",
    "anthropic_bedrock",
    "anthropic_vertex",
    "gemini",
    "google_genai",
    "bedrock_converse",
    "bedrock_boto3",
    "openai_completions",
    "openai_responses",
    "mistral",
    "cohere",
    "sharegpt",
    "alpaca",
]

# Every text resembles a sequence of these, and none is one. A last overload that takes it makes mypy blame a misspelt word in
# one error, where it would list all overloads.
class KnownWord: ...

AnyFormat: TypeAlias = FormatName | Format | Sequence[KnownWord]
AnyOnLoss: TypeAlias = OnLoss | Sequence[KnownWord]
AnyCheck: TypeAlias = Literal["raise"] | Sequence[KnownWord] | None

# Decorators: each gives its function the overloads below it.
def dump_by_name(function: Callable[..., Any], /) -> Dump: ...
def convert_by_name(function: Callable[..., Any], /) -> Convert: ...
def dump_history_by_name(function: Callable[..., Any], /) -> DumpHistory: ...

class Dump(Protocol):
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal[
            "openai_chat", "verifiers", "litellm", "gemini_openai", "openhands", "clacky", "deepseek", "openrouter", "mistral"
        ],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[True] = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> ChatPayload: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[True] = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> AnthropicPayload: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["gemini"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[True] = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> GeminiPayload: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["google_genai"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[True] = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> GenaiPayload: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["bedrock_converse"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[True] = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> ConversePayload: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["bedrock_boto3"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[True] = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> ConverseCall: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["openai_completions"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[True] = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> CompletionsPayload: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["openai_responses"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[True] = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> ResponsesPayload: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["cohere"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[True] = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> CoherePayload: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["sharegpt", "alpaca"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[True] = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> dict[str, Any]: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal[
            "openai_chat", "verifiers", "litellm", "gemini_openai", "openhands", "clacky", "deepseek", "openrouter", "mistral"
        ],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[False],
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> ChatHistory: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[False],
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> AnthropicHistory: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["gemini"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[False],
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> GeminiHistory: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["google_genai"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[False],
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> GenaiMessages: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["bedrock_converse"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[False],
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> ConverseHistory: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["bedrock_boto3"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[False],
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> ConverseHistory: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["openai_completions"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[False],
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> CompletionsPrompt: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["openai_responses"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[False],
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> ResponsesHistory: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["cohere"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[False],
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> CohereHistory: ...
    @overload
    def __call__(
        self,
        messages: Request,
        target: Literal["sharegpt", "alpaca"],
        *,
        on_loss: OnLoss = "warn",
        settings: Literal[False],
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> dict[str, Any]: ...
    @overload
    def __call__(
        self,
        messages: Conversation,
        target: Literal[
            "openai_chat", "verifiers", "litellm", "gemini_openai", "openhands", "clacky", "deepseek", "openrouter", "mistral"
        ],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> ChatHistory: ...
    @overload
    def __call__(
        self,
        messages: Conversation,
        target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> AnthropicHistory: ...
    @overload
    def __call__(
        self,
        messages: Conversation,
        target: Literal["gemini"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> GeminiHistory: ...
    @overload
    def __call__(
        self,
        messages: Conversation,
        target: Literal["google_genai"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> GenaiMessages: ...
    @overload
    def __call__(
        self,
        messages: Conversation,
        target: Literal["bedrock_converse"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> ConverseHistory: ...
    @overload
    def __call__(
        self,
        messages: Conversation,
        target: Literal["bedrock_boto3"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> ConverseHistory: ...
    @overload
    def __call__(
        self,
        messages: Conversation,
        target: Literal["openai_completions"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> CompletionsPrompt: ...
    @overload
    def __call__(
        self,
        messages: Conversation,
        target: Literal["openai_responses"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> ResponsesHistory: ...
    @overload
    def __call__(
        self,
        messages: Conversation,
        target: Literal["cohere"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> CohereHistory: ...
    @overload
    def __call__(
        self,
        messages: Conversation,
        target: Literal["sharegpt", "alpaca"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> dict[str, Any]: ...
    @overload
    def __call__(
        self,
        messages: Iterable[MessageBase | dict[str, Any]],
        target: Literal[
            "openai_chat", "verifiers", "litellm", "gemini_openai", "openhands", "clacky", "deepseek", "openrouter", "mistral"
        ],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> ChatMessages: ...
    @overload
    def __call__(
        self,
        messages: Iterable[MessageBase | dict[str, Any]],
        target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> AnthropicMessages: ...
    @overload
    def __call__(
        self,
        messages: Iterable[MessageBase | dict[str, Any]],
        target: Literal["gemini"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> GeminiContents: ...
    @overload
    def __call__(
        self,
        messages: Iterable[MessageBase | dict[str, Any]],
        target: Literal["google_genai"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> GenaiMessages: ...
    @overload
    def __call__(
        self,
        messages: Iterable[MessageBase | dict[str, Any]],
        target: Literal["bedrock_converse"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> ConverseMessages: ...
    @overload
    def __call__(
        self,
        messages: Iterable[MessageBase | dict[str, Any]],
        target: Literal["bedrock_boto3"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> ConverseMessages: ...
    @overload
    def __call__(
        self,
        messages: Iterable[MessageBase | dict[str, Any]],
        target: Literal["openai_completions"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> CompletionsPrompt: ...
    @overload
    def __call__(
        self,
        messages: Iterable[MessageBase | dict[str, Any]],
        target: Literal["openai_responses"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> ResponsesInput: ...
    @overload
    def __call__(
        self,
        messages: Iterable[MessageBase | dict[str, Any]],
        target: Literal["cohere"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> CohereMessages: ...
    @overload
    def __call__(
        self,
        messages: Iterable[MessageBase | dict[str, Any]],
        target: Literal["sharegpt", "alpaca"],
        *,
        on_loss: OnLoss = "warn",
        settings: bool = True,
        check: Literal["raise"] | None = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> dict[str, Any]: ...
    @overload
    def __call__(
        self,
        messages: Request | Conversation | Iterable[MessageBase | dict[str, Any]],
        target: AnyFormat,
        *,
        on_loss: AnyOnLoss = "warn",
        settings: bool = True,
        check: AnyCheck = None,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> dict[str, Any]: ...

class Convert(Protocol):
    @overload
    def __call__(
        self,
        payload: Any,
        *,
        source: AnyFormat | Literal["auto"],
        target: Literal[
            "openai_chat", "verifiers", "litellm", "gemini_openai", "openhands", "clacky", "deepseek", "openrouter", "mistral"
        ],
        strict: bool = False,
        model: str | None = None,
        stream: bool | None = None,
        check: bool = False,
        prefer: Iterable[FormatName | Format] = (),
        carry: bool = False,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> Conversion[ChatPayload]: ...
    @overload
    def __call__(
        self,
        payload: Any,
        *,
        source: AnyFormat | Literal["auto"],
        target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"],
        strict: bool = False,
        model: str | None = None,
        stream: bool | None = None,
        check: bool = False,
        prefer: Iterable[FormatName | Format] = (),
        carry: bool = False,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> Conversion[AnthropicPayload]: ...
    @overload
    def __call__(
        self,
        payload: Any,
        *,
        source: AnyFormat | Literal["auto"],
        target: Literal["gemini"],
        strict: bool = False,
        model: str | None = None,
        stream: bool | None = None,
        check: bool = False,
        prefer: Iterable[FormatName | Format] = (),
        carry: bool = False,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> Conversion[GeminiPayload]: ...
    @overload
    def __call__(
        self,
        payload: Any,
        *,
        source: AnyFormat | Literal["auto"],
        target: Literal["google_genai"],
        strict: bool = False,
        model: str | None = None,
        stream: bool | None = None,
        check: bool = False,
        prefer: Iterable[FormatName | Format] = (),
        carry: bool = False,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> Conversion[GenaiPayload]: ...
    @overload
    def __call__(
        self,
        payload: Any,
        *,
        source: AnyFormat | Literal["auto"],
        target: Literal["bedrock_converse"],
        strict: bool = False,
        model: str | None = None,
        stream: bool | None = None,
        check: bool = False,
        prefer: Iterable[FormatName | Format] = (),
        carry: bool = False,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> Conversion[ConversePayload]: ...
    @overload
    def __call__(
        self,
        payload: Any,
        *,
        source: AnyFormat | Literal["auto"],
        target: Literal["bedrock_boto3"],
        strict: bool = False,
        model: str | None = None,
        stream: bool | None = None,
        check: bool = False,
        prefer: Iterable[FormatName | Format] = (),
        carry: bool = False,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> Conversion[ConverseCall]: ...
    @overload
    def __call__(
        self,
        payload: Any,
        *,
        source: AnyFormat | Literal["auto"],
        target: Literal["openai_completions"],
        strict: bool = False,
        model: str | None = None,
        stream: bool | None = None,
        check: bool = False,
        prefer: Iterable[FormatName | Format] = (),
        carry: bool = False,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> Conversion[CompletionsPayload]: ...
    @overload
    def __call__(
        self,
        payload: Any,
        *,
        source: AnyFormat | Literal["auto"],
        target: Literal["openai_responses"],
        strict: bool = False,
        model: str | None = None,
        stream: bool | None = None,
        check: bool = False,
        prefer: Iterable[FormatName | Format] = (),
        carry: bool = False,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> Conversion[ResponsesPayload]: ...
    @overload
    def __call__(
        self,
        payload: Any,
        *,
        source: AnyFormat | Literal["auto"],
        target: Literal["cohere"],
        strict: bool = False,
        model: str | None = None,
        stream: bool | None = None,
        check: bool = False,
        prefer: Iterable[FormatName | Format] = (),
        carry: bool = False,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> Conversion[CoherePayload]: ...
    @overload
    def __call__(
        self,
        payload: Any,
        *,
        source: AnyFormat | Literal["auto"],
        target: Literal["sharegpt", "alpaca"],
        strict: bool = False,
        model: str | None = None,
        stream: bool | None = None,
        check: bool = False,
        prefer: Iterable[FormatName | Format] = (),
        carry: bool = False,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> Conversion[dict[str, Any]]: ...
    @overload
    def __call__(
        self,
        payload: Any,
        *,
        source: AnyFormat | Literal["auto"],
        target: AnyFormat,
        strict: bool = False,
        model: str | None = None,
        stream: bool | None = None,
        check: bool = False,
        prefer: Iterable[FormatName | Format] = (),
        carry: bool = False,
        foreign_reasoning: Literal["drop", "text"] = "drop",
        media: Literal["drop", "placeholder"] = "drop",
    ) -> Conversion[dict[str, Any]]: ...

class DumpHistory(Protocol):
    @overload
    def __call__(
        self,
        target: Literal[
            "openai_chat", "verifiers", "litellm", "gemini_openai", "openhands", "clacky", "deepseek", "openrouter", "mistral"
        ],
        *,
        on_loss: OnLoss = "warn",
    ) -> ChatMessages: ...
    @overload
    def __call__(
        self, target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"], *, on_loss: OnLoss = "warn"
    ) -> AnthropicMessages: ...
    @overload
    def __call__(self, target: Literal["gemini"], *, on_loss: OnLoss = "warn") -> GeminiContents: ...
    @overload
    def __call__(self, target: Literal["google_genai"], *, on_loss: OnLoss = "warn") -> GenaiMessages: ...
    @overload
    def __call__(self, target: Literal["bedrock_converse"], *, on_loss: OnLoss = "warn") -> ConverseMessages: ...
    @overload
    def __call__(self, target: Literal["bedrock_boto3"], *, on_loss: OnLoss = "warn") -> ConverseMessages: ...
    @overload
    def __call__(self, target: Literal["openai_completions"], *, on_loss: OnLoss = "warn") -> CompletionsPrompt: ...
    @overload
    def __call__(self, target: Literal["openai_responses"], *, on_loss: OnLoss = "warn") -> ResponsesInput: ...
    @overload
    def __call__(self, target: Literal["cohere"], *, on_loss: OnLoss = "warn") -> CohereMessages: ...
    @overload
    def __call__(self, target: Literal["sharegpt", "alpaca"], *, on_loss: OnLoss = "warn") -> dict[str, Any]: ...
    @overload
    def __call__(self, target: AnyFormat, *, on_loss: AnyOnLoss = "warn") -> dict[str, Any]: ...
