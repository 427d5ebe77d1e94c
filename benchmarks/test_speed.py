"""The rows of table.py under pytest-benchmark, to compare one commit with another (`--benchmark-autosave`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import table

CASES = [
    pytest.param(row.ours, id=row.name, marks=pytest.mark.benchmark(group=name))
    for name, work in table.TABLES.items()
    for row in work.rows()
    if row is not None
]


@pytest.mark.parametrize("call", CASES)
def test_speed(benchmark: Any, call: Callable[[], object]) -> None:
    benchmark(call)
