"""The sources of an answer's text: a candidate has them beside its content, in two objects, by byte positions in the text.

`groundingMetadata` has chunks (of the web, of maps, of the caller's documents) and supports, each of which names the chunks
that support a segment of a part. `citationMetadata` has the sources that the text recites. A loader copies them into
citations; the objects themselves stay in the candidate's provider data.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Any, NamedTuple

from ...codec.fields import Wire
from ...model.base import Json
from .base import list_in, object_in, value_of

FIELDS = ("groundingMetadata", "citationMetadata")
_OWN: Wire = {"spelling": {"citation": "beside"}}
"""The record of a citation that was read from a candidate."""
_BEGINS = bytes(byte & 0xC0 != 0x80 for byte in range(256))
"""For each byte of UTF-8: 1 if a character begins with it, and 0 if not."""


class Segment(NamedTuple):
    """A supported text: the number of its part, or None, and its bytes; None there is the start or the end of the text."""

    part: int | None
    start: int
    end: int | None
    text: str | None


def read_citations(candidate: Wire, texts: list[tuple[int, str]]) -> dict[int, list[Wire]]:
    """The citations of each text, by the number of its part; `texts` are the answer's, without its thoughts."""
    found = [*_grounding(value_of(candidate, FIELDS[0])), *_recited(value_of(candidate, FIELDS[1]))]
    if not found or not texts:
        return {}
    encoded = [_bytes(text) for _, text in texts]
    whole = b"".join(encoded)
    starts = [0, *accumulate(map(len, encoded))]
    characters = [0, *accumulate(whole.translate(_BEGINS))]
    by_number = {number: i for i, (number, _) in enumerate(texts)}
    out: dict[int, list[Wire]] = {}
    for segment, citation in found:
        i = by_number.get(-1 if segment.part is None else segment.part)
        before = 0 if i is None else starts[i]
        if i is None:  # bytes are counted over all texts
            i = max(bisect_right(starts, segment.start, hi=len(texts)) - 1, 0)
        first = starts[i]
        last = starts[i + 1]
        start = before + segment.start
        end = last if segment.end is None else before + segment.end
        span: Wire = {}
        if first <= start <= end <= last and (segment.text is None or _bytes(segment.text) == whole[start:end]):
            span = {"start": characters[start] - characters[first], "end": characters[end] - characters[first]}
        out.setdefault(texts[i][0], []).append(citation | span | {"wire": _OWN})
    return out


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _grounding(metadata: Json) -> Iterator[tuple[Segment, Wire]]:
    chunks = list_in(metadata, "groundingChunks")
    for support in list_in(metadata, "groundingSupports"):
        place = _segment(object_in(support, "segment"))
        for number in list_in(support, "groundingChunkIndices"):
            chunk: Json = chunks[number] if type(number) is int and 0 <= number < len(chunks) else None
            source = next((found for kind in ("web", "maps", "retrievedContext") if (found := object_in(chunk, kind))), None)
            if source is not None:
                yield place, _citation(source)


def _recited(metadata: Json) -> Iterator[tuple[Segment, Wire]]:
    for source in (*list_in(metadata, "citations"), *list_in(metadata, "citationSources")):
        citation = _citation(source)
        if citation.get("url") or citation.get("title"):
            yield _segment(source)._replace(part=None, text=None), citation


def _segment(segment: Json) -> Segment:
    part, start, end = (_of(segment, key, int) for key in ("partIndex", "startIndex", "endIndex"))
    return Segment(part, start or 0, end, _of(segment, "text", str))


def _citation(source: Json) -> Wire:
    named = {"url": _of(source, "uri", str), "title": _of(source, "title", str), "cited_text": _of(source, "text", str)}
    given = {key: value for key, value in named.items() if value is not None}
    return {"type": "url" if "url" in given else "document"} | given


def _of(owner: Json, key: str, kind: type) -> Any:
    value = value_of(owner, key) if type(owner) is dict else None
    return value if type(value) is kind else None


def write_grounding(texts: Iterable[tuple[int, Any, str]], d: Any) -> Wire:
    """Write the `groundingMetadata` of texts; each has its part's number, the text itself, and its pointer."""
    chunks: list[Wire] = []
    supports: list[Wire] = []
    for number, part, path in texts:
        for i, citation in enumerate(part.citations or ()):
            if not (d.same_family and _is_own(citation)):  # the provider data of the candidate has it
                _write_support(number, part.text, citation, f"{path}/citations/{i}", chunks, supports, d)
    return {"groundingChunks": chunks, "groundingSupports": supports} if chunks else {}


def _write_support(number: int, text: str, citation: Any, path: str, chunks: list[Wire], supports: list[Wire], d: Any) -> None:
    chunk = _chunk(citation)
    if chunk is None:
        is_opaque = citation.type == "opaque"
        named = f"a citation of type {citation.type}"
        d.drop(path, d.no_place_for(citation, "citation") if is_opaque else d.no_place(named, d.family))
        return
    if chunk not in chunks[-1:]:
        chunks.append(chunk)
    start = citation.start or 0
    end = len(text) if citation.end is None else min(citation.end, len(text))
    if (start, end) != (citation.start, citation.end):
        d.report("changed", path, None, "a citation must refer to a place in the text: this one is sent for the whole text")
    sizes = [len(_bytes(text[:at])) for at in (start, end)]
    segment = {"partIndex": number, "startIndex": sizes[0], "endIndex": sizes[1], "text": text[start:end]}
    supports.append({"segment": segment, "groundingChunkIndices": [len(chunks) - 1]})
    for field in ("file_id", "document", "result", "source_start", "provider_data"):
        if getattr(citation, field, None) is not None:
            d.drop(f"{path}/{field}", f"Gemini's grounding has no field for `{field}`")


def _chunk(citation: Any) -> Wire | None:
    """The chunk that a citation refers to."""
    if citation.type == "opaque":
        return None
    kind = "web" if citation.type == "url" and citation.cited_text is None else "retrievedContext"
    url = citation.url if citation.type == "url" else getattr(citation, "source", None)
    named = {"uri": url, "title": citation.title, "text": citation.cited_text}
    return {kind: {key: value for key, value in named.items() if value is not None}}


def _is_own(citation: Any) -> bool:
    """Whether a citation was read from a candidate, which still has it."""
    return citation.type != "opaque" and citation.wire is not None and citation.wire.spelling == _OWN["spelling"]
