"""The wire types of Converse requests and responses.

Blocks and tools are unions: objects with one key, which says what they are. The types are open: a field that they do not
declare is kept as it is, and an object with another key, or with several, is kept whole. (botocore 1.44.5, `bedrock-runtime`
2023-09-30, and recorded traffic.)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypeAlias

from pydantic import BeforeValidator, ConfigDict, Discriminator, Tag, with_config
from typing_extensions import TypedDict

from ...model.base import Json, Number, Says, other_than
from .blobs import encoded


@with_config(ConfigDict(extra="allow", strict=True))
class _Open(TypedDict):
    pass


def _union(members: Mapping[str, Any]) -> Any:
    """A union of objects that have exactly one of these keys, and of all other objects."""
    alone: list[dict[str, Any]] = [{"properties": {key: {}}, "required": [key], "maxProperties": 1} for key in members]
    union: Any = Annotated[dict[str, Any], Says({"type": "object", "not": {"anyOf": alone}}), Tag("<other>")]
    config = ConfigDict(extra="allow", strict=True, json_schema_extra={"maxProperties": 1})
    make: Any = TypedDict
    for key, kind in members.items():
        member = make(f"{key[0].upper()}{key[1:]}Block", {key: kind})
        member.__doc__ = f"An object of one field, `{key}`."
        union = union | Annotated[with_config(config)(member), Tag(f"<{key}>")]

    def tag(value: Json) -> str | None:
        key = next(iter(value)) if type(value) is dict and len(value) == 1 else ""
        return (f"<{key}>" if key in members else "<other>") if type(value) is dict else None

    return Annotated[union, Discriminator(tag, custom_error_type="no_kind", custom_error_message="Input should be an object")]


class Media(_Open, total=False):
    """An image, a document, a video or audio."""

    format: str | None
    source: dict[str, Any] | None
    name: str | None


class ToolUse(_Open):
    """A tool call."""

    toolUseId: str
    name: str
    input: NotRequired[Any]


class ToolResult(_Open):
    """A tool's result."""

    toolUseId: str
    content: list[ResultBlock]
    status: NotRequired[str | None]


ROLES = ("user", "assistant", "system")


class Message(_Open):
    """A message of role user, assistant or, in mid-conversation, system."""

    role: Literal["user", "assistant", "system"]
    content: list[Block]


def _role(value: Json) -> str | None:
    role = value.get("role") if type(value) is dict else None
    return None if type(role) is not str else "<message>" if role in ROLES else "<other>"


AnyMessage = Annotated[
    Annotated[Message, Tag("<message>")] | Annotated[dict[str, Any], other_than("role", *ROLES), Tag("<other>")],
    Discriminator(_role, custom_error_type="no_kind", custom_error_message="Input should be an object with a role"),
]


class ToolSpec(_Open):
    """A tool that the client runs."""

    name: str
    description: NotRequired[str | None]
    inputSchema: NotRequired[dict[str, Any] | None]
    strict: NotRequired[bool | None]


class InferenceConfig(_Open, total=False):
    """The settings that all models have."""

    maxTokens: int | None
    temperature: Number | None
    topP: Number | None
    stopSequences: list[str] | None


class ToolConfig(_Open, total=False):
    """The tools, and the choice among them."""

    tools: list[Tool] | None
    toolChoice: dict[str, Any] | None


class Request(_Open, total=False):
    """The request body; `modelId` is in the URL, except for SDKs."""

    messages: list[AnyMessage] | None
    system: list[SystemBlock] | None
    modelId: str | None
    inferenceConfig: InferenceConfig | None
    toolConfig: ToolConfig | None
    outputConfig: dict[str, Any] | None
    requestMetadata: dict[str, Any] | None


class ResponseMessage(_Open, total=False):
    """The message of a response."""

    role: str | None
    content: list[Block] | None


class Output(_Open, total=False):
    """The output of a response."""

    message: ResponseMessage | None


class Envelope(_Open, total=False):
    """The fields of a response other than its message; each may be absent."""

    stopReason: str | None
    usage: dict[str, Any] | None


class Response(Envelope, total=False):
    """A response body."""

    output: Output | None


if TYPE_CHECKING:
    ResultBlock: TypeAlias = dict[str, Any]
    Block: TypeAlias = dict[str, Any]
    SystemBlock: TypeAlias = dict[str, Any]
    Tool: TypeAlias = dict[str, Any]
else:
    _SHOWN = {"text": str, "image": Media, "document": Media, "video": Media}
    ResultBlock = _union(_SHOWN | {"json": Any})
    Block = _union(_SHOWN | {"audio": Media, "toolUse": ToolUse, "toolResult": ToolResult})
    SystemBlock = _union({"text": str})
    Tool = _union({"toolSpec": ToolSpec})

SdkRequest = Annotated[Request, BeforeValidator(encoded)]
"""The keyword arguments of boto3's `converse`, with bytes."""
