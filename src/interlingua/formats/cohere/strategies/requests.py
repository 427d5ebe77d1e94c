"""Requests of Cohere's Chat, with the constraints that the wire types do not express."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from hypothesis import strategies as st

from ....codec.format import Format
from ....codec.strategies import primitives as p

Wires = st.SearchStrategy[dict[str, Any]]

_TEXT = p.text(blank=False)


@cache
def text_part(odd: bool) -> Wires:
    """A text."""
    return p.fields({"type": st.just("text"), "text": _TEXT}, p.unknown_fields(odd))


@cache
def thinking_part(odd: bool) -> Wires:
    """Reasoning."""
    return p.fields({"type": st.just("thinking"), "thinking": _TEXT}, p.unknown_fields(odd))


_IMAGE = st.fixed_dictionaries(
    {
        "type": st.just("image_url"),
        "image_url": p.fields({"url": p.URLS | p.IMAGE_URIS}, {"detail": st.sampled_from(["low", "high", "auto"])}),
    }
)
_DATA = p.fields({"text": _TEXT}, {"title": p.NAMES})


@cache
def _document(odd: bool) -> Wires:
    """A document in a result; the SDK's types have no text as its data, as Cohere's guides have it."""
    data = _DATA | p.json_objects() | (p.json_objects().map(json.dumps) if odd else st.nothing())
    return st.fixed_dictionaries({"type": st.just("document"), "document": p.fields({"data": data}, {"id": p.NAMES})})


def _source() -> Wires:
    document = {"id": p.NAMES, "text": _TEXT}
    return st.one_of(
        st.fixed_dictionaries({"type": st.just("document"), "id": p.NAMES, "document": st.fixed_dictionaries(document)}),
        st.fixed_dictionaries({"type": st.just("tool"), "id": p.NAMES, "tool_output": p.json_objects()}),
    )


@cache
def citation() -> Wires:
    """A citation of a text; the index of the text is added later."""
    return p.fields(
        {"start": st.integers(0, 3), "end": st.integers(4, 9), "text": _TEXT, "sources": st.lists(_source(), max_size=2)},
        {"type": st.just("TEXT_CONTENT")},
    )


KNOWN_CITATIONS = ("PLAN", "THINKING_CONTENT")


@st.composite
def cited(
    draw: st.DrawFn, message: dict[str, Any], odd: bool, others: tuple[str, ...] = (*KNOWN_CITATIONS, "x")
) -> dict[str, Any]:
    """The message with citations of its texts, in order; sometimes also with `others`, which cite something else."""
    content: Any = message.get("content") or []
    kinds: list[str] = ["text"] if isinstance(content, str) else [part["type"] for part in content]
    places = [index for index, kind in enumerate(kinds) if kind == "text"]
    found: list[dict[str, Any]] = []
    for place in places:
        for one in draw(st.lists(citation(), max_size=2)):
            has_index = place != places[0] or draw(st.booleans())
            found.append({**one, "content_index": place} if has_index else one)
    if odd and draw(st.booleans()):
        found.append({**draw(citation()), "type": draw(st.sampled_from(others))})
        found += draw(st.lists(citation(), max_size=1))
    return {**message, "citations": found} if found else message


@cache
def call(odd: bool) -> Wires:
    """A call; its id is added later."""
    function = p.fields({"name": p.NAMES, "arguments": p.arguments(broken=odd)}, p.unknown_fields(odd))
    return p.fields({"id": st.none(), "type": st.just("function"), "function": function}, p.unknown_fields(odd))


@cache
def _asked(odd: bool) -> Wires:
    parts: list[Wires] = [text_part(odd), text_part(odd), _IMAGE]
    if odd:
        parts.append(st.just({"type": "x_unknown", "x": 1}))
    content = p.text(blank=odd) | st.lists(st.one_of(parts), min_size=1, max_size=3)
    return p.fields({"role": st.just("user"), "content": content}, p.unknown_fields(odd))


@st.composite
def answer(draw: st.DrawFn, odd: bool, *, listed: bool) -> dict[str, Any]:
    """The content of the assistant; always a list if `listed` is true."""
    parts = draw(st.lists(thinking_part(odd) | text_part(odd), min_size=1, max_size=3))
    content: Any = parts if listed or draw(st.booleans()) else draw(_TEXT)
    message: dict[str, Any] = {"role": "assistant", "content": content}
    return draw(cited(message, odd)) if draw(st.booleans()) else message


@st.composite
def calling(draw: st.DrawFn, odd: bool, ids: list[str], *, listed: bool) -> dict[str, Any]:
    """A message with calls, and often a plan."""
    message: dict[str, Any] = {"role": "assistant"}
    kind = draw(st.sampled_from(["plan", "plan", "content", "none"]))
    if kind == "plan":
        message["tool_plan"] = draw(p.text() if odd else _TEXT)
    elif kind == "content":
        message = draw(answer(odd, listed=listed))
    if odd and draw(st.integers(0, 3)) == 0:
        message.setdefault("content", [{"type": "text", "text": ""}])
    message["tool_calls"] = [draw(call(odd)) | {"id": id} for id in ids]
    return message


@cache
def _result(odd: bool) -> Wires:
    content = p.text(blank=odd) | st.lists(text_part(odd) | _document(odd), min_size=1, max_size=2)
    return p.fields({"role": st.just("tool"), "tool_call_id": st.none(), "content": content}, p.unknown_fields(odd))


@st.composite
def _turn(draw: st.DrawFn, odd: bool) -> list[dict[str, Any]]:
    turn = [draw(_asked(odd))]
    ids = draw(st.lists(p.IDS, max_size=3, unique=True))
    if ids:
        turn.append(draw(calling(odd, ids, listed=False)))
        turn += [draw(_result(odd)) | {"tool_call_id": id} for id in draw(st.permutations(ids))]
    turn.append(draw(answer(odd, listed=False)))
    return turn


@st.composite
def _messages(draw: st.DrawFn, odd: bool) -> list[dict[str, Any]]:
    opening = draw(st.lists(st.fixed_dictionaries({"role": st.just("system"), "content": _TEXT}), max_size=1))
    return [*opening, *(message for _ in range(draw(st.integers(1, 3))) for message in draw(_turn(odd)))]


def requests(_: Format, odd: bool) -> Wires:
    return _requests(odd)


@cache
def _requests(odd: bool) -> Wires:
    function = p.fields({"name": p.NAMES, "parameters": p.SCHEMAS}, {"description": _TEXT})
    tool = st.fixed_dictionaries({"type": st.just("function"), "function": function})
    document = p.fields({"data": _DATA}, {"id": p.NAMES})
    schema = st.fixed_dictionaries({"type": st.just("json_object"), "json_schema": p.SCHEMAS})
    budget = st.fixed_dictionaries({"type": st.just("enabled"), "token_budget": st.just(2048)})
    settings: dict[str, Any] = {
        "model": p.NAMES,
        "stream": st.booleans(),
        "tools": st.lists(tool, min_size=1, max_size=2),
        "strict_tools": st.booleans(),
        "tool_choice": st.just("NONE"),
        "documents": st.lists(document, min_size=1, max_size=2),
        "citation_options": st.just({"mode": "FAST"}),
        "response_format": schema | st.sampled_from([{"type": "json_object"}, {"type": "text"}]),
        "safety_mode": st.sampled_from(["CONTEXTUAL", "STRICT"]),
        "max_tokens": st.integers(1, 10**6),
        "stop_sequences": st.lists(_TEXT, min_size=1, max_size=5),
        "temperature": st.sampled_from([0, 0.5, 1.0]),
        "seed": st.integers(0, 9),
        "p": st.sampled_from([0.5, 0.99]),
        "k": st.integers(0, 500),
        "thinking": budget | st.sampled_from([{"type": "enabled"}, {"type": "disabled"}]),
        **p.unknown_fields(odd),
    }
    return p.whole(_messages(odd), settings)
