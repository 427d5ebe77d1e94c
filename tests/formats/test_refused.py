"""Each rule of each provider has a body that it catches, and a near miss that it lets by."""

from typing import Any

import pytest

import interlingua as il
from checking.rule_sets import RULES
from formats.refused import Refused, refused

CASES = refused()
ALL_RULES = {(name, rule.code): rule for name, known in RULES.items() for rule in known.rules}


def of(format: str) -> list[Refused]:
    """The cases of a format's rules."""
    return [case for case in CASES if case.format == format]


def codes(body: Any, format: str) -> list[tuple[str, str]]:
    return [(problem.code, problem.path) for problem in il.check(body, il.format_of(format))]


@pytest.mark.parametrize("format", RULES)
def test_each_rule_catches_what_is_refused(format: str) -> None:
    missed = [str(case) for case in of(format) if (case.code, case.path) not in codes(case.refused, format)]
    assert missed == []


@pytest.mark.parametrize("format", RULES)
def test_each_rule_lets_a_near_miss_by(format: str) -> None:
    caught = [
        (str(case), each.code)
        for case in of(format)
        for each in il.check(case.accepted, case.format)
        if each.severity == "error" or each.code == case.code
    ]
    assert caught == []


def test_every_rule_has_a_case() -> None:
    tried = {ALL_RULES[case.format, case.code].find for case in CASES if case.code != "shape"}
    assert [key for key, rule in ALL_RULES.items() if rule.find not in tried] == []


def test_no_two_rules_of_a_format_have_the_same_code() -> None:
    codes_of = {name: [rule.code for rule in known.rules] for name, known in RULES.items()}
    assert {name for name, codes in codes_of.items() if len(codes) > len(set(codes))} == set()
