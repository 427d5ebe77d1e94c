"""Streams whose indices or order a host gets wrong: what they say is read all the same, or refused."""

import copy
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua import testing
from interlingua.testing.lawbook import share
from interlingua.testing.lawbook.documents import canonical, is_array, is_object, resolve, resolves
from laws import over
from laws.families import STREAMING

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

INDICES = frozenset({"index", "contentBlockIndex", "output_index", "step_index"})
TEXTS = frozenset({"content", "delta", "reasoning", "reasoning_content", "refusal", "text", "thinking"})
"""The fields of all formats whose texts are free, so that a mark may stand at their end."""
MARK = re.compile(r"\|m\d+\|")


def marked(value: Any, marks: list[str], key: str = "") -> Any:
    """A chunk with a mark of its own in each text."""
    if is_object(value):
        return {name: marked(item, marks, name) for name, item in value.items()}
    if is_array(value):
        return [marked(item, marks, key) for item in value]
    if key in TEXTS and isinstance(value, str) and value:
        marks.append(f"|m{len(marks)}|")
        return value + marks[-1]
    return value


def all_first(value: Any) -> Any:
    """A chunk in which everything has the index 0."""
    if is_object(value):
        return {key: 0 if key in INDICES and type(item) is int else all_first(item) for key, item in value.items()}
    return [all_first(item) for item in value] if is_array(value) else value


def spoilt(chunks: list[Any], random: Random) -> list[Any]:
    """The chunks with one missing, or one that comes twice, or as they are; often all with the index 0."""
    place = random.randrange(len(chunks))
    times = random.choice([0, 1, 2])
    out = chunks[:place] + chunks[place : place + 1] * times + chunks[place + 1 :]
    return [all_first(chunk) for chunk in out] if random.random() < 0.7 or times == 1 else out


def read(chunks: list[Any], format: il.FormatName) -> tuple[str, str] | None:
    """The chunks that a reader does not refuse, and what it makes of them; None where it refuses the whole."""
    reader = il.reader(format)
    taken: list[Any] = []
    events: list[il.Event] = []
    for chunk in chunks:
        try:
            events += reader.feed(copy.deepcopy(chunk))
            taken.append(chunk)
        except il.InterlinguaError:
            continue
    try:
        events += reader.close()
        said = [reader.response.to_dict(), *(event.to_dict() for event in events)]
    except il.InterlinguaError:
        return None
    return canonical(taken), canonical(said)


@over.formats(STREAMING)
@given(data=st.data(), random=st.randoms(use_true_random=False))
def test_no_text_is_lost_where_indices_are_wrong(format: il.FormatName, data: st.DataObject, random: Random) -> None:
    drawn: list[Any] = data.draw(testing.chunks(format))
    marks: list[str] = []
    chunks = [marked(chunk, marks) for chunk in drawn]
    usual = read(chunks, format)
    found = read(spoilt(chunks, random), format)
    if usual is not None and share.judged(found is not None, least=0.3):
        assert found is not None
        given_marks, said = set(MARK.findall(found[0])), set(MARK.findall(found[1]))
        # Of two texts of which the later one counts, the first is not there in a usual stream either.
        assert (given_marks & set(MARK.findall(usual[1]))) <= said


@over.formats(STREAMING)
@given(data=st.data(), random=st.randoms(use_true_random=False))
def test_no_text_is_lost_in_silence_on_the_way_to_another_format(
    format: il.FormatName, data: st.DataObject, random: Random
) -> None:
    others: list[il.FormatName] = [name for name in STREAMING if name != format]
    target = data.draw(st.sampled_from(others))
    drawn: list[Any] = data.draw(testing.chunks(format))
    marks: list[str] = []
    chunks = spoilt([marked(chunk, marks) for chunk in drawn], random)
    reader = il.reader(format)
    try:
        list(reader.read(copy.deepcopy(chunks)))
        response = reader.response.to_dict()
    except il.InterlinguaError:
        share.judged(False, least=0.3)
        return
    share.judged(True, least=0.3)
    losses: list[il.Loss] = []
    said = canonical(list(il.restream(chunks, source=format, target=target, on_loss=losses.append)))
    told = [canonical(resolve(response, loss.path)) for loss in losses if resolves(response, loss.path)]
    assert set(MARK.findall(canonical(response))) <= set(MARK.findall(said + "".join(told)))


FOUND = {"toolUseId": "a", "content": [{"text": "x"}], "type": "nova_grounding_result"}
UNENDED: dict[il.FormatName, list[dict[str, Any]]] = {
    "bedrock_converse": [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockDelta": {"delta": {"text": "a"}, "contentBlockIndex": 0}},
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"contentBlockStart": {"start": {"toolResult": {**FOUND, "content": []}}, "contentBlockIndex": 1}},
        {"contentBlockDelta": {"delta": {"toolResult": FOUND["content"]}, "contentBlockIndex": 1}},
        {"contentBlockDelta": {"delta": {"reasoningContent": {"redactedContent": "eA=="}}, "contentBlockIndex": 2}},
        {"contentBlockStop": {"contentBlockIndex": 2}},
        {"messageStop": {"stopReason": "end_turn"}},
    ],
    "anthropic": [
        {"type": "message_start", "message": {"type": "message", "role": "assistant", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "a"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "x_unknown"}},
        {"type": "content_block_start", "index": 2, "content_block": {"type": "redacted_thinking", "data": "eA=="}},
        {"type": "content_block_stop", "index": 2},
        {"type": "message_stop"},
    ],
    "gemini_interactions": [
        {"event_type": "interaction.created", "interaction": {"id": "i"}},
        {"event_type": "step.start", "index": 0, "step": {"type": "model_output", "content": [{"type": "text", "text": "a"}]}},
        {"event_type": "step.stop", "index": 0},
        {"event_type": "step.start", "index": 1, "step": {"type": "x_unknown"}},
        {"event_type": "step.start", "index": 2, "step": {"type": "thought", "signature": "eA=="}},
        {"event_type": "step.stop", "index": 2},
        {"event_type": "interaction.completed", "interaction": {"id": "i", "status": "completed"}},
    ],
}
"""Streams in which the second part, which only one provider has, does not end."""


@pytest.mark.parametrize("format", UNENDED)
def test_a_part_of_one_provider_without_an_end_comes_before_the_parts_that_follow_it(format: il.FormatName) -> None:
    reader = il.reader(format)
    events = list(reader.read(copy.deepcopy(UNENDED[format])))
    begun = [index for event in events if (index := getattr(event, "index", None)) is not None]
    assert begun == sorted(begun)
    assert [part.type for part in reader.response.message.parts][:2] == ["text", "opaque"]
    losses: list[il.Loss] = []
    list(il.restream(copy.deepcopy(UNENDED[format]), source=format, target="cohere", on_loss=losses.append))
    paths = [f"/choices/0/message/content/{n}" for n in (1, 2)]
    assert [loss.path for loss in losses if loss.path in paths and loss.kind == "dropped"] == paths


def test_more_of_a_part_of_one_provider_that_has_ended_is_not_lost() -> None:
    *begun, end = UNENDED["bedrock_converse"]
    late = {"contentBlockDelta": {"delta": {"toolResult": [{"text": "y"}]}, "contentBlockIndex": 1}}
    events = list(il.reader("bedrock_converse").read([*copy.deepcopy(begun), late, end]))
    assert il.OpaqueEvent(format="bedrock", value=late["contentBlockDelta"]) in events
