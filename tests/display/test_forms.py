"""`interlingua show --as`: all of each payload and every loss is there once, at the message that it comes from."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings, strategies as st

import interlingua as il
from display import test_show
from interlingua import testing
from interlingua.cli.commands import interlingua
from interlingua.display.beside import drawn_forms
from interlingua.display.forms import Forms, forms
from interlingua.display.terminal import console
from interlingua.model.base import Json
from laws.samples import RESPONSE

HUBS = ("openai_chat", "anthropic", "gemini", "bedrock_converse", "openai_responses")
MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "name": "mira", "content": "both?"},
    {"role": "assistant", "tool_calls": [{"id": id, "name": "get", "arguments": "{}"} for id in "ab"]},
    {"role": "tool", "tool_call_id": "a", "content": "A"},
    {"role": "tool", "tool_call_id": "b", "content": "B"},
    {"role": "user", "content": "so?"},
]


def forms_of(value: Any, *names: str) -> Forms:
    return forms(value, map(il.format_of, names))


def text_of(whole: Forms, width: int = 100) -> str:
    out = StringIO()
    console(file=out, width=width).print(*drawn_forms(whole), sep="\n")
    return out.getvalue()


def place(payload: Any, at: str) -> Any:
    for token in at.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        payload = payload[int(key) if isinstance(payload, list) else key]
    return payload


def sizes(payload: dict[str, Json]) -> int:
    return sum(len(value) if isinstance(value, list) and value else 1 for value in payload.values())


ANY = st.one_of(testing.stored_conversations(), testing.requests(), st.from_type(il.Response))


@given(ANY)
@settings(max_examples=15)
def test_all_of_the_payload_and_every_loss_is_there_once(value: Any) -> None:
    whole = forms_of(value, *HUBS)
    for i, (payload, losses) in enumerate(zip(whole.payloads, whole.losses, strict=True)):
        owners = [(at, lines) for row in whole.rows for at, lines in row.cells[i].owners.items()]
        assert len(owners) == sizes(payload)
        for at, lines in owners:
            text = "".join(line.text for line in lines)
            assert "…" in text or json.loads(text) == place(payload, at)
        marks = [mark for row in whole.rows for mark in row.cells[i].marks]
        assert sorted((mark.code, mark.path, mark.text) for mark in marks) == sorted(
            (loss.kind, loss.path, loss.detail) for loss in losses
        )


@pytest.mark.parametrize("bare", [True, False])
@pytest.mark.parametrize("name", HUBS)
def test_the_payload_and_its_losses_are_those_of_dump(name: il.FormatName, bare: bool) -> None:
    value: Any = il.validate(MESSAGES) if bare else il.Request(messages=MESSAGES, model="m", top_k=5, user="u")
    losses: list[il.Loss] = []
    payload = il.dump(value, name, on_loss=losses.append)
    whole = forms_of(value, name)
    assert (whole.payloads, whole.losses) == ((payload,), (tuple(losses),))


def test_owners_are_at_the_message_that_they_come_from() -> None:
    whole = forms_of(MESSAGES, "openai_chat", "anthropic")
    chat, anthropic = ([list(row.cells[i].owners) for row in whole.rows] for i in (0, 1))
    assert chat == [[f"/messages/{i}"] for i in range(6)]
    assert anthropic == [["/system"], ["/messages/0"], ["/messages/1"], ["/messages/2"], [], []]
    assert [[mark.path for mark in row.cells[1].marks] for row in whole.rows] == [[], ["/1/name"], [], [], [], []]


def test_what_belongs_to_no_message_is_first() -> None:
    tool = il.Tool(name="f", parameters={"type": "object"})
    whole = forms_of(il.Request(messages=MESSAGES, model="m", top_k=5, tools=[tool]), "anthropic", "openai_chat")
    assert whole.rows[0].turn is None
    assert [list(cell.owners) for cell in whole.rows[0].cells] == [["/model", "/tools/0"]] * 2
    assert [[mark.path for mark in cell.marks] for cell in whole.rows[0].cells] == [["/top_k"]] * 2


def test_what_a_loss_points_at_is_marked() -> None:
    developer = [il.DeveloperMessage(content="first"), il.UserMessage(content="x"), il.SystemMessage(content="later")]
    whole = forms_of(developer, "anthropic")
    pointed = {loss.at for loss in whole.losses[0]} - {None}
    assert pointed
    lines = [line for row in whole.rows for lines in row.cells[0].owners.values() for line in lines]
    assert {line.at for line in lines if line.marked} >= pointed
    assert [line for line in lines if line.marked and not line.at.startswith(tuple(map(str, pointed)))] == []
    assert re.search(r"^ *! ", text_of(whole), re.MULTILINE)


def test_base64_is_not_shown() -> None:
    data = "iVBORw0KGgoA" * 7
    parts: Sequence[Any] = [{"type": "image", "source": {"type": "base64", "data": data, "media_type": "image/png"}}]
    whole = forms_of([il.UserMessage(content=parts)], *HUBS)
    assert data[:20] not in text_of(whole, 1000)
    assert text_of(whole, 1000).count("… (") == len(HUBS)
    assert re.search(r"\(63 bytes\)", text_of(forms_of([il.UserMessage(content=parts)], "bedrock_boto3"), 1000))


def test_a_response_is_shown_in_other_formats() -> None:
    whole = forms_of(il.Response(**RESPONSE), "openai_chat", "anthropic")
    assert list(whole.rows[1].cells[0].owners) == ["/choices/0"]
    assert whole.payloads[1]["type"] == "message"


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_columns_stand_below_one_another_where_there_is_no_room(width: int) -> None:
    lines = text_of(forms_of(MESSAGES, "openai_chat", "anthropic"), width).splitlines()
    assert max(map(len, lines)) <= width
    assert any("openai_chat" in line and "anthropic" in line for line in lines) is (width >= 80)


def test_hostile_content_is_harmless_here_too() -> None:
    request = il.Request(messages=test_show.EVERYWHERE, model=test_show.HOSTILE)
    for width in (40, 120):
        assert test_show.CONTROL.search(text_of(forms_of(request, *HUBS), width)) is None


# The command


def run(*argv: str) -> Result:
    return CliRunner().invoke(interlingua, ["show", *argv], standalone_mode=False)


def test_the_command_shows_formats_beside_one_another(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps(MESSAGES), "utf-8")
    result = run(str(file), "--from", "interlingua", "--as", "openai_chat, anthropic", "--width", "120")
    assert (result.exception, result.return_value) == (None, 0)
    assert "LOSS dropped: Anthropic messages have no `name` field (/1/name)" in " ".join(result.stdout.split())
    data = json.loads(run(str(file), "--from", "interlingua", "--as", "anthropic,bedrock_boto3", "--json").stdout)
    messages = il.validate(MESSAGES)
    assert data["forms"][0]["payload"] == il.dump(messages, "anthropic", on_loss="ignore")
    assert [loss["path"] for loss in data["forms"][0]["losses"]] == ["/1/name"]


def test_a_format_that_does_not_exist_is_wrong_usage(tmp_path: Path) -> None:
    assert getattr(run("x", "--as", "openai_chat,nothing").exception, "exit_code", 0) == 2
