"""How a stream ends for clients that read its last events: one with the reason and the counts, or one with the error."""

from typing import Any

import pytest

import interlingua as il
from laws.families import MAIN
from laws.passing import errors_in
from laws.streaming import read

USAGE: dict[str, Any] = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
FUNCTION: dict[str, Any] = {"index": 0, "id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def chunk(delta: dict[str, Any], reason: str | None = None, **fields: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice], **fields}


def restreamed(
    chunks: list[Any], target: il.FormatName, source: il.FormatName = "openai_chat"
) -> tuple[list[Any], list[il.Loss]]:
    lost: list[il.Loss] = []
    return list(il.restream(chunks, source=source, target=target, on_loss=lost.append)), lost


# Counts beside the reason


@pytest.mark.parametrize("source", ["openai_chat", "deepseek", "openrouter", "mistral", "vllm"])
@pytest.mark.parametrize("earlier", [{}, {"usage": {**USAGE, "completion_tokens": 1, "total_tokens": 11}}])
def test_the_counts_of_the_last_chunk_go_with_its_reason(source: il.FormatName, earlier: dict[str, Any]) -> None:
    chunks = [chunk({"role": "assistant", "content": "a"}, **earlier), chunk({}, "stop", usage=USAGE)]
    written, _ = restreamed(chunks, "anthropic", source)
    ends = [each for each in written if each["type"] == "message_delta"]
    assert [(end["delta"]["stop_reason"], end["usage"]) for end in ends] == [
        ("end_turn", {"input_tokens": 10, "output_tokens": 5})
    ]


def test_the_last_chunk_of_gemini_has_the_counts_and_the_reason() -> None:
    written, _ = restreamed([chunk({"role": "assistant", "content": "a"}), chunk({}, "stop", usage=USAGE)], "gemini")
    assert written[-1]["candidates"] == [{"finishReason": "STOP"}]
    assert written[-1]["usageMetadata"]["totalTokenCount"] == 15


# No reason yet, and none at all


@pytest.mark.parametrize("word", ["", "null", "NULL"])
@pytest.mark.parametrize("first", [None, ""])
def test_a_word_for_no_reason_does_not_end_a_message(word: str, first: str | None) -> None:
    chunks = [chunk({"role": "assistant", "content": ""}, first), chunk({"content": "a"}, word), chunk({"content": "b"}, word)]
    written, lost = restreamed([*chunks, chunk({}, "length")], "anthropic")
    assert [each["type"] for each in written].count("content_block_start") == 1
    assert [each["delta"]["stop_reason"] for each in written if each["type"] == "message_delta"] == ["max_tokens"]
    assert {loss.path for loss in lost} == {"/created"}


@pytest.mark.parametrize(("delta", "reason"), [({"content": "a"}, "end_turn"), ({"tool_calls": [FUNCTION]}, "tool_use")])
def test_a_stream_without_a_reason_ends_with_one_for_anthropic(delta: dict[str, Any], reason: str) -> None:
    written, lost = restreamed([chunk({"role": "assistant", **delta}), "[DONE]"], "anthropic")
    assert [each["delta"]["stop_reason"] for each in written if each["type"] == "message_delta"] == [reason]
    assert [loss.path for loss in lost if loss.kind == "added"] == ["/choices/0/stop_reason"]


def test_a_stream_without_a_reason_is_completed_for_responses() -> None:
    written, lost = restreamed([chunk({"role": "assistant", "content": "a"}), "[DONE]"], "openai_responses")
    assert (written[-1]["type"], written[-1]["response"]["status"]) == ("response.completed", "completed")
    assert [loss.path for loss in lost if loss.kind == "added"] == ["/choices/0/stop_reason"]


# No message at all, as some hosts send after a filter: clients wait for a message that begins and ends

NOTHING: dict[str, Any] = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": []}


@pytest.mark.parametrize("target", MAIN)
@pytest.mark.parametrize("chunks", [[], [NOTHING], [{**NOTHING, "usage": USAGE}]])
def test_a_stream_without_a_message_has_an_empty_one(target: il.FormatName, chunks: list[Any]) -> None:
    written, lost = restreamed([*chunks, "[DONE]"], target)
    if target == "openai_chat":
        assert written == chunks
        return
    response = read(written, target)[0].response
    assert [choice.message.parts for choice in response.choices] == [()]
    assert (response.usage is not None and response.usage.input_tokens == 10) == any("usage" in each for each in chunks)
    assert {loss.path for loss in lost if loss.kind == "added"} <= {"/choices/0/stop_reason"}


@pytest.mark.parametrize("target", MAIN)
def test_an_error_alone_has_no_message_after_it(target: il.FormatName) -> None:
    writer = il.writer(target)
    events = il.reader("openai_chat").feed({"error": {"message": "Slow down.", "code": 429}})
    written = [chunk for event in [*events, il.StreamEnd()] for chunk in writer.feed(event)]
    assert written == [chunk for event in events for chunk in il.writer(target).feed(event)]


# Errors, which Codex reads only in `response.failed`


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ({"message": "Slow down.", "code": 429}, "rate_limit_exceeded"),
        ({"message": "Slow down.", "code": 502}, "server_error"),
        ({"message": "Slow down."}, "server_error"),
        ({"message": "Slow down.", "type": "tokens", "code": "rate_limit_exceeded"}, "rate_limit_exceeded"),
        ({"message": "Slow down.", "code": "context_length_exceeded"}, "context_length_exceeded"),
    ],
)
def test_an_error_is_the_end_of_a_response(error: dict[str, Any], code: str) -> None:
    chunks = [chunk({"role": "assistant", "content": "a"}), {"error": error}]
    stream = il.restream(chunks, source="openai_chat", target="openai_responses", on_loss="ignore")
    written: list[Any] = []
    with pytest.raises(il.ProviderError):
        written.extend(each for each in stream)
    assert [each["type"] for each in written[-2:]] == ["error", "response.failed"]
    assert written[-2]["code"] in (code, None)
    failed = written[-1]["response"]
    assert (failed["id"], failed["status"], failed["error"]) == ("x", "failed", {"code": code, "message": "Slow down."})
    assert failed["output"][0]["content"][0]["text"] == "a"


def test_an_error_before_a_response_is_its_end_too() -> None:
    stream = il.restream([{"error": {"message": "Slow down."}}], source="openai_chat", target="openai_responses")
    assert [next(stream)["type"], next(stream)["type"]] == ["error", "response.failed"]


def test_an_error_after_the_end_of_a_response_does_not_end_it_again() -> None:
    writer = il.writer("openai_responses")
    events: list[il.Event] = [il.MessageStart(), il.TextDelta(index=0, text="a"), il.Stop(stop_reason="stop"), il.StreamEnd()]
    written = [made for event in events for made in writer.feed(event)]
    assert written[-1]["type"] == "response.completed"
    assert [made["type"] for made in writer.feed(il.ErrorEvent(error={"message": "no"}))] == ["error"]


SNAPSHOT: dict[str, Any] = {"id": "r", "object": "response", "model": "m", "output": [], "status": "in_progress"}
FAILED: dict[str, Any] = SNAPSHOT | {"status": "failed", "error": {"code": "server_error", "message": "Slow down."}}


@pytest.mark.parametrize("target", ["openai_chat", "anthropic", "gemini", "bedrock_converse", "openai_responses"])
def test_an_error_that_the_end_of_a_response_repeats_is_one_error(target: il.FormatName) -> None:
    chunks = [
        {"type": "response.created", "response": SNAPSHOT},
        {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "item_id": "a", "delta": "Hi"},
        {"type": "error", "code": "server_error", "message": "Slow down.", "param": None},
        {"type": "response.failed", "response": FAILED},
    ]
    stream = il.restream(chunks, source="openai_responses", target=target, on_loss="ignore")
    written: list[Any] = []
    with pytest.raises(il.ProviderError):
        written.extend(each for each in stream)
    assert errors_in(written, target) == 1
    if target == "openai_responses":
        assert [each["type"] for each in written].count("response.failed") == 1


def test_a_response_begins_before_its_error_and_fails_once() -> None:
    chunks = [
        {"type": "response.created", "response": SNAPSHOT},
        {"type": "error", "code": "server_error", "message": "Slow down.", "param": None},
        {"type": "response.failed", "response": FAILED},
    ]
    written: list[Any] = []
    with pytest.raises(il.ProviderError):
        written.extend(each for each in il.restream(chunks, source="openai_responses", target="openai_responses"))
    types = [each["type"] for each in written]
    assert types == ["response.created", "response.in_progress", "error", "response.failed"]


@pytest.mark.parametrize("code", [True, 1.5, ["x"]])
def test_the_code_of_an_error_is_text(code: Any) -> None:
    written = il.writer("openai_responses").feed(il.ErrorEvent(error={"message": "no", "code": code}))
    assert [written[0]["code"], written[1]["response"]["error"]["code"]] == [None, "server_error"]
