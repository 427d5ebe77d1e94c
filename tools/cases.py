"""Writes `losses.json` of every case in `tests/formats` that has a request: what conversions to each main format lose.

Run `python tools/cases.py` after a change of a format or a new case, and look at what changes. With `--check` it writes nothing
and reports whether files are stale.
"""

import json
import sys
import warnings
from pathlib import Path

import interlingua as il

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from formats.cases import Case, cases, losses


def text(case: Case) -> str:
    """The text of a case's file."""
    return json.dumps(losses(case), indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    """The exit status: 1 if something is stale."""
    warnings.simplefilter("ignore", il.LossWarning)
    stale = [
        case for case in cases("request") if not case.has("losses") or text(case) != case.file("losses").read_text("utf-8")
    ]
    if "--check" not in sys.argv:
        for case in stale:
            case.file("losses").write_text(text(case), "utf-8")
        return 0
    for case in stale:
        print(f"{case.file('losses')} is stale: run python tools/cases.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
