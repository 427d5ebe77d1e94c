"""How values show themselves in notebooks, and where rich prints them."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any


def repr_html(value: object) -> str:
    """What a notebook shows of a value: HTML that runs and loads nothing, and is as much as fits."""
    # These imports go up, and are made when a value is shown.
    made = import_module("interlingua.display.outline").outline(value)
    shown: str = import_module("interlingua.display.page").fragment(made)
    return shown


def rich_console(value: object, _console: Any, _options: Any) -> Iterator[Any]:
    """What rich prints of a value: who says what, calls beside their results, and losses where they are."""
    made = import_module("interlingua.display.outline").outline(value)
    shown: Iterator[Any] = import_module("interlingua.display.terminal").drawn(made)
    return shown
