"""A stream that is passed on loses what the whole response loses, and its losses are reported as those of a dump."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
from interlingua.testing.lawbook import documents, share, spoke_responses
from interlingua.testing.lawbook.spoke_responses import FURTHER
from interlingua.testing.splitting import split
from laws import answers, over, passing
from laws.families import ANTHROPIC, CHAT, CHAT_ANSWERING, KNOWN, STREAMING, main_of
from laws.passing import Source, is_error, passed_on
from laws.streaming import SHAPED, goes_back, read, streamed

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")

EARLY = "was sent before the value was known"
"""How a loss ends that only streams have: what their first chunk has is known later."""
SIGNED_LATER = "the signature came after the text had been sent, and is sent after it"
"""What Gemini's streams do with a signature that follows its text, which a whole response has with it."""
LATER = "the blocks of parts that began later were sent before it"
GEMINI, CONVERSE = ([name for name in STREAMING if main_of(name) == main] for main in ("gemini", "bedrock_converse"))


def _kinds(losses: list[il.Loss]) -> set[tuple[str, str]]:
    return {(loss.kind, loss.path) for loss in losses}


def unrelated(some: set[tuple[str, str]], others: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The losses whose owner, and what is in it, the others do not speak of."""
    paths = [f"{path}/" for _, path in others]
    return {
        (kind, path)
        for kind, path in some
        if not any(f"{path}/".startswith(each) or each.startswith(f"{path}/") for each in paths)
    }


def without_late_citations(response: il.Response, losses: list[il.Loss]) -> il.Response:
    """The response without the citations of texts of which a stream reports each for coming when the text's block had ended.

    Gemini states what its texts refer to at the end of the stream, Chat Completions when a call may have begun, and Converse,
    Anthropic and Gemini's Interactions have no event for it once a block has stopped.
    """
    late = {
        loss.path
        for loss in losses
        if loss.kind == "dropped" and loss.detail == "the citation came after the block of its text had ended"
    }
    data = response.to_dict()
    for i, choice in enumerate(data["choices"]):
        said = choice["message"].get("content")
        for j, part in enumerate(said if documents.is_array(said) else ()):
            at = f"/choices/{i}/message/content/{j}/citations"
            if part.get("citations") and late.issuperset(f"{at}/{k}" for k in range(len(part["citations"]))):
                del part["citations"]
                losses[:] = [loss for loss in losses if not loss.path.startswith(f"{at}/")]
    return il.Response.model_validate(data)


@over.pairs(STREAMING)
@given(data=st.data(), sync=st.booleans())
def test_a_stream_loses_what_the_whole_response_loses(
    target: il.FormatName, sources: list[il.FormatName], data: st.DataObject, sync: bool
) -> None:
    source = data.draw(st.sampled_from(sources))
    body, chunks = data.draw(streamed(source, odd=False))
    found: list[il.Loss] = []
    expected: list[il.Loss] = []
    out = passed_on(Source(chunks), source, target, sync=sync, on_loss=found.append)
    response = il.load_response(body, source)
    if source in (*GEMINI, *CHAT) and target in (*CONVERSE, *ANTHROPIC, "gemini_interactions"):
        response = without_late_citations(response, found)
    whole = il.dump_response(response, target, on_loss=expected.append)
    signed_later = any(loss.detail == SIGNED_LATER for loss in found)
    found = [loss for loss in found if not loss.detail.endswith((EARLY, SIGNED_LATER))]
    back = goes_back(read(chunks, source)[1])
    if back:  # what goes back is sent as it comes, so it loses its place
        found = [loss for loss in found if loss.detail not in (FURTHER, LATER)]
    streamed_losses, losses = _kinds(found), _kinds(expected)
    if back:
        streamed_losses -= {(kind, path) for kind, path in streamed_losses - losses if kind == "moved"}
    if target in SHAPED:
        assert streamed_losses == losses
    # Where reasoning is one text, a stream does not know of a block that others follow: it reports what it drops of each.
    assert unrelated(streamed_losses, losses) == unrelated(losses, streamed_losses) == set()
    assert len(found) == len(set(found))
    if not share.judged(not back and not signed_later, least=0.8):  # where the parts are those of the whole answer
        return
    folded = il.dump_response(read(out.chunks, target)[0].response, target, on_loss="raise")
    assert spoke_responses.unreported(il.load_response(whole, target), il.load_response(folded, target), []) == []
    for choice in range(1 if target in ANTHROPIC else len(whole["choices"])) if {source, target} <= set(KNOWN) else ():
        mine, other = answers.answer(folded, target, choice), answers.answer(whole, target, choice)
        mine.call_texts = other.call_texts  # a stream keeps the spelling of arguments
        mine.thinking, other.thinking = [*filter(None, mine.thinking)], [*filter(None, other.thinking)]
        if source not in ANTHROPIC and any(
            answers.answer(body, source, n).ids.count(None) for n in range(len(body["choices"]))
        ):
            mine.ids = other.ids  # calls without ids are numbered as they come
        assert mine == other
    if target in KNOWN:
        assert answers.usage(folded, target) == answers.usage(whole, target)


@pytest.mark.parametrize("target", CHAT_ANSWERING)
def test_texts_next_to_a_refusal_are_joined_in_a_stream_and_in_a_whole_response(target: il.FormatName) -> None:
    said = [{"type": "refusal", "refusal": "a"}, {"type": "output_text", "text": "b"}, {"type": "output_text", "text": "c"}]
    item = {"type": "message", "id": "msg_0", "role": "assistant", "status": "completed", "content": said}
    body = {"id": "resp_0", "object": "response", "status": "completed", "output": [item]}
    found: list[il.Loss] = []
    expected: list[il.Loss] = []
    chunks = split(body, "openai_responses", Random(0))
    list(il.restream(chunks, source="openai_responses", target=target, on_loss=found.append))
    il.dump_response(il.load_response(body, "openai_responses"), target, on_loss=expected.append)
    assert _kinds(found) == _kinds(expected)
    becomes_text = any("the refusal becomes text" in loss.detail for loss in found)
    assert {loss.path[-1] for loss in found if loss.kind == "changed"} == {"1", "2"} | ({"0"} if becomes_text else set())


def two_answers() -> list[dict[str, Any]]:
    return [
        {"id": "c", "choices": [{"index": number, "delta": {"content": "a"}, "finish_reason": finish}]}
        for finish in (None, "stop")
        for number in (0, 1)
    ]


@pytest.mark.parametrize("sync", [True, False])
def test_losses_reach_on_loss_as_those_of_a_dump(sync: bool) -> None:
    lost = il.Loss("/choices/1", None, "dropped", "a stream of anthropic has one answer; the others are left out")
    found: list[il.Loss] = []
    assert passed_on(Source(two_answers()), "openai_chat", "anthropic", sync=sync, on_loss=found.append).error is None
    assert found == [lost]
    with pytest.warns(il.LossWarning, match="a stream of anthropic has one answer") as warned:
        out = passed_on(Source(two_answers()), "openai_chat", "anthropic", sync=sync)
    assert len(warned) == 1
    assert warned[0].filename == passing.__file__
    assert out.error is None
    source = Source(two_answers())
    out = passed_on(source, "openai_chat", "anthropic", sync=sync, on_loss="raise")
    assert out.error == il.LossyConversion([lost])
    assert is_error(out.chunks[-1], "anthropic")
    assert (source.taken, out.closed) == (2, True)


def test_no_loss_no_warning(recwarn: pytest.WarningsRecorder) -> None:
    chunks = [chunk for chunk in two_answers() if chunk["choices"][0]["index"] == 0]
    list(il.restream(chunks, source="openai_chat", target="anthropic", on_loss="raise"))
    list(il.restream(two_answers(), source="openai_chat", target="anthropic", on_loss="ignore"))
    list(il.restream(two_answers(), source="openai_chat", target="openrouter"))
    assert recwarn.list == []
    made = il.restream(two_answers(), source="openai_chat", target="anthropic")
    list(made)
    assert [loss.path for loss in made.losses] == ["/choices/1"]


def test_a_count_that_is_no_number_is_part_of_no_sum() -> None:
    usage = {"inputTokens": 2, "outputTokens": "m", "cacheWriteInputTokens": 4, "totalTokens": 6}
    chunks = [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockDelta": {"delta": {"text": "Yes."}, "contentBlockIndex": 0}},
        {"messageStop": {"stopReason": "end_turn"}},
        {"metadata": {"usage": usage}},
    ]
    made = list(il.restream(chunks, source="bedrock_nova", target="bedrock_converse", on_loss="ignore"))
    assert made[-1]["metadata"]["usage"]["outputTokens"] == "m"


def test_a_text_that_is_empty_before_the_calls_has_no_place_until_it_says_something() -> None:
    def chunk(**delta: Any) -> dict[str, Any]:
        return {"id": "a", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]}

    def call(number: int, arguments: str) -> dict[str, Any]:
        made = {"index": number, "id": f"call0000{number}", "function": {"name": "f", "arguments": arguments}}
        return chunk(tool_calls=[made])

    texts = [chunk(content=[{"type": "text", "text": text}]) for text in ("", "a")]
    chunks = [call(0, "{"), call(1, ""), texts[0], call(0, "}"), texts[1], call(1, "{}"), "[DONE]"]
    losses: list[il.Loss] = []
    list(il.restream(chunks, source="mistral", target="harmony", on_loss=losses.append))
    placed = [loss.at for loss in losses if loss.path == "/choices/0/message/content/0"]
    assert placed == [None, "/choices/0/text"]


LATE: list[tuple[il.FormatName, list[Any]]] = [
    (
        "openai_chat",
        [
            {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "a"}}]},
            {"id": "i", "model": "m", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        ],
    ),
    (
        "openai_chat",
        [
            {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "a"}, "finish_reason": "stop"}]},
            {"id": "i", "model": "m", "choices": []},
        ],
    ),
    (
        "openai_responses",
        [
            {"type": "response.output_text.delta", "delta": "a"},
            {"type": "response.completed", "response": {"id": "i", "model": "m", "status": "completed", "output": []}},
        ],
    ),
]
"""Streams whose id and model come after their text."""


@pytest.mark.parametrize(("source", "chunks"), LATE)
@pytest.mark.parametrize("target", ["anthropic", "cohere"])
def test_an_id_and_a_model_that_come_late_are_reported(source: il.FormatName, chunks: list[Any], target: il.FormatName) -> None:
    losses: list[il.Loss] = []
    for _ in il.restream(chunks, source=source, target=target, on_loss=losses.append):
        pass
    assert sorted(loss.path for loss in losses if loss.kind == "response_only") == ["/id", "/model"]


@pytest.mark.parametrize("target", ["anthropic", "cohere"])
def test_an_id_and_a_model_that_come_first_are_kept(target: il.FormatName) -> None:
    named = {"id": "i", "model": "m"}
    chunks = [named | chunk for chunk in LATE[0][1]]
    losses: list[il.Loss] = []
    for _ in il.restream(chunks, source="openai_chat", target=target, on_loss=losses.append):
        pass
    assert [loss.path for loss in losses] == (["/model"] if target == "cohere" else [])
