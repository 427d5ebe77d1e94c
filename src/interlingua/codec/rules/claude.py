"""What Claude refuses on every host: wrong settings of thinking, wrong thinking in messages, and too large strict schemas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeGuard

from ...model.base import Json
from ..limits import LEAST_BUDGET, SchemaLimits, Totals
from ..schemas.nodes import nodes
from ..schemas.sizes import over, too_large, total_of
from . import schemas
from .view import Found, Mark, SchemaView, strings


class Thinking(NamedTuple):
    """The setting of thinking and the settings that depend on it, with their pointers."""

    at: str
    value: dict[str, Any]
    max_tokens: Json
    temperature: Json
    temperature_at: str
    forced_at: str | None
    """The pointer of a tool choice that forces a call."""

    @property
    def on(self) -> bool:
        """Whether the model thinks."""
        return self.value.get("type") in ("enabled", "adaptive")

    @property
    def budget(self) -> float | None:
        """The most tokens that thinking may use."""
        budget: Json = self.value.get("budget_tokens")
        return budget if self.value.get("type") == "enabled" and is_number(budget) else None


def is_number(value: Json) -> TypeGuard[float]:
    """Whether a value is a number; a boolean is not one."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def wrong_temperature(settings: Iterable[Thinking]) -> Found:
    """A temperature other than 1 beside thinking."""
    for each in settings:
        if each.on and is_number(each.temperature) and each.temperature != 1:
            yield each.temperature_at, "with thinking, `temperature` must be 1 or left out"


def too_small_budget(settings: Iterable[Thinking]) -> Found:
    """A thinking budget below the smallest that is accepted."""
    for each in settings:
        if each.budget is not None and each.budget < LEAST_BUDGET:
            yield f"{each.at}/budget_tokens", f"`budget_tokens` must be at least {LEAST_BUDGET}"


def budget_over_limit(settings: Iterable[Thinking]) -> Found:
    """A thinking budget that leaves no tokens for the answer."""
    for each in settings:
        if each.budget is not None and is_number(each.max_tokens) and each.budget >= each.max_tokens:
            yield (
                f"{each.at}/budget_tokens",
                "`budget_tokens` must be less than the limit of tokens: raise the limit, or lower the budget",
            )


def forced_call(settings: Iterable[Thinking]) -> Found:
    """A tool choice that forces a call, beside thinking with a budget."""
    for each in settings:
        if each.value.get("type") == "enabled" and each.forced_at is not None:
            yield each.forced_at, "with a thinking budget, the tool choice must be auto or none"


_REFUSED_BETAS = (
    "oauth-",
    "prompt-caching-scope-",
    "fast-mode-",
    "mcp-servers-",
    "claude-code-",
)


def refused_betas(flags: Json, at: str) -> Found:
    """The betas that Anthropic accepts and other hosts of Claude refuse."""
    for at_flag, flag in strings(flags, at):
        if flag.startswith(_REFUSED_BETAS):
            yield at_flag, "this host has refused this beta: leave it out"


def later_hours(marks: Iterable[Mark]) -> Found:
    """Cache marks of one hour that come after a mark of five minutes."""
    shorter = False
    for mark in marks:
        if shorter and mark.ttl == "1h":
            yield mark.at, "a cache mark of one hour must not come after one of five minutes: give both the same `ttl`"
        shorter = shorter or mark.ttl == "5m"


TOTALS = Totals(tools=20, optional=24, unions=16)
"""The most that the strict schemas of a request may have.

Evidence: "Schema complexity limits" in the guide "Structured outputs" of platform.claude.com; 0xPlaygrounds/rig has recorded
requests at each limit, which were accepted, and others above it, which were refused (`strict_schema_limits`).
"""
SCHEMA_LIMITS = SchemaLimits(optional=23, unions=15)
"""The most that one strict schema may have.

Evidence: the same recordings, where one schema with all of the total was refused, "Schema is too complex for compilation". That
depends on more than these numbers, and smaller schemas may be refused, too.
"""


def too_many_strict_tools(view: SchemaView, at: str) -> Found:
    """More strict tools than a request may have."""
    strict = sum(tool.strict for tool in view.tools)
    if strict > TOTALS.tools:
        yield at, f"a request must have at most {TOTALS.tools} strict tools; it has {strict}"


def too_large_schemas(view: SchemaView) -> Found:
    """The strict schema with which all of a request are too large together."""
    return schemas.over_total(view, TOTALS)


def too_complex_schemas(view: SchemaView) -> Found:
    """The strict schemas that are too large by themselves, though the totals of the request would allow them."""
    for schema, at in schemas.strict_schemas(view):
        is_within = over(total_of(schema), TOTALS) is None
        found = too_large(nodes(schema, at), SCHEMA_LIMITS) if is_within else None
        if found is not None:
            yield at, found
