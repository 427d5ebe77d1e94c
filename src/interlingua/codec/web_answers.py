"""Searches of the web in answers, which a provider's server ran: what was searched for, and what was found.

Some providers have one item for a search, others one block for what was searched for and one for the results. Only the answers
that a dump writes for clients have them: servers refuse results that they did not find. `d` is the `Dump`, whose module stands
above this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .fields import Content, Wire


class Searched(NamedTuple):
    """A search of the web, or one of its two parts."""

    id: str
    """What both parts have."""
    queries: Sequence[str] = ()
    """What was searched for; empty for the part that has the results."""
    found: Sequence[tuple[str, str | None]] | None = None
    """The URLs and titles of the results; None for the part that has the queries."""
    failed: bool = False
    """Whether the search failed."""
    rest: Sequence[str] = ()
    """Pointers to what has no word."""


@dataclass(frozen=True)
class AnswerForm:
    """How the answers of a provider have searches of the web."""

    read: Callable[[Wire], Searched | None]
    """Reads what is kept verbatim of an answer; None for anything else."""
    write: Callable[[Searched], list[Wire]]
    """Writes a search as one item, or as two blocks."""
    lacks: str
    """What the answers do not have of a search."""


Written = dict[str, list[Wire]]
"""What is written for parts of an answer, by their pointers: the search for the first part of each, nothing for the second."""


def web_searches(answer: Any, path: str, d: Any) -> Written:
    """The searches of other providers in the answer at `path`, as the target has them; they are reported."""
    form: AnswerForm = d.target.web_answers
    made = Written()
    for parts, search in _searches(answer.content, path + "/content", d):
        for where, part, said in parts:
            made[where] = [] if made.get(parts[0][0]) else form.write(search)
            d.report("changed", where, None, f"a web search becomes that of {d.target.name}, which has no {form.lacks}")
            for pointer in said.rest:
                d.drop(f"{where}/value{pointer}", f"{d.target.name} does not have this field of a web search")
            d.drop_named(part, where, "cache_control")
            d.drop_fields(part, where)
    return made


_Parts = list[tuple[str, Any, Searched]]


def _searches(content: Content, path: str, d: Any) -> Iterator[tuple[_Parts, Searched]]:
    """The searches that are whole, each with the parts that it is read from."""
    waiting: dict[str, tuple[str, Any, Searched]] = {}
    for i, part in enumerate(content if isinstance(content, tuple) else ()):
        source = next(d.formats.of_family(part.format), None) if part.type == "opaque" and part.format != d.family else None
        said = None if source is None or source.web_answers is None else source.web_answers.read(part.value)
        if said is None:
            continue
        this = (f"{path}/{i}", part, said)
        if said.found is None:
            waiting[said.id] = this
        elif said.queries:
            yield [this], said
        elif (before := waiting.pop(said.id, None)) is not None:
            yield [before, this], said._replace(queries=before[2].queries)
