"""Responses and streams of Gemini: citations, counts, reasons, and arguments that come in pieces."""

import copy
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

import interlingua as il
from interlingua import testing
from interlingua.formats.gemini import stream
from interlingua.testing import splitting
from interlingua.testing.lawbook import share
from interlingua.testing.lawbook.documents import canonical, is_array, is_object

pytestmark = pytest.mark.filterwarnings("ignore::interlingua.LossWarning")


def answer(*parts: dict[str, Any], **candidate: Any) -> dict[str, Any]:
    content = {"role": "model", "parts": [*parts]}
    return {"candidates": [{"content": content, "finishReason": "STOP", **candidate}], "modelVersion": "m"}


def read(chunks: list[Any]) -> il.Response:
    reader = il.reader("gemini")
    for _ in reader.read(copy.deepcopy(chunks)):
        pass
    return reader.response


def written(response: il.Response, events: list[il.Event], target: il.FormatName = "gemini") -> tuple[Any, tuple[il.Loss, ...]]:
    writer = il.writer(target)
    return [chunk for event in events for chunk in writer.feed(event)], writer.losses


# Citations


@given(st.lists(testing.text(), min_size=1, max_size=3).filter(any), st.data())
def test_citations_are_counted_in_characters_here_and_in_bytes_there(texts: list[str], data: st.DataObject) -> None:
    """Google counts the bytes of all texts together, or of one part."""
    whole = "".join(texts)
    number = data.draw(st.sampled_from([number for number, text in enumerate(texts) if text]))
    before = len("".join(texts[:number]).encode())
    start = data.draw(st.integers(0, len(texts[number]) - 1))
    end = data.draw(st.integers(start + 1, len(texts[number])))
    at = [len(texts[number][:place].encode()) for place in (start, end)]
    by_part = data.draw(st.booleans())
    segment: dict[str, Any] = {"text": texts[number][start:end]}
    if by_part:
        segment |= {"partIndex": number, "startIndex": at[0], "endIndex": at[1]}
    else:
        segment |= {"startIndex": before + at[0], "endIndex": before + at[1]}
    grounding: dict[str, Any] = {
        "groundingChunks": [{"web": {"uri": "https://a", "title": "A"}}, {"x": {}}],
        "groundingSupports": [{"segment": segment, "groundingChunkIndices": [0, 1, 7]}],
    }
    body = answer(*({"text": text, "thoughtSignature": "c2ln"} for text in texts), groundingMetadata=grounding)
    response = il.load_response(body, "gemini")
    [(part, [citation])] = [
        (part, part.citations) for part in response.message.parts if isinstance(part, il.TextPart) and part.citations
    ]
    assert isinstance(citation, il.UrlCitation)
    assert (citation.url, citation.title) == ("https://a", "A")
    assert part.text[citation.start : citation.end] == texts[number][start:end]
    assert whole.count(part.text)
    assert il.dump_response(response, "gemini", on_loss="raise") == body
    assert read([body]) == response


def test_citations_may_come_after_the_end_of_their_answer() -> None:
    segment = {"text": "a", "startIndex": 0, "endIndex": 1}
    grounding = {
        "groundingChunks": [{"web": {"uri": "https://a"}}],
        "groundingSupports": [{"segment": segment, "groundingChunkIndices": [0]}],
    }
    late = {"candidates": [{"groundingMetadata": grounding}]}
    assert read([answer({"text": "ab"}), late]) == il.load_response(
        answer({"text": "ab"}, groundingMetadata=grounding), "gemini"
    )


CITED: list[dict[str, Any]] = [
    {"type": "url", "url": "https://é", "title": "T", "start": 1, "end": 3},
    {"type": "url", "url": "https://b", "cited_text": "said"},
    {"type": "document", "title": "D", "cited_text": "words"},
]


@pytest.mark.parametrize("streamed", [False, True])
def test_citations_of_others_become_grounding(streamed: bool) -> None:
    message = {"role": "assistant", "content": [{"type": "text", "text": "aéz漢b", "citations": CITED}]}
    response = il.validate({"choices": [{"message": message, "stop_reason": "stop"}]}, il.Response)
    losses: list[il.Loss] = []
    if streamed:
        update = il.Update(of="part", index=0, data={"citations": CITED})
        start = il.MessageStart(spelling="blocks")
        made, found = written(
            response, [start, il.TextDelta(index=0, text="aéz漢b"), update, il.Stop(stop_reason="stop"), il.StreamEnd()]
        )
        losses += found
        again = read(made)
    else:
        again = il.load_response(il.dump_response(response, "gemini", on_loss=losses.append), "gemini")
    [part] = again.message.parts
    assert isinstance(part, il.TextPart)
    kept = [
        {key: value for key, value in one.to_dict().items() if key not in ("wire", "start", "end")}
        for one in part.citations or ()
    ]
    assert kept == [{key: value for key, value in one.items() if key not in ("start", "end")} for one in CITED]
    first = part.to_dict()["citations"][0]
    assert part.text[first["start"] : first["end"]] == "éz"
    paths = [f"/choices/0/message/content/0/citations/{number}" for number in (1, 2)]  # they get the whole text as their place
    assert [(loss.kind, loss.path) for loss in losses] == [("changed", path) for path in paths]


def test_citations_are_not_sent_back() -> None:
    grounding: dict[str, Any] = {
        "groundingChunks": [{"web": {"uri": "https://a"}}],
        "groundingSupports": [{"segment": {}, "groundingChunkIndices": [0]}],
    }
    message = il.load_response(answer({"text": "a"}, groundingMetadata=grounding), "gemini").message
    losses: list[il.Loss] = []
    body = il.dump([il.UserMessage(content="q"), message], "gemini", on_loss=losses.append)
    assert body["contents"][1] == {"role": "model", "parts": [{"text": "a"}]}
    assert {loss.kind for loss in losses} == {"response_only"}


# Reasons and counts


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        *[("STOP", "stop"), ("MAX_TOKENS", "length"), ("SAFETY", "content_filter"), ("MALFORMED_FUNCTION_CALL", "malformed")],
        *[(1, "stop"), (3, "content_filter"), (17, "17"), ("NEW_WORD", "NEW_WORD")],
        *[("stop", "stop"), ("max_tokens", "length"), ("safety", "content_filter")],  # as some gateways write them
    ],
)
def test_why_a_message_ended(word: str | int, reason: str) -> None:
    body: dict[str, Any] = {**answer({"text": "a"}), "usageMetadata": {}}
    body["candidates"][0]["finishReason"] = word
    response = il.load_response(body, "gemini")
    assert response.stop_reason == reason
    assert il.dump_response(response, "gemini", on_loss="raise") == body
    assert read([body]) == response


@pytest.mark.parametrize("word", ["STOP", "stop"])
def test_a_call_ends_a_message_as_a_call(word: str) -> None:
    body = answer({"functionCall": {"name": "f", "args": {}}})
    body["candidates"][0]["finishReason"] = word
    assert il.dump_response(il.load_response(body, "gemini"), "gemini", on_loss="raise") == body
    assert il.load_response(body, "gemini").stop_reason == "tool_calls"
    assert il.dump_response(il.load_response(body, "gemini"), "openai_chat")["choices"][0]["finish_reason"] == "tool_calls"


def test_a_refused_prompt_is_an_answer_that_was_filtered() -> None:
    body = {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 3}}
    response = il.load_response(body, "gemini")
    assert (response.stop_reason, response.native_stop_reason) == ("content_filter", "SAFETY")
    assert il.dump_response(response, "gemini", on_loss="raise") == body
    assert read([body]) == response
    assert il.dump_response(response, "openai_chat")["choices"][0]["finish_reason"] == "content_filter"


def test_an_answer_that_is_blocked_halfway_was_filtered() -> None:
    begun = {"candidates": [{"content": {"role": "model", "parts": [{"text": "Partly"}]}}]}
    blocked = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 3}}
    response = il.load_response(begun | blocked, "gemini")
    assert (response.stop_reason, response.native_stop_reason) == ("content_filter", "PROHIBITED_CONTENT")
    assert il.dump_response(response, "gemini", on_loss="raise") == begun | blocked
    assert read([begun, blocked]) == response
    assert list(il.restream([begun, blocked], source="gemini", target="gemini")) == [begun, blocked]
    *_, end, _ = il.restream([begun, blocked], source="gemini", target="anthropic", on_loss="ignore")
    assert end["delta"]["stop_reason"] == "refusal"
    edited = response.replace(choices=[response.choices[0].replace(stop_reason="length", native_stop_reason=None)])
    assert il.dump_response(edited, "gemini")["candidates"][0]["finishReason"] == "MAX_TOKENS"


def test_a_candidate_that_says_why_it_ended_keeps_its_reason_beside_a_block() -> None:
    ended = {"candidates": [{"content": {"role": "model", "parts": [{"text": "All"}]}, "finishReason": "STOP"}]}
    blocked = {"promptFeedback": {"blockReason": "OTHER"}}
    assert il.load_response(ended | blocked, "gemini").stop_reason == "stop"
    assert read([blocked | ended]) == read([ended, blocked]) == il.load_response(ended | blocked, "gemini")


BLOCK: dict[str, Any] = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}
EMPTY: dict[str, Any] = {"candidates": [{}]}


def saying(*texts: str, **candidate: Any) -> dict[str, Any]:
    """A chunk with these texts."""
    return {"candidates": [{"content": {"role": "model", "parts": [{"text": text} for text in texts]}, **candidate}]}


def two(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """A chunk with two candidates."""
    return {"candidates": [first["candidates"][0] | {"index": 0}, second["candidates"][0] | {"index": 1}]}


@pytest.mark.parametrize(
    ("chunks", "whole"),
    [
        ([saying("a"), saying("b") | BLOCK], saying("ab") | BLOCK),
        ([saying("a"), {"candidates": [{"content": {"parts": [{"text": "b"}]}}], **BLOCK}], saying("ab") | BLOCK),
        ([saying("a"), saying() | BLOCK], saying("a") | BLOCK),
        ([saying("a"), EMPTY | BLOCK], saying("a") | BLOCK),
        ([saying("a"), EMPTY | {"prompt_feedback": {"block_reason": "OTHER"}}], None),
        ([saying("a") | BLOCK], saying("a") | BLOCK),
        ([saying("a") | BLOCK, saying("b") | BLOCK, saying("c") | BLOCK], saying("abc") | BLOCK),
        ([saying("a"), saying("b") | BLOCK, {"usageMetadata": {"promptTokenCount": 3}}], None),
        ([{"candidates": [{"content": {"role": "model"}}]} | BLOCK], None),
        ([saying("a"), saying("b", finishReason="STOP") | BLOCK], saying("ab", finishReason="STOP") | BLOCK),
        ([saying("a"), saying("b", finishReason="SAFETY") | BLOCK], saying("ab", finishReason="SAFETY") | BLOCK),
        ([two(saying("a"), saying("b")), two(saying("c", finishReason="STOP"), saying("d")) | BLOCK], None),
    ],
)
def test_a_block_beside_a_candidate_ends_it_unless_it_says_why_it_ended(chunks: list[Any], whole: Any) -> None:
    response = read(chunks)
    if whole is not None or len(chunks) == 1:
        assert response == il.load_response(whole or chunks[0], "gemini")
    assert response.choices[-1].stop_reason in ("stop", "content_filter")
    again = list(il.restream(chunks, source="gemini", target="gemini"))
    left, right = (il.dump_response(each, "gemini", on_loss="raise") for each in (read(again), response))
    for body in (left, right):  # what follows a block is a text of its own there
        for candidate in body["candidates"]:
            parts = candidate["content"].get("parts")
            candidate["content"] |= {} if parts is None else {"parts": "".join(part["text"] for part in parts)}
    assert left == right
    for target in ("anthropic", "openai_chat", "openai_responses"):
        assert list(il.restream(chunks, source="gemini", target=target, on_loss="ignore"))


@pytest.mark.parametrize("reason", ["STOP", "SAFETY"])
@pytest.mark.parametrize("chunks", [[saying("a") | BLOCK], [saying("a"), BLOCK], [BLOCK, saying("a")]])
def test_the_reason_of_a_candidate_replaces_that_of_a_block_before_it(chunks: list[Any], reason: str) -> None:
    chunks = [*chunks, saying("b", finishReason=reason)]
    response = read(chunks)
    assert response.native_stop_reason == reason
    assert il.dump_response(response, "gemini", on_loss="raise") == saying("ab", finishReason=reason) | BLOCK
    again = read(list(il.restream(chunks, source="gemini", target="gemini")))
    assert again.native_stop_reason == reason


def test_counts() -> None:
    details = [{"modality": "TEXT", "tokenCount": 6}, {"modality": "AUDIO", "tokenCount": 4}]
    counts = {"promptTokenCount": 10, "cachedContentTokenCount": 3, "thoughtsTokenCount": 5, "promptTokensDetails": details}
    response = il.load_response(answer({"text": "a"}) | {"usageMetadata": counts}, "gemini")
    assert response.usage is not None
    assert response.usage.replace(native=None) == il.Usage(
        input_tokens=7, cache_read_tokens=3, output_tokens=5, reasoning_tokens=5, input_audio_tokens=4, native=None
    )
    usage = il.dump_response(response, "openai_chat")["usage"]
    assert (usage["prompt_tokens"], usage["completion_tokens"], usage["prompt_tokens_details"]["audio_tokens"]) == (10, 5, 4)
    more = response.usage.replace(output_tokens=9, native=None)
    written = il.dump_response(response.replace(usage=more), "gemini")["usageMetadata"]
    assert (written["candidatesTokenCount"], written["thoughtsTokenCount"], written["totalTokenCount"]) == (4, 5, 19)


@pytest.mark.parametrize("known", ["promptTokenCount", "prompt_token_count"])
@pytest.mark.parametrize("unknown", ["gateway_costs", "gatewayCosts"])
def test_a_field_that_a_proxy_adds_hides_no_counts(known: str, unknown: str) -> None:
    body = answer({"text": "a"}) | {"usageMetadata": {known: 7, unknown: {"estimate": 0.1}}}
    response = il.load_response(body, "gemini")
    assert response.usage is not None
    assert response.usage.input_tokens == 7
    assert il.dump_response(response, "gemini", on_loss="raise") == body
    losses: list[il.Loss] = []
    il.dump_response(response, "openai_chat", on_loss=losses.append)
    assert [loss.path for loss in losses if "gateway" in loss.path] == [f"/usage/native/gemini/{unknown}"]


@pytest.mark.parametrize(
    ("status", "type", "word"), [(429, None, "RESOURCE_EXHAUSTED"), (418, None, "INVALID_ARGUMENT"), (400, "X_Y", "X_Y")]
)
def test_errors(status: int, type: str | None, word: str | None) -> None:
    body = il.dump_error(il.ProviderError("no", status=status, type=type), "gemini")
    assert body == {"error": {"code": status, "message": "no", "status": word}}
    with pytest.raises(il.ProviderError) as caught:
        il.load_response(body, "gemini")
    assert (caught.value.message, caught.value.status, caught.value.type) == ("no", status, word)


# Streams


def in_pieces(value: Any, path: str, random: Random) -> list[dict[str, Any]]:
    """The arguments of a call as values at paths, texts cut; written from recorded streams."""
    if is_object(value):
        return [piece for key, item in value.items() for piece in in_pieces(item, f"{path}['{key}']", random)]
    if is_array(value):
        return [piece for i, item in enumerate(value) for piece in in_pieces(item, f"{path}[{i}]", random)]
    if isinstance(value, str):
        at = random.randint(0, len(value))
        return [
            {"jsonPath": path, "stringValue": value[:at], "willContinue": True},
            {"jsonPath": path, "stringValue": value[at:]},
        ]
    key = "boolValue" if isinstance(value, bool) else "numberValue" if value is not None else "nullValue"
    return [{"jsonPath": path, key: "NULL_VALUE" if value is None else value}]


KEYS = st.text(st.characters(exclude_characters="'[]", exclude_categories=["Cs"]), min_size=1, max_size=5)
LEAVES = st.none() | st.booleans() | st.integers(-9, 9) | testing.text()
SHAPES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, min_size=1, max_size=3) | st.dictionaries(KEYS, inner, min_size=1, max_size=3)
)


UNNAMED: list[dict[str, Any]] = [{}, {"name": ""}, {"name": None}]
"""The names that a piece of a call may have after the first."""


@given(st.dictionaries(KEYS, SHAPES, max_size=3), st.randoms(use_true_random=False))
def test_arguments_that_come_in_pieces_are_those_of_the_whole(args: dict[str, Any], random: Random) -> None:
    def chunk(call: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"candidates": [{"content": {"role": "model", "parts": [{"functionCall": call, **more}]}}]}

    pieces = in_pieces(args, "$", random)
    chunks = [chunk({"name": "f", "id": "1", "willContinue": True}, thoughtSignature="c2ln")]
    chunks += [chunk(random.choice(UNNAMED) | {"partialArgs": [piece], "willContinue": True}) for piece in pieces]
    chunks += [chunk(random.choice(UNNAMED)), answer({"text": "a"})]
    whole = answer({"functionCall": {"name": "f", "id": "1", "args": args}, "thoughtSignature": "c2ln"}, {"text": "a"})
    response = read(chunks)
    assert canonical(il.dump_response(response, "gemini", on_loss="raise")) == canonical(whole)


@pytest.mark.parametrize("path", ["$", "a", "$[0]", "$.a[9]", "$.a..b", "$.x.y", 5, "$" + ".a" * 200])
def test_an_argument_without_a_place_is_an_error(path: Any) -> None:
    parts = [{"jsonPath": "$.x", "numberValue": 1}, {"jsonPath": path, "numberValue": 1}]
    with pytest.raises(il.StreamError, match="partialArgs"):
        read([answer({"functionCall": {"name": "f", "partialArgs": parts}})])


def test_a_piece_of_a_call_that_has_no_name_is_kept_as_a_part_of_gemini() -> None:
    pieces = [{"jsonPath": "$.x", "numberValue": 1}]
    response = read([answer({"functionCall": {"partialArgs": pieces}}), answer({"text": "a"})])
    assert [part.type for part in response.message.parts] == ["opaque", "text"]


def test_a_signature_on_a_last_empty_part_stays_there() -> None:
    chunks: list[Any] = [answer({"text": text}) for text in ("a", "b")]
    del chunks[0]["candidates"][0]["finishReason"], chunks[1]["candidates"][0]["finishReason"]
    chunks.append(answer({"text": "", "thoughtSignature": "c2ln"}))
    response = read(chunks)
    assert [(part.text, part.signature) for part in response.message.parts if isinstance(part, il.TextPart)] == [
        ("ab", None),
        ("", "c2ln"),
    ]
    body = il.dump([response.message], "gemini", on_loss="raise")
    assert body["contents"][0]["parts"] == [{"text": "ab"}, {"text": "", "thoughtSignature": "c2ln"}]


@given(
    share.such(testing.responses("gemini", odd=False), lambda body: len(body["candidates"]) > 1),
    st.randoms(use_true_random=False),
)
def test_several_candidates_are_written_side_by_side(body: dict[str, Any], random: Random) -> None:
    reader = il.reader("gemini")
    events = list(reader.read(splitting.split(body, "gemini", random)))
    chunks, losses = written(reader.response, events)
    assert losses == ()
    assert canonical(read(chunks).to_dict()) == canonical(reader.response.to_dict())


def test_texts_side_by_side_are_not_joined() -> None:
    body = answer({"text": "a"}, {"text": "b"}, {"text": "c", "thought": True})
    reader = il.reader("gemini")
    events = list(reader.read([body]))
    chunks, losses = written(reader.response, events)
    assert [part.to_dict() for part in read(chunks).message.parts] == [part.to_dict() for part in reader.response.message.parts]
    assert (len(reader.response.message.parts), losses) == (3, ())


def test_an_answer_without_a_role_comes_back_and_has_one_in_a_request() -> None:
    doubtful = {"fileData": {"fileUri": "https://x.test/a.png", "mimeType": "image/png"}}
    wire: dict[str, Any] = {"candidates": [{"content": {"parts": [doubtful, {"functionCall": {"args": {}}}]}}]}
    response = il.load_response(wire, "gemini")
    assert canonical(il.dump_response(response, "gemini")) == canonical(wire)
    bare = il.load({"contents": []}, "gemini").replace(
        messages=[response.message.replace(wire={"spelling": {"role": "<absent>"}})]
    )
    assert il.dump(bare, "gemini")["contents"][0]["role"] == "model"


# Chunks that repeat the one before

ONE_TEXT: list[list[Any]] = [[{"text": "a"}], [{"text": "é"}]]
OTHER_PARTS: list[list[Any]] = [
    [{"text": ""}],
    [{"text": "\ud800"}],
    [{"text": 1}],
    [{"text": "a", "thought": True}],
    [{"text": "a", "thoughtSignature": "c2ln"}],
    [{"text": "a"}, {"text": "b"}],
    [{"functionCall": {"name": "f"}}],
]
BESIDE: list[dict[str, Any]] = [
    {},
    {"index": 1},
    {"finishReason": "STOP"},
    {"citationMetadata": {"citations": [{"uri": "https://a", "endIndex": 1}]}},
    {"groundingMetadata": {}, "safetyRatings": [{"category": "x"}]},
]
USAGES: list[Any] = [..., None, 7, {"promptTokenCount": 1}, {"promptTokenCount": 1, "x": 2}, {"promptTokenCount": float("nan")}]


@st.composite
def repetitive(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Chunks many of which differ from the one before in their text and their usage alone."""
    frames = st.sampled_from([{}, {"responseId": "r"}, {"createTime": "t"}])
    kinds = [(draw(st.sampled_from(BESIDE)), draw(frames)) for _ in range(2)]
    chunks: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(1, 5))):
        beside, frame = draw(st.sampled_from(kinds))
        parts = draw(st.sampled_from(ONE_TEXT) | st.sampled_from(OTHER_PARTS))
        for _ in range(draw(st.integers(1, 2))):
            usage = draw(st.sampled_from(USAGES))
            used = {} if usage is ... else {"usageMetadata": usage}
            chunks.append({"candidates": [{"content": {"parts": parts, "role": "model"}, **beside}], **frame, **used})
    return copy.deepcopy(chunks)


def readings(chunks: list[Any]) -> list[Any]:
    """The events of each chunk, or why it is refused, and the response."""
    reader, out = il.reader("gemini"), list[Any]()
    for each in chunks:
        try:
            out.append([event.to_dict() for event in reader.feed(each)])
        except il.StreamError as error:
            out.append(str(error))
    return [*out, reader.response.to_dict()]


def said(text: str, index: int) -> dict[str, Any]:
    return {"candidates": [{"content": {"parts": [{"text": text}]}, "index": index}]}


def never(_reading: object, _chunk: object) -> None:
    return None


@given(repetitive())
@example([said("a", 1), said("a", 0), said("\ud800", 1), said("a", 0)])
def test_a_chunk_that_repeats_the_one_before_is_read_like_any_other(chunks: list[dict[str, Any]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream.GeminiReading, "_more", never)
        expected = readings(chunks)
    assert readings(chunks) == expected


@pytest.mark.parametrize("target", ["openai_chat", "anthropic", "bedrock_converse"])
def test_counts_in_snake_case_are_carried_and_not_reported(target: il.FormatName) -> None:
    counts = {"prompt_token_count": 5, "candidates_token_count": 7, "thoughts_token_count": 2, "total_token_count": 14}
    answer = {"candidates": [{"content": {"role": "model", "parts": [{"text": "a"}]}, "finish_reason": "STOP"}]}
    lost: list[il.Loss] = []
    response = il.load_response({**answer, "usage_metadata": {**counts, "other_count": 3}}, "gemini")
    il.dump_response(response, target, on_loss=lost.append)
    reported = {loss.path.rpartition("/")[2] for loss in lost if loss.path.startswith("/usage/")}
    assert reported == {"other_count"} | ({"reasoning_tokens"} if target == "bedrock_converse" else set[str]())
