"""What a payload looks like: by hand, as drawn from what each provider takes and sends, and as it was recorded."""

import copy
import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from anthropic.types import Message as AnthropicMessage
from hypothesis import given
from openai.types.chat import ChatCompletion

import interlingua as il
from formats.cases import written_alike
from interlingua import testing
from laws import recorded
from laws.steps import steps

BLOCK = {"type": "text", "text": "Hi."}
ASKED = {"role": "user", "content": "Hi."}
CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}

STEPS: list[dict[str, Any]] = [
    {"type": "user_input", "content": [BLOCK]},
    {"type": "function_call", "id": "c", "name": "f", "arguments": {}},
    {"type": "function_result", "call_id": "c", "result": {}},
]

EXAMPLES: list[tuple[str, str, Any]] = [
    ("openai_chat", "request", {"model": "m", "messages": [{"role": "system", "content": "Be brief."}, ASKED]}),
    ("openai_chat", "request", {"messages": [ASKED], "tools": [{"type": "function", "function": {"name": "f"}}]}),
    ("openai_chat", "messages", [ASKED, {"role": "assistant", "tool_calls": [CALL]}]),
    ("openai_chat", "response", {"choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi."}}]}),
    ("openai_chat", "chunk", {"choices": [{"index": 0, "delta": {"content": "Hi."}}]}),
    ("openai_chat", "error", {"error": {"message": "no", "type": "invalid_request_error", "param": None, "code": None}}),
    ("openrouter", "request", {"messages": [ASKED], "provider": {"order": ["x"]}}),
    ("openrouter", "error", {"error": {"message": "no", "code": 402}}),
    ("deepseek", "response", {"choices": [{"message": {}}], "usage": {"prompt_tokens": 1, "prompt_cache_hit_tokens": 1}}),
    ("verifiers", "messages", [{"role": "assistant", "tool_calls": [{"id": "c", "name": "f", "arguments": "{}"}]}]),
    ("anthropic", "request", {"model": "m", "max_tokens": 9, "system": "Be brief.", "messages": [ASKED]}),
    ("anthropic", "messages", [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "x"}]}]),
    ("anthropic", "response", {"type": "message", "role": "assistant", "content": [BLOCK], "stop_reason": "end_turn"}),
    ("anthropic", "chunk", {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi."}}),
    ("anthropic", "error", {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}),
    ("asktable", "messages", [{"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": "{}"}]}]),
    ("openai_completions", "request", {"model": "m", "prompt": "Once upon"}),
    ("openai_completions", "response", {"object": "text_completion", "choices": [{"text": " a time"}]}),
    ("openai_responses", "request", {"model": "m", "input": "Hi."}),
    ("openai_responses", "request", {"prompt": {"id": "pmpt_1", "version": "2"}}),
    ("openai_responses", "messages", [{"role": "user", "content": [{"type": "input_text", "text": "Hi."}]}]),
    ("openai_responses", "response", {"object": "response", "status": "completed", "output": [{"type": "message"}]}),
    ("openai_responses", "chunk", {"type": "response.output_text.delta", "delta": "Hi.", "item_id": "i"}),
    ("openai_responses", "chunk", {"type": "keepalive", "sequence_number": 2}),
    ("gemini_interactions", "request", {"model": "m", "input": STEPS}),
    ("gemini", "request", {"contents": [{"role": "user", "parts": [{"text": "Hi."}]}]}),
    ("gemini", "messages", [{"role": "model", "parts": [{"text": "Hi."}]}]),
    ("gemini", "response", {"candidates": [{"content": {"parts": [{"text": "Hi."}]}}], "modelVersion": "m"}),
    ("gemini", "error", {"error": {"code": 400, "message": "no", "status": "INVALID_ARGUMENT"}}),
    ("bedrock_converse", "request", {"messages": [{"role": "user", "content": [{"text": "Hi."}]}], "inferenceConfig": {}}),
    (
        "bedrock_converse",
        "request",
        {
            "schemaVersion": "bedrock-conversation-2024",
            "messages": [{"role": "user", "content": [{"text": "Hi."}]}, {"role": "assistant", "content": [{"text": "Hi."}]}],
        },
    ),
    ("bedrock_converse", "response", {"output": {"message": {"role": "assistant", "content": []}}, "stopReason": "end_turn"}),
    (
        "bedrock_converse",
        "response",
        {
            "output": {"message": {"role": "assistant", "content": []}},
            "stopReason": "end_turn",
            "usage": {"inputTokens": 1, "cacheReadInputTokenCount": 0, "cacheReadInputTokens": 0},
        },
    ),
    ("bedrock_converse", "error", {"throttlingException": {"message": "slow"}}),
    ("bedrock_converse", "error", {"Error": {"Code": "ThrottlingException", "Message": "slow"}}),
    ("bedrock_boto3", "request", {"modelId": "m", "messages": [{"role": "user", "content": [{"text": "Hi."}]}]}),
    ("google_genai", "request", {"model": "m", "contents": "Hi."}),
    ("google_genai", "request", {"contents": [{"role": "user", "parts": [{"text": "Hi."}]}], "config": {"top_k": 1}}),
    ("anthropic_bedrock", "request", {"anthropic_version": "bedrock-2023-05-31", "max_tokens": 9, "messages": [ASKED]}),
    ("anthropic_vertex", "request", {"anthropic_version": "vertex-2023-10-16", "max_tokens": 9, "messages": [ASKED]}),
    ("anthropic_bedrock", "chunk", {"chunk": {"bytes": "e30="}}),
    ("bedrock_converse", "chunk", {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Hi."}}}),
    ("cohere", "response", {"id": "x", "finish_reason": "COMPLETE", "message": {"role": "assistant", "content": [BLOCK]}}),
    ("cohere_v1", "request", {"model": "m", "message": "Hi.", "chat_history": []}),
    ("ollama", "response", {"model": "m", "message": {"role": "assistant", "content": "Hi."}, "done": True}),
    ("langchain", "messages", [{"type": "human", "content": "Hi."}, {"type": "ai", "content": "Hi."}]),
    ("ai_sdk", "messages", [{"role": "user", "parts": [BLOCK]}]),
    ("interlingua", "request", {"version": 1, "messages": [ASKED]}),
]


@pytest.mark.parametrize(("format", "kind", "payload"), EXAMPLES)
def test_the_likeliest_shape_is_first_and_says_why(format: str, kind: str, payload: Any) -> None:
    first, *_ = il.detect(payload)
    assert (first.format, first.kind, first.supported) == (format, kind, format in il.FORMATS)
    assert first.reasons
    assert "Hi." not in " ".join(first.reasons)
    assert il.detect(json.dumps(payload)) == il.detect(payload)


@pytest.mark.parametrize("payload", [None, 5, "", "text", "{", b"\xff", {}, [], [{}], {"a": 1}, {"role": 5}, {"messages": 5}])
def test_what_looks_like_nothing_is_none_of_them(payload: Any) -> None:
    assert [one for one in il.detect(payload) if one.reasons != ("messages",)] == []


@pytest.mark.parametrize("answers", [{"completion": "b"}, {"response": "b"}, {"chosen": "b", "rejected": "c"}])
def test_a_prompt_with_its_answer_is_a_row_and_no_request(answers: dict[str, Any]) -> None:
    assert il.detect({"prompt": "a", **answers}) == []


def test_an_sdks_object_looks_like_its_dict() -> None:
    chat: dict[str, Any] = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": []}
    usage = {"input_tokens": 1, "output_tokens": 1}
    said: dict[str, Any] = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [BLOCK], "usage": usage}
    for model, body in ((ChatCompletion, chat), (AnthropicMessage, said)):
        assert il.detect(model.model_validate(body)) == il.detect(body)


JSON = testing.json_values(max_leaves=20)


@given(value=JSON)
def test_any_value_looks_like_something_or_nothing_and_stays_as_it_is(value: Any) -> None:
    before = copy.deepcopy(value)
    assert all(one.reasons for one in il.detect(value))
    assert value == before


# (kind, id) -> why the recorded body has no mark of its format.
RECORDED_EXCEPTIONS = {
    ("response", "d3f900564fe8c15c"): "an error body with the status 200",
    ("chunk", "312b0e69036c59b6"): "an error in a stream is an error body",
    ("chunk", "dc61d92a7fac9d3b"): "a whole message in place of a stream",
    ("chunk", "33337d1015e5b192"): "likewise",
    ("chunk", "43fbf7b837d61c09"): "likewise",
    ("chunk", "f60a3fac17373017"): "likewise",
    ("chunk", "c470b39028766769"): "likewise",
    ("request", "ae8b1a79c044db88"): "Chat's temperature beside the messages, which Ollama ignores",
    ("request", "3604d4021d857c92"): "likewise",
    ("request", "7abaf50a219b25a8"): "Chat's tools, which the Interactions API refuses",
    ("request", "1058498c86b1030c"): "likewise",
    ("request", "8cc8a1239ea169d4"): "a prompt with the settings of OpenAI's text completions, which Mistral's models take",
    ("request", "8a1055d69e2e8906"): "likewise, for a server of SageMaker",
    ("error", "0d14fbf62f745cb6"): "the text of an exception, as a capture script wrote it",
    ("error", "89fb0500c7a10e41"): "likewise",
    ("error", "b1704e92575e0075"): "likewise",
    ("error", "00adffb6d7ba915a"): "likewise",
}
SAME_ERRORS = {"openai_chat", "openai_responses", "gemini_interactions"}
"""Formats whose errors have the same fields."""
HOSTS = {**dict(reversed(recorded.HUBS)), **recorded.OTHERS}
"""The format of each host's traffic."""


def bodies(traffic: Path, api: str, kind: str) -> Iterator[tuple[str, Any]]:
    names = {"request": "requests", "response": "responses", "chunk": "streams", "error": "errors"}
    file = traffic / f"{api}.{names[kind]}.jsonl"
    for record in recorded.lines(file, needed=False):
        for body in [_chunk(event, api) for event in record["events"]] if kind == "chunk" else [record["body"]]:
            if body != "[DONE]":
                yield record["id"], body


def _chunk(event: dict[str, Any], api: str) -> Any:
    """The chunk of a recorded event; those of AWS event streams are named by their headers."""
    return {event["event"]: event["data"]} if api == "bedrock_converse" and "event" in event else event["data"]


@pytest.mark.traffic
@pytest.mark.parametrize("kind", ["request", "response", "chunk", "error"])
def test_recorded_traffic_is_recognised(traffic: Path, kind: str, record_property: Callable[[str, object], None]) -> None:
    judged: Counter[str] = Counter()
    missed: set[tuple[str, str]] = set()
    for api, format in HOSTS.items():
        formats = written_alike(format)
        if kind == "error" and not SAME_ERRORS.isdisjoint(formats):
            formats |= SAME_ERRORS
        if format == "bedrock_invoke":  # which stands for these
            formats = written_alike("bedrock_nova") | {"bedrock_text"}
        if kind == "request" and format == "cohere":
            formats |= {"openai_chat", "anthropic"}  # calls, results, texts and some settings have the same fields
        for id, body in bodies(traffic, api, kind):
            found = {one.format for one in il.detect(body) if one.kind == kind}
            judged["one" if found <= formats else "among others" if found & formats else "none"] += 1
            if not found & formats:
                missed.add((kind, id))
    for word, number in judged.items():
        record_property(f"{kind} bodies recognised: {word}", number)
    assert missed <= RECORDED_EXCEPTIONS.keys()
    assert judged["one"] > (0.8 if kind == "request" else 0.85) * judged.total()  # requests that say little are of several
    assert judged.total() > 10


@pytest.mark.parametrize("wide", [1000, 4000])
def test_a_bounded_part_is_looked_at(wide: int) -> None:
    payloads: list[Any] = [
        [{"role": "user", "content": [BLOCK] * 10}] * wide,
        {str(i): {"type": "x" * wide} for i in range(wide)},
        {"messages": [[[[[[[]]]]]]] * wide},
    ]
    for payload in payloads:
        assert steps(partial(il.detect, payload)) < 100_000


def test_a_format_is_named_once_for_each_kind() -> None:
    asked = {"role": "user", "content": [{"type": "input_text", "text": "Hi."}]}
    payload = {"model": "m", "input": [asked], "prompt": {"id": "pmpt_1", "version": "2", "variables": {"a": "b"}}}
    assert [(found.format, found.kind) for found in il.detect(payload)] == [("openai_responses", "request")]
