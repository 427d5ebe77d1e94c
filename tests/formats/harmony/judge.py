"""The official SDK of OpenAI judges the bodies. The prompts are judged by openai-harmony (`test_openai_harmony.py`)."""

from typing import Any

from laws.closed import Fault, typed_faults
from laws.judge import Judge, closed


def _request(payload: Any) -> list[Fault]:
    from openai.types import completion_create_params as params

    return typed_faults(closed(params.CompletionCreateParamsNonStreaming), payload)


JUDGE = Judge(_request, missing=("/model",), spec=("openai-openapi.yaml", "CreateCompletionRequest"))
