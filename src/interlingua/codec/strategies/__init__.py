"""The building blocks of formats' Hypothesis strategies."""
