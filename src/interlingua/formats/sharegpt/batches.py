"""Rows of datasets with ShareGPT's turns.

Source: LLaMA-Factory's `data/README.md`.
"""

from ...codec.batches import Batches, Layout

BATCHES = Batches(
    datasets={
        "sharegpt_preference": Layout(
            "sharegpt",
            listed="conversations",
            beside=("system", "tools"),
            continued=("chosen", "rejected"),
            marks=("conversations", "chosen", "rejected"),
        ),
    }
)
