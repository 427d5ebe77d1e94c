"""The wire types of Anthropic Messages requests and responses.

The types are open: a field that they do not declare is kept as it is, and an object of an unknown role, block type or source
type is kept whole. A known type with a bad body is an error. (anthropic 2.11.0, `types/message_create_params.py`,
`types/message.py`, and recorded traffic.)
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, Required

from pydantic import ConfigDict, Discriminator, Tag, with_config
from typing_extensions import TypedDict

from ...model.base import BY_SHAPE, Json, Number, Says, other_than


@with_config(ConfigDict(extra="allow", strict=True))
class _Open(TypedDict):
    pass


class TextBlock(_Open):
    """Text."""

    type: Literal["text"]
    text: str


class Base64(_Open):
    """Media in the message."""

    type: Literal["base64"]
    data: str
    media_type: str


class Url(_Open):
    """Media at a URL."""

    type: Literal["url"]
    url: str


class FileId(_Open):
    """An uploaded file."""

    type: Literal["file"]
    file_id: str


class PlainText(_Open):
    """A document of plain text."""

    type: Literal["text"]
    data: str
    media_type: str


def _by_type(*known: str) -> Discriminator:
    """The tag of an object in a union: its type if that is known, else `<other>`."""
    tags = {kind: f"<{kind}>" for kind in known}

    def tag(value: Json) -> str | None:
        kind = value.get("type") if type(value) is dict else None
        return tags.get(kind, "<other>") if type(kind) is str else None

    return Discriminator(tag, custom_error_type="no_kind", custom_error_message="Input should be an object with a type")


_MEDIA = Annotated[Base64, Tag("<base64>")] | Annotated[Url, Tag("<url>")] | Annotated[FileId, Tag("<file>")]
_IMAGES = ("base64", "url", "file")
ImageSource = Annotated[_MEDIA | Annotated[dict[str, Any], other_than("type", *_IMAGES), Tag("<other>")], _by_type(*_IMAGES)]
_DOCUMENTS = (*_IMAGES, "text")
DocumentSource = Annotated[
    _MEDIA | Annotated[PlainText, Tag("<text>")] | Annotated[dict[str, Any], other_than("type", *_DOCUMENTS), Tag("<other>")],
    _by_type(*_DOCUMENTS),
]


class ImageBlock(_Open):
    """An image."""

    type: Literal["image"]
    source: ImageSource


class DocumentBlock(_Open):
    """A document."""

    type: Literal["document"]
    source: DocumentSource
    title: NotRequired[str | None]


class ThinkingBlock(_Open):
    """Reasoning; compatible hosts leave the signature out."""

    type: Literal["thinking"]
    thinking: str
    signature: NotRequired[str | None]


class RedactedThinkingBlock(_Open):
    """Encrypted reasoning."""

    type: Literal["redacted_thinking"]
    data: str


class ToolUseBlock(_Open):
    """A tool call; AskTable spells the input as JSON text."""

    type: Literal["tool_use"]
    id: str
    name: str
    input: Annotated[str | dict[str, Any], BY_SHAPE]


_RESULT_BLOCKS = (
    Annotated[TextBlock, Tag("<text>")] | Annotated[ImageBlock, Tag("<image>")] | Annotated[DocumentBlock, Tag("<document>")]
)
_RESULTS = ("text", "image", "document")
ResultBlock = Annotated[
    _RESULT_BLOCKS | Annotated[dict[str, Any], other_than("type", *_RESULTS), Tag("<other>")], _by_type(*_RESULTS)
]


class ToolResultBlock(_Open):
    """A tool's result."""

    type: Literal["tool_result"]
    tool_use_id: str
    content: NotRequired[Annotated[str | list[ResultBlock] | None, BY_SHAPE]]
    is_error: NotRequired[bool | None]


_REASONING_AND_CALLS = (
    Annotated[ThinkingBlock, Tag("<thinking>")]
    | Annotated[RedactedThinkingBlock, Tag("<redacted_thinking>")]
    | Annotated[ToolUseBlock, Tag("<tool_use>")]
)
_BLOCKS = (*_RESULTS, "thinking", "redacted_thinking", "tool_use", "tool_result")
Block = Annotated[
    _RESULT_BLOCKS
    | _REASONING_AND_CALLS
    | Annotated[ToolResultBlock, Tag("<tool_result>")]
    | Annotated[dict[str, Any], other_than("type", *_BLOCKS), Tag("<other>")],
    _by_type(*_BLOCKS),
]

_Blocks = list[Block]


class Message(_Open):
    """A message of role user, assistant or, in mid-conversation, system."""

    role: Literal["user", "assistant", "system"]
    content: Annotated[str | _Blocks, BY_SHAPE]


def _role(value: Json) -> str | None:
    if type(value) is not dict:
        return None
    role = value.get("role")
    if type(role) is not str:
        return None
    if role in ("user", "assistant"):
        return "<message>"
    # A system message may hold directives and no content.
    return "<message>" if role == "system" and value.get("content") is not None else "<other>"


_SYSTEM: Json = {
    "properties": {"role": {"const": "system"}, "content": {"not": {"type": "null"}}},
    "required": ["role", "content"],
}
_OTHER_MESSAGE = Says({**other_than("role", "user", "assistant").schema, "not": _SYSTEM})

AnyMessage = Annotated[
    Annotated[Message, Tag("<message>")] | Annotated[dict[str, Any], _OTHER_MESSAGE, Tag("<other>")],
    Discriminator(_role, custom_error_type="no_kind", custom_error_message="Input should be an object with a role"),
]


class FunctionTool(_Open, total=False):
    """A tool that the client runs."""

    type: Literal["custom"] | None
    name: Required[str]
    description: str | None
    input_schema: dict[str, Any]
    strict: bool | None


def _tool(value: Json) -> str | None:
    if type(value) is not dict:
        return None
    return "<function>" if value.get("type") in (None, "custom") and "name" in value else "<other>"


_OTHER_TOOL = Says(
    {"type": "object", "not": {"properties": {"type": {"enum": ["custom", None]}, "name": {}}, "required": ["name"]}},
)

Tool = Annotated[
    Annotated[FunctionTool, Tag("<function>")] | Annotated[dict[str, Any], _OTHER_TOOL, Tag("<other>")],
    Discriminator(_tool, custom_error_type="no_kind", custom_error_message="Input should be an object"),
]


class Request(_Open, total=False):
    """The request body."""

    system: Annotated[str | _Blocks | None, BY_SHAPE]
    model: str | None
    max_tokens: int | None
    tools: list[Tool] | None
    tool_choice: dict[str, Any] | None
    temperature: Number | None
    top_p: Number | None
    top_k: int | None
    stop_sequences: list[str] | None
    stream: bool | None
    thinking: dict[str, Any] | None
    output_config: dict[str, Any] | None
    metadata: dict[str, Any] | None
    messages: Required[list[AnyMessage]]


_ANSWER_TYPES = ("text", "thinking", "redacted_thinking", "tool_use")
"""The types of response blocks that have a canonical form; all others are kept whole."""

SaidBlock = Annotated[
    Annotated[TextBlock, Tag("<text>")]
    | _REASONING_AND_CALLS
    | Annotated[dict[str, Any], other_than("type", *_ANSWER_TYPES), Tag("<other>")],
    _by_type(*_ANSWER_TYPES),
]


class Envelope(_Open, total=False):
    """The fields of a response other than its content; each may be absent."""

    id: str | None
    model: str | None
    stop_reason: str | None
    stop_sequence: str | None
    usage: dict[str, Any] | None


class Response(Envelope, total=False):
    """A response body."""

    content: list[SaidBlock] | None
