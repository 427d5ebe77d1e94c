"""Join text parts into one string, which cannot have the other fields of the parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...codec.fields import Wire
from ...codec.one_text import following
from ...errors import escape
from .base import CACHE_FIELDS, FAMILY, ChatDump


def words(written: Any, origin: str, d: ChatDump) -> Any:
    """The words of a text or refusal part; its other fields are reported as lost."""
    for key in [key for key in written if key not in ("type", written["type"])]:
        field = "cache_control" if key in CACHE_FIELDS else f"provider_data/{FAMILY}/{escape(key)}"
        d.drop(f"{origin}/{field}", "text that is sent as a string has no fields beside it")
    return written[written["type"]]


def join_texts(texts: list[Wire], origins: list[str], reported: Mapping[str, str], at: str, d: ChatDump) -> str:
    """Join text parts into the string at `at`; report what a string cannot have, except for the parts in `reported`.

    `reported` has the kinds of these parts.
    """
    if len(texts) > 1:
        del d.places[at]  # the string does not come from any single part
        how = "" if d.is_response else " with line breaks"
        for origin in origins:
            if origin not in reported:
                d.report("changed", origin, at, f"content is sent as a string: its texts are joined{how}")
    joined = [words(text, origin, d) for text, origin in zip(texts, origins, strict=True)]
    if not d.is_response:
        return "\n".join(joined)
    # Texts of a response are one text, interrupted by other parts, as in a stream.
    out = before = ""
    for origin, text in zip(origins, joined, strict=True):
        kind = reported.get(origin, "text")
        out += following(text, kind, before) if out and text else text
        before = kind if text else before
    return out
