"""Citations: the text of a `citationsContent` block, and what it refers to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from ...codec.citations import citation_fields, citation_kind
from ...codec.fields import FieldReader, Wire, spelling
from ...model.base import Json
from .base import FAMILY, ConverseDump, keep_whole, one_field

_PLACE = {"start": "source_start", "end": "source_end"}
_KINDS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "web": ({"type": "url"}, {"url": "url"}),
    "documentChar": ({"type": "document", "unit": "character"}, {"documentIndex": "document", **_PLACE}),
    "documentPage": ({"type": "document", "unit": "page"}, {"documentIndex": "document", **_PLACE}),
    "documentChunk": ({"type": "document", "unit": "block"}, {"documentIndex": "document", **_PLACE}),
    "searchResultLocation": ({"type": "search_result"}, {"searchResultIndex": "result", **_PLACE}),
}
"""For each kind of location: the canonical fields that identify it, and the canonical names of its fields."""


def _load_texts(reader: FieldReader, key: str) -> str | None:
    """Load a list of objects `{"text": ...}` as one text; if there are several, their lengths are recorded."""
    listed: Json = reader.wire.get(key)
    items: list[Json] = listed if type(listed) is list else []
    texts = [item["text"] for item in items if type(item) is dict and item.keys() == {"text"} and type(item["text"]) is str]
    if not items or len(texts) < len(items):
        return None
    reader.know(key)
    if len(texts) > 1:
        reader.spelling[key] = " ".join(str(len(text)) for text in texts)
    return "".join(texts)


def _dump_texts(text: str, owner: Any, key: str, d: ConverseDump) -> list[Wire]:
    spelled = spelling(owner, key) if d.same_family else None
    lengths = [int(word) for word in spelled.split() if word.isdecimal() and len(word) < 16] if spelled else []
    if not lengths or sum(lengths) != len(text):
        return [{"text": text}]
    return [{"text": text[end - length : end]} for length, end in zip(lengths, accumulate(lengths), strict=True)]


def load_cited(key: str, block: FieldReader) -> dict[str, Any] | None:
    """Load a text with citations; None for a block without text."""
    out: dict[str, Any] = {"type": "text", "text": _load_texts(block, "content")}
    citations: list[Json] | None = block.take("citations", list)
    if citations is None:
        block.spelling["text"] = key
    else:
        out["citations"] = [load_citation(citation) for citation in citations if type(citation) is dict]
    return None if out["text"] is None or len(out.get("citations", ())) < len(citations or ()) else out


def is_text_alone(block: Json) -> bool:
    """Whether a block is a text and nothing else, so that the citations in the blocks behind it can be its own."""
    return type(block) is dict and block.keys() == {"text"} and type(block["text"]) is str


def bare_citations(block: Json) -> list[Wire]:
    """The citations of a block that has nothing else, as Nova writes them behind the text (grounding); else an empty list."""
    cited: Json = block.get("citationsContent") if type(block) is dict and len(block) == 1 else None
    found: Json = cited.get("citations") if type(cited) is dict and len(cited) == 1 else None
    return [*found] if type(found) is list and all(type(one) is dict for one in found) else []


def load_behind(blocks: Sequence[Wire]) -> dict[str, Any]:
    """Load blocks of citations as those of the text before them, and record how many each block has."""
    found = [bare_citations(block) for block in blocks]
    out = FieldReader({})
    out.spelling[BEHIND] = " ".join(str(len(each)) for each in found)
    return out.keep({"citations": [load_citation(one) for each in found for one in each]}, FAMILY)


BEHIND = "cited"
"""The spelling with the numbers of citations in the blocks behind a text."""


def put_behind(part: Any, written: Wire | list[Wire], d: ConverseDump) -> Wire | list[Wire]:
    """A text with its citations in blocks of their own, if it was loaded so; otherwise what was written of it."""
    block, *point = written if isinstance(written, list) else [written]
    sizes = sizes_behind(part) if d.same_family else []
    cited: Wire = block["citationsContent"]
    citations: list[Wire] = cited.get("citations", [])
    if not sizes or sum(sizes) != len(citations) or len(block) > 1:
        return written
    ends = accumulate(sizes)
    behind = [{"citationsContent": {"citations": citations[end - size : end]}} for size, end in zip(sizes, ends, strict=True)]
    return [{"text": part.text}, *behind, *point]


def sizes_behind(part: Any) -> list[int]:
    """How many citations each block behind a text had."""
    return sizes_of(spelling(part, BEHIND) or "")


def sizes_of(spelled: str) -> list[int]:
    """The numbers in a spelling."""
    return [int(word) for word in spelled.split() if word.isdecimal() and len(word) < 16]


def load_citation(wire: Wire) -> dict[str, Any]:
    """Load a citation; one whose location is of no known kind is kept whole."""
    reader = FieldReader(wire)
    key, place = one_field(wire.get("location"))
    if key not in _KINDS or type(place) is not dict:
        return keep_whole(wire)
    fixed, names = _KINDS[key]
    out: dict[str, Any] = {**fixed}
    location = reader.inside("location")
    location.inside(key).move_typed(out, str if key == "web" else int, **names)
    location.know(key)
    if key == "web" and "url" not in out:
        return keep_whole(wire)
    reader.move_typed(out, str, "title", *(("source",) if out["type"] == "search_result" else ()))
    if (cited := _load_texts(reader, "sourceContent")) is not None:
        out["cited_text"] = cited
    return reader.keep(out, FAMILY)


def dump_cited(part: Any, path: str, d: ConverseDump, role: str) -> Wire | None:
    """Dump the `citationsContent` of a text part; None if it has no citation that can be sent."""
    if role != "assistant" and part.citations and not d.exact:
        return d.refuse(path + "/citations", "Converse has citations only in assistant messages")
    made = [dump_citation(citation, f"{path}/citations/{i}", d) for i, citation in enumerate(part.citations or ())]
    written = [citation for citation in made if citation is not None]
    was_cited = part.citations is not None or spelling(part, "text") == "citationsContent"
    if not (written or (d.exact and was_cited)):
        return None
    out: Wire = {"content": _dump_texts(part.text, part, "content", d)}
    return out if part.citations is None else out | {"citations": written}


def dump_citation(citation: Any, path: str, d: ConverseDump) -> Wire | None:
    """Dump a citation; None, with a report, if it has no place."""
    if citation.type == "opaque":
        return d.own_value(citation, path, "citation")
    key = citation_kind(citation, _KINDS)
    if key is None:
        return d.refuse(path, "Converse's citations must be of documents, by characters, pages or blocks")
    out: Wire = {"location": {key: citation_fields(citation, _KINDS[key][1])}}
    out |= citation_fields(citation, {"title": "title", "source": "source"})
    if citation.cited_text is not None:
        out["sourceContent"] = _dump_texts(citation.cited_text, citation, "sourceContent", d)
    for field in ("start", "end", "file_id"):
        if getattr(citation, field, None) is not None:
            d.drop(f"{path}/{field}", f"Converse's citations have no field `{field}`")
    d.lay_provider_data(citation, out, path)
    return out
