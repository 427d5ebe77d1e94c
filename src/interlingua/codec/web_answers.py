"""Web searches in answers, run by a provider's server: the query and the results.

Some providers have one item for a search, others one block for the query and another for the results. `d` is the `Dump`, which
this module cannot import.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

WHAT = "a web search"
"""The name of a search in losses."""


class Searched(NamedTuple):
    """A web search, or one of its two parts."""

    id: str
    """The id of both parts."""
    queries: Sequence[str] = ()
    """The queries; empty for the part with the results."""
    found: Sequence[str] | None = None
    """The URLs of the results; None for the part with the queries."""
    failed: bool = False
    """Whether the search failed."""
    rest: Sequence[str] = ()
    """Pointers to the fields that other providers' searches do not have."""


def foreign_search(part: Any, d: Any) -> Searched | None:
    """The web search in an opaque part of another family; None for any other part."""
    if part.format == d.family:
        return None
    source = d.format_of(part.format)
    read = source.searched if source.family == part.format else None
    searched: Searched | None = None if read is None else read(part.value)
    return searched


def report_carried(part: Any, rest: Sequence[str], path: str, at: str | None, detail: str, what: str, d: Any) -> None:
    """Report that an opaque part becomes one of the target, and which of its fields are left out; `what` names the part."""
    d.report("changed", path, at, detail)
    for pointer in rest:
        d.drop(f"{path}/value{pointer}", f"{d.target.name} does not have this field of {what}")
    d.drop_named(part, path, "cache_control")
    d.drop_unplaced(part, path)
    d.drop_fields(part, path)
