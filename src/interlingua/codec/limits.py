"""Limits of providers that rules judge by and conversions keep to."""

from typing import NamedTuple

LEAST_BUDGET = 1024
"""The smallest budget of reasoning, in tokens. Evidence: see the rules `thinking-budget-range`."""


class SchemaLimits(NamedTuple):
    """The most that a strict schema may have of each; None where no limit is known."""

    properties: int | None = None
    """Properties of all objects."""
    levels: int | None = None
    """Objects inside one another, itself included; references are not followed."""
    values: int | None = None
    """Values of all `enum`s."""
    characters: int | None = None
    """Characters in the names of properties and definitions, and in the values of `enum` and `const`."""
    optional: int | None = None
    """Properties that are not required."""
    unions: int | None = None
    """Schemas of several types."""
