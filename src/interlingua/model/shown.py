"""How values are shown in notebooks and by rich, which higher layers do."""

from collections.abc import Iterator
from typing import Any


def late(function: str) -> Any:
    """A function of a higher layer, by the one table of them."""
    from ..errors import late as table  # noqa: PLC0415 -- models import no errors until they need them

    return table.late(function)


def repr_html(value: object) -> str:
    """What a notebook shows of a value: HTML that runs and loads nothing, and is as much as fits."""
    shown: str = late("fragment")(late("outline")(value))
    return shown


def rich_console(value: object, _console: Any, _options: Any) -> Iterator[Any]:
    """What rich prints of a value: who says what, calls beside their results, and losses where they are."""
    shown: Iterator[Any] = late("drawn")(late("outline")(value))
    return shown
