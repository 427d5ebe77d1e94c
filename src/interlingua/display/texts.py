"""Text from conversations, made fit to be shown: without control characters, and without base64."""

from __future__ import annotations

import re
from collections.abc import Iterator

_HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, but for the line break and the tab
    "\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # no shape, or another direction
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\ud800-\udfff]"  # no text
)
"""Characters that could change how what is around them looks, or that hide. The two joiners, which emoji need, stay."""
_RUN = re.compile(r"(?:[A-Za-z0-9+/_-]{60,}={0,2}(?:\\r|\\n|\r|\n)*)+")
"""What may be base64: long runs of its letters, which may be broken into lines, also in JSON text."""
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^\n]*)")
"""The first line of a block of code in Markdown, or its last, which has nothing behind the marks."""
_LONGEST_RUN = 200
"""The longest run that is shown whole: hashes and ids are shorter."""


def harmless(text: str) -> str:
    """The text with control characters, and others that hide or turn text around, replaced by signs that stand for them."""
    return _HARMFUL.sub(lambda found: _sign(found[0]), text.replace("\r\n", "\n"))


def _sign(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else ascii(char)[1:-1]


def one_line(text: str, most: int = 200) -> str:
    """The harmless text in a line of at most `most` characters: line breaks are spaces."""
    line = " ".join(harmless(text[: 4 * most]).split())
    return line if len(line) <= most and len(text) <= 4 * most else line[: most - 1] + "…"


def without_base64(text: str) -> str:
    """The text with the beginning and the length of what may be base64 in its place."""
    return _RUN.sub(_shortened, text)


def _shortened(found: re.Match[str]) -> str:
    run = found[0]
    return run if len(run) <= _LONGEST_RUN else f"{run[:12]}… ({counted(len(run))})"


def with_code(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces, each with whether it is a fenced block of code, as Markdown has it; its fences belong to it."""
    piece: list[str] = []
    opened = ""
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        found = _FENCE.match(line)
        fence, behind = found.groups() if found else ("", "")
        opens = fence and not (fence[0] == "`" and "`" in behind)
        closes = fence.startswith(opened) and not behind.strip()
        if not opened and opens:
            if piece:
                yield "".join(piece), False
            piece = [line]
            opened = fence
        elif opened and closes:
            yield "".join([*piece, line]), True
            piece = []
            opened = ""
        else:
            piece.append(line)
    if piece:
        yield "".join(piece), bool(opened)


def counted(number: int, noun: str = "character", nouns: str | None = None) -> str:
    """A number of things, in words."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def size_in_words(size: int) -> str:
    """A number of bytes, in words."""
    if size < 1000:
        return counted(size, "byte")
    return f"{size / 1000:,.1f} kB" if size < 1_000_000 else f"{size / 1_000_000:,.1f} MB"
