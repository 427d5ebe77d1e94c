"""Prints the rows of the tables of refusals, each with its rule and the rule's cases, or the reason why it has none.

`python tests/refusals/table.py FOLDER`, the folder that holds `REFUSALS-OPENAI.md` and `REFUSALS-BLOCKS.md`.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from refusals.rows import FAMILIES, codes_of, table_rows


def table(folder: Path) -> Iterator[str]:
    """The lines of the table, for each family of formats that a row is about."""
    yield "| row | family | strength | rule or reason | cases |"
    yield "|---|---|---|---|---|"
    for row in table_rows(folder):
        for family in row.families or ("-",):
            said, cases = decided(row.code, family)
            yield f"| `{row.code}` | {family} | {'strong' if row.strong else 'weak'} | {said} | {cases} |"


def decided(code: str, family: str) -> tuple[str, str]:
    """The rule of a row or the reason why there is none, and how many cases test it."""
    if family not in FAMILIES:
        return "no format for these hosts", ""
    rows = import_module(f"refusals.{family}_rows")
    rule = rows.RULE_OF.get(code, code)
    if rule not in codes_of(family):
        return rows.UNDECIDED.get(code, "no rule: the evidence is weak"), ""
    cases = [case for case in import_module(f"refusals.{family}_cases").CASES if case.code == rule]
    return f"`{rule}`", ", ".join(f"`{case.format}` {case.path}" for case in cases)


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in table(Path(sys.argv[1])))
