"""The return types of dumps to OpenAI Responses."""

from typing import Any, Required

from typing_extensions import TypedDict

from ...codec.payloads import Items, PayloadTypes


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


PAYLOADS = PayloadTypes(ResponsesPayload, ResponsesHistory, ResponsesInput)
