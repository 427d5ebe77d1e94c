"""The command `interlingua`: conversations in files, converted, validated and checked.

`commands` has the command line, `documents` reads files, `work` is what is done with a document, `report` is what people see of
it, `output` writes files that can be resumed, and `run` puts them together. What the command needs besides the package is the
extra `cli`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with `argv`, by default the arguments of the process. Returns the exit status.

    0: all is well. 1: invalid input, an error found by `check`, a loss under `--strict`, a difference found by `diff`,
    a stale schema. 2: wrong usage. 130: interrupted.
    """
    try:
        from .commands import run  # noqa: PLC0415 -- what it imports is an extra
    except KeyboardInterrupt:
        return 130
    except ImportError as error:
        if error.name not in ("click", "rich", "rich.console", "rich.progress", "zstandard"):
            raise
        sys.stderr.write("interlingua: the command needs more packages: pip install 'interlingua[cli]'\n")
        return 2
    return run(argv)
