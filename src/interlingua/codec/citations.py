"""Citations of web pages: each has a title, and the range of the content that the page supports."""

from __future__ import annotations

from typing import Any

from .dump import Dump
from .fields import FieldReader, Wire

_FIELDS: dict[str, tuple[str, type]] = {"title": ("title", str), "start_index": ("start", int), "end_index": ("end", int)}
"""The canonical name and the type of each field of a page."""


def load_page(reader: FieldReader) -> dict[str, Any] | None:
    """The citation with the fields of a web page; None if it has no URL."""
    if (url := reader.take("url", str)) is None:
        return None
    out: dict[str, Any] = {"type": "url", "url": url}
    for key, (name, kind) in _FIELDS.items():
        reader.move_typed(out, kind, **{key: name})
    return out


def dump_page(citation: Any, path: str, at: str | None, span: tuple[int, int], d: Dump) -> Wire:
    """The web page that the text at `span` of the content cites; unless the dump is exact, all fields are filled in."""
    given = {key: getattr(citation, name) for key, (name, _) in _FIELDS.items()}
    if not d.exact:
        if None in given.values():
            d.report("changed", path, at, "a citation must have a title and a place in the text; what is missing is filled in")
        last = span[1] if citation.end is None else span[0] + citation.end
        given = {"title": citation.title or "", "start_index": span[0] + (citation.start or 0), "end_index": last}
    if citation.cited_text is not None:
        d.drop(path + "/cited_text", "a citation of a page has no field for the cited words")
    return {"url": citation.url, **{key: value for key, value in given.items() if value is not None}}
