"""The kit that strategies for Hypothesis are written with."""
