"""The official SDK of OpenAI judges Chat Completions: its types, its fold of streams, and the published specification."""

import copy
from typing import Any

from interlingua.testing.lawbook.documents import is_object
from laws.closed import Fault, typed_faults
from laws.judge import Judge, closed, faults_in


def _request(payload: Any) -> list[Fault]:
    from openai.types.chat import completion_create_params as params

    return typed_faults(closed(params.CompletionCreateParamsNonStreaming), payload)


def _response(body: Any) -> list[Fault]:
    from openai.types.chat import ChatCompletion

    return faults_in(ChatCompletion, body)


def _chunk(chunk: Any) -> list[Fault]:
    from openai.types.chat import ChatCompletionChunk

    found = [] if chunk == "[DONE]" else faults_in(ChatCompletionChunk, chunk)
    # OpenAI sends annotations in deltas, though the SDK's types of deltas do not have them.
    return [fault for fault in found if not fault.pointer.endswith("/delta/annotations")]


def _fold(chunks: list[Any]) -> dict[str, Any]:
    from openai._models import construct_type
    from openai.lib.streaming.chat import ChatCompletionStreamState
    from openai.types.chat import ChatCompletionChunk

    state: ChatCompletionStreamState[Any] = ChatCompletionStreamState()
    for chunk in chunks:
        if chunk != "[DONE]":
            made: Any = construct_type(type_=ChatCompletionChunk, value=copy.deepcopy(chunk))
            state.handle_chunk(made)
    return state.current_completion_snapshot.to_dict(mode="json")


def _complete(chunk: Any) -> Any:
    return {"id": "", "model": "", "created": 0} | chunk if is_object(chunk) else chunk


JUDGE = Judge(
    _request,
    _response,
    _chunk,
    _fold,
    required={"id": "x", "model": "m", "created": 0},
    missing=("/model",),
    spec=("openai-openapi.yaml", "CreateChatCompletionRequest"),
    complete=_complete,
)
