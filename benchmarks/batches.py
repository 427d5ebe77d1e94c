"""Batches of conversations in Arrow, beside the plain loop over their JSON texts; and how much memory a file of them takes.

`python batches.py ROWS` writes a Parquet file of so many conversations, converts it a batch at a time into another, and prints
the rate and the peak of memory. One conversation in a hundred is broken.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import conversations
import workload
from conversations import Payload
from measure import Row, say

import interlingua as il

BATCH = 1_000
TARGETS: dict[il.FormatName, il.FormatName] = {"openai_chat": "anthropic", "anthropic": "openai_chat"}


def texts(number: int) -> list[str]:
    """The JSON texts of so many generated conversations; one in a hundred is broken."""
    return [row["messages"] for row in conversations.rows(number)]


def flat(number: int) -> list[Payload]:
    """Those of so many that are well formed and have text alone for content, so that Arrow's structs can hold them."""
    whole = [json.loads(row["messages"]) for i, row in enumerate(conversations.rows(number)) if not conversations.is_broken(i)]
    return [payload for payload in whole if not any(type(message["content"]) is list for message in payload["messages"])]


def rows() -> Iterator[Row]:
    """One batch and the plain loop over the same texts; structs beside the loop over the texts that they were made of."""
    try:
        pa: Any = import_module("pyarrow")
    except ImportError as error:
        say(f"left out: {error}")
        return
    short = flat(200)
    yield _row("Chat: short, of a training set", pa, "openai_chat", short)
    yield _row("Chat: the same as structs", pa, "openai_chat", [payload["messages"] for payload in short], as_structs=True)
    for source in TARGETS:
        for kind in workload.KINDS:
            yield _row(f"{source}: {kind}", pa, source, list(workload.requests(kind, source)))


def _row(name: str, pa: Any, source: il.FormatName, payloads: list[Any], *, as_structs: bool = False) -> Row:
    from interlingua.arrow import convert_batch

    target = TARGETS[source]
    lines = [json.dumps(payload) for payload in payloads]
    batch = pa.RecordBatch.from_pydict({"messages": payloads if as_structs else lines})

    def loop() -> None:
        for text in lines:
            json.dumps(il.convert(json.loads(text), source=source, target=target).payload)

    ours = partial(convert_batch, batch, source=source, target=target)
    if any(row["error"] for row in ours().to_pylist()):
        raise AssertionError(f"{name}: a row is wrong")
    return Row(name, ours, loop)


def main(number: int) -> None:
    """Convert a file of so many rows, and print the rate, the peak of memory, and how many rows were wrong."""
    with TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.parquet", Path(folder) / "out.parquet"
        _write(source, number)
        began = perf_counter()
        wrong = _convert(source, target)
        rate = number / (perf_counter() - began)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({"rows": number, "wrong": wrong, "rows a second": round(rate), "peak of memory in MB": peak}))


def _write(path: Path, number: int) -> None:
    pa: Any = import_module("pyarrow")
    parquet: Any = import_module("pyarrow.parquet")
    held = texts(BATCH)
    with parquet.ParquetWriter(path, pa.schema({"id": pa.int64(), "messages": pa.string()})) as writer:
        for first in range(0, number, BATCH):
            writer.write_batch(pa.RecordBatch.from_arrays([pa.array(range(first, first + BATCH)), held], schema=writer.schema))


def _convert(source: Path, target: Path) -> int:
    from interlingua.arrow import convert_batch, output_schema

    parquet: Any = import_module("pyarrow.parquet")
    step = partial(convert_batch, source="openai_chat", target="anthropic")
    file = parquet.ParquetFile(source, pre_buffer=False)  # which would keep all that was read
    wrong = 0
    with parquet.ParquetWriter(target, output_schema(step, file.schema_arrow)) as writer:
        for batch in file.iter_batches(BATCH):
            made = step(batch)
            wrong += made.num_rows - made.column("error").null_count
            writer.write_batch(made)
    return wrong


if __name__ == "__main__":
    main(int(sys.argv[1]))
