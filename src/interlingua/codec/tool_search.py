"""Tool search: a provider's own tool finds the tools that are deferred, whose definitions the model does not read before.

A history has each search as two parts of an answer: what was searched for, and what was found.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .fields import Wire


class Search(NamedTuple):
    """One of the two parts of a search."""

    id: str | None
    """What both parts have; None where a result follows its search."""
    queries: Sequence[str] = ()
    """What was searched for."""
    found: Sequence[tuple[str | None, str]] | None = None
    """The groups and names of the tools that were found; None for what was searched for."""


@dataclass(frozen=True)
class ToolSearch:
    """How a provider has tool search that its server runs."""

    read: Callable[[Wire], Sequence[str] | None]
    """Reads a tool: pointers to what others have no word for. None for any other tool, and for a search that clients run."""
    kind: str | None
    """The type of the tool that a dump writes; None where requests of others may not ask for it."""
    deferral: str
    """The field of a tool that says that it is deferred."""
    read_part: Callable[[Wire], Search | None]
    """Reads a part of an answer; None for any other part, and for a search that failed."""
    write_search: Callable[[str, Sequence[str]], Wire]
    """Writes what was searched for, with the id of both parts."""
    write_found: Callable[[str, Sequence[tuple[str, Any]], Any], Wire]
    """Writes what was found: the tools with their pointers, by the rules of a dump."""
    name: str | None = None
    """The name that the search has among the functions, which no other may have."""

    @property
    def tool(self) -> Wire:
        """The tool that a dump writes."""
        return {"type": self.kind} | ({} if self.name is None else {"name": self.name})


def searches(answer: Any, path: str, read: Callable[[Any], Search | None]) -> Iterator[tuple[str, str, Search]]:
    """The parts of the searches in an answer that found something, with the pointers and ids of both parts of each."""
    waiting: OrderedDict[str, Search] = OrderedDict()  # by the pointer; a result may come long after its search
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
