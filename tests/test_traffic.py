"""The laws over recorded traffic: every request that its provider accepted."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interlingua import FormatName
from judging import ALONE, PAIRED, report, violations

pytestmark = pytest.mark.traffic

SOURCES: dict[str, FormatName] = {
    "anthropic": "anthropic",
    "anthropic_bedrock": "anthropic",
    "anthropic_compat": "anthropic",
    "anthropic_count_tokens": "anthropic",
    "anthropic_vertex": "anthropic",
    "openai_chat": "openai_chat",
    "azure_openai_chat": "openai_chat",
    "openai_compat": "openai_chat",
    "openrouter": "openrouter",
    "deepseek": "deepseek",
    "groq": "openai_chat",
    "mistral": "openai_chat",
    "xai": "openai_chat",
    "huggingface": "openai_chat",
}

# (law, id) -> why this request cannot keep this law. Aim: none.
KNOWN: dict[tuple[str, str], str] = {}


def accepted(file: Path) -> Iterator[tuple[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if any(200 <= int(status) < 300 for status in record["statuses"]):
                yield record["id"], record["body"]


@pytest.mark.parametrize("law", [*ALONE, *PAIRED])
@pytest.mark.parametrize("api", SOURCES)
def test_accepted_requests(traffic: Path, api: str, law: str) -> None:
    file = traffic / f"{api}.requests.jsonl"
    if not file.is_file():
        pytest.skip(f"no {file.name} there")
    report(law, {id: violations(law, body, SOURCES[api]) for id, body in accepted(file)}, KNOWN)


def test_every_file_is_judged(traffic: Path) -> None:
    here = {file.name.removesuffix(".requests.jsonl") for file in traffic.glob("anthropic*.requests.jsonl")}
    assert here <= SOURCES.keys()
    assert any((traffic / f"{api}.requests.jsonl").is_file() for api in SOURCES)
