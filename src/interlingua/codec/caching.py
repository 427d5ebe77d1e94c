"""Cache marks of messages, which many providers have on parts alone."""

from __future__ import annotations

from itertools import takewhile

from .dump import Dump


def report_marked(path: str, at: str, d: Dump) -> None:
    """Report that the part at `at` gets the cache mark of the message at `path`, unless it is already reported as changed."""
    part = d.places.get(at)
    of_message = takewhile(lambda loss: f"{loss.path}/".startswith(f"{path}/"), reversed(d.losses))
    if part is not None and not any(loss.path == part and loss.kind == "changed" for loss in of_message):
        d.report("changed", part, at, "the part gets the cache mark of its message")
