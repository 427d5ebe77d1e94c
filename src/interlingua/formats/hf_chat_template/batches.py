"""Rows of TRL's datasets in layouts that Chat's rows do not have; in Chat's rows of TRL, arguments may be text.

Source: TRL's `dataset_formats` (huggingface.co), and its `data_utils.py`, version 1.16.
"""

from __future__ import annotations

from ...codec.batches import Batches, Layout

BATCHES = Batches(
    datasets={
        "trl_prompt": Layout("hf_chat_template", listed="prompt", beside=("tools",)),
        "trl_implicit_preference": Layout(
            "hf_chat_template", listed="chosen", beside=("tools",), continued=("rejected",), whole=True
        ),
    }
)
