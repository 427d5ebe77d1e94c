"""The payload that conversions are measured on: an agent's trace of 501 messages, the same bytes on every run.

A system text of 200 words; then 100 turns of a user text of 60 words (each fifth with an image URL), an assistant text
of 30 words with two parallel calls of 20-word arguments, two results of 200 words, and an assistant text of 100 words.
`python workload.py` writes it to agent_trace.json, which is committed.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

MESSAGES = 501
BYTES = 355_000
TRACE = Path(__file__).with_name("agent_trace.json")

_WORDS = """
a able about after again air all also an and any are area as ask at away back base be bed best big body book box boy
but by call can car case cell city clear cold come cost cut data day deal did do door down draw dry each early east
easy eat end even ever eye face fact fall far fast few file fill find fine fire first fish fit five fly food for form
four free from full game get girl give go gold good got great grow half hand hard has have he head hear heat help her
here high him his hold home hot hour how idea if in into is it job just keep kind king knew know land large last late
law lay lead learn left less let life light like line list live long look make money morning mother music nation
number office order people place power program
""".split()


def _text(random: Random, words: int) -> str:
    return " ".join(random.choices(_WORDS, k=words))


def _call_id(random: Random) -> str:
    return "call_" + "".join(random.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", k=24))


def openai_chat() -> dict[str, Any]:
    """The trace as an OpenAI Chat Completions request."""
    random = Random(355)  # noqa: S311 -- the same words on every run, not a secret
    messages: list[dict[str, Any]] = [{"role": "system", "content": _text(random, 200)}]
    for turn in range(100):
        asked = _text(random, 60)
        image = {"type": "image_url", "image_url": {"url": f"https://example.com/images/{turn}.png"}}
        calls = [
            {
                "id": _call_id(random),
                "type": "function",
                "function": {"name": name, "arguments": json.dumps({"query": _text(random, 20)})},
            }
            for name in ("search", "read_file")
        ]
        messages += [
            {"role": "user", "content": [{"type": "text", "text": asked}, image] if turn % 5 == 0 else asked},
            {"role": "assistant", "content": _text(random, 30), "tool_calls": calls},
            *({"role": "tool", "tool_call_id": call["id"], "content": _text(random, 200)} for call in calls),
            {"role": "assistant", "content": _text(random, 100)},
        ]
    payload = {"model": "gpt-x", "messages": messages}
    size = len(as_json(payload))
    if len(messages) != MESSAGES or abs(size - BYTES) > 2_000:
        raise AssertionError(f"{len(messages)} messages in {size} bytes, not {MESSAGES} in about {BYTES}")
    return payload


def canonical() -> list[dict[str, Any]]:
    """The same messages in the canonical flat spelling."""

    def spell(message: dict[str, Any]) -> dict[str, Any]:
        calls = message.get("tool_calls")
        if calls is None:
            return message
        return message | {"tool_calls": [{"id": call["id"], **call["function"]} for call in calls]}

    return [spell(message) for message in openai_chat()["messages"]]


def as_json(payload: object) -> str:
    """Compact JSON text, ASCII only, so that characters are bytes."""
    return json.dumps(payload, separators=(",", ":"))


if __name__ == "__main__":
    TRACE.write_text(as_json(openai_chat()) + "\n")
    print(f"{TRACE.name}: {TRACE.stat().st_size} bytes")
