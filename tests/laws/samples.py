"""A value of every canonical class, with every field of each: those of the stored conversations, and what is not stored."""

import json
from pathlib import Path
from typing import Any, get_args

import interlingua as il
from interlingua.model.base import Model, members
from laws.everything import DATA, MARK, WIRE, models

STORED = sorted((Path(__file__).parents[1] / "house" / "stored" / "v1").glob("*.json"))

FORM = {"type": "json_schema", "name": "n", "description": "d", "json_schema": {"type": "object"}, "strict": True}

REQUEST: dict[str, Any] = {
    "messages": [{"role": "user", "content": "x"}],
    "model": "m",
    "tools": [
        {"type": "function", "name": "f", "cache_control": MARK, "wire": WIRE},
        {"type": "opaque", "format": "x", "value": {"a": [1]}},
    ],
    "tool_choice": {"type": "tool", "name": "f", "allowed": ["f"]},
    "parallel_tool_calls": False,
    "max_tokens": 9,
    "temperature": 0,
    "top_p": -0.0,
    "top_k": 0,
    "stop": ["\n", ""],
    "reasoning_effort": "low",
    "reasoning_budget": 123456789012345678901234567890,
    "response_format": FORM,
    "metadata": {"b": 1, "a": {"d": 2, "c": 3}},
    "user": "u",
    "stream": True,
    "caching": {"tools": True, "system": False, "messages": 1, "ttl": "1h"},
    "origin": "anthropic",
    "provider_data": DATA,
    "wire": WIRE,
}

USAGE: dict[str, Any] = {
    "input_tokens": 1,
    "cache_read_tokens": 2,
    "cache_write_tokens": 3,
    "output_tokens": 4,
    "reasoning_tokens": 5,
    "input_audio_tokens": 6,
    "output_audio_tokens": 7,
    "native": DATA,
}

RESPONSE: dict[str, Any] = {
    "id": "r",
    "model": "m",
    "created": 1763000000.5,
    "choices": [
        {
            "message": {"role": "assistant", "content": "x"},
            "stop_reason": "stop_sequence",
            "native_stop_reason": "stop",
            "stop_sequence": "\n",
            "incomplete": False,
            "provider_data": DATA,
            "wire": WIRE,
        },
        {"message": {"role": "assistant"}},
    ],
    "usage": USAGE,
    "origin": "openai_chat",
    "provider_data": DATA,
    "wire": WIRE,
}

EVENTS: list[dict[str, Any]] = [
    {"type": "message_start", "choice": 1, "id": "r", "model": "m", "created": 1, "origin": "anthropic", "spelling": "blocks"},
    {"type": "text", "choice": 0, "index": 0, "text": "é🙂"},
    {"type": "thinking", "choice": 0, "index": 0, "thinking": "hm", "field": "both"},
    {"type": "signature", "choice": 0, "index": 0, "signature": "s", "issuer": "anthropic"},
    {"type": "redacted_thinking", "choice": 0, "index": 1, "data": "AAAA", "issuer": None},
    {"type": "refusal", "choice": 0, "index": 1, "refusal": "no"},
    {"type": "tool_use_start", "choice": 0, "index": 2, "id": "c", "name": "f", "custom": False},
    {"type": "arguments", "choice": 0, "index": 2, "arguments": '{"a'},
    {"type": "tool_use", "choice": 0, "index": 2, "id": "c", "name": "f", "arguments": "{}", "custom": None},
    {"type": "part", "choice": 0, "index": 3, "part": {"type": "image", "source": {"type": "url", "url": "https://a.example"}}},
    {"type": "part_stop", "choice": 0, "index": 2},
    {"type": "update", "choice": 0, "of": "part", "index": 2, "data": {"b": 1, "a": [None]}, "join": True},
    {"type": "update", "choice": 0, "of": "message", "data": {"name": None}, "overwrite": True},
    {"type": "usage", "usage": USAGE},
    {"type": "stop", "choice": 0, "stop_reason": "stop", "native_stop_reason": "end_turn", "stop_sequence": ""},
    {"type": "end"},
    {"type": "opaque", "choice": 0, "index": 3, "format": "x", "value": {"type": "novel"}},
    {"type": "error", "error": {"message": "overloaded"}},
]

_EVENTS: dict[str, type[Model]] = {get_args(cls.model_fields["type"].annotation)[0]: cls for cls in members(il.Event)}


def values() -> list[Model]:
    """One value after the other, in the same order each time: the wholes, and all that is inside them."""
    wholes: list[Model] = [il.validate(path.read_bytes(), il.Conversation) for path in STORED]
    wholes += [il.validate(REQUEST, il.Request), il.validate(RESPONSE, il.Response)]
    wholes += [il.validate(event, _EVENTS[event["type"]]) for event in EVENTS]
    return [model for whole in wholes for model in models(whole) if isinstance(model, Model)]


def canonical_classes() -> list[type[Model]]:
    """Every class that a value can have, by name: those without subclasses."""

    def leaves(cls: type[Model]) -> set[type[Model]]:
        found = [leaves(sub) for sub in cls.__subclasses__() if sub.__module__.startswith("interlingua.")]
        return set[type[Model]]().union(*found) if found else {cls}

    return sorted(leaves(Model), key=lambda cls: cls.__name__)


def sorted_json(value: Any) -> str:
    """JSON text that differs for 1, 1.0 and true, and not for the order of keys."""
    return json.dumps(value, sort_keys=True)
