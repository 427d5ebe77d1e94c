"""LiteLLM has the reasoning blocks of Claude's answers twice: in the message, and in its own fields."""

from typing import Any

import pytest

import interlingua as il

BLOCKS = [{"type": "thinking", "thinking": "hm", "signature": "s"}]


def _message(beside: Any) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": "hi",
        "reasoning_content": "hm",
        "thinking_blocks": BLOCKS,
        "provider_specific_fields": beside,
    }


@pytest.mark.parametrize(
    ("beside", "lost"),
    [
        ({"thinking_blocks": BLOCKS}, None),
        ({"thinking_blocks": BLOCKS, "citations": None}, None),
        ({"thinking_blocks": None, "citations": None}, None),
        ({}, None),
        ({"thinking_blocks": [{**BLOCKS[0], "signature": "other"}]}, ""),
        ({"thinking_blocks": [*BLOCKS, *BLOCKS], "citations": None}, ""),
        ({"thinking_blocks": BLOCKS, "container": {"id": "c"}}, "/container"),
    ],
)
def test_only_an_equal_copy_is_no_loss(beside: Any, lost: str | None) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "q"}, _message(beside), {"role": "user", "content": "q"}]}
    assert il.dump(il.load(body, "litellm"), "litellm", on_loss="raise") == body
    found = [loss.path for loss in il.convert(body, source="litellm", target="anthropic").losses]
    assert found == ([] if lost is None else ["/messages/1/provider_specific_fields" + lost])

    answer: dict[str, Any] = {"id": "x", "object": "chat.completion", "created": 1, "model": "m"}
    answer["choices"] = [{"index": 0, "finish_reason": "stop", "message": _message(beside)}]
    response = il.load_response(answer, "litellm")
    assert il.dump_response(response, "litellm", on_loss="raise") == answer
    losses: list[il.Loss] = []
    il.dump_response(response, "anthropic", on_loss=losses.append)
    assert any(loss.kind == "dropped" for loss in losses) == (lost is not None)


def test_an_edit_of_the_blocks_is_in_both_places() -> None:
    [message] = il.load([_message({"thinking_blocks": BLOCKS})], "litellm").messages
    assert isinstance(message, il.AssistantMessage)
    edited = message.replace(thinking_blocks=None)
    [written] = il.dump([edited], "litellm", on_loss="raise")["messages"]
    assert "provider_specific_fields" not in written


def _chunk(delta: Any, finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def _twice(**block: str) -> dict[str, Any]:
    blocks = [{"type": "thinking", **block}]
    return {"thinking_blocks": blocks, "provider_specific_fields": {"thinking_blocks": blocks}}


STREAM = [
    _chunk({"role": "assistant", "reasoning_content": "h", **_twice(thinking="h")}),
    _chunk({"reasoning_content": "m", **_twice(thinking="m")}),
    _chunk(_twice(thinking="", signature="s")),
    _chunk({"content": "hi"}),
    _chunk({}, "stop"),
]


def test_a_stream_with_copies_loses_nothing() -> None:
    losses: list[il.Loss] = []
    list(il.restream(STREAM, source="litellm", target="anthropic", on_loss=losses.append))
    assert [loss.path for loss in losses if loss.kind != "response_only"] == []
    written = list(il.restream(STREAM, source="litellm", target="litellm", on_loss="raise"))
    deltas = [chunk["choices"][0]["delta"] for chunk in written]
    twice = [delta for delta in deltas if "thinking_blocks" in delta]
    assert len(twice) == 3
    assert all(delta["provider_specific_fields"] == {"thinking_blocks": delta["thinking_blocks"]} for delta in twice)
    for chunks in (STREAM, written):
        reader = il.reader("litellm")
        for chunk in chunks:
            list(reader.feed(chunk))
        reader.close()
        answer = il.dump_response(reader.response, "litellm", on_loss="raise")
        message = answer["choices"][0]["message"]
        assert message["thinking_blocks"] == message["provider_specific_fields"]["thinking_blocks"] == BLOCKS


def test_a_copy_that_differs_in_a_stream_is_a_loss() -> None:
    delta = {**_twice(thinking="h"), "provider_specific_fields": {"thinking_blocks": [{"type": "thinking", "thinking": "x"}]}}
    losses: list[il.Loss] = []
    list(il.restream([_chunk(delta), _chunk({}, "stop")], source="litellm", target="anthropic", on_loss=losses.append))
    assert [loss.path for loss in losses if loss.kind == "dropped"] == [
        "/choices/0/message/provider_data/openai/provider_specific_fields"
    ]
