"""The wire types of text bodies for InvokeModel, of all families of models in one type: their fields differ in names alone.

Open: fields that are not named here are kept.
"""

from __future__ import annotations

from typing import Annotated, Any, NoReturn

from pydantic import BeforeValidator, ConfigDict, WithJsonSchema, with_config
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from ...model.base import BY_SHAPE, Json, Number


def _refuse(_value: Json) -> NoReturn:
    why = "Input should be absent: with this field, a body asks for an embedding or an image, and has no conversation"
    raise PydanticCustomError("no_conversation", why)


_Absent = Annotated[Any, BeforeValidator(_refuse), WithJsonSchema({"not": {}})]
"""A field that only bodies without a conversation have."""
_Strings = Annotated[str | list[str] | None, BY_SHAPE]


@with_config(ConfigDict(extra="allow", strict=True))
class _Open(TypedDict):
    pass


class _TitanSettings(_Open, total=False):
    maxTokenCount: int | None
    temperature: Number | None
    topP: Number | None
    stopSequences: list[str] | None


class Request(_Open, total=False):
    """The request body."""

    prompt: str | None
    inputText: str | None
    message: str | None
    textGenerationConfig: _TitanSettings | None
    max_gen_len: int | None
    max_tokens: int | None
    max_tokens_to_sample: int | None
    maxTokens: int | None
    temperature: Number | None
    top_p: Number | None
    topP: Number | None
    p: Number | None
    top_k: int | None
    k: int | None
    stop: _Strings
    stop_sequences: list[str] | None
    stopSequences: list[str] | None
    stream: bool | None
    normalize: _Absent
    dimensions: _Absent
    embeddingTypes: _Absent
    texts: _Absent
    taskType: _Absent


class _Result(_Open, total=False):
    outputText: str | None


class _Output(_Open, total=False):
    text: str | None


class _Completion(_Open, total=False):
    data: _Output | None


class Response(_Open, total=False):
    """The response body."""

    results: list[_Result] | None
    generation: str | None
    outputs: list[_Output] | None
    generations: list[_Output] | None
    completions: list[_Completion] | None
    completion: str | None
    text: str | None
