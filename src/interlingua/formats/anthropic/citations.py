"""Load and dump citations: each `dump_x` undoes its `load_x`.

A text cites one of five kinds of locations (anthropic 2.11.0, `types/text_citation.py`, `types/text_citation_param.py`).
Locations in responses may have a `file_id`, which requests must not have. A web page is cited by an index that Anthropic
encrypts.
"""

from __future__ import annotations

from typing import Any

from ...codec.citations import citation_fields, citation_kind
from ...codec.fields import FieldReader, Wire, copy_wire
from ...model.base import Json
from .base import FAMILY, MessagesDump, drop_response_only


def _of_document(unit: str, place: str) -> tuple[dict[str, str], dict[str, str]]:
    named = {"cited_text": "cited_text", "document_title": "title", "document_index": "document", "file_id": "file_id"}
    return {"type": "document", "unit": unit}, named | {f"start_{place}": "source_start", f"end_{place}": "source_end"}


_TITLED = {"cited_text": "cited_text", "title": "title"}
_SEARCHED = {"search_result_index": "result", "start_block_index": "source_start", "end_block_index": "source_end"}
_KINDS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "char_location": _of_document("character", "char_index"),
    "page_location": _of_document("page", "page_number"),
    "content_block_location": _of_document("block", "block_index"),
    "web_search_result_location": ({"type": "url"}, {**_TITLED, "url": "url"}),
    "search_result_location": ({"type": "search_result"}, {**_TITLED, "source": "source", **_SEARCHED}),
}
"""For each kind: the canonical fields that identify it, and the canonical names of its fields."""
NAMES = {
    name: tuple(key for _, names in _KINDS.values() for key in names if names[key] == name)
    for name in ("title", "document", "result", "source_start", "source_end")
}
"""The names that each canonical field has in some kind."""
_REQUIRED = {
    kind: {key for key, name in names.items() if name not in ("title", "file_id")} for kind, (_, names) in _KINDS.items()
}
_REQUIRED["web_search_result_location"].add("encrypted_index")
"""The fields of each kind that a request must have; a title may be null."""
_OF_SEARCH = frozenset({"cited_text", "encrypted_index"})
"""The fields of a page that only Anthropic's search knows: they may be empty in a response, and must not be in a request."""
_SENT = {"type", "encrypted_index"}.union(*(names for _, names in _KINDS.values())) - {"file_id"}
"""The fields that citations in requests may have."""


def load_citations(reader: FieldReader, out: dict[str, Any]) -> None:
    """Load the citations of a text; a value that is neither null nor a list of objects is kept as provider data."""
    citations: Json = reader.wire.get("citations", 0)
    if citations is None or (type(citations) is list and all(type(citation) is dict for citation in citations)):
        reader.know("citations")
        out["citations"] = citations if citations is None else [load_citation(citation) for citation in citations]


def load_citation(wire: Wire) -> dict[str, Any]:
    """Load a citation; one of an unknown kind is kept whole."""
    kind: Json = wire.get("type")
    reader = FieldReader(wire, "type")
    out = dict[str, Any]()
    if type(kind) is str and kind in _KINDS:
        fixed, names = _KINDS[kind]
        out |= fixed
        for key, name in names.items():
            if (value := reader.take(key, int if key.endswith(("_index", "_number")) else str)) is not None:
                out[name] = value
    if not out or (out["type"] == "url" and "url" not in out):
        return {"type": "opaque", "format": FAMILY, "value": wire}
    return reader.keep(out | ({"issuer": FAMILY} if "file_id" in out else {}), FAMILY)


def dump_citations(part: Any, path: str, d: MessagesDump) -> list[Wire]:
    """Dump the citations of a text; those that have no place are left out, with a report."""
    written = [dump_citation(citation, f"{path}/citations/{i}", d) for i, citation in enumerate(part.citations or ())]
    return [wire for wire in written if wire is not None]


def dump_citation(citation: Any, path: str, d: MessagesDump) -> Wire | None:
    """Dump a citation; None, with a report, if it has no place."""
    out = _form_of(citation, path, d)
    if out is None:
        return d.refuse(path, f"{d.target.name} requires the source of a citation, the place in it and the cited text")
    for name in ("start", "end"):
        if getattr(citation, name, None) is not None:
            d.drop(f"{path}/{name}", "Anthropic's citations belong to a whole text block, not to a place in it")
    if getattr(citation, "provider_data", None) is not None:
        d.lay_provider_data(citation, out, path)
    if not d.exact:
        is_canonical = getattr(citation, "file_id", None) is not None  # null is a field of this provider alone
        holder = "/value" if citation.type == "opaque" else "" if is_canonical else f"/provider_data/{FAMILY}"
        drop_response_only(out, ("file_id",), path + holder, d)
    if d.from_response and citation.type != "opaque":
        drop_response_only(out, sorted(out.keys() - _SENT), f"{path}/provider_data/{FAMILY}", d)
    return out


def _lacks(kind: str, out: Wire, citation: Any, d: MessagesDump) -> set[str]:
    """The required fields that a citation lacks; in a request an empty index is lacking too, as other answers have it."""
    data: dict[str, Wire] = citation.provider_data or {}
    fields = out | data.get(FAMILY, {})
    missing = _REQUIRED[kind] - fields.keys()
    is_unread = fields.get("encrypted_index") == "" and not d.is_response
    return missing | {"encrypted_index"} if is_unread else missing


def _own_form(citation: Any, d: MessagesDump) -> Wire | None:
    """A copy of a citation that is kept whole; None if it is another provider's, or lacks a required field."""
    whole: Wire = citation.value
    required = set[str]() if d.exact else _REQUIRED.get(str(whole.get("type")), set())
    return copy_wire(whole) if citation.format == FAMILY and required <= whole.keys() else None


def _form_of(citation: Any, path: str, d: MessagesDump) -> Wire | None:
    """The form of a citation, without the fields that only Anthropic has; None if a required field is missing."""
    if citation.type == "opaque":
        return _own_form(citation, d)
    kind = citation_kind(citation, _KINDS)
    if kind is None:
        return None
    names = _KINDS[kind][1]
    out: Wire = {"type": kind, **citation_fields(citation, names)}
    if d.exact:
        return out
    lacks = _lacks(kind, out, citation, d)
    if lacks and not (d.is_response and lacks <= _OF_SEARCH):
        return None
    if lacks:
        d.report(
            "changed", path, None, "Anthropic's citation of a page has its words and an index; what is missing is left empty"
        )
        out |= dict.fromkeys(sorted(lacks), "")
    return {key: None for key, name in names.items() if name == "title"} | out  # the title may be null
