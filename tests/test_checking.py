"""What a provider would refuse: each rule has a body that it catches and a near miss, and what was accepted is not refused."""

from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import interlingua as il
import over
import recorded
from interlingua import testing
from interlingua.checking import RULES
from refusals.cases import Case

FAMILIES = ("chat", "responses", "anthropic", "gemini", "bedrock")
CASES: list[Case] = [case for family in FAMILIES for case in import_module(f"refusals.{family}_cases").CASES]
ALL_RULES = {(name, rule.code): rule for name, known in RULES.items() for rule in known.rules}


def codes(body: Any, format: str) -> list[tuple[str, str]]:
    return [(problem.code, problem.path) for problem in il.check(body, il.format_of(format))]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.format}-{case.code}")
def test_a_rule_catches_what_is_refused(case: Case) -> None:
    assert (case.code, case.path) in codes(case.refused, case.format)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.format}-{case.code}")
def test_a_rule_lets_a_near_miss_by(case: Case) -> None:
    assert [each for each in il.check(case.accepted, case.format) if each.severity == "error" or each.code == case.code] == []


def test_every_rule_has_a_case() -> None:
    tried = {ALL_RULES[case.format, case.code].find for case in CASES}
    assert [key for key, rule in ALL_RULES.items() if rule.find not in tried] == []


@pytest.mark.parametrize(("format", "code"), ALL_RULES)
def test_a_rule_says_what_is_demanded_and_how_that_is_known(format: str, code: str) -> None:
    rule = ALL_RULES[format, code]
    assert rule.says.endswith(".")
    assert rule.evidence not in ("", rule.says)


@over.formats(list(RULES))
@given(data=st.data())
def test_check_never_fails_on_malformed_bodies(format: il.FormatName, data: st.DataObject) -> None:
    body, _ = data.draw(testing.malformed(format))
    assert il.check(body, format) != []


# Recorded traffic

PREDICTED: dict[str, str] = {}
"""The recorded refusals that can be known beforehand, by the line's id: where the problem is."""

UNPREDICTED: dict[str, str] = {}
"""Those that cannot, and why."""


@pytest.mark.traffic
@pytest.mark.parametrize(("api", "format"), recorded.READ_AS)
def test_what_was_accepted_is_not_refused(
    traffic: Path, api: str, format: il.FormatName, record_property: Callable[[str, int], None]
) -> None:
    judged = {record.id: il.check(record.body, il.format_of(format)) for record in recorded.requests(traffic, api)}
    record_property(f"{api} as {format}: requests checked", len(judged))
    errors = {id: [p for p in found if p.severity == "error"] for id, found in judged.items()}
    assert {id: found for id, found in errors.items() if found} == {}


@pytest.mark.traffic
def test_few_accepted_requests_get_a_warning(traffic: Path, record_property: Callable[[str, int], None]) -> None:
    warned: Counter[str] = Counter()
    total = 0
    for api, format in recorded.READ_AS:
        for record in recorded.requests(traffic, api):
            total += 1
            warned.update({problem.code for problem in il.check(record.body, il.format_of(format))})
    record_property("requests", total)
    record_property("warnings", warned.total())
    assert warned.total() <= total * 0.02, warned
