"""The command for shells and other programs: completion, JSON in place of words, named pipes, processes that die."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import interlingua as il
from cli.waiting import is_written, wait_until
from interlingua.cli.commands import interlingua
from interlingua.cli.documents import files
from interlingua.cli.report import Counts
from interlingua.cli.work import Outcome

COMMAND = [sys.executable, "-m", "interlingua"]
CONVERT = ["--from", "openai_chat", "--to", "anthropic"]
GOOD: dict[str, Any] = {"id": "a", "messages": [{"role": "user", "content": "q", "name": "mira"}]}
BAD: dict[str, Any] = {"id": "b", "messages": [{"role": "user", "content": 7}]}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text(f"{json.dumps(GOOD)}\n{json.dumps(BAD)}\n", "utf-8")
    return tmp_path


def records(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("interlingua conv", "plain,convert"),
        ("interlingua convert a.jsonl --from openai_r", "plain,openai_responses"),
        ("interlingua convert a.jsonl --layout anthropic_batch_", "plain,anthropic_batch_results"),
        ("interlingua validate a", "file,a"),
        ("interlingua convert a.jsonl --out o", "file,o"),
        ("interlingua dedupe a.jsonl --duplicates o", "file,o"),
        ("interlingua show a", "file,a"),
        ("interlingua diff a.jsonl b", "file,b"),
        ("interlingua show a.jsonl --html o", "file,o"),
        ("interlingua show a.jsonl --as gemini,openai_r", "plain,gemini,openai_responses"),
    ],
)
def test_a_shell_completes_commands_formats_and_files(words: str, offered: str) -> None:
    completing = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1), "_INTERLINGUA_COMPLETE": "bash_complete"}
    done = CliRunner().invoke(interlingua, [], "interlingua", env=completing)
    assert done.output.splitlines() == [offered]


def test_the_process_completes_too() -> None:
    completing = {"COMP_WORDS": "interlingua val", "COMP_CWORD": "1", "_INTERLINGUA_COMPLETE": "bash_complete"}
    done = subprocess.run(COMMAND, env=os.environ | completing, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("plain,validate\n", "")


def test_its_version_is_that_of_the_package_and_its_help_has_the_exit_codes() -> None:
    build = "compiled" if il.__compiled__ else "pure Python"
    assert CliRunner().invoke(interlingua, ["--version"]).output == f"interlingua, version {version('interlingua')}, {build}\n"
    said = CliRunner().invoke(interlingua, ["--help"]).output
    assert "Exit status: 0 if all is well; 1 for invalid input" in said
    assert "130 if interrupted" in " ".join(said.split())


def test_what_a_conversion_says_is_json_for_programs(here: Path) -> None:
    done = CliRunner().invoke(interlingua, ["convert", "a.jsonl", *CONVERT, "--json"], standalone_mode=False)
    assert [payload["messages"][0]["content"] for payload in records(done.stdout)] == ["q"]
    fault, summary = records(done.stderr)
    reason = "Input should be text or a list of parts"
    assert fault == {"where": "a.jsonl:2", "line": 2, "id": "b", "path": "/messages/0/content", "reason": reason}
    lost = {
        "dropped /messages/*/name: Anthropic messages have no `name` field": 1,
        "dropped /id: anthropic has no place for this field of the openai family": 1,
    }
    assert summary == {"converted": 1, "failed": 1, "losses": lost}


def test_validity_is_json_for_programs(here: Path) -> None:
    done = CliRunner().invoke(interlingua, ["validate", "a.jsonl", "--from", "openai_chat", "--json"], standalone_mode=False)
    good, bad = records(done.stdout)
    assert good == {"where": "a.jsonl:1", "line": 1, "id": "a", "valid": True, "messages": 1, "errors": []}
    assert (bad["valid"], bad["errors"][0]["path"], done.stderr, done.return_value) == (False, "/messages/0/content", "", 1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_not_opened_before_it_is_read(here: Path) -> None:
    os.mkfifo(here / "pipe.jsonl")
    looking = threading.Thread(target=files, args=(["pipe.jsonl"],), daemon=True)  # without a writer, to open it takes for ever
    looking.start()
    looking.join(5)
    assert not looking.is_alive()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_read_from_its_beginning(here: Path) -> None:
    os.mkfifo(here / "pipe.jsonl")
    writer = threading.Thread(target=(here / "pipe.jsonl").write_bytes, args=((here / "a.jsonl").read_bytes(),))
    writer.start()
    done = CliRunner().invoke(interlingua, ["convert", "pipe.jsonl", *CONVERT], standalone_mode=False)
    writer.join()
    assert len(records(done.stdout)) == 1
    assert "1 converted, 1 failed" in done.stderr


def test_kinds_of_losses_are_counted_in_bounded_memory() -> None:
    counts = Counts()
    for number in range(3000):
        counts.add(Outcome("a", number, losses=[il.Loss(f"/metadata/k{number}", None, "dropped", "x")]))
    assert (len(counts.losses), sum(counts.losses.values())) == (1001, 3000)
    assert Counts.from_json(json.loads(json.dumps(counts.to_json()))) == counts


CHILDREN = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")


@pytest.mark.skipif(not CHILDREN.exists(), reason="this system does not say which processes a process has started")
def test_a_process_that_dies_is_one_line_and_the_run_can_be_resumed(here: Path) -> None:
    count = 10_000
    with (here / "many.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps({"messages": [{"role": "user", "content": f"Question {n}"}]}) + "\n" for n in range(count))
    argv = [*COMMAND, "convert", "many.jsonl", *CONVERT, "--jobs", "2", "-o", "out.jsonl"]
    with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: is_written(here / "out.jsonl.part"), process)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("utf-8").split()
        workers = [int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        os.kill(workers[0], signal.SIGKILL)
        said = process.communicate()[1]
    assert (process.returncode, len(said.splitlines())) == (1, 1)
    assert said.startswith("interlingua: a process ended unexpectedly after ")
    assert said.endswith("; the same command with --resume continues\n")
    assert not (here / "out.jsonl").exists()
    assert subprocess.run([*argv, "--resume", "-q"], check=False).returncode == 0
    asked = [json.loads(line)["messages"][0]["content"] for line in (here / "out.jsonl").read_text("utf-8").splitlines()]
    assert asked == [f"Question {number}" for number in range(count)]


def _imports(pid: str) -> bool:
    """Whether a worker has told Python of its signals, and still has much to import."""
    worker = Path(f"/proc/{pid}")
    return b"spawn_main" in (worker / "cmdline").read_bytes() and b"pydantic_core" in (worker / "maps").read_bytes()


@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(not CHILDREN.exists(), reason="this system does not say which processes a process has started")
def test_processes_that_begin_do_not_hear_of_an_interrupt(here: Path) -> None:
    (here / "many.jsonl").write_text(f"{json.dumps(GOOD)}\n" * 10_000, "utf-8")
    argv = [*COMMAND, "convert", "many.jsonl", *CONVERT, "--jobs", "2", "-o", "out.jsonl"]
    with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        wait_until(lambda: any(map(_imports, children.read_text("utf-8").split())), process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        try:
            said = process.communicate(timeout=30)[1]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    assert process.returncode == 130
    assert said == "interlingua: interrupted after 0 documents; the same command with --resume continues\n"
