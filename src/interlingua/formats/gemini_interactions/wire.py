"""The wire types of the Interactions API's requests and responses.

The types are open: a field that is not here is kept as it is, and a step or content of an unknown type is kept whole. A known
type with a bad body is an error. (google-genai 3.6.1, `_gaos/types/interactions`, and recorded traffic, which has the turns and
the outputs of the API's first version, too.)
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Discriminator, Tag, with_config
from typing_extensions import TypedDict

from ...model.base import BY_SHAPE, Json, Number, Says, other_than


@with_config(ConfigDict(extra="allow", strict=True))
class _Open(TypedDict):
    pass


def _by(key: str, known: Collection[str]) -> Discriminator:
    """A union tagged by the value of `key`: a value that is not known is `<other>`."""

    def tag(value: Json) -> str | None:
        kind: Json = value.get(key) if type(value) is dict else None
        if type(kind) is not str:
            return None
        return f"<{kind}>" if kind in known else "<other>"

    return Discriminator(tag, custom_error_type="no_kind", custom_error_message=f"Input should be an object with a {key}")


# Content


class TextContent(_Open):
    """Text."""

    type: Literal["text"]
    text: str


CONTENT_TYPES = ("text", "image", "audio", "video", "document")
"""The types of content, of which media are read as far as they are understood."""
Content = Annotated[
    Annotated[TextContent, Tag("<text>")] | Annotated[dict[str, Any], other_than("type", "text"), Tag("<other>")],
    _by("type", ("text",)),
]


# Steps


class UserInput(_Open):
    """What the user says."""

    type: Literal["user_input"]
    content: NotRequired[list[Content] | None]


class ModelOutput(_Open):
    """What the model says."""

    type: Literal["model_output"]
    content: NotRequired[list[Content] | None]


class Thought(_Open):
    """The model's reasoning: its signature, and a summary where the request asks for one."""

    type: Literal["thought"]
    signature: NotRequired[str | None]
    summary: NotRequired[list[dict[str, Any]] | None]


class FunctionCall(_Open):
    """A call of a function."""

    type: Literal["function_call"]
    id: NotRequired[str | None]
    name: str
    arguments: NotRequired[dict[str, Any] | None]


class FunctionResult(_Open):
    """What a function gave back: text, content or an object."""

    type: Literal["function_result"]
    call_id: NotRequired[str | None]
    name: NotRequired[str | None]
    result: Annotated[str | list[Content] | dict[str, Any], BY_SHAPE]
    is_error: NotRequired[bool | None]


STEP_TYPES = ("user_input", "model_output", "thought", "function_call", "function_result")
_FLAT_TYPES = ("text", "thought", "function_call", "function_result")
Output = Annotated[
    Annotated[TextContent, Tag("<text>")]
    | Annotated[Thought, Tag("<thought>")]
    | Annotated[FunctionCall, Tag("<function_call>")]
    | Annotated[FunctionResult, Tag("<function_result>")]
    | Annotated[dict[str, Any], other_than("type", *_FLAT_TYPES), Tag("<other>")],
    _by("type", _FLAT_TYPES),
]
"""What a turn or a response has in the API's first version, without steps: content, thoughts, calls and results in a row."""


class Turn(_Open):
    """A message of the API's first version."""

    role: Literal["user", "model"]
    content: Annotated[str | list[Output], BY_SHAPE]


ROLES = ("user", "model")


def is_turn(item: dict[str, Any]) -> bool:
    """Whether an object of the input is a message of the API's first version."""
    role: Json = item.get("role")
    return item.get("type") is None and type(role) is str and role in ROLES and item.get("content") is not None


def _step(value: Json) -> str | None:
    if type(value) is not dict:
        return None
    kind: Json = value.get("type")
    if is_turn(value):
        return "<turn>"
    if type(kind) is not str:
        return "<other>"
    return f"<{kind}>" if kind in STEP_TYPES or kind == "text" else "<other>"


_TURN: Json = {
    "properties": {"type": {"type": "null"}, "role": {"enum": [*ROLES]}, "content": {"not": {"type": "null"}}},
    "required": ["role", "content"],
}
_KNOWN: Json = {"properties": {"type": {"enum": ["text", *STEP_TYPES]}}, "required": ["type"]}
_OTHER_STEP = Says({"type": "object", "not": {"anyOf": [_TURN, _KNOWN]}})

Step = Annotated[
    Annotated[UserInput, Tag("<user_input>")]
    | Annotated[ModelOutput, Tag("<model_output>")]
    | Annotated[Thought, Tag("<thought>")]
    | Annotated[FunctionCall, Tag("<function_call>")]
    | Annotated[FunctionResult, Tag("<function_result>")]
    | Annotated[TextContent, Tag("<text>")]
    | Annotated[Turn, Tag("<turn>")]
    | Annotated[dict[str, Any], _OTHER_STEP, Tag("<other>")],
    Discriminator(_step, custom_error_type="no_kind", custom_error_message="Input should be an object"),
]
"""An object of the input: a step, content of the user, or a turn of the API's first version."""

# Tools and requests


class FunctionTool(_Open):
    """A function that the model may call."""

    type: Literal["function"]
    name: str
    description: NotRequired[str | None]
    parameters: NotRequired[dict[str, Any] | None]


def _tool(value: Json) -> str | None:
    if type(value) is not dict:
        return None
    return "<function>" if value.get("type") == "function" and type(value.get("name")) is str else "<other>"


_NAMED: Json = {"properties": {"type": {"const": "function"}, "name": {"type": "string"}}, "required": ["type", "name"]}
_OTHER_TOOL = Says({"type": "object", "not": _NAMED})
Tool = Annotated[
    Annotated[FunctionTool, Tag("<function>")] | Annotated[dict[str, Any], _OTHER_TOOL, Tag("<other>")],
    Discriminator(_tool, custom_error_type="no_kind", custom_error_message="Input should be an object"),
]


class GenerationConfig(_Open, total=False):
    """The settings of the model."""

    max_output_tokens: int | None
    temperature: Number | None
    top_p: Number | None
    stop_sequences: list[str] | None
    thinking_level: str | None
    tool_choice: Annotated[str | dict[str, Any] | None, BY_SHAPE]


class Request(_Open, total=False):
    """The request body."""

    input: Annotated[str | list[Step] | Content | None, BY_SHAPE]
    model: str | None
    system_instruction: str | None
    tools: list[Tool] | None
    generation_config: GenerationConfig | None
    response_format: Annotated[dict[str, Any] | list[dict[str, Any]] | None, BY_SHAPE]
    labels: dict[str, Any] | None
    stream: bool | None


# Responses


class Response(_Open, total=False):
    """The response body, also as the API's first version has it, with outputs and without steps."""

    id: str | None
    model: str | None
    created: str | None
    status: str | None
    steps: list[Step] | None
    outputs: list[Output] | None
    usage: dict[str, Any] | None
