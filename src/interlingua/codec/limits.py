"""Limits of providers that rules judge by and conversions keep to."""

LEAST_BUDGET = 1024
"""The fewest tokens that Claude takes as a budget of reasoning."""
