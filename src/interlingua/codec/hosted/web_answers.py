"""Web searches in answers, run by a provider's server: the query and the results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self


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

    @property
    def what(self) -> str:
        """Its name in losses."""
        return "a web search"

    @property
    def asks(self) -> bool:
        """Whether it has the queries."""
        return bool(self.queries)

    @property
    def answers(self) -> bool:
        """Whether it has the results."""
        return self.found is not None

    def answered(self, result: Self) -> Self:
        """The search with its results, which are in another part."""
        return result._replace(queries=self.queries)
