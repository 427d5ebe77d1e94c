"""OpenAI Responses requests, as OpenAI accepts them, and as its clients and hosts spell them."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

from hypothesis import strategies as st

from ....codec.format import Format
from ....codec.strategies import primitives as p

Strategy = st.SearchStrategy[Any]
_TEXT = p.text(blank=False)
_STATUS = {"status": st.sampled_from(["completed", "in_progress", "incomplete"])}
_MARK = {"prompt_cache_breakpoint": st.sampled_from([{"mode": "explicit"}, {"mode": "explicit", "ttl": "12h"}])}
_PDF = p.BASE64.map("data:application/pdf;base64,{}".format)


def _of(kind: str, fields: dict[str, Strategy], more: dict[str, Strategy] | None = None) -> Strategy:
    return p.fields({"type": st.just(kind), **fields}, more or {})


# Parts


@cache
def _shown(odd: bool) -> Strategy:
    """Input parts: text, images, files."""
    more = {**_MARK, **p.unknown_fields(odd)}
    detail = {"detail": st.sampled_from(["low", "high", "auto"])}
    words = _of("input_text", {"text": _TEXT}, more)
    kinds = [
        words,
        words,
        _of("input_image", {"image_url": p.URLS | p.IMAGE_URIS, **detail}, more),
        _of("input_image", {"file_id": p.NAMES, **detail}, more),
        _of("input_file", {"file_data": _PDF, "filename": p.NAMES}, more),
        _of("input_file", {"file_url": p.URLS}, more),
        _of("input_file", {"file_id": p.NAMES}, more),
    ]
    if odd:
        kinds += [
            _of("input_image", {"image_url": p.URLS}, {"file_id": st.none(), "detail": st.none()}),
            _of("input_file", {"file_data": p.BASE64}, {"file_id": st.none(), "file_url": p.URLS}),
            _of("input_image", {"image_url": st.none()}),
            _of("input_audio", {"input_audio": st.just({"data": "YQ==", "format": "wav"})}),
        ]
    return st.one_of(kinds)


@cache
def _written(odd: bool) -> Strategy:
    """Output parts: text with annotations, refusals."""
    spot = {"start_index": p.COUNTS, "end_index": p.COUNTS}
    cited = [
        _of("url_citation", {"url": p.URLS, "title": p.NAMES, **spot}),
        _of("file_citation", {"file_id": p.NAMES, "filename": p.NAMES, "index": p.COUNTS}),
        _of("file_path", {"file_id": p.NAMES, "index": p.COUNTS}),
    ]
    if odd:
        cited.append(
            _of("url_citation", {}, {"url": st.none() | p.URLS, "start_index": st.none(), "x_unknown": p.json_values()})
        )
    annotations = st.lists(st.one_of(cited), max_size=2)
    text = _of("output_text", {"text": _TEXT, "annotations": annotations}, {"logprobs": st.just([]), **p.unknown_fields(odd)})
    kinds = [text, text, _of("refusal", {"refusal": _TEXT}, p.unknown_fields(odd))]
    if odd:
        kinds += [
            _of("output_text", {"text": p.text()}),
            _of("input_text", {"text": p.text()}),
            _of("x_novel", {"text": p.text()}),
        ]
    return st.one_of(kinds)


# Items


@cache
def _message(odd: bool, *roles: str) -> Strategy:
    """An input message, with its type or without."""
    content = _TEXT | st.lists(_shown(odd), min_size=0 if odd else 1, max_size=3)
    more = {"type": st.just("message"), **(_STATUS if odd else {}), **p.unknown_fields(odd)}
    return p.fields({"role": st.sampled_from(roles), "content": content}, more)


@cache
def _answer(odd: bool) -> Strategy:
    """An assistant message: as input, or as in the output of a response."""
    phase = {"phase": st.sampled_from(["commentary", "final_answer"])}
    easy = p.fields({"role": st.just("assistant"), "content": _TEXT}, {"type": st.just("message"), **phase})
    parts = st.lists(_written(odd), min_size=1, max_size=2)
    full = {"id": st.integers(0, 9).map("msg_{}".format), "role": st.just("assistant"), "content": parts, **_STATUS}
    kinds = [easy, _of("message", full, {**phase, **p.unknown_fields(odd)})]
    if odd:
        kinds += [
            p.fields({"role": st.just("assistant"), "content": parts | st.just([])}, {"type": st.none(), **_STATUS}),
            p.fields({"role": st.just("assistant"), "content": p.text()}, {**phase, **p.unknown_fields(odd)}),
        ]
    return st.one_of(kinds)


@cache
def _reasoning(odd: bool) -> Strategy:
    summary = st.lists(_of("summary_text", {"text": p.text(blank=odd)}, p.unknown_fields(odd)), max_size=2)
    usual = {"summary": summary, "encrypted_content": p.BASE64}
    more: dict[str, Strategy] = {"id": st.integers(0, 9).map("rs_{}".format), **_STATUS}
    kinds = [_of("reasoning", usual, more)]
    if odd:
        content = st.lists(_of("reasoning_text", {"text": p.text()}), max_size=2) | st.none()
        kinds += [
            _of("reasoning", {}, {"summary": summary | st.none(), "content": content, "encrypted_content": st.none(), **more}),
            _of("reasoning", {"summary": st.just([{"type": "x_novel"}])}, more),
        ]
    return st.one_of(kinds)


_BUILT_IN: list[dict[str, Any]] = [
    {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "a"}},
    {"type": "file_search_call", "id": "fs_1", "status": "completed", "queries": ["a"], "results": None},
    {"type": "tool_search_call", "call_id": None, "execution": "server", "arguments": {"a": 1}},
    {"type": "tool_search_output", "call_id": None, "execution": "server", "tools": []},
    {"type": "mcp_list_tools", "id": "mcpl_1", "server_label": "a", "tools": []},
    {"type": "mcp_call", "id": "mcp_1", "server_label": "a", "name": "b", "arguments": "{}", "output": "c"},
    {
        "type": "mcp_call",
        "id": "mcp_2",
        "server_label": "a",
        "name": "b",
        "arguments": '{"d": 1}',
        "error": "e",
        "status": "failed",
    },
]
"""Items of tools that the provider's server runs, in the assistant's turn."""
_ODD_ITEMS: list[dict[str, Any]] = [
    {"type": "item_reference", "id": "msg_0"},
    {"id": "msg_0"},
    {"type": "additional_tools", "role": "developer", "tools": []},
    {"type": "local_shell_call_output", "id": "a", "output": "{}"},
    {"type": "x_novel", "a": None},
    {"type": "x_novel_output", "a": []},
    {"role": "critic", "content": "a"},
    {"role": "assistant", "content": None},
]
"""Items that are kept whole, as messages or in the assistant's turn."""


@st.composite
def _turn(draw: st.DrawFn, odd: bool, number: int) -> list[dict[str, Any]]:
    """A user message, and the items of the assistant that follow."""
    turn = [draw(_message(odd, "user"))]
    called = draw(_calls(odd))
    items: list[Any] = draw(st.lists(_reasoning(odd) | _answer(odd) | st.sampled_from(_BUILT_IN).map(copy.copy), max_size=3))
    if odd and draw(st.integers(0, 3)) == 0:
        items.append(copy.copy(draw(st.sampled_from(_ODD_ITEMS))))
    for i, (call, _) in enumerate(called):
        items.insert(draw(st.integers(0, len(items))), call | {"call_id": f"call_{number}_{i}"})
    outputs = [output | {"call_id": f"call_{number}_{i}"} for i, (_, output) in enumerate(called)]
    turn += items
    for output in draw(st.permutations(outputs)):
        if draw(st.integers(0, 3)) == 0:  # a message comes before the tool is done
            turn.append(draw(_message(odd, "user", "user", "developer", "system") | _answer(odd)))
        turn.append(output)
    return [*turn, draw(_answer(odd))] if outputs else turn


@cache
def _calls(odd: bool) -> Strategy:
    """Calls with their outputs; ids are added later."""
    item = {"id": st.integers(0, 9).map("fc_{}".format), **p.unknown_fields(odd)}
    function = {"name": p.called(odd), "arguments": p.arguments(broken=odd)}
    output = p.text() | st.lists(_shown(odd), min_size=0 if odd else 1, max_size=2)
    more = p.unknown_fields(odd, name=p.NAMES, **_STATUS)
    calls = st.tuples(
        _of("function_call", function, {**item, **_STATUS, "namespace": p.NAMES}),
        _of("function_call_output", {"output": output}, more),
    )
    customs = st.tuples(
        _of("custom_tool_call", {"name": p.NAMES, "input": p.text()}, p.unknown_fields(odd)),
        _of("custom_tool_call_output", {"output": output}, p.unknown_fields(odd)),
    )
    return st.lists(calls | calls | customs, max_size=2)


# Requests


def requests(_: Format, odd: bool) -> Strategy:
    """Requests with items of every shape."""
    return _requests(odd)


_AMONG = {
    "type": "allowed_tools",
    "mode": "auto",
    "tools": [{"type": "function", "name": "f"}, {"type": "custom", "name": "c"}],
}
_AMONG_OTHERS = _AMONG | {"tools": [{"type": "web_search"}, {"type": "function", "name": "f"}, {"type": "image_generation"}]}


_SERVER = {"server_label": p.NAMES, "server_url": p.URLS, "require_approval": st.sampled_from(["never", "always"])}


@cache
def _requests(odd: bool) -> Strategy:
    function = {"name": p.NAMES, "parameters": p.SCHEMAS, "strict": st.sampled_from([True, False, None])}
    tools = [
        _of("function", function, {"description": p.text(), "defer_loading": st.just(True)}),
        st.just({"type": "web_search", "search_context_size": "low"}),
        _of("mcp", _SERVER, {"allowed_tools": st.lists(p.NAMES, max_size=2) | st.none(), "authorization": p.NAMES}),
        st.just({"type": "custom", "name": "c", "format": {"type": "grammar", "syntax": "regex", "definition": "a"}}),
    ]
    form = p.fields({"name": p.NAMES, "schema": p.SCHEMAS}, {"strict": st.booleans(), "description": _TEXT})
    formats = st.sampled_from([{"type": "text"}, {"type": "json_object"}]) | form.map(
        lambda fields: {"type": "json_schema", **fields}
    )
    choices = ["auto", "none", "required", {"type": "function", "name": "f"}, {"type": "file_search"}, _AMONG, _AMONG_OTHERS]
    choices += [{"type": "function", "name": "fs.read"}] if odd else []
    settings: dict[str, Strategy] = {
        "model": p.NAMES,
        "instructions": _TEXT,
        "max_output_tokens": st.integers(16, 10**6),
        "tools": st.lists(st.one_of(tools), min_size=1, max_size=2),
        "tool_choice": st.sampled_from(choices),
        "parallel_tool_calls": st.booleans(),
        "temperature": st.sampled_from([0, 1, 0.5]),
        "reasoning": p.fields({}, {"effort": st.sampled_from(["low", "high", "none"]), "summary": st.just("auto")}),
        "text": p.fields({}, {"format": formats, "verbosity": st.just("low")}),
        "metadata": st.just({"k": "v"}),
        "user": p.NAMES,
        "store": st.booleans(),
        "include": st.just(["reasoning.encrypted_content"]),
        "previous_response_id": st.just("resp_1") | (st.none() if odd else st.nothing()),
        **p.unknown_fields(odd, truncation=st.none()),
    }
    opening = st.lists(_message(odd, "system", "developer"), max_size=2)
    turns = st.tuples(*[_turn(odd, number) for number in range(2)]) | st.tuples(_turn(odd, 0))
    items = st.tuples(opening, turns).map(lambda drawn: [*drawn[0], *(item for turn in drawn[1] for item in turn)])
    return st.builds(p.merged, st.fixed_dictionaries({"input": items | items | items | _TEXT}), p.fields({}, settings))
