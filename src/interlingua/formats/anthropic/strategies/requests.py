"""Anthropic Messages requests, with the constraints that the wire types do not express."""

from __future__ import annotations

import base64
from functools import cache
from typing import Any

from hypothesis import strategies as st

from ....codec.format import Format
from ....codec.strategies.primitives import (
    BASE64,
    COUNTS,
    NAMES,
    PORTABLE_IDS,
    URLS,
    arguments,
    but_for_one,
    called,
    fields,
    json_objects,
    text,
    unknown_fields,
    whole,
)
from ....codec.strategies.shapes import COMMON, of_object
from .. import wire

_TEXT = text(blank=False)
_HINTS: dict[str, st.SearchStrategy[Any]] = {
    **COMMON,
    "text": _TEXT,
    "FunctionTool.type": st.nothing(),
    "PlainText.data": _TEXT,
    "PlainText.media_type": st.just("text/plain"),
}
_DATA = of_object(wire.Base64, _HINTS)
_PDF = of_object(
    wire.Base64, {**_HINTS, "media_type": st.just("application/pdf"), "data": st.just(base64.b64encode(b"%PDF-1.7").decode())}
)
_DOCUMENT = st.one_of(_PDF, *[of_object(kind, _HINTS) for kind in (wire.Url, wire.FileId, wire.PlainText)])
_WORDS = of_object(wire.TextBlock, _HINTS)
_SPANS = {
    "char_location": ("start_char_index", "end_char_index"),
    "page_location": ("start_page_number", "end_page_number"),
    "content_block_location": ("start_block_index", "end_block_index"),
}
"""The fields of each kind of location in a document."""


def citations(*, answered: bool = False, odd: bool = False) -> st.SearchStrategy[dict[str, Any]]:
    """Citations of each kind, as requests or answers have them; if `odd`, some lack a field or have another one."""
    named = {"cited_text": _TEXT, "title": st.none() | NAMES}
    found = {"source": URLS, "search_result_index": COUNTS, "start_block_index": COUNTS, "end_block_index": COUNTS}
    kinds: list[dict[str, st.SearchStrategy[Any]]] = [
        {"type": st.just("web_search_result_location"), **named, "url": URLS, "encrypted_index": BASE64},
        {"type": st.just("search_result_location"), **named, **found},
    ]
    for kind, span in _SPANS.items():
        document = {"cited_text": _TEXT, "document_title": st.none() | NAMES, "document_index": COUNTS}
        kinds.append({"type": st.just(kind), **document, **dict.fromkeys(span, COUNTS)})
        if answered:
            kinds[-1]["file_id"] = st.none() | NAMES
    if not odd:
        return st.one_of(*map(st.fixed_dictionaries, kinds))
    unknown = st.fixed_dictionaries({"type": st.sampled_from(["x_unknown", 1]), "value": json_objects()})
    whole = [but_for_one(fields(kind, unknown_fields(odd)), [key for key in kind if key != "type"]) for kind in kinds]
    return st.one_of(*whole, unknown)


_CITED = of_object(wire.TextBlock, _HINTS, {"citations": st.none() | st.lists(citations(), max_size=2)})
_MARK: dict[str, Any] = {"cache_control": fields({"type": st.just("ephemeral")}, {"ttl": st.sampled_from(["5m", "1h"])})}


@cache
def _user_blocks(odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    image = {**_HINTS, "source": _DATA | of_object(wire.Url, _HINTS)}
    return st.one_of(
        of_object(wire.TextBlock, _HINTS, {**_MARK, **unknown_fields(odd)}),
        of_object(wire.ImageBlock, image, _MARK),
        of_object(wire.DocumentBlock, {**_HINTS, "source": _DOCUMENT}, {"context": _TEXT, **_MARK}),
    )


_ASKED = {"type": st.just("mcp_tool_use"), "id": st.just("mcptoolu_0"), "name": NAMES, "server_name": NAMES}
_GIVEN = {"type": st.just("mcp_tool_result"), "tool_use_id": st.just("mcptoolu_0"), "is_error": st.booleans()}
_TEXTS = st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": _TEXT}), max_size=2)
MCP_CALLS = st.tuples(
    st.fixed_dictionaries({**_ASKED, "input": json_objects()}),
    st.fixed_dictionaries({**_GIVEN, "content": _TEXT | _TEXTS}),
)
"""An MCP call that the server made, and its result."""


@st.composite
def _turn(draw: st.DrawFn, odd: bool, as_text: bool) -> list[dict[str, Any]]:
    turn: list[dict[str, Any]] = [{"role": "user", "content": draw(_asked(odd))}]
    blocks: list[Any] = draw(_spoken(odd))
    ids = draw(st.lists(PORTABLE_IDS, max_size=3, unique=True))
    for id in ids:
        called = draw(_call(odd, as_text)) | {"id": id}
        blocks.insert(draw(st.integers(0, len(blocks))), called)
    if odd and draw(st.integers(0, 4)) == 0:
        place = draw(st.integers(0, len(blocks)))
        blocks[place:place] = draw(MCP_CALLS)  # which only a beta takes
    if not odd and blocks and blocks[-1]["type"] in _REASONING:
        blocks.append(draw(_WORDS))  # reasoning is refused at the end
    words_alone = draw(_TEXT)
    turn.append({"role": "assistant", "content": blocks or words_alone})
    if ids:
        results = [draw(_RESULT | _FAILED) | {"tool_use_id": id} for id in draw(st.permutations(ids))]
        turn.append({"role": "user", "content": results + draw(st.lists(_WORDS, max_size=2))})
        turn.append({"role": "assistant", "content": draw(_TEXT)})
    return turn


@cache
def _asked(odd: bool) -> st.SearchStrategy[Any]:
    blocks: st.SearchStrategy[Any] = st.lists(_user_blocks(odd), min_size=1, max_size=3)
    return _TEXT | blocks


_REASONING = ("thinking", "redacted_thinking")
_THINKING = of_object(wire.ThinkingBlock, _HINTS, always=("signature",))
_SUMMARY = fields({"type": st.just("compaction"), "content": st.none() | _TEXT}, {"encrypted_content": BASE64})
_SHOWN = st.lists(_WORDS | of_object(wire.ImageBlock, {**_HINTS, "source": _DATA}), min_size=1, max_size=2)
_NOT_FAILED = st.sampled_from([False, None])
# Ids are added to calls, and to their results, later.
_RESULT = of_object(wire.ToolResultBlock, {"tool_use_id": st.none(), "content": _TEXT | _SHOWN, "is_error": _NOT_FAILED})
_FAILED = of_object(wire.ToolResultBlock, {"tool_use_id": st.none(), "content": _TEXT, "is_error": st.just(True)})


@cache
def _spoken(odd: bool) -> st.SearchStrategy[list[Any]]:
    blocks = _THINKING | of_object(wire.RedactedThinkingBlock, _HINTS) | _CITED
    return st.lists(blocks | _SUMMARY if odd else blocks, max_size=3)


@cache
def _call(odd: bool, as_text: bool) -> st.SearchStrategy[dict[str, Any]]:
    given: st.SearchStrategy[Any] = arguments(broken=odd) if as_text else json_objects()
    return of_object(wire.ToolUseBlock, {"id": st.none(), "name": called(odd), "input": given})


_CHOICES = [{"type": "tool", "name": name} for name in ("f", "fs.read")]


def requests(format: Format, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    return _requests(odd, format.profile.input_as_text, format.profile.version)


_SERVER = fields(
    {"type": st.just("url"), "name": NAMES, "url": URLS},
    {"authorization_token": NAMES, "tool_configuration": st.just({"enabled": True, "allowed_tools": ["a"]})},
)
_SERVERS = st.lists(_SERVER, max_size=2, unique_by=lambda server: server["name"])


@cache
def _requests(odd: bool, as_text: bool, version: str | None) -> st.SearchStrategy[dict[str, Any]]:
    tool = of_object(wire.FunctionTool, _HINTS, {"cache_control": st.just({"type": "ephemeral"})}, always=("input_schema",))
    settings: dict[str, st.SearchStrategy[Any]] = {
        # On Bedrock and Vertex AI, the URL has the model.
        **({"model": NAMES} if version is None else {"anthropic_version": st.just(version)}),
        "max_tokens": st.integers(1, 10**6),
        "system": _TEXT | st.lists(_WORDS, min_size=1, max_size=2),
        "tools": st.lists(tool, min_size=1, max_size=2, unique_by=lambda tool: tool["name"]),
        "tool_choice": st.sampled_from(
            [{"type": "auto"}, {"type": "any", "disable_parallel_tool_use": True}, {"type": "none"}, *(_CHOICES if odd else ())]
        ),
        "stop_sequences": st.lists(_TEXT, min_size=1, max_size=6),
        "thinking": st.just({"type": "enabled", "budget_tokens": 2048}),
        "metadata": st.fixed_dictionaries({"user_id": NAMES}),
        **({"mcp_servers": _SERVERS} if odd and version is None else {}),  # a beta
        **unknown_fields(odd),
    }
    drawn = whole(st.lists(_turn(odd, as_text), min_size=1, max_size=3).map(_renumbered), settings).map(_with_few_marks)
    asked: dict[str, Any] = {} if version is None else {"anthropic_version": version}
    return drawn if odd else drawn.map(lambda request: {"max_tokens": 4096} | request | asked)


def _with_few_marks(request: dict[str, Any]) -> dict[str, Any]:
    """The request with at most four cache marks, Anthropic's limit."""
    holders: list[Any] = [request.get("tools"), *(message["content"] for message in request["messages"])]
    blocks: list[dict[str, Any]] = [block for content in holders if not isinstance(content, str | None) for block in content]
    for block in [block for block in blocks if "cache_control" in block][4:]:
        del block["cache_control"]
    return request


def _renumbered(turns: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The turns as a list, with different ids for all tool calls, as Anthropic requires."""
    for i, turn in enumerate(turns):
        for message in turn:
            content: list[dict[str, Any]] | str = message["content"]
            for block in content if isinstance(content, list) else []:
                for key in ("id", "tool_use_id"):
                    if key in block:
                        block[key] += f"-{i}"
    return [message for turn in turns for message in turn]
