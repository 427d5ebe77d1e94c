"""The builder: AskTable's methods, and turns that come in chunks."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from anthropic.types import RawMessageStreamEvent
from hypothesis import given, strategies as st
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from pydantic import TypeAdapter

import interlingua as il
from history.building import CALLING, MARK, QUESTION, SYSTEM, Builder, as_list, asking, call_delta, chunk, ruin, shown, unlike
from interlingua import testing
from interlingua.codec.strategies.cutting import Hosts
from interlingua.testing.lawbook import share
from interlingua.testing.splitting import split, streamable
from laws import recorded, sdks


def blocks(builder: Builder) -> list[dict[str, Any]]:
    """The last message in AskTable's blocks, whatever of it has no place there."""
    content: list[dict[str, Any]] = builder.dump("asktable", on_loss="ignore")["messages"][-1]["content"]
    return content


# AskTable's page


def test_one_conversation_goes_to_both_providers() -> None:
    builder = Builder(system_prompt=SYSTEM)
    builder.append_openai_message(QUESTION)
    for_openai, for_anthropic = builder.dump_openai(on_loss="raise"), builder.dump_anthropic(on_loss="raise")
    assert for_openai == [{"role": "system", "content": SYSTEM}, QUESTION]
    assert for_anthropic == [{"role": "user", "content": [{"type": "text", "text": "Rain in Beijing?"}]}]
    assert builder.system_prompt == SYSTEM
    assert sdks.request_faults({"messages": for_openai}, "openai_chat") == []
    assert sdks.request_faults({"system": builder.system_prompt, "messages": for_anthropic}, "anthropic") == []


def test_text_is_shown_as_it_comes_and_stands_in_the_messages() -> None:
    builder = Builder()
    builder.append_openai_message(QUESTION)
    chunks = [chunk({"role": "assistant", "content": ""}), chunk({"content": "No"}), chunk({"content": "."}), chunk({}, "stop")]
    for i, said in enumerate(["", "No", "No.", "No."]):
        got = builder.append_openai_delta(ChatCompletionChunk.model_validate(chunks[i]))
        assert got is None if i in (0, 3) else isinstance(got, il.TextDelta)
        assert [message.text for message in builder.messages[1:]] == [said] * bool(said)
    assert builder.append_openai_delta(chunk(choices=[], usage={"prompt_tokens": 1})) is None
    assert builder.dump_openai(on_loss="raise") == [QUESTION, {"role": "assistant", "content": "No."}]


def test_a_call_is_open_until_its_result_is_appended() -> None:
    builder = asking()
    call = {"type": "tool_use", "id": "call_1", "name": "forecast", "input": '{ "city":"Beijing"}'}
    assert builder.get_unresolved_tool_use_blocks() == [call]
    event = builder.append_tool_result("call_1", "Sun, 25 °C")
    assert event == il.ToolResultPart(tool_use_id="call_1", content="Sun, 25 °C")
    assert builder.get_unresolved_tool_use_blocks() == []
    result = {"role": "tool", "tool_call_id": "call_1", "content": "Sun, 25 °C"}
    assert builder.dump_openai(on_loss="raise") == [{"role": "system", "content": SYSTEM}, QUESTION, CALLING, result]
    assert builder.dump_anthropic(on_loss="raise")[1:] == [
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "I will look."}, call | {"input": {"city": "Beijing"}}],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "Sun, 25 °C"}]},
    ]


@pytest.mark.parametrize("count", [1, 2])
def test_tool_calls_are_shown_when_the_turn_ends(count: int) -> None:
    builder = Builder()
    ids = [f"call_{i}" for i in range(count)]
    for i, id in enumerate(ids):
        assert builder.append_openai_delta(chunk(call_delta(i, "", id=id, name="forecast", type="function"))) is None
    for part in ('{"day"', ": 1}"):
        for i in range(count):
            assert builder.append_openai_delta(chunk(call_delta(i, part))) is None
    got = builder.append_openai_delta(chunk({}, "tool_calls"))
    assert isinstance(got, il.ToolUse if count == 1 else list)
    whole = [{"type": "tool_use", "id": id, "name": "forecast", "arguments": '{"day": 1}'} for id in ids]
    assert shown([got]) == whole
    assert [block["id"] for block in builder.get_unresolved_tool_use_blocks()] == ids
    assert [block["input"] for block in blocks(builder)] == ['{"day": 1}'] * count


SPELLINGS: list[Callable[[str], dict[str, Any]]] = [
    lambda text: {"reasoning_details": [{"text": text}]},
    lambda text: {"reasoning_details": [{"type": "reasoning.text", "text": text, "index": 0}], "reasoning": text},
    lambda text: {"reasoning": text},
    lambda text: {"reasoning_content": text},
]


@pytest.mark.parametrize(
    "spelled",
    SPELLINGS,
    ids=["details without a type", "details beside reasoning", "reasoning", "reasoning_content"],
)
def test_every_spelling_of_reasoning_is_one_thinking_block(spelled: Any) -> None:
    streamed, whole, once = (
        Builder(),
        Builder(),
        [{"type": "thinking", "thinking": "Clouds, hm."}, {"type": "text", "text": "Yes"}],
    )
    chunks = [chunk(spelled("Clouds, ")), chunk(spelled("hm.")), chunk({"content": "Yes"}), chunk({}, "stop")]
    before = copy.deepcopy(chunks)
    got = shown(map(streamed.append_openai_delta, chunks))
    assert [event.get("thinking") for event in got] == ["Clouds, ", "hm.", None]
    as_objects, as_text = Builder(), Builder()
    for one in chunks:
        as_objects.append_openai_delta(ChatCompletionChunk.model_validate(one))
        as_text.append_openai_delta(json.dumps(one))
    whole.append_openai_message({"role": "assistant", "content": "Yes", **spelled("Clouds, hm.")})
    for builder in (streamed, as_objects, as_text, whole):
        assert [{k: block[k] for k in ("type", block["type"])} for block in blocks(builder)] == once
    assert chunks == before


def test_the_users_last_message_gets_a_cache_mark() -> None:
    builder = Builder()
    builder.append_openai_message(QUESTION)
    marked = [{"role": "user", "content": [{"type": "text", "text": "Rain in Beijing?", "cache_control": MARK}]}]
    assert builder.dump_openai(cache_control=True) == marked
    assert builder.dump_openai() == [QUESTION]
    image = {"type": "image_url", "image_url": {"url": "https://x.test/sky.png"}}
    builder.append_openai_message({"role": "user", "content": [{"type": "text", "text": "And here?"}, image]})
    assert builder.dump_openai(cache_control=True)[1]["content"][1] == image | {"cache_control": MARK}
    builder.append_openai_message(CALLING)
    builder.append_tool_result("call_1", "Sun")
    assert builder.dump_openai(cache_control=True)[-1] == {"role": "tool", "tool_call_id": "call_1", "content": "Sun"}


# More than the page keeps


def test_images_and_parts_are_kept() -> None:
    builder = Builder()
    content = [{"type": "text", "text": "Rain?"}, {"type": "image_url", "image_url": {"url": "https://x.test/sky.png"}}]
    builder.append_openai_message({"role": "user", "content": content})
    assert builder.dump_openai(on_loss="raise") == [{"role": "user", "content": content}]
    assert [block["type"] for block in builder.dump_anthropic(on_loss="raise")[0]["content"]] == ["text", "image"]


def test_one_text_is_a_string_for_openai_and_several_stay_apart() -> None:
    builder = Builder()
    one, two = {"type": "text", "text": "Rain?"}, {"type": "text", "text": "Or sun?"}
    builder.append_openai_message({"role": "user", "content": [one]})
    builder.append_openai_message({"role": "user", "content": [one, two]})
    builder.append({"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}, one]})
    losses: list[il.Loss] = []
    written = builder.dump_openai(on_loss=losses.append)
    assert [message["content"] for message in written] == ["Rain?", [one, two], "Rain?"]
    assert [(loss.kind, loss.path, loss.at) for loss in losses] == [("moved", "/2/content/1", "/messages/2/content")]


def test_what_a_dump_cannot_carry_is_reported() -> None:
    builder = Builder()
    builder.append_openai_message({"role": "assistant", "content": "Yes", "reasoning": "Clouds."})
    for dump in (builder.dump_openai, builder.dump_anthropic):
        with pytest.warns(il.LossWarning, match="reasoning|thinking") as reported:
            dump()
        assert reported[0].filename == __file__
        with pytest.raises(il.LossyConversion):
            dump(on_loss="raise")
    with pytest.warns(il.LossWarning) as reported:
        builder.dump("openai_chat")
    assert reported[0].filename == __file__


def test_the_system_prompt_is_what_leads() -> None:
    builder = Builder()
    assert builder.system_prompt is None
    builder.append_openai_message({"role": "system", "content": "Be brief."})
    builder.append_openai_message({"role": "developer", "content": "Be kind."})
    assert builder.system_prompt == "Be brief.\n\nBe kind."
    assert builder.dump_anthropic(on_loss="ignore") == []
    builder.append_openai_message(QUESTION)
    builder.dump_openai()
    builder.system_prompt = SYSTEM
    assert builder.dump_openai(on_loss="raise") == [{"role": "system", "content": SYSTEM}, QUESTION]
    assert builder.dump("anthropic").get("system") == SYSTEM
    builder.system_prompt = ""
    assert builder.dump_openai() == [{"role": "system", "content": ""}, QUESTION]
    builder.system_prompt = None
    assert builder.dump_openai() == [QUESTION]
    with pytest.raises(il.InvalidPayload):
        builder.system_prompt = "\ud800"


def test_messages_come_in_every_form() -> None:
    whole: dict[str, Any] = {"id": "c", "created": 1, "model": "m", "object": "chat.completion", "choices": []}
    choice: dict[str, Any] = {"index": 0, "finish_reason": "stop", "message": CALLING | {"refusal": None, "annotations": []}}
    answer = ChatCompletion.model_validate(whole | {"choices": [choice]}).choices[0].message
    builder = Builder()
    for message in (CALLING, answer, il.load([CALLING], "openai_chat").messages[0]):
        builder.append_openai_message(message)
    builder.append({"role": "assistant", "content": "x", "tool_calls": [{"id": "a", "name": "f", "arguments": "{}"}]})
    builder.append(il.UserMessage(content="Thanks"))
    assert builder.dump_openai(on_loss="raise")[:3] == [CALLING] * 3
    assert [message.role for message in builder.messages] == ["assistant"] * 4 + ["user"]
    assert sdks.request_faults({"messages": builder.dump_openai()}, "openai_chat") == []


def test_what_only_responses_hold_stays_out_of_requests() -> None:
    note = {"type": "url_citation", "url_citation": {"url": "https://x.test", "title": "t", "start_index": 0, "end_index": 1}}
    said = {"role": "assistant", "content": "Yes", "refusal": None, "annotations": [note]}
    body = {"id": "c", "created": 1, "model": "m", "object": "chat.completion"}
    answer = ChatCompletion.model_validate(body | {"choices": [{"index": 0, "finish_reason": "stop", "message": said}]})
    builder = Builder()
    builder.append_openai_message(answer.choices[0].message)
    assert builder.dump_openai(on_loss="raise") == [{"role": "assistant", "content": "Yes"}]
    assert "annotations" not in builder.dump("openrouter", on_loss="raise")["messages"][0]


@pytest.mark.parametrize(
    ("method", "wrong", "path"),
    [
        ("append_openai_message", [{"role": "user", "content": 5}], "/content"),
        ("append_openai_message", [{"content": "x"}], ""),
        ("append_openai_message", [il.TextPart(text="x")], "/role"),
        ("append", [{"role": "user", "content": [{"type": "text", "text": 5}]}], "/content/0/text"),
        ("append", [5], ""),
        ("append_tool_result", ["a", {5}], "/content"),
        ("append_tool_result", [5, "x"], "/tool_call_id"),
    ],
)
def test_what_is_wrong_is_reported_and_leaves_the_conversation_alone(method: str, wrong: list[Any], path: str) -> None:
    builder = asking()
    before = builder.messages
    with pytest.raises(il.InvalidPayload) as reported:
        getattr(builder, method)(*wrong)
    assert [fault.path for fault in reported.value.faults] == [path]
    assert builder.messages == before


def test_nothing_that_is_appended_is_changed_or_shared() -> None:
    mine = [copy.deepcopy(CALLING), {"role": "user", "content": [{"type": "text", "text": "a", "cache_control": dict(MARK)}]}]
    result = [{"type": "text", "text": "Sun"}]
    builder = Builder()
    for message in mine:
        builder.append_openai_message(message)
    builder.append_tool_result("call_1", result)
    before = copy.deepcopy(builder.dump("openrouter"))
    assert mine[0] == CALLING
    for spoilt in (*mine, result[0]):
        ruin(spoilt)
    assert builder.dump("openrouter") == before


# Turns in chunks


def test_a_new_turn_begins_after_the_end_of_the_last() -> None:
    builder = Builder()
    for id, text in (("a", "One"), ("b", "Two")):
        builder.append_openai_delta(chunk({"content": text}, id=id))
        builder.append_openai_delta(chunk({}, "stop", id=id))
        builder.append_openai_delta(chunk({"role": "assistant", "content": ""}, id=id, usage={"prompt_tokens": 1}))
    assert [message.text for message in builder.messages] == ["One", "Two"]


def test_a_new_turn_begins_where_another_message_was_appended() -> None:
    builder = Builder()
    for answer in ("One", "Two"):
        builder.append_openai_delta(chunk({"content": answer}))  # it breaks off
        builder.append_openai_message(QUESTION)
    assert [message.text for message in builder.messages] == ["One", QUESTION["content"], "Two", QUESTION["content"]]


@pytest.mark.parametrize(("id", "goes_on"), [("chatcmpl-1", True), ("chatcmpl-2", False), (None, False)])
def test_a_turn_that_was_answered_before_its_end_goes_on_under_its_id(id: str | None, goes_on: bool) -> None:
    builder = Builder()
    builder.append_openai_delta(chunk(call_delta(0, "{}", id="a", name="f")))
    builder.append_tool_result("a", "x")
    builder.append_openai_delta(chunk({"content": "Wait."}, id=id))
    roles = ["assistant", "tool"] if goes_on else ["assistant", "tool", "assistant"]
    assert [message.role for message in builder.messages] == roles
    assert builder.messages[0 if goes_on else 2].text == "Wait."


def test_without_ids_a_turn_lasts_until_another_message() -> None:
    builder = Builder()
    for one in (chunk({"content": "On"}, id=None), chunk({}, "stop", id=None), chunk({"content": "e"}, id=None)):
        builder.append_openai_delta(one)
    assert [message.text for message in builder.messages] == ["One"]


def test_what_comes_late_begins_no_message() -> None:
    builder = Builder()
    builder.append_openai_delta(chunk(call_delta(0, "{}", id="a", name="f")))
    builder.append_openai_delta(chunk({}, "tool_calls"))
    builder.append_tool_result("a", "x")
    for late in (chunk(choices=[], usage={}), chunk({"role": "assistant", "content": ""}), chunk({}, "tool_calls"), "[DONE]"):
        assert builder.append_openai_delta(late) is None
    assert [message.role for message in builder.messages] == ["assistant", "tool"]
    builder.append_openai_delta(chunk({"content": "Done"}, id="other"))
    assert [message.role for message in builder.messages] == ["assistant", "tool", "assistant"]


def test_the_late_end_of_a_turn_is_not_that_of_the_next() -> None:
    builder = Builder()
    builder.append_openai_delta(chunk({"content": "One"}))
    builder.append_openai_message(QUESTION)
    assert builder.append_openai_delta("[DONE]") is None
    builder.append_openai_delta(chunk(call_delta(0, "{}", id="a", name="f"), id="other"))
    builder.append_tool_result("a", "x")
    assert shown([builder.append_openai_delta(chunk({}, "tool_calls", id="other"))])[0]["name"] == "f"
    assert [message.role for message in builder.messages] == ["assistant", "user", "assistant", "tool"]


def anthropic_turn(id: str = "toolu_1") -> Iterator[dict[str, Any]]:
    """The events of a turn with thinking, text and a call."""
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [],
        "stop_reason": None,
    }
    usage = {"input_tokens": 3, "output_tokens": 1}
    yield {"type": "message_start", "message": message | {"stop_sequence": None, "usage": usage}}
    yield {"type": "ping"}
    deltas: list[tuple[dict[str, Any], list[dict[str, Any]]]] = [
        (
            {"type": "thinking", "thinking": "", "signature": ""},
            [{"type": "thinking_delta", "thinking": "Clouds."}, {"type": "signature_delta", "signature": "c2ln"}],
        ),
        ({"type": "text", "text": ""}, [{"type": "text_delta", "text": "I will "}, {"type": "text_delta", "text": "look."}]),
        (
            {"type": "tool_use", "id": id, "name": "forecast", "input": {}},
            [{"type": "input_json_delta", "partial_json": part} for part in ("", '{"city"', ': "Beijing"}')],
        ),
    ]
    for index, (start, parts) in enumerate(deltas):
        yield {"type": "content_block_start", "index": index, "content_block": start}
        for delta in parts:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": {"output_tokens": 9}}
    yield {"type": "message_stop"}


@pytest.mark.parametrize("form", ["dict", "object", "text"])
def test_an_anthropic_stream_is_a_turn_too(form: str) -> None:
    sdk: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)
    builder = Builder()
    builder.append_openai_message(QUESTION)
    got: list[Any] = []
    for event in anthropic_turn():
        given_as = {"dict": event, "text": json.dumps(event)}
        known = form == "object" and event["type"] != "ping"
        got.append(builder.append_anthropic_event(sdk.validate_python(event) if known else given_as.get(form, event)))
    assert shown(got) == [
        {"type": "thinking", "thinking": "Clouds."},
        {"type": "text", "text": "I will "},
        {"type": "text", "text": "look."},
        {"type": "tool_use", "id": "toolu_1", "name": "forecast", "arguments": '{"city": "Beijing"}'},
    ]
    (call,) = builder.get_unresolved_tool_use_blocks()
    assert call == {"type": "tool_use", "id": "toolu_1", "name": "forecast", "input": '{"city": "Beijing"}'}
    assert builder.dump_anthropic(on_loss="raise")[1]["content"] == [
        {"type": "thinking", "thinking": "Clouds.", "signature": "c2ln"},
        {"type": "text", "text": "I will look."},
        {"type": "tool_use", "id": "toolu_1", "name": "forecast", "input": {"city": "Beijing"}},
    ]
    assert builder.dump_openai(on_loss="ignore")[1]["content"] == "I will look."


def test_a_tool_may_be_run_before_its_turn_has_ended() -> None:
    builder = Builder()
    builder.append_openai_message(QUESTION)
    events = list(anthropic_turn())
    for event in events[:-2]:
        builder.append_anthropic_event(event)
    builder.append_tool_result("toolu_1", "Sun")
    more = [
        {"type": "content_block_start", "index": 3, "content_block": {"type": "text", "text": "Wait."}},
        {"type": "content_block_stop", "index": 3},
    ]
    for event in [*more, *events[-2:]]:
        builder.append_anthropic_event(event)
    assert [message.role for message in builder.messages] == ["user", "assistant", "tool"]
    assert builder.messages[1].text == "I will look.Wait."
    assert builder.dump("anthropic", on_loss="raise") == il.dump(builder.messages, "anthropic", on_loss="raise")
    for event in anthropic_turn("toolu_2"):
        builder.append_anthropic_event(event)
    assert [message.role for message in builder.messages] == ["user", "assistant", "tool", "assistant"]


def test_turns_of_both_providers_follow_one_another() -> None:
    builder = Builder()
    builder.append_openai_delta(chunk({"content": "One"}))
    for event in anthropic_turn():
        builder.append_anthropic_event(event)
    builder.append_openai_delta(chunk({"content": "Three"}))
    assert [message.text for message in builder.messages] == ["One", "I will look.", "Three"]


def test_an_error_in_a_stream_is_shown() -> None:
    builder = Builder()
    got = builder.append_openai_delta({"error": {"message": "overloaded", "code": 529}})
    assert isinstance(got, il.ErrorEvent)
    assert got.error["message"] == "overloaded"
    assert builder.messages == ()


def test_only_the_first_answer_is_the_conversations() -> None:
    builder = Builder()
    second = {"index": 1, "delta": {"content": "Other"}, "finish_reason": None}
    both = chunk({"content": "One"})
    both["choices"].append(second)
    assert shown([builder.append_openai_delta(both)]) == [{"type": "text", "text": "One"}]
    assert [message.text for message in builder.messages] == ["One"]


@pytest.mark.parametrize("bad", [5, None, b"{}", "no json", "[1]", {"choices": 5}, {"choices": [{"delta": 5}]}])
def test_a_chunk_that_is_none_is_refused_and_the_turn_goes_on(bad: Any) -> None:
    builder = Builder()
    builder.append_openai_delta(chunk({"content": "On"}))
    with pytest.raises(il.StreamError):
        builder.append_openai_delta(bad)
    builder.append_openai_delta(chunk({"content": "e"}))
    assert builder.messages[0].text == "One"


@given(st.data())
def test_a_turn_in_chunks_is_the_whole_message(data: st.DataObject) -> None:
    format: il.FormatName = data.draw(st.sampled_from(["openrouter", "anthropic"]))
    body = streamable(data.draw(testing.responses(format)), format)
    assert body is not None
    builder = Builder()
    builder.append_openai_message(QUESTION)
    append = builder.append_anthropic_event if format == "anthropic" else builder.append_openai_delta
    got = [append(one) for one in split(body, format, Hosts(data.draw(st.integers(0, 2**32))))]
    message = il.load_response(body, format).message
    share.judged(builder.messages[1:] == (message,), least=0.75)
    assert builder.messages[1:] in ((message,), ())
    events = [event for one in got for event in as_list(one)]
    assert "".join(event.text for event in events if isinstance(event, il.TextDelta)) == message.text
    assert [event.name for event in events if isinstance(event, il.ToolUse)] == [call.name for call in message.tool_uses]
    if builder.messages[1:] == ():
        assert not any((message.text, message.thinking, message.tool_uses))


# Open calls


def test_a_result_of_an_earlier_turn_answers_no_later_call() -> None:
    builder = asking()
    builder.append_tool_result("call_1", "Sun")
    builder.append_openai_message(CALLING)
    assert [block["id"] for block in builder.get_unresolved_tool_use_blocks()] == ["call_1"]
    builder.append(il.UserMessage(content=(il.ToolResultPart(tool_use_id="call_1", content="Rain"),)))
    assert builder.get_unresolved_tool_use_blocks() == []


def test_calls_without_ids_are_answered_in_order() -> None:
    builder = Builder()
    calls = [{"name": name, "arguments": "{}"} for name in ("f", "g")]
    builder.append({"role": "assistant", "tool_calls": calls})
    builder.append({"role": "tool", "content": "of f"})
    assert [block["name"] for block in builder.get_unresolved_tool_use_blocks()] == ["g"]


def test_where_nothing_was_called_nothing_is_open() -> None:
    builder = Builder(SYSTEM)
    assert builder.get_unresolved_tool_use_blocks() == []
    builder.append_openai_message(CALLING)
    builder.append_openai_message({"role": "assistant", "content": "Never mind."})
    assert builder.get_unresolved_tool_use_blocks() == []


# Recorded traffic


@pytest.mark.traffic
@pytest.mark.parametrize("api", [*recorded.CHAT, *recorded.ANTHROPIC])
def test_recorded_streams_become_messages(traffic: Path, api: str) -> None:
    for record in recorded.streams(traffic, api):
        builder = Builder()
        append = builder.append_anthropic_event if api in recorded.ANTHROPIC else builder.append_openai_delta
        events = [event for one in record.body for event in as_list(append(one))]
        messages = [message for message in builder.messages if isinstance(message, il.AssistantMessage)]
        assert "".join(message.text for message in messages) == "".join(e.text for e in events if isinstance(e, il.TextDelta))
        called = [call.arguments for message in messages for call in message.tool_uses]
        assert list(map(parsed, called)) == [parsed(e.arguments) for e in events if isinstance(e, il.ToolUse)]
        for format in ("openai_chat", "anthropic"):
            assert unlike(builder, format) == []


def parsed(arguments: str) -> Any:
    return json.loads(arguments or "{}")
