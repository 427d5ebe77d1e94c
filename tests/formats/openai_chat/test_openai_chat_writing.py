"""What is odd about streams that are written as Chat Completions."""

import json
from typing import Any

import pytest
from openai._models import construct_type
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk

import interlingua as il
from formats.openai_chat.chunks import STOP, chunk, delta, details, fragment, read, written

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


def sdk_fold(chunks: list[dict[str, Any]]) -> dict[str, Any]:
    """What the official client makes of a stream."""
    state: ChatCompletionStreamState[Any] = ChatCompletionStreamState()
    for each in chunks:
        made: Any = construct_type(type_=ChatCompletionChunk, value=json.loads(json.dumps(each)))
        state.handle_chunk(made)
    return state.current_completion_snapshot.to_dict(mode="json")


EVENTS: list[il.Event] = [
    il.MessageStart(id="msg_0", model="claude", origin="anthropic", spelling="blocks"),
    il.UsageUpdate(usage=il.Usage(input_tokens=3, output_tokens=1)),
    il.ThinkingDelta(index=0, thinking="Let me"),
    il.ThinkingDelta(index=0, thinking=" see."),
    il.SignatureDelta(index=0, signature="c2ln", issuer="anthropic"),
    il.PartStop(index=0),
    il.RedactedThinking(index=1, data="eA==", issuer="anthropic"),
    il.PartStop(index=1),
    il.TextDelta(index=2, text="Hi"),
    il.TextDelta(index=2, text="."),
    il.PartStop(index=2),
    il.ToolUseStart(index=3, id="toolu_0", name="f"),
    il.ArgumentsDelta(index=3, arguments='{"a"'),
    il.ToolUseStart(index=4, id="toolu_1", name="g"),
    il.ArgumentsDelta(index=3, arguments=":1}"),
    il.ToolUse(index=3, id="toolu_0", name="f", arguments='{"a":1}'),
    il.PartStop(index=3),
    il.ToolUse(index=4, id="toolu_1", name="g", arguments=""),
    il.PartStop(index=4),
    il.UsageUpdate(usage=il.Usage(input_tokens=3, output_tokens=9)),
    il.Stop(stop_reason="tool_calls", native_stop_reason="tool_use"),
    il.StreamEnd(),
]


def test_a_stream_from_elsewhere_has_the_shape_that_clients_know() -> None:
    chunks, reported = written(EVENTS)
    assert {(each["id"], each["object"], each["model"]) for each in chunks} == {("msg_0", "chat.completion.chunk", "claude")}
    deltas = [each["choices"][0]["delta"] for each in chunks[:-1]]
    assert deltas[0] == {"role": "assistant", "content": "Hi"}
    calls = [call for each in deltas for call in each.get("tool_calls", ())]
    assert [(call["index"], call.get("id"), call.get("type"), call["function"].get("name")) for call in calls] == [
        (0, "toolu_0", "function", "f"), (0, None, None, None), (1, "toolu_1", "function", "g"), (0, None, None, None),
        (1, None, None, None),
    ]  # fmt: skip
    assert [each["choices"][0]["finish_reason"] for each in chunks[:-1]] == [None] * (len(chunks) - 2) + ["tool_calls"]
    assert (chunks[-1]["choices"], chunks[-1]["usage"]["total_tokens"]) == ([], 12)
    assert reported == {("dropped", "/choices/0/message/content/0"), ("dropped", "/choices/0/message/content/1")}
    folded = sdk_fold(chunks)
    assert folded["choices"][0]["message"]["content"] == "Hi."
    arguments = [call["function"]["arguments"] for call in folded["choices"][0]["message"]["tool_calls"]]
    assert arguments == ['{"a":1}', "{}"]
    assert folded["usage"]["total_tokens"] == 12


@pytest.mark.parametrize(
    ("target", "field", "reported"),
    [
        ("deepseek", {"reasoning_content": "Let me see."}, {("dropped", "0/signature"), ("dropped", "1")}),
        (
            "litellm",
            {
                "thinking_blocks": [
                    {"type": "thinking", "thinking": "Let me see.", "signature": "c2ln", "index": 0},
                    {"type": "redacted_thinking", "data": "eA==", "index": 1},
                ]
            },
            set[Any](),
        ),
        (
            "openrouter",
            {
                "reasoning_details": [
                    {
                        "type": "reasoning.text",
                        "text": "Let me see.",
                        "signature": "c2ln",
                        "format": "anthropic-claude-v1",
                        "index": 0,
                    },
                    {"type": "reasoning.encrypted", "data": "eA==", "format": "anthropic-claude-v1", "index": 1},
                ]
            },
            set[Any](),
        ),
    ],
)
def test_reasoning_goes_to_the_field_that_the_host_has(
    target: il.FormatName, field: dict[str, Any], reported: set[Any]
) -> None:
    chunks, losses = written(EVENTS, target)
    assert sdk_fold(chunks)["choices"][0]["message"].items() >= field.items()
    assert losses == {(kind, f"/choices/0/message/content/{rest}") for kind, rest in reported}


def test_the_order_that_is_lost_is_reported() -> None:
    events: list[il.Event] = [
        il.MessageStart(origin="anthropic", spelling="blocks"),
        il.TextDelta(index=0, text="a"),
        il.ToolUseStart(index=1, id="t", name="f"),
        il.TextDelta(index=2, text="b"),
        il.OpaqueEvent(index=3, format="anthropic", value={"type": "server_tool_use"}),
        il.Stop(stop_reason="stop_sequence", stop_sequence="x"),
    ]
    chunks, reported = written(events)
    path = "/choices/0/message/content"
    assert reported == {
        ("changed", f"{path}/0"),
        ("changed", f"{path}/2"),
        ("moved", f"{path}/2"),
        ("dropped", f"{path}/3"),
        ("changed", "/choices/0/stop_reason"),
        ("dropped", "/choices/0/stop_sequence"),
    }
    assert sdk_fold(chunks)["choices"][0]["message"]["content"] == "ab"


def test_the_stop_sequence_is_in_the_last_choice_of_a_host_that_takes_it() -> None:
    stop = il.Stop(stop_reason="stop_sequence", stop_sequence="x")
    chunks, reported = written([il.MessageStart(origin="anthropic"), stop], "litellm")
    assert chunks[-1]["choices"] == [{"index": 0, "delta": {}, "finish_reason": "stop", "stop_reason": "x"}]
    assert not reported


def test_what_came_with_other_fields_goes_back_with_them() -> None:
    entry = {"type": "reasoning.text", "format": "anthropic-claude-v1", "index": 0}
    odd = {**fragment("f", {"a": 1}, id="a", index=0), "extra_content": {"google": {"thought_signature": "s"}}}
    chunks = [
        chunk(service_tier=None, x_list=[1], usage=None),
        delta(role="assistant", content=None, refusal=None) | {"system_fingerprint": "fp"},
        details(entry | {"text": "a"}, reasoning="a"),
        details(entry | {"signature": "s"}),
        delta(tool_calls=[odd]),
        delta(x_text="a", annotations=[{"type": "x"}], audio={"id": "a", "data": "x"}),
        delta(x_text="b", annotations=[{"type": "y"}], audio={"data": "y"}),
        chunk({"index": 0, "delta": {}, "logprobs": {"content": [{"token": "x"}]}, "finish_reason": "tool_calls", "x": 1}),
        chunk(usage={"prompt_tokens": 1, "cost": 0.5}),
    ]
    response, events = read(chunks)
    again, reported = written(events)
    assert not reported
    assert read(again)[0] == response
    assert (again[0]["x_list"], again[0]["service_tier"]) == ([1], None)
    annotations = [each["choices"][0]["delta"]["annotations"] for each in again if "annotations" in str(each)]
    assert annotations == [[{"type": "x"}, {"type": "y"}]]  # the official client takes such a list once only


def test_choices_begin_in_their_order_for_the_official_client() -> None:
    _, events = read([delta(1, content="b"), delta(0, content="a"), delta(0, finish="stop"), delta(1, finish="stop")])
    folded = sdk_fold(written(events)[0])
    assert [choice["message"]["content"] for choice in folded["choices"]] == ["a", "b"]


def test_reasoning_that_is_sent_twice_is_written_once() -> None:
    entry = {"type": "reasoning.text", "text": "x", "index": 0}
    _, events = read([delta(reasoning="x"), details(entry), STOP], "openrouter")
    chunks, _ = written(events, "deepseek")
    assert sdk_fold(chunks)["choices"][0]["message"]["reasoning_content"] == "x"


def test_what_was_used_is_written_when_it_is_sent_after_the_end() -> None:
    events: list[il.Event] = [il.MessageStart(), il.TextDelta(index=0, text="a"), il.Stop(stop_reason="stop")]
    chunks, _ = written([*events, il.UsageUpdate(usage=il.Usage(output_tokens=1))])
    assert (chunks[-1]["choices"], chunks[-1]["usage"]) == ([], {"completion_tokens": 1})


def test_the_last_of_several_usages_is_written_and_reported() -> None:
    early = il.Usage(input_tokens=2, cache_write_tokens=1, native={"gemini": {"trafficType": "x"}})
    events: list[il.Event] = [il.MessageStart(), il.UsageUpdate(usage=early), il.TextDelta(index=0, text="a")]
    chunks, losses = written([*events, il.UsageUpdate(usage=il.Usage(output_tokens=1)), il.Stop(), il.StreamEnd()])
    assert [each["usage"] for each in chunks if "usage" in each] == [{"completion_tokens": 1}]
    assert losses == {("added", "/choices/0/stop_reason")}


def test_an_error_is_written_as_one() -> None:
    assert written([il.ErrorEvent(error={"message": "x"})])[0] == [{"error": {"message": "x"}}]


def test_what_is_done_to_a_chunk_that_was_written_changes_no_event() -> None:
    def used(number: int) -> il.Update:
        return il.Update(of="message", data={"provider_data": {"openai": {"annotations": [{"n": [number]}]}}})

    writer = il.writer("openai_chat")
    events: list[il.Event] = [il.MessageStart(origin="openai_chat"), used(1), used(2), il.Stop(stop_reason="stop")]
    before = [event.to_dict() for event in events]
    chunks = [chunk for event in events for chunk in writer.feed(event)]
    (annotations,) = [found for chunk in chunks if (found := chunk["choices"][0]["delta"].get("annotations"))]
    assert annotations == [{"n": [1]}, {"n": [2]}]
    for annotation in annotations:
        annotation["n"].clear()
    assert [event.to_dict() for event in events] == before


def test_the_signature_of_a_summary_is_reported() -> None:
    summary = il.ThinkingPart(thinking="x", signature="s", summary=True)
    reported: list[il.Loss] = []
    body = il.dump([il.AssistantMessage(content="y", thinking_blocks=(summary,))], "openrouter", on_loss=reported.append)
    assert body["messages"][0]["reasoning_details"] == [{"type": "reasoning.summary", "summary": "x"}]
    assert [(loss.kind, loss.path) for loss in reported] == [("dropped", "/0/thinking_blocks/0/signature")]
    events: list[il.Event] = [
        il.MessageStart(),
        il.ThinkingDelta(index=0, thinking="x"),
        il.Update(of="part", index=0, data={"summary": True}),
        il.SignatureDelta(index=0, signature="s"),
        il.Stop(stop_reason="stop"),
    ]
    chunks, losses = written(events, "openrouter")
    assert "signature" not in str(chunks)
    assert losses == {("dropped", "/choices/0/message/thinking_blocks/0/signature")}


def test_encrypted_reasoning_that_changes_after_it_was_written_is_reported() -> None:
    late = {"data": "bmV3", "provider_data": {"openai_responses": {"novel": 1}}}
    events: list[il.Event] = [
        il.MessageStart(origin="openai_responses", spelling="blocks"),
        il.RedactedThinking(index=0, data="b2xk", issuer="openai"),
        il.PartStop(index=0),
        il.TextDelta(index=1, text="Hi."),
        il.Update(of="part", index=0, data=late, overwrite=True),
        il.PartStop(index=1),
        il.Stop(stop_reason="stop"),
        il.StreamEnd(),
    ]
    writer = il.writer("openrouter")
    chunks = [chunk for event in events for chunk in writer.feed(event)]
    written = [
        held["data"] for each in chunks for choice in each["choices"] for held in choice["delta"].get("reasoning_details", ())
    ]
    assert written == ["b2xk"]
    paths = [loss.path for loss in writer.losses]
    assert paths == [
        "/choices/0/message/content/0/provider_data/openai_responses/novel",
        "/choices/0/message/content/0/data",
    ]
