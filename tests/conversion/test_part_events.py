"""Parts that come whole in a stream, and what writers make of what else a part may say."""

from typing import Any

import pytest
from hypothesis import example, given, strategies as st
from pydantic import ValidationError

import interlingua as il
from interlingua import testing
from interlingua.codec.streams.part_events import PartEvents, in_pieces
from interlingua.testing.lawbook import share
from laws import families, over, streaming
from laws.everything import CITATIONS, same

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

END: list[il.Event] = [il.PartStop(index=0), il.Stop(stop_reason="stop"), il.StreamEnd()]
SPELLINGS = st.sampled_from(["blocks", "flat"])
KINDS = {"text", "refusal", "thinking", "redacted_thinking", "tool_use", "opaque"}


def streamed(events: list[il.Event], spelling: Any = "blocks") -> list[il.Event]:
    return [il.MessageStart(spelling=spelling), *events, *END]


def said(response: il.Response) -> list[dict[str, Any]]:
    """What an answer says, without null, which is absent."""
    return [{key: value for key, value in part.to_dict().items() if value is not None} for part in response.message.parts]


def words(response: il.Response) -> list[dict[str, Any]]:
    """What an answer says, without what the provider's format adds."""
    return [
        {key: value for key, value in part.items() if key not in ("provider_data", "wire", "id")} for part in said(response)
    ]


@given(testing.parts(), SPELLINGS)
def test_a_whole_part_is_folded_as_it_is(part: il.Part, spelling: str) -> None:
    made = il.accumulate(streamed([il.WholePart(index=0, part=part)], spelling)).message
    if isinstance(part, il.ToolUsePart) and spelling == "flat":
        assert same(made.to_dict(), il.AssistantMessage(content=[part]).to_flat()[0].to_dict())
    else:
        assert [one.to_dict() for one in made.parts] == [part.to_dict()]


@given(share.such(testing.parts(), lambda part: part.type in KINDS), SPELLINGS)
@example(il.RedactedThinkingPart(data="ZGF0YTA=", signature="ZGF0YTA=", issuer="openai"), "blocks")
@example(il.ToolUsePart(name="f", input={}, custom=True), "blocks")
def test_a_whole_part_says_the_same_in_pieces(part: il.Part, spelling: str) -> None:
    event = il.WholePart(index=0, part=part)
    pieces = in_pieces(event)
    assert not any(isinstance(piece, il.WholePart) for piece in pieces)
    assert said(il.accumulate(streamed(pieces, spelling))) == said(il.accumulate(streamed([event], spelling)))


def bare(part: il.Part) -> il.Part:
    """The part without what its owner's provider and its place say."""
    beside = ("type", "cache_control", "provider_data", "wire")
    return type(part)(**{name: value for name, value in part.to_dict().items() if name not in beside})


def says_something(part: il.Part) -> bool:
    """Whether it is a part that all formats write alike in a stream and as a whole."""
    return not (isinstance(part, il.OpaquePart) or getattr(part, part.type, None) == "")


@over.formats(families.STREAMING)
@given(part=testing.parts().filter(says_something).map(bare), spelling=SPELLINGS)
@example(part=il.ToolUsePart(name="f", input=""), spelling="blocks")
@example(part=il.ToolUsePart(name="f", input=""), spelling="flat")
@example(part=il.ToolUsePart(name="f", input="", custom=True), spelling="blocks")
@example(part=il.ToolUsePart(name="f", input={}, custom=True), spelling="blocks")
@example(part=il.ToolUsePart(name="f", input='{"a": NaN}'), spelling="blocks")
@example(part=il.ToolUsePart(name="f", input='{"INVALID_JSON": 1}'), spelling="blocks")
@example(part=il.JsonPart(value=None, signature="ZGF0YTA=", issuer="gemini"), spelling="blocks")
@example(part=il.ThinkingPart(thinking="a", summary=True), spelling="blocks")
@example(part=il.RedactedThinkingPart(data="ZGF0YTA=", signature="ZGF0YTA=", issuer="openai"), spelling="blocks")
def test_a_whole_part_is_written_as_in_a_whole_response(format: il.FormatName, part: il.Part, spelling: str) -> None:
    events = streamed([il.WholePart(index=0, part=part)], spelling)
    writer = il.writer(format)
    chunks = [chunk for event in events for chunk in writer.feed(event)]
    losses: list[il.Loss] = []
    whole = il.dump_response(il.accumulate(events), format, on_loss=losses.append)
    again, _ = streaming.read(chunks, format)
    assert words(again.response) == words(il.load_response(whole, format))
    if spelling == "blocks":
        assert {loss.path for loss in writer.losses} == {loss.path for loss in losses}


LATE: dict[str, list[il.Event]] = {
    "signature": [il.SignatureDelta(index=0, signature="s", issuer="else")],
    "citations": [il.Update(of="part", index=0, data={"citations": CITATIONS})],
}


@pytest.mark.parametrize("spelling", ["blocks", "flat"])
@pytest.mark.parametrize("format", families.STREAMING)
@pytest.mark.parametrize("field", LATE)
def test_what_a_text_says_besides_words_is_written_or_reported(format: il.FormatName, field: str, spelling: str) -> None:
    events = streamed([il.TextDelta(index=0, text="a"), *LATE[field]], spelling)
    writer = il.writer(format)
    chunks = [chunk for event in events for chunk in writer.feed(event)]
    again, _ = streaming.read(chunks, format)
    made = il.accumulate(events)
    [given] = made.message.parts
    assert given.to_dict()[field]
    [part] = again.response.message.parts
    lost = [loss for loss in writer.losses if loss.path.startswith(f"/choices/0/message/content/0/{field}")]
    assert lost or part == given


def test_an_update_that_overwrites_replaces_lists_and_objects() -> None:
    first = il.Update(of="part", index=0, data={"citations": CITATIONS, "provider_data": {"a": {"b": 1}}})
    other = il.Update(of="part", index=0, data={"citations": CITATIONS[:1], "provider_data": {}}, overwrite=True)
    [part] = il.accumulate(streamed([il.TextDelta(index=0, text="a"), first, other])).message.parts
    assert part.to_dict() == {"type": "text", "text": "a", "citations": CITATIONS[:1], "provider_data": {}}


def test_a_part_that_is_refused_is_not_there() -> None:
    events: list[il.Event] = []
    parts = PartEvents()
    with pytest.raises(ValidationError):
        parts.begin({"type": "image", "source": None}, events)
    parts.end(parts.begin({"type": "text", "text": "a"}, events), events)
    assert [event.type for event in events] == ["text", "part_stop"]
    assert isinstance(events[-1], il.PartStop)
    assert events[-1].index == 0
