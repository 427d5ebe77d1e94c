"""Anthropic Messages responses."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from ....codec.format import Format
from ....codec.strategies import primitives as p
from ....codec.strategies.shapes import COMMON, of_object
from .. import wire
from .requests import MCP_CALLS, citations


@st.composite
def _content(draw: st.DrawFn, *, odd: bool) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = draw(_blocks(odd))
    for number in draw(st.lists(st.integers(0, 99), max_size=3, unique=True)):
        content.insert(draw(st.integers(0, len(content))), draw(_call(odd)) | {"id": f"toolu_{number}"})
    ran = draw(st.integers(0, 4))
    if ran < 2:
        place = draw(st.integers(0, len(content)))
        found = {"type": "web_search_result", "url": "https://example.com", "title": "x", "encrypted_content": "eA=="}
        results = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_0", "content": [{**found, "page_age": None}]}
        content[place:place] = draw(MCP_CALLS) if ran else [draw(_SEARCH), results]
    return content


_CALLER = {"caller": st.just({"type": "direct"})}
_SEARCHED = {"type": st.just("server_tool_use"), "id": st.just("srvtoolu_0"), "name": st.just("web_search")}
_SEARCH = p.fields({**_SEARCHED, "input": st.just({"query": "x"})}, _CALLER)


@cache
def _call(odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    """A call; its id is added later."""
    called = {**COMMON, "text": p.text(blank=odd), "id": st.none(), "input": p.json_objects()}
    return of_object(wire.ToolUseBlock, called, _CALLER)


@cache
def _blocks(odd: bool) -> st.SearchStrategy[list[dict[str, Any]]]:
    hints = {**COMMON, "text": p.text(blank=odd)}
    words = of_object(wire.TextBlock, hints, {"citations": st.none() | st.lists(citations(answered=True, odd=odd), max_size=2)})
    thinking = of_object(wire.ThinkingBlock, hints, always=("signature",))
    kinds = [words, thinking, of_object(wire.RedactedThinkingBlock, hints)]
    if odd:
        kinds += [
            p.fields({"type": st.just("thinking"), "thinking": p.text(blank=False)}, {"signature": st.just("")}),
            p.fields({"type": st.just("text"), "text": p.text()}, p.unknown_fields(odd)),
            st.fixed_dictionaries({"type": st.just("x_unknown"), "value": p.json_values(max_leaves=2)}),
            st.fixed_dictionaries({"type": st.just("compaction"), "content": p.text(blank=False)}),
        ]
    return st.lists(st.one_of(kinds), max_size=4)


def _usage(*, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    optional: dict[str, st.SearchStrategy[Any]] = {
        "cache_read_input_tokens": p.COUNTS | st.none(),
        "cache_creation_input_tokens": p.COUNTS | st.none(),
        "cache_creation": st.fixed_dictionaries({"ephemeral_5m_input_tokens": p.COUNTS, "ephemeral_1h_input_tokens": p.COUNTS}),
        "service_tier": st.just("standard"),
        "server_tool_use": st.just({"web_search_requests": 1, "web_fetch_requests": 0}),
        "output_tokens_details": st.fixed_dictionaries({"thinking_tokens": p.COUNTS}),
    }
    if odd:
        counts = {"input_tokens": p.COUNTS, "output_tokens": p.COUNTS}
        step = p.fields({"type": st.sampled_from(["message", "compaction"]), **counts}, {"cache_read_input_tokens": p.COUNTS})
        optional |= {"iterations": st.lists(step, max_size=2), "x_unknown": p.json_values(max_leaves=2)}
    return p.fields({"input_tokens": p.COUNTS, "output_tokens": p.COUNTS}, optional)


def responses(_: Format, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    return _bodies(odd)


@cache
def _bodies(odd: bool) -> st.SearchStrategy[dict[str, Any]]:
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
        "model": p.NAMES,
        "content": _content(odd=odd),
        "usage": _usage(odd=odd),
    }
    details = p.fields({"type": st.just("refusal")}, {"category": st.none() | st.just("cyber"), "explanation": p.text()})
    more = {
        "stop_details": st.none() | details,
        "container": st.none() | st.just({"id": "container_0", "expires_at": "2026-11-21T00:00:00Z"}),
    }
    if odd:
        words += ["model_context_window_exceeded", "x_unknown"]
        more |= {"context_management": st.just({"applied_edits": []}), "x_unknown": p.json_values(max_leaves=3)}
    bodies = p.fields(frame, more)
    if odd:
        bodies = p.but_for_one(bodies, [key for key in frame if key != "content"])
    return st.builds(ended, bodies, st.sampled_from(words), p.text(blank=False))
