"""How long the engines take beside the plain loop, how much memory they hold, and what a batch costs by its size.

`python engines.py` prints the tables for 20,000 and 200,000 generated conversations, with one worker and with two; it needs the
environment of `make engines`. `python engines.py --rows 2000 20000` takes less time.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from functools import partial
from importlib import import_module
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import conversations
import engine_runs
from measure import best_of_medians

from interlingua.arrow import convert_batch

# They have no types, or are installed for the engines only.
pa: Any = import_module("pyarrow")
parquet: Any = import_module("pyarrow.parquet")

RUNS = Path(__file__).with_name("engine_runs.py")
FILE, GROUP = 2_500, 1_250
"""How many rows a file has, and each of its row groups: more rows are more files."""


def write(folder: Path, count: int) -> None:
    """Write so many conversations as Parquet files: what a bucket would hold."""
    folder.mkdir(parents=True)
    schema = pa.schema({"id": pa.string(), "messages": pa.string()})
    for start in range(0, count, FILE):
        rows = list(conversations.rows(min(FILE, count - start), start))
        table = pa.Table.from_pylist(rows, schema=schema)
        parquet.write_table(table, folder / f"part-{start // FILE:03}.parquet", row_group_size=GROUP)


class Run(NamedTuple):
    """What a run took: seconds to start and to work, of all processors; and the peaks of memory, in MB.

    Memory is what the processes hold themselves, without files that are mapped and without Ray's object store, whose size is
    set: of the Python process that holds most, and of all processes together.
    """

    start: float
    work: float
    processors: float
    worker: float
    all: float


class Failed(Exception):
    """The run ended with an error; has what it said."""


def run(engine: str, source: Path, out: Path, *options: str) -> Run:
    """Run an engine in a process of its own, and watch that and those that it starts. Raises `Failed`."""
    command = [sys.executable, "-W", "ignore", str(RUNS), engine, str(source), str(out), *options]
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as said,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True) as process,
    ):
        watch = Watch(process.pid)
        try:
            while process.poll() is None:
                watch.look()
                time.sleep(0.1)
        finally:
            process.terminate()  # where this process is interrupted; what an engine started ends with it
        printed = process.communicate()[0]
        said.seek(0)
        if process.returncode:
            raise Failed(said.read())
    times = json.loads(printed.splitlines()[-1])
    return Run(times.get("start", 0.0), times["work"], sum(watch.processors.values()), watch.worker, watch.all)


class Watch:
    """What a process and those that it started have used, as far as it was seen; Linux only."""

    def __init__(self, pid: int) -> None:
        self._psutil: Any = import_module("psutil")
        self._root = self._psutil.Process(pid)
        self.processors: dict[Any, float] = {}
        self.worker = self.all = 0.0

    def look(self) -> None:
        """Look at all of them."""
        held = 0.0
        try:
            processes = [self._root, *self._root.children(recursive=True)]
        except self._psutil.Error:
            return
        for process in processes:
            try:
                times, memory = process.cpu_times(), _anonymous(process.pid)
                python = "python" in Path(process.exe()).name
            except (self._psutil.Error, OSError):  # it has ended
                continue
            self.processors[process] = times.user + times.system
            held += memory
            self.worker = max(self.worker, memory if python else 0.0)
        self.all = max(self.all, held)


def _anonymous(pid: int) -> float:
    """How many MB of memory a process has, without files and what it shares."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    return 0.0


# Tables


def table(few: int, many: int, workers: list[int]) -> None:
    """A row for each engine and number of workers, from a run over few conversations and one over many.

    What a conversation takes is the difference of the two, so that the start of the engine is not part of it.
    """
    say(f"\n  {few:,} and {many:,} conversations; memory is that of the largest Python process, and of all processes")
    say("  engine     workers  start s  rows/s  start CPU s  CPU µs/row  / loop   process MB       all MB")
    with tempfile.TemporaryDirectory(prefix="engines") as name:
        folder = Path(name)
        for count in (few, many):
            write(folder / f"in-{count}", count)
        base = size = 0.0
        for engine, number in [("loop", 1), *product([*engine_runs.ENGINES][1:], workers)]:
            runs: list[Run] = []
            for count in (few, many):
                runs.append(run(engine, folder / f"in-{count}", folder / "out", "--workers", str(number)))
                size = _size(folder / "out") if engine == "loop" else size
                for made in folder.glob("out*"):
                    shutil.rmtree(made)
            one, other = runs
            each = (other.processors - one.processors) / (many - few)
            base = base or each
            say(
                f"  {engine:10} {number:>7} {other.start:>8.1f} {(many - few) / (other.work - one.work):>7.0f}"
                f" {max(0.0, one.processors - few * each):>12.1f} {each * 1e6:>11.0f} {each / base:>7.2f}"
                f" {f'{one.worker:.0f}, {other.worker:.0f}':>12} {f'{one.all:.0f}, {other.all:.0f}':>12}"
            )
        stored = _size(folder / f"in-{many}") / many
    texts = sum(len(row["messages"].encode()) for row in conversations.rows(few)) / few
    say(f"  a conversation: {texts:.0f} bytes of JSON text, {stored:.0f} in Parquet; converted, with losses, {size / many:.0f}")


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


def batches() -> None:
    """What a row costs by the size of its batch."""
    texts = [row["messages"] for row in conversations.rows(2_000)]
    step = partial(convert_batch, source=engine_runs.SOURCE, target=engine_runs.TARGET)
    sizes = (1, 10, 100, 1_000, 2_000)
    say(f"\n  {'rows a batch':>12} {'µs a batch':>11} {'µs a row':>9}")
    for size in sizes:
        made = [pa.RecordBatch.from_pydict({"messages": texts[at : at + size]}) for at in range(0, len(texts), size)]
        [seconds] = best_of_medians({"": partial(_all, step, made)}, 3, 3).values()
        say(f"  {size:>12} {seconds / len(made) * 1e6:>11.0f} {seconds / len(texts) * 1e6:>9.1f}")


def _all(step: engine_runs.Step, listed: list[Any]) -> None:
    for batch in listed:
        step(batch)


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs=2, default=[20_000, 200_000])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    asked = parser.parse_args()
    versions = ", ".join(f"{name} {version(name)}" for name in ("pyarrow", "ray", "pyspark", "datasets"))
    say(f"Python {platform.python_version()}, {versions}; {os.cpu_count()} processors, {_processor()}")
    batches()
    few, many = asked.rows
    table(few, many, asked.workers)


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())


if __name__ == "__main__":
    main()
