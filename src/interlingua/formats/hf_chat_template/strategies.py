"""Hypothesis strategies for what chat templates accept, as far as it differs from Chat Completions."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from ...codec.format import Format
from ...codec.strategies import primitives as p
from ...codec.strategies.spoiling import spoil_messages
from ...codec.strategies.wire import Strategies

_Wires = st.SearchStrategy[dict[str, Any]]
_WORDS = p.text(blank=False)


def _part(kind: str, **media: st.SearchStrategy[Any]) -> _Wires:
    return st.fixed_dictionaries({"type": st.just(kind), **media})


@cache
def _user_parts(odd: bool) -> _Wires:
    audio = p.URLS | p.BASE64.map("data:audio/wav;base64,{}".format)
    usual = [
        _part("text", text=_WORDS),
        _part("image", url=p.URLS | p.DATA_URIS),
        _part("audio", url=audio),
        _part("video", url=p.URLS),
    ]
    other = [
        _part("image"),
        _part("image", image=p.URLS | p.NAMES),
        _part("image", base64=p.BASE64 | p.DATA_URIS),
        _part("audio", audio=audio),
        _part("video", path=p.NAMES),
        _part("image_url", image_url=st.fixed_dictionaries({"url": p.URLS})),
    ]
    return st.one_of(*usual, *(other if odd else ()))


@cache
def _call(odd: bool) -> _Wires:
    """A call; its id is added later."""
    arguments = p.json_objects()
    function = st.fixed_dictionaries({"name": p.NAMES, "arguments": arguments | p.arguments(broken=True) if odd else arguments})
    nested = p.fields({"type": st.just("function"), "function": function}, p.unknown_fields(odd))
    return nested | function if odd else nested


def _thinking(message: dict[str, Any], field: str, text: str) -> dict[str, Any]:
    return {**message, field: text}


@cache
def _answer(odd: bool) -> _Wires:
    reasoning = st.sampled_from(["reasoning_content", "thinking", "reasoning"] if odd else ["reasoning_content"])
    usual = p.fields({"role": st.just("assistant"), "content": _WORDS}, p.unknown_fields(odd))
    return usual | st.builds(_thinking, usual, reasoning, _WORDS)


@st.composite
def _turn(draw: st.DrawFn, odd: bool) -> list[dict[str, Any]]:
    """A user message and, often, calls with their results, and an answer."""
    content = p.text(blank=odd) | st.lists(_user_parts(odd), min_size=1, max_size=3)
    turn = [draw(p.fields({"role": st.just("user"), "content": content}, p.unknown_fields(odd)))]
    ids = draw(st.lists(p.IDS, max_size=3, unique=True))
    if ids:
        calls = [draw(_call(odd)) for _ in ids]
        names = [call.get("function", call)["name"] for call in calls]
        with_ids = draw(st.booleans())
        answer = draw(p.fields({"role": st.just("assistant"), "content": p.text(blank=odd)}, p.unknown_fields(odd)))
        turn.append(
            {**answer, "tool_calls": [{"id": id, **call} if with_ids else call for id, call in zip(ids, calls, strict=True)]}
        )
        for id, name in zip(ids, names, strict=True):
            result = {"role": "tool", "name": name, "content": draw(p.text(blank=odd))}
            turn.append({**result, "tool_call_id": id} if with_ids else result)
    return [*turn, draw(_answer(odd))]


@cache
def _requests(odd: bool) -> _Wires:
    function = p.fields({"name": p.NAMES, "parameters": p.SCHEMAS}, {"description": p.text()})
    tool = st.fixed_dictionaries({"type": st.just("function"), "function": function})
    opening = st.lists(st.fixed_dictionaries({"role": st.just("system"), "content": _WORDS}), max_size=1)
    turns = st.lists(_turn(odd), min_size=1, max_size=2).map(lambda drawn: [message for turn in drawn for message in turn])
    messages = st.tuples(opening, turns).map(lambda drawn: [message for some in drawn for message in some])
    prompt = {"add_generation_prompt": st.booleans()}  # the field tells such a request from one of Chat
    settings: dict[str, st.SearchStrategy[Any]] = {
        "tools": st.lists(tool, min_size=1, max_size=2),
        "documents": st.lists(st.fixed_dictionaries({"title": p.text(), "text": _WORDS}), min_size=1, max_size=2),
        "enable_thinking": st.booleans(),
        "reasoning_effort": st.sampled_from(["low", "high"]),
        **(prompt if odd else {}),
        **({"chat_template_kwargs": p.json_objects(), "continue_final_message": st.booleans() | p.NAMES} if odd else {}),
        **p.unknown_fields(odd),
    }
    return p.fields({"messages": messages, **({} if odd else prompt)}, settings)


def _asked(_: Format, odd: bool) -> _Wires:
    return _requests(odd)


STRATEGIES = Strategies(_asked, spoil_messages)
