"""How much processor time calls take, and how a table of them is printed.

Contestants take turns, so that a busy machine slows them alike.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from math import exp, log
from statistics import median
from time import process_time
from typing import NamedTuple

SAID: list[str] = []
"""What has been printed."""


def say(line: str) -> None:
    """Print a line, and remember it."""
    print(line, flush=True)
    SAID.append(line)


Contestants = dict[str, Callable[[], object]]

BLOCKS, ROUNDS = 7, 15


def best_of_medians(contestants: Contestants, blocks: int = BLOCKS, rounds: int = ROUNDS) -> dict[str, float]:
    """Seconds of processor time for one call of each: the best of `blocks` medians of `rounds` interleaved calls."""
    best = dict.fromkeys(contestants, float("inf"))
    for call in contestants.values():
        call()
    gc.collect()
    gc.freeze()  # so that nobody's call pays for walking through what all the packages keep
    for _ in range(blocks):
        taken: dict[str, list[float]] = {name: [] for name in contestants}
        for _ in range(rounds):
            for name, call in contestants.items():
                gc.collect()
                start = process_time()
                call()
                taken[name].append(process_time() - start)
        for name, times in taken.items():
            best[name] = min(best[name], median(times))
    return best


class Row(NamedTuple):
    """One kind of work: its name, our call, the peer's (None where there is no such peer), and the floor's."""

    name: str
    ours: Callable[[], object]
    peer: Callable[[], object] | None
    floor: Callable[[], object] | None = None


Times = dict[str, dict[str, float]]
"""By row, and by contestant (`ours`, `peer`, `floor`): seconds of processor time."""


def measured(rows: Iterable[Row]) -> Times:
    """What the contestants of each row take, one row after the other."""
    found: Times = {}
    for row in rows:
        calls = {"ours": row.ours, "peer": row.peer, "floor": row.floor}
        found[row.name] = best_of_medians({name: call for name, call in calls.items() if call is not None}, 3, 7)
    return found


def table(title: str, peer: str, floor: str, most: float, pure: Times, compiled: Times) -> None:
    """Print the rows, in pure Python and, where that was measured, compiled; then the ratios to the peer in a line each."""
    say(
        f"\n{title}\n  {'':32}  {'ms':>8}  {'/ ' + peer:>16}  {'/ ' + floor:>12}"
        + ("   compiled: the same" if compiled else "")
    )
    for row, times in pure.items():
        builds = [times, compiled[row]] if row in compiled else [times]
        say(f"  {row:32}" + "  ".join(_columns(each) for each in builds))
    for build, times_of in (("pure Python", pure), ("compiled", compiled)):
        ratios = {row: times["ours"] / times["peer"] for row, times in times_of.items() if "peer" in times}
        if ratios:
            mean = exp(sum(map(log, ratios.values())) / len(ratios))
            worst = max(ratios, key=lambda row: ratios[row])
            say(f"  {build}: geometric mean {mean:.3g}; worst {ratios[worst]:.3g} ({worst}); wanted: no row above {most}")


def _columns(times: dict[str, float]) -> str:
    beside = [f"{times['ours'] / times[name]:.3g}" if name in times else "-" for name in ("peer", "floor")]
    return f"  {times['ours'] * 1e3:>8.2f}  {beside[0]:>16}  {beside[1]:>12}"


def show(title: str, seconds: dict[str, float], against: dict[str, str], per: int = 0) -> None:
    """One table: milliseconds, microseconds a message, and a ratio to each of the named contestants."""
    columns = {head: _find(seconds, name) for head, name in against.items()}
    width = max(map(len, seconds))
    say(f"\n{title}")
    say(f"  {'':{width}}  {'ms':>8}" + ("  µs/message" if per else "") + "".join(f"  {'/ ' + head:>14}" for head in columns))
    for name, time in sorted(seconds.items(), key=lambda item: item[1]):
        ratios = "".join(f"  {time / base:>14.3g}" if base else f"  {'-':>14}" for base in columns.values())
        say(f"  {name:{width}}  {time * 1e3:>8.2f}" + (f"  {time * 1e6 / per:>10.2f}" if per else "") + ratios)


def _find(seconds: dict[str, float], name: str) -> float | None:
    return next((time for full, time in seconds.items() if full.startswith(name)), None)
