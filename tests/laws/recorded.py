"""Recorded requests, responses and streams, and which format reads which host's."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import interlingua as il
from interlingua.formats import CHOICES

CHAT = ("openai_chat", "azure_openai_chat", "openai_compat", "openrouter", "deepseek", "groq", "xai", "huggingface")
ANTHROPIC = ("anthropic", "anthropic_bedrock", "anthropic_compat", "anthropic_vertex")
OTHERS = {
    "openai_responses": "openai_responses",
    "openai_responses_compat": "openai_responses",
    "azure_openai_responses": "openai_responses",
    "gemini": "gemini",
    "gemini_interactions": "gemini_interactions",
    "bedrock_converse": "bedrock_converse",
    "bedrock_invoke": "bedrock_invoke",
    "cohere": "cohere",
    "ollama": "ollama",
    "ollama_generate": "ollama_generate",
    "anthropic_bedrock": "anthropic_bedrock",
    "anthropic_vertex": "anthropic_vertex",
}
"""The APIs of formats whose wire the judges do not know, and of profiles of hosts."""

HUBS = [
    *((api, "openai_chat") for api in CHAT),
    ("openrouter", "openrouter"),
    ("deepseek", "deepseek"),
    ("groq", "groq"),
    ("xai", "xai"),
    ("huggingface", "huggingface"),
    ("mistral", "mistral"),
    *((api, "anthropic") for api in ANTHROPIC),
]
"""A host's traffic, and the formats of the two hubs that it is read as."""
READ_AS = [*HUBS, *((api, format) for api, format in OTHERS.items() if format in il.FORMATS)]


TYPED = [(api, format) for api, format in READ_AS if format not in CHOICES]
"""Those formats that have typed bodies, as a name that stands for several has not."""

NO_CONVERSATION = {
    "52650fec0ecc15aa": "a request for an embedding",
    "35b29bff3c276e76": "an embedding",
    "cbb747fd8c06c281": "the answer of a server of SageMaker, which no model of Bedrock has",
}
"""What was recorded beside the conversations of an API."""

GO_ON = frozenset({"df1e3a82fbe7d5fc", "0eb9ff035e725780", "f9c07fa35617ffc2"})
"""Streams of Vertex AI in which every chunk says that the answer has ended, so that a text goes on after its end."""


class Record(NamedTuple):
    id: str
    body: Any
    """A response's body, or a stream's chunks."""
    request: Any
    """The body of the request that it answers, or None."""


def requests(traffic: Path, api: str) -> Iterator[Record]:
    """The requests that their provider accepted."""
    for line in lines(traffic / f"{api}.requests.jsonl"):
        if any(200 <= int(status) < 300 for status in line["statuses"]):
            yield Record(line["id"], line["body"], None)


def refusals(traffic: Path, api: str) -> Iterator[Record]:
    """The requests that their provider refused as bad requests."""
    for line in lines(traffic / f"{api}.errors.jsonl", needed=False):
        if line["status"] in (400, 422) and line["request"] is not None:
            yield Record(line["id"], line["request"], None)


def responses(traffic: Path, api: str) -> Iterator[Record]:
    requests = {line["id"]: line["body"] for line in lines(traffic / f"{api}.requests.jsonl", needed=False)}
    for line in lines(traffic / f"{api}.responses.jsonl"):
        yield Record(line["id"], line["body"], requests.get(line.get("request_id")))


CUT_SHORT = {"79d206d80bdbe150": "its one chunk, of an early Gemini, has neither parts nor a reason to stop"}
"""Streams that were recorded without their end."""


JOINED = {"8d07ce01fd64108c": "two answers in a row, each with an id and a last snapshot of its own"}
RENAMED = JOINED | {"e3155eba48f3a8ec": "GitHub Copilot gives a response and its items another id in every event"}
"""Streams whose beginning says another id than their end: who passes one on has sent the first by then."""


def streams(traffic: Path, api: str, *, cut_short: bool = False) -> Iterator[Record]:
    """Streams of an API; those that were recorded whole, or the others."""
    for line in lines(traffic / f"{api}.streams.jsonl"):
        if (line["id"] in CUT_SHORT) is cut_short:
            chunks = [_chunk(event, api) for event in line["events"]]
            yield Record(line["id"], chunks, None)


def _chunk(event: dict[str, Any], api: str) -> Any:
    """The chunk of an event; at Bedrock, boto3 makes the name of the event its key."""
    named = api == "bedrock_converse" and event.get("event") is not None
    return {event["event"]: event["data"]} if named else event["data"]


def lines(file: Path, *, needed: bool = True) -> Iterator[Any]:
    """The records of a file."""
    if not file.is_file():
        if needed:
            pytest.skip(f"no {file.name} there")
        return
    with file.open(encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if record["id"] not in NO_CONVERSATION:
                yield record
