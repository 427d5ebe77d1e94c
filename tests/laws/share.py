"""How much of what a law draws it really tests: a law that passes without testing anything is a defect.

Where a law may refuse or skip, it asks `judged`. The shares of all laws are added up over the whole run, whatever process a
test runs in; the run prints them, and fails where one is too small (`conftest.py`).
"""

from typing import NamedTuple


class Share(NamedTuple):
    tested: int
    drawn: int
    least: float

    def __add__(self, other: object) -> "Share":
        assert isinstance(other, Share)
        return Share(self.tested + other.tested, self.drawn + other.drawn, other.least)

    @property
    def is_too_small(self) -> bool:
        """Whether less is tested than should be; of a few cases nobody can tell."""
        return self.drawn >= FEW and self.tested < self.least * self.drawn


FEW = 30

NOTHING = Share(0, 0, 0)
current = NOTHING
"""That of the test that runs now."""


def judged(is_tested: bool, least: float) -> bool:
    """Note whether a case is tested, which at least this share of all cases must be; gives back whether it is."""
    global current  # noqa: PLW0603 -- one test runs at a time
    current = Share(current.tested + is_tested, current.drawn + 1, least)
    return is_tested
