"""Parquet files on the command line: rows in and out, the other columns as they were, in memory that does not grow."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# The stubs of pyarrow say nothing about the types that arrays hold.

from __future__ import annotations

import datetime as dt
import json
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyarrow import parquet as pq

import interlingua as il
from cli.waiting import wait_until
from interlingua.cli import main, run as cli_run
from interlingua.cli.commands import interlingua

COMMAND = [sys.executable, "-m", "interlingua"]
CHAT = ["--from", "openai_chat", "--to", "anthropic"]
ASKED: list[dict[str, Any]] = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Is it warm?"}]
ANSWER = {"role": "assistant", "content": "No."}
CONVERTED = il.convert(ASKED, source="openai_chat", target="anthropic").payload
WHEN = dt.datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=dt.UTC)
COLUMNS: list[tuple[str, Any]] = [
    ("id", pa.int32()),
    ("reward", pa.float32()),
    ("at", pa.timestamp("us", "UTC")),
    ("cost", pa.decimal128(10, 4)),
    ("info", pa.struct([("k", pa.int64()), ("left", pa.string())])),
    ("tags", pa.list_(pa.string())),
    ("lang", pa.dictionary(pa.int32(), pa.string())),
    ("note", pa.large_string()),
    ("clock", pa.time64("ns")),
    ("short", pa.time32("ms")),
    ("took", pa.duration("us")),
    ("counts", pa.map_(pa.string(), pa.int64())),
]
OTHERS = pa.schema(COLUMNS)
MESSAGES = pa.list_(pa.struct([("role", pa.string()), ("content", pa.string()), ("name", pa.string())]))


def other(number: int) -> dict[str, Any]:
    return {
        "id": number,
        "reward": 0.5,
        "at": WHEN,
        "cost": Decimal("1.2500"),
        "info": {"k": number, "left": None},
        "tags": ["a", None] if number % 2 else [],
        "lang": "en",
        "note": None if number % 3 else "é",
        "clock": None if number % 3 else 86_399_000_000_001,
        "short": dt.time(23, 59, 1),
        "took": dt.timedelta(microseconds=-7),
        "counts": [("a", 1)],
    }


def table(kind: pa.DataType, rows: list[Any]) -> pa.Table:
    schema = OTHERS.append(pa.field("messages", kind))
    return pa.Table.from_pylist([{**other(number), "messages": row} for number, row in enumerate(rows)], schema)


def run(*argv: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(interlingua, list(argv), standalone_mode=False)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        shown = getattr(done.exception, "message", None)
        assert shown is not None, done.exception
        return 2, "", str(shown)
    return int(done.return_value or 0), done.stdout, done.stderr


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), MESSAGES], ids=str)
def test_a_column_is_converted_and_the_others_are_kept(here: Path, kind: pa.DataType) -> None:
    text = not isinstance(kind, pa.ListType)
    given = table(kind, [json.dumps(ASKED) if text else ASKED] * 3 + [json.dumps([7]) if text else None])
    pq.write_table(given, "a.parquet", row_group_size=2)
    status, _, said = run("convert", "a.parquet", "--column", "messages", *CHAT, "--out", "b.parquet")
    made: Any = pq.read_table("b.parquet")
    assert (status, "3 converted, 1 failed" in said, made.num_rows) == (1, True, 3)
    assert "a.parquet:4: /messages" in said
    assert made.drop_columns(["messages"]).equals(given.drop_columns(["messages"]).slice(0, 3))
    assert [json.loads(value) for value in made["messages"].to_pylist()] == [CONVERTED] * 3
    assert sorted(path.name for path in here.iterdir()) == ["a.parquet", "b.parquet"]


def test_rows_become_json_lines_and_json_lines_rows(here: Path) -> None:
    pq.write_table(table(MESSAGES, [ASKED, ASKED]), "a.parquet")
    assert run("convert", "a.parquet", "--column", "messages", *CHAT, "-o", "b.jsonl", "-q")[0] == 0
    rows = [json.loads(line) for line in (here / "b.jsonl").read_text("utf-8").splitlines()]
    assert rows[1]["messages"] == CONVERTED
    kept = {"id": 1, "reward": 0.5, "cost": "1.2500", "info": {"k": 1}, "tags": ["a", None], "lang": "en", "note": None}
    kept |= {"clock": None, "short": "23:59:01.000", "took": "-7", "counts": {"a": 1}}
    assert {key: value for key, value in rows[1].items() if key not in ("messages", "at")} == kept
    back = ["--column", "messages", "--from", "anthropic", "--to", "openai_chat"]
    assert run("convert", "b.jsonl", *back, "-o", "c.parquet", "-q")[0] == 0
    made: Any = pq.read_table("c.parquet")
    assert [json.loads(value)["messages"] for value in made["messages"].to_pylist()] == [ASKED, ASKED]
    assert (made["id"].to_pylist(), made["reward"].type, made["info"].to_pylist()) == (
        [0, 1],
        pa.float64(),
        ['{"k": 0}', '{"k": 1}'],
    )


def test_a_layout_names_the_columns(here: Path) -> None:
    rows = [{"prompt": ASKED[1:], "completion": [ANSWER], "reward": 1.5, "answer": "no"}] * 2
    pq.write_table(pa.Table.from_pylist(rows), "a.parquet")
    assert run("convert", "a.parquet", "--layout", "verifiers", "--to", "gemini", "-o", "b.parquet", "-q")[0] == 0
    made = pq.read_table("b.parquet").to_pylist()[1]
    assert (made["reward"], made["answer"], made["systemInstruction"]) == (1.5, "no", None)
    assert json.loads(made["completion"]) == [{"role": "model", "parts": [{"text": "No."}]}]
    assert (
        run("convert", "b.parquet", "--layout", "verifiers", "--from", "gemini", "--to", "openai_chat", "-q", "-o", "c.jsonl")[
            0
        ]
        == 0
    )
    row = json.loads((here / "c.jsonl").read_text("utf-8").splitlines()[0])
    assert json.loads(row["prompt"])[0]["content"] == [{"type": "text", "text": "Is it warm?"}]
    assert [message["role"] for message in json.loads(row["completion"])] == ["assistant"]


def test_a_column_that_has_become_another_is_gone(here: Path) -> None:
    pq.write_table(pa.Table.from_pylist([{"messages": ASKED[1:], "parallel_tool_calls": True, "n": 1}]), "a.parquet")
    assert run("convert", "a.parquet", "--layout", "openai_finetuning", "--to", "gemini", "-o", "b.parquet", "-q")[0] == 0
    made: Any = pq.read_table("b.parquet")
    assert made.schema.names == ["n", "contents", "systemInstruction"]


def test_documents_that_are_no_rows_become_one_column(here: Path) -> None:
    (here / "a.jsonl").write_text(f"{json.dumps({'messages': ASKED, 'model': 'm'})}\n{json.dumps(ASKED)}\n", "utf-8")
    assert run("convert", "a.jsonl", *CHAT, "-o", "b.parquet", "--losses", "losses.parquet", "-q")[0] == 0
    made: Any = pq.read_table("b.parquet")
    assert made.schema.names == ["payload"]
    assert [json.loads(value).get("model") for value in made["payload"].to_pylist()] == ["m", None]
    assert run("validate", "b.parquet", "--column", "payload", "--from", "anthropic")[0] == 0
    assert pq.read_table("losses.parquet").num_rows == 0


def test_duplicates_are_left_out_and_rows_keep_their_types(here: Path) -> None:
    given = table(MESSAGES, [ASKED, ASKED, ASKED[1:]])
    pq.write_table(given, "a.parquet")
    status, _, said = run("dedupe", "a.parquet", "--from", "openai_chat", "--column", "messages", "-o", "b.parquet")
    assert status == 0, said
    assert pq.read_table("b.parquet").equals(given.take([0, 2]))


def test_an_empty_file_stays_empty(here: Path) -> None:
    pq.write_table(table(MESSAGES, []), "a.parquet")
    assert run("convert", "a.parquet", "--column", "messages", *CHAT, "-o", "b.parquet", "-q")[0] == 0
    made = pq.read_table("b.parquet")
    assert (made.num_rows, made.schema.names, made.schema.field("at")) == (0, [*OTHERS.names, "messages"], OTHERS.field("at"))
    assert made.schema.field("messages").type == pa.string()


def test_a_row_whose_text_is_not_utf_8_fails_alone(here: Path) -> None:
    texts = [json.dumps(ASKED).encode(), b'[{"role": "user", "content": "\xff"}]', json.dumps(ASKED[1:]).encode()]
    pq.write_table(pa.table({"messages": pa.array(texts, pa.binary()).view(pa.string())}), "a.parquet")
    status, _, said = run("dedupe", "a.parquet", "--column", "messages", "--from", "openai_chat", "-o", "b.parquet")
    assert (status, "2 kept, 0 duplicates left out, 1 failed" in said, "a.parquet:2: " in said) == (1, True, True)
    assert [value.as_py().encode() for value in pq.read_table("b.parquet")["messages"]] == texts[::2]


@pytest.mark.skipif(not hasattr(pa, "json_"), reason="pyarrow 19 has the type arrow.json")
def test_columns_of_the_type_json_are_text_that_stays_as_it_is(here: Path) -> None:
    def column(*texts: str | None) -> Any:
        return pa.ExtensionArray.from_storage(pa.json_(), pa.array(texts, pa.string()))

    given = pa.table({"messages": column(json.dumps(ASKED), "[7]"), "meta": column('{"a" : 1.0}', None)})
    pq.write_table(given, "a.parquet")
    asked = ["--column", "messages", "--from", "openai_chat", "-q", "-o", "b.parquet"]
    assert run("dedupe", "a.parquet", *asked)[0] == 1
    assert pq.read_table("b.parquet").equals(given.slice(0, 1))
    assert run("convert", "a.parquet", *asked, "--to", "anthropic")[0] == 1
    made: Any = pq.read_table("b.parquet")
    assert (json.loads(made["messages"][0].as_py()), made["meta"][0].as_py()) == (CONVERTED, '{"a" : 1.0}')


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["broken.parquet", "-o", "b.jsonl"], "cannot read broken.parquet: the file is damaged or truncated"),
        (["broken.parquet", "-o", "b.parquet"], "cannot read broken.parquet: the file is damaged or truncated"),
        (["twice.parquet", "-o", "b.parquet"], "the columns of twice.parquet must have different names"),
        (["bytes.parquet", "-o", "b.jsonl"], "the column data has values of type binary, which JSON does not have"),
        (["a.parquet", "-o", "b.parquet", "--resume"], "a Parquet file cannot be continued: leave out --resume"),
        (["mixed.jsonl", "-o", "b.parquet"], "b.parquet: a value of the column n must be a int64, as in the rows before"),
        (["new.jsonl", "-o", "b.parquet"], "b.parquet: a row has a column 'x', which the first 10,000 do not have"),
    ],
)
def test_what_cannot_be_is_one_clear_line(
    here: Path, argv: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from interlingua.cli import main, parquet

    pq.write_table(table(MESSAGES, [ASKED]), "a.parquet")
    pq.write_table(pa.table({"messages": pa.array([ASKED], MESSAGES), "data": [b"x"]}), "bytes.parquet")
    twice = pa.Table.from_arrays([pa.array([ASKED], MESSAGES), pa.array([1]), pa.array([2])], ["messages", "n", "n"])
    pq.write_table(twice, "twice.parquet")
    (here / "broken.parquet").write_bytes((here / "a.parquet").read_bytes()[:-9])
    monkeypatch.setattr(parquet, "_ROWS", 1) if "mixed" in argv[0] else None
    one = json.dumps({"messages": ASKED, "n": 1})
    (here / "mixed.jsonl").write_text(f"{one}\n{json.dumps({'messages': ASKED, 'n': 'x'})}\n", "utf-8")
    with (here / "new.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(f"{one}\n" for _ in range(10_000 if "new" in argv[0] else 1))
        file.write(json.dumps({"messages": ASKED, "n": 1, "x": 1}) + "\n")
    assert main(["convert", *argv, "--column", "messages", *CHAT, "-q"]) in (1, 2)
    assert said in capsys.readouterr().err
    assert not list(here.glob("*.parquet.part*"))


@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_parquet_file_leaves_nothing_behind(here: Path) -> None:
    pq.write_table(table(MESSAGES, [ASKED] * 40_000), "a.parquet")
    argv = [*COMMAND, "convert", "a.parquet", "--column", "messages", *CHAT, "-o", "b.parquet"]
    with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True) as process:
        wait_until((here / "b.parquet.part").exists, process)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[1]
    assert (process.returncode, said.startswith("interlingua: interrupted after "), len(said.splitlines())) == (130, True, 1)
    assert [path.name for path in here.iterdir()] == ["a.parquet"]


@pytest.mark.parametrize(("moment", "jobs"), [("perform", "1"), ("_table", "1"), ("wait", "2")])
def test_an_interrupt_waits_where_others_would_take_it_for_their_error(
    here: Path, moment: str, jobs: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*args: Any) -> Any:
        try:
            signal.raise_signal(signal.SIGINT)
        except BaseException as error:
            raise RuntimeError("as pydantic says of a schema that it builds") from error
        return real(*args)

    pq.write_table(table(MESSAGES, [ASKED]), "a.parquet")
    real = getattr(cli_run, moment)
    monkeypatch.setattr(cli_run, moment, interrupted)
    before = signal.getsignal(signal.SIGINT)
    try:
        assert main(["convert", "a.parquet", *CHAT, "--column", "messages", "--jobs", jobs, "-o", "b.parquet"]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().err == "interlingua: interrupted after 0 documents\n"
    assert [path.name for path in here.iterdir()] == ["a.parquet"]


@pytest.mark.scale
@pytest.mark.deep
def test_memory_does_not_grow_with_a_parquet_file(here: Path, scale: int, record_property: Any) -> None:
    """100,000 rows at `--scale 20`."""
    peaks: list[int] = []
    for count in (1000, 5000 * scale):
        with pq.ParquetWriter("a.parquet", table(MESSAGES, []).schema) as writer:
            for _ in range(count // 1000):
                writer.write_table(table(MESSAGES, [ASKED] * 1000))
        measure = "import resource, subprocess, sys; print(subprocess.run(sys.argv[1:]).returncode);"
        measure += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        command = [*COMMAND, "convert", "a.parquet", "--column", "messages", *CHAT, "-q", "-o", "b.parquet"]
        done = subprocess.run([sys.executable, "-c", measure, *command], check=True, capture_output=True, text=True)
        status, peak = map(int, done.stdout.split())
        assert (status, pq.read_metadata("b.parquet").num_rows) == (0, count)
        peaks.append(peak // 1024)
    record_property("peak of memory in MB (Parquet)", peaks[1])
    assert peaks[1] < peaks[0] + 150


ODD = [float("nan"), float("inf"), float("-inf"), 0.5, None]
FLOATING: list[tuple[str, Any]] = [
    ("messages", pa.string()),
    ("score", pa.float64()),
    ("reward", pa.float32()),
    ("scores", pa.list_(pa.float64())),
    ("info", pa.struct([("score", pa.float64()), ("name", pa.string())])),
]
FLOATS = pa.schema(FLOATING)


def test_numbers_that_json_has_no_words_for_are_text_and_come_back(here: Path) -> None:
    rows = [
        {
            "messages": json.dumps(ASKED),
            "score": number,
            "reward": number,
            "scores": [number, 1.0],
            "info": {"score": number, "name": "NaN"},
        }
        for number in ODD
    ]
    pq.write_table(pa.Table.from_pylist(rows, FLOATS), here / "a.parquet")
    assert main(["convert", "a.parquet", "--column", "messages", *CHAT, "-q", "-o", "out.jsonl"]) == 0
    said = [json.loads(line, parse_constant=pytest.fail) for line in (here / "out.jsonl").read_text("utf-8").splitlines()]
    assert [row["score"] for row in said] == ["NaN", "Infinity", "-Infinity", 0.5, None]
    assert [row["scores"][0] for row in said] == [row["score"] for row in said]
    assert main(["convert", "a.parquet", "--column", "messages", *CHAT, "-q", "-o", "out.parquet"]) == 0
    again = pq.read_table(here / "out.parquet")
    for name in ("score", "reward", "scores", "info"):
        assert again.schema.field(name).type == FLOATS.field(name).type
        assert repr(again.column(name).to_pylist()) == repr([row[name] for row in rows])
