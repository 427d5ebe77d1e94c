"""Text parts as one string, which has no fields beside its text."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ...codec.fields import Wire
from ...errors import escape
from .base import CACHE_FIELDS, FAMILY, ChatDump


def words(written: Any, origin: str, d: ChatDump) -> Any:
    """The words of a text or a refusal without the part around them, whose other fields are reported."""
    for key in [key for key in written if key not in ("type", written["type"])]:
        field = "cache_control" if key in CACHE_FIELDS else f"provider_data/{FAMILY}/{escape(key)}"
        d.drop(f"{origin}/{field}", "text that is sent as a string has no fields beside it")
    return written[written["type"]]


def join_texts(texts: list[Wire], origins: list[str], reported: Collection[str], at: str, d: ChatDump) -> str:
    """Text parts as the one string at `at`; reports what a string cannot hold, but of those that are reported already."""
    if len(texts) > 1:
        del d.places[at]  # no part alone is in this place
    for origin in [each for each in origins if each not in reported] if len(texts) > 1 else ():
        how = "" if d.is_response else " with line breaks"
        d.report("changed", origin, at, f"content is sent as a string: its texts are joined{how}")
    joined = [words(text, origin, d) for text, origin in zip(texts, origins, strict=True)]
    # The texts of a response are one text that something interrupted, as its stream would have it.
    return ("" if d.is_response else "\n").join(joined)
