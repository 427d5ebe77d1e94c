"""The text of an error result without content, for providers that refuse an empty one."""

from __future__ import annotations

from .dump import Dump

TEXT = "The tool failed."


def added_text(path: str, at: str, d: Dump) -> str:
    """The text that a result gets; reports that it is added. `path` is the pointer of the result, and `at` that of the text."""
    d.report("added", path, at, "a tool result that is an error must have content: a text is added")
    return TEXT
