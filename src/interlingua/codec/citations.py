"""Citations: the kinds that a format has, and web pages, each with a title and the range of the content that it supports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .dump import Dump
from .fields import FieldReader, Wire

_FIELDS: dict[str, tuple[str, type]] = {"title": ("title", str), "start_index": ("start", int), "end_index": ("end", int)}
"""The canonical name and the type of each field of a page."""


def citation_kind(citation: Any, kinds: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]]) -> str | None:
    """The kind of a citation on the wire; None if the format has none for it.

    `kinds` has, for each kind, the canonical fields that identify it, and the canonical names of its fields.
    """
    tags = {"type": citation.type}
    unit: str | None = getattr(citation, "unit", None)
    if unit is not None:
        tags["unit"] = unit
    for kind, (fixed, _) in kinds.items():
        if fixed == tags:
            return kind
    return None


def citation_fields(citation: Any, names: Mapping[str, str]) -> Wire:
    """The fields of a citation that are set, under their names on the wire; `names` has their canonical names."""
    fields = {key: getattr(citation, name, None) for key, name in names.items()}
    return {key: value for key, value in fields.items() if value is not None}


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
