"""The words for how much a model reasons, and the budgets of tokens that stand for them.

Where a provider lacks a word, the nearest that it has is sent; where it has only budgets, or only words, one becomes the other.
The budgets are those of LiteLLM 1.110.2 (`constants.py`, `reasoning_effort_utils.py`), which reads them both ways.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from ..errors import excerpt

if TYPE_CHECKING:
    from .dump import Dump

BUDGETS: Mapping[str, int] = {"minimal": 128, "low": 1024, "medium": 2048, "high": 4096, "xhigh": 8192, "max": 16384}
"""The tokens that each effort stands for."""
_READ = ("high", "medium", "low")
"""The efforts that a budget may become, besides `minimal`: those that all models with efforts have."""


def effort_of(budget: int) -> str:
    """The effort that a budget of tokens stands for."""
    return next((effort for effort in _READ if budget >= BUDGETS[effort]), "minimal")


def nearest_effort(effort: str | None, nearest: Mapping[str, str], at: str, d: Dump) -> str | None:
    """The effort to write for one that the provider may lack; a change is reported."""
    if effort is None or d.exact or effort not in nearest:
        return effort
    sent = nearest[effort]
    detail = f"{d.target.name} does not have the effort {excerpt(effort)}; sent as {excerpt(sent)}"
    d.report("changed", "/reasoning_effort", at, detail)
    return sent


@cache
def nearest_of(taken: frozenset[str]) -> Mapping[str, str]:
    """The effort that is sent for each that a host lacks, of those that it takes: the next that reasons, a higher one first."""
    ranks = {effort: rank for rank, effort in enumerate(BUDGETS)}
    reasoning = sorted(taken & ranks.keys(), key=lambda effort: -ranks[effort])
    if not reasoning:
        return {}
    return {
        effort: min(reasoning, key=lambda other: abs(ranks[other] - rank))
        for effort, rank in ranks.items()
        if effort not in taken
    }


def effort_for_budget(request: Any, at: str, d: Dump, taken: frozenset[str] | None = None) -> str | None:
    """The effort to write in place of a budget, of those `taken`; None where the request has an effort.

    Also for a budget of 0, unless the effort `none` is known to be taken, and for one that the model chooses.
    """
    budget: int | None = request.reasoning_budget
    if d.exact or request.reasoning_effort is not None:
        return None
    if budget is None or budget < 0:
        return None
    if budget == 0:
        if taken is None or "none" not in taken:
            return None
        effort = "none"
    else:
        effort = effort_of(budget)
        effort = effort if taken is None else nearest_of(taken).get(effort, effort)
    d.report("changed", "/reasoning_budget", at, f"{d.target.name} has efforts in place of budgets: sent as {effort}")
    return effort
