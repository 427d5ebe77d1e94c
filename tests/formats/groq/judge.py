"""The official SDK of Groq judges its chat: its types. It folds no streams, and Groq publishes no specification beside it."""

from typing import Any

from interlingua.testing.lawbook.documents import is_array, is_object
from laws.closed import Fault, typed_faults
from laws.judge import Judge, closed, faults_in


def _request(payload: Any) -> list[Fault]:
    from groq.types.chat import completion_create_params as params

    found = typed_faults(closed(params.CompletionCreateParams), payload)
    # The SDK's types do not have `stream_options`, which it documents in chunks, and which Groq was recorded to take.
    return [fault for fault in found if not fault.pointer.startswith("/stream_options")]


def _response(body: Any) -> list[Fault]:
    from groq.types.chat import ChatCompletion

    found = faults_in(ChatCompletion, body)
    # The SDK's type of a chunk has the reason `content_filter`, and that of a response does not.
    filtered = [
        f"/choices/{index}/finish_reason"
        for index, choice in enumerate(body["choices"] if is_object(body) and is_array(body.get("choices")) else ())
        if is_object(choice) and choice.get("finish_reason") == "content_filter"
    ]
    return [fault for fault in _without_counts(found) if fault.pointer not in filtered]


def _chunk(chunk: Any) -> list[Fault]:
    from groq.types.chat import ChatCompletionChunk

    return [] if chunk == "[DONE]" else _without_counts(faults_in(ChatCompletionChunk, chunk))


def _without_counts(found: list[Fault]) -> list[Fault]:
    """Without counts that the SDK's types require of details of the usage, of which other hosts count something else."""
    return [fault for fault in found if not (fault.rule == "sdk missing" and "_tokens_details/" in fault.pointer)]


def _complete(chunk: Any) -> Any:
    return {"id": "", "model": "", "created": 0} | chunk if is_object(chunk) else chunk


JUDGE = Judge(
    _request,
    _response,
    _chunk,
    required={"id": "x", "model": "m", "created": 0},
    missing=("/model",),
    complete=_complete,
)
