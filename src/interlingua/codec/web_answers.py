"""Web searches in answers, run by a provider's server: the query and the results.

Some providers have one item for a search, others one block for the query and another for the results. `d` is the `Dump`, which
this module cannot import.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .foreign import other_format

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
    source = other_format(part, d)
    searched: Searched | None = None if source is None or source.searched is None else source.searched(part.value)
    return searched
