"""The official SDK of OpenAI judges Responses: its types, its fold of streams, and the published specification."""

import copy
from typing import Any

from interlingua.testing.lawbook.documents import is_array, is_object
from laws.closed import Fault, typed_faults
from laws.judge import Judge, closed, faults_in, with_defaults

_REQUIRED: dict[str, Any] = {
    "id": "resp_0",
    "model": "m",
    "created_at": 0,
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
    "usage": {
        **dict.fromkeys(("input_tokens", "output_tokens", "total_tokens"), 0),
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    },
}


def _request(payload: Any) -> list[Fault]:
    from openai.types.responses import response_create_params as params

    return typed_faults(closed(params.ResponseCreateParamsNonStreaming), _with_required(payload))


def _with_required(payload: Any) -> Any:
    """A request to Responses with what the types require of its items and the server does not, as recorded requests show.

    That is the id of reasoning, the type, id and status of an answer with a list of parts, the annotations and logprobs of its
    texts, and the detail of an image. It takes the status of a custom tool's call, which the types do not have.
    """
    payload = copy.deepcopy(payload)
    items: Any = payload.get("input")
    for item in items if is_array(items) else ():
        if item.get("type") == "reasoning":
            item.setdefault("id", "rs_0")
        if item.get("type") == "custom_tool_call":
            item.pop("status", None)
        if item.get("role") == "assistant" and is_array(item["content"]):
            item.setdefault("id", "msg_0")
            item.setdefault("status", "completed")
            item.setdefault("type", "message")
        for held in (item.get("content"), item.get("output")):
            for part in held if is_array(held) else ():
                if part.get("type") == "input_image":
                    part.setdefault("detail", "auto")
                if part.get("type") == "output_text":
                    part.setdefault("annotations", [])
                    part.setdefault("logprobs", [])
    return payload


def _response(body: Any) -> list[Fault]:
    from openai.types.responses import Response

    return faults_in(Response, body)


def _chunk(chunk: Any) -> list[Fault]:
    from openai.types.responses import ResponseStreamEvent

    return faults_in(ResponseStreamEvent, _without_bytes(chunk))


def _without_bytes(chunk: Any) -> Any:
    """An event without the bytes of its tokens, which recorded streams have and the types of events do not."""
    tokens: Any = chunk.get("logprobs")
    if not tokens:
        return chunk
    bare = [{key: value for key, value in token.items() if key != "bytes"} for token in tokens]
    for token in bare:
        if "top_logprobs" in token:
            tops: Any = token["top_logprobs"]
            token["top_logprobs"] = [{key: value for key, value in top.items() if key != "bytes"} for top in tops]
    return chunk | {"logprobs": bare}


def _fold(chunks: list[Any]) -> dict[str, Any]:
    from openai import omit
    from openai._models import construct_type
    from openai.lib.streaming.responses._responses import ResponseStreamState
    from openai.types.responses import ResponseStreamEvent

    state: ResponseStreamState[Any] = ResponseStreamState(input_tools=omit, text_format=omit)
    made: Any = None
    for chunk in chunks:
        made = construct_type(type_=ResponseStreamEvent, value=copy.deepcopy(chunk))
        state.handle_event(made)
    # What `get_final_response` returns, which asks for a response that is completed.
    done: Any = vars(state)["_completed_response"] or made.response
    folded: dict[str, Any] = done.to_dict(mode="json")
    times = {key: folded[key] for key in ("created_at", "completed_at") if folded.get(key) is not None}
    return folded | {key: int(time) for key, time in times.items()}  # where the SDK has doubles


def _overlapping(schema: Any) -> Any:
    """A schema whose unions may overlap, as those of the items of Responses do: a message without a type fits three of them."""
    if is_array(schema):
        return [_overlapping(item) for item in schema]
    if not is_object(schema):
        return schema
    return {"anyOf" if key == "oneOf" else key: _overlapping(value) for key, value in schema.items()}


_JUDGED = ("message", "reasoning", "function_call", "function_call_output")
"""OpenAI takes the items of its other tools back as they came, with fields that its types of requests do not have."""


def _known(payload: Any) -> Any:
    if is_array(payload.get("input")):
        payload["input"] = [item for item in payload["input"] if item.get("type", "message") in _JUDGED] or "-"
        for item in payload["input"]:
            if is_object(item) and is_array(item.get("content")):
                item["content"] = [part for part in item["content"] if part["type"] != "x_unknown"]
    return payload


def _complete(chunk: Any) -> Any:
    if is_object(chunk.get("response")):
        return chunk | {"response": with_defaults(chunk["response"], _REQUIRED)}
    return chunk


JUDGE = Judge(
    _request,
    _response,
    _chunk,
    _fold,
    required=_REQUIRED,
    missing=("/model",),
    spec=("openai-openapi.yaml", "CreateResponse"),
    spec_of=_overlapping,
    specified=_with_required,
    known=_known,
    complete=_complete,
)
