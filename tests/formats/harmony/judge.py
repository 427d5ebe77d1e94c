"""The official SDK of OpenAI judges the bodies. The prompts are judged by openai-harmony (`test_openai_harmony.py`)."""

from typing import Any

from laws.closed import Fault, typed_faults
from laws.judge import Judge, closed, faults_in


def _request(payload: Any) -> list[Fault]:
    from openai.types import completion_create_params as params

    return typed_faults(closed(params.CompletionCreateParamsNonStreaming), payload)


def _response(body: Any) -> list[Fault]:
    from openai.types import Completion

    return faults_in(Completion, body)


def _complete(chunk: Any) -> Any:
    """A chunk with the `finish_reason` that the types require of each, and servers send only with the last."""
    choices = [choice | {"finish_reason": choice.get("finish_reason") or "stop"} for choice in chunk.get("choices", ())]
    return chunk | {"choices": choices}


def _chunk(chunk: Any) -> list[Fault]:
    return _response(_complete(chunk))


JUDGE = Judge(_request, _response, _chunk, missing=("/model",), spec=("openai-openapi.yaml", "CreateCompletionRequest"))
