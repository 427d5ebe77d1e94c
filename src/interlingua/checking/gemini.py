"""What Gemini refuses, at AI Studio and on Vertex AI."""

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

RULES = {name: RuleSet(view, _RULES) for name in ("gemini", "google_genai")}
"""The rules of each host's format, by its name."""
