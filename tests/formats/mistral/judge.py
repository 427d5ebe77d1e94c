"""The official SDK of Mistral judges its chat: its types, and the published specification. It folds no streams."""

import copy
from typing import Any

from interlingua.testing.lawbook.documents import is_array, is_object
from laws.closed import Fault, typed_faults
from laws.judge import Judge, closed, faults_in

NOT_SPECIFIED = frozenset(
    "logprobs min_tokens prompt_logprobs reasoning_effort repetition_penalty service_tier top_k top_logprobs "
    "top_prompt_logprobs".split()
)


def _request(payload: Any) -> list[Fault]:
    from mistralai.client.models import ChatCompletionRequestTypedDict

    return typed_faults(closed(ChatCompletionRequestTypedDict), payload)


def _response(body: Any) -> list[Fault]:
    from mistralai.client.models import ChatCompletionResponse

    return _known(faults_in(ChatCompletionResponse, body))


def _chunk(chunk: Any) -> list[Fault]:
    from mistralai.client.models import CompletionChunk

    return [] if chunk == "[DONE]" else _known(faults_in(CompletionChunk, chunk))


def _known(faults: list[Fault]) -> list[Fault]:
    """Without what the server says of its usage and the SDK's types do not have."""
    return [fault for fault in faults if not (fault.rule == "sdk extra" and fault.pointer.startswith("/usage/"))]


def _specified(payload: Any) -> Any:
    """Without the fields, the efforts and the signatures that the SDK's types have and the specification does not have yet."""
    made = copy.deepcopy(payload)
    for field in NOT_SPECIFIED:
        made.pop(field, None)
    for message in made.get("messages", ()):
        content = message.get("content")
        for part in content if is_array(content) else ():
            if is_object(part) and part.get("type") == "thinking":
                part.pop("signature", None)
    return made


JUDGE = Judge(
    _request,
    _response,
    _chunk,
    required={"id": "x", "model": "m", "created": 0, "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}},
    missing=("/model",),
    spec=("mistral-openapi.yaml", "ChatCompletionRequest"),
    specified=_specified,
)
