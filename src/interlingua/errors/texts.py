"""Text in errors: on one line, bounded, and without what may be content."""

from __future__ import annotations

import re

BASE64 = re.compile(r"(?<=base64,)[A-Za-z0-9+/_=-]+|[A-Za-z0-9+/]{32,}=*|[A-Za-z0-9_-]{40,}=*")
"""What may be base64: what follows `base64,`, and long runs of its letters."""
_SHORTEST = 32
"""How long the shortest of these runs is."""

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}(/[a-z0-9.+-]{1,40})?")


def escape(token: str) -> str:
    """A token of a JSON Pointer (RFC 6901)."""
    try:
        return token.replace("~", "~0").replace("/", "~1")
    except (AttributeError, TypeError):  # a key of a dict that is no text
        return escape(str(token))


def unescape(token: str) -> str:
    """The key or index that a token of a JSON Pointer stands for."""
    return token.replace("~1", "/").replace("~0", "~")


def line(text: str, most: int = 200) -> str:
    """Text on one line: shortened, and with escapes for control characters and all else that is not printed."""
    text = text if len(text) <= most else text[:most] + "…"
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode() for char in text)


def excerpt(text: str, most: int = 40) -> str:
    """A name that the wire says, for a message to people: on one line, short, and without what may be base64."""
    text = str(text)  # a key of a dict may be no text
    if len(text) < _SHORTEST and text.isidentifier():
        return text  # nearly all names
    shown = line(BASE64.sub("…", text[:1000]), most)
    return shown if len(shown) <= most + 1 else shown[:most] + "…"  # escapes are longer


def word(value: object, other: str = "this value") -> str:
    """A role, a type or a media type of the wire, for a message to people; `other` in place of anything else."""
    return value if isinstance(value, str) and _WORD.fullmatch(value) else other


def bounded(text: str, most: int = 200) -> str:
    text = text if len(text) <= most else text[:most] + "…"
    return text if text.isascii() else text.encode(errors="replace").decode()  # a key may hold a lone surrogate
