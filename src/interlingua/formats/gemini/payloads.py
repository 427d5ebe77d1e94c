"""The return types of dumps to Gemini and to its client google-genai."""

from typing import Any, Required

from typing_extensions import TypedDict

from ...codec.payloads import PayloadTypes


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
    serviceTier: str


class GenaiMessages(TypedDict, total=False):
    """Bare messages, with tools or not, as arguments of google-genai's `generate_content`."""

    contents: Required[list[Any]]
    config: Any


class GenaiPayload(GenaiMessages, total=False):
    """A request as arguments of google-genai's `generate_content`."""

    model: str


PAYLOADS = PayloadTypes(GeminiPayload, GeminiHistory, GeminiContents)
CALL = PayloadTypes(GenaiPayload, GenaiMessages, GenaiMessages)
