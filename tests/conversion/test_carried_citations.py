"""A page that an answer cites arrives as the citation of each provider that has them, with its URL and title."""

from typing import Any

import pytest

import interlingua as il

ANSWERS: dict[il.FormatName, dict[str, Any]] = {
    "anthropic": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "stop_reason": "end_turn",
        "content": [
            {
                "type": "text",
                "text": "It is so.",
                "citations": [
                    {
                        "type": "web_search_result_location",
                        "url": "https://a.org",
                        "title": "A",
                        "cited_text": "so it is",
                        "encrypted_index": "ee",
                    }
                ],
            }
        ],
    },
    "openai_responses": {
        "id": "resp_1",
        "model": "m",
        "status": "completed",
        "output": [
            {
                "type": "message",
                "role": "assistant",
                "content": [
                    {
                        "type": "output_text",
                        "text": "It is so.",
                        "annotations": [
                            {"type": "url_citation", "url": "https://a.org", "title": "A", "start_index": 0, "end_index": 9}
                        ],
                    }
                ],
            }
        ],
    },
    "openai_chat": {
        "id": "c",
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {
                    "role": "assistant",
                    "content": "It is so.",
                    "annotations": [
                        {
                            "type": "url_citation",
                            "url_citation": {"url": "https://a.org", "title": "A", "start_index": 0, "end_index": 9},
                        }
                    ],
                },
            }
        ],
    },
    "gemini": {
        "candidates": [
            {
                "content": {"role": "model", "parts": [{"text": "It is so."}]},
                "finishReason": "STOP",
                "groundingMetadata": {
                    "groundingChunks": [{"web": {"uri": "https://a.org", "title": "A"}}],
                    "groundingSupports": [
                        {"segment": {"startIndex": 0, "endIndex": 9, "text": "It is so."}, "groundingChunkIndices": [0]}
                    ],
                },
            }
        ]
    },
}


def _cited(response: il.Response) -> list[tuple[str, str | None]]:
    return [
        (citation.url, citation.title)
        for part in response.message.parts
        if isinstance(part, il.TextPart)
        for citation in part.citations or ()
        if isinstance(citation, il.UrlCitation)
    ]


@pytest.mark.parametrize("target", ANSWERS)
@pytest.mark.parametrize("source", ANSWERS)
def test_a_cited_page_arrives(source: il.FormatName, target: il.FormatName) -> None:
    response = il.load_response(ANSWERS[source], source)
    assert _cited(response) == [("https://a.org", "A")]
    body: Any = il.dump_response(response, target, on_loss="ignore")
    assert _cited(il.load_response(body, target)) == [("https://a.org", "A")]


@pytest.mark.parametrize("source", [source for source in ANSWERS if source != "anthropic"])
def test_what_anthropic_alone_knows_is_empty_and_reported(source: il.FormatName) -> None:
    losses: list[il.Loss] = []
    body: Any = il.dump_response(il.load_response(ANSWERS[source], source), "anthropic", on_loss=losses.append)
    (citation,) = body["content"][0]["citations"]
    assert citation["encrypted_index"] == ""
    assert any(loss.kind == "changed" and loss.path.endswith("/citations/0") for loss in losses)


def test_a_request_has_no_citation_without_its_index() -> None:
    """Anthropic's server refuses a citation whose index it did not make."""
    answer = il.load_response(ANSWERS["openai_responses"], "openai_responses").message
    body: Any = il.dump([il.UserMessage(content="?"), answer, il.UserMessage(content="!")], "anthropic", on_loss="ignore")
    assert "citations" not in body["messages"][1]["content"][0]


def test_a_citation_that_comes_back_without_its_index_is_not_sent_to_claude() -> None:
    answer: Any = il.dump_response(il.load_response(ANSWERS["gemini"], "gemini"), "anthropic", on_loss="ignore")
    question = {"role": "user", "content": "?"}
    body: Any = {"model": "m", "max_tokens": 9, "messages": [question, {**_MESSAGE, "content": answer["content"]}, question]}
    made: Any = il.convert(body, source="anthropic", target="anthropic_vertex")
    assert made.payload["messages"][1]["content"] == [{"type": "text", "text": "It is so."}]
    assert [(loss.kind, loss.path) for loss in made.losses] == [("dropped", "/messages/1/content/0/citations/0")]
    assert il.convert(body, source="anthropic", target="anthropic").payload == body
    (found,) = [each for each in il.check(body, "anthropic") if each.code == "citation-unreadable"]
    assert found.path == "/messages/1/content/0/citations/0"
    mended, _ = il.repair(il.load(body, "anthropic"), "anthropic")
    assert "encrypted_index" not in str(il.dump(mended, "anthropic"))
    # A client gets it as it is.
    again = il.dump_response(il.load_response(answer, "anthropic"), "anthropic_vertex", on_loss="ignore")
    assert again["content"] == answer["content"]


_MESSAGE = {"role": "assistant"}


# Streams

_TEXT = {"type": "output_text", "text": "It is so.", "annotations": list[Any]()}
_CITED: dict[str, Any] = ANSWERS["openai_responses"]["output"][0]["content"][0]
_ITEM = {"id": "msg_1", "type": "message", "role": "assistant"}
_OPEN = {"id": "resp_1", "object": "response", "model": "m", "status": "in_progress", "output": list[Any]()}
_DONE = {**_ITEM, "status": "completed", "content": [_CITED]}
_AT = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
_CHUNK = {"id": "c", "object": "chat.completion.chunk", "model": "m"}
_CANDIDATE: dict[str, Any] = ANSWERS["gemini"]["candidates"][0]
STREAMS: dict[il.FormatName, list[dict[str, Any]]] = {
    "anthropic": [
        {"type": "message_start", "message": ANSWERS["anthropic"] | {"content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "", "citations": []}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "It is so."}},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "citations_delta", "citation": ANSWERS["anthropic"]["content"][0]["citations"][0]},
        },
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}},
        {"type": "message_stop"},
    ],
    "openai_responses": [
        {"type": "response.created", "response": _OPEN},
        {"type": "response.output_item.added", "output_index": 0, "item": {**_ITEM, "status": "in_progress", "content": []}},
        {"type": "response.content_part.added", **_AT, "part": _TEXT | {"text": ""}},
        {"type": "response.output_text.delta", **_AT, "delta": "It is so."},
        {
            "type": "response.output_text.annotation.added",
            **_AT,
            "annotation_index": 0,
            "annotation": _CITED["annotations"][0],
        },
        {"type": "response.output_text.done", **_AT, "text": "It is so."},
        {"type": "response.content_part.done", **_AT, "part": _CITED},
        {"type": "response.output_item.done", "output_index": 0, "item": _DONE},
        {"type": "response.completed", "response": _OPEN | {"status": "completed", "output": [_DONE]}},
    ],
    "openai_chat": [
        _CHUNK | {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "It is so."}}]},
        _CHUNK
        | {
            "choices": [
                {"index": 0, "delta": {"annotations": ANSWERS["openai_chat"]["choices"][0]["message"]["annotations"]}},
            ]
        },
        _CHUNK | {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    ],
    "gemini": [
        {"candidates": [{"content": _CANDIDATE["content"]}]},
        {"candidates": [{"finishReason": "STOP", "groundingMetadata": _CANDIDATE["groundingMetadata"]}]},
    ],
}


def _streamed(chunks: Any, format: il.FormatName) -> il.Response:
    reader = il.reader(format)
    for chunk in chunks:
        reader.feed(chunk)
    return reader.response


@pytest.mark.parametrize("target", STREAMS)
@pytest.mark.parametrize("source", STREAMS)
def test_a_cited_page_arrives_in_a_stream(source: il.FormatName, target: il.FormatName) -> None:
    assert _cited(_streamed(STREAMS[source], source)) == [("https://a.org", "A")]
    chunks = il.restream(STREAMS[source], source=source, target=target, on_loss="ignore")
    assert _cited(_streamed(chunks, target)) == [("https://a.org", "A")]


_SIGNED: dict[str, Any] = {"text": "", "thoughtSignature": "c2ln"}


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("target", STREAMS)
def test_a_cited_page_arrives_where_a_signature_follows_its_text(target: il.FormatName, apart: bool) -> None:
    """Gemini 3 signs an empty text in the last chunk, which has the grounding, too."""
    last = {"content": {"role": "model", "parts": [_SIGNED]}, "groundingMetadata": _CANDIDATE["groundingMetadata"]}
    ends: list[Any] = [last, {"finishReason": "STOP"}] if apart else [last | {"finishReason": "STOP"}]
    stream = [STREAMS["gemini"][0], *({"candidates": [end]} for end in ends)]
    parts = [*_CANDIDATE["content"]["parts"], _SIGNED]
    whole: Any = {"candidates": [_CANDIDATE | {"content": {"role": "model", "parts": parts}}]}
    assert _streamed(stream, "gemini") == il.load_response(whole, "gemini")
    chunks = il.restream(stream, source="gemini", target=target, on_loss="ignore")
    assert _cited(_streamed(chunks, target)) == [("https://a.org", "A")]


def test_grounding_of_the_empty_text_itself_waits_for_it() -> None:
    """It is the same as in the whole answer."""
    support = {"segment": {"partIndex": 1, "startIndex": 0, "endIndex": 0}, "groundingChunkIndices": [0]}
    grounding = {**_CANDIDATE["groundingMetadata"], "groundingSupports": [support]}
    last = {"content": {"role": "model", "parts": [_SIGNED]}, "groundingMetadata": grounding, "finishReason": "STOP"}
    parts = [*_CANDIDATE["content"]["parts"], _SIGNED]
    whole: Any = {"candidates": [{**last, "content": {"role": "model", "parts": parts}}]}
    assert _streamed([STREAMS["gemini"][0], {"candidates": [last]}], "gemini") == il.load_response(whole, "gemini")


def test_both_kinds_of_citations_of_a_last_chunk_are_read_once() -> None:
    cited = {"citationMetadata": {"citationSources": [{"startIndex": 0, "endIndex": 2, "uri": "https://b.org"}]}}
    own = {"groundingMetadata": _CANDIDATE["groundingMetadata"], **cited, "finishReason": "STOP"}
    last = {"content": {"role": "model", "parts": [_SIGNED]}, **own}
    chunks = il.restream([STREAMS["gemini"][0], {"candidates": [last]}], source="gemini", target="anthropic", on_loss="ignore")
    assert len(list(chunks)) > 0
    [part, _] = chunks.response.message.parts
    count = len(part.get("citations") or ())
    named = [loss.path.partition("/citations/")[2].partition("/")[0] for loss in chunks.losses]
    assert (count, {number for number in named if number}) == (2, {"0", "1"})
