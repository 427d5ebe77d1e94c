"""`bedrock_invoke` stands for the formats of InvokeModel's bodies: the body or the model says which, else it is Claude's."""

import json
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
from laws import recorded

CLAUDE = {"anthropic_version": "bedrock-2023-05-31", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi."}]}
NOVA = {"messages": [{"role": "user", "content": [{"text": "Hi."}]}], "inferenceConfig": {"maxTokens": 9}}
LLAMA = {"prompt": "Hi.", "max_gen_len": 9}
BODIES: dict[str, dict[str, Any]] = {"anthropic_bedrock": CLAUDE, "bedrock_nova": NOVA, "bedrock_text": LLAMA}
MODELS: dict[str, il.FormatName] = {
    "eu.anthropic.claude-sonnet-4-20250514-v1:0": "anthropic_bedrock",
    "us.amazon.nova-lite-v1:0": "bedrock_nova",
    "meta.llama3-1-70b-instruct-v1:0": "bedrock_text",
    "arn:aws:bedrock:us-east-1:0:inference-profile/us.amazon.nova-pro-v1:0": "bedrock_nova",
    "gpt-x": "anthropic_bedrock",
}
CHAT = {"model": "gpt-x", "messages": [{"role": "user", "content": "Hi."}]}
ANSWERS: dict[il.FormatName, dict[str, Any]] = {
    "anthropic_bedrock": {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Hi."}]},
    "bedrock_nova": {"output": {"message": {"role": "assistant", "content": [{"text": "Hi."}]}}, "stopReason": "end_turn"},
    "bedrock_text": {"generation": "Hi.", "stop_reason": "stop"},
}


@pytest.mark.parametrize("format", BODIES)
def test_a_body_is_read_as_the_format_that_it_is_of(format: str) -> None:
    body = BODIES[format]
    for payload in (body, json.dumps(body)):
        request = il.load(payload, "bedrock_invoke")
        assert request.origin == format
        assert il.dump(request, "bedrock_invoke", on_loss="raise") == body
    made = il.convert(body, source="bedrock_invoke", target="bedrock_invoke", strict=True)
    assert (made.payload, made.source) == (body, format)
    assert il.check(body, "bedrock_invoke") == il.check(body, il.format_of(format))


@pytest.mark.parametrize("model", MODELS)
def test_a_request_is_written_in_the_format_of_its_model(model: str) -> None:
    target = MODELS[model]
    made = il.convert(CHAT, source="openai_chat", target="bedrock_invoke", model=model)
    assert made == il.convert(CHAT, source="openai_chat", target=target, model=model)
    request = il.load(CHAT, "openai_chat", model=model)
    assert il.dump(request, "bedrock_invoke", on_loss="ignore") == made.payload
    assert il.endpoint(request, "bedrock_invoke") == made.endpoint
    assert il.check(request, "bedrock_invoke") == il.check(request, target)
    assert il.repair(request, "bedrock_invoke") == il.repair(request, target)


def test_the_model_decides_before_the_origin() -> None:
    request = il.load(NOVA, "bedrock_invoke").replace(model="anthropic.claude-3-haiku-20240307-v1:0")
    assert il.dump(request, "bedrock_invoke", on_loss="ignore") == CLAUDE | {
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hi."}]}]
    }


def test_a_prompt_of_claudes_former_api_stays_one() -> None:
    body = {"prompt": "\n\nHuman: Hi.\n\nAssistant:", "max_tokens_to_sample": 9}
    request = il.load(body, "bedrock_invoke", model="anthropic.claude-v2")
    assert il.dump(request, "bedrock_invoke", on_loss="raise") == body


def test_a_model_whose_bodies_are_of_another_format_is_refused() -> None:
    with pytest.raises(il.InvalidPayload, match="/model: bedrock_invoke has no bodies for this model"):
        il.convert(CHAT, source="openai_chat", target="bedrock_invoke", model="openai.gpt-oss-20b-1:0")


@pytest.mark.parametrize("format", ANSWERS)
def test_answers_and_streams_are_those_of_the_format(format: il.FormatName) -> None:
    body = ANSWERS[format]
    response = il.load_response(body, "bedrock_invoke")
    assert response == il.load_response(body, format)
    assert il.dump_response(response, "bedrock_invoke", on_loss="raise") == body
    events: list[il.Event] = [
        il.MessageStart(origin=format, spelling="blocks"),
        il.TextDelta(index=0, text="Hi."),
        il.PartStop(index=0),
        il.Stop(stop_reason="stop"),
        il.StreamEnd(),
    ]
    writers = [il.writer("bedrock_invoke"), il.writer(format)]
    chunks, expected = ([chunk for event in events for chunk in writer.feed(event)] for writer in writers)
    assert chunks == expected
    data = b"".join(il.sse(chunks, "bedrock_invoke"))
    assert data == b"".join(il.sse(chunks, format))
    reader, other = il.reader("bedrock_invoke"), il.reader(format)
    for each in (reader, other):
        each.feed_bytes(data)
        each.close()
    assert reader.response == other.response
    assert reader.response.message.text == "Hi."


def test_an_error_in_a_stream_is_reported() -> None:
    reader = il.reader("bedrock_invoke")
    reader.feed({"throttlingException": {"message": "slow"}})
    assert (reader.error and reader.error.message) == "slow"


@pytest.mark.traffic
def test_recorded_bodies_come_back(traffic: Path) -> None:
    for api in ("bedrock_invoke", "anthropic_bedrock"):
        for record in recorded.requests(traffic, api):
            made = il.dump(il.load(record.body, "bedrock_invoke"), "bedrock_invoke", on_loss="raise")
            assert json.dumps(made, sort_keys=True) == json.dumps(record.body, sort_keys=True), record.id
        for record in recorded.responses(traffic, api):
            made = il.dump_response(il.load_response(record.body, "bedrock_invoke"), "bedrock_invoke", on_loss="raise")
            assert json.dumps(made, sort_keys=True) == json.dumps(record.body, sort_keys=True), record.id
