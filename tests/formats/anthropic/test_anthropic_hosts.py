"""Anthropic's bodies on Bedrock and Vertex AI: what the official clients send, and how bodies go from one host to another."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
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
def test_a_body_comes_back_exactly(host: il.FormatName, fields: dict[str, Any]) -> None:
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


EVENTS: list[dict[str, Any]] = [
    {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": []}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Grüezi"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 1}},
    {"type": "message_stop"},
]


def as_boto3_has_it(event: str) -> dict[str, Any]:
    return {"chunk": {"bytes": event.encode()}}


def with_the_name_of_its_event(event: str) -> dict[str, Any]:
    return {"chunk": as_the_event_stream_has_it(event)}


def as_the_event_stream_has_it(event: str) -> dict[str, Any]:
    return {"bytes": b64encode(event.encode()).decode(), "p": "abc"}


@pytest.mark.parametrize("framed", [as_boto3_has_it, with_the_name_of_its_event, as_the_event_stream_has_it, json.loads])
def test_the_events_of_a_stream_on_bedrock_are_read_from_their_chunks(framed: Callable[[str], dict[str, Any]]) -> None:
    reader, expected = il.reader("anthropic_bedrock"), il.reader("anthropic_bedrock")
    for event in EVENTS:
        assert reader.feed(framed(json.dumps(event)), event="chunk") == expected.feed(event)
    assert reader.response.message.text == "Grüezi"
    assert reader.complete


@pytest.mark.parametrize("held", [b"{", "e3", "é", 5, b"[]", "W10=", b"\xff", b"[" * 10**5])
def test_a_chunk_without_an_event_is_an_error(held: Any) -> None:
    with pytest.raises(il.StreamError):
        il.reader("anthropic_bedrock").feed({"chunk": {"bytes": held}})


def test_a_stream_on_vertex_is_the_same_server_sent_events() -> None:
    assert b"".join(il.sse(EVENTS, "anthropic_vertex")) == b"".join(il.sse(EVENTS, "anthropic"))


@pytest.mark.parametrize("host", HOSTS)
def test_an_effort_stays_as_it_is_between_hosts_of_one_model(host: il.FormatName) -> None:
    body = {"max_tokens": 9, "messages": REQUEST["messages"], "output_config": {"effort": "low"}}
    sent: dict[str, Any] = dict(il.convert(body, source="anthropic", target=host, strict=True).payload)
    del sent["anthropic_version"]
    assert sent == body
    assert il.convert(body, source=host, target="anthropic", strict=True).payload == body


PICTURE = {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}
FILE = {"type": "document", "source": {"type": "file", "file_id": "file_1"}}


@pytest.mark.parametrize("part", [PICTURE, FILE])
@pytest.mark.parametrize("host", HOSTS)
def test_other_hosts_get_media_only_in_the_body(host: il.FormatName, part: dict[str, Any]) -> None:
    body: Any = {"messages": [{"role": "user", "content": [{"type": "text", "text": "Hi."}, part]}]}
    result = il.convert(body, source="anthropic", target=host)
    assert [(loss.kind, loss.path) for loss in result.losses] == [("dropped", "/messages/0/content/1")]
    assert il.dump(il.load(body, host), host, on_loss="raise") == body


def test_a_picture_at_a_url_is_not_sent_to_other_hosts_from_elsewhere() -> None:
    part = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    body: Any = {"messages": [{"role": "user", "content": [{"type": "text", "text": "Hi."}, part]}]}
    assert len(il.convert(body, source="openai_chat", target="anthropic", strict=True).payload["messages"][0]["content"]) == 2
    for host in HOSTS:
        [loss] = il.convert(body, source="openai_chat", target=host).losses
        assert (loss.kind, loss.path) == ("dropped", "/messages/0/content/1")


@pytest.mark.parametrize("host", HOSTS)
def test_other_hosts_get_no_media_at_a_url_in_the_content_of_a_document(host: il.FormatName) -> None:
    text = {"type": "text", "text": "A page."}
    pages = [{"type": "document", "source": {"type": "content", "content": each}} for each in ([text, PICTURE], [PICTURE])]
    body: Any = {"messages": [{"role": "user", "content": [*pages, text]}]}
    result = il.convert(body, source="anthropic", target=host)
    kept = {"type": "document", "source": {"type": "content", "content": [text]}}
    assert result.payload["messages"] == [{"role": "user", "content": [kept, text]}]
    at = "/messages/0/content"
    assert [loss.path for loss in result.losses] == [f"{at}/0/source/content/1", f"{at}/1/source/content/0"]
    assert {problem.path for problem in il.check(body, host)} >= {f"{at}/0/source/content/1/source"}
    assert il.dump(il.load(body, host), host, on_loss="raise") == body


BLOCKS: list[tuple[str, dict[str, Any]]] = [
    ("user", {"type": "container_upload", "file_id": "file_1"}),
    ("assistant", {"type": "fallback", "from": {"model": "a"}, "to": {"model": "b"}}),
]


@pytest.mark.parametrize(("role", "block"), BLOCKS)
@pytest.mark.parametrize("host", HOSTS)
def test_blocks_of_features_that_other_hosts_lack_are_not_sent_to_them(
    host: il.FormatName, role: str, block: dict[str, Any]
) -> None:
    body: Any = {"messages": [{"role": role, "content": [{"type": "text", "text": "Hi."}, block]}]}
    result = il.convert(body, source="anthropic", target=host)
    assert [(loss.kind, loss.path) for loss in result.losses] == [("dropped", "/messages/0/content/1")]
    assert "host-feature-unsupported" in {problem.code for problem in il.check(body, host)}
    assert il.dump(il.load(body, host), host, on_loss="raise") == body


def test_the_blocks_of_an_answer_stay_at_other_hosts() -> None:
    answer = ANSWER | {"content": [BLOCKS[1][1]]}
    sent: Any = il.dump_response(il.load_response(answer, "anthropic"), "anthropic_bedrock")
    assert sent["content"] == answer["content"]


OWN_FIELDS: dict[str, Any] = {
    "container": "container_1",
    "fallbacks": [{"model": "m"}],
    "diagnostics": {"previous_message_id": None},
    "inference_geo": "us",
    "mcp_servers": [{"type": "url", "url": "https://example.com", "name": "s"}],
    "service_tier": "standard_only",
    "speed": "fast",
}
OWN_TOOLS = ["web_fetch_20250910", "code_execution_20250825", "advisor_20260301", "mcp_toolset", "web_search_20250305"]


@pytest.mark.parametrize(("host", "kept"), [("anthropic_bedrock", []), ("anthropic_vertex", OWN_TOOLS[-1:])])
def test_what_only_anthropics_own_servers_have_is_not_sent_to_other_hosts(host: il.FormatName, kept: list[str]) -> None:
    tools = [{"type": kind, "name": "t"} for kind in OWN_TOOLS]
    body: Any = {"messages": REQUEST["messages"], "tools": tools, **OWN_FIELDS}
    result = il.convert(body, source="anthropic", target=host)
    assert [tool["type"] for tool in result.payload.get("tools", ())] == kept
    assert not OWN_FIELDS.keys() & result.payload.keys()
    dropped = [loss.path for loss in result.losses if loss.kind == "dropped"]
    assert sorted(dropped) == sorted([*(f"/tools/{i}" for i in range(5 - len(kept))), *(f"/{key}" for key in OWN_FIELDS)])
    assert il.dump(il.load(body, host), host, on_loss="raise") == body


@pytest.mark.parametrize("host", HOSTS)
def test_cache_marks_of_blocks_and_tools_kept_whole_are_among_the_four(host: il.FormatName) -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    text = {"type": "text", "text": "a"}
    found = {"type": "search_result", "source": "s", "title": "t", "content": [text], **mark}
    tool = {"type": "bash_20250124", "name": "bash", **mark}
    body: Any = {"messages": [{"role": "user", "content": [found, found, text | mark, text | mark]}], "tools": [tool]}
    result = il.convert(body, source="anthropic", target=host)
    assert [(loss.kind, loss.path) for loss in result.losses] == [("dropped", "/messages/0/content/0/cache_control")]
    assert json.dumps(result.payload).count("cache_control") == 4
    assert il.dump(il.load(body, host), host, on_loss="raise") == body


@pytest.mark.parametrize("target", ["anthropic_bedrock", "anthropic_vertex", "openai_chat", "bedrock_converse", "gemini"])
def test_an_image_that_was_a_document_has_no_fields_of_documents(target: il.FormatName) -> None:
    source = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
    block = {"type": "document", "source": source, "title": "T", "context": "C", "citations": {"enabled": True}}
    body = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": [block]}]}
    converted = il.convert(body, source="anthropic", target=target)
    assert "'context'" not in str(converted.payload)
    assert "'citations'" not in str(converted.payload)
    at = "/messages/0/content/0"
    assert {loss.path for loss in converted.losses} >= {f"{at}/context", f"{at}/citations"}
    assert il.dump(il.load(body, "anthropic"), "anthropic", on_loss="raise") == body
