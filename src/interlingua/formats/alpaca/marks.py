"""The marks by which Alpaca's rows are recognised."""

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
