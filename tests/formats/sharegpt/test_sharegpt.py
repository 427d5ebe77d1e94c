"""ShareGPT's rows: calls and tools as JSON text, in whatever layout, and what a turn of one text cannot hold."""

import json
from typing import Any

import pytest

import interlingua as il
from interlingua.testing.lawbook import spoke

TOOLS = '[{"name": "rain", "parameters": {"type": "object", "properties": {}}}]'


def row(*turns: tuple[str, str], **more: Any) -> dict[str, Any]:
    return {"conversations": [{"from": said, "value": value} for said, value in turns], **more}


def lost(payload: Any, source: il.FormatName = "openai_chat") -> tuple[Any, list[tuple[str, str]]]:
    result = il.convert(payload, source=source, target="sharegpt")
    return result.payload, [(loss.kind, loss.path) for loss in result.losses]


def test_a_row_becomes_a_request_of_chat() -> None:
    calls = '[{"name": "rain", "arguments": {"in": "Oslo"}}, {"name": "rain", "arguments": {"in": "Rome"}}]'
    given = row(
        ("human", "Rain?"), ("function_call", calls), ("observation", "no"), ("observation", "yes"), ("gpt", "In Rome.")
    )
    result = il.convert({**given, "system": "Be brief.", "tools": TOOLS}, source="sharegpt", target="openai_chat")
    payload: Any = result.payload
    messages = payload["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "tool", "tool", "assistant"]
    called = messages[2]["tool_calls"]
    assert [call["function"]["arguments"] for call in called] == ['{"in": "Oslo"}', '{"in": "Rome"}']
    assert [message["tool_call_id"] for message in messages[3:5]] == [call["id"] for call in called]
    assert payload["tools"][0]["function"]["name"] == "rain"
    assert {loss.kind for loss in result.losses} == {"changed"}  # the ids
    back, losses = lost(payload)
    assert back == {**row(("system", "Be brief.")), **given, "tools": TOOLS} | {
        "conversations": [{"from": "system", "value": "Be brief."}, *given["conversations"]]
    }
    assert {path.rpartition("/")[2] for _, path in losses} == {"id", "tool_call_id"}


@pytest.mark.parametrize(
    "value",
    [
        '{"name":"f","arguments":{}}',
        '{"arguments": {"a": 1.0, "b": 12345678901234567890}, "name": "f"}',
        '[{"name": "f", "arguments": "{"}]',
        '{"name": "f", "arguments": {}, "thought": null}',
        ' {"name": "f", "arguments": {"\\u00e9": "é"}}\n',
    ],
)
def test_calls_come_back_as_they_were_spelled_until_they_are_edited(value: str) -> None:
    given = row(("human", "q"), ("function_call", value), ("observation", "r"))
    request = il.load(given, "sharegpt")
    assert request.messages[1].tool_uses[0].name == "f"
    assert il.dump(request, "sharegpt", on_loss="raise") == given
    called: Any = request.messages[1]
    edited = request.replace(messages=[request.messages[0], called.replace(content=[called.parts[0].replace(name="g")])])
    made = json.loads(il.dump(edited, "sharegpt", on_loss="raise")["conversations"][1]["value"])
    assert (made[0] if isinstance(made, list) else made)["name"] == "g"


@pytest.mark.parametrize(
    "value",
    [
        *("f()", "[]", "{}", "7", '{"name": "f"}', '{"name": 1, "arguments": {}}', "[" * 100_000),
        '{"name": "f", "arguments": {"a": 1, "a": 2}}',
        '{"name": "f", "arguments": {"a": NaN}}',
        '{"name": "f", "arguments": {"a": 1e999}}',
        '{"name": "f", "arguments": {"a": "\\ud800"}}',
        '{"name": "f", "arguments": {"a": ' + "[" * 250 + "]" * 250 + "}}",
    ],
)
def test_what_is_no_call_is_kept_and_reported(value: str) -> None:
    given = row(("human", "q"), ("function_call", value))
    request = il.load(given, "sharegpt")
    assert request.messages[1].role == "opaque"
    assert il.dump(request, "sharegpt", on_loss="raise") == given
    result = il.convert(given, source="sharegpt", target="anthropic")
    assert [(loss.kind, loss.path) for loss in result.losses] == [("dropped", "/conversations/1")]


def test_results_follow_in_the_order_of_their_calls() -> None:
    calls = [{"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}} for id in ("a", "b")]
    results = [{"role": "tool", "tool_call_id": id, "content": id} for id in ("b", "a")]
    said = {"role": "assistant", "content": "I look.", "tool_calls": calls}
    made, losses = lost([{"role": "user", "content": "q"}, said, *results])
    words = [(turn["from"], turn["value"]) for turn in made["conversations"]]
    assert words[1] == ("gpt", "I look.")
    assert words[3:] == [("observation", "a"), ("observation", "b")]
    assert ("changed", "/1") in losses
    assert {("moved", "/2"), ("moved", "/3")} <= set(losses)


def test_a_result_that_says_nothing_keeps_its_place_before_that_of_the_next_call() -> None:
    calls: list[Any] = [{"type": "tool_use", "id": id, "name": "f", "input": {}} for id in ("a", "b", "c")]
    image = {"type": "image", "source": {"type": "url", "url": "https://a.example/b.png"}}
    results: list[Any] = [
        {"type": "tool_result", "tool_use_id": "a"},
        {"type": "tool_result", "tool_use_id": "b", "content": [image]},
        {"type": "tool_result", "tool_use_id": "c", "content": "done"},
    ]
    said: list[Any] = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": calls},
        {"role": "user", "content": results},
    ]
    made, losses = lost({"model": "m", "max_tokens": 9, "messages": said}, "anthropic")
    words = [(turn["from"], turn["value"]) for turn in made["conversations"]]
    assert words[2:] == [("observation", ""), ("observation", ""), ("observation", "done")]
    assert [path for kind, path in losses if kind == "dropped" and "messages" in path] == ["/messages/2/content/1/content/0"]


def test_results_without_ids_keep_their_calls_when_one_says_nothing() -> None:
    calls: list[Any] = [{"type": "tool_use", "name": name, "input": {}} for name in ("f", "g")]
    results: list[Any] = [
        {"type": "tool_result", "name": "f", "content": []},
        {"type": "tool_result", "name": "g", "content": "done"},
    ]
    said: list[Any] = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": calls},
        {"role": "user", "content": results},
    ]
    assert spoke.faults(il.validate(said), il.FORMATS["sharegpt"]) == []


def test_media_beside_results_are_dropped_alone() -> None:
    image = {"type": "image", "source": {"type": "url", "url": "https://a.example/b.png"}}
    said: list[Any] = [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "done"}, image]},
    ]
    made = spoke.Spoke.of(il.Request(messages=il.validate(said)), il.FORMATS["sharegpt"])
    assert [loss.path for loss in made.losses if loss.kind == "dropped"] == ["/messages/1/content/1"]
    assert [*made.faults(), *spoke.differences(made)] == []


def test_what_has_no_place_is_reported() -> None:
    image = {"type": "image_url", "image_url": {"url": "https://a.example/b.png"}}
    parts = [{"type": "text", "text": "one"}, image, {"type": "text", "text": "two"}]
    made, losses = lost({"model": "m", "messages": [{"role": "user", "content": parts, "name": "mira"}]})
    assert made == row(("human", "one\ntwo"))
    assert sorted(losses) == [
        ("changed", "/messages/0"),
        ("dropped", "/messages/0/content/1"),
        ("dropped", "/messages/0/name"),
        ("dropped", "/model"),
    ]


@pytest.mark.parametrize(
    ("turn", "path"),
    [({"from": "human"}, "/conversations/0/value"), ({"value": "x"}, "/conversations/0"), ("x", "/conversations/0")],
)
def test_a_turn_that_is_none_is_one_fault(turn: Any, path: str) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.load({"conversations": [turn]}, "sharegpt")
    assert [fault.path for fault in caught.value.faults] == [path]


def test_a_result_has_not_moved_before_an_image_that_has_no_place() -> None:
    image = {"type": "image", "source": {"type": "url", "url": "https://e.org/a.png"}}
    call: dict[str, Any] = {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]}
    result = {"role": "user", "content": [image, {"type": "tool_result", "tool_use_id": "t", "content": "x"}]}
    _, losses = lost({"messages": [{"role": "user", "content": "Hi."}, call, result]}, "anthropic")
    assert ("dropped", "/messages/2/content/0") in losses
    assert [path for kind, path in losses if kind == "moved"] == []
