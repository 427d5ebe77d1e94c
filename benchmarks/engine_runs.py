"""One job on every engine: read a folder of Parquet files, convert a column of requests, write a folder of Parquet files.

`python engine_runs.py ENGINE SOURCE OUT --workers 2` does it and prints how many seconds the engine took to start, and to work.
`--kill ID` kills the process that is about to convert the row of that id, once: the file OUT-killed says that it was done.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import interlingua as il
from interlingua.arrow import convert_batch, output_schema

# Their stubs leave most types unknown.
pa: Any = import_module("pyarrow")
parquet: Any = import_module("pyarrow.parquet")

Step = Callable[[Any], Any]
SOURCE: Literal["openai_chat"] = "openai_chat"
TARGET: Literal["anthropic"] = "anthropic"


@dataclass(frozen=True)
class Job:
    """What is converted, and how; `kill` is the id of the row before which its process is killed."""

    source: Path
    out: Path
    workers: int
    batch: int
    kill: str | None = None

    @property
    def step(self) -> Step:
        """The function of a batch; it can be pickled."""
        step = partial(convert_batch, source=SOURCE, target=TARGET)
        return step if self.kill is None else partial(_killed_once, step, self.kill, self.marker)

    @property
    def schema(self) -> Any:
        """The columns that are written."""
        return output_schema(partial(convert_batch, source=SOURCE, target=TARGET), parquet.read_schema(self.files[0]))

    @property
    def marker(self) -> Path:
        """The file that says that a process was killed."""
        return self.out.with_name(f"{self.out.name}-killed")

    @property
    def files(self) -> list[Path]:
        """The files that are read."""
        return sorted(self.source.glob("*.parquet"))


def _killed_once(step: Step, row: str, marker: Path, batch: Any) -> Any:
    """Work on a batch, unless it has the row: then this process dies, the first time."""
    if row in batch.column("id").to_pylist() and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return step(batch)


class Clock:
    """Seconds since the last look at it."""

    def __init__(self) -> None:
        self._last = time.perf_counter()

    def __call__(self) -> float:
        last, self._last = self._last, time.perf_counter()
        return round(self._last - last, 3)


Times = dict[str, float]


# Without an engine


def loop(job: Job) -> Times:
    """The plain loop: what a program does without functions for batches."""
    clock = Clock()
    for file in job.files:
        _write(file, job, partial(_by_hand, job.schema))
    return {"work": clock()}


def _by_hand(schema: Any, batch: Any) -> Any:
    made: list[str | None] = []
    losses: list[list[dict[str, Any]]] = []
    errors: list[dict[str, str] | None] = []
    for text in batch.column("messages").to_pylist():
        try:
            result = il.convert(json.loads(text), source=SOURCE, target=TARGET)
        except (ValueError, RecursionError):
            made.append(None)
            losses.append([])
            errors.append(_fault(text))
        else:
            made.append(json.dumps(result.payload))
            losses.append([loss._asdict() for loss in result.losses])
            errors.append(None)
    return pa.RecordBatch.from_pydict(
        {"id": batch.column("id"), "messages": made, "losses": losses, "error": errors}, schema=schema
    )


def _fault(text: str) -> dict[str, str]:
    try:
        il.convert(text, source=SOURCE, target=TARGET)
    except il.InvalidPayload as error:
        fault: dict[str, str] = il.error_body(error)["errors"][0]
        return fault
    raise AssertionError("this row is right")


def _write(file: Path, job: Job, step: Step) -> None:
    """Convert a file, batch by batch."""
    with parquet.ParquetFile(file, pre_buffer=False) as held, parquet.ParquetWriter(job.out / file.name, job.schema) as out:
        for batch in held.iter_batches(job.batch):
            out.write_batch(step(batch))


def processes(job: Job) -> Times:
    """As many processes as workers, each with a file at a time; with one, no other process."""
    clock = Clock()
    work = partial(_write, job=job, step=job.step)
    if job.workers == 1:
        for file in job.files:
            work(file)
        return {"work": clock()}
    with multiprocessing.get_context("spawn").Pool(job.workers) as pool:
        for _ in pool.imap_unordered(work, job.files):
            pass
    return {"work": clock()}


# Engines


def ray(job: Job) -> Times:
    """A cluster on this machine, with a process for each worker."""
    clock = Clock()
    os.environ |= {
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
        "RAY_worker_niceness": "0",
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # it takes the loopback address there, and with this here, too
    }
    ray: Any = import_module("ray")
    data: Any = import_module("ray.data")
    data.DataContext.get_current().target_max_block_size = 16 * 2**20  # a process holds one and what is made of it
    cluster = {"num_cpus": job.workers, "object_store_memory": 200_000_000, "include_dashboard": False}
    ray.init("local", log_to_driver=False, logging_level="error", **cluster)
    try:
        start = clock()
        rows = data.read_parquet(str(job.source))
        rows.map_batches(job.step, batch_format="pyarrow", batch_size=job.batch).write_parquet(str(job.out))
        return {"start": start, "work": clock()}
    finally:
        ray.shutdown()


def _each(step: Step, batches: Iterable[Any]) -> Iterator[Any]:
    return map(step, batches)


def spark(job: Job) -> Times:
    """Spark in one JVM with a Python process for each worker; a task that fails is tried four times."""
    clock = Clock()
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    builder: Any = import_module("pyspark.sql").SparkSession.builder
    types: Any = import_module("pyspark.sql.pandas.types")
    builder = builder.master(f"local[{job.workers},4]").config("spark.driver.memory", "1g")
    for name, value in {
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(job.batch),
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    try:
        start = clock()
        rows = session.read.parquet(str(job.source))
        made = rows.mapInArrow(partial(_each, job.step), types.from_arrow_schema(job.schema))
        made.write.mode("append").parquet(str(job.out))
        return {"start": start, "work": clock()}
    finally:
        session.stop()


def datasets(job: Job) -> Times:
    """Hugging Face datasets, whose cache is beside the output."""
    clock = Clock()
    os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"}
    hub: Any = import_module("datasets")
    start = clock()
    cache = job.out.with_name(f"{job.out.name}-cache")
    files = [str(file) for file in job.files]
    rows = hub.load_dataset("parquet", data_files=files, split="train", cache_dir=str(cache)).with_format("arrow")
    processes = job.workers if job.workers > 1 else None
    made = rows.map(job.step, batched=True, batch_size=job.batch, num_proc=processes)
    made.to_parquet(str(job.out / "all.parquet"))
    return {"start": start, "work": clock()}


ENGINES: dict[str, Callable[[Job], Times]] = {
    "loop": loop,
    "processes": processes,
    "ray": ray,
    "spark": spark,
    "datasets": datasets,
}


def main() -> None:
    """Do a job, and print its times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", choices=ENGINES)
    parser.add_argument("source", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--batch", type=int, default=1000)
    parser.add_argument("--kill", metavar="ID")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    job = Job(asked.source, asked.out, asked.workers, asked.batch, asked.kill)
    print(json.dumps(ENGINES[asked.engine](job)))


if __name__ == "__main__":
    main()
