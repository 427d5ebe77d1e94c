"""The space that stands for the reasoning which DeepSeek demands in messages with tool calls."""

from typing import Any

import interlingua as il

ASK = {"role": "user", "content": "a"}
CALL = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
RESULT = {"role": "tool", "tool_call_id": "call_1", "content": "b"}


def body(**answer: Any) -> dict[str, Any]:
    return {"messages": [ASK, {"role": "assistant", "content": None, "tool_calls": [CALL], **answer}, RESULT]}


def test_a_call_of_another_provider_gets_a_space_for_its_reasoning() -> None:
    result = il.convert(body(), source="openai_chat", target="deepseek", check=True)
    assert result.payload["messages"][1]["reasoning_content"] == " "
    assert [(loss.kind, loss.path, loss.at) for loss in result.losses] == [
        ("added", "/messages/1", "/messages/1/reasoning_content")
    ]
    assert [problem.code for problem in result.problems] == []


def test_reasoning_is_sent_and_text_alone_needs_none() -> None:
    known = il.convert(body(reasoning_content="x"), source="litellm", target="deepseek")
    assert (known.payload["messages"][1]["reasoning_content"], known.losses) == ("x", ())
    plain = il.convert({"messages": [ASK, {"role": "assistant", "content": "b"}]}, source="openai_chat", target="deepseek")
    assert (plain.payload["messages"][1], plain.losses) == ({"role": "assistant", "content": "b"}, ())


def test_reasoning_alone_gets_an_empty_text_in_place_of_null() -> None:
    answer = {"role": "assistant", "content": [{"type": "thinking", "thinking": "x", "signature": "eA=="}]}
    asked: dict[str, Any] = {"messages": [ASK, answer, ASK], "max_tokens": 9}
    made = il.convert(asked, source="anthropic", target="deepseek", check=True)
    assert made.payload["messages"][1] == {"role": "assistant", "content": "", "reasoning_content": "x"}
    assert ("added", "/messages/1", "/messages/1/content") in [(loss.kind, loss.path, loss.at) for loss in made.losses]
    assert made.problems == ()
    calling = il.convert(body(reasoning_content="x"), source="litellm", target="deepseek")
    assert calling.payload["messages"][1]["content"] is None


def test_the_space_is_read_as_no_reasoning_and_written_again_at_home() -> None:
    sent = il.convert(body(), source="openai_chat", target="deepseek").payload
    request = il.load(sent, "deepseek")
    assert request.messages[1].parts[0].type == "tool_use"
    assert il.dump(request, "deepseek", on_loss="raise") == sent
    assert il.dump(il.load(body(), "deepseek"), "deepseek", on_loss="raise") == body()
    assert il.convert(sent, source="deepseek", target="openai_chat").payload == body()


def test_blank_reasoning_of_several_blocks_is_reported_where_it_begins() -> None:
    blank = [{"type": "thinking", "thinking": text, "signature": "eA=="} for text in (" ", "")]
    calling: dict[str, Any] = {
        "role": "assistant",
        "content": [*blank, {"type": "tool_use", "id": "a", "name": "f", "input": {}}],
    }
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "b"}]}
    made = il.convert({"messages": [ASK, calling, result], "max_tokens": 9}, source="anthropic", target="deepseek")
    assert made.payload["messages"][1]["reasoning_content"] == " "
    assert [loss.path for loss in made.losses if "stand-in" in loss.detail] == ["/messages/1/content/0"]
    assert made.places["/messages/1/reasoning_content"] == "/messages/1/content/0"


def test_what_deepseek_itself_answered_gets_none() -> None:
    answer = il.load_response(
        {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [CALL]}}]}, "deepseek"
    )
    sent = il.dump([il.UserMessage(content="a"), answer.message], "deepseek", on_loss="raise")
    assert "reasoning_content" not in sent["messages"][1]


def test_a_profile_says_what_stands_for_reasoning() -> None:
    kimi = il.format_for(il.ChatProfile(reasoning="reasoning_content", reasoning_stand_in="."), "kimi")
    result = il.convert(body(), source="openai_chat", target=kimi)
    assert result.payload["messages"][1]["reasoning_content"] == "."
    assert il.load(result.payload, kimi).messages[1].thinking == ""
