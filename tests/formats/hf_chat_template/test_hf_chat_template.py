"""What only chat templates take: arguments as objects, calls without ids, the names of results, media beside their type."""

import json
from typing import Any

import pytest

import interlingua as il
from interlingua.conversion.layouts import LAYOUTS
from interlingua.conversion.rows import convert_row

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

ASK: dict[str, Any] = {"role": "user", "content": "Is it warm?"}
TOOL: dict[str, Any] = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}


def called(*arguments: str, **more: Any) -> dict[str, Any]:
    calls = [
        {"id": f"c{number}", "type": "function", "function": {"name": f"f{number}", "arguments": text}}
        for number, text in enumerate(arguments)
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls, **more}


def result(id: str, content: Any = "4") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content}


def written(*messages: dict[str, Any], source: il.FormatName = "openai_chat", **more: Any) -> tuple[Any, list[tuple[str, str]]]:
    """A request as templates get it, and the kinds and paths of what that loses."""
    made = il.convert({"messages": [*messages], **more}, source=source, target="hf_chat_template")
    return made.payload, [(loss.kind, loss.path) for loss in made.losses]


def test_arguments_are_objects_and_content_is_never_null() -> None:
    payload, losses = written(ASK, called('{"a": 1,  "b": [null]}', ""), result("c1"), result("c0", ""))
    answer = payload["messages"][1]
    assert [call["function"]["arguments"] for call in answer["tool_calls"]] == [{"a": 1, "b": [None]}, {}]
    assert answer["content"] == ""
    assert [(each["name"], each["content"]) for each in payload["messages"][2:]] == [("f1", "4"), ("f0", "")]
    empty = ("changed", "/messages/1/tool_calls/1/function/arguments")
    assert losses == [empty, ("added", "/messages/2"), ("added", "/messages/3")]


@pytest.mark.parametrize("text", ["f(1)", "[1]", '{"a": 1, "a": 2}', '{"a": 0.10000000000000001}'])
def test_arguments_that_are_no_object_are_reported(text: str) -> None:
    payload, losses = written(ASK, called(text))
    assert type(payload["messages"][1]["tool_calls"][0]["function"]["arguments"]) is dict
    assert losses == [("changed", "/messages/1/tool_calls/0/function/arguments")]


def test_a_history_of_another_provider_needs_no_ids() -> None:
    parts: list[Any] = [{"functionCall": {"name": "f", "args": {}}}, {"functionCall": {"name": "g", "args": {}}}]
    answers = [{"functionResponse": {"name": name, "response": {"output": name}}} for name in ("f", "g")]
    contents: list[Any] = [{"role": "model", "parts": parts}, {"role": "user", "parts": answers}]
    payload = il.convert({"contents": contents}, source="gemini", target="hf_chat_template").payload
    assert "id" not in json.dumps(payload)
    assert [message.get("name") for message in payload["messages"]] == [None, "f", "g"]


def test_a_free_form_call_becomes_a_functions() -> None:
    call = {"id": "c", "type": "custom", "custom": {"name": "sh", "input": "ls"}}
    payload, losses = written(ASK, {"role": "assistant", "tool_calls": [call]})
    assert payload["messages"][1]["tool_calls"] == [
        {"id": "c", "type": "function", "function": {"name": "sh", "arguments": {"input": "ls"}}}
    ]
    assert losses == [("changed", "/messages/1/tool_calls/0")]


def test_texts_are_one_string_unless_there_are_media() -> None:
    words = {"type": "text", "text": "a"}
    data = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}}
    payload, losses = written(
        {"role": "user", "content": [words]}, {"role": "user", "content": [words, data]}, source="anthropic", max_tokens=9
    )
    assert [message["content"] for message in payload["messages"]] == [
        "a",
        [words, {"type": "image", "url": "data:image/png;base64,AA=="}],
    ]
    assert losses == [("dropped", "/max_tokens")]
    back = il.convert(payload, source="hf_chat_template", target="anthropic").payload
    assert back["messages"][1]["content"][1] == data


def test_text_that_was_appended_is_written_by_the_rules() -> None:
    """At home, arguments as text stay text; those of a message that another provider wrote become objects."""
    home = {"messages": [ASK, called('{"a":1}')]}
    request = il.load(home, "hf_chat_template")
    other = il.load({"messages": [called('{"a":1}')]}, "openai_chat").messages
    extended = request.replace(messages=[*request.messages, *other])
    made = il.dump(extended, "hf_chat_template")["messages"]
    assert made[1] == home["messages"][1]
    assert made[2]["tool_calls"][0]["function"]["arguments"] == {"a": 1}


def test_the_reasoning_of_a_template_of_another_name() -> None:
    thinking = il.format_for(il.ChatTemplateProfile(reasoning="thinking"))
    payload = il.dump([il.AssistantMessage(content="1", reasoning_content="One.")], thinking)
    assert payload["messages"] == [{"role": "assistant", "content": "1", "thinking": "One."}]


def test_what_servers_take_for_their_templates_is_sent_to_templates() -> None:
    variables = {
        "chat_template_kwargs": {"enable_thinking": False},
        "add_generation_prompt": True,
        "documents": [{"text": "a"}],
    }
    payload, losses = written(ASK, source="deepseek", model="m", **variables, repetition_penalty=1)
    assert payload == {"messages": [ASK], **variables}
    assert losses == [("dropped", "/model"), ("dropped", "/repetition_penalty")]
    assert il.convert(payload, source="hf_chat_template", target="vllm").payload == payload


def test_a_request_of_a_server_is_not_taken_for_that_of_a_template() -> None:
    served = {"messages": [ASK], "chat_template_kwargs": {"enable_thinking": False}}
    assert {one.format for one in il.detect(served)} == {"hf_chat_template", "openai_chat"}
    assert "hf_chat_template" not in [one.format for one in il.detect({"model": "m", **served})]
    assert [one.format for one in il.detect({"messages": [ASK], "add_generation_prompt": True})] == ["hf_chat_template"]


def test_two_conversations_of_a_row_are_converted_apart() -> None:
    answers = [{"role": "assistant", "content": "No.", "reasoning_content": word} for word in ("a", "b")]
    row = {"chosen": [ASK, answers[0]], "rejected": [ASK, answers[1]], "tools": [TOOL]}
    made = convert_row(row, LAYOUTS["trl_implicit_preference"], "openai_chat")
    plain = {"role": "assistant", "content": "No."}
    assert made.payload == {"chosen": [ASK, plain], "rejected": [ASK, plain], "tools": [TOOL]}
    assert [loss.path for loss in made.losses] == ["/chosen/1/reasoning_content", "/rejected/1/reasoning_content"]


def test_what_becomes_text_is_reported_once_and_the_detail_of_an_image_is_reported() -> None:
    answer = {"role": "assistant", "content": [{"type": "text", "text": "No."}], "refusal": "I will not."}
    payload, losses = written(ASK, answer)
    assert payload["messages"][1] == {"role": "assistant", "content": "No.\nI will not."}
    assert losses == [("changed", "/messages/1/refusal"), ("changed", "/messages/1/content/0")]
    image = il.ImagePart(source=il.UrlSource(url="https://a.example/a.png"), detail="low")
    reported: list[il.Loss] = []
    made = il.dump([il.UserMessage(content=[image])], "hf_chat_template", on_loss=reported.append)
    assert made["messages"][0]["content"] == [{"type": "image", "url": "https://a.example/a.png"}]
    assert [(loss.kind, loss.path) for loss in reported] == [("dropped", "/0/content/0/detail")]


def test_reasoning_under_another_name_is_not_native_to_chat() -> None:
    """Only a template's message has reasoning in `thinking`: appended to one of Chat, it is written as its host has it."""
    thought = il.load({"messages": [{"role": "assistant", "content": "1", "thinking": "One."}]}, "hf_chat_template")
    chat = il.load({"messages": [ASK]}, "deepseek")
    made = il.dump(chat.replace(messages=[*chat.messages, *thought.messages]), "deepseek")
    assert made["messages"][1] == {"role": "assistant", "content": "1", "reasoning_content": "One."}


@pytest.mark.parametrize("source", ["hf_chat_template", "vllm", "sglang"])
def test_a_template_without_thinking_is_a_request_without_reasoning(source: il.FormatName) -> None:
    body = {"messages": [{"role": "user", "content": "Hi."}], "chat_template_kwargs": {"enable_thinking": False, "x": 1}}
    request = il.load(body, source)
    assert request.reasoning_budget == 0
    assert il.dump(request, source, on_loss="raise") == body
    made = il.convert(body, source=source, target="anthropic")
    assert made.payload.get("thinking") == {"type": "disabled"}
    assert [loss.path for loss in made.losses] == ["/chat_template_kwargs/x"]
    edited = il.dump(request.replace(reasoning_budget=None), source, on_loss="ignore")
    assert edited.get("chat_template_kwargs", {}).get("enable_thinking") is None


def test_a_request_without_reasoning_is_a_template_without_thinking() -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi."}], "thinking": {"type": "disabled"}, "max_tokens": 9}
    assert il.convert(body, source="anthropic", target="hf_chat_template").payload["enable_thinking"] is False
    ollama = {"messages": [{"role": "user", "content": "Hi."}], "think": False}
    made = il.convert(ollama, source="ollama", target="hf_chat_template")
    assert made.payload["enable_thinking"] is False
    assert made.losses == ()
    both = {**body, "messages": body["messages"], "enable_thinking": False, "reasoning_effort": "low"}
    del both["thinking"], both["max_tokens"], both["model"]
    assert il.dump(il.load(both, "hf_chat_template"), "hf_chat_template", on_loss="raise") == both
