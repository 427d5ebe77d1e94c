"""Limits of providers, by which rules judge and which conversions keep to."""

from __future__ import annotations

from typing import NamedTuple

LEAST_BUDGET = 1024
"""The smallest reasoning budget, in tokens. Evidence: the rules `thinking-budget-range`."""

LONGEST_USER = 64
"""The most characters of `user`. Evidence: the rule `setting-too-long`."""


class SchemaLimits(NamedTuple):
    """The most that a strict schema may have of each thing; None if no limit is known."""

    properties: int | None = None
    """Properties of all objects together."""
    levels: int | None = None
    """Levels of nested objects, including the outermost; references are not followed."""
    values: int | None = None
    """Values of all `enum`s together."""
    characters: int | None = None
    """Characters in the names of properties and definitions, and in the values of `enum` and `const`."""
    optional: int | None = None
    """Properties that are not required."""
    unions: int | None = None
    """Schemas with several types."""


class Totals(NamedTuple):
    """What the strict schemas of a request have together, or the most that they may have."""

    tools: int = 0
    """Strict tools."""
    optional: int = 0
    """Properties that are not required."""
    unions: int = 0
    """Schemas with several types."""

    def plus(self, other: Totals) -> Totals:
        """The totals with those of other schemas."""
        return Totals(self.tools + other.tools, self.optional + other.optional, self.unions + other.unions)
