# What functions return, by the name of the format or the kind of the value. Written by `tools/signatures.py`: do not edit.
# A name that may be any has the last overload, which the checkers call unsafe:
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false, reportRedeclaration=false

from collections.abc import AsyncGenerator, AsyncIterable, Callable, Generator, Iterable, Sequence
from typing import Any, Literal, Never, Protocol, TypeAlias, TypeVar, overload

from .checking.repairing.pairs import Policy
from .codec.format import Format
from .conversion.context import RequestContext
from .conversion.converted import Conversion
from .conversion.filling import Fill
from .conversion.losses import OnLoss
from .conversion.restreaming import AsyncRestream, Restream
from .errors import Repair
from .formats.anthropic.payloads import AnthropicHistory, AnthropicMessages, AnthropicPayload
from .formats.bedrock_converse.payloads import ConverseCall, ConverseHistory, ConverseMessages, ConversePayload
from .formats.cohere.payloads import CohereHistory, CohereMessages, CoherePayload
from .formats.gemini.payloads import GeminiContents, GeminiHistory, GeminiPayload, GenaiMessages, GenaiPayload
from .formats.gemini_interactions.payloads import InteractionsHistory, InteractionsInput, InteractionsPayload
from .formats.harmony.payloads import HarmonyPayload, HarmonyPrompt
from .formats.ollama.payloads import OllamaHistory, OllamaMessages, OllamaPayload
from .formats.openai_chat.payloads import ChatHistory, ChatMessages, ChatPayload
from .formats.openai_completions.payloads import CompletionsPayload, CompletionsPrompt
from .formats.openai_responses.payloads import ResponsesHistory, ResponsesInput, ResponsesPayload
from .model.exchange import Conversation, Request
from .model.messages import Message, MessageBase

FormatName: TypeAlias = Literal[
    "openai_chat",
    "verifiers",
    "litellm",
    "gemini_openai",
    "openhands",
    "clacky",
    "deepseek",
    "openrouter",
    "groq",
    "xai",
    "huggingface",
    "vllm",
    "sglang",
    "anthropic",
    "asktable",
    "anthropic_bedrock",
    "anthropic_vertex",
    "gemini",
    "google_genai",
    "bedrock_converse",
    "bedrock_boto3",
    "bedrock_nova",
    "bedrock_text",
    "openai_completions",
    "openai_responses",
    "harmony",
    "gemini_interactions",
    "mistral",
    "hf_chat_template",
    "cohere",
    "ollama",
    "ollama_generate",
    "sharegpt",
    "alpaca",
    "bedrock_invoke",
]

# Every text resembles a sequence of these, and none is one. A last overload that takes it makes mypy blame a misspelt word in
# one error, where it would list all overloads.
class KnownWord: ...

# What Pyright says a misspelt name is not.
class KnownFormat: ...

AnyFormat: TypeAlias = FormatName | Format | Sequence[KnownWord]
AnyOnLoss: TypeAlias = OnLoss | Sequence[KnownWord]
AnyCheck: TypeAlias = Literal["raise"] | Sequence[KnownWord] | None
AnyPolicy: TypeAlias = Policy | Sequence[KnownWord]

# What Pyright takes a type variable for that an argument left open, and, being outside of all bounds, one for Any.
class Open: ...
class Unknown: ...

FormatT = TypeVar("FormatT", bound=FormatName | Format | KnownFormat)
ValueT = TypeVar("ValueT", bound=Request | Conversation | Open)
ChunksT = TypeVar("ChunksT", bound=AsyncIterable[Any] | Open)
ResultT = TypeVar("ResultT")

# Decorators: each gives its function a type.
def type_of_dump(function: Callable[..., Any], /) -> Dump: ...
def type_of_convert(function: Callable[..., Any], /) -> Convert: ...
def type_of_dump_history(function: Callable[..., Any], /) -> DumpHistory: ...
def type_of_restream(function: Callable[..., Any], /) -> RestreamChunks: ...
def type_of_sse(function: Callable[..., Any], /) -> SSE: ...
def type_of_repair(function: Callable[..., Any], /) -> RepairValue: ...

# True for mypy alone.
MYPY: bool

if MYPY:
    class Dump(Protocol):
        @overload
        def __call__(
            self,
            messages: Iterable[MessageBase | dict[str, Any]],
            target: Literal[
                "openai_chat",
                "verifiers",
                "litellm",
                "gemini_openai",
                "openhands",
                "clacky",
                "deepseek",
                "openrouter",
                "groq",
                "xai",
                "huggingface",
                "vllm",
                "sglang",
                "mistral",
            ],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
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
            settings: Literal[True] = True,
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
            settings: Literal[True] = True,
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
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> GenaiMessages: ...
        @overload
        def __call__(
            self,
            messages: Iterable[MessageBase | dict[str, Any]],
            target: Literal["bedrock_converse", "bedrock_nova"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
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
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> ConverseMessages: ...
        @overload
        def __call__(
            self,
            messages: Iterable[MessageBase | dict[str, Any]],
            target: Literal["bedrock_text", "hf_chat_template", "ollama_generate", "sharegpt", "alpaca", "bedrock_invoke"],
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
            messages: Iterable[MessageBase | dict[str, Any]],
            target: Literal["openai_completions"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
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
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> ResponsesInput: ...
        @overload
        def __call__(
            self,
            messages: Iterable[MessageBase | dict[str, Any]],
            target: Literal["harmony"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> HarmonyPrompt: ...
        @overload
        def __call__(
            self,
            messages: Iterable[MessageBase | dict[str, Any]],
            target: Literal["gemini_interactions"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> InteractionsInput: ...
        @overload
        def __call__(
            self,
            messages: Iterable[MessageBase | dict[str, Any]],
            target: Literal["cohere"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> CohereMessages: ...
        @overload
        def __call__(
            self,
            messages: Iterable[MessageBase | dict[str, Any]],
            target: Literal["ollama"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> OllamaMessages: ...
        @overload
        def __call__(
            self,
            messages: Request,
            target: Literal[
                "openai_chat",
                "verifiers",
                "litellm",
                "gemini_openai",
                "openhands",
                "clacky",
                "deepseek",
                "openrouter",
                "groq",
                "xai",
                "huggingface",
                "vllm",
                "sglang",
                "mistral",
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
            target: Literal["bedrock_converse", "bedrock_nova"],
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
            target: Literal["bedrock_text", "hf_chat_template", "ollama_generate", "sharegpt", "alpaca", "bedrock_invoke"],
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
            target: Literal["harmony"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> HarmonyPayload: ...
        @overload
        def __call__(
            self,
            messages: Request,
            target: Literal["gemini_interactions"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> InteractionsPayload: ...
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
            target: Literal["ollama"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> OllamaPayload: ...
        @overload
        def __call__(
            self,
            messages: Conversation,
            target: Literal[
                "openai_chat",
                "verifiers",
                "litellm",
                "gemini_openai",
                "openhands",
                "clacky",
                "deepseek",
                "openrouter",
                "groq",
                "xai",
                "huggingface",
                "vllm",
                "sglang",
                "mistral",
            ],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
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
            settings: Literal[True] = True,
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
            settings: Literal[True] = True,
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
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> GenaiMessages: ...
        @overload
        def __call__(
            self,
            messages: Conversation,
            target: Literal["bedrock_converse", "bedrock_nova"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
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
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> ConverseHistory: ...
        @overload
        def __call__(
            self,
            messages: Conversation,
            target: Literal["bedrock_text", "hf_chat_template", "ollama_generate", "sharegpt", "alpaca", "bedrock_invoke"],
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
            messages: Conversation,
            target: Literal["openai_completions"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
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
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> ResponsesHistory: ...
        @overload
        def __call__(
            self,
            messages: Conversation,
            target: Literal["harmony"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> HarmonyPrompt: ...
        @overload
        def __call__(
            self,
            messages: Conversation,
            target: Literal["gemini_interactions"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> InteractionsHistory: ...
        @overload
        def __call__(
            self,
            messages: Conversation,
            target: Literal["cohere"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> CohereHistory: ...
        @overload
        def __call__(
            self,
            messages: Conversation,
            target: Literal["ollama"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> OllamaHistory: ...
        @overload
        def __call__(
            self,
            messages: Iterable[MessageBase | dict[str, Any]],
            target: Literal[
                "openai_chat",
                "verifiers",
                "litellm",
                "gemini_openai",
                "openhands",
                "clacky",
                "deepseek",
                "openrouter",
                "groq",
                "xai",
                "huggingface",
                "vllm",
                "sglang",
                "mistral",
            ],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[False],
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
            settings: Literal[False],
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
            settings: Literal[False],
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
            settings: Literal[False],
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> GenaiMessages: ...
        @overload
        def __call__(
            self,
            messages: Iterable[MessageBase | dict[str, Any]],
            target: Literal["bedrock_converse", "bedrock_nova"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[False],
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
            settings: Literal[False],
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> ConverseMessages: ...
        @overload
        def __call__(
            self,
            messages: Iterable[MessageBase | dict[str, Any]],
            target: Literal["bedrock_text", "hf_chat_template", "ollama_generate", "sharegpt", "alpaca", "bedrock_invoke"],
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
            messages: Iterable[MessageBase | dict[str, Any]],
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
            messages: Iterable[MessageBase | dict[str, Any]],
            target: Literal["openai_responses"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[False],
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> ResponsesInput: ...
        @overload
        def __call__(
            self,
            messages: Iterable[MessageBase | dict[str, Any]],
            target: Literal["harmony"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[False],
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> HarmonyPrompt: ...
        @overload
        def __call__(
            self,
            messages: Iterable[MessageBase | dict[str, Any]],
            target: Literal["gemini_interactions"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[False],
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> InteractionsInput: ...
        @overload
        def __call__(
            self,
            messages: Iterable[MessageBase | dict[str, Any]],
            target: Literal["cohere"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[False],
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> CohereMessages: ...
        @overload
        def __call__(
            self,
            messages: Iterable[MessageBase | dict[str, Any]],
            target: Literal["ollama"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[False],
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> OllamaMessages: ...
        @overload
        def __call__(
            self,
            messages: Request | Conversation,
            target: Literal[
                "openai_chat",
                "verifiers",
                "litellm",
                "gemini_openai",
                "openhands",
                "clacky",
                "deepseek",
                "openrouter",
                "groq",
                "xai",
                "huggingface",
                "vllm",
                "sglang",
                "mistral",
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
            messages: Request | Conversation,
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
            messages: Request | Conversation,
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
            messages: Request | Conversation,
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
            messages: Request | Conversation,
            target: Literal["bedrock_converse", "bedrock_nova"],
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
            messages: Request | Conversation,
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
            messages: Request | Conversation,
            target: Literal["bedrock_text", "hf_chat_template", "ollama_generate", "sharegpt", "alpaca", "bedrock_invoke"],
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
            messages: Request | Conversation,
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
            messages: Request | Conversation,
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
            messages: Request | Conversation,
            target: Literal["harmony"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[False],
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> HarmonyPrompt: ...
        @overload
        def __call__(
            self,
            messages: Request | Conversation,
            target: Literal["gemini_interactions"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[False],
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> InteractionsHistory: ...
        @overload
        def __call__(
            self,
            messages: Request | Conversation,
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
            messages: Request | Conversation,
            target: Literal["ollama"],
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[False],
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> OllamaHistory: ...
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
            source: FormatName | Format | Literal["auto"],
            target: Literal[
                "openai_chat",
                "verifiers",
                "litellm",
                "gemini_openai",
                "openhands",
                "clacky",
                "deepseek",
                "openrouter",
                "groq",
                "xai",
                "huggingface",
                "vllm",
                "sglang",
                "mistral",
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
            source: FormatName | Format | Literal["auto"],
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
            source: FormatName | Format | Literal["auto"],
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
            source: FormatName | Format | Literal["auto"],
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
            source: FormatName | Format | Literal["auto"],
            target: Literal["bedrock_converse", "bedrock_nova"],
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
            source: FormatName | Format | Literal["auto"],
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
            source: FormatName | Format | Literal["auto"],
            target: Literal["bedrock_text", "hf_chat_template", "ollama_generate", "sharegpt", "alpaca", "bedrock_invoke"],
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
            source: FormatName | Format | Literal["auto"],
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
            source: FormatName | Format | Literal["auto"],
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
            source: FormatName | Format | Literal["auto"],
            target: Literal["harmony"],
            strict: bool = False,
            model: str | None = None,
            stream: bool | None = None,
            check: bool = False,
            prefer: Iterable[FormatName | Format] = (),
            carry: bool = False,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> Conversion[HarmonyPayload]: ...
        @overload
        def __call__(
            self,
            payload: Any,
            *,
            source: FormatName | Format | Literal["auto"],
            target: Literal["gemini_interactions"],
            strict: bool = False,
            model: str | None = None,
            stream: bool | None = None,
            check: bool = False,
            prefer: Iterable[FormatName | Format] = (),
            carry: bool = False,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> Conversion[InteractionsPayload]: ...
        @overload
        def __call__(
            self,
            payload: Any,
            *,
            source: FormatName | Format | Literal["auto"],
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
            source: FormatName | Format | Literal["auto"],
            target: Literal["ollama"],
            strict: bool = False,
            model: str | None = None,
            stream: bool | None = None,
            check: bool = False,
            prefer: Iterable[FormatName | Format] = (),
            carry: bool = False,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
        ) -> Conversion[OllamaPayload]: ...
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
                "openai_chat",
                "verifiers",
                "litellm",
                "gemini_openai",
                "openhands",
                "clacky",
                "deepseek",
                "openrouter",
                "groq",
                "xai",
                "huggingface",
                "vllm",
                "sglang",
                "mistral",
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
        def __call__(
            self, target: Literal["bedrock_converse", "bedrock_nova"], *, on_loss: OnLoss = "warn"
        ) -> ConverseMessages: ...
        @overload
        def __call__(self, target: Literal["bedrock_boto3"], *, on_loss: OnLoss = "warn") -> ConverseMessages: ...
        @overload
        def __call__(
            self,
            target: Literal["bedrock_text", "hf_chat_template", "ollama_generate", "sharegpt", "alpaca", "bedrock_invoke"],
            *,
            on_loss: OnLoss = "warn",
        ) -> dict[str, Any]: ...
        @overload
        def __call__(self, target: Literal["openai_completions"], *, on_loss: OnLoss = "warn") -> CompletionsPrompt: ...
        @overload
        def __call__(self, target: Literal["openai_responses"], *, on_loss: OnLoss = "warn") -> ResponsesInput: ...
        @overload
        def __call__(self, target: Literal["harmony"], *, on_loss: OnLoss = "warn") -> HarmonyPrompt: ...
        @overload
        def __call__(self, target: Literal["gemini_interactions"], *, on_loss: OnLoss = "warn") -> InteractionsInput: ...
        @overload
        def __call__(self, target: Literal["cohere"], *, on_loss: OnLoss = "warn") -> CohereMessages: ...
        @overload
        def __call__(self, target: Literal["ollama"], *, on_loss: OnLoss = "warn") -> OllamaMessages: ...
        @overload
        def __call__(self, target: AnyFormat, *, on_loss: AnyOnLoss = "warn") -> dict[str, Any]: ...

    class RestreamChunks(Protocol):
        @overload
        def __call__(
            self,
            chunks: Iterable[Any],
            *,
            source: AnyFormat,
            target: AnyFormat,
            on_loss: AnyOnLoss = "warn",
            usage: bool = False,
            request: Conversion[Any] | RequestContext | None = None,
            fill: bool | Fill = False,
            carry: bool = False,
        ) -> Restream: ...
        @overload
        def __call__(
            self,
            chunks: AsyncIterable[Any],
            *,
            source: AnyFormat,
            target: AnyFormat,
            on_loss: AnyOnLoss = "warn",
            usage: bool = False,
            request: Conversion[Any] | RequestContext | None = None,
            fill: bool | Fill = False,
            carry: bool = False,
        ) -> AsyncRestream: ...

    class SSE(Protocol):
        @overload
        def __call__(
            self, chunks: Iterable[Any], target: AnyFormat, *, on_loss: AnyOnLoss = "warn", fill: bool | Fill = False
        ) -> Generator[bytes]: ...
        @overload
        def __call__(
            self, chunks: AsyncIterable[Any], target: AnyFormat, *, on_loss: AnyOnLoss = "warn", fill: bool | Fill = False
        ) -> AsyncGenerator[bytes]: ...

    class RepairValue(Protocol):
        @overload
        def __call__(
            self, value: Request, format: AnyFormat, *, policy: AnyPolicy = "drop", warnings: bool = False
        ) -> tuple[Request, list[Repair]]: ...
        @overload
        def __call__(
            self, value: Conversation, format: AnyFormat, *, policy: AnyPolicy = "drop", warnings: bool = False
        ) -> tuple[Conversation, list[Repair]]: ...
        @overload
        def __call__(
            self,
            value: Iterable[MessageBase | dict[str, Any]],
            format: AnyFormat,
            *,
            policy: AnyPolicy = "drop",
            warnings: bool = False,
        ) -> tuple[list[Message], list[Repair]]: ...

else:
    @overload
    def dump_1(messages: Any, target: KnownFormat, /) -> Any: ...
    @overload
    def dump_1(messages: Unknown, target: Any, /) -> dict[str, Any]: ...
    @overload
    def dump_1(
        messages: Open,
        target: Literal[
            "openai_chat",
            "verifiers",
            "litellm",
            "gemini_openai",
            "openhands",
            "clacky",
            "deepseek",
            "openrouter",
            "groq",
            "xai",
            "huggingface",
            "vllm",
            "sglang",
            "mistral",
        ],
        /,
    ) -> ChatMessages: ...
    @overload
    def dump_1(
        messages: Open, target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"], /
    ) -> AnthropicMessages: ...
    @overload
    def dump_1(messages: Open, target: Literal["gemini"], /) -> GeminiContents: ...
    @overload
    def dump_1(messages: Open, target: Literal["google_genai"], /) -> GenaiMessages: ...
    @overload
    def dump_1(messages: Open, target: Literal["bedrock_converse", "bedrock_nova"], /) -> ConverseMessages: ...
    @overload
    def dump_1(messages: Open, target: Literal["bedrock_boto3"], /) -> ConverseMessages: ...
    @overload
    def dump_1(
        messages: Open,
        target: Literal["bedrock_text", "hf_chat_template", "ollama_generate", "sharegpt", "alpaca", "bedrock_invoke"],
        /,
    ) -> dict[str, Any]: ...
    @overload
    def dump_1(messages: Open, target: Literal["openai_completions"], /) -> CompletionsPrompt: ...
    @overload
    def dump_1(messages: Open, target: Literal["openai_responses"], /) -> ResponsesInput: ...
    @overload
    def dump_1(messages: Open, target: Literal["harmony"], /) -> HarmonyPrompt: ...
    @overload
    def dump_1(messages: Open, target: Literal["gemini_interactions"], /) -> InteractionsInput: ...
    @overload
    def dump_1(messages: Open, target: Literal["cohere"], /) -> CohereMessages: ...
    @overload
    def dump_1(messages: Open, target: Literal["ollama"], /) -> OllamaMessages: ...
    @overload
    def dump_1(
        messages: Request,
        target: Literal[
            "openai_chat",
            "verifiers",
            "litellm",
            "gemini_openai",
            "openhands",
            "clacky",
            "deepseek",
            "openrouter",
            "groq",
            "xai",
            "huggingface",
            "vllm",
            "sglang",
            "mistral",
        ],
        /,
    ) -> ChatPayload: ...
    @overload
    def dump_1(
        messages: Request, target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"], /
    ) -> AnthropicPayload: ...
    @overload
    def dump_1(messages: Request, target: Literal["gemini"], /) -> GeminiPayload: ...
    @overload
    def dump_1(messages: Request, target: Literal["google_genai"], /) -> GenaiPayload: ...
    @overload
    def dump_1(messages: Request, target: Literal["bedrock_converse", "bedrock_nova"], /) -> ConversePayload: ...
    @overload
    def dump_1(messages: Request, target: Literal["bedrock_boto3"], /) -> ConverseCall: ...
    @overload
    def dump_1(
        messages: Request,
        target: Literal["bedrock_text", "hf_chat_template", "ollama_generate", "sharegpt", "alpaca", "bedrock_invoke"],
        /,
    ) -> dict[str, Any]: ...
    @overload
    def dump_1(messages: Request, target: Literal["openai_completions"], /) -> CompletionsPayload: ...
    @overload
    def dump_1(messages: Request, target: Literal["openai_responses"], /) -> ResponsesPayload: ...
    @overload
    def dump_1(messages: Request, target: Literal["harmony"], /) -> HarmonyPayload: ...
    @overload
    def dump_1(messages: Request, target: Literal["gemini_interactions"], /) -> InteractionsPayload: ...
    @overload
    def dump_1(messages: Request, target: Literal["cohere"], /) -> CoherePayload: ...
    @overload
    def dump_1(messages: Request, target: Literal["ollama"], /) -> OllamaPayload: ...
    @overload
    def dump_1(
        messages: Conversation,
        target: Literal[
            "openai_chat",
            "verifiers",
            "litellm",
            "gemini_openai",
            "openhands",
            "clacky",
            "deepseek",
            "openrouter",
            "groq",
            "xai",
            "huggingface",
            "vllm",
            "sglang",
            "mistral",
        ],
        /,
    ) -> ChatHistory: ...
    @overload
    def dump_1(
        messages: Conversation, target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"], /
    ) -> AnthropicHistory: ...
    @overload
    def dump_1(messages: Conversation, target: Literal["gemini"], /) -> GeminiHistory: ...
    @overload
    def dump_1(messages: Conversation, target: Literal["google_genai"], /) -> GenaiMessages: ...
    @overload
    def dump_1(messages: Conversation, target: Literal["bedrock_converse", "bedrock_nova"], /) -> ConverseHistory: ...
    @overload
    def dump_1(messages: Conversation, target: Literal["bedrock_boto3"], /) -> ConverseHistory: ...
    @overload
    def dump_1(
        messages: Conversation,
        target: Literal["bedrock_text", "hf_chat_template", "ollama_generate", "sharegpt", "alpaca", "bedrock_invoke"],
        /,
    ) -> dict[str, Any]: ...
    @overload
    def dump_1(messages: Conversation, target: Literal["openai_completions"], /) -> CompletionsPrompt: ...
    @overload
    def dump_1(messages: Conversation, target: Literal["openai_responses"], /) -> ResponsesHistory: ...
    @overload
    def dump_1(messages: Conversation, target: Literal["harmony"], /) -> HarmonyPrompt: ...
    @overload
    def dump_1(messages: Conversation, target: Literal["gemini_interactions"], /) -> InteractionsHistory: ...
    @overload
    def dump_1(messages: Conversation, target: Literal["cohere"], /) -> CohereHistory: ...
    @overload
    def dump_1(messages: Conversation, target: Literal["ollama"], /) -> OllamaHistory: ...
    @overload
    def dump_1(
        messages: Request | Conversation | Iterable[MessageBase | dict[str, Any]], target: AnyFormat, /
    ) -> dict[str, Any]: ...
    @overload
    def dump_2(messages: Any, target: KnownFormat, /) -> Any: ...
    @overload
    def dump_2(messages: Unknown, target: Any, /) -> dict[str, Any]: ...
    @overload
    def dump_2(
        messages: Open,
        target: Literal[
            "openai_chat",
            "verifiers",
            "litellm",
            "gemini_openai",
            "openhands",
            "clacky",
            "deepseek",
            "openrouter",
            "groq",
            "xai",
            "huggingface",
            "vllm",
            "sglang",
            "mistral",
        ],
        /,
    ) -> ChatMessages: ...
    @overload
    def dump_2(
        messages: Open, target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"], /
    ) -> AnthropicMessages: ...
    @overload
    def dump_2(messages: Open, target: Literal["gemini"], /) -> GeminiContents: ...
    @overload
    def dump_2(messages: Open, target: Literal["google_genai"], /) -> GenaiMessages: ...
    @overload
    def dump_2(messages: Open, target: Literal["bedrock_converse", "bedrock_nova"], /) -> ConverseMessages: ...
    @overload
    def dump_2(messages: Open, target: Literal["bedrock_boto3"], /) -> ConverseMessages: ...
    @overload
    def dump_2(
        messages: Open,
        target: Literal["bedrock_text", "hf_chat_template", "ollama_generate", "sharegpt", "alpaca", "bedrock_invoke"],
        /,
    ) -> dict[str, Any]: ...
    @overload
    def dump_2(messages: Open, target: Literal["openai_completions"], /) -> CompletionsPrompt: ...
    @overload
    def dump_2(messages: Open, target: Literal["openai_responses"], /) -> ResponsesInput: ...
    @overload
    def dump_2(messages: Open, target: Literal["harmony"], /) -> HarmonyPrompt: ...
    @overload
    def dump_2(messages: Open, target: Literal["gemini_interactions"], /) -> InteractionsInput: ...
    @overload
    def dump_2(messages: Open, target: Literal["cohere"], /) -> CohereMessages: ...
    @overload
    def dump_2(messages: Open, target: Literal["ollama"], /) -> OllamaMessages: ...
    @overload
    def dump_2(
        messages: Request | Conversation,
        target: Literal[
            "openai_chat",
            "verifiers",
            "litellm",
            "gemini_openai",
            "openhands",
            "clacky",
            "deepseek",
            "openrouter",
            "groq",
            "xai",
            "huggingface",
            "vllm",
            "sglang",
            "mistral",
        ],
        /,
    ) -> ChatHistory: ...
    @overload
    def dump_2(
        messages: Request | Conversation, target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"], /
    ) -> AnthropicHistory: ...
    @overload
    def dump_2(messages: Request | Conversation, target: Literal["gemini"], /) -> GeminiHistory: ...
    @overload
    def dump_2(messages: Request | Conversation, target: Literal["google_genai"], /) -> GenaiMessages: ...
    @overload
    def dump_2(messages: Request | Conversation, target: Literal["bedrock_converse", "bedrock_nova"], /) -> ConverseHistory: ...
    @overload
    def dump_2(messages: Request | Conversation, target: Literal["bedrock_boto3"], /) -> ConverseHistory: ...
    @overload
    def dump_2(
        messages: Request | Conversation,
        target: Literal["bedrock_text", "hf_chat_template", "ollama_generate", "sharegpt", "alpaca", "bedrock_invoke"],
        /,
    ) -> dict[str, Any]: ...
    @overload
    def dump_2(messages: Request | Conversation, target: Literal["openai_completions"], /) -> CompletionsPrompt: ...
    @overload
    def dump_2(messages: Request | Conversation, target: Literal["openai_responses"], /) -> ResponsesHistory: ...
    @overload
    def dump_2(messages: Request | Conversation, target: Literal["harmony"], /) -> HarmonyPrompt: ...
    @overload
    def dump_2(messages: Request | Conversation, target: Literal["gemini_interactions"], /) -> InteractionsHistory: ...
    @overload
    def dump_2(messages: Request | Conversation, target: Literal["cohere"], /) -> CohereHistory: ...
    @overload
    def dump_2(messages: Request | Conversation, target: Literal["ollama"], /) -> OllamaHistory: ...
    @overload
    def dump_2(
        messages: Request | Conversation | Iterable[MessageBase | dict[str, Any]], target: AnyFormat, /
    ) -> dict[str, Any]: ...
    class Dump(Protocol):
        @overload
        def __call__(
            self,
            messages: Iterable[MessageBase | dict[str, Any]] | ValueT,
            target: FormatT,
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[True] = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
            _result: Callable[[ValueT, FormatT], ResultT] = dump_1,
        ) -> ResultT: ...
        @overload
        def __call__(
            self,
            messages: Iterable[MessageBase | dict[str, Any]] | ValueT,
            target: FormatT,
            *,
            on_loss: OnLoss = "warn",
            settings: Literal[False],
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
            _result: Callable[[ValueT, FormatT], ResultT] = dump_2,
        ) -> ResultT: ...
        @overload
        def __call__(
            self,
            messages: Request | Conversation | Iterable[MessageBase | dict[str, Any]],
            target: FormatName | Format,
            *,
            on_loss: OnLoss = "warn",
            settings: bool = True,
            check: Literal["raise"] | None = None,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
            _result: Never,
        ) -> dict[str, Any]: ...

    @overload
    def convert_1(target: KnownFormat, /) -> Any: ...
    @overload
    def convert_1(
        target: Literal[
            "openai_chat",
            "verifiers",
            "litellm",
            "gemini_openai",
            "openhands",
            "clacky",
            "deepseek",
            "openrouter",
            "groq",
            "xai",
            "huggingface",
            "vllm",
            "sglang",
            "mistral",
        ],
        /,
    ) -> Conversion[ChatPayload]: ...
    @overload
    def convert_1(
        target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"], /
    ) -> Conversion[AnthropicPayload]: ...
    @overload
    def convert_1(target: Literal["gemini"], /) -> Conversion[GeminiPayload]: ...
    @overload
    def convert_1(target: Literal["google_genai"], /) -> Conversion[GenaiPayload]: ...
    @overload
    def convert_1(target: Literal["bedrock_converse", "bedrock_nova"], /) -> Conversion[ConversePayload]: ...
    @overload
    def convert_1(target: Literal["bedrock_boto3"], /) -> Conversion[ConverseCall]: ...
    @overload
    def convert_1(
        target: Literal["bedrock_text", "hf_chat_template", "ollama_generate", "sharegpt", "alpaca", "bedrock_invoke"], /
    ) -> Conversion[dict[str, Any]]: ...
    @overload
    def convert_1(target: Literal["openai_completions"], /) -> Conversion[CompletionsPayload]: ...
    @overload
    def convert_1(target: Literal["openai_responses"], /) -> Conversion[ResponsesPayload]: ...
    @overload
    def convert_1(target: Literal["harmony"], /) -> Conversion[HarmonyPayload]: ...
    @overload
    def convert_1(target: Literal["gemini_interactions"], /) -> Conversion[InteractionsPayload]: ...
    @overload
    def convert_1(target: Literal["cohere"], /) -> Conversion[CoherePayload]: ...
    @overload
    def convert_1(target: Literal["ollama"], /) -> Conversion[OllamaPayload]: ...
    @overload
    def convert_1(target: AnyFormat, /) -> Conversion[dict[str, Any]]: ...
    class Convert(Protocol):
        @overload
        def __call__(
            self,
            payload: Any,
            *,
            source: FormatName | Format | Literal["auto"],
            target: FormatT,
            strict: bool = False,
            model: str | None = None,
            stream: bool | None = None,
            check: bool = False,
            prefer: Iterable[FormatName | Format] = (),
            carry: bool = False,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
            _result: Callable[[FormatT], ResultT] = convert_1,
        ) -> ResultT: ...
        @overload
        def __call__(
            self,
            payload: Any,
            *,
            source: FormatName | Format | Literal["auto"],
            target: FormatName | Format,
            strict: bool = False,
            model: str | None = None,
            stream: bool | None = None,
            check: bool = False,
            prefer: Iterable[FormatName | Format] = (),
            carry: bool = False,
            foreign_reasoning: Literal["drop", "text"] = "drop",
            media: Literal["drop", "placeholder"] = "drop",
            _result: Never,
        ) -> Conversion[dict[str, Any]]: ...

    @overload
    def dump_history_1(target: KnownFormat, /) -> Any: ...
    @overload
    def dump_history_1(
        target: Literal[
            "openai_chat",
            "verifiers",
            "litellm",
            "gemini_openai",
            "openhands",
            "clacky",
            "deepseek",
            "openrouter",
            "groq",
            "xai",
            "huggingface",
            "vllm",
            "sglang",
            "mistral",
        ],
        /,
    ) -> ChatMessages: ...
    @overload
    def dump_history_1(
        target: Literal["anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex"], /
    ) -> AnthropicMessages: ...
    @overload
    def dump_history_1(target: Literal["gemini"], /) -> GeminiContents: ...
    @overload
    def dump_history_1(target: Literal["google_genai"], /) -> GenaiMessages: ...
    @overload
    def dump_history_1(target: Literal["bedrock_converse", "bedrock_nova"], /) -> ConverseMessages: ...
    @overload
    def dump_history_1(target: Literal["bedrock_boto3"], /) -> ConverseMessages: ...
    @overload
    def dump_history_1(
        target: Literal["bedrock_text", "hf_chat_template", "ollama_generate", "sharegpt", "alpaca", "bedrock_invoke"], /
    ) -> dict[str, Any]: ...
    @overload
    def dump_history_1(target: Literal["openai_completions"], /) -> CompletionsPrompt: ...
    @overload
    def dump_history_1(target: Literal["openai_responses"], /) -> ResponsesInput: ...
    @overload
    def dump_history_1(target: Literal["harmony"], /) -> HarmonyPrompt: ...
    @overload
    def dump_history_1(target: Literal["gemini_interactions"], /) -> InteractionsInput: ...
    @overload
    def dump_history_1(target: Literal["cohere"], /) -> CohereMessages: ...
    @overload
    def dump_history_1(target: Literal["ollama"], /) -> OllamaMessages: ...
    @overload
    def dump_history_1(target: AnyFormat, /) -> dict[str, Any]: ...
    class DumpHistory(Protocol):
        @overload
        def __call__(
            self, target: FormatT, *, on_loss: OnLoss = "warn", _result: Callable[[FormatT], ResultT] = dump_history_1
        ) -> ResultT: ...
        @overload
        def __call__(self, target: FormatName | Format, *, on_loss: OnLoss = "warn", _result: Never) -> dict[str, Any]: ...

    @overload
    def restream_1(chunks: Unknown, /) -> Any: ...
    @overload
    def restream_1(chunks: Open, /) -> Restream: ...
    @overload
    def restream_1(chunks: AsyncIterable[Any], /) -> AsyncRestream: ...
    @overload
    def restream_1(chunks: Iterable[Any] | AsyncIterable[Any], /) -> Any: ...
    class RestreamChunks(Protocol):
        def __call__(
            self,
            chunks: Iterable[Any] | ChunksT,
            *,
            source: FormatName | Format,
            target: FormatName | Format,
            on_loss: OnLoss = "warn",
            usage: bool = False,
            request: Conversion[Any] | RequestContext | None = None,
            fill: bool | Fill = False,
            carry: bool = False,
            _result: Callable[[ChunksT], ResultT] = restream_1,
        ) -> ResultT: ...

    @overload
    def sse_1(chunks: Unknown, /) -> Any: ...
    @overload
    def sse_1(chunks: Open, /) -> Generator[bytes]: ...
    @overload
    def sse_1(chunks: AsyncIterable[Any], /) -> AsyncGenerator[bytes]: ...
    @overload
    def sse_1(chunks: Iterable[Any] | AsyncIterable[Any], /) -> Any: ...
    class SSE(Protocol):
        def __call__(
            self,
            chunks: Iterable[Any] | ChunksT,
            target: FormatName | Format,
            *,
            on_loss: OnLoss = "warn",
            fill: bool | Fill = False,
            _result: Callable[[ChunksT], ResultT] = sse_1,
        ) -> ResultT: ...

    @overload
    def repair_1(value: Unknown, /) -> tuple[Any, list[Repair]]: ...
    @overload
    def repair_1(value: Open, /) -> tuple[list[Message], list[Repair]]: ...
    @overload
    def repair_1(value: Request, /) -> tuple[Request, list[Repair]]: ...
    @overload
    def repair_1(value: Conversation, /) -> tuple[Conversation, list[Repair]]: ...
    @overload
    def repair_1(value: Request | Conversation | Iterable[MessageBase | dict[str, Any]], /) -> tuple[Any, list[Repair]]: ...
    class RepairValue(Protocol):
        def __call__(
            self,
            value: Iterable[MessageBase | dict[str, Any]] | ValueT,
            format: FormatName | Format,
            *,
            policy: Policy = "drop",
            warnings: bool = False,
            _result: Callable[[ValueT], ResultT] = repair_1,
        ) -> ResultT: ...
