"""What Cohere's Chat alone does: plans beside calls, documents of results, citations, the choice of one tool."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import interlingua as il
from laws.steps import steps

CALL = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
RESULT = {"role": "tool", "tool_call_id": "a", "content": [{"type": "document", "document": {"id": "a:0", "data": {"n": 1}}}]}
ASKED = {"role": "user", "content": "Go."}
PLANNED: dict[str, Any] = {"role": "assistant", "tool_plan": "Call f.", "tool_calls": [CALL]}
TOOL = il.Tool(name="f", parameters={"type": "object", "properties": {}})


def test_a_plan_is_reasoning_and_goes_back_as_a_plan() -> None:
    request = il.load({"messages": [ASKED, PLANNED, RESULT]}, "cohere")
    message = request.messages[1]
    assert isinstance(message, il.AssistantMessage)
    assert (message.thinking, message.text, [use.name for use in message.tool_uses]) == ("Call f.", "", ["f"])
    assert il.dump(request, "cohere")["messages"][1] == PLANNED


def test_a_plan_of_an_answer_goes_back_as_a_plan_among_messages_of_others() -> None:
    body = {"id": "r", "finish_reason": "TOOL_CALL", "message": PLANNED}
    message = il.load_response(body, "cohere").message
    history = [il.UserMessage(content="Go."), message]
    assert il.dump(history, "cohere", on_loss="raise")["messages"][1] == PLANNED


def test_a_plan_reaches_another_provider_as_reasoning_or_is_reported() -> None:
    payload = {"messages": [ASKED, PLANNED, RESULT]}
    to_deepseek = il.convert(payload, source="cohere", target="deepseek")
    assert to_deepseek.payload["messages"][1]["reasoning_content"] == "Call f."
    to_openai = il.convert(payload, source="cohere", target="openai_chat")
    assert [loss.path for loss in to_openai.losses if loss.kind == "dropped"] == [
        "/messages/1/tool_plan",
        "/messages/2/content/0/document/id",
    ]


def test_reasoning_of_another_provider_is_thinking_and_no_plan() -> None:
    said = {"role": "assistant", "content": None, "reasoning_content": "Call f.", "tool_calls": [CALL]}
    result = {"role": "tool", "tool_call_id": "a", "content": "1"}
    made = il.convert({"messages": [ASKED, said, result]}, source="deepseek", target="cohere")
    thinking = [{"type": "thinking", "thinking": "Call f."}]
    assert made.payload["messages"][1] == {"role": "assistant", "content": thinking, "tool_calls": [CALL]}
    assert made.losses == ()


@pytest.mark.parametrize("function", [{"name": "f"}, {"name": "f", "arguments": None}], ids=["absent", "null"])
def test_a_call_without_arguments_has_an_empty_object_elsewhere(function: dict[str, Any]) -> None:
    payload = {"messages": [ASKED, {"role": "assistant", "tool_calls": [{**CALL, "function": function}]}, RESULT]}
    assert il.dump(il.load(payload, "cohere"), "cohere", on_loss="raise") == payload
    made = il.convert(payload, source="cohere", target="anthropic")
    assert made.payload["messages"][1]["content"][0]["input"] == {}
    assert [loss for loss in made.losses if loss.path.startswith("/messages/1")] == []


def test_json_of_a_result_is_a_document_if_it_is_an_object() -> None:
    parts: list[Any] = [il.JsonPart(value={"n": 1}), il.JsonPart(value=[1])]
    call = il.AssistantMessage(content=[il.ToolUsePart(id="a", name="f", input="{}")])
    history = [il.UserMessage(content="Go."), call, il.ToolMessage(tool_call_id="a", content=parts)]
    content = il.dump(history, "cohere", on_loss="raise")["messages"][2]["content"]
    assert content == [{"type": "document", "document": {"data": {"n": 1}}}, {"type": "text", "text": "[1]"}]


def test_the_choice_of_one_tool_becomes_that_of_any_and_a_free_one_is_left_out() -> None:
    messages = [il.UserMessage(content="Go.")]
    losses: list[il.Loss] = []
    chosen = il.Request(messages=messages, tools=[TOOL], tool_choice={"type": "tool", "name": "f"})
    assert il.dump(chosen, "cohere", on_loss=losses.append).get("tool_choice") == "REQUIRED"
    assert [(loss.kind, loss.path) for loss in losses] == [("changed", "/tool_choice")]
    free = il.Request(messages=messages, tools=[TOOL], tool_choice={"type": "auto"})
    assert "tool_choice" not in il.dump(free, "cohere", on_loss="ignore")


def test_an_edit_moves_the_citations_with_their_text() -> None:
    source = {"type": "document", "id": "d", "document": {"text": "Bern"}}
    cited = {"start": 0, "end": 4, "text": "Bern", "sources": [source], "content_index": 0, "type": "TEXT_CONTENT"}
    said = {"role": "assistant", "content": [{"type": "text", "text": "Bern."}], "citations": [cited]}
    request = il.load({"messages": [ASKED, said]}, "cohere")
    message = request.messages[1]
    assert isinstance(message, il.AssistantMessage)
    edited = message.replace(content=[il.ThinkingPart(thinking="Hm."), *message.parts])
    made = il.dump(request.replace(messages=[request.messages[0], edited]), "cohere", on_loss="raise")
    assert made["messages"][1]["citations"] == [cited | {"content_index": 1}]


def test_a_generation_that_failed_is_an_error_of_the_stream() -> None:
    start = {"type": "message-start", "id": "r", "delta": {"message": {"role": "assistant"}}}
    end = {"type": "message-end", "delta": {"error": "no", "error_type": "INVALID_TOOL_GENERATION", "finish_reason": "ERROR"}}
    reader = il.reader("cohere")
    for chunk in (start, end):
        reader.feed(chunk)
    assert reader.error is not None
    assert (reader.error.message, reader.error.type) == ("no", "INVALID_TOOL_GENERATION")
    assert (reader.response.stop_reason, reader.response.choices[0].incomplete) == ("error", None)


def many(count: int) -> dict[str, Any]:
    """A request with so many citations, half of them of one text and half of another."""
    texts = [{"type": "text", "text": "Bern."}] * 2
    cited: list[dict[str, Any]] = [
        {"start": 0, "end": 4, "text": "Bern", "sources": [], "content_index": n * 2 // count} for n in range(count)
    ]
    return {"messages": [ASKED, {"role": "assistant", "content": texts, "citations": cited}]}


def many_chunks(count: int) -> list[dict[str, Any]]:
    """A stream of so many texts, each with a citation."""
    chunks: list[dict[str, Any]] = []
    for index in range(count):
        text = {"message": {"content": {"type": "text", "text": "Bern."}}}
        cited: dict[str, Any] = {"start": 0, "end": 4, "text": "Bern", "sources": [], "content_index": index}
        chunks.append({"type": "content-start", "index": index, "delta": text})
        chunks.append({"type": "citation-start", "index": index, "delta": {"message": {"citations": cited}}})
    return [*chunks, {"type": "message-end", "delta": {"finish_reason": "COMPLETE"}}]


def convert_many(count: int) -> None:
    il.convert(many(count), source="cohere", target="anthropic")


def read_many(count: int) -> None:
    assert len(list(il.reader("cohere").read(many_chunks(count)))) > count


@pytest.mark.parametrize("call", [convert_many, read_many])
def test_twice_the_citations_take_twice_the_steps(call: Callable[[int], None]) -> None:
    call(2)  # what is done once
    few, more = (steps(partial(call, count)) for count in (100, 200))
    assert more < 2.3 * few


def test_only_the_stop_sequences_that_are_left_out_are_reported() -> None:
    body = {"messages": [{"role": "user", "content": "?"}], "stop_sequences": ["a", "", "b", "c", "d", "a", "a", "b"]}
    made: Any = il.convert(body | {"model": "m", "max_tokens": 9}, source="anthropic", target="cohere")
    assert made.payload["stop_sequences"] == ["a", "b", "c", "d", "a"]
    lost = [loss.path for loss in made.losses if "stop" in loss.path]
    assert lost == ["/stop_sequences/1", "/stop_sequences/6", "/stop_sequences/7"]


@pytest.mark.parametrize("url", ["gs://bucket/a.png", "s3://bucket/a.png", "file-9"])
def test_an_image_that_cohere_cannot_fetch_is_left_out(url: str) -> None:
    content = [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": url}}]
    made = il.convert({"messages": [{"role": "user", "content": content}]}, source="openai_chat", target="cohere", check=True)
    assert made.payload["messages"] == [{"role": "user", "content": content[:1]}]
    assert [(loss.kind, loss.path) for loss in made.losses] == [("dropped", "/messages/0/content/1")]
    assert made.problems == ()


@pytest.mark.parametrize("url", ["HTTPS://example.com/a.png", "data:image/png;base64,AAAA"])
def test_an_image_that_cohere_can_fetch_is_sent(url: str) -> None:
    content = [{"type": "image_url", "image_url": {"url": url}}]
    made = il.convert({"messages": [{"role": "user", "content": content}]}, source="openai_chat", target="cohere", strict=True)
    assert made.payload["messages"] == [{"role": "user", "content": content}]
