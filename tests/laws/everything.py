"""Every field of every message and part, in messages without a fault, and ways to look into them."""

import json
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel
from typing_extensions import TypeIs

import interlingua as il

DATA = {"some_vendor": {"a/b": {"c~d": [1, 2.5, True, None, "é"]}}}
MARK = {"type": "ephemeral", "ttl": "1h"}
WIRE: dict[str, Any] = {
    "origin": "openai_chat",
    "response": True,
    "spelling": {"a/b": "c~d"},
    "partial": ["/some_field", "/some_field/inner"],
    "standalone": ["/some_field"],
}
OWN = {"provider_data": DATA, "wire": WIRE}
MARKED = {"cache_control": MARK, **OWN}
FRAME = {"name": "n", "extra": {"id": [1]}, **MARKED}
SHARED = {"signature": "s", "issuer": "gemini", **MARKED}
CITED = {"title": "t", "cited_text": "x", "start": 0, "end": 1, **OWN}
CITATIONS: list[dict[str, Any]] = [
    {"type": "url", "url": "https://example.com/", **CITED},
    {
        "type": "document",
        "document": 0,
        "file_id": "file_1",
        "issuer": "openai",
        "unit": "page",
        "source_start": 1,
        "source_end": 2,
        **CITED,
    },
    {"type": "search_result", "source": "s", "result": 0, "source_start": 0, "source_end": 1, **CITED},
    {"type": "opaque", "format": "some_vendor", "value": {"type": "novel"}},
]
TEXT: dict[str, Any] = {"type": "text", "text": "x", "citations": CITATIONS, **SHARED}
JSON: dict[str, Any] = {"type": "json", "value": [{"a": 1.5}, None, "é"], **SHARED}
URL = {"type": "url", "url": "https://example.com/a.png", "media_type": "image/png"}
FILE_ID = {"type": "file_id", "file_id": "file_1", "issuer": "gemini", "media_type": "video/mp4"}

EVERYTHING: list[dict[str, Any]] = [
    {"role": "system", "content": [TEXT], **FRAME},
    {"role": "developer", "content": "x", **FRAME},
    {
        "role": "user",
        "content": [
            TEXT,
            {"type": "image", "source": URL, "detail": "low", **SHARED},
            {"type": "image", "source": {"type": "base64", "data": "AAAA", "media_type": "image/png"}},
            {"type": "audio", "source": {"type": "base64", "data": "AAAA", "media_type": "audio/wav"}, **SHARED},
            {"type": "video", "source": FILE_ID, **SHARED},
            {
                "type": "file",
                "source": {"type": "text", "text": "x", "media_type": "text/plain"},
                "filename": "a.txt",
                **SHARED,
            },
            {
                "type": "image_url",
                "image_url": {"url": "https://example.com/a.png", "detail": "low", **OWN},
                **SHARED,
            },
            {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav", **OWN}, **SHARED},
            {"type": "tool_result", "tool_use_id": "c", "content": [TEXT, JSON], "is_error": True, "name": "f", **SHARED},
            {"type": "tool_result", "tool_use_id": "c", "content": "x"},
            {"type": "opaque", "format": "some_vendor", "value": {"type": "novel", "of": [1]}, **SHARED},
        ],
        **FRAME,
    },
    {
        "role": "assistant",
        "content": "x",
        "reasoning_content": "hm",
        "thinking_blocks": [
            {"type": "thinking", "thinking": "hm", "summary": False, **SHARED},
            {"type": "redacted_thinking", "data": "AAAA", **SHARED},
        ],
        "refusal": "no",
        "tool_calls": [{"id": "c", "name": "f", "arguments": '{"a": 1}', "custom": False, **SHARED}],
        **FRAME,
    },
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm"},
            {"type": "tool_use", "id": "c", "name": "f", "input": {"a": [1]}, "custom": False, **SHARED},
            {"type": "tool_use", "id": "d", "name": "f", "input": '{"a": 1}'},
            {"type": "refusal", "refusal": "no", **SHARED},
        ],
    },
    {"role": "tool", "tool_call_id": "c", "content": "x", "is_error": False, **FRAME, "name": "f"},
    {"role": "text", "content": "x", **FRAME},
    {"role": "opaque", "format": "some_vendor", "value": {"novel": True}, "wire": WIRE, "extra": {}},
]

FREE = ("provider_data", "input", "value", "extra", "spelling")


def everything() -> list[dict[str, Any]]:
    """A copy in which no two places share a value."""
    found: list[dict[str, Any]] = json.loads(json.dumps(EVERYTHING))
    return found


def is_object(value: Any) -> TypeIs[dict[Any, Any]]:
    return isinstance(value, dict)


def is_list(value: Any) -> TypeIs[list[Any]]:
    return isinstance(value, list)


def is_tuple(value: Any) -> TypeIs[tuple[Any, ...]]:
    return isinstance(value, tuple)


def entries(value: Any) -> list[tuple[Any, Any]]:
    """The entries of an object or a list, none of anything else."""
    if is_object(value):
        return list(value.items())
    return list(enumerate(value)) if is_list(value) else []


def nodes(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value inside, with its JSON Pointer."""
    yield path, value
    for key, item in entries(value):
        yield from nodes(item, f"{path}/" + str(key).replace("~", "~0").replace("/", "~1"))


def put(document: Any, path: str, value: Any) -> None:
    *way, last = [token.replace("~1", "/").replace("~0", "~") for token in path.split("/")[1:]]
    for token in way:
        document = {str(key): item for key, item in entries(document)}[token]
    document[int(last) if isinstance(document, list) else last] = value


def spoil(document: Any) -> None:
    """Change every object and list in it."""
    for _, value in list(nodes(document)):
        if is_object(value):
            value["spoilt"] = 1
        elif is_list(value):
            value.append("spoilt")


def is_free(path: str) -> bool:
    return any(token in FREE for token in path.split("/"))


STRINGS = [path for path, value in nodes(EVERYTHING) if isinstance(value, str)]
TAGS = [path for path in STRINGS if path.rpartition("/")[2] in ("role", "type") and not is_free(path)]
TEXTS = [path for path in STRINGS if path not in TAGS]
FLAGS = [path for path, value in nodes(EVERYTHING) if isinstance(value, bool) and not is_free(path)]
OBJECTS = [path for path, value in nodes(EVERYTHING) if isinstance(value, dict) and not is_free(path)]
LISTS = [path for path, value in nodes(EVERYTHING) if isinstance(value, list) and path and not is_free(path)]


def faults(data: Any) -> list[dict[str, str]]:
    with pytest.raises(il.InvalidPayload) as caught:
        il.validate(data)
    return caught.value.errors


def fault_paths(data: Any) -> list[str]:
    return [fault["path"] for fault in faults(data)]


def pickled(value: il.Message, protocol: int = pickle.HIGHEST_PROTOCOL) -> Any:
    return pickle.loads(pickle.dumps(value, protocol))  # noqa: S301 -- pickled in this line


def same(a: Any, b: Any) -> bool:
    """Whether two values are the same JSON, where 1, 1.0 and true are three."""
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


def assistant(**fields: Any) -> il.AssistantMessage:
    return il.AssistantMessage(**fields)


def user(**fields: Any) -> il.UserMessage:
    return il.UserMessage(**fields)


def models(value: Any) -> Iterator[BaseModel]:
    if isinstance(value, BaseModel):
        yield value
        for name in type(value).model_fields:
            if name in value.model_fields_set:
                yield from models(getattr(value, name))
    elif is_tuple(value):
        for item in value:
            yield from models(item)


messages = pytest.mark.parametrize(
    "message", il.validate(EVERYTHING), ids=[f"{i} {message['role']}" for i, message in enumerate(EVERYTHING)]
)


class Transcript(BaseModel):
    """A model of a user's own that holds messages."""

    title: str
    messages: list[il.Message]
    last: il.AssistantMessage | None = None


def misjudged(paths: list[str], wrong: Any) -> dict[str, list[str]]:
    """The places where a wrong value is not the one fault that it is, with the faults that are reported instead."""
    found: dict[str, list[str]] = {}
    for path in paths:
        data: list[Any] = [{"role": "user", "content": "text"} for _ in EVERYTHING]
        number = int(path.split("/")[1])
        data[number] = everything()[number]
        put(data, path, wrong)
        reported = fault_paths(data)
        if reported != [path]:
            found[path] = reported
    return found


def nested(depth: int, leaf: Any = None) -> dict[str, Any]:
    """An object `depth` levels deep."""
    value: dict[str, Any] = {} if leaf is None else leaf
    for _ in range(depth - 1):
        value = {"a": value}
    return value


FLAT: dict[str, Any] = {
    "role": "assistant",
    "content": "text",
    "thinking_blocks": [{"type": "thinking", "thinking": "hm", "signature": "s", "issuer": "anthropic"}],
    "tool_calls": [
        {"id": "c", "name": "f", "arguments": '{"a":1}', **SHARED},
        {"name": "t", "arguments": "free", "custom": True},
    ],
    "name": "n",
    **MARKED,
}
