"""Legacy Completions requests: a prompt."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from ...codec.format import Format
from ...codec.strategies.primitives import NAMES, fields, text
from ...codec.strategies.spoiling import spoil_prompt
from ...codec.strategies.wire import Strategies


def requests(_: Format, odd: bool) -> st.SearchStrategy[dict[str, Any]]:
    return fields({"prompt": text() | st.lists(text(), min_size=1, max_size=3)}, {"model": NAMES, "seed": st.integers(0, 9)})


STRATEGIES = Strategies(requests, spoil_prompt)
