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
    from ._signatures import FormatName as FormatName  # noqa: PLC0414 -- exported # pyright: ignore[reportMissingModuleSource] -- for checkers alone
else:
    FormatName = Literal[tuple(FORMATS)]


class Items(list[Any]):
    """A list of wire objects, for type checkers alone: what a dump returns is a plain list.

    It is the type of the lists of a history, whose dict goes into a client's call as a whole. A dict of several fields with
    `Any` in their types keeps mypy from choosing among the overloads of such a call; this class has no `Any` in its name.
    """


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


class ConverseMessages(TypedDict, total=False):
    """Bare messages in Converse's shape, with the leading system text in its own field."""

    messages: Required[list[Any]]
    system: list[Any]


class ConverseHistory(ConverseMessages, total=False):
    """Messages and tools in Converse's shape, without settings."""

    toolConfig: Any


class ConversePayload(TypedDict, total=False):
    """A request body in Converse's shape."""

    messages: Required[list[Any]]
    system: list[Any]
    toolConfig: Any
    inferenceConfig: Any
    outputConfig: Any
    additionalModelRequestFields: Any
    requestMetadata: Any


class ConverseCall(ConversePayload, total=False):
    """The arguments of boto3's `converse`."""

    modelId: str


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


class GeminiContents(TypedDict, total=False):
    """Bare messages in Gemini's shape, with the leading system text in its own field."""

    contents: Required[list[Any]]
    systemInstruction: Any


class GeminiHistory(GeminiContents, total=False):
    """Messages and tools in Gemini's shape, without settings."""

    tools: list[Any]


class GeminiPayload(GeminiHistory, total=False):
    """A request body in Gemini's shape."""

    model: str
    toolConfig: Any
    generationConfig: Any
    safetySettings: list[Any]


class GenaiMessages(TypedDict, total=False):
    """Bare messages, with tools or not, as arguments of google-genai's `generate_content`."""

    contents: Required[list[Any]]
    config: Any


class GenaiPayload(GenaiMessages, total=False):
    """A request as arguments of google-genai's `generate_content`."""

    model: str


class ResponsesInput(TypedDict):
    """Bare messages as the input of Responses."""

    input: list[Any]


class ResponsesHistory(TypedDict, total=False):
    """Messages and tools in the Responses shape, without settings."""

    input: Required[Items]
    tools: Items


class ResponsesPayload(TypedDict, total=False):
    """A request body in the Responses shape."""

    input: str | list[Any]
    instructions: str
    model: str
    max_output_tokens: int
    tools: list[Any]
    tool_choice: Any
    parallel_tool_calls: bool
    temperature: float
    top_p: float
    reasoning: Any
    text: Any
    metadata: Any
    user: str
    stream: Any


PAYLOADS: Mapping[str, tuple[type[Any], type[Any], type[Any]]] = MappingProxyType(
    {
        "openai_chat": (ChatPayload, ChatHistory, ChatMessages),
        "anthropic": (AnthropicPayload, AnthropicHistory, AnthropicMessages),
        "gemini": (GeminiPayload, GeminiHistory, GeminiContents),
        "google_genai": (GenaiPayload, GenaiMessages, GenaiMessages),
        "bedrock_converse": (ConversePayload, ConverseHistory, ConverseMessages),
        "bedrock_boto3": (ConverseCall, ConverseHistory, ConverseMessages),
        "openai_completions": (CompletionsPayload, CompletionsPrompt, CompletionsPrompt),
        "openai_responses": (ResponsesPayload, ResponsesHistory, ResponsesInput),
    }
)
"""The types of a whole request, of a conversation and of bare messages, a row for each wire shape; dialects have those of the
format that they share `dump` with."""
