"""Calls with an empty id, as Gemini's Chat endpoint and LM Studio send them, and with an id that comes after the name."""

from typing import Any

import pytest

import interlingua as il
from laws.families import CALLING, MAIN, STREAMING

CALLS = [{"id": "", "type": "function", "function": {"name": name, "arguments": "{}"}} for name in "fg"]
MESSAGE: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": CALLS}
FRAME = {"id": "c", "object": "chat.completion", "created": 1, "model": "m"}
ANSWER = FRAME | {"choices": [{"index": 0, "message": MESSAGE, "finish_reason": "tool_calls"}]}
RESULTS = [{"role": "tool", "tool_call_id": "", "content": f"from {name}"} for name in "fg"]
HISTORY: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Go."}, MESSAGE, *RESULTS]}
WITHOUT: dict[str, Any] = {
    "model": "m",
    "messages": [
        {"role": "user", "content": "Go."},
        {**MESSAGE, "tool_calls": [{key: call[key] for key in ("type", "function")} for call in CALLS]},
        *({key: result[key] for key in ("role", "content")} for result in RESULTS),
    ],
}


@pytest.mark.parametrize("target", [name for name in MAIN if il.FORMATS[name].family != "openai"])
def test_a_history_is_the_same_as_one_without_ids(target: il.FormatName) -> None:
    assert il.dump(il.load(HISTORY, "gemini_openai"), "gemini_openai", on_loss="raise") == HISTORY
    sent = il.convert(HISTORY, source="gemini_openai", target=target).payload
    assert sent == il.convert(WITHOUT, source="gemini_openai", target=target).payload


@pytest.mark.parametrize("target", [name for name in STREAMING if il.FORMATS[name].family != "openai"])
def test_the_calls_of_an_answer_have_ids_of_their_own_or_none(target: il.FormatName) -> None:
    whole = il.load_response(il.dump_response(il.load_response(ANSWER, "openai_chat"), target, on_loss="ignore"), target)
    frame: dict[str, Any] = FRAME | {"object": "chat.completion.chunk"}
    deltas: list[dict[str, Any]] = [
        {"role": "assistant"},
        *({"tool_calls": [{**call, "index": i}]} for i, call in enumerate(CALLS)),
    ]
    chunks = [frame | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    ended: dict[str, Any] = {"index": 0, "delta": {}, "finish_reason": "tool_calls"}
    chunks.append(frame | {"choices": [ended]})
    written = list(il.restream(chunks, source="openai_chat", target=target, on_loss="ignore"))
    streamed = il.accumulate(il.reader(target).read(written))
    for response in (whole, streamed):
        ids = [part.id for part in response.message.parts if isinstance(part, il.ToolUsePart)]
        ids += [call.id for call in getattr(response.message, "tool_calls", None) or ()]
        assert "" not in ids
        known = [id for id in ids if id is not None]
        assert len({*known}) == len(known)
    if target == "openai_responses":
        items = [chunk["item"]["call_id"] for chunk in written if "item" in chunk]
        assert items == ["call-1", "call-1", "call-2", "call-2"]
        assert [item["call_id"] for item in written[-1]["response"]["output"]] == ["call-1", "call-2"]


@pytest.mark.parametrize("target", [name for name in STREAMING if name in CALLING])
def test_an_id_that_comes_before_the_arguments_is_that_of_the_call(target: il.FormatName) -> None:
    function: dict[str, Any] = {"name": "f", "arguments": ""}
    pieces: list[dict[str, Any]] = [
        {"index": 0, "type": "function", "function": function},
        {"index": 0, "id": "call_late"},
        {"index": 0, "function": {"arguments": '{"a": '}},
        {"index": 0, "function": {"arguments": "1}"}},
    ]
    frame: dict[str, Any] = FRAME | {"object": "chat.completion.chunk"}
    chunks = [frame | {"choices": [{"index": 0, "delta": {"tool_calls": [piece]}}]} for piece in pieces]
    ended: dict[str, Any] = {"index": 0, "delta": {}, "finish_reason": "tool_calls"}
    chunks.append(frame | {"choices": [ended]})
    losses: list[il.Loss] = []
    made = list(il.restream(chunks, source="openai_chat", target=target, on_loss=losses.append))
    assert [loss for loss in losses if "invented" in loss.detail] == []
    (call,) = il.accumulate(il.reader(target).read(made)).message.tool_uses
    assert call.parsed == {"a": 1}
    if target not in ("harmony", "mistral"):  # without ids, and with ids of another form
        assert call.id == "call_late"
