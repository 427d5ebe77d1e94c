"""No recorded body, and no part of one, is taken with certainty for what it is not."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
from conversion import confusion
from interlingua.conversion import sources
from laws import recorded


@pytest.mark.traffic
@pytest.mark.parametrize("kind", ["request", "response"])
def test_no_certain_answer_is_wrong(traffic: Path, kind: str, record_property: Callable[[str, object], None]) -> None:
    counts: Counter[confusion.Row] = Counter()
    wrong: dict[str, confusion.Row] = {}
    for id, row in confusion.rows(traffic, kind):
        counts[row] += 1
        if row.verdict == "wrong":
            wrong[id] = row
    verdicts = Counter[str]()
    for row, number in counts.items():
        verdicts[row.verdict] += number
    for verdict, number in verdicts.items():
        record_property(f"{kind} bodies and parts taken for: {verdict}", number)
    assert not wrong
    assert verdicts["one"] > 0.5 * verdicts.total()


def reads(kind: str, body: Any, source: Any) -> Any:
    """What a body says as of a source: a fingerprint of the messages, and the settings; of an error, its words."""
    if kind == "response":
        try:
            return sources.without_origin(il.load_response(body, source).to_dict())
        except il.ProviderError as error:
            return error.message
    request = il.load(body, source)
    settings = {name: value for name, value in request.to_dict().items() if name != "messages"}
    return il.fingerprint(request), sources.without_origin(settings)


@pytest.mark.traffic
@pytest.mark.parametrize("kind", ["request", "response"])
def test_auto_reads_what_it_takes_as_what_it_is(
    traffic: Path, kind: str, record_property: Callable[[str, object], None]
) -> None:
    """With `source="auto"`, a body says what it says in the format of its provider, or the format of the provider is named."""
    judged: Counter[str] = Counter()
    for api, format in dict(recorded.READ_AS).items():
        for record in (recorded.requests if kind == "request" else recorded.responses)(traffic, api):
            if record.id in confusion.EXCEPTIONS:
                continue
            try:
                found = reads(kind, record.body, "auto")
            except il.InvalidPayload as error:
                judged["ambiguous" if "it may be" in str(error) else "unknown"] += 1
                named = {il.format_of(name).family for name in il.FORMATS if f" {name}" in str(error)}
                assert not named or il.format_of(format).family in named, record.id
                continue
            assert found == reads(kind, record.body, format), record.id
            judged["read"] += 1
    for word, number in judged.items():
        record_property(f'{kind} bodies with source="auto": {word}', number)
    assert judged["read"] > 0.9 * judged.total()
