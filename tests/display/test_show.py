"""`interlingua show`: everything that can be read is shown, in any width, and nothing in a conversation moves the terminal."""

from __future__ import annotations

import gzip
import json
import os
import pty
import re
import struct
import sys
import termios
from fcntl import ioctl
from io import StringIO
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
import zstandard
from click.testing import CliRunner, Result
from hypothesis import given, settings
from rich.console import Console

import interlingua as il
from formats import cases
from interlingua import testing
from interlingua.cli.commands import interlingua
from interlingua.display.outline import Mark, Outline, outline
from interlingua.display.terminal import Look, console, drawn
from interlingua.display.texts import harmless
from laws.everything import EVERYTHING
from laws.samples import RESPONSE, STORED

CHAT: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "name": "mira", "content": "hi"}]}
HOSTILE = "\x1b]0;title\x07\x1b[2J\x1b[31m\x9b5A\r\x08\x7f\x00 [bold red]x[/] [/] :smile: \u202eabc \U000e0041 [link=https://x]y[/link]"
EVERYWHERE: list[dict[str, Any]] = [
    {"role": "system", "name": HOSTILE, "content": HOSTILE},
    {"role": "user", "content": [{"type": "file", "source": {"type": "url", "url": HOSTILE}, "filename": HOSTILE}]},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": HOSTILE, "signature": HOSTILE, "issuer": HOSTILE},
            {
                "type": "text",
                "text": HOSTILE,
                "citations": [{"type": "url", "url": HOSTILE, "title": HOSTILE, "cited_text": HOSTILE}],
            },
            {"type": "refusal", "refusal": HOSTILE},
            {"type": "tool_use", "id": HOSTILE, "name": HOSTILE, "input": HOSTILE},
            {"type": "tool_use", "id": "b", "name": "f", "input": {HOSTILE: [HOSTILE] * 3}},
            {"type": "opaque", "format": HOSTILE, "value": {"type": HOSTILE, HOSTILE: 1}},
        ],
        "provider_data": {HOSTILE: {HOSTILE: HOSTILE}},
        "extra": {HOSTILE: HOSTILE},
    },
    {"role": "tool", "tool_call_id": HOSTILE, "content": HOSTILE},
    {"role": "opaque", "format": HOSTILE, "value": {HOSTILE: HOSTILE}},
]
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\U000e0000-\U000e0fff]")


def run(*argv: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(interlingua, ["show", *argv], input=stdin, standalone_mode=False)


def shown(*argv: str, stdin: bytes | None = None) -> str:
    result = run(*argv, stdin=stdin)
    assert (result.exception, result.return_value) == (None, 0)
    return result.stdout


WHOLE = Look(reasoning=True, full=True)


def text_of(value: Any, width: int = 80, look: Look = WHOLE) -> str:
    return drawing(outline(value), width, look)


def drawing(whole: Outline, width: int = 80, look: Look = WHOLE) -> str:
    out = StringIO()
    console(file=out, width=width).print(*drawn(whole, look), sep="\n")
    return out.getvalue()


def file_of(folder: Path, name: str, *documents: Any) -> str:
    path = folder / name
    path.write_text("\n".join(map(json.dumps, documents)), "utf-8")
    return str(path)


# What is shown


@given(testing.stored_conversations())
@settings(max_examples=15)
def test_every_line_of_every_text_is_shown(conversation: il.Conversation) -> None:
    out = text_of(conversation, width=100_000)
    for part in (part for message in conversation.messages for part in message.parts):
        text = part.text if isinstance(part, il.TextPart) else part.thinking if isinstance(part, il.ThinkingPart) else ""
        for line in harmless(text).splitlines():
            assert line.expandtabs().rstrip() in out.expandtabs()


@pytest.mark.parametrize("width", [20, 40, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    request = il.Request(messages=EVERYTHING, model="m" * 100)
    lines = text_of(request, width).splitlines()
    assert max(map(len, lines)) <= width
    assert [line for line in lines if line != line.rstrip()] == []


def test_reasoning_is_folded_until_it_is_asked_for() -> None:
    messages = [il.AssistantMessage(reasoning_content="because of that", content="so")]
    assert "- reasoning, 15 characters" in text_of(messages, look=Look())
    assert "because" not in text_of(messages, look=Look())
    assert "because of that" in text_of(messages, look=Look(reasoning=True))


def test_a_call_is_beside_its_result() -> None:
    messages = [
        {"role": "user", "content": "both?"},
        {"role": "assistant", "tool_calls": [{"id": id, "name": f"get_{id}", "arguments": "{}"} for id in "ab"]},
        {"role": "tool", "tool_call_id": "b", "content": "B"},
        {"role": "tool", "tool_call_id": "a", "content": "A", "is_error": True},
        {"role": "tool", "tool_call_id": "c", "content": "C"},
    ]
    assert text_of(messages, look=Look()).splitlines()[5:] == [
        "2 assistant",
        "  call of get_a {}",
        "    id a",
        "    result of get_a, failed A",
        "  call of get_b {}",
        "    id b",
        "    result of get_b B",
        "",
        "5 tool",
        "  result C",
        "    NOTE: no earlier call waits for this result",
        "    tool_call_id c",
    ]


def test_media_are_shown_by_name_and_size() -> None:
    data = "QUJD" * 1000
    source = {"type": "base64", "data": data, "media_type": "application/pdf"}
    out = text_of(
        [{"role": "user", "content": [{"type": "file", "source": source, "filename": "a.pdf"}, {"type": "text", "text": data}]}]
    )
    assert "file, a.pdf, application/pdf, 3.0 kB" in out
    assert "QUJDQUJDQUJD… (4,000 characters)" in out
    assert "QUJDQUJDQUJDQ" not in out


def test_a_response_shows_its_usage_and_why_it_stopped() -> None:
    lines = [line.strip() for line in text_of(il.Response(**RESPONSE)).splitlines()]
    assert {"output_tokens 4", "stop_reason stop_sequence", "native_stop_reason stop"} <= set(lines)


@pytest.mark.parametrize(
    "value",
    [
        il.Conversation(messages=EVERYTHING),
        il.Request(messages=EVERYTHING),
        il.Response(**RESPONSE),
        il.convert(CHAT, source="openai_chat", target="anthropic"),
        il.outline(EVERYTHING),
    ],
    ids=lambda value: type(value).__name__,
)
def test_rich_prints_values_as_the_command_shows_them(value: Any) -> None:
    printed = Console(record=True, file=StringIO(), width=60)
    printed.print(value)
    assert printed.export_text() == text_of(value, 60, Look())


# Hostile content


@pytest.mark.parametrize("width", [20, 80])
def test_nothing_in_a_conversation_moves_the_terminal(width: int) -> None:
    for look in (Look(), Look(reasoning=True, full=True)):
        out = text_of(il.Request(messages=EVERYWHERE, model=HOSTILE, user=HOSTILE), width, look)
        assert CONTROL.search(out) is None
    assert "[bold red]x[/] [/] :smile:" in text_of(il.Conversation(id=HOSTILE, messages=EVERYWHERE), 1000)


def test_with_colours_the_only_sequences_are_those_of_the_view(tmp_path: Path) -> None:
    out = StringIO()
    console(file=out, width=80, force_terminal=True, color_system="standard").print(*drawn(outline(EVERYWHERE)), sep="\n")
    assert {"\x1b[1mMessages, 5 messages", "\x1b[1;35msystem"} <= set(re.findall(r"\x1b\[[\d;]+m\w[^\x1b]*", out.getvalue()))
    assert CONTROL.search(re.sub(r"\x1b\[[\d;]*m", "", out.getvalue())) is None


def test_marks_are_harmless() -> None:
    mark = Mark("loss", HOSTILE, f"/{HOSTILE}", HOSTILE, HOSTILE, HOSTILE)
    assert CONTROL.search(drawing(outline(EVERYWHERE, marks=[mark]))) is None


def test_names_of_files_and_errors_are_harmless(tmp_path: Path) -> None:
    assert "[bold]x[" in shown(file_of(tmp_path, "[bold]x[.jsonl", CHAT), "--from", "openai_chat", "--width", "200")
    result = run(file_of(tmp_path, "a\x1b[31m.jsonl", CHAT, {"messages": [{HOSTILE: 1}]}))
    assert result.return_value == 1
    assert CONTROL.search(result.output) is None


# What can be read


@pytest.mark.parametrize("case", cases.cases("request"), ids=str)
def test_every_format_is_shown(case: cases.Case) -> None:
    request = il.load(case.read("request"), case.format)
    assert text_of(request, 40).count("\n") > len(request.messages)


@pytest.mark.parametrize("file", STORED, ids=lambda file: file.stem)
def test_what_is_stored_is_recognised(file: Path) -> None:
    result = run(str(file))
    assert (result.return_value, result.stderr) == (0, f"{file}: detected as interlingua\n")


RESPONSES: dict[str, Any] = {
    "openai_chat": {
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "hello"}, "finish_reason": "stop"}],
    },
    "anthropic": {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": "hello"}],
        "stop_reason": "end_turn",
    },
    "gemini": {"candidates": [{"content": {"parts": [{"text": "hello"}], "role": "model"}, "finishReason": "STOP"}]},
    "bedrock_converse": {
        "output": {"message": {"role": "assistant", "content": [{"text": "hello"}]}},
        "stopReason": "end_turn",
    },
    "openai_responses": {
        "object": "response",
        "status": "completed",
        "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "hello"}]}],
    },
    "interlingua": {"choices": [{"message": {"role": "assistant", "content": "hello"}, "stop_reason": "stop"}]},
}


@pytest.mark.parametrize("format", RESPONSES)
def test_responses_are_shown_too(tmp_path: Path, format: str) -> None:
    file = file_of(tmp_path, "a.json", RESPONSES[format])
    for argv in ([], ["--from", format]):
        out = shown(file, *argv)
        assert "stop_reason stop" in out
        assert "  hello" in out.splitlines()


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst", "-"])
def test_lines_are_chosen(tmp_path: Path, name: str) -> None:
    documents = [{"messages": [{"role": "user", "content": f"number {i}"}]} for i in range(1, 6)]
    data = "\n".join(map(json.dumps, documents)).encode()
    packed = gzip.compress(data) if name.endswith("gz") else zstandard.compress(data) if name.endswith("zst") else data
    file = name if name == "-" else str(tmp_path / name)
    if name != "-":
        Path(file).write_bytes(packed)

    def numbers(*argv: str) -> list[str]:
        return re.findall(r"number (\d)", shown(file, "--from", "openai_chat", *argv, stdin=data))

    assert numbers() == list("12345")
    assert numbers("--line", "2", "--line", "4") == list("24")
    assert numbers("--limit", "2") == list("12")


def test_what_is_not_asked_for_is_not_read(tmp_path: Path) -> None:
    file = file_of(tmp_path, "a.jsonl", CHAT, {"messages": 5})
    assert run(file, "--limit", "1", "--from", "openai_chat").return_value == 0
    assert run(file, "--from", "openai_chat").return_value == 1
    result = run(file, "--line", "1", "--from", "openai_chat")
    assert (result.return_value, result.stderr) == (0, "")


def test_rows_of_known_layouts_are_shown(tmp_path: Path) -> None:
    batch = {"custom_id": "1", "method": "POST", "url": "/v1/chat/completions", "body": CHAT}
    preferences = {
        "prompt": CHAT["messages"],
        "chosen": [{"role": "assistant", "content": "yes"}],
        "rejected": [{"role": "assistant", "content": "no"}],
    }
    out = shown(file_of(tmp_path, "a.jsonl", batch, preferences))
    titles = [line.removeprefix("Request") for line in out.splitlines() if line.startswith("Request")]
    assert titles == [" to m, 1 message", ", 1 message", ", 2 messages", ", 2 messages"]
    assert {"  yes", "  no"} <= set(out.splitlines())
    assert "hi" in shown(file_of(tmp_path, "b.json", batch), "--layout", "openai_batch")


def test_columns_of_rows_are_shown(tmp_path: Path) -> None:
    file = file_of(tmp_path, "a.jsonl", {"prompt": [{"role": "user", "content": "hi"}], "answer": 1})
    assert "hi" in shown(file, "--column", "prompt", "--from", "openai_chat")
    result = run(file, "--column", "answers")
    assert (result.return_value, result.stderr) == (1, f"{file}:1: /answers: the row must have this column\n")


def test_json_is_the_outline(tmp_path: Path) -> None:
    (line,) = shown(file_of(tmp_path, "a.json", CHAT), "--json", "--from", "openai_chat").splitlines()
    data = json.loads(line)
    assert data.pop("where").endswith("a.json")
    assert data == outline(il.load(CHAT, "openai_chat")).to_dict()


def test_marks_are_what_check_and_dump_find(tmp_path: Path) -> None:
    out = shown(file_of(tmp_path, "a.json", CHAT), "--from", "openai_chat", "--for", "anthropic", "--width", "200")
    assert "  LOSS dropped for anthropic: Anthropic messages have no `name` field (/messages/0/name)" in out.splitlines()
    problems = il.check(il.load(CHAT, "openai_chat"), "anthropic")
    assert problems
    assert [
        f"ERROR {each.code} for anthropic: {each.message} (the whole)" for each in problems if each.message not in out
    ] == []


@pytest.mark.parametrize(
    ("argv", "status"),
    [
        (["/no/such/file"], 2),
        ([str(STORED[0]), "--line", "9"], 2),
        ([str(STORED[0]), "--column", "x", "--layout", "trl"], 2),
        (["--from", "nothing", "x"], 2),
        (["--limit", "0", "x"], 2),
        (["--width", "3", "x"], 2),
    ],
)
def test_wrong_usage_is_reported(argv: list[str], status: int) -> None:
    result = run(*argv)
    assert getattr(result.exception, "exit_code", 0) == status


# A terminal


def test_a_terminal_without_columns_has_some(tmp_path: Path) -> None:
    argv = ["show", file_of(tmp_path, "a.json", CHAT), "--from", "openai_chat"]
    assert "  hi\n" in CliRunner(env={"COLUMNS": "0"}).invoke(interlingua, argv).output


def test_a_terminal_has_colours_and_its_own_width(tmp_path: Path) -> None:
    file = file_of(tmp_path, "a.json", {"messages": [{"role": "user", "content": "word " * 40}]})
    command = [sys.executable, "-m", "interlingua", "show", file, "--from", "openai_chat"]
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 44, 0, 0))
    env = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
    with Popen(command, stdout=theirs, stdin=theirs, env=env | {"TERM": "xterm"}) as process:
        os.close(theirs)
        out = b""
        while chunk := _read(ours):
            out += chunk
    os.close(ours)
    assert process.returncode == 0
    assert b"\x1b[1;36muser" in out
    lines = re.sub(r"\x1b\[[\d;]*m", "", out.decode()).splitlines()
    assert 36 < max(map(len, lines)) <= 44


def _read(ours: int) -> bytes:
    try:
        return os.read(ours, 4096)
    except OSError:  # the other end is closed
        return b""
