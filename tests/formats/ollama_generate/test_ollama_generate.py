"""Ollama's generate: a system text and a prompt become messages elsewhere, and conversations one text; that is reported."""

from typing import Any

import interlingua as il


def test_a_prompt_becomes_a_user_message_after_its_system_text() -> None:
    body = {"model": "m", "prompt": "Hi.", "system": "Be brief.", "suffix": "!", "stream": False}
    made: Any = il.convert(body, source="ollama_generate", target="openai_chat")
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi."}]
    assert made.payload == {"model": "m", "messages": messages, "stream": False}
    assert [(loss.kind, loss.path) for loss in made.losses] == [("changed", "/prompt"), ("dropped", "/suffix")]
    assert (made.places["/messages/0"], made.places["/messages/1"]) == ("/system", "/prompt")


def test_a_conversation_becomes_one_text_and_its_system_text_stays() -> None:
    messages = [il.SystemMessage(content="Be brief."), il.UserMessage(content="a"), il.AssistantMessage(content="b")]
    losses: list[il.Loss] = []
    made = il.dump(messages, "ollama_generate", on_loss=losses.append)
    assert made == {"system": "Be brief.", "prompt": "a\n\nb"}
    assert [(loss.kind, loss.path) for loss in losses] == [("changed", "/1"), ("changed", "/2")]


def test_the_settings_are_those_of_the_chat() -> None:
    chat = {"model": "m", "options": {"num_predict": 9, "seed": 7, "num_ctx": 99}, "think": False, "format": "json"}
    prompt = {**chat, "prompt": "Hi."}
    made: Any = il.convert(prompt, source="ollama_generate", target="ollama")
    assert made.payload == {**chat, "messages": [{"role": "user", "content": "Hi."}], "stream": True}
    request = il.load(prompt, "ollama_generate")
    assert (request.max_tokens, request.reasoning_effort, request.stream) == (9, "none", True)
