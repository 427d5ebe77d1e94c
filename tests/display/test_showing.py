"""`show`, `html` and `diff` from Python say what the command says, to any file, and without rich what to install."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import interlingua as il
from interlingua.cli.commands import interlingua
from laws.samples import RESPONSE, STORED

ASKED = il.UserMessage(content="Is it warm in Oslo?", name="mira")
CALL = il.AssistantMessage(tool_calls=[il.ToolCall(id="call_1", name="temperature", arguments='{"city": "Oslo"}')])
HISTORY = [ASKED, CALL, il.ToolMessage(tool_call_id="call_1", content="4 °C")]
REQUEST = il.Request(model="m", messages=[ASKED, CALL, il.UserMessage(content="Well?")], temperature=1)
OTHER = REQUEST.replace(messages=[*REQUEST.messages[:2], il.UserMessage(content="And now?")])
VALUES: dict[str, Any] = {
    "request": REQUEST,
    "messages": HISTORY,
    "response": il.Response.model_validate(RESPONSE),
    "stored": il.Conversation.model_validate_json(STORED[0].read_bytes()),
}
OURS: Any = il
"""Calls of it may have wrong types."""
SUPPORTED: list[il.FormatName] = ["openai_chat", "gemini"]


def shown(value: Any, *arguments: Any, **options: Any) -> str:
    file = StringIO()
    il.show(value, *arguments, file=file, **options)
    return file.getvalue()


def command(*arguments: object, status: int = 0) -> str:
    done = CliRunner().invoke(interlingua, list(map(str, arguments)), standalone_mode=False)
    assert (done.exception, done.return_value) == (None, status)
    return done.stdout


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, Any], Path]:
    def write(name: str, value: Any) -> Path:
        plain = [each.to_dict() for each in value] if value is HISTORY else value.to_dict()
        (tmp_path / name).write_text(json.dumps(plain), "utf-8")
        return tmp_path / name

    return write


# As the command


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_what_is_shown_is_what_the_command_shows(written: Callable[[str, Any], Path], value: Any) -> None:
    file = written("a.json", value)
    asked = ("show", file, "--from", "interlingua", "--width", "90")
    assert shown(value, width=90) == command(*asked)
    assert shown(value, width=90, reasoning=True, full=True) == command(*asked, "--reasoning", "--full")
    assert shown(value, "openai_chat", width=90) == command(*asked, "--for", "openai_chat")
    assert shown(value, formats=SUPPORTED, width=90) == command(*asked, "--as", ",".join(SUPPORTED))


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_a_page_is_what_the_command_writes(written: Callable[[str, Any], Path], value: Any) -> None:
    file = written("a.json", value)
    asked = ("show", file, "--from", "interlingua", "--html", "-")
    assert il.html(value, title=str(file)) == command(*asked)
    assert il.html(value, "gemini", title=str(file)) == command(*asked, "--for", "gemini")
    assert il.html(value, formats=SUPPORTED, title=str(file)) == command(*asked, "--as", ",".join(SUPPORTED))


@pytest.mark.parametrize("exact", [False, True])
def test_a_difference_is_what_the_command_says(written: Callable[[str, Any], Path], exact: bool) -> None:
    a, b = written("a.json", REQUEST), written("b.json", OTHER)
    asked = ("diff", a, b, "--from", "interlingua", *["--exact"] * exact)
    names = (str(a), str(b))
    found = il.diff(REQUEST, OTHER, exact=exact)
    assert found.to_text(names, width=90) + "\n" == command(*asked, "--width", "90", status=1)
    assert found.to_text(names, width=90, whole=True) + "\n" == command(*asked, "--width", "90", "--all", status=1)
    assert found.to_html(names) == command(*asked, "--html", "-", status=1)
    assert found.to_dict() == json.loads(command(*asked, "--json", status=1))


# What is only here


def test_a_target_marks_losses_and_problems_and_reasoning_is_shown_on_demand() -> None:
    marked = [line.strip() for line in shown(REQUEST, "anthropic", width=200).splitlines()]
    assert "LOSS dropped for anthropic: Anthropic messages have no `name` field (/messages/0/name)" in marked
    assert any(line.startswith("ERROR call-without-result for anthropic: ") for line in marked)
    thought = [il.AssistantMessage(reasoning_content="I have to look.", content="Well")]
    assert "I have to look." not in shown(thought)
    assert "I have to look." in shown(thought, reasoning=True)


def test_a_difference_is_true_and_prints_itself() -> None:
    found = il.diff(REQUEST, OTHER)
    assert found
    assert not found.equal
    assert str(found).splitlines() == [
        "= 2 turns the same",
        "~ user",
        "a                                                  b",
        "~ text /messages/2/content                         ~ text /messages/2/content",
        "  [-Well?-]                                          {+And now?+}",
        "different",
    ]
    assert repr(found) == "<Difference: 2 same, 1 changed>"
    same = il.diff(REQUEST, REQUEST.replace(temperature=2))
    assert not same
    assert str(same) == "= 3 turns the same\nthe same"
    assert il.diff(REQUEST, REQUEST.replace(temperature=2), exact=True)
    assert not il.diff([], [])
    assert "<title>a and b</title>" in found.to_html()


def test_colours_of_the_environment_do_not_change_the_text_of_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    text = str(il.diff(REQUEST, OTHER))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "30")
    assert str(il.diff(REQUEST, OTHER)) == text


def test_rich_prints_a_difference() -> None:
    from rich.console import Console

    file = StringIO()
    Console(file=file, width=100).print(il.diff(REQUEST, OTHER))
    assert file.getvalue().rstrip("\n") == str(il.diff(REQUEST, OTHER))


def test_messages_may_be_dicts_and_come_from_an_iterator() -> None:
    dicts = [message.to_dict() for message in HISTORY]
    assert shown(iter(dicts), "openai_chat") == shown(HISTORY, "openai_chat")
    assert shown(iter(dicts), formats=SUPPORTED) == shown(HISTORY, formats=SUPPORTED)
    assert il.html(message for message in HISTORY) == il.html(HISTORY)
    assert not il.diff(iter(dicts), iter(HISTORY), exact=True)
    assert not il.diff(iter(dicts), il.Conversation(messages=HISTORY))


def test_standard_output_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    il.show(HISTORY, width=90)
    assert capsys.readouterr().out == shown(HISTORY, width=90)


def test_a_conversion_and_an_outline_are_shown_too() -> None:
    conversion = il.convert(il.dump(HISTORY, "openai_chat"), source="openai_chat", target="anthropic")
    assert "Conversion, 1 loss" in shown(conversion)
    assert shown(il.outline(HISTORY)) == shown(HISTORY)
    for value in (conversion, il.outline(HISTORY)):
        with pytest.raises(TypeError, match="the value must be a Request, a Conversation, a Response or a list of messages"):
            il.html(value, "anthropic")


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: OURS.show(HISTORY, "anthropicc"), il.UnknownFormat, "unknown format 'anthropicc'"),
        (lambda: OURS.html(HISTORY, formats=["geminii"]), il.UnknownFormat, "unknown format 'geminii'"),
        (
            lambda: OURS.html(HISTORY, formats="anthropic"),
            TypeError,
            r"formats must be a list of names: for one, pass \[name\]",
        ),
        (lambda: OURS.html(HISTORY, "anthropic", formats=["gemini"]), ValueError, "exclude each other"),
        (lambda: OURS.html(HISTORY, title=5), TypeError, "title must be a string"),
        (lambda: OURS.show(HISTORY, width=19), ValueError, "from 20 to 10,000"),
        (lambda: OURS.show(HISTORY, file="a.txt"), TypeError, "file must be a text file"),
        (lambda: OURS.show({"messages": []}), il.InvalidPayload, "Input should be a Request, a Conversation or a list"),
        (lambda: OURS.diff(HISTORY, {"messages": []}), il.InvalidPayload, "a Request, a Conversation or a list of messages"),
        (lambda: OURS.diff(HISTORY, [{"role": "user", "content": 5}]), il.InvalidPayload, "/0/content"),
    ],
)
def test_a_wrong_argument_is_refused(call: Callable[[], Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        call()


def test_pages_and_json_need_no_rich_and_text_says_what_to_install() -> None:
    program = """
import sys
sys.modules["rich"] = None
import interlingua as il
messages = [il.UserMessage(content="a")]
found = il.diff(messages, [])
assert found and not found.equal and repr(found) and found.to_dict() and found.to_html() and il.html(messages, "anthropic")
for call in (lambda: il.show(messages), lambda: str(found)):
    try:
        call()
    except ImportError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["showing text needs rich: pip install 'interlingua[cli]'"] * 2
