"""Conversations as they grow: units, tool results, builders, fingerprints."""
