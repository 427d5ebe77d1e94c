"""Tool search: a tool that the provider runs to find deferred tools.

The model reads the definition of a deferred tool only when it is found. A search is two parts of an answer: the queries, and
the tools that were found.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..fields import Wire


class Search(NamedTuple):
    """One of the two parts of a search."""

    id: str | None
    """The id of both parts; None if the result directly follows the search."""
    queries: Sequence[str] = ()
    """The queries."""
    found: Sequence[tuple[str | None, str]] | None = None
    """The groups and names of the tools that were found; None for the part with the queries."""


@dataclass(frozen=True, eq=False)
class ToolSearch:
    """A provider's tool search, which its server runs."""

    read: Callable[[Wire], Sequence[str] | None]
    """Reads a tool: pointers to the fields that others lack; None for any other tool, and for a search that clients run."""
    kind: str | None
    """The type of the tool that a dump writes; None if requests of other providers must not get it."""
    deferral: str
    """The field that marks a tool as deferred."""
    read_part: Callable[[Wire], Search | None]
    """Reads one part of a search from a part of an answer; None for any other part, and for a failed search."""
    write_search: Callable[[str, Sequence[str]], Wire]
    """Writes the part with the queries, given the id of both parts."""
    write_found: Callable[[str, Sequence[tuple[str, Any]], Any], Wire]
    """Writes the part with the found tools, given the id, the tools with their pointers, and the dump."""
    name: str | None = None
    """The name of the search tool, which no function may have."""

    @property
    def tool(self) -> Wire:
        """The tool that a dump writes."""
        return {"type": self.kind} | ({} if self.name is None else {"name": self.name})


def searches(answer: Any, path: str, read: Callable[[Any], Search | None]) -> Iterator[tuple[str, str, Search]]:
    """The parts of the successful searches in an answer, each with its pointer and the id of both parts."""
    waiting: OrderedDict[str, Search] = OrderedDict()  # by pointer; a result may come long after its search
    places: dict[str | None, deque[str]] = {}
    content: tuple[Any, ...] | str | None = answer.content
    for i, part in enumerate(content if isinstance(content, tuple) else ()):
        search = read(part) if part.type == "opaque" else None
        where = f"{path}/content/{i}"
        if search is not None and search.found is None:
            waiting[where] = search
            places.setdefault(search.id, deque()).append(where)
        elif search is not None and waiting:
            known = deque([next(iter(waiting))]) if search.id is None else places.get(search.id, deque())
            while known and known[0] not in waiting:
                known.popleft()
            if known:
                first = known.popleft()
                asked = waiting.pop(first)
                id = asked.id or search.id or where.rpartition("/messages/")[2].replace("/", "_")
                yield first, id, asked
                yield where, id, search
