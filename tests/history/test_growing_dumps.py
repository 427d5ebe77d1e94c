"""Dumps of a conversation that grows are those of its messages."""

import copy
import itertools
import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

import interlingua as il
from history.building import MARK, QUESTION, Builder, asking, call_delta, chunk, image, ruin, unlike
from interlingua import testing
from interlingua.codec.format import Format
from interlingua.conversion.losses import distinct
from interlingua.formats import anthropic, new_dump, openai_chat
from interlingua.history.growing import GrowingHistory
from interlingua.testing.lawbook import documents
from laws import over

OTHERS = (
    openai_chat.format_for(openai_chat.ChatProfile(content="list", cache="cache_control", tool_media=True)),
    anthropic.format_for(anthropic.AnthropicProfile(content="string", system_in_conversation=True)),
)


TOUCHY = il.validate(
    [
        {"role": "assistant", "tool_calls": [{"id": "a:b", "name": "f", "arguments": "{}"}, {"name": "f", "arguments": "{}"}]},
        {"role": "assistant", "content": "x "},
        {"role": "tool", "tool_call_id": "a:b", "content": "x", "cache_control": MARK},
        {"role": "tool", "content": [image("AA==")]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a:b", "content": [image("AA==")]}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a:b", "content": "x"}]},
        {"role": "user", "content": [{"type": "text", "text": "x", "cache_control": MARK}] * 3},
        {"role": "user", "content": "x"},
        {"role": "system", "content": "x"},
    ]
)
"""Messages whose form depends on those before and behind them."""


def spoken(text: str) -> dict[str, Any]:
    return chunk({"content": text})


STEPS = st.one_of(
    testing.messages(),
    st.sampled_from(TOUCHY),
    st.sampled_from([*il.FORMATS, *OTHERS]),
    st.builds(spoken, testing.text()),
    st.just(chunk(call_delta(0, "{}", id="a:b", name="f"))),
    st.just(chunk({}, "stop")),
    st.none() | testing.text(),
)


@example([il.SystemMessage(content="a"), "anthropic", il.SystemMessage(content="b"), "anthropic"])
@example([il.SystemMessage(content="a"), il.UserMessage(content=" "), "anthropic", il.UserMessage(content="b"), "anthropic"])
@example(
    [
        il.AssistantMessage(content="a"),
        il.UserMessage(content=[il.AudioPart(source=il.Base64Source(data="AA==", media_type="audio/wav"))]),
        "openai_responses",
        il.AssistantMessage(tool_calls=[il.ToolCall(id="a", name="f", arguments="{}")]),
        "openai_responses",
    ]
)
@example([il.AssistantMessage(content="a "), "anthropic", il.UserMessage(content="b"), "anthropic"])
@example(
    [
        il.UserMessage(content=[il.TextPart(text=str(i), cache_control=il.CacheControl())]) if i % 2 else "anthropic"
        for i in range(12)
    ]
)
@example(
    [
        il.ToolMessage(tool_call_id="a", content=[il.ImagePart(**image("AA=="))]),
        "openai_chat",
        il.ToolMessage(tool_call_id="b", content=[il.ImagePart(**image("BB=="))]),
        "openai_chat",
        il.UserMessage(content="Thanks"),
        "openai_chat",
    ]
)
@given(st.lists(STEPS, max_size=14))
def test_dumps_on_the_way_are_those_of_the_messages(steps: list[Any]) -> None:
    builder = Builder()
    for step in steps:
        if isinstance(step, il.Format) or (isinstance(step, str) and step in il.FORMATS):
            assert unlike(builder, il.format_of(step)) == []
        elif step is None or isinstance(step, str):
            builder.system_prompt = step
        elif isinstance(step, dict):
            builder.append_openai_delta(step)
        else:
            builder.append(step)
    formats: list[Format] = [*il.FORMATS.values(), *OTHERS]
    for format in formats:
        assert unlike(builder, format) == []
        assert unlike(builder, format) == []


def growing_like(format: il.FormatName, steps: Iterable[tuple[list[il.Message], int]]) -> None:
    """Dump messages of which so many are settled, step after step, and compare with dumps of them all."""
    target = il.FORMATS[format]
    assert target.history is not None
    growing = GrowingHistory(new_dump(target, None), target.history)
    for messages, settled in steps:
        reported: list[il.Loss] = []
        want = il.dump(messages, target, on_loss=reported.append)
        got, losses = growing.dump(messages, settled)
        assert documents.canonical(got) == documents.canonical(want)
        assert distinct(losses, len("/messages")) == tuple(reported)
        ruin(got)


@pytest.mark.parametrize("format", ["openai_chat", "anthropic", "openhands"])
def test_what_is_not_settled_leaves_no_trace(format: il.FormatName) -> None:
    for first, tried, second in itertools.product(TOUCHY, repeat=3):
        growing_like(format, [([first, tried], 1), ([first, second, tried], 2), ([first, second], 2)])


@over.formats(["openai_chat", "anthropic"])
@given(data=st.data())
def test_what_is_not_settled_leaves_no_trace_in_any_conversation(format: il.FormatName, data: st.DataObject) -> None:
    some = st.lists(testing.messages() | st.sampled_from(TOUCHY), max_size=4)
    steps: list[tuple[list[il.Message], int]] = []
    settled: list[il.Message] = []
    for _ in range(data.draw(st.integers(1, 5))):
        settled = settled + data.draw(some)
        steps.append((settled + data.draw(some), len(settled)))
    growing_like(format, steps)


@over.formats([name for name, format in il.FORMATS.items() if format.listed != "prompt"])
@given(data=st.data())
def test_dumps_at_every_step_of_a_sound_conversation(format: il.FormatName, data: st.DataObject) -> None:
    source: il.FormatName = data.draw(st.sampled_from(["openai_chat", "anthropic"]))
    builder = Builder()
    for message in il.load(data.draw(testing.payloads(source)), source).messages:
        builder.append(message)
        assert unlike(builder, format) == []


@pytest.mark.parametrize("more", range(6))
def test_anthropic_keeps_the_last_marks_wherever_they_stand(more: int) -> None:
    marked = {"type": "text", "text": "x", "cache_control": MARK}
    call = {"type": "tool_use", "id": "a", "name": "f", "input": {}, "cache_control": MARK}
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": [marked]},
        {"role": "user", "content": "x", "cache_control": MARK},
        {"role": "assistant", "content": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "x", "cache_control": MARK},
        {"role": "assistant", "content": [{**call, "id": "b"}]},
        {"role": "tool", "tool_call_id": "b", "content": [marked]},
        *[{"role": "assistant", "content": [marked]}] * more,
    ]
    builder = Builder()
    for message in messages:
        builder.append(message)
        builder.dump("anthropic", on_loss="ignore")
    losses: list[il.Loss] = []
    written = json.dumps(builder.dump("anthropic", on_loss=losses.append))
    owners = ["/0/content/0", "/1", "/2/content/0", "/3", "/4/content/0", "/5/content/0"]
    owners += [f"/{i}/content/0" for i in range(6, 6 + more)]
    assert [loss.path for loss in losses if loss.kind == "dropped"] == [f"{owner}/cache_control" for owner in owners[:-4]]
    assert written.count('"cache_control"') == 4


def test_what_was_given_out_is_the_callers_own() -> None:
    builder = asking()
    builder.append_tool_result("call_1", [{"type": "text", "text": "Sun"}])
    dumps: list[Any] = [lambda: builder.dump_openai(cache_control=True), builder.dump_openai, builder.dump_anthropic]
    for dump in dumps:
        first, again = dump(), dump()
        kept = copy.deepcopy(again)
        ruin(first)
        assert again == kept == dump()


def test_a_dump_that_breaks_off_spoils_nothing() -> None:
    builder = asking()
    builder.dump("openai_chat")

    def stop(_: il.Loss) -> None:
        raise KeyError

    builder.append_openai_message({"role": "assistant", "content": "Yes", "reasoning": "Clouds."})
    with pytest.raises(KeyError):
        builder.dump("openai_chat", on_loss=stop)
    with pytest.raises(il.UnknownFormat):
        builder.dump(il.format_of("nobody"))
    assert unlike(builder, "openai_chat") == []


def test_what_was_dumped_is_not_dumped_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from interlingua.formats.openai_chat.messages import dump_message

    dumped: list[str] = []

    def counted(message: Any, path: str, d: Any) -> None:
        dumped.append(path)
        dump_message(message, path, d)

    monkeypatch.setattr("interlingua.formats.openai_chat.messages.dump_message", counted)
    builder = Builder()
    for i in range(20):
        builder.append_openai_message(QUESTION)
        builder.append_openai_delta(chunk(call_delta(0, "{}", id="a", name="f"), "tool_calls", id=str(i)))
        builder.append_tool_result("a", "x")
        builder.dump("openai_chat")
    assert len(dumped) == 60
