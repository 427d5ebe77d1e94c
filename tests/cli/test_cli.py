"""The command: payloads on standard output, losses and faults on standard error, one line each, and the exit status."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import interlingua as il
from interlingua.cli import main

CHAT: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Grüße, 日本"}]}
LOSSY: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "name": "mira", "content": "hi"}]}
SECRET = "c2VjcmV0" * 100
BROKEN: dict[str, Any] = {
    "model": "m",
    "messages": [
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": 5, "data": SECRET}}]},
        {"role": "tool", "tool_call_id": "call_1", "content": 7},
    ],
}
TO_ANTHROPIC = ["--from", "openai_chat", "--to", "anthropic"]


class Run:
    """Runs the command on files in a folder of its own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.capsys = capsys
        self.monkeypatch = monkeypatch

    def file(self, name: str, *documents: object) -> str:
        """A file of JSON texts, one a line; a `str` stands as it is."""
        path = self.folder / name
        path.write_text("\n".join(doc if isinstance(doc, str) else json.dumps(doc) for doc in documents), "utf-8")
        return str(path)

    def __call__(self, *argv: str, stdin: str | None = None) -> tuple[int, str, list[str]]:
        """The exit status, standard output, and the lines of standard error."""
        if stdin is not None:
            self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        try:
            status = main(argv)
        except SystemExit as error:
            status = int(str(error.code))
        captured = self.capsys.readouterr()
        return status, captured.out, captured.err.splitlines()


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return Run(tmp_path, capsys, monkeypatch)


def converted(payload: dict[str, Any]) -> object:
    return il.convert(payload, source="openai_chat", target="anthropic").payload


def test_convert_writes_the_payload(run: Run) -> None:
    status, out, err = run("convert", run.file("a.json", CHAT), *TO_ANTHROPIC)
    assert (status, json.loads(out), err) == (0, converted(CHAT), [])


def test_convert_writes_and_takes_what_the_url_says(run: Run) -> None:
    streamed = {**CHAT, "stream": True}
    status, out, err = run("convert", run.file("a.json", streamed), "--from", "openai_chat", "--to", "gemini")
    assert (status, json.loads(out).keys() & streamed.keys()) == (0, set())
    assert [line.rpartition(" ")[2] for line in err] == ["/models/m:streamGenerateContent?alt=sse"]
    back = run("convert", run.file("b.json", out), "--from", "gemini", "--to", "openai_chat", "--model", "m", "--stream")
    again = json.loads(back[1])
    assert (back[0], again["model"], again["stream"]) == (0, "m", True)
    assert ["/stream_options/include_usage" in line for line in back[2]] == [True]  # what is added


def test_convert_prints_losses_one_line_each(run: Run) -> None:
    file = run.file("a.json", LOSSY)
    status, out, err = run("convert", file, *TO_ANTHROPIC)
    losses = il.convert(LOSSY, source="openai_chat", target="anthropic").losses
    assert losses
    assert (status, json.loads(out), err) == (0, converted(LOSSY), [f"{file}: {loss}" for loss in losses])


def test_strict_gives_out_nothing_that_lost_something(run: Run) -> None:
    status, out, err = run("convert", run.file("a.json", LOSSY), *TO_ANTHROPIC, "--strict")
    assert (status, out) == (1, "")
    assert "/messages/0/name" in err[0]
    assert run("convert", run.file("a.json", CHAT), *TO_ANTHROPIC, "--strict")[0] == 0


@pytest.mark.parametrize("command", [("convert", *TO_ANTHROPIC), ("validate", "--from", "openai_chat")])
def test_faults_are_one_line_each_and_echo_nothing(run: Run, command: tuple[str, ...]) -> None:
    file = run.file("a.json", BROKEN)
    status, out, err = run(command[0], file, *command[1:])
    with pytest.raises(il.InvalidPayload) as caught:
        il.load(BROKEN, "openai_chat")
    assert (status, out) == (1, "")
    assert err == [f"{file}: {fault['path']}: {fault['reason']}" for fault in caught.value.errors]
    assert SECRET[:20] not in "".join(err)


def test_a_line_that_is_cut_behind_a_backslash_is_said_to_end(run: Run) -> None:
    status, _, err = run(
        "convert", run.file("a.jsonl", '{"messages": [{"role": "user", "content": "Hello\\', "{}"), *TO_ANTHROPIC
    )
    assert status == 1
    assert "not JSON: EOF while parsing a string" in err[0]


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "a.txt", "-"])
def test_a_bad_line_does_not_stop_the_others(run: Run, name: str) -> None:
    lines = [json.dumps(CHAT), "", '{"messages": [', json.dumps(BROKEN), json.dumps(LOSSY)]
    if name == "-":
        status, out, err = run("convert", "-", *TO_ANTHROPIC, stdin="\n".join(lines))
        where = "<stdin>"
    else:
        where = run.file(name, *lines)
        status, out, err = run("convert", where, *TO_ANTHROPIC)
    assert status == 1
    assert [json.loads(line) for line in out.splitlines()] == [converted(CHAT), converted(LOSSY)]
    assert err[0].startswith(f"{where}:3: (the whole): not JSON: ")
    assert "line 1" not in err[0]
    assert [line.split(" ")[0] for line in err[:3]] == [f"{where}:3:", f"{where}:4:", f"{where}:4:"]
    assert err[3:] == ["2 converted, 2 failed", "1 × dropped /messages/*/name: Anthropic messages have no `name` field"]


def test_a_single_document_on_standard_input(run: Run) -> None:
    status, out, err = run("convert", "-", *TO_ANTHROPIC, stdin="\ufeff" + json.dumps(CHAT, indent=2))
    assert (status, json.loads(out), err) == (0, converted(CHAT), [])


def test_validate_own_messages(run: Run) -> None:
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
    file = run.file("a.json", messages)
    assert run("validate", file) == (0, f"{file}: valid, 2 messages\n", [])
    request = run.file("b.json", {"messages": messages, "model": "m"})
    assert run("validate", request) == (0, f"{request}: valid, 2 messages\n", [])
    lines = run.file("c.jsonl", *messages)
    assert run("validate", lines, "-q") == (0, f"{lines}:1: valid, 1 message\n{lines}:2: valid, 1 message\n", [])


def test_hints_are_for_people_at_the_command_line(run: Run) -> None:
    file = run.file("a.json", {"messages": CHAT["messages"], "seed": 1})
    said = f"{file}: it looks like a request of openai_chat or Cohere (messages, messages[].role=user, seed)"
    assert run("validate", file) == (1, "", [said, f"{file}: /seed: Extra inputs are not permitted"])


def test_validate_prints_what_is_wrong_with_own_messages(run: Run) -> None:
    file = run.file("a.json", [{"role": "user", "content": "hi", "mood": "good"}, {"role": "assistant", "content": 5}])
    status, out, err = run("validate", file)
    assert (status, out) == (1, "")
    assert [line.split(": ")[1] for line in err] == ["/0/mood", "/1/content"]


def test_validate_a_provider_s_requests(run: Run) -> None:
    file = run.file("a.jsonl", CHAT, LOSSY)
    status, out, err = run("validate", file, "--from", "openai_chat")
    valid = f"{file}:1: valid, 1 message\n{file}:2: valid, 1 message\n"
    assert (status, out, err) == (0, valid, ["2 valid, 0 failed"])


@pytest.mark.parametrize(
    "text",
    ["", "{", "nul", "[NaN]", '{"messages": [{"role": "user", "content": "\\ud800"}]}', "[" * 10_000, '{"messages": 1e400}'],
)
def test_bad_json_is_one_line(run: Run, text: str) -> None:
    for command in (["validate"], ["validate", "--from", "anthropic"], ["convert", *TO_ANTHROPIC]):
        status, out, err = run(command[0], run.file("a.json", text), *command[1:])
        assert (status, out, len(err)) == (1, "", 1)
        assert len(err[0]) < 500


def test_keys_of_the_input_cannot_break_a_line(run: Run) -> None:
    file = run.file("a.json", [{"role": "user", "content": "hi", "a\nb\x1b[31m": 1}])
    status, _, err = run("validate", file)
    assert (status, len(err)) == (1, 1)
    assert "\x1b" not in err[0]


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["convert", "-"],
        ["convert", "-", "--from", "openai_chat", "--to", "nobody"],
        ["convert", "-", "--from", "nobody", "--to", "anthropic"],
        ["validate", "-", "--from", "nobody"],
        ["validate", "-", "--strict"],
        ["validate"],
        ["validate", "missing.json"],
        ["validate", "."],
        ["frobnicate"],
    ],
    ids=" ".join,
)
def test_wrong_use_is_status_2(run: Run, argv: list[str]) -> None:
    status, out, err = run(*argv, stdin="[]")
    assert (status, out) == (2, "")
    assert err


def test_as_a_module(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps(CHAT))
    command = [sys.executable, "-m", "interlingua", "convert", str(file), *TO_ANTHROPIC]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, json.loads(done.stdout), done.stderr) == (0, converted(CHAT), b"")


def test_a_reader_that_has_had_enough(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text((json.dumps(CHAT) + "\n") * 5_000)
    command = [sys.executable, "-m", "interlingua", "convert", str(file), *TO_ANTHROPIC]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


def test_json_may_nest_as_deep_as_load_takes_it(run: Run) -> None:
    nested: Any = 1
    for _ in range(199):
        nested = [nested]
    deep = {**CHAT, "extra": nested}
    assert run("validate", run.file("deep.json", deep), "--from", "openai_chat")[0] == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_full_disk_is_one_line_on_standard_error(run: Run) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "interlingua", "convert", run.file("chat.json", CHAT), *TO_ANTHROPIC]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "interlingua: cannot write: No space left on device\n"


CALL: dict[str, Any] = {"id": "a", "type": "function", "function": {"name": "add", "arguments": "{}"}}
UNANSWERED: dict[str, Any] = {
    "model": "m",
    "messages": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": None, "tool_calls": [CALL]}],
}


def test_check_prints_place_excerpt_reason_and_rule(run: Run) -> None:
    status, out, err = run("check", run.file("a.json", UNANSWERED), "--for", "openai_chat")
    assert (status, err) == (1, [])
    place, excerpt, evidence, page = out.splitlines()
    assert place.endswith(
        "a.json: error /messages/1/tool_calls/0: the result of a tool call must follow "
        "the call directly: add one, or leave the call out [call-without-result]"
    )
    assert excerpt.strip().startswith("{'id': 'a'")
    assert evidence.strip().startswith("evidence: ")
    assert page == "    see: https://interlingua.github.io/interlingua/rules/#openai_chat-call-without-result"


def test_check_knows_no_page_about_the_rules_of_other_packages(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    file = run.file("a.json", UNANSWERED)
    _, out, _ = run("check", file, "--for", "openai_chat", "--json")
    assert json.loads(out)["url"].endswith("#openai_chat-call-without-result")
    monkeypatch.setattr("interlingua.cli.report.FORMATS", ())
    _, out, _ = run("check", file, "--for", "openai_chat", "--json")
    assert json.loads(out)["url"] is None
    _, out, _ = run("check", file, "--for", "openai_chat")
    assert "see: " not in out


def test_check_of_what_would_be_converted_first(run: Run) -> None:
    history = {**UNANSWERED, "messages": [*UNANSWERED["messages"], {"role": "user", "content": "Well?"}]}
    status, out, _ = run("check", run.file("a.json", history), "--from", "openai_chat", "--for", "gemini", "--json")
    assert status == 1
    assert [(found["code"], found["path"]) for found in map(json.loads, out.splitlines())] == [
        ("result-count-mismatch", "/messages/1")
    ]


def test_check_of_lines_names_the_line(run: Run) -> None:
    status, out, err = run("check", run.file("a.jsonl", CHAT, UNANSWERED, "{"), "--for", "openai_chat", "--json")
    assert status == 1
    assert json.loads(out)["where"].endswith("a.jsonl:2")
    assert [line.partition(": ")[0][-2:] for line in err[:1]] == [":3"]
    assert err[1:] == ["1 passed, 2 failed"]


def test_check_of_what_is_right_says_nothing(run: Run) -> None:
    assert run("check", run.file("a.json", CHAT), "--for", "openai_chat") == (0, "", [])


def test_an_excerpt_is_short(run: Run) -> None:
    body = {"contents": [{"role": "user", "parts": [{"inlineData": {"mimeType": "image/png", "data": "!" + SECRET}}]}]}
    _, out, _ = run("check", run.file("a.json", body), "--for", "gemini")
    assert SECRET not in out
    assert max(map(len, out.splitlines())) < 400


def test_without_its_extra_the_command_says_what_to_install() -> None:
    program = "import sys; sys.modules['click'] = None; from interlingua.cli import main; sys.exit(main(['formats']))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        2,
        "interlingua: the command needs more packages: pip install 'interlingua[cli]'\n",
    )


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["convert", "-", "--from", "openai-chat", "--to", "anthropic"], "openai_chat"),
        (["convert", "-", "--from", "auto", "--to", "antropic"], "anthropic"),
        (["check", "-", "--for", "claude"], "anthropic"),
        (["show", "-", "--for", "gemni"], "gemini"),
        (["show", "-", "--as", "anthropic,gemni"], "gemini"),
        (["diff", "-", "-", "--from", "openai_responces"], "openai_responses"),
        (["schema", "--format", "bedrock-converse"], "bedrock_converse"),
        (["validate", "-", "--layout", "open_ai-batch"], "openai_batch"),
    ],
)
def test_a_misspelt_name_is_answered_with_the_one_that_is_meant(
    arguments: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert f"Did you mean '{meant}'?" in capsys.readouterr().err.replace("\n", " ")
