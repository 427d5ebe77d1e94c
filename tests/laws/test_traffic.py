"""The laws over recorded traffic: every request that its provider accepted."""

from collections.abc import Callable
from pathlib import Path

import pytest

import interlingua as il
from laws import recorded
from laws.families import KNOWN
from laws.judging import ALONE, PAIRED, SPOKE, report, violations

pytestmark = pytest.mark.traffic

SOURCES = [("anthropic_count_tokens", "anthropic"), *recorded.READ_AS]
JUDGED = [
    (api, format, law) for api, format in SOURCES for law in (*ALONE, *PAIRED, *SPOKE) if law not in PAIRED or format in KNOWN
]
"""Which laws are judged for each source; the judges of pairs know the wire of the two hubs and their dialects only."""

# (law, id) -> why this request cannot keep this law. Aim: none.
_NO_LIMIT = "max_tokens is 0, which its host takes for no limit, and Bedrock for too few"
KNOWN_FAULTS: dict[tuple[str, str], str] = {
    ("law5", "5a8b465f328f5cfe"): _NO_LIMIT,
    ("law5", "887222661abc69d6"): _NO_LIMIT,
    ("law5", "670bde25a43931ea"): _NO_LIMIT,
}


@pytest.mark.parametrize(("api", "format", "law"), JUDGED)
def test_accepted_requests(
    traffic: Path, api: str, format: il.FormatName, law: str, record_property: Callable[[str, int], None]
) -> None:
    judged = {record.id: violations(law, record.body, format) for record in recorded.requests(traffic, api)}
    if law == "law2":
        record_property(f"{format} requests exact", len(judged))
    report(law, judged, KNOWN_FAULTS)


def test_every_file_is_judged(traffic: Path) -> None:
    here = {file.name.removesuffix(".requests.jsonl") for file in traffic.glob("anthropic*.requests.jsonl")}
    assert here <= {api for api, _ in SOURCES}
    assert any((traffic / f"{api}.requests.jsonl").is_file() for api, _ in SOURCES)


@pytest.mark.traffic
@pytest.mark.parametrize(("api", "format"), recorded.READ_AS)
def test_repair_leaves_accepted_requests_as_they_are(api: str, format: il.FormatName, traffic: Path) -> None:
    for record in recorded.requests(traffic, api):
        request = il.load(record.body, format)
        assert il.repair(request, format) == (request, []), record.id
