"""Anthropic Messages responses."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from .primitives import (
    BASE64,
    COUNTS,
    NAMES,
    URLS,
    fields,
    json_objects,
    json_values,
    merged,
    text,
    unknown_fields,
    usual_fields,
)


def _citations() -> st.SearchStrategy[dict[str, Any]]:
    document = {"cited_text": text(blank=False), "document_index": COUNTS, "document_title": st.none() | NAMES}
    spot = {"start_char_index": COUNTS, "end_char_index": COUNTS, "file_id": st.none() | NAMES}
    search = {"cited_text": text(blank=False), "url": URLS, "encrypted_index": BASE64, "title": st.none() | NAMES}
    return st.fixed_dictionaries({"type": st.just("char_location"), **document, **spot}) | st.fixed_dictionaries(
        {"type": st.just("web_search_result_location"), **search}
    )


@st.composite
def _content(draw: st.DrawFn, *, odd: bool) -> list[dict[str, Any]]:
    words = fields(
        {"type": st.just("text"), "text": text(blank=odd)}, {"citations": st.none() | st.lists(_citations(), max_size=2)}
    )
    thinking = st.fixed_dictionaries({"type": st.just("thinking"), "thinking": text(), "signature": BASE64})
    kinds = [words, thinking, st.fixed_dictionaries({"type": st.just("redacted_thinking"), "data": BASE64})]
    if odd:
        kinds += [
            fields({"type": st.just("thinking"), "thinking": text(blank=False)}, {"signature": st.just("")}),
            fields({"type": st.just("text"), "text": text()}, unknown_fields(odd)),
            st.fixed_dictionaries({"type": st.just("x_unknown"), "value": json_values(max_leaves=2)}),
            st.fixed_dictionaries({"type": st.just("compaction"), "content": text(blank=False)}),
        ]
    content: list[dict[str, Any]] = draw(st.lists(st.one_of(kinds), max_size=4))
    caller = {"caller": st.just({"type": "direct"})}
    for number in draw(st.lists(st.integers(0, 99), max_size=3, unique=True)):
        called = {"type": st.just("tool_use"), "id": st.just(f"toolu_{number}"), "name": NAMES, "input": json_objects()}
        content.insert(draw(st.integers(0, len(content))), draw(fields(called, caller)))
    if draw(st.integers(0, 4)) == 0:
        id, place = "srvtoolu_0", draw(st.integers(0, len(content)))
        searched = {"type": st.just("server_tool_use"), "id": st.just(id), "name": st.just("web_search")}
        found = {"type": "web_search_result", "url": "https://example.com", "title": "x", "encrypted_content": "eA=="}
        content[place:place] = [
            draw(fields({**searched, "input": st.just({"query": "x"})}, caller)),
            {"type": "web_search_tool_result", "tool_use_id": id, "content": [{**found, "page_age": None}]},
        ]
    return content


def _usage(*, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    optional: dict[str, st.SearchStrategy[Any]] = {
        "cache_read_input_tokens": COUNTS | st.none(),
        "cache_creation_input_tokens": COUNTS | st.none(),
        "cache_creation": st.fixed_dictionaries({"ephemeral_5m_input_tokens": COUNTS, "ephemeral_1h_input_tokens": COUNTS}),
        "service_tier": st.just("standard"),
        "server_tool_use": st.just({"web_search_requests": 1, "web_fetch_requests": 0}),
        "output_tokens_details": st.fixed_dictionaries({"thinking_tokens": COUNTS}),
    }
    if odd:
        optional |= {"iterations": st.just([{"type": "message", "output_tokens": 1}]), "x_unknown": json_values(max_leaves=2)}
    return fields({"input_tokens": COUNTS, "output_tokens": COUNTS}, optional)


def wire_responses(*, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    def ended(body: dict[str, Any], word: str, stop: str) -> dict[str, Any]:
        called = any(block["type"] == "tool_use" for block in body["content"])
        body["stop_reason"] = "tool_use" if called else word
        body["stop_sequence"] = stop if body["stop_reason"] == "stop_sequence" else None
        return body

    words = ["end_turn", "end_turn", "max_tokens", "stop_sequence", "refusal", "pause_turn"]
    frame: dict[str, Any] = {
        "id": st.integers(0, 99).map("msg_{}".format),
        "type": st.just("message"),
        "role": st.just("assistant"),
        "model": NAMES,
        "content": _content(odd=odd),
        "usage": _usage(odd=odd),
    }
    details = fields({"type": st.just("refusal")}, {"category": st.none() | st.just("cyber"), "explanation": text()})
    more = {
        "stop_details": st.none() | details,
        "container": st.none() | st.just({"id": "container_0", "expires_at": "2026-11-21T00:00:00Z"}),
    }
    if odd:
        words += ["model_context_window_exceeded", "x_unknown"]
        more |= {"context_management": st.just({"applied_edits": []}), "x_unknown": json_values(max_leaves=3)}
        content = frame.pop("content")
        bodies = usual_fields({"content": content}, frame, more)
    else:
        bodies = st.builds(merged, st.fixed_dictionaries(frame), fields({}, more))
    return st.builds(ended, bodies, st.sampled_from(words), text(blank=False))
