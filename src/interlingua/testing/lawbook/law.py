"""A law: what it draws, and the judge that each case is given to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import hypothesis
from hypothesis import HealthCheck, given, strategies as st
from hypothesis.errors import HypothesisException

from ...codec.format import Format
from . import share


class Trial(NamedTuple):
    """What a law does with one format."""

    cases: st.SearchStrategy[Any]
    judge: Callable[[Any], Iterable[str]]
    """Yields what is wrong with a case; nothing if the law holds."""


Enact = Callable[[Format], Trial | None]
"""Makes the trial of a format; None if the law does not apply to it. Its docstring is what the law demands."""


class Law:
    """A law of one format. To call it is to hold the format to it: it raises an `AssertionError` where the law is broken.

    Hypothesis draws the cases, with the settings of the profile that is loaded, and shows the smallest one that it finds. The
    deadline of the profile is left out, as the first case is slow.
    """

    def __init__(self, name: str, demand: str, format: Format, trial: Trial) -> None:
        self.name = self.__name__ = name
        self.__doc__ = demand
        self.format = format
        self._trial = trial

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<law {self.name} of {self.format.name}>"

    def __call__(self, settings: hypothesis.settings | None = None) -> None:
        """Hold the format to the law, with these settings in place of those of the profile."""

        def law(case: Any) -> None:
            self._hold(case)

        law.__name__ = law.__qualname__ = f"{self.name}_of_{self.format.name}"
        chosen = settings or hypothesis.settings()
        unhurried = {*chosen.suppress_health_check, HealthCheck.too_slow, HealthCheck.data_too_large}
        share.current.clear()
        run = given(case=self._trial.cases)(law)
        hypothesis.settings(chosen, deadline=None, report_multiple_bugs=False, suppress_health_check=tuple(unhurried))(run)()
        self._check_shares()
        share.name_all(self.name)

    def _hold(self, case: Any) -> None:
        try:
            faults = list(self._trial.judge(case))
        except HypothesisException:
            raise
        except Exception as error:
            raise AssertionError(self._broken([f"{type(error).__name__}: {str(error)[:300]}"])) from error
        if faults:
            raise AssertionError(self._broken(faults))

    def _broken(self, faults: list[str]) -> str:
        shown = "".join(f"\n  {fault}" for fault in faults[:20])
        return f"{self.format.name} breaks the law {self.name}: {self.__doc__}{shown}"

    def _check_shares(self) -> None:
        """A law that tested nothing, or too little of what it drew, does not hold."""
        for of, found in share.current.items():
            if found.is_too_small or not (of or found.tested):
                tested = f"only {found.tested} of {found.drawn} {of or 'cases'} were tested, and {found.least:.0%} should be"
                raise AssertionError(self._broken([tested]))
