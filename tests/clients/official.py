"""The providers' own clients, against a server on the loopback that keeps what it is sent and answers what it is given."""

import base64
import json
import struct
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

import anthropic
import openai
from anthropic.lib.bedrock import AnthropicBedrock, AsyncAnthropicBedrock
from anthropic.lib.vertex import AnthropicVertex, AsyncAnthropicVertex
from botocore.config import Config
from botocore.exceptions import ClientError
from google import genai
from google.genai._interactions_errors import APIError as InteractionsError
from google.genai.errors import APIError as GoogleError

import interlingua as il

boto3: Any = import_module("boto3")  # whose types are too many to be all known
Payload: TypeAlias = dict[str, Any]

SSE = "text/event-stream"
EVENT_STREAM = "application/vnd.amazon.eventstream"


class Answer(NamedTuple):
    """What the server answers next."""

    pieces: list[bytes]
    kind: str = "application/json"
    status: int = 200


class Replay:
    """A bare ASGI application: gives its answers one after the other, and keeps the paths and bodies of requests."""

    def __init__(self) -> None:
        self.answers: deque[Answer] = deque()
        self.requests: list[tuple[str, Any]] = []

    async def __call__(self, scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        query = scope["query_string"].decode()
        path = scope["raw_path"].decode() + (f"?{query}" if query else "")
        self.requests.append((path, json.loads(body)))
        answer = self.answers.popleft()
        headers = [(b"content-type", answer.kind.encode())]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        for piece in answer.pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body"})


def json_answer(body: Any, status: int = 200) -> Answer:
    return Answer([json.dumps(body).encode()], status=status)


def stream_answer(chunks: Iterable[Any], format: str) -> Answer:
    """The body that carries the chunks, as the provider's server sends it."""
    chunks = list(chunks)
    if format == "bedrock_converse":
        return Answer([_event_message(*member) for chunk in chunks for member in chunk.items()], EVENT_STREAM)
    if format == "anthropic_bedrock":
        held = [{"bytes": base64.b64encode(json.dumps(chunk).encode()).decode()} for chunk in chunks]
        return Answer([_event_message("chunk", each) for each in held], EVENT_STREAM)
    return Answer(list(il.sse(chunks, il.format_of(format))), SSE)


def _event_message(name: str, payload: Any) -> bytes:
    """A message of an AWS event stream (Smithy, "Amazon Event Stream Specification")."""
    kind = "exception" if name.endswith("Exception") else "event"
    fields = {":message-type": kind, f":{kind}-type": name, ":content-type": "application/json"}
    headers = b"".join(
        bytes([len(key)]) + key.encode() + b"\x07" + len(value).to_bytes(2, "big") + value.encode()
        for key, value in fields.items()
    )
    data = json.dumps(payload).encode()
    prelude = struct.pack(">II", 16 + len(headers) + len(data), len(headers))
    message = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + data
    return message + struct.pack(">I", zlib.crc32(message))


class Client(NamedTuple):
    """An official client: how it is asked, for a whole answer and for a stream, what its errors say, and how it is closed."""

    ask: Callable[[Payload], Any]
    stream: Callable[[Payload], Any]
    error: type[Exception]
    said: Callable[[Any], tuple[int, Any]]
    """The HTTP status and the body of an error."""
    shut: Callable[[], Any]


def _created(client: Any, resource: Any, error: type[Exception]) -> Client:
    """A client of OpenAI's or Anthropic's making."""

    def ask(payload: Payload) -> Any:
        return resource.create(**payload)

    def stream(payload: Payload) -> Any:
        return resource.create(**payload, stream=True)

    def said(caught: Any) -> tuple[int, Any]:
        return caught.status_code, caught.response.text

    return Client(ask, stream, error, said, client.close)


def _openai(url: str) -> Client:
    http = openai.DefaultHttpxClient(trust_env=False)
    client = openai.OpenAI(base_url=url, api_key="none", max_retries=0, http_client=http)
    return _created(client, client.responses, openai.APIStatusError)


def _async_openai(url: str) -> Client:
    http = openai.DefaultAsyncHttpxClient(trust_env=False)
    client = openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0, http_client=http)
    return _created(client, client.responses, openai.APIStatusError)


def _genai(url: str) -> genai.Client:
    arguments: Any = {"trust_env": False}
    once: Any = {"attempts": 1}
    options: Any = {"base_url": url, "api_version": "v1beta", "retry_options": once}
    options |= {"client_args": arguments, "async_client_args": arguments}
    return genai.Client(api_key="none", http_options=options)


def _google(url: str) -> Client:
    client = _genai(url)
    return _generated(client.models, client.close)


def _async_google(url: str) -> Client:
    client = _genai(url).aio
    return _generated(client.models, client.aclose)


def _interactions(url: str) -> Client:
    client = _genai(url)
    return _interacting(client.interactions, client.close)


def _async_interactions(url: str) -> Client:
    client = _genai(url).aio
    return _interacting(client.interactions, client.aclose)


def _interacting(interactions: Any, shut: Callable[[], Any]) -> Client:
    def ask(payload: Payload) -> Any:
        return interactions.create(**payload)

    def stream(payload: Payload) -> Any:
        return interactions.create(**payload, stream=True)

    def said(caught: Any) -> tuple[int, Any]:
        return caught.status_code, caught.response.text

    return Client(ask, stream, InteractionsError, said, shut)


def _generated(models: Any, shut: Callable[[], Any]) -> Client:
    def ask(payload: Payload) -> Any:
        return models.generate_content(**payload)

    def stream(payload: Payload) -> Any:
        return models.generate_content_stream(**payload)

    def said(caught: Any) -> tuple[int, Any]:
        return caught.code, caught.details

    return Client(ask, stream, GoogleError, said, shut)


def _bedrock(url: str) -> Client:
    client = boto3.client(
        "bedrock-runtime",
        region_name="us-east-1",
        endpoint_url=url,
        aws_access_key_id="none",
        aws_secret_access_key="none",
        config=Config(retries={"total_max_attempts": 1}, proxies={}),
    )

    def ask(payload: Payload) -> Any:
        return client.converse(**payload)

    def stream(payload: Payload) -> Any:
        return client.converse_stream(**payload)["stream"]

    def said(caught: Any) -> tuple[int, Any]:
        return caught.response["ResponseMetadata"]["HTTPStatusCode"], caught.response

    return Client(ask, stream, ClientError, said, client.close)


_ON_BEDROCK: dict[str, Any] = {"aws_region": "us-east-1", "api_key": "none", "max_retries": 0}
_ON_VERTEX: dict[str, Any] = {"region": "x", "project_id": "p", "access_token": "none", "max_retries": 0}


def _anthropic(kind: Any, options: dict[str, Any]) -> Callable[[str], Client]:
    """How to open a client of Anthropic's, sync or async, for a host."""
    asynchronous = kind.__name__.startswith("Async")
    http = anthropic.DefaultAsyncHttpxClient if asynchronous else anthropic.DefaultHttpxClient

    def opened(url: str) -> Client:
        client = kind(base_url=url, http_client=http(trust_env=False), **options)
        return _created(client, client.messages, anthropic.APIStatusError)

    return opened


class Provider(NamedTuple):
    """A provider: the format of the bodies that are sent, that of its client's keywords, and its clients."""

    wire: str
    keywords: str
    client: Callable[[str], Client]
    asynchronous: Callable[[str], Client] | None = None
    """boto3 has none."""
    base: str = ""
    """What the client puts before the path of the endpoint."""


PROVIDERS = {
    "openai_responses": Provider("openai_responses", "openai_responses", _openai, _async_openai),
    "gemini": Provider("gemini", "google_genai", _google, _async_google, "/v1beta"),
    "gemini_interactions": Provider(
        "gemini_interactions", "gemini_interactions", _interactions, _async_interactions, "/v1beta"
    ),
    "bedrock_converse": Provider("bedrock_converse", "bedrock_boto3", _bedrock),
    "anthropic_bedrock": Provider(
        "anthropic_bedrock",
        "anthropic",
        _anthropic(AnthropicBedrock, _ON_BEDROCK),
        _anthropic(AsyncAnthropicBedrock, _ON_BEDROCK),
    ),
    "anthropic_vertex": Provider(
        "anthropic_vertex",
        "anthropic",
        _anthropic(AnthropicVertex, _ON_VERTEX),
        _anthropic(AsyncAnthropicVertex, _ON_VERTEX),
        "/projects/p/locations/x",
    ),
}
