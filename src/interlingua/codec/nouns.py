"""What parts, calls and opaque values are called in messages to people."""

from __future__ import annotations

from typing import Any

from ..errors import word
from .fields import Wire


def noun(owner: Any) -> str:
    """The word for a part or call in a message to people."""
    kind: str | None = owner.__dict__.get("type")
    return "tool call" if kind in (None, "tool_use") else f"{kind} part".replace("_", " ")


def type_of(value: Wire, other: str) -> str:
    """The type of an opaque value, its role, or the name of its one field; `other` if it has none of them."""
    kind = value.get("type", value.get("role", next(iter(value)) if len(value) == 1 else None))
    return word(kind, other)
