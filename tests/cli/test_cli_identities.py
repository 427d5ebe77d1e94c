"""`interlingua dedupe` and `split`: rows compared by what they say."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import zstandard

import interlingua as il
from interlingua.cli import main
from interlingua.cli.identities import Seen

# They have no types.
pa: Any = import_module("pyarrow")
parquet: Any = import_module("pyarrow.parquet")

QUESTIONS = 40


def turn(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": text}


def chat(question: int, answer: str = "No.") -> dict[str, Any]:
    return {"messages": [turn("user", f"Question {question}"), turn("assistant", answer)]}


def respelt(question: int) -> dict[str, Any]:
    """The same conversation in Anthropic's format, with what is not said."""
    said = {"type": "text", "text": f"Question {question}", "cache_control": {"type": "ephemeral"}}
    return {
        "messages": [turn("assistant", "No.") if i else {"role": "user", "content": [said]} for i in range(2)],
        "system": [],
    }


def write(name: str, rows: Iterable[object]) -> str:
    Path(name).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return name


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in Path(name).read_text("utf-8").splitlines()]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# Duplicates


def test_the_first_of_each_kind_is_kept_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        '{"id" : 7,"messages":[{"content":"é", "role":"user"}]}',
        '{"messages":[{"role":"user","content":"\\u00e9"}]}',
        '{"messages":[]}',
    ]
    Path("rows.jsonl").write_text("\ufeff" + "\r\n".join(rows), "utf-8")
    assert main(["dedupe", "rows.jsonl", "--from", "openai_chat", "--duplicates", "others.jsonl"]) == 0
    printed = capsys.readouterr()
    assert (printed.out.splitlines(), printed.err) == ([rows[0], rows[2]], "2 kept, 1 duplicate left out, 0 failed\n")
    assert Path("others.jsonl").read_text("utf-8") == rows[1] + "\n"


def test_the_same_in_another_format_is_a_duplicate(capsys: pytest.CaptureFixture[str]) -> None:
    mixed = [row for number in range(5) for row in (chat(number), respelt(number))]
    write("rows.jsonl", [*mixed, {"messages": 5}, chat(9)])
    assert main(["dedupe", "rows.jsonl", "--out", "kept.jsonl", "--errors", "errors.jsonl"]) == 1
    assert lines("kept.jsonl") == [*(chat(number) for number in range(5)), chat(9)]
    assert capsys.readouterr().err.splitlines()[-1] == "6 kept, 5 duplicates left out, 1 failed"
    assert [(fault["line"], fault["path"]) for fault in lines("errors.jsonl")] == [(11, "/messages")]


def test_a_conversation_is_the_same_in_every_format_that_is_found_out() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a": 1.0}'}}
    said = [turn("system", "Be brief."), turn("user", "a"), {"role": "assistant", "content": None, "tool_calls": [call]}]
    said += [{"role": "tool", "tool_call_id": "c", "content": '{"b": 1}'}, turn("assistant", "c")]
    # The bytes of boto3 are no JSON, and DeepSeek gets a stand-in for reasoning, which is reasoning where it is read as Chat.
    formats = [format for name, format in il.FORMATS.items() if name not in ("bedrock_boto3", "deepseek")]
    found = [il.convert(said, source="openai_chat", target=format) for format in formats]
    exact = [made.payload for made in found if all(loss.kind != "dropped" for loss in made.losses)]
    kept = [payload for payload in exact if "prompt" not in payload]
    write("rows.jsonl", kept)
    assert main(["dedupe", "rows.jsonl", "--out", "kept.jsonl"]) == 0
    assert lines("kept.jsonl") == kept[:1]
    conversations = [format for format in formats if format.listed != "prompt"]
    assert len(kept) == len(conversations) - 1  # Alpaca's rows have no results


def test_two_processes_keep_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    write("rows.jsonl", [chat(number * 7 % QUESTIONS) for number in range(10 * QUESTIONS)])
    for jobs in ("1", "2"):
        assert main(["dedupe", "rows.jsonl", "--from", "openai_chat", "--jobs", jobs, "--out", f"{jobs}.jsonl.gz"]) == 0
    kept, *others = (gzip.decompress(Path(f"{jobs}.jsonl.gz").read_bytes()).splitlines() for jobs in ("1", "2"))
    assert others == [kept]
    assert [json.loads(line) for line in kept] == [chat(number * 7 % QUESTIONS) for number in range(QUESTIONS)]
    assert capsys.readouterr().err == f"{QUESTIONS} kept, {9 * QUESTIONS} duplicates left out, 0 failed\n" * 2


def test_columns_are_one_conversation(capsys: pytest.CaptureFixture[str]) -> None:
    question, text = [turn("user", "a")], json.dumps([turn("assistant", "b")])
    rows: list[dict[str, Any]] = [
        {"p": question, "c": [turn("assistant", "b")]},
        {"p": question, "c": text, "n": 1},
        {"p": [turn("user", "z")], "c": text},
        {"p": []},
    ]
    write("rows.jsonl", rows)
    assert main(["dedupe", "rows.jsonl", "--from", "openai_chat", "--column", "p", "--column", "c"]) == 1
    printed = capsys.readouterr()
    assert [json.loads(line) for line in printed.out.splitlines()] == [rows[0], rows[2]]
    assert printed.err.splitlines()[0] == "rows.jsonl:4: /c: the row must have this column"


def test_rows_of_datasets_and_of_batches_are_what_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    question, yes, no = [turn("user", "a")], [turn("assistant", "Yes.")], [turn("assistant", "No.")]
    answer = {"object": "chat.completion", "choices": [{"index": 0, "message": yes[0], "finish_reason": "stop"}]}
    rows: list[dict[str, Any]] = [
        {"messages": [*question, *yes]},
        {"prompt": question, "chosen": yes, "rejected": no},
        {"prompt": question, "chosen": no, "rejected": yes},
        {"custom_id": "1", "response": {"status_code": 200, "body": answer}, "error": None},
        {"custom_id": "2", "response": None, "error": {"code": "x", "message": "y"}},
        {"custom_id": "3", "response": None, "error": {"code": "x", "message": "y"}},
    ]
    same: list[dict[str, Any]] = [
        {"prompt": question, "completion": yes},
        {"prompt": [{"role": "user", "content": [{"type": "text", "text": "a"}]}], "chosen": yes, "rejected": no, "n": 1},
        {"custom_id": "4", "response": {"status_code": 200, "body": answer | {"id": "4"}}, "error": None},
    ]
    write("rows.jsonl", [*rows, *same, rows[-1]])
    assert main(["dedupe", "rows.jsonl", "--out", "kept.jsonl"]) == 0
    assert lines("kept.jsonl") == rows
    assert capsys.readouterr().err.splitlines()[-1] == "6 kept, 4 duplicates left out, 0 failed"


def test_rows_of_text_are_not_compared_by_their_prompts_alone(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"prompt": "a", "completion": "b"}, {"prompt": "a", "completion": "c"}, {"prompt": "a", "completion": "c"}]
    write("rows.jsonl", rows)
    assert main(["dedupe", "rows.jsonl", "--out", "kept.jsonl"]) == 1
    assert "it does not look like a request in a known format" in capsys.readouterr().err
    assert main(["dedupe", "rows.jsonl", "--layout", "trl_completion", "--out", "kept.jsonl"]) == 0
    assert lines("kept.jsonl") == rows[:2]


def test_whole_files_and_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.json", "b.json"):
        Path(name).write_text(json.dumps(chat(1), indent=2), "utf-8")
    assert main(["dedupe", "a.json", "b.json", "--from", "openai_chat"]) == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == (json.dumps(chat(1)) + "\n", "1 kept, 1 duplicate left out, 0 failed\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((json.dumps(chat(1)) + "\n").encode() * 3)))
    assert main(["dedupe", "-", "--from", "openai_chat", "-q"]) == 0
    assert capsys.readouterr().out == json.dumps(chat(1)) + "\n"


def test_what_was_seen_takes_little_memory() -> None:
    seen, count = Seen(), 20_000
    assert all(seen.add(f"il1:{number}") for number in range(count))
    assert not any(seen.add(f"il1:{number}") for number in range(count))
    assert 24 <= seen.size / count <= 48


# Splits


def side_of(row: dict[str, Any], seed: str, train: float, validation: float) -> str:
    """What the documents say."""
    data = f"{seed}:{il.fingerprint(il.load(row, 'openai_chat'))}".encode()
    number = int.from_bytes(hashlib.sha256(data).digest()[:8], "big") / 2**64
    return "train" if number < train else "validation" if number < train + validation else "test"


def split(*options: str) -> dict[str, list[Any]]:
    assert main(["split", "rows.jsonl", "--from", "openai_chat", "-q", *options]) == 0
    return {name: lines(f"{name}.jsonl") for name in ("train", "validation", "test") if Path(f"{name}.jsonl").exists()}


def test_the_sides_are_those_that_the_documents_say() -> None:
    rows = [chat(number) for number in range(400)]
    write("rows.jsonl", rows)
    for seed in ("", "é"):
        sides = split("--train", "0.7", "--validation", "0.2", "--seed", seed)
        assert sides == {name: [row for row in rows if side_of(row, seed, 0.7, 0.2) == name] for name in sides}
        assert [round(len(found) / 400, 1) for found in sides.values()] == [0.7, 0.2, 0.1]
    assert (
        split("--train", "0.7", "--validation", "0.2")["test"]
        != split("--train", "0.7", "--validation", "0.2", "--seed", "1")["test"]
    )


def test_the_same_conversation_is_on_one_side_and_stays_there() -> None:
    write("rows.jsonl", [chat(number) for number in range(QUESTIONS)])
    before = split("--train", "0.5")
    write(
        "rows.jsonl",
        [row for number in reversed(range(2 * QUESTIONS)) for row in (chat(number), chat(number), respelt(number))],
    )
    after = {
        name: {row["messages"][0]["content"] for row in found if "system" not in row}
        for name, found in split("--train", "0.5").items()
    }
    assert after["train"] & after["test"] == set()
    for name, found in before.items():
        assert {row["messages"][0]["content"] for row in found} <= after[name]
        said = [
            il.fingerprint(il.load(row, "anthropic" if "system" in row else "openai_chat")) for row in lines(f"{name}.jsonl")
        ]
        assert all(said.count(each) == 3 for each in said)


def test_answers_to_one_prompt_are_on_one_side() -> None:
    write("rows.jsonl", [chat(number, answer) for number in range(QUESTIONS) for answer in ("Yes.", "No.", "")])
    for by, together in (("prompt", True), ("fingerprint", False)):
        sides = [{row["messages"][0]["content"] for row in found} for found in split("--train", "0.5", "--by", by).values()]
        assert sides[0].isdisjoint(sides[1]) == together


def test_files_are_compressed_by_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    write("rows.jsonl", [chat(number) for number in range(QUESTIONS)])
    Path("sides").mkdir()
    for jobs in ("1", "2"):
        assert main(["split", "rows.jsonl", "--train", "1", "--out", f"sides/{{}}.{jobs}.jsonl.zst", "--jobs", jobs]) == 0
    assert sorted(path.name for path in Path("sides").iterdir()) == ["train.1.jsonl.zst", "train.2.jsonl.zst"]
    with Path("sides/train.2.jsonl.zst").open("rb") as file:
        text = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True).read()
    assert text == Path("rows.jsonl").read_bytes()
    assert capsys.readouterr().err.splitlines()[-1] == "40 to train, 0 failed"


def test_rows_of_parquet_keep_their_types() -> None:
    table = pa.Table.from_pylist([{"n": number, "messages": chat(number % 3)["messages"]} for number in range(9)])
    parquet.write_table(table, "rows.parquet")
    options = ["--from", "openai_chat", "--column", "messages", "-q"]
    assert main(["dedupe", "rows.parquet", *options, "--out", "kept.parquet"]) == 0
    assert parquet.read_table("kept.parquet").equals(table.slice(0, 3))
    assert main(["split", "rows.parquet", *options, "--train", "0.5", "--out", "{}.parquet"]) == 0
    sides = [parquet.read_table(f"{side}.parquet") for side in ("train", "test")]
    assert pa.concat_tables(sides).sort_by("n").equals(table)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--out", "a.jsonl"], "--out must have {}, which stands for train, validation or test"),
        (["--train", "0.9", "--validation", "0.2"], "--train and --validation must be at most 1 together"),
        (["--errors", "test.jsonl"], "two outputs cannot go to one file: test.jsonl"),
        (["--train", "1.5"], "Invalid value for '--train'"),
        (["--train", "nan"], "--train and --validation must be at most 1 together"),
    ],
)
def test_wrong_use(options: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    write("rows.jsonl", [chat(1)])
    assert main(["split", "rows.jsonl", *options]) == 2
    assert said in capsys.readouterr().err
    assert sorted(path.name for path in Path().iterdir()) == ["rows.jsonl"]


def test_a_row_of_no_known_format_is_told_what_it_looks_like(capsys: pytest.CaptureFixture[str]) -> None:
    write("rows.jsonl", [{"model": "m", "messages": [{"type": "human", "content": "hi"}]}])
    assert main(["convert", "--from", "auto", "--to", "anthropic", "rows.jsonl", "--out", "out.jsonl"]) == 1
    assert "it looks like a request of LangChain" in capsys.readouterr().err
