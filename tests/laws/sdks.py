"""Judges of each main format that are not ours: its official SDK's types, extra keys forbidden, and its published schema."""

import base64
import binascii
import copy
import functools
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from laws.closed import Closed, Fault, pointer_of, typed_faults
from laws.owners import is_array, is_object

SPECS = Path(os.environ.get("INTERLINGUA_SPECS", Path(__file__).resolve().parents[3] / "shared" / "specs"))

Judge = Callable[[Any], list[Fault]]


class Sdk(NamedTuple):
    """What the official SDK of a format knows of its wire."""

    request: Judge
    """The faults of a request body."""
    response: Judge
    """The faults of a whole response."""
    chunk: Judge
    """The faults of one chunk of a stream."""
    fold: Callable[[list[Any]], dict[str, Any]] | None
    """The whole response that the SDK makes of a stream; None where it makes none."""
    required: Mapping[str, Any]
    """What the SDK requires of a response, and no other provider's response says."""
    missing: tuple[str, ...] = ()
    """The pointers of what only the caller knows: nothing is invented, so what was not given is missing."""
    spec: tuple[str, str] | None = None
    """The file and the name of the published schema of a request."""


# Closed types


@functools.cache
def _closed(params: Any) -> TypeAdapter[Any]:
    return TypeAdapter(Closed().hint(params))


@functools.cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


# OpenAI and Anthropic


def _chat_request(payload: Any) -> list[Fault]:
    from openai.types.chat import completion_create_params as params

    return typed_faults(_closed(params.CompletionCreateParamsNonStreaming), payload)


def _chat_response(body: Any) -> list[Fault]:
    from openai.types.chat import ChatCompletion

    return typed_faults(_adapter(ChatCompletion), body)


def _chat_chunk(chunk: Any) -> list[Fault]:
    from openai.types.chat import ChatCompletionChunk

    found = [] if chunk == "[DONE]" else typed_faults(_adapter(ChatCompletionChunk), chunk)
    # OpenAI sends annotations in deltas, though the SDK's types of deltas do not have them.
    return [fault for fault in found if not fault.pointer.endswith("/delta/annotations")]


def _chat_fold(chunks: list[Any]) -> dict[str, Any]:
    from openai._models import construct_type
    from openai.lib.streaming.chat import ChatCompletionStreamState
    from openai.types.chat import ChatCompletionChunk

    state: ChatCompletionStreamState[Any] = ChatCompletionStreamState()
    for chunk in chunks:
        if chunk != "[DONE]":
            made: Any = construct_type(type_=ChatCompletionChunk, value=copy.deepcopy(chunk))
            state.handle_chunk(made)
    return state.current_completion_snapshot.to_dict(mode="json")


def _completions_request(payload: Any) -> list[Fault]:
    from openai.types import completion_create_params as params

    return typed_faults(_closed(params.CompletionCreateParamsNonStreaming), payload)


def _anthropic_request(payload: Any) -> list[Fault]:
    from anthropic.types import message_create_params as params

    return typed_faults(_closed(params.MessageCreateParamsNonStreaming), payload)


def _anthropic_response(body: Any) -> list[Fault]:
    from anthropic.types import Message

    return typed_faults(_adapter(Message), body)


def _anthropic_chunk(chunk: Any) -> list[Fault]:
    from anthropic.types import RawMessageStreamEvent

    # A ping is not among the SDK's types.
    return [] if chunk == {"type": "ping"} else typed_faults(_adapter(RawMessageStreamEvent), chunk)


def _anthropic_fold(chunks: list[Any]) -> dict[str, Any]:
    from anthropic.lib.streaming._messages import accumulate_event

    snapshot: Any = None
    buffers: dict[int, bytes] = {}
    for chunk in chunks:
        if chunk["type"] not in ("ping", "error"):
            event = copy.deepcopy(chunk)  # made into the SDK's object there
            snapshot = accumulate_event(event=event, current_snapshot=snapshot, json_bufs=buffers)
    folded: dict[str, Any] = snapshot.to_dict(mode="json")
    return folded


def _responses_request(payload: Any) -> list[Fault]:
    from openai.types.responses import response_create_params as params

    return typed_faults(_closed(params.ResponseCreateParamsNonStreaming), _with_required(payload))


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


def _responses_response(body: Any) -> list[Fault]:
    from openai.types.responses import Response

    return typed_faults(_adapter(Response), body)


def _responses_chunk(chunk: Any) -> list[Fault]:
    from openai.types.responses import ResponseStreamEvent

    return typed_faults(_adapter(ResponseStreamEvent), chunk)


def _responses_fold(chunks: list[Any]) -> dict[str, Any]:
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


# Gemini: the SDK forbids extra keys by itself, and reads base64 from JSON alone


def _gemini_request(payload: Any) -> list[Fault]:
    from google.genai import types
    from pydantic.alias_generators import to_camel

    fields: dict[str, Any] = {
        "contents": list[types.Content],
        "systemInstruction": types.Content,
        "tools": list[types.Tool],
        "toolConfig": types.ToolConfig,
        "safetySettings": list[types.SafetySetting],
        "generationConfig": types.GenerationConfig,
        "cachedContent": str,
        "labels": dict[str, str],
        "model": str,
    }
    faults: list[Fault] = []
    for key, value in payload.items():
        kind = fields.get(key) or fields.get(to_camel(key))  # the server reads either spelling, as the SDK does below
        if kind is None:
            faults.append(Fault(f"/{key}", "sdk extra", "a request has no such field"))
        else:
            faults += [fault._replace(pointer=f"/{key}{fault.pointer}") for fault in _as_json(kind, value)]
    return faults


def _as_json(kind: Any, value: Any) -> list[Fault]:
    try:
        _adapter(kind).validate_json(json.dumps(value))
    except AttributeError as error:  # what its enums raise for the numbers of protobuf
        return [Fault("", "sdk enum", str(error))]
    except ValidationError as error:
        return [Fault(pointer_of(item["loc"]), f"sdk {item['type']}", item["msg"]) for item in error.errors(include_url=False)]
    return []


def _gemini_response(body: Any) -> list[Fault]:
    from google.genai import types

    return _as_json(types.GenerateContentResponse, body)


# Bedrock: botocore's validator with its own service model, which takes any text for a blob


@functools.cache
def _converse(operation: str) -> Any:
    import botocore.session

    return botocore.session.get_session().get_service_model("bedrock-runtime").operation_model(operation)


def _shaped(value: Any, shape: Any) -> list[Fault]:
    from botocore.validate import ParamValidator

    found: Any = ParamValidator().validate(value, shape)
    said = found.generate_report()
    return [Fault("", "sdk", line) for line in said.splitlines()] + list(_blobs(value, shape, ""))


def _blobs(value: Any, shape: Any, pointer: str) -> Iterator[Fault]:
    """Blobs that are no base64, where they are text."""
    if shape.type_name == "structure" and is_object(value) and not getattr(shape, "is_document_type", False):
        for name in value.keys() & shape.members.keys():
            yield from _blobs(value[name], shape.members[name], f"{pointer}/{name}")
    elif shape.type_name == "list" and is_array(value):
        for index, item in enumerate(value):
            yield from _blobs(item, shape.member, f"{pointer}/{index}")
    elif shape.type_name == "blob" and isinstance(value, str):
        try:
            base64.b64decode(value, validate=True)
        except binascii.Error:
            yield Fault(pointer, "base64", "")


def _bedrock_request(payload: Any) -> list[Fault]:
    return _shaped({"modelId": "m", **payload}, _converse("Converse").input_shape)


def _bedrock_response(body: Any) -> list[Fault]:
    return _shaped(body, _converse("Converse").output_shape)


def _bedrock_chunk(chunk: Any) -> list[Fault]:
    return _shaped(chunk, _converse("ConverseStream").output_shape.members["stream"])


_COUNTED: dict[str, Any] = {
    "usage": {"inputTokens": 0, "outputTokens": 0, "totalTokens": 0},
    "metrics": {"latencyMs": 0},
}

# The table

SDKS: dict[str, Sdk] = {
    "openai_chat": Sdk(
        _chat_request,
        _chat_response,
        _chat_chunk,
        _chat_fold,
        {"id": "x", "model": "m", "created": 0},
        ("/model",),
        ("openai-openapi.yaml", "CreateChatCompletionRequest"),
    ),
    "openai_responses": Sdk(
        _responses_request,
        _responses_response,
        _responses_chunk,
        _responses_fold,
        {
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
        },
        ("/model",),
        ("openai-openapi.yaml", "CreateResponse"),
    ),
    "anthropic": Sdk(
        _anthropic_request,
        _anthropic_response,
        _anthropic_chunk,
        _anthropic_fold,
        {"id": "x", "model": "m", "usage": {"input_tokens": 0, "output_tokens": 0}},
        ("/model", "/max_tokens"),
        ("anthropic-openapi.lingua.yml", "CreateMessageParams"),
    ),
    "gemini": Sdk(
        _gemini_request,
        _gemini_response,
        _gemini_response,
        None,
        {},
        ("/model",),
        ("google-generativelanguage-discovery.lingua.json", "GenerateContentRequest"),
    ),
    "bedrock_converse": Sdk(_bedrock_request, _bedrock_response, _bedrock_chunk, None, _COUNTED),
}
"""Each main format with its SDK."""


def request_faults(payload: Any, format: str) -> list[Fault]:
    """What the SDK finds wrong with a request, but for what only the caller knows; `stream` has a request type of its own."""
    if format == "openai_completions":
        return [fault for fault in _completions_request(payload) if fault.pointer != "/model"]
    sdk = SDKS[format]
    return [fault for fault in sdk.request(payload) if fault.pointer not in (*sdk.missing, "/stream")]


def whole(body: Any, format: str) -> Any:
    """A response with what the SDK requires, and its source does not say: that is not invented."""
    return _with_defaults(body, SDKS[format].required)


def _with_defaults(value: Any, defaults: Any) -> Any:
    if not (is_object(value) and is_object(defaults)):
        return value
    return dict(defaults) | {key: _with_defaults(item, defaults.get(key)) for key, item in value.items()}


def complete(chunk: Any, format: str) -> Any:
    """A chunk of a stream with what the SDK requires, and its source does not say or not yet: that is not invented."""
    if format == "openai_chat" and is_object(chunk):
        return {"id": "", "model": "", "created": 0} | chunk
    if format == "anthropic" and chunk["type"] == "message_start":
        return chunk | {"message": whole({"id": "", "model": ""} | chunk["message"], format)}
    if format == "anthropic" and chunk["type"] == "content_block_start" and chunk["content_block"]["type"] == "thinking":
        return chunk | {"content_block": {"signature": ""} | chunk["content_block"]}
    if format == "bedrock_converse" and is_object(chunk.get("metadata")):
        return {"metadata": _with_defaults(chunk["metadata"], _COUNTED)}
    if format == "openai_responses" and is_object(chunk.get("response")):
        return chunk | {"response": whole(chunk["response"], format)}
    return chunk


# The published specifications


@functools.cache
def spec_type(format: str) -> Any:
    """The validator of a format's published request schema, or None where the specifications are not at hand."""
    spec = SDKS[format].spec
    if spec is None or not (SPECS / spec[0]).is_file():
        return None
    import jsonschema_rs

    name, schema = spec
    if name.endswith(".json"):
        return jsonschema_rs.Draft202012Validator(_discovered(json.loads((SPECS / name).read_text("utf-8"))["schemas"], schema))
    components = _components(name)
    if format == "openai_responses":
        components = _overlapping(components)
    return jsonschema_rs.Draft202012Validator({"$ref": f"#/components/schemas/{schema}", "components": components})


@functools.cache
def _components(name: str) -> Any:
    """The components of a specification in YAML, which takes a second to read."""
    import yaml

    document = yaml.load((SPECS / name).read_text("utf-8"), yaml.CSafeLoader)
    return json.loads(json.dumps(document["components"], default=str))  # YAML reads dates, JSON has none


def _overlapping(schema: Any) -> Any:
    """A schema whose unions may overlap, as those of the items of Responses do: a message without a type fits three of them."""
    if is_array(schema):
        return [_overlapping(item) for item in schema]
    if not is_object(schema):
        return schema
    return {"anyOf" if key == "oneOf" else key: _overlapping(value) for key, value in schema.items()}


def _discovered(schemas: dict[str, Any], root: str) -> dict[str, Any]:
    """The JSON Schema of a Google discovery document, closed: what it does not name is forbidden."""

    def closed(schema: dict[str, Any]) -> dict[str, Any]:
        if "$ref" in schema:
            return {"$ref": f"#/$defs/{schema['$ref']}"} if schema["$ref"] in schemas else {}
        out: dict[str, Any] = {} if schema.get("type") == "any" else {"type": schema.get("type", "object")}
        if "enum" in schema:
            out = {"anyOf": [{"enum": schema["enum"]}, {"type": "integer"}]}  # protobuf's JSON takes the number too
        elif schema.get("format") in ("int64", "uint64"):
            out = {"type": ["string", "integer"]}
        if "properties" in schema:
            out |= {"properties": {key: closed(value) for key, value in schema["properties"].items()}}
            out["additionalProperties"] = False
        if is_object(schema.get("additionalProperties")):
            out["additionalProperties"] = closed(schema["additionalProperties"])
        if "items" in schema:
            out["items"] = closed(schema["items"])
        return out

    found = {name: closed(schema) for name, schema in schemas.items()}
    # The document is older than google-genai 3.4.0, whose results may have media by URI.
    found["FunctionResponsePart"]["properties"].setdefault("fileData", found["FileData"])
    return {"$ref": f"#/$defs/{root}", "$defs": found}


def spec_faults(payload: Any, format: str) -> list[Fault]:
    """What the published schema finds wrong with a request, but for what only the caller knows."""
    validator = spec_type(format)
    if validator is None:
        return []
    missing = [f'"{pointer[1:]}"' for pointer in SDKS[format].missing]
    return [
        Fault(pointer_of(error.instance_path), "spec", error.message[:200])
        for error in validator.iter_errors(
            json.loads(json.dumps(_with_required(payload) if format == "openai_responses" else payload))
        )
        if not (error.instance_path == [] and any(name in error.message for name in missing))
    ]
