"""Anthropic's bodies on Bedrock and Vertex AI: what the official clients send, and how bodies go from one host to another."""

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from anthropic.lib.bedrock import AnthropicBedrock
from anthropic.lib.vertex import AnthropicVertex

import interlingua as il

REQUEST: dict[str, Any] = {
    "model": "anthropic.claude-x:0",
    "max_tokens": 9,
    "system": "Be brief.",
    "messages": [{"role": "user", "content": "Hi."}],
    "stop_sequences": ["x"],
}
HOSTS: list[il.FormatName] = ["anthropic_bedrock", "anthropic_vertex"]
ANSWER: dict[str, Any] = {"type": "message", "role": "assistant", "id": "m", "model": "m", "content": [], "usage": {}}


def sent(host: il.FormatName, request: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The path and the body that the host's official client sends."""
    seen: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, json=ANSWER)

    http = httpx2.Client(transport=httpx2.MockTransport(answer))
    client: Any = (
        AnthropicBedrock(api_key="x", aws_region="r", http_client=http, base_url="http://127.0.0.1")
        if host == "anthropic_bedrock"
        else AnthropicVertex(access_token="x", project_id="p", region="r", http_client=http, base_url="http://127.0.0.1")
    )
    client.messages.create(**request)
    [made] = seen
    return made.url.raw_path.decode(), json.loads(made.content)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("host", HOSTS)
def test_a_body_is_what_the_official_client_sends(host: il.FormatName, stream: bool) -> None:
    request = REQUEST | ({"stream": True} if stream else {})
    result = il.convert(request, source="anthropic", target=host, strict=True)
    path, body = sent(host, request)
    assert result.payload.keys() == body.keys()
    # The client sends the version of its API; older models on these hosts accept the host's own alone.
    assert result.payload | {"anthropic_version": body["anthropic_version"]} == body
    assert path.endswith(str(result.endpoint.path))
    assert il.dump(il.load(body, host), host, on_loss="raise") == body


BODIES: list[dict[str, Any]] = [
    {"anthropic_version": "bedrock-2023-05-31"},
    {"anthropic_version": "vertex-2023-10-16"},
    {"anthropic_version": "2026-10-21"},
    {"anthropic_version": None},
    {"anthropic_beta": ["b"], "anthropic_version": "x"},
    {"model": "m", "stream": False},
    {},
]


@pytest.mark.parametrize("fields", BODIES)
@pytest.mark.parametrize("host", HOSTS)
def test_a_body_is_exact_at_home(host: il.FormatName, fields: dict[str, Any]) -> None:
    body = {"messages": REQUEST["messages"], **fields}
    assert il.dump(il.load(body, host), host, on_loss="raise") == body


def versions(payload: Any) -> Iterator[str]:
    yield from (key for key in payload if key.startswith("anthropic"))


def test_each_host_has_its_own_version_and_one_takes_betas() -> None:
    body = {"anthropic_version": "x", "anthropic_beta": ["b"], "max_tokens": 9, "messages": REQUEST["messages"]}
    for target, kept in (("anthropic", []), ("anthropic_vertex", ["anthropic_version"])):
        result = il.convert(body, source="anthropic_bedrock", target=il.format_of(target))
        assert list(versions(result.payload)) == kept
        assert [(loss.path, loss.kind) for loss in result.losses] == [("/anthropic_beta", "dropped")]
    foreign = il.convert(body, source="anthropic_vertex", target="anthropic_bedrock", strict=True).payload
    assert foreign == body | {"anthropic_version": "bedrock-2023-05-31"}
    chat = il.convert({**body, "anthropic_beta": None}, source="anthropic_bedrock", target="openai_chat", strict=True)
    assert list(versions(chat.payload)) == []


def test_the_model_and_the_stream_are_in_the_url() -> None:
    request = il.load({"messages": REQUEST["messages"]}, "anthropic_bedrock", model="m", stream=True)
    assert il.endpoint(request, "anthropic_bedrock") == ("/model/m/invoke-with-response-stream", "m", True)
    assert il.dump(request, "anthropic_bedrock", on_loss="raise") == {"messages": REQUEST["messages"]}
    assert il.dump(request, "anthropic", on_loss="raise") == {"messages": REQUEST["messages"], "model": "m", "stream": True}


def test_a_growing_history_has_the_version_too() -> None:
    builder = il.ChatMessageBuilder()
    builder.append({"role": "user", "content": "Hi."})
    body = builder.dump("anthropic_vertex", on_loss="raise")
    assert body == {"messages": [{"role": "user", "content": "Hi."}], "anthropic_version": "vertex-2023-10-16"}
