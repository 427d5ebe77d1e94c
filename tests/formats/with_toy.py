"""A plugin of pytest, `-p formats.with_toy`: the toy format has its row in the package's table before tests are collected."""

from typing import Any


def pytest_collection() -> None:
    """Add the row. Hypothesis wants to be used by no plugin before."""
    from formats import toy_folder
    from interlingua import formats

    table: dict[str, Any] = vars(formats.FORMATS)["_formats"]
    table[toy_folder.FORMAT.name] = toy_folder.FORMAT
