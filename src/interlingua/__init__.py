"""LLM conversations as data: one strict message format, and conversions from and to providers' formats that report losses.

Every name is imported on its first use, so that importing the package costs very little.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    __version__: str
    __compiled__: bool
    from .checking.checks import check
    from .checking.repairing import repair
    from .checking.templates.masks import TrainedSpan, TrainingMask, training_mask
    from .checking.templates.report import TemplateReport, template_report
    from .codec.format import Format
    from .codec.payloads import Items
    from .codec.schemas.dialects import Adaptation
    from .conversion.batch_rows import BatchRow, load_batch
    from .conversion.context import RequestContext
    from .conversion.converted import Conversion, Endpoint
    from .conversion.detection import Detected, detect
    from .conversion.filling import Fill
    from .conversion.losses import OnLoss
    from .conversion.requests import convert, dump, endpoint, load, validate
    from .conversion.responses import dump_error, dump_response, load_response
    from .conversion.restreaming import AsyncRestream, Restream, restream, sse
    from .conversion.streams import Reader, Writer, accumulate, reader, writer
    from .display.difference import Difference, diff
    from .display.outline import outline
    from .display.showing import html, show
    from .errors import (
        BrokenFormat,
        BrokenTemplate,
        InterlinguaError,
        InvalidPayload,
        Loss,
        LossKind,
        LossWarning,
        LossyConversion,
        Problem,
        ProviderError,
        RefusedRequest,
        Repair,
        StreamError,
        UnknownFormat,
        error_body,
    )
    from .formats import FORMATS, FormatName, format_for, format_of
    from .formats.anthropic import AnthropicProfile
    from .formats.anthropic.payloads import AnthropicHistory, AnthropicMessages, AnthropicPayload
    from .formats.bedrock_converse import ConverseProfile
    from .formats.bedrock_converse.payloads import ConverseCall, ConverseHistory, ConverseMessages, ConversePayload
    from .formats.bodies import *  # noqa: F403 -- generated: the types of the bodies of each format
    from .formats.cohere.payloads import CohereHistory, CohereMessages, CoherePayload
    from .formats.gemini import GeminiProfile
    from .formats.gemini.payloads import GeminiContents, GeminiHistory, GeminiPayload, GenaiMessages, GenaiPayload
    from .formats.gemini_interactions.payloads import InteractionsHistory, InteractionsInput, InteractionsPayload
    from .formats.harmony.payloads import HarmonyPayload, HarmonyPrompt
    from .formats.hf_chat_template import ChatTemplateProfile
    from .formats.mistral import MistralProfile
    from .formats.ollama.payloads import OllamaHistory, OllamaMessages, OllamaPayload
    from .formats.openai_chat import ChatProfile
    from .formats.openai_chat.hosts import HOSTS
    from .formats.openai_chat.payloads import ChatHistory, ChatMessages, ChatPayload
    from .formats.openai_completions.payloads import CompletionsPayload, CompletionsPrompt
    from .formats.openai_responses import ResponsesProfile
    from .formats.openai_responses.payloads import ResponsesHistory, ResponsesInput, ResponsesPayload
    from .history.builder import ChatMessageBuilder
    from .history.fingerprints import fingerprint
    from .history.results import is_tool_result, tool_results, tool_use_ids
    from .history.units import Unit, merge_runs, strip_reasoning, trim, units
    from .model.events import (
        ArgumentsDelta,
        ErrorEvent,
        Event,
        MessageStart,
        OpaqueEvent,
        PartStop,
        RedactedThinking,
        RefusalDelta,
        SignatureDelta,
        Stop,
        StreamEnd,
        TextDelta,
        ThinkingDelta,
        ToolUse,
        ToolUseStart,
        Update,
        UsageUpdate,
        WholePart,
    )
    from .model.exchange import (
        AnyTool,
        Caching,
        Choice,
        Conversation,
        OpaqueTool,
        Request,
        Response,
        ResponseFormat,
        StopReason,
        Tool,
        ToolChoice,
        Usage,
    )
    from .model.messages import (
        AssistantMessage,
        DeveloperMessage,
        Message,
        MessageBase,
        OpaqueMessage,
        SystemMessage,
        TextMessage,
        ToolMessage,
        UserMessage,
    )
    from .model.parts import (
        AudioPart,
        Base64Source,
        CacheControl,
        Citation,
        CitationBase,
        DocumentCitation,
        FileIdSource,
        FilePart,
        ImagePart,
        ImageUrl,
        ImageUrlPart,
        InputAudio,
        InputAudioPart,
        JsonPart,
        OpaqueCitation,
        OpaquePart,
        Part,
        PartBase,
        RedactedThinkingPart,
        RefusalPart,
        ResultContentPart,
        SearchResultCitation,
        Source,
        TextPart,
        TextSource,
        ThinkingBlock,
        ThinkingPart,
        ToolCall,
        ToolResultPart,
        ToolUsePart,
        UrlCitation,
        UrlSource,
        VideoPart,
        WireRecord,
    )
    from .schemas.adaptation import adapt_schema
    from .schemas.bodies.documents import openapi
    from .schemas.bodies.typed import Checked
    from .schemas.json_schema import json_schema

__all__: list[str] = [
    "FORMATS",
    "HOSTS",
    "Adaptation",
    "AnthropicHistory",
    "AnthropicMessages",
    "AnthropicPayload",
    "AnthropicProfile",
    "AnyTool",
    "ArgumentsDelta",
    "AssistantMessage",
    "AsyncRestream",
    "AudioPart",
    "Base64Source",
    "BatchRow",
    "BrokenFormat",
    "BrokenTemplate",
    "CacheControl",
    "Caching",
    "ChatHistory",
    "ChatMessageBuilder",
    "ChatMessages",
    "ChatPayload",
    "ChatProfile",
    "ChatTemplateProfile",
    "Checked",
    "Choice",
    "Citation",
    "CitationBase",
    "CohereHistory",
    "CohereMessages",
    "CoherePayload",
    "CompletionsPayload",
    "CompletionsPrompt",
    "Conversation",
    "ConverseCall",
    "ConverseHistory",
    "ConverseMessages",
    "ConversePayload",
    "ConverseProfile",
    "Conversion",
    "Detected",
    "DeveloperMessage",
    "Difference",
    "DocumentCitation",
    "Endpoint",
    "ErrorEvent",
    "Event",
    "FileIdSource",
    "FilePart",
    "Fill",
    "Format",
    "FormatName",
    "GeminiContents",
    "GeminiHistory",
    "GeminiPayload",
    "GeminiProfile",
    "GenaiMessages",
    "GenaiPayload",
    "HarmonyPayload",
    "HarmonyPrompt",
    "ImagePart",
    "ImageUrl",
    "ImageUrlPart",
    "InputAudio",
    "InputAudioPart",
    "InteractionsHistory",
    "InteractionsInput",
    "InteractionsPayload",
    "InterlinguaError",
    "InvalidPayload",
    "Items",
    "JsonPart",
    "Loss",
    "LossKind",
    "LossWarning",
    "LossyConversion",
    "Message",
    "MessageBase",
    "MessageStart",
    "MistralProfile",
    "OllamaHistory",
    "OllamaMessages",
    "OllamaPayload",
    "OnLoss",
    "OpaqueCitation",
    "OpaqueEvent",
    "OpaqueMessage",
    "OpaquePart",
    "OpaqueTool",
    "Part",
    "PartBase",
    "PartStop",
    "Problem",
    "ProviderError",
    "Reader",
    "RedactedThinking",
    "RedactedThinkingPart",
    "RefusalDelta",
    "RefusalPart",
    "RefusedRequest",
    "Repair",
    "Request",
    "RequestContext",
    "Response",
    "ResponseFormat",
    "ResponsesHistory",
    "ResponsesInput",
    "ResponsesPayload",
    "ResponsesProfile",
    "Restream",
    "ResultContentPart",
    "SearchResultCitation",
    "SignatureDelta",
    "Source",
    "Stop",
    "StopReason",
    "StreamEnd",
    "StreamError",
    "SystemMessage",
    "TemplateReport",
    "TextDelta",
    "TextMessage",
    "TextPart",
    "TextSource",
    "ThinkingBlock",
    "ThinkingDelta",
    "ThinkingPart",
    "Tool",
    "ToolCall",
    "ToolChoice",
    "ToolMessage",
    "ToolResultPart",
    "ToolUse",
    "ToolUsePart",
    "ToolUseStart",
    "TrainedSpan",
    "TrainingMask",
    "Unit",
    "UnknownFormat",
    "Update",
    "UrlCitation",
    "UrlSource",
    "Usage",
    "UsageUpdate",
    "UserMessage",
    "VideoPart",
    "WholePart",
    "WireRecord",
    "Writer",
    "accumulate",
    "adapt_schema",
    "check",
    "convert",
    "detect",
    "diff",
    "dump",
    "dump_error",
    "dump_response",
    "endpoint",
    "error_body",
    "fingerprint",
    "format_for",
    "format_of",
    "html",
    "is_tool_result",
    "json_schema",
    "load",
    "load_batch",
    "load_response",
    "merge_runs",
    "openapi",
    "outline",
    "reader",
    "repair",
    "restream",
    "show",
    "sse",
    "strip_reasoning",
    "template_report",
    "tool_results",
    "tool_use_ids",
    "training_mask",
    "trim",
    "units",
    "validate",
    "writer",
]
if TYPE_CHECKING:
    # Of an installed package, Pyright sees only these names. When a program runs, the bodies are made on first use.
    from .formats import bodies

    __all__ += bodies.__all__

_HOMES = {
    "history.builder": "ChatMessageBuilder",
    "schemas.adaptation": "adapt_schema",
    "schemas.bodies.documents": "openapi",
    "schemas.bodies.typed": "Checked",
    "checking.checks": "check",
    "checking.templates.masks": "TrainedSpan TrainingMask training_mask",
    "checking.templates.report": "TemplateReport template_report",
    "codec.schemas.dialects": "Adaptation",
    "codec.format": "Format",
    "conversion.batch_rows": "BatchRow load_batch",
    "conversion.detection": "Detected detect",
    "conversion.filling": "Fill",
    "display.difference": "Difference diff",
    "display.outline": "outline",
    "display.showing": "html show",
    "errors": (
        "BrokenFormat BrokenTemplate InterlinguaError InvalidPayload Loss LossKind LossWarning LossyConversion Problem "
        "ProviderError RefusedRequest Repair StreamError UnknownFormat error_body"
    ),
    "formats": "FORMATS FormatName format_for format_of",
    "formats.anthropic": "AnthropicProfile",
    "formats.bedrock_converse": "ConverseProfile",
    "formats.gemini": "GeminiProfile",
    "formats.hf_chat_template": "ChatTemplateProfile",
    "formats.mistral": "MistralProfile",
    "formats.openai_chat": "ChatProfile",
    "formats.openai_chat.hosts": "HOSTS",
    "formats.openai_responses": "ResponsesProfile",
    "history.units": "Unit merge_runs strip_reasoning trim units",
    "history.fingerprints": "fingerprint",
    "conversion.context": "RequestContext",
    "conversion.converted": "Conversion Endpoint",
    "conversion.requests": "convert dump endpoint load validate",
    "conversion.responses": "dump_error dump_response load_response",
    "model.events": (
        "ArgumentsDelta ErrorEvent Event MessageStart OpaqueEvent PartStop RedactedThinking RefusalDelta SignatureDelta "
        "Stop StreamEnd TextDelta ThinkingDelta ToolUse ToolUseStart Update UsageUpdate WholePart"
    ),
    "model.exchange": (
        "AnyTool Caching Choice Conversation OpaqueTool Request Response ResponseFormat StopReason Tool ToolChoice Usage"
    ),
    "model.messages": (
        "AssistantMessage DeveloperMessage Message MessageBase OpaqueMessage SystemMessage TextMessage ToolMessage UserMessage"
    ),
    "conversion.losses": "OnLoss",
    "codec.payloads": "Items",
    "formats.anthropic.payloads": "AnthropicHistory AnthropicMessages AnthropicPayload",
    "formats.bedrock_converse.payloads": "ConverseCall ConverseHistory ConverseMessages ConversePayload",
    "formats.cohere.payloads": "CohereHistory CohereMessages CoherePayload",
    "formats.harmony.payloads": "HarmonyPayload HarmonyPrompt",
    "formats.ollama.payloads": "OllamaHistory OllamaMessages OllamaPayload",
    "formats.gemini.payloads": "GeminiContents GeminiHistory GeminiPayload GenaiMessages GenaiPayload",
    "formats.gemini_interactions.payloads": "InteractionsHistory InteractionsInput InteractionsPayload",
    "formats.openai_chat.payloads": "ChatHistory ChatMessages ChatPayload",
    "formats.openai_completions.payloads": "CompletionsPayload CompletionsPrompt",
    "formats.openai_responses.payloads": "ResponsesHistory ResponsesInput ResponsesPayload",
    "conversion.restreaming": "AsyncRestream Restream restream sse",
    "checking.repairing": "repair",
    "history.results": "is_tool_result tool_results tool_use_ids",
    "schemas.json_schema": "json_schema",
    "conversion.streams": "Reader Writer accumulate reader writer",
}
"""The module of each public name; those that are not here are in `model.parts`. No module has the name of a public function,
because importing it would replace that function."""


if not TYPE_CHECKING:  # type checkers would accept any name

    def __getattr__(name: str) -> object:
        if name == "__version__":
            value = globals()[name] = import_module("importlib.metadata").version(__name__)
            return value
        if name == "__compiled__":
            value = globals()[name] = import_module(".codec.fields", __name__).COMPILED
            return value
        if name not in __all__ and not name.endswith("Body"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        # The types of bodies are as many as the formats, and follow from them.
        other = "schemas.bodies.typed" if name.endswith("Body") else "model.parts"
        home = next((module for module, names in _HOMES.items() if name in names.split()), other)
        value = globals()[name] = getattr(import_module(f".{home}", __name__), name)
        return value


def __dir__() -> list[str]:
    bodies: list[str] = import_module(".formats.bodies", __name__).__all__
    return sorted({*globals(), *__all__, *bodies})
