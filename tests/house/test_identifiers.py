"""Identifiers say what a thing is: words that fit any value are retired, in the folders that are free of them."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

import interlingua

PACKAGE = Path(interlingua.__file__).parent
RETIRED = frozenset({"held", "said", "heard", "came", "told", "took", "untold"})
"""Words that no name consists of or has as a part: `value`, `content`, `text`, `reported` and the like say more."""
CLEAN = (
    *("arrow", "checking", "cli", "display", "errors", "history", "model", "schemas", "testing", "fastapi.py", "litestar.py"),
    *(f"codec/{name}.py" for name in "batches error_bodies halves keywords limits marks media pointers required usage".split()),
    *(f"conversion/{name}.py" for name in "canonical detection framing json_text layouts rows sdk_objects sources".split()),
    *(f"formats/{name}" for name in ("alpaca", "cohere", "mistral", "openai_completions", "sharegpt")),
)
"""The folders and modules without retired words; all others are still to be cleaned."""
KEPT = {
    "codec/halves.py": {"held"},
    "display/outline.py": {"held"},
    "formats/alpaca/__init__.py": {"said_in"},
    "formats/cohere/wire.py": {"Said"},
    "formats/cohere/writing.py": {"came_whole", "said"},
    "formats/sharegpt/__init__.py": {"said_in"},
}
"""Names that are public, or that modules outside of `CLEAN` define."""


def _modules() -> Iterator[Path]:
    for name in CLEAN:
        path = PACKAGE / name
        yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


def _retired_names(text: str) -> set[str]:
    names = {token.string for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type == tokenize.NAME}
    return {name for name in names if not RETIRED.isdisjoint(name.lower().split("_"))}


def test_no_retired_word_returns() -> None:
    found = {path.relative_to(PACKAGE).as_posix(): _retired_names(path.read_text("utf-8")) for path in _modules()}
    assert {name: words for name, words in found.items() if words} == KEPT


def test_a_retired_word_is_found_within_a_name() -> None:
    assert _retired_names("_SAID = said_in(held.value)  # told\nb = 'came'") == {"_SAID", "said_in", "held"}
