"""The official client of Ollama judges its chat: its types, extra keys forbidden, and the published specification.

Its types lack what the server has (ollama/ollama, `api/types.go`): the ids of calls and of results, the numbers of calls, the
bytes of tokens, the count of cached tokens, and some settings. It reads no answer with images.
"""

import re
from typing import Any

from pydantic import ValidationError

from laws.closed import Fault, pointer_of
from laws.judge import Judge, adapter

_UNLISTED = re.compile(
    r"(/messages/\d+|/message)/(tool_call_id|tool_calls/\d+/(id|type|function/index))"
    r"|/(truncate|shift|remote_model|remote_host|prompt_eval_cached_count)|/logprobs/\d+/(top_logprobs/\d+/)?bytes"
    r"|/tools/\d+/function/parameters/.*"
).fullmatch
"""What the server has and the client's types do not; of schemas, the client knows few keywords."""


def faults_of(kind: Any, value: Any, at: str = "") -> list[Fault]:
    """What a model of the client, which leaves out what it does not know, finds wrong."""
    try:
        adapter(kind).validate_python(value, extra="forbid")
    except ValidationError as error:
        found = [Fault(at + pointer_of(detail["loc"]), f"sdk {detail['type']}", detail["msg"]) for detail in error.errors()]
        return [fault for fault in found if not (fault.rule == "sdk extra_forbidden" and _UNLISTED(fault.pointer))]
    return []


def _request(payload: Any) -> list[Fault]:
    from ollama import Message
    from ollama._types import ChatRequest

    faults = faults_of(ChatRequest, payload)
    for i, message in enumerate(payload.get("messages", [])):  # the client takes any object for one
        images = message.get("images")
        wrapped = {} if images is None else {"images": [{"value": image} for image in images]}  # as its `chat` does
        faults += faults_of(Message, message | wrapped, f"/messages/{i}")
    return faults


def _answer(body: Any) -> list[Fault]:
    from ollama import ChatResponse

    return faults_of(ChatResponse, body)


JUDGE = Judge(
    _request,
    _answer,
    _answer,
    required={"message": {"role": "assistant"}},
    missing=("/model",),
    spec=("ollama-openapi.yaml", "ChatRequest"),
)
