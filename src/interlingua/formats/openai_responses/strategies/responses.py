"""OpenAI Responses responses, as OpenAI sends them, and as its hosts do."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from ....codec.format import Format
from ....codec.strategies import primitives as p

Strategy = st.SearchStrategy[Any]
_STATUSES = st.sampled_from(["completed", "completed", "completed", "in_progress", "incomplete"])


def _of(kind: str, fields: dict[str, Strategy], more: dict[str, Strategy] | None = None) -> Strategy:
    return p.fields({"type": st.just(kind), **fields}, more or {})


@cache
def _annotations() -> Strategy:
    spot = {"start_index": p.COUNTS, "end_index": p.COUNTS}
    file = {"file_id": p.NAMES, "filename": p.NAMES}
    kinds = [
        _of("url_citation", {"url": p.URLS, "title": p.text(), **spot}),
        _of("file_citation", {"index": p.COUNTS, **file}),
        _of("container_file_citation", {"container_id": p.NAMES, **file, **spot}),
        _of("file_path", {"file_id": p.NAMES, "index": p.COUNTS}),
    ]
    return st.lists(st.one_of(kinds), max_size=2)


def _message(odd: bool, *, refuses: bool = False) -> Strategy:
    token = {"token": p.text(), "logprob": st.just(-0.5), "bytes": st.lists(st.integers(0, 255), max_size=2)}
    probability = st.fixed_dictionaries({**token, "top_logprobs": st.lists(st.fixed_dictionaries(token), max_size=1)})
    text = {"text": p.text(blank=odd), "annotations": _annotations()}
    parts = [_of("output_text", text, {"logprobs": st.lists(probability, max_size=2)})] * 3
    if odd:
        parts += [
            _of("output_text", {"text": p.text()}, {"annotations": st.none()}),
            _of("x_unknown", {"value": p.json_values(max_leaves=2)}),
        ]
    content = st.lists(st.one_of(parts), min_size=0 if odd else 1, max_size=3)
    if refuses:
        content = st.tuples(_of("refusal", {"refusal": p.text(blank=False)})).map(list[Any])
    phase = st.sampled_from(["commentary", "final_answer", *([None] if odd else [])])
    frame = {"role": st.just("assistant"), "status": _STATUSES, "content": content}
    return _of("message", frame, {"phase": phase})


def _reasoning(odd: bool) -> Strategy:
    summary = st.lists(_of("summary_text", {"text": p.text(blank=odd)}), max_size=3)
    content = st.lists(_of("reasoning_text", {"text": p.text(blank=odd)}), max_size=2)
    encrypted = p.BASE64 | st.none() if odd else p.BASE64
    more = {"content": content, "encrypted_content": encrypted, "status": _STATUSES}
    return _of("reasoning", {"summary": summary}, more)


def _calls(odd: bool) -> Strategy:
    caller = st.just({"type": "direct"})
    more = {"status": _STATUSES, "namespace": p.NAMES, "caller": caller}
    function = _of("function_call", {"name": p.NAMES, "arguments": p.arguments(broken=odd)}, more)
    custom = _of("custom_tool_call", {"name": p.NAMES, "input": p.text()}, more)
    return function | function | custom if odd else function  # in streams of Chat Completions, the SDK does not know such calls


def _tools(odd: bool) -> Strategy:
    search = st.just({"type": "search", "query": "x", "queries": ["x"]})
    tool = st.fixed_dictionaries({"name": p.NAMES, "input_schema": p.SCHEMAS})
    ran = {"container_id": p.NAMES, "code": p.text(), "outputs": st.none() | st.just([{"type": "logs", "logs": "1"}])}
    called = {"server_label": p.NAMES, "name": p.NAMES, "arguments": p.arguments(broken=odd), "output": p.text()}
    failed = {**called, "output": st.none(), "error": st.just({"type": "http_error", "code": 502, "message": "x"})}
    kinds = [
        _of("web_search_call", {"action": search, "status": st.just("completed")}),
        _of("code_interpreter_call", {**ran, "status": st.just("completed")}),
        _of("mcp_list_tools", {"server_label": p.NAMES, "tools": st.lists(tool, max_size=2)}),
        _of("mcp_call", called),
        _of("mcp_call", failed, {"status": st.just("failed")}),
        _of("image_generation_call", {"result": p.BASE64, "status": st.just("completed")}),
    ]
    if odd:
        kinds += [_of("compaction", {"encrypted_content": p.BASE64}), _of("x_unknown_call", {"value": p.json_values()})]
    return st.one_of(kinds)


_PREFIXES = {"message": "msg", "reasoning": "rs", "function_call": "fc", "custom_tool_call": "ctc"}
_FIRST = 10
"""The number of the first item: the provider's ids are all different, and those in drawn requests are below it."""


@cache
def _items(odd: bool) -> st.SearchStrategy[list[dict[str, Any]]]:
    kinds = [_message(odd), _message(odd), _reasoning(odd), _calls(odd), _calls(odd), _tools(odd)]
    return st.lists(st.one_of(kinds), min_size=0 if odd else 1, max_size=4)


@st.composite
def _output(draw: st.DrawFn, *, odd: bool) -> list[dict[str, Any]]:
    output = draw(_items(odd))
    if draw(st.integers(0, 4)) == 0:
        output.insert(draw(st.integers(0, len(output))), draw(_message(odd, refuses=True)))
    without_id = odd and draw(st.integers(0, 9)) == 0
    for number, item in enumerate(output):
        if item["type"] in ("function_call", "custom_tool_call"):
            item["call_id"] = f"call_{number}"
        if not (without_id and item["type"] == "function_call"):
            item["id"] = f"{_PREFIXES.get(item['type'], 'x')}_{_FIRST + number}"
    return output


@st.composite
def _usage(draw: st.DrawFn, *, odd: bool) -> dict[str, Any]:
    cached, written, uncached, reasoning, visible = (draw(p.COUNTS) for _ in range(5))
    read = {"cached_tokens": cached, "cache_write_tokens": written}
    sums = {"input_tokens": sum(read.values()) + uncached, "output_tokens": reasoning + visible}
    details = {"input_tokens_details": read, "output_tokens_details": {"reasoning_tokens": reasoning}}
    usage = sums | {"total_tokens": sum(sums.values())} | details
    hosts: dict[str, Strategy] = {
        "input_tokens_details": st.sampled_from([None, dict[str, Any]()]),
        "output_tokens_details": st.none(),
        "cost": st.just(0.25),
    }
    return usage | draw(p.fields({}, hosts if odd else {}))


_ENDS: list[dict[str, Any]] = [
    {"status": "completed", "incomplete_details": None},
    {"status": "completed", "incomplete_details": None},
    {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
    {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
]
_ODD_ENDS: list[dict[str, Any]] = [
    {"status": "completed"},
    {"status": "incomplete", "incomplete_details": {"reason": "steered", "x_unknown": 1}},
    {"status": "incomplete", "incomplete_details": None},
    {"status": "completed", "incomplete_details": {"reason": "max_output_tokens"}},
    {"incomplete_details": {"reason": "content_filter"}},
    {"status": "x_unknown"},
    {"status": None},
    {},
]


def responses(_: Format, odd: bool) -> Strategy:
    """Whole responses: reasoning, text, refusals and calls among the items of built-in tools."""
    return _bodies(odd)


@cache
def _bodies(odd: bool) -> Strategy:
    tool = st.fixed_dictionaries(
        {"type": st.just("function"), "name": p.NAMES, "parameters": p.SCHEMAS, "strict": st.just(True)}
    )
    echo = {
        "parallel_tool_calls": st.booleans(),
        "tool_choice": st.sampled_from(["auto", "none", "required"]),
        "tools": st.lists(tool, max_size=1),
    }
    usual = {
        "id": st.integers(0, 99).map("resp_{}".format),
        "object": st.just("response"),
        "created_at": st.integers(0, 2**33),
        "model": p.NAMES,
        "output": _output(odd=odd),
        "usage": _usage(odd=odd),
        **echo,
    }
    more = {
        "error": st.none(),
        "instructions": st.none() | p.text(),
        "temperature": st.none() | st.just(1.0),
        "reasoning": st.just({"effort": "low", "summary": None}),
        "text": st.just({"format": {"type": "text"}, "verbosity": "medium"}),
        "metadata": st.sampled_from([dict[str, Any](), {"k": "v"}]),
        "service_tier": st.just("default"),
        "previous_response_id": st.none() | st.just("resp_0"),
        "completed_at": st.none() | p.COUNTS,
        **p.unknown_fields(odd, output_text=p.text(), billing=st.just({"payer": "developer"})),
    }
    ends = st.sampled_from(_ENDS + (_ODD_ENDS if odd else []))
    bodies = st.builds(p.merged, p.fields(usual, more), ends.map(dict))
    return p.but_for_one(bodies, [key for key in usual if key != "output"]) if odd else bodies
