"""Requests of the Interactions API, with the constraints that the wire types do not express."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

from hypothesis import strategies as st

from ....codec.format import Format
from ....codec.strategies import primitives as p
from ....codec.strategies.spoiling import NO_CONTENT, NO_MESSAGE
from ....model.base import Json

Wires = st.SearchStrategy[dict[str, Any]]

_TEXT = p.text(blank=False)
SIGNATURES = p.BASE64


def of(kind: str, fields: dict[str, Any], more: dict[str, Any] | None = None) -> Wires:
    """Objects of a type with these fields, and sometimes with further fields."""
    return p.fields({"type": st.just(kind), **fields}, more or {})


# Content


@cache
def text(odd: bool) -> Wires:
    """A text."""
    return of("text", {"text": _TEXT}, p.unknown_fields(odd))


@cache
def shown(odd: bool) -> Wires:
    """Content from the user or a function: text and media."""
    more = p.unknown_fields(odd)
    detail = {"resolution": st.sampled_from(["low", "medium", "high"])}
    uploaded = st.integers(0, 9).map("https://generativelanguage.googleapis.com/v1beta/files/{}".format)
    kinds = [
        text(odd),
        text(odd),
        of("image", {"data": p.BASE64, "mime_type": p.MEDIA_TYPES}, {**detail, **more}),
        of("image", {"uri": p.URLS}, {"mime_type": p.MEDIA_TYPES, **detail, **more}),
        of("audio", {"data": p.BASE64, "mime_type": st.just("audio/wav")}, {"sample_rate": st.just(16000), **more}),
        of("video", {"uri": uploaded, "mime_type": st.just("video/mp4")}, more),
        of("document", {"uri": uploaded | p.URLS, "mime_type": st.just("application/pdf")}, more),
        of("document", {"data": p.BASE64, "mime_type": st.just("application/pdf")}, more),
    ]
    if odd:
        kinds += [
            of("image", {}),
            of("image", {"data": p.BASE64}, {"uri": st.none() | p.URLS, "resolution": st.none()}),
            of("text", {"text": p.text()}, {"annotations": st.none()}),
            of("x_novel", {"text": p.text()}),
        ]
    return st.one_of(kinds)


@cache
def answered(odd: bool) -> Wires:
    """Text of the model, sometimes with annotations."""
    cited = [
        of("url_citation", {"url": p.URLS, "title": p.NAMES, "start_index": st.just(0), "end_index": st.just(1)}),
        of("file_citation", {"file_name": p.NAMES}, {"page_number": p.COUNTS}),
    ]
    if odd:
        place = st.integers(-1, 9)
        cited.append(of("url_citation", {}, {"url": p.URLS, "start_index": place, "end_index": place | st.none()}))
    annotations = st.lists(st.one_of(cited), min_size=1, max_size=2)
    return of("text", {"text": _TEXT}, {"annotations": annotations, **p.unknown_fields(odd)})


# Steps


@cache
def thought(odd: bool) -> Wires:
    """A thought, with or without a summary."""
    bare = st.fixed_dictionaries({"type": st.just("text"), "text": _TEXT})
    usual = of("thought", {"signature": SIGNATURES}, {"summary": st.lists(bare, min_size=1, max_size=1)})
    if not odd:
        return usual
    summary = st.lists(text(True), max_size=2) | st.none()
    return usual | of("thought", {}, {"signature": st.none() | SIGNATURES, "summary": summary, **p.unknown_fields(True)})


@cache
def output(odd: bool) -> Wires:
    """A model output."""
    image = of("image", {"data": p.BASE64, "mime_type": st.just("image/png")})
    one = st.lists(answered(odd), min_size=1, max_size=1) | st.tuples(answered(odd), image).map(list)
    if not odd:
        return of("model_output", {"content": one})
    several = st.lists(shown(True) | answered(True), max_size=3) | st.none()
    return of("model_output", {"content": one}, p.unknown_fields(True)) | of("model_output", {}, {"content": several})


@cache
def call(odd: bool) -> Wires:
    """A call; its id is added later."""
    usual = of("function_call", {"id": st.none(), "name": p.NAMES, "arguments": p.json_objects()}, p.unknown_fields(odd))
    return usual | of("function_call", {"id": st.none(), "name": p.NAMES}, {"arguments": st.none()}) if odd else usual


BUILT_IN: list[dict[str, Any]] = [
    {"type": "google_search_call", "id": "s1", "search_type": "web_search", "arguments": {"queries": ["a"]}},
    {"type": "google_search_result", "call_id": "s1", "is_error": False, "result": [{"search_suggestions": "<p>"}]},
    {"type": "code_execution_call", "id": "c1", "arguments": {"language": "python", "code": "1"}},
    {"type": "code_execution_result", "call_id": "c1", "result": "1"},
]
"""Steps of tools that Google runs, in the model's turn."""


@cache
def _user(odd: bool) -> Wires:
    content = st.lists(shown(odd), min_size=0 if odd else 1, max_size=3)
    usual = of("user_input", {"content": content}, p.unknown_fields(odd))
    return usual | of("user_input", {}, {"content": st.none()}) if odd else usual


@cache
def _result(odd: bool) -> Wires:
    """A result; the id of its call is added later."""
    given = p.text(blank=odd) | p.json_objects() | st.lists(shown(odd), min_size=0 if odd else 1, max_size=2)
    more = {"name": p.NAMES, "is_error": st.booleans(), **p.unknown_fields(odd)}
    return of("function_result", {"call_id": st.none(), "result": given}, more)


_ODD: list[dict[str, Any]] = [
    {"type": "x_novel", "a": None},
    {"role": "critic", "content": "a"},
    {"type": "text", "text": "a"},
    {"type": "image", "uri": "https://media.example/a.png"},
]


@st.composite
def model_steps(draw: st.DrawFn, odd: bool, ids: list[str]) -> list[dict[str, Any]]:
    """The model's thoughts, outputs and calls."""
    steps: list[dict[str, Any]] = draw(st.lists(thought(odd), max_size=1))
    built_in = st.sampled_from(BUILT_IN).map(copy.deepcopy)
    steps += draw(st.lists(output(odd) | output(odd) | built_in, min_size=0 if ids else 1, max_size=2))
    return steps + [draw(call(odd)) | {"id": id} for id in ids]


@st.composite
def _turn(draw: st.DrawFn, odd: bool) -> list[dict[str, Any]]:
    turn = [draw(_user(odd))]
    ids = draw(st.lists(p.IDS, max_size=3, unique=True))
    if ids:
        turn += draw(model_steps(odd, ids))
        turn += [draw(_result(odd)) | {"call_id": id} for id in draw(st.permutations(ids))]
    if odd and draw(st.integers(0, 3)) == 0:
        turn.append(copy.deepcopy(draw(st.sampled_from(_ODD))))
    return turn + draw(model_steps(odd, []))


@st.composite
def _steps(draw: st.DrawFn, odd: bool) -> list[dict[str, Any]]:
    turns = [draw(_turn(odd)) for _ in range(draw(st.integers(1, 2)))]
    return [*(step for turn in turns for step in turn), draw(_user(odd))]


# Turns of the API's first version


@st.composite
def _old_turns(draw: st.DrawFn, odd: bool) -> list[dict[str, Any]]:
    asked = st.lists(shown(odd), min_size=0 if odd else 1, max_size=2) | _TEXT
    ids = draw(st.lists(p.IDS, max_size=2, unique=True))
    calls = [draw(thought(odd))] + [draw(call(odd)) | {"id": id} for id in ids]
    results = [draw(_result(odd)) | {"call_id": id} for id in ids]
    turns: list[dict[str, Any]] = [{"role": "user", "content": draw(asked)}]
    if ids:
        turns += [{"role": "model", "content": calls}, {"role": "user", "content": results}]
    answer = st.lists(answered(odd), min_size=1, max_size=2) | _TEXT
    turns += [{"role": "model", "content": draw(answer)}, {"role": "user", "content": draw(asked)}]
    return turns


# Requests


def requests(_: Format, odd: bool) -> Wires:
    return _requests(odd)


@cache
def _requests(odd: bool) -> Wires:
    tool = of("function", {"name": p.NAMES, "parameters": p.SCHEMAS}, {"description": _TEXT})
    built_in = st.sampled_from([{"type": "google_search"}, {"type": "code_execution"}, {"type": "url_context"}]).map(dict)
    form = of("text", {"mime_type": st.just("application/json")}, {"schema": p.SCHEMAS})
    among = st.sampled_from([{"mode": "any", "tools": ["f"]}, {"mode": "auto", "tools": ["f", "n-0"]}])
    config = {
        "max_output_tokens": st.integers(1, 10**6),
        "temperature": st.sampled_from([0, 0.5, 1.0]),
        "top_p": st.sampled_from([0.5, 0.99]),
        "seed": st.integers(0, 9),
        "stop_sequences": st.lists(_TEXT, min_size=1, max_size=3),
        "thinking_level": st.sampled_from(["minimal", "low", "medium", "high"]),
        "thinking_summaries": st.just("auto"),
        "tool_choice": st.sampled_from(["auto", "none", "validated"]) | among.map(lambda each: {"allowed_tools": dict(each)}),
        **p.unknown_fields(odd),
    }
    settings: dict[str, Any] = {
        "stream": st.booleans(),
        "system_instruction": _TEXT,
        "tools": st.tuples(tool.map(lambda one: one | {"name": "f"}), tool.map(lambda one: one | {"name": "n-0"}))
        .map(list)
        .flatmap(lambda tools: st.just(tools) | built_in.map(lambda one: [*tools, one])),
        "generation_config": p.fields({}, config),
        "response_format": form | form.map(lambda one: [one]),
        "labels": st.just({"team": "a"}),
        "store": st.booleans(),
        "service_tier": st.sampled_from(["standard", "flex"]),
        "previous_interaction_id": st.just("v1_a"),
        **p.unknown_fields(odd, response_mime_type=st.just("application/json"), background=st.none()),
    }
    given: list[st.SearchStrategy[Any]] = [_steps(odd), _steps(odd), _steps(odd), _TEXT, shown(odd)]
    if odd:
        given.append(_old_turns(odd))
    return st.builds(p.merged, p.fields({"input": st.one_of(given), "model": p.NAMES}, {}), p.fields({}, settings))


def spoil(draw: st.DrawFn, payload: dict[str, Any]) -> str:
    """Spoil the input, or one step of it."""
    given: Json = payload["input"]
    items: list[Any] = given if type(given) is list else []
    if not items or items[0]["type"] not in ("user_input", "thought", "model_output", "function_call"):
        payload["input"] = draw(NO_CONTENT)
        return "/input"
    index = draw(st.integers(0, len(items) - 1))
    pointer = f"/input/{index}"
    what = draw(st.sampled_from(["step", "content", "part", "call"]))
    if what == "step":
        items[index] = draw(NO_MESSAGE)
    elif what == "content":
        items[index] = {"type": "user_input", "content": draw(NO_CONTENT)}
        pointer += "/content"
    elif what == "part":
        items[index] = {"type": "user_input", "content": [{"type": "text", "text": draw(NO_CONTENT)}]}
        pointer += "/content/0/text"
    else:
        items[index] = {"type": "function_call", "id": "a", "name": "f", "arguments": draw(st.sampled_from([5, "{}", [1]]))}
        pointer += "/arguments"
    return pointer
