"""What a stream sends after its end, or after the end of a block, reaches whoever reads it, in every format."""

from typing import Any

import pytest

import interlingua as il
from laws.families import MAIN
from laws.streaming import read

Chunks = list[Any]


def chat(**choice: Any) -> dict[str, Any]:
    return {"id": "c", "model": "m", "choices": [{"index": 0, **choice}]}


def block(index: int, text: str) -> Chunks:
    return [
        {"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}},
        {"type": "content_block_stop", "index": index},
    ]


def late(index: int) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": "late"}}


def item(name: str, text: str | None) -> dict[str, Any]:
    content: Chunks = [] if text is None else [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "id": f"msg_{name}", "role": "assistant", "status": "completed", "content": content}


def answer(name: str, text: str) -> Chunks:
    response = {"id": name, "object": "response"}
    where = {"output_index": 0, "content_index": 0, "item_id": f"msg_{name}"}
    return [
        {"type": "response.created", "response": response | {"status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": item(name, None)},
        {"type": "response.output_text.delta", **where, "delta": text},
        {"type": "response.output_item.done", "output_index": 0, "item": item(name, text)},
        {"type": "response.completed", "response": response | {"status": "completed", "output": [item(name, text)]}},
    ]


def candidate(text: str | None, **more: Any) -> dict[str, Any]:
    part = {"executableCode": {"code": "1", "language": "PYTHON"}} if text is None else {"text": text}
    return {"candidates": [{"content": {"role": "model", "parts": [part]}, **more}]}


def converse(index: int, text: str) -> Chunks:
    delta = {"contentBlockDelta": {"contentBlockIndex": index, "delta": {"text": text}}}
    return [delta, {"contentBlockStop": {"contentBlockIndex": index}}]


STOP = {"finishReason": "STOP"}
COUNTED = {"usageMetadata": {"promptTokenCount": 1}}
BEGIN: Chunks = [{"type": "message_start", "message": {"id": "m", "role": "assistant", "model": "m", "content": []}}]
END: Chunks = [{"type": "message_delta", "delta": {"stop_reason": "end_turn"}}, {"type": "message_stop"}]
EMPTY: Chunks = [{"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}]
CONVERSED: Chunks = [{"messageStart": {"role": "assistant"}}, *converse(0, "one ")]
STOPPED: Chunks = [{"messageStop": {"stopReason": "end_turn"}}]
ASKED: Chunks = [chat(delta={"content": "one "}), chat(delta={}, finish_reason="stop")]
STREAMS: dict[str, tuple[il.FormatName, Chunks]] = {
    "text after the finish reason": ("openai_chat", [*ASKED, chat(delta={"content": "late"})]),
    "text after [DONE]": ("openai_chat", [*ASKED, "[DONE]", chat(delta={"content": "late"})]),
    "an empty block that grows when it has ended": ("anthropic", [*BEGIN, *EMPTY, *block(0, "")[2:], late(0), *END]),
    "a block that grows after another": ("anthropic", [*BEGIN, *block(0, "one "), *block(1, "two "), late(0), *END]),
    "a block that grows after the end": ("anthropic", [*BEGIN, *block(0, "one "), *block(1, "two "), *END, late(0)]),
    "two messages": ("anthropic", [*BEGIN, *block(0, "one "), *END, *BEGIN, *block(0, "late"), *END]),
    "two responses": ("openai_responses", [*answer("r1", "one "), *answer("r2", "late")]),
    "a second response that is cut": ("openai_responses", [*answer("r1", "one "), *answer("r2", "late")[:3]]),
    "an item that grows after the end": (
        "openai_responses",
        [*answer("r1", "one "), {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "late"}],
    ),
    "the end twice": ("openai_responses", [*answer("r1", "late"), *answer("r1", "late")[-1:]]),
    "a candidate that goes on": ("gemini", [candidate("one ", **STOP), candidate("late")]),
    "a candidate that goes on with code and more text": (
        "gemini",
        [candidate("one "), candidate(None, **STOP), candidate("two ") | COUNTED, candidate("late", **STOP)],
    ),
    "a block after the stop": ("bedrock_converse", [*CONVERSED, *STOPPED, *converse(1, "late")]),
    "a block that grows after the stop": ("bedrock_converse", [*CONVERSED, *STOPPED, converse(0, "late")[0]]),
    "a block that grows between the stop and the usage": (
        "bedrock_converse",
        [*CONVERSED, *STOPPED, converse(0, "late")[0], {"metadata": {"usage": {"inputTokens": 1, "outputTokens": 2}}}],
    ),
}


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("target", MAIN)
def test_nothing_is_lost_after_the_end(name: str, target: il.FormatName) -> None:
    source, chunks = STREAMS[name]
    response = read(chunks, source)[0].response
    words = sorted(_texts(source, chunks).split())
    assert sorted(response.message.text.replace("late", " late ").split()) == words
    out = list(il.restream(chunks, source=source, target=target, on_loss="ignore"))
    again = read(out, target)[0].response.message.text
    assert sorted(again.replace("late", " late ").split()) == words
    if target == "openai_responses":  # what the events say, and the last snapshot
        deltas = "".join(chunk["delta"] for chunk in out if chunk["type"] == "response.output_text.delta")
        last = next(chunk["response"] for chunk in reversed(out) if chunk["type"] == "response.completed")
        final = "".join(part["text"] for each in last["output"] for part in each["content"])
        assert sorted(deltas.replace("late", " late ").split()) == sorted(final.replace("late", " late ").split()) == words
        assert _unfinished(out) == set()


@pytest.mark.parametrize("target", ["anthropic", "bedrock_converse", "openai_responses", "gemini"])
def test_arguments_after_the_end_of_their_block_are_dropped(target: il.FormatName) -> None:
    def piece(index: int, arguments: str, **more: Any) -> dict[str, Any]:
        function = {"arguments": arguments} | ({"name": "f"} if more else {})
        return chat(delta={"tool_calls": [{"index": index, "function": function, **more}]})

    begun = [piece(0, '{"a": 1}', id="x", type="function"), piece(1, "{}", id="y", type="function")]
    chunks = [*begun, piece(0, ' "late"}'), piece(0, "more"), chat(delta={}, finish_reason="tool_calls")]
    losses: list[il.Loss] = []
    out = list(il.restream(chunks, source="openai_chat", target=target, on_loss=losses.append))
    calls = [part for part in read(out, target)[0].response.message.parts if part.type == "tool_use"]
    assert [call.id for call in calls] == ["x", "y"]
    assert "late" not in str(calls)
    assert [loss[:3] for loss in losses if loss.kind != "response_only"] == [
        ("/choices/0/message/tool_calls/0/arguments", None, "dropped")
    ]


def _unfinished(chunks: Chunks) -> set[int]:
    """The items that have no end, or of which the end of a part comes after it."""
    unfinished: set[int] = set()
    for chunk in chunks:
        stage = chunk["type"].removeprefix("response.")
        if stage == "output_item.done":
            unfinished.remove(chunk["output_index"])
        elif stage == "output_item.added" or stage in ("output_text.done", "content_part.done"):
            unfinished.add(chunk["output_index"])
    return unfinished


def _texts(source: str, chunks: Chunks) -> str:
    """The words that the deltas of a stream say."""
    found: list[str] = []
    for chunk in chunks:
        if source == "openai_chat":
            found.append("" if chunk == "[DONE]" else chunk["choices"][0]["delta"].get("content", ""))
        elif source == "anthropic":
            found.append(chunk.get("delta", {}).get("text", ""))
        elif source == "openai_responses":
            found.append(chunk.get("delta", ""))
        elif source == "gemini":
            found.append(chunk["candidates"][0]["content"]["parts"][0].get("text", ""))
        else:
            found.append(chunk.get("contentBlockDelta", {}).get("delta", {}).get("text", ""))
    return "".join(found).replace("late", " late ")
