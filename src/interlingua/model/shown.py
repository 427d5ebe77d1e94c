"""How values show themselves in notebooks."""

from importlib import import_module


def repr_html(value: object) -> str:
    """What a notebook shows of a value: HTML that runs and loads nothing, and is as much as fits."""
    # These imports go up, and are made when a value is shown.
    made = import_module("interlingua.display.outline").outline(value)
    shown: str = import_module("interlingua.display.page").fragment(made)
    return shown
