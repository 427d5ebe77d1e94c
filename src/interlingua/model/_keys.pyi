# The types of each model's keys, as `to_dict` returns them, and of what `replace` takes. Written by `tools/keys.py`.

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, TypeAlias, overload

from typing_extensions import TypeVar

from ..errors import Loss
from . import base, events, exchange, messages, parts

# What is above the models, as far as their methods need it.
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
OnLoss: TypeAlias = Literal["warn", "raise", "ignore"] | Callable[[Loss], object]

class Format(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def new_dump(self) -> Callable[..., Any]: ...

# Each overload of `Items.__getitem__` is for one kind of `self`, which mypy takes for a mistake.
# mypy: disable-error-code=misc

# Where no default is passed, the type variable has one.
# pyright: reportInvalidTypeVarUse=false
_T = TypeVar("_T", default=None)
_Model = TypeVar("_Model", bound=base.Model)
_Copy_co = TypeVar("_Copy_co", covariant=True)

class Items:
    @overload
    def __getitem__(self: events.ArgumentsDelta, key: Literal["type"], /) -> Literal["arguments"]: ...
    @overload
    def __getitem__(self: events.ArgumentsDelta, key: Literal["choice", "index"], /) -> int: ...
    @overload
    def __getitem__(self: events.ArgumentsDelta, key: Literal["arguments"], /) -> str: ...
    @overload
    def __getitem__(self: messages.AssistantMessage, key: Literal["role"], /) -> Literal["assistant"]: ...
    @overload
    def __getitem__(self: messages.AssistantMessage, key: Literal["content"], /) -> str | list[dict[str, Any]] | None: ...
    @overload
    def __getitem__(self: messages.AssistantMessage, key: Literal["reasoning_content", "refusal", "name"], /) -> str | None: ...
    @overload
    def __getitem__(
        self: messages.AssistantMessage, key: Literal["thinking_blocks", "tool_calls"], /
    ) -> list[dict[str, Any]] | None: ...
    @overload
    def __getitem__(
        self: messages.AssistantMessage, key: Literal["cache_control", "provider_data", "wire", "extra"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.AudioPart, key: Literal["type"], /) -> Literal["audio"]: ...
    @overload
    def __getitem__(self: parts.AudioPart, key: Literal["source"], /) -> dict[str, Any]: ...
    @overload
    def __getitem__(
        self: parts.AudioPart, key: Literal["cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.AudioPart, key: Literal["signature", "issuer"], /) -> str | None: ...
    @overload
    def __getitem__(self: parts.Base64Source, key: Literal["type"], /) -> Literal["base64"]: ...
    @overload
    def __getitem__(self: parts.Base64Source, key: Literal["data"], /) -> str: ...
    @overload
    def __getitem__(self: parts.Base64Source, key: Literal["media_type"], /) -> str | None: ...
    @overload
    def __getitem__(self: parts.CacheControl, key: Literal["type"], /) -> Literal["ephemeral"]: ...
    @overload
    def __getitem__(self: parts.CacheControl, key: Literal["ttl"], /) -> str | None: ...
    @overload
    def __getitem__(self: exchange.Caching, key: Literal["tools", "system"], /) -> bool: ...
    @overload
    def __getitem__(self: exchange.Caching, key: Literal["messages"], /) -> int: ...
    @overload
    def __getitem__(self: exchange.Caching, key: Literal["ttl"], /) -> str | None: ...
    @overload
    def __getitem__(self: exchange.Choice, key: Literal["message"], /) -> dict[str, Any]: ...
    @overload
    def __getitem__(
        self: exchange.Choice, key: Literal["stop_reason", "native_stop_reason", "stop_sequence"], /
    ) -> str | None: ...
    @overload
    def __getitem__(self: exchange.Choice, key: Literal["incomplete"], /) -> bool | None: ...
    @overload
    def __getitem__(self: exchange.Choice, key: Literal["provider_data", "wire"], /) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: exchange.Conversation, key: Literal["version"], /) -> Literal[1]: ...
    @overload
    def __getitem__(self: exchange.Conversation, key: Literal["id"], /) -> str | None: ...
    @overload
    def __getitem__(self: exchange.Conversation, key: Literal["messages"], /) -> list[dict[str, Any]]: ...
    @overload
    def __getitem__(self: exchange.Conversation, key: Literal["tools"], /) -> list[dict[str, Any]] | None: ...
    @overload
    def __getitem__(self: exchange.Conversation, key: Literal["metadata"], /) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: messages.DeveloperMessage, key: Literal["role"], /) -> Literal["developer"]: ...
    @overload
    def __getitem__(self: messages.DeveloperMessage, key: Literal["name"], /) -> str | None: ...
    @overload
    def __getitem__(
        self: messages.DeveloperMessage, key: Literal["cache_control", "provider_data", "wire", "extra"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: messages.DeveloperMessage, key: Literal["content"], /) -> str | list[dict[str, Any]]: ...
    @overload
    def __getitem__(self: parts.DocumentCitation, key: Literal["type"], /) -> Literal["document"]: ...
    @overload
    def __getitem__(
        self: parts.DocumentCitation, key: Literal["document", "source_start", "source_end", "start", "end"], /
    ) -> int | None: ...
    @overload
    def __getitem__(
        self: parts.DocumentCitation, key: Literal["file_id", "issuer", "title", "cited_text"], /
    ) -> str | None: ...
    @overload
    def __getitem__(self: parts.DocumentCitation, key: Literal["unit"], /) -> Literal["character", "page", "block"] | None: ...
    @overload
    def __getitem__(self: parts.DocumentCitation, key: Literal["provider_data", "wire"], /) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: events.ErrorEvent, key: Literal["type"], /) -> Literal["error"]: ...
    @overload
    def __getitem__(self: events.ErrorEvent, key: Literal["error"], /) -> dict[str, Any]: ...
    @overload
    def __getitem__(self: parts.FileIdSource, key: Literal["type"], /) -> Literal["file_id"]: ...
    @overload
    def __getitem__(self: parts.FileIdSource, key: Literal["file_id"], /) -> str: ...
    @overload
    def __getitem__(self: parts.FileIdSource, key: Literal["issuer", "media_type"], /) -> str | None: ...
    @overload
    def __getitem__(self: parts.FilePart, key: Literal["type"], /) -> Literal["file"]: ...
    @overload
    def __getitem__(self: parts.FilePart, key: Literal["source"], /) -> dict[str, Any]: ...
    @overload
    def __getitem__(self: parts.FilePart, key: Literal["filename", "signature", "issuer"], /) -> str | None: ...
    @overload
    def __getitem__(
        self: parts.FilePart, key: Literal["cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.ImagePart, key: Literal["type"], /) -> Literal["image"]: ...
    @overload
    def __getitem__(self: parts.ImagePart, key: Literal["source"], /) -> dict[str, Any]: ...
    @overload
    def __getitem__(self: parts.ImagePart, key: Literal["detail", "signature", "issuer"], /) -> str | None: ...
    @overload
    def __getitem__(
        self: parts.ImagePart, key: Literal["cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.ImageUrl, key: Literal["url"], /) -> str: ...
    @overload
    def __getitem__(self: parts.ImageUrl, key: Literal["detail"], /) -> str | None: ...
    @overload
    def __getitem__(self: parts.ImageUrl, key: Literal["provider_data", "wire"], /) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.ImageUrlPart, key: Literal["type"], /) -> Literal["image_url"]: ...
    @overload
    def __getitem__(self: parts.ImageUrlPart, key: Literal["image_url"], /) -> dict[str, Any]: ...
    @overload
    def __getitem__(
        self: parts.ImageUrlPart, key: Literal["cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.ImageUrlPart, key: Literal["signature", "issuer"], /) -> str | None: ...
    @overload
    def __getitem__(self: parts.InputAudio, key: Literal["data", "format"], /) -> str: ...
    @overload
    def __getitem__(self: parts.InputAudio, key: Literal["provider_data", "wire"], /) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.InputAudioPart, key: Literal["type"], /) -> Literal["input_audio"]: ...
    @overload
    def __getitem__(self: parts.InputAudioPart, key: Literal["input_audio"], /) -> dict[str, Any]: ...
    @overload
    def __getitem__(
        self: parts.InputAudioPart, key: Literal["cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.InputAudioPart, key: Literal["signature", "issuer"], /) -> str | None: ...
    @overload
    def __getitem__(self: parts.JsonPart, key: Literal["type"], /) -> Literal["json"]: ...
    @overload
    def __getitem__(self: parts.JsonPart, key: Literal["value"], /) -> Any: ...
    @overload
    def __getitem__(
        self: parts.JsonPart, key: Literal["cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.JsonPart, key: Literal["signature", "issuer"], /) -> str | None: ...
    @overload
    def __getitem__(self: events.MessageStart, key: Literal["type"], /) -> Literal["message_start"]: ...
    @overload
    def __getitem__(self: events.MessageStart, key: Literal["choice"], /) -> int: ...
    @overload
    def __getitem__(self: events.MessageStart, key: Literal["id", "model", "origin"], /) -> str | None: ...
    @overload
    def __getitem__(self: events.MessageStart, key: Literal["created"], /) -> int | float | None: ...
    @overload
    def __getitem__(self: events.MessageStart, key: Literal["spelling"], /) -> Literal["flat", "blocks"]: ...
    @overload
    def __getitem__(self: parts.OpaqueCitation, key: Literal["type"], /) -> Literal["opaque"]: ...
    @overload
    def __getitem__(self: parts.OpaqueCitation, key: Literal["format"], /) -> str: ...
    @overload
    def __getitem__(self: parts.OpaqueCitation, key: Literal["value"], /) -> dict[str, Any]: ...
    @overload
    def __getitem__(self: events.OpaqueEvent, key: Literal["type"], /) -> Literal["opaque"]: ...
    @overload
    def __getitem__(self: events.OpaqueEvent, key: Literal["choice"], /) -> int: ...
    @overload
    def __getitem__(self: events.OpaqueEvent, key: Literal["index"], /) -> int | None: ...
    @overload
    def __getitem__(self: events.OpaqueEvent, key: Literal["format"], /) -> str: ...
    @overload
    def __getitem__(self: events.OpaqueEvent, key: Literal["value"], /) -> dict[str, Any]: ...
    @overload
    def __getitem__(self: messages.OpaqueMessage, key: Literal["role"], /) -> Literal["opaque"]: ...
    @overload
    def __getitem__(self: messages.OpaqueMessage, key: Literal["format"], /) -> str: ...
    @overload
    def __getitem__(self: messages.OpaqueMessage, key: Literal["value"], /) -> dict[str, Any]: ...
    @overload
    def __getitem__(self: messages.OpaqueMessage, key: Literal["wire", "extra"], /) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.OpaquePart, key: Literal["type"], /) -> Literal["opaque"]: ...
    @overload
    def __getitem__(self: parts.OpaquePart, key: Literal["format"], /) -> str: ...
    @overload
    def __getitem__(self: parts.OpaquePart, key: Literal["value"], /) -> dict[str, Any]: ...
    @overload
    def __getitem__(
        self: parts.OpaquePart, key: Literal["cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.OpaquePart, key: Literal["signature", "issuer"], /) -> str | None: ...
    @overload
    def __getitem__(self: exchange.OpaqueTool, key: Literal["type"], /) -> Literal["opaque"]: ...
    @overload
    def __getitem__(self: exchange.OpaqueTool, key: Literal["format"], /) -> str: ...
    @overload
    def __getitem__(self: exchange.OpaqueTool, key: Literal["value"], /) -> dict[str, Any]: ...
    @overload
    def __getitem__(self: events.PartStop, key: Literal["type"], /) -> Literal["part_stop"]: ...
    @overload
    def __getitem__(self: events.PartStop, key: Literal["choice", "index"], /) -> int: ...
    @overload
    def __getitem__(self: events.RedactedThinking, key: Literal["type"], /) -> Literal["redacted_thinking"]: ...
    @overload
    def __getitem__(self: events.RedactedThinking, key: Literal["choice", "index"], /) -> int: ...
    @overload
    def __getitem__(self: events.RedactedThinking, key: Literal["data"], /) -> str: ...
    @overload
    def __getitem__(self: events.RedactedThinking, key: Literal["issuer"], /) -> str | None: ...
    @overload
    def __getitem__(self: parts.RedactedThinkingPart, key: Literal["type"], /) -> Literal["redacted_thinking"]: ...
    @overload
    def __getitem__(self: parts.RedactedThinkingPart, key: Literal["data"], /) -> str: ...
    @overload
    def __getitem__(
        self: parts.RedactedThinkingPart, key: Literal["cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.RedactedThinkingPart, key: Literal["signature", "issuer"], /) -> str | None: ...
    @overload
    def __getitem__(self: events.RefusalDelta, key: Literal["type"], /) -> Literal["refusal"]: ...
    @overload
    def __getitem__(self: events.RefusalDelta, key: Literal["choice", "index"], /) -> int: ...
    @overload
    def __getitem__(self: events.RefusalDelta, key: Literal["refusal"], /) -> str: ...
    @overload
    def __getitem__(self: parts.RefusalPart, key: Literal["type"], /) -> Literal["refusal"]: ...
    @overload
    def __getitem__(self: parts.RefusalPart, key: Literal["refusal"], /) -> str: ...
    @overload
    def __getitem__(
        self: parts.RefusalPart, key: Literal["cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.RefusalPart, key: Literal["signature", "issuer"], /) -> str | None: ...
    @overload
    def __getitem__(self: exchange.Request, key: Literal["messages"], /) -> list[dict[str, Any]]: ...
    @overload
    def __getitem__(self: exchange.Request, key: Literal["model", "reasoning_effort", "user", "origin"], /) -> str | None: ...
    @overload
    def __getitem__(self: exchange.Request, key: Literal["tools"], /) -> list[dict[str, Any]] | None: ...
    @overload
    def __getitem__(
        self: exchange.Request,
        key: Literal["tool_choice", "response_format", "metadata", "caching", "provider_data", "wire"],
        /,
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: exchange.Request, key: Literal["parallel_tool_calls", "stream"], /) -> bool | None: ...
    @overload
    def __getitem__(self: exchange.Request, key: Literal["max_tokens", "top_k", "reasoning_budget"], /) -> int | None: ...
    @overload
    def __getitem__(self: exchange.Request, key: Literal["temperature", "top_p"], /) -> int | float | None: ...
    @overload
    def __getitem__(self: exchange.Request, key: Literal["stop"], /) -> list[str] | None: ...
    @overload
    def __getitem__(self: exchange.Response, key: Literal["id", "model", "origin"], /) -> str | None: ...
    @overload
    def __getitem__(self: exchange.Response, key: Literal["created"], /) -> int | float | None: ...
    @overload
    def __getitem__(self: exchange.Response, key: Literal["choices"], /) -> list[dict[str, Any]]: ...
    @overload
    def __getitem__(self: exchange.Response, key: Literal["usage", "provider_data", "wire"], /) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(
        self: exchange.ResponseFormat, key: Literal["type"], /
    ) -> Literal["text", "json_object", "json_schema"]: ...
    @overload
    def __getitem__(self: exchange.ResponseFormat, key: Literal["name", "description"], /) -> str | None: ...
    @overload
    def __getitem__(self: exchange.ResponseFormat, key: Literal["json_schema"], /) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: exchange.ResponseFormat, key: Literal["strict"], /) -> bool | None: ...
    @overload
    def __getitem__(self: parts.SearchResultCitation, key: Literal["type"], /) -> Literal["search_result"]: ...
    @overload
    def __getitem__(self: parts.SearchResultCitation, key: Literal["source", "title", "cited_text"], /) -> str | None: ...
    @overload
    def __getitem__(
        self: parts.SearchResultCitation, key: Literal["result", "source_start", "source_end", "start", "end"], /
    ) -> int | None: ...
    @overload
    def __getitem__(self: parts.SearchResultCitation, key: Literal["provider_data", "wire"], /) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: events.SignatureDelta, key: Literal["type"], /) -> Literal["signature"]: ...
    @overload
    def __getitem__(self: events.SignatureDelta, key: Literal["choice", "index"], /) -> int: ...
    @overload
    def __getitem__(self: events.SignatureDelta, key: Literal["signature"], /) -> str: ...
    @overload
    def __getitem__(self: events.SignatureDelta, key: Literal["issuer"], /) -> str | None: ...
    @overload
    def __getitem__(self: events.Stop, key: Literal["type"], /) -> Literal["stop"]: ...
    @overload
    def __getitem__(self: events.Stop, key: Literal["choice"], /) -> int: ...
    @overload
    def __getitem__(self: events.Stop, key: Literal["stop_reason", "native_stop_reason", "stop_sequence"], /) -> str | None: ...
    @overload
    def __getitem__(self: events.StreamEnd, key: Literal["type"], /) -> Literal["end"]: ...
    @overload
    def __getitem__(self: messages.SystemMessage, key: Literal["role"], /) -> Literal["system"]: ...
    @overload
    def __getitem__(self: messages.SystemMessage, key: Literal["name"], /) -> str | None: ...
    @overload
    def __getitem__(
        self: messages.SystemMessage, key: Literal["cache_control", "provider_data", "wire", "extra"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: messages.SystemMessage, key: Literal["content"], /) -> str | list[dict[str, Any]]: ...
    @overload
    def __getitem__(self: events.TextDelta, key: Literal["type"], /) -> Literal["text"]: ...
    @overload
    def __getitem__(self: events.TextDelta, key: Literal["choice", "index"], /) -> int: ...
    @overload
    def __getitem__(self: events.TextDelta, key: Literal["text"], /) -> str: ...
    @overload
    def __getitem__(self: messages.TextMessage, key: Literal["role"], /) -> Literal["text"]: ...
    @overload
    def __getitem__(self: messages.TextMessage, key: Literal["content"], /) -> str: ...
    @overload
    def __getitem__(self: messages.TextMessage, key: Literal["name"], /) -> str | None: ...
    @overload
    def __getitem__(
        self: messages.TextMessage, key: Literal["cache_control", "provider_data", "wire", "extra"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.TextPart, key: Literal["type"], /) -> Literal["text"]: ...
    @overload
    def __getitem__(self: parts.TextPart, key: Literal["text"], /) -> str: ...
    @overload
    def __getitem__(self: parts.TextPart, key: Literal["citations"], /) -> list[dict[str, Any]] | None: ...
    @overload
    def __getitem__(
        self: parts.TextPart, key: Literal["cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.TextPart, key: Literal["signature", "issuer"], /) -> str | None: ...
    @overload
    def __getitem__(self: parts.TextSource, key: Literal["type"], /) -> Literal["text"]: ...
    @overload
    def __getitem__(self: parts.TextSource, key: Literal["text"], /) -> str: ...
    @overload
    def __getitem__(self: parts.TextSource, key: Literal["media_type"], /) -> str | None: ...
    @overload
    def __getitem__(self: events.ThinkingDelta, key: Literal["type"], /) -> Literal["thinking"]: ...
    @overload
    def __getitem__(self: events.ThinkingDelta, key: Literal["choice", "index"], /) -> int: ...
    @overload
    def __getitem__(self: events.ThinkingDelta, key: Literal["thinking"], /) -> str: ...
    @overload
    def __getitem__(self: events.ThinkingDelta, key: Literal["field"], /) -> Literal["block", "text", "both"]: ...
    @overload
    def __getitem__(self: parts.ThinkingPart, key: Literal["type"], /) -> Literal["thinking"]: ...
    @overload
    def __getitem__(self: parts.ThinkingPart, key: Literal["thinking"], /) -> str: ...
    @overload
    def __getitem__(self: parts.ThinkingPart, key: Literal["summary"], /) -> bool | None: ...
    @overload
    def __getitem__(
        self: parts.ThinkingPart, key: Literal["cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.ThinkingPart, key: Literal["signature", "issuer"], /) -> str | None: ...
    @overload
    def __getitem__(self: exchange.Tool, key: Literal["type"], /) -> Literal["function"]: ...
    @overload
    def __getitem__(self: exchange.Tool, key: Literal["name"], /) -> str: ...
    @overload
    def __getitem__(self: exchange.Tool, key: Literal["description"], /) -> str | None: ...
    @overload
    def __getitem__(
        self: exchange.Tool, key: Literal["parameters", "cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: exchange.Tool, key: Literal["strict"], /) -> bool | None: ...
    @overload
    def __getitem__(self: parts.ToolCall, key: Literal["id", "signature", "issuer"], /) -> str | None: ...
    @overload
    def __getitem__(self: parts.ToolCall, key: Literal["name", "arguments"], /) -> str: ...
    @overload
    def __getitem__(self: parts.ToolCall, key: Literal["custom"], /) -> bool | None: ...
    @overload
    def __getitem__(
        self: parts.ToolCall, key: Literal["cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: exchange.ToolChoice, key: Literal["type"], /) -> Literal["auto", "none", "required", "tool"]: ...
    @overload
    def __getitem__(self: exchange.ToolChoice, key: Literal["name"], /) -> str | None: ...
    @overload
    def __getitem__(self: exchange.ToolChoice, key: Literal["allowed"], /) -> list[str] | None: ...
    @overload
    def __getitem__(self: messages.ToolMessage, key: Literal["role"], /) -> Literal["tool"]: ...
    @overload
    def __getitem__(self: messages.ToolMessage, key: Literal["tool_call_id", "name"], /) -> str | None: ...
    @overload
    def __getitem__(self: messages.ToolMessage, key: Literal["is_error"], /) -> bool | None: ...
    @overload
    def __getitem__(
        self: messages.ToolMessage, key: Literal["cache_control", "provider_data", "wire", "extra"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: messages.ToolMessage, key: Literal["content"], /) -> str | list[dict[str, Any]]: ...
    @overload
    def __getitem__(self: parts.ToolResultPart, key: Literal["type"], /) -> Literal["tool_result"]: ...
    @overload
    def __getitem__(
        self: parts.ToolResultPart, key: Literal["tool_use_id", "name", "signature", "issuer"], /
    ) -> str | None: ...
    @overload
    def __getitem__(self: parts.ToolResultPart, key: Literal["content"], /) -> str | list[dict[str, Any]] | None: ...
    @overload
    def __getitem__(self: parts.ToolResultPart, key: Literal["is_error"], /) -> bool | None: ...
    @overload
    def __getitem__(
        self: parts.ToolResultPart, key: Literal["cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: events.ToolUse, key: Literal["type"], /) -> Literal["tool_use"]: ...
    @overload
    def __getitem__(self: events.ToolUse, key: Literal["choice", "index"], /) -> int: ...
    @overload
    def __getitem__(self: events.ToolUse, key: Literal["id"], /) -> str | None: ...
    @overload
    def __getitem__(self: events.ToolUse, key: Literal["name", "arguments"], /) -> str: ...
    @overload
    def __getitem__(self: events.ToolUse, key: Literal["custom"], /) -> bool | None: ...
    @overload
    def __getitem__(self: parts.ToolUsePart, key: Literal["type"], /) -> Literal["tool_use"]: ...
    @overload
    def __getitem__(self: parts.ToolUsePart, key: Literal["id", "signature", "issuer"], /) -> str | None: ...
    @overload
    def __getitem__(self: parts.ToolUsePart, key: Literal["name"], /) -> str: ...
    @overload
    def __getitem__(self: parts.ToolUsePart, key: Literal["input"], /) -> str | dict[str, Any]: ...
    @overload
    def __getitem__(self: parts.ToolUsePart, key: Literal["custom"], /) -> bool | None: ...
    @overload
    def __getitem__(
        self: parts.ToolUsePart, key: Literal["cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: events.ToolUseStart, key: Literal["type"], /) -> Literal["tool_use_start"]: ...
    @overload
    def __getitem__(self: events.ToolUseStart, key: Literal["choice", "index"], /) -> int: ...
    @overload
    def __getitem__(self: events.ToolUseStart, key: Literal["id"], /) -> str | None: ...
    @overload
    def __getitem__(self: events.ToolUseStart, key: Literal["name"], /) -> str: ...
    @overload
    def __getitem__(self: events.ToolUseStart, key: Literal["custom"], /) -> bool | None: ...
    @overload
    def __getitem__(self: events.Update, key: Literal["type"], /) -> Literal["update"]: ...
    @overload
    def __getitem__(self: events.Update, key: Literal["choice"], /) -> int: ...
    @overload
    def __getitem__(self: events.Update, key: Literal["of"], /) -> Literal["response", "choice", "message", "part"]: ...
    @overload
    def __getitem__(self: events.Update, key: Literal["index"], /) -> int | None: ...
    @overload
    def __getitem__(self: events.Update, key: Literal["data"], /) -> dict[str, Any]: ...
    @overload
    def __getitem__(self: events.Update, key: Literal["join", "overwrite"], /) -> bool | None: ...
    @overload
    def __getitem__(self: parts.UrlCitation, key: Literal["type"], /) -> Literal["url"]: ...
    @overload
    def __getitem__(self: parts.UrlCitation, key: Literal["url"], /) -> str: ...
    @overload
    def __getitem__(self: parts.UrlCitation, key: Literal["title", "cited_text"], /) -> str | None: ...
    @overload
    def __getitem__(self: parts.UrlCitation, key: Literal["start", "end"], /) -> int | None: ...
    @overload
    def __getitem__(self: parts.UrlCitation, key: Literal["provider_data", "wire"], /) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.UrlSource, key: Literal["type"], /) -> Literal["url"]: ...
    @overload
    def __getitem__(self: parts.UrlSource, key: Literal["url"], /) -> str: ...
    @overload
    def __getitem__(self: parts.UrlSource, key: Literal["media_type"], /) -> str | None: ...
    @overload
    def __getitem__(
        self: exchange.Usage,
        key: Literal[
            "input_tokens",
            "cache_read_tokens",
            "cache_write_tokens",
            "output_tokens",
            "reasoning_tokens",
            "input_audio_tokens",
            "output_audio_tokens",
        ],
        /,
    ) -> int | None: ...
    @overload
    def __getitem__(self: exchange.Usage, key: Literal["native"], /) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: events.UsageUpdate, key: Literal["type"], /) -> Literal["usage"]: ...
    @overload
    def __getitem__(self: events.UsageUpdate, key: Literal["usage"], /) -> dict[str, Any]: ...
    @overload
    def __getitem__(self: messages.UserMessage, key: Literal["role"], /) -> Literal["user"]: ...
    @overload
    def __getitem__(self: messages.UserMessage, key: Literal["name"], /) -> str | None: ...
    @overload
    def __getitem__(
        self: messages.UserMessage, key: Literal["cache_control", "provider_data", "wire", "extra"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: messages.UserMessage, key: Literal["content"], /) -> str | list[dict[str, Any]]: ...
    @overload
    def __getitem__(self: parts.VideoPart, key: Literal["type"], /) -> Literal["video"]: ...
    @overload
    def __getitem__(self: parts.VideoPart, key: Literal["source"], /) -> dict[str, Any]: ...
    @overload
    def __getitem__(
        self: parts.VideoPart, key: Literal["cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.VideoPart, key: Literal["signature", "issuer"], /) -> str | None: ...
    @overload
    def __getitem__(self: events.WholePart, key: Literal["type"], /) -> Literal["part"]: ...
    @overload
    def __getitem__(self: events.WholePart, key: Literal["choice", "index"], /) -> int: ...
    @overload
    def __getitem__(self: events.WholePart, key: Literal["part"], /) -> dict[str, Any]: ...
    @overload
    def __getitem__(self: parts.WireRecord, key: Literal["origin"], /) -> str | None: ...
    @overload
    def __getitem__(self: parts.WireRecord, key: Literal["response"], /) -> bool | None: ...
    @overload
    def __getitem__(self: parts.WireRecord, key: Literal["spelling"], /) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.WireRecord, key: Literal["partial", "standalone"], /) -> list[str] | None: ...
    @overload
    def __getitem__(self: parts.CitationBase, key: Literal["type"], /) -> Literal["document", "search_result", "url"]: ...
    @overload
    def __getitem__(self: parts.CitationBase, key: Literal["title", "cited_text"], /) -> str | None: ...
    @overload
    def __getitem__(self: parts.CitationBase, key: Literal["start", "end"], /) -> int | None: ...
    @overload
    def __getitem__(self: parts.CitationBase, key: Literal["provider_data", "wire"], /) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(
        self: messages.MessageBase, key: Literal["role"], /
    ) -> Literal["assistant", "developer", "opaque", "system", "text", "tool", "user"]: ...
    @overload
    def __getitem__(self: messages.MessageBase, key: Literal["wire", "extra"], /) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(
        self: parts.PartBase, key: Literal["type"], /
    ) -> Literal[
        "audio",
        "file",
        "image",
        "image_url",
        "input_audio",
        "json",
        "opaque",
        "redacted_thinking",
        "refusal",
        "text",
        "thinking",
        "tool_result",
        "tool_use",
        "video",
    ]: ...
    @overload
    def __getitem__(
        self: parts.PartBase, key: Literal["cache_control", "provider_data", "wire"], /
    ) -> dict[str, Any] | None: ...
    @overload
    def __getitem__(self: parts.PartBase, key: Literal["signature", "issuer"], /) -> str | None: ...

class Get:
    @overload
    def __get__(self, model: events.ArgumentsDelta, owner: type, /) -> ArgumentsDeltaGet: ...
    @overload
    def __get__(self, model: messages.AssistantMessage, owner: type, /) -> AssistantMessageGet: ...
    @overload
    def __get__(self, model: parts.AudioPart, owner: type, /) -> AudioPartGet: ...
    @overload
    def __get__(self, model: parts.Base64Source, owner: type, /) -> Base64SourceGet: ...
    @overload
    def __get__(self, model: parts.CacheControl, owner: type, /) -> CacheControlGet: ...
    @overload
    def __get__(self, model: exchange.Caching, owner: type, /) -> CachingGet: ...
    @overload
    def __get__(self, model: exchange.Choice, owner: type, /) -> ChoiceGet: ...
    @overload
    def __get__(self, model: exchange.Conversation, owner: type, /) -> ConversationGet: ...
    @overload
    def __get__(self, model: messages.DeveloperMessage, owner: type, /) -> DeveloperMessageGet: ...
    @overload
    def __get__(self, model: parts.DocumentCitation, owner: type, /) -> DocumentCitationGet: ...
    @overload
    def __get__(self, model: events.ErrorEvent, owner: type, /) -> ErrorEventGet: ...
    @overload
    def __get__(self, model: parts.FileIdSource, owner: type, /) -> FileIdSourceGet: ...
    @overload
    def __get__(self, model: parts.FilePart, owner: type, /) -> FilePartGet: ...
    @overload
    def __get__(self, model: parts.ImagePart, owner: type, /) -> ImagePartGet: ...
    @overload
    def __get__(self, model: parts.ImageUrl, owner: type, /) -> ImageUrlGet: ...
    @overload
    def __get__(self, model: parts.ImageUrlPart, owner: type, /) -> ImageUrlPartGet: ...
    @overload
    def __get__(self, model: parts.InputAudio, owner: type, /) -> InputAudioGet: ...
    @overload
    def __get__(self, model: parts.InputAudioPart, owner: type, /) -> InputAudioPartGet: ...
    @overload
    def __get__(self, model: parts.JsonPart, owner: type, /) -> JsonPartGet: ...
    @overload
    def __get__(self, model: events.MessageStart, owner: type, /) -> MessageStartGet: ...
    @overload
    def __get__(self, model: parts.OpaqueCitation, owner: type, /) -> OpaqueCitationGet: ...
    @overload
    def __get__(self, model: events.OpaqueEvent, owner: type, /) -> OpaqueEventGet: ...
    @overload
    def __get__(self, model: messages.OpaqueMessage, owner: type, /) -> OpaqueMessageGet: ...
    @overload
    def __get__(self, model: parts.OpaquePart, owner: type, /) -> OpaquePartGet: ...
    @overload
    def __get__(self, model: exchange.OpaqueTool, owner: type, /) -> OpaqueToolGet: ...
    @overload
    def __get__(self, model: events.PartStop, owner: type, /) -> PartStopGet: ...
    @overload
    def __get__(self, model: events.RedactedThinking, owner: type, /) -> RedactedThinkingGet: ...
    @overload
    def __get__(self, model: parts.RedactedThinkingPart, owner: type, /) -> RedactedThinkingPartGet: ...
    @overload
    def __get__(self, model: events.RefusalDelta, owner: type, /) -> RefusalDeltaGet: ...
    @overload
    def __get__(self, model: parts.RefusalPart, owner: type, /) -> RefusalPartGet: ...
    @overload
    def __get__(self, model: exchange.Request, owner: type, /) -> RequestGet: ...
    @overload
    def __get__(self, model: exchange.Response, owner: type, /) -> ResponseGet: ...
    @overload
    def __get__(self, model: exchange.ResponseFormat, owner: type, /) -> ResponseFormatGet: ...
    @overload
    def __get__(self, model: parts.SearchResultCitation, owner: type, /) -> SearchResultCitationGet: ...
    @overload
    def __get__(self, model: events.SignatureDelta, owner: type, /) -> SignatureDeltaGet: ...
    @overload
    def __get__(self, model: events.Stop, owner: type, /) -> StopGet: ...
    @overload
    def __get__(self, model: events.StreamEnd, owner: type, /) -> StreamEndGet: ...
    @overload
    def __get__(self, model: messages.SystemMessage, owner: type, /) -> SystemMessageGet: ...
    @overload
    def __get__(self, model: events.TextDelta, owner: type, /) -> TextDeltaGet: ...
    @overload
    def __get__(self, model: messages.TextMessage, owner: type, /) -> TextMessageGet: ...
    @overload
    def __get__(self, model: parts.TextPart, owner: type, /) -> TextPartGet: ...
    @overload
    def __get__(self, model: parts.TextSource, owner: type, /) -> TextSourceGet: ...
    @overload
    def __get__(self, model: events.ThinkingDelta, owner: type, /) -> ThinkingDeltaGet: ...
    @overload
    def __get__(self, model: parts.ThinkingPart, owner: type, /) -> ThinkingPartGet: ...
    @overload
    def __get__(self, model: exchange.Tool, owner: type, /) -> ToolGet: ...
    @overload
    def __get__(self, model: parts.ToolCall, owner: type, /) -> ToolCallGet: ...
    @overload
    def __get__(self, model: exchange.ToolChoice, owner: type, /) -> ToolChoiceGet: ...
    @overload
    def __get__(self, model: messages.ToolMessage, owner: type, /) -> ToolMessageGet: ...
    @overload
    def __get__(self, model: parts.ToolResultPart, owner: type, /) -> ToolResultPartGet: ...
    @overload
    def __get__(self, model: events.ToolUse, owner: type, /) -> ToolUseGet: ...
    @overload
    def __get__(self, model: parts.ToolUsePart, owner: type, /) -> ToolUsePartGet: ...
    @overload
    def __get__(self, model: events.ToolUseStart, owner: type, /) -> ToolUseStartGet: ...
    @overload
    def __get__(self, model: events.Update, owner: type, /) -> UpdateGet: ...
    @overload
    def __get__(self, model: parts.UrlCitation, owner: type, /) -> UrlCitationGet: ...
    @overload
    def __get__(self, model: parts.UrlSource, owner: type, /) -> UrlSourceGet: ...
    @overload
    def __get__(self, model: exchange.Usage, owner: type, /) -> UsageGet: ...
    @overload
    def __get__(self, model: events.UsageUpdate, owner: type, /) -> UsageUpdateGet: ...
    @overload
    def __get__(self, model: messages.UserMessage, owner: type, /) -> UserMessageGet: ...
    @overload
    def __get__(self, model: parts.VideoPart, owner: type, /) -> VideoPartGet: ...
    @overload
    def __get__(self, model: events.WholePart, owner: type, /) -> WholePartGet: ...
    @overload
    def __get__(self, model: parts.WireRecord, owner: type, /) -> WireRecordGet: ...
    @overload
    def __get__(self, model: parts.CitationBase, owner: type, /) -> CitationBaseGet: ...
    @overload
    def __get__(self, model: messages.MessageBase, owner: type, /) -> MessageBaseGet: ...
    @overload
    def __get__(self, model: parts.PartBase, owner: type, /) -> PartBaseGet: ...

class Replace:
    @overload
    def __get__(self, model: events.ArgumentsDelta, owner: type, /) -> ArgumentsDeltaReplace: ...
    @overload
    def __get__(self, model: messages.AssistantMessage, owner: type, /) -> AssistantMessageReplace: ...
    @overload
    def __get__(self, model: parts.AudioPart, owner: type, /) -> AudioPartReplace: ...
    @overload
    def __get__(self, model: parts.Base64Source, owner: type, /) -> Base64SourceReplace: ...
    @overload
    def __get__(self, model: parts.CacheControl, owner: type, /) -> CacheControlReplace: ...
    @overload
    def __get__(self, model: exchange.Caching, owner: type, /) -> CachingReplace: ...
    @overload
    def __get__(self, model: exchange.Choice, owner: type, /) -> ChoiceReplace: ...
    @overload
    def __get__(self, model: exchange.Conversation, owner: type, /) -> ConversationReplace: ...
    @overload
    def __get__(self, model: messages.DeveloperMessage, owner: type, /) -> DeveloperMessageReplace: ...
    @overload
    def __get__(self, model: parts.DocumentCitation, owner: type, /) -> DocumentCitationReplace: ...
    @overload
    def __get__(self, model: events.ErrorEvent, owner: type, /) -> ErrorEventReplace: ...
    @overload
    def __get__(self, model: parts.FileIdSource, owner: type, /) -> FileIdSourceReplace: ...
    @overload
    def __get__(self, model: parts.FilePart, owner: type, /) -> FilePartReplace: ...
    @overload
    def __get__(self, model: parts.ImagePart, owner: type, /) -> ImagePartReplace: ...
    @overload
    def __get__(self, model: parts.ImageUrl, owner: type, /) -> ImageUrlReplace: ...
    @overload
    def __get__(self, model: parts.ImageUrlPart, owner: type, /) -> ImageUrlPartReplace: ...
    @overload
    def __get__(self, model: parts.InputAudio, owner: type, /) -> InputAudioReplace: ...
    @overload
    def __get__(self, model: parts.InputAudioPart, owner: type, /) -> InputAudioPartReplace: ...
    @overload
    def __get__(self, model: parts.JsonPart, owner: type, /) -> JsonPartReplace: ...
    @overload
    def __get__(self, model: events.MessageStart, owner: type, /) -> MessageStartReplace: ...
    @overload
    def __get__(self, model: parts.OpaqueCitation, owner: type, /) -> OpaqueCitationReplace: ...
    @overload
    def __get__(self, model: events.OpaqueEvent, owner: type, /) -> OpaqueEventReplace: ...
    @overload
    def __get__(self, model: messages.OpaqueMessage, owner: type, /) -> OpaqueMessageReplace: ...
    @overload
    def __get__(self, model: parts.OpaquePart, owner: type, /) -> OpaquePartReplace: ...
    @overload
    def __get__(self, model: exchange.OpaqueTool, owner: type, /) -> OpaqueToolReplace: ...
    @overload
    def __get__(self, model: events.PartStop, owner: type, /) -> PartStopReplace: ...
    @overload
    def __get__(self, model: events.RedactedThinking, owner: type, /) -> RedactedThinkingReplace: ...
    @overload
    def __get__(self, model: parts.RedactedThinkingPart, owner: type, /) -> RedactedThinkingPartReplace: ...
    @overload
    def __get__(self, model: events.RefusalDelta, owner: type, /) -> RefusalDeltaReplace: ...
    @overload
    def __get__(self, model: parts.RefusalPart, owner: type, /) -> RefusalPartReplace: ...
    @overload
    def __get__(self, model: exchange.Request, owner: type, /) -> RequestReplace: ...
    @overload
    def __get__(self, model: exchange.Response, owner: type, /) -> ResponseReplace: ...
    @overload
    def __get__(self, model: exchange.ResponseFormat, owner: type, /) -> ResponseFormatReplace: ...
    @overload
    def __get__(self, model: parts.SearchResultCitation, owner: type, /) -> SearchResultCitationReplace: ...
    @overload
    def __get__(self, model: events.SignatureDelta, owner: type, /) -> SignatureDeltaReplace: ...
    @overload
    def __get__(self, model: events.Stop, owner: type, /) -> StopReplace: ...
    @overload
    def __get__(self, model: events.StreamEnd, owner: type, /) -> StreamEndReplace: ...
    @overload
    def __get__(self, model: messages.SystemMessage, owner: type, /) -> SystemMessageReplace: ...
    @overload
    def __get__(self, model: events.TextDelta, owner: type, /) -> TextDeltaReplace: ...
    @overload
    def __get__(self, model: messages.TextMessage, owner: type, /) -> TextMessageReplace: ...
    @overload
    def __get__(self, model: parts.TextPart, owner: type, /) -> TextPartReplace: ...
    @overload
    def __get__(self, model: parts.TextSource, owner: type, /) -> TextSourceReplace: ...
    @overload
    def __get__(self, model: events.ThinkingDelta, owner: type, /) -> ThinkingDeltaReplace: ...
    @overload
    def __get__(self, model: parts.ThinkingPart, owner: type, /) -> ThinkingPartReplace: ...
    @overload
    def __get__(self, model: exchange.Tool, owner: type, /) -> ToolReplace: ...
    @overload
    def __get__(self, model: parts.ToolCall, owner: type, /) -> ToolCallReplace: ...
    @overload
    def __get__(self, model: exchange.ToolChoice, owner: type, /) -> ToolChoiceReplace: ...
    @overload
    def __get__(self, model: messages.ToolMessage, owner: type, /) -> ToolMessageReplace: ...
    @overload
    def __get__(self, model: parts.ToolResultPart, owner: type, /) -> ToolResultPartReplace: ...
    @overload
    def __get__(self, model: events.ToolUse, owner: type, /) -> ToolUseReplace: ...
    @overload
    def __get__(self, model: parts.ToolUsePart, owner: type, /) -> ToolUsePartReplace: ...
    @overload
    def __get__(self, model: events.ToolUseStart, owner: type, /) -> ToolUseStartReplace: ...
    @overload
    def __get__(self, model: events.Update, owner: type, /) -> UpdateReplace: ...
    @overload
    def __get__(self, model: parts.UrlCitation, owner: type, /) -> UrlCitationReplace: ...
    @overload
    def __get__(self, model: parts.UrlSource, owner: type, /) -> UrlSourceReplace: ...
    @overload
    def __get__(self, model: exchange.Usage, owner: type, /) -> UsageReplace: ...
    @overload
    def __get__(self, model: events.UsageUpdate, owner: type, /) -> UsageUpdateReplace: ...
    @overload
    def __get__(self, model: messages.UserMessage, owner: type, /) -> UserMessageReplace: ...
    @overload
    def __get__(self, model: parts.VideoPart, owner: type, /) -> VideoPartReplace: ...
    @overload
    def __get__(self, model: events.WholePart, owner: type, /) -> WholePartReplace: ...
    @overload
    def __get__(self, model: parts.WireRecord, owner: type, /) -> WireRecordReplace: ...
    @overload
    def __get__(self, model: _Model, owner: type, /) -> ModelReplace[_Model]: ...
    @overload
    def __get__(self, model: None, owner: type, /) -> Callable[..., Any]: ...

class ArgumentsDeltaGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["arguments"]: ...
    @overload
    def __call__(self, key: Literal["choice"], default: _T = ..., /) -> int | _T: ...
    @overload
    def __call__(self, key: Literal["index"], default: object = ..., /) -> int: ...
    @overload
    def __call__(self, key: Literal["arguments"], default: object = ..., /) -> str: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "id",
            "model",
            "created",
            "origin",
            "spelling",
            "text",
            "thinking",
            "field",
            "signature",
            "issuer",
            "data",
            "refusal",
            "name",
            "custom",
            "part",
            "of",
            "join",
            "overwrite",
            "usage",
            "stop_reason",
            "native_stop_reason",
            "stop_sequence",
            "format",
            "value",
            "error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class ArgumentsDeltaReplace(Protocol):
    def __call__(
        self, *, type: Literal["arguments"] = ..., choice: int = ..., index: int = ..., arguments: str = ...
    ) -> events.ArgumentsDelta: ...

class AssistantMessageGet(Protocol):
    @overload
    def __call__(self, key: Literal["role"], default: object = ..., /) -> Literal["assistant"]: ...
    @overload
    def __call__(
        self, key: Literal["content"], default: str | list[dict[str, Any]] | _T | None = ..., /
    ) -> str | list[dict[str, Any]] | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["reasoning_content", "refusal", "name"], default: str | _T | None = ..., /
    ) -> str | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["thinking_blocks", "tool_calls"], default: list[dict[str, Any]] | _T | None = ..., /
    ) -> list[dict[str, Any]] | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire", "extra"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["tool_call_id", "is_error", "format", "value"], default: _T = ..., /) -> _T: ...

class AssistantMessageReplace(Protocol):
    def __call__(
        self,
        *,
        role: Literal["assistant"] = ...,
        content: str | Sequence[parts.Part | dict[str, Any]] | None = ...,
        reasoning_content: str | None = ...,
        thinking_blocks: Sequence[parts.ThinkingBlock | dict[str, Any]] | None = ...,
        refusal: str | None = ...,
        tool_calls: Sequence[parts.ToolCall | dict[str, Any]] | None = ...,
        name: str | None = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
        extra: dict[str, Any] | None = ...,
    ) -> messages.AssistantMessage: ...

class AudioPartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["audio"]: ...
    @overload
    def __call__(self, key: Literal["source"], default: object = ..., /) -> dict[str, Any]: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["signature", "issuer"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "text",
            "citations",
            "detail",
            "filename",
            "thinking",
            "summary",
            "data",
            "refusal",
            "id",
            "name",
            "input",
            "custom",
            "tool_use_id",
            "content",
            "is_error",
            "value",
            "format",
            "image_url",
            "input_audio",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class AudioPartReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["audio"] = ...,
        source: parts.Source | dict[str, Any] = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        signature: str | None = ...,
        issuer: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.AudioPart: ...

class Base64SourceGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["base64"]: ...
    @overload
    def __call__(self, key: Literal["data"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["media_type"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(self, key: Literal["url", "file_id", "issuer", "text"], default: _T = ..., /) -> _T: ...

class Base64SourceReplace(Protocol):
    def __call__(
        self, *, type: Literal["base64"] = ..., data: str = ..., media_type: str | None = ...
    ) -> parts.Base64Source: ...

class CacheControlGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["ephemeral"]: ...
    @overload
    def __call__(self, key: Literal["ttl"], default: str | _T | None = ..., /) -> str | _T | None: ...

class CacheControlReplace(Protocol):
    def __call__(self, *, type: Literal["ephemeral"] = ..., ttl: str | None = ...) -> parts.CacheControl: ...

class CachingGet(Protocol):
    @overload
    def __call__(self, key: Literal["tools", "system"], default: _T = ..., /) -> bool | _T: ...
    @overload
    def __call__(self, key: Literal["messages"], default: _T = ..., /) -> int | _T: ...
    @overload
    def __call__(self, key: Literal["ttl"], default: str | _T | None = ..., /) -> str | _T | None: ...

class CachingReplace(Protocol):
    def __call__(
        self, *, tools: bool = ..., system: bool = ..., messages: int = ..., ttl: str | None = ...
    ) -> exchange.Caching: ...

class ChoiceGet(Protocol):
    @overload
    def __call__(self, key: Literal["message"], default: object = ..., /) -> dict[str, Any]: ...
    @overload
    def __call__(
        self, key: Literal["stop_reason", "native_stop_reason", "stop_sequence"], default: str | _T | None = ..., /
    ) -> str | _T | None: ...
    @overload
    def __call__(self, key: Literal["incomplete"], default: bool | _T | None = ..., /) -> bool | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...

class ChoiceReplace(Protocol):
    def __call__(
        self,
        *,
        message: messages.AssistantMessage | dict[str, Any] = ...,
        stop_reason: str | None = ...,
        native_stop_reason: str | None = ...,
        stop_sequence: str | None = ...,
        incomplete: bool | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> exchange.Choice: ...

class ConversationGet(Protocol):
    @overload
    def __call__(self, key: Literal["version"], default: object = ..., /) -> Literal[1]: ...
    @overload
    def __call__(self, key: Literal["id"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(self, key: Literal["messages"], default: object = ..., /) -> list[dict[str, Any]]: ...
    @overload
    def __call__(
        self, key: Literal["tools"], default: list[dict[str, Any]] | _T | None = ..., /
    ) -> list[dict[str, Any]] | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["metadata"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...

class ConversationReplace(Protocol):
    def __call__(
        self,
        *,
        version: Literal[1] = ...,
        id: str | None = ...,
        messages: Sequence[messages.MessageBase | dict[str, Any]] = ...,
        tools: Sequence[exchange.AnyTool | dict[str, Any]] | None = ...,
        metadata: dict[str, Any] | None = ...,
    ) -> exchange.Conversation: ...

class DeveloperMessageGet(Protocol):
    @overload
    def __call__(self, key: Literal["role"], default: object = ..., /) -> Literal["developer"]: ...
    @overload
    def __call__(self, key: Literal["name"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire", "extra"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["content"], default: object = ..., /) -> str | list[dict[str, Any]]: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "reasoning_content", "thinking_blocks", "refusal", "tool_calls", "tool_call_id", "is_error", "format", "value"
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class DeveloperMessageReplace(Protocol):
    def __call__(
        self,
        *,
        role: Literal["developer"] = ...,
        name: str | None = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
        extra: dict[str, Any] | None = ...,
        content: str | Sequence[parts.Part | dict[str, Any]] = ...,
    ) -> messages.DeveloperMessage: ...

class DocumentCitationGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["document"]: ...
    @overload
    def __call__(
        self, key: Literal["document", "source_start", "source_end", "start", "end"], default: int | _T | None = ..., /
    ) -> int | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["file_id", "issuer", "title", "cited_text"], default: str | _T | None = ..., /
    ) -> str | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["unit"], default: Literal["character", "page", "block"] | _T | None = ..., /
    ) -> Literal["character", "page", "block"] | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["url", "source", "result", "format", "value"], default: _T = ..., /) -> _T: ...

class DocumentCitationReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["document"] = ...,
        document: int | None = ...,
        file_id: str | None = ...,
        issuer: str | None = ...,
        unit: Literal["character", "page", "block"] | None = ...,
        source_start: int | None = ...,
        source_end: int | None = ...,
        title: str | None = ...,
        cited_text: str | None = ...,
        start: int | None = ...,
        end: int | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.DocumentCitation: ...

class ErrorEventGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["error"]: ...
    @overload
    def __call__(self, key: Literal["error"], default: object = ..., /) -> dict[str, Any]: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "choice",
            "id",
            "model",
            "created",
            "origin",
            "spelling",
            "index",
            "text",
            "thinking",
            "field",
            "signature",
            "issuer",
            "data",
            "refusal",
            "name",
            "custom",
            "arguments",
            "part",
            "of",
            "join",
            "overwrite",
            "usage",
            "stop_reason",
            "native_stop_reason",
            "stop_sequence",
            "format",
            "value",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class ErrorEventReplace(Protocol):
    def __call__(self, *, type: Literal["error"] = ..., error: dict[str, Any] = ...) -> events.ErrorEvent: ...

class FileIdSourceGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["file_id"]: ...
    @overload
    def __call__(self, key: Literal["file_id"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["issuer", "media_type"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(self, key: Literal["url", "data", "text"], default: _T = ..., /) -> _T: ...

class FileIdSourceReplace(Protocol):
    def __call__(
        self, *, type: Literal["file_id"] = ..., file_id: str = ..., issuer: str | None = ..., media_type: str | None = ...
    ) -> parts.FileIdSource: ...

class FilePartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["file"]: ...
    @overload
    def __call__(self, key: Literal["source"], default: object = ..., /) -> dict[str, Any]: ...
    @overload
    def __call__(
        self, key: Literal["filename", "signature", "issuer"], default: str | _T | None = ..., /
    ) -> str | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "text",
            "citations",
            "detail",
            "thinking",
            "summary",
            "data",
            "refusal",
            "id",
            "name",
            "input",
            "custom",
            "tool_use_id",
            "content",
            "is_error",
            "value",
            "format",
            "image_url",
            "input_audio",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class FilePartReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["file"] = ...,
        source: parts.Source | dict[str, Any] = ...,
        filename: str | None = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        signature: str | None = ...,
        issuer: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.FilePart: ...

class ImagePartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["image"]: ...
    @overload
    def __call__(self, key: Literal["source"], default: object = ..., /) -> dict[str, Any]: ...
    @overload
    def __call__(self, key: Literal["detail", "signature", "issuer"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "text",
            "citations",
            "filename",
            "thinking",
            "summary",
            "data",
            "refusal",
            "id",
            "name",
            "input",
            "custom",
            "tool_use_id",
            "content",
            "is_error",
            "value",
            "format",
            "image_url",
            "input_audio",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class ImagePartReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["image"] = ...,
        source: parts.Source | dict[str, Any] = ...,
        detail: str | None = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        signature: str | None = ...,
        issuer: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.ImagePart: ...

class ImageUrlGet(Protocol):
    @overload
    def __call__(self, key: Literal["url"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["detail"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...

class ImageUrlReplace(Protocol):
    def __call__(
        self,
        *,
        url: str = ...,
        detail: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.ImageUrl: ...

class ImageUrlPartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["image_url"]: ...
    @overload
    def __call__(self, key: Literal["image_url"], default: object = ..., /) -> dict[str, Any]: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["signature", "issuer"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "text",
            "citations",
            "source",
            "detail",
            "filename",
            "thinking",
            "summary",
            "data",
            "refusal",
            "id",
            "name",
            "input",
            "custom",
            "tool_use_id",
            "content",
            "is_error",
            "value",
            "format",
            "input_audio",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class ImageUrlPartReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["image_url"] = ...,
        image_url: parts.ImageUrl | dict[str, Any] = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        signature: str | None = ...,
        issuer: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.ImageUrlPart: ...

class InputAudioGet(Protocol):
    @overload
    def __call__(self, key: Literal["data", "format"], default: object = ..., /) -> str: ...
    @overload
    def __call__(
        self, key: Literal["provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...

class InputAudioReplace(Protocol):
    def __call__(
        self,
        *,
        data: str = ...,
        format: str = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.InputAudio: ...

class InputAudioPartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["input_audio"]: ...
    @overload
    def __call__(self, key: Literal["input_audio"], default: object = ..., /) -> dict[str, Any]: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["signature", "issuer"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "text",
            "citations",
            "source",
            "detail",
            "filename",
            "thinking",
            "summary",
            "data",
            "refusal",
            "id",
            "name",
            "input",
            "custom",
            "tool_use_id",
            "content",
            "is_error",
            "value",
            "format",
            "image_url",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class InputAudioPartReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["input_audio"] = ...,
        input_audio: parts.InputAudio | dict[str, Any] = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        signature: str | None = ...,
        issuer: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.InputAudioPart: ...

class JsonPartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["json"]: ...
    @overload
    def __call__(self, key: Literal["value"], default: object = ..., /) -> Any: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["signature", "issuer"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "text",
            "citations",
            "source",
            "detail",
            "filename",
            "thinking",
            "summary",
            "data",
            "refusal",
            "id",
            "name",
            "input",
            "custom",
            "tool_use_id",
            "content",
            "is_error",
            "format",
            "image_url",
            "input_audio",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class JsonPartReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["json"] = ...,
        value: Any = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        signature: str | None = ...,
        issuer: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.JsonPart: ...

class MessageStartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["message_start"]: ...
    @overload
    def __call__(self, key: Literal["choice"], default: _T = ..., /) -> int | _T: ...
    @overload
    def __call__(self, key: Literal["id", "model", "origin"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(self, key: Literal["created"], default: int | float | _T | None = ..., /) -> int | float | _T | None: ...
    @overload
    def __call__(self, key: Literal["spelling"], default: _T = ..., /) -> Literal["flat", "blocks"] | _T: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "index",
            "text",
            "thinking",
            "field",
            "signature",
            "issuer",
            "data",
            "refusal",
            "name",
            "custom",
            "arguments",
            "part",
            "of",
            "join",
            "overwrite",
            "usage",
            "stop_reason",
            "native_stop_reason",
            "stop_sequence",
            "format",
            "value",
            "error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class MessageStartReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["message_start"] = ...,
        choice: int = ...,
        id: str | None = ...,
        model: str | None = ...,
        created: int | float | None = ...,
        origin: str | None = ...,
        spelling: Literal["flat", "blocks"] = ...,
    ) -> events.MessageStart: ...

class OpaqueCitationGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["opaque"]: ...
    @overload
    def __call__(self, key: Literal["format"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["value"], default: object = ..., /) -> dict[str, Any]: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "url",
            "title",
            "cited_text",
            "start",
            "end",
            "provider_data",
            "wire",
            "document",
            "file_id",
            "issuer",
            "unit",
            "source_start",
            "source_end",
            "source",
            "result",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class OpaqueCitationReplace(Protocol):
    def __call__(
        self, *, type: Literal["opaque"] = ..., format: str = ..., value: dict[str, Any] = ...
    ) -> parts.OpaqueCitation: ...

class OpaqueEventGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["opaque"]: ...
    @overload
    def __call__(self, key: Literal["choice"], default: _T = ..., /) -> int | _T: ...
    @overload
    def __call__(self, key: Literal["index"], default: int | _T | None = ..., /) -> int | _T | None: ...
    @overload
    def __call__(self, key: Literal["format"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["value"], default: object = ..., /) -> dict[str, Any]: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "id",
            "model",
            "created",
            "origin",
            "spelling",
            "text",
            "thinking",
            "field",
            "signature",
            "issuer",
            "data",
            "refusal",
            "name",
            "custom",
            "arguments",
            "part",
            "of",
            "join",
            "overwrite",
            "usage",
            "stop_reason",
            "native_stop_reason",
            "stop_sequence",
            "error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class OpaqueEventReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["opaque"] = ...,
        choice: int = ...,
        index: int | None = ...,
        format: str = ...,
        value: dict[str, Any] = ...,
    ) -> events.OpaqueEvent: ...

class OpaqueMessageGet(Protocol):
    @overload
    def __call__(self, key: Literal["role"], default: object = ..., /) -> Literal["opaque"]: ...
    @overload
    def __call__(self, key: Literal["format"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["value"], default: object = ..., /) -> dict[str, Any]: ...
    @overload
    def __call__(
        self, key: Literal["wire", "extra"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "name",
            "cache_control",
            "provider_data",
            "content",
            "reasoning_content",
            "thinking_blocks",
            "refusal",
            "tool_calls",
            "tool_call_id",
            "is_error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class OpaqueMessageReplace(Protocol):
    def __call__(
        self,
        *,
        role: Literal["opaque"] = ...,
        format: str = ...,
        value: dict[str, Any] = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
        extra: dict[str, Any] | None = ...,
    ) -> messages.OpaqueMessage: ...

class OpaquePartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["opaque"]: ...
    @overload
    def __call__(self, key: Literal["format"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["value"], default: object = ..., /) -> dict[str, Any]: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["signature", "issuer"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "text",
            "citations",
            "source",
            "detail",
            "filename",
            "thinking",
            "summary",
            "data",
            "refusal",
            "id",
            "name",
            "input",
            "custom",
            "tool_use_id",
            "content",
            "is_error",
            "image_url",
            "input_audio",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class OpaquePartReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["opaque"] = ...,
        format: str = ...,
        value: dict[str, Any] = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        signature: str | None = ...,
        issuer: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.OpaquePart: ...

class OpaqueToolGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["opaque"]: ...
    @overload
    def __call__(self, key: Literal["format"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["value"], default: object = ..., /) -> dict[str, Any]: ...
    @overload
    def __call__(
        self,
        key: Literal["name", "description", "parameters", "strict", "cache_control", "provider_data", "wire"],
        default: _T = ...,
        /,
    ) -> _T: ...

class OpaqueToolReplace(Protocol):
    def __call__(
        self, *, type: Literal["opaque"] = ..., format: str = ..., value: dict[str, Any] = ...
    ) -> exchange.OpaqueTool: ...

class PartStopGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["part_stop"]: ...
    @overload
    def __call__(self, key: Literal["choice"], default: _T = ..., /) -> int | _T: ...
    @overload
    def __call__(self, key: Literal["index"], default: object = ..., /) -> int: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "id",
            "model",
            "created",
            "origin",
            "spelling",
            "text",
            "thinking",
            "field",
            "signature",
            "issuer",
            "data",
            "refusal",
            "name",
            "custom",
            "arguments",
            "part",
            "of",
            "join",
            "overwrite",
            "usage",
            "stop_reason",
            "native_stop_reason",
            "stop_sequence",
            "format",
            "value",
            "error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class PartStopReplace(Protocol):
    def __call__(self, *, type: Literal["part_stop"] = ..., choice: int = ..., index: int = ...) -> events.PartStop: ...

class RedactedThinkingGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["redacted_thinking"]: ...
    @overload
    def __call__(self, key: Literal["choice"], default: _T = ..., /) -> int | _T: ...
    @overload
    def __call__(self, key: Literal["index"], default: object = ..., /) -> int: ...
    @overload
    def __call__(self, key: Literal["data"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["issuer"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "id",
            "model",
            "created",
            "origin",
            "spelling",
            "text",
            "thinking",
            "field",
            "signature",
            "refusal",
            "name",
            "custom",
            "arguments",
            "part",
            "of",
            "join",
            "overwrite",
            "usage",
            "stop_reason",
            "native_stop_reason",
            "stop_sequence",
            "format",
            "value",
            "error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class RedactedThinkingReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["redacted_thinking"] = ...,
        choice: int = ...,
        index: int = ...,
        data: str = ...,
        issuer: str | None = ...,
    ) -> events.RedactedThinking: ...

class RedactedThinkingPartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["redacted_thinking"]: ...
    @overload
    def __call__(self, key: Literal["data"], default: object = ..., /) -> str: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["signature", "issuer"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "text",
            "citations",
            "source",
            "detail",
            "filename",
            "thinking",
            "summary",
            "refusal",
            "id",
            "name",
            "input",
            "custom",
            "tool_use_id",
            "content",
            "is_error",
            "value",
            "format",
            "image_url",
            "input_audio",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class RedactedThinkingPartReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["redacted_thinking"] = ...,
        data: str = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        signature: str | None = ...,
        issuer: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.RedactedThinkingPart: ...

class RefusalDeltaGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["refusal"]: ...
    @overload
    def __call__(self, key: Literal["choice"], default: _T = ..., /) -> int | _T: ...
    @overload
    def __call__(self, key: Literal["index"], default: object = ..., /) -> int: ...
    @overload
    def __call__(self, key: Literal["refusal"], default: object = ..., /) -> str: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "id",
            "model",
            "created",
            "origin",
            "spelling",
            "text",
            "thinking",
            "field",
            "signature",
            "issuer",
            "data",
            "name",
            "custom",
            "arguments",
            "part",
            "of",
            "join",
            "overwrite",
            "usage",
            "stop_reason",
            "native_stop_reason",
            "stop_sequence",
            "format",
            "value",
            "error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class RefusalDeltaReplace(Protocol):
    def __call__(
        self, *, type: Literal["refusal"] = ..., choice: int = ..., index: int = ..., refusal: str = ...
    ) -> events.RefusalDelta: ...

class RefusalPartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["refusal"]: ...
    @overload
    def __call__(self, key: Literal["refusal"], default: object = ..., /) -> str: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["signature", "issuer"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "text",
            "citations",
            "source",
            "detail",
            "filename",
            "thinking",
            "summary",
            "data",
            "id",
            "name",
            "input",
            "custom",
            "tool_use_id",
            "content",
            "is_error",
            "value",
            "format",
            "image_url",
            "input_audio",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class RefusalPartReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["refusal"] = ...,
        refusal: str = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        signature: str | None = ...,
        issuer: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.RefusalPart: ...

class RequestGet(Protocol):
    @overload
    def __call__(self, key: Literal["messages"], default: object = ..., /) -> list[dict[str, Any]]: ...
    @overload
    def __call__(
        self, key: Literal["model", "reasoning_effort", "user", "origin"], default: str | _T | None = ..., /
    ) -> str | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["tools"], default: list[dict[str, Any]] | _T | None = ..., /
    ) -> list[dict[str, Any]] | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal["tool_choice", "response_format", "metadata", "caching", "provider_data", "wire"],
        default: dict[str, Any] | _T | None = ...,
        /,
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["parallel_tool_calls", "stream"], default: bool | _T | None = ..., /
    ) -> bool | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["max_tokens", "top_k", "reasoning_budget"], default: int | _T | None = ..., /
    ) -> int | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["temperature", "top_p"], default: int | float | _T | None = ..., /
    ) -> int | float | _T | None: ...
    @overload
    def __call__(self, key: Literal["stop"], default: list[str] | _T | None = ..., /) -> list[str] | _T | None: ...

class RequestReplace(Protocol):
    def __call__(
        self,
        *,
        messages: Sequence[messages.MessageBase | dict[str, Any]] = ...,
        model: str | None = ...,
        tools: Sequence[exchange.AnyTool | dict[str, Any]] | None = ...,
        tool_choice: exchange.ToolChoice | dict[str, Any] | None = ...,
        parallel_tool_calls: bool | None = ...,
        max_tokens: int | None = ...,
        temperature: int | float | None = ...,
        top_p: int | float | None = ...,
        top_k: int | None = ...,
        stop: list[str] | tuple[str, ...] | None = ...,
        reasoning_effort: str | None = ...,
        reasoning_budget: int | None = ...,
        response_format: exchange.ResponseFormat | dict[str, Any] | None = ...,
        metadata: dict[str, Any] | None = ...,
        user: str | None = ...,
        stream: bool | None = ...,
        caching: exchange.Caching | dict[str, Any] | None = ...,
        origin: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> exchange.Request: ...

class ResponseGet(Protocol):
    @overload
    def __call__(self, key: Literal["id", "model", "origin"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(self, key: Literal["created"], default: int | float | _T | None = ..., /) -> int | float | _T | None: ...
    @overload
    def __call__(self, key: Literal["choices"], default: object = ..., /) -> list[dict[str, Any]]: ...
    @overload
    def __call__(
        self, key: Literal["usage", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...

class ResponseReplace(Protocol):
    def __call__(
        self,
        *,
        id: str | None = ...,
        model: str | None = ...,
        created: int | float | None = ...,
        choices: Sequence[exchange.Choice | dict[str, Any]] = ...,
        usage: exchange.Usage | dict[str, Any] | None = ...,
        origin: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> exchange.Response: ...

class ResponseFormatGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["text", "json_object", "json_schema"]: ...
    @overload
    def __call__(self, key: Literal["name", "description"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["json_schema"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["strict"], default: bool | _T | None = ..., /) -> bool | _T | None: ...

class ResponseFormatReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["text", "json_object", "json_schema"] = ...,
        name: str | None = ...,
        description: str | None = ...,
        json_schema: dict[str, Any] | None = ...,
        strict: bool | None = ...,
    ) -> exchange.ResponseFormat: ...

class SearchResultCitationGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["search_result"]: ...
    @overload
    def __call__(self, key: Literal["source", "title", "cited_text"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["result", "source_start", "source_end", "start", "end"], default: int | _T | None = ..., /
    ) -> int | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["url", "document", "file_id", "issuer", "unit", "format", "value"], default: _T = ..., /
    ) -> _T: ...

class SearchResultCitationReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["search_result"] = ...,
        source: str | None = ...,
        result: int | None = ...,
        source_start: int | None = ...,
        source_end: int | None = ...,
        title: str | None = ...,
        cited_text: str | None = ...,
        start: int | None = ...,
        end: int | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.SearchResultCitation: ...

class SignatureDeltaGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["signature"]: ...
    @overload
    def __call__(self, key: Literal["choice"], default: _T = ..., /) -> int | _T: ...
    @overload
    def __call__(self, key: Literal["index"], default: object = ..., /) -> int: ...
    @overload
    def __call__(self, key: Literal["signature"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["issuer"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "id",
            "model",
            "created",
            "origin",
            "spelling",
            "text",
            "thinking",
            "field",
            "data",
            "refusal",
            "name",
            "custom",
            "arguments",
            "part",
            "of",
            "join",
            "overwrite",
            "usage",
            "stop_reason",
            "native_stop_reason",
            "stop_sequence",
            "format",
            "value",
            "error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class SignatureDeltaReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["signature"] = ...,
        choice: int = ...,
        index: int = ...,
        signature: str = ...,
        issuer: str | None = ...,
    ) -> events.SignatureDelta: ...

class StopGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["stop"]: ...
    @overload
    def __call__(self, key: Literal["choice"], default: _T = ..., /) -> int | _T: ...
    @overload
    def __call__(
        self, key: Literal["stop_reason", "native_stop_reason", "stop_sequence"], default: str | _T | None = ..., /
    ) -> str | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "id",
            "model",
            "created",
            "origin",
            "spelling",
            "index",
            "text",
            "thinking",
            "field",
            "signature",
            "issuer",
            "data",
            "refusal",
            "name",
            "custom",
            "arguments",
            "part",
            "of",
            "join",
            "overwrite",
            "usage",
            "format",
            "value",
            "error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class StopReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["stop"] = ...,
        choice: int = ...,
        stop_reason: str | None = ...,
        native_stop_reason: str | None = ...,
        stop_sequence: str | None = ...,
    ) -> events.Stop: ...

class StreamEndGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["end"]: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "choice",
            "id",
            "model",
            "created",
            "origin",
            "spelling",
            "index",
            "text",
            "thinking",
            "field",
            "signature",
            "issuer",
            "data",
            "refusal",
            "name",
            "custom",
            "arguments",
            "part",
            "of",
            "join",
            "overwrite",
            "usage",
            "stop_reason",
            "native_stop_reason",
            "stop_sequence",
            "format",
            "value",
            "error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class StreamEndReplace(Protocol):
    def __call__(self, *, type: Literal["end"] = ...) -> events.StreamEnd: ...

class SystemMessageGet(Protocol):
    @overload
    def __call__(self, key: Literal["role"], default: object = ..., /) -> Literal["system"]: ...
    @overload
    def __call__(self, key: Literal["name"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire", "extra"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["content"], default: object = ..., /) -> str | list[dict[str, Any]]: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "reasoning_content", "thinking_blocks", "refusal", "tool_calls", "tool_call_id", "is_error", "format", "value"
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class SystemMessageReplace(Protocol):
    def __call__(
        self,
        *,
        role: Literal["system"] = ...,
        name: str | None = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
        extra: dict[str, Any] | None = ...,
        content: str | Sequence[parts.Part | dict[str, Any]] = ...,
    ) -> messages.SystemMessage: ...

class TextDeltaGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["text"]: ...
    @overload
    def __call__(self, key: Literal["choice"], default: _T = ..., /) -> int | _T: ...
    @overload
    def __call__(self, key: Literal["index"], default: object = ..., /) -> int: ...
    @overload
    def __call__(self, key: Literal["text"], default: object = ..., /) -> str: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "id",
            "model",
            "created",
            "origin",
            "spelling",
            "thinking",
            "field",
            "signature",
            "issuer",
            "data",
            "refusal",
            "name",
            "custom",
            "arguments",
            "part",
            "of",
            "join",
            "overwrite",
            "usage",
            "stop_reason",
            "native_stop_reason",
            "stop_sequence",
            "format",
            "value",
            "error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class TextDeltaReplace(Protocol):
    def __call__(
        self, *, type: Literal["text"] = ..., choice: int = ..., index: int = ..., text: str = ...
    ) -> events.TextDelta: ...

class TextMessageGet(Protocol):
    @overload
    def __call__(self, key: Literal["role"], default: object = ..., /) -> Literal["text"]: ...
    @overload
    def __call__(self, key: Literal["content"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["name"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire", "extra"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "reasoning_content", "thinking_blocks", "refusal", "tool_calls", "tool_call_id", "is_error", "format", "value"
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class TextMessageReplace(Protocol):
    def __call__(
        self,
        *,
        role: Literal["text"] = ...,
        content: str = ...,
        name: str | None = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
        extra: dict[str, Any] | None = ...,
    ) -> messages.TextMessage: ...

class TextPartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["text"]: ...
    @overload
    def __call__(self, key: Literal["text"], default: object = ..., /) -> str: ...
    @overload
    def __call__(
        self, key: Literal["citations"], default: list[dict[str, Any]] | _T | None = ..., /
    ) -> list[dict[str, Any]] | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["signature", "issuer"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "source",
            "detail",
            "filename",
            "thinking",
            "summary",
            "data",
            "refusal",
            "id",
            "name",
            "input",
            "custom",
            "tool_use_id",
            "content",
            "is_error",
            "value",
            "format",
            "image_url",
            "input_audio",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class TextPartReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["text"] = ...,
        text: str = ...,
        citations: Sequence[parts.Citation | dict[str, Any]] | None = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        signature: str | None = ...,
        issuer: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.TextPart: ...

class TextSourceGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["text"]: ...
    @overload
    def __call__(self, key: Literal["text"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["media_type"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(self, key: Literal["url", "data", "file_id", "issuer"], default: _T = ..., /) -> _T: ...

class TextSourceReplace(Protocol):
    def __call__(self, *, type: Literal["text"] = ..., text: str = ..., media_type: str | None = ...) -> parts.TextSource: ...

class ThinkingDeltaGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["thinking"]: ...
    @overload
    def __call__(self, key: Literal["choice"], default: _T = ..., /) -> int | _T: ...
    @overload
    def __call__(self, key: Literal["index"], default: object = ..., /) -> int: ...
    @overload
    def __call__(self, key: Literal["thinking"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["field"], default: _T = ..., /) -> Literal["block", "text", "both"] | _T: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "id",
            "model",
            "created",
            "origin",
            "spelling",
            "text",
            "signature",
            "issuer",
            "data",
            "refusal",
            "name",
            "custom",
            "arguments",
            "part",
            "of",
            "join",
            "overwrite",
            "usage",
            "stop_reason",
            "native_stop_reason",
            "stop_sequence",
            "format",
            "value",
            "error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class ThinkingDeltaReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["thinking"] = ...,
        choice: int = ...,
        index: int = ...,
        thinking: str = ...,
        field: Literal["block", "text", "both"] = ...,
    ) -> events.ThinkingDelta: ...

class ThinkingPartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["thinking"]: ...
    @overload
    def __call__(self, key: Literal["thinking"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["summary"], default: bool | _T | None = ..., /) -> bool | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["signature", "issuer"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "text",
            "citations",
            "source",
            "detail",
            "filename",
            "data",
            "refusal",
            "id",
            "name",
            "input",
            "custom",
            "tool_use_id",
            "content",
            "is_error",
            "value",
            "format",
            "image_url",
            "input_audio",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class ThinkingPartReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["thinking"] = ...,
        thinking: str = ...,
        summary: bool | None = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        signature: str | None = ...,
        issuer: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.ThinkingPart: ...

class ToolGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["function"]: ...
    @overload
    def __call__(self, key: Literal["name"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["description"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["parameters", "cache_control", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["strict"], default: bool | _T | None = ..., /) -> bool | _T | None: ...
    @overload
    def __call__(self, key: Literal["format", "value"], default: _T = ..., /) -> _T: ...

class ToolReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["function"] = ...,
        name: str = ...,
        description: str | None = ...,
        parameters: dict[str, Any] | None = ...,
        strict: bool | None = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> exchange.Tool: ...

class ToolCallGet(Protocol):
    @overload
    def __call__(self, key: Literal["id", "signature", "issuer"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(self, key: Literal["name", "arguments"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["custom"], default: bool | _T | None = ..., /) -> bool | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...

class ToolCallReplace(Protocol):
    def __call__(
        self,
        *,
        id: str | None = ...,
        name: str = ...,
        arguments: str = ...,
        custom: bool | None = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        signature: str | None = ...,
        issuer: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.ToolCall: ...

class ToolChoiceGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["auto", "none", "required", "tool"]: ...
    @overload
    def __call__(self, key: Literal["name"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(self, key: Literal["allowed"], default: list[str] | _T | None = ..., /) -> list[str] | _T | None: ...

class ToolChoiceReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["auto", "none", "required", "tool"] = ...,
        name: str | None = ...,
        allowed: list[str] | tuple[str, ...] | None = ...,
    ) -> exchange.ToolChoice: ...

class ToolMessageGet(Protocol):
    @overload
    def __call__(self, key: Literal["role"], default: object = ..., /) -> Literal["tool"]: ...
    @overload
    def __call__(self, key: Literal["tool_call_id", "name"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(self, key: Literal["is_error"], default: bool | _T | None = ..., /) -> bool | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire", "extra"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["content"], default: object = ..., /) -> str | list[dict[str, Any]]: ...
    @overload
    def __call__(
        self,
        key: Literal["reasoning_content", "thinking_blocks", "refusal", "tool_calls", "format", "value"],
        default: _T = ...,
        /,
    ) -> _T: ...

class ToolMessageReplace(Protocol):
    def __call__(
        self,
        *,
        role: Literal["tool"] = ...,
        tool_call_id: str | None = ...,
        is_error: bool | None = ...,
        name: str | None = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
        extra: dict[str, Any] | None = ...,
        content: str | Sequence[parts.Part | dict[str, Any]] = ...,
    ) -> messages.ToolMessage: ...

class ToolResultPartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["tool_result"]: ...
    @overload
    def __call__(
        self, key: Literal["tool_use_id", "name", "signature", "issuer"], default: str | _T | None = ..., /
    ) -> str | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["content"], default: str | list[dict[str, Any]] | _T | None = ..., /
    ) -> str | list[dict[str, Any]] | _T | None: ...
    @overload
    def __call__(self, key: Literal["is_error"], default: bool | _T | None = ..., /) -> bool | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "text",
            "citations",
            "source",
            "detail",
            "filename",
            "thinking",
            "summary",
            "data",
            "refusal",
            "id",
            "input",
            "custom",
            "value",
            "format",
            "image_url",
            "input_audio",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class ToolResultPartReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["tool_result"] = ...,
        tool_use_id: str | None = ...,
        content: str | Sequence[parts.ResultContentPart | dict[str, Any]] | None = ...,
        is_error: bool | None = ...,
        name: str | None = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        signature: str | None = ...,
        issuer: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.ToolResultPart: ...

class ToolUseGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["tool_use"]: ...
    @overload
    def __call__(self, key: Literal["choice"], default: _T = ..., /) -> int | _T: ...
    @overload
    def __call__(self, key: Literal["index"], default: object = ..., /) -> int: ...
    @overload
    def __call__(self, key: Literal["id"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(self, key: Literal["name", "arguments"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["custom"], default: bool | _T | None = ..., /) -> bool | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "model",
            "created",
            "origin",
            "spelling",
            "text",
            "thinking",
            "field",
            "signature",
            "issuer",
            "data",
            "refusal",
            "part",
            "of",
            "join",
            "overwrite",
            "usage",
            "stop_reason",
            "native_stop_reason",
            "stop_sequence",
            "format",
            "value",
            "error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class ToolUseReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["tool_use"] = ...,
        choice: int = ...,
        index: int = ...,
        id: str | None = ...,
        name: str = ...,
        arguments: str = ...,
        custom: bool | None = ...,
    ) -> events.ToolUse: ...

class ToolUsePartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["tool_use"]: ...
    @overload
    def __call__(self, key: Literal["id", "signature", "issuer"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(self, key: Literal["name"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["input"], default: object = ..., /) -> str | dict[str, Any]: ...
    @overload
    def __call__(self, key: Literal["custom"], default: bool | _T | None = ..., /) -> bool | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "text",
            "citations",
            "source",
            "detail",
            "filename",
            "thinking",
            "summary",
            "data",
            "refusal",
            "tool_use_id",
            "content",
            "is_error",
            "value",
            "format",
            "image_url",
            "input_audio",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class ToolUsePartReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["tool_use"] = ...,
        id: str | None = ...,
        name: str = ...,
        input: str | dict[str, Any] = ...,
        custom: bool | None = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        signature: str | None = ...,
        issuer: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.ToolUsePart: ...

class ToolUseStartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["tool_use_start"]: ...
    @overload
    def __call__(self, key: Literal["choice"], default: _T = ..., /) -> int | _T: ...
    @overload
    def __call__(self, key: Literal["index"], default: object = ..., /) -> int: ...
    @overload
    def __call__(self, key: Literal["id"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(self, key: Literal["name"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["custom"], default: bool | _T | None = ..., /) -> bool | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "model",
            "created",
            "origin",
            "spelling",
            "text",
            "thinking",
            "field",
            "signature",
            "issuer",
            "data",
            "refusal",
            "arguments",
            "part",
            "of",
            "join",
            "overwrite",
            "usage",
            "stop_reason",
            "native_stop_reason",
            "stop_sequence",
            "format",
            "value",
            "error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class ToolUseStartReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["tool_use_start"] = ...,
        choice: int = ...,
        index: int = ...,
        id: str | None = ...,
        name: str = ...,
        custom: bool | None = ...,
    ) -> events.ToolUseStart: ...

class UpdateGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["update"]: ...
    @overload
    def __call__(self, key: Literal["choice"], default: _T = ..., /) -> int | _T: ...
    @overload
    def __call__(self, key: Literal["of"], default: object = ..., /) -> Literal["response", "choice", "message", "part"]: ...
    @overload
    def __call__(self, key: Literal["index"], default: int | _T | None = ..., /) -> int | _T | None: ...
    @overload
    def __call__(self, key: Literal["data"], default: object = ..., /) -> dict[str, Any]: ...
    @overload
    def __call__(self, key: Literal["join", "overwrite"], default: bool | _T | None = ..., /) -> bool | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "id",
            "model",
            "created",
            "origin",
            "spelling",
            "text",
            "thinking",
            "field",
            "signature",
            "issuer",
            "refusal",
            "name",
            "custom",
            "arguments",
            "part",
            "usage",
            "stop_reason",
            "native_stop_reason",
            "stop_sequence",
            "format",
            "value",
            "error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class UpdateReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["update"] = ...,
        choice: int = ...,
        of: Literal["response", "choice", "message", "part"] = ...,
        index: int | None = ...,
        data: dict[str, Any] = ...,
        join: bool | None = ...,
        overwrite: bool | None = ...,
    ) -> events.Update: ...

class UrlCitationGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["url"]: ...
    @overload
    def __call__(self, key: Literal["url"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["title", "cited_text"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(self, key: Literal["start", "end"], default: int | _T | None = ..., /) -> int | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "document", "file_id", "issuer", "unit", "source_start", "source_end", "source", "result", "format", "value"
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class UrlCitationReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["url"] = ...,
        url: str = ...,
        title: str | None = ...,
        cited_text: str | None = ...,
        start: int | None = ...,
        end: int | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.UrlCitation: ...

class UrlSourceGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["url"]: ...
    @overload
    def __call__(self, key: Literal["url"], default: object = ..., /) -> str: ...
    @overload
    def __call__(self, key: Literal["media_type"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(self, key: Literal["data", "file_id", "issuer", "text"], default: _T = ..., /) -> _T: ...

class UrlSourceReplace(Protocol):
    def __call__(self, *, type: Literal["url"] = ..., url: str = ..., media_type: str | None = ...) -> parts.UrlSource: ...

class UsageGet(Protocol):
    @overload
    def __call__(
        self,
        key: Literal[
            "input_tokens",
            "cache_read_tokens",
            "cache_write_tokens",
            "output_tokens",
            "reasoning_tokens",
            "input_audio_tokens",
            "output_audio_tokens",
        ],
        default: int | _T | None = ...,
        /,
    ) -> int | _T | None: ...
    @overload
    def __call__(self, key: Literal["native"], default: dict[str, Any] | _T | None = ..., /) -> dict[str, Any] | _T | None: ...

class UsageReplace(Protocol):
    def __call__(
        self,
        *,
        input_tokens: int | None = ...,
        cache_read_tokens: int | None = ...,
        cache_write_tokens: int | None = ...,
        output_tokens: int | None = ...,
        reasoning_tokens: int | None = ...,
        input_audio_tokens: int | None = ...,
        output_audio_tokens: int | None = ...,
        native: dict[str, dict[str, Any]] | None = ...,
    ) -> exchange.Usage: ...

class UsageUpdateGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["usage"]: ...
    @overload
    def __call__(self, key: Literal["usage"], default: object = ..., /) -> dict[str, Any]: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "choice",
            "id",
            "model",
            "created",
            "origin",
            "spelling",
            "index",
            "text",
            "thinking",
            "field",
            "signature",
            "issuer",
            "data",
            "refusal",
            "name",
            "custom",
            "arguments",
            "part",
            "of",
            "join",
            "overwrite",
            "stop_reason",
            "native_stop_reason",
            "stop_sequence",
            "format",
            "value",
            "error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class UsageUpdateReplace(Protocol):
    def __call__(self, *, type: Literal["usage"] = ..., usage: exchange.Usage | dict[str, Any] = ...) -> events.UsageUpdate: ...

class UserMessageGet(Protocol):
    @overload
    def __call__(self, key: Literal["role"], default: object = ..., /) -> Literal["user"]: ...
    @overload
    def __call__(self, key: Literal["name"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire", "extra"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["content"], default: object = ..., /) -> str | list[dict[str, Any]]: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "reasoning_content", "thinking_blocks", "refusal", "tool_calls", "tool_call_id", "is_error", "format", "value"
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class UserMessageReplace(Protocol):
    def __call__(
        self,
        *,
        role: Literal["user"] = ...,
        name: str | None = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
        extra: dict[str, Any] | None = ...,
        content: str | Sequence[parts.Part | dict[str, Any]] = ...,
    ) -> messages.UserMessage: ...

class VideoPartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["video"]: ...
    @overload
    def __call__(self, key: Literal["source"], default: object = ..., /) -> dict[str, Any]: ...
    @overload
    def __call__(
        self, key: Literal["cache_control", "provider_data", "wire"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(self, key: Literal["signature", "issuer"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "text",
            "citations",
            "detail",
            "filename",
            "thinking",
            "summary",
            "data",
            "refusal",
            "id",
            "name",
            "input",
            "custom",
            "tool_use_id",
            "content",
            "is_error",
            "value",
            "format",
            "image_url",
            "input_audio",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class VideoPartReplace(Protocol):
    def __call__(
        self,
        *,
        type: Literal["video"] = ...,
        source: parts.Source | dict[str, Any] = ...,
        cache_control: parts.CacheControl | dict[str, Any] | None = ...,
        signature: str | None = ...,
        issuer: str | None = ...,
        provider_data: dict[str, dict[str, Any]] | None = ...,
        wire: parts.WireRecord | dict[str, Any] | None = ...,
    ) -> parts.VideoPart: ...

class WholePartGet(Protocol):
    @overload
    def __call__(self, key: Literal["type"], default: object = ..., /) -> Literal["part"]: ...
    @overload
    def __call__(self, key: Literal["choice"], default: _T = ..., /) -> int | _T: ...
    @overload
    def __call__(self, key: Literal["index"], default: object = ..., /) -> int: ...
    @overload
    def __call__(self, key: Literal["part"], default: object = ..., /) -> dict[str, Any]: ...
    @overload
    def __call__(
        self,
        key: Literal[
            "id",
            "model",
            "created",
            "origin",
            "spelling",
            "text",
            "thinking",
            "field",
            "signature",
            "issuer",
            "data",
            "refusal",
            "name",
            "custom",
            "arguments",
            "of",
            "join",
            "overwrite",
            "usage",
            "stop_reason",
            "native_stop_reason",
            "stop_sequence",
            "format",
            "value",
            "error",
        ],
        default: _T = ...,
        /,
    ) -> _T: ...

class WholePartReplace(Protocol):
    def __call__(
        self, *, type: Literal["part"] = ..., choice: int = ..., index: int = ..., part: parts.Part | dict[str, Any] = ...
    ) -> events.WholePart: ...

class WireRecordGet(Protocol):
    @overload
    def __call__(self, key: Literal["origin"], default: str | _T | None = ..., /) -> str | _T | None: ...
    @overload
    def __call__(self, key: Literal["response"], default: bool | _T | None = ..., /) -> bool | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["spelling"], default: dict[str, Any] | _T | None = ..., /
    ) -> dict[str, Any] | _T | None: ...
    @overload
    def __call__(
        self, key: Literal["partial", "standalone"], default: list[str] | _T | None = ..., /
    ) -> list[str] | _T | None: ...

class WireRecordReplace(Protocol):
    def __call__(
        self,
        *,
        origin: str | None = ...,
        response: bool | None = ...,
        spelling: dict[str, str] | None = ...,
        partial: list[str] | tuple[str, ...] | None = ...,
        standalone: list[str] | tuple[str, ...] | None = ...,
    ) -> parts.WireRecord: ...

CitationBaseGet: TypeAlias = DocumentCitationGet | SearchResultCitationGet | UrlCitationGet
MessageBaseGet: TypeAlias = (
    AssistantMessageGet
    | DeveloperMessageGet
    | OpaqueMessageGet
    | SystemMessageGet
    | TextMessageGet
    | ToolMessageGet
    | UserMessageGet
)
PartBaseGet: TypeAlias = (
    AudioPartGet
    | FilePartGet
    | ImagePartGet
    | ImageUrlPartGet
    | InputAudioPartGet
    | JsonPartGet
    | OpaquePartGet
    | RedactedThinkingPartGet
    | RefusalPartGet
    | TextPartGet
    | ThinkingPartGet
    | ToolResultPartGet
    | ToolUsePartGet
    | VideoPartGet
)

class ModelReplace(Protocol[_Copy_co]):
    def __call__(self, **changes: Any) -> _Copy_co: ...
