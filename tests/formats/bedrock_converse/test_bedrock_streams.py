"""Streams of ConverseStream: what its events leave out, how they are named, and what others' streams become there."""

from typing import Any

import pytest

import interlingua as il
from formats.cases import Case, cases

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

USAGE = {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}
START, STOP = {"messageStart": {"role": "assistant"}}, {"messageStop": {"stopReason": "end_turn"}}
END = {"metadata": {"usage": USAGE, "metrics": {"latencyMs": 5}, "trace": {"promptRouter": {"invokedModelId": "m"}}}}


def delta(index: int, **said: Any) -> dict[str, Any]:
    return {"contentBlockDelta": {"contentBlockIndex": index, "delta": said}}


def stopped(index: int) -> dict[str, Any]:
    return {"contentBlockStop": {"contentBlockIndex": index}}


def begun(index: int, **block: Any) -> dict[str, Any]:
    return {"contentBlockStart": {"contentBlockIndex": index, "start": block}}


CITATION = {"title": "t", "location": {"web": {"url": "https://a"}}}
STREAMS = [case for case in cases("stream") if case.format == "bedrock_converse"]


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("case", STREAMS, ids=str)
def test_the_name_of_an_event_comes_beside_its_body_or_not_at_all(case: Case, named: bool) -> None:
    reader = il.reader("bedrock_converse")
    for chunk in case.read("stream"):
        [(event, body)] = chunk.items()
        reader.feed({**body, "p": "abcdef"}, event=event if named else None)
    reader.close()
    assert reader.response == il.load_response(case.read("response"), "bedrock_converse")


EXCEPTION = {"modelStreamErrorException": {"message": "It broke.", "originalStatusCode": 500}}


def test_an_exception_in_a_stream_is_an_error() -> None:
    reader = il.reader("bedrock_converse")
    with pytest.raises(il.ProviderError, match=r"It broke\.") as caught:
        list(reader.read([START, delta(0, text="a"), EXCEPTION]))
    assert caught.value.type == "modelStreamErrorException"
    assert reader.response.message.text == "a"
    named = il.reader("bedrock_converse")
    named.feed({"message": "Slow down."}, event="throttlingException")
    assert named.error is not None
    assert (named.error.type, named.error.message) == ("throttlingException", "Slow down.")


@pytest.mark.parametrize("source", ["bedrock_converse", "anthropic"])
def test_errors_are_passed_on(source: il.FormatName) -> None:
    error = EXCEPTION if source == "bedrock_converse" else {"type": "error", "error": {"type": "x", "message": "It broke."}}
    writer = il.writer("bedrock_converse")
    written = [chunk for event in il.reader(source).feed(error) for chunk in writer.feed(event)]
    assert written == [EXCEPTION if source == "bedrock_converse" else {"modelStreamErrorException": {"message": "It broke."}}]
    assert il.dump_error(il.ProviderError("no", type="ValidationException"), "bedrock_converse")["message"] == "no"


@pytest.mark.parametrize(
    "chunk",
    [
        {"contentBlockDelta": {"delta": 1}},
        {"contentBlockDelta": {"contentBlockIndex": "0", "delta": {"text": "a"}}},
        {"contentBlockStart": {"contentBlockIndex": 0, "start": {"toolUse": {"name": 1}}}},
        {"messageStop": {"stopReason": 1}},
        delta(0, toolUse={"input": "{}"}),
    ],
)
def test_a_malformed_chunk_is_a_stream_error(chunk: dict[str, Any]) -> None:
    with pytest.raises(il.StreamError):
        il.reader("bedrock_converse").feed(chunk)


def test_what_is_not_known_passes_or_is_kept() -> None:
    reader = il.reader("bedrock_converse")
    novel = [{"novelEvent": {"a": 1}}, delta(0, novel={"a": 1})]
    events = [event for chunk in [START, *novel, STOP] for event in reader.feed(chunk)]
    assert sum(isinstance(event, il.OpaqueEvent) for event in events) == 2
    late = {"messageStop": {"stopReason": "novel", "additionalModelResponseFields": {"a": 1}, "x": None}}
    response = il.accumulate(il.reader("bedrock_converse").read([START, late]))
    assert (response.stop_reason, response.native_stop_reason) == ("novel", "novel")
    assert response.provider_data == {"bedrock": {"additionalModelResponseFields": {"a": 1}, "x": None}}


def test_a_stream_of_chat_becomes_events_in_their_order() -> None:
    def chunk(said: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        return {"id": "c", "choices": [{"index": 0, "delta": said, "finish_reason": reason}]}

    call = {"index": 0, "id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    used: dict[str, Any] = {"id": "c", "choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}}
    chunks = [chunk({"role": "assistant", "content": "Hi."}), chunk({"tool_calls": [call]}), chunk({}, "tool_calls"), used]
    written = list(il.restream(chunks, source="openai_chat", target="bedrock_converse", on_loss="ignore"))
    assert written == [
        START,
        delta(0, text="Hi."),
        stopped(0),
        begun(1, toolUse={"toolUseId": "t", "name": "f"}),
        delta(1, toolUse={"input": "{}"}),
        stopped(1),
        {"messageStop": {"stopReason": "tool_use"}},
        {"metadata": {"usage": {"inputTokens": 5, "outputTokens": 2, "totalTokens": 7}}},
    ]


REDACTED = {"redactedContent": "AAAB"}


@pytest.mark.parametrize(
    ("target", "first"),
    [("asktable", {"text": "b", "signature": "s"}), ("asktable", REDACTED), ("deepseek", REDACTED)],
)
def test_a_stream_of_reasoning_loses_what_the_whole_loses(target: il.FormatName, first: dict[str, str]) -> None:
    said = [delta(0, reasoningContent={key: value}) for key, value in first.items()]
    chunks = [START, *said, stopped(0), delta(1, reasoningContent={"text": "a"}), stopped(1), STOP]
    found: list[il.Loss] = []
    expected: list[il.Loss] = []
    written = list(il.restream(chunks, source="bedrock_converse", target=target, on_loss=found.append))
    whole = il.dump_response(il.accumulate(il.reader("bedrock_converse").read(chunks)), target, on_loss=expected.append)
    assert {(loss.path, loss.kind) for loss in found} == {(loss.path, loss.kind) for loss in expected}
    answer = il.accumulate(il.reader(target).read(written))
    assert [part.type for part in answer.message.parts] == [part.type for part in il.load_response(whole, target).message.parts]


def test_a_blob_in_pieces_that_are_not_base64_is_a_stream_error() -> None:
    reader = il.reader("bedrock_converse")
    pieces = [delta(0, reasoningContent={"redactedContent": "A"})] * 2
    with pytest.raises(il.StreamError):
        list(reader.read([START, *pieces, stopped(0)]))


@pytest.mark.parametrize("start", [{}, {"toolUse": {"toolUseId": "t", "name": "f", "input": {}}, "novel": [1]}])
def test_a_block_that_is_not_of_one_kind_is_written_whole(start: dict[str, Any]) -> None:
    chunks = [START, begun(0, **start), stopped(0), STOP, END]
    stream = il.restream(chunks, source="bedrock_converse", target="bedrock_converse")
    assert begun(0, **start) in list(stream)


BLOB = {"redactedContent": "aGk="}
USE = {"toolUseId": "t", "name": "f"}
IMAGE = {"format": "png", "source": {"bytes": "aGk="}}


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ([delta(0, reasoningContent={"text": "a"}), delta(0, reasoningContent=BLOB)], ["thinking", "redacted_thinking"]),
        ([delta(0, reasoningContent=BLOB), delta(0, reasoningContent={"text": "a"})], ["redacted_thinking", "thinking"]),
        ([delta(0, reasoningContent=BLOB), delta(0, text="a")], ["redacted_thinking", "text"]),
        ([delta(0, image=IMAGE), delta(0, text="a")], ["image", "text"]),
        ([delta(0, text="a"), delta(0, image=IMAGE)], ["text", "image"]),
        ([delta(0, citation=CITATION), delta(0, reasoningContent={"text": "a"})], ["thinking", "opaque"]),
        ([delta(0, reasoningContent={"text": "a"}), delta(0, citation=CITATION)], ["thinking", "opaque"]),
        ([delta(0, citation=CITATION), delta(0, reasoningContent={"text": "a"}), delta(0, text="b")], ["thinking", "text"]),
        ([begun(0, toolUse=USE), begun(0, image={"format": "png"}), delta(0, image=IMAGE)], ["tool_use", "image"]),
        ([begun(0, toolResult={"toolUseId": "t"}), begun(0, toolUse=USE)], ["opaque", "tool_use"]),
    ],
)
def test_a_block_with_several_kinds_is_several_parts(said: list[Any], kinds: list[str]) -> None:
    reader = il.reader("bedrock_converse")
    list(reader.read([START, *said, stopped(0), STOP, END]))
    assert [part.type for part in reader.response.message.parts] == kinds


def test_the_arguments_of_a_text_are_a_stream_error() -> None:
    reader = il.reader("bedrock_converse")
    reader.feed(delta(0, text="a"))
    with pytest.raises(il.StreamError, match="the start of its block"):
        reader.feed(delta(0, toolUse={"input": "{}"}))


@pytest.mark.parametrize("target", ["bedrock_converse", "bedrock_boto3"])
def test_an_empty_signature_of_another_provider_is_not_written(target: il.FormatName) -> None:
    chunks: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"id": "m", "role": "assistant", "model": "m", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
        {"type": "message_stop"},
    ]
    out = list(il.restream(chunks, source="anthropic", target=target, on_loss="ignore"))
    assert delta(0, reasoningContent={"text": "hm"}) in out
    assert "signature" not in str(out)


@pytest.mark.parametrize("result", [None, {}, {"content": 5}, []])
@pytest.mark.parametrize("kind", ["toolUse", "new"])
def test_the_delta_of_a_result_in_a_block_of_another_kind_is_kept_as_it_is(kind: str, result: Any) -> None:
    start = {kind: {"toolUseId": "tooluse_1", "name": "f"}, "toolResult": result}
    delta = {"contentBlockDelta": {"delta": {"toolResult": [{"text": "x"}]}, "contentBlockIndex": 0}}
    reader = il.reader("bedrock_converse")
    reader.feed({"messageStart": {"role": "assistant"}})
    reader.feed({"contentBlockStart": {"start": start, "contentBlockIndex": 0}})
    (event,) = reader.feed(delta)
    assert isinstance(event, il.OpaqueEvent)
    assert event.value == delta["contentBlockDelta"]


@pytest.mark.parametrize("call", [None, "x", [], 5])
def test_arguments_of_a_call_that_is_no_object_are_a_stream_error(call: Any) -> None:
    reader = il.reader("bedrock_converse")
    reader.feed({"messageStart": {"role": "assistant"}})
    reader.feed({"contentBlockStart": {"start": {"toolUse": call, "new": {}}, "contentBlockIndex": 0}})
    with pytest.raises(il.StreamError):
        reader.feed({"contentBlockDelta": {"delta": {"toolUse": {"input": "{}"}}, "contentBlockIndex": 0}})
