"""The wire types of Cohere's Chat requests and responses.

The types are open: a field that they do not declare is kept as it is, and a part, message or tool of an unknown type is kept
whole. A known type with a bad body is an error. (cohere 7.3.1, `types/chat_message_v2.py`, `v2/client.py`, and
recorded traffic.)
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Literal, NotRequired, Required

from pydantic import ConfigDict, Discriminator, Tag, with_config
from typing_extensions import TypedDict

from ...model.base import BY_SHAPE, Json, JsonObject, Number, other_than


@with_config(ConfigDict(extra="allow", strict=True))
class _Open(TypedDict):
    pass


def _by(key: str, known: Collection[str]) -> Discriminator:
    """A union whose members are chosen by the value of `key`; the tag of an unknown value is `<other>`."""

    def tag(value: Json) -> str | None:
        kind: Json = value.get(key) if type(value) is dict else None
        if type(kind) is not str:
            return None
        return f"<{kind}>" if kind in known else "<other>"

    return Discriminator(tag, custom_error_type="no_kind", custom_error_message=f"Input should be an object with a {key}")


class TextPart(_Open):
    """Text."""

    type: Literal["text"]
    text: str


class ThinkingPart(_Open):
    """The model's reasoning."""

    type: Literal["thinking"]
    thinking: str


class _ImageUrl(_Open):
    url: str


class ImageUrlPart(_Open):
    """An image, by a web URL or a data URI."""

    type: Literal["image_url"]
    image_url: _ImageUrl


class _Document(_Open):
    data: Annotated[str | JsonObject, BY_SHAPE]


class DocumentPart(_Open):
    """A document in the result of a tool."""

    type: Literal["document"]
    document: _Document


PARTS = ("text", "thinking", "image_url", "document")
Part = Annotated[
    Annotated[TextPart, Tag("<text>")]
    | Annotated[ThinkingPart, Tag("<thinking>")]
    | Annotated[ImageUrlPart, Tag("<image_url>")]
    | Annotated[DocumentPart, Tag("<document>")]
    | Annotated[dict[str, Any], other_than("type", *PARTS), Tag("<other>")],
    _by("type", PARTS),
]
Content = Annotated[str | list[Part], BY_SHAPE]
NullableContent = Annotated[str | list[Part] | None, BY_SHAPE]


class SystemMessage(_Open):
    """A system message."""

    role: Literal["system"]
    content: Content


class UserMessage(_Open):
    """A user message."""

    role: Literal["user"]
    content: Content


class _Function(_Open):
    name: str
    arguments: NotRequired[str | None]


class Call(_Open, total=False):
    """A call of a function."""

    id: str | None
    function: Required[_Function]


class ResponseMessage(_Open, total=False):
    """The message of a response."""

    content: NullableContent
    tool_plan: str | None
    tool_calls: list[Call] | None
    citations: list[dict[str, Any]] | None


class AssistantMessage(ResponseMessage):
    """An assistant message."""

    role: Required[Literal["assistant"]]


class ToolMessage(_Open):
    """The result of a call."""

    role: Literal["tool"]
    content: Content
    tool_call_id: NotRequired[str | None]


ROLES = ("system", "user", "assistant", "tool")
Message = Annotated[
    Annotated[SystemMessage, Tag("<system>")]
    | Annotated[UserMessage, Tag("<user>")]
    | Annotated[AssistantMessage, Tag("<assistant>")]
    | Annotated[ToolMessage, Tag("<tool>")]
    | Annotated[dict[str, Any], other_than("role", *ROLES), Tag("<other>")],
    _by("role", ROLES),
]


class _ToolFunction(_Open):
    name: str
    description: NotRequired[str | None]
    parameters: NotRequired[dict[str, Any] | None]


class FunctionTool(_Open):
    """A function that the model may call."""

    type: Literal["function"]
    function: _ToolFunction


Tool = Annotated[
    Annotated[FunctionTool, Tag("<function>")] | Annotated[dict[str, Any], other_than("type", "function"), Tag("<other>")],
    _by("type", ("function",)),
]


class Request(_Open, total=False):
    """The request body."""

    messages: Required[list[Message]]
    model: str | None
    stream: bool | None
    tools: list[Tool] | None
    max_tokens: int | None
    stop_sequences: list[str] | None
    temperature: Number | None
    p: Number | None
    k: int | None
    tool_choice: str | None
    thinking: dict[str, Any] | None
    response_format: dict[str, Any] | None


class Response(_Open, total=False):
    """The response body."""

    id: str | None
    finish_reason: str | None
    message: ResponseMessage | None
    usage: dict[str, Any] | None
