"""The wire types of Gemini's generateContent, and of the calls of google-genai.

Each field may be in lower camel case or in the snake case of the protocol buffers. The types are open and require no field: an
object that lacks the fields which give it a meaning is kept whole. (google-genai 3.4.0, `types.py`; the discovery document of
`generativelanguage` v1beta; recorded traffic.)
"""

from typing import Annotated, Any, Required, TypeVar, cast

from pydantic import AfterValidator, ConfigDict, with_config
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict, get_type_hints

from ...model.base import BY_SHAPE, JsonObject, Number, Says
from .spellings import snake

KindT = TypeVar("KindT")
_make: Any = TypedDict
"""`TypedDict` as a function of fields that are found when the program runs."""


def _open(kind: type[KindT]) -> type[KindT]:
    """An open object with the fields of this class, each optional and in either spelling."""
    hints = get_type_hints(kind, include_extras=True)
    made = _make(kind.__name__, {name: hint for key, hint in hints.items() for name in (key, snake(key))}, total=False)
    made.__doc__ = kind.__doc__
    return cast("type[KindT]", with_config(ConfigDict(extra="allow", strict=True))(made))


@_open
class Media(TypedDict):
    """Media: inline as base64, or at a URI."""

    mimeType: str | None
    data: str | None
    fileUri: str | None
    displayName: str | None


@_open
class FunctionCall(TypedDict):
    """A call of a function."""

    id: str | None
    name: str | None
    args: JsonObject | None


@_open
class ResultPart(TypedDict):
    """Media in the result of a function."""

    inlineData: Media | None
    fileData: Media | None


@_open
class FunctionResponse(TypedDict):
    """The result of a function."""

    id: str | None
    name: str | None
    response: JsonObject | None
    parts: list[ResultPart] | None


@_open
class Part(TypedDict):
    """A part: one field with data, and fields about these data."""

    text: str | None
    inlineData: Media | None
    fileData: Media | None
    functionCall: FunctionCall | None
    functionResponse: FunctionResponse | None
    thought: bool | None
    thoughtSignature: str | None


@_open
class Content(TypedDict):
    """A message, or the system instruction; a single part may stand without a list."""

    role: str | None
    parts: Annotated[list[Part] | Part | None, BY_SHAPE]


@_open
class FunctionDeclaration(TypedDict):
    """A function that may be called."""

    name: str | None
    description: str | None
    parameters: JsonObject | None
    parametersJsonSchema: JsonObject | None


@_open
class Tool(TypedDict):
    """Functions, or tools that Google's servers run."""

    functionDeclarations: list[FunctionDeclaration] | None


@_open
class FunctionCallingConfig(TypedDict):
    """Which functions may be called."""

    allowedFunctionNames: list[str] | None


@_open
class ToolConfig(TypedDict):
    """How tools are used."""

    functionCallingConfig: FunctionCallingConfig | None


def _whole(value: float) -> float:
    if type(value) is float and not value.is_integer():
        raise PydanticCustomError("whole", "Input should be a valid integer")
    return value


_Integer = Annotated[Number, AfterValidator(_whole), Says({"type": "number", "multipleOf": 1})]
"""An integer, which JSON of protocol buffers may have with a fraction of 0 (protobuf.dev, ProtoJSON Format)."""


@_open
class ThinkingConfig(TypedDict):
    """How much the model reasons."""

    thinkingBudget: _Integer | None


@_open
class GenerationConfig(TypedDict):
    """The settings of the answer."""

    maxOutputTokens: _Integer | None
    temperature: Number | None
    topP: Number | None
    topK: Number | None
    stopSequences: list[str] | None
    thinkingConfig: ThinkingConfig | None
    responseMimeType: str | None
    responseSchema: JsonObject | None
    responseJsonSchema: JsonObject | None


@_open
class Settings(TypedDict):
    """The fields of a request besides its messages."""

    systemInstruction: Annotated[str | Content | None, BY_SHAPE]
    tools: Annotated[list[Tool] | Tool | None, BY_SHAPE]
    toolConfig: ToolConfig | None


@with_config(ConfigDict(extra="allow", strict=True))
class Request(Settings, total=False):
    """The request body."""

    contents: Required[Annotated[list[Content] | Content, BY_SHAPE]]
    model: str | None
    generationConfig: GenerationConfig | None
    generation_config: GenerationConfig | None


@with_config(ConfigDict(extra="allow", strict=True))
class Config(GenerationConfig, Settings, total=False):
    """The settings of a call of google-genai, those of the answer among them."""


@with_config(ConfigDict(extra="allow", strict=True))
class Item(Content, Part, total=False):
    """A message, or a part that the client puts into one."""


_OfList = Annotated[str | Part, BY_SHAPE]


@with_config(ConfigDict(extra="allow", strict=True))
class Call(TypedDict, total=False):
    """The arguments of `client.models.generate_content`; the client makes messages of texts, parts and lists of them."""

    model: str | None
    contents: Required[Annotated[str | list[Annotated[str | list[_OfList] | Item, BY_SHAPE]] | Item, BY_SHAPE]]
    config: Config | None


@_open
class Candidate(TypedDict):
    """One answer."""

    content: Content | None
    index: int | None


@_open
class Response(TypedDict):
    """A response body, or a chunk of a stream."""

    candidates: list[Candidate] | None
    promptFeedback: JsonObject | None
    usageMetadata: JsonObject | None
    modelVersion: str | None
    responseId: str | None
