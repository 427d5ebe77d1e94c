"""The marks by which ShareGPT's rows are recognised."""

from __future__ import annotations

from ...codec.marks import Marks, Shape

MARKS = Marks(
    (
        Shape(
            "sharegpt",
            "request",
            "conversations",
            "conversations[].from:text",
            "conversations[].from=human conversations[].from=gpt conversations[].value:text system tools:text",
        ),
    )
)
