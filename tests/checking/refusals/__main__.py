"""Prints which rule and which tests each refusal that people met has, or why it has none: `python -m refusals FOLDER`."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from checking.refusals.cases import Case
from checking.refusals.rows import FAMILIES, codes_of, table_rows
from checking.rule_sets import RULES


def lines(folder: Path) -> Iterator[str]:
    """The table of rows, then that of recorded refusals."""
    yield "| refusal | evidence | rules for | rule, or why there is none | cases in tests/checking/test_checking.py |"
    yield "| --- | --- | --- | --- | --- |"
    for row in table_rows(folder):
        evidence = "strong" if row.strong else "weak"
        if not row.families:
            yield f"| {row.code} | {evidence} | - | no format for this host | - |"
        for family in row.families:
            rule, tests = covering(row.code, family)
            yield f"| {row.code} | {evidence} | {family} | {rule} | {tests} |"
    yield ""
    yield "| recorded refusal | rules for | rule and place, or why it is not predicted |"
    yield "| --- | --- | --- |"
    for family in FAMILIES:
        known = rows_of(family)
        for id, refusal in known.PREDICTED.items():
            yield f"| {id} | {family} | {refusal.code} at {refusal.path} |"
        for id, reason in known.UNPREDICTED.items():
            yield f"| {id} | {family} | {reason} |"


def covering(code: str, family: str) -> tuple[str, str]:
    """The rule of a row and its cases, or the reason why there is none."""
    known = rows_of(family)
    rule: str = known.RULE_OF.get(code, code)
    if rule not in codes_of(family):
        return known.UNDECIDED.get(code, "weak evidence"), "-"
    if rule == "shape":
        return "`shape`, of the wire types", "test_check_never_fails_on_malformed_bodies"
    functions = {each.find for name in FAMILIES[family] for each in RULES[name].rules if each.code == rule}
    tests = [f"{case.format}-{case.code}-{case.path}" for case in all_cases() if case.code == rule and find(case) in functions]
    return f"`{rule}`", "<br>".join(tests)


def all_cases() -> Iterator[Case]:
    """The cases of all families."""
    for family in FAMILIES:
        yield from import_module(f"checking.refusals.{family}_cases").CASES


def find(case: Case) -> object:
    """The function of a case's rule; None for the wire types."""
    return next((rule.find for rule in RULES[case.format].rules if rule.code == case.code), None)


def rows_of(family: str) -> ModuleType:
    """What is known of the rows of a family."""
    return import_module(f"checking.refusals.{family}_rows")


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lines(Path(sys.argv[1])))
