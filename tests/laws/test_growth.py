"""Nothing takes more than linear time, whatever the input: counted in steps of the interpreter, so that no clock is needed.

The rows are those of `make growth`, which measures the same calls with a clock and so sees what is slow in C.
"""

import contextlib
import inspect
from functools import partial

import growth
import pytest

import interlingua as il
from interlingua.model.base import copy_json
from interlingua.testing.lawbook import share
from laws.steps import steps

ROWS = list(growth.rows())
CALLS = sorted({row.name.split()[0].rstrip(",") for row in ROWS})
SIZES = (24, 48, 96)
MOST = 2.15
"""By how much more steps the second doubling may take than the first; each adds some that do not depend on the size."""
FEW = 200
"""Differences below this are of counts that round."""


def grows(row: growth.Row) -> bool:
    steps(partial(row.call, row.make(2)))  # what is done once
    few, more, most = (steps(partial(row.call, row.make(size))) for size in SIZES)
    share.judged(most > few, least=0.7)  # the others are done in C, or look at one of their items
    return most - more > max(MOST * (more - few), FEW)


@pytest.mark.deep
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.filterwarnings("ignore::interlingua.LossWarning")
def test_twice_the_input_takes_twice_the_steps(call: str) -> None:
    rows = [row for row in ROWS if row.name.split()[0].rstrip(",") == call]
    assert " | ".join(row.name for row in rows if growth.known(row) is None and grows(row)) == ""


def test_every_public_function_is_in_the_table() -> None:
    functions = {name for name in il.__all__ if inspect.isfunction(getattr(il, name))}
    source = inspect.getsource(growth)
    assert {name for name in functions if f"il.{name}" not in source} == {
        "endpoint",
        "json_schema",
        "openapi",
        "format_of",
    }  # their input does not grow


@pytest.mark.deep
def test_a_fault_alone_costs_a_path() -> None:
    """With a path for each item, this would copy the key a million times."""
    empty: list[object] = []
    given = {"k" * 3_000_000: [empty] * 1_000_000}
    assert copy_json(given) == given


@pytest.mark.deep
@pytest.mark.parametrize("fault", [float("nan"), (1,)])
def test_many_faults_under_a_long_key_cost_one_path(fault: object) -> None:
    """With a path for each fault, this would take a hundred gigabytes."""
    for held in ([fault] * 300_000, {str(i): fault for i in range(300_000)}):
        with contextlib.suppress(ValueError):
            copy_json({"k" * 300_000: held})
