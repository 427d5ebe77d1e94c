"""Signatures and encrypted reasoning through another provider's client and back."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import interlingua as il
from formats.refused import Refused, refused
from interlingua.codec.carrying import ISSUER, PREFIX, Carried, opaque_value, pack
from interlingua.model.exchange import Choice, Response
from interlingua.model.messages import AssistantMessage
from interlingua.testing.splitting import split
from laws import recorded

GEMINI: dict[str, Any] = {
    "candidates": [
        {
            "content": {
                "role": "model",
                "parts": [
                    {"functionCall": {"name": "f", "args": {"a": 1}, "id": "c1"}, "thoughtSignature": "QUJD"},
                    {"functionCall": {"name": "g", "args": {}, "id": "c2"}},
                    {"functionCall": {"name": "h", "args": {}, "id": "c3"}, "thoughtSignature": "QUJE"},
                ],
            },
            "finishReason": "STOP",
        }
    ]
}
CLAUDE: dict[str, Any] = {
    "type": "message",
    "role": "assistant",
    "content": [
        {"type": "thinking", "thinking": "a", "signature": "UzE="},
        {"type": "redacted_thinking", "data": "UjE="},
        {"type": "thinking", "thinking": "b", "signature": "UzI="},
        {"type": "text", "text": "t"},
    ],
    "stop_reason": "end_turn",
}
RESPONSES: dict[str, Any] = {
    "object": "response",
    "status": "completed",
    "output": [
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "x"}], "encrypted_content": "RQ=="},
        {"type": "reasoning", "id": "rs_2", "summary": [], "encrypted_content": "RTI="},
        {"type": "function_call", "name": "f", "call_id": "c", "arguments": "{}", "id": "fc_1", "status": "completed"},
    ],
}
CONVERSE: dict[str, Any] = {
    "output": {
        "message": {
            "role": "assistant",
            "content": [
                {"reasoningContent": {"reasoningText": {"text": "a", "signature": "Qg=="}}},
                {"reasoningContent": {"redactedContent": "QjI="}},
                {"text": "t"},
            ],
        }
    },
    "stopReason": "end_turn",
}
OPENROUTER: dict[str, Any] = {
    "object": "chat.completion",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {
                "role": "assistant",
                "content": "t",
                "reasoning_details": [
                    {"type": "reasoning.summary", "summary": "x"},
                    {"type": "reasoning.encrypted", "data": "WEE=", "format": "xai-responses-v1"},
                    {"type": "reasoning.text", "text": "y", "signature": "Tg==", "format": "new-v1"},
                    {"type": "reasoning.encrypted", "data": "WEI=", "format": "xai-responses-v1"},
                    {"type": "reasoning.text", "text": "z", "signature": "Ti0="},
                ],
            },
        }
    ],
}
ANSWERS: dict[str, Any] = {"gemini": GEMINI, "anthropic": CLAUDE, "openai_responses": RESPONSES, "bedrock_converse": CONVERSE}
ANSWERS["openrouter"] = OPENROUTER
CLIENTS = [*ANSWERS, "litellm"]
OWN = {("gemini", "litellm"), ("anthropic", "litellm"), *((source, "openrouter") for source in ANSWERS)}
"""Clients whose format has fields for what the provider issues."""
PAIRS = [(source, client) for source in ANSWERS for client in CLIENTS if source != client]


def history(body: dict[str, Any], client: str) -> list[Any]:
    """An answer as the client appends it to its history."""
    if client == "gemini":
        return [body["candidates"][0]["content"]]
    if client == "openai_responses":
        return list(body["output"])
    if client == "bedrock_converse":
        return [body["output"]["message"]]
    return [{"role": "assistant", "content": body["content"]}] if client == "anthropic" else [body["choices"][0]["message"]]


def issued(value: Any) -> list[str]:
    """The signatures and encrypted values in a body, in their order."""
    items: list[tuple[str, Any]] = [("", item) for item in value] if value.__class__ is list else []
    items += value.items() if value.__class__ is dict else ()
    fields = ("signature", "data", "encrypted_content", "thoughtSignature", "redactedContent")
    return [found for key, item in items for found in ([item] if key in fields and type(item) is str else issued(item))]


@pytest.mark.parametrize(("source", "client"), PAIRS)
def test_what_a_provider_issued_comes_back_to_it(source: str, client: str) -> None:
    response = il.load_response(ANSWERS[source], il.format_of(source))
    body = il.dump_response(response, il.format_of(client), on_loss="ignore", carry=True)
    back = il.convert(history(body, client), source=il.format_of(client), target=il.format_of(source), carry=True)
    assert issued(back.payload) == issued(ANSWERS[source])


@pytest.mark.parametrize("client", [client for client in CLIENTS if client != "openrouter"])
def test_reasoning_of_openrouter_comes_back_as_it_was(client: str) -> None:
    body = il.dump_response(il.load_response(OPENROUTER, "openrouter"), il.format_of(client), on_loss="ignore", carry=True)
    back = il.convert(history(body, client), source=il.format_of(client), target="openrouter", carry=True).payload
    assert back["messages"][0]["reasoning_details"] == OPENROUTER["choices"][0]["message"]["reasoning_details"]


@pytest.mark.parametrize(("source", "client"), PAIRS)
def test_nothing_is_packed_or_unpacked_without_the_option(source: str, client: str) -> None:
    response = il.load_response(ANSWERS[source], il.format_of(source))
    assert PREFIX not in json.dumps(il.dump_response(response, il.format_of(client), on_loss="ignore"))
    packed = history(il.dump_response(response, il.format_of(client), on_loss="ignore", carry=True), client)
    assert (PREFIX in json.dumps(packed)) is ((source, client) not in OWN)
    for target in ANSWERS:
        if target != client:
            sent = il.convert(packed, source=il.format_of(client), target=il.format_of(target)).payload
            assert PREFIX not in json.dumps(sent)
            assert (source, client) in OWN or not set(issued(sent)) & set(issued(ANSWERS[source]))


@pytest.mark.parametrize(("source", "client"), PAIRS)
def test_a_stream_carries_what_the_whole_answer_does(source: str, client: str) -> None:
    response = il.load_response(ANSWERS[source], il.format_of(source))
    writer = il.writer(il.format_of(source))
    chunks = [chunk for event in events_of(response, source) for chunk in writer.feed(event)]
    reader = il.reader(il.format_of(client))
    restreamed = il.restream(chunks, source=il.format_of(source), target=il.format_of(client), on_loss="ignore", carry=True)
    assert list(reader.read(restreamed))
    folded = json.loads(json.dumps(reader.response.to_dict()).replace(', "issuer": "interlingua"', ""))
    streamed = il.dump_response(il.validate(folded, Response), il.format_of(client), on_loss="ignore")
    back = il.convert(history(streamed, client), source=il.format_of(client), target=il.format_of(source), carry=True)
    assert issued(back.payload) == issued(ANSWERS[source])


@pytest.mark.parametrize(("source", "client"), PAIRS)
def test_a_client_reads_the_same_issuers_in_a_stream(source: str, client: str) -> None:
    response = il.load_response(ANSWERS[source], il.format_of(source))
    packed: Any = il.dump_response(response, il.format_of(client), on_loss="ignore", carry=True)
    whole = il.load_response(packed, il.format_of(client))
    streamed = _folded(split(packed, il.format_of(client), Random(1)), client)
    assert issuers(streamed) == issuers(whole)


def issuers(response: Response) -> list[tuple[str | None, str | None]]:
    parts = [vars(part) for part in response.message.parts]
    return [(part.get("signature") or part.get("data"), part.get("issuer")) for part in parts]


def events_of(response: Response, source: str) -> list[Any]:
    """The events of a whole answer: what its own format reads of chunks that hold one part each."""
    from interlingua.model import events as ev

    made: list[Any] = [ev.MessageStart(origin=source, spelling="blocks", id="r", model="m")]
    for index, part in enumerate(response.choices[0].message.parts):
        if part.type == "tool_use":
            made.append(ev.ToolUseStart(index=index, id=part.id, name=part.name))
            made.append(ev.ArgumentsDelta(index=index, arguments=part.arguments))
        elif part.type == "redacted_thinking":
            made.append(ev.RedactedThinking(index=index, data=part.data, issuer=part.issuer))
        elif part.type == "thinking":
            made.append(ev.ThinkingDelta(index=index, thinking=part.thinking))
        elif part.type == "text":
            made.append(ev.TextDelta(index=index, text=part.text))
        if part.signature is not None:
            made.append(ev.SignatureDelta(index=index, signature=part.signature, issuer=part.issuer))
        if part.type == "tool_use":
            made.append(ev.ToolUse(index=index, id=part.id, name=part.name, arguments=part.arguments))
        made.append(ev.PartStop(index=index))
    return [*made, ev.Stop(stop_reason=response.choices[0].stop_reason), ev.StreamEnd()]


def test_reasoning_that_a_stream_replaces_at_its_end_is_packed_as_well() -> None:
    from interlingua.model import events as ev

    where: dict[str, Any] = {"of": "part", "index": 0}
    for client in ("anthropic", "bedrock_converse", "gemini", "litellm"):
        writer = il.writer(il.format_of(client), carry=True)
        stream: list[Any] = [ev.MessageStart(origin="elsewhere", spelling="blocks")]
        stream += [ev.RedactedThinking(index=0, data="RkE=", issuer="new"), ev.Update(**where, data={"data": "TEE="})]
        stream += [ev.PartStop(index=0), ev.TextDelta(index=1, text="t"), ev.PartStop(index=1)]
        stream += [ev.Update(**where, data={"data": "TEE="}), ev.Stop(stop_reason="stop"), ev.StreamEnd()]
        chunks = json.dumps([chunk for event in stream for chunk in writer.feed(event)])
        assert PREFIX in chunks
        assert '"TEE="' not in chunks


def test_a_streamed_block_has_its_text_even_if_that_is_empty() -> None:
    stream: list[Any] = [{"type": "message_start", "message": {"role": "assistant", "content": []}}]
    stream += [
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}}
    ]
    stream += [{"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "UzE="}}]
    stream += [{"type": "content_block_stop", "index": 0}, {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}]
    chunks = il.restream([*stream, {"type": "message_stop"}], source="anthropic", target="litellm", on_loss="ignore")
    blocks = [block for chunk in chunks for block in chunk["choices"][0]["delta"].get("thinking_blocks", ())]
    assert blocks == [{"type": "thinking", "thinking": "", "signature": "UzE=", "index": 0}]


def test_packed_text_is_never_packed_again() -> None:
    packed = pack(Carried("signature", "anthropic", "c2ln"))
    assert packed is not None
    assert pack(Carried("signature", "anthropic", packed)) is None
    assert pack(Carried("signature", "anthropic", "x" * 4_000_000)) is None


def test_a_value_without_an_issuer_is_not_packed() -> None:
    message = AssistantMessage(content=[{"type": "thinking", "thinking": "a", "signature": "s"}])  # pyright: ignore[reportArgumentType]
    body = il.dump_response(Response(choices=(Choice(message=message),)), "anthropic", carry=True, on_loss="ignore")
    assert body["content"][0]["signature"] == "s"


def test_places_lead_to_what_the_client_sent() -> None:
    body = il.dump_response(il.load_response(GEMINI, "gemini"), "anthropic", on_loss="ignore", carry=True)
    sent = {"messages": history(body, "anthropic")}
    assert [block["type"] for block in sent["messages"][0]["content"]] == [
        "tool_use",
        "redacted_thinking",
        "tool_use",
        "tool_use",
        "redacted_thinking",
    ]
    places = il.convert(sent, source="anthropic", target="gemini", carry=True).places
    assert places["/contents/0/parts/1"] == "/messages/0/content/2"
    assert places["/contents/0/parts/2"] == "/messages/0/content/3"


RECORDED = [
    (api, format)
    for api, format in recorded.READ_AS
    if format in ANSWERS and (api, format) != ("openrouter", "openai_chat") and not api.startswith("anthropic_bedrock")
]


@pytest.mark.traffic
@pytest.mark.parametrize(("api", "source"), RECORDED)
def test_what_recorded_providers_issued_comes_back_to_them_through_every_client(
    traffic: Path, api: str, source: str, record_property: Callable[[str, object], None]
) -> None:
    tried = 0
    for record in (*recorded.responses(traffic, api), *recorded.streams(traffic, api)):
        streams = isinstance(record.body, list)
        try:
            response = _folded(record.body, source) if streams else il.load_response(record.body, il.format_of(source))
        except il.InterlinguaError:
            continue
        parts = response.choices[0].message.parts if response.choices else ()
        # Assistants of other providers have no images, and the last event of a stream may have reasoning encrypted anew.
        values = [opaque_value(part) for part in parts if part.type not in ("opaque", "image")]
        came = json.dumps([chunk for chunk in record.body if not _is_last(chunk)] if streams else record.body)
        values = [value for value in values if value and value in came]
        for client in CLIENTS if values else ():
            if client != source:
                body = _given(record.body if streams else response, source, client)
                back = il.convert(history(body, client), source=il.format_of(client), target=il.format_of(source), carry=True)
                sent = [value for value in issued(back.payload) if value in values]
                assert sent == values, (record.id, client)
                tried += 1
    record_property("recorded answers through another client", tried)


def _is_last(chunk: Any) -> bool:
    return isinstance(chunk, dict) and "response.completed" in chunk.values()


def _folded(chunks: Any, format: str) -> Response:
    reader = il.reader(il.format_of(format))
    assert list(reader.read(chunks))
    return reader.response


def _given(answer: Response | list[Any], source: str, client: str) -> dict[str, Any]:
    """The body of an answer as a client has it, which reads streams as we do."""
    if isinstance(answer, Response):
        return il.dump_response(answer, il.format_of(client), on_loss="ignore", carry=True)
    between: dict[str, Any] = {"source": il.format_of(source), "target": il.format_of(client)}
    chunks: list[Any] = list(il.restream(answer, **between, on_loss="ignore", carry=True))
    folded = json.dumps(_folded(chunks, client).to_dict()).replace(', "issuer": "interlingua"', "")
    return il.dump_response(il.validate(json.loads(folded), Response), il.format_of(client), on_loss="ignore")


# A packed value never leaves in a request


PACKED = str(pack(Carried("signature", "elsewhere", "c2ln")))
HOLDERS: dict[str, dict[str, Any]] = {
    "thinking": {"type": "thinking", "thinking": "why", "signature": PACKED},
    "redacted_thinking": {"type": "redacted_thinking", "data": PACKED},
    "text": {"type": "text", "text": "t", "signature": PACKED},
    "tool_use": {"type": "tool_use", "id": "c1", "name": "f", "input": "{}", "signature": PACKED},
}
ISSUERS = (None, ISSUER, "anthropic", "openai", "gemini", "bedrock", "mistral")


@pytest.mark.parametrize("held", HOLDERS)
@pytest.mark.parametrize("name", il.FORMATS)
def test_no_request_has_a_packed_value(name: str, held: str) -> None:
    for issuer, origin in product(ISSUERS, ({}, {"origin": name})):
        part = HOLDERS[held] | ({} if issuer is None else {"issuer": issuer})
        messages = [{"role": "user", "content": "q"}, {"role": "assistant", "content": [{"type": "text", "text": "a"}, part]}]
        messages += [{"role": "tool", "tool_call_id": "c1", "content": "r"}] if held == "tool_use" else []
        request = il.validate({"messages": messages} | origin, il.Request)
        losses: list[il.Loss] = []
        written = il.dump(request, il.format_of(name), on_loss=losses.append)
        assert PACKED not in str(written)
        assert b64decode(PACKED) not in str(written).encode("latin-1", "backslashreplace")
        assert any(loss.path.startswith("/messages/1") for loss in losses)


def test_a_value_that_cannot_be_unpacked_is_not_sent_either() -> None:
    sent = {"messages": [{"role": "assistant", "content": [{"type": "redacted_thinking", "data": PACKED[:-4]}]}]}
    for target in ("anthropic", "openrouter"):
        assert PREFIX not in str(il.convert(sent, source="anthropic", target=il.format_of(target), carry=True).payload)


@pytest.mark.parametrize("case", [case for case in refused() if case.code == "packed-value"], ids=str)
def test_a_request_for_the_client_s_own_provider_goes_without_packed_values(case: Refused) -> None:
    result = il.convert(case.refused, source=case.format, target=case.format, check=True)
    assert PREFIX not in json.dumps(result.payload)
    assert [problem.code for problem in result.problems if problem.code == "packed-value"] == []
    assert [loss.path for loss in result.losses if loss.kind == "dropped" and case.path.startswith(loss.path)] != []
    fixed, _ = il.repair(il.load(case.refused, case.format), case.format)
    assert il.check(il.dump(fixed, case.format, on_loss="ignore"), case.format) == []
