"""The wire types of Chat Completions requests, as OpenAI and the hosts that follow it accept them.

The types are open: a field that they do not declare is kept as it is, and an object of an unknown role, part type or tool type
is kept whole. A known type with a bad body is an error. Functions choose the member of a union, so that one fault gives one
error. (openai 3.52.0,
`types/chat/completion_create_params.py`; vendor extensions as their documentation and recorded traffic show them.)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, Required

from pydantic import ConfigDict, Discriminator, Tag, with_config
from typing_extensions import TypedDict

from ...model.base import BY_SHAPE, Json, JsonObject, Number, Says, other_than
from .untyped import URL_FIELDS, is_by_uuid, is_untyped


@with_config(ConfigDict(extra="allow", strict=True))
class _Open(TypedDict):
    pass


def _by(key: str, tags: Mapping[str, str], loose: Mapping[str, tuple[str, type]] | None = None) -> Discriminator:
    """A union whose members are chosen by the value of `key`; the tag of an unknown value is `<other>`.

    An object with one of the values in `loose` is `<other>` too if a field is not of the usual type.
    """

    def tag(value: Json) -> str | None:
        if type(value) is not dict:
            return None
        kind: Json = value.get(key)
        if type(kind) is not str:
            return "<other>" if loose is not None and is_untyped(value) else None
        if kind == "file" and "file_id" in value and "file" not in value:
            return "<other>"
        if kind == "image_url" and is_by_uuid(value):
            return "<other>"
        if loose is not None and kind in loose:
            field, usual = loose[kind]
            if type(value.get(field, usual())) is not usual:
                return "<other>"
        return tags.get(kind, "<other>")

    return Discriminator(tag, custom_error_type="no_kind", custom_error_message=f"Input should be an object with a {key}")


def _has(key: str) -> dict[str, Any]:
    return {"properties": {key: {}}, "required": [key]}


def _open_but_not(schema: Json) -> ConfigDict:
    return ConfigDict(extra="allow", strict=True, json_schema_extra={"not": schema})


class TextPart(_Open):
    """Text."""

    type: Literal["text"]
    text: str


class _Url(_Open):
    url: str


class ImageUrlPart(_Open):
    """An image; some hosts take the bare URL."""

    type: Literal["image_url"]
    image_url: Annotated[str | _Url, BY_SHAPE]


class _Audio(_Open):
    data: str
    format: str


class InputAudioPart(_Open):
    """Audio."""

    type: Literal["input_audio"]
    input_audio: _Audio


class _File(_Open, total=False):
    file_data: str | None
    file_id: str | None
    filename: str | None


class FilePart(_Open):
    """A file."""

    type: Literal["file"]
    file: _File


class RefusalPart(_Open):
    """A refusal."""

    type: Literal["refusal"]
    refusal: str


class ThinkingPart(_Open):
    """Readable reasoning as a part, which vLLM and LiteLLM accept."""

    type: Literal["thinking"]
    thinking: str


class RedactedThinkingPart(_Open):
    """Encrypted reasoning as a part, which LiteLLM accepts."""

    type: Literal["redacted_thinking"]
    data: str


# Some hosts spell these in other ways (a list, a bare string, a file's id in the part); other hosts keep them whole.
_LOOSE = {"thinking": ("thinking", str), "input_audio": ("input_audio", dict), "redacted_thinking": ("data", str)}
_JSON_TYPES = {str: "string", dict: "object"}
_PARTS = {
    kind: f"<{kind}>" for kind in ("text", "image_url", "input_audio", "file", "refusal", "thinking", "redacted_thinking")
}
_OTHER_PARTS = [
    {
        "type": "object",
        "properties": {"type": {"const": kind}, field: {"not": {"type": _JSON_TYPES[usual]}}},
        "required": ["type", field],
    }
    for kind, (field, usual) in _LOOSE.items()
]
_FLAT_FILE: dict[str, Any] = {
    "type": "object",
    "properties": {"type": {"const": "file"}, "file_id": {}, "file": {"not": {}}},
    "required": ["type", "file_id"],
}

_UNTYPED: dict[str, Any] = {
    "type": "object",
    "properties": {"type": {"not": {}}},
    "anyOf": [{"properties": {field: {}}, "required": [field]} for field in URL_FIELDS],
}
_BY_UUID: dict[str, Any] = {
    "type": "object",
    "properties": {"type": {"const": "image_url"}, "image_url": {"type": "null"}, "uuid": {"type": "string"}},
    "required": ["type", "uuid"],
}
_OTHER_PART = Says({"anyOf": [other_than("type", *_PARTS).schema, *_OTHER_PARTS, _FLAT_FILE, _UNTYPED, _BY_UUID]})

Part = Annotated[
    Annotated[TextPart, Tag("<text>")]
    | Annotated[ImageUrlPart, Tag("<image_url>")]
    | Annotated[InputAudioPart, Tag("<input_audio>")]
    | Annotated[FilePart, Tag("<file>")]
    | Annotated[RefusalPart, Tag("<refusal>")]
    | Annotated[ThinkingPart, Tag("<thinking>")]
    | Annotated[RedactedThinkingPart, Tag("<redacted_thinking>")]
    | Annotated[dict[str, Any], _OTHER_PART, Tag("<other>")],
    _by("type", _PARTS, _LOOSE),
]

Content = Annotated[str | list[Part] | None, BY_SHAPE]


class PlainMessage(_Open):
    """A system, developer or user message."""

    role: Literal["system", "developer", "user"]
    content: Content
    name: NotRequired[str | None]


class Function(_Open):
    """A function that is called; some hosts leave out its arguments in answers, and clients send these calls again."""

    name: str
    arguments: NotRequired[Annotated[str | JsonObject | None, BY_SHAPE]]


class FunctionCall(_Open, total=False):
    """A function call, nested."""

    id: str | None
    function: Required[Function]


@with_config(_open_but_not({"anyOf": [_has("function"), _has("custom")]}))
class FlatCall(_Open, total=False):
    """A function call in Verifiers' flat shape; datasets have objects of arguments in it, too."""

    id: str | None
    name: Required[str]
    arguments: Required[Annotated[str | JsonObject, BY_SHAPE]]


class _Custom(_Open):
    name: str
    input: str


@with_config(_open_but_not(_has("function")))
class CustomCall(_Open, total=False):
    """A custom tool's call."""

    id: str | None
    custom: Required[_Custom]


def _call(value: Any) -> str | None:
    if type(value) is not dict:
        return None
    if "function" in value:
        return None if value["function"] is None else "<function>"
    return "<custom>" if "custom" in value else "<flat>" if "name" in value else None


_BY_CALL = Discriminator(
    _call, custom_error_type="no_call", custom_error_message="Input should be an object with a function or a custom call"
)
_CustomCall = Annotated[CustomCall, Tag("<custom>")]
_FlatCall = Annotated[FlatCall, Tag("<flat>")]
Call = Annotated[Annotated[FunctionCall, Tag("<function>")] | _CustomCall | _FlatCall, _BY_CALL]


class AssistantMessage(_Open, total=False):
    """An assistant message; the reasoning fields of vendors are undeclared."""

    role: Required[Literal["assistant"]]
    content: Content
    refusal: str | None
    name: str | None
    tool_calls: list[Call] | None
    function_call: Function | None


class ToolMessage(_Open):
    """A tool's result."""

    role: Literal["tool", "function"]
    content: Content
    tool_call_id: NotRequired[str | None]
    name: NotRequired[str | None]


_ROLES = {
    **dict.fromkeys(("system", "developer", "user"), "<plain>"),
    **dict.fromkeys(("tool", "function"), "<tool>"),
    "assistant": "<assistant>",
}
Message = Annotated[
    Annotated[PlainMessage, Tag("<plain>")]
    | Annotated[AssistantMessage, Tag("<assistant>")]
    | Annotated[ToolMessage, Tag("<tool>")]
    | Annotated[dict[str, Any], other_than("role", *_ROLES), Tag("<other>")],
    _by("role", _ROLES),
]


class _FunctionDefinition(_Open, total=False):
    name: str
    description: str | None
    parameters: dict[str, Any] | None
    strict: bool | None


class FunctionTool(_Open):
    """A function tool; some hosts take it without its type."""

    type: NotRequired[Literal["function"] | None]
    function: _FunctionDefinition


def _tool(value: Json) -> str | None:
    if type(value) is not dict:
        return None
    kind = value.get("type")
    return "<function>" if kind == "function" or (kind is None and "function" in value) else "<other>"


_NO_TYPE = {"properties": {"type": {"type": "null"}, "function": {}}, "required": ["function"]}
_OTHER_TOOL = Says(
    {"type": "object", "not": {"anyOf": [{"properties": {"type": {"const": "function"}}, "required": ["type"]}, _NO_TYPE]}}
)

Tool = Annotated[
    Annotated[FunctionTool, Tag("<function>")] | Annotated[dict[str, Any], _OTHER_TOOL, Tag("<other>")],
    Discriminator(_tool, custom_error_type="no_kind", custom_error_message="Input should be an object with a type"),
]

_Choice = Annotated[str | dict[str, Any] | None, BY_SHAPE]


class _Settings(_Open, total=False):
    model: str | None
    tools: list[Tool] | None
    tool_choice: _Choice
    functions: list[_FunctionDefinition] | None
    function_call: _Choice
    parallel_tool_calls: bool | None
    max_tokens: int | None
    max_completion_tokens: int | None
    temperature: Number | None
    top_p: Number | None
    top_k: int | None
    stop: Annotated[str | list[str] | None, BY_SHAPE]
    reasoning_effort: str | None
    user: str | None
    stream: bool | None
    response_format: dict[str, Any] | None
    metadata: dict[str, Any] | None


class Request(_Settings):
    """The request body."""

    messages: list[Message]


class Frame(_Settings):
    """The request body with messages of any kind, which are validated one by one."""

    messages: list[Any]


# Responses


class SaidMessage(_Open, total=False):
    """The message of an answer; Cloudflare's Workers AI has an object as the content of a structured one."""

    content: Annotated[str | list[Part] | JsonObject | None, BY_SHAPE]
    refusal: str | None
    name: str | None
    tool_calls: list[Call] | None
    function_call: Function | None


class Choice(_Open, total=False):
    """One answer; a filtered one has no message."""

    message: SaidMessage | None
    finish_reason: str | None


class Response(_Open, total=False):
    """The response body; that of an error may have no other field."""

    id: str | None
    model: str | None
    choices: list[Choice] | None
    usage: dict[str, Any] | None
