"""LLM conversations as data: one strict message format, and an exact or loudly lossy way in and out of every other.

Every name is imported on its first use, so that importing the package costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .errors import (
        InterlinguaError,
        InvalidPayload,
        LossWarning,
        LossyConversion,
        StreamError,
        UnknownFormat,
        error_body,
    )
    from .exchange import AnyTool, Caching, OpaqueTool, Request, ResponseFormat, Tool, ToolChoice
    from .format import Format
    from .formats import FORMATS
    from .front import Conversion, convert, dump, load, validate
    from .losses import Loss
    from .messages import (
        AnyPart,
        AssistantMessage,
        AudioPart,
        Base64Source,
        CacheControl,
        DeveloperMessage,
        FileIdSource,
        FilePart,
        ImagePart,
        ImageUrl,
        ImageUrlPart,
        InputAudio,
        InputAudioPart,
        Message,
        OpaqueMessage,
        OpaquePart,
        RedactedThinkingPart,
        RefusalPart,
        SystemMessage,
        TaggedMessage,
        TextMessage,
        TextPart,
        TextSource,
        ThinkingPart,
        ToolCall,
        ToolMessage,
        ToolResultPart,
        ToolUsePart,
        UrlSource,
        UserMessage,
        VideoPart,
    )

__all__ = [
    "FORMATS",
    "AnyPart",
    "AnyTool",
    "AssistantMessage",
    "AudioPart",
    "Base64Source",
    "CacheControl",
    "Caching",
    "Conversion",
    "DeveloperMessage",
    "FileIdSource",
    "FilePart",
    "Format",
    "ImagePart",
    "ImageUrl",
    "ImageUrlPart",
    "InputAudio",
    "InputAudioPart",
    "InterlinguaError",
    "InvalidPayload",
    "Loss",
    "LossWarning",
    "LossyConversion",
    "Message",
    "OpaqueMessage",
    "OpaquePart",
    "OpaqueTool",
    "RedactedThinkingPart",
    "RefusalPart",
    "Request",
    "ResponseFormat",
    "StreamError",
    "SystemMessage",
    "TaggedMessage",
    "TextMessage",
    "TextPart",
    "TextSource",
    "ThinkingPart",
    "Tool",
    "ToolCall",
    "ToolChoice",
    "ToolMessage",
    "ToolResultPart",
    "ToolUsePart",
    "UnknownFormat",
    "UrlSource",
    "UserMessage",
    "VideoPart",
    "convert",
    "dump",
    "error_body",
    "load",
    "validate",
]

_HOMES = {
    "errors": "InterlinguaError InvalidPayload LossWarning LossyConversion StreamError UnknownFormat error_body",
    "exchange": "AnyTool Caching OpaqueTool Request ResponseFormat Tool ToolChoice",
    "format": "Format",
    "formats": "FORMATS",
    "front": "Conversion convert dump load validate",
    "losses": "Loss",
}
"""Which module has a name that the package shows; `messages` has all that are not here. No module has the name of what it
shows, or its import would put the module in the place of that."""


if not TYPE_CHECKING:  # or they would take any name for one of ours

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        home = next((module for module, names in _HOMES.items() if name in names.split()), "messages")
        value = globals()[name] = getattr(import_module(f".{home}", __name__), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
