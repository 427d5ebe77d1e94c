"""The command `interlingua`, which converts, validates, checks and shows conversations in files.

`commands` has the command line, `documents` reads files, `work` processes one document, `report` prints faults, losses and
progress, `output` writes files that can be resumed, and `run` puts them together. The command needs the extra `cli`.
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
