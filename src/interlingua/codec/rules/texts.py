"""What providers refuse in texts of any kind."""

from __future__ import annotations

from collections.abc import Iterable

from .view import Found, Text


def lone_surrogates(texts: Iterable[Text]) -> Found:
    """The texts with half of a surrogate pair, which UTF-8 cannot have."""
    for text in texts:
        if not text.text.isascii():
            try:
                text.text.encode()
            except UnicodeEncodeError:
                yield text.at, "the text has half of a surrogate pair, because it was cut inside a character: cut it elsewhere"


def too_long(texts: Iterable[Text], most: int) -> Found:
    """The texts longer than `most`."""
    for text in texts:
        if len(text.text) > most:
            yield text.at, f"a text must have at most {most} characters; this one has {len(text.text)}"
