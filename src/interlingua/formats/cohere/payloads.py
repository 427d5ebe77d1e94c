"""The return types of dumps to Cohere's Chat."""

from typing import Any, Required

from typing_extensions import TypedDict

from ...codec.payloads import Items, PayloadTypes


class CohereMessages(TypedDict):
    """Bare messages in Cohere's shape."""

    messages: list[Any]


class CohereHistory(TypedDict, total=False):
    """Messages and tools in Cohere's shape, without settings."""

    messages: Required[Items]
    tools: Items
    strict_tools: bool


class CoherePayload(TypedDict, total=False):
    """A request body in Cohere's shape."""

    messages: Required[list[Any]]
    model: str
    stream: bool
    tools: list[Any]
    strict_tools: bool
    tool_choice: Any
    documents: list[Any]
    max_tokens: int
    stop_sequences: list[str]
    temperature: float
    p: float
    k: int
    thinking: Any
    response_format: Any


PAYLOADS = PayloadTypes(CoherePayload, CohereHistory, CohereMessages)
