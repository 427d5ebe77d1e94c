"""A plugin of pytest, `-p formats.with_toy`: the toy format has its row in the package's table before tests are collected."""


def pytest_collection() -> None:
    """Add the row. Hypothesis wants to be used by no plugin before."""
    from interlingua import formats
    from interlingua.codec.table import Row

    formats.ROWS["toy"] = Row("toy", "formats.toys")
