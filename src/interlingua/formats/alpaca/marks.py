"""The marks by which payloads of rows of Alpaca are known."""

from __future__ import annotations

from ...codec.marks import Marks, Shape

MARKS = Marks(
    (
        Shape(
            "alpaca",
            "request",
            "instruction:text",
            "output:text input:text",
            "output:text input:text history system",
            never="input[]",
        ),
    )
)
