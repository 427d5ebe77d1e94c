"""How much work a call is, in steps of the interpreter: the same on every machine, so that no clock is needed."""

import gc
import sys
from collections.abc import Callable
from typing import Any


def steps(call: Callable[[], object]) -> int:
    """How many lines, calls and returns the call takes."""
    taken = 0

    def count(*_: Any) -> Any:
        nonlocal taken
        taken += 1
        return count

    before = sys.gettrace()
    gc.disable()  # what is called at its end (by Hypothesis, for one) are no steps of the call
    sys.settrace(count)
    try:
        call()
    finally:
        sys.settrace(before)
        gc.enable()
    return taken
