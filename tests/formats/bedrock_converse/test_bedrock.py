"""What only Converse does: members of unions, cache points, documents' names, bytes for boto3, roles that alternate."""

import base64
import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

import interlingua as il
from interlingua import testing
from interlingua.formats.bedrock_converse.blobs import holds_blobs
from interlingua.testing.lawbook.documents import canonical, is_array, is_object
from laws import sdks

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

PNG = base64.b64encode(b"\x89PNG").decode()
CALL = {"toolUse": {"toolUseId": "t", "name": "f", "input": {"a": 1}}}
POINT = {"cachePoint": {"type": "default"}}


def asked(*blocks: Any, **fields: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": list(blocks)}], **fields}


def said(*blocks: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": [{"text": "Hi."}]}, {"role": "assistant", "content": list(blocks)}]}


def loaded(payload: dict[str, Any]) -> list[Any]:
    """The parts of the last message."""
    return list(il.load(payload, "bedrock_converse").messages[-1].parts)


def losses_of(payload: Any, target: il.FormatName = "bedrock_converse") -> tuple[dict[str, Any], set[tuple[str, str]]]:
    found: list[il.Loss] = []
    body = il.dump(payload, target, on_loss=found.append)
    return body, {(loss.kind, loss.path) for loss in found}


# Bytes


def blobs(value: Any) -> Iterator[bytes]:
    if isinstance(value, bytes):
        yield value
    for item in value.values() if is_object(value) else value if is_array(value) else ():
        yield from blobs(item)


def given(payload: dict[str, Any]) -> dict[str, Any]:
    """The settings that say something: an empty one comes back in the same format alone."""
    return {key: value for key, value in payload.items() if value not in ({}, [], None)}


def offers_its_tools(payload: dict[str, Any]) -> bool:
    """Whether a request has tools if it has calls; a conversion would add them."""
    return "toolConfig" in payload or "toolUse" not in json.dumps(payload)


@hypothesis.given(testing.payloads("bedrock_converse").filter(holds_blobs).filter(offers_its_tools))
def test_boto3_gets_the_bytes_that_json_has_as_base64_and_gives_them_back(payload: dict[str, Any]) -> None:
    there = il.convert(payload, source="bedrock_converse", target="bedrock_boto3")
    assert not [loss for loss in there.losses if loss.path != "/modelId"]
    text = json.dumps(payload)
    for blob in blobs(there.payload):
        assert base64.b64encode(blob).decode() in text
    back = il.convert(there.payload, source="bedrock_boto3", target="bedrock_converse", strict=True)
    assert back.endpoint.model == payload.get("modelId")
    assert canonical(given(dict(back.payload))) == canonical({key: payload[key] for key in given(payload) if key != "modelId"})


@hypothesis.given(testing.payloads("bedrock_boto3", odd=False))
def test_what_boto3_takes_is_valid_for_it_and_exact(payload: dict[str, Any]) -> None:
    assert sdks.request_faults(payload, "bedrock_converse") == []
    request = il.load(payload, "bedrock_boto3")
    json.dumps(request.to_dict())
    assert canonical(il.dump(request, "bedrock_boto3", on_loss="raise")) == canonical(payload)


def test_text_in_the_place_of_bytes_is_what_they_hold() -> None:
    """As botocore reads it: base64 text would be encoded twice."""
    payload = asked({"text": "a"}, {"document": {"name": "n", "format": "txt", "source": {"bytes": "Hi."}}}, modelId="m")
    _, part = il.load(payload, "bedrock_boto3").messages[0].parts
    assert isinstance(part, il.FilePart)
    assert isinstance(part.source, il.Base64Source)
    assert part.source.data == base64.b64encode(b"Hi.").decode()
    free = {"toolUse": {"toolUseId": "t", "name": "f", "input": {"source": {"bytes": "Hi."}}}}
    assert il.dump(il.load(said(free), "bedrock_boto3"), "bedrock_boto3") == said(free)


def test_bytes_are_read_in_responses_and_streams() -> None:
    body: dict[str, Any] = {
        "output": {"message": {"role": "assistant", "content": [{"reasoningContent": {"redactedContent": b"\x00\xff"}}]}},
        "stopReason": "end_turn",
        "usage": {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3},
        "ResponseMetadata": {"RequestId": "r", "HTTPHeaders": {}},
    }
    response = il.load_response(body, "bedrock_boto3")
    [part] = response.message.parts
    assert isinstance(part, il.RedactedThinkingPart)
    assert base64.b64decode(part.data) == b"\x00\xff"
    assert il.dump_response(response, "bedrock_boto3", on_loss="raise") == body
    events = list(il.restream(chunks_of(body), source="bedrock_boto3", target="bedrock_boto3", on_loss="raise"))
    assert list(blobs(events)) == [b"\x00\xff"]


def chunks_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"messageStart": {"role": "assistant"}},
        *(
            {"contentBlockDelta": {"contentBlockIndex": i, "delta": b}}
            for i, b in enumerate(body["output"]["message"]["content"])
        ),
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"messageStop": {"stopReason": body["stopReason"]}},
        {"metadata": {"usage": body["usage"]}},
    ]


@pytest.mark.parametrize("data", ["", "not base64!", "YQ"])
def test_data_that_are_no_base64_are_reported(data: str) -> None:
    image = il.ImagePart(source=il.Base64Source(data=data, media_type="image/png"))
    body, found = losses_of([il.UserMessage(content=[il.TextPart(text="a"), image])], "bedrock_boto3")
    assert body["messages"][0]["content"] == [{"text": "a"}]
    assert found == {("dropped", "/0/content/1")}


# Blocks

BLOCKS: list[tuple[dict[str, Any], str]] = [
    ({"image": {"format": "png", "source": {"bytes": PNG}}}, "image"),
    ({"image": {"format": "png", "source": {"s3Location": {"uri": "s3://b/a"}}}}, "image"),
    ({"image": {"format": "png", "source": {"s3Location": {}}}}, "opaque"),
    ({"image": {"error": {"message": "no"}}}, "opaque"),
    ({"video": {"format": "mpg", "source": {"bytes": "AAAA"}}}, "video"),
    ({"audio": {"format": "x-aac", "source": {"bytes": "AAAA"}}}, "audio"),
    ({"document": {"name": "n", "source": {"text": "a"}}}, "file"),
    ({"document": {"name": "n", "format": "docx", "source": {"bytes": "AAAA"}, "context": "c"}}, "file"),
    (CALL, "tool_use"),
    ({"toolUse": {**CALL["toolUse"], "type": "tool_use"}}, "tool_use"),
    ({"toolUse": {**CALL["toolUse"], "type": "server_tool_use"}}, "opaque"),
    ({"toolResult": {"toolUseId": "t", "content": [{"json": [1]}], "status": "error"}}, "tool_result"),
    ({"toolResult": {"toolUseId": "t", "content": [], "type": "x"}}, "opaque"),
    ({"reasoningContent": {"reasoningText": {"text": "a", "signature": "s"}}}, "thinking"),
    ({"reasoningContent": {"reasoningText": {"signature": "s"}}}, "thinking"),
    ({"reasoningContent": {"reasoningText": {}}}, "opaque"),
    ({"reasoningContent": {"redactedContent": "AAAA"}}, "redacted_thinking"),
    ({"reasoningContent": {"novel": 1}}, "opaque"),
    ({"citationsContent": {"content": [{"text": "a"}, {"text": "b"}], "citations": [{"title": "t"}]}}, "text"),
    ({"citationsContent": {"content": [{"text": "a"}]}}, "text"),
    ({"citationsContent": {"citations": []}}, "opaque"),
    ({"guardContent": {"text": {"text": "a"}}}, "text"),
    ({"guardContent": {"image": {"format": "png", "source": {"bytes": PNG}}}}, "opaque"),
    ({"searchResult": {"source": "s", "title": "t", "content": []}}, "opaque"),
    ({"SDK_UNKNOWN_MEMBER": {"name": "novel"}}, "opaque"),
    ({"text": "a", "image": {}}, "opaque"),
    ({"text": "a", "cachePoint": {"type": "default"}}, "text"),
    ({"text": "a", "type": "text"}, "text"),
    ({"toolResult": {"toolUseId": "t", "content": [{"text": "a", "type": "text"}]}}, "tool_result"),
]


@pytest.mark.parametrize(("block", "kind"), BLOCKS)
def test_a_member_becomes_a_part_and_comes_back_exactly(block: dict[str, Any], kind: str) -> None:
    payload = asked(block)
    request = il.load(payload, "bedrock_converse")
    assert [part.type for part in request.messages[0].parts] == [kind]
    assert canonical(il.dump(request, "bedrock_converse", on_loss="raise")) == canonical(payload)


@pytest.mark.parametrize("text", [{"text": "a"}, {"text": "a", "qualifiers": ["query"]}, {"text": "a", "novel": {"b": 1}}])
def test_guarded_text_goes_to_boto3_and_back_without_a_loss(text: dict[str, Any]) -> None:
    payload = asked({"guardContent": {"text": text}})
    there = il.convert(payload, source="bedrock_converse", target="bedrock_boto3", strict=True)
    back = il.convert(there.payload, source="bedrock_boto3", target="bedrock_converse", strict=True)
    assert there.payload == back.payload == payload


def test_the_unknown_members_of_answers_are_not_sent_back() -> None:
    body = {"output": {"message": {"role": "assistant", "content": [{"SDK_UNKNOWN_MEMBER": {"name": "x"}}, {"text": "a"}]}}}
    message = il.load_response(body, "bedrock_boto3").message
    payload, found = losses_of([il.UserMessage(content="Hi."), message], "bedrock_boto3")
    assert payload["messages"][1]["content"] == [{"text": "a"}]
    assert found == {("response_only", "/1/content/0")}


def test_the_type_of_a_clients_call_stays_in_requests_and_leaves_answers() -> None:
    typed = {"toolUse": {**CALL["toolUse"], "type": "tool_use"}}
    assert il.dump(il.load(said(typed), "bedrock_converse"), "bedrock_converse", on_loss="raise") == said(typed)
    answer = il.load_response({"output": {"message": {"role": "assistant", "content": [typed]}}}, "bedrock_converse")
    payload = il.dump([il.UserMessage(content="Hi."), answer.message], "bedrock_converse", on_loss="raise")
    assert payload["messages"][1]["content"] == [CALL]


LOCATIONS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"web": {"url": "https://a", "domain": "a"}}, {"type": "url", "url": "https://a"}),
    ({"documentChar": {"documentIndex": 1, "start": 2, "end": 3}}, {"type": "document", "unit": "character", "document": 1}),
    ({"documentPage": {"documentIndex": 1, "start": 2, "end": 3}}, {"type": "document", "unit": "page", "source_end": 3}),
    ({"documentChunk": {"start": 2}}, {"type": "document", "unit": "block", "source_start": 2}),
    ({"searchResultLocation": {"searchResultIndex": 4, "end": 1}}, {"type": "search_result", "result": 4, "source_end": 1}),
    ({"web": {"domain": "a"}}, {"type": "opaque"}),
    ({"novel": {}}, {"type": "opaque"}),
]


@pytest.mark.parametrize(("location", "expected"), LOCATIONS)
def test_citations_have_one_meaning(location: dict[str, Any], expected: dict[str, Any]) -> None:
    citation = {"title": "t", "sourceContent": [{"text": "a"}, {"text": "bc"}], "location": location}
    payload = said({"citationsContent": {"content": [{"text": "x"}], "citations": [citation]}})
    [part] = loaded(payload)
    [cited] = part.citations
    assert expected.items() <= cited.to_dict().items()
    assert cited.get("cited_text", "abc") == "abc"
    assert canonical(il.dump(il.load(payload, "bedrock_converse"), "bedrock_converse")) == canonical(payload)


def test_citations_of_others_are_written_where_they_have_a_place() -> None:
    url = {"type": "url", "url": "https://a", "cited_text": "b", "start": 0}
    nowhere = {"type": "document", "title": "t"}
    message = il.AssistantMessage(content=[il.TextPart(text="x", citations=[url, nowhere])])
    body, found = losses_of([il.UserMessage(content="Hi."), message])
    citation = {"sourceContent": [{"text": "b"}], "location": {"web": {"url": "https://a"}}}
    assert body["messages"][1]["content"] == [{"citationsContent": {"content": [{"text": "x"}], "citations": [citation]}}]
    assert found == {("dropped", "/1/content/0/citations/0/start"), ("dropped", "/1/content/0/citations/1")}


# Cache points


def test_a_cache_point_is_the_mark_of_what_stands_before_it() -> None:
    ttl = {"cachePoint": {"type": "default", "ttl": "1h"}}
    payload = asked(POINT, {"text": "a"}, ttl, POINT, {"text": "b"}, system=[{"text": "s"}, POINT])
    system, message = il.load(payload, "bedrock_converse").messages
    assert [part.type for part in message.parts] == ["opaque", "text", "opaque", "text"]
    assert [part.cache_control and part.cache_control.ttl for part in message.parts] == [None, "1h", None, None]
    assert system.parts[0].cache_control is not None
    result = il.convert(payload, source="bedrock_converse", target="openai_chat")
    paths = {loss.path for loss in result.losses}
    assert {"/messages/0/content/0", "/messages/0/content/3"} <= paths
    assert result.places["/messages/1/content/1"] == "/messages/0/content/4"


def test_marks_of_tools_results_and_messages_become_cache_points() -> None:
    mark = il.CacheControl()
    request = il.Request(
        messages=[
            il.UserMessage(content="a", cache_control=mark),
            il.AssistantMessage(tool_calls=[il.ToolCall(id="t", name="f", arguments="{}", cache_control=mark)]),
            il.ToolMessage(tool_call_id="t", content="b", cache_control=mark),
        ],
        tools=[il.Tool(name="f", cache_control=mark)],
    )
    body: dict[str, Any] = {**il.dump(request, "bedrock_converse")}
    assert [[*block] for message in body["messages"] for block in message["content"]] == [
        ["text"],
        ["cachePoint"],
        ["toolUse"],
        ["cachePoint"],
        ["toolResult"],
        ["cachePoint"],
    ]
    assert [[*tool] for tool in body["toolConfig"]["tools"]] == [["toolSpec"], ["cachePoint"]]


def test_the_last_mark_in_a_result_follows_the_result() -> None:
    marked = [il.TextPart(text=text, cache_control=il.CacheControl(ttl=ttl)) for text, ttl in (("a", "5m"), ("b", "1h"))]
    call = il.AssistantMessage(tool_calls=[il.ToolCall(id="t", name="f", arguments="{}")])
    body, found = losses_of([call, il.ToolMessage(tool_call_id="t", content=[*marked, il.TextPart(text="c")])])
    result, point = body["messages"][-1]["content"]
    assert result["toolResult"]["content"] == [{"text": "a"}, {"text": "b"}, {"text": "c"}]
    assert point == {"cachePoint": {"type": "default", "ttl": "1h"}}
    assert {("dropped", "/1/content/0/cache_control"), ("moved", "/1/content/1/cache_control")} <= found

    body, found = losses_of([call, il.ToolMessage(tool_call_id="t", content=marked, cache_control=il.CacheControl())])
    assert body["messages"][-1]["content"][1:] == [{"cachePoint": {"type": "default"}}]
    assert {("dropped", "/1/content/0/cache_control"), ("dropped", "/1/content/1/cache_control")} <= found


def test_a_request_for_caching_sets_cache_points() -> None:
    request = il.Request(
        messages=[il.SystemMessage(content="s"), il.UserMessage(content="a")], tools=[il.Tool(name="f")], caching={"ttl": "1h"}
    )
    body: dict[str, Any] = {**il.dump(request, "bedrock_converse")}
    point = {"cachePoint": {"type": "default", "ttl": "1h"}}
    assert body["system"][-1] == body["messages"][-1]["content"][-1] == body["toolConfig"]["tools"][-1] == point


# Documents


@hypothesis.given(
    st.lists(st.none() | testing.text() | st.sampled_from(["a.pdf", "a", "a/b", "a  b", "A" * 300]), min_size=1, max_size=4)
)
def test_documents_have_legal_names_that_occur_once(names: list[str | None]) -> None:
    source = il.Base64Source(data="JVBERi0=", media_type="application/pdf")
    files = [il.FilePart(source=source) if name is None else il.FilePart(source=source, filename=name) for name in names]
    body, found = losses_of([il.UserMessage(content=files)])
    blocks = [block["document"]["name"] for block in body["messages"][0]["content"] if "document" in block]
    assert len(set(blocks)) == len(blocks) == len(names)
    for i, (name, written) in enumerate(zip(names, blocks, strict=True)):
        assert 1 <= len(written) <= 200
        assert written == written.strip()
        assert "  " not in written
        assert all(char.isascii() and (char.isalnum() or char in " -()[]") for char in written)
        assert (written == name or name is None) == (("changed", f"/0/content/{i}/filename") not in found)
    assert body["messages"][0]["content"][-1].keys() == {"text"}
    assert ("added", "/0") in found


# Roles and requests


@hypothesis.given(testing.conversations())
def test_roles_alternate(conversation: list[il.Message]) -> None:
    body = il.dump(conversation, "bedrock_converse", on_loss="ignore")
    roles = [message["role"] for message in body["messages"]]
    assert all(one != other for one, other in pairwise(roles))


def test_a_message_that_joins_another_is_reported() -> None:
    messages = [il.UserMessage(content=text) for text in ("a", "b")]
    body, found = losses_of([*messages, il.AssistantMessage(content="c"), il.SystemMessage(content="d")])
    assert [len(message["content"]) for message in body["messages"]] == [2, 1, 1]
    assert found == {("changed", "/1"), ("changed", "/3")}


def test_settings_go_where_bedrock_has_them() -> None:
    request = il.Request(
        messages=[il.UserMessage(content="a")],
        model="m",
        stream=True,
        max_tokens=2000,
        stop=["x", " "],
        top_k=3,
        reasoning_budget=1024,
        reasoning_effort="high",
        metadata={"a": "b", "c": 1},
        tool_choice={"type": "none"},
        response_format={"type": "json_schema", "name": "n", "json_schema": {"type": "object"}},
        user="u",
    )
    body, found = losses_of(request)
    assert body["inferenceConfig"] == {"maxTokens": 2000, "stopSequences": ["x"]}
    thinking = {"type": "enabled", "budget_tokens": 1024}
    assert body["additionalModelRequestFields"] == {"thinking": thinking}
    assert body["outputConfig"]["effort"] == "high"
    assert json.loads(body["outputConfig"]["textFormat"]["structure"]["jsonSchema"]["schema"]) == {
        "type": "object",
        "additionalProperties": False,
    }
    assert body["requestMetadata"] == {"a": "b"}
    dropped = {("dropped", path) for path in ("/stop/1", "/metadata/c", "/user", "/top_k")}
    assert found == {*dropped, ("changed", "/response_format/json_schema")}
    assert "modelId" not in body
    assert il.dump(request, "bedrock_boto3", on_loss="ignore").get("modelId") == "m"
    assert il.endpoint(request, "bedrock_converse").path == "/model/m/converse-stream"


@pytest.mark.parametrize("value", [[1], "x", None, {"a": 1}])
def test_json_of_a_result_is_an_object_or_text(value: Any) -> None:
    result = il.ToolMessage(tool_call_id="t", content=[il.JsonPart(value=value)])
    body = il.dump(
        [il.AssistantMessage(tool_calls=[il.ToolCall(id="t", name="f", arguments="{}")]), result], "bedrock_converse"
    )
    [block] = body["messages"][1]["content"][0]["toolResult"]["content"]
    assert block == ({"json": value} if is_object(value) else {"text": json.dumps(value)})


def test_citations_of_an_empty_text_come_back() -> None:
    place = {"location": {"documentPage": {"documentIndex": 0, "start": 1, "end": 2}}, "sourceContent": [{"text": ""}]}
    wire = said({"citationsContent": {"content": [{"text": ""}], "citations": [place]}})
    assert canonical(il.dump(il.load(wire, "bedrock_converse"), "bedrock_converse", on_loss="raise")) == canonical(wire)


def test_model_fields_that_are_an_empty_list_come_back() -> None:
    wire = asked({"text": "Hi."}, additionalModelRequestFields=[])
    assert il.dump(il.load(wire, "bedrock_converse"), "bedrock_converse", on_loss="raise") == wire


def test_the_name_of_an_answers_form_is_reported_where_it_stands() -> None:
    schema = {"name": "n", "description": "d", "schema": '{"type": "object", "additionalProperties": false}'}
    form = {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": schema}}}
    result: Any = il.convert(asked({"text": "Hi."}, outputConfig=form), source="bedrock_converse", target="anthropic")
    at = "/outputConfig/textFormat/structure/jsonSchema"
    lost = {loss.path: loss.kind for loss in result.losses}
    assert lost[f"{at}/name"] == "changed"
    assert lost[f"{at}/description"] == "changed"
    assert result.payload["output_config"]["format"]["schema"]["description"] == "d"
    assert result.payload["output_config"]["format"]["schema"]["title"] == "n"


BOTH_NAMES = {
    "cacheReadInputTokens": 5,
    "cacheReadInputTokenCount": 5,
    "cacheWriteInputTokens": 0,
    "cacheWriteInputTokenCount": 0,
}


@pytest.mark.parametrize(("source", "target"), [("bedrock_converse", "bedrock_boto3"), ("bedrock_boto3", "bedrock_converse")])
def test_both_names_of_a_count_stay_between_the_dialects_of_converse(source: il.FormatName, target: il.FormatName) -> None:
    usage = {"inputTokens": 1, "outputTokens": 2, "totalTokens": 8, **BOTH_NAMES}
    body = {"output": {"message": {"role": "assistant", "content": [{"text": "a"}]}}, "stopReason": "end_turn", "usage": usage}
    assert il.dump_response(il.load_response(body, source), target, on_loss="raise")["usage"] == usage


COUNTED: list[tuple[il.FormatName, il.FormatName, dict[str, int], dict[str, int]]] = [
    ("bedrock_nova", "bedrock_converse", {"cacheReadInputTokens": 5}, {}),
    ("bedrock_converse", "bedrock_nova", {"cacheReadInputTokenCount": 5}, {}),
    ("bedrock_nova", "bedrock_boto3", {"cacheReadInputTokenCount": 4, "cacheReadInputTokens": 5}, {"cacheReadInputTokens": 4}),
]


@pytest.mark.parametrize(("source", "target", "counts", "expected"), COUNTED)
def test_a_count_by_the_name_of_the_target_alone_is_reported(
    source: il.FormatName, target: il.FormatName, counts: dict[str, int], expected: dict[str, int]
) -> None:
    usage = {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}
    events = [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "a"}}},
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"messageStop": {"stopReason": "end_turn"}},
        {"metadata": {"usage": usage | counts}},
    ]
    stream = il.restream(events, source=source, target=target, on_loss="ignore")
    *_, last = stream
    found: list[il.Loss] = []
    whole = il.dump_response(stream.response, target, on_loss=found.append)
    assert whole["usage"] == last["metadata"]["usage"] == usage | expected
    lost = [(loss.kind, loss.path) for loss in found if loss.path.startswith("/usage")]
    assert lost == [("response_only", f"/usage/native/bedrock/{list(counts)[-1]}")]
    assert set(found) <= set(stream.losses)


HISTORY: list[Any] = [
    {"role": "user", "content": "Hi."},
    *(
        {"role": "assistant", "tool_calls": [{"id": id, "type": "function", "function": {"name": name, "arguments": "{}"}}]}
        if name
        else {"role": "tool", "tool_call_id": id, "content": "ok"}
        for id, name in (("a", "look.up"), ("a", ""), ("b", "g"), ("b", ""), ("c", "look.up"), ("c", ""))
    ),
]


@pytest.mark.parametrize(
    "tools", [{}, {"tools": []}, {"tools": [{"type": "other"}]}, {"tools": [{"type": "other"}], "tool_choice": "required"}]
)
@pytest.mark.parametrize("target", ["bedrock_converse", "bedrock_boto3", "bedrock_nova"])
def test_a_history_with_calls_gets_the_tools_that_were_called(target: il.FormatName, tools: dict[str, Any]) -> None:
    request = {"model": "m", "max_tokens": 9, "messages": HISTORY, **tools}
    made = il.convert(request, source="openai_chat", target=target)
    called = [block["toolUse"]["name"] for each in made.payload["messages"] for block in each["content"] if "toolUse" in block]
    assert [tool["toolSpec"]["name"] for tool in made.payload["toolConfig"]["tools"]] == called[:2]
    assert made.payload["toolConfig"].keys() == {"tools"}
    assert [(loss.kind, loss.path) for loss in made.losses if loss.at == "/toolConfig"] == [("added", "")]
    assert "tools-missing-for-history" not in {problem.code for problem in il.check(made.payload, target)}


def test_a_list_of_messages_gets_no_tools() -> None:
    """Its caller adds the tools."""
    messages = il.load(HISTORY, "openai_chat").messages
    assert il.dump(list(messages), "bedrock_converse", on_loss="ignore").keys() == {"messages"}
    assert il.convert(HISTORY, source="openai_chat", target="bedrock_converse").payload.keys() == {"messages"}
    given = il.Request(messages=messages, max_tokens=9)
    assert "toolConfig" not in il.dump(given, "bedrock_converse", on_loss="ignore", settings=False)
    own = il.dump(given, "bedrock_converse", on_loss="ignore")
    del own["toolConfig"]
    assert il.dump(il.load(own, "bedrock_converse"), "bedrock_converse") == own


@pytest.mark.parametrize("odd", [{}, {"content": 5}, {"content": [5]}])
def test_messages_of_unknown_roles_have_no_calls(odd: dict[str, Any]) -> None:
    body = {"modelId": "m", "messages": [{"role": "user", "content": [{"text": "a"}]}, {"role": "odd", **odd}]}
    assert il.convert(body, source="bedrock_converse", target="bedrock_boto3").losses == ()


def test_citations_are_off_for_anthropic_if_the_answer_has_a_schema() -> None:
    document: dict[str, Any] = {"name": "n", "format": "txt", "source": {"text": "a"}, "citations": {"enabled": True}}
    payload = asked({"text": "Go."}, {"document": document}, inferenceConfig={"maxTokens": 9}, modelId="m")
    cited = il.convert(payload, source="bedrock_converse", target="anthropic", check=True)
    assert cited.payload["messages"][0]["content"][1]["citations"] == {"enabled": True}
    assert ("changed", "/messages/0/content/1") not in [(loss.kind, loss.path) for loss in cited.losses]
    form = {"type": "json_schema", "structure": {"jsonSchema": {"schema": '{"type": "object", "properties": {}}'}}}
    made = il.convert(
        payload | {"outputConfig": {"textFormat": form}}, source="bedrock_converse", target="anthropic", check=True
    )
    assert "citations" not in made.payload["messages"][0]["content"][1]
    assert ("changed", "/messages/0/content/1") in [(loss.kind, loss.path) for loss in made.losses]
    assert [problem for problem in made.problems if problem.severity == "error"] == []
