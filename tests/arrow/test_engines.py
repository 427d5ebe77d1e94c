"""The same rows from every engine, started here: from one process and several, Ray, Spark and datasets, and from the command.

10,000 conversations, one in a hundred of them broken; 200,000 with `--scale 20`. A process that is killed in the middle of the
work costs time and no rows.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import conversations
import engines
import pytest

pytestmark = pytest.mark.engines

# They have no types, or are installed for the engines only.
pa: Any = import_module("pyarrow")
parquet: Any = import_module("pyarrow.parquet")

ROWS = 10_000
WORKERS = "2"
COMMAND = [sys.executable, "-m", "interlingua"]
CONVERT = ["convert", "--from", "openai_chat", "--to", "anthropic", "--column", "messages"]

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="Spark is left out: there is no Java here")
ENGINES = ["ray", pytest.param("spark", marks=needs_java)]


@pytest.fixture(scope="module")
def count(scale: int) -> int:
    return ROWS * scale


@pytest.fixture(scope="module")
def bucket(count: int, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of Parquet files, in place of a bucket."""
    folder = tmp_path_factory.mktemp("bucket") / "rows"
    engines.write(folder, count)
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "out"
    shutil.rmtree(tmp_path)


def written(out: Path) -> Any:
    return parquet.read_table(out).sort_by("id").combine_chunks()


@pytest.fixture(scope="module")
def expected(bucket: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The rows from one process."""
    out = tmp_path_factory.mktemp("one") / "out"
    engines.run("processes", bucket, out)
    return written(out)


def fields(table: Any) -> Iterator[dict[str, Any]]:
    """The rows, with payloads read: what they say, however their JSON is spelled."""
    for batch in table.to_batches(1000):
        for row in batch.to_pylist():
            yield row | {"messages": row["messages"] and json.loads(row["messages"])}


def test_one_process_says_what_the_plain_loop_says(count: int, bucket: Path, out: Path, expected: Any) -> None:
    engines.run("loop", bucket, out)
    assert expected.column("id").to_pylist() == [f"row-{number:010}" for number in range(count)]
    for row, other in zip(fields(expected), fields(written(out)), strict=True):
        assert row == other


def test_a_broken_row_has_an_error_and_every_other_a_conversation(count: int, expected: Any) -> None:
    broken = [conversations.is_broken(number) for number in range(count)]
    assert sum(broken) == count // conversations.BROKEN_EVERY
    assert [error is not None for error in expected.column("error").to_pylist()] == broken
    assert expected.column("messages").is_null().to_pylist() == broken


@pytest.mark.parametrize("engine", ["processes", "datasets", *ENGINES])
def test_the_rows_are_the_same(engine: str, bucket: Path, out: Path, expected: Any) -> None:
    engines.run(engine, bucket, out, "--workers", WORKERS)
    assert written(out).equals(expected)


def in_the_middle(count: int) -> list[str]:
    """So that a process is killed when it has converted one batch of a file."""
    row = count // 2 + engines.FILE - 1
    return ["--workers", WORKERS, "--kill", f"row-{row:010}"]


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_is_lost_or_doubled_when_a_process_is_killed(
    engine: str, count: int, bucket: Path, out: Path, expected: Any
) -> None:
    engines.run(engine, bucket, out, *in_the_middle(count))
    assert out.with_name("out-killed").exists()
    assert written(out).equals(expected)


def test_datasets_fails_when_a_process_is_killed_and_the_next_run_completes(
    count: int, bucket: Path, out: Path, expected: Any
) -> None:
    with pytest.raises(engines.Failed, match="One of the subprocesses has abruptly died during map operation"):
        engines.run("datasets", bucket, out, *in_the_middle(count))
    assert list(out.iterdir()) == []
    engines.run("datasets", bucket, out, *in_the_middle(count))
    assert written(out).equals(expected)


# The command


@pytest.fixture
def lines(bucket: Path, out: Path) -> Path:
    """The same conversations as JSON lines."""
    file = out.with_name("rows.jsonl")
    with file.open("w", encoding="utf-8") as wanted:
        for name in sorted(bucket.iterdir()):
            wanted.writelines(json.dumps(row) + "\n" for row in parquet.read_table(name).to_pylist())
    return file


def records(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as held:
        yield from map(json.loads, held)


def expect_same(folder: Path, expected: Any) -> None:
    """Compare what the command wrote with the rows of one process; its paths begin with the name of the column."""
    converted = {row["id"]: row["messages"] for row in records(folder / "out.jsonl")}
    losses: dict[str, list[Any]] = {}
    for loss in records(folder / "losses.jsonl"):
        fields_of = {name: loss[name] for name in ("path", "at", "kind", "detail")}
        losses.setdefault(loss["id"], []).append(fields_of | {"path": loss["path"].removeprefix("/messages")})
    errors: dict[str, Any] = {}
    for error in records(folder / "errors.jsonl"):
        errors.setdefault(error["id"], {"path": error["path"].removeprefix("/messages"), "reason": error["reason"]})
    for row in fields(expected):
        id = row["id"]
        text = converted.pop(id, None)
        assert (row["messages"], row["losses"], row["error"]) == (text and json.loads(text), losses.get(id, []), errors.get(id))
    assert converted == {}


def command(folder: Path, jobs: str, *more: str) -> list[str]:
    outputs = ["--out", "out.jsonl", "--errors", "errors.jsonl", "--losses", "losses.jsonl"]
    return [*COMMAND, *CONVERT, *outputs, "--jobs", jobs, *more, str(folder / "rows.jsonl")]


@pytest.mark.parametrize("jobs", ["1", WORKERS])
def test_the_rows_of_the_command_are_the_same(jobs: str, count: int, lines: Path, expected: Any) -> None:
    done = subprocess.run(command(lines.parent, jobs), cwd=lines.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"{count * 99 // 100:,} converted, {count // 100:,} failed" in done.stderr
    expect_same(lines.parent, expected)


def test_the_command_fails_when_a_process_is_killed_and_goes_on_with_resume(lines: Path, expected: Any) -> None:
    psutil: Any = import_module("psutil")
    part = lines.with_name("out.jsonl.part")
    with subprocess.Popen(command(lines.parent, WORKERS), cwd=lines.parent, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not (part.exists() and part.stat().st_size):
            time.sleep(0.01)
        workers = [child for child in psutil.Process(process.pid).children() if "spawn_main" in " ".join(child.cmdline())]
        workers[0].kill()
        said = process.communicate()[1]
    assert process.returncode == 1
    assert "a process ended unexpectedly after" in said
    assert said.endswith("; the same command with --resume continues\n")
    assert "Traceback" not in said
    assert not lines.with_name("out.jsonl").exists()
    again = subprocess.run(command(lines.parent, WORKERS, "--resume"), cwd=lines.parent, capture_output=True, check=False)
    assert again.returncode == 1  # some rows are broken
    expect_same(lines.parent, expected)


# Memory


@pytest.mark.parametrize("engine", ["processes", "datasets", *ENGINES])
def test_memory_does_not_grow_with_the_number_of_rows(
    engine: str, scale: int, count: int, bucket: Path, tmp_path: Path, out: Path
) -> None:
    """Of Python's processes: Spark's JVM and Ray's object store take what they are allowed to.

    Ray reads ahead: what that holds is whole at half the rows.
    """
    if scale < 20:
        pytest.skip("run by make scale")
    few = tmp_path / "few"
    engines.write(few, count // (2 if engine == "ray" else 10))
    small = engines.run(engine, few, tmp_path / "out-few", "--workers", WORKERS)
    large = engines.run(engine, bucket, out, "--workers", WORKERS)
    assert large.worker < 1.25 * small.worker + 20
