"""OpenHands' messages: string or list content by what the model can do, in dictionaries that litellm takes.

What a model can do is said by the profile, in the call; a message stays what it is, whichever way it is written.
"""

import copy
import itertools
import warnings
from typing import Any

import pytest

import interlingua as il
from interlingua.formats import openai_chat

MARK = {"type": "ephemeral"}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
CALLS = [
    {"id": "call_1", "name": "run", "arguments": '{"command": "ls"}'},
    {"id": "call_2", "name": "run", "arguments": '{"command": "pwd"}'},
]
NESTED = [{"id": c["id"], "type": "function", "function": {"name": c["name"], "arguments": c["arguments"]}} for c in CALLS]

CONVERSATION: list[dict[str, Any]] = [
    {"role": "system", "content": "You fix bugs."},
    {"role": "user", "content": [{"type": "text", "text": "What is here?"}, IMAGE, {"type": "text", "text": "Look."}]},
    {"role": "assistant", "content": "I'll look.", "tool_calls": CALLS},
    {
        "role": "tool",
        "tool_call_id": "call_1",
        "name": "run",
        "content": [{"type": "text", "text": "a.py"}, {"type": "text", "text": "b.py"}],
    },
    {"role": "tool", "tool_call_id": "call_2", "name": "run", "content": "/src"},
    {"role": "assistant", "content": "Two files."},
]

# As the OpenHands class writes it: one string a message, tool calls and names beside it.
AS_STRINGS: list[dict[str, Any]] = [
    {"role": "system", "content": "You fix bugs."},
    {"role": "user", "content": "What is here?\nLook."},
    {"role": "assistant", "content": "I'll look.", "tool_calls": NESTED},
    {"role": "tool", "tool_call_id": "call_1", "name": "run", "content": "a.py\nb.py"},
    {"role": "tool", "tool_call_id": "call_2", "name": "run", "content": "/src"},
    {"role": "assistant", "content": "Two files."},
]

CAPABILITIES = [
    dict(zip(("cache", "vision", "function_calling"), flags, strict=True))
    for flags in itertools.product((False, True), repeat=3)
]
capabilities = pytest.mark.parametrize("can", CAPABILITIES, ids=lambda can: "+".join(k for k in can if can[k]) or "nothing")


def profiled(can: dict[str, bool]) -> il.Format:
    return openai_chat.format_for(openai_chat.openhands_profile(**can))


def written(can: dict[str, bool], messages: list[il.Message] | None = None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = il.dump(messages or il.validate(CONVERSATION), profiled(can), on_loss="ignore")["messages"]
    return found


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


# String or list


def test_a_model_that_can_do_nothing_gets_strings() -> None:
    assert written({}) == AS_STRINGS


def test_the_format_of_that_name_is_the_one_that_gives_strings() -> None:
    assert il.dump(il.validate(CONVERSATION), "openhands", on_loss="ignore") == {"messages": AS_STRINGS}
    assert il.FORMATS["openhands"].profile == openai_chat.openhands_profile()


@capabilities
def test_any_capability_makes_content_a_list(can: dict[str, bool]) -> None:
    kinds: set[type] = {type(message["content"]) for message in written(can)}
    assert kinds == ({list} if any(can.values()) else {str})


@capabilities
def test_images_are_written_under_vision_only(can: dict[str, bool]) -> None:
    losses: list[il.Loss] = []
    user = il.dump(il.validate(CONVERSATION), profiled(can), on_loss=losses.append)["messages"][1]
    left_out = [loss.path for loss in losses if loss.kind == "dropped"]
    if can["vision"]:
        assert user["content"] == [text("What is here?"), IMAGE, text("Look.")]
        assert left_out == []
    else:
        assert user["content"] == ([text("What is here?"), text("Look.")] if any(can.values()) else "What is here?\nLook.")
        assert left_out == ["/1/content/1"]


@capabilities
def test_cache_marks_are_written_under_cache_only(can: dict[str, bool]) -> None:
    messages = il.validate([{"role": "user", "content": [text("a") | {"cache_control": MARK}, text("b")]}])
    content = written(can, messages)[0]["content"]
    if not any(can.values()):
        assert content == "a\nb"
    else:
        assert content == [text("a") | ({"cache_control": MARK} if can["cache"] else {}), text("b")]


@capabilities
def test_tool_call_keys_are_always_there(can: dict[str, bool]) -> None:
    messages = written(can)
    assert messages[2]["tool_calls"] == NESTED
    assert [(m["tool_call_id"], m["name"]) for m in messages if m["role"] == "tool"] == [("call_1", "run"), ("call_2", "run")]
    assert not any("tool_calls" in message for message in (messages[0], messages[1], messages[5]))


def test_joining_texts_is_reported_as_a_change() -> None:
    losses: list[il.Loss] = []
    il.dump(il.validate(CONVERSATION), "openhands", on_loss=losses.append)
    joined = [loss.path for loss in losses if loss.kind == "changed"]
    assert joined == ["/1/content/0", "/1/content/2", "/3/content/0", "/3/content/1"]


@capabilities
def test_one_message_is_written_as_the_conversation_has_it(can: dict[str, bool]) -> None:
    messages = il.validate(CONVERSATION)
    assert [message.dump_as(profiled(can), on_loss="ignore") for message in messages] == written(can, messages)


@capabilities
def test_the_serializer_writes_it_too(can: dict[str, bool]) -> None:
    messages = il.validate(CONVERSATION)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", il.LossWarning)
        assert [message.model_dump(context={"format": profiled(can)}) for message in messages] == written(can, messages)


# Never on the message


@capabilities
def test_capabilities_are_never_stored_on_the_message(can: dict[str, bool]) -> None:
    messages = il.validate(CONVERSATION)
    before = copy.deepcopy(messages)
    written(can, messages)
    assert messages == before
    assert [message.to_dict() for message in messages] == CONVERSATION
    assert written({}, messages) == AS_STRINGS


@pytest.mark.parametrize("flag", ["cache_enabled", "vision_enabled", "function_calling_enabled", "condensable", "event_id"])
def test_there_is_no_field_for_them(flag: str) -> None:
    with pytest.raises(il.InvalidPayload) as caught:
        il.validate([{"role": "user", "content": "x", flag: True}])
    assert [error["path"] for error in caught.value.errors] == [f"/0/{flag}"]


# The real litellm


@pytest.fixture
def litellm(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # no look at the network for prices
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("litellm")


def tokens(litellm: Any, messages: list[Any]) -> int:
    counted: int = litellm.token_counter(model="gpt-4o", messages=messages, use_default_image_token_count=True)
    return counted


def for_anthropic(messages: list[Any]) -> dict[str, Any]:
    """What litellm makes of messages for Anthropic; it takes messages out of the list that it is given."""
    transformation: Any = pytest.importorskip("litellm.llms.anthropic.chat.transformation")
    body: dict[str, Any] = transformation.AnthropicConfig().transform_request(
        model="claude-sonnet-4-5",
        messages=list(messages),
        optional_params={"max_tokens": 5},
        litellm_params={},
        headers={},
    )
    return body


def plain(can: dict[str, bool]) -> list[dict[str, Any]]:
    """The conversation as written by hand in OpenAI's shape for a model that can do this."""
    if not any(can.values()):
        return copy.deepcopy(AS_STRINGS)
    content = [
        [text("You fix bugs.")],
        [text("What is here?"), *([copy.deepcopy(IMAGE)] if can["vision"] else []), text("Look.")],
        [text("I'll look.")],
        [text("a.py"), text("b.py")],
        [text("/src")],
        [text("Two files.")],
    ]
    return [message | {"content": parts} for message, parts in zip(copy.deepcopy(AS_STRINGS), content, strict=True)]


# litellm takes OpenAI's shape: of a conversation without tool calls, the messages themselves have it.
WITHOUT_CALLS = il.validate(
    [
        *CONVERSATION[:2],
        {
            "role": "assistant",
            "content": "An image.",
            "reasoning_content": "Hm.",
            "thinking_blocks": [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}],
        },
        {"role": "user", "content": "And now?"},
    ]
)


@pytest.mark.rivals
@capabilities
def test_litellm_counts_the_tokens_of_our_dictionaries(litellm: Any, can: dict[str, bool]) -> None:
    assert tokens(litellm, written(can)) == tokens(litellm, plain(can))
    without_calls = [{k: v for k, v in message.items() if k != "tool_calls"} for message in written(can)]
    assert tokens(litellm, written(can)) > tokens(litellm, without_calls)


@pytest.mark.rivals
@capabilities
@pytest.mark.usefixtures("litellm")
def test_litellm_transforms_our_dictionaries(can: dict[str, bool]) -> None:
    body = for_anthropic(written(can))
    assert body["messages"] == for_anthropic(plain(can))["messages"]
    used = [block for block in body["messages"][1]["content"] if block["type"] == "tool_use"]
    assert [(block["id"], block["input"]) for block in used] == [("call_1", {"command": "ls"}), ("call_2", {"command": "pwd"})]
    assert [block["tool_use_id"] for block in body["messages"][2]["content"]] == ["call_1", "call_2"]


@pytest.mark.rivals
def test_litellm_counts_the_tokens_of_our_messages(litellm: Any) -> None:
    assert tokens(litellm, WITHOUT_CALLS) == tokens(litellm, [message.to_dict() for message in WITHOUT_CALLS])
    blocks = [
        message.to_blocks()
        for message in il.validate(CONVERSATION)
        if not isinstance(message, il.TextMessage | il.OpaqueMessage)
    ]
    assert tokens(litellm, blocks) == tokens(litellm, [message.to_dict() for message in blocks])


@pytest.mark.rivals
@pytest.mark.parametrize("content", ["Two files.", [{"type": "text", "text": "Two files.", "annotations": []}]])
def test_litellm_counts_the_tokens_of_a_loaded_answer_as_of_the_same_dict(litellm: Any, content: Any) -> None:
    said: dict[str, Any] = {"role": "assistant", "content": content, "reasoning": "Hm.", "annotations": [], "refusal": None}
    choice: dict[str, Any] = {"index": 0, "message": said, "finish_reason": "stop"}
    body: dict[str, Any] = {"id": "x", "object": "chat.completion", "model": "m", "choices": [choice]}
    answer = il.load_response(body, "openai_chat").message
    alike = {"role": "assistant", "content": content, "reasoning_content": "Hm."}
    assert tokens(litellm, [answer]) == tokens(litellm, [alike])


@pytest.mark.rivals
@pytest.mark.usefixtures("litellm")
def test_litellm_transforms_our_messages() -> None:
    before = [message.to_dict() for message in WITHOUT_CALLS]
    body = for_anthropic(WITHOUT_CALLS)
    assert body == for_anthropic(copy.deepcopy(before))
    assert body["messages"][1]["content"][0] == {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
    assert [message.to_dict() for message in WITHOUT_CALLS] == before


@pytest.mark.rivals
def test_messages_stand_beside_dictionaries_in_one_conversation(litellm: Any) -> None:
    """Calls are given in OpenAI's nested spelling; the other messages may stay as they are."""
    messages = il.validate(CONVERSATION)
    mixed = [message.dump_as("litellm") if message.tool_uses else message for message in messages]
    alike = il.dump(messages, "litellm", on_loss="raise")["messages"]
    assert tokens(litellm, mixed) == tokens(litellm, alike)
    assert for_anthropic(mixed) == for_anthropic(alike)


@pytest.mark.rivals
@pytest.mark.filterwarnings("ignore::UserWarning:pydantic")  # of litellm's own types
@pytest.mark.parametrize("messages", [written({}), WITHOUT_CALLS], ids=["dictionaries", "messages"])
def test_litellm_completes_them(litellm: Any, messages: list[Any]) -> None:
    answer = litellm.completion(model="gpt-4o", messages=list(messages), mock_response="Done.")
    assert answer.choices[0].message.content == "Done."
