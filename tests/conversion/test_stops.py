"""A stop that is one for tool use or a refusal, whatever the source calls it: clients look at the reason."""

from collections.abc import Iterator
from typing import Any

import pytest

import interlingua as il
from interlingua.testing.lawbook.documents import is_array, is_object
from laws.streaming import read

CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
CALLS: dict[str, Any] = {"role": "assistant", "content": "a", "tool_calls": [CALL]}
REFUSAL: dict[str, Any] = {"role": "assistant", "content": None, "refusal": "no"}
BOTH: dict[str, Any] = {"role": "assistant", "content": "a", "refusal": "no"}
EMPTY: dict[str, Any] = {"role": "assistant", "content": "", "refusal": "no"}  # as OpenRouter sends each delta of a refusal
BLANK: dict[str, Any] = {"role": "assistant", "content": " \n", "refusal": "no"}
PARTS: dict[str, Any] = {"role": "assistant", "content": [{"type": "text", "text": ""}], "refusal": "no"}
WORDLESS: dict[str, Any] = {"role": "assistant", "content": None, "refusal": ""}

# Whole and streamed, LiteLLM 1.110.2 and Vercel's AI SDK report an answer with calls as one that stops for them.
REASONS: list[tuple[str, dict[str, Any], il.FormatName, str, int]] = [
    ("calls", CALLS, "anthropic", "tool_use", 1),
    ("calls", CALLS, "anthropic_bedrock", "tool_use", 1),
    ("calls", CALLS, "bedrock_converse", "tool_use", 1),
    ("calls", CALLS, "cohere", "TOOL_CALL", 1),
    ("calls", CALLS, "gemini", "STOP", 1),
    ("calls", CALLS, "litellm", "stop", 0),  # of the same family, as it was
    ("refusal", REFUSAL, "anthropic", "refusal", 1),
    ("refusal", REFUSAL, "bedrock_converse", "end_turn", 0),
    ("refusal", REFUSAL, "gemini", "STOP", 0),
    ("refusal beside text", BOTH, "anthropic", "end_turn", 0),
    ("refusal beside empty text", EMPTY, "anthropic", "refusal", 1),
    ("refusal beside empty text", EMPTY, "bedrock_converse", "end_turn", 0),
    ("refusal beside empty text", EMPTY, "gemini", "STOP", 0),
    ("refusal beside empty text", EMPTY, "cohere", "COMPLETE", 0),
    ("refusal beside white space", BLANK, "anthropic", "refusal", 1),
    ("refusal beside an empty part", PARTS, "anthropic", "refusal", 1),
    ("refusal beside reasoning", EMPTY | {"reasoning_content": "hm"}, "anthropic", "refusal", 1),
    ("refusal beside calls", EMPTY | {"tool_calls": [CALL]}, "anthropic", "tool_use", 1),
    ("refusal without words", WORDLESS, "anthropic", "end_turn", 0),
    ("refusal without words beside calls", WORDLESS | {"tool_calls": [CALL]}, "anthropic", "tool_use", 1),
]
FIELDS = ("stop_reason", "stopReason", "finish_reason", "finishReason")


def reasons(value: Any) -> set[str]:
    """The words of a response or its chunks for why it ended."""
    if is_array(value):
        return set[str]().union(*map(reasons, value))
    if not is_object(value):
        return set()
    return {str(value[field]) for field in FIELDS if value.get(field)}.union(*map(reasons, value.values()))


def chunk(delta: dict[str, Any], reason: str | None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


@pytest.mark.parametrize(("case", "message", "target", "word", "reported"), REASONS)
def test_a_stop_is_what_it_means(case: str, message: dict[str, Any], target: il.FormatName, word: str, reported: int) -> None:
    del case
    body: dict[str, Any] = {"id": "x", "object": "chat.completion", "created": 1, "model": "m"}
    body["choices"] = [{"index": 0, "message": message, "finish_reason": "stop"}]
    losses: list[il.Loss] = []
    assert reasons(il.dump_response(il.load_response(body, "openai_chat"), target, on_loss=losses.append)) == {word}
    numbered = [call | {"index": i} for i, call in enumerate(message.get("tool_calls", ()))]
    chunks = [chunk(message | ({"tool_calls": numbered} if numbered else {}), None), chunk({}, "stop")]
    lost: list[il.Loss] = []
    assert reasons(list(il.restream(chunks, source="openai_chat", target=target, on_loss=lost.append))) == {word}
    for found in (losses, lost):
        assert [loss.kind for loss in found if loss.path == "/choices/0/stop_reason"] == ["changed"] * reported
    assert il.dump_response(il.load_response(body, "openai_chat"), "openai_chat", on_loss="raise") == body


# LM Studio and others stop for calls without any. Claude's clients then ask the model to repeat a call that they cannot find.
@pytest.mark.parametrize(
    ("target", "word"),
    [
        ("anthropic", "end_turn"),
        ("bedrock_converse", "end_turn"),
        ("cohere", "COMPLETE"),
        ("gemini", "STOP"),
        ("litellm", "tool_calls"),
    ],
)
@pytest.mark.parametrize("calls", [{}, {"tool_calls": []}, {"tool_calls": None}])
def test_a_stop_for_calls_without_any_is_a_stop(target: il.FormatName, word: str, calls: dict[str, Any]) -> None:
    message: dict[str, Any] = {"role": "assistant", "content": "a", **calls}
    body: dict[str, Any] = {"id": "x", "object": "chat.completion", "created": 1, "model": "m"}
    body["choices"] = [{"index": 0, "message": message, "finish_reason": "tool_calls"}]
    losses: list[il.Loss] = []
    assert reasons(il.dump_response(il.load_response(body, "openai_chat"), target, on_loss=losses.append)) == {word}
    lost: list[il.Loss] = []
    chunks = [chunk(message, None), chunk({}, "tool_calls")]
    assert reasons(list(il.restream(chunks, source="openai_chat", target=target, on_loss=lost.append))) == {word}
    for found in (losses, lost):
        changed = [loss.path for loss in found if loss.kind == "changed"]
        assert changed == ([] if target == "litellm" else ["/choices/0/stop_reason"])
    assert il.dump_response(il.load_response(body, "openai_chat"), "openai_chat", on_loss="raise") == body


def test_a_stop_of_claude_for_calls_without_any_is_a_stop_in_a_chat_stream() -> None:
    delta = {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 1}}
    chunks = [{"type": "message_start", "message": {"id": "m"}}, delta, {"type": "message_stop"}]
    assert reasons(list(il.restream(chunks, source="anthropic", target="openai_chat", on_loss="ignore"))) == {"stop"}


@pytest.mark.parametrize(
    ("texts", "word"),
    [
        (["", ""], "refusal"),
        ([" ", ""], "refusal"),
        (["", "a"], "end_turn"),
        ([" ", "a"], "end_turn"),
    ],
)
def test_a_refusal_whose_deltas_have_text_beside_it(texts: list[str], word: str) -> None:
    deltas = [{"role": "assistant", "content": text, "refusal": "no"} for text in texts]
    chunks = [chunk(delta, None) for delta in deltas] + [chunk({}, "stop")]
    assert reasons(list(il.restream(chunks, source="openai_chat", target="anthropic", on_loss="ignore"))) == {word}
    folded = il.accumulate(il.reader("openai_chat").read(chunks))
    assert reasons(il.dump_response(folded, "anthropic", on_loss="ignore")) == {word}


def test_a_whole_part_without_words_is_no_text() -> None:
    message = il.AssistantMessage(content=[il.TextPart(text=""), il.RefusalPart(refusal="no")])
    writer = il.writer("anthropic")
    assert reasons([made for event in _whole_parts(message) for made in writer.feed(event)]) == {"refusal"}
    response = il.Response(choices=[il.Choice(message=message, stop_reason="stop")])
    assert reasons(il.dump_response(response, "anthropic", on_loss="ignore")) == {"refusal"}


def _whole_parts(message: il.AssistantMessage) -> Iterator[il.Event]:
    yield il.MessageStart(id="x", model="m", origin="openai_responses", spelling="blocks")
    for i, part in enumerate(message.parts):
        yield il.WholePart(index=i, part=part)
        yield il.PartStop(index=i)
    yield il.Stop(stop_reason="stop")
    yield il.StreamEnd()


def test_a_chat_client_is_told_of_calls_too() -> None:
    use: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
    body: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [use],
        "stop_reason": "end_turn",
    }
    body |= {"stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    response = il.load_response(body, "anthropic")
    assert reasons(il.dump_response(response, "openai_chat", on_loss="ignore")) == {"tool_calls"}
    chunks = il.restream(
        [
            {"type": "message_start", "message": body | {"content": [], "stop_reason": None}},
            {"type": "content_block_start", "index": 0, "content_block": use},
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": "end_turn", "stop_sequence": None},
                "usage": {"output_tokens": 1},
            },
            {"type": "message_stop"},
        ],
        source="anthropic",
        target="openai_chat",
        on_loss="ignore",
    )
    assert reasons(list(chunks)) == {"tool_calls"}


WITHOUT_REASON: list[tuple[il.FormatName, str | None]] = [
    ("openai_chat", "stop"),
    ("gemini", "STOP"),
    ("bedrock_converse", "end_turn"),
    ("cohere", None),
]


@pytest.mark.parametrize(("target", "word"), WITHOUT_REASON)
@pytest.mark.parametrize("calls", [0, 1])
def test_a_stream_that_does_not_say_why_it_ended_ends(target: il.FormatName, word: str | None, calls: int) -> None:
    message: dict[str, Any] = {"role": "assistant", "content": "Hi."}
    call: dict[str, Any] = {"function": {"name": "f", "arguments": {}}}
    called = message | {"tool_calls": [call] * calls}
    losses: list[il.Loss] = []
    chunks = [{"model": "m", "message": called, "done": False}, {"model": "m", "message": message, "done": True}]
    made = list(il.restream(chunks, source="ollama", target=target, on_loss=losses.append))
    meant = {"openai_chat": "tool_calls", "bedrock_converse": "tool_use"}.get(target, word) if calls else word
    assert reasons(made) == {meant} - {None}
    assert [loss.kind for loss in losses if loss.path == "/choices/0/stop_reason"] == ["added"] * (word is not None)
    assert read(made, target)[0].complete


@pytest.mark.parametrize("target", ["groq", "mistral"])
@pytest.mark.parametrize("source", ["openai_chat", "openrouter", "xai", "groq", "mistral"])
def test_a_host_without_a_word_for_filtered_content_gets_none_from_its_relatives(
    source: il.FormatName, target: il.FormatName
) -> None:
    choice = {"index": 0, "message": {"role": "assistant", "content": "a"}, "finish_reason": "content_filter"}
    body = {"object": "chat.completion", "id": "r", "created": 1, "model": "m", "choices": [choice]}
    losses: list[il.Loss] = []
    made = il.dump_response(il.load_response(body, source), target, on_loss=losses.append)
    word = "content_filter" if source == target else "stop"
    assert made["choices"][0]["finish_reason"] == word
    assert [loss.kind for loss in losses if loss.path == "/choices/0/stop_reason"] == ["changed"] * (source != target)

    envelope = body | {"object": "chat.completion.chunk"}
    first: dict[str, Any] = {"index": 0, "delta": {"role": "assistant", "content": "a"}, "finish_reason": None}
    last: dict[str, Any] = {"index": 0, "delta": {}, "finish_reason": "content_filter"}
    chunks = [envelope | {"choices": [each]} for each in (first, last)]
    stream = il.restream([*chunks, "[DONE]"], source=source, target=target, on_loss="ignore")
    words = [each["finish_reason"] for chunk in stream for each in chunk["choices"] if each.get("finish_reason")]
    assert words == [word]
    assert [loss.kind for loss in stream.losses if loss.path == "/choices/0/stop_reason"] == ["changed"] * (source != target)


@pytest.mark.parametrize("format", ["gemini", "ollama"])
@pytest.mark.parametrize(("message", "edited"), [(CALLS, "stop"), ({"role": "assistant", "content": "a"}, "tool_calls")])
def test_an_edited_reason_that_the_word_does_not_say_is_reported(
    format: il.FormatName, message: dict[str, Any], edited: str
) -> None:
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    there = il.dump_response(il.load_response(body, "openai_chat"), format, on_loss="ignore")
    response = il.load_response(there, format)
    assert il.dump_response(response, format, on_loss="raise") == there
    lost: list[il.Loss] = []
    changed = response.replace(choices=[response.choices[0].replace(stop_reason=edited)])
    assert il.dump_response(changed, format, on_loss=lost.append) == there
    assert [(loss.kind, loss.path) for loss in lost] == [("changed", "/choices/0/stop_reason")]
    assert format in lost[0].detail or edited == "tool_calls"
