"""Conversations and differences as rich prints them. Importing this without rich raises an `ImportError` that says so."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from typing import TYPE_CHECKING, Any, TextIO

from .outline import Outline

try:
    from .beside import drawn_difference, drawn_forms
    from .terminal import Look, console, drawn
except ModuleNotFoundError as error:
    if error.name is None or error.name.partition(".")[0] != "rich":
        raise
    raise ImportError("showing text needs rich: pip install 'interlingua[cli]'") from error

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from .difference import Difference
    from .forms import Forms

_NARROWEST = 20
_WIDEST = 10_000
"""The widths that can be asked for, in columns."""


def print_view(seen: Outline | Forms, *, reasoning: bool, full: bool, width: int | None, file: TextIO | None) -> None:
    """Print a view to a file, by default standard output. Raises `TypeError` and `ValueError` for a width that cannot be."""
    screen = _console(file=file, width=width)
    screen.print(*drawn_view(seen, Look(reasoning=reasoning, full=full)), sep="\n")


def drawn_view(seen: Outline | Forms, look: Look) -> Iterator[RenderableType]:
    """What rich prints of a view."""
    return drawn(seen, look) if isinstance(seen, Outline) else drawn_forms(seen)


def text_of_difference(found: Difference, names: tuple[str, str], *, whole: bool, width: int) -> str:
    """What differs as plain text. Raises `TypeError` and `ValueError` for a width that cannot be."""
    file = StringIO()
    screen = _console(file=file, width=width, color_system=None, force_terminal=False, force_jupyter=False)
    screen.print(*drawn_difference(found, names, whole=whole), sep="\n")
    return file.getvalue().removesuffix("\n")


def _console(*, width: Any, **options: Any) -> Console:
    if width is not None and not isinstance(width, int):
        raise TypeError("width must be a number of columns")
    if width is not None and not _NARROWEST <= width <= _WIDEST:
        raise ValueError(f"width must be a number of columns from {_NARROWEST} to {_WIDEST:,}")
    return console(width=width, **options)
