"""The wire types of Chat Completions requests, as OpenAI and the hosts that follow it take them.

Open: what is not named here is kept as it is. Unions are told apart by callables, so that one fault gives one error; an
unknown role, part or tool type is kept whole, a known one with a bad body is an error. (openai 3.52.0,
`types/chat/completion_create_params.py`; vendor extensions as their documentation and recorded traffic show them.)
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, Required

from pydantic import ConfigDict, Discriminator, Tag, with_config
from typing_extensions import TypedDict

from ...model.base import Json, JsonObject, Number, Says, other_than, shape

_OPEN = ConfigDict(extra="allow", strict=True)
_TEXT_OR_PARTS = Discriminator(shape)


def _by(key: str, known: frozenset[str], refine: Any = None) -> Discriminator:
    """A union told apart by `key`: a known value is its own tag, anything else that is an object is `<other>`."""

    def tag(value: Json) -> str | None:
        if type(value) is not dict:
            return None
        kind = value.get(key)
        if kind in known if type(kind) is str else False:
            return f"<{kind}>" if refine is None else refine(kind, value)
        return "<other>" if type(kind) is str else None

    return Discriminator(tag, custom_error_type="no_kind", custom_error_message=f"Input should be an object with a {key}")


def _has(key: str) -> dict[str, Any]:
    return {"properties": {key: True}, "required": [key]}


def _open_but_not(schema: Json) -> ConfigDict:
    return ConfigDict(extra="allow", strict=True, json_schema_extra={"not": schema})


@with_config(_OPEN)
class TextPart(TypedDict):
    """Text."""

    type: Literal["text"]
    text: str


@with_config(_OPEN)
class _Url(TypedDict):
    url: str


@with_config(_OPEN)
class ImageUrlPart(TypedDict):
    """An image; some hosts take the bare URL."""

    type: Literal["image_url"]
    image_url: Annotated[Annotated[str, Tag("<text>")] | Annotated[_Url, Tag("<object>")], _TEXT_OR_PARTS]


@with_config(_OPEN)
class _Audio(TypedDict):
    data: str
    format: str


@with_config(_OPEN)
class InputAudioPart(TypedDict):
    """Audio."""

    type: Literal["input_audio"]
    input_audio: _Audio


@with_config(_OPEN)
class _File(TypedDict, total=False):
    file_data: str | None
    file_id: str | None
    filename: str | None


@with_config(_OPEN)
class FilePart(TypedDict):
    """A file."""

    type: Literal["file"]
    file: _File


@with_config(_OPEN)
class RefusalPart(TypedDict):
    """A refusal."""

    type: Literal["refusal"]
    refusal: str


@with_config(_OPEN)
class ThinkingPart(TypedDict):
    """Readable reasoning among the parts, as vLLM and LiteLLM take it."""

    type: Literal["thinking"]
    thinking: str


@with_config(_OPEN)
class RedactedThinkingPart(TypedDict):
    """Encrypted reasoning among the parts, as LiteLLM takes it."""

    type: Literal["redacted_thinking"]
    data: str


# Hosts spell these in other ways as well (Mistral: a list, a bare string); those are kept whole.
_LOOSE = {"thinking": ("thinking", str), "input_audio": ("input_audio", dict), "redacted_thinking": ("data", str)}
_PARTS = ("text", "image_url", "input_audio", "file", "refusal", "thinking", "redacted_thinking")
_OTHER_PART = Says(
    {
        "anyOf": [
            other_than("type", *_PARTS).schema,
            *(
                {
                    "type": "object",
                    "properties": {"type": {"const": kind}, field: {"not": {"type": "string" if usual is str else "object"}}},
                    "required": ["type", field],
                }
                for kind, (field, usual) in _LOOSE.items()
            ),
        ]
    }
)


def _part(kind: str, value: dict[str, Any]) -> str:
    loose = _LOOSE.get(kind)
    if loose is not None and loose[0] in value and type(value[loose[0]]) is not loose[1]:
        return "<other>"
    return f"<{kind}>"


Part = Annotated[
    Annotated[TextPart, Tag("<text>")]
    | Annotated[ImageUrlPart, Tag("<image_url>")]
    | Annotated[InputAudioPart, Tag("<input_audio>")]
    | Annotated[FilePart, Tag("<file>")]
    | Annotated[RefusalPart, Tag("<refusal>")]
    | Annotated[ThinkingPart, Tag("<thinking>")]
    | Annotated[RedactedThinkingPart, Tag("<redacted_thinking>")]
    | Annotated[dict[str, Any], _OTHER_PART, Tag("<other>")],
    _by("type", frozenset(_PARTS), _part),
]

Content = Annotated[
    Annotated[str, Tag("<text>")] | Annotated[list[Part], Tag("<parts>")] | Annotated[None, Tag("<null>")], _TEXT_OR_PARTS
]


@with_config(_OPEN)
class PlainMessage(TypedDict):
    """A system, developer or user message."""

    role: Literal["system", "developer", "user"]
    content: Content
    name: NotRequired[str | None]


@with_config(_OPEN)
class _Function(TypedDict):
    name: str
    arguments: Annotated[Annotated[str, Tag("<text>")] | Annotated[JsonObject, Tag("<object>")], _TEXT_OR_PARTS]


@with_config(_OPEN)
class FunctionCall(TypedDict, total=False):
    """A function call, nested."""

    id: str | None
    function: Required[_Function]


@with_config(_open_but_not({"anyOf": [_has("function"), _has("custom")]}))
class FlatCall(TypedDict, total=False):
    """A function call in Verifiers' flat shape."""

    id: str | None
    name: Required[str]
    arguments: Required[str]


@with_config(_OPEN)
class _Custom(TypedDict):
    name: str
    input: str


@with_config(_open_but_not(_has("function")))
class CustomCall(TypedDict, total=False):
    """A custom tool's call."""

    id: str | None
    custom: Required[_Custom]


def _call(value: Any) -> str | None:
    if type(value) is not dict:
        return None
    if "function" in value:
        return "<function>"
    return "<custom>" if "custom" in value else "<flat>" if "name" in value else None


Call = Annotated[
    Annotated[FunctionCall, Tag("<function>")] | Annotated[CustomCall, Tag("<custom>")] | Annotated[FlatCall, Tag("<flat>")],
    Discriminator(
        _call, custom_error_type="no_call", custom_error_message="Input should be an object with a function or a custom call"
    ),
]


@with_config(_OPEN)
class AssistantMessage(TypedDict, total=False):
    """An assistant message, with every vendor's reasoning fields left open."""

    role: Required[Literal["assistant"]]
    content: Content
    refusal: str | None
    name: str | None
    tool_calls: list[Call] | None
    function_call: _Function | None


@with_config(_OPEN)
class ToolMessage(TypedDict):
    """A tool's result."""

    role: Literal["tool", "function"]
    content: Content
    tool_call_id: NotRequired[str | None]
    name: NotRequired[str | None]


_ROLES = ("system", "developer", "user", "assistant", "tool", "function")


def _role(role: str, value: dict[str, Any]) -> str:
    return {"assistant": "<assistant>", "tool": "<tool>", "function": "<tool>"}.get(role, "<plain>")


Message = Annotated[
    Annotated[PlainMessage, Tag("<plain>")]
    | Annotated[AssistantMessage, Tag("<assistant>")]
    | Annotated[ToolMessage, Tag("<tool>")]
    | Annotated[dict[str, Any], other_than("role", *_ROLES), Tag("<other>")],
    _by("role", frozenset(_ROLES), _role),
]


@with_config(_OPEN)
class _FunctionTool(TypedDict, total=False):
    name: str
    description: str | None
    parameters: dict[str, Any] | None
    strict: bool | None


@with_config(_OPEN)
class FunctionTool(TypedDict):
    """A function tool; some hosts take it without its type."""

    type: NotRequired[Literal["function"] | None]
    function: _FunctionTool


def _tool(value: Json) -> str | None:
    if type(value) is not dict:
        return None
    kind = value.get("type")
    return "<function>" if kind == "function" or (kind is None and "function" in value) else "<other>"


_NO_TYPE = {"properties": {"type": {"type": "null"}, "function": True}, "required": ["function"]}
_OTHER_TOOL = Says(
    {
        "type": "object",
        "not": {"anyOf": [{"properties": {"type": {"const": "function"}}, "required": ["type"]}, _NO_TYPE]},
    }
)

Tool = Annotated[
    Annotated[FunctionTool, Tag("<function>")] | Annotated[dict[str, Any], _OTHER_TOOL, Tag("<other>")],
    Discriminator(_tool, custom_error_type="no_kind", custom_error_message="Input should be an object with a type"),
]

_CHOICE = Annotated[
    Annotated[str, Tag("<text>")] | Annotated[dict[str, Any], Tag("<object>")] | Annotated[None, Tag("<null>")],
    _TEXT_OR_PARTS,
]


@with_config(_OPEN)
class _Settings(TypedDict, total=False):
    model: str | None
    tools: list[Tool] | None
    tool_choice: _CHOICE
    functions: list[_FunctionTool] | None
    function_call: _CHOICE
    parallel_tool_calls: bool | None
    max_tokens: int | None
    max_completion_tokens: int | None
    temperature: Number | None
    top_p: Number | None
    top_k: int | None
    stop: Annotated[
        Annotated[str, Tag("<text>")] | Annotated[list[str], Tag("<parts>")] | Annotated[None, Tag("<null>")], _TEXT_OR_PARTS
    ]
    reasoning_effort: str | None
    user: str | None
    stream: bool | None
    response_format: dict[str, Any] | None
    metadata: dict[str, Any] | None


class Request(_Settings):
    """The request body."""

    messages: list[Message]


class Frame(_Settings):
    """The request body but for its messages, most of which need no look of their own."""

    messages: list[Any]


# Responses


@with_config(_OPEN)
class _SaidFunction(TypedDict):
    name: str
    arguments: NotRequired[
        Annotated[
            Annotated[str, Tag("<text>")] | Annotated[JsonObject, Tag("<object>")] | Annotated[None, Tag("<null>")],
            _TEXT_OR_PARTS,
        ]
    ]


@with_config(_OPEN)
class SaidFunctionCall(TypedDict, total=False):
    """A function call in an answer, where arguments that are none may be left out."""

    id: str | None
    function: _SaidFunction


SaidCall = Annotated[
    Annotated[SaidFunctionCall, Tag("<function>")]
    | Annotated[CustomCall, Tag("<custom>")]
    | Annotated[FlatCall, Tag("<flat>")],
    Discriminator(
        _call, custom_error_type="no_call", custom_error_message="Input should be an object with a function or a custom call"
    ),
]


@with_config(_OPEN)
class SaidMessage(TypedDict, total=False):
    """The message of an answer."""

    content: Content
    refusal: str | None
    name: str | None
    tool_calls: list[SaidCall] | None
    function_call: _SaidFunction | None


@with_config(_OPEN)
class Choice(TypedDict, total=False):
    """One answer; what was filtered has no message."""

    message: SaidMessage | None
    finish_reason: str | None


@with_config(_OPEN)
class Response(TypedDict, total=False):
    """The response body; one that reports an error may have nothing else."""

    id: str | None
    model: str | None
    choices: list[Choice] | None
    usage: dict[str, Any] | None
