"""The wire types of requests to Ollama's chat and of its responses.

Open: fields that are not named here are kept. Messages of all roles have one type, as they have in the server
(ollama/ollama, `api/types.go`, 2026-08-21).
"""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, Required

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from ...model.base import BY_SHAPE, Number


@with_config(ConfigDict(extra="allow", strict=True))
class _Open(TypedDict):
    pass


class _Function(_Open):
    name: str
    arguments: NotRequired[Annotated[str | dict[str, Any] | None, BY_SHAPE]]


class Call(_Open, total=False):
    """A call of a function, whose arguments are an object; a server refuses a text."""

    id: str | None
    function: Required[_Function]


class ResponseMessage(_Open, total=False):
    """The message of a response, or a piece of it in a stream."""

    role: str | None
    content: str | None
    thinking: str | None
    images: list[str] | None
    tool_calls: list[Call] | None


class Message(_Open, total=False):
    """A message: one text, with images beside it, in base64; of the assistant also reasoning and calls; or a result."""

    role: Required[str]
    content: str | None
    thinking: str | None
    images: list[str] | None
    tool_calls: list[Call] | None
    tool_name: str | None
    tool_call_id: str | None


class _ToolFunction(_Open):
    name: str
    description: NotRequired[str | None]
    parameters: NotRequired[dict[str, Any] | None]


class Tool(_Open, total=False):
    """A function that the model may call."""

    type: str | None
    function: Required[_ToolFunction]


class _Options(_Open, total=False):
    temperature: Number | None
    num_predict: Number | None
    top_p: Number | None
    top_k: Number | None
    stop: Annotated[str | list[str] | None, BY_SHAPE]


class Request(_Open, total=False):
    """The request body."""

    messages: Required[list[Message]]
    model: str | None
    stream: bool | None
    format: Annotated[str | dict[str, Any] | None, BY_SHAPE]
    tools: list[Tool] | None
    options: _Options | None
    think: bool | str | None


class Response(_Open, total=False):
    """The response body, and each chunk of a stream."""

    model: str | None
    created_at: str | None
    message: ResponseMessage | None
    done: bool | None
    done_reason: str | None
    prompt_eval_count: int | None
    prompt_eval_cached_count: int | None
    eval_count: int | None
    logprobs: list[dict[str, Any]] | None


class GenerateResponse(_Open, total=False):
    """The body of an answer to a prompt, and each line of its stream."""

    model: str | None
    created_at: str | None
    response: str | None
    thinking: str | None
    done: bool | None
    done_reason: str | None
    prompt_eval_count: int | None
    prompt_eval_cached_count: int | None
    eval_count: int | None
    logprobs: list[dict[str, Any]] | None


class GenerateRequest(_Open, total=False):
    """The body of a request to generate."""

    prompt: str | None
    system: str | None
    model: str | None
    stream: bool | None
    format: Annotated[str | dict[str, Any] | None, BY_SHAPE]
    options: _Options | None
    think: bool | str | None
