"""The return types of dumps to Converse and to boto3."""

from typing import Any, Required

from typing_extensions import TypedDict

from ...codec.payloads import PayloadTypes


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


PAYLOADS = PayloadTypes(ConversePayload, ConverseHistory, ConverseMessages)
CALL = PayloadTypes(ConverseCall, ConverseHistory, ConverseMessages)
