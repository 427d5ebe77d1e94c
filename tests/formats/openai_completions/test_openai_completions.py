"""Completions: prompts become user messages elsewhere, and conversations one text here; both are reported."""

from typing import Any

import pytest

import interlingua as il

CHAT: dict[str, Any] = {
    "model": "m",
    "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi."}],
    "tools": [{"type": "function", "function": {"name": "f"}}],
}


def reported(result: il.Conversion[Any]) -> list[tuple[str, str]]:
    return [(loss.path, loss.kind) for loss in result.losses]


def test_a_prompt_becomes_a_user_message_and_its_place_is_known() -> None:
    result: Any = il.convert({"prompt": "Hi.", "stop": "x"}, source="openai_completions", target="anthropic")
    assert result.payload == {"messages": [{"role": "user", "content": "Hi."}], "stop_sequences": ["x"]}
    assert (reported(result), result.places) == ([("/prompt", "changed")], {"/messages/0": "/prompt"})


def test_several_prompts_become_as_many_messages() -> None:
    payload = {"prompt": ["a", "b"], "stop": "x", "suffix": "s"}
    result: Any = il.convert(payload, source="openai_completions", target="openai_chat")
    assert [message["content"] for message in result.payload["messages"]] == ["a", "b"]
    assert reported(result) == [("/prompt/0", "changed"), ("/prompt/1", "changed"), ("/suffix", "dropped")]
    assert result.places == {"/messages/0": "/prompt/0", "/messages/1": "/prompt/1"}


def test_a_bare_list_is_one_of_prompts() -> None:
    request = il.load(["a", "b"], "openai_completions")
    assert il.dump(request, "openai_completions") == {"prompt": ["a", "b"]}
    result = il.convert(["a", "b"], source="openai_completions", target="openai_chat")
    assert [message["content"] for message in result.payload["messages"]] == ["a", "b"]
    assert reported(result) == [("/0", "changed"), ("/1", "changed")]
    assert result.places == {"/messages/0": "/0", "/messages/1": "/1"}


@pytest.mark.parametrize("prompt", [[1, 2], [[1, 2], [3]], ["a", [1]], []])
def test_prompts_of_token_numbers_come_back_as_they_were(prompt: list[Any]) -> None:
    assert il.dump(il.load({"prompt": prompt}, "openai_completions"), "openai_completions") == {"prompt": prompt}


def test_a_conversation_becomes_one_text_and_that_is_reported() -> None:
    result: Any = il.convert(CHAT, source="openai_chat", target="openai_completions")
    assert "Be brief." in result.payload["prompt"]
    assert "Hi." in result.payload["prompt"]
    assert reported(result) == [("/messages/0", "changed"), ("/messages/1", "changed"), ("/tools", "dropped")]


def test_a_message_without_text_is_dropped() -> None:
    losses: list[il.Loss] = []
    messages: list[il.Message] = [il.OpaqueMessage(format="x", value={"role": "x"}), il.UserMessage(content="Hi.")]
    assert il.dump(messages, "openai_completions", on_loss=losses.append) == {"prompt": "Hi."}
    assert [(loss.path, loss.kind) for loss in losses] == [("/0", "dropped"), ("/1", "changed")]


@pytest.mark.parametrize(
    ("wire", "path"),
    [
        ({"prompt": 5}, "/prompt"),
        ({"prompt": "x", "stop": [1]}, "/stop/0"),
        ({"prompt": "\ud800"}, "/prompt"),
        ({"prompt": ["a", "\ud800"]}, "/prompt/1"),
        ({"prompt": [{"role": "user", "content": "x"}]}, "/prompt/0"),
        ([{"role": "user", "content": "x"}], "/0"),
        (["a", 1.5], "/1"),
        ({"prompt": "x", "stop": "\ud800"}, "/stop"),
        ({"prompt": "x", "more": {"a": float("nan")}}, "/more/a"),
    ],
)
def test_a_fault_is_reported_in_its_place(wire: Any, path: str) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.load(wire, "openai_completions")
    assert [fault.path for fault in caught.value.faults] == [path]
