"""What Anthropic's Messages API, and hosts of the same shape, refuse."""

from __future__ import annotations

from typing import Any

from .rules import RuleSet, errors, warnings
from .view import View

# The view


def view(body: dict[str, Any]) -> View:
    """The view of a request's body."""
    return View(body)


# Rules


_RULES = (*errors(), *warnings())

RULES = {name: RuleSet(view, _RULES) for name in ("anthropic", "asktable", "anthropic_bedrock", "anthropic_vertex")}
"""The rules of each host's format, by its name."""
