"""LiteLLM has the reasoning blocks of Claude's answers twice: in the message, and in its own fields."""

import json
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


OTHER = il.ThinkingPart(thinking="other", signature="t", issuer="anthropic")


@pytest.mark.parametrize("blocks", [None, [OTHER], [OTHER, OTHER]])
def test_an_edit_of_the_blocks_is_in_both_places(blocks: Any) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "q"}, _message({"thinking_blocks": BLOCKS})]}
    request = il.load(body, "litellm")
    [question, message] = request.messages
    assert isinstance(message, il.AssistantMessage)
    edited = request.replace(messages=[question, message.replace(thinking_blocks=blocks)])
    written = il.dump(edited, "litellm", on_loss="raise")["messages"][1]
    expected = [{"type": "thinking", "thinking": "other", "signature": "t"}] * len(blocks or ())
    assert written.get("thinking_blocks", []) == expected
    assert written.get("provider_specific_fields", {"thinking_blocks": []}) == {"thinking_blocks": expected}


def _chunk(delta: Any, finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def _twice(**block: Any) -> dict[str, Any]:
    return _in_both([{"type": "thinking", **block}])


def _in_both(blocks: list[Any], **beside: Any) -> dict[str, Any]:
    return {
        "thinking_blocks": blocks,
        "provider_specific_fields": {"thinking_blocks": json.loads(json.dumps(blocks)), **beside},
    }


def _message_of(*deltas: dict[str, Any]) -> Any:
    """The message, dumped at home, of the deltas."""
    reader = il.reader("litellm")
    for chunk in [*map(_chunk, deltas), _chunk({}, "stop")]:
        list(reader.feed(chunk))
    reader.close()
    return il.dump_response(reader.response, "litellm", on_loss="raise")["choices"][0]["message"]


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


SIGNED = {"type": "thinking", "thinking": "a", "signature": "sg"}
DETAILS = [{"type": "reasoning.text", "text": "a", "signature": "sg", "format": "anthropic-claude-v1"}]
STREAMS: list[tuple[list[dict[str, Any]], dict[str, Any]]] = [
    ([_twice(thinking="a", signature=None), _twice(thinking="", signature="sg")], _in_both([SIGNED])),
    ([_twice(thinking="a", signature="sg"), _twice(thinking="", signature=None)], _in_both([SIGNED])),
    ([_twice(thinking="a", signature=None)], _in_both([{**SIGNED, "signature": None}])),
    ([{"provider_specific_fields": None}, _in_both([SIGNED]), {"provider_specific_fields": None}], _in_both([SIGNED])),
    ([_in_both(["x"])], _in_both(["x"])),
    ([_in_both([SIGNED]) | {"reasoning_details": DETAILS}], _in_both([SIGNED]) | {"reasoning_details": DETAILS}),
    ([_in_both([SIGNED], citations=None)], _in_both([SIGNED], citations=None)),
    ([_in_both([SIGNED], container={"id": "c"})], _in_both([SIGNED], container={"id": "c"})),
]


@pytest.mark.parametrize(("deltas", "message"), STREAMS)
def test_the_fold_of_a_stream_has_both_copies(deltas: list[dict[str, Any]], message: dict[str, Any]) -> None:
    expected = {"role": "assistant", **message, "content": "hi"}
    deltas = [{"role": "assistant"}, *deltas, {"content": "hi"}]
    assert _message_of(*deltas) == expected
    chunks = [*map(_chunk, deltas), _chunk({}, "stop")]
    written = list(il.restream(chunks, source="litellm", target="litellm", on_loss="raise"))
    assert _message_of(*(chunk["choices"][0]["delta"] for chunk in written)) == expected


def _nested() -> Any:
    nested: Any = "x"
    for _ in range(1000):
        nested = [nested]
    return nested


def test_deep_blocks_are_not_compared() -> None:
    def block() -> dict[str, Any]:
        return {"type": "thinking", "thinking": "a", "z": _nested()}

    said = _message({"thinking_blocks": [block()]}) | {"thinking_blocks": [block()]}
    with pytest.raises(il.InterlinguaError):
        il.load([said], "litellm")
    answer = {"choices": [{"index": 0, "finish_reason": "stop", "message": said}]}
    with pytest.raises(il.InterlinguaError):
        il.load_response(answer, "litellm")
    with pytest.raises(il.InterlinguaError):
        list(il.reader("litellm").feed(_chunk(said)))
