"""Web searches in answers, which a provider's server ran: the query and the results.

Some providers have one item for a search, others one block for the query and one for the results. `d` is the
`Dump`, whose module stands above this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Searched(NamedTuple):
    """A search of the web, or one of its two parts."""

    id: str
    """The id that both parts have."""
    queries: Sequence[str] = ()
    """The query; empty for the part with the results."""
    found: Sequence[str] | None = None
    """The URLs of the results; None for the part with the query."""
    failed: bool = False
    """Whether the search failed."""
    rest: Sequence[str] = ()
    """Pointers to the fields that searches of other providers lack."""


def foreign_search(part: Any, d: Any) -> Searched | None:
    """The search in an opaque part of another family; None for any other part."""
    if part.format == d.family:
        return None
    source = d.format_of(part.format)
    read = source.searched if source.family == part.format else None
    searched: Searched | None = None if read is None else read(part.value)
    return searched


def report_search(part: Any, searched: Searched, path: str, at: str | None, detail: str, d: Any) -> None:
    """Report that a part is written as the search of the target, and the fields that are left out."""
    d.report("changed", path, at, detail)
    for pointer in searched.rest:
        d.drop(f"{path}/value{pointer}", f"{d.target.name} does not have this field of a web search")
    d.drop_named(part, path, "cache_control")
    d.drop_unplaced(part, path)
    d.drop_fields(part, path)
