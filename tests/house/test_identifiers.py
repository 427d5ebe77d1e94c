"""Identifiers say what a thing is: words that fit any value are retired."""

from __future__ import annotations

import io
import tokenize
from pathlib import Path

import interlingua

PACKAGE = Path(interlingua.__file__).parent
RETIRED = frozenset({"held", "said", "heard", "came", "told", "took", "untold", "plain"})
"""Words that no name consists of or has as a part: `value`, `content`, `text`, `reported` and the like say more."""
OLDER = frozenset({"plain_text", "refuses_plain", "plain_streams_fold_into_the_whole"})
OTHERS = frozenset({"no_info_plain_validator_function", "plain_serializer_function_ser_schema"})
"""Names that are public and older than the rule, in any module, and those of other packages."""
KEPT = {
    "display/outline.py": {"held"},
    "formats/openai_chat/profiles.py": {"held_usage"},
    "formats/openai_chat/stream.py": {"held_usage"},
    "formats/openai_chat/writing.py": {"held_usage"},
}
"""Names that are public."""


def _retired_names(text: str) -> set[str]:
    names = {token.string for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type == tokenize.NAME}
    return {name for name in names - OLDER - OTHERS if not RETIRED.isdisjoint(name.lower().split("_"))}


def test_no_retired_word_returns() -> None:
    found = {path.relative_to(PACKAGE).as_posix(): _retired_names(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}
    assert {name: words for name, words in found.items() if words} == KEPT


def test_a_retired_word_is_found_within_a_name() -> None:
    assert _retired_names("_SAID = said_in(held.value)  # told\nb = 'came'") == {"_SAID", "said_in", "held"}
    assert _retired_names("is_plain = plain_text(d)") == {"is_plain"}
