"""What providers refuse in the settings of a request: numbers out of range, and lists and texts that are too long."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from ...model.base import Json
from .view import Found

Limits: TypeAlias = Mapping[str, tuple[float | None, float | None]]
"""The smallest and the greatest value of each setting; None for no limit."""


def out_of_range(settings: dict[str, Any], limits: Limits, at: str = "") -> Found:
    """The settings whose numbers are outside their limits."""
    for name, (least, greatest) in limits.items():
        value: Json = settings.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if least is not None and value < least:
            yield f"{at}/{name}", f"`{name}` must be at least {least:g}"
        elif greatest is not None and value > greatest:
            yield f"{at}/{name}", f"`{name}` must be at most {greatest:g}"


def not_integers(settings: dict[str, Any], names: Iterable[str], at: str = "") -> Found:
    """The settings that are written with a fraction, even one of 0."""
    for name in names:
        if isinstance(settings.get(name), float):
            yield f"{at}/{name}", f"`{name}` must be an integer, without a fraction"


def too_long(settings: dict[str, Any], names: Iterable[str], most: int) -> Found:
    """The settings that are lists or texts longer than `most`."""
    for name in names:
        value: Json = settings.get(name)
        if isinstance(value, str | list) and len(value) > most:
            yield (
                f"/{name}",
                (
                    f"`{name}` must have at most {most} "
                    f"{'entries' if isinstance(value, list) else 'characters'}; it has {len(value)}"
                ),
            )


def both(settings: dict[str, Any], one: str, other: str, at: str = "") -> Found:
    """Two settings, if both are set although only one of them may be."""
    if settings.get(one) is not None and settings.get(other) is not None:
        yield f"{at}/{one}", f"`{one}` and `{other}` exclude each other: leave one out"
