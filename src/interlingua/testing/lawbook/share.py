"""How much of what a law draws it really tests: a law that passes without testing anything is a defect.

Where a law may refuse or skip a case, it asks `judged`. Whoever runs the law looks at `current` when it has run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from hypothesis import assume, strategies as st

T = TypeVar("T")


class Share(NamedTuple):
    """How many of the cases drawn were tested, and which share of them must be."""

    tested: int
    drawn: int
    least: float

    def plus(self, other: Share) -> Share:
        """The shares of two runs as one."""
        return Share(self.tested + other.tested, self.drawn + other.drawn, other.least)

    @property
    def is_too_small(self) -> bool:
        """Whether less is tested than should be; of a few cases nobody can tell."""
        return self.drawn >= FEW and self.tested < self.least * self.drawn


FEW = 30

NOTHING = Share(0, 0, 0)
current: dict[str, Share] = {}
"""Those of the law that runs now: that of all its cases, and those of the kinds of cases that it names."""


def judged(is_tested: bool, least: float, of: str = "") -> bool:
    """Note whether a case is tested, which at least this share of all cases must be; gives back whether it is.

    Cases of several kinds in one law, or of several formats, have each a share of their own, by the name `of` the kind.
    """
    current[of] = current.get(of, NOTHING).plus(Share(int(is_tested), 1, least))
    return is_tested


def name_all(law: str) -> None:
    """Give the shares of the law that has run its name, for whoever runs several laws as one test."""
    named = {f"{law}, {of}" if of else law: found for of, found in current.items()}
    current.clear()
    current.update(named)


@st.composite
def such(draw: st.DrawFn, cases: st.SearchStrategy[T], is_tested: Callable[[T], bool]) -> T:
    """A case that a law can test, out of several; Hypothesis's own filter prints strategies, which takes long."""
    tried: T = draw(cases)
    for _ in range(TRIES):
        if is_tested(tried):
            return tried
        tried = draw(cases)
    assume(is_tested(tried))
    return tried


TRIES = 40
"""So many that no test runs out of them: Hypothesis prints a strategy that gives up, and warns of its length."""
