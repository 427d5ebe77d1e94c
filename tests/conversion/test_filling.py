"""`fill=`: when a value is filled in, which one, how often it is made, and how that is reported."""

import asyncio
import warnings
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

import interlingua as il
from laws.families import STREAMING

SILENT: dict[str, Any] = {"output": {"message": {"role": "assistant", "content": [{"text": "a"}]}}, "stopReason": "end_turn"}
"""An answer that says nothing of itself."""
PIECES: list[dict[str, Any]] = [
    {"messageStart": {"role": "assistant"}},
    {"contentBlockDelta": {"delta": {"text": "a"}, "contentBlockIndex": 0}},
    {"contentBlockDelta": {"delta": {"text": "b"}, "contentBlockIndex": 0}},
    {"contentBlockStop": {"contentBlockIndex": 0}},
    {"messageStop": {"stopReason": "end_turn"}},
]
NAMED: dict[str, Any] = {"source": "bedrock_converse", "target": "openai_chat"}


def answer() -> il.Response:
    return il.load_response(SILENT, "bedrock_converse")


def events(*more: il.Event) -> list[il.Event]:
    return [
        il.MessageStart(origin="bedrock_converse"),
        il.TextDelta(text="a", index=0),
        *more,
        il.Stop(stop_reason="stop"),
        il.StreamEnd(),
    ]


def written(fed: list[il.Event], target: il.FormatName, fill: bool | il.Fill) -> tuple[list[Any], tuple[il.Loss, ...]]:
    writer = il.writer(target, fill=fill)
    return [chunk for event in fed for chunk in writer.feed(event)], writer.losses


class Counted:
    """A function that makes another value at each call."""

    def __init__(self, make: Callable[[int], Any]) -> None:
        self.calls = 0
        self._make = make

    def __call__(self) -> Any:
        self.calls += 1
        return self._make(self.calls)


# Values


def test_nothing_is_filled_by_default() -> None:
    assert set(il.dump_response(answer(), "openai_chat")) == {"object", "choices"}
    assert not {"id", "created", "model"} & {key for chunk in il.restream(PIECES, **NAMED) for key in chunk}


FILLED: dict[il.FormatName, dict[str, Any]] = {
    "openai_chat": {"id": "chatcmpl-0", "model": "unknown", "created": 0},
    "openai_responses": {
        "id": "resp_0",
        "model": "unknown",
        "created_at": 0,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    },
    "anthropic": {"id": "msg_0", "model": "unknown", "usage": {"input_tokens": 0, "output_tokens": 0}},
    "gemini": {},
    "bedrock_converse": {
        "usage": {"inputTokens": 0, "outputTokens": 0, "totalTokens": 0},
        "metrics": {"latencyMs": 0},
    },
    "cohere": {"id": "0"},
    "mistral": {
        "id": "cmpl-0",
        "model": "unknown",
        "created": 0,
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    },
}


@pytest.mark.parametrize("target", FILLED)
def test_the_neutral_values_are_fixed(target: il.FormatName) -> None:
    plain, body = (il.dump_response(answer(), target, fill=fill) for fill in (False, True))
    assert {key: value for key, value in body.items() if key not in plain} == FILLED[target]
    assert body == il.dump_response(answer(), target, fill=True)


def test_the_callers_values_are_written_wherever_the_target_has_the_field() -> None:
    fill = il.Fill(id="x", model="m", created=7.9, usage=il.Usage(input_tokens=1, output_tokens=2))
    chat, gemini, cohere = (il.dump_response(answer(), target, fill=fill) for target in ("openai_chat", "gemini", "cohere"))
    assert (chat["id"], chat["model"], chat["created"], chat["usage"]["total_tokens"]) == ("x", "m", 7, 3)
    assert (gemini["responseId"], gemini["modelVersion"]) == ("x", "m")
    assert gemini["usageMetadata"] == {"promptTokenCount": 1, "candidatesTokenCount": 2, "totalTokenCount": 3}
    assert cohere["id"] == "x"
    assert "model" not in cohere


def test_the_sources_values_stay() -> None:
    said: dict[str, Any] = {"id": "s", "model": "t", "created": 1, "usage": il.Usage(input_tokens=5, output_tokens=6)}
    fill = il.Fill(id="x", model="m", created=7, usage=il.Usage(input_tokens=1, output_tokens=2))
    response = answer().replace(**said)
    assert il.dump_response(response, "openai_chat", fill=fill) == il.dump_response(response, "openai_chat")


def test_counts_that_are_missing_beside_others_are_nought_and_the_total_adds_up() -> None:
    response = answer().replace(usage=il.Usage(input_tokens=5))
    usage = il.dump_response(response, "openai_chat", fill=True)["usage"]
    assert usage == {"prompt_tokens": 5, "completion_tokens": 0, "total_tokens": 5}


def test_what_is_null_in_a_body_is_missing_and_the_report_finds_it_in_another_spelling() -> None:
    choice: dict[str, Any] = {"message": {"role": "assistant"}, "finish_reason": None}
    body = {"id": None, "model": "m", "created": None, "choices": [choice, choice]}
    filled = il.dump_response(il.load_response(body, "openai_chat"), "openai_chat", fill=True)
    assert (filled["id"], filled["created"], filled["choices"][0]["finish_reason"]) == ("chatcmpl-0", 0, "stop")
    assert [choice["index"] for choice in filled["choices"]] == [0, 1]
    losses: list[il.Loss] = []
    candidates = [{"content": {"parts": [{"text": "a"}], "role": "model"}, "finish_reason": "STOP"}]
    response = il.load_response({"candidates": candidates, "usage_metadata": {"prompt_token_count": 1}}, "gemini")
    il.dump_response(response, "gemini", fill=il.Fill(id="x"), on_loss=losses.append)
    assert [(loss.path, loss.at) for loss in losses] == [("/id", None)]


def test_only_reasoning_gets_a_signature() -> None:
    blocks = [{"type": "thinking", "thinking": "a"}, {"type": "text", "text": "b"}]
    response = il.load_response({"type": "message", "role": "assistant", "content": blocks}, "anthropic")
    filled = il.dump_response(response, "anthropic", fill=True)
    assert filled["content"] == [{**blocks[0], "signature": ""}, blocks[1]]


def test_items_have_the_id_that_is_filled_in() -> None:
    body = il.dump_response(answer(), "openai_responses", fill=il.Fill(id="x"))
    assert body["output"][0]["id"] == "msg_x_0"


@pytest.mark.parametrize("made", [5, b"x", "\ud800"])
def test_a_wrong_value_is_refused_also_where_a_function_makes_it(made: Any) -> None:
    with pytest.raises(il.InvalidPayload, match="/id"):
        il.Fill(id=made)
    with pytest.raises(il.InvalidPayload, match="/id"):
        il.dump_response(answer(), "openai_chat", fill=il.Fill(id=lambda: made))


@pytest.mark.parametrize("fill", [None, 0, 1, "id", {"id": "x"}])
def test_fill_must_be_a_bool_or_a_fill(fill: Any) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: il.dump_response(answer(), "openai_chat", fill=fill),
        lambda: il.writer("openai_chat", fill=fill),
        lambda: il.restream([], **NAMED, fill=fill),
        lambda: il.sse([], "openai_chat", fill=fill),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="fill must be"):
            call()


# Functions


def test_functions_are_called_once_for_a_response_and_only_if_their_value_is_missing() -> None:
    id, created, usage = Counted("x{}".format), Counted(int), Counted(lambda n: il.Usage(input_tokens=n))
    fill = il.Fill(id=id, created=created, usage=usage)
    assert [il.dump_response(answer(), "openai_chat", fill=fill)["id"] for _ in range(2)] == ["x1", "x2"]
    assert (id.calls, created.calls, usage.calls) == (2, 2, 2)
    il.dump_response(answer().replace(id="s"), "anthropic", fill=fill)  # which has no field for the time
    assert (id.calls, created.calls, usage.calls) == (2, 2, 3)


@pytest.mark.parametrize("target", STREAMING)
def test_functions_are_called_once_for_a_stream(target: il.FormatName) -> None:
    fill = il.Fill(id=(id := Counted("x{}".format)), created=(created := Counted(int)), usage=(usage := Counted(_usage)))
    list(il.restream(PIECES, source="bedrock_converse", target=target, fill=fill, on_loss="ignore"))
    assert max(id.calls, created.calls, usage.calls) == 1


def _usage(number: int) -> il.Usage:
    return il.Usage(input_tokens=number, output_tokens=number)


# Streams


def test_all_chunks_have_the_same_values() -> None:
    fill = il.Fill(id=Counted("x{}".format), created=Counted(int))
    chunks: list[dict[str, Any]] = list(il.restream(PIECES, **NAMED, fill=fill))
    assert len(chunks) >= 3
    assert {(chunk["id"], chunk["created"], chunk["model"]) for chunk in chunks} == {("x1", 1, "unknown")}


def test_a_stream_without_usage_gets_it_at_its_end_where_the_client_requires_it() -> None:
    chunks = list(il.restream(PIECES, source="bedrock_converse", target="bedrock_converse", fill=True))
    assert chunks == [*PIECES, {"metadata": FILLED["bedrock_converse"]}]


def test_usage_that_comes_with_the_stream_stays() -> None:
    usage = il.Usage(input_tokens=5, output_tokens=6)
    chunks, losses = written(events(il.UsageUpdate(usage=usage)), "bedrock_converse", il.Fill(usage=il.Usage(input_tokens=1)))
    assert chunks[-1]["metadata"]["usage"] == {"inputTokens": 5, "outputTokens": 6, "totalTokens": 11}
    assert [loss.at for loss in losses] == ["/metrics", "/metrics/latencyMs"]


def test_usage_that_a_stream_does_not_take_is_not_filled() -> None:
    losses: list[il.Loss] = []
    list(il.restream(PIECES, **NAMED, fill=il.Fill(usage=il.Usage(input_tokens=1)), on_loss=losses.append))
    assert [loss.kind for loss in losses if loss.path == "/usage"] == ["response_only"]


def test_usage_that_an_update_brings_is_not_asked_for_again() -> None:
    usage = Counted(_usage)
    written(events(il.Update(of="response", data={"usage": {"input_tokens": 1}})), "anthropic", il.Fill(usage=usage))
    assert usage.calls == 0


def test_an_id_of_the_source_counts_until_another_was_sent() -> None:
    late = il.Update(of="response", data={"id": "s"})
    start, text, *rest = events()
    chunks, losses = written([late, start, text, *rest], "openai_chat", fill=True)
    assert {chunk["id"] for chunk in chunks} == {"s"}
    chunks, losses = written([start, late, text, *rest], "openai_chat", fill=True)
    assert {chunk["id"] for chunk in chunks} == {"s"}
    assert [loss.path for loss in losses] == ["/model", "/created"]
    chunks, losses = written([start, text, late, *rest], "openai_chat", fill=True)
    assert {chunk["id"] for chunk in chunks} == {"chatcmpl-0"}
    assert [(loss.path, loss.kind) for loss in losses if loss.kind != "added"] == [("/id", "dropped")]


ANSWERS: list[tuple[il.FormatName, str]] = [("openai_chat", "id"), ("gemini", "responseId")]


@pytest.mark.parametrize(("target", "field"), ANSWERS)
def test_each_answer_of_a_stream_has_the_same_id(target: il.FormatName, field: str) -> None:
    fed: list[il.Event] = [il.MessageStart(choice=number) for number in (0, 1)]
    fed += [il.TextDelta(text="a", index=0, choice=number) for number in (0, 1)]
    fed += [il.Stop(stop_reason="stop", choice=number) for number in (0, 1)]
    chunks, _ = written([*fed, il.StreamEnd()], target, il.Fill(id=Counted("x{}".format)))
    assert {chunk[field] for chunk in chunks} == {"x1"}


def test_server_sent_events_are_filled() -> None:
    body = b"".join(il.sse(events(), "openai_chat", fill=il.Fill(id="x")))
    assert body.count(b'"id":"x"') == body.count(b"data: {") >= 2


def test_an_async_stream_is_filled() -> None:
    async def pieces() -> AsyncIterator[Any]:
        for piece in PIECES:
            yield piece

    async def ids() -> set[str]:
        return {chunk["id"] async for chunk in il.restream(pieces(), **NAMED, fill=il.Fill(id="x"))}

    assert asyncio.run(ids()) == {"x"}


# Losses


def test_what_is_filled_is_reported_once_for_each_field() -> None:
    losses: list[il.Loss] = []
    il.dump_response(answer(), "openai_responses", fill=True, on_loss=losses.append)
    assert {loss.kind for loss in losses} == {"added"}
    assert [(loss.path, loss.at) for loss in losses] == [
        ("/id", "/id"),
        ("/model", "/model"),
        ("/created", "/created_at"),
        ("", "/parallel_tool_calls"),
        ("", "/tool_choice"),
        ("", "/tools"),
    ]
    again: list[il.Loss] = []
    list(il.restream(PIECES, source="bedrock_converse", target="openai_responses", fill=True, on_loss=again.append))
    assert sorted(map(str, again)) == sorted(map(str, losses))


def test_what_was_asked_for_is_no_reason_to_warn_or_to_raise() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        il.dump_response(answer(), "openai_chat", fill=True)
        list(il.restream(PIECES, **NAMED, fill=True))
    il.dump_response(answer(), "openai_chat", fill=True, on_loss="raise")
    list(il.restream(PIECES, **NAMED, fill=True, on_loss="raise"))
