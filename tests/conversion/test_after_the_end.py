"""What a stream sends after its end, or after the end of a block, reaches whoever reads it, in every format."""

import json
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


# Gemini gives a finish reason before it goes on: with each round of code (0xPlaygrounds/rig's recorded streams
# `gemini/code_execution_matrix` and `gemini/stream_terminal_matrix`, MartialBE/one-hub#402, Chevey339/kelivo#1003).

WORDS = {"promptTokenCount": 3, "candidatesTokenCount": 1, "totalTokenCount": 4}
ROUNDS: dict[str, Chunks] = {
    "two rounds of text": [
        candidate("one ", **STOP) | {"usageMetadata": WORDS},
        candidate("late", **STOP) | {"usageMetadata": WORDS | {"candidatesTokenCount": 2, "totalTokenCount": 5}},
    ],
    "no reason behind the second": [candidate("one ", **STOP) | COUNTED, candidate("late")],
    "an empty chunk at the end": [candidate("one ", **STOP), candidate("late"), candidate("", **STOP) | COUNTED],
    "code between": [candidate("one ", **STOP), candidate(None, **STOP) | COUNTED, candidate("late", **STOP)],
    "a call behind the reason": [
        candidate("one ", **STOP) | COUNTED,
        {"candidates": [{"content": {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}, **STOP}]},
    ],
    "one round": [candidate("one "), candidate("late", **STOP) | {"usageMetadata": WORDS}],
}
ENDS = frozenset({"stop", "usage", "end", "update"})
"""The types of events that may follow the finish reason."""
OTHERS = tuple(name for name in (*MAIN, "deepseek", "mistral", "harmony") if name != "gemini")


@pytest.mark.parametrize("name", ROUNDS)
@pytest.mark.parametrize("target", OTHERS)
def test_the_finish_reason_is_sent_once_and_last(name: str, target: il.FormatName) -> None:
    chunks = ROUNDS[name]
    out = list(il.restream(chunks, source="gemini", target=target, on_loss="ignore", usage=True))
    reader, events = read(out, target)
    types = [event.type for event in events]
    assert types.count("stop") == 1
    assert set(types[types.index("stop") :]) <= ENDS
    want = read(chunks, "gemini")[0].response
    assert reader.response.message.text.split() == want.message.text.split()
    if target not in ("harmony", "ollama"):  # which have one reason for all
        assert reader.response.stop_reason == want.stop_reason
    counts = [event.usage for event in events if isinstance(event, il.UsageUpdate)]
    assert want.usage is None or counts[-1].output_tokens == want.usage.output_tokens


def test_the_usage_of_a_chat_stream_comes_behind_the_finish_reason() -> None:
    out = list(il.restream(ROUNDS["two rounds of text"], source="gemini", target="openai_chat", on_loss="ignore", usage=True))
    assert [chunk["choices"][0]["finish_reason"] for chunk in out[:-1]] == [None, None, "stop"]
    assert [chunk.get("usage", {}).get("total_tokens") for chunk in out] == [None, None, None, 5]
    assert out[-1]["choices"] == []


def test_each_candidate_has_its_own_finish_reason() -> None:
    first, second = candidate("one ", **STOP)["candidates"][0], candidate("two ")["candidates"][0] | {"index": 1}
    more = candidate("late", finishReason="MAX_TOKENS")
    chunks = [{"candidates": [first, second]}, more, {"candidates": [second | STOP]}]
    choices = [
        choice
        for chunk in il.restream(chunks, source="gemini", target="openai_chat", on_loss="ignore")
        for choice in chunk["choices"]
    ]
    finishes = [(choice["index"], choice["finish_reason"]) for choice in choices if choice["finish_reason"] is not None]
    assert finishes == [(0, "length"), (1, "stop")]
    assert [choice["delta"] for choice in choices[-2:]] == [{}, {}]


@pytest.mark.parametrize("target", ["openai_chat", "anthropic", "bedrock_converse"])
def test_the_finish_reason_comes_before_an_error_that_follows_it(target: il.FormatName) -> None:
    chunks = [candidate("one ", **STOP), {"error": {"code": 500, "message": "x", "status": "INTERNAL"}}]
    stream = il.restream(chunks, source="gemini", target=target, on_loss="ignore")
    out: Chunks = []
    with pytest.raises(il.ProviderError):
        out.extend(stream)
    types = [event.type for event in read(out, target)[1]]
    assert types.index("stop") < types.index("error")


@pytest.mark.parametrize("target", ["gemini", "google_genai"])
def test_the_finish_reasons_of_gemini_stay_in_its_own_streams(target: il.FormatName) -> None:
    out: Chunks = list(il.restream(ROUNDS["code between"][:2], source="gemini", target=target))
    parts = [candidate("one "), {"candidates": [STOP]}, candidate(None), COUNTED]
    assert [_in_camel_case(chunk) for chunk in out] == parts


def _in_camel_case(chunk: dict[str, Any]) -> dict[str, Any]:
    """A chunk of google-genai in the spelling of Gemini's server."""
    text = json.dumps(chunk)
    for snake, camel in (
        ("finish_reason", "finishReason"),
        ("usage_metadata", "usageMetadata"),
        ("executable_code", "executableCode"),
    ):
        text = text.replace(snake, camel)
    found: dict[str, Any] = json.loads(text)
    return found


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


@pytest.mark.parametrize("target", [name for name in MAIN if name != "harmony"])
def test_usage_after_the_end_is_not_lost(target: il.FormatName) -> None:
    used = {"usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}}
    chunks: Chunks = [*ASKED, "[DONE]", {"id": "c", "model": "m", "choices": [], **used}]
    out = list(il.restream(chunks, source="openai_chat", target=target, on_loss="ignore", usage=True))
    usage = read(out, target)[0].response.usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (3, 2)
