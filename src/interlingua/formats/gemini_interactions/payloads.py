"""The return types of dumps to the Interactions API."""

from typing import Any, Required

from typing_extensions import TypedDict

from ...codec.payloads import Items, PayloadTypes


class InteractionsInput(TypedDict, total=False):
    """Bare messages as the input of an interaction."""

    input: Required[list[Any]]
    system_instruction: str


class InteractionsHistory(TypedDict, total=False):
    """Messages and tools in the Interactions API's shape, without settings."""

    input: Required[Items]
    system_instruction: str
    tools: Items


class InteractionsPayload(TypedDict, total=False):
    """A request body of the Interactions API."""

    input: Any
    model: str
    system_instruction: str
    tools: list[Any]
    generation_config: Any
    response_format: Any
    labels: Any
    stream: bool


PAYLOADS = PayloadTypes(InteractionsPayload, InteractionsHistory, InteractionsInput)
