"""Pages that a provider's server opened. Only some providers give the text of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self


class PageFetch(NamedTuple):
    """A page that was asked for, what came of it, or both."""

    id: str
    """The id of both parts."""
    url: str | None = None
    """The URL that was asked for; None for the part with the result."""
    ended: bool = False
    """Whether it has the result."""
    failed: bool = False
    """Whether the page could not be opened."""
    rest: Sequence[str] = ()
    """Pointers to the fields that other providers do not have."""

    @property
    def what(self) -> str:
        """Its name in losses."""
        return "a web fetch"

    @property
    def asks(self) -> bool:
        """Whether it has the URL that was asked for."""
        return self.url is not None

    @property
    def answers(self) -> bool:
        """Whether it has the result."""
        return self.ended

    def answered(self, result: Self) -> Self:
        """The fetch with its result, which is in another part."""
        return result._replace(url=self.url)
