"""The official SDK of Cohere judges Chat: its client's arguments, its types, and the published specification.

Its types lack some fields that recorded responses and streams have; those are known here.
"""

import functools
import inspect
import re
import typing
from typing import Any

from pydantic import ConfigDict, TypeAdapter, create_model

from interlingua.testing.lawbook.documents import is_array, is_object
from laws.closed import Fault, typed_faults
from laws.judge import Judge, faults_in

_UNLISTED = re.compile(
    "/(delta/)?usage/tokens/(reasoning|image)_tokens|/delta/error_type|/delta/message/(content|tool_plan|tool_calls|citations)"
).fullmatch
"""Recorded fields that the SDK's types do not have."""


@functools.cache
def _arguments() -> TypeAdapter[Any]:
    """The keywords of the client's method, as a type."""
    from cohere.v2.client import V2Client

    method = V2Client.chat
    hints = typing.get_type_hints(method)
    given = {name: each.default for name, each in inspect.signature(method).parameters.items() if name in hints}
    fields: Any = {
        name: (hints[name], ... if default is inspect.Parameter.empty else None)
        for name, default in given.items()
        if name != "request_options"
    }
    return TypeAdapter(create_model("Chat", __config__=ConfigDict(extra="forbid"), stream=(bool | None, None), **fields))


def _listed(faults: list[Fault]) -> list[Fault]:
    return [fault for fault in faults if not (fault.rule == "sdk extra" and _UNLISTED(fault.pointer))]


def _request(payload: Any) -> list[Fault]:
    return typed_faults(_arguments(), payload)


def _response(body: Any) -> list[Fault]:
    from cohere import V2ChatResponse

    return _listed(faults_in(V2ChatResponse, body))


def _chunk(chunk: Any) -> list[Fault]:
    from cohere import V2ChatStreamResponse

    return _listed(faults_in(V2ChatStreamResponse, chunk))


def _any_of(schema: Any) -> Any:
    """The schema where one of several may fit: some that are meant to exclude one another do not say what they are."""
    if is_object(schema):
        return {"anyOf" if key == "oneOf" else key: _any_of(value) for key, value in schema.items()}
    return [_any_of(item) for item in schema] if is_array(schema) else schema


JUDGE = Judge(
    _request,
    _response,
    _chunk,
    required={"id": "x", "finish_reason": "COMPLETE"},
    missing=("/model",),
    spec=("cohere-openapi.yaml", "post/v2/chat"),
    spec_of=_any_of,
)
