"""Limits of providers that rules judge by and conversions keep to."""

LEAST_BUDGET = 1024
"""The smallest budget of reasoning, in tokens. Evidence: see the rules `thinking-budget-range`."""
