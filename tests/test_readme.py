"""The README's Python runs, and prints what it says; so does the demo."""

from __future__ import annotations

import contextlib
import io
import re
import runpy
import warnings
from pathlib import Path

import pytest

import interlingua as il

ROOT = Path(__file__).parents[1]
SNIPPETS = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("snippet", SNIPPETS, ids=range(len(SNIPPETS)))
def test_snippet(snippet: str) -> None:
    """A line `# > text` is what the lines before it print."""
    told = re.findall(r"^\s*# ?> ?(.*)$", snippet, re.MULTILINE)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore", il.LossWarning)
        exec(compile(snippet, "README.md", "exec"), {"__name__": "readme"})  # noqa: S102 -- our own README
    assert printed.getvalue().splitlines() == told


def test_there_are_snippets() -> None:
    assert len(SNIPPETS) > 1


def test_demo() -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(ROOT / "examples" / "demo.py"), run_name="__main__")
    assert printed.getvalue().count("The way back") == 2
