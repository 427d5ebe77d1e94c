"""The wire types of OpenAI Responses requests.

The types are open: a field that they do not declare is kept as it is, and an item or part of an unknown type is kept whole. A
known type with a bad body is an error. (openai 3.52.0, `types/responses/response_create_params.py`,
`response_input_item_param.py`, and recorded traffic, which has messages without a type and reasoning without an id.)
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from pydantic import ConfigDict, Discriminator, Tag, with_config
from typing_extensions import TypedDict

from ...model.base import BY_SHAPE, Json, Number, Says, other_than


@with_config(ConfigDict(extra="allow", strict=True))
class _Open(TypedDict):
    pass


# Content parts


class TextPart(_Open):
    """Input text or output text."""

    type: Literal["input_text", "output_text"]
    text: str


class RefusalPart(_Open):
    """The model's refusal."""

    type: Literal["refusal"]
    refusal: str


_PARTS = {"input_text": "<text>", "output_text": "<text>", "refusal": "<refusal>"}


def _part(value: Json) -> str | None:
    kind = value.get("type") if type(value) is dict else None
    return _PARTS.get(kind, "<other>") if type(kind) is str else None


Part = Annotated[
    Annotated[TextPart, Tag("<text>")]
    | Annotated[RefusalPart, Tag("<refusal>")]
    | Annotated[dict[str, Any], other_than("type", *_PARTS), Tag("<other>")],
    Discriminator(_part, custom_error_type="no_kind", custom_error_message="Input should be an object with a type"),
]
"""A part of a message or of a tool's output; images and files are read as far as they are understood."""

_Content = Annotated[str | list[Part], BY_SHAPE]

# Items


class Message(_Open):
    """A message in any of its three shapes."""

    type: NotRequired[Literal["message"] | None]
    role: Literal["user", "assistant", "system", "developer"]
    content: _Content


class FunctionCall(_Open):
    """A function call; `arguments` is JSON text from the model."""

    type: Literal["function_call"]
    call_id: NotRequired[str | None]
    name: str
    arguments: str


class CustomCall(_Open):
    """A call of a custom tool; `input` is free text."""

    type: Literal["custom_tool_call"]
    call_id: NotRequired[str | None]
    name: str
    input: str


def id_field(call: dict[str, Any]) -> str:
    """The field with the id of a call: some clients and hosts have only `id`, and results refer to that."""
    has_only_own = call.get("call_id") is None and type(call.get("id")) is str and call["id"] != ""
    return "id" if has_only_own else "call_id"


class CallOutput(_Open):
    """The result of a function or a custom tool."""

    type: Literal["function_call_output", "custom_tool_call_output"]
    call_id: NotRequired[str | None]
    output: _Content


ROLES = frozenset({"user", "assistant", "system", "developer"})
_ITEMS = {
    "function_call": "<function_call>",
    "custom_tool_call": "<custom_tool_call>",
    "function_call_output": "<output>",
    "custom_tool_call_output": "<output>",
}


def is_message(item: dict[str, Any]) -> bool:
    """Whether an item is a message of a known role; its type may be left out."""
    role: Json = item.get("role")
    return (
        type(role) is str
        and role in ROLES
        and item.get("type", "message") in ("message", None)
        and item.get("content") is not None
    )


def lacks_role(item: dict[str, Any]) -> bool:
    """Whether an item says that it is a message, and has no role."""
    return item.get("type") == "message" and type(item.get("role")) is not str


def _item(value: Json) -> str | None:
    if type(value) is not dict:
        return None
    kind: Json = value.get("type")
    return "<message>" if is_message(value) else _ITEMS.get(kind, "<other>") if type(kind) is str else "<other>"


def _input_item(value: Json) -> str | None:
    return "<message>" if type(value) is dict and lacks_role(value) else _item(value)


_MESSAGE: Json = {
    "properties": {"type": {"enum": ["message", None]}, "role": {"enum": sorted(ROLES)}, "content": {"not": {"type": "null"}}},
    "required": ["role", "content"],
}
_KNOWN: Json = {"properties": {"type": {"enum": sorted(_ITEMS)}}, "required": ["type"]}
_NO_ROLE: Json = {
    "properties": {"type": {"const": "message"}, "role": {"not": {"type": "string"}}},
    "required": ["type"],
}
_OTHER_ITEM = Says({"type": "object", "not": {"anyOf": [_MESSAGE, _KNOWN]}})
_OTHER_INPUT = Says({"type": "object", "not": {"anyOf": [_MESSAGE, _KNOWN, _NO_ROLE]}})

_KnownItem: TypeAlias = (
    Annotated[Message, Tag("<message>")]
    | Annotated[FunctionCall, Tag("<function_call>")]
    | Annotated[CustomCall, Tag("<custom_tool_call>")]
    | Annotated[CallOutput, Tag("<output>")]
)
_NO_OBJECT = "Input should be an object"

InputItem = Annotated[
    _KnownItem | Annotated[dict[str, Any], _OTHER_INPUT, Tag("<other>")],
    Discriminator(_input_item, custom_error_type="no_kind", custom_error_message=_NO_OBJECT),
]
"""An item of a request, whose messages must have a role."""

Item = Annotated[
    _KnownItem | Annotated[dict[str, Any], _OTHER_ITEM, Tag("<other>")],
    Discriminator(_item, custom_error_type="no_kind", custom_error_message=_NO_OBJECT),
]
"""An item of a response."""

# Tools and requests


class FunctionTool(_Open):
    """A function that the client runs."""

    type: Literal["function"]
    name: str
    description: NotRequired[str | None]
    parameters: NotRequired[dict[str, Any] | None]
    strict: NotRequired[bool | None]


def _tool(value: Json) -> str | None:
    if type(value) is not dict:
        return None
    return "<function>" if value.get("type") == "function" else "<other>"


_OTHER_TOOL = Says({"type": "object", "not": {"properties": {"type": {"const": "function"}}, "required": ["type"]}})

Tool = Annotated[
    Annotated[FunctionTool, Tag("<function>")] | Annotated[dict[str, Any], _OTHER_TOOL, Tag("<other>")],
    Discriminator(_tool, custom_error_type="no_kind", custom_error_message="Input should be an object"),
]


class Request(_Open, total=False):
    """The request body."""

    input: Annotated[str | list[InputItem] | None, BY_SHAPE]
    instructions: str | None
    model: str | None
    max_output_tokens: int | None
    tools: list[Tool] | None
    tool_choice: Annotated[str | dict[str, Any] | None, BY_SHAPE]
    parallel_tool_calls: bool | None
    temperature: Number | None
    top_p: Number | None
    reasoning: dict[str, Any] | None
    text: dict[str, Any] | None
    metadata: dict[str, Any] | None
    user: str | None
    stream: bool | None


# Responses


class Response(_Open, total=False):
    """The response body; some hosts omit the fields that repeat the request."""

    id: str | None
    model: str | None
    created_at: Number | None
    output: list[Item] | None
    usage: dict[str, Any] | None
