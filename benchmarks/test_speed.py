"""The contestants of run.py under pytest-benchmark, to compare one commit with another (`--benchmark-autosave`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import run
import workload

GROUPS = {"convert": run.conversions(workload.openai_chat()), "validate": run.validations()}
CASES = [
    pytest.param(call, id=name, marks=pytest.mark.benchmark(group=group))
    for group, contestants in GROUPS.items()
    for name, call in contestants.items()
]


@pytest.mark.parametrize("call", CASES)
def test_speed(benchmark: Any, call: Callable[[], object]) -> None:
    benchmark(call)
