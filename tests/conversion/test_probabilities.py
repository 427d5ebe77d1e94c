"""The log probabilities of the tokens of an answer, in the place and the form of each provider."""

from itertools import permutations
from typing import Any

import pytest

import interlingua as il


def token(text: str, logprob: float, *top: dict[str, Any]) -> dict[str, Any]:
    return {"token": text, "logprob": logprob, "bytes": list(text.encode()), "top_logprobs": list(top)}


def likely(text: str, logprob: float) -> dict[str, Any]:
    return {key: value for key, value in token(text, logprob).items() if key != "top_logprobs"}


TOKENS = [token("By", -0.1, likely("By", -0.1), likely("Am", -2.5)), token(" Überlingen", 0)]
FORMATS: list[il.FormatName] = ["openai_chat", "openai_responses", "gemini", "google_genai"]


def chat(tokens: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": "By Überlingen"}, "finish_reason": "stop"}
    logprobs = {"content": TOKENS if tokens is None else tokens, "refusal": None, **more}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice | {"logprobs": logprobs}]}


def gemini(result: dict[str, Any]) -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": "By"}]}
    return {"candidates": [{"content": content, "finishReason": "STOP", "logprobsResult": result}]}


def dumped(response: il.Response, target: il.FormatName) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    losses: list[il.Loss] = []
    body = il.dump_response(response, target, on_loss=losses.append)
    return body, [(loss.kind, loss.path) for loss in losses if "ogprobs" in loss.path or "logprobs_result" in loss.path]


@pytest.mark.parametrize(("source", "target"), list(permutations(FORMATS, 2)))
def test_probabilities_are_carried_and_come_back(source: il.FormatName, target: il.FormatName) -> None:
    first, _ = dumped(il.load_response(chat(), "openai_chat"), source)
    body, lost = dumped(il.load_response(first, source), target)
    back, lost_again = dumped(il.load_response(body, target), "openai_chat")
    assert back["choices"][0]["logprobs"] == {"content": TOKENS, "refusal": None}
    assert (lost, lost_again) == ([], [])


def test_they_have_the_form_of_each_provider() -> None:
    response = il.load_response(chat(), "openai_chat")
    (candidate,) = dumped(response, "gemini")[0]["candidates"]
    assert candidate["logprobsResult"] == {
        "chosenCandidates": [{"token": "By", "logProbability": -0.1}, {"token": " Überlingen", "logProbability": 0}],
        "topCandidates": [
            {"candidates": [{"token": "By", "logProbability": -0.1}, {"token": "Am", "logProbability": -2.5}]},
            {"candidates": []},
        ],
    }
    (item,) = dumped(response, "openai_responses")[0]["output"]
    assert item["content"][0]["logprobs"] == TOKENS


HERE = "/choices/0/provider_data/gemini/logprobsResult"
CHOSEN = {"token": "By", "logProbability": -0.1}


RESULTS: list[tuple[dict[str, Any], list[str]]] = [
    ({"chosenCandidates": [CHOSEN]}, []),
    ({"chosenCandidates": [CHOSEN | {"tokenId": 7}]}, ["changed"]),
    ({"chosenCandidates": [CHOSEN], "topCandidates": [{"candidates": [CHOSEN | {"tokenId": 7}]}]}, ["changed"]),
    ({"chosenCandidates": [CHOSEN], "logProbabilitySum": -0.1}, ["changed"]),
    ({"chosenCandidates": [{"token": "By"}]}, ["dropped"]),
    ({"chosenCandidates": [CHOSEN], "topCandidates": [{}, {}]}, ["dropped"]),
    ({"chosenCandidates": [CHOSEN], "topCandidates": ["x"]}, ["dropped"]),
    ({"topCandidates": [{"candidates": [CHOSEN]}]}, ["dropped"]),
]


@pytest.mark.parametrize(("result", "kinds"), RESULTS)
def test_what_chat_completions_has_no_place_for_is_reported(result: dict[str, Any], kinds: list[str]) -> None:
    body, lost = dumped(il.load_response(gemini(result), "gemini"), "openai_chat")
    assert lost == [(kind, HERE) for kind in kinds]
    assert ("logprobs" in body["choices"][0]) is (kinds != ["dropped"])


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (chat([TOKENS[0] | {"bytes": [255]}]), "changed"),
        (chat(refusal=TOKENS), "changed"),
        (chat([TOKENS[0] | {"id": 7}]), "dropped"),
        (chat([TOKENS[0] | {"bytes": 7}]), "dropped"),
        (chat([TOKENS[0] | {"logprob": "x"}]), "dropped"),
        (chat([TOKENS[0] | {"top_logprobs": [7]}]), "dropped"),
    ],
)
def test_what_gemini_has_no_place_for_is_reported(body: dict[str, Any], kind: str) -> None:
    made, lost = dumped(il.load_response(body, "openai_chat"), "gemini")
    assert lost == [(kind, "/choices/0/provider_data/openai/logprobs")]
    assert ("logprobsResult" in made["candidates"][0]) is (kind == "changed")


def test_those_of_several_texts_have_no_place_in_one_of_them() -> None:
    body = gemini({"chosenCandidates": [CHOSEN]})
    body["candidates"][0]["content"]["parts"] = [{"text": "By", "thoughtSignature": "c2ln"}, {"text": "!"}]
    made, lost = dumped(il.load_response(body, "gemini"), "openai_responses")
    assert lost == [("dropped", HERE)]
    assert len(made["output"]) >= 1


def chunks_of(source: il.FormatName) -> list[Any]:
    if source == "gemini":
        pieces = [("By", -0.1), (" Überlingen", 0)]
        return [
            {
                "candidates": [
                    {
                        "content": {"role": "model", "parts": [{"text": text}]},
                        "logprobsResult": {"chosenCandidates": [{"token": text, "logProbability": logprob}]},
                    }
                    | ({"finishReason": "STOP"} if logprob == 0 else {})
                ],
                "responseId": "r",
            }
            for text, logprob in pieces
        ]
    frame = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    parts = [{"content": each["token"]} for each in TOKENS]
    made: list[dict[str, Any]] = [
        {"index": 0, "delta": delta, "logprobs": {"content": [plain(each)], "refusal": None}, "finish_reason": None}
        for delta, each in zip(parts, TOKENS, strict=True)
    ]
    end: dict[str, Any] = {"index": 0, "delta": {}, "finish_reason": "stop"}
    return [{**frame, "choices": [choice]} for choice in [*made, end]]


def plain(each: dict[str, Any]) -> dict[str, Any]:
    return each | {"top_logprobs": []}


def responses_stream() -> list[Any]:
    body, _ = dumped(il.load_response(chat([plain(each) for each in TOKENS]), "openai_chat"), "openai_responses")
    item = body["output"][0]
    where = {"output_index": 0, "item_id": item["id"]}
    inner = where | {"content_index": 0}
    return [
        {"type": "response.created", "response": body | {"output": [], "status": "in_progress"}},
        {"type": "response.output_item.added", "output_index": 0, "item": item | {"content": []}},
        {"type": "response.content_part.added", **inner, "part": {"type": "output_text", "text": "", "annotations": []}},
        {"type": "response.output_text.delta", **inner, "delta": "By Überlingen"},
        {"type": "response.content_part.done", **inner, "part": item["content"][0]},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": body},
    ]


@pytest.mark.parametrize("source", ["gemini", "openai_responses"])
def test_streams_carry_them_to_chat_completions(source: il.FormatName) -> None:
    chunks = responses_stream() if source == "openai_responses" else chunks_of(source)
    stream = il.restream(chunks, source=source, target="openai_chat", on_loss="ignore")
    choices: list[dict[str, Any]] = [choice for chunk in stream for choice in chunk["choices"]]
    found = [each for choice in choices if "logprobs" in choice for each in choice["logprobs"]["content"]]
    assert found == [plain(each) for each in TOKENS]
    assert not [loss for loss in stream.losses if "ogprobs" in loss.path]


@pytest.mark.parametrize("source", ["openai_chat", "openai_responses"])
def test_a_stream_carries_them_to_gemini(source: il.FormatName) -> None:
    chunks = responses_stream() if source == "openai_responses" else chunks_of(source)
    stream = il.restream(chunks, source=source, target="gemini", on_loss="ignore")
    results = [each["logprobsResult"] for chunk in stream for each in chunk["candidates"] if "logprobsResult" in each]
    assert results == [{"chosenCandidates": [{"token": each["token"], "logProbability": each["logprob"]} for each in TOKENS]}]
    assert not [loss for loss in stream.losses if "logprobs" in loss.path]


@pytest.mark.parametrize("source", ["openai_chat", "gemini"])
def test_a_stream_carries_them_to_responses(source: il.FormatName) -> None:
    stream = il.restream(chunks_of(source), source=source, target="openai_responses", on_loss="ignore")
    chunks: list[dict[str, Any]] = list(stream)
    tokens = [plain(each) for each in TOKENS]
    deltas = [chunk for chunk in chunks if chunk["type"] == "response.output_text.delta"]
    assert [token for chunk in deltas for token in chunk["logprobs"]] == tokens
    assert "".join(chunk["delta"] for chunk in deltas) == "By Überlingen"
    ends = {chunk["type"].removeprefix("response."): chunk for chunk in chunks}
    assert ends["output_text.done"]["logprobs"] == tokens
    assert ends["content_part.done"]["part"]["logprobs"] == tokens
    assert ends["output_item.done"]["item"]["content"][0]["logprobs"] == tokens
    assert ends["completed"]["response"]["output"][0]["content"][0]["logprobs"] == tokens
    assert not [loss for loss in stream.losses if "ogprobs" in loss.path]


MANY = [plain(token(text, -0.5)) for text in ("Rain", "!", "?")]
CALL = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
SOME_STREAMS: list[list[tuple[dict[str, Any], list[dict[str, Any]]]]] = [
    [({"content": ""}, []), ({"content": "Rain"}, MANY[:1]), ({"tool_calls": [CALL]}, []), ({}, MANY[1:])],
    [({"content": "  "}, MANY[:1]), ({"content": "Rain"}, []), ({}, MANY[1:])],
    [({}, MANY), ({"tool_calls": [CALL]}, [])],
    [({"refusal": "No."}, MANY)],
    [
        ({"content": [{"type": "text", "text": "Rain", "x": 1}, {"type": "image"}, {"type": "text", "text": "!"}]}, MANY),
        ({"content": [{"type": "image"}, {"type": "text", "text": "?"}]}, MANY),
    ],
]


@pytest.mark.parametrize("pieces", SOME_STREAMS)
@pytest.mark.parametrize("target", ["openai_responses", "gemini", "openai_chat"])
def test_a_written_stream_has_what_a_written_whole_has(
    pieces: list[tuple[dict[str, Any], list[dict[str, Any]]]], target: il.FormatName
) -> None:
    frame = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    choices: list[Any] = [{"index": 0, "delta": delta, "logprobs": {"content": logprobs}} for delta, logprobs in pieces]
    chunks: list[Any] = [{**frame, "choices": [choice]} for choice in choices]
    chunks.append({**frame, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    stream = il.restream(chunks, source="openai_chat", target=target, on_loss="ignore")
    written, read = il.reader(target), il.reader("openai_chat")
    for chunk in stream:
        list(written.feed(chunk))
    for chunk in chunks:
        list(read.feed(chunk))
    written.close()
    read.close()
    whole, lost = dumped(read.response, target)
    assert dumped(written.response, target)[0] == whole
    assert {(loss.kind, loss.path) for loss in stream.losses if "ogprobs" in loss.path} == set(lost)


def test_the_same_token_twice_is_two_tokens() -> None:
    last = gemini({"chosenCandidates": [CHOSEN]})
    chunk = gemini({"chosenCandidates": [CHOSEN]})
    del chunk["candidates"][0]["finishReason"]
    reader = il.reader("gemini")
    for each in (chunk, chunk, last):
        list(reader.feed(each))
    reader.close()
    (choice,) = dumped(reader.response, "gemini")[0]["candidates"]
    assert choice["logprobsResult"]["chosenCandidates"] == [CHOSEN] * 3


def test_those_of_geminis_chunks_are_together_those_of_the_answer() -> None:
    reader = il.reader("gemini")
    for chunk in chunks_of("gemini"):
        list(reader.feed(chunk))
    reader.close()
    assert dumped(reader.response, "openai_chat")[0]["choices"][0]["logprobs"]["content"] == [plain(each) for each in TOKENS]
