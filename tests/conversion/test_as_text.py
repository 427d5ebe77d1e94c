"""Reasoning and media that a target does not take, as text (`foreign_reasoning="text"`, `media="placeholder"`)."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua import testing
from laws import over

AS_TEXT: Any = {"foreign_reasoning": "text", "media": "placeholder"}
IMAGE = il.ImagePart(source=il.Base64Source(data="YQ==", media_type="image/bmp"), cache_control=il.CacheControl())
CALL = il.ToolUsePart(id="call 1", name="f", input={})
HISTORY = [
    il.UserMessage(content=[il.TextPart(text="q"), IMAGE]),
    il.AssistantMessage(content=[il.ThinkingPart(thinking="hm", signature="eA==", issuer="x"), il.TextPart(text="a"), CALL]),
    il.ToolMessage(tool_call_id="call 1", content=[IMAGE]),
    il.AssistantMessage(
        content="b", reasoning_content="why", thinking_blocks=[il.RedactedThinkingPart(data="eA==", issuer="x")]
    ),
    il.UserMessage(content=[il.VideoPart(source=il.UrlSource(url="https://a"))]),
]
LOST = {
    "/1/content/0": "hm",
    "/3/reasoning_content": "why",
    "/0/content/1": "[image",
    "/2/content/0": "[image",
    "/4/content/0": "[video",
}


def dumped(messages: Any, target: Any, **options: Any) -> tuple[Any, list[il.Loss]]:
    losses: list[il.Loss] = []
    dump: Any = il.dump
    body: Any = dump(messages, target, on_loss=losses.append, **options)
    return body, losses


def inside(path: str, dropped: set[str]) -> bool:
    """Whether an owner is dropped, by itself or with its message."""
    return path in dropped or "/" + path.split("/")[1] in dropped


@pytest.mark.parametrize("format", il.FORMATS.values(), ids=str)
def test_what_was_dropped_is_said_as_text(format: il.Format) -> None:
    before, after = dumped(HISTORY, format), dumped(HISTORY, format, **AS_TEXT)
    gone = {loss.path for loss in before[1] if loss.kind == "dropped"}
    still = {loss.path for loss in after[1] if loss.kind == "dropped"}
    said = json.dumps(after[0], default=str)
    for path, words in LOST.items():
        changed = [loss for loss in after[1] if loss.path == path and "the target does not take this" in loss.detail]
        assert bool(changed) == (inside(path, gone) and not inside(path, still))
        if changed:
            assert [loss.kind for loss in changed] == ["changed"]
            assert (f"<thinking>\\n{words}" if words.isalpha() else f"{words} omitted") in said
    left = {path for path in LOST if inside(path, still)}
    assert left == ({"/2/content/0"} if format.name == "alpaca" else set())  # which has no results of tools
    if not any(inside(path, gone) for path in LOST):
        assert after == before


def test_the_places_lead_to_what_was_passed() -> None:
    body = {
        "messages": [
            {"role": "user", "content": "q"},
            {"role": "assistant", "reasoning_content": "why", "content": "a"},
            {
                "role": "assistant",
                "thinking_blocks": [{"type": "thinking", "thinking": "hm"}],
                "content": [{"type": "text", "text": "b"}],
            },
            {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "YQ==", "format": "wav"}}]},
        ]
    }
    result = il.convert(body, source="litellm", target="anthropic", foreign_reasoning="text", media="placeholder", model="m")
    assert [(loss.kind, loss.path, loss.at) for loss in result.losses if loss.path] == [
        ("changed", "/messages/1/reasoning_content", "/messages/1/content/0"),
        ("changed", "/messages/2/thinking_blocks/0", "/messages/2/content/0"),
        ("changed", "/messages/3/content/0", "/messages/3/content/0"),
    ]
    texts = [block["text"] for message in result.payload["messages"][1:] for block in message["content"]]
    assert texts == ["<thinking>\nwhy\n</thinking>", "a", "<thinking>\nhm\n</thinking>", "b", "[audio omitted: audio/wav]"]
    assert [result.places[f"/messages/{i}/content/{j}"] for i in (1, 2) for j in (0, 1)] == [
        "/messages/1/reasoning_content",
        "/messages/1/content",
        "/messages/2/thinking_blocks/0",
        "/messages/2/content/0",
    ]
    with pytest.raises(il.LossyConversion):
        il.convert(body, source="litellm", target="anthropic", strict=True, foreign_reasoning="text", media="placeholder")


def test_what_nobody_can_read_stays_dropped() -> None:
    sealed = il.AssistantMessage(
        content=[
            il.RedactedThinkingPart(data="eA==", issuer="x"),
            il.ThinkingPart(thinking=" ", signature="eA==", issuer="x"),
            il.TextPart(text="a"),
        ]
    )
    assert dumped([sealed], "anthropic", **AS_TEXT) == dumped([sealed], "anthropic")


def test_the_rules_for_other_providers_still_hold() -> None:
    wire = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "q"}]}
    request = il.load(wire, "anthropic")
    request = request.replace(messages=[*request.messages, *HISTORY[1:3]])
    sent, losses = dumped(request, "anthropic", **AS_TEXT)
    [_, answer, result] = sent["messages"]
    assert answer["content"][0] == {"type": "text", "text": "<thinking>\nhm\n</thinking>"}
    assert answer["content"][2]["id"] == result["content"][0]["tool_use_id"] != "call 1"
    marked = result["content"][0]["content"][0]
    assert marked == {"type": "text", "text": "[image omitted: image/bmp]", "cache_control": {"type": "ephemeral"}}
    assert {loss.kind for loss in losses} == {"changed"}


@over.formats(il.FORMATS.values())
@given(data=st.data())
def test_a_dump_home_and_one_without_losses_stay_as_they_are(format: il.Format, data: st.DataObject) -> None:
    wire = data.draw(testing.payloads(format))
    assert il.dump(il.load(wire, format), format, on_loss="ignore", **AS_TEXT) == il.dump(
        il.load(wire, format), format, on_loss="ignore"
    )
    made = il.convert(wire, source=format, target="openai_chat", **AS_TEXT)
    request = il.load(wire, format)
    assert made.payload == il.dump(request, "openai_chat", on_loss="ignore", **AS_TEXT)


@over.formats(il.FORMATS.values())
@given(conversation=testing.conversations())
def test_no_reasoning_and_no_media_are_dropped(format: il.Format, conversation: list[il.Message]) -> None:
    _, losses = dumped(conversation, format, **AS_TEXT)
    whole = {loss.path for loss in losses if loss.kind == "dropped"}
    for i, message in enumerate(conversation):
        for field in ("content", "thinking_blocks"):
            held: tuple[Any, ...] | str = getattr(message, field, None) or ()
            for j, part in enumerate(() if isinstance(held, str) else held):
                is_media = part.type in ("image", "audio", "video", "file", "image_url", "input_audio")
                if is_media or (part.type == "thinking" and part.thinking.strip()):
                    assert f"/{i}/{field}/{j}" not in whole
        if (getattr(message, "reasoning_content", None) or "").strip():
            assert f"/{i}/reasoning_content" not in whole
