"""The return types of dumps to Ollama's chat."""

from typing import Any, Required

from typing_extensions import TypedDict

from ...codec.payloads import Items, PayloadTypes


class OllamaMessages(TypedDict):
    """Bare messages in Ollama's shape."""

    messages: list[Any]


class OllamaHistory(TypedDict, total=False):
    """Messages and tools in Ollama's shape, without settings."""

    messages: Required[Items]
    tools: Items


class OllamaPayload(TypedDict, total=False):
    """A request body in Ollama's shape."""

    messages: Required[list[Any]]
    model: str
    stream: bool
    tools: list[Any]
    format: Any
    options: Any
    think: Any
    keep_alive: Any
    logprobs: bool
    top_logprobs: int


PAYLOADS = PayloadTypes(OllamaPayload, OllamaHistory, OllamaMessages)
