"""Prints what `check` finds in requests that their provider accepted, by rule: `python -m checking.refusals.alarms TRAFFIC`."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import interlingua as il
from interlingua.errors import Severity
from laws import recorded


class Alarm(NamedTuple):
    """A rule that finds something in accepted requests of an API, read as a format."""

    api: str
    format: str
    severity: Severity
    code: str


def alarms(traffic: Path) -> tuple[int, Counter[Alarm]]:
    """How many accepted requests were checked, each as every format that reads it; and in how many a rule finds something."""
    checked = 0
    found: Counter[Alarm] = Counter()
    for api, format in recorded.READ_AS:
        for record in recorded.requests(traffic, api):
            checked += 1
            found.update({Alarm(api, format, each.severity, each.code) for each in il.check(record.body, il.format_of(format))})
    return checked, found


def lines(traffic: Path) -> Iterator[str]:
    """The table, errors first."""
    checked, found = alarms(traffic)
    yield "| API | checked as | severity | rule | accepted requests |"
    yield "| --- | --- | --- | --- | --- |"
    for alarm in sorted(found, key=lambda each: (each.severity, each)):
        yield f"| {' | '.join(alarm)} | {found[alarm]} |"
    yield ""
    for severity in ("error", "warning"):
        yield f"{severity}s: {sum(count for alarm, count in found.items() if alarm.severity == severity)}"
    yield f"requests checked: {checked}"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lines(Path(sys.argv[1])))
