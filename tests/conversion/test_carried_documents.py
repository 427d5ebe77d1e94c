"""Documents in chunks, search results and what documents say of themselves, between Anthropic and Converse."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

import interlingua as il

CITED: dict[str, Any] = {"enabled": True}
PDF: dict[str, Any] = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}
QUESTION = {"type": "text", "text": "What does it say?"}

PAIRS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a document that can be cited": (
        {"type": "document", "source": PDF, "title": "Report", "citations": CITED},
        {"document": {"name": "Report", "format": "pdf", "source": {"bytes": "JVBERi0="}, "citations": CITED}},
    ),
    "a document whose citations are off": (
        {"type": "document", "source": PDF, "title": "Report", "citations": {"enabled": False}},
        {"document": {"name": "Report", "format": "pdf", "source": {"bytes": "JVBERi0="}, "citations": {"enabled": False}}},
    ),
    "a document with context": (
        {"type": "document", "source": PDF, "title": "Report", "context": "Of last year."},
        {"document": {"name": "Report", "format": "pdf", "source": {"bytes": "JVBERi0="}, "context": "Of last year."}},
    ),
    "a document in chunks": (
        {
            "type": "document",
            "source": {"type": "content", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]},
            "title": "Notes",
            "context": "Of a meeting.",
            "citations": CITED,
        },
        {
            "document": {
                "name": "Notes",
                "source": {"content": [{"text": "one"}, {"text": "two"}]},
                "context": "Of a meeting.",
                "citations": CITED,
            }
        },
    ),
    "a document in chunks without a title": (
        {"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "one"}]}},
        {"document": {"name": "document", "source": {"content": [{"text": "one"}]}}},
    ),
    "a search result": (
        {
            "type": "search_result",
            "source": "https://example.com/guide",
            "title": "Guide",
            "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}],
            "citations": CITED,
        },
        {
            "searchResult": {
                "source": "https://example.com/guide",
                "title": "Guide",
                "content": [{"text": "one"}, {"text": "two"}],
                "citations": CITED,
            }
        },
    ),
    "a search result without citations": (
        {"type": "search_result", "source": "wiki", "title": "Page", "content": [{"type": "text", "text": "one"}]},
        {"searchResult": {"source": "wiki", "title": "Page", "content": [{"text": "one"}]}},
    ),
}
"""Blocks of Anthropic's, and what they are at Converse."""


def of_anthropic(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"max_tokens": 9, "messages": [{"role": "user", "content": [*blocks, QUESTION]}]}


def of_converse(*blocks: dict[str, Any]) -> dict[str, Any]:
    messages = [{"role": "user", "content": [*blocks, {"text": QUESTION["text"]}]}]
    return {"messages": messages, "inferenceConfig": {"maxTokens": 9}}


def result_of(*blocks: dict[str, Any]) -> list[dict[str, Any]]:
    """Messages of Anthropic's where a tool gives back these blocks."""
    call: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": "search", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": [*blocks]}
    return [
        {"role": "user", "content": "Search."},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
    ]


def lost(conversion: il.Conversion[Any]) -> list[str]:
    """What is lost, without the reports that a block is spelled as the other provider spells it."""
    return [loss.path for loss in conversion.losses if not loss.detail.endswith("with the same meaning")]


@pytest.mark.parametrize("name", PAIRS)
def test_blocks_are_carried_both_ways(name: str) -> None:
    ours, theirs = of_anthropic(PAIRS[name][0]), of_converse(PAIRS[name][1])
    there = il.convert(ours, source="anthropic", target="bedrock_converse")
    back = il.convert(theirs, source="bedrock_converse", target="anthropic")
    assert (there.payload, lost(there)) == (theirs, [])
    assert (back.payload, lost(back)) == (ours, [])
    assert not [problem for problem in il.check(theirs, "bedrock_converse") if problem.severity == "error"]
    assert not [problem for problem in il.check(ours, "anthropic") if problem.severity == "error"]


@pytest.mark.parametrize("name", PAIRS)
def test_blocks_are_carried_in_the_results_of_tools(name: str) -> None:
    tool: dict[str, Any] = {"name": "search", "input_schema": {"type": "object", "properties": {}}}
    ours: dict[str, Any] = {"max_tokens": 9, "messages": result_of(PAIRS[name][0]), "tools": [tool]}
    there = il.convert(ours, source="anthropic", target="bedrock_converse")
    assert there.payload["messages"][2]["content"][0]["toolResult"]["content"] == [PAIRS[name][1]]
    back = il.convert(there.payload, source="bedrock_converse", target="anthropic")
    assert back.payload["messages"][2]["content"][0]["content"] == [PAIRS[name][0]]
    assert lost(there) == lost(back) == []


def test_the_mark_of_a_block_becomes_a_cache_point_and_a_mark_again() -> None:
    mark = {"type": "ephemeral", "ttl": "1h"}
    ours = of_anthropic(PAIRS["a search result"][0] | {"cache_control": mark})
    there = il.convert(ours, source="anthropic", target="bedrock_converse")
    assert there.payload == of_converse(PAIRS["a search result"][1], {"cachePoint": {"type": "default", "ttl": "1h"}})
    assert il.convert(there.payload, source="bedrock_converse", target="anthropic").payload == ours


IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
LOST: dict[str, tuple[dict[str, Any], dict[str, Any] | None, list[str]]] = {
    "an image among chunks": (
        {"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "one"}, IMAGE]}, "title": "T"},
        {"document": {"name": "T", "source": {"content": [{"text": "one"}]}}},
        ["/messages/0/content/0/source/content/1"],
    ),
    "images alone": (
        {"type": "document", "source": {"type": "content", "content": [IMAGE]}, "title": "T"},
        None,
        ["/messages/0/content/0"],
    ),
    "a title that is no name": (
        {"type": "document", "source": {"type": "content", "content": "one"}, "title": "a_b.txt"},
        {"document": {"name": "a b txt", "source": {"content": [{"text": "one"}]}}},
        ["/messages/0/content/0/title"],
    ),
    "a field of tomorrow": (
        PAIRS["a search result"][0] | {"rank": 3},
        PAIRS["a search result"][1],
        ["/messages/0/content/0/rank"],
    ),
    "a result without a title": (
        {"type": "search_result", "source": "wiki", "content": [{"type": "text", "text": "one"}]},
        {"text": "wiki\n\none"},
        ["/messages/0/content/0"],
    ),
}
"""Blocks of Anthropic's, what they are at Converse, and what is lost."""


@pytest.mark.parametrize("name", LOST)
def test_what_converse_has_no_place_for_is_reported(name: str) -> None:
    ours, theirs, paths = LOST[name]
    there = il.convert(of_anthropic(ours), source="anthropic", target="bedrock_converse")
    assert there.payload == of_converse(*([] if theirs is None else [theirs]))
    assert lost(there) == paths


OTHERS = [format for format in il.FORMATS.values() if format.family not in ("anthropic", "bedrock")]
SAID = {
    "a document in chunks": "Notes\nOf a meeting.\n\none\ntwo",
    "a search result": "Guide\nhttps://example.com/guide\n\none\ntwo",
    "a search result without citations": "Page\nwiki\n\none",
}
"""The text of blocks for models that cannot cite them."""


@pytest.mark.parametrize("target", OTHERS, ids=lambda each: each.name)
@pytest.mark.parametrize("name", SAID)
@pytest.mark.parametrize("source", ["anthropic", "bedrock_converse"])
def test_models_that_cannot_cite_get_the_text(source: il.FormatName, name: str, target: il.Format) -> None:
    block = PAIRS[name][source == "bedrock_converse"]
    body = of_converse(block) if source == "bedrock_converse" else of_anthropic(block)
    made = il.convert(body, source=source, target=target)
    assert json.dumps(SAID[name])[1:-1] in json.dumps(made.payload)
    if target.listed != "prompt":  # which reports the message as a whole
        dropped = [
            loss.path for loss in made.losses if loss.kind == "dropped" and loss.path.startswith("/messages/0/content/0")
        ]
        assert dropped == ["/messages/0/content/0" + at for at in _switch_of(block)]


def _switch_of(block: dict[str, Any]) -> list[str]:
    """The pointer of the switch for citations in a block."""
    key = next(iter(block)) if len(block) == 1 else ""
    inside: dict[str, Any] = block.get(key, block)
    return [f"/{key}/citations" if key else "/citations"] if "citations" in inside else []


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses", "gemini", "cohere", "ollama"])
def test_the_result_of_a_tool_that_searched_is_not_empty(target: il.FormatName) -> None:
    tool: dict[str, Any] = {"name": "search", "input_schema": {"type": "object", "properties": {}}}
    body = {"max_tokens": 9, "messages": result_of(PAIRS["a search result"][0]), "tools": [tool]}
    made = il.convert(body, source="anthropic", target=target)
    assert json.dumps(SAID["a search result"])[1:-1].replace("\\", "") in json.dumps(made.payload).replace("\\", "")


def test_other_formats_do_not_take_the_fields_of_documents() -> None:
    ours = of_anthropic(PAIRS["a document that can be cited"][0])
    there = il.convert(ours, source="anthropic", target="openai_chat")
    assert [loss.path for loss in there.losses] == ["/messages/0/content/0/citations"]


def cited(citation: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"type": "text", "text": "answer", "citations": [{"cited_text": "words", **citation}]}]


CITATIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "of a page": (
        {"type": "page_location", "document_index": 0, "document_title": "T", "start_page_number": 1, "end_page_number": 2},
        {"title": "T", "location": {"documentPage": {"documentIndex": 0, "start": 1, "end": 2}}},
    ),
    "of a chunk": (
        {
            "type": "content_block_location",
            "document_index": 1,
            "document_title": "T",
            "start_block_index": 0,
            "end_block_index": 1,
        },
        {"title": "T", "location": {"documentChunk": {"documentIndex": 1, "start": 0, "end": 1}}},
    ),
    "by characters": (
        {"type": "char_location", "document_index": 0, "document_title": "T", "start_char_index": 3, "end_char_index": 9},
        {"title": "T", "location": {"documentChar": {"documentIndex": 0, "start": 3, "end": 9}}},
    ),
    "of a search result": (
        {
            "type": "search_result_location",
            "search_result_index": 0,
            "source": "wiki",
            "title": "T",
            "start_block_index": 0,
            "end_block_index": 1,
        },
        {"title": "T", "source": "wiki", "location": {"searchResultLocation": {"searchResultIndex": 0, "start": 0, "end": 1}}},
    ),
}
"""Citations of Anthropic's, and what they are at Converse."""


@pytest.mark.parametrize("name", CITATIONS)
def test_citations_are_carried_both_ways_in_requests_and_responses(name: str) -> None:
    ours, theirs = CITATIONS[name]
    said = cited(ours)
    held = [
        {"citationsContent": {"content": [{"text": "answer"}], "citations": [{**theirs, "sourceContent": [{"text": "words"}]}]}}
    ]
    asked = {"max_tokens": 9, "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": said}]}
    there = il.convert(asked, source="anthropic", target="bedrock_converse")
    assert there.payload["messages"][1]["content"] == held
    assert not there.losses
    back = il.convert(there.payload, source="bedrock_converse", target="anthropic")
    assert back.payload["messages"][1]["content"] == said
    assert not back.losses
    answer = il.load_response({"content": said, "stop_reason": "end_turn"}, "anthropic")
    assert il.dump_response(answer, "bedrock_converse")["output"]["message"]["content"] == held
    answered = {"output": {"message": {"role": "assistant", "content": held}}, "stopReason": "end_turn"}
    assert il.dump_response(il.load_response(answered, "bedrock_converse"), "anthropic")["content"] == said


def streamed(name: il.FormatName, ours: dict[str, Any], theirs: dict[str, Any]) -> list[dict[str, Any]]:
    """The chunks of a text with a citation."""
    if name == "anthropic":
        citation = {"type": "citations_delta", "citation": {"cited_text": "words", **ours}}
        start: dict[str, Any] = {"type": "text", "text": "", "citations": []}
        return [
            {"type": "content_block_start", "index": 0, "content_block": start},
            {"type": "content_block_delta", "index": 0, "delta": citation},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "answer"}},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
            {"type": "message_stop"},
        ]
    deltas = [{"citation": {**theirs, "sourceContent": [{"text": "words"}]}}, {"text": "answer"}]
    return [
        {"messageStart": {"role": "assistant"}},
        *({"contentBlockDelta": {"contentBlockIndex": 0, "delta": delta}} for delta in deltas),
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"messageStop": {"stopReason": "end_turn"}},
    ]


def cited_in(chunks: Iterable[Any], name: il.FormatName) -> list[dict[str, Any]]:
    reader = il.reader(name)
    for chunk in chunks:
        reader.feed(chunk)
    part: Any = reader.response.message.parts[0].to_dict()
    assert part["text"] == "answer"
    ours = ("provider_data", "wire")
    return [{key: citation[key] for key in citation if key not in ours} for citation in part["citations"]]


@pytest.mark.parametrize("name", CITATIONS)
@pytest.mark.parametrize(("source", "target"), [("anthropic", "bedrock_converse"), ("bedrock_converse", "anthropic")])
def test_citations_are_carried_both_ways_in_streams(source: il.FormatName, target: il.FormatName, name: str) -> None:
    chunks = streamed(source, *CITATIONS[name])
    sent = list(il.restream(chunks, source=source, target=target, on_loss="ignore"))
    assert cited_in(sent, target) == cited_in(chunks, source) != []
