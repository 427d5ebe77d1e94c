"""Generated conversations by the million: Chat Completions requests of many kinds, one in a hundred broken, each with an id.

A row depends on its number alone, so that every run makes the same rows, and any range of them can be made by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

Payload = dict[str, Any]
Row = dict[str, str]

BROKEN_EVERY = 100
"""One row in so many is broken."""

_WORDS = """
the quick answer depends on what was asked before and after it weather train ticket oslo rome paper field stone river
table number window garden letter because although therefore perhaps certainly between under above around quietly
please compare these two results with those of last week then tell me which one is cheaper faster or safer thanks
""".split()
_OTHER_SCRIPTS = "Grüße", "こんにちは", "مرحبا", "Привет", "🌧️ 4 °C", "ñandú", "हैलो"
_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def _text(random: Random, words: int) -> str:
    return " ".join(random.choices(_WORDS, k=words))


def _asked(random: Random) -> Payload:
    return {"role": "user", "content": _text(random, random.randint(5, 60))}


def _answered(random: Random) -> Payload:
    return {"role": "assistant", "content": _text(random, random.randint(20, 120))}


def _call(random: Random, number: int) -> Payload:
    arguments = json.dumps({"query": _text(random, 6), "limit": random.randint(1, 50)})
    function = {"name": "search", "arguments": arguments}
    return {"id": f"call_{number}_{random.getrandbits(48):012x}", "type": "function", "function": function}


def _tool() -> Payload:
    fields = {"query": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}}
    schema = {"type": "object", "properties": fields, "required": ["query"], "additionalProperties": False}
    return {"type": "function", "function": {"name": "search", "description": "Search the notes.", "parameters": schema}}


# Kinds of conversations


def _plain(random: Random) -> Payload:
    turns = [make(random) for _ in range(random.randint(1, 4)) for make in (_asked, _answered)]
    return {"messages": [{"role": "system", "content": _text(random, 30)}, *turns]}


def _names(random: Random) -> Payload:
    return {"model": "gpt-x", "messages": [_asked(random) | {"name": random.choice(["mira", "jonas"])}, _answered(random)]}


def _other_scripts(random: Random) -> Payload:
    said = " ".join(random.choices(_OTHER_SCRIPTS, k=30))
    return {"messages": [{"role": "developer", "content": said}, {"role": "user", "content": said}, _answered(random)]}


def _calls(random: Random) -> Payload:
    messages = [_asked(random)]
    for number in range(random.randint(1, 3)):
        calls = [_call(random, number) for _ in range(random.randint(1, 3))]
        results = [{"role": "tool", "tool_call_id": call["id"], "content": _text(random, 80)} for call in calls]
        messages += [{"role": "assistant", "content": None, "tool_calls": calls}, *results]
    settings = {"temperature": random.randint(0, 10) / 10, "max_tokens": 1000, "seed": random.randint(0, 99)}
    return {"model": "gpt-x", "messages": [*messages, _answered(random)], "tools": [_tool()], **settings}


def _images(random: Random) -> Payload:
    url = f"data:image/png;base64,{_PIXEL}" if random.random() < 0.5 else "https://example.com/images/1.png"
    parts = [{"type": "text", "text": _text(random, 20)}, {"type": "image_url", "image_url": {"url": url, "detail": "low"}}]
    return {"messages": [{"role": "user", "content": parts}, _answered(random)], "stop": ["END"]}


def _reasoning(random: Random) -> Payload:
    return {"messages": [_asked(random), _answered(random) | {"reasoning_content": _text(random, 100)}]}


def _odd(random: Random) -> Payload:
    """What is unusual and still well formed: a refusal, several system texts, two messages of the user in a row."""
    refused = {"role": "assistant", "content": None, "refusal": _text(random, 8)}
    system = {"role": "system", "content": [{"type": "text", "text": _text(random, 10)}]}
    return {"messages": [system, _asked(random), _asked(random), refused, system, _asked(random), _answered(random)]}


_KINDS: tuple[Callable[[Random], Payload], ...] = (
    _plain,
    _plain,
    _names,
    _other_scripts,
    _calls,
    _calls,
    _images,
    _reasoning,
    _odd,
)


# What is wrong with broken ones


def _as_json(payload: object) -> str:
    return json.dumps(payload, ensure_ascii=False)


def _without_messages(payload: Payload) -> str:
    return _as_json({key: value for key, value in payload.items() if key != "messages"})


def _first_message(payload: Payload, **changes: object) -> str:
    first, *others = payload["messages"]
    return _as_json(payload | {"messages": [first | changes, *others]})


_FAULTS: tuple[Callable[[Payload], str], ...] = (
    lambda payload: _as_json(payload)[:-20],
    lambda _: "",
    lambda _: "null",
    _without_messages,
    lambda payload: _as_json(payload | {"messages": "a text"}),
    lambda payload: _first_message(payload, content=7),
    lambda payload: _first_message(payload, content=[{"text": "a part without a type"}]),
    lambda payload: _as_json(payload | {"messages": [*payload["messages"], {"content": "no role"}]}),
    lambda payload: _as_json(payload).replace('"messages": [', '"messages": [NaN, '),
    lambda payload: _first_message(payload, content="half of a character: ").replace("character: ", "character: \\ud83d"),
    lambda _: "[" * 100_000,
)


def is_broken(number: int) -> bool:
    """Whether the row of this number is one of the broken ones."""
    return number % BROKEN_EVERY == BROKEN_EVERY // 2


def row(number: int) -> Row:
    """One row: its id, and a request as JSON text."""
    random = Random(number)  # noqa: S311 -- the same rows on every run, not a secret
    payload = random.choice(_KINDS)(random)
    text = _FAULTS[number // BROKEN_EVERY % len(_FAULTS)](payload) if is_broken(number) else _as_json(payload)
    return {"id": f"row-{number:010}", "messages": text}


def rows(count: int, start: int = 0) -> Iterator[Row]:
    """Rows from `start` on."""
    return map(row, range(start, start + count))
