"""Load and dump citations, which the wire has beside a message's content: each `dump_x` undoes its `load_x`.

A citation belongs to one part of the content, by its index (without an index, to the first text), or to the reasoning or
the plan (cohere 7.3.1, `types/citation.py`). Citations of texts become the texts' own as long as they are in the order of
the texts; from the first one out of order, they stay with the message.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...codec.dump import Dump
from ...codec.fields import FieldReader, Wire, copy_wire, spelling
from ...model.base import Json
from .base import FAMILY

_NO_SOURCE = "Cohere's citations must name the document or the tool result that they are from"
_INDEX = "content_index"


def cited_part(citation: Wire, kinds: Sequence[str], first: int | None, last: int) -> int | None:
    """The index of the text that a citation belongs to; None if it stays with the message.

    `kinds` are the types of the content's parts; `first` is the index of the first text, and `last` the index of the text that
    the citation before belongs to.
    """
    if citation.get("type", "TEXT_CONTENT") != "TEXT_CONTENT":
        return None
    index: Json = citation.get(_INDEX, first)
    if type(index) is not int or not max(last, 0) <= index < len(kinds) or kinds[index] != "text":
        return None
    return index


def placed_citations(citations: Sequence[Wire], kinds: Sequence[str]) -> list[int]:
    """The indices of the texts that the first citations belong to; all further citations stay with the message."""
    places: list[int] = []
    first = kinds.index("text") if "text" in kinds else None
    for citation in citations:
        last = places[-1] if places else 0
        place = cited_part(citation, kinds, first, last)
        if place is None:
            break
        places.append(place)
    return places


def load_citations(fields: FieldReader, parts: list[dict[str, Any]]) -> bool:
    """Give a message's citations to the texts in its content that they belong to; return whether any are there."""
    citations: list[Wire] = fields.wire.get("citations") or []
    places = placed_citations(citations, [part["type"] for part in parts])
    placed: dict[int, list[dict[str, Any]]] = {}
    for citation, place in zip(citations, places, strict=False):
        placed.setdefault(place, []).append(load_citation(citation))
    for place, found in placed.items():
        parts[place] = parts[place] | {"citations": found}
    if places:
        fields.know("citations")
        rest = citations[len(places) :]
        if rest:
            fields.rest["citations"] = rest
    return bool(places)


def load_citation(wire: Wire) -> dict[str, Any]:
    """Load a citation of a text; only this format knows its sources and the words that it cites."""
    fields = FieldReader(wire)
    out: dict[str, Any] = {"type": "document"}
    fields.move_typed(out, int, "start", "end")
    if _INDEX in wire:
        fields.know(_INDEX)
    else:
        fields.spelling[_INDEX] = "absent"
    return fields.keep(out, FAMILY)


def dump_citations(part: Any, path: str, index: int, d: Dump) -> list[Wire]:
    """Dump the citations of the text with this index in the content; report those that have no place."""
    found = [dump_citation(one, f"{path}/citations/{n}", index, d) for n, one in enumerate(part.citations or ())]
    return [wire for wire in found if wire is not None]


def dump_citation(citation: Any, path: str, index: int, d: Dump) -> Wire | None:
    """Dump a citation; None, with a report, if it has no place."""
    if citation.type == "opaque":
        return d.refuse(path, d.no_place_for(citation, "citation"))
    may_be_written = d.exact or FAMILY in (citation.provider_data or {})
    if citation.type != "document" or not may_be_written:
        return d.refuse(path, _NO_SOURCE)
    out: Wire = {key: getattr(citation, key) for key in ("start", "end") if getattr(citation, key) is not None}
    if spelling(citation, _INDEX) != "absent" or not (d.exact or d.same_family):
        out[_INDEX] = index
    d.drop_named(citation, path, "title", "cited_text", "document", "file_id", "unit", "source_start", "source_end")
    d.lay_provider_data(citation, out, path)
    return out


def add_rest(rest: Json, out: Wire) -> None:
    """Add the citations that stay with the message to the citations of its texts."""
    if type(rest) is list and "citations" in out:
        out["citations"] += copy_wire(rest)
