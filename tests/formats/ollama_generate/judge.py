"""The official client of Ollama judges prompts and answers: its types, extra keys forbidden, and the specification."""

from typing import Any

from pydantic import ValidationError

from formats.ollama.judge import faults_of
from laws.closed import Fault, pointer_of
from laws.judge import Judge, adapter

_UNLISTED = ("/truncate", "/shift")
"""What the server has and the client's types do not."""


def _request(payload: Any) -> list[Fault]:
    from ollama._types import GenerateRequest

    images = payload.get("images")
    wrapped = {} if images is None else {"images": [{"value": image} for image in images]}  # as its `generate` does
    try:
        adapter(GenerateRequest).validate_python(payload | wrapped, extra="forbid")
    except ValidationError as error:
        found = [Fault(pointer_of(detail["loc"]), f"sdk {detail['type']}", detail["msg"]) for detail in error.errors()]
        return [fault for fault in found if fault.pointer not in _UNLISTED]
    return []


def _answer(body: Any) -> list[Fault]:
    from ollama import GenerateResponse

    return faults_of(GenerateResponse, body)


JUDGE = Judge(_request, _answer, _answer, missing=("/model",), spec=("ollama-openapi.yaml", "GenerateRequest"))
