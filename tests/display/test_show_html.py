"""`interlingua show --html`: one page of everything that could be read, and nothing that was shown is overwritten."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from display.reading_pages import Read
from interlingua.cli.commands import interlingua

CHAT: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "name": "mira", "content": "<hi>"}]}


def show(*arguments: object) -> Result:
    return CliRunner().invoke(interlingua, ["show", *map(str, arguments)], standalone_mode=False)


def write(file: Path, *payloads: object) -> Path:
    file.write_text("\n".join(map(json.dumps, payloads)), "utf-8")
    return file


def test_a_conversation_becomes_a_page_with_its_losses(tmp_path: Path) -> None:
    file, page = write(tmp_path / "a.json", CHAT), tmp_path / "a.html"
    result = show(file, "--from", "openai_chat", "--for", "anthropic", "--html", page)
    read = Read(page.read_text("utf-8"))
    assert (result.return_value, result.stdout) == (0, "")
    for text in (str(file), "<hi>", "Anthropicmessageshaveno`name`field", "Lossesandproblemsforanthropic"):
        assert text in read.text
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.html", "a.json"]


def test_forms_of_several_lines_are_on_one_page_on_standard_output(tmp_path: Path) -> None:
    file = write(tmp_path / "a.jsonl", CHAT, CHAT)
    result = show(file, "--from", "openai_chat", "--as", "anthropic,gemini", "--html", "-")
    read = Read(result.stdout)
    assert result.return_value == 0
    assert read.text.count('"text":"<hi>"') == 2
    assert f"{file}:2" in read.text


def test_what_cannot_be_read_is_said_and_the_rest_is_on_the_page(tmp_path: Path) -> None:
    file, page = write(tmp_path / "a.jsonl", CHAT, {"what": 1}, CHAT), tmp_path / "a.html"
    result = show(file, "--from", "openai_chat", "--html", page)
    assert result.return_value == 1
    assert "a.jsonl:2" in result.stderr
    assert Read(page.read_text("utf-8")).text.count("<hi>") == 2
    assert show(write(tmp_path / "b.json", {"what": 1}), "--html", tmp_path / "b.html").return_value == 1
    assert not (tmp_path / "b.html").exists()


def test_a_page_has_a_hundred_conversations_unless_more_are_asked_for(tmp_path: Path) -> None:
    file, page = write(tmp_path / "a.jsonl", *[CHAT] * 102), tmp_path / "a.html"
    result = show(file, "--from", "openai_chat", "--html", page)
    assert (result.return_value, page.read_text("utf-8").count("&lt;hi&gt;")) == (0, 100)
    assert "only the first 100 conversations are on the page" in result.stderr
    result = show(file, "--from", "openai_chat", "--html", page, "--limit", 101)
    assert (result.stderr, page.read_text("utf-8").count("&lt;hi&gt;")) == ("", 101)


def test_a_file_that_is_shown_is_not_overwritten(tmp_path: Path) -> None:
    file = write(tmp_path / "a.json", CHAT)
    before = file.read_bytes()
    result = show(file, "--html", tmp_path / "." / "a.json")
    assert "would overwrite" in str(result.exception)
    assert file.read_bytes() == before


def test_a_difference_becomes_a_page_and_its_status_stays(tmp_path: Path) -> None:
    a, page = write(tmp_path / "a.json", CHAT), tmp_path / "d.html"
    b = write(tmp_path / "b.json", CHAT | {"messages": [{"role": "user", "content": "<hello>"}]})
    run = CliRunner().invoke
    result = run(interlingua, ["diff", str(a), str(b), "--from", "openai_chat", "--html", str(page)], standalone_mode=False)
    assert (result.return_value, result.stdout) == (1, "")
    read = Read(page.read_text("utf-8"))
    assert all(text in read.text for text in (str(a), str(b), "<hello>", "<hi>"))
    result = run(interlingua, ["diff", str(a), str(b), "--html", str(a)], standalone_mode=False)
    assert "would overwrite" in str(result.exception)
