"""Hypothesis strategies for payloads of Ollama's chat, for the lines of its streams, and for prompts of its generate."""

from __future__ import annotations

import copy
from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st

from ...codec.format import Format
from ...codec.strategies import primitives as p
from ...codec.strategies.cutting import Chunk, pieces
from ...codec.strategies.spoiling import NO_CONTENT, NO_MESSAGE, spoil_prompt
from ...codec.strategies.wire import Known, ResponseStrategies, Strategies, Wires

_TEXT = p.text(blank=False)
_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4//8/AAX+Av4="
_IMAGES = st.lists(p.BASE64 | st.just(_PIXEL), min_size=1, max_size=2)

# Requests


@cache
def _call(odd: bool) -> Wires:
    """A call; its id is added later."""
    arguments: st.SearchStrategy[Any] = p.json_objects()
    if odd:
        arguments |= st.none()
    more: dict[str, Any] = {"index": st.integers(0, 1)}
    function = p.fields({"name": p.NAMES, "arguments": arguments}, {**more, **p.unknown_fields(odd)})
    kind = {"type": st.just("function")}
    return p.fields({"function": function}, {**kind, **p.unknown_fields(odd)} if odd else {})


@cache
def _asked(odd: bool) -> Wires:
    return p.fields({"role": st.just("user"), "content": p.text(blank=odd)}, {"images": _IMAGES, **p.unknown_fields(odd)})


@cache
def _answer(odd: bool) -> Wires:
    more: dict[str, Any] = {"thinking": _TEXT, **p.unknown_fields(odd)}
    return p.fields({"role": st.just("assistant"), "content": p.text(blank=odd)}, more)


@st.composite
def _calling(draw: st.DrawFn, odd: bool, ids: list[str], *, with_ids: bool) -> dict[str, Any]:
    """A message with calls, often without ids."""
    message: dict[str, Any] = draw(_answer(odd)) if draw(st.booleans()) else {"role": "assistant", "content": ""}
    calls = [draw(_call(odd)) for _ in ids]
    message["tool_calls"] = [{"id": id, **call} if with_ids else call for id, call in zip(ids, calls, strict=True)]
    return message


@st.composite
def _turn(draw: st.DrawFn, odd: bool) -> list[dict[str, Any]]:
    turn = [draw(_asked(odd))]
    ids = draw(st.lists(p.IDS, max_size=3, unique=True))
    with_ids = draw(st.booleans())
    if ids:
        calling = draw(_calling(odd, ids, with_ids=with_ids))
        turn.append(calling)
        for id, call in zip(ids, calling["tool_calls"], strict=True):
            result = draw(p.fields({"role": st.just("tool"), "content": p.text(blank=odd)}, p.unknown_fields(odd)))
            named = {"tool_name": call["function"]["name"]} if not with_ids or draw(st.booleans()) else {}
            turn.append({**result, **named, "tool_call_id": id} if with_ids else result | named)
    turn.append(draw(_answer(odd)))
    return turn


@st.composite
def _messages(draw: st.DrawFn, odd: bool) -> list[dict[str, Any]]:
    opening = draw(st.lists(st.fixed_dictionaries({"role": st.just("system"), "content": _TEXT}), max_size=1))
    return [*opening, *(message for _ in range(draw(st.integers(1, 3))) for message in draw(_turn(odd)))]


def _requests(_: Format, odd: bool) -> Wires:
    return _bodies(odd)


@cache
def _bodies(odd: bool) -> Wires:
    function = p.fields({"name": p.NAMES, "parameters": p.SCHEMAS}, {"description": _TEXT})
    tool = st.fixed_dictionaries({"type": st.just("function"), "function": function})
    options: dict[str, Any] = {
        "temperature": st.sampled_from([0, 0.5, 1.0]),
        "num_predict": st.integers(1, 10**6) | st.just(-1),
        "top_p": st.sampled_from([0.5, 0.99]),
        "top_k": st.integers(1, 500),
        "stop": st.lists(_TEXT, min_size=1, max_size=5),
        "seed": st.integers(0, 9),
        "num_ctx": st.just(8192),
        **p.unknown_fields(odd),
    }
    settings: dict[str, Any] = {
        "model": p.NAMES,
        "stream": st.booleans(),
        "tools": st.lists(tool, min_size=1, max_size=2),
        "format": st.sampled_from(["json", ""]) | p.SCHEMAS,
        "options": p.fields({}, options),
        "think": st.booleans() | st.sampled_from(["low", "medium", "high", "max"]),
        "keep_alive": st.sampled_from(["5m", 0]),
        **p.unknown_fields(odd),
    }
    return p.whole(_messages(odd), settings)


def _spoil(draw: st.DrawFn, payload: dict[str, Any]) -> str:
    """Spoil one of `messages`."""
    index = draw(st.integers(0, len(payload["messages"]) - 1))
    message = payload["messages"][index]
    pointer = f"/messages/{index}"
    what = draw(st.sampled_from(["content", "role", "message", "images"]))
    if what == "message":
        payload["messages"][index] = draw(NO_MESSAGE)
    elif what == "images":
        message["images"] = draw(NO_CONTENT)
        pointer += "/images"
    else:
        message[what] = draw(NO_CONTENT)
        pointer += f"/{what}"
    return pointer


def _prompts(_: Format, odd: bool) -> Wires:
    more = {"model": p.NAMES, "stream": st.booleans(), "suffix": _TEXT, "raw": st.booleans(), "context": st.just([1, 2])}
    options = p.fields({}, {"seed": st.integers(0, 9), "num_predict": st.integers(1, 99)})
    return p.fields({"prompt": p.text(blank=odd)}, {"system": _TEXT, "options": options, **more, **p.unknown_fields(odd)})


# Responses


@st.composite
def _message(draw: st.DrawFn) -> dict[str, Any]:
    ids = draw(st.lists(p.PORTABLE_IDS, max_size=3, unique=True))
    message: dict[str, Any] = draw(_calling(False, ids, with_ids=True) if ids else _answer(False))
    for i, call in enumerate(message.get("tool_calls", ())):
        call["function"]["index"] = i
    return message


def _responses(_: Format, odd: bool) -> Wires:
    return _answers(odd)


@cache
def _answers(odd: bool) -> Wires:
    token = {"token": p.text(), "logprob": st.just(-0.5), "bytes": st.just([97])}
    tokens = st.lists(
        p.fields(token, {"top_logprobs": st.lists(st.fixed_dictionaries(token), max_size=1)}), min_size=1, max_size=2
    )
    times = ["2026-08-07T06:08:14.73237Z", "2024-05-24T21:01:59Z", "2025-08-20T13:48:23.241046+02:00"]
    words = ["stop", "stop", "length", *(["x_unknown"] if odd else [])]
    frame = {
        "model": p.NAMES,
        "created_at": st.sampled_from(times),
        "message": _message(),
        "done": st.just(True),
        "done_reason": st.sampled_from(words),
        "total_duration": p.COUNTS,
        "prompt_eval_count": p.COUNTS,
        "eval_count": p.COUNTS,
    }
    more = {"logprobs": tokens, "prompt_eval_cached_count": p.COUNTS, **p.unknown_fields(odd)}
    bodies = p.fields(frame, more).map(_with_cached)
    return p.but_for_one(bodies, ["model", "created_at", "done_reason", "prompt_eval_count", "eval_count"]) if odd else bodies


def _with_cached(body: dict[str, Any]) -> dict[str, Any]:
    """The answer whose count of the prompt includes what was cached."""
    cached = body.get("prompt_eval_cached_count", 0)
    return body | {"prompt_eval_count": body["prompt_eval_count"] + cached}


def _streamable(body: dict[str, Any]) -> dict[str, Any] | None:
    """The part of a response that its stream has: all of it."""
    return copy.deepcopy(body) if body.get("done") is True else None


def _split(body: dict[str, Any], random: Random) -> list[Chunk]:
    frame = {key: body[key] for key in ("model", "created_at") if key in body}
    message = dict(body["message"])
    tokens = list(body.get("logprobs", ()))
    chunks: list[Chunk] = []

    def add(**fields: Any) -> None:
        chunks.append({**frame, "message": {"role": "assistant", "content": "", **fields}, "done": False})

    for key in ("thinking", "content"):
        for piece in pieces(message.get(key, ""), random):
            add(**{key: piece})
    calls = message.get("tool_calls", ())
    if random.random() < 0.5:
        for call in calls:
            add(tool_calls=[call])
    elif calls:
        add(tool_calls=calls)
    for chunk in chunks:
        if tokens:
            chunk["logprobs"] = [tokens.pop(0)]
    rest = {key: value for key, value in message.items() if key not in ("content", "thinking", "tool_calls")}
    last = {**body, "message": {"content": "", **rest}}
    if tokens:
        last["logprobs"] = tokens
    else:
        last.pop("logprobs", None)
    return [*chunks, last]


# Answers to prompts


def _texts(_: Format, odd: bool) -> Wires:
    return _generated(odd)


@cache
def _generated(odd: bool) -> Wires:
    return st.builds(_as_generated, _answers(odd), p.text(blank=odd), st.none() | _TEXT, st.just([1, 2]))


def _as_generated(body: dict[str, Any], text: str, thinking: str | None, context: list[int]) -> dict[str, Any]:
    """An answer of the chat as one to a prompt, which has no calls."""
    rest = {"done_reason": "stop"} | {key: value for key, value in body.items() if key != "message"}
    return {**rest, "response": text, "context": context, **({} if thinking is None else {"thinking": thinking})}


def _split_text(body: dict[str, Any], random: Random) -> list[Chunk]:
    frame = {key: body[key] for key in ("model", "created_at") if key in body}
    chunks: list[Chunk] = [
        {**frame, "response": "", key: piece, "done": False}
        for key in ("thinking", "response")
        for piece in pieces(body.get(key, ""), random)
    ]
    last = {key: value for key, value in body.items() if key != "thinking"}
    return [*chunks, {**last, "response": ""}]


GENERATE = Strategies(_prompts, spoil_prompt, ResponseStrategies(_texts, _streamable, _split_text))
STRATEGIES = Strategies(_requests, _spoil, ResponseStrategies(_responses, _streamable, _split), Known())
