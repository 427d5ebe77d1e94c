"""Citations of pages of the web, where each has a title and the characters of the content that it supports."""

from __future__ import annotations

from typing import Any

from .dump import Dump
from .fields import FieldReader, Wire

_FIELDS: dict[str, tuple[str, type]] = {"title": ("title", str), "start_index": ("start", int), "end_index": ("end", int)}
"""What the fields of a page are called in canonical form, and of what type they are."""


def load_page(reader: FieldReader) -> dict[str, Any] | None:
    """The citation of a page with these fields; None if they have no URL."""
    if (url := reader.take("url", str)) is None:
        return None
    out: dict[str, Any] = {"type": "url", "url": url}
    for key, (name, kind) in _FIELDS.items():
        reader.move_typed(out, kind, **{key: name})
    return out


def dump_page(citation: Any, path: str, at: str | None, span: tuple[int, int], d: Dump) -> Wire:
    """The page that a text cites which is at `span` of the content; all fields are required, but in what is exact."""
    given = {key: getattr(citation, name) for key, (name, _) in _FIELDS.items()}
    if not d.exact:
        if None in given.values():
            d.report("changed", path, at, "a citation must have a title and a place in the text; what it lacks is filled in")
        last = span[1] if citation.end is None else span[0] + citation.end
        given = {"title": citation.title or "", "start_index": span[0] + (citation.start or 0), "end_index": last}
    if citation.cited_text is not None:
        d.drop(path + "/cited_text", "a citation of a page has no field for the cited words")
    return {"url": citation.url, **{key: value for key, value in given.items() if value is not None}}
