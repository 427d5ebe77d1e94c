"""Adapts JSON Schemas to the part of JSON Schema that a provider accepts."""
