"""The official SDK of OpenAI judges requests of Completions, responses and chunks, which have one type."""

from typing import Any

from laws.closed import Fault, typed_faults
from laws.judge import Judge, closed, faults_in


def _request(payload: Any) -> list[Fault]:
    from openai.types import completion_create_params as params

    return typed_faults(closed(params.CompletionCreateParamsNonStreaming), payload)


def _response(body: Any) -> list[Fault]:
    from openai.types import Completion

    return faults_in(Completion, body)


def _chunk(chunk: Any) -> list[Fault]:
    """The faults of a chunk; the type requires a reason to stop, which only the last chunk has, and is of no error."""
    if "error" in chunk:
        return []
    choices = [choice | {"finish_reason": choice.get("finish_reason") or "stop"} for choice in chunk["choices"]]
    return _response(chunk | {"choices": choices})


JUDGE = Judge(_request, _response, _chunk, missing=("/model",), spec=("openai-openapi.yaml", "CreateCompletionRequest"))
