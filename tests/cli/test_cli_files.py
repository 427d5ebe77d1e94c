"""The command over many documents: any number of them in little memory, in several processes, interrupted and resumed."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard

import interlingua as il
from cli.waiting import is_written, wait_until
from interlingua.cli import main
from interlingua.cli.output import Part

COMMAND = [sys.executable, "-m", "interlingua"]
CONVERT = ["--from", "openai_chat", "--to", "anthropic"]


def row(number: int) -> dict[str, Any]:
    message = {"role": "user", "content": f"Question {number}"} | ({"name": "mira"} if number % 3 == 0 else {})
    return {"model": "m", "messages": [message] if number % 50 else [{"role": "user", "content": number}]}


def rows(count: int) -> Iterator[str]:
    return (json.dumps(row(number)) + "\n" for number in range(count))


def expected(count: int) -> list[Any]:
    made = (row(number) for number in range(count) if number % 50)
    return [il.convert(each, source="openai_chat", target="anthropic").payload for each in made]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lines_of(file: Path) -> list[Any]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def run(*argv: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *argv], capture_output=True, text=True, check=False)


# Files


def test_compressed_files_in_and_out(here: Path) -> None:
    text = "".join(rows(10)).encode()
    (here / "a.jsonl.gz").write_bytes(gzip.compress(text[:200]) + gzip.compress(text[200:]))
    (here / "b.jsonl.zst").write_bytes(zstandard.compress(text))
    for source in ("a.jsonl.gz", "b.jsonl.zst"):
        assert main(["convert", source, *CONVERT, "-q", "-o", "out.jsonl.gz"]) == 1
        assert [json.loads(line) for line in gzip.decompress((here / "out.jsonl.gz").read_bytes()).splitlines()] == expected(10)
        assert main(["convert", source, *CONVERT, "-q", "-o", "out.jsonl.zst"]) == 1
        with (here / "out.jsonl.zst").open("rb") as file:
            unpacked = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True).read()
        assert [json.loads(line) for line in unpacked.splitlines()] == expected(10)


def test_several_files_and_patterns_are_one_after_another(here: Path) -> None:
    for name, part in (("b", [3, 4]), ("a", [1, 2]), ("c", [5])):
        (here / f"{name}.jsonl").write_text("".join(json.dumps(row(number)) + "\n" for number in part))
    assert main(["convert", "c.jsonl", "[ab].jsonl", *CONVERT, "-q", "-o", "out.jsonl"]) == 0
    asked = [each["messages"][0]["content"] for each in lines_of(here / "out.jsonl")]
    assert asked == [f"Question {number}" for number in (5, 1, 2, 3, 4)]


def test_a_pattern_without_a_file_is_wrong_use(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "nothing*.json"]) == 2
    assert capsys.readouterr().err == "interlingua: cannot read nothing*.json: No such file or directory\n"


@pytest.mark.parametrize("left", [9, 1000, -1])
@pytest.mark.parametrize(("name", "packed_by"), [("a.jsonl.gz", gzip.compress), ("a.jsonl.zst", zstandard.compress)])
def test_a_damaged_archive_is_one_line(
    here: Path, capsys: pytest.CaptureFixture[str], name: str, packed_by: Callable[[bytes], bytes], left: int
) -> None:
    text = "".join(rows(1000)).encode()
    packed = packed_by(text)
    (here / name).write_bytes(packed_by(text) + packed[:left])
    assert main(["validate", name, "--from", "openai_chat", "-q"]) == 1
    assert capsys.readouterr().err.splitlines() == [f"interlingua: cannot read {name}: the file is damaged or truncated"]


# Reports


def test_faults_and_losses_as_json_lines(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.jsonl").write_text("".join(json.dumps(row(number) | {"id": f"r{number}"}) + "\n" for number in (0, 1, 3)))
    options = ["-o", "out.jsonl", "--errors", "errors.jsonl", "--losses", "losses.jsonl"]
    assert main(["convert", "a.jsonl", *CONVERT, *options]) == 1
    [fault] = lines_of(here / "errors.jsonl")
    assert fault == {
        "where": "a.jsonl:1",
        "line": 1,
        "id": "r0",
        "path": "/messages/0/content",
        "reason": "Input should be text or a list of parts",
    }
    names = [(loss["line"], loss["id"], loss["kind"]) for loss in lines_of(here / "losses.jsonl") if "name" in loss["path"]]
    assert names == [(3, "r3", "dropped")]
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "2 converted, 1 failed"
    assert "1 × dropped /messages/*/name: Anthropic messages have no `name` field" in said


def test_an_empty_file_has_a_summary(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.jsonl").touch()
    assert main(["convert", "a.jsonl", *CONVERT]) == 0
    assert capsys.readouterr().err == "0 converted, 0 failed\n"


def test_quiet_says_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.jsonl").write_text("".join(rows(4)))
    assert main(["convert", "a.jsonl", *CONVERT, "-o", "out.jsonl", "--quiet"]) == 1
    assert capsys.readouterr() == ("", "")


# The package's own form, formats that are found out, and columns


def test_the_package_s_own_form_is_a_source_and_a_target(here: Path) -> None:
    (here / "a.jsonl").write_text("".join(rows(4)))
    assert main(["convert", "a.jsonl", "--from", "openai_chat", "--to", "interlingua", "-q", "-o", "own.jsonl"]) == 1
    assert [il.validate(each, il.Request).origin for each in lines_of(here / "own.jsonl")] == ["openai_chat"] * 3
    assert main(["convert", "own.jsonl", "--from", "interlingua", "--to", "openai_chat", "-q", "-o", "back.jsonl"]) == 0
    assert lines_of(here / "back.jsonl") == [row(1), row(2), row(3)]


@pytest.mark.parametrize(
    "payload",
    [
        {"messages": [{"role": "user", "content": "hi"}], "version": 1, "id": "7", "metadata": {}},
        [{"role": "user", "content": "hi"}],
        {"role": "user", "content": "hi"},
    ],
    ids=["conversation", "messages", "message"],
)
def test_conversations_and_messages_of_its_own(here: Path, payload: object) -> None:
    (here / "a.jsonl").write_text(json.dumps(payload) + "\n")
    assert main(["convert", "a.jsonl", "--from", "interlingua", "--to", "gemini", "-q", "-o", "out.jsonl", "--strict"]) == 0
    [made] = lines_of(here / "out.jsonl")
    assert made["contents"] == [{"role": "user", "parts": [{"text": "hi"}]}]


def test_auto_says_what_it_took_a_document_for(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.json").write_text(json.dumps({"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}))
    assert main(["convert", "a.json", "--from", "auto", "--to", "openai_chat"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {"messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]}
    assert captured.err == "a.json: detected as gemini\n"


def test_auto_takes_what_means_the_same_in_every_format(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.json").write_text(json.dumps({"model": "m", "messages": [{"role": "user", "content": "hi"}]}))
    assert main(["convert", "a.json", "--from", "auto", "--to", "gemini"]) == 0
    assert capsys.readouterr().err.splitlines()[0] == "a.json: detected as openai_chat"


def test_auto_refuses_what_would_mean_something_else(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.json").write_text("[1]")
    assert main(["convert", "a.json", "--from", "auto", "--to", "gemini"]) == 1
    assert "name its format with --from" in capsys.readouterr().err


def test_columns_of_a_dataset(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [{"role": "user", "content": "2 + 2?", "name": "mira"}]
    answer = [{"role": "assistant", "content": "4"}]
    (here / "a.jsonl").write_text(json.dumps({"prompt": asked, "completion": json.dumps(answer), "reward": 1.0}) + "\n")
    columns = ["--column", "prompt", "--column", "completion"]
    assert main(["convert", "a.jsonl", "--from", "verifiers", "--to", "gemini", *columns, "--losses", "losses.jsonl"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["prompt"]["contents"][0]["parts"] == [{"text": "2 + 2?"}]
    assert json.loads(made["completion"])["contents"][0]["role"] == "model"
    assert made["reward"] == 1.0
    assert [loss["path"] for loss in lines_of(here / "losses.jsonl")] == ["/prompt/0/name"]


def test_a_column_that_is_named_twice_is_converted_once(here: Path) -> None:
    (here / "a.jsonl").write_text(json.dumps({"x": [{"role": "user", "content": "hi"}]}))
    options = ["--column", "x", "--column", "x", "--from", "openai_chat", "--to", "gemini", "-q", "-o", "b.jsonl"]
    assert main(["convert", "a.jsonl", *options]) == 0
    assert lines_of(here / "b.jsonl") == [{"x": {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}}]


def test_a_row_without_the_column(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.jsonl").write_text('{"prompt": []}\n')
    assert main(["validate", "a.jsonl", "--from", "verifiers", "--column", "messages", "-q", "--errors", "e.jsonl"]) == 1
    assert [(each["path"], each["reason"]) for each in lines_of(here / "e.jsonl")] == [
        ("/messages", "the row must have this column")
    ]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "command",
    [
        ["convert", *CONVERT],
        ["validate"],
        ["validate", "--from", "openai_chat"],
        ["check", "--for", "anthropic", "--from", "openai_chat"],
    ],
    ids=" ".join,
)
def test_faults_in_a_column_have_its_path(here: Path, command: list[str]) -> None:
    (here / "a.jsonl").write_text('{"a/b": [{"role": "user", "content": 7}]}\n{"a/b": "no JSON"}\n')
    assert main([*command, "a.jsonl", "--column", "a/b", "-q", "--errors", "e.jsonl"]) == 1
    assert [each["path"] for each in lines_of(here / "e.jsonl")] == ["/a~1b/0/content", "/a~1b"]


def test_losses_and_problems_in_a_column_have_its_path(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.jsonl").write_text('{"a/b": [{"role": "user", "content": "hi", "name": "no name"}]}\n')
    for strict in ([], ["--strict"]):
        main(["convert", *CONVERT, *strict, "a.jsonl", "--column", "a/b", "-q", "--losses", "l.jsonl"])
        assert [each["path"] for each in lines_of(here / "l.jsonl")] == ["/a~1b/0/name"]
    capsys.readouterr()
    assert main(["check", "--for", "openai_chat", "a.jsonl", "--column", "a/b", "--json", "-q"]) == 1
    assert json.loads(capsys.readouterr().out)["path"] == "/a~1b/0/name"


def test_two_outputs_to_one_file_are_wrong_use(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.jsonl").write_text("".join(rows(60)))
    (here / "b.jsonl").write_text("kept")
    for outputs in (["-o", "b.jsonl", "--errors", "b.jsonl"], ["--errors", "./b.jsonl", "--losses", "b.jsonl"]):
        assert main(["convert", *CONVERT, "a.jsonl", *outputs]) == 2
        assert "cannot go to one file" in capsys.readouterr().err
    assert sorted(path.name for path in here.iterdir()) == ["a.jsonl", "b.jsonl"]
    assert (here / "b.jsonl").read_text() == "kept"


def test_a_pipe_or_a_device_is_written_to_and_not_replaced(here: Path) -> None:
    (here / "a.jsonl").write_text("".join(rows(60)))
    os.mkfifo("pipe")
    pipe = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert main(["convert", *CONVERT, "a.jsonl", "-q", "-o", "b.jsonl", "--errors", "pipe"]) == 1
    said = os.read(pipe, 100_000)
    os.close(pipe)
    assert [json.loads(line)["line"] for line in said.splitlines()] == [1, 51]
    assert (here / "pipe").is_fifo()
    assert lines_of(here / "b.jsonl") == expected(60)
    pipe = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert main(["show", "a.jsonl", "--line", "2", "-q", "--html", "pipe"]) == 0
    assert os.read(pipe, 100_000).startswith(b"<!")
    os.close(pipe)
    assert (here / "pipe").is_fifo()


@pytest.mark.parametrize(
    "argv",
    [
        ["convert", *CONVERT, "train.jsonl", "-o", "train.jsonl"],
        ["convert", *CONVERT, "train.jsonl", "-o", "b.jsonl", "--errors", "./train.jsonl"],
        ["convert", *CONVERT, "*.jsonl", "--losses", "train.jsonl"],
        ["convert", *CONVERT, "link", "--losses", "train.jsonl"],
        ["convert", *CONVERT, "train.jsonl.part", "-o", "train.jsonl"],
        ["dedupe", "train.jsonl", "--duplicates", "train.jsonl"],
        ["split", "train.jsonl"],
        ["show", "t*.jsonl", "--html", "train.jsonl"],
    ],
    ids=" ".join,
)
def test_what_is_read_is_not_overwritten(here: Path, capsys: pytest.CaptureFixture[str], argv: list[str]) -> None:
    for name in ("train.jsonl", "train.jsonl.part"):
        (here / name).write_text("".join(rows(3)))
    (here / "link").symlink_to("train.jsonl")
    assert main(argv) == 2
    assert "would overwrite" in capsys.readouterr().err
    assert sorted(path.name for path in here.iterdir()) == ["link", "train.jsonl", "train.jsonl.part"]
    assert (here / "train.jsonl.part").read_text() == (here / "train.jsonl").read_text() == "".join(rows(3))


def test_a_link_stays_a_link(here: Path) -> None:
    (here / "a.jsonl").write_text("".join(rows(60)))
    (here / "link").symlink_to("real.jsonl")
    assert main(["convert", *CONVERT, "a.jsonl", "-q", "-o", "link"]) == 1
    assert (here / "link").is_symlink()
    assert lines_of(here / "real.jsonl") == expected(60)
    assert main(["show", "a.jsonl", "-q", "--html", "link"]) == 1
    assert (here / "link").is_symlink()
    assert (here / "real.jsonl").read_text("utf-8").startswith("<!")


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["--errors", "/dev/null", "--losses", "/dev/null", "-q"], 0, ""),
        (["-o", "-"], 2, "interlingua: - is not a file: leave out --out for standard output, or write /dev/stdout\n"),
        (["--errors", "no/b"], 2, "interlingua: no/b.part: No such file or directory\n"),
        (["-o", "."], 2, "interlingua: .: Is a directory\n"),
    ],
)
def test_outputs_of_unusual_names(
    here: Path, capsys: pytest.CaptureFixture[str], options: list[str], status: int, said: str
) -> None:
    (here / "a.jsonl").write_text(json.dumps(row(1)))
    assert main(["convert", *CONVERT, "a.jsonl", *options]) == status
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_errors(here: Path, closed: str) -> None:
    (here / "a.jsonl").write_text("".join(rows(60)))
    (here / "run.sh").write_text(f'"$@" {closed}\n')
    for options in (["a.jsonl"], ["-", "-q"], ["a.jsonl", "-o", "b.jsonl", "-q"]):
        done = subprocess.run(
            ["/bin/sh", "run.sh", *COMMAND, "convert", *options, *CONVERT], capture_output=True, text=True, check=False
        )
        assert done.returncode == 1  # there are faults
        assert "Traceback" not in done.stderr
    assert lines_of(here / "b.jsonl") == expected(60)


@pytest.mark.parametrize("command", [["check", "--for", "openai_chat"], ["validate", "--from", "openai_chat"]])
def test_what_the_terminal_has_no_letters_for_is_escaped(here: Path, command: list[str]) -> None:
    (here / "\u20ac.jsonl").write_text(json.dumps({"messages": [{"role": "user", "content": "a", "name": "\u20ac b"}]}))
    done = subprocess.run(
        [*COMMAND, *command, "\u20ac.jsonl"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert "1 valid, 0 failed" in done.stderr or "0 passed, 1 failed" in done.stderr
    assert "\\u20ac" in done.stdout


def test_bytes_have_no_place_in_json(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}
    (here / "a.json").write_text(json.dumps({"model": "m", "messages": [{"role": "user", "content": [image]}]}))
    assert main(["convert", "a.json", "--from", "openai_chat", "--to", "bedrock_boto3"]) == 1
    assert capsys.readouterr().err == "a.json: (the whole): the format has bytes, which JSON cannot hold\n"


def test_detect_and_formats_are_for_programs_too(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.json").write_text(json.dumps({"contents": [{"parts": [{"text": "hi"}]}]}))
    assert main(["detect", "a.json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["where"], said["candidates"][0]["format"]) == ("a.json", "gemini")
    (here / "b.jsonl").write_text('{"contents": [{"parts": []}]}\n{"contents"\n{}\n')
    assert main(["detect", "b.jsonl"]) == 1
    first, broken, empty = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["candidates"][0]["format"], broken["where"], broken["candidates"]) == ("gemini", "b.jsonl:2", [])
    assert broken["errors"][0]["reason"].startswith("not JSON: ")
    assert empty == {"where": "b.jsonl:3", "candidates": []}
    assert main(["formats", "--json"]) == 0
    assert [each["name"] for each in json.loads(capsys.readouterr().out)] == list(il.FORMATS)
    assert main(["--version"]) == 0
    assert il.__version__ in capsys.readouterr().out


# Several processes, interruption


def test_several_processes_give_the_same_output(here: Path) -> None:
    (here / "a.jsonl").write_text("".join(rows(2000)))
    for jobs in ("1", "2"):
        options = ["--jobs", jobs, "-o", f"out{jobs}.jsonl", "--errors", f"errors{jobs}", "--losses", f"losses{jobs}", "-q"]
        assert run("convert", "a.jsonl", *CONVERT, *options).returncode == 1
    assert (here / "out1.jsonl").read_bytes() == (here / "out2.jsonl").read_bytes()
    assert (here / "errors1").read_bytes() == (here / "errors2").read_bytes()
    assert (here / "losses1").read_bytes() == (here / "losses2").read_bytes()
    assert len((here / "out1.jsonl").read_text().splitlines()) == 1960


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(("jobs", "suffix"), [("1", ".gz"), ("2", "")])
def test_an_interrupted_run_is_resumed_without_loss_or_repetition(here: Path, jobs: str, suffix: str) -> None:
    count = 15_000
    (here / "a.jsonl").write_text("".join(rows(count)))
    out = f"out.jsonl{suffix}"
    argv = ["convert", "a.jsonl", *CONVERT, "--jobs", jobs, "-o", out, "--losses", "losses.jsonl", "--errors", "errors.jsonl"]
    with subprocess.Popen([*COMMAND, *argv], stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: is_written(here / "losses.jsonl.part"), process)
        while process.poll() is None:  # as impatient people do
            process.send_signal(signal.SIGINT)
            time.sleep(0.001)
        assert process.stderr is not None
        said = process.stderr.read().splitlines()
        assert (process.wait(), len(said)) == (130, 1)
    assert said[0].startswith("interlingua: interrupted after ")
    assert said[0].endswith("; the same command with --resume continues")
    assert not (here / out).exists()
    done = run(*argv, "--resume")
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == "14,700 converted, 300 failed"
    data = (here / out).read_bytes()
    text = gzip.decompress(data) if suffix else data
    asked = [json.loads(line)["messages"][0]["content"] for line in text.splitlines()]
    assert asked == [f"Question {number}" for number in range(count) if number % 50]
    assert [loss["line"] for loss in lines_of(here / "losses.jsonl") if "name" in loss["path"]] == [
        number + 1 for number in range(count) if number % 3 == 0 and number % 50
    ]
    assert len(lines_of(here / "errors.jsonl")) == 300
    assert sorted(file.name for file in here.iterdir()) == sorted(["a.jsonl", "errors.jsonl", "losses.jsonl", out])


def test_another_run_is_not_resumed(here: Path) -> None:
    (here / "a.jsonl").write_text("".join(rows(10)))
    (here / "out.jsonl.part.json").write_text('{"run": {}, "state": {}}')
    done = run("convert", "a.jsonl", *CONVERT, "-o", "out.jsonl", "--resume")
    assert (done.returncode, done.stderr) == (
        2,
        "interlingua: the interrupted run had different files or options: repeat its command with --resume\n",
    )


def test_a_run_over_another_input_is_not_resumed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = gzip.compress("".join(rows(1000)).encode())
    argv = ["convert", *CONVERT, "a.jsonl.gz", "-o", "b.jsonl", "--errors", "errors.jsonl"]
    (here / "a.jsonl.gz").write_bytes(packed[:-9])
    assert main(argv) == 1
    (here / "a.jsonl.gz").write_bytes(gzip.compress("".join(rows(1000)).upper().encode())[:9] + packed[9:-9])
    capsys.readouterr()
    assert main([*argv, "--resume"]) == 2
    assert (
        capsys.readouterr().err
        == "interlingua: the interrupted run had different files or options: repeat its command with --resume\n"
    )


@pytest.mark.parametrize("state", ["", "{", "[]", "{}"])
def test_a_damaged_state_is_not_resumed(here: Path, capsys: pytest.CaptureFixture[str], state: str) -> None:
    (here / "a.jsonl").write_text("".join(rows(3)))
    (here / "b.jsonl.part.json").write_text(state)
    assert main(["convert", *CONVERT, "a.jsonl", "-o", "b.jsonl", "--resume"]) == 2
    assert capsys.readouterr().err == "interlingua: b.jsonl.part.json is damaged\n"


def test_an_output_that_was_cut_is_not_filled_with_zeros(here: Path) -> None:
    (here / "b.jsonl.part").write_text("{")
    with pytest.raises(ValueError, match="has become shorter"):
        Part("b.jsonl", 100)


def test_a_slow_pipe_is_answered_line_by_line() -> None:
    with subprocess.Popen(
        [*COMMAND, "convert", "-", *CONVERT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in (1, 2):
            process.stdin.write(json.dumps(row(number)) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["messages"][0]["content"] == f"Question {number}"
        process.stdin.close()
        assert process.wait() == 0


def test_progress_is_shown_on_a_terminal_alone(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    (here / "a.jsonl").write_text("".join(rows(100)))
    for terminal, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", terminal)
        main(["convert", "a.jsonl", *CONVERT, "-o", "out.jsonl"])
        assert ("done, " in terminal.getvalue()) is shown


@pytest.mark.scale
@pytest.mark.deep
def test_memory_does_not_grow_with_the_file(here: Path, scale: int, record_property: Any) -> None:
    """2 GB at `--scale 400`."""
    size = 5_000_000 * scale
    block = "".join(rows(2000))
    with (here / "a.jsonl").open("w") as file:
        for _ in range(size // len(block)):
            file.write(block)
    began = time.monotonic()
    measure = "import resource, subprocess, sys; print(subprocess.run(sys.argv[1:]).returncode);"
    measure += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    command = [*COMMAND, "convert", "a.jsonl", *CONVERT, "-q", "-o", "out.jsonl"]
    done = subprocess.run([sys.executable, "-c", measure, *command], check=True, capture_output=True, text=True)
    status, peak = map(int, done.stdout.split())
    record_property("bytes a second", round(size / (time.monotonic() - began)))
    record_property("peak of memory in MB", peak // 1024)
    assert (status, peak < 300 * 1024) == (1, True)


# What the system refuses


@pytest.mark.parametrize(
    "argv",
    [
        ["convert", "in.jsonl", *CONVERT, "--out", "loop"],
        ["convert", "in.jsonl", *CONVERT, "--out", "loop/out.jsonl"],
        ["convert", "in.jsonl", *CONVERT, "--out", "loop.parquet"],
        ["convert", "in.jsonl", *CONVERT, "--errors", "loop"],
        ["convert", "in.jsonl", *CONVERT, "--losses", "loop"],
        ["convert", "loop", *CONVERT],
        ["dedupe", "in.jsonl", "--out", "loop"],
        ["dedupe", "in.jsonl", "--duplicates", "loop"],
        ["split", "in.jsonl", "--out", "loop/{}"],
        ["show", "in.jsonl", "--html", "loop"],
        ["show", "loop"],
        ["diff", "in.jsonl", "in.jsonl", "--html", "loop"],
        ["schema", "loop/x"],
    ],
    ids=" ".join,
)
def test_links_that_lead_to_one_another_are_one_clear_line(here: Path, argv: list[str]) -> None:
    for name in ("loop", "loop.parquet"):
        (here / name).symlink_to(f"other-{name}")
        (here / f"other-{name}").symlink_to(name)
    (here / "in.jsonl").write_text(json.dumps(row(1)) + "\n")
    done = run(*argv)
    said = done.stderr.splitlines()
    assert done.returncode == 2, said
    assert re.search(r"\bloop.*: (Too many levels of symbolic links|File exists)$", said[-1])
    assert "Traceback" not in done.stderr
    assert (here / "loop").is_symlink()


def test_a_schema_that_the_disk_has_no_place_for_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "schemas").mkdir()
    (here / "schemas" / "message.json").symlink_to("/dev/full")
    assert main(["schema", "schemas"]) == 2
    assert capsys.readouterr().err.splitlines() == [f"interlingua: {Path('schemas/message.json')}: No space left on device"]


LONG = 150_000_000


def limited(*argv: str, memory: int) -> subprocess.CompletedProcess[str]:
    """Run the command with so much memory."""
    code = (
        f"import resource, runpy; resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory})); runpy.run_module('interlingua')"
    )
    code = code.replace("'interlingua'", "'interlingua', run_name='__main__', alter_sys=True")
    return subprocess.run([sys.executable, "-c", code, *argv], capture_output=True, text=True, check=False)


@pytest.mark.deep
@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_a_line_that_is_larger_than_the_memory_is_one_clear_line(here: Path, suffix: str) -> None:
    name = f"a.jsonl{suffix}"
    small, large = json.dumps(row(1)).encode() + b"\n", b'{"a": "' + b"x" * LONG + b'"}\n'
    content = small + large
    if suffix:
        content = zstandard.compress(content) if suffix == ".zst" else gzip.compress(content, 1)
    (here / name).write_bytes(content)
    for command in (["convert", *CONVERT], ["convert", *CONVERT, "--jobs", "2"], ["show"], ["detect"]):
        done = limited(command[0], name, *command[1:], memory=330_000_000 if "--jobs" not in command else 400_000_000)
        said = [line for line in done.stderr.splitlines() if "detected as" not in line]
        assert done.returncode == 1, done.stderr
        assert "Traceback" not in done.stderr
        assert [line for line in said if "memory" in line] == said[:1]


def peak_of(*argv: str) -> int:
    """The most memory that the command takes, in MB."""
    measure = "import resource, subprocess, sys; print(subprocess.run(sys.argv[1:], stdout=2).returncode);"
    measure += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    done = subprocess.run([sys.executable, "-c", measure, *COMMAND, *argv], check=True, capture_output=True, text=True)
    status, peak = map(int, done.stdout.split())
    assert status == 0
    return peak // 1024


@pytest.mark.deep
def test_memory_does_not_grow_with_how_well_a_file_is_compressed(here: Path, record_property: Any) -> None:
    text = (json.dumps({"messages": [{"role": "user", "content": "x" * 250_000}]}) + "\n").encode() * 600
    (here / "a.jsonl.gz").write_bytes(gzip.compress(text))
    (here / "a.jsonl.zst").write_bytes(zstandard.compress(text))
    peaks = {suffix: peak_of("detect", f"a.jsonl{suffix}") for suffix in (".gz", ".zst")}
    for suffix, peak in peaks.items():
        record_property(f"peak of memory in MB, of repetitive {suffix}", peak)
    assert peaks[".zst"] < peaks[".gz"] + 25
