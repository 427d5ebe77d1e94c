"""Recorded responses and streams, and which format reads which host's."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

CHAT = ("openai_chat", "azure_openai_chat", "openai_compat", "openrouter", "deepseek", "groq", "mistral", "xai", "huggingface")
ANTHROPIC = ("anthropic", "anthropic_bedrock", "anthropic_compat", "anthropic_vertex")

# A host's traffic, and the formats that it is read as.
READ_AS = [
    *((api, "openai_chat") for api in CHAT),
    ("openrouter", "openrouter"),
    ("deepseek", "deepseek"),
    *((api, "anthropic") for api in ANTHROPIC),
]


class Record(NamedTuple):
    id: str
    body: Any
    """A response's body, or a stream's chunks."""
    request: Any
    """The body of the request that it answers, or None."""


def responses(traffic: Path, api: str) -> Iterator[Record]:
    requests = {line["id"]: line["body"] for line in _lines(traffic / f"{api}.requests.jsonl", needed=False)}
    for line in _lines(traffic / f"{api}.responses.jsonl"):
        yield Record(line["id"], line["body"], requests.get(line.get("request_id")))


def streams(traffic: Path, api: str) -> Iterator[Record]:
    for line in _lines(traffic / f"{api}.streams.jsonl"):
        yield Record(line["id"], [event["data"] for event in line["events"]], None)


def _lines(file: Path, *, needed: bool = True) -> Iterator[Any]:
    if not file.is_file():
        if needed:
            pytest.skip(f"no {file.name} there")
        return
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
