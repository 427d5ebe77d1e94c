"""What is measured: payloads of many kinds, the same bytes on every run, and recorded ones where there is a folder of them.

The trace of an agent is 501 messages: a system text of 200 words; then 100 turns of a user text of 60 words (each fifth with
an image URL), an assistant text of 30 words with two parallel calls of 20-word arguments, two results of 200 words, and an
assistant text of 100 words. The other kinds of work are variations of it. `python workload.py` writes it to agent_trace.json,
which is committed.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import interlingua as il

Payload = dict[str, Any]

MESSAGES = 501
BYTES = 355_000
TRACE = Path(__file__).with_name("agent_trace.json")
TRAFFIC = Path(__file__).resolve().parents[2] / "shared" / "traffic"

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


def openai_chat() -> Payload:
    """The trace as an OpenAI Chat Completions request."""
    random = Random(355)  # noqa: S311 -- the same words on every run, not a secret
    messages: list[Payload] = [{"role": "system", "content": _text(random, 200)}]
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


# Kinds of requests: each is the trace, with one thing changed


def _not_ascii(request: Payload) -> list[Payload]:
    for message in request["messages"]:
        if type(message["content"]) is str:
            message["content"] += " é"
    return [request]


def _lists(request: Payload) -> list[Payload]:
    for message in request["messages"]:
        if type(message["content"]) is str:
            message["content"] = [{"type": "text", "text": message["content"]}]
    return [request]


def _names(request: Payload) -> list[Payload]:
    for at, message in enumerate(request["messages"]):
        if message["role"] == "user":
            message["name"] = f"user_{at % 3}"
    return [request]


def _images(request: Payload) -> list[Payload]:
    data = "data:image/png;base64," + "iVBORw0KGgoAAAAN" * 1000
    for message in request["messages"]:
        if type(message["content"]) is list:
            message["content"][1]["image_url"]["url"] = data
    return [request]


def _small(request: Payload) -> list[Payload]:
    """Forty requests of two or three messages, with twenty tools and the usual settings."""
    random = Random(20)  # noqa: S311 -- the same words on every run, not a secret
    schema = {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": _text(random, 12)},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100},
            "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}},
        },
        "required": ["query"],
        "additionalProperties": False,
    }
    function = {"description": _text(random, 30), "parameters": schema}
    tools = [{"type": "function", "function": {"name": f"tool_{i}", **function}} for i in range(20)]
    settings = {"temperature": 0.5, "max_tokens": 1000, "stream": True, "tool_choice": "auto", "stop": ["END"]}
    said = [message for message in request["messages"] if type(message["content"]) is str and "tool_calls" not in message]
    asked = [message for message in said if message["role"] in ("user", "assistant")][:79]
    system = request["messages"][0]
    made = [{"model": "gpt-x", "messages": [system, *asked[at : at + 1]], "tools": tools, **settings} for at in range(0, 79, 2)]
    return [json.loads(json.dumps(request)) for request in made]


KINDS: dict[str, Callable[[Payload], list[Payload]]] = {
    "plain text": lambda request: [request],
    "not ASCII": _not_ascii,
    "list content": _lists,
    "names and marks": _names,
    "images as base64": _images,
    "small, with 20 tools": _small,
}


def requests(kind: str, source: str) -> list[Payload]:
    """The requests of one kind in Chat's shape or in Anthropic's."""
    made = KINDS[kind](openai_chat())
    if source == "anthropic":
        made = [{"max_tokens": 1000, **_to_anthropic(request)} for request in made]
        if kind == "names and marks":
            for request in made:
                _mark(request)
    return made


def _to_anthropic(request: Payload) -> Payload:
    return copy.deepcopy(dict(il.convert(request, source="openai_chat", target="anthropic").payload))


def _mark(request: Payload) -> None:
    """A mark on the system text, and on each tenth message; the server takes four, but conversion must not care."""
    for holder in (request["system"], *(message["content"] for message in request["messages"][:40:10])):
        if type(holder) is list:
            holder[-1]["cache_control"] = {"type": "ephemeral"}


# Responses


def responses(source: str) -> list[Payload]:
    """Twenty responses with text and two calls."""
    random = Random(21)  # noqa: S311 -- the same words on every run, not a secret
    made: list[Payload] = []
    for at in range(20):
        functions = [{"name": "search", "arguments": json.dumps({"query": _text(random, 20)})} for _ in range(2)]
        calls = [{"id": _call_id(random), "type": "function", "function": function} for function in functions]
        said = {"role": "assistant", "content": _text(random, 100), "refusal": None, "annotations": [], "tool_calls": calls}
        choice = {"index": 0, "message": said, "logprobs": None, "finish_reason": "tool_calls"}
        usage: Payload = {"prompt_tokens": 900, "completion_tokens": 80, "total_tokens": 980}
        usage["prompt_tokens_details"] = {"cached_tokens": 512}
        frame = {"id": f"chatcmpl-{at}", "object": "chat.completion", "created": 1763000000, "model": "gpt-x"}
        made.append({**frame, "choices": [choice], "usage": usage})
    if source == "anthropic":
        return [dict(il.dump_response(il.load_response(one, "openai_chat"), "anthropic", on_loss="ignore")) for one in made]
    return made


# Recorded traffic

RECORDED: dict[str, dict[str, il.FormatName]] = {
    "Chat": {"openai_chat": "openai_chat", "azure_openai_chat": "openai_chat"},
    "compatible hosts": {
        **dict.fromkeys(("openai_compat", "groq", "mistral", "xai", "huggingface"), "openai_chat"),
        "openrouter": "openrouter",
        "deepseek": "deepseek",
    },
    "Responses": dict.fromkeys(("openai_responses", "azure_openai_responses", "openai_responses_compat"), "openai_responses"),
    "Gemini": {"gemini": "gemini"},
    "Bedrock": {"bedrock_converse": "bedrock_converse"},
    "Anthropic": dict.fromkeys(("anthropic", "anthropic_compat", "anthropic_bedrock", "anthropic_vertex"), "anthropic"),
}
"""The files of recorded traffic in each row, and the format that each is read as."""


def recorded(row: str, what: str) -> list[tuple[il.FormatName, Payload]]:
    """The recorded requests or responses of a row, each with the format that it is read as; none without the folder."""
    return [pair for api, source in RECORDED[row].items() for pair in _bodies(TRAFFIC / f"{api}.{what}.jsonl", source)]


def _bodies(file: Path, source: il.FormatName) -> Iterator[tuple[il.FormatName, Payload]]:
    if file.is_file():
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                body = json.loads(line)["body"]
                if type(body) is dict:
                    yield source, body


def canonical(kind: str = "plain text") -> list[Payload]:
    """The messages of the trace, or of a variation of it, in the canonical flat spelling."""

    def spell(message: Payload) -> Payload:
        calls = message.get("tool_calls")
        if calls is None:
            return message
        return message | {"tool_calls": [{"id": call["id"], **call["function"]} for call in calls]}

    return [spell(message) for message in requests(kind, "openai_chat")[0]["messages"]]


def as_json(payload: object) -> str:
    """Compact JSON text, ASCII only, so that characters are bytes."""
    return json.dumps(payload, separators=(",", ":"))


if __name__ == "__main__":
    TRACE.write_text(as_json(openai_chat()) + "\n")
    print(f"{TRACE.name}: {TRACE.stat().st_size} bytes")
