"""The words for how much a model reasons, and the budgets of tokens that correspond to them.

If a provider lacks a word, the nearest word that it has is sent; if it has only budgets, or only words, the one is translated
into the other. The budgets are those of LiteLLM 1.110.2 (`constants.py`, `reasoning_effort_utils.py`), which also reads them
both ways.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from ..errors import excerpt

if TYPE_CHECKING:
    from .dump import Dump

BUDGETS: Mapping[str, int] = {"minimal": 128, "low": 1024, "medium": 2048, "high": 4096, "xhigh": 8192, "max": 16384}
"""The budget of tokens for each effort."""
_READ = ("high", "medium", "low")
"""The efforts, besides `minimal`, that a budget may become: those that all models with efforts have."""


def effort_of(budget: int) -> str:
    """The effort for a budget of tokens."""
    return next((effort for effort in _READ if budget >= BUDGETS[effort]), "minimal")


def nearest_effort(effort: str | None, nearest: Mapping[str, str], at: str, d: Dump) -> str | None:
    """The effort to write for one that the provider may not have; reports a change."""
    if effort is None or d.exact or effort not in nearest:
        return effort
    sent = nearest[effort]
    detail = f"{d.target.name} does not have the effort {excerpt(effort)}; sent as {excerpt(sent)}"
    d.report("changed", "/reasoning_effort", at, detail)
    return sent


@cache
def nearest_of(taken: frozenset[str]) -> Mapping[str, str]:
    """The nearest effort in `taken` that reasons, for each effort not in it; the higher one if two are equally near."""
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
    """The effort to write in place of a budget, one of `taken`; None if the request already has an effort.

    None if the model chooses the budget. A budget of 0 becomes `none` if `taken` has it, whatever the effort.
    """
    budget: int | None = request.reasoning_budget
    if d.exact or budget is None or budget < 0:
        return None
    if request.reasoning_effort is not None and (budget > 0 or request.reasoning_effort == "none"):
        return None
    if budget == 0:
        if taken is None or "none" not in taken:
            return None
        return "none"  # which means the same
    effort = effort_of(budget)
    effort = effort if taken is None else nearest_of(taken).get(effort, effort)
    d.report("changed", "/reasoning_budget", at, f"{d.target.name} has efforts in place of budgets: sent as {effort}")
    return effort
