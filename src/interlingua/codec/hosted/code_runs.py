"""Code that a provider's server ran, and what came of it.

Some providers give code no id; its result then comes directly after it. Few repeat the language of the code in its result.
`d` is the `Dump`, which this module cannot import.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Self

from ..ids import tool_name

PYTHON = "python"
BASH = "bash"
MARK = "bash_"
"""The prefix of the id of a shell command, for providers that cannot say what language it is in; it is recognized later."""
UNKNOWN = "the language of this code is not known"
"""Why code is left out."""


class CodeRun(NamedTuple):
    """Code, its result, or both."""

    id: str
    """The id of both; empty if the result directly follows the code."""
    code: str | None = None
    """The code; None for the part with the result."""
    language: str | None = None
    """Its language; None if that is not known."""
    output: Sequence[str] | None = None
    """The texts that it printed, none of which is empty; None for the part with the code."""
    errors: str = ""
    """What it wrote to standard error, if the provider reports that separately."""
    return_code: int | None = None
    failed: bool = False
    """Whether it failed."""
    timed_out: bool = False
    """Whether it failed because it ran for too long."""
    rest: Sequence[str] = ()
    """Pointers to the fields that other providers do not have."""

    @property
    def what(self) -> str:
        """Its name in losses."""
        return "executed code"

    @property
    def asks(self) -> bool:
        """Whether it has the code."""
        return self.code is not None

    @property
    def answers(self) -> bool:
        """Whether it has the result."""
        return self.output is not None

    @property
    def texts(self) -> list[str]:
        """All texts of the result."""
        return [*(self.output or ()), *([self.errors] if self.errors else [])]

    def answered(self, result: Self) -> Self:
        """The code with its result, which is in another part."""
        return result._replace(code=self.code)


def joined(texts: Iterable[str]) -> str:
    """Join texts into one; each begins on a new line."""
    out = ""
    for text in texts:
        out += ("\n" if out and not out.endswith("\n") else "") + text
    return out


class CodeRuns:
    """The code in the parts of one message, for the parts with the results."""

    def __init__(self) -> None:
        self.begin("")

    def begin(self, message: str) -> None:
        """Forget the last message, and begin the one at this pointer."""
        self.message = message
        self.last = ""
        """The id of the last code."""
        self.code: dict[str, CodeRun] = {}
        """The code by its id."""
        self.results: dict[str, str] = {}
        """The pointer of the result of each code, by its id."""
        self.ids: dict[str, str] = {}
        """The id of each result, by its pointer."""


def _made_up(code: str, path: str, paths: dict[str, dict[str, int]]) -> str:
    """The id of code that has none, by how often the same code ran before; other parts do not change it."""
    same = paths.setdefault(code, {})
    return tool_name(f"{same.setdefault(path, len(same))} {code}", 40)


def with_code(run: CodeRun, path: str, d: Any) -> CodeRun | None:
    """The code with an id, or the result with the id and the language of its code; None for a result that has no code.

    A part may be read again.
    """
    if d.code_runs is None:
        d.code_runs = CodeRuns()
    runs: CodeRuns = d.code_runs
    message = path.rpartition("/content/")[0]
    if runs.message != message:
        runs.begin(message)
    if run.code is not None:
        id = run.id or _made_up(run.code, path, d.ids.code_paths)
        runs.last = id
        runs.code[id] = run = run._replace(id=id)
        return run
    id = run.id or runs.ids.get(path, runs.last)
    code = runs.code.get(id)
    if code is None or runs.results.setdefault(id, path) != path:
        return None
    runs.ids[path] = id
    return run._replace(id=id, language=code.language)
